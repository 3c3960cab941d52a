"""The hot loops, compiled: serial, without the interpreter lock, run in chunks on a thread pool.

Numba's own parallel runtime does not survive a forked child, so it is not used. Compilation is
lazy and cached on disk; where no cache can be written the functions compile anew, silently.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import numba
import numpy as np
from numpy.typing import NDArray

__all__ = ["compiled", "evaluate_rows", "in_chunks", "processors"]

Function = Callable[..., Any]

# Rows that one pass of the scan holds transposed, in the first-level cache.
BLOCK = 64
# Outcomes that one pass of the scan adds up, so that sums are loaded and stored less often.
STRIDE = 5
# Up to this many knots times outcomes all knots are tried for a block of rows at a time; beyond, a
# search a row does less work (benchmarks/value.py).
SCAN_CELLS = 250
# Below this many numbers a second thread costs more than it saves.
CHUNK_CELLS = 200_000


def compiled(**options: Any) -> Callable[[Function], Function]:
    """numba.njit without the interpreter lock, cached on disk where that is possible."""

    def wrap(function: Function) -> Function:
        try:
            return cast(Function, numba.njit(cache=True, nogil=True, **options)(function))
        except (RuntimeError, OSError):  # no folder in which a cache could be written
            return cast(Function, numba.njit(nogil=True, **options)(function))

    return wrap


def evaluate_rows(
    P: NDArray[Any], knots: NDArray[np.float64], values: NDArray[np.float64], tolerance: float
) -> tuple[NDArray[np.float64], int]:
    """Root of ⟨p, V(u)⟩ for each row p, and the first row that is no distribution (or -1).

    Parameters
    ----------
    P : ndarray of float32 or float64, shape (N, n), any layout
    knots : ndarray, shape (m,)
    values : ndarray, shape (m, n)
    tolerance : float
        Rows whose sum differs from 1 by more are refused; infinity refuses none for its sum.
    """
    rows = P.shape[0]
    out = np.empty(rows)
    if values.size <= SCAN_CELLS:
        kernel, table = _scan, np.pad(values, ((0, 0), (0, -values.shape[1] % STRIDE)))
    else:
        kernel, table = _search, values
    # Several chunks a worker even out their speeds; whole blocks keep every row's arithmetic alike.
    least = max(CHUNK_CELLS // max(P.shape[1], 1), -(-rows // (4 * processors())))
    bad = in_chunks(rows, -(-least // BLOCK) * BLOCK, lambda i, j: int(kernel(P, knots, table, out, i, j, tolerance)))
    return out, next((i for i in bad if i >= 0), -1)


def in_chunks(rows: int, size: int, work: Callable[[int, int], Any]) -> list[Any]:
    """Results of ``work(start, stop)`` for chunks of `size` rows, in their order, on a few threads."""
    ends = [(i, min(i + size, rows)) for i in range(0, max(rows, 1), size)]
    workers = min(processors(), len(ends))
    if workers < 2:
        return [work(*end) for end in ends]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(lambda end: work(*end), ends))


def processors() -> int:
    """How many threads this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@compiled(fastmath={"contract"})
def _scan(P, knots, table, out, start, stop, tolerance):
    """Few knots: every E_j = ⟨p, V(t_j)⟩ for a block of rows at a time, without branches.

    Every block is worked on whole, so that a row's value does not depend on its neighbours.
    """
    n, m, width = P.shape[1], len(knots), table.shape[1]
    columns = np.zeros((width, BLOCK))
    expected = np.empty((m, BLOCK))
    total = np.empty(BLOCK)
    negatives, passed = np.empty(BLOCK, dtype=np.int64), np.empty(BLOCK, dtype=np.int64)
    for first in range(start, stop, BLOCK):
        size = min(BLOCK, stop - first)
        for b in range(size):
            for y in range(n):
                columns[y, b] = P[first + b, y]
        total[:] = 0.0
        negatives[:] = 0
        for y in range(n):
            column = columns[y]
            for b in range(BLOCK):
                total[b] += column[b]
                negatives[b] += column[b] < 0.0
        for b in range(size):
            if not (abs(total[b] - 1.0) <= tolerance and negatives[b] == 0):
                return first + b
        passed[:] = 0
        for j in range(m):
            e = expected[j]
            e[:] = 0.0
            for y in range(0, width, STRIDE):
                c0, c1, c2, c3, c4 = columns[y], columns[y + 1], columns[y + 2], columns[y + 3], columns[y + 4]
                w0, w1, w2, w3, w4 = table[j, y], table[j, y + 1], table[j, y + 2], table[j, y + 3], table[j, y + 4]
                for b in range(BLOCK):
                    e[b] += c0[b] * w0 + c1[b] * w1 + c2[b] * w2 + c3[b] * w3 + c4[b] * w4
            for b in range(BLOCK):
                passed[b] += e[b] <= 0.0
        for b in range(size):
            j = passed[b]
            below = expected[j - 1, b] if j > 0 else 0.0
            above = expected[j, b] if j < m else 0.0
            out[first + b] = _root(knots, j, below, above)
    return -1


