"""property_for: the property that suits, and one sentence that says why."""

from __future__ import annotations

import re

import numpy as np
import pytest

import isocost as ic


def test_strongly_orderable_costs_get_the_smoothest_score() -> None:
    cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]])
    prop = ic.property_for(cost)
    assert isinstance(prop, ic.SmoothProperty)
    assert prop == ic.smooth(cost)
    assert prop.why.startswith("The smoothest score, as the decisions are strongly orderable")
    assert 'method="normals" and linear(cost) are possible too' in prop.why


def test_touching_boundaries_get_a_linear_property_and_hear_of_the_scalar() -> None:
    prop = ic.property_for(ic.CostMatrix.ordinal(["low", "mid", "high"], power=1))
    assert isinstance(prop, ic.LinearProperty)
    assert "boundaries touch on both sides of 'mid'" in prop.why
    assert 'smooth(cost, method="touching") gives that number' in prop.why
    assert "interior=0.01" in prop.why


def test_crowded_decisions_hear_that_there_is_no_scalar() -> None:
    prop = ic.property_for(ic.CostMatrix.ordinal(range(5), power=1))
    assert isinstance(prop, ic.LinearProperty)
    assert "on both sides of the neighbours 1 and 2, so that no Lipschitz number carries the decisions" in prop.why
    assert "touching" not in prop.why


def test_the_floor_that_is_named_can_be_taken() -> None:
    """interior= must be below 1/n, so that 0.01 is no way out with a hundred outcomes."""
    cost = ic.CostMatrix.ordinal(range(120), power=1)
    order = cost.ordering()
    assert order.witness is not None
    for text in (ic.property_for(order).why, order.witness.advice):
        found = re.search(r"interior=([\d.]+)", text)
        assert found is not None
        assert ic.smooth(cost, interior=found[1]).decisions


def test_costs_that_are_not_orderable_get_a_linear_property() -> None:
    prop = ic.property_for(ic.CostMatrix(1 - np.eye(4)))
    assert isinstance(prop, ic.LinearProperty)
    assert prop.dimension == 3
    assert prop.why == (
        "The linear property with d = 3 numbers, as the decisions are not orderable, so that no continuous number "
        "carries them; no linear property has fewer."
    )


@pytest.mark.parametrize(
    "cost", [ic.CostMatrix.ordinal(range(4)), ic.CostMatrix(1 - np.eye(4)), ic.CostMatrix([[0, 1]])]
)
def test_whichever_it_is_it_is_a_property(cost: ic.CostMatrix) -> None:
    """Later steps ask nothing that only one kind has."""
    prop = ic.property_for(cost.ordering())
    assert isinstance(prop, ic.Property)
    assert prop.why.endswith(".")
    P = np.random.default_rng(0).dirichlet(np.ones(len(cost.outcomes)), 50)
    u = prop.value(P)
    y = np.arange(50) % len(cost.outcomes)
    assert u.shape == ((50,) if isinstance(prop, ic.SmoothProperty) else (50, prop.dimension))
    assert cost.regret(P, prop.decide(u)).max() <= 1e-12
    assert prop.loss(u, y).shape == (50,)
    assert prop.identification(u, y).shape == prop.slope(u, y).shape == u.shape
    assert [prop.decisions[i] for i in prop.cell(u)] == prop.decide(u).tolist()
    assert prop.gradient(P).shape == (*u.shape, len(cost.outcomes))
    assert prop.lipschitz() >= 0


def test_what_is_no_cost_matrix() -> None:
    with pytest.raises(ic.CostMatrixError, match="property_for needs a CostMatrix; got list"):
        ic.property_for([[0, 1], [1, 0]])  # type: ignore[arg-type]
