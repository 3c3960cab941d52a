"""Boundary normals of an ordered list of decisions and the ratios they admit, decided exactly.

With w_i = ℓ(r_{i+1}) - ℓ(r_i), the region {w_i ≥ 0} lies inside {w_{i+1} ≥ 0} iff some ρ > 0 has
ρ·w_{i+1} ≥ w_i (Farkas). The admissible ρ form an interval [lo_i, hi_i].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from isocost.costs import CostMatrix

__all__ = ["Boundaries", "Touch", "boundaries_of"]

# Differences keep at least 40 good bits, or they are taken exactly; comparisons of ratios that
# agree in 34 bits are left to Fractions.
DIFFERENCE_BITS = 2.0**-40
RATIO_BITS = 2.0**-34


@dataclass(frozen=True)
class Touch:
    """B_{i} and B_{i+1} meet on the edge between the outcomes y and z (a vertex when y = z)."""

    i: int
    y: int
    z: int


@dataclass(frozen=True)
class Boundaries:
    """What the consecutive normals of an order allow.

    `failed` is the first i whose interval is empty, or None; `touches` lists where the interval
    is a single ratio or both normals vanish.
    """

    normals: NDArray[np.float64]
    ratios: NDArray[np.float64]
    failed: int | None
    touches: tuple[Touch, ...]


def boundaries_of(cost: CostMatrix, order: list[int]) -> Boundaries:
    """Normals (k-1, n), admissible ratios (k-2, 2) and where they fail or touch."""
    normals = _differences(cost, order)
    before, after = normals[:-1], normals[1:]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        quotient = before / after
    lows = np.where(after > 0, quotient, -np.inf)
    highs = np.where(after < 0, quotient, np.inf)
    low, high = lows.max(axis=1, initial=-np.inf), highs.min(axis=1, initial=np.inf)
    ratios = np.column_stack([np.maximum(low, 0.0), high])
    failed: int | None = None
    touches: list[Touch] = []
    for i in range(len(ratios)):
        if ((before[i] > 0) & (after[i] == 0)).any() or high[i] <= 0:
            failed = i
            break
        touches += [Touch(i, y, y) for y in np.flatnonzero((before[i] == 0) & (after[i] == 0)).tolist()]
        if high[i] - ratios[i, 0] > RATIO_BITS * (high[i] + ratios[i, 0]):
            continue
        near = RATIO_BITS * abs(high[i])
        y, smallest = _extreme(cost, order, i, np.flatnonzero(lows[i] >= low[i] - near), max)
        z, largest = _extreme(cost, order, i, np.flatnonzero(highs[i] <= high[i] + near), min)
        if smallest > largest:
            failed = i
            break
        if smallest == largest:
            ratios[i] = float(smallest)
            touches.append(Touch(i, y, z))
    return Boundaries(normals, ratios, failed, tuple(touches))


def _differences(cost: CostMatrix, order: list[int]) -> NDArray[np.float64]:
    """w_i as doubles with the exact sign and at least 40 good bits."""
    ordered = cost.costs[order]
    normals = np.diff(ordered, axis=0)
    if (ordered == np.trunc(ordered)).all() and np.abs(ordered).max() < 2**52 and cost.floats_are_exact:
        return normals
    size = np.abs(ordered)
    error = 2.0**-52 * (size[1:] + size[:-1])
    for i, y in np.argwhere(~(np.abs(normals) * DIFFERENCE_BITS > error)).tolist():
        normals[i, y] = float(cost.exact_at(order[i + 1], y) - cost.exact_at(order[i], y))
    return normals


def _extreme(
    cost: CostMatrix,
    order: list[int],
    i: int,
    candidates: NDArray[np.intp],
    pick: Callable[[Fraction, Fraction], Fraction],
) -> tuple[int, Fraction]:
    """The candidate outcome with the extreme exact ratio w_{i,y} / w_{i+1,y}."""
    best: tuple[int, Fraction] | None = None
    a, b, c = order[i : i + 3]
    for y in candidates.tolist():
        middle = cost.exact_at(b, y)
        ratio = (middle - cost.exact_at(a, y)) / (cost.exact_at(c, y) - middle)
        if best is None or (ratio != best[1] and pick(ratio, best[1]) == ratio):
            best = (y, ratio)
    assert best is not None  # after pruning every normal has both signs
    return best
