"""Exported expressions on DuckDB: how long they are, how long they take to plan, and to run.

python -m benchmarks.export
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import isocost as ic
from benchmarks.tools import best_times, print_table, random_strong
from isocost.export.sql import Output

__all__ = ["main", "rules_of"]

ROWS = 20_000


def rules_of(k: int, n: int) -> dict[str, ic.DecisionRule]:
    """Smooth without a map, with an isotonic map of many blocks, and a linear property of n - 1 numbers."""
    random = np.random.default_rng(k + n)
    cost = random_strong(k, n, seed=1)
    prop = ic.smooth(cost)
    P = random.dirichlet(np.ones(n), size=20_000)
    y = (P.cumsum(axis=1) > random.random((len(P), 1))).argmax(axis=1)
    steps = ic.IsotonicRecalibrator(prop).fit(P, np.minimum(y, n - 1))
    unordered = ic.linear(ic.CostMatrix(random.integers(1, 100, (k, n)) * (1 - np.eye(k, n))))
    return {
        "smooth": ic.DecisionRule(prop),
        f"smooth, {len(steps.values_)} blocks": ic.DecisionRule(prop, steps),
        f"linear, {unordered.dimension} numbers": ic.DecisionRule(unordered),
    }


def measured(connection: Any, rule: ic.DecisionRule, P: Any, names: list[str], output: Output) -> list[str]:
    """Length, plan time and run time of one expression, beside the means of the columns and Python."""
    expression = rule.to_sql("duckdb", names, output=output)
    counted = f"SELECT count(x) FROM (SELECT {expression} AS x FROM t)"
    means = "SELECT " + ", ".join(f"avg({name})" for name in names) + " FROM t"
    tasks: dict[str, Callable[[], object]] = {
        "plan": lambda: connection.execute("EXPLAIN " + counted).fetchall(),
        "run": lambda: connection.execute(counted).fetchall(),
        "means": lambda: connection.execute(means).fetchall(),
        "python": lambda: rule.decide(P) if output == "decision" else rule.value(P),
    }
    times = best_times(tasks, repeats=3)
    return [
        f"{len(expression) / 1000:.1f}",
        f"{1000 * times['plan']:.0f}",
        f"{1e6 * (times['run'] - times['plan']) / ROWS:.2f}",
        f"{times['run'] / times['means']:.0f}",
        f"{1e6 * times['python'] / ROWS:.2f}",
    ]


def main() -> None:
    """Print a table for k = n of 3, 10 and 50."""
    import duckdb

    lines = []
    for size in (3, 10, 50):
        P = np.random.default_rng(0).dirichlet(np.ones(size), size=ROWS)
        names = [f"p{i}" for i in range(size)]
        with duckdb.connect() as connection:
            columns = dict(zip(names, np.ascontiguousarray(P.T), strict=True))
            connection.register("given", columns)
            connection.execute("CREATE TABLE t AS SELECT * FROM given")
            connection.execute("SET threads TO 1")
            for what, rule in rules_of(size, size).items():
                outputs: list[Output] = ["decision", "score"] if rule.prop.dimension == 1 else ["decision"]
                for output in outputs:
                    figures = measured(connection, rule, P, names, output)
                    lines.append([str(size), what, output, *figures])
    header = ["k = n", "rule", "output", "kB", "plan ms", "µs a row", "× means of the columns", "Python µs a row"]
    print_table(f"DuckDB, one thread, {ROWS} rows", header, lines)


if __name__ == "__main__":
    main()
