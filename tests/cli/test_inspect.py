"""``isocost inspect``: what it says, its JSON, its picture, and files that are not as they should be."""

from __future__ import annotations

from pathlib import Path

import pytest

import isocost as ic
from isocost.cli.inspect import ladder
from tests.cli.commands import COSTS, json_of, line_of_error, typed

LATIN_1 = "decision,mild,sévère\nwait,0,3\ntreat,1,0\n".encode("latin-1")


@pytest.fixture
def costs(tmp_path: Path) -> Path:
    path = tmp_path / "costs.csv"
    path.write_text(COSTS, encoding="utf-8")
    return path


def file(folder: Path, content: str | bytes, name: str = "given.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def test_says_the_order_the_cuts_and_how_smooth_the_score_is(costs: Path) -> None:
    done = typed("inspect", costs)
    assert (done.exit_code, done.stderr) == (0, "")
    for words in (
        "Read as: deciding 'wait' when the outcome is 'severe' costs 5.",
        "Order: strongly orderable\nwait < test < treat\n",
        "Score: smoothest, convex loss",
        "test                0  0.133333\n",
        "L1                           1.05      1     1.05\n",
    ):
        assert words in done.stdout
    assert max(map(len, done.stdout.splitlines()[1:])) <= 80


def test_json_has_what_python_finds(costs: Path) -> None:
    found = json_of("inspect", costs)
    cost = ic.CostMatrix.read(costs)
    order, prop = cost.ordering(), ic.smooth(cost)
    assert list(found) == [
        *("isocost", "verb", "form", "file", "decisions", "outcomes", "costs", "reading", "order", "property"),
        "picture",
    ]
    assert (found["verb"], found["form"], found["isocost"]) == ("inspect", 1, ic.__version__)
    assert found["costs"] == [[0, 3, 5], [1, 0, 3], [3, 1, 0]]
    assert found["order"]["ratios"] == order.ratios.tolist()
    assert found["order"]["distances"]["2"] == order.distances(norm=2).tolist()
    assert found["property"]["knots"] == prop.knots.tolist()
    assert found["property"]["values"] == prop.values.tolist()
    assert found["property"]["lipschitz"]["inf"] == prop.lipschitz(float("inf"))
    assert found["property"]["convex"] is True


def test_no_order_is_proved_and_told_in_the_words_of_the_command_line(tmp_path: Path) -> None:
    same = file(tmp_path, "decision,a,b,c\na,0,1,1\nb,1,0,1\nc,1,1,0\n")
    done = typed("inspect", same)
    assert done.exit_code == 0
    assert "Order: not orderable" in done.stdout and "a third decision cuts their boundary" in done.stdout
    assert "Score: linear, 2 numbers" in done.stdout
    found = json_of("inspect", same)
    assert found["order"]["decisions"] is None and found["order"]["witness"]["exact"] == ["0", "0", "1"]
    absolute = file(tmp_path, "decision,a,b,c\na,0,1,2\nb,1,0,1\nc,2,1,0\n")
    assert "--method touching gives that number, and --interior 0.01 gives" in " ".join(
        typed("inspect", absolute).stdout.split()
    )
    refused = line_of_error("inspect", absolute, "--method", "smoothest")
    assert "--method smoothest needs a strongly orderable cost matrix" in refused
    assert "ic." not in refused and "cost.decide" not in refused


@pytest.mark.parametrize(
    ("options", "method"),
    [
        (("--method", "embedding"), "embedding"),
        (("--method", "normals"), "normals"),
        (("--slack", "0.001"), "smoothest"),
        (("--norm", "inf"), "smoothest"),
        (("--interior", "0.01"), "smoothest"),
        (("--method", "linear"), "linear"),
    ],
)
def test_options_reach_the_construction(costs: Path, options: tuple[str, ...], method: str) -> None:
    found = json_of("inspect", costs, *options)["property"]
    assert found["method"] == method
    if options[0] == "--slack":
        assert found["smoothness"]["1"] <= 1.001 + 1e-12
    if options[0] == "--interior":
        assert found["interior"] == 0.01


def test_the_orientation_is_asked_for_and_told(tmp_path: Path) -> None:
    bare = file(tmp_path, "0,5\n1,0\n")
    assert "--rows decisions" in line_of_error("inspect", bare)
    assert json_of("inspect", bare, "--rows", "outcomes")["costs"] == [[0, 1], [5, 0]]
    assert json_of("inspect", bare, "--rows", "decisions")["costs"] == [[0, 5], [1, 0]]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (LATIN_1, "given.csv must be UTF-8; byte 15, in line 1, is not"),
        ("decision,a,b\nx,0,one\n", "line 2, column 3: costs must be finite numbers: 'one' is not a number"),
        ("decision,a,b\nx,0,nan\n", "line 2, column 3: costs must be finite numbers"),
        ("decision,a,b\nx,0\n", "line 1 has 3, line 2 has 2"),
        ("decision,a,a\nx,0,1\ny,1,0\n", "outcome labels must differ"),
        ("", "the file is empty"),
        ("decision,a,b\n", "the file has labels only"),
        ("decision,outcome,cost\nx,a,1\nx,b,1\ny,a,1\n", "decision 'y' has none for 'b'"),
    ],
)
def test_a_wrong_file_gets_one_line_with_the_place(tmp_path: Path, content: str | bytes, words: str) -> None:
    assert words in line_of_error("inspect", file(tmp_path, content))


