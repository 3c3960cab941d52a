"""Multicalibration: forms of groups, manners, the held-out stop; its guarantee is in tests/laws."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import isocost as ic

COST = ic.CostMatrix.ordinal(["low", "mid", "high"])
PROP = ic.smooth(COST)
RANDOM = np.random.default_rng(0)
N = 4000
P = RANDOM.dirichlet(np.ones(3), size=N)
GROUP = np.array(["a", "b", "c"])[RANDOM.integers(0, 3, N)]
# In group "b" the outcome is upside down.
Y = np.array(COST.outcomes)[[RANDOM.choice(3, p=p[::-1] if g == "b" else p) for p, g in zip(P, GROUP, strict=True)]]
MASKS = GROUP[:, None] == np.array(["a", "b", "c"])


def test_forms_of_groups_agree() -> None:
    multi = ic.Multicalibrator(PROP)
    found = multi.fit(P, Y, {name: MASKS[:, i] for i, name in enumerate("abc")}).predict(
        P, pd.DataFrame(MASKS, columns=list("abc"))
    )
    assert (clone(multi).fit(P, Y, MASKS).predict(P, MASKS) == found).all()
    assert (clone(multi).fit(P, Y, MASKS).predict(P.tolist(), MASKS.tolist()) == found).all()
    labels = clone(multi).fit(P, Y, GROUP)
    assert labels.groups_.labelled
    same = clone(multi).fit(P, Y, {name: name == GROUP for name in labels.groups_.names})
    assert (labels.predict(P, GROUP) == same.predict(P, {name: name == GROUP for name in "cba"})).all()
    assert (pickle.loads(pickle.dumps(labels)).predict(P, GROUP) == labels.predict(P, GROUP)).all()
    assert repr(multi).startswith("Multicalibrator(")


def test_it_repairs_a_group_that_is_upside_down() -> None:
    """On fresh rows: isotonic over everybody cannot tell the group, multicalibration does."""
    fit, fresh = slice(0, N // 2), slice(N // 2, N)
    iso = ic.IsotonicRecalibrator(PROP).fit(P[fit], Y[fit])
    multi = ic.Multicalibrator(PROP).fit(P[fit], Y[fit], GROUP[fit])
    happened = COST.positions(Y[fresh])
    b = GROUP[fresh] == "b"
    alone, grouped = iso.predict(P[fresh]), multi.predict(P[fresh], GROUP[fresh])
    assert PROP.loss(grouped, happened)[b].mean() < 0.8 * PROP.loss(alone, happened)[b].mean()
    assert PROP.loss(grouped, happened).mean() < PROP.loss(alone, happened).mean()


def test_groups_of_noise_are_stopped_by_rows_held_out() -> None:
    noise = RANDOM.random((400, 30)) < 0.5
    scores, y = PROP.value(P[:400]), Y[:400]
    stopped = ic.Multicalibrator(PROP, tolerance=1e-3).fit(scores, y, noise)
    assert stopped.stopped_ == "held-out loss"
    endless = ic.Multicalibrator(PROP, tolerance=1e-3, holdout=0).fit(scores, y, noise)
    assert len(stopped.steps_) < len(endless.steps_) / 3
    few = ic.Multicalibrator(PROP, tolerance=1e-3, holdout=0, max_steps=3).fit(scores, y, noise)
    assert (few.stopped_, len(few.steps_)) == ("max_steps", 3)


def test_no_group_and_a_single_row() -> None:
    multi = ic.Multicalibrator(PROP).fit([0.3], ["mid"], np.empty((1, 0), dtype=bool))
    assert multi.predict([0.3], np.empty((1, 0), dtype=bool)) == pytest.approx(PROP.value([[0, 1, 0]]))
    lin = ic.linear(COST)
    assert ic.Multicalibrator(lin).fit(P, Y, GROUP).predict(P, GROUP).shape == (N, 1)
