"""Making, labelling, reading and writing a cost matrix."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd

import isocost as ic
from tests.bad_inputs import COST, NAN, OUTCOMES, TABLE, Case, CostMatrix, frame

__all__ = ["CASES"]

CASES = [
    # -- CostMatrix
    Case(
        "rows-columns",
        lambda: CostMatrix(TABLE, rows="columns"),
        ic.CostMatrixError,
        'rows must be "decisions" or "outcomes"; got \'columns\'',
    ),
    Case(
        "table-text",
        lambda: CostMatrix("0,1"),
        ic.CostMatrixError,
        "a cost matrix must be a table of numbers; got '0,1'",
    ),
    Case(
        "table-flat",
        lambda: CostMatrix([0, 3, 5]),
        ic.CostMatrixError,
        "a cost matrix must have two dimensions; row 0 is 0",
    ),
    Case(
        "table-ragged",
        lambda: CostMatrix([[0, 3], [1]]),
        ic.CostMatrixError,
        "all rows must have the same length; row 0 has 2 costs, row 1 has 1",
    ),
    Case(
        "table-empty",
        lambda: CostMatrix([]),
        ic.CostMatrixError,
        "a cost matrix needs at least one decision and one outcome; the table is empty",
    ),
    Case(
        "table-no-columns",
        lambda: CostMatrix(np.zeros((2, 0))),
        ic.CostMatrixError,
        "a cost matrix needs at least one decision and one outcome; got shape (2, 0)",
    ),
    Case(
        "table-cube",
        lambda: CostMatrix(np.zeros((2, 3, 4))),
        ic.CostMatrixError,
        "a cost matrix must have two dimensions; got shape (2, 3, 4)",
    ),
    Case(
        "table-nested",
        lambda: CostMatrix([[[0, 3]], [[1, 0]]]),
        ic.CostMatrixError,
        "costs must be finite numbers; at row 0, column 0: [0, 3] is a list, not a number",
    ),
    Case(
        "table-none",
        lambda: CostMatrix([[0, None], [1, 0]]),
        ic.CostMatrixError,
        "costs must be finite numbers; at row 0, column 1: None is a NoneType, not a number",
    ),
    Case(
        "table-text-cell",
        lambda: CostMatrix([[0, "3"], ["one", 0]]),
        ic.CostMatrixError,
        "costs must be finite numbers; at row 1, column 0: 'one' is not a number",
    ),
    Case(
        "table-comma",
        lambda: CostMatrix([[0, 3], ["1,5", 0]]),
        ic.CostMatrixError,
        "costs must be finite numbers; at row 1, column 0: '1,5' is not a number; write decimals with a point",
    ),
    Case(
        "table-blank",
        lambda: CostMatrix([[0, " "], [1, 0]]),
        ic.CostMatrixError,
        "costs must be finite numbers; at row 0, column 1: the cell is empty",
    ),
    Case(
        "table-nan",
        lambda: CostMatrix([[0, 3, NAN], [1, 0, 2]]),
        ic.CostMatrixError,
        "costs must be finite numbers; at row 0, column 2: nan is not finite",
    ),
    Case(
        "table-nan-array",
        lambda: CostMatrix(np.array([[0, 3, 2], [1, NAN, 2]])),
        ic.CostMatrixError,
        "costs must be finite numbers; at row 1, column 1: nan is not finite",
    ),
    Case(
        "table-inf-text",
        lambda: CostMatrix([[0, "-inf"], [1, 0]]),
        ic.CostMatrixError,
        "costs must be finite numbers; at row 0, column 1: '-inf' is not finite",
    ),
    Case(
        "table-decimal-nan",
        lambda: CostMatrix([[0, Decimal("NaN")], [1, 0]]),
        ic.CostMatrixError,
        "costs must be finite numbers; at row 0, column 1: NaN is not finite",
    ),
    Case(
        "table-complex",
        lambda: CostMatrix(np.array([[0, 3], [1j, 0]])),
        ic.CostMatrixError,
        "costs must be finite numbers; at row 0, column 0: np.complex128(0j) is a complex128, not a number",
    ),
    Case(
        "table-timedelta",
        lambda: CostMatrix(np.array([[0, 3]], dtype="m8[D]")),
        ic.CostMatrixError,
        "costs must be finite numbers; at row 0, column 0: np.timedelta64(0,'D') is a timedelta64, not a number",
    ),
    Case(
        "table-masked",
        lambda: CostMatrix(np.ma.array([[0.0, 3.0, 1.0]], mask=[[False, False, True]])),
        ic.CostMatrixError,
        "costs must be finite numbers; at row 0, column 2: the entry is masked",
    ),
    Case(
        "table-by-zero",
        lambda: CostMatrix([["1/0", 1]]),
        ic.CostMatrixError,
        "costs must be finite numbers; at row 0, column 0: '1/0' divides by zero",
    ),
    Case(
        "table-too-large",
        lambda: CostMatrix([[0, 10**400]]),
        ic.CostMatrixError,
        "costs must be below 1e308 in size; divide them all by the same number",
    ),
    Case(
        "table-huge-exponent",
        lambda: CostMatrix([[0, "1e999999999999"]]),
        ic.CostMatrixError,
        "costs must be finite numbers; at row 0, column 1: '1e999999999999' is out of range",
    ),
    Case(
        "table-frame",
        lambda: CostMatrix(frame(*OUTCOMES)),
        ic.CostMatrixError,
        "a frame does not say whether its rows are decisions; pass CostMatrix(frame.to_numpy(), "
        "decisions=..., outcomes=...), or CostMatrix.from_long(frame) with columns decision, outcome, cost",
    ),
    Case(
        "table-dict",
        lambda: CostMatrix({"wait": [0, 3], "treat": [1, 0]}),
        ic.CostMatrixError,
        "a cost matrix must be a table whose rows have an order; got a dict. Write a list of rows",
    ),
    Case(
        "table-rows-of-dicts",
        lambda: CostMatrix([{"mild": 0}, {"mild": 3}]),
        ic.CostMatrixError,
        "a cost matrix must have two dimensions; row 0 is {'mild': 0}",
    ),
    # -- labels
    Case(
        "labels-few",
        lambda: CostMatrix(TABLE, decisions=["wait", "test"]),
        ic.CostMatrixError,
        "there must be one label for each decision; got 2 labels for 3 decisions: ['wait', 'test']",
    ),
    Case(
        "labels-text",
        lambda: CostMatrix(TABLE, outcomes="abcd"),
        ic.CostMatrixError,
        "outcome labels must be a list of labels; got the single text 'abcd'",
    ),
    Case(
        "labels-number",
        lambda: CostMatrix(TABLE, decisions=3),
        ic.CostMatrixError,
        "decision labels must be a list, which has an order; got 3",
    ),
    Case(
        "labels-set",
        lambda: CostMatrix([[0, 3]], decisions={"wait"}),
        ic.CostMatrixError,
        "decision labels must be a list, which has an order; got {'wait'}",
    ),
    Case(
        "labels-twice",
        lambda: CostMatrix(TABLE, decisions=["wait", "test", "wait"]),
        ic.CostMatrixError,
        "decision labels must differ, also as text; 'wait' and 'wait' are the same. Rename one",
    ),
    Case(
        "labels-same-text",
        lambda: CostMatrix(TABLE, decisions=["1", "2", 1]),
        ic.CostMatrixError,
        "decision labels must differ, also as text; '1' and 1 are the same. Rename one",
    ),
    Case(
        "labels-equal",
        lambda: CostMatrix(TABLE, decisions=[1, 2, 1.0]),
        ic.CostMatrixError,
        "decision labels must differ; some of [1, 2, 1.0] are equal",
    ),
    Case(
        "labels-none",
        lambda: CostMatrix(TABLE, decisions=["wait", None, "treat"]),
        ic.CostMatrixError,
        "decision labels must be text, numbers or other hashable values, none missing; label 1 is None",
    ),
    Case(
        "labels-na",
        lambda: CostMatrix(TABLE, decisions=["wait", "test", pd.NA]),
        ic.CostMatrixError,
        "decision labels must be text, numbers or other hashable values, none missing; label 2 is <NA>",
    ),
    Case(
        "labels-unhashable",
        lambda: CostMatrix(TABLE, decisions=["wait", ["test"], "treat"]),
        ic.CostMatrixError,
        "decision labels must be text, numbers or other hashable values, none missing; label 1 is ['test']",
    ),
    Case(
        "labels-blank",
        lambda: CostMatrix(TABLE, decisions=["wait", "test", ""]),
        ic.CostMatrixError,
        "decision labels must not be empty; label 2 is ''",
    ),
    # -- other constructors
    Case(
        "ordinal-text",
        lambda: CostMatrix.ordinal("abc"),
        ic.CostMatrixError,
        "labels must be a list of labels in their order; got 'abc'",
    ),
    Case(
        "ordinal-set",
        lambda: CostMatrix.ordinal({1}),
        ic.CostMatrixError,
        "labels must be a list of labels in their order; got {1}",
    ),
    Case(
        "ordinal-empty",
        lambda: CostMatrix.ordinal([]),
        ic.CostMatrixError,
        "a cost matrix needs at least one decision and one outcome; the table is empty",
    ),
    Case(
        "ordinal-power",
        lambda: CostMatrix.ordinal([3, 4, 5], power=-1),
        ic.CostMatrixError,
        "power must be above 0; got -1",
    ),
    Case(
        "ordinal-power-large",
        lambda: CostMatrix.ordinal([3, 4, 5], power=10**12),
        ic.CostMatrixError,
        "costs must be below 1e308 in size; distance 2 to this power is not",
    ),
    Case(
        "ordinal-under",
        lambda: CostMatrix.ordinal([3, 4, 5], under="two"),
        ic.CostMatrixError,
        "under must be a finite number: 'two' is not a number",
    ),
    Case(
        "actions-lengths",
        lambda: CostMatrix.actions([0, 1, 3], [1, 0.5], [0, 2]),
        ic.CostMatrixError,
        "action_cost and harm_share must have one entry for each decision; got 3 and 2",
    ),
    Case(
        "actions-number",
        lambda: CostMatrix.actions(0, [1], [0, 2]),
        ic.CostMatrixError,
        "action_cost must be a list of numbers; got 0",
    ),
    Case(
        "actions-nan",
        lambda: CostMatrix.actions([0, 1, 3], [1, NAN, 0.1], [0, 2]),
        ic.CostMatrixError,
        "harm_share[1] must be a finite number: nan is not finite",
    ),
    Case(
        "long-columns",
        lambda: CostMatrix.from_long({"decision": ["wait"], "result": ["mild"], "cost": [1]}),
        ic.CostMatrixError,
        "a long table needs the columns decision, outcome and cost; got ['decision', 'result', 'cost']",
    ),
    Case(
        "long-lengths",
        lambda: CostMatrix.from_long({"decision": ["wait", "test"], "outcome": ["mild"], "cost": [1, 2]}),
        ic.CostMatrixError,
        "the columns decision, outcome and cost must have the same length; got 2, 1, 2",
    ),
    Case(
        "long-pair",
        lambda: CostMatrix.from_long([("wait", "mild", 1), ("test", "mild")]),
        ic.CostMatrixError,
        "each entry must be (decision, outcome, cost); entry 1 is ('test', 'mild')",
    ),
    Case(
        "long-text",
        lambda: CostMatrix.from_long("costs.csv"),
        ic.CostMatrixError,
        "from_long needs a table or (decision, outcome, cost) triples; got 'costs.csv'",
    ),
    Case(
        "long-repeated",
        lambda: CostMatrix.from_long([("wait", "mild", 1), ("wait", "mild", 2)]),
        ic.CostMatrixError,
        "decision 'wait' with outcome 'mild' must appear once; it is repeated",
    ),
    Case(
        "long-missing-cell",
        lambda: CostMatrix.from_long([("wait", "mild", 1), ("test", "none", 2)]),
        ic.CostMatrixError,
        "every decision needs a cost for every outcome; decision 'wait' has none for 'none'",
    ),
    Case(
        "long-bad-cost",
        lambda: CostMatrix.from_long([("wait", "mild", 1), ("wait", "none", None)]),
        ic.CostMatrixError,
        "the cost of decision 'wait' with outcome 'none' must be a finite number: None is a NoneType, not a number",
    ),
    Case(
        "long-missing-label",
        lambda: CostMatrix.from_long([("wait", "mild", 1), (None, "none", 2)]),
        ic.CostMatrixError,
        "each entry needs a label for its decision; entry 1 has None",
    ),
    Case(
        "read-suffix",
        lambda: CostMatrix.read("costs.xlsx"),
        ic.CostMatrixError,
        "a cost matrix file must end in .csv, .tsv, .json or .parquet; got costs.xlsx",
    ),
    Case(
        "read-rows",
        lambda: CostMatrix.read("costs.csv", rows="classes"),
        ic.CostMatrixError,
        'rows must be "decisions" or "outcomes"; got \'classes\'',
    ),
    Case(
        "write-suffix",
        lambda: COST.write("costs.parquet"),
        ic.CostMatrixError,
        "a cost matrix file must end in .csv, .tsv or .json; got costs.parquet",
    ),
    Case(
        "write-folder",
        lambda: COST.write("no/such/folder/costs.csv"),
        ic.CostMatrixError,
        "no/such/folder must be an existing folder; make it before writing costs.csv",
    ),
]
