"""Costs and parameters as they arrive: nested lists or arrays of any kind of number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.exact import canonical_floats, exact_number, fraction_of_float
from isocost.exceptions import CostMatrixError

__all__ = ["numbers_of", "parameter", "parameters"]


TOO_LARGE = "costs must be below 1e308 in size; divide them all by the same number"


def numbers_of(table: Any) -> tuple[NDArray[np.float64], NDArray[np.object_] | None]:
    """The table as doubles, and as Fractions unless the doubles at 15 digits say it all."""
    if np.ma.is_masked(table):
        i, j = (int(x) for x in np.argwhere(np.ma.getmaskarray(np.ma.atleast_2d(table)))[0][:2])
        raise CostMatrixError(f"costs must be finite numbers; at row {i}, column {j}: the entry is masked")
    if isinstance(table, np.ndarray) and table.dtype.kind in "fiub":
        table = np.asarray(table)
        return _from_numeric_array(table)
    if isinstance(table, (str, bytes)) or not isinstance(table, Iterable):
        raise CostMatrixError(f"a cost matrix must be a table of numbers; got {table!r}")
    if hasattr(table, "columns"):
        raise CostMatrixError(
            "a frame does not say whether its rows are decisions; pass CostMatrix(frame.to_numpy(), decisions=..., "
            "outcomes=...), or CostMatrix.from_long(frame) with columns decision, outcome, cost"
        )
    if isinstance(table, (Mapping, Set)):
        raise CostMatrixError(
            f"a cost matrix must be a table whose rows have an order; got a {type(table).__name__}. "
            "Write a list of rows"
        )
    lines = [
        list(row) if isinstance(row, Iterable) and not isinstance(row, (str, bytes, Mapping, Set)) else row
        for row in table
    ]
    for i, line in enumerate(lines):
        if not isinstance(line, list):
            raise CostMatrixError(f"a cost matrix must have two dimensions; row {i} is {line!r}")
        if len(line) != len(lines[0]):
            raise CostMatrixError(
                f"all rows must have the same length; row 0 has {len(lines[0])} costs, row {i} has {len(line)}"
            )
    if not lines or not lines[0]:
        raise CostMatrixError("a cost matrix needs at least one decision and one outcome; the table is empty")
    exact = np.empty((len(lines), len(lines[0])), dtype=object)
    for i, line in enumerate(lines):
        for j, value in enumerate(line):
            try:
                exact[i, j] = exact_number(value)
            except ValueError as error:
                raise CostMatrixError(f"costs must be finite numbers; at row {i}, column {j}: {error}") from None
    try:
        costs = np.array([[float(x) for x in line] for line in exact])
    except OverflowError:
        raise CostMatrixError(TOO_LARGE) from None
    stand_alone = all(fraction_of_float(x) == y for x, y in zip(costs.flat, exact.flat, strict=True))
    return costs, None if stand_alone else exact


def _from_numeric_array(table: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.object_] | None]:
    if table.ndim != 2:
        raise CostMatrixError(f"a cost matrix must have two dimensions; got shape {table.shape}")
    if table.size == 0:
        raise CostMatrixError(f"a cost matrix needs at least one decision and one outcome; got shape {table.shape}")
    if table.dtype.kind == "f":
        if not np.isfinite(table).all():
            i, j = (int(x) for x in np.argwhere(~np.isfinite(table))[0])
            raise CostMatrixError(f"costs must be finite numbers; at row {i}, column {j}: {table[i, j]} is not finite")
        costs = canonical_floats(table)
        if not np.isfinite(costs).all():
            raise CostMatrixError(TOO_LARGE)
        return costs, None
    if table.dtype.kind != "b" and (abs(int(table.max())) >= 10**15 or abs(int(table.min())) >= 10**15):
        return numbers_of(table.tolist())  # beyond 15 digits an integer is exact, a double is not
    return table.astype(np.float64), None


def parameter(value: object, name: str, positive: bool = False) -> Fraction:
    """A finite number, above 0 where asked, as a Fraction."""
    try:
        number = exact_number(value)
    except ValueError as error:
        raise CostMatrixError(f"{name} must be a finite number: {error}") from None
    if positive and number <= 0:
        raise CostMatrixError(f"{name} must be above 0; got {value!r}")
    return number


def parameters(values: object, name: str) -> list[Fraction]:
    """A list of finite numbers as Fractions."""
    if isinstance(values, (str, bytes, Set, Mapping)) or not isinstance(values, Iterable):
        raise CostMatrixError(f"{name} must be a list of numbers; got {values!r}")
    return [parameter(value, f"{name}[{i}]") for i, value in enumerate(values)]
