"""Weights of rows as they arrive."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.exceptions import PredictionError

__all__ = ["checked_weights"]


def checked_weights(sample_weight: ArrayLike | None, rows: int) -> NDArray[np.float64]:
    """Weights of the rows, 1 where none are given: finite, at least 0, and not all 0.

    Examples
    --------
    >>> checked_weights(None, 2).tolist()
    [1.0, 1.0]
    """
    if rows == 0:
        raise PredictionError("there must be at least one row; got none")
    if sample_weight is None:
        return np.ones(rows)
    try:
        weights = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise PredictionError(f"`sample_weight` must be numbers; got {sample_weight!r}") from None
    if weights.shape != (rows,):
        raise PredictionError(f"`sample_weight` must have one entry for each row, {rows}; got shape {weights.shape}")
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        row = int(wrong.argmax())
        raise PredictionError(f"`sample_weight` must be finite and at least 0; entry {row} is {weights[row]:.6g}")
    if not weights.any():
        raise PredictionError("`sample_weight` must be above 0 somewhere; all its entries are 0")
    with np.errstate(over="ignore"):
        if not np.isfinite(weights.sum()):
            raise PredictionError("`sample_weight` must have a finite sum; divide all its entries by the same number")
    return weights
