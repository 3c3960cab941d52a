"""The examples run, as a user would run them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FIRST_LOOK = ROOT / "examples" / "first_look.py"
PICTURES = ROOT / "examples" / "pictures.py"
WHICH_COST_MATRICES = ROOT / "examples" / "which_cost_matrices.py"


def run(program: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", str(program), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=False)


@pytest.fixture(scope="module")
def first_look(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    out = tmp_path_factory.mktemp("first look") / "new folder" / "picture.png"
    done = run(FIRST_LOOK, "--out", out)
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
    refused = run(FIRST_LOOK, "--out", out)
    assert refused.returncode == 1 and "--force" in refused.stderr
    assert out.read_text() == "precious"


def test_the_page_on_cost_matrices_shows_all_pictures_made_for_it(tmp_path: Path) -> None:
    done = run(WHICH_COST_MATRICES, "--out", tmp_path / "new folder")
    assert (done.returncode, done.stderr) == (0, "")
    made = sorted((tmp_path / "new folder").iterdir())
    assert done.stdout.splitlines() and set(done.stdout.splitlines()) == set(map(str, made))
    page = (ROOT / "docs" / "which_cost_matrices.md").read_text(encoding="utf-8")
    assert [path.name for path in made] == sorted(re.findall(r"\]\(pictures/(\w+\.png)\)", page))
    for path in made:
        committed = (ROOT / "docs" / "pictures" / path.name).read_bytes()
        assert path.read_bytes()[:24] == committed[:24]  # a png of the same width and height
        assert 30_000 < len(committed) < 150_000


def test_pictures_of_cost_matrices_overwrite_nothing_unasked(tmp_path: Path) -> None:
    (tmp_path / "touching.png").write_text("precious")
    refused = run(WHICH_COST_MATRICES, "--out", tmp_path)
    assert refused.returncode == 1 and "--force" in refused.stderr
    assert [path.read_text() for path in tmp_path.iterdir()] == ["precious"]


def test_the_page_of_pictures_shows_all_that_are_made_for_it(tmp_path: Path) -> None:
    done = run(PICTURES, "--out", tmp_path / "new folder")
    assert (done.returncode, done.stderr) == (0, "")
    made = sorted((tmp_path / "new folder").iterdir())
    assert set(done.stdout.splitlines()) == set(map(str, made))
    page = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")
    assert [path.name for path in made] == sorted(re.findall(r"\]\(pictures/(\w+\.png)\)", page))
    for path in made:
        committed = (ROOT / "docs" / "pictures" / path.name).read_bytes()
        assert path.read_bytes()[:24] == committed[:24]  # a png of the same width and height
        assert 10_000 < len(committed) < 150_000
    refused = run(PICTURES, "--out", tmp_path / "new folder")
    assert refused.returncode == 1 and "--force" in refused.stderr
