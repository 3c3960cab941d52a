"""Files: audited, fitted on and decided as arrays are; whatever goes wrong is told, and no file is harmed."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import isocost as ic
from isocost.frames.files import apply_files, audit_files, columns_of, fit_files
from tests.auditing.worlds import PAPER, World, drawn

WORLD: World = drawn(PAPER, 3000, 0, "too sure")
P = ["p_mild", "p_moderate", "p_severe"]
TABLE = pa.table({"id": [f"0{i}" for i in range(3000)], **dict(zip(P, WORLD.P.T, strict=True)), "y": WORLD.y.tolist()})
PROP = ic.smooth(PAPER)
RULE = ic.DecisionRule(PROP)


def write(table: pa.Table, path: Path) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(table, path, row_group_size=500)
    elif path.suffix == ".csv":
        pyarrow.csv.write_csv(table, path)
    else:
        path.write_text("\n".join(json.dumps(row) for row in table.to_pylist()), encoding="utf-8")
    return path


def in_two(folder: Path, suffix: str) -> str:
    """Two files, the second with its columns in another order, and the glob of both."""
    write(TABLE.slice(0, 1000), folder / f"part-1{suffix}")
    write(TABLE.slice(1000).select(TABLE.column_names[::-1]), folder / f"part-2{suffix}")
    return str(folder / f"part-*{suffix}")


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl"])
def test_audit_of_files_is_that_of_arrays(tmp_path: Path, suffix: str) -> None:
    seen: list[float] = []
    paths = in_two(tmp_path, suffix)
    found = audit_files(
        PAPER, paths, "y", probabilities=P, memory_limit="500MB", threads=2, progress=seen.append, resamples=10
    )
    wanted = ic.audit(PAPER, WORLD.y, probabilities=WORLD.P, resamples=10)
    for name, (_, estimate) in found.readings().items():
        np.testing.assert_allclose(estimate[:3], wanted.readings()[name].estimate[:3], rtol=1e-9, atol=1e-12)
    assert found.columns == {"outcome": "y", "probabilities": dict(zip(PAPER.outcomes, P, strict=True))}
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert columns_of(paths) == TABLE.column_names


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_apply_writes_the_decisions_of_python(tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"out{suffix}"
    assert apply_files(RULE, in_two(tmp_path, suffix), out, probabilities=P) == 3000
    found = pq.read_table(out) if suffix == ".parquet" else pyarrow.csv.read_csv(out)
    assert found.column_names == [*TABLE.column_names, "score", "decision"]
    assert found["decision"].to_pylist() == RULE.decide(WORLD.P).tolist()
    np.testing.assert_allclose(found["score"].to_numpy(), RULE.value(WORLD.P), rtol=1e-9, atol=1e-12)
    assert sorted(path.name for path in tmp_path.iterdir()) == [out.name, f"part-1{suffix}", f"part-2{suffix}"]
    with pytest.raises(ic.PredictionError, match="exists; choose another name or pass overwrite=True"):
        apply_files(RULE, tmp_path / f"part-1{suffix}", out, probabilities=P)
    with pytest.raises(ic.PredictionError, match="one of the inputs, which are never overwritten"):
        apply_files(RULE, out, out, probabilities=P, overwrite=True)


def test_fit_on_files_is_the_fit_on_rows_where_each_cell_has_one_score(tmp_path: Path) -> None:
    u = np.round(PROP.value(WORLD.P), 2)
    path = write(TABLE.append_column("u", pa.array(u)), tmp_path / "rows.parquet")
    found = fit_files(PAPER, path, "y", score="u").recalibration
    wanted = ic.IsotonicRecalibrator(PROP).fit(u, WORLD.y)
    assert isinstance(found, ic.IsotonicRecalibrator)
    for name in ("lowest_", "highest_", "thresholds_", "values_", "label_weights_"):
        np.testing.assert_allclose(getattr(found, name), getattr(wanted, name), rtol=1e-12, atol=1e-15)
    assert found.rows_ == 3000


def test_fit_of_several_numbers_is_the_swap_map_of_the_rows(tmp_path: Path) -> None:
    path = write(TABLE, tmp_path / "rows.parquet")
    lin = ic.linear(PAPER)
    found = fit_files(PAPER, path, "y", probabilities=P, prop=lin).swap
    wanted = ic.SwapRecalibrator(PAPER).fit(lin.decide(lin.value(WORLD.P)), WORLD.y)
    assert found is not None
    assert found.map_ == wanted.map_
    assert found.regret_removed_ == pytest.approx(wanted.regret_removed_, rel=1e-12)


# -- what csv does to labels and numbers -------------------------------------------------------------

GRADES = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]], outcomes=["01", "1", "é"])


def csv_file(folder: Path, *lines: str, encoding: str = "utf-8") -> Path:
    path = folder / "rows.csv"
    path.write_bytes("\n".join(lines).encode(encoding))
    return path


def test_labels_of_a_csv_are_its_texts(tmp_path: Path) -> None:
    """01 is not 1, a byte order mark is no part of a name, and a quote far below is one all the same."""
    rows = ["01,0", "1,1", '"é",2'] + ["1,1"] * 30_000 + ['"é","2"']
    path = csv_file(tmp_path, "\ufeffy,d", *rows)
    assert columns_of(path) == ["y", "d"]
    assert audit_files(GRADES, path, "y", decision="d").rows == 30_004
    whole = ic.CostMatrix(GRADES.costs)  # integer labels
    with pytest.raises(ic.PredictionError, match=r"1 of 3 rows has a value .* such as row 1 of .*\.csv with y = '01'"):
        audit_files(whole, csv_file(tmp_path, "y,d", "01,0", "1,1", "2,2"), "y", decision="d")


@pytest.mark.parametrize(
    ("lines", "encoding", "message"),
    [
        (["y,d", "é,0"], "latin-1", "rows.csv, line 2: files must be UTF-8, and this line is not. Save it as UTF-8"),
        (["y,u", "1,0.5", "1,high"], "utf-8", "rows.csv, line 3: the column 'u' must be numbers; got 'high'"),
        (["y,u", "1,0.5", "1,0.5,7"], "utf-8", "rows.csv, line 3: Expected Number of Columns: 2 Found: 3"),
        (["y;u", "1;0,5"], "utf-8", "rows.csv, line 2: the column 'u' must be numbers; got '0,5'"),
        (["y,u", "1,", "1,nan", "1,inf"], "utf-8", "rows.csv with u = "),
        (["y,y,u", "1,1,1"], "utf-8", "rows.csv must have a header line with a name for each column, all different; "),
        (["y,v", "1,1"], "utf-8", "rows.csv has no column 'u'; its columns are 'y', 'v'"),
        (["y,u"], "utf-8", "an audit needs at least one row; the frame has none"),
        ([""], "utf-8", "rows.csv must have a header line with the names of its columns; it is empty"),
    ],
)
def test_a_wrong_csv_is_told_where(tmp_path: Path, lines: list[str], encoding: str, message: str) -> None:
    path = csv_file(tmp_path, *lines, encoding=encoding)
    with pytest.raises(ic.PredictionError) as caught:
        audit_files(GRADES, path, "y", score="u") if "d" not in lines[0] else audit_files(
            GRADES, path, "y", decision="d"
        )
    assert message in str(caught.value)


# -- faults --------------------------------------------------------------------------------------------


def changed(name: str, column: pa.Array) -> pa.Table:
    return TABLE.set_column(TABLE.column_names.index(name), name, column)


def test_decimals_are_numbers(tmp_path: Path) -> None:
    tenths = np.tile([[0.1, 0.2, 0.7], [0.25, 0.5, 0.25]], (1500, 1))
    table = TABLE
    for name, column in zip(P, tenths.T, strict=True):
        table = table.set_column(
            table.column_names.index(name), name, pa.array(column).cast(pa.decimal128(10, 4), safe=False)
        )
    found = audit_files(PAPER, write(table, tmp_path / "rows.parquet"), "y", probabilities=P, resamples=0)
    assert found.mean_cost.value == pytest.approx(
        ic.audit(PAPER, WORLD.y, probabilities=tenths, resamples=0).mean_cost.value, rel=1e-12
    )


@pytest.mark.parametrize(
    ("name", "column", "message"),
    [
        ("p_mild", pa.array(["0.5"] * 3000), "probabilities must be numbers; the column 'p_mild' is of type String"),
        ("p_mild", pa.nulls(3000, pa.float64()), "3,000 of 3,000 rows have a missing probability"),
        ("p_mild", pa.nulls(3000), "3,000 of 3,000 rows have a missing probability"),
        ("y", pa.nulls(3000, pa.string()), "3,000 of 3,000 rows have no outcome"),
        ("y", pa.array([1.5] * 3000), "no value can be one of them"),
    ],
)
def test_columns_of_a_wrong_type_or_all_null(tmp_path: Path, name: str, column: pa.Array, message: str) -> None:
    path, out = write(changed(name, column), tmp_path / "rows.parquet"), tmp_path / "out.parquet"
    out.write_bytes(b"old")
    with pytest.raises(ic.PredictionError) as caught:
        audit_files(PAPER, path, "y", probabilities=P)
    assert message in str(caught.value)
    if name != "y":
        with pytest.raises(ic.PredictionError):
            apply_files(RULE, path, out, probabilities=P, overwrite=True)
    assert out.read_bytes() == b"old"


def test_an_empty_file_among_others_changes_nothing(tmp_path: Path) -> None:
    write(TABLE, tmp_path / "1.parquet")
    write(TABLE.slice(0, 0), tmp_path / "2.parquet")
    found = audit_files(PAPER, tmp_path / "*.parquet", "y", probabilities=P, resamples=0)
    assert found.rows == 3000


@pytest.mark.parametrize("kept", [0.4, 0.99])
def test_a_truncated_file_is_told_by_name(tmp_path: Path, kept: float) -> None:
    path, out = write(TABLE, tmp_path / "rows.parquet"), tmp_path / "out.parquet"
    out.write_bytes(b"old")
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept)])
    for task in (
        lambda: audit_files(PAPER, path, "y", probabilities=P),
        lambda: apply_files(RULE, path, out, probabilities=P, overwrite=True),
    ):
        with pytest.raises(ic.PredictionError, match=r"the files cannot be read: .*rows\.parquet"):
            task()
    assert out.read_bytes() == b"old"
    assert sorted(x.name for x in tmp_path.iterdir()) == ["out.parquet", "rows.parquet"]


APPLY = """
import sys
import isocost as ic
from isocost.frames.files import apply_files
from tests.frames.test_files import P, RULE
print("started", flush=True)
apply_files(RULE, sys.argv[1], sys.argv[2], probabilities=P, overwrite=True, threads=1)
"""


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT])
def test_a_process_that_is_ended_leaves_the_old_output(tmp_path: Path, by: signal.Signals) -> None:
    path, out = tmp_path / "rows.parquet", tmp_path / "out.parquet"
    with pq.ParquetWriter(path, TABLE.schema) as writer:
        for _ in range(500):
            writer.write_table(TABLE)
    out.write_bytes(b"old")
    root = Path(__file__).parents[2]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(root / "src"), str(root)])}
    process = subprocess.Popen(
        [sys.executable, "-c", APPLY, str(path), str(out)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while not list(tmp_path.glob(".out.parquet.*")):  # until it writes
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(by)
    _, told = process.communicate(timeout=60)
    assert process.returncode != 0
    assert out.read_bytes() == b"old"
    if by == signal.SIGINT:
        assert "KeyboardInterrupt" in told
        assert not list(tmp_path.glob(".out.parquet.*"))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "isocost-test", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        if os.environ.get("ISOCOST_REQUIRE") == "all":
            pytest.fail(f"no small disk can be mounted: {done.stderr}")
        pytest.skip(f"NOT TESTED, a full disk: mounting a small one needs root: {done.stderr}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_a_full_disk_is_told_and_leaves_the_old_output(tmp_path: Path, small_disk: Path, suffix: str) -> None:
    columns = np.random.default_rng(0).dirichlet([2, 1, 1], 200_000).T
    path = write(pa.table(dict(zip(P, columns, strict=True))), tmp_path / "rows.parquet")
    out = small_disk / f"out{suffix}"
    out.write_bytes(b"old")
    with pytest.raises(OSError, match="no space left on the disk") as caught:
        apply_files(RULE, path, out, probabilities=P, overwrite=True)
    assert caught.value.errno == errno.ENOSPC
    assert out.read_bytes() == b"old"
    assert [x.name for x in small_disk.iterdir()] == [out.name]


def test_rows_that_cannot_be_read_leave_no_output(tmp_path: Path) -> None:
    bad = changed("p_mild", pa.array([0.5, *WORLD.P[1:, 0]]))
    out = tmp_path / "out.parquet"
    with pytest.raises(ic.PredictionError, match="1 of 3,000 rows has probabilities that do not sum to 1"):
        apply_files(RULE, write(bad, tmp_path / "rows.parquet"), out, probabilities=P)
    assert [x.name for x in tmp_path.iterdir()] == ["rows.parquet"]


def test_names_of_files_are_names_and_not_patterns(tmp_path: Path) -> None:
    odd = write(TABLE, tmp_path / "it's [1] *.parquet")
    write(TABLE.slice(0, 10), tmp_path / "it's 1 x.parquet")
    assert audit_files(PAPER, odd, "y", probabilities=P, resamples=0).rows == 3000
    assert apply_files(RULE, odd, tmp_path / "out 'x'.csv", probabilities=P) == 3000


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"memory_limit": "much"}, 'memory_limit must be a size, such as "2GB" or "500MB"; got \'much\''),
        ({"threads": 0}, "threads must be a whole number, at least 1; got 0"),
        ({"level": 2}, "level must be between 0 and 1, such as 0.95; got 2"),
        ({"probabilities": ["p_mild"]}, "`probabilities` must name one column for each of the 3 outcomes"),
    ],
)
def test_wrong_settings_are_told_before_anything_is_read(asked: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"probabilities": P} | asked
    with pytest.raises(ic.IsocostError) as caught:
        audit_files(PAPER, "nowhere.parquet", "y", **given)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        ("nowhere-*.parquet", "nowhere-*.parquet: no such file"),
        ([], "there must be at least one file; got none"),
        (".", ". is a folder; name its files, such as './*.parquet'"),
        (__file__, "must end in .parquet, .csv, .tsv, .json, .jsonl or .ndjson"),
    ],
)
def test_files_that_are_none(paths: Any, message: str) -> None:
    with pytest.raises(ic.PredictionError) as caught:
        columns_of(paths)
    assert message in str(caught.value)
