"""``isocost export``: the SQL is the rule's own, and decides as the rule does."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import onnxruntime
import pytest

import isocost as ic
from tests.cli.commands import COSTS, json_of, line_of_error, typed
from tests.cli.files import LABELS, some_rows, write_parquet

PAIRS = {label: f"p_{label}" for label in LABELS}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("costs.csv").write_text(COSTS, encoding="utf-8")
    prop, rows = ic.smooth(ic.CostMatrix.read("costs.csv")), some_rows()
    fitted = ic.IsotonicRecalibrator(prop).fit(rows.probabilities, rows.outcome)
    ic.DecisionRule(prop, fitted).save("rule.json")
    return tmp_path


def test_sql_decides_as_the_rule_does(folder: Path) -> None:
    rule, rows = ic.DecisionRule.load("rule.json"), some_rows(seed=1)
    sql = typed("export", "rule.json", "--sql", "duckdb", "--probabilities", "p_*").stdout
    assert sql == rule.to_sql("duckdb", probabilities=PAIRS) + "\n"
    write_parquet(rows, folder / "rows.parquet")
    found = duckdb.connect().execute(f"SELECT {sql} FROM 'rows.parquet'").fetchall()
    assert [decision for (decision,) in found] == rule.decide(rows.probabilities).tolist()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--sql", "postgres", "--score", "u"), {"dialect": "postgres", "score": "u"}),
        (("--sql", "spark", "--probabilities", "p_*", "--gives", "score"), {"dialect": "spark", "output": "score"}),
        (("--sql", "bigquery"), {"dialect": "bigquery", "probabilities": {label: label for label in LABELS}}),
    ],
)
def test_options(folder: Path, options: tuple[str, ...], expected: dict[str, object]) -> None:
    settings = {"probabilities": None if "score" in expected else PAIRS} | expected
    found = json_of("export", "rule.json", *options)
    assert found["sql"] == ic.DecisionRule.load("rule.json").to_sql(**settings)  # type: ignore[arg-type]
    assert found["gives"] == expected.get("output", "decision") and found["file"] is None


def test_writes_a_file_and_overwrites_nothing_unasked(folder: Path) -> None:
    command = ("export", "rule.json", "--sql", "snowflake", "--probabilities", "p_*", "--output", "decide.sql")
    assert typed(*command).stdout == "Wrote decide.sql.\n"
    assert Path("decide.sql").read_text() == typed(*command[:-2]).stdout
    assert "decide.sql exists" in line_of_error(*command)
    assert typed(*command, "--force").exit_code == 0
    assert "never overwritten" in line_of_error(*command[:-1], "rule.json", "--force")


def test_onnx_decides_as_the_rule_does(folder: Path) -> None:
    rule, rows = ic.DecisionRule.load("rule.json"), some_rows(seed=1)
    assert typed("export", "rule.json", "--onnx", "rule.onnx").stdout == "Wrote rule.onnx.\n"
    session = onnxruntime.InferenceSession("rule.onnx", providers=["CPUExecutionProvider"])
    P = rows.probabilities.astype(np.float32)
    assert list(session.run(["decision"], {"probabilities": P})[0]) == rule.decide(P).tolist()
    assert "rule.onnx exists" in line_of_error("export", "rule.json", "--onnx", "rule.onnx")
    found = json_of("export", "rule.json", "--onnx", "rule.onnx", "--force", "--takes", "score")
    assert (found["onnx"], found["takes"]) == ("rule.onnx", "score")
    session = onnxruntime.InferenceSession("rule.onnx", providers=["CPUExecutionProvider"])
    assert [given.name for given in session.get_inputs()] == ["raw_score"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("rule.json",), 2, "--sql DIALECT or --onnx FILE"),
        (("rule.json", "--sql", "oracle"), 2, "'oracle' is not one of"),
        (("rule.json", "--onnx", "x.onnx", "--score", "u"), 2, "go with --sql"),
        (("rule.json", "--sql", "duckdb", "--score", "u", "--probabilities", "p_*"), 2, "exclude each other"),
        (("no.json", "--sql", "duckdb"), 1, "no.json: No such file or directory"),
        (("costs.csv", "--sql", "duckdb"), 1, "costs.csv"),
        (
            ("rule.json", "--sql", "duckdb", "--probabilities", "mild=a"),
            1,
            "no column is given for the outcome 'moderate'",
        ),
    ],
)
def test_wrong_arguments(folder: Path, arguments: tuple[str, ...], code: int, words: str) -> None:
    assert words in line_of_error("export", *arguments, code=code)
