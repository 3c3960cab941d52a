"""A decision in words: what a distribution scores, between which cuts that is, and what follows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isocost.linear_property import LinearProperty
from isocost.plot.placing import number_text
from isocost.property import SmoothProperty

__all__ = ["decision_in_words", "distribution_in_words"]

Floats = NDArray[np.float64]


def distribution_in_words(p: Floats, outcomes: Sequence[object]) -> str:
    """Each outcome with its probability in percent.

    Examples
    --------
    >>> distribution_in_words(np.array([0.25, 0.6, 0.15]), ["mild", "moderate", "severe"])
    'mild 25 %, moderate 60 %, severe 15 %'
    """
    return ", ".join(f"{outcome} {100 * x:.3g} %" for outcome, x in zip(outcomes, p.tolist(), strict=True))


def decision_in_words(prop: SmoothProperty | LinearProperty, p: Floats) -> str:
    """Why a distribution gets its decision.

    Parameters
    ----------
    prop : SmoothProperty or LinearProperty
    p : ndarray, shape (n,)

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix.ordinal(["low", "mid", "high"])
    >>> decision_in_words(ic.smooth(cost, method="embedding"), np.array([0.2, 0.5, 0.3]))
    'score 1.1, between the cuts 0.5 and 1.5: mid'
    >>> decision_in_words(ic.linear(ic.CostMatrix(1 - np.eye(3), ["cat", "dog", "ant"])), np.array([0.5, 0.2, 0.3]))
    'cat: costs 0.2 less than ant, the next best'
    """
    u = prop.value(p[None])[0]
    cell = int(prop.cell(u))
    decision = prop.decisions[cell]
    if isinstance(prop, LinearProperty):
        return _cheapest_in_words(prop, u, cell)
    if len(prop.decisions) == 1:
        return f"one decision is always best: {decision}"
    low, high = prop.range
    below = float(prop.cuts[cell - 1]) if cell else None
    above = float(prop.cuts[cell]) if cell < len(prop.cuts) else None
    # Digits enough to tell the score from both ends of a narrow interval.
    width = (high if above is None else above) - (low if below is None else below)

    def text(x: float) -> str:
        return number_text(x, width or high - low)

    if below is not None and below == above:
        where = "its only score"
    elif below is not None and above is not None:
        where = f"between the cuts {text(below)} and {text(above)}"
    elif above is not None:
        where = f"at most the cut {text(above)}"
    else:
        assert below is not None
        where = f"above the cut {text(below)}"
    return f"score {text(float(u))}, {where}: {decision}"


def _cheapest_in_words(prop: LinearProperty, u: Floats, cell: int) -> str:
    costs = prop.weights @ u + prop.offsets
    if len(costs) == 1:
        return f"one decision is always best: {prop.decisions[cell]}"
    others = np.delete(np.arange(len(costs)), cell)
    following = int(others[costs[others].argmin()])
    less = float(costs[following] - costs[cell])
    decision, other = prop.decisions[cell], prop.decisions[following]
    return f"{decision}: costs {less:.3g} less than {other}, the next best"
