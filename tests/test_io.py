"""Cost matrix files: what is read, what is refused and where it says so, what is written."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.io import read_costs, write_costs

WIDE = "decision,mild,moderate,severe\nwait,0,3,5.5\ntreat,3,1,0.1\n"
COST = ic.CostMatrix([[0, 3, 5.5], [3, 1, 0.1]], ["wait", "treat"], ["mild", "moderate", "severe"])
SUFFIXES = (".csv", ".tsv", ".json")


def read(folder: Path, content: str | bytes, name: str = "costs.csv", **options: Any) -> ic.CostMatrix:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return ic.CostMatrix.read(path, **options)


def refusal(folder: Path, content: str | bytes, name: str = "costs.csv", **options: Any) -> str:
    """Message of the error, without the path it begins with."""
    with pytest.raises(ic.CostMatrixError) as caught:
        read(folder, content, name, **options)
    message = str(caught.value)
    assert message.startswith(str(folder / name))
    return message.removeprefix(str(folder / name)).removeprefix(":").strip()


# -- reading tables that are clear ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (WIDE, "a.csv"),
        (WIDE.replace("decision", "Decisions"), "a.csv"),
        (WIDE, "A.CSV"),
        ("outcome,wait,treat\nmild,0,3\nmoderate,3,1\nsevere,5.5,0.1\n", "a.csv"),
        ("outcomes;wait;treat\nmild;0;3\nmoderate;3;1\nsevere;5.5;0.1\n", "a.csv"),
        (WIDE.replace("decision", ""), "a.csv"),
        (WIDE.replace(",", ";"), "a.csv"),
        (WIDE.replace(",", "\t"), "a.csv"),
        (WIDE.replace(",", "\t"), "a.tsv"),
        (WIDE.replace(",", " , ").replace("\n", "\n\n"), "a.csv"),
        (WIDE.replace("\n", "\r\n"), "a.csv"),
        (WIDE.replace("\n", "\r"), "a.csv"),
        (WIDE.removesuffix("\n"), "a.csv"),
        ("\ufeff" + WIDE, "a.csv"),
        ("\ufeff" + WIDE.replace("\n", "\r\n").replace(",", ";"), "a.csv"),
        (WIDE.replace("wait", '"wait"').replace("5.5", '"11/2"'), "a.csv"),
    ],
)
def test_wide_files(tmp_path: Path, content: str, name: str) -> None:
    assert read(tmp_path, content, name) == COST


def test_long_files_in_any_order_of_columns_and_with_further_ones(tmp_path: Path) -> None:
    lines = [
        f"{COST.costs[r, y]},note {r},{outcome},{decision}"
        for r, decision in enumerate(COST.decisions)
        for y, outcome in enumerate(COST.outcomes)
    ]
    assert read(tmp_path, "\n".join(["Cost,note,OUTCOME,decision", *lines])) == COST
    assert read(tmp_path, "\n".join(["Cost,note,OUTCOME,decision", *lines]).replace(",", "\t"), "a.tsv") == COST


def test_json_files(tmp_path: Path) -> None:
    text = '{"outcomes": ["mild", 3, 4.5], "costs": [[0, 0.1, "1/3"], [3, 1, 1e-3]], "decisions": ["wait", "treat"]}'
    cost = read(tmp_path, text, "a.json")
    assert cost.exact.tolist() == [[0, Fraction(1, 10), Fraction(1, 3)], [3, 1, Fraction(1, 1000)]]
    assert (cost.decisions, cost.outcomes) == (("wait", "treat"), ("mild", 3, 4.5))
    assert read(tmp_path, "\ufeff" + text, "a.json") == cost


def test_quoted_labels_may_hold_marks_and_line_breaks(tmp_path: Path) -> None:
    cost = read(tmp_path, 'decision,"a,b;c;d;e","two\nlines"\n"say ""no""",0,3\nyes,1,0\n')
    assert cost.outcomes == ("a,b;c;d;e", "two\nlines")
    assert cost.decisions == ('say "no"', "yes")
    assert read(tmp_path, "decision,a;b;c;d\nno,3\n").outcomes == ("a;b;c;d",)
    assert cost.costs.tolist() == [[0, 3], [1, 0]]


def test_numeric_labels_become_integers_where_a_whole_side_is(tmp_path: Path) -> None:
    cost = read(tmp_path, "decision,3,4,-5\nwait,0,1,2\n7,3,4,5\n")
    assert cost.outcomes == (3, 4, -5) and cost.decisions == ("wait", "7")
    assert read(tmp_path, "decision,03,4\nwait,0,1\n").outcomes == ("03", "4")
    long = read(tmp_path, "decision,outcome,cost\n2,9,1\n1,9,4\n")
    assert (long.decisions, long.outcomes) == ((2, 1), (9,))


