"""SurrogateClassifier and DecisionClassifier: what people do with them beside scikit-learn's checks."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from lightgbm import LGBMClassifier, LGBMRegressor
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, ShuffleSplit, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from xgboost import XGBRegressor

import isocost as ic
from isocost.learn import DecisionClassifier, LinearScore, SurrogateClassifier
from tests.learn.data import COST, LABELS, ZERO_ONE, graded

X, Y = graded()
FRESH, TRUTH = graded(2000, seed=1)


def lightgbm(**parameters: Any) -> Any:
    return LGBMRegressor(**{"n_estimators": 30, "n_jobs": 1, "min_child_samples": 5, "verbose": -1, **parameters})


def xgboost(**parameters: Any) -> Any:
    return XGBRegressor(**{"n_estimators": 30, "n_jobs": 1, "max_depth": 3, **parameters})


def logistic(**parameters: Any) -> Any:
    return DecisionClassifier(LogisticRegression(), **parameters)


def models(**parameters: Any) -> dict[str, Any]:
    """One of each kind."""
    return {
        "linear": SurrogateClassifier(**parameters),
        "lightgbm": SurrogateClassifier(lightgbm(), **parameters),
        "xgboost": SurrogateClassifier(xgboost(), **parameters),
        "logistic": logistic(**parameters),
    }


KINDS = list(models())
each_kind = pytest.mark.parametrize("kind", KINDS)


@each_kind
@pytest.mark.parametrize("cost", [COST, ZERO_ONE, ic.CostMatrix.ordinal(LABELS, power=1)], ids=["strong", "0-1", "abs"])
def test_decisions_are_better_than_the_best_constant_one(kind: str, cost: ic.CostMatrix) -> None:
    model = models(cost=cost)[kind].fit(X, Y)
    truth = cost.positions(TRUTH)
    constant = cost.costs[:, truth].mean(axis=1).min()
    decided = model.predict(FRESH)
    assert set(decided) <= set(cost.decisions)
    taken = [cost.decisions.index(d) for d in decided]
    assert (
        model.score(FRESH, TRUTH)
        == pytest.approx(-cost.costs[taken, truth].mean())
        == pytest.approx(cost.scorer()(model, FRESH, TRUTH))
    )
    assert -model.score(FRESH, TRUTH) < 0.75 * constant
    assert list(model.classes_) == LABELS
    scores = model.predict_score(FRESH)
    assert scores.shape == ((len(FRESH),) if cost is COST else (len(FRESH), model.prop_.dimension))
    if not isinstance(getattr(model, "recalibrator_", None), ic.SwapRecalibrator):
        assert (model.prop_.decide(scores) == decided).all()
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict_score(FRESH) == scores).all()
    assert (clone(model).fit(X, Y).predict(FRESH) == decided).all()


@each_kind
def test_zero_one_is_over_the_sorted_classes(kind: str) -> None:
    model = models()[kind].fit(X, Y)
    assert model.classes_.tolist() == sorted(LABELS)
    assert model.cost_ == ic.CostMatrix(1 - np.eye(4, dtype=int), sorted(LABELS), sorted(LABELS))
    assert model.score(FRESH, TRUTH) == pytest.approx((model.predict(FRESH) == TRUTH).mean() - 1)
    assert (model.predict(FRESH) == TRUTH).mean() > 0.55


@each_kind
def test_numbers_as_labels_are_no_positions(kind: str) -> None:
    """Outcomes 3, 5, 4, 9 in the order of the table."""
    numbers = dict(zip(LABELS, [3, 5, 4, 9], strict=True))
    cost = ic.CostMatrix(COST.costs, COST.decisions, list(numbers.values()))
    renamed = models(cost=cost)[kind].fit(X, [numbers[y] for y in Y])
    assert (renamed.predict(FRESH) == models(cost=COST)[kind].fit(X, Y).predict(FRESH)).mean() > 0.999


@each_kind
def test_an_outcome_that_is_never_seen(kind: str) -> None:
    rows = Y != "top"
    model = models(cost=COST)[kind].fit(X[rows], Y[rows])
    assert model.classes_.tolist() == LABELS
    assert -model.score(FRESH, TRUTH) < 4
    only = models(cost=COST)[kind]
    if kind == "logistic":
        with pytest.raises(ValueError, match="at least 2 classes"):
            only.fit(X[Y == "mid"], Y[Y == "mid"])
    else:
        only.fit(X[Y == "mid"], Y[Y == "mid"])
        assert only.predict_score(FRESH) == pytest.approx(only.prop_.value(np.eye(4)[[1]])[0])
        assert set(only.predict(FRESH)) == {"test"}


@each_kind
def test_constant_features(kind: str) -> None:
    model = models(cost=COST)[kind].fit(np.ones((len(Y), 2)), Y)
    shares = np.array([(y == Y).mean() for y in LABELS])
    assert model.predict_score(np.ones((3, 2))) == pytest.approx(float(model.prop_.value(shares[None, :])[0]), abs=1e-3)
    assert set(model.predict([[1, 1], [1, 1]])) == set(COST.decide([shares]))


@each_kind
@pytest.mark.parametrize("method", ["auto", "linear"])
def test_one_decision_is_always_best(kind: str, method: Any) -> None:
    cost = ic.CostMatrix([[0, 1, 1, 1], [1, 2, 2, 1]], ["stay", "go"], LABELS)
    model = models(cost=cost, method=method)[kind].fit(X, Y)
    assert set(model.predict(FRESH)) == {"stay"}
    assert len(model.predict_score(FRESH)) == len(FRESH)


@each_kind
def test_frames(kind: str) -> None:
    """Frames of pandas and polars, with names that are checked, and a table of integers."""
    names = ["one", "two", "three"]
    plain = models(cost=COST)[kind].fit(X, Y).predict(FRESH)
    for make in (pd.DataFrame, lambda table, columns: pl.DataFrame(table, schema=columns)):
        frame, fresh = make(X, columns=names), make(FRESH, columns=names)
        labels = pd.Series(Y) if make is pd.DataFrame else pl.Series(Y)
        model = models(cost=COST)[kind].fit(frame, labels)
        assert (model.predict(fresh) == plain).all()
        assert model.feature_names_in_.tolist() == names
        assert model.n_features_in_ == 3
        with pytest.raises(ValueError, match="feature names should match"):
            model.predict(make(FRESH, columns=["one", "three", "two"]))
    whole = np.round(4 * X).astype(int)
    assert len(models(cost=COST)[kind].fit(whole, Y).predict(whole)) == len(Y)


@each_kind
def test_sparse(kind: str) -> None:
    thin = np.where(np.abs(X) < 0.7, 0.0, X)
    dense, sparse = models(cost=COST)[kind].fit(thin, Y), models(cost=COST)[kind].fit(csr_array(thin), Y)
    same = (dense.predict(thin) == sparse.predict(csr_array(thin))).mean()
    assert same > (0.9 if kind == "xgboost" else 0.99)  # XGBoost takes what is not stored for missing


def test_missing_values_and_categories_reach_lightgbm() -> None:
    holes = X.copy()
    holes[::5, 2] = np.nan
    assert len(SurrogateClassifier(lightgbm(), COST).fit(holes, Y).predict(holes)) == len(Y)
    with pytest.raises(ValueError, match="Input X contains NaN"):
        SurrogateClassifier(cost=COST).fit(holes, Y)
    frame = pd.DataFrame({"x": X[:, 0], "kind": pd.Categorical(np.where(X[:, 1] > 0, "a", "b"))})
    model = SurrogateClassifier(lightgbm(), COST).fit(frame, Y)
    assert (pickle.loads(pickle.dumps(model)).predict(frame) == model.predict(frame)).all()
    numbered = SurrogateClassifier(lightgbm(), COST).fit(np.round(X), Y, categorical_feature=[2])
    assert numbered.regressor_.booster_.params["categorical_column"] == [2]


@each_kind
def test_weights_move_the_decisions(kind: str) -> None:
    heavy = np.where(Y == "mid", 20.0, 1.0)
    treated = [(models(cost=COST)[kind].fit(X, Y, w).predict(FRESH) == "treat").mean() for w in (None, heavy)]
    assert treated[1] < 0.9 * treated[0]


def test_weights_are_repetition() -> None:
    whole = np.random.default_rng(3).integers(0, 4, len(Y))
    repeated = np.repeat(np.arange(len(Y)), whole)
    weighted = SurrogateClassifier(LinearScore(tol=1e-9), COST).fit(X, Y, whole)
    plain = SurrogateClassifier(LinearScore(tol=1e-9), COST).fit(X[repeated], Y[repeated])
    assert weighted.predict_score(FRESH) == pytest.approx(plain.predict_score(FRESH), rel=1e-4, abs=1e-5)
    frozen = FrozenEstimator(LogisticRegression().fit(X, Y))
    swap: list[Any] = [
        DecisionClassifier(frozen, COST, recalibrate="swap").fit(X[rows], Y[rows], weights).recalibrator_
        for rows, weights in ((np.arange(len(Y)), whole), (repeated, None))
    ]
    assert swap[0].map_ == swap[1].map_


@pytest.mark.parametrize("make", [lightgbm, xgboost])
@pytest.mark.parametrize("cost", [COST, ZERO_ONE], ids=["strong", "0-1"])
def test_early_stopping(make: Any, cost: ic.CostMatrix) -> None:
    weights = np.random.default_rng(4).integers(1, 3, len(Y)).astype(float)
    found = []
    for sample_weight in (None, weights):
        model = SurrogateClassifier(make(n_estimators=500), cost, n_iter_no_change=5, random_state=0)
        model.fit(X, Y, sample_weight)
        assert 1 <= model.n_iter_ < 300
        found.append(model.predict_score(FRESH))
        same = clone(model).fit(X, Y, sample_weight)
        assert (same.predict_score(FRESH) == found[-1]).all()
    assert not np.array_equal(found[0], found[1])
    assert SurrogateClassifier(make(), cost).fit(X, Y).n_iter_ == 30
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    early = SurrogateClassifier(make(n_estimators=500), cost, n_iter_no_change=5, random_state=0).fit(frame, Y)
    assert early.predict_score(frame) == pytest.approx(
        SurrogateClassifier(make(n_estimators=500), cost, n_iter_no_change=5, random_state=0).fit(X, Y).predict_score(X)
    )


def test_held_out_rows_are_stratified() -> None:
    """Of every outcome its share within one row, so that a rare one is not missed by chance."""
    from isocost.learn.trainers import Rows

    labels = np.repeat([0, 1, 2], [10, 90, 900])
    model = SurrogateClassifier(n_iter_no_change=1, validation_fraction=0.1, random_state=0)
    kept, held = model._divided(Rows(np.arange(1000)[:, None], labels, None))
    assert held is not None
    assert np.bincount(held.labels).tolist() == [1, 9, 90]
    assert sorted([*kept.X[:, 0], *held.X[:, 0]]) == list(range(1000))
    other = model.set_params(random_state=1)._divided(Rows(np.arange(1000)[:, None], labels, None))[1]
    assert other is not None
    assert not np.array_equal(other.X, held.X)


def test_nested_parameters_and_grid_search() -> None:
    model = SurrogateClassifier(lightgbm(), COST)
    assert model.get_params()["regressor__min_child_samples"] == 5
    grid = {"regressor__num_leaves": [2, 8], "method": ["embedding", "smoothest"]}
    search = GridSearchCV(model, grid, scoring=COST.scorer(), cv=3).fit(X, Y)
    assert search.cv_results_["mean_test_score"].min() < search.best_score_ < 0
    assert search.best_score_ == pytest.approx(GridSearchCV(model, grid, cv=3).fit(X, Y).best_score_)
    assert model.regressor.objective is None  # what was given stays as it was
    alpha = GridSearchCV(SurrogateClassifier(LinearScore(), COST), {"regressor__alpha": [1e-3, 1e5]}, cv=3).fit(X, Y)
    assert alpha.best_params_ == {"regressor__alpha": 1e-3}
    piped = make_pipeline(StandardScaler(), logistic(cost=COST))
    inner = {"decisionclassifier__estimator__C": [1e-5, 1.0]}
    assert GridSearchCV(piped, inner, scoring=COST.scorer(), cv=3).fit(X, Y).best_params_[next(iter(inner))] == 1.0


def test_metadata_routing() -> None:
    """Weights go to the loss without a word to the regressor; groups go to the splitter."""
    weights = np.random.default_rng(5).exponential(size=len(Y))
    plain = SurrogateClassifier(lightgbm(), COST).fit(X, Y, sample_weight=weights)
    with config_context(enable_metadata_routing=True):
        model = SurrogateClassifier(lightgbm(), COST).fit(X, Y, sample_weight=weights)
        assert (model.predict(X) == plain.predict(X)).all()
        search = GridSearchCV(
            SurrogateClassifier(cost=COST).set_fit_request(sample_weight=True).set_score_request(sample_weight=True),
            {"method": ["embedding", "linear"]},
            cv=3,
        )
        assert search.fit(X, Y, sample_weight=weights).best_score_ < 0
        told = SurrogateClassifier(lightgbm().set_fit_request(categorical_feature=True), COST)
        told.fit(np.round(X), Y, sample_weight=weights, categorical_feature=[2])
        assert told.regressor_.booster_.params["categorical_column"] == [2]
        groups = np.arange(len(Y)) % 7
        estimator = LogisticRegression().set_fit_request(sample_weight=True)
        grouped = DecisionClassifier(estimator, COST, cv=GroupKFold(3))
        grouped.fit(X, Y, sample_weight=weights, groups=groups)
        assert -grouped.score(FRESH, TRUTH) < 1


def test_recalibration_is_learned_out_of_fold() -> None:
    """A classifier that knows its training rows by heart is repaired by what it says of others."""
    greedy = LGBMClassifier(n_estimators=80, num_leaves=63, min_child_samples=1, n_jobs=1, verbose=-1)
    raw = DecisionClassifier(greedy, COST, recalibrate=None).fit(X, Y)
    crossed = DecisionClassifier(greedy, COST).fit(X, Y)
    in_sample = DecisionClassifier(FrozenEstimator(greedy.fit(X, Y)), COST).fit(X, Y)
    assert crossed.score(FRESH, TRUTH) > raw.score(FRESH, TRUTH)
    assert crossed.score(FRESH, TRUTH) > in_sample.score(FRESH, TRUTH)
    assert isinstance(crossed.recalibrator_, ic.IsotonicRecalibrator)
    assert raw.recalibrator_ is None
    by_hand = np.empty((len(Y), 4))
    for train, test in StratifiedKFold(5).split(X, Y):
        P = clone(greedy).fit(X[train], Y[train]).predict_proba(X[test])
        by_hand[test] = COST.align(P, greedy.classes_)
    order = np.concatenate([test for _, test in StratifiedKFold(5).split(X, Y)])
    iso = ic.IsotonicRecalibrator(crossed.prop_, keep="auto").fit(
        crossed.prop_.value(by_hand[order], normalize=True), Y[order]
    )
    assert crossed.recalibrator_.fingerprint_ == iso.fingerprint_
    P = COST.align(greedy.predict_proba(FRESH), greedy.classes_)
    assert (crossed.predict_score(FRESH) == iso.predict(crossed.prop_.value(P, normalize=True))).all()


def test_a_frozen_classifier_is_not_fitted_again() -> None:
    fitted = LogisticRegression().fit(X[:300], Y[:300])
    coef = fitted.coef_.copy()
    model = DecisionClassifier(FrozenEstimator(fitted), COST).fit(X[300:], Y[300:])
    assert (model.estimator_.coef_ == coef).all()

    def scores(table: Any) -> Any:
        return model.prop_.value(COST.align(fitted.predict_proba(table), fitted.classes_), normalize=True)

    by_hand = ic.IsotonicRecalibrator(model.prop_, keep="auto").fit(scores(X[300:]), Y[300:])
    assert (model.predict_score(FRESH) == by_hand.predict(scores(FRESH))).all()
    weighted = DecisionClassifier(FrozenEstimator(fitted), COST).fit(X[300:], Y[300:], np.arange(300.0))
    assert not np.array_equal(weighted.predict_score(FRESH), model.predict_score(FRESH))


def test_splitters_and_processes() -> None:
    for cv in (3, StratifiedKFold(3), ShuffleSplit(4, test_size=0.5, random_state=0)):
        assert -logistic(cost=COST, cv=cv).fit(X, Y).score(FRESH, TRUTH) < 1
    one, two = (logistic(cost=COST, n_jobs=jobs).fit(X, Y) for jobs in (None, 2))
    assert (one.predict(FRESH) == two.predict(FRESH)).all()


def test_a_rare_outcome_may_be_missing_from_a_fold() -> None:
    labels = np.where(Y == "top", "high", Y)
    labels[0] = "top"
    with pytest.warns(UserWarning, match="least populated class"):
        model = logistic(cost=COST).fit(X, labels)
    assert len(model.predict(FRESH)) == len(FRESH)


def test_methods() -> None:
    for method in ("smoothest", "embedding", "normals"):
        for model in (SurrogateClassifier(cost=COST, method=method), logistic(cost=COST, method=method)):
            assert model.fit(X, Y).prop_.method == method
    given = ic.smooth(COST, slack=0.2)
    assert SurrogateClassifier(cost=COST, method=given).fit(X, Y).prop_ is given
    assert SurrogateClassifier(cost=COST).fit(X, Y).prop_.dimension == 1
    assert SurrogateClassifier(cost=COST, method="linear").fit(X, Y).prop_ == ic.linear(COST)
    assert logistic(cost=COST).fit(X, Y).prop_ == ic.property_for(COST)


def test_cross_validation_of_everything() -> None:
    for model in models(cost=COST).values():
        assert cross_val_score(model, X, Y, cv=3).mean() > -1
