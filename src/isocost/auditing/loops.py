"""The hot loops of an audit, compiled: rows into sums, with compensation for what each addition rounds off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from isocost.kernels import compiled, in_chunks, processors
from isocost.kernels_pav import pool_cells

__all__ = [
    "add_labels",
    "add_predictions",
    "cells",
    "count_labels",
    "distances",
    "in_parts",
    "pool_tables",
    "steepest_weights",
]

PART = 100_000  # rows that are worth a thread


def in_parts(rows: int, work: Callable[[int, int], Any]) -> list[Any]:
    """Results of ``work(start, stop)`` for as many parts of 0..rows as there are processors, in their order."""
    return in_chunks(rows, max(PART, -(-rows // processors())), work)


@compiled()
def cells(u, low, high, inverse, marks, closed, passed, keys, offset, start, stop):
    """Cell of each score, and its offset from the cell's origin; see :class:`isocost.auditing.grid.Grid`."""
    top = len(passed) - 1
    for i in range(start, stop):
        x = u[i]
        if x <= low:
            step = 0
        elif x > high:
            step = top
        else:
            step = min(int(np.ceil((x - low) * inverse)), top - 1)
        j = passed[step]
        while j < len(marks) and (x > marks[j] or (closed[j] and x == marks[j])):
            j += 1
        keys[i] = step + j
        if step == 0:
            offset[i] = x - low
        elif step == top:
            offset[i] = x - high
        else:
            offset[i] = x - (low + (step - 0.5) / inverse)


@compiled()
def _add(total, rest, x):
    """The sum of two doubles, and what is to be carried beside it (Knuth)."""
    s = total + x
    part = s - total
    return s, rest + ((total - (s - part)) + (x - part))


@compiled()
def add_labels(keys, y, w, u, offset, unit, total, rest, lowest, highest, start, stop):
    """Add count, w, w², w·d and w·d² of each row at (key, outcome), d its offset; widen the range of u at its key.

    Where all weights are 1 (`unit`) the first three are one number, exact without compensation.
    """
    for i in range(start, stop):
        k, j, d = keys[i], y[i], offset[i]
        if u[i] < lowest[k]:
            lowest[k] = u[i]
        if u[i] > highest[k]:
            highest[k] = u[i]
        total[k, j, 0] += 1.0
        weight = w[i]
        if not unit:
            total[k, j, 1], rest[k, j, 1] = _add(total[k, j, 1], rest[k, j, 1], weight)
            total[k, j, 2], rest[k, j, 2] = _add(total[k, j, 2], rest[k, j, 2], weight * weight)
        total[k, j, 3], rest[k, j, 3] = _add(total[k, j, 3], rest[k, j, 3], weight * d)
        total[k, j, 4], rest[k, j, 4] = _add(total[k, j, 4], rest[k, j, 4], weight * d * d)
    if unit:
        total[:, :, 1] = total[:, :, 0]
        total[:, :, 2] = total[:, :, 0]


@compiled()
def count_labels(keys, y, w, total, rest, start, stop):
    """The first three of these sums, where there is no score."""
    for i in range(start, stop):
        k, j = keys[i], y[i]
        total[k, j, 0] += 1.0
        total[k, j, 1], rest[k, j, 1] = _add(total[k, j, 1], rest[k, j, 1], w[i])
        total[k, j, 2], rest[k, j, 2] = _add(total[k, j, 2], rest[k, j, 2], w[i] * w[i])


@compiled()
def add_predictions(P, keys, y, w, total, rest, start, stop):
    """Add w·p_j and w²·(p_j - 1{y = j})² of each row at (key, j)."""
    for i in range(start, stop):
        k, weight = keys[i], w[i]
        for j in range(P.shape[1]):
            p = np.float64(P[i, j])
            miss = weight * (p - 1.0 if y[i] == j else p)
            total[k, j, 0], rest[k, j, 0] = _add(total[k, j, 0], rest[k, j, 0], weight * p)
            total[k, j, 1], rest[k, j, 1] = _add(total[k, j, 1], rest[k, j, 1], miss * miss)


@compiled()
def distances(P, keys, centres, norm, found, start, stop):
    """‖p - c‖ of each row, c the centre of its key; norm 1, 2 or ∞."""
    for i in range(start, stop):
        size = 0.0
        for j in range(P.shape[1]):
            d = abs(np.float64(P[i, j]) - centres[keys[i], j])
            if norm == 1:
                size += d
            elif norm == 2:
                size += d * d
            else:
                size = max(size, d)
        found[i] = np.sqrt(size) if norm == 2 else size


@compiled()
def steepest_weights(gains, steps):
    """Maximum of Σ w_i·g_i over |w_i| ≤ 1, |w_{i+1} - w_i| ≤ steps_i.

    Dynamic programme: the most that w_1 … w_i = x can gain is concave and piecewise linear in x, kept as its corners.
    A step lets the two sides of its maximum drift apart by steps_i; a gain tilts it.
    """
    size = len(gains) + 3
    x, f, moved, kept = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    x[0], x[1], f[0], f[1] = -1.0, 1.0, -gains[0], gains[0]
    count = 2
    for i in range(1, len(gains)):
        step = steps[i - 1]
        if step > 0.0:
            top = 0
            for j in range(1, count):
                if f[j] > f[top]:
                    top = j
            total = 0
            for j in range(top + 1):
                moved[total], kept[total] = x[j] - step, f[j]
                total += 1
            for j in range(top, count):
                moved[total], kept[total] = x[j] + step, f[j]
                total += 1
            count = 0
            for j in range(total):
                if moved[j] < -1.0:
                    if j + 1 < total and moved[j + 1] > -1.0:
                        share = (-1.0 - moved[j]) / (moved[j + 1] - moved[j])
                        x[count], f[count] = -1.0, kept[j] + share * (kept[j + 1] - kept[j])
                        count += 1
                elif moved[j] > 1.0:
                    if moved[j - 1] < 1.0:
                        share = (1.0 - moved[j - 1]) / (moved[j] - moved[j - 1])
                        x[count], f[count] = 1.0, kept[j - 1] + share * (kept[j] - kept[j - 1])
                        count += 1
                    break
                else:
                    x[count], f[count] = moved[j], kept[j]
                    count += 1
        for j in range(count):
            f[j] += gains[i] * x[j]
    best = f[0]
    for j in range(1, count):
        best = max(best, f[j])
    return best


@compiled()
def pool_tables(tables, knots, values, interior, fitted, start, stop):
    """Isotonic fit of each table of label weights, shape (R, B, n), at its B cells; empty ones take the fit before."""
    for r in range(start, stop):
        table = tables[r]
        some = np.flatnonzero(table.sum(axis=1) > 0.0)
        starts, found = pool_cells(table[some], knots, values, interior)
        fitted[r, : some[0]] = found[0]
        for i in range(len(starts)):
            last = some[starts[i + 1]] if i + 1 < len(starts) else table.shape[0]
            fitted[r, some[starts[i]] : last] = found[i]