# -- which side the decisions are on --------------------------------------------------------------


def test_a_symmetric_table_without_labels_is_accepted(tmp_path: Path) -> None:
    cost = read(tmp_path, "0,1,3\n1,0,2\n3,2,0\n")
    assert cost.costs.tolist() == [[0, 1, 3], [1, 0, 2], [3, 2, 0]]
    assert cost.decisions == cost.outcomes == (0, 1, 2)


@pytest.mark.parametrize("content", ["0,1\n2,0\n", "0,1,3\n1,0,2\n", "0,1\n1,0\n3,3\n"])
def test_an_asymmetric_table_without_labels_is_refused(tmp_path: Path, content: str) -> None:
    message = refusal(tmp_path, content)
    assert message.startswith("a table without labels that is not symmetric must say what its rows are: pass rows=")
    table = [[float(x) for x in line.split(",")] for line in content.split()]
    assert read(tmp_path, content, rows="decisions").costs.tolist() == table
    assert read(tmp_path, content, rows="outcomes").costs.T.tolist() == table


SAME = [
    pytest.param(",a,b,c\na,0,1,2\nb,5,0,3\nc,6,7,0\n", id="no-corner"),
    pytest.param("true class,a,b,c\na,0,1,2\nb,5,0,3\nc,6,7,0\n", id="unknown-corner"),
    pytest.param(",a,b,c\nb,5,0,3\na,0,1,2\nc,6,7,0\n", id="other-order"),
]


@pytest.mark.parametrize("content", SAME)
def test_the_same_labels_on_both_sides_need_a_word(tmp_path: Path, content: str) -> None:
    assert refusal(tmp_path, content) == (
        "rows and columns have the same labels and the table is not symmetric, so it must say which are the decisions: "
        'put "decision" or "outcome" into the corner cell, or pass rows="decisions" or rows="outcomes"'
    )
    as_decisions = read(tmp_path, content, rows="decisions")
    as_outcomes = read(tmp_path, content, rows="outcomes")
    assert as_decisions.exact_at(as_decisions.decisions.index("a"), 2) == 2
    assert as_outcomes.exact_at(0, as_outcomes.outcomes.index("c")) == 6
    corner = "outcome" + content[content.index(",") :]
    assert read(tmp_path, corner) == as_outcomes


def test_the_same_labels_in_another_order_are_fine_where_swapping_changes_nothing(tmp_path: Path) -> None:
    cost = read(tmp_path, ",a,b,c\nb,1,5,3\nc,2,3,6\na,4,1,2\n")
    assert cost.decisions == ("b", "c", "a") and cost.costs.tolist() == [[1, 5, 3], [2, 3, 6], [4, 1, 2]]


@pytest.mark.parametrize(("corner", "rows"), [("decision", "outcomes"), ("outcome", "decisions")])
def test_a_corner_that_contradicts_rows(tmp_path: Path, corner: str, rows: Literal["decisions", "outcomes"]) -> None:
    message = refusal(tmp_path, WIDE.replace("decision", corner), rows=rows)
    assert message == f"the corner cell says that rows are {corner}s; rows={rows!r} contradicts it"
    assert read(tmp_path, WIDE, rows="decisions") == COST


def test_a_header_without_first_labels_is_refused(tmp_path: Path) -> None:
    """What a data frame writes without its index: the first column would pass for labels."""
    assert refusal(tmp_path, "a,b,c\n0,1,2\n5,0,3\n6,7,0\n", rows="decisions").startswith(
        "the first column holds numbers below 'a', so it may be labels or costs"
    )
    assert refusal(tmp_path, "wait,0,3\ntest,1,0\n").startswith(
        "line 1 must hold a corner cell and the labels of the columns, or numbers only; got 'wait' and numbers."
    )


# -- broken files ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ('"1,5"', "'1,5' is not a number; write decimals with a point"),
        ("", "the cell is empty"),
        ("nan", "'nan' is not finite"),
        ("-inf", "'-inf' is not finite"),
        ("abc", "'abc' is not a number"),
        ("1/0", "'1/0' divides by zero"),
        ("1e999999999999", "'1e999999999999' is out of range"),
    ],
)
def test_a_bad_number_is_named_with_its_line_and_column(tmp_path: Path, cell: str, reason: str) -> None:
    wide = f'decision,"two\nlines",b,c\nx,0,1,2\ny,3,{cell},5\n'
    assert refusal(tmp_path, wide) == f"line 4, column 3: costs must be finite numbers: {reason}"
    long = f"decision,cost,outcome\nx,1,a\nx,{cell},b\n"
    assert refusal(tmp_path, long) == f"line 3, column 2: costs must be finite numbers: {reason}"


