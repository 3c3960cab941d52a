"""A short name of the rows that something was fitted on, to tell whether it is judged on the same ones."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["fingerprint"]

Words = NDArray[np.uint64]


def fingerprint(scores_or_decision_positions: ArrayLike, outcome_positions: ArrayLike, weights: ArrayLike) -> str:
    """16 hexadecimal digits that name a set of weighted, labelled rows.

    The order of the rows does not matter, how often each appears does; rows of weight 0 do not
    count. It is no cryptographic hash: it tells accidents, not forgeries.

    Parameters
    ----------
    scores_or_decision_positions : array_like, shape (N,) or (N, d)
        Finite numbers; -0.0 is 0.0.
    outcome_positions : array_like of int, shape (N,)
    weights : array_like, shape (N,)

    Examples
    --------
    >>> fingerprint([0.5, 0.1], [1, 0], [1.0, 1.0]) == fingerprint([0.1, 0.5], [0, 1], [1.0, 1.0])
    True
    >>> fingerprint([0.5, 0.1], [1, 0], [1.0, 1.0]) == fingerprint([0.5, 0.1, 0.1], [1, 0, 0], [1.0, 1.0, 1.0])
    False
    """
    weight = np.asarray(weights, dtype=np.float64)
    kept = weight != 0
    scores = np.asarray(scores_or_decision_positions, dtype=np.float64)[kept]
    scores = scores[:, None] if scores.ndim == 1 else scores
    columns = [np.asarray(outcome_positions, dtype=np.float64)[kept], weight[kept], *scores.T]
    row = np.full(len(scores), len(columns), dtype=np.uint64)
    for column in columns:
        row = _mixed(row ^ (column + 0.0).view(np.uint64))
    totals = [len(row), int(row.sum(dtype=np.uint64)), int(_mixed(row).sum(dtype=np.uint64))]
    return hashlib.sha256(",".join(map(str, totals)).encode()).hexdigest()[:16]


def _mixed(words: Words) -> Words:
    """The finaliser of splitmix64: every bit of a word changes about half of the result's (Steele et al. 2014)."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
