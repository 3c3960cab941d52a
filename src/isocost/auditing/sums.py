"""Sums over rows that share a key: a decision, a cell of the score. They add up with +."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.compensated import Compensated

__all__ = ["ClusterSums", "ScoresAt", "Sums", "label_sums", "merged_weights"]

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]
COUNT, WEIGHT, WEIGHT2, OFFSET, OFFSET2 = range(5)


@dataclass(frozen=True, eq=False)
class ClusterSums:
    """Weight of each cluster of rows at each key and outcome, where it has any."""

    labels: NDArray[np.generic]  # of the clusters, each once
    cluster: Integers
    key: Integers
    outcome: Integers
    weight: Floats

    def __add__(self, other: Self) -> Self:
        labels, where = np.unique(np.concatenate([self.labels, other.labels]), return_inverse=True)
        mine, others = where[: len(self.labels)], where[len(self.labels) :]
        cluster = np.concatenate([mine[self.cluster], others[other.cluster]])
        key, outcome = (np.concatenate([getattr(self, x), getattr(other, x)]) for x in ("key", "outcome"))
        return type(self)(labels, *merged_weights(cluster, key, outcome, np.r_[self.weight, other.weight]))


def merged_weights(
    cluster: Integers, key: Integers, outcome: Integers, w: Floats
) -> tuple[Integers, Integers, Integers, Floats]:
    """Weights of equal (cluster, key, outcome) added up."""
    order = np.lexsort((outcome, key, cluster))
    cluster, key, outcome = cluster[order], key[order], outcome[order]
    new = (np.diff(cluster) != 0) | (np.diff(key) != 0) | (np.diff(outcome) != 0)
    first = np.flatnonzero(np.r_[True, new]) if len(order) else np.zeros(0, dtype=np.intp)
    weights = np.add.reduceat(w[order], first) if len(order) else w
    return cluster[first], key[first], outcome[first], weights


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of the rows with each key 0..K-1.

    Attributes
    ----------
    labels : Compensated, shape (K, n, 5)
        Of the rows with each outcome: their number, Σw, Σw², Σw·d, Σw·d², d the offset of the score
        from the origin of its cell.
    predicted : Compensated, shape (K, n, 2), or None
        Σw·p_j and Σw²·(p_j - 1{y=j})² for each outcome j.
    lowest, highest : ndarray, shape (K,)
        Scores; inf and -inf where there are no rows.
    clusters : ClusterSums or None
    """

    labels: Compensated
    predicted: Compensated | None
    lowest: Floats
    highest: Floats
    clusters: ClusterSums | None = None

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.labels + other.labels,
            None if self.predicted is None or other.predicted is None else self.predicted + other.predicted,
            np.minimum(self.lowest, other.lowest),
            np.maximum(self.highest, other.highest),
            None if self.clusters is None or other.clusters is None else self.clusters + other.clusters,
        )

    def grouped(self, to: Integers, size: int) -> Self:
        """Sums under coarser keys, key i going to to[i] of `size`."""
        belongs = (to == np.arange(size)[:, None]).astype(np.float64)

        def added(x: Compensated) -> Compensated:
            found = (belongs @ x.value.reshape(len(to), -1)).reshape(size, *x.total.shape[1:])
            return Compensated(found, np.zeros_like(found))

        lowest, highest = np.full(size, np.inf), np.full(size, -np.inf)
        np.minimum.at(lowest, to, self.lowest)
        np.maximum.at(highest, to, self.highest)
        of, clusters = self.clusters, None
        if of is not None:
            clusters = ClusterSums(of.labels, *merged_weights(of.cluster, to[of.key], of.outcome, of.weight))
        return type(self)(
            added(self.labels), None if self.predicted is None else added(self.predicted), lowest, highest, clusters
        )

    def moved(self, keys: Integers, size: int) -> Self:
        """The same sums under other keys, key i becoming keys[i], each another."""

        def spread(x: Floats, fill: float = 0.0) -> Floats:
            found = np.full((size, *x.shape[1:]), fill)
            found[keys] = x
            return found

        def both(x: Compensated) -> Compensated:
            return Compensated(spread(x.total), spread(x.rest))

        clusters = self.clusters and replace(self.clusters, key=keys[self.clusters.key])
        predicted = None if self.predicted is None else both(self.predicted)
        return type(self)(
            both(self.labels), predicted, spread(self.lowest, np.inf), spread(self.highest, -np.inf), clusters
        )


class ScoresAt(NamedTuple):
    """Scores of rows, and their offsets from the origins of their cells."""

    u: Floats
    offset: Floats


def label_sums(
    keys: Integers,
    size: int,
    y: Integers,
    n: int,
    w: Floats,
    scores: ScoresAt | None = None,
    P: NDArray[np.floating] | None = None,
    clusters: tuple[NDArray[np.generic], Integers] | None = None,
) -> Sums:
    """Sums of rows with the given keys, outcome positions and weights.

    Parameters
    ----------
    keys : ndarray of int, shape (N,)
    size : int
        Number of keys.
    y : ndarray of int, shape (N,)
    n : int
        Number of outcomes.
    w : ndarray, shape (N,)
    scores : ScoresAt, optional
    P : ndarray, shape (N, n), optional
        Probabilities.
    clusters : (labels, positions), optional
        Rows of one cluster depend on each other.
    """
    from isocost.auditing.loops import add_labels, add_predictions, count_labels, in_parts  # numba is slow to import

    unit = bool((w == 1).all())

    def part(start: int, stop: int) -> Sums:
        labels = Compensated.zeros((size, n, 5))
        lowest, highest = np.full(size, np.inf), np.full(size, -np.inf)
        if scores is None:
            count_labels(keys, y, w, labels.total, labels.rest, start, stop)
        else:
            add_labels(keys, y, w, *scores, unit, labels.total, labels.rest, lowest, highest, start, stop)
        predicted = None
        if P is not None:
            predicted = Compensated.zeros((size, n, 2))
            add_predictions(P, keys, y, w, predicted.total, predicted.rest, start, stop)
        return Sums(labels, predicted, lowest, highest)

    found: Sums = reduce(add, in_parts(len(keys), part))
    if clusters is None:
        return found
    names, positions = clusters
    if P is not None and found.predicted is not None:
        _spread_over_clusters(found.predicted, positions, keys, y, w, P)
    return replace(found, clusters=ClusterSums(names, *merged_weights(positions, keys, y, w)))


def _spread_over_clusters(
    predicted: Compensated, cluster: Integers, keys: Integers, y: Integers, w: Floats, P: NDArray[np.floating]
) -> None:
    """Let the squares be those of the sums over a cluster: its rows do not vary by themselves."""
    order = np.lexsort((keys, cluster))
    first = np.flatnonzero(np.r_[True, (np.diff(cluster[order]) != 0) | (np.diff(keys[order]) != 0)])
    misses = w[:, None] * P
    misses[np.arange(len(y)), y] -= w
    squares = np.add.reduceat(misses[order], first, axis=0) ** 2
    predicted.total[:, :, 1] = 0.0
    predicted.rest[:, :, 1] = 0.0
    np.add.at(predicted.total[:, :, 1], keys[order][first], squares)