EMPTY = "a cost matrix needs at least one decision and one outcome; "
OBJECT = 'a json file must be an object with "decisions", "outcomes" and "costs"'


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "", EMPTY + "the file is empty"),
        ("a.csv", " \n,,\n", EMPTY + "the file is empty"),
        ("a.csv", "decision,a,b\n", EMPTY + "the file has labels only"),
        ("a.csv", "decision,outcome,cost\n", EMPTY + "the file has a header only"),
        (
            "a.csv",
            "costs\n1\n",
            "line 1 must have at least two cells, separated by commas, semicolons or tabs; it has one",
        ),
        ("a.tsv", WIDE, "line 1 must have at least two cells, separated by tabs; it has one"),
        ("a.csv", "decision,a,b\nx,0\n", "all lines must have the same number of cells; line 1 has 3, line 2 has 2"),
        (
            "a.csv",
            "decision,a,a\nx,0,1\n",
            "outcome labels must differ, also as text; 'a' and 'a' are the same. Rename one",
        ),
        ("a.csv", "decision,a,\nx,0,1\n", "outcome labels must not be empty; label 1 is ''"),
        ("a.csv", "decision,a\nx,1e400\n", "costs must be below 1e308 in size; divide them all by the same number"),
        (
            "a.csv",
            b"decision,caf\xe9\nx,1\n",
            "must be UTF-8; byte 12, in line 1, is not. Save it as UTF-8 (in a spreadsheet: CSV UTF-8)",
        ),
        ("a.csv", "decision," + "a" * 200_000 + "\nx,1\n", "line 1: not csv: field larger than field limit (131072)"),
        ("a.csv", "decision,outcome,cost\nx,a,1\nx,a,1\n", "line 3: decision 'x' with outcome 'a' is repeated"),
        ("a.csv", "decision,outcome,cost,cost\nx,a,1,1\n", "the column cost must appear once; it is repeated"),
        (
            "a.csv",
            "decision,outcome,cost\nx,a,1\ny,b,1\n",
            "every decision needs a cost for every outcome; decision 'x' has none for 'b'",
        ),
        ("a.json", "", "line 1, column 1: not JSON: Expecting value"),
        ("a.json", '{"costs": [[0,\n1,]]}', "line 2, column 3: not JSON: Expecting value"),
        ("a.json", "[[0, 1], [2, 0]]", OBJECT),
        ("a.json", '{"decisions": ["x"], "outcomes": ["a"]}', OBJECT),
        ("a.json", '{"costs": [[1]], "outcomes": ["a"]}', '"decisions" must be a list of labels; got None'),
        ("a.json", '{"costs": 1, "decisions": ["x"], "outcomes": ["a"]}', '"costs" must be a list of rows; got 1'),
        ("a.json", '{"costs": [[NaN]]}', "costs must be finite numbers: NaN is not"),
        (
            "a.json",
            '{"costs": [[1]], "rows": "x"}',
            '"decisions", "outcomes" and "costs" are allowed; got also [\'rows\']',
        ),
        ("a.json", "[" * 100_000, 'lists are nested too deeply; "costs" is a list of rows'),
        (
            "a.json",
            '{"costs": [[0, null]], "decisions": ["x"], "outcomes": ["a", "b"]}',
            "costs must be finite numbers; at row 0, column 1: None is a NoneType, not a number",
        ),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_broken_file_says_what_is_wrong(tmp_path: Path, name: str, content: str | bytes, message: str) -> None:
    assert refusal(tmp_path, content, name) == message


def test_rows_outcomes_contradicts_a_json_file(tmp_path: Path) -> None:
    COST.write(tmp_path / "a.json")
    with pytest.raises(ic.CostMatrixError, match='in a json file rows are decisions; rows="outcomes" contradicts it'):
        ic.CostMatrix.read(tmp_path / "a.json", rows="outcomes")


def test_a_number_too_long_for_json(tmp_path: Path) -> None:
    assert refusal(tmp_path, '{"costs": [[' + "1" * 5000 + "]]}", "a.json").startswith("a number is too long: ")


