"""Expressions on the engines themselves: PostgreSQL, Spark, DuckDB; BigQuery's and Snowflake's translated to DuckDB."""

from __future__ import annotations

import os
import sys
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
import sqlglot

import isocost as ic
from isocost.export.sql import score_error
from tests.export.querying import ENGINES, query_of
from tests.fixtures.make_rules import made
from tests.laws.random_rules import near_ties

NAN, INF = float("nan"), float("inf")
COLUMNS = ["p_a", "p b", "p-c"]
RULES = made()


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("engine", ENGINES)
def test_answers_are_those_of_python(engine: Any, name: str, request: pytest.FixtureRequest) -> None:
    """Decisions equal, at ties and jumps too; scores to 1e-9, from probabilities and from scores."""
    rule = RULES[name]
    ask = query_of(engine, request)
    P = near_ties(rule, rows=40)
    raw = rule.prop.value(P)
    if isinstance(rule.prop, ic.SmoothProperty):
        raw[: len(rule.prop.cuts)] = rule.prop.cuts
        if isinstance(rule.recalibration, ic.IsotonicRecalibrator):
            breaks = rule.score_map.breaks
            raw[-len(breaks) :] = breaks
    scalar = rule.prop.dimension == 1
    raw = raw.reshape(len(P), -1)
    scores = [f"u{i}" for i in range(raw.shape[1])]
    expressions = [rule.to_sql(engine, COLUMNS), rule.to_sql(engine, score=scores)]
    if scalar:
        expressions += [rule.to_sql(engine, COLUMNS, score=True), rule.to_sql(engine, score="u0", output="score")]
    found = list(zip(*ask(np.hstack([P, raw]).tolist(), [*COLUMNS, *scores], expressions), strict=True))
    u = raw[:, 0] if scalar else raw
    assert list(found[0]) == rule.decide(P).tolist()
    assert list(found[1]) == rule.decide(score=u).tolist()
    if scalar:
        assert np.array(found[2], dtype=float) == pytest.approx(rule.value(P), rel=1e-9, abs=1e-9)
        assert np.array(found[3], dtype=float) == pytest.approx(rule.value(score=u), rel=1e-9, abs=1e-9)


HOSTILE = [
    "it's",
    'say "x"',
    "back\\slash\\",
    "two\nlines\r\ttab",
    "100 %s %(x)s {y} %%",
    "`tick` $1 ${env:HOME} $$",
    "-- ; DROP TABLE t; /*",
    "grün 日本 🙂 \u202e \u00a0",
    "\\' OR 1=1 --",
    "?:@#[]",
    "\\u0041\\x41\\101\\n",
]


@pytest.mark.parametrize("engine", ENGINES)
def test_hostile_names_and_labels(engine: Any, request: pytest.FixtureRequest) -> None:
    os.environ.setdefault("HOME", "/")  # what a careless substitution would put in
    n = len(HOSTILE)
    cost = ic.CostMatrix(1 - np.eye(n), decisions=[f"{label} {i}" for i, label in enumerate(HOSTILE)])
    rule = ic.DecisionRule(ic.linear(cost))
    ask = query_of(engine, request)
    names = [f"c{i} {label}" for i, label in enumerate(HOSTILE)]
    if engine == "bigquery":  # its names are letters and digits, but their quoting must hold
        names = [name.replace("\n", " ").replace("\r", " ").replace("\t", " ") for name in names]
    found = ask(np.eye(n).tolist(), names, [rule.to_sql(engine, names)])
    assert [row[0] for row in found] == list(cost.decisions)
    by_score = ic.DecisionRule(ic.smooth(ic.CostMatrix.ordinal(cost.decisions)))
    rows = [[-9.0] * n, [9.0] * n]
    found = ask(rows, names, [by_score.to_sql(engine, score=name) for name in names])
    assert [set(row) for row in found] == [{cost.decisions[0]}, {cost.decisions[-1]}]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["ramps", "interior", "affine_swap"])
