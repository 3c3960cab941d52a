"""L: ∂L/∂u = V, L ≥ 0 with minimum 0 for each outcome, and E_p L(·, Y) is least at Γ(p).

Broken once: dropping the half of slope·step²/2 fails the first law; taking the shift at the first
knot the second.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given

import isocost as ic
from tests.laws.random_costs import distributions, smooth_all, strongly_orderable


def probes(prop: ic.SmoothProperty) -> np.ndarray:
    inner = np.linspace(prop.knots[0], prop.knots[-1], 33)
    return np.sort(np.r_[prop.knots[0] - [2.0, 0.3], inner, prop.knots, prop.knots[-1] + [0.3, 2.0]])


@given(strongly_orderable())
def test_the_derivative_is_the_identification_function(cost: ic.CostMatrix) -> None:
    """Between neighbouring probes V is linear, so the trapezoid of V is the exact rise of L."""
    for prop in smooth_all(cost):
        u = probes(prop)
        for y in range(len(prop.outcomes)):
            column = np.full(len(u), y)
            v, loss = prop.identification(u, column), prop.loss(u, column)
            rise = np.diff(u) * (v[1:] + v[:-1]) / 2
            assert np.abs(np.diff(loss) - rise).max() <= 1e-9 * (np.abs(loss).max() + np.abs(rise).max())


@given(strongly_orderable())
def test_the_least_loss_of_each_outcome_is_zero(cost: ic.CostMatrix) -> None:
    n = len(cost.outcomes)
    for prop in smooth_all(cost):
        u = probes(prop)
        loss = prop.loss(u[:, None], np.arange(n)[None, :])
        assert (loss >= 0).all()
        if prop.is_convex:
            at_root = prop.loss(prop.value(np.eye(n)), np.arange(n))
            assert np.abs(at_root).max() <= 1e-12 * loss.max()


@given(strongly_orderable())
def test_the_score_minimises_the_expected_loss(cost: ic.CostMatrix) -> None:
    P = distributions(cost, rows=20)
    outcomes = np.arange(len(cost.outcomes))
    for prop in smooth_all(cost):
        best = (prop.loss(prop.value(P)[:, None], outcomes[None, :]) * P).sum(axis=1)
        rounding = 1e-12 * prop.loss(probes(prop)[:, None], outcomes[None, :]).max()
        for u in probes(prop):
            other = (prop.loss(u, outcomes)[None, :] * P).sum(axis=1)
            assert (best <= other + 1e-9 * other + rounding).all()
