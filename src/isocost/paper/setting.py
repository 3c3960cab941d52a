"""What the checks share: the motivating example, points of the simplex, and the plane of the figures."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from isocost.costs import CostMatrix
from isocost.labels import Label
from isocost.property import SmoothProperty
from isocost.simplex import sample_simplex
from isocost.smoothing import smooth

__all__ = [
    "COSTS",
    "EMBEDDING_POINTS",
    "NORMS",
    "SURROGATE",
    "Floats",
    "barycentric",
    "best_decisions",
    "decision_gaps",
    "distribution_sample",
    "grid_points",
    "norm_text",
    "paper_cost",
    "paper_embedding",
    "paper_normals",
    "points",
    "random_between",
    "surrogate",
    "surrogate_slopes",
]

Floats = NDArray[np.float64]

NORMS = (1, 2, math.inf)
SAMPLE = 4000
SEED = 20260517

# Section 3, eq. (1); rows are decisions 1, 2, 3 and columns outcomes 1, 2, 3.
COSTS = [[0, 3, 5], [1, 0, 3], [3, 1, 0]]
# Appendix C.1: the embedding points φ(R), and L(·, y) as the maximum of lines (slope, intercept).
EMBEDDING_POINTS = (Fraction(0), Fraction(1), Fraction(3))
SURROGATE = (
    ((Fraction(-3), Fraction(0)), (Fraction(1), Fraction(0)), (Fraction(3), Fraction(-6))),
    ((Fraction(-3), Fraction(3)), (Fraction(1, 2), Fraction(-1, 2)), (Fraction(3), Fraction(-8))),
    (
        (Fraction(-3), Fraction(5)),
        (Fraction(-2), Fraction(5)),
        (Fraction(-3, 2), Fraction(9, 2)),
        (Fraction(3), Fraction(-9)),
    ),
)


@cache
def paper_cost() -> CostMatrix:
    """The motivating example of Section 3.

    Examples
    --------
    >>> str(paper_cost().ordering().kind)
    'strongly orderable'
    """
    return CostMatrix(COSTS, decisions=[1, 2, 3], outcomes=[1, 2, 3])


@cache
def paper_embedding() -> SmoothProperty:
    """Algorithm 1 on the example, with the paper's embedding points.

    A gap φ_{i+1} - φ_i is 1/c_i, so the points fix the one free ratio c_2/c_1.

    Examples
    --------
    >>> paper_embedding().knots.tolist()
    [0.0, 0.5, 1.0, 2.0, 3.0]
    """
    first, second, third = EMBEDDING_POINTS
    return smooth(paper_cost(), method="embedding", ratios=[float((second - first) / (third - second))])


@cache
def paper_normals() -> SmoothProperty:
    """Algorithm 2 on the example.

    Examples
    --------
    >>> paper_normals().cuts.tolist()
    [0.0, 1.0]
    """
    return smooth(paper_cost(), method="normals")


def surrogate(u: Fraction, y: int) -> Fraction:
    """The paper's polyhedral surrogate L(u, y), exactly; y = 0, 1, 2 for its outcomes 1, 2, 3.

    Examples
    --------
    >>> surrogate(Fraction(3), 0)
    Fraction(3, 1)
    """
    return max(a * u + b for a, b in SURROGATE[y])


def surrogate_slopes(u: Fraction, y: int) -> tuple[Fraction, Fraction]:
    """Left and right derivative of L(·, y) at u: of the lines that attain the maximum, the flattest and the steepest.

    Examples
    --------
    >>> surrogate_slopes(Fraction(0), 0)
    (Fraction(-3, 1), Fraction(1, 1))
    """
    active = [a for a, b in SURROGATE[y] if a * u + b == surrogate(u, y)]
    return min(active), max(active)


def points(rows: int = SAMPLE, n: int = 3, seed: int = SEED) -> Floats:
    """Random points of the simplex, the same in every run.

    Examples
    --------
    >>> points(5).shape
    (5, 3)
    """
    return sample_simplex(rows, n, seed)


def grid_points(parts: int) -> NDArray[np.object_]:
    """All points of the triangle whose coordinates are multiples of 1/parts, as Fractions.

    Examples
    --------
    >>> len(grid_points(2))
    6
    """
    steps = range(parts + 1)
    return np.array(
        [
            [Fraction(i, parts), Fraction(j, parts), Fraction(parts - i - j, parts)]
            for i in steps
            for j in steps[: parts + 1 - i]
        ],
        dtype=object,
    )


def best_decisions(cost: CostMatrix, p: NDArray[np.object_]) -> set[Label]:
    """γ(p) as a set, in exact arithmetic.

    Examples
    --------
    >>> sorted(best_decisions(paper_cost(), np.array([Fraction(3, 4), Fraction(1, 4), Fraction(0)])))
    [1, 2]
    """
    expected = (cost.exact @ p).tolist()
    return {label for label, value in zip(cost.decisions, expected, strict=True) if value == min(expected)}


def decision_gaps(prop: SmoothProperty, u: Floats) -> Floats:
    """δ(u), the distance of each score to the nearest cut.

    Examples
    --------
    >>> decision_gaps(paper_normals(), np.array([-0.25, 0.25, 0.75])).tolist()
    [0.25, 0.25, 0.25]
    """
    return np.asarray(np.abs(u[:, None] - prop.cuts).min(axis=1))


def barycentric(x: float, y: float) -> Floats:
    """The distribution drawn at (x, y): outcome 1 at (0, 0), outcome 3 at (1, 0), outcome 2 at the top.

    Examples
    --------
    >>> barycentric(1.0, 0.0).tolist()
    [0.0, 0.0, 1.0]
    """
    second = y / (math.sqrt(3) / 2)
    third = x - second / 2
    return np.array([1 - second - third, second, third])


def norm_text(norm: float) -> str:
    """The norm as it is written in the table.

    Examples
    --------
    >>> norm_text(math.inf)
    'L∞'
    """
    return "L∞" if norm == math.inf else f"L{norm:g}"


def random_between(ends: Floats, rows: int) -> Floats:
    """Random points of the segment between two distributions.

    Examples
    --------
    >>> random_between(np.eye(2), 4).shape
    (4, 2)
    """
    share = np.random.default_rng(11).uniform(size=(rows, 1))
    return np.asarray(share * ends[0] + (1 - share) * ends[1])


def distribution_sample() -> Floats:
    """Random points of the simplex with its vertices.

    Examples
    --------
    >>> distribution_sample()[-1].tolist()
    [0.0, 0.0, 1.0]
    """
    return np.vstack([points(), np.eye(3)])
