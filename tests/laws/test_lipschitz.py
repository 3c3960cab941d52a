"""|Γ(p) - Γ(q)| ≤ K‖p - q‖, K is attained, and K is at least its limit.

Broken once: leaving out the parts of one piece, 1 - x for x in the visible edges, or the factor ½
of the dual norm of L1 each fail one of the laws.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import isocost as ic
from isocost.simplex import dual_norm
from tests.laws.random_costs import NORMS, distributions, smooth_all, strongly_orderable


@given(strongly_orderable())
@settings(max_examples=30)
def test_no_pair_is_steeper(cost: ic.CostMatrix) -> None:
    P = distributions(cost, rows=100)
    random = np.random.default_rng(1)
    Q = P[random.permutation(len(P))]
    near = 0.999 * P + 0.001 * Q
    for prop in smooth_all(cost):
        u = prop.value(P)
        for norm in NORMS:
            K = prop.lipschitz(norm)
            for other in (Q, near):
                distance = np.linalg.norm(P - other, ord=norm, axis=1)
                rounding = 1e-13 * (np.abs(prop.knots).max() + K)
                assert (np.abs(u - prop.value(other)) <= K * distance * (1 + 1e-9) + rounding).all()


@given(strongly_orderable(least=2))
@settings(max_examples=30)
def test_no_gradient_is_steeper(cost: ic.CostMatrix) -> None:
    """Certain outcomes included: the score may be at the end of its range, with a tail behind it that none reaches."""
    P = distributions(cost, rows=30)
    for prop in smooth_all(cost):
        gradients = prop.gradient(P)
        for norm in NORMS:
            assert dual_norm(gradients, norm).max() <= prop.lipschitz(norm) * (1 + 1e-6)


@given(strongly_orderable(least=2))
@settings(max_examples=25)
def test_the_returned_pair_attains_it(cost: ic.CostMatrix) -> None:
    for prop in smooth_all(cost):
        for norm in NORMS:
            K = prop.lipschitz(norm)
            p, q, _ = prop.lipschitz_pair(norm)
            assert min(p.min(), q.min()) >= 0
            assert sum(map(Fraction, p.tolist())) == sum(map(Fraction, q.tolist())) == 1
            slope = abs(float(exact_value(prop, p) - exact_value(prop, q))) / float(np.linalg.norm(p - q, ord=norm))
            assert slope == pytest.approx(K, rel=1e-6)
            assert slope <= K * (1 + 1e-9)


@given(strongly_orderable(least=3))
@settings(max_examples=40)
def test_the_limit_is_a_lower_limit(cost: ic.CostMatrix) -> None:
    for prop in smooth_all(cost):
        for norm in NORMS:
            limit = prop.lipschitz_limit(norm)
            assert prop.lipschitz(norm) >= limit * (1 - 1e-9)
            assert prop.smoothness(norm) == pytest.approx(prop.lipschitz(norm) / limit)


def exact_value(prop: ic.SmoothProperty, p: np.ndarray) -> Fraction:
    """Γ(p) by its definition in Fractions: the root of the piece where E V changes sign."""
    weights = [Fraction(x) for x in p.tolist()]
    knots = [Fraction(t) for t in prop.knots.tolist()]
    rows = prop.values.tolist()
    expected = [sum((w * Fraction(v) for w, v in zip(weights, row, strict=True)), Fraction(0)) for row in rows]
    last = max((j for j, e in enumerate(expected) if e <= 0), default=-1)
    if last == -1:
        return Fraction(knots[0] - expected[0])
    if last == len(knots) - 1:
        return Fraction(knots[-1] - expected[-1])
    share = expected[last] / (expected[last] - expected[last + 1])
    return knots[last] + (knots[last + 1] - knots[last]) * share
