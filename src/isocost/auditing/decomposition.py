"""CORP: what of the mean surrogate loss is miscalibration, what discrimination, what uncertainty.

S̄(g) = MCB - DSC + UNC with the isotonic fit of g in the middle and the best constant at the end (Dimitriadis, Gneiting
and Jordan, PNAS 118, 2021, for probabilities; here for any smooth property and its surrogate loss).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.estimates import Estimate, Measure, below, mean_estimate, sd_of_sum
from isocost.auditing.levels import Levels
from isocost.pav import pooled

__all__ = ["DECOMPOSITION", "Decomposition", "decomposed", "isotonic_fit"]

Floats = NDArray[np.float64]

NEEDS = ("scores",)
DECOMPOSITION = {
    "loss": Measure("mean surrogate loss", "E L(g, Y)", "loss", "uncertainty less all there is to know", NEEDS),
    "miscalibration": Measure(
        "miscalibration (MCB)", "E L(g, Y) - min E L(f(g), Y) over f that do not fall", "loss", "0", NEEDS
    ),
    "discrimination": Measure(
        "discrimination (DSC)",
        "min_c E L(c, Y) - min E L(f(g), Y) over f that do not fall",
        "loss",
        "uncertainty",
        NEEDS,
    ),
    "uncertainty": Measure(
        "uncertainty (UNC)", "min_c E L(c, Y)", "loss", "a matter of the outcomes, not of the score", NEEDS
    ),
}


class Decomposition(NamedTuple):
    """loss = miscalibration - discrimination + uncertainty, each an Estimate."""

    loss: Estimate
    miscalibration: Estimate
    discrimination: Estimate
    uncertainty: Estimate


def isotonic_fit(levels: Levels) -> Floats:
    """Γ of the block of each level in the generalised isotonic fit, shape (M,)."""
    blocks = pooled(levels.at.weight, levels.prop)
    return np.repeat(blocks.values, np.diff(np.r_[blocks.starts, len(levels.score)]))


def decomposed(levels: Levels, level: float) -> Decomposition:
    """The decomposition at the levels; its parts add up exactly."""
    at, prop = levels.at, levels.prop
    outcomes = np.arange(at.weight.shape[1])
    fitted = prop.loss(isotonic_fit(levels)[:, None], outcomes)
    constant = np.broadcast_to(prop.loss(prop.value(at.overall[None], normalize=True), outcomes), fitted.shape)
    excess = levels.loss - fitted
    mean = float((at.weight * excess).sum() / at.weight.sum())
    return Decomposition(
        mean_estimate(at, levels.loss, level),
        below(max(mean, 0.0), sd_of_sum(at, excess), at.units, level),
        mean_estimate(at, constant - fitted, level),
        mean_estimate(at, constant, level),
    )
