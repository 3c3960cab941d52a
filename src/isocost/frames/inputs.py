"""Columns of a frame under names of our own, checked row by row in the pass that uses them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add, and_
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from isocost.exceptions import PredictionError
from isocost.frames.columns import Columns, Reader
from isocost.frames.engines import collected, parts
from isocost.frames.faults import (
    LARGEST,
    Fault,
    fine,
    first_fault,
    label_faults,
    message_of,
    number_fault,
    probability_faults,
)
from isocost.labels import Labels
from isocost.probabilities import SUM_TOLERANCE

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

    Frame: TypeAlias = "nw.DataFrame[Any] | nw.LazyFrame[Any]"

__all__ = ["ROW", "Inputs"]

ROW = "isocost: number of the row"  # from 1, in the frames of files


@dataclass(frozen=True, eq=False)
class Inputs:
    """A frame, and which of its columns are read as what.

    Attributes
    ----------
    frame : narwhals frame
    columns : Columns
    outcomes, decisions : tuple of labels
    as_text : bool
        Labels match by their text, as those of files do.
    files : callable, optional
        Gives each file's name and its rows, with their number as column ROW: where to look for an example.
    """

    frame: Frame
    columns: Columns
    outcomes: Labels = ()
    decisions: Labels = ()
    as_text: bool = False
    files: Callable[[], Iterable[tuple[str, Frame]]] | None = None

    def __post_init__(self) -> None:
        self.reader.require(self.columns.names)

    @cached_property
    def reader(self) -> Reader:
        """How columns are read, from the schema of the frame; no row is."""
        return Reader(self.frame.collect_schema(), self.as_text)

    @property
    def probabilities(self) -> list[str]:
        """p0, p1, …: as they are called in what is read."""
        return [f"p{i}" for i in range(len(self.columns.probabilities))]

    @property
    def scores(self) -> list[str]:
        """u0, u1, …"""
        return [f"u{i}" for i in range(len(self.columns.scores))]

    @property
    def groups(self) -> list[str]:
        """Of "group" and "cluster" those that there are."""
        return [what for what in ("group", "cluster") if getattr(self.columns, what) is not None]

    def read(self, part: Frame, kept: Sequence[str]) -> Frame:
        """Of a part of the frame, under names of our own.

        ``raw0``, ``raw1``, … are the columns `kept`; ``p0`` …, ``u0`` … and ``w`` are doubles, ``total`` the sum of
        the probabilities; ``outcome0`` … are 1 where the outcome is the first, … label, else 0, ``outcome`` is its
        position and ``outcome_known`` 1 if it has one; the same for ``decision``; ``group`` and ``cluster``.
        """
        import narwhals.stable.v2 as nw

        of, reader = self.columns, self.reader
        found: dict[str, nw.Expr] = {f"raw{i}": nw.col(name) for i, name in enumerate(kept)}
        for to, name in zip(self.probabilities, of.probabilities, strict=True):
            found[to] = reader.number(name, "probabilities")
        for to, name in zip(self.scores, of.scores, strict=True):
            found[to] = reader.number(name, "scores")
        if of.weight is not None:
            found["w"] = reader.number(of.weight, "weights")
        for name, what, labels in self._labelled:
            found[f"{what}_missing"] = nw.col(name).is_null()
            for i, has in enumerate(reader.has_label(name, what, labels)):
                found[f"{what}{i}"] = nw.lit(0.0) if has is None else nw.when(has).then(1.0).otherwise(0.0)
        for what in self.groups:
            found[what] = reader.group(getattr(of, what))
        part = part.select(**found)
        derived = {"total": reduce(add, map(nw.col, self.probabilities))} if of.probabilities else {}
        for _, what, labels in self._labelled:
            flags = [nw.col(f"{what}{i}") for i in range(len(labels))]
            derived[f"{what}_known"] = reduce(add, flags)
            derived[what] = reduce(add, (flag * float(i) for i, flag in enumerate(flags)))
        return part.with_columns(**derived) if derived else part

    @property
    def _labelled(self) -> list[tuple[str, str, Labels]]:
        """Columns of labels, what they are, and the labels."""
        named = ((self.columns.outcome, "outcome", self.outcomes), (self.columns.decision, "decision", self.decisions))
        return [(name, what, labels) for name, what, labels in named if name is not None]

    # -- rows that cannot be read -------------------------------------------------------------------

    @property
    def sound(self) -> nw.Expr:
        """Whether a row has no fault; asked from both sides, so that neither null nor NaN passes."""
        import narwhals.stable.v2 as nw

        asked = [nw.col(f"{what}_known") > 0 for _, what, _ in self._labelled]
        if self.probabilities:
            asked += [nw.col(name) >= 0 for name in self.probabilities]
            asked.append((nw.col("total") - 1).abs() <= SUM_TOLERANCE)
        asked += [fine(nw.col(name), -LARGEST) for name in self.scores]
        if self.columns.weight is not None:
            asked.append(fine(nw.col("w"), 0.0))
        asked += [~nw.col(what).is_null() for what in self.groups]
        return reduce(and_, asked)

    @cached_property
    def faults(self) -> list[Fault]:
        """All that may be wrong with a row, in the order in which it is told."""
        import narwhals.stable.v2 as nw

        of = self.columns
        found: list[Fault] = []
        for name, what, labels in self._labelled:
            found += label_faults(name, what, labels, nw.col(f"{what}_missing"), nw.col(f"{what}_known") > 0)
        if self.probabilities:
            found += probability_faults(of.probabilities, [nw.col(p) for p in self.probabilities], nw.col("total"))
        for name, to in zip(of.scores, self.scores, strict=True):
            found.append(number_fault(name, "score", nw.col(to), -LARGEST))
        if of.weight is not None:
            found.append(number_fault(of.weight, "weight", nw.col("w"), 0.0))
        return found + [Fault(nw.col(what).is_null(), f"no {what}", (getattr(of, what),)) for what in self.groups]

    def keyed(self, part: Frame, key: Any) -> Frame:
        """What was read with the column ``key``: the expression where a row is sound, else -2, -3, … for its fault."""
        import narwhals.stable.v2 as nw

        return part.with_columns(key=nw.when(self.sound).then(key).otherwise(first_fault(self.faults)))

    def refuse(self, keys: NDArray[np.float64], counts: NDArray[np.float64]) -> None:
        """Raise the error for keys that are faults, given how many rows each key has."""
        wrong = keys <= -2
        if not wrong.any():
            return
        numbers = np.bincount(-2 - keys[wrong].astype(int), counts[wrong], minlength=len(self.faults) + 1).astype(int)
        first = int(np.flatnonzero(numbers)[0])
        raise PredictionError(message_of(self.faults, numbers, int(counts.sum()), *self._example(first)))

    def check(self) -> int:
        """Number of rows, in a pass of its own; the error if some cannot be read."""
        import narwhals.stable.v2 as nw

        tables = [
            collected(self.keyed(self.read(part, ()), nw.lit(0.0)).group_by("key").agg(nw.len().alias("count")))
            for part in parts(self.frame)
        ]
        keys, counts = (np.concatenate([t[name] for t in tables]).astype(np.float64) for name in ("key", "count"))
        self.refuse(keys, counts)
        return int(counts.sum())

    def _example(self, fault: int) -> tuple[dict[str, Any], str]:
        """Values of one row with a fault, and which row it is; empty if it is not found again."""
        import narwhals.stable.v2 as nw

        if fault >= len(self.faults):
            return {}, ""
        names = self.faults[fault].columns
        kept = (*names, ROW) if self.files else names
        for file, part in self.files() if self.files else (("", part) for part in parts(self.frame)):
            rows = self.keyed(self.read(part, kept), nw.lit(0.0)).filter(nw.col("key") == -2.0 - fault)
            found = collected(rows.select(**{name: nw.col(f"raw{i}") for i, name in enumerate(kept)}).head(1))
            if len(found[names[0]]):
                values = {name: column.tolist()[0] for name, column in found.items()}
                where = f"row {int(values.pop(ROW)):,} of {file}" if self.files else "the one"
                return values, where
        return {}, ""
