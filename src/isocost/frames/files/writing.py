"""A relation written to a file that appears whole or not at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from isocost.frames.files.database import Database

if TYPE_CHECKING:
    import duckdb

__all__ = ["write_relation"]


def write_relation(database: Database, relation: duckdb.DuckDBPyRelation, target: Path, share: float) -> None:
    """Write beside the target, make it durable, then rename; whatever happens, no half of it is left there.

    Parameters
    ----------
    database : Database
    relation : DuckDBPyRelation
    target : Path
    share : float
        Of the whole task, for its progress.
    """
    beside = target.with_name(f".{target.name}.{os.getpid()}.{threading.get_ident()}")
    suffix, name = target.suffix.lower(), str(beside)

    def write() -> None:
        if suffix == ".parquet":
            relation.write_parquet(name, compression="zstd")
        else:
            relation.write_csv(name, sep="\t" if suffix == ".tsv" else ",", header=True)

    try:
        database.run(write, share)
        with beside.open("rb+") as file:
            os.fsync(file.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
