"""Scores and outcome positions as they arrive: checked, and broadcast against each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.exceptions import PredictionError

__all__ = ["checked_positions", "checked_scores", "scores_and_positions"]

Floats = NDArray[np.float64]


def checked_scores(u: ArrayLike) -> Floats:
    """Scores as an array of finite doubles."""
    if np.ma.is_masked(u):
        raise PredictionError("scores must be finite numbers; some are masked. Fill or drop them")
    try:
        raw = np.asarray(u)
        if raw.dtype.kind not in "fiubO":
            raise TypeError
        scores = raw.astype(np.float64)
    except (TypeError, ValueError):
        raise PredictionError(f"scores must be numbers; got {u!r}") from None
    if not np.isfinite(scores).all():
        at = int((~np.isfinite(scores.ravel())).argmax())
        raise PredictionError(f"scores must be finite numbers; score {at} is {scores.flat[at]}")
    return scores


def checked_positions(y: ArrayLike, outcomes: int) -> NDArray[np.intp]:
    """Outcome positions 0..outcomes-1 as an array of integers."""
    try:
        positions = np.asarray(y)
    except ValueError:
        raise PredictionError("`y` must be a plain array of outcome positions; got ragged rows") from None
    wanted, hint = f"`y` must be outcome positions 0..{outcomes - 1}", "cost.positions(labels) makes them"
    if positions.dtype.kind not in "iu":
        raise PredictionError(f"{wanted}; got dtype {positions.dtype}. {hint}")
    if positions.size and not (positions.min() >= 0 and positions.max() < outcomes):
        wrong = positions[(positions < 0) | (positions >= outcomes)].flat[0]
        raise PredictionError(f"{wanted}; got {wrong}. {hint}")
    return positions.astype(np.intp)


def scores_and_positions(u: ArrayLike, y: ArrayLike, outcomes: int) -> tuple[Floats, NDArray[np.intp]]:
    """Scores and outcome positions of one shape."""
    scores, positions = checked_scores(u), checked_positions(y, outcomes)
    try:
        scores, positions = np.broadcast_arrays(scores, positions)
    except ValueError:
        raise PredictionError(
            f"`u` and `y` must have the same length; got {scores.shape} and {positions.shape}"
        ) from None
    return scores, positions
