"""compare_models: which way to train costs less on these data, by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from isocost.costs import CostMatrix
from isocost.exceptions import CostMatrixError, PredictionError
from isocost.labels import label_array

if TYPE_CHECKING:
    from isocost.auditing.compare import Comparison

__all__ = ["compare_models"]


def compare_models(
    cost: CostMatrix, models: Mapping[Any, Any], X: Any, y: ArrayLike, cv: Any = 5, level: float = 0.95
) -> Comparison:
    """Compare models that predict decisions by what these cost on rows left out.

    Each row is decided by models fitted without its fold, the same folds for all. The interval takes
    the fitted models as they are: it says which decisions cost less on rows like these, not
    how much another training set would change.

    Parameters
    ----------
    cost : CostMatrix
    models : mapping of names to estimators whose ``predict`` gives decisions
        At least two, such as SurrogateClassifier and DecisionClassifier; cloned. All are compared
        with the first.
    X : array_like or frame, shape (N, p)
    y : sequence of outcome labels, shape (N,)
    cv : int, splitter or iterable
        Folds, as scikit-learn takes them; an int makes stratified, shuffled ones.
    level : float
        Of the intervals.

    Returns
    -------
    Comparison
        As of :func:`isocost.compare`; printed, it says which is cheaper.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> import isocost as ic
    >>> from isocost.learn import DecisionClassifier, SurrogateClassifier, compare_models
    >>> cost = ic.CostMatrix.ordinal(["low", "mid", "high"], under=3)
    >>> X = np.random.default_rng(0).normal(size=(500, 2))
    >>> y = np.array(cost.outcomes)[np.digitize(X[:, 0], [-0.5, 0.5])]
    >>> models = {"classes": DecisionClassifier(LogisticRegression(), cost), "score": SurrogateClassifier(cost=cost)}
    >>> found = compare_models(cost, models, X, y)
    >>> sorted(found.mean_costs), list(found.differences)
    (['classes', 'score'], ['score'])
    """
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    from isocost.auditing.compare import compare

    if not isinstance(cost, CostMatrix):
        raise CostMatrixError(f"compare_models needs a CostMatrix; got {type(cost).__name__}")
    if not isinstance(models, Mapping) or len(models) < 2:
        raise PredictionError(f"compare_models needs at least two named models; got {models!r}")
    labels = label_array(cost.outcomes)[cost.positions(y)]
    folds = StratifiedKFold(cv, shuffle=True, random_state=0) if isinstance(cv, int) else cv
    if not hasattr(folds, "split"):
        folds = list(folds)
    decisions = {name: cross_val_predict(model, X, labels, cv=folds) for name, model in models.items()}
    return compare(cost, labels, decisions, level=level)
