"""Cost matrices from and to csv, tsv and json files.

Wide: the corner cell says what the rows are, "decision" or "outcome"::

    decision,mild,moderate,severe
    wait,0,3,5
    treat,3,1,0

Long: columns decision, outcome and cost, in any order, one line a cell. Json: an object with
"decisions", "outcomes" and "costs" (rows are decisions).
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import threading
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from isocost.exact import exact_number, number_text
from isocost.exceptions import CostMatrixError, IsocostError
from isocost.labels import Label, is_label

if TYPE_CHECKING:
    from isocost.costs import CostMatrix, Rows

__all__ = ["read_costs", "triples_of", "write_atomically", "write_costs"]

Form = Literal["wide", "long"]
Table = list[list[object]]
Parsed = tuple[Table, list[Label] | None, list[Label] | None]

CORNERS = {"decision": "decisions", "decisions": "decisions", "outcome": "outcomes", "outcomes": "outcomes"}
LONG = {"decision", "outcome", "cost"}


def read_costs(path: str | PathLike[str], rows: Rows | None = None) -> Parsed:
    """Table, decision labels and outcome labels of a file.

    Parameters
    ----------
    path : path
        Ends in .csv, .tsv, .json or .parquet; text in UTF-8, with or without byte order mark.
    rows : {"decisions", "outcomes"}, optional
        Needed where a wide file does not say what its rows are.
    """
    path = Path(path)
    if rows not in (None, "decisions", "outcomes"):
        raise CostMatrixError(f'rows must be "decisions" or "outcomes"; got {rows!r}')
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        from isocost.frames.costs import csv_of_parquet

        text, suffix = csv_of_parquet(path), ".csv"
    else:
        text = _text_of(path)
    try:
        return _parse_json(text, rows) if suffix == ".json" else _parse_csv(text, suffix, rows)
    except CostMatrixError as error:
        raise CostMatrixError(f"{path}: {error}") from None


def _text_of(path: Path) -> str:
    if path.suffix.lower() not in (".csv", ".tsv", ".json"):
        raise CostMatrixError(f"a cost matrix file must end in .csv, .tsv, .json or .parquet; got {path}")
    content = path.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CostMatrixError(
            f"{path} must be UTF-8; byte {error.start}, in line {line}, is not. Save it as UTF-8 (in a spreadsheet: "
            "CSV UTF-8)"
        ) from None


# -- csv ----------------------------------------------------------------------------------------


def _parse_csv(text: str, suffix: str, rows: Rows | None) -> Parsed:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if suffix == ".tsv" else _delimiter(text))
    try:
        lines = [
            (reader.line_num, [cell.strip() for cell in line]) for line in reader if any(cell.strip() for cell in line)
        ]
    except csv.Error as error:
        raise CostMatrixError(f"line {reader.line_num}: not {suffix[1:]}: {error}") from None
    if not lines:
        raise CostMatrixError("a cost matrix needs at least one decision and one outcome; the file is empty")
    width = len(lines[0][1])
    if width == 1:
        marks = "tabs" if suffix == ".tsv" else "commas, semicolons or tabs"
        raise CostMatrixError(f"line {lines[0][0]} must have at least two cells, separated by {marks}; it has one")
    for number, line in lines:
        if len(line) != width:
            raise CostMatrixError(
                f"all lines must have the same number of cells; line {lines[0][0]} has {width}, line {number} has "
                f"{len(line)}"
            )
    header = [cell.lower() for cell in lines[0][1]]
    if set(header) >= LONG:
        return _long_csv(lines, header)
    if not any(_is_number(cell) for cell in lines[0][1][1:]) or header[0] in CORNERS or header[0] == "":
        return _wide_csv(lines, rows)
    if not _is_number(header[0]):
        raise CostMatrixError(
            f"line {lines[0][0]} must hold a corner cell and the labels of the columns, or numbers only; got "
            f'{lines[0][1][0]!r} and numbers. If these are labels, put "decision" or "outcome" into the corner '
            "cell; if they are costs, add a header line"
        )
    return _bare_csv(lines, rows)


def _delimiter(text: str) -> str:
    """What follows a corner cell that says what rows are, else the commonest mark outside quotes."""
    known = re.match(r"""\s*"?(?:decisions?|outcomes?|cost)"?[ ]*([,;\t])""", text, re.IGNORECASE)
    if known:
        return known[1]
    first = re.sub(r'"[^"]*"', "", text).lstrip("\r\n").splitlines()[:1]
    return max(",;\t", key="".join(first).count)


def _long_csv(lines: list[tuple[int, list[str]]], header: list[str]) -> Parsed:
    for name in LONG:
        if header.count(name) > 1:
            raise CostMatrixError(f"the column {name} must appear once; it is repeated")
    at = [header.index(name) for name in ("decision", "outcome", "cost")]
    cells: dict[tuple[str, str], object] = {}
    for number, line in lines[1:]:
        decision, outcome, value = (line[i] for i in at)
        if (decision, outcome) in cells:
            raise CostMatrixError(f"line {number}: decision {decision!r} with outcome {outcome!r} is repeated")
        cells[decision, outcome] = _cost_cell(value, number, at[2])
    if not cells:
        raise CostMatrixError("a cost matrix needs at least one decision and one outcome; the file has a header only")
    decisions = list(dict.fromkeys(decision for decision, _ in cells))
    outcomes = list(dict.fromkeys(outcome for _, outcome in cells))
    missing = [(d, o) for d in decisions for o in outcomes if (d, o) not in cells]
    if missing:
        raise CostMatrixError(
            f"every decision needs a cost for every outcome; decision {missing[0][0]!r} has none for {missing[0][1]!r}"
        )
    return [[cells[d, o] for o in outcomes] for d in decisions], _labels(decisions), _labels(outcomes)


def _wide_csv(lines: list[tuple[int, list[str]]], rows: Rows | None) -> Parsed:
    header, body = lines[0][1], lines[1:]
    if not body:
        raise CostMatrixError("a cost matrix needs at least one decision and one outcome; the file has labels only")
    table: Table = [[_cost_cell(cell, number, i + 1) for i, cell in enumerate(line[1:])] for number, line in body]
    side, top = [line[0] for _, line in body], header[1:]
    corner = CORNERS.get(header[0].lower())
    if corner and rows and corner != rows:
        raise CostMatrixError(f"the corner cell says that rows are {corner}; rows={rows!r} contradicts it")
    meaning = corner or rows
    if corner is None and header[0] != "" and all(_is_number(cell) for cell in side):
        raise CostMatrixError(
            f"the first column holds numbers below {header[0]!r}, so it may be labels or costs: if they are labels, "
            'put "decision" or "outcome" into the corner cell; if they are costs, add a first column with labels'
        )
    if meaning is None and _ambiguous(side, top, table):
        raise CostMatrixError(
            "rows and columns have the same labels and the table is not symmetric, so it must say which are the "
            'decisions: put "decision" or "outcome" into the corner cell, or pass rows="decisions" or rows="outcomes"'
        )
    if meaning == "outcomes":
        table, side, top = [list(column) for column in zip(*table, strict=True)], top, side
    return table, _labels(side), _labels(top)


def _bare_csv(lines: list[tuple[int, list[str]]], rows: Rows | None) -> Parsed:
    table: Table = [[_cost_cell(cell, number, i) for i, cell in enumerate(line)] for number, line in lines]
    if rows is None and not _symmetric(table):
        raise CostMatrixError(
            'a table without labels that is not symmetric must say what its rows are: pass rows="decisions" or '
            'rows="outcomes", or better add a header line and a first column with labels'
        )
    if rows == "outcomes":
        table = [list(column) for column in zip(*table, strict=True)]
    return table, None, None


def _cost_cell(cell: str, line: int, column: int) -> object:
    try:
        return exact_number(cell)
    except ValueError as error:
        raise CostMatrixError(f"line {line}, column {column + 1}: costs must be finite numbers: {error}") from None


def _is_number(cell: str) -> bool:
    try:
        exact_number(cell)
    except ValueError:
        return False
    return True


def _symmetric(table: Table) -> bool:
    return len(table) == len(table[0]) and all(table[i][j] == table[j][i] for i in range(len(table)) for j in range(i))


def _ambiguous(side: list[str], top: list[str], table: Table) -> bool:
    """Whether rows and columns have the same labels, in whatever order, and swapping them changes costs."""
    if sorted(side) != sorted(top):
        return False
    return not _symmetric([table[side.index(label)] for label in top])


def _labels(texts: list[str]) -> list[Label]:
    """Texts as labels: integers where all of an axis are, so that they equal integer outcomes."""
    if all(re.fullmatch(r"0|-?[1-9]\d*", text) for text in texts):
        return [int(text) for text in texts]
    return list(texts)


# -- json ---------------------------------------------------------------------------------------


def _parse_json(text: str, rows: Rows | None) -> Parsed:
    try:
        # Numbers stay text, so that 0.1 is exactly 1/10; NaN and Infinity are not JSON.
        content = json.loads(text, parse_float=_JsonNumber, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise CostMatrixError(f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise CostMatrixError('lists are nested too deeply; "costs" is a list of rows') from None
    except ValueError as error:
        raise (
            error if isinstance(error, CostMatrixError) else CostMatrixError(f"a number is too long: {error}")
        ) from None
    if not isinstance(content, dict) or "costs" not in content:
        raise CostMatrixError('a json file must be an object with "decisions", "outcomes" and "costs"')
    unknown = set(content) - {"decisions", "outcomes", "costs"}
    if unknown:
        raise CostMatrixError(f'"decisions", "outcomes" and "costs" are allowed; got also {sorted(unknown)}')
    if rows is not None and rows != "decisions":
        raise CostMatrixError('in a json file rows are decisions; rows="outcomes" contradicts it')
    if not isinstance(content["costs"], list):
        raise CostMatrixError(f'"costs" must be a list of rows; got {content["costs"]!r}')
    table = [
        [str(x) if isinstance(x, _JsonNumber) else x for x in row] if isinstance(row, list) else row
        for row in content["costs"]
    ]
    sides = [content.get(name) for name in ("decisions", "outcomes")]
    for name, side in zip(("decisions", "outcomes"), sides, strict=True):
        if not isinstance(side, list):
            raise CostMatrixError(f'"{name}" must be a list of labels; got {side!r}')
    decisions, outcomes = ([float(x) if isinstance(x, _JsonNumber) else x for x in side or []] for side in sides)
    return table, decisions, outcomes


class _JsonNumber(str):
    """A JSON number kept as its text."""


def _refuse_constant(name: str) -> None:
    raise CostMatrixError(f"costs must be finite numbers: {name} is not")


# -- long tables --------------------------------------------------------------------------------


def triples_of(frame: Any) -> list[tuple[Label, Label, object]]:
    """(decision, outcome, cost) triples of a table with these columns, or of an iterable."""
    rows = hasattr(frame, "__array__") and (hasattr(frame, "iterrows") or hasattr(frame, "iter_rows"))
    if not (rows or isinstance(frame, dict)) and (hasattr(frame, "collect_schema") or hasattr(frame, "columns")):
        from isocost.frames.costs import long_columns

        frame = long_columns(frame)
    if hasattr(frame, "columns") or isinstance(frame, dict):
        names = list(frame.columns) if hasattr(frame, "columns") else list(frame)
        missing = [name for name in ("decision", "outcome", "cost") if name not in names]
        if missing:
            raise CostMatrixError(f"a long table needs the columns decision, outcome and cost; got {names}")
        columns = [_column(frame, name) for name in ("decision", "outcome", "cost")]
        if len({len(column) for column in columns}) > 1:
            raise CostMatrixError(
                "the columns decision, outcome and cost must have the same length; got "
                + ", ".join(str(len(column)) for column in columns)
            )
        frame = zip(*columns, strict=True)
    if isinstance(frame, (str, bytes)) or not isinstance(frame, Iterable):
        raise CostMatrixError(f"from_long needs a table or (decision, outcome, cost) triples; got {frame!r}")
    triples = []
    for i, item in enumerate(frame):
        parts = tuple(item) if isinstance(item, Iterable) and not isinstance(item, (str, bytes)) else (item,)
        if len(parts) != 3:
            raise CostMatrixError(f"each entry must be (decision, outcome, cost); entry {i} is {item!r}")
        decision, outcome, value = (x.item() if isinstance(x, np.generic) and j < 2 else x for j, x in enumerate(parts))
        for name, label in (("decision", decision), ("outcome", outcome)):
            if not is_label(label):
                raise CostMatrixError(f"each entry needs a label for its {name}; entry {i} has {label!r}")
        triples.append((decision, outcome, value))
    if not triples:
        raise CostMatrixError("a cost matrix needs at least one decision and one outcome; the table is empty")
    return triples


def _column(frame: Any, name: str) -> list[Any]:
    column = frame[name]
    if isinstance(column, (str, bytes)) or not isinstance(column, Iterable):
        raise CostMatrixError(f"the column {name} must be a list; got {column!r}")
    return list(column)


# -- writing ------------------------------------------------------------------------------------


def write_costs(cost: CostMatrix, path: str | PathLike[str], form: Form = "wide", overwrite: bool = False) -> None:
    """Write a csv or tsv, wide with its corner cell or long, or a json file, exact to the last digit."""
    path = Path(path)
    suffix = path.suffix.lower()
    if form not in ("wide", "long"):
        raise CostMatrixError(f'form must be "wide" or "long"; got {form!r}')
    texts = [[number_text(x) for x in line] for line in cost.exact]
    lines: list[list[Any]]
    if suffix in (".csv", ".tsv"):
        if form == "long":
            lines = [["decision", "outcome", "cost"]]
            for decision, line in zip(cost.decisions, texts, strict=True):
                lines += [[decision, outcome, text] for outcome, text in zip(cost.outcomes, line, strict=True)]
        elif {str(label).strip().lower() for label in cost.outcomes} >= LONG - {"decision"}:
            raise CostMatrixError(
                'outcomes called outcome and cost would make a wide table look long; write it with form="long"'
            )
        else:
            lines = [["decision", *cost.outcomes]]
            lines += [[decision, *line] for decision, line in zip(cost.decisions, texts, strict=True)]
        content = "".join(_csv_line(line, "\t" if suffix == ".tsv" else ",") for line in lines)
    elif suffix == ".json":
        if form == "long":
            raise CostMatrixError('form="long" is for csv and tsv; a json file has one form')
        labels = {"decisions": list(cost.decisions), "outcomes": list(cost.outcomes)}
        for name, side in labels.items():
            strange = [label for label in side if not isinstance(label, (str, int, float))]
            if strange:
                raise CostMatrixError(f"{name} must be text or numbers to be written as json; got {strange[0]!r}")
        head = ",\n ".join(f"{json.dumps(name)}: {json.dumps(side)}" for name, side in labels.items())
        # A fraction without finite decimals is written as text: "1/3".
        body = ",\n  ".join("[" + ", ".join(json.dumps(x) if "/" in x else x for x in line) + "]" for line in texts)
        content = f'{{{head},\n "costs": [\n  {body}]\n}}\n'
    else:
        raise CostMatrixError(f"a cost matrix file must end in .csv, .tsv or .json; got {path}")
    write_atomically(path, content, overwrite)


def _csv_line(cells: list[Any], delimiter: str) -> str:
    """One line, where cells with either character of a line break are quoted."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=delimiter, lineterminator="\r\n").writerow(cells)
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def write_atomically(
    path: Path, content: str | bytes, overwrite: bool, error: type[IsocostError] = CostMatrixError
) -> None:
    """Write text (in UTF-8) or bytes beside the target, then rename, so that no reader meets half a file."""
    if path.exists() and not overwrite:
        raise error(f"{path} exists; choose another name or pass overwrite=True")
    if not path.parent.is_dir():
        raise error(f"{path.parent} must be an existing folder; make it before writing {path.name}")
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with temporary.open("xb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as failure:
        _forget(temporary)
        if failure.errno is None:
            raise
        # Of the file that was asked for, not of the temporary one.
        raise OSError(failure.errno, failure.strerror, str(path)) from None
    except BaseException:
        _forget(temporary)
        raise


def _forget(temporary: Path) -> None:
    with contextlib.suppress(OSError):
        temporary.unlink(missing_ok=True)
