"""Wrong inputs and the message each one gets; tests/test_bad_input.py runs them all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pandas as pd

import isocost as ic

__all__ = ["COST", "INF", "NAN", "OUTCOMES", "TABLE", "Case", "CostMatrix", "P", "frame", "smooth"]

# Any, so that the type checker lets wrong arguments through.
CostMatrix: Any = ic.CostMatrix
smooth: Any = ic.smooth
TABLE = [[0, 3, 5, 7], [1, 0, 3, 4], [3, 1, 0, 1]]
OUTCOMES = ["none", "mild", "moderate", "severe"]
COST: Any = CostMatrix(TABLE, ["wait", "test", "treat"], OUTCOMES)
P = [[0.1, 0.2, 0.3, 0.4]]
NAN, INF = float("nan"), float("inf")


class Case(NamedTuple):
    """A wrong input, the class of its error and the whole message."""

    id: str
    call: Callable[[], object]
    error: type[ic.IsocostError]
    message: str


def frame(*columns: object) -> Any:
    """P as a pandas frame."""
    return pd.DataFrame(P, columns=list(columns))
