"""Probabilities, decisions and outcomes given to a cost matrix."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl

import isocost as ic
from isocost.learn.scorer import mean_cost
from tests.bad_inputs import COST, INF, NAN, OUTCOMES, Case, CostMatrix, P, frame

__all__ = ["CASES"]

CASES = [
    # -- probabilities
    Case(
        "p-flat",
        lambda: COST.expected([0.1, 0.2, 0.3, 0.4]),
        ic.PredictionError,
        "`probabilities` must have shape (rows, 4); got shape (4,); write [p] for a single distribution",
    ),
    Case(
        "p-columns",
        lambda: COST.expected([[0.5, 0.5]]),
        ic.PredictionError,
        "`probabilities` must have one column for each of the 4 outcomes ['none', 'mild', 'moderate', "
        "'severe']; got 2 columns",
    ),
    Case(
        "p-ragged",
        lambda: COST.expected([[0.5, 0.5], [0.1, 0.2, 0.7]]),
        ic.PredictionError,
        "`probabilities` must have rows of equal length; got ragged rows",
    ),
    Case(
        "p-text",
        lambda: COST.expected([["a", "b", "c", "d"]]),
        ic.PredictionError,
        "`probabilities` must be real numbers; got dtype <U1",
    ),
    Case(
        "p-complex",
        lambda: COST.expected([[0.5, 0.5j, 0, 0]]),
        ic.PredictionError,
        "`probabilities` must be real numbers; got dtype complex128",
    ),
    Case(
        "p-sum",
        lambda: COST.decide([[0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.48]]),
        ic.PredictionError,
        "Row 1 of `probabilities` sums to 1.08; rows must sum to 1 within 1e-06. Normalise it or pass normalize=True.",
    ),
    Case(
        "p-nan",
        lambda: COST.expected([[0.1, 0.2, 0.3, 0.4], [0.1, NAN, 0.3, 0.6]]),
        ic.PredictionError,
        "Row 1 of `probabilities` has a missing value in column 1; every probability must be a number. Drop"
        " or fill the row.",
    ),
    Case(
        "p-none",
        lambda: COST.expected([[0.1, 0.2, 0.7, None]]),
        ic.PredictionError,
        "Row 0 of `probabilities` has a missing value in column 3; every probability must be a number. Drop"
        " or fill the row.",
    ),
    Case(
        "p-inf",
        lambda: COST.expected([[0.1, 0.2, INF, 0]], normalize=True),
        ic.PredictionError,
        "Row 0 of `probabilities` is inf in column 2; probabilities must be finite.",
    ),
    Case(
        "p-negative",
        lambda: COST.expected([[0.5, -0.5, 1, 0]]),
        ic.PredictionError,
        "Row 0 of `probabilities` is -0.5 in column 1; probabilities must be at least 0. Are these log-"
        "probabilities or raw scores?",
    ),
    Case(
        "p-zero",
        lambda: COST.expected([[0, 0, 0, 0]], normalize=True),
        ic.PredictionError,
        "Row 0 of `probabilities` is all zero; rows must sum to 1. Drop the row or fill it.",
    ),
    Case(
        "p-overflow",
        lambda: COST.expected([[1e308, 1e308, 0, 0]]),
        ic.PredictionError,
        "Row 0 of `probabilities` sums to inf; rows must sum to 1 within 1e-06. Normalise it or pass normalize=True.",
    ),
    Case(
        "p-masked",
        lambda: COST.expected(np.ma.array(P, mask=[[False, True, False, False]])),
        ic.PredictionError,
        "Row 0 of `probabilities` has a missing value in column 1; every probability must be a number. Drop"
        " or fill the row.",
    ),
    Case(
        "p-object",
        lambda: COST.expected(np.array([[0.1, 0.2, "x", 0.4]], dtype=object)),
        ic.PredictionError,
        "`probabilities` must be numbers; at row 0, column 2: 'x'",
    ),
    Case(
        "p-frame-missing",
        lambda: COST.expected(frame("none", "mild", "moderate", "worse")),
        ic.PredictionError,
        "A frame of probabilities must have one column for each outcome; it has no column for 'severe'. Its"
        " columns are ['none', 'mild', 'moderate', 'worse'].",
    ),
    Case(
        "p-frame-twice",
        lambda: COST.expected(frame("none", "mild", "mild", "severe")),
        ic.PredictionError,
        "A frame of probabilities must have one column for each outcome; it has 2 columns for 'mild'. Its "
        "columns are ['none', 'mild', 'mild', 'severe'].",
    ),
    Case(
        "p-lazy",
        lambda: COST.expected(pl.DataFrame({name: [0.25] for name in OUTCOMES}).lazy()),
        ic.PredictionError,
        "`probabilities` must be in memory; got a lazy frame. Call its collect() first",
    ),
    # -- labels of rows
    Case(
        "regret-unknown",
        lambda: COST.regret(P, ["operate"]),
        ic.PredictionError,
        "Row 0 of `decisions` is 'operate', which is not one of the labels 'wait', 'test', 'treat'.",
    ),
    Case(
        "regret-length",
        lambda: COST.regret(P, ["wait", "test"]),
        ic.PredictionError,
        "`decisions` must have one entry for each row of `probabilities`; got 2 and 1",
    ),
    Case(
        "regret-single",
        lambda: COST.regret(P, "wait"),
        ic.PredictionError,
        "`decisions` must be a sequence of labels; got 'wait'",
    ),
    Case(
        "positions-unknown",
        lambda: COST.positions(["mild", "bad"]),
        ic.PredictionError,
        "Row 1 of `y` is 'bad', which is not one of the labels 'none', 'mild', 'moderate', 'severe'.",
    ),
    Case(
        "positions-missing",
        lambda: COST.positions(pd.Series(["mild", pd.NA], dtype="string")),
        ic.PredictionError,
        "Row 1 of `y` is <NA>, which is not one of the labels 'none', 'mild', 'moderate', 'severe'.",
    ),
    Case(
        "positions-nan",
        lambda: CostMatrix.ordinal([3, 4, 5]).positions(np.array([3, NAN])),
        ic.PredictionError,
        "Row 1 of `y` is nan, which is not one of the labels 3, 4, 5.",
    ),
    Case(
        "positions-type",
        lambda: CostMatrix.ordinal([3, 4, 5]).positions(["3"]),
        ic.PredictionError,
        "Row 0 of `y` is '3', which is not one of the labels 3, 4, 5. The label 3 is of type int, the value"
        " of type str: convert one of them.",
    ),
    Case(
        "positions-shape",
        lambda: COST.positions(np.array([["mild"], ["none"]])),
        ic.PredictionError,
        "`y` must have one dimension; got shape (2, 1)",
    ),
    Case(
        "positions-masked",
        lambda: CostMatrix.ordinal([3, 4, 5]).positions(np.ma.array([3, 4], mask=[False, True])),
        ic.PredictionError,
        "`y` must have no masked entry; entry 1 is masked",
    ),
    Case(
        "align-missing",
        lambda: COST.align(P, ["none", "mild", "moderate"]),
        ic.PredictionError,
        "`classes` must be the outcomes ['none', 'mild', 'moderate', 'severe'], in any order; got ['none', "
        "'mild', 'moderate']; missing: ['severe']",
    ),
    Case(
        "align-unknown",
        lambda: COST.align(P, ["none", "mild", "moderate", "worse"]),
        ic.PredictionError,
        "`classes` must be the outcomes ['none', 'mild', 'moderate', 'severe'], in any order; got ['none', "
        "'mild', 'moderate', 'worse']; missing: ['severe']; unknown: ['worse']",
    ),
    Case(
        "align-twice",
        lambda: COST.align(P, ["none", "mild", "mild", "severe"]),
        ic.PredictionError,
        "`classes` must differ; got ['none', 'mild', 'mild', 'severe']",
    ),
    Case(
        "align-none",
        lambda: COST.align(P, None),
        ic.PredictionError,
        "`classes` must be a list of outcome labels, one for each column; got None",
    ),
    Case(
        "align-nested",
        lambda: COST.align(P, [["none", "mild", "moderate", "severe"]]),
        ic.PredictionError,
        "`classes` must be labels; entry 0 is ['none', 'mild', 'moderate', 'severe']",
    ),
    Case(
        "scorer-lengths",
        lambda: mean_cost(["mild", "none"], ["wait"], cost=COST),
        ic.PredictionError,
        "`y_true` and `y_pred` must have the same length, at least 1; got 2 and 1",
    ),
    Case(
        "scorer-weights",
        lambda: mean_cost(["mild", "none"], ["wait", "wait"], [1, -1], cost=COST),
        ic.PredictionError,
        "`sample_weight` must be finite and at least 0; entry 1 is -1",
    ),
    Case(
        "scorer-zero-weights",
        lambda: mean_cost(["mild"], ["wait"], [0], cost=COST),
        ic.PredictionError,
        "`sample_weight` must be above 0 somewhere; all its entries are 0",
    ),
]
