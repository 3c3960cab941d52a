"""compare: paired differences, against the arithmetic of paired rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_rel

import isocost as ic
from tests.auditing.worlds import PAPER, drawn


def test_paired_differences_are_those_of_the_rows() -> None:
    world = drawn(PAPER, 2000, 0, "too sure")
    y = PAPER.positions(world.y)
    old, new = PAPER.decide(world.P), PAPER.decide(world.T)
    found = ic.compare(PAPER, world.y, {"old": old, "new": new})
    rows = [np.array([PAPER.decisions.index(d) for d in column.tolist()]) for column in (new, old)]
    costs = [PAPER.costs[taken, y] for taken in rows]
    assert found.mean_costs["new"].value == pytest.approx(costs[0].mean())
    difference = found.differences["new"]
    assert difference.value == pytest.approx((costs[0] - costs[1]).mean())
    expected = ttest_rel(*costs).confidence_interval(0.95)
    assert (difference.low, difference.high) == pytest.approx((expected.low, expected.high), rel=0.05)
    assert "old" not in found.differences


def test_differences_hold_together_and_use_weights_and_clusters() -> None:
    world = drawn(PAPER, 600, 1, "too sure")
    columns: dict[str, np.ndarray] = {
        "a": PAPER.decide(world.P),
        "b": PAPER.decide(world.T),
        "c": np.array(["test"] * 600),
    }
    three, two = ic.compare(PAPER, world.y, columns), ic.compare(PAPER, world.y, {x: columns[x] for x in "ac"})
    assert three.differences["c"].level == pytest.approx(0.975)
    assert three.differences["c"].high > two.differences["c"].high
    again = ic.compare(
        PAPER,
        np.repeat(world.y, 3),
        {x: np.repeat(columns[x], 3) for x in columns},
        clusters=np.repeat(np.arange(600), 3),
    )
    assert again.differences["c"].high == pytest.approx(three.differences["c"].high)
    weighted = ic.compare(PAPER, world.y, columns, sample_weight=np.r_[np.ones(300), np.zeros(300)])
    half = ic.compare(PAPER, world.y[:300], {x: columns[x][:300] for x in columns})
    assert weighted.differences["b"] == half.differences["b"]


def test_what_is_the_same_differs_by_nothing() -> None:
    world = drawn(PAPER, 100, 1)
    d = PAPER.decide(world.P)
    found = ic.compare(PAPER, world.y, {"one": d, "two": d})
    assert found.differences["two"].value == 0
    assert found.differences["two"].high == pytest.approx(0, abs=1e-12)
    assert "no clear difference" in str(found)
