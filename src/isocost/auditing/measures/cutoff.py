"""Cutoff error: the worst mean of V over any interval of the score, without bins."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from isocost.auditing.estimates import Estimate, Measure, below
from isocost.auditing.levels import Levels

__all__ = ["CUTOFF", "CutoffError", "cutoff_error"]

CUTOFF = Measure(
    "cutoff error",
    "sup_{a ≤ b} |E[V(g, Y)·1{a ≤ g ≤ b}]|",
    "cost difference (units of V)",
    "0: over no interval of scores is the score too high or too low on average",
    ("scores",),
)


class CutoffError(NamedTuple):
    """The estimate and the interval of scores where it is attained.

    Attributes
    ----------
    estimate : Estimate
    low, high : float
        Lowest and highest score of the worst interval.
    sign : int
        1 where scores are too high there, -1 where too low.
    """

    estimate: Estimate
    low: float
    high: float
    sign: int


def cutoff_error(levels: Levels, level: float) -> CutoffError:
    """Range of the prefix sums of V in the order of the score, read at the ends of levels."""
    path = np.r_[0.0, np.cumsum(levels.pull)]
    least, most = int(path.argmin()), int(path.argmax())
    first, last = sorted((least, most))
    value = float(path[most] - path[least])
    estimate = below(value, path_sd(levels), levels.at.units, level)
    if first == last:
        return CutoffError(estimate, levels.ends[0, 0], levels.ends[-1, 1], 0)
    return CutoffError(
        estimate, float(levels.ends[first, 0]), float(levels.ends[last - 1, 1]), 1 if most > least else -1
    )


def path_sd(levels: Levels) -> float:
    """Standard deviation of the mean of w(g)·V(g, Y) for any w of at most 1 in size: at most that of w = ±1."""
    at = levels.at
    if at.by_cluster is None:
        return math.sqrt(float((at.weight2 * levels.signed**2).sum())) / float(at.weight.sum())
    # Rows of a cluster may lie at many levels: their absolute values bound any weighing.
    return math.sqrt(float(at.variances(np.abs(levels.signed)[None])[0])) / float(at.weight.sum())
