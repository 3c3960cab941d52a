"""The benchmark of training on a small part of its own data, and its intervals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from benchmarks.train import THIRD, Verdict, gathered, verdict, written
from benchmarks.train_data import Part, costs_of, overlap, split_of
from benchmarks.train_methods import mean_regression, rounded, softmax, surrogate

import isocost as ic


def test_one_number_keeps_to_the_trees_of_softmax() -> None:
    whole = split_of("hpc", 0)
    split = whole._replace(train=Part(whole.train.X[:800], whole.train.y[:800]))
    classes, _ = softmax(split)
    cost = costs_of(split.grades, 0)["squared"]
    y = split.test.y
    guess = float(cost.costs[:, split.train.y].mean(axis=1).min())
    for outcome in (
        classes.outcome(cost, y),
        surrogate(split, cost, classes.trees),
        rounded(mean_regression(split, classes.trees), cost, y),
    ):
        assert 0 < outcome.cost < guess
        assert 0 < outcome.trees <= classes.trees


def test_random_costs_are_strongly_orderable() -> None:
    for seed in range(5):
        cost = costs_of(("a", "b", "c", "d"), seed)["random"]
        assert cost.ordering().kind is ic.OrderKind.STRONG
        assert len(cost.ordering().decisions) == 4


def test_intervals_allow_for_rows_that_splits_share() -> None:
    other = np.random.default_rng(0).normal(1, 0.1, 20)
    noise = np.random.default_rng(1).normal(0, 0.01, 20)
    half = 2.093024 * noise.std(ddof=1) * np.sqrt(1 / 20 + 1 / 3) / other.mean()
    assert verdict(other + noise, other, 0.25) == pytest.approx((noise.mean() / other.mean(), half), rel=1e-5)
    assert overlap("hpc") == pytest.approx(0.25, abs=1e-3)
    assert [Verdict(d, 0.02).word for d in (-0.03, 0.01, 0.03)] == ["better", "no clear difference", "worse"]


def test_a_row_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    rows = tmp_path / "train.jsonl"
    row = json.dumps({"table": "hpc", "seed": 3, "results": [["squared", THIRD, [0.2, 10, 0.5]]]})
    rows.write_text(row + "\n" + row[:20], encoding="utf-8")
    assert [(table, seed) for table, seed, _ in written(rows)] == [("hpc", 3)]
    assert gathered(rows)["hpc", "squared", THIRD][3].trees == 10
