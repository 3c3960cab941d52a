"""``isocost audit`` on real files: what Python finds, in any format; and files that are not as they should be."""

from __future__ import annotations

from pathlib import Path

import pytest

import isocost as ic
from isocost.report.verdicts import headline_of
from tests.cli.commands import COSTS, json_of, line_of_error, typed
from tests.cli.files import LABELS, Rows, csv_text, in_memory, some_rows, write_parquet

READ = ("--outcome", "y", "--probabilities", "p_*")


@pytest.fixture(scope="module")
def rows() -> Rows:
    return some_rows()


@pytest.fixture
def folder(tmp_path: Path, rows: Rows, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "costs.csv").write_text(COSTS, encoding="utf-8")
    (tmp_path / "rows.csv").write_text(csv_text(rows), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_finds_what_python_finds(folder: Path, rows: Rows) -> None:
    found = json_of("audit", "costs.csv", "rows.csv", *READ, "--weight", "w", "--group", "site")
    cost = ic.CostMatrix.read("costs.csv")
    expected = in_memory(cost, rows, sample_weight=rows.weight, groups=rows.group)
    assert found["rows"] == 3000 and found["columns"]["probabilities"] == {x: f"p_{x}" for x in LABELS}
    assert found["mean_cost"]["value"] == pytest.approx(expected.mean_cost.value, rel=1e-12)
    assert found["swap_regret"]["high"] == pytest.approx(expected.swap_regret.high, rel=1e-9)
    assert [v["status"] for v in found["certificate"]["verdicts"]] == [v.status for v in expected.certificate.verdicts]
    assert list(found["groups"]) == ["north", "south"]
    assert found["groups"]["south"]["mean_cost"]["value"] == pytest.approx(expected.groups["south"].mean_cost.value)
    assert found["files"] == ["rows.csv"] and found["page"] is None and found["thresholds"] == {}


def test_says_it_in_words(folder: Path, rows: Rows) -> None:
    headline = headline_of(in_memory(ic.CostMatrix.read("costs.csv"), rows))
    done = typed("audit", "costs.csv", "rows.csv", *READ, "--group", "site")
    assert (done.exit_code, done.stderr) == (0, "")
    for words in (
        "rows.csv: 3,000 rows\n",
        "probability of mild from p_mild, of moderate from",
        "Costs: deciding 'wait' when the outcome is 'severe' costs 5.",
        f"{headline.word}: {headline.sentence}",
        "replace 'wait' by 'test'",
        "mean cost",
        "south",
    ):
        assert " ".join(words.split()) in " ".join(done.stdout.split())
    assert "nan" not in done.stdout


def as_bytes(text: str, encoding: str = "utf-8") -> bytes:
    return text.encode(encoding)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("crlf.csv", lambda rows: as_bytes(csv_text(rows, end="\r\n"))),
        ("bom.csv", lambda rows: as_bytes(csv_text(rows), "utf-8-sig")),
        ("semicolons.csv", lambda rows: as_bytes(csv_text(rows, delimiter=";"))),
        ("tabs.tsv", lambda rows: as_bytes(csv_text(rows, delimiter="\t"))),
    ],
)
def test_formats(folder: Path, rows: Rows, name: str, content: object) -> None:
    (folder / name).write_bytes(content(rows))  # type: ignore[operator]
    assert (
        json_of("audit", "costs.csv", name, *READ)["mean_cost"]
        == json_of("audit", "costs.csv", "rows.csv", *READ)["mean_cost"]
    )


def test_parquet_in_parts_and_globs(folder: Path, rows: Rows) -> None:
    for i in range(3):
        write_parquet(rows.part(slice(i, None, 3)), folder / f"part-{i}.parquet")
    found = json_of("audit", "costs.csv", "part-*.parquet", *READ)
    assert found["files"] == ["part-0.parquet", "part-1.parquet", "part-2.parquet"] and found["rows"] == 3000
    assert found["mean_cost"]["value"] == pytest.approx(
        json_of("audit", "costs.csv", "rows.csv", *READ)["mean_cost"]["value"]
    )


def test_labels_with_spaces_and_other_alphabets(folder: Path, rows: Rows) -> None:
    labels = ("tout va bien", "中等 ✓", "<b>sévère</b> [red]")
    (folder / "named.csv").write_text(
        "decision," + ",".join(labels) + "\nwait,0,3,5\ntest,1,0,3\ntreat,3,1,0\n", encoding="utf-8"
    )
    names = [f"p {labels[j]}" for j in (2, 0, 1)]
    (folder / "rows2.csv").write_text(csv_text(rows, names=names, labels=labels), encoding="utf-8")
    found = json_of(
        "audit", "named.csv", "rows2.csv", "--outcome", "y", "--probabilities", "p *", "--html", "page.html"
    )
    assert found["columns"]["probabilities"] == {label: f"p {label}" for label in labels}
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "中等 ✓" in page and "<b>sévère" not in page and "&lt;b&gt;sévère" in page
    assert "[red]" in typed("audit", "named.csv", "rows2.csv", "--outcome", "y", "--probabilities", "p *").stdout


