"""``isocost demo``: the whole path in one go; its numbers are those of Python, and the commands it prints are real."""

from __future__ import annotations

import contextlib
import json
import re
import resource
import shlex
from pathlib import Path

import isocost as ic
from isocost.datasets import football
from tests.cli.commands import installed, line_of_error, typed

FILES = ("costs.csv", "first_seasons.csv", "later_seasons.csv", "audit.html", "rule.json", "decisions.csv")
VERBS = ["inspect", "audit", "fit", "apply"]


def test_the_demo(tmp_path: Path) -> None:
    """One run, looked at from all sides, as it takes seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = installed("demo", folder=tmp_path)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 30
    )  # seconds of work, whoever else works
    printed, folder = done.stdout.decode(), tmp_path / "isocost-demo"
    assert (done.returncode, done.stderr) == (0, b"")
    assert max(map(len, printed.splitlines())) <= 100
    assert all((folder / name).stat().st_size > 50 for name in FILES)
    assert "Data: FiveThirtyEight, club soccer match forecasts, CC BY 4.0." in printed
    assert "Data: FiveThirtyEight" in (folder / "audit.html").read_text(encoding="utf-8")
    assert "isocost-demo/audit.html: the audit as a page" in printed
    check_numbers(" ".join(printed.split()), folder)
    check_commands(printed, folder)
    with contextlib.chdir(tmp_path):
        check_json(" ".join(printed.split()))


def check_numbers(prose: str, folder: Path) -> None:
    cost = ic.CostMatrix.read(folder / "costs.csv")
    matches = football()
    later = matches.columns["season"] > 2017  # type: ignore[operator]
    P, y = matches.probabilities[later], matches.outcome[later]
    rule = ic.DecisionRule.load(folder / "rule.json")
    found = ic.compare(cost, y, {"costs": cost.decide(P), "recalibrated": rule.decide(P)})
    assert f"Deciding by the costs: {found.mean_costs['costs'].value:.3f} a match" in prose
    difference = found.differences["recalibrated"]
    honest = "helps" if difference.high < 0 else "does harm here" if difference.low > 0 else "does not help here"
    assert f"Recalibration {honest}: {found.mean_costs['recalibrated'].value:.3f} a match," in prose


def check_commands(printed: str, folder: Path) -> None:
    """Typed again they say the same."""
    commands = re.findall(r"^\$ isocost (.+)$", printed.replace("\\\n", ""), re.MULTILINE)
    assert [command.split()[0] for command in commands] == VERBS
    with contextlib.chdir(folder):
        for command in commands:
            again = typed(*shlex.split(command))
            assert again.exit_code == 0 and again.stdout in printed


def check_json(prose: str) -> None:
    assert "isocost-demo/costs.csv exists" in line_of_error("demo")
    mine = Path("isocost-demo/mine.txt")
    mine.write_text("precious")
    done = typed("demo", "--force", "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert [step["answer"]["verb"] for step in found["steps"]] == VERBS
    assert all(" ".join(sentence.split()) in prose for sentence in found["sentences"])
    assert mine.read_text() == "precious"
    Path("taken").write_text("a file")
    assert "taken is a file" in line_of_error("demo", "--output", "taken")
