"""The engines that exports and dataframes are tested on are the real ones."""

from __future__ import annotations

from typing import Any


def test_spark_counts(spark: Any) -> None:
    assert spark.range(5, numPartitions=2).selectExpr("sum(id * 0.5D)").first()[0] == 5.0


def test_postgres_counts(postgres: str) -> None:
    import psycopg

    with psycopg.connect(postgres) as connection:
        row = connection.execute("SELECT sum(x * 0.5::float8) FROM generate_series(0, 4) AS t(x)").fetchone()
    assert row == (5.0,)
