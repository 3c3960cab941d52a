"""The levels of a score, in rising order: what every measure of a score sees."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.frequencies import Frequencies, frequencies
from isocost.auditing.grid import Atoms, Grid
from isocost.auditing.sums import OFFSET, OFFSET2, Sums
from isocost.property import SmoothProperty

__all__ = ["Levels", "levels_of"]

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Levels:
    """Levels of the score, rising: cells of the grid that have rows, distinct scores, or bins of either.

    Attributes
    ----------
    prop : SmoothProperty
    score : ndarray, shape (M,)
        Mean score of each level.
    ends : ndarray, shape (M, 2)
        Lowest and highest score.
    at : Frequencies
        Of the outcomes at each level.
    signed : ndarray, shape (M, n)
        Mean of V(u, y) over the rows of a level with outcome y; at the level's score where there are none.
    loss : ndarray, shape (M, n)
        Mean of L(u, y) over the same.
    cell : ndarray of int, shape (M,)
        Position of the decision; of a bin, that of its mean score.
    predicted, spread : ndarray, shape (M, n), or None
        Σ w·p_j and Σ w²·(p_j - 1{y=j})².
    """

    prop: SmoothProperty
    score: Floats
    ends: Floats
    at: Frequencies
    signed: Floats
    loss: Floats
    cell: Integers
    predicted: Floats | None
    spread: Floats | None

    @property
    def pull(self) -> Floats:
        """E[V(u, Y); level], the share of each level in the mean of V, shape (M,)."""
        return np.asarray((self.at.weight * self.signed).sum(axis=1) / self.at.weight.sum())

    def binned(self, to: Integers) -> Levels:
        """Neighbouring levels joined: level i goes into bin to[i], which does not fall along i."""
        first = np.flatnonzero(np.r_[True, np.diff(to) > 0])
        last = np.r_[first[1:], len(to)] - 1
        at = self.at.joined(first)
        totals = self.at.weight.sum(axis=1)
        score = np.add.reduceat(totals * self.score, first) / np.add.reduceat(totals, first)

        def joined(x: Floats, unseen: Floats) -> Floats:
            total = np.add.reduceat(self.at.weight * x, first, axis=0)
            return np.asarray(np.divide(total, at.weight, out=unseen, where=at.weight > 0))

        ends = np.stack([self.ends[first, 0], self.ends[last, 1]], axis=1)
        score, outcomes = np.clip(score, *ends.T), np.arange(at.weight.shape[1])
        return replace(
            self,
            score=score,
            ends=ends,
            at=at,
            signed=joined(self.signed, self.prop.identification(score[:, None], outcomes)),
            loss=joined(self.loss, self.prop.loss(score[:, None], outcomes)),
            cell=self.prop.cell(score),
            predicted=None if self.predicted is None else np.add.reduceat(self.predicted, first, axis=0),
            spread=None if self.spread is None else np.add.reduceat(self.spread, first, axis=0),
        )


def levels_of(sums: Sums, cells: Grid | Atoms, prop: SmoothProperty) -> Levels:
    """Levels of the cells that have rows."""
    values = sums.labels.value
    keys = np.flatnonzero(values[:, :, 0].any(axis=1))
    at = frequencies(sums, keys)
    origins, ends = cells.origins[keys], np.stack([sums.lowest[keys], sums.highest[keys]], axis=1)
    totals = at.weight.sum(axis=1)
    score = np.clip(origins + values[keys, :, OFFSET].sum(axis=1) / totals, *ends.T)
    # V is linear and L quadratic within a cell, so their means follow from those of the score and its square.
    low, high = ends[:, :1], ends[:, 1:]
    outcomes = np.arange(at.weight.shape[1])
    start, width = prop.identification(low, outcomes), high - low
    rise = np.divide(prop.identification(high, outcomes) - start, width, out=np.zeros_like(start), where=width > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        first = values[keys, :, OFFSET] / at.weight
        second = values[keys, :, OFFSET2] / at.weight
    back = origins[:, None] - low
    seen, mean = at.weight > 0, score[:, None] - low
    first, second = np.where(seen, first + back, mean), np.where(seen, second + 2 * back * first + back**2, mean**2)
    predicted = None if sums.predicted is None else sums.predicted.value[keys]
    return Levels(
        prop,
        score,
        ends,
        at,
        start + rise * first,
        prop.loss(low, outcomes) + start * first + rise * second / 2,
        prop.cell(ends[:, 1]),
        None if predicted is None else predicted[:, :, 0],
        None if predicted is None else predicted[:, :, 1],
    )
