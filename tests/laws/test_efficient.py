"""The property made for training decides as the cost matrix does, and is placed as its formula says.

Mistakes these were seen to catch: knots of the tails out of order, a knot scaled by a negative number, a
cut put on the knot beside it, V interpolated between the wrong neighbours, the reference tilted the wrong
way, knots at Var/E[V'] apart.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import brentq

import isocost as ic
from isocost.learn.construction import LEAST_VARIANCE, efficient, expected_slopes, reference
from tests.laws.random_costs import distributions, strongly_orderable


@settings(deadline=None, max_examples=60)
@given(cost=strongly_orderable())
def test_it_decides_as_the_cost_matrix(cost: ic.CostMatrix) -> None:
    prop, P = efficient(cost), distributions(cost, 50)
    expected = P @ cost.costs.T
    where = {label: i for i, label in enumerate(cost.decisions)}
    taken = expected[np.arange(len(P)), [where[r] for r in prop.decide(prop.value(P)).tolist()]]
    unit = np.abs(cost.costs - cost.costs[0]).max() or 1.0
    assert (taken - expected.min(axis=1) <= 1e-9 * unit).all()


@settings(deadline=None, max_examples=60)
@given(cost=strongly_orderable(least=2))
def test_its_expected_identification_changes_sign_once(cost: ic.CostMatrix) -> None:
    prop, P = efficient(cost), distributions(cost, 50)
    rises = P @ prop.values.T
    tiny = 1e-9
    for row in rises:
        signs = np.sign(np.where(np.abs(row) <= tiny, 0.0, row))
        assert (np.diff(signs[signs != 0]) >= 0).all()
    u = prop.value(P)
    at_root = (P * prop.identification(u[:, None], np.arange(len(cost.outcomes)))).sum(axis=1)
    assert np.abs(at_root).max() <= 1e-9


@settings(deadline=None, max_examples=60)
@given(cost=strongly_orderable(least=2))
def test_it_is_a_positive_rescaling_of_the_normals_at_the_cuts(cost: ic.CostMatrix) -> None:
    prop, order = efficient(cost), cost.ordering()
    assert prop.decisions == order.decisions
    for v, w in zip(prop.normals, order.normals, strict=True):
        np.testing.assert_allclose(v * np.ptp(w), w, atol=1e-12 * np.ptp(w))
    assert (np.diff(prop.knots) > 0).all()
    np.testing.assert_allclose(np.ptp(prop.values, axis=1), 1, rtol=1e-9)


@settings(deadline=None, max_examples=60)
@given(cost=strongly_orderable(least=2))
def test_the_reference_has_the_largest_entropy(cost: ic.CostMatrix) -> None:
    """By its conditions: on the level set, and ln p is affine in V; θ is found anew by another method."""
    normals = cost.ordering().normals
    p = reference(normals)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_allclose((p * normals).sum(axis=1) / np.ptp(normals, axis=1), 0, atol=1e-9)
    for w, row in zip(normals / np.ptp(normals, axis=1)[:, None], p, strict=True):

        def mean(theta: float, w: np.ndarray = w) -> float:
            exponents = -theta * w
            tilted = np.exp(exponents - exponents.max())
            return float(tilted @ w / tilted.sum())

        reach = 1.0
        while mean(reach) > 0 or mean(-reach) < 0:
            reach *= 2
        theta = brentq(mean, -reach, reach, xtol=1e-14)
        exponents = -theta * w
        tilted = np.exp(exponents - exponents.max())
        np.testing.assert_allclose(row, tilted / tilted.sum(), atol=1e-6)


@pytest.mark.parametrize("n", [3, 5, 8])
def test_for_squares_it_is_the_log_loss_of_an_exponential_family(n: int) -> None:
    """V(u, y)·(n-1) is the mean of p(y) ∝ exp(θy) minus y, and θ is affine in u."""
    prop = efficient(ic.CostMatrix.ordinal(list(range(n))))
    y = np.arange(n)
    means = (prop.values * (n - 1) + y).mean(axis=1)
    np.testing.assert_allclose(prop.values * (n - 1), means[:, None] - y, atol=1e-9)
    p = reference(prop.values)
    inner = (p * prop.values**2).sum(axis=1) > LEAST_VARIANCE  # elsewhere it is this in place of its own
    assert inner.sum() > len(inner) / 2

    def mean(theta: float) -> float:
        tilted = np.exp(theta * y - max(0, theta * (n - 1)))
        return float(tilted @ y / tilted.sum())

    theta = np.array([brentq(lambda t, m=m: mean(t) - m, -50, 50) for m in means[inner]])
    u = prop.knots[inner]
    slope, offset = np.polyfit(u, theta, 1)
    assert slope > 0
    np.testing.assert_allclose(slope * u + offset, theta, atol=0.02 * np.ptp(theta))


@settings(deadline=None, max_examples=40)
@given(cost=strongly_orderable(least=2))
def test_expected_slopes_are_positive(cost: ic.CostMatrix) -> None:
    prop = efficient(cost)
    slopes = expected_slopes(prop.knots, prop.values, 0.01)
    assert slopes.shape == (len(prop.knots) + 1,)
    assert (slopes > 0).all()


def test_one_decision() -> None:
    prop = efficient(ic.CostMatrix([[0, 1, 2], [1, 2, 3]]))
    assert prop.decide(prop.value([[0.2, 0.3, 0.5]])).tolist() == [0]


def test_costs_that_are_not_orderable_are_refused() -> None:
    with pytest.raises(ic.NotOrderableError, match="efficient"):
        efficient(ic.CostMatrix(1 - np.eye(3, dtype=int)))
