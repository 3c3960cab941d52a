"""Training: estimators, objectives, modules."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LogisticRegression

import isocost as ic
from isocost.learn import DecisionClassifier, LinearScore, SurrogateClassifier
from isocost.learn.boosting import lightgbm_objective, xgboost_objective
from isocost.learn.surrogate import Surrogate
from tests.bad_inputs import COST, OUTCOMES, Case, smooth

__all__ = ["CASES"]

Train: Any = SurrogateClassifier
Wrap: Any = DecisionClassifier
X = np.arange(8.0)[:, None]
Y = OUTCOMES * 2
ZERO_ONE = ic.CostMatrix(1 - np.eye(4, dtype=int), OUTCOMES, OUTCOMES)
PROP: Any = smooth(COST)
lightgbm: Any = lightgbm_objective
xgboost: Any = xgboost_objective
NEEDS_PROPERTY = "Write ic.smooth(cost) or ic.property_for(cost)"


def case(name: str, call: Any, message: str, error: type[ic.IsocostError] = ic.IsocostError) -> Case:
    return Case(name, call, error, message)


CASES = [
    case(
        "train-regressor",
        lambda: Train(RandomForestRegressor(), COST).fit(X, Y),
        "regressor must be None, a LinearScore, an LGBMRegressor or an XGBRegressor, whose objective can be replaced; "
        "got RandomForestRegressor. DecisionClassifier wraps any classifier that gives probabilities",
    ),
    case(
        "train-cost",
        lambda: Train(cost=COST.costs).fit(X, Y),
        "cost must be a CostMatrix or None; got ndarray. Write ic.CostMatrix(table)",
        ic.CostMatrixError,
    ),
    case(
        "train-foreign-property",
        lambda: Train(cost=ZERO_ONE, method=PROP).fit(X, Y),
        "the property given as method must be one of the cost matrix; its decisions are ['wait', 'test', 'treat'] and "
        f"its outcomes {OUTCOMES}, those of the cost matrix {OUTCOMES} and {OUTCOMES}",
        ic.CostMatrixError,
    ),
    case(
        "train-label",
        lambda: Train(cost=COST).fit(X, ["none"] * 7 + ["Mild"]),
        "Row 7 of `y` is 'Mild', which is not one of the labels 'none', 'mild', 'moderate', 'severe'.",
        ic.PredictionError,
    ),
    case(
        "train-early-linear",
        lambda: Train(LinearScore(), COST, n_iter_no_change=5, validation_fraction=0.5).fit(X, Y),
        "n_iter_no_change stops boosting early; a LinearScore is fitted to the least loss, and its alpha keeps it from "
        "fitting noise. Leave n_iter_no_change at None",
    ),
    case(
        "train-no-property",
        lambda: LinearScore().fit(X, [0] * 8),
        f"an objective needs a property; got NoneType. {NEEDS_PROPERTY}",
        ic.CostMatrixError,
    ),
    case(
        "wrap-estimator",
        lambda: Wrap(RandomForestRegressor(), COST).fit(X, Y),
        "estimator must have predict_proba; RandomForestRegressor has not. sklearn.calibration.CalibratedClassifierCV "
        "gives it one",
    ),
    case(
        "wrap-recalibrate",
        lambda: Wrap(LogisticRegression(), COST, recalibrate="isotone").fit(X, Y),
        'recalibrate must be "auto", "isotonic", "swap" or None; got \'isotone\'',
    ),
    case(
        "wrap-isotonic-of-several",
        lambda: Wrap(LogisticRegression(), ZERO_ONE, recalibrate="isotonic", cv=2).fit(X, Y),
        "IsotonicRecalibrator needs a property of one number; this one has 3, which have no order. "
        "ic.SwapRecalibrator(cost) repairs the decisions of any cost matrix",
        ic.CostMatrixError,
    ),
    case(
        "objective-cost",
        lambda: lightgbm(COST),
        f"an objective needs a property; got CostMatrix. {NEEDS_PROPERTY}",
        ic.CostMatrixError,
    ),
    case(
        "objective-labels",
        lambda: xgboost(PROP).start([0, 4]),
        "labels must be outcome positions 0..3, which cost.positions(y) makes; row 1 is 4",
        ic.PredictionError,
    ),
    case(
        "objective-fractions",
        lambda: Surrogate(PROP).gradients(np.zeros(2), np.array([0, 0.5])),
        "labels must be outcome positions 0..3, which cost.positions(y) makes; row 1 is 0.5",
        ic.PredictionError,
    ),
    case(
        "objective-shape",
        lambda: Surrogate(PROP).total(np.zeros((2, 2)), [0, 1]),
        "scores must have shape (rows, 1) and labels (rows,); got shapes (2, 2) and (2,)",
        ic.PredictionError,
    ),
    case(
        "objective-weights",
        lambda: Surrogate(PROP).total(np.zeros(2), [0, 1], [1.0]),
        "weights must have one entry for each row, 2; got shape (1,)",
        ic.PredictionError,
    ),
]
