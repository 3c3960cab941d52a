"""Decision rules: what they take, what they refuse to hold, what they tell."""

from __future__ import annotations

import copy
import datetime
import math
import pickle

import numpy as np
import pytest

import isocost as ic
from isocost.comparisons import Contest, Ladder
from isocost.score_pieces import pieces_of_score

COST = ic.CostMatrix(
    [[0, 3, 5, 9], [1, 0, 3, 4], [3, 1, 0, 0]],
    decisions=["wait", "test", "treat"],
    outcomes=["none", "mild", "moderate", "severe"],
)
PROP = ic.smooth(COST)
P = np.random.default_rng(0).dirichlet(np.ones(4), size=400)
Y = [COST.outcomes[i] for i in np.random.default_rng(1).integers(0, 4, size=400)]


def test_without_maps_it_is_the_property() -> None:
    rule = ic.DecisionRule(PROP)
    assert rule.value(P).tobytes() == PROP.value(P).tobytes()
    assert rule.decide(P).tolist() == PROP.decide(PROP.value(P)).tolist() == COST.decide(P).tolist()
    assert rule.decide(score=PROP.value(P)).tolist() == rule.decide(P).tolist()
    assert (rule.cost, rule.fit_size, rule.fingerprints, rule.date) == (COST, None, (), datetime.date.today())
    assert isinstance(rule.comparisons, Ladder)
    assert rule.comparisons.cuts.tolist() == PROP.cuts.tolist()
    sizes = rule.comparisons.table / PROP.normals
    assert (sizes == sizes[:, :1]).all()
    assert np.abs(rule.comparisons.table).min() >= 1


def test_float32_and_unnormalised_rows() -> None:
    rule = ic.DecisionRule(PROP)
    single = P.astype(np.float32)
    assert rule.decide(single).tolist() == rule.decide(single.astype(np.float64)).tolist()
    assert rule.decide(3 * P, normalize=True).tolist() == rule.decide(P).tolist()
    assert rule.value(3 * P, normalize=True) == pytest.approx(rule.value(P))


def test_a_cut_is_pulled_back_to_the_threshold_of_its_block() -> None:
    iso = ic.IsotonicRecalibrator(PROP).fit(P, Y)
    ladder = ic.DecisionRule(PROP, iso).comparisons
    assert isinstance(ladder, Ladder)
    assert set(ladder.cuts.tolist()) <= set(iso.thresholds_.tolist())
    above = [iso.predict([np.nextafter(c, 9)])[0] > iso.predict([c])[0] for c in ladder.cuts]
    assert len(above) >= 1
    assert all(above)


@pytest.mark.parametrize(("interpolate", "keep"), [(True, 0.0), (False, 0.4), (True, 0.7)])
def test_a_pulled_back_cut_is_the_last_double_below(interpolate: bool, keep: float) -> None:
    iso = ic.IsotonicRecalibrator(PROP, interpolate=interpolate, keep=keep).fit(P, [*Y[:200], *sorted(Y[200:])])
    ladder = ic.DecisionRule(PROP, iso).comparisons
    assert isinstance(ladder, Ladder)
    assert len(ladder.cuts) >= 1
    for c in ladder.cuts:
        at, after = PROP.cell(iso.predict([c, np.nextafter(c, math.inf)]))
        assert at < after


def test_decisions_that_no_score_reaches_are_left_out() -> None:
    iso = ic.IsotonicRecalibrator(PROP).fit([0.0, 1.0], ["severe", "severe"])
    rule = ic.DecisionRule(PROP, iso)
    assert rule.decisions == ("treat",)
    assert rule.decide(P).tolist() == ["treat"] * len(P)
    assert rule.decide(score=[-1e308, 1e308]).tolist() == ["treat", "treat"]


def test_at_a_repeated_cut_the_squeezed_decision_is_taken() -> None:
    median = ic.smooth(ic.CostMatrix.ordinal(["low", "mid", "high"], power=1), method="touching")
    rule = ic.DecisionRule(median)
    at = np.array([[0.5, 0.0, 0.5], [0.25, 0.5, 0.25], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0]])
    assert rule.value(at).tolist() == [0.0] * 4
    assert rule.decide(at).tolist() == ["mid"] * 4
    beside = [np.nextafter(0, -1), 0.0, -0.0, np.nextafter(0, 1)]
    assert rule.decide(score=beside).tolist() == ["low", "mid", "mid", "high"]
    ladder = rule.comparisons
    assert isinstance(ladder, Ladder)
    assert (ladder.cuts.tolist(), ladder.inclusive.tolist()) == ([0.0, 0.0], [True, False])


