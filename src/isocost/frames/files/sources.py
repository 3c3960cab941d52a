"""Files of predictions as one relation: Parquet, csv, tsv and json, columns matched by name."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from glob import glob
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from isocost.exceptions import PredictionError
from isocost.frames.files.database import Database
from isocost.frames.inputs import ROW

if TYPE_CHECKING:
    import duckdb

__all__ = ["Paths", "Source", "paths_of", "source_of"]

Paths: TypeAlias = "str | PathLike[str] | Iterable[str | PathLike[str]]"

KINDS = {".parquet": "parquet", ".csv": "csv", ".tsv": "csv", ".json": "json", ".jsonl": "json", ".ndjson": "json"}
HEADER = 1 << 20  # bytes in which the header line of a csv must end


@dataclass(frozen=True)
class Source:
    """Files of one kind.

    Attributes
    ----------
    paths : tuple of Path
    kind : {"parquet", "csv", "json"}
    columns : tuple of tuple of str
        Names in each file, in its order.
    """

    paths: tuple[Path, ...]
    kind: str
    columns: tuple[tuple[str, ...], ...]

    @property
    def common(self) -> tuple[str, ...]:
        """Columns that all files have, in the order of the first."""
        others = [set(names) for names in self.columns[1:]]
        return tuple(name for name in self.columns[0] if all(name in names for names in others))

    def require(self, names: Iterable[str]) -> None:
        """Refuse names that are no column of every file."""
        for name in names:
            for path, columns in zip(self.paths, self.columns, strict=True):
                if name not in columns:
                    shown = ", ".join(map(repr, columns[:12])) + (", …" if len(columns) > 12 else "")
                    raise PredictionError(f"{path} has no column {name!r}; its columns are {shown}")

    def one_by_one(self, database: Database, numbers: Iterable[str]) -> Iterator[tuple[str, duckdb.DuckDBPyRelation]]:
        """Name and rows of each file, with the number of the row, from 1, as column ROW."""
        for path, names in zip(self.paths, self.columns, strict=True):
            rows = Source((path,), self.kind, (names,)).relation(database, numbers)
            yield str(path), rows.project(f'*, row_number() OVER () AS "{ROW}"')

    def relation(self, database: Database, numbers: Iterable[str] = ()) -> duckdb.DuckDBPyRelation:
        """All rows of the files; of text files the columns `numbers` as doubles and all others as text."""
        if self.kind == "parquet":
            return database.connection.sql(
                f"SELECT * FROM read_parquet({_list(self.paths)}, union_by_name = true, hive_partitioning = false)"
            )
        wanted = set(numbers)
        if self.kind == "json":
            types = {name: "DOUBLE" if name in wanted else "VARCHAR" for name in dict.fromkeys(sum(self.columns, ()))}
            return database.connection.sql(
                f"SELECT * FROM read_json({_list(self.paths)}, columns = {_struct(types)}, hive_partitioning = false)"
            )
        alike: dict[tuple[str, tuple[str, ...]], list[Path]] = {}
        for path, names in zip(self.paths, self.columns, strict=True):
            alike.setdefault((_delimiter(path), names), []).append(path)
        parts = []
        for (delimiter, names), paths in alike.items():
            types = {name: "DOUBLE" if name in wanted else "VARCHAR" for name in names}
            # Nothing is guessed from the first rows: neither types, nor quotes, nor a header.
            parts.append(
                f"SELECT * FROM read_csv({_list(paths)}, columns = {_struct(types)}, auto_detect = false, "
                f"header = true, delim = {_text(delimiter)}, quote = '\"', escape = '\"', hive_partitioning = false)"
            )
        return database.connection.sql(" UNION ALL BY NAME ".join(parts))


def paths_of(paths: Paths) -> tuple[Path, ...]:
    """Files named one by one or by globs, in order, each once; a name that exists is itself."""
    given = [paths] if isinstance(paths, (str, PathLike)) else list(paths)
    found: list[Path] = []
    for pattern in given:
        path = Path(pattern)
        if path.is_file():
            found.append(path)
            continue
        if path.is_dir():
            raise PredictionError(f"{path} is a folder; name its files, such as '{path}/*.parquet'")
        matches = [Path(match) for match in sorted(glob(fspath(pattern), recursive=True))]  # noqa: PTH207, patterns may be absolute
        if not any(match.is_file() for match in matches):
            raise PredictionError(f"{path}: no such file")
        found += [match for match in matches if match.is_file()]
    if not found:
        raise PredictionError("there must be at least one file; got none")
    return tuple(dict.fromkeys(found))


def source_of(database: Database, paths: Paths) -> Source:
    """The files, their kind and their columns."""
    files = paths_of(paths)
    kinds = {path: _kind(path) for path in files}
    if len(set(kinds.values())) > 1:
        one, other = next((a, b) for a in files for b in files if kinds[a] != kinds[b])
        raise PredictionError(f"files must all be of one kind; got {one} and {other}")
    kind = kinds[files[0]]
    if kind == "parquet":
        return Source(files, kind, tuple(_parquet_columns(database, path) for path in files))
    if kind == "csv":
        return Source(files, kind, tuple(_csv_columns(path) for path in files))
    return Source(files, kind, tuple(_json_columns(database, path) for path in files))


def _kind(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in (".gz", ".zst"):
        suffixes.pop()
    kind = KINDS.get(suffixes[-1]) if suffixes else None
    if kind is None:
        raise PredictionError(f"{path} must end in .parquet, .csv, .tsv, .json, .jsonl or .ndjson")
    return kind


def _parquet_columns(database: Database, path: Path) -> tuple[str, ...]:
    relation = database.run(lambda: database.connection.sql(f"SELECT * FROM read_parquet({_list([path])})"))
    return tuple(relation.columns)


def _json_columns(database: Database, path: Path) -> tuple[str, ...]:
    relation = database.run(lambda: database.connection.sql(f"SELECT * FROM read_json({_list([path])})"))
    return tuple(relation.columns)


def _header(path: Path) -> str:
    """The first line of a text file, or as many as a quoted line break joins."""
    import gzip

    name = path.name.lower()
    if name.endswith(".zst"):
        raise PredictionError(f"{path}: csv files may be compressed by gzip only")
    with gzip.open(path) if name.endswith(".gz") else path.open("rb") as file:
        start = file.read(HEADER)
    try:  # the end of the block may cut a character in two
        return codecs.getincrementaldecoder("utf-8-sig")().decode(start, final=len(start) < HEADER)
    except UnicodeDecodeError as error:
        line = start[: error.start].count(b"\n") + 1
        raise PredictionError(
            f"{path}, line {line}: files must be UTF-8, and this line is not. Save it as UTF-8"
        ) from None


def _delimiter(path: Path, text: str | None = None) -> str:
    """A tab for .tsv; else the commonest mark in the header, outside quotes."""
    if ".tsv" in (suffix.lower() for suffix in path.suffixes):
        return "\t"
    first = re.sub(r'"[^"]*"', "", _header(path) if text is None else text).lstrip("\r\n").splitlines()[:1]
    return max(",;\t", key="".join(first).count)


def _csv_columns(path: Path) -> tuple[str, ...]:
    text = _header(path)
    names = next(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(path, text)), [])
    if not names:
        raise PredictionError(f"{path} must have a header line with the names of its columns; it is empty")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None or "" in names:
        problem = f"{twice!r} comes twice" if twice else f"column {names.index('') + 1} has none"
        raise PredictionError(f"{path} must have a header line with a name for each column, all different; {problem}")
    return tuple(names)


def _text(value: object) -> str:
    """A value as an SQL text."""
    return "'" + str(value).replace("'", "''") + "'"


def _list(paths: Sequence[Path]) -> str:
    """Names of files as an SQL list, in which no character means a pattern."""
    return "[" + ", ".join(_text(re.sub(r"([*?\[])", r"[\1]", str(path))) for path in paths) + "]"


def _struct(types: dict[str, Any]) -> str:
    return "{" + ", ".join(f"{_text(name)}: {_text(kind)}" for name, kind in types.items()) + "}"
