"""tally_frame: the sums of an audit from a frame of any engine, in one pass of that engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add, and_
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from isocost.auditing.grid import Grid
from isocost.auditing.rows import rows_in_table
from isocost.auditing.tally import Tally
from isocost.choose import property_for
from isocost.costs import CostMatrix
from isocost.exceptions import PredictionError
from isocost.frames.columns import Columns, Reader, checked_columns
from isocost.frames.engines import collected, opened, parts
from isocost.frames.expressions import decision_position, grid_cell, with_added, with_scores
from isocost.frames.faults import (
    LARGEST,
    Fault,
    fine,
    first_fault,
    label_faults,
    number_fault,
    probability_faults,
    raise_faults,
)
from isocost.frames.table import Keys, tally_from
from isocost.interface import Property
from isocost.labels import Labels
from isocost.probabilities import SUM_TOLERANCE
from isocost.property import SmoothProperty

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

    Frame: TypeAlias = "nw.DataFrame[Any] | nw.LazyFrame[Any]"

__all__ = ["Summing", "tally_frame"]

NO_WEIGHT = -1.0  # the key of rows of weight 0; faults have -2, -3, …


def tally_frame(
    cost: CostMatrix,
    frame: Any,
    outcome: str,
    probabilities: Any = None,
    score: Any = None,
    decision: str | None = None,
    prop: Property | None = None,
    weight: str | None = None,
    group: str | None = None,
    cluster: str | None = None,
) -> Tally:
    """Sums of the rows of a frame, to be added to those of others and audited with :func:`isocost.audit_tally`.

    Parameters
    ----------
    cost : CostMatrix
    frame : DataFrame, LazyFrame, Table or relation
        Of pandas, polars, pyarrow, DuckDB, PySpark, Dask or Ibis. Nothing is collected but the sums.
    outcome : str
    probabilities : list of str, or mapping of outcomes to str, optional
    score : str, or list of str, optional
    decision : str, optional
    prop : Property, optional
    weight : str, optional
    group : str, optional
    cluster : str, optional
        As for :func:`isocost.audit_frame`.

    Examples
    --------
    >>> import isocost as ic, pandas as pd
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> days = [pd.DataFrame({"y": ["ok", y], "done": ["keep", "drop"]}) for y in ("bad", "ok")]
    >>> one, two = (ic.tally_frame(cost, day, "y", decision="done") for day in days)
    >>> ic.audit_tally(one + two).mean_cost.value
    0.25
    """
    prop = property_for(cost) if prop is None else prop
    columns = checked_columns(prop, outcome, probabilities, score, decision, weight, group, cluster)
    return Summing(cost, prop, opened(frame), columns).tally()


@dataclass(frozen=True, eq=False)
class Summing:
    """A frame, and how its rows are summed.

    Attributes
    ----------
    cost : CostMatrix
    prop : Property
    frame : narwhals frame
    columns : Columns
    as_text : bool
        Labels match by their text, as those of files do.
    """

    cost: CostMatrix
    prop: Property
    frame: Frame
    columns: Columns
    as_text: bool = False

    def __post_init__(self) -> None:
        self.reader.require(self.columns.names)

    @cached_property
    def reader(self) -> Reader:
        """How columns are read, from the schema of the frame; no row is."""
        return Reader(self.frame.collect_schema(), self.as_text)

    @cached_property
    def keys(self) -> Keys:
        """By what rows are grouped."""
        of = self.columns
        scored = bool(of.scores or of.probabilities)
        grid = Grid(self.prop) if scored and isinstance(self.prop, SmoothProperty) else None
        decided = "given" if of.decision else None if grid else "property"
        plug_in = bool(of.probabilities and (of.decision or of.scores))
        return Keys(self.cost, self.prop, rows_in_table(self.cost, self.prop), grid, decided, plug_in)

    def tally(self) -> Tally:
        """The tally; the engine works now."""
        tables = [collected(self._summed(part)) for part in parts(self.frame)]
        raw = {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}
        keys, counts = raw["key"].astype(np.float64), raw["count"].astype(np.float64)
        if not counts.sum():
            raise PredictionError("an audit needs at least one row; the frame has none")
        raise_faults(keys, counts, self.faults, self._example)
        kept = keys >= 0
        if not kept.any():
            raise PredictionError(f"weights must be above 0 somewhere; all of {self.columns.weight!r} are 0")
        return tally_from({name: column[kept] for name, column in raw.items()}, self.keys)

    def _example(self, code: float, names: Sequence[str]) -> dict[str, Any]:
        """Values of one row that has the code for its key."""
        import narwhals.stable.v2 as nw

        chosen = {name: nw.col(f"raw{self.columns.names.index(name)}") for name in names}
        for part in parts(self.frame):
            found = collected(self._keyed(part).filter(nw.col("key") == code).select(**chosen).head(1))
            if len(found[names[0]]):
                return {name: column.tolist()[0] for name, column in found.items()}
        return {}  # another row each time it is read

    # -- expressions --------------------------------------------------------------------------------

    def _inputs(self, frame: Frame) -> Frame:
        """Columns of the frame under names of our own, as numbers: p0 …, u0 …, w, and 0 or 1 for each label."""
        import narwhals.stable.v2 as nw

        of, reader = self.columns, self.reader
        found: dict[str, nw.Expr] = {f"raw{i}": nw.col(name) for i, name in enumerate(of.names)}
        found |= {f"p{i}": reader.number(name, "probabilities") for i, name in enumerate(of.probabilities)}
        found |= {f"u{i}": reader.number(name, "scores") for i, name in enumerate(of.scores)}
        if of.weight is not None:
            found["w"] = reader.number(of.weight, "weights")
        for name, what, labels in self._labelled:
            for i, has in enumerate(reader.has_label(name, what, labels)):
                found[f"{what}{i}"] = nw.lit(0.0) if has is None else nw.when(has).then(1.0).otherwise(0.0)
        for what in self._groups:
            found[what] = reader.group(getattr(of, what))
        return frame.select(**found)

    @property
    def _labelled(self) -> list[tuple[str, str, Labels]]:
        """Columns of labels, what they are, and the labels."""
        of, cost = self.columns, self.cost
        named = ((of.outcome, "outcome", cost.outcomes), (of.decision, "decision", cost.decisions))
        return [(name, what, labels) for name, what, labels in named if name is not None]

    @property
    def _groups(self) -> list[str]:
        return [what for what in ("group", "cluster") if getattr(self.columns, what) is not None]

    @cached_property
    def faults(self) -> list[Fault]:
        """All that may be wrong with a row, in the order in which it is told."""
        import narwhals.stable.v2 as nw

        of, found = self.columns, []
        raw = {name: nw.col(f"raw{i}") for i, name in enumerate(of.names)}
        for name, what, labels in self._labelled:
            found += label_faults(name, what, labels, raw[name], nw.col(f"{what}_known") > 0)
        if of.probabilities:
            p = [nw.col(f"p{i}") for i in range(len(of.probabilities))]
            found += probability_faults(of.probabilities, p, nw.col("total"))
        found += [number_fault(name, "score", nw.col(f"u{i}"), -LARGEST) for i, name in enumerate(of.scores)]
        if of.weight is not None:
            found.append(number_fault(of.weight, "weight", nw.col("w"), 0.0))
        found += [Fault(nw.col(what).is_null(), f"no {what}", (getattr(of, what),)) for what in self._groups]
        return found

    @property
    def _sound(self) -> nw.Expr:
        """Whether a row has no fault; asked from both sides, so that neither null nor NaN passes."""
        import narwhals.stable.v2 as nw

        of = self.columns
        asked = [nw.col(f"{what}_known") > 0 for _, what, _ in self._labelled]
        if of.probabilities:
            asked += [nw.col(f"p{i}") >= 0 for i in range(len(of.probabilities))]
            asked.append((nw.col("total") - 1).abs() <= SUM_TOLERANCE)
        asked += [fine(nw.col(f"u{i}"), -LARGEST) for i in range(len(of.scores))]
        if of.weight is not None:
            asked.append(fine(nw.col("w"), 0.0))
        asked += [~nw.col(what).is_null() for what in self._groups]
        return reduce(and_, asked)

    def _keyed(self, frame: Frame) -> Frame:
        """Inputs, scores, their cells and offsets, and the key of each row."""
        import narwhals.stable.v2 as nw

        of, keys = self.columns, self.keys
        frame = self._inputs(frame)
        p = [f"p{i}" for i in range(len(of.probabilities))]
        given = tuple(f"u{i}" for i in range(len(of.scores)))
        columns = {"total": reduce(add, map(nw.col, p))} if p else {}
        for _, what, labels in self._labelled:
            flags = [nw.col(f"{what}{i}") for i in range(len(labels))]
            columns[f"{what}_known"] = reduce(add, flags)
            columns[what] = reduce(add, (flag * float(i) for i, flag in enumerate(flags)))
        frame = frame.with_columns(**columns)
        own: tuple[str, ...] = ()
        if p:
            frame, own = with_scores(frame, self.prop, p, "g")
        scores = given or own
        if keys.grid is not None:
            frame = grid_cell(frame, keys.grid, scores[0], "cell", "d")
        if keys.decided == "property":
            frame = decision_position(frame, self.prop, scores, "taken")
        if keys.plug_in:
            frame = decision_position(frame, self.prop, own, "plug_in")
        names = ("cell", "decision" if of.decision else "taken", "plug_in", "outcome")
        key: nw.Expr | None = None
        for name, size in zip(names, keys.sizes, strict=True):
            if size > 1 or name == "outcome":  # where there is but one there is no column
                key = nw.col(name) if key is None else key * float(size) + nw.col(name)
        if of.weight is not None:
            key = nw.when(nw.col("w") > 0).then(key).otherwise(NO_WEIGHT)
        return frame.with_columns(key=nw.when(self._sound).then(key).otherwise(first_fault(self.faults)))

    def _summed(self, frame: Frame) -> Frame:
        """A line for each key, with the number of rows and their sums."""
        import narwhals.stable.v2 as nw

        of = self.columns
        frame = self._keyed(frame)
        w = nw.col("w") if of.weight is not None else None

        def weighted(x: nw.Expr) -> nw.Expr:
            return x if w is None else w * x

        products: dict[str, nw.Expr] = {} if w is None else {"w": w, "w2": w * w}
        ends = {} if w is None else {"least_w": w.min(), "most_w": w.max()}
        if self.keys.grid is not None:
            d, u = nw.col("d"), nw.col("u0" if of.scores else "g")
            products |= {"d": weighted(d), "d2": weighted(d) * d}
            ends |= {"least_u": u.min(), "most_u": u.max()}
        misses = {}
        for j in range(len(of.probabilities)):
            p = nw.col(f"p{j}")
            products[f"p{j}"] = weighted(p)
            misses[f"miss{j}"] = weighted(p - nw.col(f"outcome{j}"))
        frame = with_added(frame, misses)
        products |= {name: nw.col(name) * nw.col(name) for name in misses}
        frame = with_added(frame, {f"sum_{name}": product for name, product in products.items()})
        return frame.group_by("key", *self._groups).agg(
            nw.len().alias("count"),
            *(nw.col(f"sum_{name}").sum().alias(name) for name in products),
            *(end.alias(name) for name, end in ends.items()),
        )