def test_what_python_refuses_is_null(engine: Any, name: str, request: pytest.FixtureRequest) -> None:
    rule = RULES[name]
    ask = query_of(engine, request)
    rows: list[list[Any]] = [
        [None, 0.5, 0.5],
        [0.5, 0.5, None],
        [NAN, 0.5, 0.5],
        [NAN, NAN, NAN],
        [INF, 0.5, 0.5],
        [INF, -INF, 1.0],
        [-0.1, 0.6, 0.5],
        [0.5, 0.5, 0.5],
        [0.0, 0.0, 0.0],
        [0.2, 0.3, 0.5 + 1e-5],
        [0.2, 0.3, 0.5 + 1e-7],
        [1.0, 0.0, -0.0],
    ]
    expressions = [rule.to_sql(engine, COLUMNS)]
    if rule.prop.dimension == 1:
        expressions.append(rule.to_sql(engine, COLUMNS, output="score"))
    found = ask(rows, COLUMNS, expressions)
    for row, values in zip(rows, found, strict=True):
        try:
            expected = rule.decide([[NAN if x is None else x for x in row]])[0]
        except ic.PredictionError:
            assert values == (None,) * len(values)
        else:
            assert values[0] == expected
            assert None not in values
    assert [row[0] is None for row in found] == 10 * [True] + 2 * [False]
    names = [f"u{i}" for i in range(rule.prop.dimension)]
    scores: list[list[Any]] = [[x] * len(names) for x in (None, NAN, INF, -INF, 0.0, 1e200, -1e200)]
    found = ask(scores, names, [rule.to_sql(engine, score=names)])
    assert [row[0] is None for row in found] == 4 * [True] + 3 * [False]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "labels",
    [[3, 1, 2], [1.5, -2.0, 1e-7], [True, False, "x"], [2**40, 1, -(2**62)], ["1", "2", "3"]],
    ids=["int", "float", "mixed", "long", "digits"],
)
def test_labels_keep_their_type(engine: Any, labels: list[Any], request: pytest.FixtureRequest) -> None:
    rule = ic.DecisionRule(ic.linear(ic.CostMatrix(1 - np.eye(3), decisions=labels)))
    found = [row[0] for row in query_of(engine, request)(np.eye(3).tolist(), COLUMNS, [rule.to_sql(engine, COLUMNS)])]
    expected = labels if len({type(label) for label in labels}) == 1 else [str(label) for label in labels]
    assert found == expected
    assert [type(x) for x in found] == [type(x) for x in expected]


@pytest.mark.parametrize("engine", ["duckdb", "postgres", "spark"])
def test_many_decisions_and_outcomes(engine: Any, request: pytest.FixtureRequest) -> None:
    """30 by 30, with names that a lambda might take for its own."""
    P = np.random.default_rng(0).dirichlet(np.ones(30), size=40)
    names = ["isocost_e", "isocost_r", "x", "y", *(f"p{i}" for i in range(26))]
    ordinal = ic.CostMatrix.ordinal(range(30), under=3)
    for prop in (ic.smooth(ordinal), ic.smooth(ordinal, interior=0.001), ic.linear(ic.CostMatrix(1 - np.eye(30)))):
        rule = ic.DecisionRule(prop)
        expressions = [rule.to_sql(engine, names)]
        if prop.dimension == 1:
            expressions.append(rule.to_sql(engine, names, score=True))
        found = list(zip(*query_of(engine, request)(P.tolist(), names, expressions), strict=True))
        assert list(found[0]) == rule.decide(P).tolist()
        if prop.dimension == 1:
            assert np.array(found[1]) == pytest.approx(rule.value(P), rel=1e-9, abs=1e-9)


def test_columns_of_other_number_types_on_duckdb() -> None:
    import duckdb

    rule = RULES["plain"]
    P = np.array([[0.25, 0.5, 0.25], [0.7, 0.2, 0.1], [0.1, 0.1, 0.8], [1, 0, 0]])
    expression = rule.to_sql("duckdb", COLUMNS)
    for kind in ("FLOAT", "DECIMAL(18, 9)"):
        with duckdb.connect() as connection:
            rows = ", ".join(f"({a}, {b}, {c})" for a, b, c in P.tolist())
            made = ", ".join(f'"{name}" {kind}' for name in COLUMNS)
            connection.execute(f"CREATE TABLE t ({made})")
            connection.execute(f"INSERT INTO t VALUES {rows}")
            found = [row[0] for row in connection.execute(f"SELECT {expression} FROM t").fetchall()]
        given = P.astype(np.float32) if kind == "FLOAT" else P
        assert found == rule.decide(given).tolist()


