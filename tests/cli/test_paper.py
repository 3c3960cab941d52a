"""``isocost paper``: the reproduction as a table and as JSON."""

from __future__ import annotations

from dataclasses import replace

import pytest

from isocost.paper import Check, Verdict, reproduce
from isocost.paper.table import table_text
from tests.cli.commands import json_of, typed


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
