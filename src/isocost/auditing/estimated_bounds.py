"""The bounds of theory on the instance that an audit estimates: its bins, each with its share and its outcomes."""

from __future__ import annotations

from typing import NamedTuple

from isocost.auditing.bound import Bound
from isocost.auditing.bounds import SCORE_ERROR, paper_bound
from isocost.auditing.instances import Instance
from isocost.auditing.sharp import sharp_bound
from isocost.property import SmoothProperty

__all__ = ["EstimatedBounds", "bounds_of"]


class EstimatedBounds(NamedTuple):
    """Bounds with estimates for what they need; they have no error rate of their own, as the certificate does.

    Attributes
    ----------
    theorem1_paper, theorem1 : Bound or None
        K·ε on the score calibration, ε in the paper's form and in the mean form.
    paper, paper_half : Bound
        The paper's final theorem minimised over t, with diam and with diam/2.
    sharp : Bound
        Ours, decision by decision.
    sharp_signed, sharp_overall : Bound
        Ours, knowing the direction of each error, and knowing only their mean.
    """

    theorem1_paper: Bound | None
    theorem1: Bound | None
    paper: Bound
    paper_half: Bound
    sharp: Bound
    sharp_signed: Bound
    sharp_overall: Bound

    def __str__(self) -> str:
        return "\n".join(str(bound) for bound in self if bound)


def bounds_of(
    case: Instance, prop: SmoothProperty, norm: float, paper_form: float | None, mean_form: float | None
) -> EstimatedBounds:
    """All bounds of an estimated instance.

    Parameters
    ----------
    case : Instance
    prop : SmoothProperty
    norm : {1, 2, math.inf}
    paper_form, mean_form : float or None
        Distribution calibration with respect to Γ, where there are probabilities.
    """

    def theorem1(form: str, epsilon: float | None) -> Bound | None:
        if epsilon is None:
            return None
        low, high = prop.range
        constant = prop.lipschitz(norm)
        ingredients = {"K": constant, "epsilon": epsilon}
        return Bound(f"Theorem 1, {form}", constant * epsilon, ingredients, SCORE_ERROR, high - low)

    return EstimatedBounds(
        theorem1("paper", paper_form),
        theorem1("mean", mean_form),
        paper_bound(case, prop, norm),
        paper_bound(case, prop, norm, half=True),
        sharp_bound(case, prop, "decision"),
        sharp_bound(case, prop, "signed"),
        sharp_bound(case, prop, "overall"),
    )
