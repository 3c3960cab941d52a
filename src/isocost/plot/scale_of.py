"""A property of one number as intervals of its score: ends, cuts, which decision lies where. Plain arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.exceptions import CostMatrixError
from isocost.labels import Labels
from isocost.linear_property import LinearProperty
from isocost.property import SmoothProperty

__all__ = ["Intervals", "intervals_of"]

Floats = NDArray[np.float64]


class Intervals(NamedTuple):
    """Decisions along a score.

    Attributes
    ----------
    marks : ndarray, shape (k+1,)
        Low end, cuts, high end; decision i lies between marks i and i+1.
    decisions : tuple of k labels, in order
    certain : ndarray, shape (n,)
        Score of each outcome when it is certain.
    positions : ndarray of int, shape (k,)
        Where ``prop.cell`` has each decision.
    """

    marks: Floats
    decisions: Labels
    certain: Floats
    positions: NDArray[np.intp]


def intervals_of(prop: SmoothProperty | LinearProperty, what: str) -> Intervals:
    """Intervals of the score of a property that has one number.

    Parameters
    ----------
    prop : SmoothProperty or LinearProperty
    what : str
        The picture, for the message where there is no such score.

    Examples
    --------
    >>> import isocost as ic
    >>> found = intervals_of(ic.smooth(ic.CostMatrix.ordinal(["low", "mid", "high"])), "plot.ladder")
    >>> found.marks.tolist(), found.decisions
    ([-0.5, 0.0, 1.0, 1.5], ('low', 'mid', 'high'))
    >>> intervals_of(ic.linear(ic.CostMatrix.ordinal(["low", "mid", "high"])), "plot.ladder").marks.round(3).tolist()
    [-0.707, -0.354, 0.354, 0.707]
    """
    if not isinstance(prop, (SmoothProperty, LinearProperty)):
        raise CostMatrixError(
            f"{what} draws a SmoothProperty or a LinearProperty; got {type(prop).__name__}. "
            "Write ic.smooth(cost) or ic.linear(cost)"
        )
    certain = prop.value(np.eye(len(prop.outcomes)))
    if isinstance(prop, SmoothProperty):
        marks = np.r_[prop.range[0], prop.cuts, prop.range[1]]
        return Intervals(marks, prop.decisions, certain, np.arange(len(prop.decisions)))
    if prop.dimension > 1:
        others = "plot.simplex draws its cells" if len(prop.outcomes) == 3 else "plot.certificate draws its audit"
        raise CostMatrixError(
            f"{what} draws a score of one number; this property needs {prop.dimension}, as the decisions do not line "
            f"up on one. {others}"
        )
    if prop.dimension == 0:
        return Intervals(np.zeros(2), prop.decisions, np.zeros(len(prop.outcomes)), np.arange(1))
    # Lines offset + weight·u: from left to right their lower envelope takes ever smaller weights.
    weights, certain = prop.weights[:, 0], certain[:, 0]
    order = np.argsort(-weights, kind="stable")
    cuts = -np.diff(prop.offsets[order]) / np.diff(weights[order])
    marks = np.r_[certain.min(), cuts, certain.max()]
    return Intervals(marks, tuple(prop.decisions[r] for r in order), certain, order)
