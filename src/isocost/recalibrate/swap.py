"""SwapRecalibrator: the best replacement of each decision, for any cost matrix."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.costs import CostMatrix
from isocost.exceptions import CostMatrixError, PredictionError
from isocost.fingerprint import fingerprint
from isocost.labels import Label, label_array, positions_of
from isocost.recalibrate.manners import Recalibrator
from isocost.weights import checked_weights

__all__ = ["SwapRecalibrator"]

# Relative to the costs that are compared, a difference that may be rounding and so counts as a tie.
ROUNDING = 1e-12


class SwapRecalibrator(Recalibrator):
    """Map of decisions r ↦ argmin_r′ ⟨D_r, ℓ_r′⟩, with D_r the outcomes seen where r was decided.

    On the data of the fit no further replacement lowers the cost: the result is γ-calibrated. A
    decision that is among the best itself stays; of several better ones the first row of the table
    is taken. A decision that the fit never saw, or only with weight 0, stays.

    Parameters
    ----------
    cost : CostMatrix
        Orderable or not.

    Attributes
    ----------
    map_ : dict of label to label
        Replacement of every decision of the cost matrix.
    positions_ : ndarray of intp, shape (k,)
        The same as row positions.
    weights_ : ndarray, shape (k, n)
        Total weight of each outcome where each decision was taken.
    regret_removed_ : float
        By how much the mean cost falls on the fitted rows: their swap regret.
    rows_ : int
        How many rows of the fit had a weight above 0.
    fingerprint_ : str
        Name of the rows of the fit, by which an audit knows them again.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> swap = ic.SwapRecalibrator(cost).fit(["keep", "keep", "drop", "keep"], ["ok", "bad", "bad", "ok"])
    >>> swap.map_, swap.regret_removed_
    ({'keep': 'drop', 'drop': 'drop'}, 0.75)
    >>> swap.predict(["keep", "drop"]).tolist()
    ['drop', 'drop']
    """

    map_: dict[Label, Label]
    positions_: NDArray[np.intp]
    weights_: NDArray[np.float64]
    regret_removed_: float
    rows_: int
    fingerprint_: str

    def __init__(self, cost: CostMatrix) -> None:
        self.cost = cost
        self._checked()

    def fit(self, decisions: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the map.

        Parameters
        ----------
        decisions : sequence of decision labels, length N
        y : sequence of outcome labels
        sample_weight : array_like, shape (N,), optional
            At least 0; rows of weight 0 do not count.
        """
        cost = self._checked()
        taken = positions_of(decisions, cost.decisions, "decisions")
        happened = positions_of(y, cost.outcomes, "y")
        if len(taken) != len(happened):
            raise PredictionError(
                f"`decisions` and `y` must have the same length; got {len(taken)} and {len(happened)}"
            )
        weights = checked_weights(sample_weight, len(taken))
        k, n = cost.costs.shape
        table = np.bincount(taken * n + happened, weights, minlength=k * n).reshape(k, n)
        self.fit_sums(table, int(np.count_nonzero(weights)))
        self.fingerprint_ = fingerprint(taken, happened, weights)
        return self

    def fit_sums(self, label_weights: ArrayLike, rows: int) -> Self:
        """Learn the map from the total weight of each outcome where each decision was taken.

        Parameters
        ----------
        label_weights : array_like, shape (k, n)
        rows : int
        """
        cost = self._checked()
        k, n = cost.costs.shape
        self.weights_ = np.array(label_weights, dtype=np.float64)
        if self.weights_.shape != (k, n) or not self.weights_.any():
            raise PredictionError(f"label weights must have shape ({k}, {n}) and be above 0 somewhere")
        shares = self.weights_ / self.weights_.sum()  # a huge weight times a huge cost would be infinite
        expected = shares @ cost.costs.T
        own = np.diagonal(expected)
        rounding = ROUNDING * (shares @ np.abs(cost.costs).T).max(axis=1)
        stays = own <= expected.min(axis=1) + rounding
        self.positions_ = np.where(stays, np.arange(k), expected.argmin(axis=1)).astype(np.intp)
        self.map_ = {label: cost.decisions[r] for label, r in zip(cost.decisions, self.positions_, strict=True)}
        self.regret_removed_ = float((own - expected[np.arange(k), self.positions_]).sum())
        self.rows_ = int(rows)
        self.fingerprint_ = fingerprint(self.weights_, np.zeros(k), np.ones(k))
        return self

    def predict(self, decisions: ArrayLike) -> NDArray[np.generic]:
        """Replacement of each decision, labels, shape (N,)."""
        self._require_fit()
        labels = label_array(self.cost.decisions)
        return np.asarray(labels[self.positions_[positions_of(decisions, self.cost.decisions, "decisions")]])

    def _checked(self) -> CostMatrix:
        if not isinstance(self.cost, CostMatrix):
            raise CostMatrixError(
                f"SwapRecalibrator needs a CostMatrix; got {type(self.cost).__name__}. Write ic.CostMatrix(table)"
            )
        return self.cost
