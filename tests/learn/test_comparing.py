"""compare_models: the decisions compared are those of scikit-learn's own cross-validation."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_predict

import isocost as ic
from isocost.learn import DecisionClassifier, SurrogateClassifier, compare_models
from tests.learn.data import COST, graded


def test_it_compares_decisions_on_rows_left_out() -> None:
    """Broken once: comparing predictions of models fitted on all rows, or other folds for each model, fails."""
    X, y = graded()
    models = {"classes": DecisionClassifier(LogisticRegression(), COST), "score": SurrogateClassifier(cost=COST)}
    folds = KFold(4, shuffle=True, random_state=3)
    found = compare_models(COST, models, X, y, cv=folds)
    by_hand = {name: cross_val_predict(model, X, y, cv=folds) for name, model in models.items()}
    expected = ic.compare(COST, y, by_hand)
    assert found.mean_costs == expected.mean_costs
    assert found.differences == expected.differences


def test_a_model_that_sees_nothing_is_dearer() -> None:
    X, y = graded()
    blind = DecisionClassifier(DummyClassifier(strategy="prior"), COST)
    found = compare_models(COST, {"blind": blind, "score": SurrogateClassifier(cost=COST)}, X, y)
    assert found.differences["score"].high < 0
    assert "cheaper" in str(found)


def test_folds_that_can_be_read_once_serve_every_model() -> None:
    X, y = graded(200)
    folds = ((train, test) for train, test in KFold(3).split(X))
    models = {"one": SurrogateClassifier(cost=COST), "same": SurrogateClassifier(cost=COST)}
    assert compare_models(COST, models, X, y, cv=folds).differences["same"].value == 0


@pytest.mark.parametrize("models", [{}, {"one": SurrogateClassifier(cost=COST)}, [SurrogateClassifier(cost=COST)]])
def test_one_model_is_not_compared(models: object) -> None:
    X, y = graded(50)
    with pytest.raises(ic.PredictionError, match="at least two named models"):
        compare_models(COST, models, X, y)  # type: ignore[arg-type]
    with pytest.raises(ic.CostMatrixError, match="needs a CostMatrix"):
        compare_models(np.eye(3), models, X, y)  # type: ignore[arg-type]
