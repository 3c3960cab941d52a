"""Pool adjacent violators, compiled: blocks on a stack, their label weights summed with what rounding lost.

Serial and without the interpreter lock, as all kernels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isocost.kernels import _root, compiled

__all__ = ["pool_cells", "pool_rows"]

Floats = NDArray[np.float64]
Positions = NDArray[np.intp]


@compiled()
def pool_cells(label_weights: Floats, knots: Floats, values: Floats, interior: float = 0.0) -> tuple[Positions, Floats]:
    """First cell and value of each block of a table of cells, shape (B, n), each with a total above 0."""
    cells, n = label_weights.shape
    sums, lost = np.empty((cells, n)), np.zeros((cells, n))
    starts, found = np.empty(cells, dtype=np.intp), np.empty(cells)
    p = np.empty(n)
    top = -1
    for b in range(cells):
        top += 1
        starts[top] = b
        sums[top] = label_weights[b]
        lost[top] = 0.0
        found[top] = _value(sums[top], lost[top], knots, values, interior, p)
        while top > 0 and found[top - 1] >= found[top]:
            _merge(sums, lost, top)
            top -= 1
            found[top] = _value(sums[top], lost[top], knots, values, interior, p)
    return starts[: top + 1].copy(), found[: top + 1].copy()


@compiled()
def pool_rows(
    order: Positions,
    scores: Floats,
    positions: Positions,
    weights: Floats,
    knots: Floats,
    values: Floats,
    interior: float = 0.0,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Lowest and highest score, value and label weights of each block of rows.

    `order` sorts the scores; rows of one score are one cell, and rows of weight 0 are none.
    """
    n = values.shape[1]
    capacity = 64
    sums, lost = np.zeros((capacity, n)), np.zeros((capacity, n))
    lowest, highest, found = np.empty(capacity), np.empty(capacity), np.empty(capacity)
    p = np.empty(n)
    certain = np.empty(n)
    for y in range(n):
        sums[0, :] = 0.0
        sums[0, y] = 1.0
        certain[y] = _value(sums[0], lost[0], knots, values, interior, p)
    top = -1
    at = 0
    while at < len(order):
        row = order[at]
        at += 1
        if weights[row] == 0.0:
            continue
        top += 1
        if top == capacity:
            capacity *= 2
            sums, lost = _longer(sums, capacity), _longer(lost, capacity)
            lowest, highest, found = _longer(lowest, capacity), _longer(highest, capacity), _longer(found, capacity)
        u = scores[row]
        lowest[top] = u
        highest[top] = u
        sums[top] = 0.0
        lost[top] = 0.0
        sums[top, positions[row]] = weights[row]
        found[top] = certain[positions[row]]
        tied = False
        while at < len(order) and scores[order[at]] == u:
            row = order[at]
            at += 1
            _add(sums, lost, top, positions[row], weights[row])
            tied = True
        if tied:
            found[top] = _value(sums[top], lost[top], knots, values, interior, p)
        while top > 0 and found[top - 1] >= found[top]:
            _merge(sums, lost, top)
            top -= 1
            highest[top] = highest[top + 1]
            found[top] = _value(sums[top], lost[top], knots, values, interior, p)
    blocks = top + 1
    return lowest[:blocks].copy(), highest[:blocks].copy(), found[:blocks].copy(), sums[:blocks] + lost[:blocks]


@compiled()
def _longer(array, capacity):
    longer = np.empty((capacity, *array.shape[1:]))
    longer[: len(array)] = array
    return longer


@compiled()
def _add(sums, lost, block, y, weight):
    """Add to one sum, and what rounding lost of it to `lost` (Knuth's TwoSum)."""
    before = sums[block, y]
    after = before + weight
    part = after - before
    lost[block, y] += (before - (after - part)) + (weight - part)
    sums[block, y] = after


@compiled()
def _merge(sums, lost, top):
    """Add the last block to the one before it."""
    for y in range(sums.shape[1]):
        _add(sums, lost, top - 1, y, sums[top, y])
        lost[top - 1, y] += lost[top, y]


@compiled(fastmath={"reassoc", "contract"})
def _dot(a, b):
    total = 0.0
    for y in range(len(a)):
        total += a[y] * b[y]
    return total


@compiled()
def _value(sums, lost, knots, values, interior, p):
    """Γ of the distribution that the label weights are in proportion to; p is room for it."""
    n, m = len(p), len(knots)
    total = 0.0
    for y in range(n):
        p[y] = sums[y] + lost[y]
        total += p[y]
    for y in range(n):
        p[y] /= total
    if interior > 0.0:  # as interior.moved_inside
        least = p.min()
        if least < interior:
            share = (interior - least) / (1 / n - least)
            for y in range(n):
                p[y] = (1 - share) * p[y] + share / n
    low, high = -1, m
    below, above = 0.0, 0.0
    while high - low > 1:
        middle = (low + high) // 2
        e = _dot(p, values[middle])
        if e <= 0.0:
            low, below = middle, e
        else:
            high, above = middle, e
    return _root(knots, low + 1, below, above)
