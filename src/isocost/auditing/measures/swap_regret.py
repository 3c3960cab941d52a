"""Swap regret: what relabelling the decisions, each as a whole, would save."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.estimates import Estimate, Measure, below, sd_of_sum
from isocost.auditing.frequencies import Frequencies

__all__ = ["SWAP_REGRET", "best_swaps", "swap_regret"]

Floats = NDArray[np.float64]

SWAP_REGRET = Measure(
    "swap regret",
    "Σ_r Pr[r]·max_r′ E[ℓ(r, Y) - ℓ(r′, Y) | r]",
    "cost",
    "0: where r was decided, no other decision would have cost less",
    ("taken",),
)


def best_swaps(taken: Frequencies, costs: Floats) -> NDArray[np.intp]:
    """The decision that would have cost least where each was taken; itself on a tie or where it never was."""
    expected = taken.distributions @ costs.T
    own = np.arange(len(costs))
    better = expected.min(axis=1) < expected[own, own]
    return np.where(better & (taken.mass > 0), expected.argmin(axis=1), own)


def swap_regret(taken: Frequencies, costs: Floats, level: float) -> Estimate:
    """Swap regret, biased upwards by the choice of the best swap on the same rows, with an upper limit."""
    to = best_swaps(taken, costs)
    gains = costs - costs[to]
    value = float((taken.weight * gains).sum() / taken.weight.sum())
    return below(value, sd_of_sum(taken, _most_variable_swaps(taken, costs)), taken.units, level)


def _most_variable_swaps(taken: Frequencies, costs: Floats) -> Floats:
    """What a swap saves, (decision, outcome); of those that cannot be told from the best the most variable."""
    most = np.zeros_like(costs)
    for r, weight in enumerate(taken.weight):
        saved = costs[r] - costs  # by each r′, shape (k, n)
        mean = saved @ weight
        sds = _sds(taken, r, saved)
        # A swap that saves far less than the best one does not attain the maximum.
        likely = mean >= mean.max() - 3 * (sds + sds[mean.argmax()])
        most[r] = saved[np.where(likely, sds, -1.0).argmax()]
    return most


def _sds(taken: Frequencies, r: int, saved: Floats) -> Floats:
    """Standard deviation of Σ w·saved(y) over the rows where r was taken, for each row of `saved`."""
    if taken.by_cluster is None:
        return np.asarray(np.sqrt(saved**2 @ taken.weight2[r]))
    influence = np.zeros((len(saved), *taken.weight.shape))
    influence[:, r] = saved
    return np.asarray(np.sqrt(taken.variances(influence)))
