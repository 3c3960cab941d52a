"""Dataframe engines: how a frame is opened and its sums fetched, and what engines do not do alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.exceptions import PredictionError

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

__all__ = ["TRAPS", "Trap", "collected", "opened", "parts"]

PART = 250_000  # rows of a frame in memory that are worked on together, so that what is added to them stays small


class Trap(NamedTuple):
    """What goes wrong on some engines, and what is done on all of them instead."""

    what: str
    where: tuple[str, ...]
    goes: str
    instead: str


# tests/frames/test_traps.py shows each of them going wrong; one that no longer does may leave this table.
TRAPS = (
    Trap(
        "sum_horizontal, max_horizontal, min_horizontal",
        ("dask",),
        "silently wrong rows with several partitions",
        "a chain of +, and `when` for the lesser of two",
    ),
    Trap(
        "a number with decimals cast to an integer",
        ("duckdb", "ibis", "pyarrow"),
        "rounded by the first two, refused by pyarrow",
        "comparisons and .ceil(), then a cast to Float64, as Ibis makes integers of it",
    ),
    Trap(
        "products inside an aggregation",
        ("pyarrow", "dask"),
        "refused",
        "a column of the product first",
    ),
    Trap(
        "quantiles of groups",
        ("pyarrow", "dask"),
        "missing",
        "sums on the fixed grid of the score, from which all rank measures follow",
    ),
    Trap(
        "integer sums",
        ("duckdb",),
        "HUGEINT, which arrives as decimals",
        "sums of doubles only; rows are counted by len()",
    ),
    Trap(
        "comparisons with NaN",
        ("polars lazy", "duckdb", "ibis", "pyspark"),
        "NaN is the largest number, elsewhere unequal to everything",
        "every check asks for what is right, from both sides, so that neither NaN nor null passes",
    ),
    Trap(
        "columns whose names hold a dot or a back quote",
        ("pyspark",),
        "taken as a path into a structure",
        "refused, with the way out",
    ),
)


def opened(frame: Any) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    """A frame of any engine behind one interface."""
    try:
        import narwhals.stable.v2 as nw
    except ImportError:
        raise ImportError("frames need narwhals: pip install 'isocost[frames]'") from None
    try:
        found: nw.DataFrame[Any] | nw.LazyFrame[Any] = nw.from_native(frame)
    except TypeError:
        raise PredictionError(
            "the frame must be of pandas, polars, pyarrow, DuckDB, PySpark, Dask or Ibis; "
            f"got {type(frame).__module__.split('.')[0]}.{type(frame).__qualname__}"
        ) from None
    if found.implementation.is_spark_like():
        native = found.to_native()
        if any(set(name) & set(".`") for name in native.columns):
            raise PredictionError(
                "columns of a Spark frame must have names without dots and back quotes; got "
                f"{next(name for name in native.columns if set(name) & set('.`'))!r}. Rename it with toDF"
            )
    return found


def parts(frame: nw.DataFrame[Any] | nw.LazyFrame[Any]) -> Iterator[nw.DataFrame[Any] | nw.LazyFrame[Any]]:
    """A lazy frame itself; one in memory in parts."""
    import narwhals.stable.v2 as nw

    if isinstance(frame, nw.LazyFrame):
        yield frame
        return
    for start in range(0, max(len(frame), 1), PART):
        yield frame[start : start + PART]


def collected(frame: nw.DataFrame[Any] | nw.LazyFrame[Any]) -> dict[str, NDArray[Any]]:
    """Columns of a small frame as arrays; a lazy one is computed now, and nothing but its result is fetched."""
    import narwhals.stable.v2 as nw

    if isinstance(frame, nw.LazyFrame):
        if frame.implementation.is_duckdb():  # by itself, without pyarrow
            columns = frame.to_native().fetchnumpy()
            return {
                name: np.array(x.tolist(), dtype=object) if np.ma.is_masked(x) else np.ma.getdata(x)
                for name, x in columns.items()
            }
        # Polars works through a file larger than memory only if asked to.
        frame = frame.collect(engine="streaming") if frame.implementation.is_polars() else frame.collect()
    return {name: frame[name].to_numpy() for name in frame.columns}
