"""The generalised PAV is optimal among nondecreasing functions of the score: for the surrogate loss against brute
force over a grid of values, for every elementary loss against brute force over thresholds, for the cost of decisions
against brute force over rules, and for the squared cost against scikit-learn.

Broken once: merging once instead of while blocks are out of order fails the comparison with scikit-learn; the
unweighted mean of two values in place of Γ of the union fails both; ignoring weights fails both.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression

import isocost as ic
from isocost.pav import pooled, pooled_scores
from tests.laws.random_costs import orderable, smooth_all, strongly_orderable
from tests.laws.random_rows import Rows, rows_of

Floats = NDArray[np.float64]


def cells_of(rows: Rows, n: int) -> tuple[Floats, Floats]:
    """Distinct scores and label weights of each, without those of weight 0."""
    scores, cell = np.unique(rows.scores, return_inverse=True)
    table = np.zeros((len(scores), n))
    np.add.at(table, (cell, rows.positions), rows.weights)
    filled = table.sum(axis=1) > 0
    return scores[filled], table[filled]


def fitted(rows: Rows, scores: Floats, prop: ic.SmoothProperty | ic.LinearProperty) -> Floats:
    blocks = pooled_scores(*rows, prop)
    return np.asarray(blocks.values[np.searchsorted(blocks.lowest, scores, side="right") - 1])


def least_loss(table: Floats, prop: ic.SmoothProperty) -> float:
    """Dynamic programme: nondecreasing choices among Γ of every run of cells, where an optimum lies."""
    cells, n = table.shape
    sums = np.vstack([table[i : j + 1].sum(axis=0) for i in range(cells) for j in range(i, cells)])
    grid = np.sort(prop.value(sums / sums.sum(axis=1, keepdims=True)))
    losses = table @ prop.loss(grid[None, :], np.arange(n)[:, None])
    best = losses[0]
    for row in losses[1:]:
        best = np.minimum.accumulate(best) + row
    return float(best.min())


@given(strongly_orderable(outcomes=5, most=6), st.data())
def test_no_nondecreasing_function_has_less_surrogate_loss(cost: ic.CostMatrix, data: st.DataObject) -> None:
    n = len(cost.outcomes)
    rows = data.draw(rows_of(n, most=10))
    scores, table = cells_of(rows, n)
    for prop in smooth_all(cost):
        found = fitted(rows, scores, prop)
        loss = (table * prop.loss(found[:, None], np.arange(n))).sum()
        least = least_loss(table, prop)
        scale = (table * prop.loss(np.full((len(scores), 1), found.mean()), np.arange(n))).sum()
        assert loss <= least + 1e-9 * max(abs(least), scale)


@given(strongly_orderable(outcomes=5, most=6), st.data())
def test_no_nondecreasing_function_has_less_elementary_loss(cost: ic.CostMatrix, data: st.DataObject) -> None:
    """E[V(θ, Y)·1{g > θ}] for every θ, those at block values, between them and at the cuts."""
    n = len(cost.outcomes)
    rows = data.draw(rows_of(n, most=30))
    scores, table = cells_of(rows, n)
    for prop in smooth_all(cost):
        found = fitted(rows, scores, prop)
        between = (found[1:] + found[:-1]) / 2
        for theta in np.concatenate([found, between, prop.cuts, found[:1] - 1, found[-1:] + 1]):
            gains = table @ prop.identification(theta, np.arange(n))
            best = min(0.0, float(np.cumsum(gains[::-1]).min()))
            assert gains[found > theta].sum() <= best + 1e-9 * np.abs(gains).sum()


@given(strongly_orderable(outcomes=5, most=6), st.data())
def test_no_nondecreasing_rule_decides_cheaper(cost: ic.CostMatrix, data: st.DataObject) -> None:
    """Dynamic programme over all assignments of decisions, in their order, to scores."""
    n = len(cost.outcomes)
    rows = data.draw(rows_of(n, most=30))
    scores, table = cells_of(rows, n)
    for prop in smooth_all(cost):
        costs = table @ cost.costs[[cost.decisions.index(r) for r in prop.decisions]].T
        best = costs[0]
        for row in costs[1:]:
            best = np.minimum.accumulate(best) + row
        taken = prop.cell(fitted(rows, scores, prop))
        assert costs[np.arange(len(scores)), taken].sum() <= best.min() + 1e-9 * np.abs(costs).sum()


@given(orderable(), st.integers(1, 25), st.integers(0, 2**32))
def test_with_an_interior_cells_that_lie_inside_are_pooled_optimally(
    cost: ic.CostMatrix, cells: int, seed: int
) -> None:
    n = len(cost.outcomes)
    random = np.random.default_rng(seed)
    prop = ic.smooth(cost, interior=0.02)
    shares = 0.02 + (1 - 0.02 * n) * random.dirichlet(np.ones(n), cells)
    table = random.exponential(size=(cells, 1)) * shares
    blocks = pooled(table, prop)
    found = np.repeat(blocks.values, np.diff(np.r_[blocks.starts, cells]))
    for theta in np.concatenate([found, (found[1:] + found[:-1]) / 2, prop.cuts]):
        gains = table @ prop.identification(theta, np.arange(n))
        best = min(0.0, float(np.cumsum(gains[::-1]).min()))
        assert gains[found > theta].sum() <= best + 1e-9 * (table @ np.abs(prop.values).max(axis=0)).sum()


@given(st.integers(2, 6), st.integers(0, 2**32), st.data())
def test_squared_costs_give_isotonic_regression(n: int, seed: int, data: st.DataObject) -> None:
    grades = np.cumsum(np.random.default_rng(seed).integers(1, 9, n)).astype(np.float64)
    rows = data.draw(rows_of(n))
    cost = ic.CostMatrix([[(int(g) - int(h)) ** 2 for h in grades] for g in grades])
    scores, _ = cells_of(rows, n)
    mean = IsotonicRegression().fit(rows.scores, grades[rows.positions], rows.weights).predict(scores)
    lin = ic.linear(cost)
    slope = (lin.basis[0, 1] - lin.basis[0, 0]) / (grades[1] - grades[0])
    if slope < 0:  # the sign of a linear number is free
        mean = -IsotonicRegression().fit(rows.scores, -grades[rows.positions], rows.weights).predict(scores)
    wanted = lin.basis[0, 0] + slope * (mean - grades[0])
    assert fitted(rows, scores, lin) == pytest.approx(wanted, abs=1e-10)
