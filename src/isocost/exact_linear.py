"""Rank and reduced rows of a table of integers, exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["exact_rank", "reduced_rows"]

# A prime below 2³¹, so that products of residues fit an int64. The rank modulo a prime is a lower
# bound, and mostly all there is to know.
PRIME = 2_147_483_629


def exact_rank(table: NDArray[np.object_]) -> int:
    """Rank of a table of Python integers.

    Examples
    --------
    >>> exact_rank(np.array([[1, 2, 3], [2, 4, 6], [0, 1, 1]], dtype=object))
    2
    """
    least = _rank_modulo_prime(table)
    return least if least == min(table.shape) else len(reduced_rows(table))


def reduced_rows(table: NDArray[np.object_]) -> NDArray[np.float64]:
    """Rows that span those of the table, reduced to an identity on some columns, shape (rank, columns).

    Fraction-free elimination (Bareiss): every entry stays a minor of the table. The pivot is the
    largest entry left, so that the entries of the result, the nearest doubles, stay small.

    Examples
    --------
    >>> reduced_rows(np.array([[2, 4, 6], [1, 2, 4]], dtype=object)).round(6).tolist()
    [[0.0, 0.0, 1.0], [0.5, 1.0, 0.0]]
    """
    work = table.copy()
    rows, columns = work.shape
    scale, rank = 1, 0
    used = np.zeros(columns, dtype=bool)
    while rank < rows:
        sizes = np.abs(work[rank:])
        sizes[:, used] = 0
        i, column = divmod(int(sizes.argmax()) if sizes.size else 0, max(columns, 1))
        if not sizes.size or sizes[i, column] == 0:
            break
        work[[rank, rank + i]] = work[[rank + i, rank]]
        line = work[rank].copy()
        pivot = line[column]
        work[:] = (work * pivot - np.outer(work[:, column], line)) // scale
        work[rank] = line
        used[column] = True
        scale, rank = pivot, rank + 1
    # Quotients of Python integers are correctly rounded, whatever their size.
    reduced = [[x / scale for x in row] for row in work[:rank].tolist()]
    return np.array(reduced, dtype=np.float64).reshape(rank, columns) + 0.0  # no negative zeros


def _rank_modulo_prime(table: NDArray[np.object_]) -> int:
    rows, columns = table.shape
    work = np.array((table % PRIME).tolist(), dtype=np.int64).reshape(rows, columns)
    rank = 0
    for column in range(columns):
        pivots = np.flatnonzero(work[rank:, column])
        if not len(pivots):
            continue
        work[[rank, rank + pivots[0]]] = work[[rank + pivots[0], rank]]
        inverse = pow(int(work[rank, column]), -1, PRIME)
        line = work[rank, column:] * inverse % PRIME
        below = work[rank + 1 :, column:]
        below -= below[:, :1] * line % PRIME
        below %= PRIME
        rank += 1
        if rank == rows:
            break
    return rank
