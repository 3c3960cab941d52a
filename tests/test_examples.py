"""The examples run, as a user would run them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FIRST_LOOK = Path(__file__).parent.parent / "examples" / "first_look.py"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", str(FIRST_LOOK), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=False)


@pytest.fixture(scope="module")
def first_look(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    out = tmp_path_factory.mktemp("first look") / "new folder" / "picture.png"
    done = run("--out", out)
    assert (done.returncode, done.stderr) == (0, "")
    return out, done.stdout


def test_first_look_writes_its_picture(first_look: tuple[Path, str]) -> None:
    out, printed = first_look
    picture = out.read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 30_000
    assert [path.name for path in out.parent.iterdir()] == ["picture.png"]
    assert str(out) in printed


@pytest.mark.parametrize(
    "words",
    [
        "deciding 'wait' when the outcome is 'severe' costs 5",
        "wait < test < treat. They are strongly orderable",
        "margin          0.040",
        "ratio interval  0.500 to 0.667",
        "distance        0.133",
        "15.125  21.654  30.250      11.250         1.344          yes",
        "The cheapest decisions by expected cost are the same.",
        "a third decision cuts",
    ],
)
def test_first_look_says(words: str, first_look: tuple[Path, str]) -> None:
    assert words in first_look[1]


def test_first_look_keeps_to_a_hundred_columns_or_so(first_look: tuple[Path, str]) -> None:
    out, printed = first_look
    assert max(len(line) for line in printed.splitlines() if str(out) not in line) <= 105


def test_first_look_overwrites_nothing_unasked(tmp_path: Path) -> None:
    out = tmp_path / "mine.png"
    out.write_text("precious")
    refused = run("--out", out)
    assert refused.returncode == 1 and "--force" in refused.stderr
    assert out.read_text() == "precious"
