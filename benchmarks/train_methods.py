"""Ways to train for decisions: one number on the surrogate loss, and what it is measured against.

All boosting is LightGBM with the same small search: the settings in SEARCH, each stopped early on rows held
out, the one with the least held-out loss taken. Trees are counted as built for the model that is kept.
"""

from __future__ import annotations

import time
import warnings
from typing import Any, NamedTuple

import lightgbm as lgb
import numpy as np
from numpy.typing import NDArray

import isocost as ic
from benchmarks.train_data import Part, Split
from isocost.learn import efficient
from isocost.learn.boosting import lightgbm_objective

__all__ = [
    "MEMBERS",
    "Outcome",
    "Probabilities",
    "averaged",
    "mean_regression",
    "ordinal_peers",
    "softmax",
    "surrogate",
]

Floats = NDArray[np.float64]
Positions = NDArray[np.intp]

SEARCH = [{"num_leaves": leaves, "learning_rate": rate} for leaves in (8, 31) for rate in (0.1, 0.2)]
# Averaged members are tried with the first and the last of them only, to save time.
OF_MEMBERS = [SEARCH[0], SEARCH[-1]]
FIXED = {"verbosity": -1, "num_threads": 1, "seed": 0, "deterministic": True, "force_row_wise": True}
PATIENCE, MOST_ROUNDS, FOLDS, MEMBERS = 20, 1000, 5, 5


class Outcome(NamedTuple):
    """Mean cost on the test rows, trees built, seconds."""

    cost: float
    trees: int
    seconds: float


class Probabilities(NamedTuple):
    """Probabilities of the test rows, trees built, seconds to fit."""

    P: Floats
    trees: int
    seconds: float

    def outcome(self, cost: ic.CostMatrix, y: Positions) -> Outcome:
        """Deciding by the least expected cost."""
        taken = cost.expected(self.P, normalize=True).argmin(axis=1)
        return Outcome(float(cost.costs[taken, y].mean()), self.trees, self.seconds)


def folds_of(rows: int) -> Positions:
    return np.random.default_rng(1).permutation(rows) % FOLDS


def softmax(split: Split) -> tuple[Probabilities, dict[str, Any]]:
    """n-class LightGBM, and the setting that the search took."""
    start, n = time.process_time(), len(split.grades)
    params = FIXED | {"objective": "multiclass", "num_class": n}
    _, model, setting = min(
        ((*_fit(params | s, split.train, 0, "multi_logloss", MOST_ROUNDS), s) for s in SEARCH), key=lambda f: f[0]
    )
    found = Probabilities(model.predict(split.test.X), n * model.best_iteration, time.process_time() - start)
    return found, setting


def averaged(split: Split, setting: dict[str, Any]) -> Probabilities:
    """The same, one for each of five folds held out, probabilities averaged: five times the trees."""
    start, n = time.process_time(), len(split.grades)
    params = FIXED | {"objective": "multiclass", "num_class": n} | setting
    models = [_fit(params, split.train, fold, "multi_logloss", MOST_ROUNDS)[1] for fold in range(MEMBERS)]
    P = np.mean([m.predict(split.test.X) for m in models], axis=0)
    return Probabilities(P, n * sum(m.best_iteration for m in models), time.process_time() - start)


def mean_regression(split: Split, trees: int) -> tuple[Floats, int, float]:
    """Least squares on the position of the outcome; to be rounded."""
    start = time.process_time()
    params = FIXED | {"objective": "regression"}
    model = min((_fit(params | s, split.train, 0, "l2", trees) for s in SEARCH), key=lambda f: f[0])[1]
    return model.predict(split.test.X), model.best_iteration, time.process_time() - start


def rounded(found: tuple[Floats, int, float], cost: ic.CostMatrix, y: Positions) -> Outcome:
    """What is best for the nearest outcome."""
    best = cost.costs.argmin(axis=0)
    taken = best[np.clip(np.rint(found[0]), 0, len(best) - 1).astype(np.intp)]
    return Outcome(float(cost.costs[taken, y].mean()), found[1], found[2])


