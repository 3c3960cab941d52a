"""Weighted frequencies of outcomes at each of several places, and how much means over them vary."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.sums import COUNT, WEIGHT, WEIGHT2, Sums

__all__ = ["Frequencies", "frequencies"]

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

AT_ONCE = 50  # resamples of clusters whose weights are in memory together


@dataclass(frozen=True, eq=False)
class Frequencies:
    """How often each outcome came at each of M places (a decision, a level of the score, a bin).

    Attributes
    ----------
    weight, weight2 : ndarray, shape (M, n)
        Σw and Σw² of the rows.
    count : ndarray, shape (M, n)
        Number of rows.
    by_cluster : sparse matrix, shape (C, M·n), or None
        Σw of each cluster of rows that depend on each other; without it rows are independent.
    """

    weight: Floats
    weight2: Floats
    count: Floats
    by_cluster: Any = None

    @cached_property
    def mass(self) -> Floats:
        """Share of each place, shape (M,)."""
        return np.asarray(self.weight.sum(axis=1) / self.weight.sum())

    @cached_property
    def distributions(self) -> Floats:
        """Distribution of the outcome at each place, shape (M, n); uniform where there are no rows."""
        totals = self.weight.sum(axis=1, keepdims=True)
        n = self.weight.shape[1]
        return np.asarray(np.divide(self.weight, totals, out=np.full_like(self.weight, 1 / n), where=totals > 0))

    @cached_property
    def overall(self) -> Floats:
        """Distribution of the outcome, shape (n,)."""
        return np.asarray(self.weight.sum(axis=0) / self.weight.sum())

    @cached_property
    def units(self) -> float:
        """Number of independent observations: clusters, or rows, fewer where weights differ (Kish)."""
        if self.by_cluster is not None:
            return float(self.by_cluster.shape[0])
        return float(self.weight.sum() ** 2 / self.weight2.sum())

    def units_at(self, places: NDArray[np.bool_]) -> float:
        """Number of independent observations at some of the places."""
        if self.by_cluster is not None:
            columns = np.repeat(places, self.weight.shape[1]).astype(np.float64)
            return float((self.by_cluster @ columns > 0).sum())
        weight2 = self.weight2[places].sum()
        return float(self.weight[places].sum() ** 2 / weight2) if weight2 > 0 else 0.0

    def variances(self, influence: Floats) -> Floats:
        """Variance of Σ w·a(place, outcome) for each a, shape (q,).

        Parameters
        ----------
        influence : ndarray, shape (q, M, n)
            Each a has mean 0 at the data.
        """
        a = influence.reshape(len(influence), -1)
        if self.by_cluster is None:
            return np.asarray(a**2 @ self.weight2.ravel())
        return np.asarray(((self.by_cluster @ a.T) ** 2).sum(axis=0))

    def joined(self, first: Integers) -> Frequencies:
        """The same rows with neighbouring places joined, each new place starting at first[i]."""
        by_cluster = self.by_cluster
        if by_cluster is not None:
            from scipy.sparse import csr_array

            places, n = self.weight.shape
            to = np.repeat(np.arange(len(first)), np.diff(np.r_[first, places]))
            where = (to[:, None] * n + np.arange(n)).ravel()
            target = csr_array((np.ones(len(where)), (np.arange(len(where)), where)), (len(where), len(first) * n))
            by_cluster = csr_array(by_cluster @ target)
        weight, weight2, count = (np.add.reduceat(x, first, axis=0) for x in (self.weight, self.weight2, self.count))
        return Frequencies(weight, weight2, count, by_cluster)

    def replicates(self, number: int, seed: int) -> Floats:
        """Weights of a Bayesian bootstrap, shape (number, M, n).

        Every independent observation gets an exponential weight. Of rows with one weight at one
        place and outcome the sum is then exactly a gamma variable, drawn as such; of rows with
        different weights the gamma variable has the mean and the variance of the sum.
        """
        random = np.random.default_rng(seed)
        if self.by_cluster is not None:
            parts = [
                random.standard_exponential((min(AT_ONCE, number - i), self.by_cluster.shape[0])) @ self.by_cluster
                for i in range(0, number, AT_ONCE)
            ]
            return np.asarray(np.concatenate(parts)).reshape(number, *self.weight.shape)
        found = np.zeros((number, *self.weight.shape))
        some = self.weight > 0
        shape, scale = self.weight[some] ** 2 / self.weight2[some], self.weight2[some] / self.weight[some]
        found[:, some] = random.standard_gamma(shape, (number, len(shape))) * scale
        return found


def frequencies(sums: Sums, keys: Integers | None = None) -> Frequencies:
    """Frequencies at the given keys of the sums; at all of them by default."""
    values = sums.labels.value
    size, n = values.shape[:2]
    keys = np.arange(size) if keys is None else keys
    by_cluster = None
    if sums.clusters is not None:
        from scipy.sparse import csr_array

        place = np.full(size, -1)
        place[keys] = np.arange(len(keys))
        of = sums.clusters
        by_cluster = csr_array(
            (of.weight, (of.cluster, place[of.key] * n + of.outcome)), (len(of.labels), len(keys) * n)
        )
    return Frequencies(values[keys, :, WEIGHT], values[keys, :, WEIGHT2], values[keys, :, COUNT], by_cluster)
