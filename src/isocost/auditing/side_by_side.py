"""All bounds of one instance, side by side, beside the truth."""

from __future__ import annotations

from typing import NamedTuple, get_args

from isocost.auditing.bound import Bound
from isocost.auditing.bounds import SCORE_ERROR, lemma, paper_bound, theorem1
from isocost.auditing.instances import Instance, miscalibration, score_calibration
from isocost.auditing.sharp import Form, sharp_bound
from isocost.costs import CostMatrix
from isocost.interface import Property

__all__ = ["BoundTable", "all_bounds"]


class BoundTable(NamedTuple):
    """The exact errors of an instance and every bound on them; ``print`` shows a table.

    Attributes
    ----------
    score_calibration : float
        E|Γ(D_{Y|g}) - g|, which Theorem 1 bounds.
    miscalibration : float or None
        Pr[ψ(g) ∉ γ(D_{Y|ψ(g)})], which the others bound; None where no cost matrix was given.
    bounds : tuple of Bound
    """

    score_calibration: float
    miscalibration: float | None
    bounds: tuple[Bound, ...]

    def __str__(self) -> str:
        truth = "" if self.miscalibration is None else f"{self.miscalibration:.4g}"
        lines = [("bound", "on", "truth", "at most", "", "from")]
        for bound in self.bounds:
            actual = f"{self.score_calibration:.4g}" if bound.about == SCORE_ERROR else truth
            note = "vacuous" if bound.vacuous else ""
            lines.append((bound.name, bound.about, actual, f"{bound.value:.4g}", note, ", ".join(bound.details())))
        widths = [max(len(line[i]) for line in lines) for i in range(6)]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
        )


def all_bounds(case: Instance, prop: Property, norm: float = 1, cost: CostMatrix | None = None) -> BoundTable:
    """Every bound that applies to the instance.

    Parameters
    ----------
    case : Instance
        Theorem 1, and the bounds composed with it, need `predicted`.
    prop : Property
    norm : {1, 2, math.inf}
        Of distributions.
    cost : CostMatrix, optional
        For the truth beside the bounds.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]])
    >>> prop = ic.smooth(cost, method="embedding", ratios=[0.5])
    >>> case = Instance([1, 1], [0.3, 2.6], [[0.8, 0.1, 0.1], [0.1, 0.2, 0.7]])
    >>> for bound in all_bounds(case, prop, cost=cost).bounds:
    ...     print(f"{bound.name}: {bound.value:.4f}")
    lemma: 0.0000
    final theorem: 0.0767
    final theorem, diam/2: 0.0767
    ours, signed: 0.0000
    ours, by decision: 0.0000
    ours, overall: 0.3067
    """
    found: list[Bound] = []
    steps: list[tuple[str, float]] = []
    if case.predicted is not None:
        found = [theorem1(case, prop, norm, "paper"), theorem1(case, prop, norm, "mean")]
        steps = [("Theorem 1 and ", found[-1].value)]
    found += [lemma(case, prop), paper_bound(case, prop, norm)]
    if prop.dimension == 1 and case.scores.ndim == 1:
        found.append(paper_bound(case, prop, norm, half=True))
    found += [sharp_bound(case, prop, form) for form in get_args(Form)]
    for name, epsilon in steps:
        composed = [paper_bound(case, prop, norm, epsilon=epsilon), sharp_bound(case, prop, "overall", epsilon)]
        found += [Bound(name + one.name, one.value, one.ingredients) for one in composed]
    actual = None if cost is None else miscalibration(case, prop, cost)
    return BoundTable(score_calibration(case, prop), actual, tuple(found))
