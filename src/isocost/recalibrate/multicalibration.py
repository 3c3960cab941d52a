"""Multicalibrator: scores that are Γ-calibrated in every group at once, overlapping groups included."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.exceptions import CostMatrixError
from isocost.fingerprint import fingerprint
from isocost.linear_property import LinearProperty
from isocost.pav import knots_of
from isocost.recalibrate.groups import Groups, groups_of, masks_of
from isocost.recalibrate.levels import Levels, Step, Watched
from isocost.recalibrate.manners import Recalibrator
from isocost.recalibrate.rows import ScalarProperty, checked_rows, scalar_property, scores_of

__all__ = ["Multicalibrator"]

Floats = NDArray[np.float64]
Masks = NDArray[np.bool_]
Positions = NDArray[np.intp]

# So many steps without a new least held-out loss end the fit.
PATIENCE = 20


class Multicalibrator(Recalibrator):
    """Batch multicalibration: every score is calibrated in every group, and among everybody.

    Scores are binned, each bin at Γ of its labels. Then, while a cell {score = v, group G} has
    |E[V(v, Y)]|·√Pr[cell] above the tolerance, the worst one moves to its root. A step lowers the
    expected surrogate loss E L by at least Pr[cell]·z²/(2·a), a the largest slope of V, so there are at most
    2·a·E L/tolerance² steps.

    Parameters
    ----------
    prop : SmoothProperty, or LinearProperty of one number
    tolerance : float
        In units of ρ, the widest range of V(u, ·) over outcomes: where no step is left, each cell
        has |E[V(v, Y)]| ≤ tolerance·ρ/√Pr[cell] on the rows of the fit.
    bins : int
        Of about equal weight, at the start. Equal scores share one.
    holdout : float
        Share of the rows, drawn by `seed`, on which only the loss is watched: steps after its least
        value are dropped. 0 keeps all steps.
    max_steps : int
    seed : int

    Attributes
    ----------
    thresholds_, start_ : ndarray, shapes (M-1,) and (M,)
        Ends of the bins and their first scores.
    steps_ : list of Step
    losses_, held_out_losses_ : ndarray, shape (steps + 1,)
        Mean surrogate loss at the start and after each step.
    stopped_ : {"tolerance", "held-out loss", "max_steps"}
        Why there are no more steps; the tolerance holds for the first.
    groups_ : Groups
    rows_ : int
        How many rows of the fit had a weight above 0.
    fingerprint_ : str
        Name of the rows of the fit, by which an audit knows them again.

    Notes
    -----
    The guarantee needs a V without jumps (not method="touching"). With `interior` it is that of
    cells whose distributions lie inside.

    Examples
    --------
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 1], [1, 0]]))  # Γ(p) = 2·p_1 - 1
    >>> scores, y, group = [0.0] * 8, [0, 0, 0, 1, 1, 1, 1, 0], ["a"] * 4 + ["b"] * 4
    >>> multi = ic.Multicalibrator(prop, holdout=0).fit(scores, y, group)
    >>> multi.predict([0.0, 0.0], ["a", "b"]).tolist(), multi.stopped_
    ([-0.5, 0.5], 'tolerance')
    """

    thresholds_: Floats
    start_: Floats
    steps_: list[Step]
    losses_: Floats
    held_out_losses_: Floats
    stopped_: str
    groups_: Groups
    rows_: int
    fingerprint_: str

    def __init__(
        self,
        prop: ScalarProperty,
        tolerance: float = 0.01,
        bins: int = 20,
        holdout: float = 0.25,
        max_steps: int = 1000,
        seed: int = 0,
    ) -> None:
        self.prop = prop
        self.tolerance = tolerance
        self.bins = bins
        self.holdout = holdout
        self.max_steps = max_steps
        self.seed = seed
        scalar_property(prop, type(self).__name__)

    def fit(self, scores_or_P: Any, y: ArrayLike, groups: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the steps.

        Parameters
        ----------
        scores_or_P : array_like, shape (N,) or (N, n), or frame
            Scores, or probabilities, whose Γ is taken first.
        y : sequence of outcome labels
        groups : dict or frame of bool columns, ndarray of bool, shape (N, G), or a column of labels
            Groups may overlap. Everybody is a group in any case.
        sample_weight : array_like, shape (N,), optional
            At least 0; rows of weight 0 do not count.
        """
        prop = scalar_property(self.prop, type(self).__name__)
        self._check_parameters()
        scores, positions, weights = checked_rows(scores_or_P, y, sample_weight, prop)
        found = groups_of(groups)
        masks = masks_of(groups, found, len(scores))
        held = np.random.default_rng(self.seed).permutation(len(scores)) < round(self.holdout * len(scores))
        if not weights[~held].any():  # too few rows to hold any out
            held[:] = False
        used = ~held & (weights > 0)
        self.groups_ = found
        self.thresholds_, starts = _bins(scores[used], weights[used], self.bins)
        levels = Levels(prop, starts, positions[used], weights[used] / weights[used].sum(), masks[used])
        self.start_ = levels.start
        watched = Watched(prop, self._started(scores[held]), positions[held], weights[held], masks[held])
        self._walk(levels, watched)
        self.rows_ = int(np.count_nonzero(weights))
        self.fingerprint_ = fingerprint(scores, positions, weights)
        return self

    def predict(self, scores_or_P: Any, groups: Any) -> Floats:
        """Recalibrated scores, as the property takes them, by replaying the steps; groups as in ``fit``."""
        self._require_fit()
        scores = scores_of(scores_or_P, self.prop)
        found = self._mapped(scores, masks_of(groups, self.groups_, len(scores)))
        return found[:, None] if isinstance(self.prop, LinearProperty) else found

    def _walk(self, levels: Levels, watched: Watched) -> None:
        _, values, _ = knots_of(self.prop)
        bound = (self.tolerance * float(np.ptp(values, axis=1).max())) ** 2
        steps: list[Step] = []
        losses, held_out = [levels.loss()], [watched.loss]
        self.stopped_ = "max_steps"
        while len(steps) < self.max_steps:
            step = levels.worst(bound)
            if step is None:
                self.stopped_ = "tolerance"
                break
            levels.move(step)
            watched.move(step)
            steps.append(step)
            losses.append(levels.loss())
            held_out.append(watched.loss)
            if watched.any and len(steps) - int(np.argmin(held_out)) >= PATIENCE:
                break
        best = int(np.argmin(held_out)) if watched.any else len(steps)
        if best < len(steps):
            self.stopped_ = "held-out loss"
        self.steps_ = steps[:best]
        self.losses_, self.held_out_losses_ = np.array(losses[: best + 1]), np.array(held_out[: best + 1])

    def _started(self, scores: Floats) -> Floats:
        return np.asarray(self.start_[np.searchsorted(self.thresholds_, scores, side="left")])

    def _mapped(self, scores: Floats, masks: Masks) -> Floats:
        found = self._started(scores)
        for step in self.steps_:
            found[(found == step.score) & masks[:, step.group]] = step.root
        return found

    def _check_parameters(self) -> None:
        def number(name: str, low: float, high: float) -> None:
            value = getattr(self, name)
            if not (isinstance(value, (int, float)) and low <= value < high):
                raise CostMatrixError(f"{name} must be at least {low:g} and below {high:g}; got {value!r}")

        number("tolerance", 1e-9, math.inf)
        number("holdout", 0, 1)
        for name in ("bins", "max_steps"):
            number(name, 1, 2**31)


def _bins(scores: Floats, weights: Floats, bins: int) -> tuple[Floats, Positions]:
    """Thresholds of bins of about equal weight, and the bin of each row, #{i : threshold_i < u}; none is empty."""
    order = np.argsort(scores, kind="stable")
    risen = np.cumsum(weights[order])
    ends = np.searchsorted(risen, risen[-1] * np.arange(1, bins) / bins)
    thresholds = np.unique(scores[order][np.minimum(ends, len(order) - 1)])
    thresholds = thresholds[thresholds < scores.max()]
    return thresholds, np.searchsorted(thresholds, scores, side="left")
