"""scikit-learn's own checks of estimators."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from lightgbm import LGBMRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks
from xgboost import XGBRegressor

from isocost.learn import DecisionClassifier, SurrogateClassifier

# Of the failures that LightGBM declares of its own estimators only these are failures of ours; XGBoost declares none.
DECLARED = LGBMRegressor()._more_tags()["_xfail_checks"]
WEIGHTS = [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")]
LIGHTGBM = SurrogateClassifier(LGBMRegressor(n_estimators=20, n_jobs=1, min_child_samples=5, verbose=-1))
XGBOOST = SurrogateClassifier(XGBRegressor(n_estimators=20, n_jobs=1))


def expected_failures(estimator: Any) -> dict[str, str]:
    return {name: DECLARED[name] for name in WEIGHTS} if estimator is LIGHTGBM else {}


@parametrize_with_checks(  # type: ignore[untyped-decorator]
    [SurrogateClassifier(), DecisionClassifier(LogisticRegression()), LIGHTGBM, XGBOOST],
    expected_failed_checks=expected_failures,
)
def test_every_check(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


def test_no_favour_is_asked() -> None:
    for model in (SurrogateClassifier(), DecisionClassifier(LogisticRegression()), LIGHTGBM, XGBOOST):
        assert not get_tags(model).classifier_tags.poor_score
        assert not hasattr(model, "decision_function")
    assert get_tags(LIGHTGBM).input_tags.allow_nan
    assert not get_tags(SurrogateClassifier()).input_tags.allow_nan


def test_the_check_that_scipy_must_be_told_of_before_it_is_loaded() -> None:
    code = """
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import estimator_checks_generator
from isocost.learn import DecisionClassifier, SurrogateClassifier
for model in (SurrogateClassifier(), DecisionClassifier(LogisticRegression())):
    for estimator, check in estimator_checks_generator(model):
        if "array_api" in repr(check):
            check(estimator)
            print("passed")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "SCIPY_ARRAY_API": "1"}, capture_output=True, text=True
    )
    assert done.stdout.split() == ["passed", "passed"], done.stderr
