"""Frames: one pass over 10⁸ rows against SQL written by hand, rows a second of four engines, memory and plan time.

Goals: audit_frame over a Parquet file of 10⁸ rows and 3 probabilities on 2 cores, in 2 GB, takes at most 1.5 times
as long as the best SQL by hand for the same checks, Γ and grouped sums; peak memory does not grow from 10⁶ to 10⁸
rows. Every measurement is a process of its own; those that are compared take turns.

``python -m benchmarks.frames --rows 100000000`` writes a file of 2.4 GB to a temporary folder; the default is 10⁷.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import isocost as ic
from benchmarks.tools import print_table, random_strong
from isocost.auditing.grid import Grid

COST = ic.CostMatrix(
    [[0, 3, 5], [1, 0, 3], [3, 1, 0]], decisions=["wait", "test", "treat"], outcomes=["mild", "moderate", "severe"]
)
P = ["p0", "p1", "p2"]
LIMIT, THREADS = "1500MB", 2  # of DuckDB, which leaves the rest of 2 GB to Python and libraries


def write_rows(rows: int, path: Path) -> Path:
    """Rows with probabilities spread evenly over the simplex, and outcomes that they are right about."""
    if not path.exists():
        connection = database()
        connection.execute("SELECT setseed(0.5)")
        connection.execute(
            f"""COPY (
              WITH a AS (SELECT -ln(1 - random()) a, -ln(1 - random()) b, -ln(1 - random()) c, random() r
                         FROM range({rows})),
                   p AS (SELECT a / (a + b + c) p0, b / (a + b + c) p1, r FROM a)
              SELECT p0, p1, greatest(1 - p0 - p1, 0) p2,
                     CASE WHEN r < p0 THEN 'mild' WHEN r < p0 + p1 THEN 'moderate' ELSE 'severe' END y FROM p
            ) TO '{path}' (FORMAT parquet)"""
        )
    return path


def database() -> Any:
    import duckdb

    return duckdb.connect(config={"memory_limit": LIMIT, "threads": THREADS})


# -- what is measured, each in a process of its own ---------------------------------------------------


def audit_in_duckdb(path: str) -> object:
    return ic.audit_frame(COST, database().read_parquet(path), "y", probabilities=P)


def tally_in_duckdb(path: str) -> object:
    return ic.tally_frame(COST, database().read_parquet(path), "y", probabilities=P)


def plain_avg(path: str) -> object:
    return database().execute(f"SELECT avg(p0), avg(p1), avg(p2) FROM '{path}'").fetchall()


def by_hand(path: str) -> object:
    """The best SQL for the same: checks of every row, Γ, cell of the grid, and 11 sums for each cell and outcome."""
    prop = ic.smooth(COST)
    grid = Grid(prop)
    low, high = f"({grid.low!r}::DOUBLE)", f"({grid.high!r}::DOUBLE)"

    def number(x: float) -> str:
        return f"({float(x)!r}::DOUBLE)"

    def dot(values: Any) -> str:
        return " + ".join(f"p{y} * {number(x)}" for y, x in enumerate(values) if x)

    knots, m = prop.knots.tolist(), len(prop.knots)
    at_knots = ", ".join(f"{dot(v)} AS e{j}" for j, v in enumerate(prop.values))
    root = f"CASE WHEN e0 > 0 THEN {number(knots[0])} - e0 "
    for j in range(1, m):
        gap = number(knots[j] - knots[j - 1])
        root += f"WHEN e{j} > 0 THEN {number(knots[j - 1])} + {gap} * (-e{j - 1} / (e{j} - e{j - 1})) "
    root += f"ELSE {number(knots[-1])} - e{m - 1} END"
    step = (
        f"CASE WHEN u <= {low} THEN 0 WHEN u > {high} THEN 4097 "
        f"ELSE least(ceil((u - {low}) * {number(grid.inverse)}), 4096) END"
    )
    origin = (
        f"CASE WHEN step = 0 THEN {low} WHEN step = 4097 THEN {high} "
        f"ELSE {low} + (step - 0.5::DOUBLE) / {number(grid.inverse)} END"
    )
    # Marks rise: the first that is not passed ends the search.
    passed = "CASE " + " ".join(f"WHEN u <= {number(x)} THEN {j}" for j, x in enumerate(grid.marks.tolist()))
    passed += f" ELSE {len(grid.marks)} END"
    labels = " ".join(f"WHEN '{label}' THEN {j}" for j, label in enumerate(COST.outcomes))
    misses = ", ".join(f"sum(m{j} * m{j})" for j in range(3))
    sound = "y IS NOT NULL AND p0 >= 0 AND p1 >= 0 AND p2 >= 0 AND abs(p0 + p1 + p2 - 1) <= 1e-6"
    query = f"""
      SELECT key, count(*), sum(d), sum(d * d), min(u), max(u), sum(p0), sum(p1), sum(p2), {misses} FROM (
        SELECT CASE WHEN {sound} AND y >= 0 THEN (step + {passed}) * 3 + y
                    WHEN y < 0 THEN -1 WHEN p0 IS NULL OR p1 IS NULL OR p2 IS NULL THEN -2
                    WHEN p0 < 0 OR p1 < 0 OR p2 < 0 THEN -3 ELSE -4 END AS key,
               u - {origin} AS d, u, p0, p1, p2,
               {", ".join(f"p{j} - (y = {j})::DOUBLE AS m{j}" for j in range(3))} FROM (
          SELECT *, {step} AS step FROM (
            SELECT *, {root} AS u FROM (
              SELECT p0, p1, p2, CASE y {labels} ELSE -1 END AS y, {at_knots} FROM '{path}'))))
      GROUP BY key"""
    return len(database().execute(query).fetchall())


def in_pandas(path: str) -> Callable[[], object]:
    import pandas as pd

    frame = pd.read_parquet(path)
    return lambda: ic.tally_frame(COST, frame, "y", probabilities=P)


def in_polars(path: str) -> Callable[[], object]:
    import polars as pl

    return lambda: ic.tally_frame(COST, pl.scan_parquet(path), "y", probabilities=P)


def in_duckdb(path: str) -> Callable[[], object]:
    return lambda: tally_in_duckdb(path)


def in_spark(path: str) -> Callable[[], object]:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.memory", "2g").config("spark.sql.shuffle.partitions", "2")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    frame = session.read.parquet(path)
    ic.tally_frame(COST, frame.limit(1000), "y", probabilities=P)  # the JVM warms up
    return lambda: ic.tally_frame(COST, frame, "y", probabilities=P)


ONE_BY_ONE: dict[str, Callable[[str], object]] = {
    "audit_frame": audit_in_duckdb,
    "by hand": by_hand,
    "plain avg": plain_avg,
}
ENGINES = {"pandas": in_pandas, "polars lazy": in_polars, "DuckDB": in_duckdb, "PySpark": in_spark}


def measured(name: str, path: str) -> dict[str, float]:
    """Seconds, seconds of all processors and peak memory in MB of one task, in this process."""
    if name in ENGINES:
        task = ENGINES[name](path)
    else:
        ONE_BY_ONE[name](path.replace("rows-", "small-"))  # compile, import
        task = lambda: ONE_BY_ONE[name](path)  # noqa: E731
    start, busy = time.perf_counter(), time.process_time()
    task()
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    return {"s": seconds, "busy": busy, "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def in_a_process(name: str, path: Path) -> dict[str, float]:
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.frames", "--measure", name, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


# -- tables ------------------------------------------------------------------------------------------


def against_hand_written_sql(path: Path, rows: int, repeats: int) -> None:
    """On a machine that others use too the processor time says more than the clock."""
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in ONE_BY_ONE}
    for _ in range(repeats):
        for name, found in runs.items():
            found.append(in_a_process(name, path))
    best = {name: {x: min(run[x] for run in found) for x in found[0]} for name, found in runs.items()}
    hand = best["by hand"]
    lines = [
        [
            name,
            *(f"{x['s']:.2f}", f"{x['s'] / hand['s']:.2f}"),
            *(f"{x['busy']:.2f}", f"{x['busy'] / hand['busy']:.2f}"),
            f"{x['MB']:.0f}",
        ]
        for name, x in best.items()
    ]
    print_table(
        f"{rows:,} rows x 3 probabilities in Parquet, {THREADS} threads, memory limit 2 GB; goal: at most 1.50",
        ["", "s", "of by hand", "processor s", "of by hand", "peak MB"],
        lines,
    )


def rows_a_second(path: Path, rows: int, repeats: int) -> None:
    lines = []
    for name in ENGINES:
        found = min((in_a_process(name, path) for _ in range(repeats)), key=lambda x: x["s"])
        lines.append([name, f"{found['s']:.2f}", f"{rows / found['s'] / 1e6:.2f}", f"{found['MB']:.0f}"])
    print_table(f"tally_frame of {rows:,} rows", ["engine", "s", "10⁶ rows/s", "peak MB (Spark's is its JVM's)"], lines)


def memory(paths: dict[int, Path]) -> None:
    lines = [[f"{rows:,}", f"{in_a_process('audit_frame', path)['MB']:.0f}"] for rows, path in paths.items()]
    print_table("Peak memory of audit_frame on a DuckDB relation", ["rows", "MB"], lines)


def plans() -> None:
    """Processor seconds for 100 rows: nearly all of it is the plan."""
    import polars as pl

    lines = []
    for n in (3, 10, 20, 50):
        cost = random_strong(n, n, 0)
        prop = ic.smooth(cost)
        names = [f"p{i}" for i in range(n)]
        rows = np.random.default_rng(0).dirichlet(np.ones(n), 100)
        frame = pl.DataFrame(dict(zip(names, rows.T, strict=True))).with_columns(y=pl.lit(cost.outcomes[0]))
        connection = database()
        connection.register("given", frame.to_arrow())
        engines = {"polars lazy": frame.lazy(), "DuckDB": connection.sql("SELECT * FROM given")}
        times = []
        for given in engines.values():
            start = time.process_time()
            ic.tally_frame(cost, given, "y", probabilities=names, prop=prop)
            times.append(time.process_time() - start)
        lines.append([str(n), str(len(prop.knots)), *(f"{x:.2f}" for x in times)])
    print_table("Plan time, n = k (processor seconds for 100 rows)", ["n = k", "knots", *engines], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--measure", nargs=2, metavar=("NAME", "FILE"))
    asked = parser.parse_args()
    if asked.measure:
        print(json.dumps(measured(*asked.measure)))
        return
    with tempfile.TemporaryDirectory(prefix="isocost-bench-") as folder:
        sizes = sorted({10**6, 10**7, asked.rows})
        paths = {rows: write_rows(rows, Path(folder) / f"rows-{rows}.parquet") for rows in sizes}
        for rows in sizes:
            write_rows(1000, Path(folder) / f"small-{rows}.parquet")
        against_hand_written_sql(paths[asked.rows], asked.rows, asked.repeats)
        rows_a_second(paths[10**7], 10**7, asked.repeats)
        memory(paths)
        plans()


if __name__ == "__main__":
    main()
