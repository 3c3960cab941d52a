"""Real engines for the tests: one Spark session, one Dask cluster, one PostgreSQL server for the whole run.

The fixtures of tests/conftest.py start them when a test first asks. Under pytest-xdist all tests
that ask for the same engine run on one worker, so that there is one of each.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["EAGER", "ENGINES", "Engine", "dask_cluster_of_two", "frames_of", "postgres_server", "spark_session"]

EAGER = ("pandas", "polars", "pyarrow")
ENGINES = (*EAGER, "polars lazy", "duckdb", "ibis", "dask", "pyspark")


def spark_session(folder: Path) -> Iterator[Any]:
    """Spark in this process's own JVM on two cores, without its web page; Java must be there."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")  # no look-up of the machine's name
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "scratch"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2]").appName("isocost tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def postgres_server(folder_of_programs: Path) -> Iterator[str]:
    """Connection string of a PostgreSQL in a temporary folder on a free port; gone afterwards.

    PostgreSQL refuses to run as root, so root starts it as the user postgres.
    """
    home = Path(tempfile.mkdtemp(prefix="isocost-postgres-"))
    as_user: list[str] = []
    if os.geteuid() == 0:
        shutil.chown(home, "postgres", "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]
    data = home / "data"

    def run(program: str, *options: str) -> None:
        command = [*as_user, str(folder_of_programs / program), *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd="/")
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}"

    run("initdb", "-D", str(data), "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={home} -c fsync=off"
    run("pg_ctl", "-D", str(data), "-o", options, "-l", str(home / "log"), "-w", "start")
    try:
        yield f"host=127.0.0.1 port={port} user=tester dbname=postgres"
    finally:
        run("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
        shutil.rmtree(home, ignore_errors=True)


def dask_cluster_of_two() -> Iterator[Any]:
    """Client of a real cluster of two workers, each a process of its own."""
    import distributed

    local: Any = distributed.LocalCluster
    of: Any = distributed.Client
    with (
        local(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1") as cluster,
        of(cluster) as client,
    ):
        yield client


class Engine(NamedTuple):
    """An engine of dataframes; `frame` makes one of its frames from an Arrow table."""

    name: str
    frame: Callable[[Any], Any]

    @property
    def lazy(self) -> bool:
        """Whether its frames are only plans."""
        return self.name not in EAGER

    def of(self, columns: Mapping[str, Any]) -> Any:
        """A frame of these columns, None for null."""
        import pyarrow as pa

        return self.frame(pa.table({name: pa.array(column, from_pandas=False) for name, column in columns.items()}))


def frames_of(name: str, folder: Path, spark: Any) -> Engine:
    """The engine of this name; `folder` is for the files from which Dask reads several partitions."""
    import duckdb
    import ibis
    import polars as pl
    import pyarrow.parquet as pq

    def in_duckdb(table: Any) -> Any:
        connection = duckdb.connect()
        connection.register("given", table)
        return connection.sql("select * from given")

    def in_dask(table: Any) -> Any:
        import dask.dataframe as dd

        path = folder / f"{len(list(folder.iterdir()))}.parquet"
        pq.write_table(table, path, row_group_size=max(len(table) // 4, 1))
        return dd.read_parquet(path, split_row_groups=True)

    frames: dict[str, Callable[[Any], Any]] = {
        "pandas": lambda table: table.to_pandas(),
        "polars": pl.from_arrow,
        "pyarrow": lambda table: table,
        "polars lazy": lambda table: pl.DataFrame(pl.from_arrow(table)).lazy(),
        "duckdb": in_duckdb,
        "ibis": ibis.memtable,
        "dask": in_dask,
        "pyspark": lambda table: spark.createDataFrame(table),
    }
    return Engine(name, frames[name])
