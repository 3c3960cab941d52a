"""The paper, number by number; and that the numbers would not pass if the library were wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from isocost.paper import Check, Verdict, calibration, embedding_property, example, figures, normals_property, reproduce
from isocost.paper import __main__ as program
from isocost.paper.check import erratum, exactly, numbers
from isocost.paper.errata import constructions, worked
from isocost.paper.setting import paper_embedding, paper_normals
from isocost.paper.table import table_text
from isocost.property import SmoothProperty

ERRATA = [f"E{i}" for i in range(1, 22)]
# Computed once, while collecting: the names of the tests are those of the checks.
CHECKS = reproduce()


@pytest.mark.parametrize("check", CHECKS, ids=[check.name for check in CHECKS])
def test_paper(check: Check) -> None:
    assert check.passed, f"{check.where}: {check.written!r}, but {check.computed!r}; {check.note}"


def test_names_are_unique_and_errata_complete() -> None:
    names = [check.name for check in CHECKS]
    assert len(set(names)) == len(names)
    assert [check.name for check in CHECKS if check.group == "Errata"] == ERRATA
    assert [check.name for check in CHECKS if check.verdict is Verdict.CITED] == ["E20"]


def test_two_runs_give_the_same() -> None:
    assert reproduce() == CHECKS


@cache
def _run(locale: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    return subprocess.run([sys.executable, "-m", "isocost.paper"], capture_output=True, env=environment, check=False)


def test_program_prints_a_table_of_120_columns() -> None:
    done = _run("C")
    text = done.stdout.decode("utf-8")
    assert (done.returncode, done.stderr) == (0, b"")
    lines = text.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("E") and line[1:2].isdigit()] == ERRATA
    assert max(len(line.replace("\u0304", "")) for line in lines) <= 120
    assert lines[-1].endswith("0 failed")
    assert lines[-1].startswith(f"{len(CHECKS)} checks: ")


def test_program_fails_when_a_check_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    broken = replace(CHECKS[0], verdict=Verdict.FAILED)
    monkeypatch.setattr(program, "reproduce", lambda: [broken, *CHECKS[1:]])
    assert program.main() == 1
    shown = capsys.readouterr().out
    assert "FAILED" in shown
    assert shown.rstrip().endswith("1 failed")


# -- the comparing helpers ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "library",
    [
        [0.5, 0.25 + 1e-9],  # wrong in the ninth digit
        [0.5],  # one missing; it must not be stretched
        [[0.5, 0.25]],
        [0.5, np.nan],
        [0.5, np.inf],
    ],
)
def test_numbers_refuses(library: list[float]) -> None:
    assert not numbers("Group", "name", "Sec. 1", "1/2, 1/4", [0.5, 0.25], library).passed
    assert numbers("Group", "name", "Sec. 1", "1/2, 1/4", [0.5, 0.25], [0.5, 0.25]).passed


def test_no_numbers_are_no_agreement() -> None:
    assert not numbers("Group", "name", "Sec. 1", "nothing", [], []).passed
    assert not exactly("Group", "name", "Sec. 1", "nothing", [], []).passed


def test_exactly_refuses_one_rounding() -> None:
    assert not exactly("Group", "name", "Sec. 1", "0.3", [0.3], [0.1 + 0.2]).passed


@pytest.mark.parametrize(("refuted", "confirmed"), [(False, True), (True, False), (False, False)])
def test_erratum_needs_both(refuted: bool, confirmed: bool) -> None:
    check = erratum("E0", "Sec. 1", "written", "right", refuted=refuted, confirmed=confirmed)
    assert check.verdict is Verdict.FAILED
    assert ("not refuted" in check.note, "not confirmed" in check.note) == (not refuted, not confirmed)
    assert "FAILED" in table_text([check])


# -- a wrong property ---------------------------------------------------------------------------


def _nudged(prop: SmoothProperty, knot: int) -> SmoothProperty:
    """One value of V changed by 1e-4 of its size."""
    values = prop.values.copy()
    values[knot, 2] *= 1 + 1e-4
    return replace(prop, values=values)


def _failures(checks: list[Check]) -> set[str]:
    return {check.name for check in checks if not check.passed}


@pytest.mark.parametrize("knot", range(4))
def test_a_wrong_value_of_algorithm_1_is_noticed(monkeypatch: pytest.MonkeyPatch, knot: int) -> None:
    wrong = _nudged(paper_embedding(), knot)
    for module in (example, embedding_property, figures):
        monkeypatch.setattr(module, "paper_embedding", lambda: wrong)
    assert {"V on U", "V̄(u, 3)", "L̄(u, 3)"} <= _failures(example.surrogate_checks())
    case = f"Γ of Alg. 1, case {knot + 1}"
    assert case in _failures(embedding_property.embedding_property_checks())
    colour = ("blue", "green", "orange", "red")[knot]
    assert f"(a) {colour} lines" in _failures(figures.figure_checks())


@pytest.mark.parametrize("knot", range(2))
def test_a_wrong_value_of_algorithm_2_is_noticed(monkeypatch: pytest.MonkeyPatch, knot: int) -> None:
    wrong = _nudged(paper_normals(), knot)
    for module in (normals_property, figures, worked):
        monkeypatch.setattr(module, "paper_normals", lambda: wrong)
    expected = {"V(r, y)", "V by the algorithm", "Γ of Alg. 2, case 2", f"normal o{'₁₂'[knot]}"}
    assert expected <= _failures(normals_property.normals_checks())
    assert "(b) green lines" in _failures(figures.figure_checks())
    assert "E16" in _failures(worked.worked_errata())


def _with_constant(factor: float) -> Callable[[SmoothProperty, float], float]:
    right = SmoothProperty.lipschitz

    def wrong(prop: SmoothProperty, norm: float = 1) -> float:
        return factor * right(prop, norm)

    return wrong


@pytest.mark.parametrize("factor", [0.999, 1.001])
def test_a_wrong_constant_is_noticed(monkeypatch: pytest.MonkeyPatch, factor: float) -> None:
    monkeypatch.setattr(SmoothProperty, "lipschitz", _with_constant(factor))
    assert "E1" in _failures(constructions.construction_errata())
    if factor > 1:
        assert {"lower bound, embedding", "lower bound, normals"} <= _failures(calibration.calibration_checks())


def test_a_loss_that_is_not_the_integral_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = SmoothProperty.loss
    monkeypatch.setattr(SmoothProperty, "loss", lambda prop, u, y: right(prop, u, y) * 1.0001)
    assert {"L̄(u, 1)", "L̄(u, 2)", "L̄(u, 3)"} <= _failures(example.surrogate_checks())
