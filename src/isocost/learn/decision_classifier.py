"""DecisionClassifier: a classifier's probabilities, turned into the decisions of a cost matrix."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.costs import CostMatrix
from isocost.exceptions import IsocostError
from isocost.labels import positions_of
from isocost.learn.base import CostClassifier, checked_sample_weight
from isocost.learn.training_property import Method, deciding_property
from isocost.linear_property import LinearProperty
from isocost.property import SmoothProperty
from isocost.recalibrate import IsotonicRecalibrator, SwapRecalibrator

__all__ = ["DecisionClassifier"]

Floats = NDArray[np.float64]


class OutOfFold(NamedTuple):
    """Rows that a model was not fitted on, and its probabilities of them."""

    rows: NDArray[np.intp]
    P: Floats


class DecisionClassifier(CostClassifier):
    """Wraps a classifier with ``predict_proba``: its probabilities become a score Γ, recalibrated, and a decision.

    The recalibration is learned on out-of-fold probabilities; the classifier that predicts is fitted
    on all rows. A ``sklearn.frozen.FrozenEstimator`` is not fitted again: there the rows given
    should be ones that it has not seen.

    Parameters
    ----------
    estimator : classifier with predict_proba
        It is cloned, and fitted to the labels as they are.
    cost : CostMatrix, optional
        None is the 0-1 cost over the classes of y, in sorted order.
    method : {"auto", "smoothest", "embedding", "normals", "linear"} or property
        "auto" is :func:`isocost.property_for`.
    recalibrate : {"auto", "isotonic", "swap"} or None
        "auto" is isotonic, with a cross-validated share of the score, where the score is one number, and
        the swap map of decisions where it is several.
    cv : int, splitter or iterable
        Folds of the out-of-fold probabilities, as scikit-learn takes them.
    n_jobs : int, optional
        Processes that fit the folds.

    Attributes
    ----------
    classes_ : ndarray, shape (n,)
        Outcome labels, in the order of the cost matrix.
    cost_ : CostMatrix
    prop_ : SmoothProperty or LinearProperty
    estimator_ : fitted classifier
    recalibrator_ : IsotonicRecalibrator, SwapRecalibrator or None
    n_features_in_, feature_names_in_
        Where the classifier has them.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> import isocost as ic
    >>> from isocost.learn import DecisionClassifier
    >>> cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]],
    ...                      decisions=["wait", "test", "treat"], outcomes=["mild", "moderate", "severe"])
    >>> X = np.random.default_rng(0).normal(size=(500, 2))
    >>> y = np.array(cost.outcomes)[np.digitize(X[:, 0], [-0.5, 0.5])]
    >>> model = DecisionClassifier(LogisticRegression(), cost).fit(X, y)
    >>> model.predict([[-2, 0], [0, 0], [2, 0]]).tolist()
    ['wait', 'test', 'treat']
    """

    prop_: SmoothProperty | LinearProperty
    estimator_: Any
    recalibrator_: IsotonicRecalibrator | SwapRecalibrator | None

    def __init__(
        self,
        estimator: Any,
        cost: CostMatrix | None = None,
        method: Method = "auto",
        recalibrate: Literal["auto", "isotonic", "swap"] | None = "auto",
        cv: Any = 5,
        *,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.cost = cost
        self.method = method
        self.recalibrate = recalibrate
        self.cv = cv
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any) -> Self:
        """Fit the classifier and its recalibration.

        Parameters
        ----------
        X : array_like, sparse matrix or frame, shape (N, p)
        y : sequence of outcome labels
        sample_weight : array_like, shape (N,), optional
        **fit_params
            For the ``fit`` of the classifier.
        """
        from sklearn.base import clone
        from sklearn.utils import indexable

        if not hasattr(self.estimator, "predict_proba"):
            raise IsocostError(
                f"estimator must have predict_proba; {type(self.estimator).__name__} has not. "
                "sklearn.calibration.CalibratedClassifierCV gives it one"
            )
        X, y = indexable(X, y)
        positions = self._set_targets(y)
        labels = self.classes_[positions]
        weights = checked_sample_weight(sample_weight, X)
        self.prop_ = deciding_property(self.cost_, self.method)
        kind = self._kind()
        to_estimator, to_splitter = self._routed(weights, fit_params)
        self.recalibrator_ = None
        if kind is not None:
            parts = self._out_of_fold(X, labels, to_estimator, to_splitter)
            rows = np.concatenate([part.rows for part in parts])
            scores = self.prop_.value(np.concatenate([part.P for part in parts]), normalize=True)
            row_weights = None if weights is None else weights[rows]
            if kind == "isotonic":
                self.recalibrator_ = IsotonicRecalibrator(self.prop_, keep="auto").fit(
                    scores, labels[rows], row_weights
                )
            else:
                self.recalibrator_ = SwapRecalibrator(self.cost_).fit(
                    self.prop_.decide(scores), labels[rows], row_weights
                )
        self.estimator_ = clone(self.estimator).fit(X, labels, **to_estimator)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def predict_score(self, X: Any) -> Floats:
        """Scores Γ, recalibrated where they are one number; shape (N,), or (N, d) for a linear property.

        Parameters
        ----------
        X : array_like, sparse matrix or frame, shape (N, p)
        """
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        scores = self.prop_.value(probabilities(self.estimator_, X, self.cost_), normalize=True)
        return self.recalibrator_.predict(scores) if isinstance(self.recalibrator_, IsotonicRecalibrator) else scores

    def predict(self, X: Any) -> NDArray[np.generic]:
        """Decisions, labels, shape (N,).

        Parameters
        ----------
        X : array_like, sparse matrix or frame, shape (N, p)
        """
        scores = self.predict_score(X)
        decisions = self.prop_.decide(scores)
        return self.recalibrator_.predict(decisions) if isinstance(self.recalibrator_, SwapRecalibrator) else decisions

    def get_metadata_routing(self) -> Any:
        """Weights are for the recalibration, and for the classifier where it asks for them."""
        from sklearn.model_selection import check_cv
        from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

        return (
            MetadataRouter(owner=self)
            .add_self_request(self)
            .add(estimator=self.estimator, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
            .add(splitter=check_cv(self.cv), method_mapping=MethodMapping().add(caller="fit", callee="split"))
        )

    def _kind(self) -> str | None:
        if self.recalibrate not in ("auto", "isotonic", "swap", None):
            raise IsocostError(f'recalibrate must be "auto", "isotonic", "swap" or None; got {self.recalibrate!r}')
        if self.recalibrate != "auto":
            return self.recalibrate
        if len(self.prop_.decisions) == 1:
            return None
        return "isotonic" if self.prop_.dimension == 1 else "swap"

    def _routed(self, weights: Floats | None, fit_params: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Metadata for the fit of the classifier, and for the splitter."""
        from sklearn import get_config
        from sklearn.frozen import FrozenEstimator
        from sklearn.utils.metadata_routing import process_routing
        from sklearn.utils.validation import has_fit_parameter

        given = dict(fit_params) if weights is None else {**fit_params, "sample_weight": weights}
        if get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", **given)
            return dict(routed.estimator.fit), dict(routed.splitter.split)
        if isinstance(self.estimator, FrozenEstimator):
            return {}, {}
        if weights is not None and not has_fit_parameter(self.estimator, "sample_weight"):
            raise IsocostError(
                f"{type(self.estimator).__name__} does not support sample weights: its fit has no sample_weight"
            )
        return given, {}

    def _out_of_fold(
        self, X: Any, labels: NDArray[np.generic], to_estimator: dict[str, Any], to_splitter: dict[str, Any]
    ) -> list[OutOfFold]:
        """Probabilities of each fold's rows by a classifier fitted on the others."""
        from sklearn.base import clone
        from sklearn.frozen import FrozenEstimator
        from sklearn.model_selection import check_cv
        from sklearn.utils.parallel import Parallel, delayed

        if isinstance(self.estimator, FrozenEstimator):
            return [OutOfFold(np.arange(len(labels)), probabilities(self.estimator, X, self.cost_))]
        folds = check_cv(self.cv, labels, classifier=True).split(X, labels, **to_splitter)
        found: list[OutOfFold] = Parallel(n_jobs=self.n_jobs)(
            delayed(_one_fold)(clone(self.estimator), X, labels, train, test, to_estimator, self.cost_)
            for train, test in folds
        )
        return found

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags

        tags = super().__sklearn_tags__()
        given = get_tags(self.estimator).input_tags
        tags.input_tags.sparse, tags.input_tags.allow_nan = given.sparse, given.allow_nan
        return tags


def probabilities(estimator: Any, X: Any, cost: CostMatrix) -> Floats:
    """Probabilities in the order of the outcomes; 0 for those that the classifier has never seen."""
    P = np.asarray(estimator.predict_proba(X), dtype=np.float64)
    columns = positions_of(estimator.classes_, cost.outcomes, "classes_")
    found = np.zeros((len(P), len(cost.outcomes)))
    found[:, columns] = P
    return found


def _one_fold(
    estimator: Any,
    X: Any,
    labels: NDArray[np.generic],
    train: NDArray[np.intp],
    test: NDArray[np.intp],
    params: dict[str, Any],
    cost: CostMatrix,
) -> OutOfFold:
    from sklearn.utils import _safe_indexing
    from sklearn.utils.validation import _check_method_params

    fitted = estimator.fit(
        _safe_indexing(X, train), labels[train], **_check_method_params(X, params=params, indices=train)
    )
    return OutOfFold(np.arange(len(labels))[test], probabilities(fitted, _safe_indexing(X, test), cost))
