"""V-calibration decision loss: what the worst elementary two-way task loses by trusting the score."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.estimates import Estimate, Measure, below
from isocost.auditing.frequencies import Frequencies
from isocost.auditing.levels import Levels

__all__ = ["WORST_TASK", "WorstTask", "worst_task"]

Floats = NDArray[np.float64]

WORST_TASK = Measure(
    "worst elementary task",
    "sup_θ (E[V(θ, Y)·1{g > θ}])₊ + (-E[V(θ, Y)·1{g ≤ θ}])₊",
    "cost difference (units of V)",
    "0: whoever has to decide whether Γ is above θ does best to ask whether the score is",
    ("scores",),
)


class WorstTask(NamedTuple):
    """The estimate, the θ where it is attained, and the same at the cuts of this decision.

    Attributes
    ----------
    estimate : Estimate
    threshold : float
    at_cuts : ndarray, shape (k-1,)
    """

    estimate: Estimate
    threshold: float
    at_cuts: Floats


def worst_task(levels: Levels, level: float) -> WorstTask:
    """Both sums where the worst θ can be: at the ends of levels, at knots and at cuts.

    Between these no score lies and V is linear in θ, so the sum of positive parts is convex. A level at θ
    itself counts as below it, and just left of θ as above.
    """
    prop, at = levels.prop, levels.at
    thresholds = np.unique(np.concatenate([levels.ends.ravel(), prop.knots, prop.cuts]))
    V = prop.identification(thresholds[:, None], np.arange(at.weight.shape[1]))
    before = np.vstack([np.zeros(at.weight.shape[1]), np.cumsum(at.weight, axis=0)]) / at.weight.sum()
    upto, left = (before[np.searchsorted(levels.ends[:, 1], thresholds, side=side)] for side in ("right", "left"))
    losses = _loss(V, at.overall, upto)
    approached = np.maximum(losses, _loss(V, at.overall, left))
    worst = int(approached.argmax())
    estimate = below(float(approached[worst]), _largest_sd(at, V), at.units, level)
    return WorstTask(estimate, float(thresholds[worst]), losses[np.searchsorted(thresholds, prop.cuts)])


def _loss(V: Floats, overall: Floats, upto: Floats) -> Floats:
    above, under = (V * (overall - upto)).sum(axis=1), -(V * upto).sum(axis=1)
    return np.asarray(above.clip(0.0) + under.clip(0.0))


def _largest_sd(at: Frequencies, V: Floats) -> float:
    """Of Σ w·(±V(θ, y)) over the θ, for rows that weigh by at most 1 in size."""
    if at.by_cluster is None:
        return math.sqrt(float((V**2 @ at.overall).max()) / max(at.units - 1, 1.0))
    most = np.abs(V).max(axis=0) / at.weight.sum()
    return math.sqrt(float(at.variances(np.broadcast_to(most, (1, *at.weight.shape)))[0]))
