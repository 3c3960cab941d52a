"""Touching boundaries: a Lipschitz Γ exists iff no two neighbours are squeezed, and then it is as smooth as can be.

Broken once: `before` in place of `(before + upto) // 2` in `cell` loses the squeezed decisions; the first
knot for both halves of a repeated cut spoils the limit; V(s+) without its maximum is not monotone.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import isocost as ic
from isocost.simplex import slice_vertices
from tests.laws.random_costs import NORMS, distributions, orderable
from tests.laws.test_lipschitz import exact_value


def squeezed_cells(order: ic.Ordering) -> list[int]:
    return [i + 1 for i in order.touching]


@given(orderable())
def test_the_criterion_finds_the_squeezed_decisions(cost: ic.CostMatrix) -> None:
    order = cost.ordering()
    assert order.kind is ic.OrderKind.ORDERABLE
    prop = ic.smooth(order, "touching")
    assert np.flatnonzero(np.diff(prop.cuts) == 0).tolist() == list(order.touching)
    assert np.flatnonzero(order.distances(1) == 0).tolist() == list(order.touching)


@given(orderable(crowded=True))
def test_two_squeezed_neighbours_are_refused(cost: ic.CostMatrix) -> None:
    order = cost.ordering()
    with pytest.raises(ic.NotOrderableError, match="No Lipschitz number refines these decisions") as caught:
        ic.smooth(order, "touching")
    one, two = (order.decisions[order.crowded[0] + j] for j in (1, 2))
    assert f"{one!r} and {two!r} are neighbours" in str(caught.value)
    # The proof, exactly: each is best at a point where it ties with both of its own neighbours.
    for j in (0, 1):
        i = order.crowded[0] + j
        point = order.touch_witness(i).distribution
        costs = [sum((p * c for p, c in zip(point, row, strict=True)), Fraction(0)) for row in cost.exact]
        assert costs[i] == costs[i + 1] == costs[i + 2] == min(costs)


@given(orderable())
def test_decisions_by_the_score_have_no_regret(cost: ic.CostMatrix) -> None:
    P = distributions(cost)
    spread = float(np.ptp(cost.costs, axis=0).max())
    prop = ic.smooth(cost, "touching")
    decided = prop.decide(prop.value(P))
    assert cost.regret(P, decided).max() <= 1e-9 * spread
    expected = np.sort(cost.expected(P), axis=1)
    clear = expected[:, 1] - expected[:, 0] > 1e-6 * spread
    assert (decided[clear] == cost.decide(P)[clear]).all()


@given(orderable())
def test_a_squeezed_decision_has_one_score_to_the_bit(cost: ic.CostMatrix) -> None:
    order = cost.ordering()
    prop = ic.smooth(order, "touching")
    P = distributions(cost)
    u, best = prop.value(P), cost.decide(P)
    expected = np.sort(cost.expected(P), axis=1)
    clear = expected[:, 1] - expected[:, 0] > 1e-9 * np.ptp(cost.costs, axis=0).max()
    for i in squeezed_cells(order):
        assert (u[clear & (best == order.decisions[i])] == prop.cuts[i]).all()
        assert prop.cuts[i - 1] == prop.cuts[i]
        assert prop.cell(prop.cuts[i]) == i
        assert prop.cell(np.nextafter(prop.cuts[i], -np.inf)) == i - 1
        assert prop.cell(np.nextafter(prop.cuts[i], np.inf)) == i + 1
        inside = prop.level_set(float(prop.cuts[i]))
        assert cost.regret(inside, np.full(len(inside), order.decisions[i])).max() <= 1e-9 * np.abs(cost.costs).max()
        assert (prop.gradient(inside.mean(axis=0)[None, :]) == 0).all()


@given(orderable())
def test_the_jump_goes_up_and_the_loss_has_a_kink(cost: ic.CostMatrix) -> None:
    order = cost.ordering()
    prop = ic.smooth(order, "touching")
    assert prop.is_convex
    outcomes = np.arange(len(prop.outcomes))
    unit = float(np.ptp(prop.knots))
    for i in squeezed_cells(order):
        s = float(prop.cuts[i])
        step = 1e-7 * unit
        rise = (prop.loss(s + step, outcomes) - prop.loss(s, outcomes)) / step
        fall = (prop.loss(s, outcomes) - prop.loss(s - step, outcomes)) / step
        size = np.abs(prop.values).max()
        steep = float(np.abs(np.diff(prop.values, axis=0)).max() / np.diff(prop.knots)[np.diff(prop.knots) > 0].min())
        assert np.abs(rise - prop.normals[i]).max() <= 1e-6 * size + steep * step
        assert np.abs(fall - prop.normals[i - 1]).max() <= 1e-6 * size + steep * step


@given(orderable())
def test_the_score_minimises_the_expected_loss(cost: ic.CostMatrix) -> None:
    prop = ic.smooth(cost, "touching")
    P = distributions(cost, rows=30)
    outcomes = np.arange(len(prop.outcomes))
    least = (prop.loss(prop.value(P)[:, None], outcomes[None, :]) * P).sum(axis=1)
    for u in np.r_[np.linspace(prop.knots[0] - 1, prop.knots[-1] + 1, 41), prop.knots]:
        other = (prop.loss(u, outcomes)[None, :] * P).sum(axis=1)
        assert (least <= other + 1e-9 * (1 + other)).all()


@given(orderable())
@settings(max_examples=30)
def test_the_constant_holds_and_is_attained(cost: ic.CostMatrix) -> None:
    P = distributions(cost, rows=100)
    Q = P[np.random.default_rng(1).permutation(len(P))]
    order = cost.ordering()
    for norm in NORMS:
        prop = ic.smooth(order, "touching", norm=norm)
        K = prop.lipschitz(norm)
        moved = np.abs(prop.value(P) - prop.value(Q))
        assert (moved <= K * np.linalg.norm(P - Q, ord=norm, axis=1) * (1 + 1e-9) + 1e-12).all()
        p, q, _ = prop.lipschitz_pair(norm)
        slope = abs(float(exact_value(prop, p) - exact_value(prop, q))) / float(np.linalg.norm(p - q, ord=norm))
        assert slope == pytest.approx(K, rel=1e-6)


@given(orderable())
@settings(max_examples=30)
def test_within_the_slack_of_the_limit(cost: ic.CostMatrix) -> None:
    order = cost.ordering()
    for norm in NORMS:
        for slack in (0.2, 0.01):
            prop = ic.smooth(order, "touching", norm=norm, slack=slack)
            if len(set(prop.cuts.tolist())) == 1:  # no two boundaries apart: K is only a unit
                assert prop.smoothness(norm) == 1
                assert prop.range[1] - prop.range[0] == pytest.approx(1)
            else:
                assert prop.lipschitz_limit(norm) == pytest.approx(1, rel=1e-6)
                assert prop.smoothness(norm) <= (1 + slack) * (1 + 1e-6)


@given(orderable())
def test_boundaries_are_the_level_sets_at_the_cuts(cost: ic.CostMatrix) -> None:
    order = cost.ordering()
    prop = ic.smooth(order, "touching")
    for i, normal in enumerate(order.normals):
        cosine = normal @ prop.normals[i] / np.linalg.norm(normal) / np.linalg.norm(prop.normals[i])
        assert cosine == pytest.approx(1, abs=1e-12)
        found = prop.value(slice_vertices(normal))
        assert np.abs(found - prop.cuts[i]).max() <= 1e-9 * (1 + prop.lipschitz(1))


def test_the_median_of_three() -> None:
    """theory.md section 5: Γ = -(p₁-½)₊ + (p₃-½)₊ with K = ½ in L1."""
    cost = ic.CostMatrix.ordinal(["low", "mid", "high"], power=1)
    prop = ic.smooth(cost, "touching")
    P = distributions(cost, rows=1000)
    formula = -np.maximum(P[:, 0] - 0.5, 0) + np.maximum(P[:, 2] - 0.5, 0)
    assert np.abs(prop.value(P) - formula).max() <= 1e-15
    assert prop.lipschitz(1) == pytest.approx(0.5, rel=1e-12)
    assert prop.lipschitz(math.inf) == pytest.approx(1, rel=1e-12)
    assert ((prop.value(P) == 0) == ((P[:, 0] <= 0.5) & (P[:, 2] <= 0.5))).all()


def test_strongly_orderable_costs_need_no_jump() -> None:
    cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]])
    touching, smoothest = ic.smooth(cost, "touching"), ic.smooth(cost)
    assert np.array_equal(touching.values, smoothest.values)
    assert np.array_equal(touching.cuts, smoothest.cuts)


def test_absolute_error_of_four_grades_has_none() -> None:
    with pytest.raises(ic.NotOrderableError, match="1 and 2 are neighbours, and each is squeezed"):
        ic.smooth(ic.CostMatrix.ordinal(range(4), power=1), "touching")
