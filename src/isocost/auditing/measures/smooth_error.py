"""Smooth calibration error: the worst mean of V weighed by a function of the score that does not jump."""

from __future__ import annotations

import numpy as np

from isocost.auditing.estimates import Estimate, Measure, below
from isocost.auditing.levels import Levels
from isocost.auditing.measures.cutoff import path_sd

__all__ = ["SMOOTH", "smooth_error"]

SMOOTH = Measure(
    "smooth error",
    "sup E[w(g)·V(g, Y)] over |w| ≤ 1 that change by at most 1 a unit of score",
    "cost difference (units of V)",
    "0",
    ("scores",),
)


def smooth_error(levels: Levels, level: float) -> Estimate:
    """Smooth error, by the exact dynamic programme over the levels."""
    from isocost.auditing.loops import steepest_weights  # numba is slow to import

    value = float(steepest_weights(levels.pull, np.diff(levels.score)))
    return below(value, path_sd(levels), levels.at.units, level)
