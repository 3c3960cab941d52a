"""Every engine of frames, real ones, behind one fixture: a test that takes `engine` runs on all of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import ibis
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.conftest import require_program

__all__ = ["EAGER", "NAMES", "Engine", "dask_cluster", "engine", "engine_named"]

Columns = Mapping[str, Any]

EAGER = ("pandas", "polars", "pyarrow")
NAMES = (*EAGER, "polars lazy", "duckdb", "ibis", "dask", "pyspark")


class Engine(NamedTuple):
    """An engine: `frame` makes one of its frames from an Arrow table; `rows` brings the columns back as lists."""

    name: str
    frame: Callable[[pa.Table], Any]

    @property
    def lazy(self) -> bool:
        """Whether its frames are only plans."""
        return self.name not in EAGER

    def of(self, columns: Columns) -> Any:
        """A frame of these columns."""
        return self.frame(pa.table({name: pa.array(column, from_pandas=False) for name, column in columns.items()}))


@cache
def spark() -> Any:
    """One session for the run, with two threads."""
    from pyspark.sql import SparkSession

    require_program("java")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.memory": "1g",
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        builder = SparkSession.builder.master("local[2]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        return session


@pytest.fixture(scope="session")
def dask_cluster() -> Iterator[Any]:
    """A real cluster of two workers, each a process."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster,
        Client(cluster) as client,
    ):
        yield client


def engine_named(name: str, folder: Path) -> Engine:
    """The engine; `folder` holds the files from which Dask reads its partitions."""
    connection = duckdb.connect()

    def in_duckdb(table: pa.Table) -> Any:
        connection.register("given", table)
        return connection.sql("select * from given")

    def in_dask(table: pa.Table) -> Any:
        import dask.dataframe as dd

        path = folder / f"{len(list(folder.iterdir()))}.parquet"
        pq.write_table(table, path, row_group_size=max(len(table) // 4, 1))
        return dd.read_parquet(path, split_row_groups=True)

    frames: dict[str, Callable[[pa.Table], Any]] = {
        "pandas": lambda table: table.to_pandas(),
        "polars": pl.from_arrow,
        "pyarrow": lambda table: table,
        "polars lazy": lambda table: pl.DataFrame(pl.from_arrow(table)).lazy(),
        "duckdb": in_duckdb,
        "ibis": lambda table: ibis.memtable(table),
        "dask": in_dask,
        "pyspark": lambda table: spark().createDataFrame(table),
    }
    return Engine(name, frames[name])


@pytest.fixture(params=NAMES)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    """Each engine in turn."""
    if request.param == "dask":
        request.getfixturevalue("dask_cluster")
    return engine_named(request.param, tmp_path)
