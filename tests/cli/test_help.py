"""The examples in the help of each verb run as they stand."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from isocost.cli.app import app
from isocost.cli.verbs import Verb
from tests.cli.commands import COSTS, typed
from tests.cli.files import csv_text, some_rows, write_parquet

WITH_FILES = (
    "inspect",
    "fit",
    "apply",
    "audit",
    "export",
)  # in the order of the work; demo and paper have tests of theirs


def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = some_rows()
    Path("costs.csv").write_text(COSTS, encoding="utf-8")
    for name, seed in (("validation.csv", 0), ("predictions.csv", 1)):
        Path(name).write_text(csv_text(some_rows(seed=seed)), encoding="utf-8")
    for i in range(2):
        write_parquet(rows.part(slice(i, None, 2)), Path(f"part-{i}.parquet"))
    for verb in WITH_FILES:
        command = app.commands[verb]
        assert isinstance(command, Verb) and command.examples
        for example in command.examples:
            program, *arguments = shlex.split(example)
            done = typed(*arguments)
            assert program == "isocost"
            assert done.exit_code == (3 if "--max-regret" in arguments and "exceeded" in done.stderr else 0), (
                done.output
            )
    made = {"costs.svg", "audit.html", "rule.json", "decisions.csv", "decisions.parquet", "decision.sql", "rule.onnx"}
    assert made <= {path.name for path in tmp_path.iterdir()}