@pytest.mark.parametrize(
    "content",
    [
        "﻿decision,mild,sévère\r\nne rien faire,0,3\r\n处理 ✓,1,0\r\n",
        "decision;outcome;cost\nne rien faire;mild;0\nne rien faire;sévère;3\n处理 ✓;mild;1\n处理 ✓;sévère;0\n",
    ],
)
def test_marks_line_ends_spaces_and_other_alphabets(tmp_path: Path, content: str) -> None:
    given = file(tmp_path, content)
    found = json_of("inspect", given)
    assert found["decisions"] == ["ne rien faire", "处理 ✓"] and found["outcomes"] == ["mild", "sévère"]
    assert "ne rien faire < 处理 ✓" in typed("inspect", given).stdout


def test_labels_are_shown_as_they_are(tmp_path: Path) -> None:
    given = file(tmp_path, "decision,$1–$5,[red]b[/red]\n:smile:,0,3\n[bold]x,1,0\n")
    shown = typed("inspect", given).stdout
    assert ":smile: < [bold]x" in shown and "$1–$5  [red]b[/red]" in shown


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_draws_the_score_and_overwrites_nothing_unasked(costs: Path, ending: str) -> None:
    picture = costs.with_name(f"picture.{ending}")
    assert f"Picture\n{picture}\n" in typed("inspect", costs, "--picture", picture).stdout
    begins = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    first = picture.read_bytes()
    assert first.startswith(begins[ending]) and len(first) > 8000
    picture.write_text("precious")
    assert "exists; choose another output or pass --force" in line_of_error("inspect", costs, "--picture", picture)
    assert picture.read_text() == "precious"
    assert typed("inspect", costs, "--picture", picture, "--force").exit_code == 0
    assert picture.read_bytes().startswith(begins[ending])
    assert sorted(path.name for path in costs.parent.iterdir()) == ["costs.csv", picture.name]


def test_four_outcomes_are_drawn_as_a_ladder(tmp_path: Path) -> None:
    given = file(tmp_path, "decision,a,b,c,d\nwait,0,3,5,9\ntest,1,0,3,5\ntreat,3,1,0,2\n")
    picture = tmp_path / "picture.svg"
    assert typed("inspect", given, "--picture", picture).exit_code == 0
    assert all(f"<!-- {label} -->" in picture.read_text(encoding="utf-8") for label in ("wait", "treat"))
    assert "draws a score of one number" in line_of_error(
        "inspect", given, "--method", "linear", "--picture", tmp_path / "other.svg"
    )


def test_an_input_is_never_overwritten(costs: Path) -> None:
    svg = costs.with_name("costs.svg")
    svg.symlink_to(costs)
    for output in (costs, svg):
        assert "is an input of this command" in line_of_error("inspect", costs, "--picture", output, "--force")
    assert costs.read_text(encoding="utf-8") == COSTS


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere.csv",), "nowhere.csv: No such file or directory"),
        (("{costs}", "--picture", "x.gif"), "a picture must end in .svg, .png or .pdf; got x.gif"),
        (("{costs}", "--picture", "no/where.svg"), "no must be an existing folder"),
        (("{costs}", "--picture", "/"), "/ is a folder"),
        (("{costs}", "--picture", "/proc/picture.svg"), "/proc cannot be written to: No such file or directory"),
        (("{costs}", "--slack", "-1"), "slack must be"),
        (("{costs}", "--interior", "0.5"), "interior must be"),
    ],
)
def test_wrong_arguments(costs: Path, arguments: tuple[str, ...], words: str) -> None:
    assert words in line_of_error("inspect", *(x.format(costs=costs) for x in arguments))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--interior", "x"), "'x' is not a number"),
        (("--norm", "3"), "'3' is not one of"),
        (("--method", "linear", "--slack", "1"), "are for smooth scores"),
        (("--nothing",), "No such option"),
    ],
)
def test_wrong_usage(costs: Path, options: tuple[str, ...], words: str) -> None:
    assert words in line_of_error("inspect", costs, *options, code=2)


def test_the_ladder_is_to_scale_and_drops_what_has_no_room() -> None:
    assert ladder([0, 1, 4], ["low", "high"], 30).splitlines() == [
        "├ low ─┼─────── high ────────┤",
        "0      1                     4",
    ]
    bar, numbers = ladder([-1, 0, 0.001, 1], ["a", "a name that is far too long", "b"], 40).splitlines()
    assert len(bar) == 40 and " a " in bar and " b " in bar and "name" not in bar
    assert numbers.split() == ["-1", "0", "1"]
    assert ladder([0, 0], ["only"], 12).splitlines()[1] == "0"
