"""LinearScore: a linear model of the score, fitted to the surrogate loss."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.interface import Property
from isocost.learn.base import BaseEstimator, RegressorMixin, checked_sample_weight
from isocost.learn.surrogate import Surrogate, checked_property
from isocost.linear_property import LinearProperty

__all__ = ["LinearScore"]

Floats = NDArray[np.float64]


class LinearScore(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Linear model u = Xβ + b with the least Σ w·L(u, y) + alpha/2·‖β‖², by L-BFGS.

    With a linear property it is Ridge regression of φ(y). Features are centred and scaled inside by
    the curvature of the loss at the best constant score, so that few steps are enough; the penalty
    is on β as it is reported, without the intercept. Where the loss is not convex
    (``method="normals"``) the result is a local minimum that is better than the best constant.

    Parameters
    ----------
    prop : SmoothProperty or LinearProperty
        Set by :class:`isocost.learn.SurrogateClassifier`.
    alpha : float
        Strength of the penalty, at least 0.
    fit_intercept : bool
    max_iter : int
        Most steps of L-BFGS.
    tol : float
        Size of the gradient, relative to the loss of the best constant, at which to stop.

    Attributes
    ----------
    coef_ : ndarray, shape (p,) or (d, p)
    intercept_ : float or ndarray, shape (d,)
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> import isocost as ic
    >>> from isocost.learn import LinearScore
    >>> cost = ic.CostMatrix.ordinal(["low", "mid", "high"])
    >>> X = np.random.default_rng(0).normal(size=(500, 2))
    >>> y = np.digitize(X[:, 0], [-0.5, 0.5])
    >>> model = LinearScore(ic.smooth(cost, "embedding"), alpha=0.1).fit(X, y)
    >>> model.prop.decide(model.predict([[-2, 0], [0, 0], [2, 0]])).tolist()
    ['low', 'mid', 'high']
    """

    coef_: Floats
    intercept_: Floats | float
    n_iter_: int

    def __init__(
        self,
        prop: Property | None = None,
        alpha: float = 1.0,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-6,
    ) -> None:
        self.prop = prop
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : array_like, sparse matrix or frame, shape (N, p)
        y : array_like of int, shape (N,)
            Outcome positions.
        sample_weight : array_like, shape (N,), optional
        """
        from sklearn.utils import check_scalar
        from sklearn.utils.validation import validate_data

        surrogate = Surrogate(checked_property(self.prop))
        check_scalar(self.alpha, "alpha", Real, min_val=0)
        check_scalar(self.tol, "tol", Real, min_val=0, include_boundaries="neither")
        check_scalar(self.max_iter, "max_iter", Integral, min_val=1)
        X, labels = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        weights = checked_sample_weight(sample_weight, X)
        problem = Problem(X, labels, weights, surrogate, float(self.alpha), bool(self.fit_intercept))
        coef, intercept, self.n_iter_ = problem.solved(int(self.max_iter), float(self.tol))
        scalar = not isinstance(surrogate.prop, LinearProperty)
        self.coef_, self.intercept_ = (coef[0], float(intercept[0])) if scalar else (coef, intercept)
        return self

    def predict(self, X: Any) -> Floats:
        """Scores, shape (N,), or (N, d) for a linear property.

        Parameters
        ----------
        X : array_like, sparse matrix or frame, shape (N, p)
        """
        from sklearn.utils.validation import check_is_fitted, validate_data

        check_is_fitted(self)
        X = validate_data(self, X, reset=False, accept_sparse="csr", dtype=np.float64)
        return np.asarray(X @ self.coef_.T + self.intercept_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class Problem:
    """Penalised loss of a linear score as a function of scaled coefficients.

    The score is start + Σ_j z_j (x_j - centre_j) / scale_j + shift; the loss is divided by what the
    best constant score loses. X itself is neither centred nor copied.
    """

    def __init__(
        self,
        X: Any,
        labels: NDArray[Any],
        weights: Floats | None,
        surrogate: Surrogate,
        alpha: float,
        fit_intercept: bool,
    ) -> None:
        self.X, self.labels, self.weights, self.surrogate = X, labels, weights, surrogate
        self.alpha, self.fit_intercept = alpha, fit_intercept
        d = len(surrogate.components)
        start = surrogate.start(labels, weights).reshape(d)
        self.start = start if fit_intercept else np.zeros(d)
        flat = np.tile(self.start, (len(labels), 1))
        self.unit = surrogate.total(flat, labels, weights)
        curvature = surrogate.gradients(flat, labels, weights, np.float64)[1].mean(axis=1)
        total = curvature.sum()
        p = X.shape[1]
        self.centre = np.asarray(X.T @ curvature).reshape(p) / total if fit_intercept else np.zeros(p)
        squares = X.multiply(X).T @ curvature if hasattr(X, "multiply") else np.einsum("ij,ij,i->j", X, X, curvature)
        spread = np.asarray(squares).reshape(p) - total * self.centre**2
        # A constant feature has rounding noise for a spread; it is left alone.
        spread = np.where(spread > 1e-12 * np.asarray(squares).reshape(p), spread, 0.0) + alpha
        self.scale = np.sqrt(np.where(spread > 0, spread, np.inf) / self.unit) if self.unit > 0 else np.ones(p)
        self.shift_scale = np.sqrt(total / self.unit) if self.unit > 0 else 1.0

    def solved(self, max_iter: int, tol: float) -> tuple[Floats, Floats, int]:
        """Coefficients (d, p), intercepts (d,) and the number of steps."""
        from scipy.optimize import minimize

        d, p = len(self.start), len(self.centre)
        if self.unit == 0 or d == 0:
            return np.zeros((d, p)), self.start, 0
        options = {"maxiter": max_iter, "maxfun": 10 * max_iter, "gtol": tol, "ftol": 64 * np.finfo(float).eps}
        found = minimize(self.value, np.zeros(d * (p + 1)), method="L-BFGS-B", jac=True, options=options)
        # Curvatures are about 1 here, so a gradient g promises a fall of g²/2; below rounding the search finds none.
        least = np.abs(found.jac).max() <= np.sqrt(np.finfo(float).eps)
        if not (found.success or least):
            from sklearn.exceptions import ConvergenceWarning

            warnings.warn(
                f"L-BFGS stopped after {found.nit} steps before the loss was least ({found.message}). Increase "
                "max_iter or tol, or scale the features",
                ConvergenceWarning,
                stacklevel=3,
            )
        coef, shift = self._unscaled(found.x)
        return coef, self.start + shift - coef @ self.centre, int(found.nit)

    def value(self, z: Floats) -> tuple[float, Floats]:
        """Loss and its gradient at scaled coefficients."""
        coef, shift = self._unscaled(z)
        scores = np.asarray(self.X @ coef.T) + (self.start + shift - coef @ self.centre)
        total = self.surrogate.total(scores, self.labels, self.weights) + self.alpha / 2 * float((coef**2).sum())
        slopes = np.asarray(self.surrogate.gradients(scores, self.labels, self.weights, np.float64)[0])
        sums = slopes.sum(axis=0)
        by_coef = np.asarray(self.X.T @ slopes).T - sums[:, None] * self.centre + self.alpha * coef
        by_shift = sums / self.shift_scale if self.fit_intercept else np.zeros(len(sums))
        gradient = np.concatenate([by_coef / self.scale, by_shift[:, None]], axis=1)
        return total / self.unit, gradient.ravel() / self.unit

    def _unscaled(self, z: Floats) -> tuple[Floats, Floats]:
        table = z.reshape(len(self.start), -1)
        return table[:, :-1] / self.scale, table[:, -1] / self.shift_scale
