"""m·|s - Γ(p)| ≤ |⟨p,V(s)⟩| ≤ M·|s - Γ(p)| on each side of s, and both are attained.

Broken once, each seen to fail: a sign in the quadratic (no stationary point met), the piece of s left
out, `side="left"` for the piece of s, the two sides swapped, squeezed vertices left out, the other
end of the window.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from benchmarks.tools import random_strong
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.auditing.moduli import Moduli, cut_moduli, global_moduli, score_moduli
from tests.laws.random_costs import METHODS, distributions, orderable, smooth_all, strongly_orderable


def ratios(prop: ic.SmoothProperty, P: np.ndarray, s: float, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """|⟨p,V(s)⟩|/|s - Γ(p)| of the p below s, and of those above, where rounding leaves them digits."""
    u = prop.value(P)
    clear = 1e-3 * (prop.range[1] - prop.range[0])
    return tuple(np.abs(P[side] @ V) / np.abs(u[side] - s) for side in (u < s - clear, u > s + clear))


def assert_between(found: Moduli, i: int, below: np.ndarray, above: np.ndarray) -> None:
    slack = 1e-8
    assert (below >= found.least_below[i] * (1 - slack)).all()
    assert (below <= found.most_below[i] * (1 + slack)).all()
    assert (above >= found.least_above[i] * (1 - slack)).all()
    assert (above <= found.most_above[i] * (1 + slack)).all()


@given(strongly_orderable(least=2, outcomes=8, most=7))
@settings(max_examples=40)
def test_no_distribution_violates_the_moduli_of_a_cut(cost: ic.CostMatrix) -> None:
    P = distributions(cost, rows=300)
    for prop in smooth_all(cost):
        found = cut_moduli(prop)
        for i, s in enumerate(prop.cuts):
            assert_between(found, i, *ratios(prop, P, s, prop.normals[i]))
        assert (found.leverage_below <= found.most / found.least * (1 + 1e-12)).all()
        assert (found.leverage_above <= found.most / found.least * (1 + 1e-12)).all()


@given(strongly_orderable(least=2, outcomes=6, most=5), st.integers(0, 1000))
@settings(max_examples=30)
def test_of_a_window_they_are_closer_together(cost: ic.CostMatrix, seed: int) -> None:
    P = distributions(cost, rows=200)
    random = np.random.default_rng(seed)
    for prop in smooth_all(cost):
        whole = cut_moduli(prop)
        low, high = np.sort(random.uniform(*prop.range, (2, len(prop.cuts))), axis=0)
        found = cut_moduli(prop, low, high)
        assert (found.least >= whole.least * (1 - 1e-12)).all() and (found.most <= whole.most * (1 + 1e-12)).all()
        u = prop.value(P)
        for i, s in enumerate(prop.cuts):
            inside = (u >= low[i]) & (u <= high[i])
            assert_between(found, i, *ratios(prop, P[inside], s, prop.normals[i]))
        everything = cut_moduli(prop, *prop.range)
        assert np.array(everything) == pytest.approx(np.array(whole), rel=1e-9)


@given(strongly_orderable(least=2, outcomes=6, most=5))
@settings(max_examples=30)
def test_they_are_attained_on_edges(cost: ic.CostMatrix) -> None:
    """Level sets of many scores between and next to the knots come within 2 % of both ends, on both sides."""
    for prop in smooth_all(cost):
        low, high = prop.range
        found = cut_moduli(prop)
        for i, s in enumerate(prop.cuts):
            ends = np.unique(
                np.clip(np.r_[low, prop.knots, s, high, prop.value(np.eye(len(cost.outcomes)))], low, high)
            )
            steps = np.r_[1e-3, np.linspace(0.01, 0.99, 25), 1 - 1e-3]
            grid = (ends[:-1, None] + np.diff(ends)[:, None] * steps).ravel()
            best = np.array([[np.inf, 0.0], [np.inf, 0.0]])
            for u in grid[np.abs(grid - s) > 1e-9 * (high - low)]:
                V_u = prop.identification(u, np.arange(len(cost.outcomes)))
                rise = np.abs(prop.level_set(u) @ (V_u - prop.normals[i])) / abs(u - s)
                side = int(u > s)
                best[side] = min(best[side, 0], rise.min()), max(best[side, 1], rise.max())
            wanted = np.array(
                [[found.least_below[i], found.most_below[i]], [found.least_above[i], found.most_above[i]]]
            )
            assert best == pytest.approx(wanted, rel=0.02)


@given(strongly_orderable(least=1, outcomes=6, most=5))
@settings(max_examples=25)
def test_no_score_violates_the_moduli_of_all_scores(cost: ic.CostMatrix) -> None:
    P = distributions(cost, rows=40)
    y = np.arange(len(cost.outcomes))
    for prop in smooth_all(cost):
        low, high = prop.range
        spots = np.random.default_rng(0).uniform(low, high, 40)
        found = score_moduli(prop, spots)
        least, most = global_moduli(prop)
        wide = global_moduli(prop, -np.inf, np.inf)
        assert wide[0] <= least * (1 + 1e-12) and most <= wide[1] * (1 + 1e-12)
        for i, s in enumerate(spots):
            below, above = ratios(prop, P, s, prop.identification(s, y))
            assert_between(found, i, below, above)
            both = np.r_[below, above]
            assert (both >= least * (1 - 1e-8)).all() and (both <= most * (1 + 1e-8)).all()
        for s in (low - 2 * (high - low), high + 0.1 * (high - low)):
            both = np.concatenate(ratios(prop, P, s, prop.identification(s, y)))
            assert (both >= wide[0] * (1 - 1e-8)).all() and (both <= wide[1] * (1 + 1e-8)).all()


@given(orderable())
@settings(max_examples=30)
def test_touching_boundaries(cost: ic.CostMatrix) -> None:
    """Of a repeated cut the side of the squeezed cell has M = ∞; the rest is as ever."""
    prop = ic.smooth(cost, "touching")
    P = distributions(cost, rows=300)
    found = cut_moduli(prop)
    repeated = np.flatnonzero(np.diff(prop.cuts) == 0)
    assert len(repeated)
    assert np.isinf(found.most_above[repeated]).all() and np.isinf(found.most_below[repeated + 1]).all()
    assert np.isinf(np.r_[found.most_below, found.most_above]).sum() == 2 * len(repeated)
    for i, s in enumerate(prop.cuts):
        assert_between(found, i, *ratios(prop, P, s, prop.normals[i]))
    assert global_moduli(prop)[1] == np.inf


@given(orderable())
@settings(max_examples=20)
def test_the_interior_simplex(cost: ic.CostMatrix) -> None:
    prop = ic.smooth(cost, interior=0.01)
    P = 0.01 + (1 - 0.01 * len(cost.outcomes)) * distributions(cost, rows=200)
    found = cut_moduli(prop)
    for i, s in enumerate(prop.cuts):
        assert_between(found, i, *ratios(prop, P, s, prop.normals[i]))


def test_it_is_fast() -> None:
    for method in METHODS:
        prop = ic.smooth(random_strong(50, 50, 1), method)
        prop.value(np.eye(50))
        start = time.perf_counter()
        cut_moduli(prop)
        assert time.perf_counter() - start < 20  # 0.5 s, on a machine that is shared
