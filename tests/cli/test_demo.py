"""``isocost demo``: the whole path in one go; its numbers are those of Python, and the commands it prints are real."""

from __future__ import annotations

import json
import re
import subprocess
import time
from pathlib import Path

import pytest

import isocost as ic
from isocost.datasets import football
from tests.cli.commands import installed, line_of_error, typed


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, float]:
    folder = tmp_path_factory.mktemp("demo")
    start = time.perf_counter()
    done = installed("demo", folder=folder)
    assert (done.returncode, done.stderr) == (0, b"")
    return folder, done.stdout.decode(), time.perf_counter() - start


def test_is_quick_and_says_where_to_look(told: tuple[Path, str, float]) -> None:
    folder, printed, seconds = told
    assert seconds < 30
    for name in ("costs.csv", "first_seasons.csv", "later_seasons.csv", "audit.html", "rule.json", "decisions.csv"):
        assert (folder / "isocost-demo" / name).stat().st_size > 50
    assert "Data: FiveThirtyEight, club soccer match forecasts, CC BY 4.0." in printed
    assert "isocost-demo/audit.html: the audit as a page" in printed
    assert max(map(len, printed.splitlines())) <= 100


def test_says_what_python_finds(told: tuple[Path, str, float]) -> None:
    folder, printed, _ = told
    prose = " ".join(printed.split())
    cost = ic.CostMatrix.read(folder / "isocost-demo" / "costs.csv")
    matches = football()
    later = matches.columns["season"] > 2017  # type: ignore[operator]
    P, y = matches.probabilities[later], matches.outcome[later]
    rule = ic.DecisionRule.load(folder / "isocost-demo" / "rule.json")
    found = ic.compare(cost, y, {"costs": cost.decide(P), "recalibrated": rule.decide(P)})
    assert f"Deciding by the costs: {found.mean_costs['costs'].value:.3f} a match" in prose
    assert f"{found.mean_costs['recalibrated'].value:.3f} a match," in prose
    difference = found.differences["recalibrated"]
    honest = "helps" if difference.high < 0 else "does harm here" if difference.low > 0 else "does not help here"
    assert f"Recalibration {honest}: " in prose


def test_its_commands_can_be_typed(told: tuple[Path, str, float]) -> None:
    """They give the same answers again, now that the files are there."""
    folder, printed, _ = told
    commands = re.findall(r"^\$ isocost (.+)$", printed.replace("\\\n", ""), re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["inspect", "audit", "fit", "apply"]
    for command in commands:
        done = subprocess.run(
            ["bash", "-c", f"{installed_path()} {command}"],
            cwd=folder / "isocost-demo",
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0 and done.stdout in printed


def installed_path() -> str:
    from tests.cli.commands import INSTALLED

    return str(INSTALLED)


def test_json_and_files_that_are_there(told: tuple[Path, str, float], monkeypatch: pytest.MonkeyPatch) -> None:
    folder, printed, _ = told
    monkeypatch.chdir(folder)
    assert "isocost-demo/costs.csv exists" in line_of_error("demo")
    (folder / "isocost-demo" / "mine.txt").write_text("precious")
    done = typed("demo", "--force", "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert [step["answer"]["verb"] for step in found["steps"]] == ["inspect", "audit", "fit", "apply"]
    assert " ".join(found["sentences"][0].split()) in " ".join(printed.split())
    assert (folder / "isocost-demo" / "mine.txt").read_text() == "precious"
    (folder / "taken").write_text("a file")
    assert "taken is a file" in line_of_error("demo", "--output", "taken")
