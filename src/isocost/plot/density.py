"""Where predictions fall, counted: on a lattice of the triangle, and along a score. Plain arrays, no drawing."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.weights import checked_weights

__all__ = ["Density", "density_along", "lattice_shares", "smeared"]

Floats = NDArray[np.float64]

MANY, PARTS = 64, 9


def lattice_shares(P: Floats, steps: int, sample_weight: ArrayLike | None = None) -> tuple[Floats, Floats]:
    """Share of the rows nearest to each point of a lattice on the simplex of three outcomes.

    The lattice has the points whose coordinates are multiples of 1/steps; the places nearest to one are a hexagon.

    Parameters
    ----------
    P : ndarray, shape (N, 3)
    steps : int
    sample_weight : array_like, shape (N,), optional

    Returns
    -------
    points, shares : ndarray, shape (m, 3) and (m,)
        Only points with rows; shares sum to 1.

    Examples
    --------
    >>> points, shares = lattice_shares(np.array([[0.9, 0.1, 0.0], [1.0, 0.0, 0.0], [0.1, 0.6, 0.3]]), steps=2)
    >>> points.tolist(), shares.round(2).tolist()
    ([[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]], [0.33, 0.67])
    """
    weights = checked_weights(sample_weight, len(P))
    scaled = np.asarray(P, dtype=np.float64) * steps
    nearest = np.rint(scaled)
    # Where the three do not sum to `steps`, the one that was rounded farthest gives way.
    farthest = np.abs(scaled - nearest).argmax(axis=1)
    nearest[np.arange(len(P)), farthest] += steps - nearest.sum(axis=1)
    points, at = np.unique(nearest, axis=0, return_inverse=True)
    shares = np.bincount(at.reshape(-1), weights=weights)
    return points / steps, np.asarray(shares / shares.sum())


def smeared(scores: Floats, mass: Floats, marks: Floats) -> tuple[Floats, Floats]:
    """Scores that stand for many rows each, spread evenly over the middle ground to their neighbours.

    An audit knows its scores at a hundred and more points. As they are, they would make a comb of a histogram. No
    score leaves the interval of its decision.

    Parameters
    ----------
    scores, mass : ndarray, shape (M,)
        Scores rising.
    marks : ndarray, shape (k+1,)
        Low end, cuts, high end.

    Returns
    -------
    scores, mass : ndarray
        As they came where there are so few that each is a score of its own.

    Examples
    --------
    >>> u, mass = smeared(np.linspace(0, 1, 101), np.full(101, 1 / 101), np.array([0.0, 0.505, 1.0]))
    >>> len(u), bool((np.diff(u) >= 0).all()), round(float(mass[u <= 0.505].sum()), 3) == round(51 / 101, 3)
    (909, True, True)
    """
    if len(scores) < MANY:
        return scores, mass
    between = np.r_[scores[0], (scores[1:] + scores[:-1]) / 2, scores[-1]]
    cell = np.searchsorted(marks[1:-1], scores, side="left")
    low, high = np.minimum(marks[cell], scores), np.maximum(marks[cell + 1], scores)
    start, stop = np.clip(between[:-1], low, high), np.clip(between[1:], low, high)
    part = (np.arange(PARTS) + 0.5) / PARTS
    return (start[:, None] + part * (stop - start)[:, None]).ravel(), np.repeat(mass / PARTS, PARTS)


class Density(NamedTuple):
    """Where scores fall between the ends of a range.

    Attributes
    ----------
    edges : ndarray, shape (m+1,)
        No bin reaches over a cut.
    height : ndarray, shape (m,)
        Share of the rows for each unit of the score.
    shares : ndarray, shape (k,)
        Share of the rows that get each decision.
    below, above : float
        Shares beyond the ends.
    """

    edges: Floats
    height: Floats
    shares: Floats
    below: float
    above: float


def density_along(
    scores: Floats, cells: NDArray[np.intp], marks: Floats, sample_weight: ArrayLike | None = None, bins: int = 60
) -> Density:
    """Histogram of scores with edges at all marks: low end, cuts, high end.

    Parameters
    ----------
    scores : ndarray, shape (N,)
    cells : ndarray of int, shape (N,)
        Position of each row's decision, 0 … k-1, where k is the number of marks less 1.
    marks : ndarray, shape (k+1,)
        Not falling.
    sample_weight : array_like, shape (N,), optional
    bins : int
        About so many.

    Examples
    --------
    >>> found = density_along(np.array([0.1, 0.2, 0.9]), np.array([0, 0, 1]), np.array([0.0, 0.5, 1.0]), bins=2)
    >>> found.edges.tolist(), found.height.round(2).tolist(), found.shares.round(2).tolist()
    ([0.0, 0.5, 1.0], [1.33, 0.67], [0.67, 0.33])
    """
    weights = checked_weights(sample_weight, len(scores))
    weights = weights / weights.sum()
    shares = np.asarray(np.bincount(cells, weights=weights, minlength=len(marks) - 1), dtype=np.float64)
    low, high = float(marks[0]), float(marks[-1])
    beyond = [float(weights[there].sum()) for there in (scores < low, scores > high)]
    if not low < high:
        return Density(np.array([low, high]), np.zeros(1), shares, *beyond)
    parts = [
        np.linspace(start, stop, max(1, round(bins * (stop - start) / (high - low))), endpoint=False)
        for start, stop in pairwise(marks.tolist())
        if stop > start
    ]
    edges = np.append(np.concatenate(parts), high)
    inside = (scores >= low) & (scores <= high)
    # Closed on the right, as the link is: the score of a cut belongs to the decision below it.
    at = np.clip(np.searchsorted(edges, scores[inside], side="left") - 1, 0, len(edges) - 2)
    found = np.bincount(at, weights=weights[inside], minlength=len(edges) - 1)
    return Density(edges, found / np.diff(edges), shares, *beyond)
