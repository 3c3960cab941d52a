"""AffineRecalibrator: the best affine map of the several numbers of a linear property."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.exceptions import CostMatrixError, PredictionError
from isocost.fingerprint import fingerprint
from isocost.labels import positions_of
from isocost.linear_property import LinearProperty
from isocost.recalibrate.manners import Recalibrator
from isocost.recalibrate.rows import columns_of
from isocost.scores import checked_scores
from isocost.weights import checked_weights

__all__ = ["AffineRecalibrator"]

Floats = NDArray[np.float64]


class AffineRecalibrator(Recalibrator):
    """Affine map u ↦ matrix·u + offset of d numbers with the least surrogate loss, drawn towards no change.

    It is least squares of φ(y) on the score, in closed form. On the data of the fit the mean of V
    is 0 and, without a prior, so is that of V times each component. Several numbers have no order,
    so that no isotonic map repairs them; :class:`isocost.SwapRecalibrator` after this one makes
    the decisions γ-calibrated.

    Parameters
    ----------
    prop : LinearProperty
    prior : float
        Weight of the unchanged score, in rows: pseudo-rows that are right already.

    Attributes
    ----------
    matrix_ : ndarray, shape (d, d)
    offset_ : ndarray, shape (d,)
    rows_ : int
        How many rows of the fit had a weight above 0.
    fingerprint_ : str
        Name of the rows of the fit, by which an audit knows them again.

    Examples
    --------
    >>> import isocost as ic
    >>> lin = ic.linear(ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]], outcomes=["cat", "dog", "bird"]))
    >>> P = [[0.9, 0.1, 0.0], [0.1, 0.9, 0.0], [0.8, 0.2, 0.0], [0.2, 0.8, 0.0]]
    >>> affine = ic.AffineRecalibrator(lin, prior=1).fit(P, ["bird", "dog", "bird", "dog"])
    >>> lin.decide(affine.predict([[0.9, 0.1, 0.0]])).tolist()
    [2]
    """

    matrix_: Floats
    offset_: Floats
    rows_: int
    fingerprint_: str

    def __init__(self, prop: LinearProperty, prior: float = 30.0) -> None:
        self.prop = prop
        self.prior = prior
        self._checked()

    def fit(self, scores_or_P: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the map.

        Parameters
        ----------
        scores_or_P : array_like, shape (N, d) or (N, n), or frame
            Scores, or probabilities, whose Γ is taken first; where d = n they are probabilities, but
            a linear property has d < n.
        y : sequence of outcome labels
        sample_weight : array_like, shape (N,), optional
            At least 0; rows of weight 0 do not count.
        """
        prop = self._checked()
        if not (isinstance(self.prior, (int, float)) and 0 <= self.prior < math.inf):
            raise CostMatrixError(f"prior must be a finite number of rows, at least 0; got {self.prior!r}")
        scores = self._scores(scores_or_P)
        positions = positions_of(y, prop.outcomes, "y")
        if len(scores) != len(positions):
            raise PredictionError(f"scores and `y` must have the same length; got {len(scores)} and {len(positions)}")
        weights = checked_weights(sample_weight, len(scores))
        shares = weights / weights.sum()
        targets = prop.basis.T[positions]
        centre, mean = shares @ scores, shares @ targets
        spread, wanted = scores - centre, targets - mean
        second = (shares[:, None] * spread).T @ spread
        d = prop.dimension
        # Pseudo-rows spread as widely as the scores are on average.
        pull = self.prior / weights.sum() * (np.trace(second) / max(d, 1)) * np.eye(d)
        crossed = (shares[:, None] * spread).T @ wanted
        self.matrix_ = np.asarray(np.linalg.lstsq(second + pull, crossed + pull, rcond=None)[0].T)
        self.offset_ = mean - self.matrix_ @ centre
        self.rows_ = int(np.count_nonzero(weights))
        self.fingerprint_ = fingerprint(scores, positions, weights)
        return self

    def predict(self, scores_or_P: Any) -> Floats:
        """Recalibrated scores, shape (N, d)."""
        self._require_fit()
        return self._mapped(self._scores(scores_or_P))

    def _mapped(self, scores: Floats) -> Floats:
        return np.asarray(scores @ self.matrix_.T + self.offset_)

    def _scores(self, given: Any) -> Floats:
        d = self.prop.dimension
        if columns_of(given) not in (0, d):
            return self.prop.value(given)
        scores = checked_scores(given)
        if scores.ndim != 2:
            raise PredictionError(f"scores must have shape (rows, {d}); got shape {scores.shape}")
        return scores

    def _checked(self) -> LinearProperty:
        if not isinstance(self.prop, LinearProperty):
            raise CostMatrixError(
                f"AffineRecalibrator needs a LinearProperty, ic.linear(cost); got {type(self.prop).__name__}. "
                "ic.IsotonicRecalibrator repairs scores of one number"
            )
        return self.prop