def surrogate(
    split: Split, cost: ic.CostMatrix, trees: int, members: int = MEMBERS, prop: ic.SmoothProperty | None = None
) -> Outcome:
    """One number on the surrogate loss: members that hold out one fold each, scores averaged."""
    start, y = time.process_time(), split.train.y
    prop = efficient(cost) if prop is None else prop
    objective = lightgbm_objective(prop)
    params = FIXED | {"objective": objective, "metric": "None"}
    rounds = max(1, trees // members)
    best: tuple[float, list[Any]] = (np.inf, [])
    for setting in OF_MEMBERS if members > 1 else SEARCH:
        fits = [_fit(params | setting, split.train, fold, "surrogate", rounds) for fold in range(members)]
        best = min(best, (sum(loss for loss, _ in fits), [model for _, model in fits]), key=lambda f: f[0])
    folds = folds_of(len(y))
    scores = [objective.start(y[folds != i]) + m.predict(split.test.X) for i, m in enumerate(best[1])]
    where = {label: i for i, label in enumerate(cost.decisions)}
    taken = np.array([where[r] for r in prop.decisions])[prop.cell(np.mean(scores, axis=0))]
    built = sum(m.best_iteration for m in best[1])
    return Outcome(float(cost.costs[taken, split.test.y].mean()), built, time.process_time() - start)


def _fit(params: dict[str, Any], train: Part, fold: int, metric: str, rounds: int) -> tuple[float, Any]:
    """Least held-out loss and the model, stopped early on one fold."""
    kept = folds_of(len(train.y)) != fold
    objective, evaluation = params["objective"], None
    data = lgb.Dataset(train.X[kept], train.y[kept])
    held_out = data.create_valid(train.X[~kept], train.y[~kept])
    if not isinstance(objective, str):
        evaluation = objective.metric
        data.set_init_score(objective.init_score(train.y[kept]))
        held_out.set_init_score(np.full((~kept).sum(), objective.start(train.y[kept])))
    model = lgb.train(
        params, data, rounds, [held_out], feval=evaluation, callbacks=[lgb.early_stopping(PATIENCE, verbose=False)]
    )
    return float(model.best_score["valid_0"][metric]), model


def ordinal_peers(split: Split) -> dict[str, Probabilities]:
    """mord and skordinal where they are installed: a linear threshold model, and Frank and Hall's with LightGBM."""
    from mord import LogisticAT
    from skordinal.classifiers import OrdinalDecomposition

    linear, X = _linear_features(split)
    y = split.train.y
    kept = folds_of(len(y)) != 0
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, features, candidates in (
            ("mord threshold", linear, [LogisticAT(alpha=alpha) for alpha in (0.1, 10.0)]),
            (
                "skordinal F&H trees",
                X,
                [
                    OrdinalDecomposition(lgb.LGBMClassifier(n_estimators=trees, num_leaves=leaves, **_of_estimator()))
                    for leaves, trees in ((8, 120), (31, 60))
                ],
            ),
        ):
            start = time.process_time()
            losses = []
            for model in candidates:
                P = model.fit(features[0][kept], y[kept]).predict_proba(features[0][~kept])
                losses.append(-np.log(np.clip(P[np.arange(len(P)), y[~kept]], 1e-6, 1)).mean())
            best = candidates[int(np.argmin(losses))]
            P = np.clip(best.predict_proba(features[1]), 0, None)
            trees = best.estimator.n_estimators * (len(split.grades) - 1) if name.startswith("skordinal") else 0
            found[name] = Probabilities(P, trees, time.process_time() - start)
    return found


def _of_estimator() -> dict[str, Any]:
    return {"verbosity": -1, "n_jobs": 1, "random_state": 0, "deterministic": True, "force_row_wise": True}


def _linear_features(split: Split) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Numbers standardised and categories as indicators; and the features as they are."""
    from sklearn.compose import make_column_transformer
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    words = list(split.categories)
    numbers = [i for i in range(split.train.X.shape[1]) if i not in words]
    made = make_column_transformer(
        (StandardScaler(), numbers), (OneHotEncoder(handle_unknown="ignore", sparse_output=False), words)
    )
    return (made.fit_transform(split.train.X), made.transform(split.test.X)), (split.train.X, split.test.X)
