"""Cost matrices from Parquet files and from frames of any engine, as exact as from text."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import isocost as ic
from tests.engines import ENGINES, frames_of

LONG = {
    "outcome": ["ok", "bad", "ok", "bad"],
    "decision": ["keep", "keep", "drop", "drop"],
    "cost": [0.0, 2.4000000000000004, 0.1, 0.0],
}


@pytest.mark.parametrize("name", [name for name in ENGINES if name not in ("dask", "pyspark")])
def test_long_frames_of_any_engine(name: str, tmp_path: Path) -> None:
    cost = ic.CostMatrix.from_long(frames_of(name, tmp_path, None).of(LONG))
    assert (cost.decisions, cost.outcomes) == (("keep", "drop"), ("ok", "bad"))
    assert cost.exact.tolist() == [[0, Fraction(12, 5)], [Fraction(1, 10), 0]]
    assert {type(label) for label in cost.decisions} == {str}


def test_long_and_wide_parquet(tmp_path: Path) -> None:
    pq.write_table(pa.table(LONG), tmp_path / "long.parquet")
    wide = pa.table({"outcome": ["ok", "bad"], "keep": [0.0, 2.4], "drop": [0.1, 0.0]})
    pq.write_table(wide, tmp_path / "wide.parquet")
    long = ic.CostMatrix.read(tmp_path / "long.parquet")
    assert long == ic.CostMatrix.read(tmp_path / "wide.parquet")
    assert long.exact[0, 1] == Fraction(12, 5)
