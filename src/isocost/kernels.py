"""The hot loops, compiled: serial, without the interpreter lock, run in chunks on a thread pool.

Numba's own parallel runtime does not survive a forked child, so it is not used. Compilation is
lazy and cached on disk; where no cache can be written the functions compile anew, silently.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

__all__ = ["evaluate_rows"]

Function = TypeVar("Function", bound=Callable[..., Any])

# Rows that one pass of the scan holds transposed: its columns fit the first-level cache.
BLOCK = 256
# Up to this many knots all of them are tried for many rows at a time; beyond, a search a row.
SCAN_KNOTS = 16
# Below this many numbers a second thread costs more than it saves.
CHUNK_CELLS = 200_000


def _compiled(**options: Any) -> Callable[[Function], Function]:
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
    kernel = _scan if len(knots) <= SCAN_KNOTS else _search
    # The piece in which each outcome alone has its root.
    starts = np.maximum((values <= 0).sum(axis=0) - 1.0, 0.0)
    workers = min(_processors(), max(1, P.size // CHUNK_CELLS))
    if workers == 1:
        return out, int(kernel(P, knots, values, starts, out, 0, rows, tolerance))
    # Several chunks a worker even out their speeds; whole blocks keep every row's arithmetic alike.
    step = -(-rows // (4 * workers * BLOCK)) * BLOCK
    chunks = range(0, rows, step)
    with ThreadPoolExecutor(workers) as pool:
        bad = list(pool.map(lambda i: kernel(P, knots, values, starts, out, i, min(i + step, rows), tolerance), chunks))
    return out, next((int(i) for i in bad if i >= 0), -1)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@_compiled()
def _scan(P, knots, values, _starts, out, start, stop, tolerance):
    """Few knots: every E_j = ⟨p, V(t_j)⟩ for a block of rows at a time, without branches."""
    n, m = P.shape[1], len(knots)
    columns = np.zeros((n, BLOCK))
    total, negatives = np.empty(BLOCK), np.empty(BLOCK, dtype=np.int64)
    expected, below, above = np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK)
    passed = np.empty(BLOCK, dtype=np.int64)
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
        below[:] = 0.0
        above[:] = 0.0
        for j in range(m):
            expected[:] = 0.0
            for y in range(n):
                column, weight = columns[y], values[j, y]
                for b in range(BLOCK):
                    expected[b] += column[b] * weight
            for b in range(BLOCK):
                e = expected[b]
                below[b] = e if e <= 0.0 else below[b]
                above[b] = e if (e > 0.0 and passed[b] == j) else above[b]
                passed[b] += 1 if e <= 0.0 else 0
        for b in range(size):
            j = passed[b]
            if j == 0:
                out[first + b] = knots[0] - above[b]
            elif j == m:
                out[first + b] = knots[m - 1] - below[b]
            else:
                share = -below[b] / (above[b] - below[b])
                out[first + b] = knots[j - 1] + (knots[j] - knots[j - 1]) * share
    return -1


@_compiled(fastmath={"reassoc", "contract"})
def _dot(a, b):
    total = 0.0
    for y in range(len(a)):
        total += a[y] * b[y]
    return total


@_compiled(fastmath={"reassoc", "contract"})
def _load(P, i, row, starts):
    """Copy a row in one pass with its sum, its count of negatives and its dot with `starts`."""
    total, negatives, guess = 0.0, 0, 0.0
    for y in range(len(row)):
        p = np.float64(P[i, y])
        row[y] = p
        total += p
        guess += p * starts[y]
        negatives += p < 0.0
    return total, negatives, guess


@_compiled()
def _search(P, knots, values, starts, out, start, stop, tolerance):
    """Many knots: gallop from a guess, the mean of the outcomes' own pieces, then halve."""
    m = len(knots)
    row = np.empty(P.shape[1])
    for i in range(start, stop):
        total, negatives, guess = _load(P, i, row, starts)
        if not (abs(total - 1.0) <= tolerance and negatives == 0):
            return i
        j = min(max(int(guess), 0), m - 1)
        low, high = -1, m
        below, above = 0.0, 0.0
        step = 1
        e = _dot(row, values[j])
        if e <= 0.0:
            low, below = j, e
            while low + step < m:
                e = _dot(row, values[low + step])
                if e > 0.0:
                    high, above = low + step, e
                    break
                low, below = low + step, e
                step *= 2
        else:
            high, above = j, e
            while high - step >= 0:
                e = _dot(row, values[high - step])
                if e <= 0.0:
                    low, below = high - step, e
                    break
                high, above = high - step, e
                step *= 2
        while high - low > 1:
            middle = (low + high) // 2
            e = _dot(row, values[middle])
            if e <= 0.0:
                low, below = middle, e
            else:
                high, above = middle, e
        if low < 0:
            out[i] = knots[0] - above
        elif high == m:
            out[i] = knots[m - 1] - below
        else:
            out[i] = knots[low] + (knots[high] - knots[low]) * (-below / (above - below))
    return -1
