"""Certificates: what they promise, simulated where the truth is known, and what they say of odd data."""

from __future__ import annotations

import math

import numpy as np
import pytest

import isocost as ic
from isocost.auditing.certificates import alternatives_of
from tests.auditing.worlds import ASYMMETRIC, PAPER, drawn

NOT_ORDERABLE = ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]], decisions=list("abc"), outcomes=list("abc"))


def truly_right(cost: ic.CostMatrix, kind: str) -> dict[object, bool]:
    """Whether each decision is right where it is taken, from many rows and their true distributions."""
    world = drawn(cost, 300_000, 12345, kind)
    taken = cost.decide(world.P)
    expected = {r: world.T[taken == r].mean(axis=0) @ cost.costs.T for r in cost.decisions if (taken == r).any()}
    return {r: bool(costs.argmin() == cost.decisions.index(r)) for r, costs in expected.items()}


@pytest.mark.parametrize("kind", ["calibrated", "too sure", "mixed up"])
@pytest.mark.parametrize("cost", [PAPER, ASYMMETRIC, NOT_ORDERABLE], ids=["paper", "asymmetric", "0-1"])
def test_verdicts_are_wrong_at_most_as_often_as_promised(cost: ic.CostMatrix, kind: str) -> None:
    right = truly_right(cost, kind)
    prop, wrong, settled = ic.property_for(cost), 0, 0
    for seed in range(60):
        world = drawn(cost, 1500, seed, kind)
        found = ic.audit(cost, world.y, decisions=cost.decide(world.P), prop=prop, level=0.8).certificate
        statuses = {v.decision: v.status for v in found.verdicts if v.rows}
        opposite = {"certified": False, "miscalibrated": True, "undecided": None}
        false = any(right[r] is opposite[s] for r, s in statuses.items())
        share = sum(v.share for v in found.verdicts if not right.get(v.decision, True))
        wrong += false or share > found.most_wrong + 0.05
        settled += sum(s != "undecided" for s in statuses.values())
    assert wrong <= 60 * 0.2
    assert settled > 30  # it does not hold its tongue


def test_near_ties_are_undecided_and_not_wrong() -> None:
    """Where two decisions all but tie, a test that ignores its level would be wrong half of the time."""
    cost = ic.CostMatrix([[0, 1], [1, 0]])
    wrong = 0
    for seed in range(300):
        y = (np.random.default_rng(seed).random(400) < 0.501).astype(int)
        found = ic.audit(cost, y, decisions=np.zeros(400, dtype=int), level=0.8).certificate
        wrong += found[0].status == "certified"
    assert wrong <= 300 * 0.2


def test_neighbours_suffice_along_an_order_and_all_others_without_one() -> None:
    assert alternatives_of(PAPER, PAPER.ordering()) == [(1,), (0, 2), (1,)]
    assert alternatives_of(NOT_ORDERABLE, NOT_ORDERABLE.ordering()) == [(1, 2), (0, 2), (0, 1)]
    dropped = ic.CostMatrix([[0, 5], [4, 4], [5, 0]])
    assert alternatives_of(dropped, dropped.ordering()) == [(2,), (0, 2), (0,)]


def test_how_many_more_rows_settle_an_undecided_decision() -> None:
    """With that many rows of the same kind it is settled, with half of them it is not."""
    y = np.array([0, 0, 0, 1, 1] * 8)
    cost = ic.CostMatrix([[0, 1], [1, 0]])

    def status(times: float) -> str:
        rows = np.tile(y, round(times))
        return ic.audit(cost, rows, decisions=np.zeros(len(rows), dtype=int)).certificate[0].status

    verdict = ic.audit(cost, y, decisions=np.zeros(40, dtype=int)).certificate[0]
    assert verdict.status == "undecided"
    times = 1 + verdict.more_rows / 40
    assert status(np.ceil(times)) == "certified"
    assert status(np.floor(times / 2)) == "undecided"


def test_an_exact_tie_is_never_settled() -> None:
    found = ic.audit(ic.CostMatrix([[0, 1], [1, 0]]), [0, 1] * 50, decisions=[0] * 100).certificate[0]
    assert found.status == "undecided"
    assert found.more_rows == math.inf


def test_a_decision_never_taken_is_not_certified() -> None:
    found = ic.audit(PAPER, ["mild"] * 300, decisions=["wait"] * 300)
    assert found.certificate["wait"].status == "certified"
    assert found.certificate["treat"].status == "undecided"
    assert found.certificate["treat"].rows == 0
    assert 0 < found.certificate.most_wrong < 0.12
    assert "never taken" in found.table()


def test_a_decision_that_always_is_best_needs_no_rows() -> None:
    found = ic.audit(ic.CostMatrix([[0, 0], [1, 1]]), [0, 1], decisions=[0, 0])
    assert found.certificate[0].status == "certified"
    assert ic.audit(ic.CostMatrix([[0, 0], [1, 1]]), [0, 1], decisions=[1, 1]).certificate[1].status == "miscalibrated"


def test_weights_that_are_all_the_same_change_nothing() -> None:
    world = drawn(PAPER, 400, 3)
    plain, heavy = (
        ic.audit(PAPER, world.y, probabilities=world.P, sample_weight=w, resamples=0) for w in (None, np.full(400, 7.0))
    )
    for one, other in zip(plain.certificate.verdicts, heavy.certificate.verdicts, strict=True):
        assert one.status == other.status
        np.testing.assert_allclose([g.low for g in one.gaps], [g.low for g in other.gaps])
    assert plain.mean_cost.high == pytest.approx(heavy.mean_cost.high)


def test_different_weights_and_clusters_make_limits_wider() -> None:
    world = drawn(PAPER, 3000, 3)
    weights = np.random.default_rng(0).exponential(size=3000)
    audits = [
        ic.audit(PAPER, world.y, probabilities=world.P, resamples=0, **kwargs)
        for kwargs in ({}, {"sample_weight": weights}, {"clusters": np.arange(3000) % 300})
    ]
    widths = [audit.certificate["test"].gaps[0].high - audit.certificate["test"].gaps[0].low for audit in audits]
    assert widths[0] < min(widths[1:])
    assert audits[1].certificate.method == "empirical Bernstein"


def test_rows_that_repeat_each_other_count_once_as_clusters() -> None:
    """Each row ten times: without clusters the interval would be √10 too narrow."""
    world = drawn(PAPER, 200, 5)
    once = ic.audit(PAPER, world.y, probabilities=world.P, resamples=0)
    again = ic.audit(
        PAPER,
        np.repeat(world.y, 10),
        probabilities=np.repeat(world.P, 10, axis=0),
        clusters=np.repeat(np.arange(200), 10),
    )
    assert again.mean_cost.value == pytest.approx(once.mean_cost.value)
    assert again.mean_cost.high == pytest.approx(once.mean_cost.high)
    assert again.units == 200
    for name, (_, estimate) in once.readings().items():
        if name != "decision_calibration":
            assert again.readings()[name].estimate.high >= estimate.high * 0.97 - 1e-3, name


def test_the_repr_says_it_in_a_line() -> None:
    world = drawn(PAPER, 3000, 1)
    found = ic.audit(PAPER, world.y, probabilities=world.P)
    assert str(found.certificate).startswith("3 certified; with probability 0.95, at most 0 % of rows")
    assert "mean cost" in repr(found)
