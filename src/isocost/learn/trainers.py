"""How each kind of regressor is fitted to a surrogate loss; the only code that knows their estimators."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from inspect import signature
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.exceptions import IsocostError
from isocost.learn.boosting import lightgbm_objective, xgboost_objective
from isocost.learn.linear import LinearScore
from isocost.linear_property import LinearProperty
from isocost.property import SmoothProperty

__all__ = ["Rows", "Trainer", "trainer_of"]

Floats = NDArray[np.float64]


class Rows(NamedTuple):
    """Features, outcome positions and weights of rows."""

    X: Any
    labels: NDArray[np.intp]
    weights: Floats | None


class Trainer(ABC):
    """Fits and asks one kind of regressor."""

    # Metadata of `fit` that the surrogate loss decides itself.
    taken: frozenset[str] = frozenset()

    def check(self, fit_params: dict[str, Any]) -> None:
        """Refuse what would be silently wrong: other starts, and rows whose labels are not outcome positions."""
        for name in self.taken & fit_params.keys():
            raise IsocostError(
                f"{name} is set by SurrogateClassifier, which starts from the label frequencies and holds rows out "
                "where n_iter_no_change is set. For your own take isocost.learn.boosting"
            )

    @abstractmethod
    def fit(
        self,
        regressor: Any,
        prop: SmoothProperty | LinearProperty,
        rows: Rows,
        held_out: Rows | None,
        patience: int | None,
        fit_params: dict[str, Any],
    ) -> int | None:
        """Fit the regressor, stopping early by held-out rows; its rounds or steps; None if nothing is learned."""

    @abstractmethod
    def predict(self, regressor: Any, X: Any, start: Floats) -> Floats:
        """Scores of one number (N,) or several (N, d)."""


class LinearTrainer(Trainer):
    """LinearScore."""

    def fit(
        self,
        regressor: Any,
        prop: SmoothProperty | LinearProperty,
        rows: Rows,
        held_out: Rows | None,
        patience: int | None,  # noqa: ARG002  # goes with held_out
        fit_params: dict[str, Any],
    ) -> int | None:
        """L-BFGS runs to the least loss."""
        if held_out is not None:
            raise IsocostError(
                "n_iter_no_change stops boosting early; a LinearScore is fitted to the least loss, and its alpha keeps "
                "it from fitting noise. Leave n_iter_no_change at None"
            )
        regressor.set_params(prop=prop).fit(rows.X, rows.labels, sample_weight=rows.weights, **fit_params)
        return int(regressor.n_iter_)

    def predict(self, regressor: Any, X: Any, start: Floats) -> Floats:  # noqa: ARG002  # it is in the intercept
        """The linear model."""
        return np.asarray(regressor.predict(X))


class LightGBMTrainer(Trainer):
    """lightgbm.LGBMRegressor: the start is an init_score, which it does not add when it predicts."""

    taken = frozenset(
        {
            "init_score",
            "eval_set",
            "eval_X",
            "eval_y",
            "eval_sample_weight",
            "eval_init_score",
            "eval_metric",
            "init_model",
        }
    )

    def fit(
        self,
        regressor: Any,
        prop: SmoothProperty | LinearProperty,
        rows: Rows,
        held_out: Rows | None,
        patience: int | None,
        fit_params: dict[str, Any],
    ) -> int | None:
        """One booster; d > 1 numbers are its d "classes", with d trees a round on one binned table."""
        from lightgbm import early_stopping
        from lightgbm.basic import LightGBMError

        objective = lightgbm_objective(prop)
        regressor.set_params(objective=objective.of_arrays, metric="None")
        if prop.dimension > 1:
            regressor.set_params(num_class=prop.dimension)
        start = objective.init_score(rows.labels, rows.weights)
        params = {"init_score": start, **fit_params}
        if held_out is not None:
            assert patience is not None
            held_out_X = _as_matrix(held_out.X)
            if "eval_X" in signature(regressor.fit).parameters:  # LightGBM 4.7
                params["eval_X"], params["eval_y"] = (held_out_X,), (held_out.labels,)
            else:
                params["eval_set"] = [(held_out_X, held_out.labels)]
            params["eval_sample_weight"] = [held_out.weights]
            params["eval_init_score"] = [np.full((len(held_out.labels), *start.shape[1:]), start[0])]
            params["eval_metric"] = objective.metric_of_arrays
            params["callbacks"] = [*fit_params.get("callbacks", ()), early_stopping(patience, verbose=False)]
        try:
            regressor.fit(_as_matrix(rows.X), rows.labels, sample_weight=rows.weights, **params)
        except LightGBMError as error:
            # With an objective of its own LightGBM ends so where no feature can split any rows.
            if "num_features" not in str(error):
                raise
            return None
        return int(regressor.best_iteration_ or regressor.n_iter_)

    def predict(self, regressor: Any, X: Any, start: Floats) -> Floats:
        """The trees, and what boosting started from."""
        found = np.asarray(regressor.predict(_as_matrix(X), raw_score=True), dtype=np.float64)
        return start + (found if found.ndim > 1 or start.shape != (1,) else found[:, None])


class XGBoostTrainer(Trainer):
    """xgboost.XGBRegressor: the start is the base_score, which is saved with the model."""

    taken = frozenset({"base_margin", "eval_set", "sample_weight_eval_set", "base_margin_eval_set", "xgb_model"})

    def fit(
        self,
        regressor: Any,
        prop: SmoothProperty | LinearProperty,
        rows: Rows,
        held_out: Rows | None,
        patience: int | None,
        fit_params: dict[str, Any],
    ) -> int | None:
        """One booster; d > 1 numbers are its d targets."""
        objective = xgboost_objective(prop)
        start = np.asarray(objective.start(rows.labels, rows.weights)).tolist()
        regressor.set_params(objective=objective.of_arrays, base_score=start)
        if prop.dimension > 1:
            regressor.set_params(num_target=prop.dimension)
        params = {"verbose": False, **fit_params}
        if held_out is not None:
            regressor.set_params(
                eval_metric=objective.metric_of_arrays,
                early_stopping_rounds=patience,
                disable_default_eval_metric=True,
            )
            params["eval_set"] = [(held_out.X, held_out.labels)]
            params["sample_weight_eval_set"] = None if held_out.weights is None else [held_out.weights]
        regressor.fit(rows.X, rows.labels, sample_weight=rows.weights, **params)
        return int(regressor.best_iteration + 1) if held_out is not None else int(regressor.get_num_boosting_rounds())

    def predict(self, regressor: Any, X: Any, start: Floats) -> Floats:
        """The trees; the start is in them."""
        found = np.asarray(regressor.predict(X, output_margin=True), dtype=np.float64)
        return found if found.ndim > 1 or start.shape != (1,) else found[:, None]


def trainer_of(regressor: object) -> Trainer:
    """The trainer that knows this regressor."""
    if isinstance(regressor, LinearScore):
        return LinearTrainer()
    for library, name, trainer in (
        ("lightgbm", "LGBMRegressor", LightGBMTrainer()),
        ("xgboost", "XGBRegressor", XGBoostTrainer()),
    ):
        # Who holds a regressor of a library has imported it.
        if library in sys.modules and isinstance(regressor, getattr(sys.modules[library], name)):
            return trainer
    raise IsocostError(
        "regressor must be None, a LinearScore, an LGBMRegressor or an XGBRegressor, whose objective can be replaced; "
        f"got {type(regressor).__name__}. DecisionClassifier wraps any classifier that gives probabilities"
    )


def _as_matrix(X: Any) -> Any:
    """Sparse arrays as sparse matrices, which are all that LightGBM takes without a warning."""
    from scipy.sparse import csr_matrix, issparse

    return csr_matrix(X) if issparse(X) else X
