"""Labelled rows as they arrive at a recalibrator: scores or probabilities, weights, lengths."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.exceptions import CostMatrixError, PredictionError
from isocost.labels import positions_of
from isocost.linear_property import LinearProperty
from isocost.property import SmoothProperty
from isocost.scores import checked_scores
from isocost.weights import checked_weights

__all__ = ["ScalarProperty", "checked_rows", "columns_of", "scalar_property", "scores_of"]

Floats = NDArray[np.float64]
Positions = NDArray[np.intp]
ScalarProperty: TypeAlias = SmoothProperty | LinearProperty


def scalar_property(prop: object, what: str) -> ScalarProperty:
    """The property itself, if its score is one number."""
    if not isinstance(prop, (SmoothProperty, LinearProperty)):
        raise CostMatrixError(
            f"{what} needs a property; got {type(prop).__name__}. Write ic.smooth(cost) or ic.property_for(cost)"
        )
    if prop.dimension != 1:
        raise CostMatrixError(
            f"{what} needs a property of one number; this one has {prop.dimension}, which have no order. "
            "ic.SwapRecalibrator(cost) repairs the decisions of any cost matrix"
        )
    return prop


def scores_of(given: Any, prop: ScalarProperty) -> Floats:
    """Scores, shape (N,), from scores (N,) or (N, 1), or from probabilities (N, n) or a frame of them."""
    columns = columns_of(given)
    if columns != 0 and not columns == 1 < len(prop.outcomes):
        return np.asarray(prop.value(given)).reshape(-1)
    scores = checked_scores(given)
    if scores.ndim == 0:
        raise PredictionError(f"scores must have one dimension; got the single value {given!r}. Write [score]")
    return scores.reshape(len(scores))


def columns_of(given: Any) -> int:
    """Number of columns of a table; 0 for a plain sequence, -1 for a frame or what only a property can refuse."""
    if hasattr(given, "collect_schema") or hasattr(given, "columns"):
        return -1
    try:
        shape = np.shape(given)
    except ValueError:  # ragged rows
        return -1
    if len(shape) < 2:
        return 0
    return shape[1] if len(shape) == 2 else -1


def checked_rows(
    given: Any, y: ArrayLike, sample_weight: ArrayLike | None, prop: ScalarProperty
) -> tuple[Floats, Positions, Floats]:
    """Scores, outcome positions and weights of one length."""
    scores = scores_of(given, prop)
    positions = positions_of(y, prop.outcomes, "y")
    if len(scores) != len(positions):
        raise PredictionError(f"scores and `y` must have the same length; got {len(scores)} and {len(positions)}")
    return scores, positions, checked_weights(sample_weight, len(scores))
