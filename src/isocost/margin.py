"""How far a single cost is from changing what kind of cost matrix it belongs to."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from isocost.ordering import Ordering

__all__ = ["kind_margin"]

Floats = NDArray[np.float64]


def kind_margin(order: Ordering) -> float:
    """Largest change of one cost, relative to the largest spread, that surely keeps the kind."""
    from isocost.ordering import OrderKind

    costs = order.cost.costs
    spread = float((costs.max(axis=0) - costs.min(axis=0)).max())
    if order.kind is OrderKind.ORDERABLE:
        return 0.0  # where boundaries touch, any change separates or crosses them
    if len(order.cost.outcomes) <= 2 or len(order.cost.decisions) <= 2:
        return math.inf  # these are strongly orderable whatever they cost
    least = _strong(order) if order.kind is OrderKind.STRONG else _witness(order)
    return min(least, _dropped(order)) / spread


def _strong(order: Ordering) -> float:
    """Exact for the decisions kept: the first change of an entry at which some interval closes.

    Some ρ has ρ·w_{i+1} - w_i > 0 for every outcome. Changing the cost of one decision at outcome y
    by δ moves w_i,y or w_{i+1},y or both; with [lo, hi] the interval of the other outcomes, the
    condition at y fails when max over ρ ∈ {lo, hi} of ρ·w_{i+1,y} - w_i,y reaches 0.
    """
    smallest = math.inf
    for before, after in zip(order.normals[:-1], order.normals[1:], strict=True):
        low, high = _intervals_without_each(before, after)
        ends = np.array([low, high])
        with np.errstate(divide="ignore", invalid="ignore"):
            # The first of three decisions enters w_i only, the last w_{i+1} only, the middle both.
            first = (ends * after - before).max(axis=0)
            last = np.where(ends > 0, after - before / ends, np.where(before < 0, np.inf, -np.inf)).max(axis=0)
            middle = np.where(np.isinf(ends), after, (ends * after - before) / (1 + ends)).max(axis=0)
        smallest = min(smallest, float(first.min()), float(last.min()), float(middle.min()))
    return smallest


def _intervals_without_each(before: Floats, after: Floats) -> tuple[Floats, Floats]:
    """Admissible interval of ρ when each outcome in turn is left out."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = before / after
    lows = np.where(after > 0, quotient, -np.inf)
    highs = np.where(after < 0, quotient, np.inf)
    return np.maximum(-_least_of_others(-lows), 0.0), _least_of_others(highs)


def _least_of_others(x: Floats) -> Floats:
    order = np.argsort(x)
    least = np.full(len(x), x[order[0]])
    least[order[0]] = x[order[1]] if len(x) > 1 else np.inf
    return least


def _dropped(order: Ordering) -> float:
    """Below this, a dropped decision stays dominated by the mixture that was found."""
    costs = order.cost.costs
    least = math.inf
    for r, mixture in order.pruning.dominators.items():
        combined = sum(float(q) * costs[i] for i, q in mixture.items())
        # A change of the dropped row counts in full, one of a row in the mixture by its share.
        least = min(least, float((costs[r] - combined).min()))
    return least


def _witness(order: Ordering) -> float:
    """Below this, the witness against orderability stands: its gaps outlast the change."""
    witness, cost = order.witness, order.cost
    assert witness is not None
    kept = [i for i, label in enumerate(cost.decisions) if label not in order.dropped]
    positions = [cost.decisions.index(label) for label in witness.decisions]
    gaps = []
    for point in witness.shared:
        weights = np.array([float(p) for p in point])
        values = np.sort(cost.costs[kept] @ weights)
        gaps.append(float((values[2] - values[0]) / (2 * weights.max())))
    if len(witness.shared) == 1:
        weights = np.array([float(p) for p in witness.distribution])
        values = cost.costs[positions] @ weights
        gaps.append(float((values[0] - values[2]) / (2 * weights.max())))
    return min(gaps)
