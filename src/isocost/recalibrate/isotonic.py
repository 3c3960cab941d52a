"""IsotonicRecalibrator: the best nondecreasing map of a score, by generalised PAV."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.exceptions import CostMatrixError, PredictionError
from isocost.fingerprint import fingerprint
from isocost.linear_property import LinearProperty
from isocost.pav import pooled, pooled_scores
from isocost.property import SmoothProperty
from isocost.recalibrate.manners import Recalibrator
from isocost.recalibrate.rows import ScalarProperty, checked_rows, scalar_property, scores_of

__all__ = ["IsotonicRecalibrator"]

Floats = NDArray[np.float64]
Positions = NDArray[np.intp]

FOLDS = 5
SHARES = np.linspace(1.0, 0.0, 6)


class IsotonicRecalibrator(Recalibrator):
    """Nondecreasing step function of a score whose every block is Γ-calibrated on the data it was fitted on.

    Rows are sorted by score; a block of neighbours has the value Γ of its label distribution, and
    neighbours are merged while their values are out of order. Rows of one score share a block. Of
    all nondecreasing functions of the score it has the least surrogate loss on the data of the fit,
    and its decisions have the least mean cost.

    Parameters
    ----------
    prop : SmoothProperty, or LinearProperty of one number
        More numbers have no order: there :class:`isocost.SwapRecalibrator` repairs the decisions.
    interpolate : bool
        Between the highest score of a block and the lowest of the next the value rises linearly,
        instead of jumping at the midpoint.
    keep : float in [0, 1] or "auto"
        Share of the score as given in the result, keep·u + (1 - keep)·value: few rows, or scores
        that are right already, give blocks that are mostly noise. "auto" takes the share with the
        least surrogate loss in five-fold cross-validation. Above 0 blocks are not exactly
        calibrated.
    seed : int
        Of the folds.

    Attributes
    ----------
    lowest_, highest_ : ndarray, shape (M,)
        The range of scores of each block.
    thresholds_ : ndarray, shape (M-1,)
        Midpoints between blocks. A score u lies in block #{i : threshold_i < u}, so that one at a
        threshold takes the earlier block, as one at a cut takes the earlier decision.
    values_ : ndarray, shape (M,)
        Recalibrated score of each block, strictly increasing. Below all fitted scores it is the
        first, above them the last.
    label_weights_ : ndarray, shape (M, n)
        Total weight of each outcome in each block.
    keep_ : float
        The share that is kept.
    rows_ : int
        How many rows of the fit had a weight above 0.
    fingerprint_ : str
        Name of the rows of the fit, by which an audit knows them again.

    Notes
    -----
    With `interior` above 0 a block whose distribution is outside Δ_η has the value that
    ``prop.value`` gives it; optimality then holds only where single scores have distributions
    inside.

    Examples
    --------
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]], outcomes=["mild", "moderate", "severe"]))
    >>> scores = [-0.5, -0.2, 0.1, 0.4, 0.8, 1.1]
    >>> y = ["mild", "moderate", "mild", "moderate", "severe", "moderate"]
    >>> iso = ic.IsotonicRecalibrator(prop).fit(scores, y)
    >>> iso.thresholds_.round(3).tolist(), iso.values_.round(3).tolist()
    ([-0.35, 0.25, 0.6], [-0.525, 0.127, 0.131, 0.553])
    >>> iso.predict([-9.0, 0.25, 0.3]).round(3).tolist()
    [-0.525, 0.127, 0.131]
    """

    lowest_: Floats
    highest_: Floats
    thresholds_: Floats
    values_: Floats
    label_weights_: Floats
    keep_: float
    rows_: int
    fingerprint_: str

    def __init__(
        self, prop: ScalarProperty, interpolate: bool = False, keep: float | Literal["auto"] = 0.0, seed: int = 0
    ) -> None:
        self.prop = prop
        self.interpolate = interpolate
        self.keep = keep
        self.seed = seed
        scalar_property(prop, type(self).__name__)

    def fit(self, scores_or_P: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the blocks.

        Parameters
        ----------
        scores_or_P : array_like, shape (N,) or (N, n), or frame
            Scores, or probabilities, whose Γ is taken first.
        y : sequence of outcome labels
        sample_weight : array_like, shape (N,), optional
            At least 0; rows of weight 0 do not count.
        """
        prop = scalar_property(self.prop, type(self).__name__)
        scores, positions, weights = checked_rows(scores_or_P, y, sample_weight, prop)
        self.keep_ = self._chosen_share(scores, positions, weights) if self.keep == "auto" else _share(self.keep)
        self._pool(scores, positions, weights)
        self.rows_ = int(np.count_nonzero(weights))
        self.fingerprint_ = fingerprint(scores, positions, weights)
        return self

    def fit_cells(self, lowest: ArrayLike, highest: ArrayLike, label_weights: ArrayLike, rows: int) -> Self:
        """Learn the blocks from sums over cells of neighbouring scores: all that is known of rows too many to hold.

        The result is the best function that is nondecreasing, and constant on each cell.

        Parameters
        ----------
        lowest, highest : array_like, shape (B,)
            The range of scores in each cell, in rising order, without overlap.
        label_weights : array_like, shape (B, n)
            Total weight of each outcome in each cell, above 0 somewhere.
        rows : int
        """
        prop = scalar_property(self.prop, type(self).__name__)
        if not isinstance(prop, SmoothProperty) or self.keep == "auto":
            raise CostMatrixError('fit_cells needs a SmoothProperty, and a number for keep, as "auto" needs rows')
        low, high, table = (np.asarray(x, dtype=np.float64) for x in (lowest, highest, label_weights))
        if low.shape != high.shape or table.ndim != 2 or low.shape != table.shape[:1]:
            raise PredictionError(
                f"cells must have a lowest and a highest score and label weights each; got shapes {low.shape}, "
                f"{high.shape} and {table.shape}"
            )
        if (low > high).any() or (high[:-1] >= low[1:]).any():
            raise PredictionError("cells must come in rising order of their scores and not overlap")
        self.keep_ = _share(self.keep)
        starts, self.values_ = pooled(table, prop)
        self.lowest_, self.highest_ = low[starts], high[np.r_[starts[1:], len(high)] - 1]
        self.label_weights_ = np.add.reduceat(table, starts, axis=0)
        self.thresholds_ = _between(self.highest_[:-1], self.lowest_[1:])
        self.rows_ = int(rows)
        self.fingerprint_ = fingerprint(np.column_stack([low, high, table]), np.zeros(len(low)), np.ones(len(low)))
        return self

    def predict(self, scores_or_P: Any) -> Floats:
        """Recalibrated scores, as the property takes them: shape (N,), or (N, 1) for a linear one."""
        self._require_fit()
        found = self._mapped(scores_of(scores_or_P, self.prop))
        return found[:, None] if isinstance(self.prop, LinearProperty) else found

    def _pool(self, scores: Floats, positions: Positions, weights: Floats) -> None:
        blocks = pooled_scores(scores, positions, weights, self.prop)
        self.lowest_, self.highest_, self.values_, self.label_weights_ = blocks
        self.thresholds_ = _between(self.highest_[:-1], self.lowest_[1:])

    def _mapped(self, scores: Floats) -> Floats:
        values = self._steps(scores)
        return values if self.keep_ == 0 else self.keep_ * scores + (1 - self.keep_) * values

    def _steps(self, scores: Floats) -> Floats:
        if not self.interpolate:
            return np.asarray(self.values_[np.searchsorted(self.thresholds_, scores, side="left")])
        ends = np.column_stack([self.lowest_, self.highest_]).ravel()
        distinct = np.r_[True, np.diff(ends) > 0]
        return np.interp(scores, ends[distinct], np.repeat(self.values_, 2)[distinct])

    def _chosen_share(self, scores: Floats, positions: Positions, weights: Floats) -> float:
        """The share in SHARES with the least surrogate loss on rows left out; the largest of equal ones."""
        fold = np.random.default_rng(self.seed).permutation(len(scores)) % FOLDS
        losses = np.zeros(len(SHARES))
        for left_out in (fold == i for i in range(FOLDS)):
            rest = ~left_out
            if not (weights[rest].any() and weights[left_out].any()):
                continue
            self._pool(scores[rest], positions[rest], weights[rest])
            given, steps = scores[left_out], self._steps(scores[left_out])
            for i, share in enumerate(SHARES):
                u = share * given + (1 - share) * steps
                u = u[:, None] if isinstance(self.prop, LinearProperty) else u
                losses[i] += weights[left_out] @ self.prop.loss(u, positions[left_out])
        return float(SHARES[losses.argmin()])


def _share(keep: object) -> float:
    if isinstance(keep, (int, float)) and 0 <= keep <= 1:
        return float(keep)
    raise CostMatrixError(f'keep must be a share from 0 to 1 or "auto"; got {keep!r}')


def _between(below: Floats, above: Floats) -> Floats:
    """Midpoints, from `below` on and below `above` even where no double lies between; no overflow."""
    return np.clip(below / 2 + above / 2, below, np.nextafter(above, -np.inf))
