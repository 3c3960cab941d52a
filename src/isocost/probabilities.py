"""Probabilities as they arrive: arrays, lists or frames, checked and in outcome order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.exceptions import PredictionError
from isocost.labels import Labels, is_label

__all__ = ["SUM_TOLERANCE", "align_columns", "as_rows", "refuse_row", "validated_rows"]

SUM_TOLERANCE = 1e-6

FloatRows = NDArray[np.float64] | NDArray[np.float32]


def as_rows(P: Any, outcomes: Labels) -> FloatRows:
    """P as a two-dimensional float array with columns in outcome order; values not yet checked."""
    if hasattr(P, "collect") and hasattr(P, "collect_schema"):
        raise PredictionError("`probabilities` must be in memory; got a lazy frame. Call its collect() first")
    if hasattr(P, "columns"):
        P = _from_frame(P, outcomes)
    if np.ma.is_masked(P):
        P = np.ma.filled(P.astype(np.float64), np.nan)  # what is masked is missing
    try:
        rows = np.asarray(P)
    except ValueError:
        raise PredictionError("`probabilities` must have rows of equal length; got ragged rows") from None
    if rows.dtype.kind in "iub":
        rows = rows.astype(np.float64)
    if rows.dtype.kind == "O":
        try:
            rows = rows.astype(np.float64)
        except (TypeError, ValueError):
            _refuse_objects(rows)
    if rows.dtype.kind != "f":
        raise PredictionError(f"`probabilities` must be real numbers; got dtype {rows.dtype}")
    if rows.dtype.itemsize not in (4, 8) or not rows.dtype.isnative:
        rows = rows.astype(np.float64)
    if rows.ndim != 2:
        raise PredictionError(
            f"`probabilities` must have shape (rows, {len(outcomes)}); got shape {rows.shape}"
            + ("; write [p] for a single distribution" if rows.shape == (len(outcomes),) else "")
        )
    if rows.shape[1] != len(outcomes):
        raise PredictionError(
            f"`probabilities` must have one column for each of the {len(outcomes)} outcomes "
            f"{list(outcomes[:12])}; got {rows.shape[1]} columns"
        )
    return rows


def validated_rows(P: Any, outcomes: Labels, normalize: bool = False) -> FloatRows:
    """P as checked distributions: no negative or missing value, rows that sum to 1."""
    rows = as_rows(P, outcomes)
    if normalize:
        return normalized(rows)
    with np.errstate(over="ignore", invalid="ignore"):
        sums = rows.sum(axis=1, dtype=np.float64)
    bad = ~(np.abs(sums - 1) <= SUM_TOLERANCE)
    bad |= (rows < 0).any(axis=1)
    if bad.any():
        refuse_row(rows, int(bad.argmax()))
    return rows


def normalized(rows: FloatRows) -> FloatRows:
    """Rows divided by their sums, which must be positive and finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        sums = rows.sum(axis=1, dtype=np.float64)
    bad = ~(np.isfinite(sums) & (sums > 0))
    bad |= (rows < 0).any(axis=1)
    if bad.any():
        refuse_row(rows, int(bad.argmax()))
    scaled: FloatRows = rows / sums[:, None].astype(rows.dtype)
    return scaled


def refuse_row(rows: FloatRows, index: int) -> None:
    """Raise the error for row `index`, which is known to be no distribution."""
    row = rows[index].astype(np.float64)
    name = f"Row {index} of `probabilities`"
    if np.isnan(row).any():
        raise PredictionError(
            f"{name} has a missing value in column {int(np.isnan(row).argmax())}; every probability must be a number. "
            "Drop or fill the row."
        )
    if not np.isfinite(row).all():
        column = int((~np.isfinite(row)).argmax())
        raise PredictionError(f"{name} is {row[column]} in column {column}; probabilities must be finite.")
    if (row < 0).any():
        column = int((row < 0).argmax())
        raise PredictionError(
            f"{name} is {row[column]:.6g} in column {column}; probabilities must be at least 0. "
            "Are these log-probabilities or raw scores?"
        )
    if not row.any():
        raise PredictionError(f"{name} is all zero; rows must sum to 1. Drop the row or fill it.")
    with np.errstate(over="ignore"):
        total = row.sum()
    raise PredictionError(
        f"{name} sums to {total:.9g}; rows must sum to 1 within {SUM_TOLERANCE:g}. Normalise it or pass normalize=True."
    )


def align_columns(P: Any, classes: Iterable[object], outcomes: Labels) -> FloatRows:
    """Columns of P, labelled by `classes`, reordered to the outcomes."""
    if isinstance(classes, (str, bytes, Set, Mapping)) or not isinstance(classes, Iterable):
        raise PredictionError(f"`classes` must be a list of outcome labels, one for each column; got {classes!r}")
    given = tuple(x.item() if isinstance(x, np.generic) else x for x in classes)
    for i, label in enumerate(given):
        if not is_label(label):
            raise PredictionError(f"`classes` must be labels; entry {i} is {label!r}")
    if len(set(given)) != len(given):
        raise PredictionError(f"`classes` must differ; got {list(given)}")
    missing = [label for label in outcomes if label not in given]
    extra = [label for label in given if label not in outcomes]
    if missing or extra:
        raise PredictionError(
            f"`classes` must be the outcomes {list(outcomes)}, in any order; got {list(given)}"
            + (f"; missing: {missing}" if missing else "")
            + (f"; unknown: {extra}" if extra else "")
        )
    rows = as_rows(P, given)
    return rows[:, [given.index(label) for label in outcomes]]


def _refuse_objects(rows: NDArray[np.object_]) -> None:
    """Raise the error for an array with an entry that is no number."""
    for index, value in np.ndenumerate(rows):
        try:
            float(value)
        except (TypeError, ValueError):
            where = f"row {index[0]}, column {index[1]}" if len(index) == 2 else f"position {index}"
            raise PredictionError(f"`probabilities` must be numbers; at {where}: {value!r}") from None


def _from_frame(frame: Any, outcomes: Labels) -> NDArray[Any]:
    columns = list(frame.columns)
    chosen = [_column_of(label, columns) for label in outcomes]
    return np.column_stack([np.asarray(frame[name]) for name in chosen])


def _column_of(label: object, columns: list[Any]) -> Any:
    equal = [name for name in columns if name == label] or [name for name in columns if str(name) == str(label)]
    if len(equal) != 1:
        problem = "no column" if not equal else f"{len(equal)} columns"
        raise PredictionError(
            f"A frame of probabilities must have one column for each outcome; it has {problem} for {label!r}. "
            f"Its columns are {columns[:20]}."
        )
    return equal[0]
