"""V: E_p V(Γ(p), Y) = 0 with one change of sign, continuous, and monotone where claimed.

Broken once: -E_j/(E_{j+1} + E_j) in the kernel fails the first law; tails of slope -1 the second;
exchanging κ and A - κ in `smoothest` the fourth.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given

import isocost as ic
from tests.laws.random_costs import distributions, smooth_all, strongly_orderable


def expected_identification(prop: ic.SmoothProperty, u: np.ndarray, P: np.ndarray) -> np.ndarray:
    outcomes = np.arange(len(prop.outcomes))
    return np.asarray((prop.identification(u[:, None], outcomes[None, :]) * P).sum(axis=1))


@given(strongly_orderable())
def test_the_score_is_a_root(cost: ic.CostMatrix) -> None:
    P = distributions(cost, rows=50)
    for prop in smooth_all(cost):
        size = np.abs(prop.values).max() or 1.0
        assert np.abs(expected_identification(prop, prop.value(P), P)).max() <= 1e-9 * size


@given(strongly_orderable())
def test_the_sign_changes_once_from_minus_to_plus(cost: ic.CostMatrix) -> None:
    P = distributions(cost, rows=20)
    for prop in smooth_all(cost):
        u = prop.value(P)
        low, high = prop.knots[0] - 2, prop.knots[-1] + 2
        noise = 1e-11 * (np.abs(prop.values).max() + 1)
        for at in np.linspace(low, high, 41):
            e = expected_identification(prop, np.full(len(P), at), P)
            assert (e[at < u - 1e-9 * (high - low)] <= noise).all()
            assert (e[at > u + 1e-9 * (high - low)] >= -noise).all()


@given(strongly_orderable())
def test_continuous_at_every_knot(cost: ic.CostMatrix) -> None:
    for prop in smooth_all(cost):
        outcomes = np.arange(len(prop.outcomes))
        size = np.abs(prop.values).max() or 1.0
        for j, knot in enumerate(prop.knots):
            below = prop.identification(np.nextafter(knot, -np.inf), outcomes)
            at = prop.identification(knot, outcomes)
            assert np.abs(at - prop.values[j]).max() <= 1e-12 * size
            steep = np.abs(prop.slope(np.nextafter(knot, -np.inf), outcomes)).max()
            assert np.abs(at - below).max() <= 1e-9 * size + 1e-12 * steep * (abs(knot) + 1)


@given(strongly_orderable(least=2))
def test_monotone_where_claimed(cost: ic.CostMatrix) -> None:
    for prop in smooth_all(cost):
        assert prop.is_convex or prop.method == "normals"
        u = np.sort(np.r_[np.linspace(prop.knots[0] - 1, prop.knots[-1] + 1, 200), prop.knots])
        for y in range(len(prop.outcomes)):
            rises = np.diff(prop.identification(u, np.full(len(u), y)))
            falls = rises.min() < -1e-9 * np.abs(prop.values).max()
            assert not (falls and prop.is_convex)
            if not prop.is_convex:
                continue
            assert (prop.slope(u, np.full(len(u), y)) >= 0).all()


def test_normals_are_not_convex_in_general() -> None:
    """E11: otherwise the law above would say nothing about them."""
    cost = ic.CostMatrix([[0, 0, 0], [10, -1, -10], [11, 0.1, -10.5]])
    prop = ic.smooth(cost, "normals")
    assert not prop.is_convex
    assert (prop.slope(0.5, np.arange(3)) < 0).any()
