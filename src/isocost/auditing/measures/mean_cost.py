"""Mean cost of the decisions taken, and what it is beyond that of other ways to decide."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.estimates import Estimate, Measure, mean_estimate
from isocost.auditing.frequencies import Frequencies

__all__ = ["BEYOND_CONSTANT", "BEYOND_PLUGIN", "MEAN_COST", "beyond_constant", "beyond_other", "mean_cost"]

Floats = NDArray[np.float64]

MEAN_COST = Measure(
    "mean cost",
    "E ℓ(decision, Y)",
    "cost",
    "the least that any decision from the same information can cost",
    ("taken",),
)
BEYOND_CONSTANT = Measure(
    "cost beyond the best constant decision",
    "E ℓ(decision, Y) - min_r E ℓ(r, Y)",
    "cost",
    "below 0: predictions are worth having",
    ("taken",),
)
BEYOND_PLUGIN = Measure(
    "cost beyond the plug-in decision",
    "E ℓ(decision, Y) - E ℓ(γ(p), Y)",
    "cost",
    "below 0, where the decisions are not those of the probabilities themselves",
    ("pairs",),
)


def mean_cost(taken: Frequencies, costs: Floats, level: float) -> Estimate:
    """Mean cost; `taken` has a place for each decision, in the rows' order of `costs`."""
    return mean_estimate(taken, costs, level)


def beyond_constant(taken: Frequencies, costs: Floats, level: float) -> Estimate:
    """Mean cost less that of the decision that is best for all rows alike, found on the same rows."""
    return mean_estimate(taken, costs - costs[(costs @ taken.overall).argmin()], level)


def beyond_other(pairs: Frequencies, costs: Floats, level: float) -> Estimate:
    """Mean cost less that of another way to decide, row by row; `pairs` has a place for each (taken, other)."""
    return mean_estimate(pairs, (costs[:, None] - costs[None, :]).reshape(-1, costs.shape[1]), level)
