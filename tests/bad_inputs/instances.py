"""Finite instances and the bounds on them."""

from __future__ import annotations

from typing import Any

import isocost as ic
from isocost.auditing import bounds, sharp
from isocost.auditing import instances as room
from tests.bad_inputs import NAN, Case, smooth

__all__ = ["CASES"]

PAPER = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]])
PROP: Any = smooth(PAPER, method="embedding", ratios=[0.5])
INSIDE: Any = smooth(ic.CostMatrix.ordinal(range(3), power=1), interior=0.1)
LINEAR: Any = ic.linear(PAPER)
Instance: Any = room.Instance
ROW = [0.2, 0.3, 0.5]
CASE: Any = Instance([1], [0.7], [ROW])
PREDICTED: Any = Instance([1], [0.7], [ROW], [ROW])

CASES = [
    Case(
        "instance-mass",
        lambda: Instance([1, 0], [0.7, 1], [ROW, ROW]),
        ic.PredictionError,
        "the masses of an instance must be one positive number a row; got shape (2,) and the least 0. "
        "Drop rows of mass 0",
    ),
    Case(
        "instance-empty",
        lambda: Instance([], [], []),
        ic.PredictionError,
        "the masses of an instance must be one positive number a row; got shape (0,)",
    ),
    Case(
        "instance-nan",
        lambda: Instance([1], [NAN], [ROW]),
        ic.PredictionError,
        "scores must be finite numbers; score 0 is nan",
    ),
    Case(
        "instance-scores",
        lambda: Instance([1], [0.7, 1.0], [ROW]),
        ic.PredictionError,
        "an instance needs one score (or one row of scores) for each of its 1 masses; got scores of shape (2,)",
    ),
    Case(
        "instance-labels",
        lambda: Instance([1], [0.7], ROW),
        ic.PredictionError,
        "`labels` of an instance must have one row for each of its 1 masses; got shape (3,)",
    ),
    Case(
        "instance-predicted",
        lambda: Instance([1], [0.7], [ROW], [[0.5, 0.5]]),
        ic.PredictionError,
        "`labels` and `predicted` of an instance must have the same number of columns",
    ),
    Case(
        "distribution-calibration-scores",
        lambda: room.distribution_calibration(CASE, PROP),
        ic.PredictionError,
        "distribution calibration is of predicted distributions; the instance has only scores",
    ),
    Case(
        "theorem1-scores",
        lambda: bounds.theorem1(CASE, PROP),
        ic.PredictionError,
        "Theorem 1 speaks of predicted distributions; the instance has only scores",
    ),
    Case(
        "theorem1-other-scores",
        lambda: bounds.theorem1(PREDICTED, PROP),
        ic.PredictionError,
        "Theorem 1 speaks of the scores Γ(f(x)); score 0 is 0.7, not 2.30188679245283. Make the instance with "
        "Instance.of_predictor",
    ),
    Case(
        "counterexample-K",
        lambda: bounds.counterexample(PROP, 16),
        ic.PredictionError,
        "a counterexample needs C below K = 15.125, where Theorem 1 holds; got 16",
    ),
    Case("lemma-t", lambda: bounds.lemma(CASE, PROP, t=0), ic.PredictionError, "t must be positive; got 0"),
    Case(
        "lemma-p",
        lambda: bounds.lemma(CASE, PROP, [ROW, ROW]),
        ic.PredictionError,
        "the lemma needs one p, or one for each of 1 rows; got 2",
    ),
    Case(
        "bound-half",
        lambda: bounds.paper_bound(Instance([1], LINEAR.value([ROW]), [ROW]), LINEAR, half=True),
        ic.PredictionError,
        "diam/2 suffices for scores of one number only; use half=False",
    ),
    Case(
        "bound-shape",
        lambda: sharp.sharp_bound(CASE, LINEAR),
        ic.PredictionError,
        "the property has scores of shape (1, 2); the instance has (1,)",
    ),
    Case(
        "bound-outcomes",
        lambda: sharp.sharp_bound(Instance([1], [0.7], [[0.5, 0.5]]), PROP),
        ic.PredictionError,
        "the property has 3 outcomes; the instance has 2",
    ),
    Case(
        "bound-interior",
        lambda: sharp.sharp_bound(Instance([1], [0.7], [[0.05, 0.45, 0.5]]), INSIDE),
        ic.PredictionError,
        "bounds for a property with interior=0.1 hold where every probability is at least 0.1; row 0 of `labels` has "
        "0.05. Use a smaller interior, or ic.linear(cost)",
    ),
    Case(
        "bound-form",
        lambda: sharp.sharp_bound(CASE, PROP, "best"),  # type: ignore[arg-type]
        ic.PredictionError,
        '`form` must be "decision", "signed" or "overall"; got \'best\'',
    ),
    Case(
        "bound-epsilon",
        lambda: sharp.sharp_bound(CASE, PROP, epsilon=0.1),
        ic.PredictionError,
        '`epsilon` replaces the error of all scores; it needs form="overall"',
    ),
]
