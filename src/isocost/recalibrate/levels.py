"""Level sets of a score that moves cell by cell: what multicalibration keeps count of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.linear_property import LinearProperty
from isocost.recalibrate.rows import ScalarProperty

__all__ = ["Levels", "Step", "Watched", "value_of"]

Floats = NDArray[np.float64]
Masks = NDArray[np.bool_]
Positions = NDArray[np.intp]


class Step(NamedTuple):
    """Rows of the group whose score is `score` get the score `root`.

    `group` is a column of the masks, 0 for everybody; `mass` and `error` are the share of the rows
    that moved and z = E[V(score, Y)] over them, on the data of the fit.
    """

    score: float
    root: float
    group: int
    mass: float
    error: float


class Levels:
    """Rows by their present score, with the label weights of each level in each group.

    Parameters
    ----------
    prop : SmoothProperty, or LinearProperty of one number
    starts : ndarray of intp, shape (N,)
        The bin of each row, 0..M-1, none empty.
    positions : ndarray of intp, shape (N,)
    weights : ndarray, shape (N,)
        Of sum 1.
    masks : ndarray of bool, shape (N, G)
        The first is everybody.
    """

    def __init__(
        self, prop: ScalarProperty, starts: Positions, positions: Positions, weights: Floats, masks: Masks
    ) -> None:
        self.prop, self.positions, self.weights, self.masks = prop, positions, weights, masks
        n = len(prop.outcomes)
        bins = int(starts.max()) + 1
        table = np.bincount(starts * n + positions, weights, minlength=bins * n).astype(float).reshape(bins, n)
        self.start = np.array([value_of(prop, row) for row in table])
        self._rows: dict[float, Positions] = {}
        self._losses: dict[float, float] = {}
        self._worst: dict[float, tuple[float, Step]] = {}
        for u in dict.fromkeys(self.start.tolist()):
            self._set(u, np.flatnonzero(self.start[starts] == u))

    def loss(self) -> float:
        """E L at the present scores."""
        return sum(self._losses.values())

    def worst(self, bound: float) -> Step | None:
        """The step of the cell with the largest Pr[cell]·z² above the bound; None where there is none."""
        if not self._worst:
            return None
        gain, step = max(self._worst.values())
        return step if gain > bound else None

    def move(self, step: Step) -> None:
        """Take a step."""
        rows = self._rows.pop(step.score)
        self._losses.pop(step.score)
        self._worst.pop(step.score)
        moves = self.masks[rows, step.group]
        if not moves.all():
            self._set(step.score, rows[~moves])
        there = self._rows.get(step.root, np.empty(0, dtype=np.intp))
        self._set(step.root, np.concatenate([there, rows[moves]]))

    def _set(self, u: float, rows: Positions) -> None:
        """Give a level its rows, and keep its loss and the step of its worst cell."""
        n = len(self.prop.outcomes)
        positions, weights, masks = self.positions[rows], self.weights[rows], self.masks[rows]
        cells = np.array([np.bincount(positions, weights * mask, minlength=n) for mask in masks.T])
        self._rows[u] = rows
        self._losses[u] = float(cells[0] @ _loss(self.prop, u))
        sums, mass = cells @ _identification(self.prop, u), cells.sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            gains = np.where(mass > 0, sums**2 / mass, 0.0)
        self._worst.pop(u, None)
        for g in np.argsort(-gains).tolist():
            if gains[g] == 0:
                return
            root = value_of(self.prop, cells[g])
            if root != u:  # at a jump of V, or outside Δ_η, V need not be 0 at the root
                step = Step(u, root, g, float(mass[g]), float(sums[g] / mass[g]))
                self._worst[u] = float(gains[g]), step
                return


class Watched:
    """Rows that take every step and choose none: their loss tells when steps fit noise.

    Parameters
    ----------
    prop : SmoothProperty, or LinearProperty of one number
    scores : ndarray, shape (N,)
        At the start.
    positions : ndarray of intp, shape (N,)
    weights : ndarray, shape (N,)
    masks : ndarray of bool, shape (N, G)
    """

    def __init__(
        self, prop: ScalarProperty, scores: Floats, positions: Positions, weights: Floats, masks: Masks
    ) -> None:
        self.prop, self.scores, self.positions, self.masks = prop, scores.copy(), positions, masks
        self.any = bool(weights.any())
        self.shares = weights / weights.sum() if self.any else weights
        self.loss = float(sum(_loss(prop, u) @ self._labels(scores == u) for u in np.unique(scores)))

    def move(self, step: Step) -> None:
        """Take a step."""
        moves = (self.scores == step.score) & self.masks[:, step.group]
        self.loss += float(self._labels(moves) @ (_loss(self.prop, step.root) - _loss(self.prop, step.score)))
        self.scores[moves] = step.root

    def _labels(self, rows: Masks) -> Floats:
        return np.bincount(self.positions[rows], self.shares[rows], minlength=len(self.prop.outcomes)).astype(float)


def value_of(prop: ScalarProperty, label_weights: Floats) -> float:
    """Γ of the distribution in proportion to these weights."""
    return float(np.ravel(prop.value((label_weights / label_weights.sum())[None, :]))[0])


def _loss(prop: ScalarProperty, u: float) -> Floats:
    return prop.loss(_score(prop, u), np.arange(len(prop.outcomes)))


def _identification(prop: ScalarProperty, u: float) -> Floats:
    return np.ravel(prop.identification(_score(prop, u), np.arange(len(prop.outcomes))))


def _score(prop: ScalarProperty, u: float) -> Floats:
    return np.full((1, 1) if isinstance(prop, LinearProperty) else 1, u)
