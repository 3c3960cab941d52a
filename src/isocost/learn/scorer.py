"""The scikit-learn scorer of a cost matrix."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from isocost.exceptions import PredictionError
from isocost.labels import positions_of
from isocost.weights import checked_weights

if TYPE_CHECKING:
    from isocost.costs import CostMatrix

__all__ = ["cost_scorer", "mean_cost"]


def cost_scorer(cost: CostMatrix) -> Callable[..., float]:
    """Scorer whose value is the negative mean cost of predicted decisions."""
    try:
        from sklearn.metrics import make_scorer
    except ImportError:
        raise ImportError("the scorer needs scikit-learn: pip install 'isocost[learn]'") from None
    scorer: Callable[..., float] = make_scorer(partial(mean_cost, cost=cost), greater_is_better=False)
    return scorer


def mean_cost(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None, *, cost: CostMatrix
) -> float:
    """Weighted mean of ℓ(y_pred, y_true); decisions and outcomes are labels."""
    taken = positions_of(y_pred, cost.decisions, "y_pred")
    happened = positions_of(y_true, cost.outcomes, "y_true")
    if not len(taken) == len(happened) > 0:
        raise PredictionError(
            f"`y_true` and `y_pred` must have the same length, at least 1; got {len(happened)} and {len(taken)}"
        )
    return float(np.average(cost.costs[taken, happened], weights=checked_weights(sample_weight, len(taken))))
