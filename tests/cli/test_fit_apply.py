"""``isocost fit`` and ``isocost apply``: the rule is Python's, and its decisions are Python's."""

from __future__ import annotations

import csv
from pathlib import Path

import duckdb
import numpy as np
import pytest

import isocost as ic
from tests.cli.commands import COSTS, json_of, line_of_error, typed
from tests.cli.files import Rows, csv_text, some_rows, write_parquet

READ = ("--probabilities", "p_*")


@pytest.fixture(scope="module")
def rows() -> Rows:
    return some_rows()


@pytest.fixture
def folder(tmp_path: Path, rows: Rows, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("costs.csv").write_text(COSTS, encoding="utf-8")
    Path("rows.csv").write_text(csv_text(rows), encoding="utf-8")
    return tmp_path


def fitted(*more: str) -> ic.DecisionRule:
    done = typed("fit", "costs.csv", "rows.csv", "--outcome", "y", *READ, "-o", "rule.json", *more)
    assert (done.exit_code, done.stderr) == (0, ""), done.output
    return ic.DecisionRule.load("rule.json")


def test_fit_is_what_python_fits(folder: Path, rows: Rows) -> None:
    rule = fitted()
    prop = ic.property_for(ic.CostMatrix.read("costs.csv"))
    iso = ic.IsotonicRecalibrator(prop).fit(rows.probabilities, rows.outcome)  # type: ignore[arg-type]
    fresh = some_rows(seed=1)
    assert rule.fit_size == 3000
    assert (rule.decide(fresh.probabilities) == prop.decide(iso.predict(fresh.probabilities))).mean() > 0.999


def test_fit_says_what_it_did(folder: Path) -> None:
    done = typed("fit", "costs.csv", "rows.csv", "--outcome", "y", *READ, "-o", "rule.json")
    for words in (
        "Fitted on 3,000 rows of rows.csv.",
        "Score: smoothest, one number",
        "blocks.",
        "wait, test, treat",
        "Rule: rule.json",
    ):
        assert words in done.stdout
    assert "rule.json exists" in line_of_error(
        "fit", "costs.csv", "rows.csv", "--outcome", "y", *READ, "-o", "rule.json"
    )
    found = json_of("fit", "costs.csv", "rows.csv", "--outcome", "y", *READ, "-o", "rule.json", "--force")
    assert (found["rows"], found["decisions"], found["rule"]) == (3000, ["wait", "test", "treat"], "rule.json")


def test_costs_without_an_order_get_a_swap_map(folder: Path, rows: Rows) -> None:
    Path("costs.csv").write_text("decision,mild,moderate,severe\na,0,2,1\nb,1,0,1\nc,1,1,0\n", encoding="utf-8")
    rule = fitted()
    cost = ic.CostMatrix.read("costs.csv")
    swap = ic.SwapRecalibrator(cost).fit(cost.decide(rows.probabilities), rows.outcome)
    assert rule.swap is not None and rule.swap.map_ == swap.map_


@pytest.mark.parametrize("output", ["decided.csv", "decided.parquet"])
def test_apply_keeps_all_columns_and_adds_score_and_decision(folder: Path, rows: Rows, output: str) -> None:
    rule = fitted()
    found = json_of("apply", "rule.json", "rows.csv", *READ, "-o", output)
    assert (found["rows"], found["file"]) == (3000, output)
    table = duckdb.connect().execute(f"SELECT * FROM '{output}' ORDER BY id::INT").fetchnumpy()
    assert list(table) == ["id", "p_severe", "p_mild", "p_moderate", "y", "site", "w", "score", "decision"]
    assert table["decision"].tolist() == rule.decide(rows.probabilities).tolist()
    np.testing.assert_allclose(np.asarray(table["score"], dtype=float), rule.value(rows.probabilities), atol=1e-9)
    assert sorted(path.name for path in folder.iterdir()) == sorted(["costs.csv", "rows.csv", "rule.json", output])


def test_apply_to_many_files_and_to_scores(folder: Path, rows: Rows) -> None:
    rule = fitted()
    for i in range(2):
        write_parquet(rows.part(slice(i, None, 2)), Path(f"part-{i}.parquet"))
    done = typed("apply", "rule.json", "part-*.parquet", *READ, "-o", "decided.csv")
    assert done.stdout == "Decided 3,000 rows: decided.csv\n"
    u = rule.prop.value(rows.probabilities)
    Path("scores.csv").write_text("u\n" + "\n".join(map(repr, u.ravel().tolist())) + "\n")
    assert typed("apply", "rule.json", "scores.csv", "--score", "u", "-o", "from_scores.csv").exit_code == 0
    with Path("from_scores.csv").open(newline="") as file:
        assert [line["decision"] for line in csv.DictReader(file)] == rule.decide(score=u).tolist()


def test_nothing_is_overwritten_unasked_and_no_input_ever(folder: Path) -> None:
    fitted()
    Path("old.csv").write_text("precious")
    assert "old.csv exists" in line_of_error("apply", "rule.json", "rows.csv", *READ, "-o", "old.csv")
    assert Path("old.csv").read_text() == "precious"
    for own in ("rows.csv", "rule.json"):
        assert "never overwritten" in line_of_error("apply", "rule.json", "rows.csv", *READ, "-o", own, "--force")
    assert typed("apply", "rule.json", "rows.csv", *READ, "-o", "old.csv", "--force").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("costs.csv", "rows.csv", *READ, "-o", "x.csv"), "costs.csv"),
        (("rule.json", "rows.csv", *READ, "-o", "/proc/x.csv"), "/proc cannot be written to"),
        (("rule.json", "rows.csv", *READ, "-o", "x.docx"), "x.docx"),
        (("rule.json", "rows.csv", "--probabilities", "q_*", "-o", "x.csv"), "no column is like the pattern"),
        (("rule.json", "rows.csv", "--score", "u", "-o", "x.csv"), "'u'"),
    ],
)
def test_wrong_arguments(folder: Path, arguments: tuple[str, ...], words: str) -> None:
    fitted()
    assert words in line_of_error("apply", *arguments)
    assert not Path("x.csv").exists()


def test_a_rule_that_was_changed_by_hand_is_refused(folder: Path) -> None:
    fitted()
    text = Path("rule.json").read_text(encoding="utf-8")
    Path("rule.json").write_text(text.replace('"wait"', '"stay"', 1), encoding="utf-8")
    assert "rule.json" in line_of_error("apply", "rule.json", "rows.csv", *READ, "-o", "x.csv")
