"""Objectives for the training loops of LightGBM and XGBoost.

Both take the rows' labels as outcome positions, ``cost.positions(y)``, and let boosting start at
Γ of the label frequencies. LightGBM does not add that start when it predicts, XGBoost does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.interface import Property
from isocost.learn.surrogate import Reals, Surrogate, checked_property

__all__ = ["LightGBMObjective", "XGBoostObjective", "lightgbm_objective", "xgboost_objective"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Objective:
    """The surrogate loss L(u, y) of a property, as boosting libraries ask for it.

    Parameters
    ----------
    prop : SmoothProperty or LinearProperty
    """

    prop: Property

    def __post_init__(self) -> None:
        checked_property(self.prop)

    @cached_property
    def surrogate(self) -> Surrogate:
        """The loss in compiled form."""
        return Surrogate(self.prop)

    def start(self, labels: ArrayLike, sample_weight: ArrayLike | None = None) -> Any:
        """Γ of the weighted label frequencies: a float, or an array where the score has d > 1 numbers.

        Parameters
        ----------
        labels : array_like of int, shape (N,)
            Outcome positions.
        sample_weight : array_like, shape (N,), optional
        """
        start = self.surrogate.start(labels, sample_weight)
        return start if start.size > 1 else float(start.item())

    def __call__(self, predictions: NDArray[Any], data: Any) -> tuple[Reals, Reals]:
        """Gradient and curvature of every row of a Dataset or DMatrix, weighted."""
        return self.surrogate.gradients(predictions, data.get_label(), _weights(data))

    def of_arrays(
        self, y_true: NDArray[Any], y_pred: NDArray[Any], sample_weight: NDArray[Any] | None = None
    ) -> tuple[Reals, Reals]:
        """The same as the libraries' scikit-learn estimators call an objective."""
        return self.surrogate.gradients(y_pred, y_true, sample_weight)


@dataclass(frozen=True)
class LightGBMObjective(Objective):
    """The surrogate loss for ``lightgbm.train``; made by :func:`lightgbm_objective`."""

    def init_score(self, labels: ArrayLike, sample_weight: ArrayLike | None = None) -> Floats:
        """The start, once for each row, as a Dataset takes it; shape (N,), or (N, d) where d > 1."""
        start = np.asarray(self.start(labels, sample_weight))
        return np.full((len(np.asarray(labels)), *start.shape), start)

    def metric(self, predictions: NDArray[Any], data: Any) -> tuple[str, float, bool]:
        """Mean surrogate loss, as ``feval``: smaller is better."""
        return "surrogate", self.surrogate.mean(predictions, data.get_label(), _weights(data)), False

    def metric_of_arrays(
        self, y_true: NDArray[Any], y_pred: NDArray[Any], weight: NDArray[Any] | None
    ) -> tuple[str, float, bool]:
        """The same as LightGBM's scikit-learn estimators call an ``eval_metric``."""
        return "surrogate", self.surrogate.mean(y_pred, y_true, weight), False


@dataclass(frozen=True)
class XGBoostObjective(Objective):
    """The surrogate loss for ``xgboost.train``; made by :func:`xgboost_objective`."""

    def metric(self, predictions: NDArray[Any], data: Any) -> tuple[str, float]:
        """Mean surrogate loss, as ``custom_metric``: smaller is better."""
        return "surrogate", self.surrogate.mean(predictions, data.get_label(), _weights(data))

    def metric_of_arrays(
        self, y_true: NDArray[Any], y_pred: NDArray[Any], sample_weight: NDArray[Any] | None = None
    ) -> float:
        """The same as XGBoost's scikit-learn estimators call an ``eval_metric``."""
        return self.surrogate.mean(y_pred, y_true, sample_weight)


def lightgbm_objective(prop: Property) -> LightGBMObjective:
    """Objective for ``lightgbm.train`` (LightGBM ≥ 4), given as ``params["objective"]``.

    A linear property of d > 1 numbers needs ``params["num_class"] = d``: each round then builds d
    trees on one binned table.

    Parameters
    ----------
    prop : SmoothProperty or LinearProperty

    Returns
    -------
    LightGBMObjective
        A callable (predictions, dataset) → (gradient, curvature) with `start`, `init_score` and
        `metric` (for ``feval``).

    Examples
    --------
    >>> import lightgbm as lgb, numpy as np
    >>> import isocost as ic
    >>> cost = ic.CostMatrix.ordinal(["low", "mid", "high"], under=3)
    >>> X = np.random.default_rng(0).normal(size=(500, 3))
    >>> y = cost.positions(np.array(cost.outcomes)[np.digitize(X[:, 0], [-0.5, 0.5])])
    >>> objective = lightgbm_objective(ic.smooth(cost, "embedding"))
    >>> data = lgb.Dataset(X, label=y, init_score=objective.init_score(y))
    >>> booster = lgb.train({"objective": objective, "verbose": -1}, data, num_boost_round=50)
    >>> scores = objective.start(y) + booster.predict(X)  # LightGBM does not add what boosting started from
    >>> objective.prop.decide(scores)[:3].tolist(), np.array(cost.outcomes)[y[:3]].tolist()
    (['mid', 'mid', 'high'], ['mid', 'mid', 'high'])
    """
    return LightGBMObjective(checked_property(prop))


def xgboost_objective(prop: Property) -> XGBoostObjective:
    """Objective for ``xgboost.train`` (XGBoost ≥ 3.1), given as ``obj``.

    Give ``params["base_score"] = objective.start(y)``: it is saved with the model and added when it
    predicts, as ``base_margin`` is not. A linear property of d > 1 numbers needs
    ``params["num_target"] = d``.

    Parameters
    ----------
    prop : SmoothProperty or LinearProperty

    Returns
    -------
    XGBoostObjective
        A callable (predictions, dmatrix) → (gradient, curvature) with `start` and `metric` (for
        ``custom_metric``; with ``params["disable_default_eval_metric"] = True``).

    Examples
    --------
    >>> import numpy as np, xgboost as xgb
    >>> import isocost as ic
    >>> cost = ic.CostMatrix.ordinal(["low", "mid", "high"], under=3)
    >>> X = np.random.default_rng(0).normal(size=(500, 3))
    >>> y = cost.positions(np.array(cost.outcomes)[np.digitize(X[:, 0], [-0.5, 0.5])])
    >>> objective = xgboost_objective(ic.smooth(cost, "embedding"))
    >>> booster = xgb.train({"base_score": objective.start(y)}, xgb.QuantileDMatrix(X, label=y), 50, obj=objective)
    >>> objective.prop.decide(booster.inplace_predict(X))[:3].tolist(), np.array(cost.outcomes)[y[:3]].tolist()
    (['mid', 'mid', 'high'], ['mid', 'mid', 'high'])
    """
    return XGBoostObjective(checked_property(prop))


def _weights(data: Any) -> NDArray[Any] | None:
    """None where there are none: LightGBM says so by None, also for all ones, XGBoost by an empty array."""
    weights = data.get_weight()
    return None if weights is None or len(weights) == 0 else weights