def test_page_tells_the_command_and_overwrites_nothing(folder: Path) -> None:
    done = typed("audit", "costs.csv", "rows.csv", *READ, "--html", "a b.html", "--title", "Of <mine>")
    assert done.exit_code == 0 and done.stdout.endswith("\nPage\na b.html\n")
    page = (folder / "a b.html").read_text(encoding="utf-8")
    assert (
        "isocost audit costs.csv rows.csv --outcome y --probabilities &#39;p_*&#39; --html &#39;a b.html&#39;" in page
    )
    assert "Of &lt;mine&gt;" in page
    assert "exists; choose another output or pass --force" in line_of_error(
        "audit", "costs.csv", "rows.csv", *READ, "--html", "a b.html"
    )
    for own in ("rows.csv", "costs.csv"):
        assert "never overwritten" in line_of_error("audit", "costs.csv", "rows.csv", *READ, "--html", own, "--force")


@pytest.mark.parametrize(
    ("limits", "code", "words"),
    [
        (("--max-regret", "10", "--max-cost", "5", "--max-wrong", "1"), 0, ""),
        (("--max-regret", "0.0001"), 3, "--max-regret 0.0001 may be exceeded: the swap regret, 0."),
        (("--max-cost", "0.5"), 3, "--max-cost 0.5 may be exceeded: the mean cost, 1."),
        (("--max-wrong", "0.1"), 3, "--max-wrong 0.1 may be exceeded: the share of rows"),
    ],
)
def test_thresholds(folder: Path, limits: tuple[str, ...], code: int, words: str) -> None:
    done = typed("audit", "costs.csv", "rows.csv", *READ, *limits)
    assert done.exit_code == code and words in done.stderr and "mean cost" in done.stdout
    found = typed("audit", "costs.csv", "rows.csv", *READ, *limits, "--json")
    assert found.exit_code == code and f'"exceeded": {str(code == 3).lower()}' in found.stdout


def test_a_limit_counts_from_the_upper_end_of_its_interval(folder: Path) -> None:
    cost = json_of("audit", "costs.csv", "rows.csv", *READ)["mean_cost"]
    between = (cost["value"] + cost["high"]) / 2
    assert typed("audit", "costs.csv", "rows.csv", *READ, "--max-cost", between).exit_code == 3
    assert typed("audit", "costs.csv", "rows.csv", *READ, "--max-cost", cost["high"] + 1e-9).exit_code == 0


def broken(rows: Rows, **cells: str) -> str:
    """The file with cells of its third line replaced."""
    lines = csv_text(rows.part(slice(0, 5))).splitlines()
    names, third = lines[0].split(","), lines[3].split(",")
    for name, value in cells.items():
        third[names.index(name)] = value
    return "\n".join([*lines[:3], ",".join(third), *lines[4:]]) + "\n"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: broken(rows, y="awful"), "such as row 3 of given.csv with y = 'awful'"),
        (lambda rows: broken(rows, y=""), "row 3 of given.csv with y = "),
        (lambda rows: broken(rows, p_mild="1.5"), "row 3 of given.csv with p_mild = 1.5"),
        (lambda rows: broken(rows, p_mild="-0.5"), "p_mild = -0.5"),
        (lambda rows: broken(rows, p_mild=""), "row 3 of given.csv with p_mild = "),
        (lambda rows: broken(rows, p_mild="x"), "given.csv, line 4: the column 'p_mild' must be numbers; got 'x'"),
        (lambda rows: csv_text(rows.part(slice(0, 0))), "an audit needs at least one row; the input has none"),
        (lambda _: "", "given.csv"),
        (lambda rows: csv_text(rows).replace("p_moderate", "p_mild", 1), "'p_mild' comes twice"),
        (
            lambda rows: csv_text(rows).replace("p_moderate", "p_other", 1),
            "the outcome 'moderate' has no column 'p_moderate'",
        ),
        (
            lambda rows: (
                csv_text(rows.part(slice(0, 9))).replace("north", "nörth").replace("south", "sœur").encode("cp1252")
            ),
            "given.csv",
        ),
    ],
)
def test_a_wrong_file_gets_one_line(folder: Path, rows: Rows, change: object, words: str) -> None:
    content = change(rows)  # type: ignore[operator]
    (folder / "given.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    assert words in line_of_error("audit", "costs.csv", "given.csv", *READ)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("costs.csv", "no.csv", *READ), 1, "no.csv: no such file"),
        (("costs.csv", "no-*.csv", *READ), 1, "no-*.csv: no such file"),
        (("costs.csv", ".", *READ), 1, ". is a folder"),
        (("no.csv", "rows.csv", *READ), 1, "no.csv: No such file or directory"),
        (("costs.csv", "rows.csv", "--outcome", "Y", "--probabilities", "p_*"), 1, "'y'"),
        (("costs.csv", "rows.csv", "--outcome", "y"), 2, "--probabilities 'p_*' fits the columns of this file"),
        (("costs.csv", "rows.csv", "--probabilities", "p_*"), 2, "--outcome"),
        (("costs.csv", *READ), 2, "PREDICTIONS"),
        (("costs.csv", "rows.csv", *READ, "--memory-limit", "much"), 2, "is not a size"),
        (("costs.csv", "rows.csv", *READ, "--threads", "0"), 2, "--threads"),
        (
            ("costs.csv", "rows.csv", *READ, "--level", "95"),
            1,
            "level must be between 0 and 1",
        ),
    ],
)
def test_wrong_arguments(folder: Path, arguments: tuple[str, ...], code: int, words: str) -> None:
    assert words in line_of_error("audit", *arguments, code=code)