def test_wrong_suffix_and_missing_file(tmp_path: Path) -> None:
    for name in ("costs.xlsx", "costs"):
        with pytest.raises(
            ic.CostMatrixError, match=r"must end in \.csv, \.tsv(, \.json or \.parquet| or \.json); got"
        ):
            read(tmp_path, WIDE, name)
        with pytest.raises(
            ic.CostMatrixError, match=r"must end in \.csv, \.tsv(, \.json or \.parquet| or \.json); got"
        ):
            COST.write(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        ic.CostMatrix.read(tmp_path / "absent.csv")


# -- writing --------------------------------------------------------------------------------------

LABEL = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).filter(
    lambda text: (
        text == text.strip() and text.lstrip("-").isdigit() is False and text.lower() not in ("cost", "outcome")
    )
)
NUMBER = st.one_of(
    st.fractions(max_denominator=10**9),
    st.floats(-1e307, 1e307),
    st.decimals(allow_nan=False, allow_infinity=False, places=3),
    st.sampled_from([Fraction(1, 3), 0.1, "0.1", 10**20 + 1, -0.0]),
)


@st.composite
def cost_matrices(draw: st.DrawFn) -> ic.CostMatrix:
    k, n = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    sides = [draw(st.lists(LABEL, min_size=size, max_size=size, unique=True)) for size in (k, n)]
    table = draw(st.lists(st.lists(NUMBER, min_size=n, max_size=n), min_size=k, max_size=k))
    return ic.CostMatrix(table, sides[0], sides[1])


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(cost=cost_matrices())
def test_what_is_written_is_read_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, cost: ic.CostMatrix
) -> None:
    path = tmp_path_factory.mktemp("round") / f"costs{suffix}"
    for form in ("wide", "long") if suffix != ".json" else ("wide",):
        write_costs(cost, path, form, overwrite=True)
        again = ic.CostMatrix(*read_costs(path))
        assert again == cost
        assert again.exact.tolist() == cost.exact.tolist()


def test_the_written_text(tmp_path: Path) -> None:
    table: list[list[object]] = [[0, 0.1, "1/3"], [-2.5, 7, 1e-7]]
    cost = ic.CostMatrix(table, ["a,b", "c"], [1, 2, 3])
    cost.write(tmp_path / "a.csv")
    cost.write(tmp_path / "a.tsv")
    cost.write(str(tmp_path / "a.json"))
    assert (tmp_path / "a.csv").read_bytes() == b'decision,1,2,3\n"a,b",0,0.1,1/3\nc,-2.5,7,0.0000001\n'
    assert (tmp_path / "a.tsv").read_bytes() == b"decision\t1\t2\t3\na,b\t0\t0.1\t1/3\nc\t-2.5\t7\t0.0000001\n"
    assert (tmp_path / "a.json").read_text() == (
        '{"decisions": ["a,b", "c"],\n "outcomes": [1, 2, 3],\n "costs": [\n'
        '  [0, 0.1, "1/3"],\n  [-2.5, 7, 0.0000001]]\n}\n'
    )


def test_outcomes_that_would_make_a_long_table(tmp_path: Path) -> None:
    cost = ic.CostMatrix([[0, 3, 5]], ["x"], ["outcome", "Cost", "other"])
    with pytest.raises(ic.CostMatrixError, match='write it with form="long"'):
        cost.write(tmp_path / "a.csv")
    cost.write(tmp_path / "a.json")
    cost.write(tmp_path / "long.csv", form="long")
    assert ic.CostMatrix.read(tmp_path / "a.json") == cost
    assert ic.CostMatrix.read(tmp_path / "long.csv") == cost


def test_long_files(tmp_path: Path) -> None:
    COST.write(tmp_path / "long.tsv", form="long")
    assert (tmp_path / "long.tsv").read_text().startswith("decision\toutcome\tcost\n")
    assert ic.CostMatrix.read(tmp_path / "long.tsv") == COST
    with pytest.raises(ic.CostMatrixError, match="a json file has one form"):
        COST.write(tmp_path / "a.json", form="long")
    with pytest.raises(ic.CostMatrixError, match='form must be "wide" or "long"'):
        COST.write(tmp_path / "a.csv", form="tall")  # type: ignore[arg-type]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_nothing_is_overwritten_without_a_word(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"costs{suffix}"
    path.write_text("mine")
    with pytest.raises(ic.CostMatrixError, match="exists; choose another name or pass overwrite=True"):
        COST.write(path)
    assert path.read_text() == "mine"
    COST.write(path, overwrite=True)
    assert ic.CostMatrix.read(path) == COST
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failing_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "costs.csv"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="disk full"):
        COST.write(path, overwrite=True)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["costs.csv"]
