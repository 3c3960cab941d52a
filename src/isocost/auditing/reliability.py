"""The reliability curve of a score: its isotonic fit, with two bands that answer different questions.

The *confidence band* lies around the fit: where may the true curve be? The *consistency band* lies around
the diagonal: where would the fit be if the score were right everywhere?
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.decomposition import isotonic_fit
from isocost.auditing.frequencies import Frequencies
from isocost.auditing.levels import Levels
from isocost.auditing.measures.score_calibration import equal_mass

__all__ = ["POINTS", "Reliability", "reliability_of", "tilted"]

Floats = NDArray[np.float64]

POINTS = 128  # levels of about equal mass on which the bands are simulated


class Reliability(NamedTuple):
    """The curve at points of about equal mass, each array of shape (M,) or (M, 2).

    Attributes
    ----------
    score : ndarray
        Mean score.
    mass : ndarray
    fitted : ndarray
        Isotonic fit Γ(D) at that score.
    confidence : ndarray, shape (M, 2)
        Pointwise, from a Bayesian bootstrap of the fit.
    consistency : ndarray, shape (M, 2)
        Pointwise: the fit of outcomes simulated from the nearest distributions for which the score is right.
    level : float
    resamples : int
    """

    score: Floats
    mass: Floats
    fitted: Floats
    confidence: Floats
    consistency: Floats
    level: float
    resamples: int


def reliability_of(levels: Levels, level: float, resamples: int, seed: int) -> Reliability:
    """Curve and bands of the levels."""
    points = levels.binned(equal_mass(levels, POINTS)) if len(levels.score) > POINTS else levels
    at = points.at
    probabilities = [(1 - level) / 2, (1 + level) / 2]
    drawn = _fits(points, at.replicates(resamples, seed))
    confidence = np.quantile(drawn, probabilities, axis=0).T
    fair = _as_if(at, tilted(points))
    consistency = np.quantile(_fits(points, fair.replicates(resamples, seed + 1)), probabilities, axis=0).T
    return Reliability(points.score, at.mass, isotonic_fit(points), confidence, consistency, level, resamples)


def _fits(points: Levels, tables: Floats) -> Floats:
    from isocost.auditing.loops import in_parts, pool_tables  # numba is slow to import

    prop = points.prop
    fitted = np.empty(tables.shape[:2])
    in_parts(
        len(tables),
        lambda start, stop: pool_tables(tables, prop.knots, prop.values, prop.interior, fitted, start, stop),
    )
    return fitted


def tilted(points: Levels) -> Floats:
    """The distributions nearest to those seen (Kullback-Leibler) for which each score is right, shape (M, n).

    D·exp(-λ·V(u, ·)), with λ such that E V(u, Y) = 0. Where all outcomes seen lie on one side of the score, those
    of all rows are mixed in first; where even these do, the score is out of reach and D stays.
    """
    at = points.at
    V = points.prop.identification(points.score[:, None], np.arange(at.weight.shape[1]))
    share = 0.5 / (1 + at.weight.sum(axis=1, keepdims=True))
    D = (1 - share) * at.distributions + share * np.maximum(at.overall, 1e-9)
    scale = np.abs(V).max(axis=1, keepdims=True)
    V = V / np.where(scale > 0, scale, 1.0)
    low, high = np.full(len(V), -64.0), np.full(len(V), 64.0)
    for _ in range(60):  # E V falls in λ
        middle = (low + high) / 2
        right = (D * np.exp(-middle[:, None] * V) * V).sum(axis=1) > 0
        low, high = np.where(right, middle, low), np.where(right, high, middle)
    found = D * np.exp(-((low + high) / 2)[:, None] * V)
    reachable = (V.min(axis=1) < 0) & (V.max(axis=1) > 0)
    found = np.where(reachable[:, None], found, D)
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def _as_if(at: Frequencies, distributions: Floats) -> Frequencies:
    """Frequencies of as many rows, of the same weights, with other distributions of the outcome."""

    def shared(x: Floats) -> Floats:
        return np.asarray(x.sum(axis=1, keepdims=True) * distributions)

    by_cluster = at.by_cluster
    if by_cluster is not None:  # dependent rows: as many independent ones as their variance amounts to
        sizes = at.weight.sum() ** 2 / (np.asarray(by_cluster.sum(axis=1)) ** 2).sum()
        return Frequencies(shared(at.weight), shared(at.weight) * at.weight.sum() / sizes, shared(at.count))
    return Frequencies(shared(at.weight), shared(at.weight2), shared(at.count))
