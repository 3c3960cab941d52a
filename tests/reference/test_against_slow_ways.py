"""Γ by bisection, K by brute force, distances by programs written differently."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import linprog, minimize

import isocost as ic
from isocost.simplex import dual_norm, slice_vertices
from tests.laws.random_costs import NORMS, distributions, smooth_all, strongly_orderable


@given(strongly_orderable(outcomes=6))
@settings(max_examples=30)
def test_value_by_bisection(cost: ic.CostMatrix) -> None:
    """np.interp and halving know nothing of pieces, roots of pieces or searches."""
    P = distributions(cost, rows=20)
    for prop in smooth_all(cost):
        far = float(np.abs(prop.values).max()) + 1  # on tails of slope 1 no root lies farther out
        ends = np.r_[prop.knots[0] - far, prop.knots, prop.knots[-1] + far]
        tails = np.vstack([prop.values[0] - far, prop.values, prop.values[-1] + far])
        low, high = np.full(len(P), ends[0]), np.full(len(P), ends[-1])
        for _ in range(140):
            middle = (low + high) / 2
            V = np.column_stack([np.interp(middle, ends, column) for column in tails.T])
            positive = (V * P).sum(axis=1) > 0
            low, high = np.where(positive, low, middle), np.where(positive, middle, high)
        unit = float(prop.knots[-1] - prop.knots[0]) + 1
        steep = prop.lipschitz(1)
        assert np.abs(prop.value(P) - high).max() <= 1e-9 * (unit + steep)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("method", ["embedding", "normals", "smoothest"])
@pytest.mark.parametrize(
    "table",
    [
        [[0, 3, 5], [1, 0, 3], [3, 1, 0]],
        [[0, 1, 4], [1, 1, 1.5], [4, 2, 0]],
        [[0, 2, 7, 9], [1, 1, 3, 4], [5, 4, 2, 1], [20, 12, 3, 0]],
    ],
)
def test_lipschitz_constant_by_fine_grids(table: list[list[float]], method: str, norm: float) -> None:
    """max over a grid of u and all level-set vertices of ‖V‖_*/⟨p, a⟩, one-sided at knots: below K and near it."""
    prop = ic.smooth(ic.CostMatrix(table), method)  # type: ignore[arg-type]
    steepest = 0.0
    outcomes = np.arange(len(prop.outcomes))
    low, high = prop.range
    ends = np.unique(np.clip(np.r_[low, prop.knots, high], low, high))
    for a, b in pairwise(ends):
        for u in a + (b - a) * np.r_[1e-9, np.linspace(0.0005, 0.9995, 1000), 1 - 1e-9]:
            v, slope = prop.identification(u, outcomes), prop.slope(u, outcomes)
            vertices = slice_vertices(v)
            if len(vertices):
                steepest = max(steepest, float(dual_norm(v, norm)) / float((vertices @ slope).min()))
    assert steepest <= prop.lipschitz(norm) * (1 + 1e-9)
    assert steepest == pytest.approx(prop.lipschitz(norm), rel=1e-4)


@given(strongly_orderable(least=3, most=5, outcomes=6))
@settings(max_examples=40)
def test_distances_by_mixtures_of_vertices(cost: ic.CostMatrix) -> None:
    """Points of B_i are mixtures of its vertices; no multiplier, no scaled difference appears."""
    order = cost.ordering()
    for norm in NORMS:
        distances = order.distances(norm)
        for i, distance in enumerate(distances):
            first, second = (slice_vertices(w) for w in order.normals[i : i + 2])
            if norm == 2:
                reference = euclidean_distance(first, second)
                assert distance == pytest.approx(reference, rel=1e-4, abs=1e-6)  # the reference's accuracy
            else:
                reference = polyhedral_distance(first, second, norm)
                assert distance == pytest.approx(reference, rel=1e-6, abs=1e-9)


@given(strongly_orderable(least=3, outcomes=3))
def test_euclidean_distances_in_the_triangle(cost: ic.CostMatrix) -> None:
    """With three outcomes boundaries are segments: the distance is that of an end to the other segment."""
    if len(cost.outcomes) != 3:
        return
    order = cost.ordering()
    for i, distance in enumerate(order.distances(2)):
        first, second = (exact_slice(order, j) for j in (i, i + 1))
        reference = min(end_to_segment(p, *s) for f, s in ((first, second), (second, first)) for p in f)
        assert distance == pytest.approx(reference, rel=1e-7)


def exact_slice(order: ic.Ordering, i: int) -> list[list[Fraction]]:
    first, second = (order.cost.exact[order.rows[j]] for j in (i, i + 1))
    w = [b - a for a, b in zip(first, second, strict=True)]
    found = [[Fraction(int(x == y)) for x in range(3)] for y in range(3) if w[y] == 0]
    for y, z in combinations(range(3), 2):
        if w[y] * w[z] < 0:
            point = [Fraction(0)] * 3
            point[y], point[z] = w[z] / (w[z] - w[y]), w[y] / (w[y] - w[z])
            found.append(point)
    return found


def end_to_segment(p: list[Fraction], a: list[Fraction], b: list[Fraction]) -> float:
    along = [y - x for x, y in zip(a, b, strict=True)]
    length = sum(x * x for x in along)
    share = sum((x - y) * d for x, y, d in zip(p, a, along, strict=True)) / length
    share = min(max(share, Fraction(0)), Fraction(1))
    return math.sqrt(sum((x - y - share * d) ** 2 for x, y, d in zip(p, a, along, strict=True)))


def polyhedral_distance(first: np.ndarray, second: np.ndarray, norm: float) -> float:
    (a, n), b = first.shape, len(second)
    bounds_of_steps = np.eye(n) if norm == 1 else np.ones((n, 1))
    steps = bounds_of_steps.shape[1]
    difference = np.hstack([first.T, -second.T])
    result = linprog(
        np.r_[np.zeros(a + b), np.ones(steps)],
        A_ub=np.vstack([np.hstack([difference, -bounds_of_steps]), np.hstack([-difference, -bounds_of_steps])]),
        b_ub=np.zeros(2 * n),
        A_eq=np.array([np.r_[np.ones(a), np.zeros(b + steps)], np.r_[np.zeros(a), np.ones(b), np.zeros(steps)]]),
        b_eq=[1, 1],
        method="highs-ipm",
    )
    return float(result.fun)


def euclidean_distance(first: np.ndarray, second: np.ndarray) -> float:
    a, b = len(first), len(second)
    difference = np.hstack([first.T, -second.T])
    best = math.inf
    for start in (np.r_[np.full(a, 1 / a), np.full(b, 1 / b)], np.r_[np.eye(a)[0], np.eye(b)[0]]):
        result = minimize(
            lambda x: ((difference @ x) ** 2).sum() * 1e4,
            start,
            jac=lambda x: 2e4 * difference.T @ (difference @ x),
            bounds=[(0, 1)] * (a + b),
            constraints=[
                {"type": "eq", "fun": lambda x: x[:a].sum() - 1, "jac": lambda _: np.r_[np.ones(a), np.zeros(b)]},
                {"type": "eq", "fun": lambda x: x[a:].sum() - 1, "jac": lambda _: np.r_[np.zeros(a), np.ones(b)]},
            ],
            method="SLSQP",
            options={"ftol": 1e-16, "maxiter": 1000},
        )
        x = np.maximum(result.x, 0)
        x[:a] /= x[:a].sum()
        x[a:] /= x[a:].sum()
        best = min(best, float(np.linalg.norm(difference @ x)))
    return best


def test_the_counterexample_e2_has_no_jump() -> None:
    """With sign(0) ≠ sign(±1) as the paper has it Γ jumps from 0 to 1 here; strictly it is Lipschitz."""
    cost = ic.CostMatrix([[0, 1, 4], [1, 1, 1.5], [4, 2, 0]])
    share = np.linspace(0, 1, 20001)[:, None]
    path = (1 - share) * [[0.0, 1.0, 0.0]] + share * [[0.6, 0.0, 0.4]]
    for ratio, constants in ((1, (2.25, 3.1885, 4.5)), (1 / 3, (7.5, 10.8012, 15))):
        prop = ic.smooth(cost, "embedding", ratios=[ratio])
        for norm, constant in zip(NORMS, constants, strict=True):
            assert prop.lipschitz(norm) == pytest.approx(constant, rel=1e-4)
        steps = np.abs(np.diff(prop.value(path)))
        assert steps.max() <= prop.lipschitz(1) * np.abs(np.diff(path, axis=0)).sum(axis=1).max() * (1 + 1e-9)


def test_figures_of_the_theory_page() -> None:
    cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]])
    embedding, normals = ic.smooth(cost, "embedding", ratios=[0.5]), ic.smooth(cost, "normals")
    assert [embedding.lipschitz(q) for q in NORMS] == pytest.approx([15.125, 11 * math.sqrt(31 / 8), 30.25], rel=1e-12)
    assert [normals.lipschitz(q) for q in NORMS] == pytest.approx([12.5, 18.7082869, 25], rel=1e-8)
    assert embedding.smoothness(1) == pytest.approx(1.344, abs=5e-4)
    assert normals.smoothness(1) == pytest.approx(1.667, abs=5e-4)
    assert cost.ordering().distances(1) == pytest.approx([2 / 15])
