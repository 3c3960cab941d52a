"""The audit as a whole: odd but lawful data, groups, clusters, recalibration, and what it tells."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import isocost as ic
from tests.auditing.worlds import ASYMMETRIC, PAPER, drawn

LINEAR = ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]], decisions=list("abc"), outcomes=list("abc"))


def values(audit: ic.Audit) -> dict[str, float]:
    return {name: reading.estimate.value for name, reading in audit.readings().items()}


def test_one_row_has_values_and_no_intervals() -> None:
    found = ic.audit(PAPER, ["mild"], probabilities=[[0.8, 0.1, 0.1]])
    assert found.mean_cost.value == 0.0
    assert (found.mean_cost.low, found.mean_cost.high) == (-math.inf, math.inf)
    assert found.certificate["wait"].status == "undecided"
    json.dumps(found.to_dict(), allow_nan=False)


def test_an_outcome_that_never_came_and_a_decision_never_taken() -> None:
    found = ic.audit(ASYMMETRIC, ["a", "b"] * 20, decisions=[0, 1] * 20)
    assert found.mean_cost.value == 0.0
    assert found.swaps == {}
    assert found.beyond_constant.high < 0


def test_rows_of_weight_zero_are_as_good_as_absent() -> None:
    world = drawn(PAPER, 100, 0)
    w = np.r_[np.ones(60), np.zeros(40)]
    groups = np.array(["a", "b"])[np.arange(100) % 2]
    one = ic.audit(PAPER, world.y, probabilities=world.P, sample_weight=w, groups=groups)
    two = ic.audit(PAPER, world.y[:60], probabilities=world.P[:60], groups=groups[:60])
    assert one.rows == 60
    assert values(one) == values(two)
    assert values(one.groups["b"]) == values(two.groups["b"])


def test_single_precision_that_is_off_by_rounding_is_fine() -> None:
    world = drawn(PAPER, 500, 0)
    single = world.P.astype(np.float32)
    single[:, 0] += np.float32(1e-7)
    found, exact = (ic.audit(PAPER, world.y, probabilities=P) for P in (single, world.P))
    assert found.mean_cost.value == exact.mean_cost.value
    assert values(found) == pytest.approx(values(exact), rel=0.05, abs=1e-3)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_are_read_by_their_labels(frame: Any) -> None:
    world = drawn(PAPER, 50, 0)
    shuffled = [2, 0, 1]
    table = frame({PAPER.outcomes[j]: world.P[:, j] for j in shuffled})
    assert values(ic.audit(PAPER, world.y, probabilities=table)) == values(
        ic.audit(PAPER, world.y, probabilities=world.P)
    )


def test_labels_of_any_type_and_order() -> None:
    world = drawn(PAPER, 300, 2)
    position = PAPER.positions(world.y)
    wanted = values(ic.audit(PAPER, world.y, probabilities=world.P, resamples=0))
    for labels in ([30, 10, 20], ["x", "b", "a"], [2.5, 0.5, 1.5], [("t", 1), ("t", 0), 7]):
        cost = ic.CostMatrix(PAPER.costs, decisions=PAPER.decisions, outcomes=labels)
        y = [labels[i] for i in position]
        assert values(ic.audit(cost, y, probabilities=world.P, resamples=0)) == pytest.approx(wanted, abs=1e-12)


def test_groups_are_audits_of_their_own_at_a_common_level() -> None:
    world = drawn(PAPER, 900, 1)
    region = np.array(["north", "south", "west"])[np.arange(900) % 3]
    found = ic.audit(PAPER, world.y, probabilities=world.P, groups=region)
    assert list(found.groups) == ["north", "south", "west"]
    alone = ic.audit(PAPER, world.y[1::3], probabilities=world.P[1::3], level=1 - 0.05 / 3)
    assert values(found.groups["south"]) == values(alone)
    assert found.groups["south"].mean_cost == alone.mean_cost
    masks = {"all": np.ones(900, dtype=bool), "north": region == "north"}
    overlapping = ic.audit(PAPER, world.y, probabilities=world.P, groups=masks)
    assert values(overlapping.groups["all"]) == values(found)


def test_decisions_that_differ_from_the_predictions() -> None:
    """Costs are those of the decisions taken, scores those of the predictions, and the plug-in is compared."""
    world = drawn(PAPER, 2000, 1)
    taken = np.where(np.arange(2000) % 4 == 0, "treat", PAPER.decide(world.P))
    found = ic.audit(PAPER, world.y, probabilities=world.P, decisions=taken)
    plain = ic.audit(PAPER, world.y, probabilities=world.P)
    assert found.beyond_plugin is not None
    assert found.beyond_plugin.value == pytest.approx(found.mean_cost.value - plain.mean_cost.value)
    assert found.beyond_plugin.low > 0
    assert plain.beyond_plugin is None
    assert found.score_calibration == plain.score_calibration


def test_several_numbers_and_decisions_alone() -> None:
    world = drawn(LINEAR, 1000, 4)
    found = ic.audit(LINEAR, world.y, probabilities=world.P)
    assert found.prop.method == "linear"
    assert found.score_calibration is None
    assert found.bounds is None
    assert found.distribution_calibration is not None
    assert len(found.certificate["a"].gaps) == 2
    lin = ic.linear(LINEAR)
    scores = ic.audit(LINEAR, world.y, scores=lin.value(world.P), prop=lin)
    assert scores.mean_cost == found.mean_cost
    decided = ic.audit(LINEAR, world.y, decisions=LINEAR.decide(world.P))
    assert decided.mean_cost == found.mean_cost
    assert decided.distribution_calibration is None


@pytest.mark.parametrize(
    "prop",
    [
        ic.smooth(ic.CostMatrix.ordinal(list("abc"), power=1), "touching"),
        ic.smooth(ic.CostMatrix.ordinal(list("abc"), power=1), interior=0.02),
    ],
    ids=["touching", "interior"],
)
def test_touching_and_interior_properties(prop: ic.SmoothProperty) -> None:
    cost = ic.CostMatrix.ordinal(list("abc"), power=1)
    world = drawn(cost, 3000, 3)
    P = 0.94 * world.P + 0.02
    found = ic.audit(cost, world.y, probabilities=P, prop=prop)
    assert found.mean_cost == ic.audit(cost, world.y, decisions=prop.decide(prop.value(P))).mean_cost
    assert found.reliability is not None
    json.dumps(found.to_dict(), allow_nan=False)


def test_an_audit_of_the_rows_of_the_fit_is_not_valid() -> None:
    world, fresh = drawn(PAPER, 8000, 1, "too sure"), drawn(PAPER, 8000, 2, "too sure")
    prop = ic.smooth(PAPER)
    iso = ic.IsotonicRecalibrator(prop).fit(world.P, world.y)
    shuffled = np.random.default_rng(0).permutation(8000)
    seen = ic.audit(PAPER, world.y[shuffled], probabilities=world.P[shuffled], prop=prop, recalibration=iso)
    assert seen.certificate.in_sample
    assert str(seen.certificate).startswith("in sample: not valid")
    new = ic.audit(PAPER, fresh.y, probabilities=fresh.P, prop=prop, recalibration=iso)
    assert not new.certificate.in_sample
    assert new.score_calibration is not None
    raw = ic.audit(PAPER, fresh.y, probabilities=fresh.P, prop=prop)
    assert raw.score_calibration is not None
    assert new.score_calibration.debiased.value < raw.score_calibration.debiased.value / 2
    region = np.array(["a", "b"])[np.arange(8000) % 2]
    multi = ic.Multicalibrator(prop).fit(world.P, world.y, region)
    by_group = ic.audit(PAPER, fresh.y, probabilities=fresh.P, prop=prop, recalibration=multi, groups=region)
    assert by_group.mean_cost.value < raw.mean_cost.value
    assert not by_group.certificate.in_sample
    swap = ic.SwapRecalibrator(PAPER).fit(PAPER.decide(world.P), world.y)
    assert ic.audit(PAPER, world.y, decisions=PAPER.decide(world.P), recalibration=swap).certificate.in_sample


def test_the_table_and_the_dict_tell_everything() -> None:
    world = drawn(PAPER, 400, 1)
    found = ic.audit(PAPER, world.y, probabilities=world.P, groups=np.arange(400) % 2)
    text = found.table()
    for measure, _ in found.readings().values():
        assert measure.name in text
        assert measure.estimand
        assert measure.unit
        assert measure.perfect
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["mean_cost"]["value"] == found.mean_cost.value
    assert plain["groups"]["1"]["rows"] == 200
    assert plain["bounds"]["sharp"]["value"] <= 1
    assert len(plain["reliability"]["score"]) <= 128


def test_the_same_seed_gives_the_same_bands() -> None:
    world = drawn(PAPER, 400, 1)
    one, two, other = (ic.audit(PAPER, world.y, probabilities=world.P, seed=s).reliability for s in (3, 3, 4))
    assert one is not None
    assert two is not None
    assert other is not None
    np.testing.assert_array_equal(one.confidence, two.confidence)
    assert not np.array_equal(one.confidence, other.confidence)


def test_each_measure_needs_just_the_sums_that_it_says() -> None:
    """Without all the others it is the same; without its own it is not there."""
    world = drawn(PAPER, 300, 1)
    taken = np.where(np.arange(300) % 4 == 0, "treat", PAPER.decide(world.P))
    found = ic.audit(PAPER, world.y, probabilities=world.P, decisions=taken)
    tally = ic.tally(PAPER, world.y, probabilities=world.P, decisions=taken)
    assert tally.scores is not None
    for name, (measure, estimate) in found.readings().items():
        predicted = "predicted" in measure.needs
        scores = tally.scores if predicted else replace(tally.scores, predicted=None)
        bare = replace(
            tally,
            taken=tally.taken if predicted else replace(tally.taken, predicted=None),
            pairs=tally.pairs if "pairs" in measure.needs else None,
            scores=scores if "scores" in measure.needs else None,
        )
        told = ic.audit_tally(bare, resamples=0).readings()
        if "rows" in measure.needs:
            assert name not in told
        else:
            assert told[name].estimate == estimate
        without = replace(
            tally,
            taken=replace(tally.taken, predicted=None) if predicted else tally.taken,
            pairs=None if "pairs" in measure.needs else tally.pairs,
            scores=None if "scores" in measure.needs else tally.scores,
        )
        assert measure.needs == ("taken",) or name not in ic.audit_tally(without, resamples=0).readings()
