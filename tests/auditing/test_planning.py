"""sample_size: an audit of so many rows does what was planned."""

from __future__ import annotations

import math

import numpy as np
import pytest

import isocost as ic
from tests.auditing.worlds import PAPER, drawn


def test_an_audit_of_the_planned_rows_certifies_with_the_planned_power() -> None:
    plan = ic.sample_size(PAPER, drawn(PAPER, 20_000, 0).P, power=0.8)
    for decision, rows in plan.for_certificate.items():
        certified = []
        for seed in range(60):
            world = drawn(PAPER, int(rows), seed + 1)
            found = ic.audit(PAPER, world.y, decisions=PAPER.decide(world.P))
            certified.append(found.certificate[decision].status == "certified")
        assert 0.62 <= np.mean(certified) <= 0.96, decision


def test_the_mean_cost_gets_the_half_width_asked_for() -> None:
    plan = ic.sample_size(PAPER, drawn(PAPER, 20_000, 0).P, half_width=0.05)
    world = drawn(PAPER, int(plan.for_mean_cost), 1)
    found = ic.audit(PAPER, world.y, decisions=PAPER.decide(world.P)).mean_cost
    assert (found.high - found.low) / 2 == pytest.approx(0.05, rel=0.05)
    assert plan.rows == max(plan.for_mean_cost, *plan.for_certificate.values())
    assert "rows; to certify" in str(plan)


def test_a_tie_takes_no_number_of_rows() -> None:
    plan = ic.sample_size(ic.CostMatrix([[0, 1], [1, 0]]), [[0.5, 0.5]])
    assert plan.rows == math.inf


def test_decisions_never_taken_are_not_planned_for_and_certain_ones_need_a_row() -> None:
    plan = ic.sample_size(ic.CostMatrix([[0, 1], [1, 3]]), [[0.5, 0.5]])
    assert plan.for_certificate == {0: 0}
