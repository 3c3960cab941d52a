"""Audits, tallies, comparisons and plans."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import isocost as ic
from tests.bad_inputs import COST, INF, NAN, OUTCOMES, TABLE, Case, P

__all__ = ["CASES"]

audit: Any = ic.audit
compare: Any = ic.compare
sample_size: Any = ic.sample_size
tally: Any = ic.tally
PROP: Any = ic.smooth(COST)
Y, D, P2 = ["none", "mild"], ["wait", "test"], [P[0], P[0]]
PREDICTION = ic.PredictionError


def case(name: str, call: Any, message: str, error: type[ic.IsocostError] = PREDICTION) -> Case:
    return Case(name, call, error, message)


CASES = [
    case(
        "audit-nothing",
        lambda: audit(COST, Y),
        "an audit needs `probabilities`, `scores` or `decisions`; got none of them",
    ),
    case(
        "audit-outcome",
        lambda: audit(COST, ["none", "awful"], decisions=D),
        "Row 1 of `y` is 'awful', which is not one of the labels 'none', 'mild', 'moderate', 'severe'.",
    ),
    case(
        "audit-outcome-type",
        lambda: audit(ic.CostMatrix([[0, 5], [1, 0]]), ["0", "1"], decisions=[0, 1]),
        "Row 0 of `y` is '0', which is not one of the labels 0, 1. The label 0 is of type int, the value of type str: "
        "convert one of them.",
    ),
    case(
        "audit-mixed-labels",
        lambda: audit(ic.CostMatrix([[0, 5], [1, 0]]), [0, "1"], decisions=[0, 1]),
        "Row 1 of `y` is '1', which is not one of the labels 0, 1. The label 1 is of type int, the value of type str: "
        "convert one of them.",
    ),
    case(
        "audit-missing-outcome",
        lambda: audit(COST, ["none", None], decisions=D),
        "Row 1 of `y` is None, which is not one of the labels 'none', 'mild', 'moderate', 'severe'.",
    ),
    case("audit-empty", lambda: audit(COST, [], decisions=[]), "an audit needs at least one row; `y` is empty"),
    case(
        "audit-decision",
        lambda: audit(COST, Y, decisions=["wait", "pray"]),
        "Row 1 of `decisions` is 'pray', which is not one of the labels 'wait', 'test', 'treat'.",
    ),
    case(
        "audit-decision-length",
        lambda: audit(COST, Y, decisions=["wait"]),
        "`decisions` must have one entry for each entry of `y`, 2; got 1",
    ),
    case(
        "audit-probability-length",
        lambda: audit(COST, Y, probabilities=P),
        "`probabilities` must have one row for each entry of `y`, 2; got 1",
    ),
    case(
        "audit-score-length",
        lambda: audit(COST, Y, scores=[0.1, 0.2, 0.3]),
        "`scores` must have one row for each entry of `y`, 2; got 3",
    ),
    case(
        "audit-score-shape",
        lambda: audit(COST, Y, scores=[[0.1], [0.2]]),
        "`scores` must have shape (rows,); got shape (2, 1)",
    ),
    case(
        "audit-linear-score-shape",
        lambda: audit(COST, Y, scores=[0.1, 0.2], prop=ic.linear(ic.CostMatrix(TABLE[::-1], [*D, "treat"], OUTCOMES))),
        "`scores` must have shape (rows, 2); got shape (2,)",
    ),
    case(
        "audit-score-nan",
        lambda: audit(COST, Y, scores=[0.1, NAN]),
        "scores must be finite numbers; score 1 is nan",
    ),
    case(
        "audit-probability-nan",
        lambda: audit(COST, Y, probabilities=[P[0], [NAN, 0.2, 0.3, 0.4]]),
        "Row 1 of `probabilities` has a missing value in column 0; every probability must be a number. "
        "Drop or fill the row.",
    ),
    case(
        "audit-probability-zero",
        lambda: audit(COST, Y, probabilities=[P[0], [0, 0, 0, 0]]),
        "Row 1 of `probabilities` is all zero; rows must sum to 1. Drop the row or fill it.",
    ),
    case(
        "audit-probability-sum",
        lambda: audit(COST, Y, probabilities=[P[0], [0.2, 0.2, 0.3, 0.4]]),
        "Row 1 of `probabilities` sums to 1.1; rows must sum to 1 within 1e-06. Normalise it or pass normalize=True.",
    ),
    case(
        "audit-weight-negative",
        lambda: audit(COST, Y, decisions=D, sample_weight=[1, -1]),
        "`sample_weight` must be finite and at least 0; entry 1 is -1",
    ),
    case(
        "audit-weight-infinite",
        lambda: audit(COST, Y, decisions=D, sample_weight=[INF, 1]),
        "`sample_weight` must be finite and at least 0; entry 0 is inf",
    ),
    case(
        "audit-weight-zero",
        lambda: audit(COST, Y, decisions=D, sample_weight=[0, 0]),
        "`sample_weight` must be above 0 somewhere; all its entries are 0",
    ),
    case(
        "audit-weight-length",
        lambda: audit(COST, Y, decisions=D, sample_weight=[1]),
        "`sample_weight` must have one entry for each row, 2; got shape (1,)",
    ),
    case(
        "audit-weight-text",
        lambda: audit(COST, Y, decisions=D, sample_weight=["a", "b"]),
        "`sample_weight` must be numbers; got ['a', 'b']",
    ),
    case(
        "audit-property",
        lambda: audit(COST, Y, decisions=D, prop=ic.smooth(ic.CostMatrix([[0, 5], [1, 0]]))),
        "`prop` must have the outcomes of the cost matrix, ['none', 'mild', 'moderate', 'severe']; it has [0, 1]",
    ),
    case(
        "audit-property-decisions",
        lambda: audit(COST, Y, decisions=D, prop=ic.smooth(ic.CostMatrix(TABLE, outcomes=OUTCOMES))),
        "`prop` must decide among the decisions of the cost matrix, ['wait', 'test', 'treat']; got 0",
    ),
    case(
        "audit-level",
        lambda: audit(COST, Y, decisions=D, level=95),
        "level must be between 0 and 1, such as 0.95; got 95",
    ),
    case("audit-bins", lambda: audit(COST, Y, decisions=D, bins=0), "bins must be a whole number, at least 1; got 0"),
    case(
        "audit-resamples",
        lambda: audit(COST, Y, decisions=D, resamples=1.5),
        "resamples must be a whole number, at least 0; got 1.5",
    ),
    case("audit-seed", lambda: audit(COST, Y, decisions=D, seed=-1), "seed must be a whole number, at least 0; got -1"),
    case(
        "audit-norm",
        lambda: audit(COST, Y, decisions=D, norm=3),
        "norm must be 1, 2 or math.inf; got 3",
        ic.CostMatrixError,
    ),
    case(
        "audit-grid",
        lambda: audit(COST, Y, scores=[0.1, 0.2], grid=100),
        "grid must be 4096 cells, or None for every distinct score; got 100",
    ),
    case(
        "audit-groups-length",
        lambda: audit(COST, Y, decisions=D, groups=["a"]),
        "`groups` must have one entry for each row, 2; got shape (1,)",
    ),
    case(
        "audit-groups-missing",
        lambda: audit(COST, Y, decisions=D, groups=["a", None]),
        "`groups` must have no missing entry; entry 1 is None",
    ),
    case(
        "audit-groups-mixed",
        lambda: audit(COST, Y, decisions=D, groups=np.array(["a", 1], dtype=object)),
        "`groups` must have entries of one type; got int, str. Convert them",
    ),
    case(
        "audit-groups-empty",
        lambda: audit(COST, Y, decisions=D, groups={"a": [True, True], "b": [False, False]}),
        "every group must have a row; 'b' has none",
    ),
    case(
        "audit-groups-numbers",
        lambda: audit(COST, Y, decisions=D, groups={"a": [1, 0]}),
        "`groups['a']` must have one True or False for each row, 2; got dtype int64, shape (2,)",
    ),
    case(
        "audit-groups-text",
        lambda: audit(COST, Y, decisions=D, groups="region"),
        "`groups` must be a column of labels, or name -> True/False columns; got 'region'",
    ),
    case(
        "audit-one-cluster",
        lambda: audit(COST, Y, decisions=D, clusters=["a", "a"]),
        "`clusters` must name at least two clusters; all rows are in 'a'",
    ),
    case(
        "audit-frame",
        lambda: audit(COST, Y, probabilities=pd.DataFrame(P2, columns=["none", "mild", "moderate", "bad"])),
        "A frame of probabilities must have one column for each outcome; it has no column for 'severe'. "
        "Its columns are ['none', 'mild', 'moderate', 'bad'].",
    ),
    case(
        "compare-one",
        lambda: compare(COST, Y, {"old": D}),
        "compare needs at least two named columns of decisions; got {'old': ['wait', 'test']}",
    ),
    case(
        "compare-length",
        lambda: compare(COST, Y, {"old": D, "new": ["wait"]}),
        "`decisions['new']` must have one entry for each entry of `y`, 2; got 1",
    ),
    case(
        "compare-decision",
        lambda: compare(COST, Y, {"old": D, "new": ["wait", "pray"]}),
        "Row 1 of `decisions['new']` is 'pray', which is not one of the labels 'wait', 'test', 'treat'.",
    ),
    case(
        "compare-empty", lambda: compare(COST, [], {"a": [], "b": []}), "compare needs at least one row; `y` is empty"
    ),
    case(
        "plan-empty",
        lambda: sample_size(COST, np.empty((0, 4))),
        "sample_size needs at least one row of probabilities; got none",
    ),
    case(
        "plan-width",
        lambda: sample_size(COST, P, half_width=0),
        "half_width must be a positive number in units of cost; got 0",
    ),
    case("plan-power", lambda: sample_size(COST, P, power=1), "power must be between 0 and 1, such as 0.95; got 1"),
]
