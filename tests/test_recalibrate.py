"""Recalibrators: what they promise beside the laws in tests/laws."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import isocost as ic
from isocost.fingerprint import fingerprint

COST = ic.CostMatrix(
    [[0, 3, 5, 9], [1, 0, 3, 4], [3, 1, 0, 0]],
    decisions=["wait", "test", "treat"],
    outcomes=["none", "mild", "moderate", "severe"],
)
PROP = ic.smooth(COST)
RANDOM = np.random.default_rng(0)
P = RANDOM.dirichlet(np.full(4, 0.7), size=500)
Y = np.array(COST.outcomes)[[RANDOM.choice(4, p=p) for p in P]]
UPSIDE_DOWN = np.ascontiguousarray(P[:, ::-1])
DECISIONS = COST.decide(UPSIDE_DOWN)


def every() -> list[tuple[Any, Any]]:
    return [
        (ic.IsotonicRecalibrator(PROP), P),
        (ic.IsotonicRecalibrator(PROP, interpolate=True), PROP.value(P)),
        (ic.IsotonicRecalibrator(PROP, keep=0.5), P),
        (ic.AffineRecalibrator(ic.linear(COST)), P),
        (ic.SwapRecalibrator(COST), DECISIONS),
    ]


@pytest.mark.parametrize(("recalibrator", "X"), every())
def test_manners(recalibrator: Any, X: Any) -> None:
    assert recalibrator.fit(X, Y) is recalibrator
    found = recalibrator.predict(X)
    copy = clone(recalibrator)
    assert copy.get_params().keys() == recalibrator.get_params().keys()
    assert not copy.__sklearn_is_fitted__()
    assert (copy.fit(X, Y).predict(X) == found).all()
    assert (pickle.loads(pickle.dumps(recalibrator)).predict(X) == found).all()
    assert repr(recalibrator).startswith(type(recalibrator).__name__ + "(")
    weighted = clone(recalibrator).fit(X, Y, sample_weight=np.r_[np.ones(250), np.zeros(250)])
    assert (weighted.predict(X) == clone(recalibrator).fit(X[:250], Y[:250]).predict(X)).all()
    assert weighted.fingerprint_ == clone(recalibrator).fit(X[:250], Y[:250]).fingerprint_


def test_parameters_can_be_set() -> None:
    iso = ic.IsotonicRecalibrator(PROP)
    assert iso.set_params(interpolate=True) is iso
    assert iso.get_params() == {"prop": PROP, "interpolate": True, "keep": 0.0, "seed": 0}


def test_probabilities_and_their_scores_are_one() -> None:
    from_p, from_u = ic.IsotonicRecalibrator(PROP).fit(P, Y), ic.IsotonicRecalibrator(PROP).fit(PROP.value(P), Y)
    assert (from_p.values_ == from_u.values_).all()
    assert from_p.fingerprint_ == from_u.fingerprint_
    assert (from_p.predict(P) == from_u.predict(PROP.value(P).tolist())).all()


def test_where_scores_go() -> None:
    """In a block, at and beside a midpoint, outside all blocks."""
    iso = ic.IsotonicRecalibrator(PROP).fit([0.0, 1.0, 3.0], ["none", "mild", "severe"])
    first, second, third = iso.values_
    assert iso.thresholds_.tolist() == [0.5, 2.0]
    scores = [-1e300, 0.0, 0.5, np.nextafter(0.5, 1), 1.0, 2.0, 2.1, 3.0, 1e300]
    assert iso.predict(scores).tolist() == [first, first, first, second, second, second, third, third, third]
    ramp = ic.IsotonicRecalibrator(PROP, interpolate=True).fit([0.0, 1.0, 3.0], ["none", "mild", "severe"])
    assert ramp.predict([-9, 0, 1, 3, 9]).tolist() == [first, first, second, third, third]
    assert ramp.predict([0.25, 2.5]) == pytest.approx([0.75 * first + 0.25 * second, 0.25 * second + 0.75 * third])


def test_neighbouring_doubles_stay_apart() -> None:
    u = [1.0, np.nextafter(1.0, 2), 1e308, np.nextafter(1e308, 2e308)]
    iso = ic.IsotonicRecalibrator(PROP).fit(u, ["none", "mild", "moderate", "severe"])
    assert (iso.predict(u) == PROP.value(np.eye(4))).all()
    low = [-1.7e308, 1.7e308]
    assert (ic.IsotonicRecalibrator(PROP).fit(low, ["none", "severe"]).predict(low) == PROP.range).all()


def test_a_single_row_and_a_single_decision() -> None:
    iso = ic.IsotonicRecalibrator(PROP).fit([0.2], ["mild"])
    assert iso.predict([-5.0, 5.0]).tolist() == [PROP.value(np.eye(4)[[1]])[0]] * 2
    one = ic.smooth(ic.CostMatrix([[0, 1]]))
    assert ic.IsotonicRecalibrator(one).fit([0.0, 0.0], [0, 1]).values_.tolist() == [0.0]


def test_auto_keeps_right_scores_and_replaces_wrong_ones() -> None:
    u = PROP.value(P)
    kept = ic.IsotonicRecalibrator(PROP, keep="auto").fit(u, Y).keep_
    assert kept > ic.IsotonicRecalibrator(PROP, keep="auto").fit(u + 2, Y).keep_ == 0
    half, whole = ic.IsotonicRecalibrator(PROP, keep=0.5).fit(u, Y), ic.IsotonicRecalibrator(PROP).fit(u, Y)
    assert half.predict(u) == pytest.approx((u + whole.predict(u)) / 2)
    assert ic.IsotonicRecalibrator(PROP, keep="auto").fit([0.2], ["mild"]).predict([0.2]).tolist() == [0.2]


def test_affine() -> None:
    """Without a prior the mean V, and V times each component, are 0 in sample; with an endless one nothing moves."""
    cost = ic.CostMatrix(1 - np.eye(4, dtype=int), COST.outcomes, COST.outcomes)
    lin = ic.linear(cost)
    w = RANDOM.random(len(P))
    for X in (P, lin.value(P)):
        affine = ic.AffineRecalibrator(lin, prior=0).fit(X, Y, sample_weight=w)
        V = lin.identification(affine.predict(X), cost.positions(Y))
        assert np.abs(w @ V).max() < 1e-9
        assert np.abs((w[:, None] * V).T @ lin.value(P)).max() < 1e-9
    still = ic.AffineRecalibrator(lin, prior=1e12).fit(P, Y)
    assert still.predict(P) == pytest.approx(lin.value(P) + still.offset_, abs=1e-6)
    one = ic.linear(ic.CostMatrix([[0, 1]]))
    assert ic.AffineRecalibrator(one).fit([[0.5, 0.5]], [1]).predict([[0.5, 0.5]]).shape == (1, 0)


def test_a_linear_property_of_one_number() -> None:
    lin = ic.linear(ic.CostMatrix.ordinal(["low", "mid", "high"]))
    probabilities = np.random.default_rng(1).dirichlet(np.ones(3), size=50)
    y = np.array(["low", "mid", "high"])[probabilities.argmax(axis=1)]
    iso = ic.IsotonicRecalibrator(lin).fit(probabilities, y)
    assert iso.predict(probabilities).shape == (50, 1)
    assert len(lin.decide(iso.predict(lin.value(probabilities)))) == 50


def test_a_decision_never_seen_stays() -> None:
    swap = ic.SwapRecalibrator(COST).fit(["wait"], ["severe"])
    assert swap.map_ == {"wait": "treat", "test": "test", "treat": "treat"}
    assert swap.regret_removed_ == 9
    assert swap.predict([]).shape == (0,)


def test_fingerprints() -> None:
    u, y, w = RANDOM.normal(size=40), RANDOM.integers(0, 3, 40), RANDOM.random(40)
    name = fingerprint(u, y, w)
    mixed = RANDOM.permutation(40)
    assert fingerprint(u[mixed], y[mixed], w[mixed]) == name == fingerprint(u.tolist(), y.tolist(), w.tolist())
    assert len(name) == 16
    others = {
        fingerprint(np.r_[u, u], np.r_[y, y], np.r_[w, w]),
        fingerprint(u[1:], y[1:], w[1:]),
        fingerprint(u, y[::-1], w),
        fingerprint(u, y, 2 * w),
        fingerprint(np.r_[np.nextafter(u[0], 9), u[1:]], y, w),
        fingerprint(np.column_stack([u, u]), y, w),
        fingerprint(w, y, u),
    }
    assert len(others | {name}) == 8
    assert fingerprint([0.0], [0], [1.0]) == fingerprint([-0.0], [0], [1.0])
    assert fingerprint([], [], []) == fingerprint([1.0], [0], [0.0])


def test_the_cost_falls() -> None:
    """Probabilities that are upside down: isotonic pools them, the swap map renames decisions."""
    happened = COST.positions(Y)

    def mean_cost(decisions: Any) -> float:
        rows = [COST.decisions.index(r) for r in decisions]
        return float(COST.costs[rows, happened].mean())

    before = PROP.decide(PROP.value(UPSIDE_DOWN))
    iso = ic.IsotonicRecalibrator(PROP).fit(UPSIDE_DOWN, Y)
    swap = ic.SwapRecalibrator(COST).fit(before, Y)
    assert mean_cost(PROP.decide(iso.predict(UPSIDE_DOWN))) < mean_cost(before)
    assert mean_cost(before) - mean_cost(swap.predict(before)) == pytest.approx(swap.regret_removed_)
    assert swap.regret_removed_ > 0.1
