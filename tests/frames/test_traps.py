"""Each trap of the capability table still goes wrong on its engine; one that no longer does may leave the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from isocost.frames.engines import TRAPS
from tests.engines import ENGINES, frames_of


def frame(name: str, folder: Path, **columns: Any) -> Any:
    return nw.from_native(frames_of(name, folder, None).of(columns))


def test_the_table_speaks_of_engines_that_are_tested() -> None:
    for trap in TRAPS:
        assert trap.where
        assert set(trap.where) <= set(ENGINES)


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_horizontal_sums_are_wrong_on_dask_with_several_partitions(tmp_path: Path) -> None:
    a, b = np.arange(8.0), np.arange(8.0) * 10
    given = frame("dask", tmp_path, a=a.tolist(), b=b.tolist())
    assert given.to_native().npartitions > 1
    try:
        found = given.with_columns(s=nw.sum_horizontal("a", "b")).collect()["s"].to_list()
    except Exception:  # refusing is no better
        found = []
    assert found != (a + b).tolist()
    chained = given.with_columns(s=nw.col("a") + nw.col("b")).collect()["s"].to_list()
    assert chained == (a + b).tolist()


def test_casts_round_or_are_refused(tmp_path: Path) -> None:
    for name in ("duckdb", "ibis"):
        found = frame(name, tmp_path, a=[0.4, 0.6]).with_columns(b=nw.col("a").cast(nw.Int64)).collect()
        assert found["b"].to_list() == [0, 1]
    with pytest.raises(pa.ArrowInvalid):
        frame("pyarrow", tmp_path, a=[0.4, 0.6]).with_columns(b=nw.col("a").cast(nw.Int64))
    assert pd.Series([0.4, 0.6]).astype(int).tolist() == [0, 0]


@pytest.mark.parametrize("name", ["pyarrow", "dask"])
def test_products_inside_an_aggregation_and_quantiles_of_groups_are_refused(name: str, tmp_path: Path) -> None:
    given = frame(name, tmp_path, g=[1, 1, 2, 2], a=[1.0, 2.0, 3.0, 4.0])
    for wanted in ((nw.col("a") * nw.col("a")).sum(), nw.col("a").quantile(0.5, interpolation="linear")):
        with pytest.raises(Exception, match=r"."):  # each with an error of its own
            nw.to_native(given.group_by("g").agg(wanted.alias("b")))


def test_integer_sums_of_duckdb_are_decimals(tmp_path: Path) -> None:
    found = frame("duckdb", tmp_path, g=[1, 1], a=[1, 2]).group_by("g").agg(nw.col("a").sum()).collect()
    assert found.schema["a"] not in (nw.Int64, nw.Float64)


@pytest.mark.parametrize("name", ["polars lazy", "duckdb", "ibis"])
def test_nan_is_the_largest_number(name: str, tmp_path: Path) -> None:
    found = frame(name, tmp_path, a=[float("nan")]).with_columns(b=nw.col("a") >= 0).collect()
    assert found["b"].to_list() == [True]


@pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning")
def test_dots_in_names_are_told_for_spark(spark: Any) -> None:
    import isocost as ic

    cost = ic.CostMatrix([[0, 5], [1, 0]])
    with pytest.raises(ic.PredictionError, match=r"names without dots and back quotes; got 'd\.e'\. Rename"):
        ic.audit_frame(cost, spark.createDataFrame([(0, 1)], ["y", "d.e"]), "y", decision="d.e")