@compiled()
def _root(knots, j, below, above):
    """Root behind j knots with E ≤ 0, from the last of these values and the first positive one."""
    if j == 0:
        return knots[0] - above
    if j == len(knots):
        return knots[j - 1] - below
    return knots[j - 1] + (knots[j] - knots[j - 1]) * (-below / (above - below))


@compiled(fastmath={"reassoc", "contract"})
def _dots(p, q, r, s, a, b, c, d):
    """⟨p,a⟩, ⟨q,b⟩, ⟨r,c⟩ and ⟨s,d⟩ at once: one sum alone waits for its own last addition most of the time."""
    e, f, g, h = 0.0, 0.0, 0.0, 0.0
    for y in range(len(p)):
        e += p[y] * a[y]
        f += q[y] * b[y]
        g += r[y] * c[y]
        h += s[y] * d[y]
    return e, f, g, h


@compiled(fastmath={"reassoc"})
def _load(P, i, row):
    """Copy a row in one pass with its sum and its count of negatives."""
    total, negatives = 0.0, 0
    for y in range(len(row)):
        p = np.float64(P[i, y])
        row[y] = p
        total += p
        negatives += p < 0.0
    return total, negatives


@compiled()
def _narrowed(at, passed, e, below, above):
    """The last knot known to have E ≤ 0, and E there and at the first known to be above, after one more E."""
    negative = e <= 0.0  # selections instead of branches, which would be mispredicted
    return (passed if negative else at), (e if negative else below), (above if negative else e)


@compiled()
def _search(P, knots, table, out, start, stop, tolerance):
    """Many knots: a binary search a row, four rows at a time; a block of fewer repeats its last row.

    The first step is to the knot that leaves a power of two, less one, on either side (the two sides
    overlap), so that all rows take the same number of steps and none goes beyond the last knot.
    """
    m, n = len(knots), P.shape[1]
    p, q, r, s = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    half = 1
    while 2 * half <= m:
        half *= 2
    middle = table[half - 1]
    for i0 in range(start, stop, 4):
        i1, i2, i3 = min(i0 + 1, stop - 1), min(i0 + 2, stop - 1), min(i0 + 3, stop - 1)
        for i, row in ((i0, p), (i1, q), (i2, r), (i3, s)):
            total, negatives = _load(P, i, row)
            if not (abs(total - 1.0) <= tolerance and negatives == 0):
                return i
        e0, e1, e2, e3 = _dots(p, q, r, s, middle, middle, middle, middle)
        j0, below0, above0 = _narrowed(-1, m - half, e0, 0.0, 0.0)
        j1, below1, above1 = _narrowed(-1, m - half, e1, 0.0, 0.0)
        j2, below2, above2 = _narrowed(-1, m - half, e2, 0.0, 0.0)
        j3, below3, above3 = _narrowed(-1, m - half, e3, 0.0, 0.0)
        step = half // 2
        while step > 0:
            e0, e1, e2, e3 = _dots(p, q, r, s, table[j0 + step], table[j1 + step], table[j2 + step], table[j3 + step])
            j0, below0, above0 = _narrowed(j0, j0 + step, e0, below0, above0)
            j1, below1, above1 = _narrowed(j1, j1 + step, e1, below1, above1)
            j2, below2, above2 = _narrowed(j2, j2 + step, e2, below2, above2)
            j3, below3, above3 = _narrowed(j3, j3 + step, e3, below3, above3)
            step //= 2
        out[i0] = _root(knots, j0 + 1, below0, above0)
        out[i1] = _root(knots, j1 + 1, below1, above1)
        out[i2] = _root(knots, j2 + 1, below2, above2)
        out[i3] = _root(knots, j3 + 1, below3, above3)
    return -1
