"""The smoothest construction stays within (1 + slack) of what any property can reach.

Broken once: τ = slack/(R(1+slack) - 1), end cells of slope 1, or gaps not proportional to the
distances each exceed the limit.
"""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.tools import random_strong
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from tests.laws.random_costs import NORMS, strongly_orderable

SLACKS = (0.2, 0.05, 0.01, 0.001)


@given(strongly_orderable(least=3))
@settings(max_examples=40)
def test_within_the_slack_in_its_own_norm(cost: ic.CostMatrix) -> None:
    order = cost.ordering()
    for norm in NORMS:
        for slack in SLACKS:
            prop = ic.smooth(order, norm=norm, slack=slack)
            assert prop.is_convex
            assert 1 - 1e-9 <= prop.smoothness(norm) <= (1 + slack) * (1 + 1e-9)


@given(strongly_orderable(least=3))
def test_cuts_are_spaced_by_distance(cost: ic.CostMatrix) -> None:
    order = cost.ordering()
    for norm in NORMS:
        prop = ic.smooth(order, norm=norm)
        assert np.diff(prop.cuts) == pytest.approx(order.distances(norm), rel=1e-9)
        assert prop.lipschitz_limit(norm) == pytest.approx(1, rel=1e-9)


@given(st.integers(3, 8), st.integers(3, 10), st.integers(0, 200))
def test_distances_in_the_three_norms_compare(k: int, n: int, seed: int) -> None:
    """‖x‖_∞ ≤ ‖x‖₂ ≤ ‖x‖₁ ≤ √n‖x‖₂ ≤ n‖x‖_∞ bounds three solvers by each other; gaps go down to 1e-8 here."""
    order = random_strong(k, n, seed).ordering()
    one, two, most = (order.distances(norm) for norm in NORMS)
    assert (most > 0).all()
    assert (most <= two * (1 + 1e-6)).all()
    assert (two <= one * (1 + 1e-6)).all()
    assert (one <= np.sqrt(n) * two * (1 + 1e-6)).all()
    assert (two <= np.sqrt(n) * most * (1 + 1e-6)).all()


@given(strongly_orderable(least=2, most=2))
def test_with_two_decisions_the_unit_is_the_range(cost: ic.CostMatrix) -> None:
    for method in ("embedding", "normals", "smoothest"):
        prop = ic.smooth(cost, method)
        assert max(np.abs(np.array(prop.range) - prop.cuts[0])) == pytest.approx(1)
        assert prop.smoothness(1) == 1
        assert prop.lipschitz_limit(1) == 0


@given(strongly_orderable(least=1, most=1))
def test_a_single_decision_needs_no_score(cost: ic.CostMatrix) -> None:
    for method in ("embedding", "normals", "smoothest"):
        prop = ic.smooth(cost, method)
        u = prop.value(np.eye(len(cost.outcomes)))
        assert (u == 0).all()
        assert prop.cuts.shape == (0,)
        assert prop.decide(u).tolist() == ["r0"] * len(u)
        assert prop.lipschitz() == 0
