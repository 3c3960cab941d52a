"""Surrogate: the loss of a property as training loops ask for it, many rows at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.exceptions import CostMatrixError, PredictionError
from isocost.interface import Property
from isocost.learn.construction import expected_slopes
from isocost.linear_property import LinearProperty
from isocost.pieces import Pieces, pieces_of
from isocost.property import SmoothProperty
from isocost.weights import checked_weights

__all__ = ["Surrogate", "checked_property"]

Floats = NDArray[np.float64]
Reals = NDArray[np.floating[Any]]

# Rows of one task of the thread pool; fixed, so that sums do not depend on the number of threads.
CHUNK = 1 << 16
# A curvature is at least this share of the average slope of V, and where V jumps at most this multiple of it.
LEAST, MOST = 0.01, 10.0


class Component(NamedTuple):
    """What the loops need of one number of the score."""

    knots: Floats
    origins: Floats
    table: Floats
    minimisers: Floats
    least: Floats
    most: Floats
    steepness: Floats


@dataclass(frozen=True)
class Surrogate:
    """Loss, V and curvature of a property, summed or filled in by compiled loops.

    The curvature of a row is the slope of the chord of V from the score to the outcome's minimiser
    u* (where V is 0): h = V(u, y) / (u - u*). It is positive also where V is flat or falls, since V
    changes its sign at u* only, and a Newton step of any set of rows, the weighted mean of u - u*,
    never leaves the range of the minimisers. For squares it is the second derivative.
    An "efficient" property, made for training, has Fisher scoring: the expected slope of V at the score,
    the same for every outcome.

    Parameters
    ----------
    prop : SmoothProperty or LinearProperty
    """

    prop: Property

    @cached_property
    def components(self) -> tuple[Component, ...]:
        """One a number of the score: those of a linear property are each V(u, y) = u - φ(y)."""
        if isinstance(self.prop, LinearProperty):
            return tuple(_component(np.zeros(1), -row[None, :]) for row in self.prop.basis)
        assert isinstance(self.prop, SmoothProperty)
        component = _component(self.prop.knots, self.prop.values)
        if self.prop.method != "efficient":
            return (component,)
        return (component._replace(steepness=expected_slopes(self.prop.knots, self.prop.values, LEAST)),)

    def gradients(
        self, scores: ArrayLike, labels: ArrayLike, weights: ArrayLike | None = None, dtype: Any = np.float32
    ) -> tuple[Reals, Reals]:
        """Weighted V and curvature, each of the shape of the scores, (N,) or (N, d).

        Parameters
        ----------
        scores : array_like, shape (N,) or (N, d)
        labels : array_like, shape (N,)
            Outcome positions, as whole numbers of any type.
        weights : array_like, shape (N,), optional
        dtype : dtype
            Of the result.
        """
        from isocost.kernels import in_chunks
        from isocost.learn.loops import fill_gradients

        columns, rows, row_weights = self._prepared(scores, labels, weights)
        found = np.empty((2, len(columns), len(rows)), dtype=dtype)
        for one, column, (gradient, curvature) in zip(self.components, columns, found.transpose(1, 0, 2), strict=True):
            arguments = (column, rows, row_weights, *one, gradient, curvature)
            self._refuse(in_chunks(len(rows), CHUNK, lambda i, j, a=arguments: fill_gradients(*a, i, j)), rows)  # type: ignore[misc]
        if np.ndim(scores) == 1:
            return found[0, 0], found[1, 0]
        return found[0].T, found[1].T

    def total(self, scores: ArrayLike, labels: ArrayLike, weights: ArrayLike | None = None) -> float:
        """Weighted sum of the losses."""
        from isocost.kernels import in_chunks
        from isocost.learn.loops import sum_losses

        columns, rows, row_weights = self._prepared(scores, labels, weights)
        total = 0.0
        for one, column in zip(self.components, columns, strict=True):
            arguments = (column, rows, row_weights, *one[:3])
            sums = in_chunks(len(rows), CHUNK, lambda i, j, a=arguments: sum_losses(*a, i, j))  # type: ignore[misc]
            self._refuse([bad for _, bad in sums], rows)
            total += sum(part for part, _ in sums)
        return total

    def mean(self, scores: ArrayLike, labels: ArrayLike, weights: ArrayLike | None = None) -> float:
        """Weighted mean of the losses."""
        rows = len(np.asarray(labels))
        return self.total(scores, labels, weights) / (rows if weights is None else float(np.sum(weights)))

    def start(self, labels: ArrayLike, weights: ArrayLike | None = None) -> Floats:
        """Γ of the weighted frequencies of the labels, the best constant score; shape () or (d,).

        Parameters
        ----------
        labels : array_like of int, shape (N,)
            Outcome positions.
        weights : array_like, shape (N,), optional
        """
        rows = np.asarray(labels).reshape(-1)
        n = len(self.prop.outcomes)
        self._refuse([_first_wrong(rows, n)], rows)
        counts = np.bincount(rows.astype(np.intp), checked_weights(weights, len(rows)), minlength=n)
        return np.asarray(self.prop.value(counts[None, :] / counts.sum())[0])

    def _prepared(
        self, scores: ArrayLike, labels: ArrayLike, weights: ArrayLike | None
    ) -> tuple[list[Reals], NDArray[Any], Reals]:
        """Columns of the scores, labels and weights as contiguous arrays; none is copied that is one already."""
        # One type each, so that the loops are compiled once; float32 is how boosting libraries store labels.
        u, rows = np.asarray(scores), np.ascontiguousarray(labels, dtype=np.float32)
        if u.dtype != np.float32:  # XGBoost's, which are not worth a copy
            u = u.astype(np.float64, copy=False)
        d = self.prop.dimension
        if rows.ndim != 1 or u.shape not in ((len(rows),), (len(rows), d)) or (u.ndim == 1 and d != 1):
            raise PredictionError(
                f"scores must have shape (rows, {d}) and labels (rows,); got shapes {u.shape} and {rows.shape}"
            )
        columns: list[Reals] = [np.ascontiguousarray(u if u.ndim == 1 else u[:, c]) for c in range(d)]
        row_weights = np.empty(0) if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
        if weights is not None and row_weights.shape != rows.shape:
            raise PredictionError(
                f"weights must have one entry for each row, {len(rows)}; got shape {row_weights.shape}"
            )
        return columns, rows, row_weights

    def _refuse(self, bad: list[int], labels: NDArray[Any]) -> None:
        wrong = [row for row in bad if row >= 0]
        if wrong:
            raise PredictionError(
                f"labels must be outcome positions 0..{len(self.prop.outcomes) - 1}, which cost.positions(y) makes; "
                f"row {wrong[0]} is {labels[wrong[0]]}"
            )


def checked_property(prop: object) -> SmoothProperty | LinearProperty:
    """The property itself, if its loss can be trained on."""
    if isinstance(prop, (SmoothProperty, LinearProperty)):
        return prop
    raise CostMatrixError(
        f"an objective needs a property; got {type(prop).__name__}. Write ic.smooth(cost) or ic.property_for(cost)"
    )


def _component(knots: Floats, values: Floats) -> Component:
    pieces = pieces_of(knots, values)
    table = np.ascontiguousarray(np.stack([pieces.start, pieces.slopes, pieces.losses], axis=1))
    width = knots[-1] - knots[0]
    average = (values[-1] - values[0]) / width if width > 0 else np.ones(values.shape[1])
    average = np.where(average > 0, average, np.abs(average).max() or 1.0)
    most = np.maximum(pieces.slopes.max(axis=0), MOST * average)
    filled = np.pad(knots, (0, -len(knots) % 4), constant_values=np.inf)  # as the loops want them
    return Component(filled, pieces.origins, table, _minimisers(knots, pieces), LEAST * average, most, np.empty(0))


def _minimisers(knots: Floats, pieces: Pieces) -> Floats:
    """For each outcome the score with the least loss: at a knot, or where a rising V passes 0."""
    low, high = np.r_[-np.inf, knots][:, None], np.r_[knots, np.inf][:, None]
    origins = pieces.origins[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        roots = origins - pieces.start / pieces.slopes
    candidates = np.where(pieces.slopes > 0, np.clip(roots, low, high), origins)
    steps = candidates - origins
    losses = pieces.losses + steps * (pieces.start + pieces.slopes * steps / 2)
    return np.asarray(np.take_along_axis(candidates, losses.argmin(axis=0)[None, :], axis=0)[0])


def _first_wrong(labels: NDArray[Any], outcomes: int) -> int:
    wrong = ~((labels >= 0) & (labels < outcomes) & (labels == np.floor(labels)))
    return int(wrong.argmax()) if wrong.any() else -1
