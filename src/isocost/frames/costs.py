"""Cost matrices that come as frames or Parquet files."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from isocost.frames.engines import collected, opened
from isocost.frames.files.database import Database
from isocost.frames.files.sources import source_of

__all__ = ["csv_of_parquet", "long_columns"]


def long_columns(frame: Any) -> dict[str, list[Any]]:
    """Those of the columns decision, outcome and cost that a frame of any engine has; a lazy one is computed."""
    given = opened(frame)
    there = [name for name in given.collect_schema() if name in ("decision", "outcome", "cost")]
    return {name: column.tolist() for name, column in collected(given.select(*there)).items()} if there else {}


def csv_of_parquet(path: Path) -> str:
    """A small Parquet file as the text of a csv; a float is its value at 15 significant digits.

    Parameters
    ----------
    path : Path
    """
    with Database() as database:
        source = source_of(database, path)
        rows = database.run(source.relation(database).fetchall)
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(source.common)
    for row in rows:
        writer.writerow([f"{x:.15g}" if isinstance(x, float) else "" if x is None else x for x in row])
    return text.getvalue()
