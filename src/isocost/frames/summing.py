"""tally_frame: the sums of an audit from a frame of any engine, in one pass of that engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from isocost.auditing.grid import CELLS, Grid
from isocost.auditing.rows import rows_in_table
from isocost.auditing.tally import Tally
from isocost.choose import property_for
from isocost.costs import CostMatrix
from isocost.exceptions import PredictionError
from isocost.frames.columns import Columns, checked_columns
from isocost.frames.engines import collected, opened, parts
from isocost.frames.expressions import decision_position, grid_cell, with_added, with_scores
from isocost.frames.inputs import Inputs
from isocost.frames.table import Keys, tally_from
from isocost.interface import Property
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
    cells : int
        Of the score.
    predicted : bool
        Whether probabilities are summed up too, beside their score.
    files : callable, optional
        As for Inputs.
    """

    cost: CostMatrix
    prop: Property
    frame: Frame
    columns: Columns
    as_text: bool = False
    cells: int = CELLS
    predicted: bool = True
    files: Callable[[], Iterable[tuple[str, Frame]]] | None = None

    @cached_property
    def inputs(self) -> Inputs:
        """What is read of the frame."""
        return Inputs(self.frame, self.columns, self.cost.outcomes, self.cost.decisions, self.as_text, self.files)

    @cached_property
    def keys(self) -> Keys:
        """By what rows are grouped."""
        of = self.columns
        scored = bool(of.scores or of.probabilities)
        grid = Grid(self.prop, self.cells) if scored and isinstance(self.prop, SmoothProperty) else None
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
        self.inputs.refuse(keys, counts)
        kept = keys >= 0
        if not kept.any():
            raise PredictionError(f"weights must be above 0 somewhere; all of {self.columns.weight!r} are 0")
        return tally_from({name: column[kept] for name, column in raw.items()}, self.keys)

    def _keyed(self, part: Frame) -> Frame:
        """Inputs, scores, their cells and offsets, and the key of each row."""
        import narwhals.stable.v2 as nw

        of, keys = self.columns, self.keys
        part = self.inputs.read(part, ())
        own: tuple[str, ...] = ()
        if of.probabilities:
            part, own = with_scores(part, self.prop, self.inputs.probabilities, "g")
        scores = self.inputs.scores or own
        if keys.grid is not None:
            part = grid_cell(part, keys.grid, scores[0], "cell", "d")
        if keys.decided == "property":
            part = decision_position(part, self.prop, scores, "taken")
        if keys.plug_in:
            part = decision_position(part, self.prop, own, "plug_in")
        names = ("cell", "decision" if of.decision else "taken", "plug_in", "outcome")
        key: nw.Expr | None = None
        for name, size in zip(names, keys.sizes, strict=True):
            if size > 1 or name == "outcome":  # where there is but one there is no column
                key = nw.col(name) if key is None else key * float(size) + nw.col(name)
        if of.weight is not None:
            key = nw.when(nw.col("w") > 0).then(key).otherwise(NO_WEIGHT)
        return self.inputs.keyed(part, key)

    def _summed(self, part: Frame) -> Frame:
        """A line for each key, with the number of rows and their sums."""
        import narwhals.stable.v2 as nw

        of, scores = self.columns, self.inputs.scores
        part = self._keyed(part)
        w = nw.col("w") if of.weight is not None else None

        def weighted(x: nw.Expr) -> nw.Expr:
            return x if w is None else w * x

        products: dict[str, nw.Expr] = {} if w is None else {"w": w, "w2": w * w}
        ends = {} if w is None else {"least_w": w.min(), "most_w": w.max()}
        if self.keys.grid is not None:
            d, u = nw.col("d"), nw.col(scores[0] if scores else "g")
            products |= {"d": weighted(d), "d2": weighted(d) * d}
            ends |= {"least_u": u.min(), "most_u": u.max()}
        misses = {}
        for j, name in enumerate(self.inputs.probabilities if self.predicted else ()):
            products[name] = weighted(nw.col(name))
            misses[f"miss{j}"] = weighted(nw.col(name) - nw.col(f"outcome{j}"))
        part = with_added(part, misses)
        products |= {name: nw.col(name) * nw.col(name) for name in misses}
        part = with_added(part, {f"sum_{name}": product for name, product in products.items()})
        return part.group_by("key", *self.inputs.groups).agg(
            nw.len().alias("count"),
            *(nw.col(f"sum_{name}").sum().alias(name) for name in products),
            *(end.alias(name) for name, end in ends.items()),
        )
