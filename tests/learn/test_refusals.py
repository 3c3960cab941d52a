"""What the estimators refuse in scikit-learn's own words; tests/bad_inputs/learn.py has those in ours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from lightgbm import LGBMRegressor
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LogisticRegression
from xgboost import XGBRegressor

import isocost as ic
from isocost.learn import DecisionClassifier, LinearScore, SurrogateClassifier
from tests.learn.data import COST, graded

X, Y = graded(200)
BOOSTED = LGBMRegressor(n_estimators=3, n_jobs=1, verbose=-1)


@pytest.mark.parametrize(
    "model",
    [
        SurrogateClassifier(cost=COST),
        SurrogateClassifier(BOOSTED, COST),
        SurrogateClassifier(XGBRegressor(n_estimators=3), COST),
        DecisionClassifier(LogisticRegression(), COST),
    ],
    ids=["linear", "lightgbm", "xgboost", "logistic"],
)
def test_bad_rows(model: Any) -> None:
    with pytest.raises(NotFittedError):
        model.predict(X)
    with pytest.raises(ic.PredictionError, match="Row 0 of `y` is 'huge', which is not one of the labels"):
        model.fit(X[:1], ["huge"])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(X, Y[:-1])
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        model.fit(X, Y, sample_weight=-np.ones(len(Y)))
    model.fit(X, Y)
    with pytest.raises(ValueError, match=r"X has 2 features, but .* is expecting 3 features"):
        model.predict(X[:, :2])


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (SurrogateClassifier(BOOSTED, COST, n_iter_no_change=0), "n_iter_no_change == 0, must be >= 1"),
        (SurrogateClassifier(BOOSTED, COST, validation_fraction=1.0), "validation_fraction == 1.0, must be < 1"),
        (
            SurrogateClassifier(BOOSTED, COST, n_iter_no_change=5, validation_fraction=1e-6),
            "The validation set should have at least one sample and leave one to train on",
        ),
        (SurrogateClassifier(LinearScore(alpha=-1), COST), "alpha == -1, must be >= 0"),
        (SurrogateClassifier(LinearScore(tol=0), COST), "tol == 0, must be > 0"),
        (SurrogateClassifier(LinearScore(max_iter=0), COST), "max_iter == 0, must be >= 1"),
    ],
)
def test_bad_parameters(model: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model.fit(X, Y)


def test_metadata_that_the_loss_decides_is_refused() -> None:
    for make, name in ((BOOSTED, "init_score"), (BOOSTED, "eval_set"), (XGBRegressor(), "base_margin")):
        with pytest.raises(ic.IsocostError, match=f"{name} is set by SurrogateClassifier"):
            SurrogateClassifier(make, COST).fit(X, Y, **{name: None})


class NoWeights(BaseEstimator):  # type: ignore[misc]
    """A classifier whose fit takes no weights."""

    def fit(self, X: Any, y: Any) -> NoWeights:
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: Any) -> Any:
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


def test_weights_that_a_classifier_cannot_take_are_refused() -> None:
    with pytest.raises(ic.IsocostError, match="NoWeights does not support sample weights"):
        DecisionClassifier(NoWeights(), COST).fit(X, Y, sample_weight=np.ones(len(Y)))
    assert set(DecisionClassifier(NoWeights(), COST).fit(X, Y).predict(X)) <= set(COST.decisions)


def test_a_linear_model_that_is_cut_short_says_so() -> None:
    with pytest.warns(ConvergenceWarning, match="L-BFGS stopped after 1 steps"):
        SurrogateClassifier(LinearScore(max_iter=1), COST).fit(X, Y)
