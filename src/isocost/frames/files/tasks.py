"""What is done with files of predictions: audit, fit, apply."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isocost.auditing.auditor import audit_tally
from isocost.auditing.result import Audit
from isocost.auditing.settings import Settings
from isocost.choose import property_for
from isocost.costs import CostMatrix
from isocost.exceptions import PredictionError
from isocost.frames.apply import columns_for, with_decisions
from isocost.frames.columns import Columns, checked_columns
from isocost.frames.engines import opened
from isocost.frames.files.database import Database, Progress
from isocost.frames.files.sources import Paths, Source, source_of
from isocost.frames.files.writing import write_relation
from isocost.frames.fit import FINE, rule_of
from isocost.frames.inputs import Inputs
from isocost.frames.summing import Summing
from isocost.interface import Property
from isocost.linear_property import LinearProperty
from isocost.property import SmoothProperty
from isocost.rule_parts import checked_property

if TYPE_CHECKING:
    from isocost.rule import DecisionRule

__all__ = ["apply_files", "audit_files", "columns_of", "fit_files"]


def columns_of(paths: Paths) -> list[str]:
    """Names of the columns that all the files have, in the order of the first.

    Parameters
    ----------
    paths : path, glob, or list of them
    """
    with Database() as database:
        return list(source_of(database, paths).common)


def audit_files(
    cost: CostMatrix,
    paths: Paths,
    outcome: str,
    probabilities: Any = None,
    score: Any = None,
    decision: str | None = None,
    prop: Property | None = None,
    weight: str | None = None,
    group: str | None = None,
    cluster: str | None = None,
    memory_limit: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Audit:
    """Audit files larger than memory: one pass of DuckDB over them.

    Parameters
    ----------
    cost : CostMatrix
    paths : path, glob, or list of them
        Parquet, csv, tsv or json. Columns are matched by name, labels by their text.
    outcome, probabilities, score, decision, prop, weight, group, cluster
        Columns, as for :func:`isocost.audit_frame`.
    memory_limit : str, optional
        Such as "2GB".
    threads : int, optional
    progress : callable, optional
        Is called with the share that is done, from 0 to 1.
    **settings
        bins, norm, level, resamples and seed, as for :func:`isocost.audit`.
    """
    settings = {"bins": 20, "norm": 1, "level": 0.95, "resamples": 200, "seed": 0} | settings
    Settings(**settings)  # before the pass, not after it
    prop = property_for(cost) if prop is None else prop
    columns = checked_columns(prop, outcome, probabilities, score, decision, weight, group, cluster)
    with Database(memory_limit, threads, progress) as database:
        frame, files = _opened(database, source_of(database, paths), columns)
        tally = database.run(Summing(cost, prop, frame, columns, as_text=True, files=files).tally, 1.0)
    return replace(audit_tally(tally, **settings), columns=columns.pairing(cost.outcomes))


def fit_files(
    cost: CostMatrix,
    paths: Paths,
    outcome: str,
    probabilities: Any = None,
    score: Any = None,
    weight: str | None = None,
    prop: SmoothProperty | LinearProperty | None = None,
    memory_limit: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> DecisionRule:
    """Fit a rule on files larger than memory, in one pass; see :func:`isocost.fit_frame`.

    Parameters
    ----------
    cost : CostMatrix
    paths : path, glob, or list of them
    outcome, probabilities, score, weight, prop
        As for :func:`isocost.fit_frame`.
    memory_limit, threads, progress
        As for :func:`audit_files`.
    """
    prop = checked_property(property_for(cost) if prop is None else prop)
    columns = checked_columns(prop, outcome, probabilities, score, None, weight)
    with Database(memory_limit, threads, progress) as database:
        frame, files = _opened(database, source_of(database, paths), columns)
        summing = Summing(cost, prop, frame, columns, as_text=True, cells=FINE, predicted=False, files=files)
        return rule_of(database.run(summing.tally, 1.0))


def apply_files(
    rule: DecisionRule,
    paths: Paths,
    output: str | PathLike[str],
    probabilities: Any = None,
    score: Any = None,
    overwrite: bool = False,
    memory_limit: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Decide all rows of files larger than memory, and write them with score and decision; returns their number.

    All rows are checked first; if one cannot be read nothing is written. The output appears whole or not
    at all: it is written beside, made durable, and renamed.

    Parameters
    ----------
    rule : DecisionRule
    paths : path, glob, or list of them
    output : path
        Ends in .parquet, .csv or .tsv. Never one of the inputs.
    probabilities, score
        As for :meth:`isocost.DecisionRule.apply`.
    overwrite : bool
        Replace an existing output, and columns called score or decision.
    memory_limit, threads, progress
        As for :func:`audit_files`.

    Returns
    -------
    int
    """
    columns = columns_for(rule, probabilities, score)
    with Database(memory_limit, threads, progress) as database:
        source = source_of(database, paths)
        target = _checked_output(Path(output), source, overwrite)
        frame, files = _opened(database, source, columns)
        inputs = Inputs(frame, columns, as_text=True, files=files)
        decided = with_decisions(rule, inputs, overwrite).to_native()
        rows = database.run(inputs.check, 0.3)
        write_relation(database, decided, target, 0.7)
    return rows


def _opened(database: Database, source: Source, columns: Columns) -> tuple[Any, Callable[[], Iterator[Any]]]:
    """All rows as one frame; and each file with its rows numbered, to look for an example in."""
    source.require(columns.names)
    weight = () if columns.weight is None else (columns.weight,)
    numbers = (*columns.probabilities, *columns.scores, *weight)

    def files() -> Iterator[Any]:
        return ((file, opened(rows)) for file, rows in source.one_by_one(database, numbers))

    return opened(source.relation(database, numbers)), files


def _checked_output(output: Path, source: Source, overwrite: bool) -> Path:
    if output.suffix.lower() not in (".parquet", ".csv", ".tsv"):
        raise PredictionError(f"the output must end in .parquet, .csv or .tsv; got {output}")
    for path in source.paths:
        if output.exists() and output.samefile(path):
            raise PredictionError(f"{output} is one of the inputs, which are never overwritten; choose another output")
    if output.is_dir() or not output.parent.is_dir():
        raise PredictionError(f"the output must be a file in an existing folder; got {output}")
    if output.exists() and not overwrite:
        raise PredictionError(f"{output} exists; choose another name or pass overwrite=True")
    return output
