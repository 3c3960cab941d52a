"""SurrogateClassifier: trains the score itself, and decides by its cuts."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.costs import CostMatrix
from isocost.learn.base import CostClassifier, checked_sample_weight, checked_table
from isocost.learn.linear import LinearScore
from isocost.learn.surrogate import Surrogate
from isocost.learn.trainers import Rows, trainer_of
from isocost.learn.training_property import Method, training_property
from isocost.linear_property import LinearProperty
from isocost.property import SmoothProperty

__all__ = ["SurrogateClassifier"]

Floats = NDArray[np.float64]


class SurrogateClassifier(CostClassifier):
    """Classifier that trains one number on the surrogate loss of a cost matrix and decides by its cuts.

    Where no single number carries the decisions it trains the d numbers of a linear property.

    Parameters
    ----------
    regressor : None, LinearScore, LGBMRegressor or XGBRegressor
        None is a LinearScore. It is cloned and its objective replaced; ``regressor__num_leaves`` and
        the like reach its parameters.
    cost : CostMatrix, optional
        None is the 0-1 cost over the classes of y, in sorted order.
    method : {"auto", "smoothest", "embedding", "normals", "linear"} or property
        The property that is trained on; "auto" is chosen for training.
    validation_fraction : float
        Share of the rows of each outcome that is held out to stop boosting early; used where
        `n_iter_no_change` is set.
    n_iter_no_change : int, optional
        Stop boosting when the held-out surrogate loss has not fallen for so many rounds.
    random_state : int, RandomState or None
        Of the held-out rows.

    Attributes
    ----------
    classes_ : ndarray, shape (n,)
        Outcome labels, in the order of the cost matrix.
    cost_ : CostMatrix
    prop_ : SmoothProperty or LinearProperty
        What was trained on; ``prop_.decide`` turns scores into decisions.
    regressor_ : fitted regressor
        None where nothing can be learned, as a single decision is always best, or no feature lets LightGBM
        split the rows. The score is then `start_`.
    start_ : ndarray, shape () or (d,)
        Γ of the label frequencies of the rows trained on, the score that boosting starts from.
    n_iter_ : int
        Boosting rounds kept, or steps of L-BFGS.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> import isocost as ic
    >>> from isocost.learn import SurrogateClassifier
    >>> cost = ic.CostMatrix.ordinal(["low", "mid", "high"], under=3)
    >>> X = np.random.default_rng(0).normal(size=(500, 2))
    >>> y = np.array(cost.outcomes)[np.digitize(X[:, 0], [-0.5, 0.5])]
    >>> model = SurrogateClassifier(cost=cost).fit(X, y)
    >>> model.predict([[-2, 0], [0, 0], [2, 0]]).tolist()
    ['low', 'mid', 'high']
    >>> model.predict_score([[-2, 0], [0, 0], [2, 0]]).shape
    (3,)
    """

    prop_: SmoothProperty | LinearProperty
    regressor_: Any
    start_: Floats
    n_iter_: int

    def __init__(
        self,
        regressor: Any = None,
        cost: CostMatrix | None = None,
        method: Method = "auto",
        *,
        validation_fraction: float = 0.1,
        n_iter_no_change: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.regressor = regressor
        self.cost = cost
        self.method = method
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any) -> Self:
        """Train the score.

        Parameters
        ----------
        X : array_like, sparse matrix or frame, shape (N, p)
        y : sequence of outcome labels
        sample_weight : array_like, shape (N,), optional
        **fit_params
            For the ``fit`` of the regressor, such as ``categorical_feature`` of LightGBM.
        """
        from sklearn.base import clone

        regressor = LinearScore() if self.regressor is None else clone(self.regressor)
        trainer = trainer_of(regressor)
        self._check_parameters()
        X = checked_table(self, X, y, reset=True)
        positions = self._set_targets(y)
        weights = checked_sample_weight(sample_weight, X)
        self.prop_ = training_property(self.cost_, self.method, positions, weights)
        self.regressor_, self.n_iter_ = None, 0
        rows, held_out = self._divided(Rows(X, positions, weights))
        self.start_ = Surrogate(self.prop_).start(rows.labels, rows.weights)
        if len(self.prop_.decisions) > 1:
            routed = self._routed(fit_params)
            trainer.check(routed)
            rounds = trainer.fit(regressor, self.prop_, rows, held_out, self.n_iter_no_change, routed)
            if rounds is not None:
                self.regressor_, self.n_iter_ = regressor, rounds
        return self

    def predict_score(self, X: Any) -> Floats:
        """Scores Γ, shape (N,), or (N, d) for a linear property.

        Parameters
        ----------
        X : array_like, sparse matrix or frame, shape (N, p)
        """
        from sklearn.utils.validation import _num_samples, check_is_fitted

        check_is_fitted(self)
        X = checked_table(self, X, reset=False)
        if self.regressor_ is None:
            return np.full((_num_samples(X), *self.start_.shape), self.start_)
        return trainer_of(self.regressor_).predict(self.regressor_, X, self.start_)

    def predict(self, X: Any) -> NDArray[np.generic]:
        """Decisions ψ(Γ), labels, shape (N,).

        Parameters
        ----------
        X : array_like, sparse matrix or frame, shape (N, p)
        """
        scores = self.predict_score(X)
        return self.prop_.decide(scores)

    def get_metadata_routing(self) -> Any:
        """Weights are for the loss; all other metadata are for the regressor."""
        from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

        regressor = LinearScore() if self.regressor is None else self.regressor
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add_self_request(self).add(regressor=regressor, method_mapping=mapping)

    def _routed(self, fit_params: dict[str, Any]) -> dict[str, Any]:
        from sklearn import get_config
        from sklearn.utils.metadata_routing import process_routing

        if not (fit_params and get_config()["enable_metadata_routing"]):
            return fit_params
        return dict(process_routing(self, "fit", **fit_params).regressor.fit)

    def _divided(self, rows: Rows) -> tuple[Rows, Rows | None]:
        """Rows to train on, and those held out of each outcome where boosting may stop early."""
        from sklearn.utils import _safe_indexing, check_random_state

        if self.n_iter_no_change is None:
            return rows, None
        shuffled = check_random_state(self.random_state).permutation(len(rows.labels))
        # By outcome, in random order within each; then every so-manieth row is held out.
        ordered = shuffled[np.argsort(rows.labels[shuffled], kind="stable")]
        count = round(self.validation_fraction * len(ordered))
        if not 0 < count < len(ordered):
            raise ValueError(
                f"The validation set should have at least one sample and leave one to train on. With "
                f"validation_fraction={self.validation_fraction} of n_samples={len(ordered)} it has {count}."
            )
        held = np.zeros(len(ordered), dtype=bool)
        held[ordered[((np.arange(count) + 0.5) * len(ordered) / count).astype(np.intp)]] = True
        parts = [
            Rows(
                _safe_indexing(rows.X, np.flatnonzero(chosen)),
                rows.labels[chosen],
                None if rows.weights is None else rows.weights[chosen],
            )
            for chosen in (~held, held)
        ]
        return parts[0], parts[1]

    def _check_parameters(self) -> None:
        from sklearn.utils import check_scalar

        check_scalar(
            self.validation_fraction, "validation_fraction", Real, min_val=0, max_val=1, include_boundaries="neither"
        )
        if self.n_iter_no_change is not None:
            check_scalar(self.n_iter_no_change, "n_iter_no_change", Integral, min_val=1)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags

        tags = super().__sklearn_tags__()
        given = get_tags(LinearScore() if self.regressor is None else self.regressor).input_tags
        tags.input_tags.sparse, tags.input_tags.allow_nan = given.sparse, given.allow_nan
        return tags
