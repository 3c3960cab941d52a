"""How far a single cost is from changing what kind of cost matrix it belongs to."""

from __future__ import annotations

import math
from fractions import Fraction
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

    if order.kind is OrderKind.ORDERABLE:
        return 0.0  # where boundaries touch, any change separates or crosses them
    if len(order.cost.outcomes) <= 2 or len(order.cost.decisions) <= 2:
        return math.inf  # these are strongly orderable whatever they cost
    # What all decisions cost alike is taken off exactly: it may be large beside what sets them apart.
    costs = (order.cost.exact - order.cost.exact[:1]).astype(np.float64)
    spread = float((costs.max(axis=0) - costs.min(axis=0)).max())
    if spread == 0:
        return math.inf  # all decisions are alike, and a single one stays
    least = _strong(order) if order.kind is OrderKind.STRONG else _witness(order, costs)
    return max(min(least, _dropped(order, costs)), 0.0) / spread


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


def _dropped(order: Ordering, costs: Floats) -> float:
    """Below this, a dropped decision stays dominated by the mixture that was found."""
    least = math.inf
    for r, mixture in order.pruning.dominators.items():
        combined = sum(float(q) * costs[i] for i, q in mixture.items())
        # A change of the dropped row counts in full, one of a row in the mixture by its share.
        least = min(least, float((costs[r] - combined).min()))
    return least


def _witness(order: Ordering, costs: Floats) -> float:
    """Below this, the witness against orderability stands, although its points move.

    It stands on ties of two decisions a and b, at which a lead is positive: that of both over all others
    (they are neighbours), or that of a third over both (it cuts their boundary).
    """
    witness, labels = order.witness, order.cost.decisions
    assert witness is not None
    kept = [i for i, label in enumerate(labels) if label not in order.dropped]
    first, *others = (labels.index(label) for label in witness.decisions)
    least = math.inf
    for b, point in zip(others, witness.shared, strict=False):
        rivals = [r for r in kept if r not in (first, b)]
        least = min(least, _tie_outlasts(costs[[first, b]], costs[rivals], point, 1))
    if len(witness.shared) == 1:
        b, third = others
        least = min(least, _tie_outlasts(costs[[first, b]], costs[[third]], witness.distribution, -1))
    return least


def _tie_outlasts(pair: Floats, rivals: Floats, tie: tuple[Fraction, ...], sign: int) -> float:
    """A change of one cost that leaves a tie of the pair at which they lead (sign 1) or a rival does (-1).

    From the tie two segments lead towards vertices, one to either side. Where they end, the two differ
    by some s; a smaller change moves the tie, but not off the segments. The lead is concave there, so
    its ends bound it; and a change of one cost moves the difference and the lead by no more than itself.
    """
    steps = np.r_[0.0, 2.0 ** -np.arange(0, 40, 0.125)]
    at = np.array([float(p) for p in tie])

    def along(table: Floats, y: int) -> Floats:
        return np.asarray((table @ at)[:, None] * (1 - steps) + table[:, [y]] * steps)

    found = {1: 0.0, -1: 0.0}
    for y, difference in enumerate(pair[1] - pair[0]):
        both, others = along(pair, y), along(rivals, y)
        lead = others.min(axis=0) - both.max(axis=0) if sign == 1 else both.min(axis=0) - others.max(axis=0)
        side = 1 if difference > 0 else -1
        reached = np.minimum(np.abs(difference) * steps, lead).max()
        found[side] = max(found[side], float(min(reached, lead[0])))
    return min(found.values())