def test_several_numbers() -> None:
    cost = ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]], decisions=["a", "b", "c"])
    lin = ic.linear(cost)
    Q = P[:, :3] / P[:, :3].sum(axis=1, keepdims=True)
    y = np.random.default_rng(2).integers(0, 3, size=len(Q))
    affine = ic.AffineRecalibrator(lin).fit(Q, y)
    swap = ic.SwapRecalibrator(cost).fit(lin.decide(affine.predict(Q)), y)
    rule = ic.DecisionRule(lin, affine, swap)
    assert isinstance(rule.comparisons, Contest)
    assert rule.value(Q) == pytest.approx(affine.predict(Q))
    assert rule.decide(Q).tolist() == swap.predict(lin.decide(affine.predict(Q))).tolist()
    assert rule.decide(score=lin.value(Q)).tolist() == rule.decide(Q).tolist()
    assert rule.fit_size == len(Q)
    assert rule.fingerprints == (affine.fingerprint_, swap.fingerprint_)


def test_a_linear_property_of_one_number_takes_isotonic_scores() -> None:
    lin = ic.linear(ic.CostMatrix.ordinal(["low", "mid", "high"]))
    Q = P[:, :3] / P[:, :3].sum(axis=1, keepdims=True)
    iso = ic.IsotonicRecalibrator(lin).fit(Q, ["low", "mid", "high", "mid"] * 100)
    rule = ic.DecisionRule(lin, iso)
    expected = lin.decide(iso.predict(Q))
    assert rule.decide(Q).tolist() == expected.tolist()
    scores = lin.value(Q)
    assert rule.decide(score=scores).tolist() == rule.decide(score=scores[:, 0]).tolist() == expected.tolist()
    assert rule.value(Q).shape == rule.value(score=scores[:, 0]).shape == (len(Q), 1)


def test_fitting_again_does_not_change_the_rule() -> None:
    iso = ic.IsotonicRecalibrator(PROP).fit(P, Y)
    rule = ic.DecisionRule(PROP, iso)
    before = rule.value(P)
    iso.fit(P[:50], Y[:50])
    assert rule.value(P).tobytes() == before.tobytes()
    assert rule.recalibration is not None
    assert rule.recalibration.prop is rule.prop


def test_manners() -> None:
    rule = ic.DecisionRule(PROP, ic.IsotonicRecalibrator(PROP).fit(P, Y), date=datetime.date(2026, 11, 19))
    for again in (pickle.loads(pickle.dumps(rule)), copy.deepcopy(rule)):
        assert again == rule
        assert hash(again) == hash(rule)
        assert again.decide(P).tolist() == rule.decide(P).tolist()
    assert rule != ic.DecisionRule(PROP)
    assert rule != "rule"
    assert repr(rule).startswith("DecisionRule: SmoothProperty (smoothest): 'wait' | 0 | 'test'")
    assert repr(rule).endswith("recalibrated by IsotonicRecalibrator on 400 rows; isocost 0.1.0, 2026-11-19")
    with pytest.raises(AttributeError):
        rule.date = datetime.date.today()  # type: ignore[misc]


def test_one_decision_or_no_number() -> None:
    only = ic.CostMatrix([[0, 1]], decisions=["only"])
    for prop in (ic.smooth(only), ic.linear(only)):
        assert ic.DecisionRule(prop).decide([[0.5, 0.5], [1, 0]]).tolist() == ["only", "only"]
    assert ic.DecisionRule(ic.smooth(only)).decide(score=[0.0]).tolist() == ["only"]
    assert ic.DecisionRule(ic.linear(only)).decide(score=np.zeros((2, 0))).tolist() == ["only", "only"]


def test_what_engines_compute_cannot_be_changed() -> None:
    rule = ic.DecisionRule(PROP, ic.IsotonicRecalibrator(PROP).fit(P, Y))
    ladder, mapped = rule.comparisons, rule.score_map
    assert isinstance(ladder, Ladder)
    pieces = pieces_of_score(PROP, mapped)
    contest = ic.DecisionRule(ic.linear(COST)).comparisons
    assert isinstance(contest, Contest)
    arrays = [ladder.cuts, ladder.inclusive, ladder.table, mapped.breaks, mapped.bases, pieces.table, pieces.starts]
    for array in [*arrays, contest.table, contest.weights, contest.offsets]:
        assert not array.flags.writeable


def test_no_rows() -> None:
    rule = ic.DecisionRule(PROP, ic.IsotonicRecalibrator(PROP).fit(P, Y))
    assert rule.value(np.zeros((0, 4))).shape == rule.decide(np.zeros((0, 4))).shape == (0,)
    assert rule.decide(score=[]).shape == (0,)
