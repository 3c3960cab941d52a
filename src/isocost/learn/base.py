"""What the estimators share, and the one door to scikit-learn: its base classes and checks of input."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.costs import CostMatrix
from isocost.exceptions import CostMatrixError
from isocost.labels import Label, label_array
from isocost.learn.scorer import mean_cost

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils import assert_all_finite, get_tags
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, check_consistent_length, column_or_1d, validate_data
except ImportError:
    raise ImportError("the estimators of isocost.learn need scikit-learn 1.6: pip install 'isocost[learn]'") from None

__all__ = [
    "BaseEstimator",
    "CostClassifier",
    "RegressorMixin",
    "checked_sample_weight",
    "checked_table",
    "targets_of",
]

Floats = NDArray[np.float64]


class CostClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose predictions are decisions of a cost matrix, judged by what they cost."""

    cost_: CostMatrix
    classes_: NDArray[np.generic]

    def score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Negative mean cost of the decisions: higher is better, as scikit-learn has it.

        Parameters
        ----------
        X : array_like or frame, shape (N, p)
        y : sequence of outcome labels
        sample_weight : array_like, shape (N,), optional
        """
        return -mean_cost(y, self.predict(X), sample_weight, cost=self.cost_)

    def _set_targets(self, y: Any) -> NDArray[np.intp]:
        """Set `cost_` and `classes_`; positions of the labels."""
        self.cost_, positions = targets_of(y, self.cost)
        self.classes_ = label_array(self.cost_.outcomes)
        return positions


def targets_of(y: Any, cost: CostMatrix | None) -> tuple[CostMatrix, NDArray[np.intp]]:
    """The cost matrix, 0-1 over the classes of y where none is given, and the position of each label."""
    labels = column_or_1d(y, warn=True)
    assert_all_finite(labels, input_name="y")
    if cost is None:
        check_classification_targets(labels)
        classes = _plain(np.unique(labels))
        cost = CostMatrix(1 - np.eye(len(classes), dtype=int), classes, classes)
    elif not isinstance(cost, CostMatrix):
        raise CostMatrixError(
            f"cost must be a CostMatrix or None; got {type(cost).__name__}. Write ic.CostMatrix(table)"
        )
    return cost, cost.positions(labels)


def checked_table(estimator: Any, X: Any, y: Any = None, *, reset: bool) -> Any:
    """X with its features' number and names kept (`reset`, with y) or compared; frames stay as they are."""
    if hasattr(X, "columns"):
        X = validate_data(estimator, X, **({"y": y} if reset else {}), reset=reset, skip_check_array=True)
        X = X[0] if reset else X
        if reset:
            check_consistent_length(X, y)
        return X
    options = {
        "accept_sparse": "csr",
        "ensure_all_finite": "allow-nan" if get_tags(estimator).input_tags.allow_nan else True,
        "dtype": [np.float64, np.float32],
    }
    if reset:
        return validate_data(estimator, X, y, reset=True, **options)[0]
    return validate_data(estimator, X, reset=False, **options)


def checked_sample_weight(sample_weight: Any, X: Any) -> Floats | None:
    """Weights as doubles, in scikit-learn's words where they are wrong."""
    if sample_weight is None:
        return None
    weights: Floats = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    return weights


def _plain(labels: NDArray[Any]) -> list[Label]:
    return [label.item() if isinstance(label, np.generic) else label for label in labels]
