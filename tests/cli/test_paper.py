"""``isocost paper``: the reproduction as a table and as JSON."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from isocost.paper import Check, Verdict, reproduce
from isocost.paper.table import table_text
from tests.cli.commands import json_of, line_of_error, typed


@pytest.fixture(scope="module")
def checks() -> list[Check]:
    return reproduce()


def test_json_has_every_check(checks: list[Check]) -> None:
    found = json_of("paper")
    assert found["passed"] is True
    assert [check["name"] for check in found["checks"]] == [check.name for check in checks]
    assert {check["verdict"] for check in found["checks"]} == {"agrees", "erratum", "cited"}


def test_prints_the_table_and_exits_with_1_if_a_check_fails(
    checks: list[Check], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isocost.paper.reproduce", lambda: checks)
    done = typed("paper")
    assert (done.exit_code, done.stdout) == (0, table_text(checks) + "\n")
    monkeypatch.setattr("isocost.paper.reproduce", lambda: [replace(checks[0], verdict=Verdict.FAILED)])
    done = typed("paper")
    assert done.exit_code == 1 and "0 cited, 1 failed" in done.stdout


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
def test_the_table_fits_its_terminal(checks: list[Check], width: int) -> None:
    lines = table_text(checks, width).splitlines()
    assert max(map(len, lines)) <= min(width, 120) + 2  # the bar of V̄ takes no room


def test_writes_figures_and_numbers_and_overwrites_nothing(
    checks: list[Check], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("isocost.paper.reproduce", lambda: checks)
    folder = tmp_path / "new"
    done = typed("paper", "--output", folder)
    assert done.exit_code == 0 and f"{len(checks)} checks" in done.stdout
    written = done.stdout.splitlines()[1:]
    assert sorted(written) == sorted(str(path) for path in folder.iterdir()) and len(written) >= 6
    assert "pass --force" in line_of_error("paper", "--output", folder)
    assert json_of("paper", "--output", folder, "--force")["files"] == written
