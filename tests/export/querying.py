"""Ask each engine the same thing: rows in, values of expressions out, in row order."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest

__all__ = ["ENGINES", "Query", "query_of"]

# rows (None is NULL), column names, SQL expressions -> a tuple of values for each row
Query = Callable[[Sequence[Sequence[float | None]], Sequence[str], Sequence[str]], list[tuple[Any, ...]]]

# PostgreSQL and Spark run for real; BigQuery and Snowflake are read by sqlglot and run on DuckDB.
ENGINES = ("duckdb", "postgres", "spark", "bigquery", "snowflake")


def query_of(engine: str, request: pytest.FixtureRequest) -> Query:
    """How to ask an engine."""
    if engine == "spark":
        return spark_query(request.getfixturevalue("spark"))
    if engine == "postgres":
        return postgres_query(request.getfixturevalue("postgres"))
    return duckdb_query(engine)


def _double_quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def duckdb_query(dialect: str) -> Query:
    """DuckDB; what another dialect says is translated by sqlglot first."""
    import duckdb
    import sqlglot

    def ask(
        rows: Sequence[Sequence[float | None]], names: Sequence[str], expressions: Sequence[str]
    ) -> list[tuple[Any, ...]]:
        if dialect != "duckdb":
            expressions = [sqlglot.transpile(e, read=dialect, write="duckdb")[0] for e in expressions]
        with duckdb.connect() as connection:
            columns = ", ".join(f"{_double_quoted(name)} DOUBLE" for name in names)
            connection.execute(f"CREATE TABLE t (place INTEGER, {columns})")
            marks = ", ".join("?" * (len(names) + 1))
            numbered = [[i, *row] for i, row in enumerate(rows)]
            for start in range(0, len(numbered), 200):
                part = numbered[start : start + 200]
                values = ", ".join([f"({marks})"] * len(part))
                connection.execute(f"INSERT INTO t VALUES {values}", [x for row in part for x in row])
            return list(connection.execute(f"SELECT {', '.join(expressions)} FROM t ORDER BY place").fetchall())

    return ask


def postgres_query(server: str) -> Query:
    """PostgreSQL."""
    import psycopg

    def ask(
        rows: Sequence[Sequence[float | None]], names: Sequence[str], expressions: Sequence[str]
    ) -> list[tuple[Any, ...]]:
        with psycopg.connect(server) as connection, connection.cursor() as cursor:
            columns = ", ".join(f"{_double_quoted(name)} float8" for name in names)
            cursor.execute(f"CREATE TEMPORARY TABLE t (place int, {columns})".encode())
            with cursor.copy(b"COPY t FROM STDIN") as copy:
                for i, row in enumerate(rows):
                    copy.write_row([i, *row])
            cursor.execute(f"SELECT {', '.join(expressions)} FROM t ORDER BY place".encode())
            return cursor.fetchall()

    return ask


def spark_query(spark: Any) -> Query:
    """Spark, through SQL text."""
    from pyspark.sql.types import DoubleType, IntegerType, StructField, StructType

    def ask(
        rows: Sequence[Sequence[float | None]], names: Sequence[str], expressions: Sequence[str]
    ) -> list[tuple[Any, ...]]:
        fields = [StructField("place", IntegerType()), *(StructField(name, DoubleType()) for name in names)]
        numbered = [(i, *(x if x is None else float(x) for x in row)) for i, row in enumerate(rows)]
        spark.createDataFrame(numbered, StructType(fields)).createOrReplaceTempView("t")
        named = ", ".join(f"{e} AS x{i}" for i, e in enumerate(expressions))
        found = spark.sql(f"SELECT {named} FROM t ORDER BY place").collect()
        return [tuple(None if isinstance(x, float) and math.isnan(x) else x for x in row) for row in found]

    return ask
