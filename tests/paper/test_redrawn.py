"""The figures drawn anew: against the paper's own lines, with the errata, and as files."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.collections import LineCollection

import isocost as ic
from isocost.paper import reproduce, write
from isocost.paper.figures import FAMILIES, FIGURE_A
from isocost.paper.files import write_reproduction
from isocost.paper.redrawn import draw, redrawn_figures
from isocost.plot.level_figures import level_line
from tests.plot.drawn import png, require_texts_apart, words

FIGURES = {figure.name: figure for figure in redrawn_figures()}
FILES = [
    *(f"{name}.{kind}" for name in FIGURES for kind in ("svg", "png")),
    *("numbers.md", "numbers.csv", "properties.csv", "level_sets.csv"),
]


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("paper") / "new" / "folder"
    assert [file.name for file in write_reproduction(path, reproduce())] == FILES
    return path


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: f"{family.figure} {family.colour}")
def test_a_line_of_the_drawing_is_a_line_of_the_paper(family: object) -> None:
    """The paper's formulas give points of both sides of the triangle; a line through them is ours, extended."""
    name = "figure_2a" if family.figure == FIGURE_A else "figure_2b"  # type: ignore[attr-defined]
    prop = FIGURES[name].prop
    low, high = prop.range
    drawn = 0
    for c in np.arange(family.start, family.stop + 1e-9, 0.05):  # type: ignore[attr-defined]
        if not low < c < high:
            continue
        second, third = family.first(c), family.second(c)  # type: ignore[attr-defined]
        a, b = np.array([0.5 * second, second * np.sqrt(3) / 2]), np.array([third, 0.0])
        ends = level_line(prop, float(c))
        away = [abs(float((b - a)[0] * (p - a)[1] - (b - a)[1] * (p - a)[0])) / float(np.hypot(*(b - a))) for p in ends]
        assert max(away) < 1e-4  # the paper rounds √14
        drawn += 1
    assert drawn >= 5


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("dark", [False, True])
def test_a_figure_has_its_lines_and_its_texts_apart(name: str, dark: bool) -> None:
    figure = FIGURES[name]
    ax = draw(figure, dark)
    assert png(ax)
    require_texts_apart(ax)
    (thin,) = (c for c in ax.collections if isinstance(c, LineCollection) and c.get_label() == "level sets")
    low, high = figure.prop.range
    inside = figure.levels[(figure.levels > low + 1e-9) & (figure.levels < high - 1e-9)]
    cuts = np.isclose(inside[:, None], figure.prop.cuts).any(axis=1)
    assert len(thin.get_segments()) == (~cuts).sum() > 30
    for mark in figure.marks:
        assert mark.text in words(ax)


def test_errata_are_marked_with_computed_numbers() -> None:
    said = {name: " ".join(note.text for note in figure.notes if note.wrong) for name, figure in FIGURES.items()}
    assert "E1: the Lipschitz constant is 15.125" in said["figure_2a"] and "E15" in said["figure_2a"]
    assert "E13" in said["figure_2b"]
    assert "0.4226" in said["figure_3"] and "off by 0.0048" in said["figure_3"] and "0.5949" in said["figure_3"]


def test_the_circle_goes_through_the_star() -> None:
    ax = draw(FIGURES["figure_3"])
    (circle,) = (patch for patch in ax.patches if patch.get_label() == "circle")
    star = next(line for line in ax.lines if str(line.get_label()).startswith("point ★"))
    x, y = np.asarray(star.get_xydata())[0] - np.array(circle.get_center())  # type: ignore[attr-defined]
    assert np.hypot(x, y) == pytest.approx(circle.get_radius())  # type: ignore[attr-defined]


def test_all_files_are_written_and_whole(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    for name in FIGURES:
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        root = ElementTree.parse(folder / f"{name}.svg").getroot()
        assert root.tag.endswith("svg")


def test_the_table_has_every_check(folder: Path) -> None:
    checks = reproduce()
    rows = table(folder / "numbers.csv")
    assert [row["name"] for row in rows] == [check.name for check in checks]
    assert [row["isocost"] for row in rows] == [check.computed for check in checks]
    page = (folder / "numbers.md").read_text(encoding="utf-8")
    assert page.count("\n## ") == len({check.group for check in checks})
    for line in page.splitlines():
        if line.startswith("|"):
            assert line.replace("\\|", "").count("|") == 7


def test_the_appendix_is_in_the_table_of_properties(folder: Path) -> None:
    rows = table(folder / "properties.csv")
    embedding = [row for row in rows if row["construction"] == "embedding"]
    knots = [[float(row[y]) for y in ("value", "y=1", "y=2", "y=3")] for row in embedding if row["what"] == "V"]
    assert knots == [[0, 0, -3, -2.5], [0.5, 1, -3, -2], [1, 1, 0, -1.75], [2, 1, 0.5, -1.5], [3, 2, 1.75, 0]]
    assert [float(row["value"]) for row in embedding if row["what"] == "cut"] == [0.5, 2]
    assert [float(row["value"]) for row in embedding if row["what"] == "K in L1"] == [15.125]


def test_the_ends_of_the_lines_have_their_score(folder: Path) -> None:
    rows = table(folder / "level_sets.csv")
    assert {row["figure"] for row in rows} == set(FIGURES)
    for name, figure in FIGURES.items():
        own = [row for row in rows if row["figure"] == name]
        P = np.array([[float(row[f"p{i}"]) for i in (1, 2, 3)] for row in own])
        values = figure.prop.value(np.clip(P, 0, 1), normalize=True)
        np.testing.assert_allclose(values, [float(row["u"]) for row in own], atol=1e-9)


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    (tmp_path / "numbers.csv").write_text("precious")
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ic.IsocostError, match=r"numbers\.csv exists; choose another folder or pass overwrite=True"):
        write(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.txt", "numbers.csv"]
    write_reproduction(tmp_path, reproduce()[:3], overwrite=True)
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert "precious" not in (tmp_path / "numbers.csv").read_text(encoding="utf-8")
    with pytest.raises(ic.IsocostError, match="must be a folder; it is a file"):
        write_reproduction(tmp_path / "mine.txt", [])


def test_two_runs_write_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    write_reproduction(tmp_path, reproduce())
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes(), name


def test_the_program_writes_and_refuses(tmp_path: Path) -> None:
    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-W", "error", "-m", "isocost.paper", "--out", str(tmp_path / "here")]
        return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=300, check=False)

    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    assert [Path(line).name for line in done.stdout.splitlines()] == FILES
    refused = run()
    assert refused.returncode == 1 and "--force" in refused.stderr and "Traceback" not in refused.stderr