def test_columns_of_other_number_types_on_postgres(postgres: str) -> None:
    import psycopg

    rule = RULES["ramps"]
    expressions = f"{rule.to_sql('postgres', COLUMNS)}, {rule.to_sql('postgres', COLUMNS, score=True)}"
    P = np.array([[0.25, 0.5, 0.25], [0.7, 0.2, 0.1], [0.1, 0.1, 0.8], [1, 0, 0]])
    with psycopg.connect(postgres) as connection:
        for kind in ("real", "numeric"):
            table = "SELECT " + ", ".join(f'%s::{kind} AS "{name}"' for name in COLUMNS)
            for p in P:
                asked = f"SELECT {expressions.replace('%', '%%')} FROM ({table}) AS t"
                found = connection.execute(asked.encode(), [Decimal(str(x)) for x in p]).fetchone()
                given = np.array([p], dtype=np.float32 if kind == "real" else np.float64)
                assert found == (rule.decide(given)[0], pytest.approx(rule.value(given)[0], abs=1e-9))


def test_tiny_probabilities_are_no_error_on_postgres(postgres: str, request: pytest.FixtureRequest) -> None:
    """PostgreSQL refuses products that underflow to 0."""
    ask = query_of("postgres", request)
    rows = [[1 - 5e-324, 5e-324, 0.0], [0.0, 1e-310, 1.0], [0.5, 0.5, 1e-320]]
    for rule in RULES.values():
        found = ask(rows, COLUMNS, [rule.to_sql("postgres", COLUMNS)])
        assert [row[0] for row in found] == rule.decide(rows).tolist()


def test_more_blocks_than_an_expression_holds() -> None:
    """At most 256 constants, within the error that is told, on the right side of every cut; decisions stay exact."""
    cost = RULES["plain"].cost
    prop = ic.smooth(cost)
    random = np.random.default_rng(0)
    P = random.dirichlet(np.ones(3), size=300_000)
    # Labels that follow the score exactly give a block for nearly every row; rounded scores leave 3000.
    scores = np.round(prop.value(P), 4)
    happened = (P.cumsum(axis=1) > random.random((len(P), 1))).argmax(axis=1)
    iso = ic.IsotonicRecalibrator(prop).fit(scores, [cost.outcomes[i] for i in happened])
    iso.values_ = np.linspace(*prop.range, 600)
    ends = np.linspace(-1, 1, 1200)
    iso.lowest_, iso.highest_ = ends[::2], ends[1::2]
    iso.thresholds_ = (iso.highest_[:-1] + iso.lowest_[1:]) / 2
    rule = ic.DecisionRule(prop, iso)
    Q = P[:2000]
    ask = query_of("duckdb", None)  # type: ignore[arg-type]
    expressions = [rule.to_sql("duckdb", COLUMNS, score=True), rule.to_sql("duckdb", COLUMNS)]
    assert 200 < expressions[0].count("WHEN") <= 256  # the guard and at most 255 breaks
    found = ask(Q.tolist(), COLUMNS, expressions)
    off = np.abs(np.array([row[0] for row in found]) - rule.value(Q))
    bound = (prop.range[1] - prop.range[0]) / (2 * (256 - 3))
    assert 0 < off.max() <= score_error(rule) * (1 + 1e-12)
    assert score_error(rule) <= bound
    assert prop.decide([row[0] for row in found]).tolist() == rule.decide(Q).tolist() == [row[1] for row in found]


@pytest.mark.parametrize("dialect", ["bigquery", "snowflake"])
def test_sqlglot_reads_back_what_was_written(dialect: Any) -> None:
    for rule in RULES.values():
        tree = sqlglot.parse_one(rule.to_sql(dialect, COLUMNS), read=dialect)
        assert {column.name for column in tree.find_all(sqlglot.exp.Column)} == set(COLUMNS)
        texts = {literal.this for literal in tree.find_all(sqlglot.exp.Literal) if literal.is_string}
        assert texts <= {str(label) for label in rule.decisions} | {"float8"}


def test_without_sqlglot_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    with pytest.raises(ImportError, match=r"to_sql needs sqlglot: pip install 'isocost\[sql\]'"):
        RULES["plain"].to_sql("duckdb")


def test_columns_by_outcome_and_by_default() -> None:
    rule = RULES["plain"]
    by_name = rule.to_sql("duckdb", dict(zip(rule.outcomes, COLUMNS, strict=True)))
    assert by_name == rule.to_sql("duckdb", COLUMNS)
    assert rule.to_sql("duckdb") == rule.to_sql("duckdb", [str(label) for label in rule.outcomes])
    assert rule.to_sql("duckdb", COLUMNS, score=True) == rule.to_sql("duckdb", COLUMNS, output="score")
