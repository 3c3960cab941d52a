"""cost.scorer() inside scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

import isocost as ic

LABELS = ["low", "mid", "high"]  # sorted otherwise: high, low, mid
COST = ic.CostMatrix([[0, 3, 9], [1, 0, 4], [2, 1, 0]], LABELS, LABELS)


def loop_mean_cost(cost: ic.CostMatrix, truth: Any, decided: Any, weights: Any) -> float:
    total = 0.0
    for y, d, weight in zip(truth, decided, weights, strict=True):
        total += weight * cost.costs[cost.decisions.index(d), cost.outcomes.index(y)]
    return total / float(np.sum(weights))


def data(rows: int = 120) -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(rows, 2))
    return X, np.array(LABELS)[np.digitize(X[:, 0] + rng.normal(scale=0.7, size=rows), [-0.5, 0.6])]


class Always(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that takes one decision for every row."""

    def __init__(self, decision: object) -> None:
        self.decision = decision
        self.classes_ = np.array(LABELS)

    def fit(self, X: Any, y: Any) -> Always:
        return self

    def predict(self, X: Any) -> Any:
        return np.array([self.decision] * len(X))


def test_the_value_is_the_negative_mean_cost() -> None:
    X, y = data()
    model = LogisticRegression().fit(X, y)
    value = COST.scorer()(model, X, y)
    assert value == pytest.approx(-loop_mean_cost(COST, y, model.predict(X), np.ones(len(y))), rel=1e-12)
    assert value < 0


def test_sample_weight_is_used() -> None:
    X, y = data()
    model = LogisticRegression().fit(X, y)
    weights = np.random.default_rng(4).integers(0, 5, size=len(y))
    value = COST.scorer()(model, X, y, sample_weight=weights)
    assert value == pytest.approx(-loop_mean_cost(COST, y, model.predict(X), weights), rel=1e-12)
    repeated = np.repeat(np.arange(len(y)), weights)
    assert value == pytest.approx(COST.scorer()(model, X[repeated], y[repeated]), rel=1e-12)
    assert value != pytest.approx(COST.scorer()(model, X, y))


def test_decisions_need_not_be_outcomes() -> None:
    cost = ic.CostMatrix([[0, 3, 5, 7], [1, 0, 3, 4], [3, 1, 0, 1]], ["wait", "test", "treat"], [3, 4, 5, 6])
    y = np.array([3, 6, 6, 4])
    assert cost.scorer()(Always("wait"), np.zeros((4, 1)), y) == -(0 + 7 + 7 + 3) / 4
    assert cost.scorer()(Always("treat"), np.zeros((4, 1)), y) == -(3 + 1 + 1 + 1) / 4


def test_cross_val_score_agrees_with_a_loop_over_folds() -> None:
    X, y = data()
    folds = KFold(4, shuffle=True, random_state=0)
    values = cross_val_score(LogisticRegression(), X, y, scoring=COST.scorer(), cv=folds)
    for value, (train, test) in zip(values, folds.split(X), strict=True):
        decided = LogisticRegression().fit(X[train], y[train]).predict(X[test])
        assert value == pytest.approx(-loop_mean_cost(COST, y[test], decided, np.ones(len(test))), rel=1e-12)


def test_grid_search_picks_the_cheapest() -> None:
    X, y = data()
    grid = {"class_weight": [None, {"low": 1, "mid": 1, "high": 6}, {"low": 20, "mid": 1, "high": 1}]}
    search = GridSearchCV(LogisticRegression(), grid, scoring=COST.scorer(), cv=KFold(3)).fit(X, y)
    means = search.cv_results_["mean_test_score"]
    assert len(set(means.tolist())) == 3
    assert search.best_score_ == means.max() < 0
    assert search.best_params_["class_weight"] != grid["class_weight"][2]


def test_an_unknown_prediction_is_refused() -> None:
    with pytest.raises(ic.PredictionError, match="Row 0 of `y_pred` is 'operate'"):
        COST.scorer()(Always("operate"), np.zeros((2, 1)), ["low", "mid"])
