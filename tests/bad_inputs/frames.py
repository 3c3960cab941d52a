"""Frames and their columns."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl

import isocost as ic
from tests.bad_inputs import COST, NAN, Case

__all__ = ["CASES"]

audit_frame: Any = ic.audit_frame
PREDICTION = ic.PredictionError
COLUMNS = ["none", "mild", "moderate", "severe"]
ROWS = {"y": ["none", "mild"], "none": [0.1, 0.4], "mild": [0.2, 0.3], "moderate": [0.3, 0.2], "severe": [0.4, 0.1]}
FRAME = pl.DataFrame(ROWS)
RULE: Any = ic.DecisionRule(ic.smooth(COST))
LINEAR: Any = ic.linear(COST)
SMALL: Any = ic.CostMatrix([[0, 5], [1, 0]])


def case(name: str, call: Any, message: str, error: type[ic.IsocostError] = PREDICTION) -> Case:
    return Case(name, call, error, message)


def changed(**columns: Any) -> pl.DataFrame:
    return pl.DataFrame(ROWS | columns)


CASES = [
    case(
        "frame-none",
        lambda: audit_frame(COST, [[1, 2]], "y", probabilities=COLUMNS),
        "the frame must be of pandas, polars, pyarrow, DuckDB, PySpark, Dask or Ibis; got builtins.list",
    ),
    case(
        "frame-nothing",
        lambda: audit_frame(COST, FRAME, "y"),
        "columns of `probabilities`, a `score` or a `decision` must be named; got none of them",
    ),
    case(
        "frame-column",
        lambda: audit_frame(COST, FRAME, "Y", probabilities=COLUMNS),
        "the frame has no column 'Y'; its columns are 'y', 'none', 'mild', 'moderate', 'severe'",
    ),
    case(
        "frame-column-far",
        lambda: audit_frame(COST, FRAME, "outcome", probabilities=COLUMNS),
        "the frame has no column 'outcome'; its columns are 'y', 'none', 'mild', 'moderate', 'severe'",
    ),
    case(
        "frame-column-name",
        lambda: audit_frame(COST, FRAME, 3, probabilities=COLUMNS),
        "`outcome` must be the name of a column; got 3",
    ),
    case(
        "frame-columns",
        lambda: audit_frame(COST, FRAME, "y", probabilities="none"),
        "`probabilities` must be a list of columns, or a mapping of outcomes to columns; got 'none'",
    ),
    case(
        "frame-columns-few",
        lambda: audit_frame(COST, FRAME, "y", probabilities=COLUMNS[:2]),
        "`probabilities` must name one column for each of the 4 outcomes 'none', 'mild', 'moderate', "
        "'severe', in this order; got 2",
    ),
    case(
        "frame-columns-twice",
        lambda: audit_frame(COST, FRAME, "y", probabilities=[*COLUMNS[:3], "mild"]),
        "`probabilities` must name a different column for each outcome; 'mild' comes twice",
    ),
    case(
        "frame-columns-pairs",
        lambda: audit_frame(COST, FRAME, "y", probabilities={"none": "none"}),
        "`probabilities` must name a column for each of the outcomes 'none', 'mild', 'moderate', 'severe'; "
        "none is given for 'mild'",
    ),
    case(
        "frame-columns-strange",
        lambda: audit_frame(COST, FRAME, "y", probabilities=dict.fromkeys([*COLUMNS, "x"], "y")),
        "`probabilities` must name a column for each of the outcomes 'none', 'mild', 'moderate', 'severe'; 'x' is none",
    ),
    case(
        "frame-score-list",
        lambda: audit_frame(COST, FRAME, "y", score=["none"]),
        "`score` must name one column; got ['none']",
    ),
    case(
        "frame-score-single",
        lambda: audit_frame(COST, FRAME, "y", score="none", prop=LINEAR),
        "`score` must name a list of 2 columns; got 'none'",
    ),
    case(
        "frame-text",
        lambda: audit_frame(COST, changed(mild=["a", "b"]), "y", probabilities=COLUMNS),
        "probabilities must be numbers; the column 'mild' is of type String. Cast it",
    ),
    case(
        "frame-labels-type",
        lambda: audit_frame(SMALL, FRAME, "y", probabilities=COLUMNS[:2]),
        "the labels of outcome are of type int, such as 0, and the column 'y' is of type String: no value "
        "can be one of them. Cast the column, or convert the labels",
    ),
    case(
        "frame-labels-dates",
        lambda: audit_frame(COST, changed(y=pd.to_datetime(["2020-01-01"] * 2)), "y", probabilities=COLUMNS),
        "outcome labels must be text, numbers or true and false; the column 'y' is of type "
        "Datetime(time_unit='us', time_zone=None). Cast it to text",
    ),
    case(
        "frame-label",
        lambda: audit_frame(COST, changed(y=["none", "awful"]), "y", probabilities=COLUMNS),
        "1 of 2 rows has a value for the outcome that is not one of the labels 'none', 'mild', 'moderate', "
        "'severe', such as the one with y = 'awful'.",
    ),
    case(
        "frame-missing",
        lambda: audit_frame(COST, changed(mild=[None, 0.3]), "y", probabilities=COLUMNS),
        "1 of 2 rows has a missing probability, such as the one with none = 0.1, mild = nan, moderate = 0.3, "
        "severe = 0.4. Drop or fill them.",
    ),
    case(
        "frame-nan",
        lambda: audit_frame(COST, changed(mild=[NAN, 0.3]), "y", probabilities=COLUMNS),
        "1 of 2 rows has a missing probability, such as the one with none = 0.1, mild = nan, moderate = 0.3, "
        "severe = 0.4. Drop or fill them.",
    ),
    case(
        "frame-negative",
        lambda: audit_frame(COST, changed(mild=[-0.25, 0.3]), "y", probabilities=COLUMNS),
        "1 of 2 rows has a probability below 0, such as the one with none = 0.1, mild = -0.25, moderate = "
        "0.3, severe = 0.4. Are these log-probabilities or raw scores?",
    ),
    case(
        "frame-infinite",
        lambda: audit_frame(COST, changed(mild=[float("inf"), 0.3]), "y", probabilities=COLUMNS),
        "1 of 2 rows has an infinite probability, such as the one with none = 0.1, mild = inf, moderate = "
        "0.3, severe = 0.4.",
    ),
    case(
        "frame-sum",
        lambda: audit_frame(COST, changed(mild=[0.25, 0.5]), "y", probabilities=COLUMNS),
        "2 of 2 rows have probabilities that do not sum to 1 within 1e-06, such as the one with none = 0.1, "
        "mild = 0.25, moderate = 0.3, severe = 0.4. Divide them by their sum.",
    ),
    case(
        "frame-decision",
        lambda: audit_frame(COST, changed(d=["wait", "pray"]), "y", decision="d"),
        "1 of 2 rows has a value for the decision that is not one of the labels 'wait', 'test', 'treat', "
        "such as the one with d = 'pray'.",
    ),
    case(
        "frame-score",
        lambda: audit_frame(COST, changed(u=[0.5, NAN]), "y", score="u"),
        "1 of 2 rows has no finite score, such as the one with u = nan.",
    ),
    case(
        "frame-weight",
        lambda: audit_frame(COST, changed(w=[1.0, -2.0]), "y", probabilities=COLUMNS, weight="w"),
        "1 of 2 rows has no finite weight that is at least 0, such as the one with w = -2.0.",
    ),
    case(
        "frame-weights",
        lambda: audit_frame(COST, changed(w=[0, 0]), "y", probabilities=COLUMNS, weight="w"),
        "weights must be above 0 somewhere; all of 'w' are 0",
    ),
    case(
        "frame-group",
        lambda: audit_frame(COST, changed(g=["a", None]), "y", probabilities=COLUMNS, group="g"),
        "1 of 2 rows has no group, such as the one with g = None.",
    ),
    case(
        "frame-groups",
        lambda: audit_frame(
            COST, pl.concat([FRAME] * 501).with_row_index("id"), "y", probabilities=COLUMNS, group="id"
        ),
        "`group` must have at most 1000 different values; it has 1002. Is it an identifier?",
    ),
    case(
        "frame-cluster",
        lambda: audit_frame(COST, changed(c=[7, 7]), "y", probabilities=COLUMNS, cluster="c"),
        "`cluster` must name at least two clusters; all rows are in 7",
    ),
    case(
        "frame-empty",
        lambda: audit_frame(COST, FRAME.clear(), "y", probabilities=COLUMNS),
        "an audit needs at least one row; the frame has none",
    ),
    case(
        "apply-neither",
        lambda: RULE.apply(FRAME),
        "columns of `probabilities` or a `score` must be named, one of them; got neither",
    ),
    case(
        "apply-both",
        lambda: RULE.apply(FRAME, probabilities=COLUMNS, score="none"),
        "columns of `probabilities` or a `score` must be named, one of them; got both",
    ),
    case(
        "apply-there",
        lambda: RULE.apply(changed(decision=[1, 2]), probabilities=COLUMNS),
        "the frame has a column 'decision' already; rename it, or pass overwrite=True",
    ),
    case(
        "apply-sum",
        lambda: RULE.apply(changed(mild=[0.5, 0.3]), probabilities=COLUMNS),
        "1 of 2 rows has probabilities that do not sum to 1 within 1e-06, such as the one with none = 0.1, "
        "mild = 0.5, moderate = 0.3, severe = 0.4. Divide them by their sum.",
    ),
    case(
        "fit-cells",
        lambda: ic.IsotonicRecalibrator(ic.smooth(SMALL)).fit_cells([0, 1], [1, 2], [[1, 0], [0, 1]], 2),
        "cells must come in rising order of their scores and not overlap",
    ),
    case(
        "fit-cells-shape",
        lambda: ic.IsotonicRecalibrator(ic.smooth(SMALL)).fit_cells([0, 1], [0], [[1, 0]], 2),
        "cells must have a lowest and a highest score and label weights each; got shapes (2,), (1,) and (1, 2)",
    ),
    case(
        "fit-cells-auto",
        lambda: ic.IsotonicRecalibrator(ic.smooth(SMALL), keep="auto").fit_cells([0], [0], [[1, 0]], 1),
        'fit_cells needs a SmoothProperty, and a number for keep, as "auto" needs rows',
        ic.CostMatrixError,
    ),
    case(
        "fit-sums",
        lambda: ic.SwapRecalibrator(SMALL).fit_sums([[1, 0]], 1),
        "label weights must have shape (2, 2) and be above 0 somewhere",
    ),
]
