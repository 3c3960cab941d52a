"""ψ(Γ(p)) ∈ γ(p): the score decides as well as the distribution.

Broken once: `side="right"` in `cell` fails at boundary points of "embedding"; swapping before and
after in `embedding` fails everywhere.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given

import isocost as ic
from isocost.simplex import slice_vertices
from tests.laws.random_costs import distributions, smooth_all, strongly_orderable


@given(strongly_orderable())
def test_decisions_by_the_score_have_no_regret(cost: ic.CostMatrix) -> None:
    P = distributions(cost)
    spread = float(np.ptp(cost.costs, axis=0).max()) or 1.0
    rounding = 1e-12 * max(spread, float(np.abs(cost.costs).max()))
    for prop in smooth_all(cost):
        decisions = prop.decide(prop.value(P))
        assert cost.regret(P, decisions).max() <= 1e-9 * spread + rounding, prop.method


@given(strongly_orderable(least=2))
def test_boundaries_lie_at_their_cuts(cost: ic.CostMatrix) -> None:
    """Γ ≡ s_i on B_i, not only nearby: each vertex of each boundary has the score of its cut."""
    order = cost.ordering()
    for prop in smooth_all(order):
        unit = float(prop.knots[-1] - prop.knots[0]) or 1.0
        for i, normal in enumerate(order.normals):
            vertices = slice_vertices(normal)
            steep = prop.lipschitz(1)
            assert np.abs(prop.value(vertices) - prop.cuts[i]).max() <= 1e-12 * (unit + steep) * 100


@given(strongly_orderable(least=2))
def test_a_clear_winner_is_chosen(cost: ic.CostMatrix) -> None:
    """Away from ties the decision is the very label of the least expected cost."""
    P = distributions(cost)
    expected = np.sort(cost.expected(P), axis=1)
    clear = expected[:, 1] - expected[:, 0] > 1e-6 * np.ptp(cost.costs, axis=0).max()
    for prop in smooth_all(cost):
        assert (prop.decide(prop.value(P))[clear] == cost.decide(P)[clear]).all()


@given(strongly_orderable())
def test_a_score_at_a_cut_takes_the_earlier_decision(cost: ic.CostMatrix) -> None:
    """ψ(u) = r_{1 + #{i : s_i < u}}: a convention that files, SQL and Python must share."""
    for prop in smooth_all(cost):
        k = len(prop.decisions)
        assert prop.cell(prop.cuts).tolist() == list(range(k - 1))
        assert prop.cell(np.nextafter(prop.cuts, np.inf)).tolist() == list(range(1, k))
        assert prop.decide(prop.cuts).tolist() == list(prop.decisions[:-1])
