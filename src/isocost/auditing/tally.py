"""A tally: everything an audit needs to know of some rows, as sums. Tallies of parts of the data add up with +."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.auditing.grid import Atoms, Grid
from isocost.auditing.rows import Rows, checked_groups, checked_rows
from isocost.auditing.sums import ScoresAt, Sums, label_sums
from isocost.choose import property_for
from isocost.costs import CostMatrix
from isocost.exceptions import PredictionError
from isocost.interface import Property
from isocost.labels import Label
from isocost.property import SmoothProperty

__all__ = ["Tally", "tally", "tally_of"]


@dataclass(frozen=True, eq=False)
class Tally:
    """Sums of some rows; made by :func:`isocost.tally`.

    Attributes
    ----------
    cost : CostMatrix
    prop : Property
    rows : int
        Number of rows with a weight above 0.
    weights : (float, float)
        The least and the largest weight.
    taken : Sums
        A key for each decision of `cost`.
    pairs : Sums or None
        A key for each pair (decision taken, plug-in decision), where they may differ.
    cells : Grid or Atoms or None
        Of the score; None for a property of several numbers, or where there are only decisions.
    scores : Sums or None
        A key for each cell.
    groups : dict of label to Tally
    """

    cost: CostMatrix
    prop: Property
    rows: int
    weights: tuple[float, float]
    taken: Sums
    pairs: Sums | None = None
    cells: Grid | Atoms | None = None
    scores: Sums | None = None
    groups: dict[Label, Tally] = field(default_factory=dict)

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, Tally):
            return NotImplemented
        if (self.cost, self.prop) != (other.cost, other.prop):
            raise PredictionError("tallies that are added must have the same cost matrix and the same property")
        alike = [(getattr(t, x) is None) for t in (self, other) for x in ("pairs", "scores")]
        if alike[:2] != alike[2:] or type(self.cells) is not type(other.cells):
            raise PredictionError("tallies that are added must be of the same columns, and on the same grid")
        for x in ("predicted", "clusters"):
            if (getattr(self.taken, x) is None) != (getattr(other.taken, x) is None):
                raise PredictionError(f"tallies that are added must all have {x}, or none")
        cells, mine, others = _joined(self, other)
        groups = dict(self.groups)
        for name, part in other.groups.items():
            groups[name] = groups[name] + part if name in groups else part
        return replace(
            self,
            rows=self.rows + other.rows,
            weights=(min(self.weights[0], other.weights[0]), max(self.weights[1], other.weights[1])),
            taken=self.taken + other.taken,
            pairs=self.pairs + other.pairs if self.pairs and other.pairs else None,
            cells=cells,
            scores=mine + others if mine and others else None,
            groups=groups,
        )

    __radd__ = None  # sum() needs a start: functools.reduce(operator.add, tallies)


def _joined(one: Tally, two: Tally) -> tuple[Grid | Atoms | None, Sums | None, Sums | None]:
    """Cells of both, and the sums of each on them."""
    if not (isinstance(one.cells, Atoms) and isinstance(two.cells, Atoms) and one.scores and two.scores):
        return one.cells, one.scores, two.scores
    cells = Atoms(np.union1d(one.cells.origins, two.cells.origins))

    def moved(sums: Sums, origins: NDArray[np.float64]) -> Sums:
        return sums.moved(cells.keys(origins)[0], cells.size)

    return cells, moved(one.scores, one.cells.origins), moved(two.scores, two.cells.origins)


def tally(
    cost: CostMatrix,
    y: ArrayLike,
    probabilities: Any = None,
    scores: ArrayLike | None = None,
    decisions: ArrayLike | None = None,
    prop: Property | None = None,
    sample_weight: ArrayLike | None = None,
    groups: Any = None,
    clusters: ArrayLike | None = None,
    grid: int | None = 4096,
) -> Tally:
    """Sums of some rows, to be added to those of others and audited with :func:`isocost.audit_tally`.

    Parameters
    ----------
    cost : CostMatrix
    y : array_like of outcome labels, shape (N,)
    probabilities : array_like or frame, shape (N, n), optional
        In the order of ``cost.outcomes``, or a frame with one column for each outcome label.
    scores : array_like, shape (N,) or (N, d), optional
        Scores in the units of `prop`. Where given, decisions are theirs.
    decisions : array_like of decision labels, shape (N,), optional
        The decisions taken, where they are not those of the scores or the probabilities.
    prop : Property, optional
        ``property_for(cost)`` where absent.
    sample_weight : array_like, shape (N,), optional
    groups : array_like of labels, or mapping of names to boolean columns, optional
        The same sums for each group; groups of a mapping may overlap.
    clusters : array_like of labels, shape (N,), optional
        Rows with the same label depend on each other: repeated measurements.
    grid : 4096 or None
        Cells of the score; None keeps every distinct score.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> monday = ic.tally(cost, ["ok", "bad"], decisions=["keep", "drop"])
    >>> tuesday = ic.tally(cost, ["ok", "ok"], decisions=["keep", "drop"])
    >>> ic.audit_tally(monday + tuesday).mean_cost.value
    0.25
    """
    prop = property_for(cost) if prop is None else prop
    rows = checked_rows(cost, prop, y, probabilities, scores, decisions, sample_weight, clusters)
    return tally_of(cost, prop, rows, grid, checked_groups(groups, rows.kept))


def tally_of(
    cost: CostMatrix, prop: Property, rows: Rows, grid: int | None, masks: dict[Label, NDArray[np.bool_]]
) -> Tally:
    """Tally of checked rows."""
    cells = _cells(prop, rows, grid)
    whole = _tally(cost, prop, rows, cells)
    return replace(whole, groups={name: _tally(cost, prop, rows.at(mask), cells) for name, mask in masks.items()})


def _cells(prop: Property, rows: Rows, grid: int | None) -> Grid | Atoms | None:
    if grid not in (4096, None):
        raise PredictionError(f"grid must be 4096 cells, or None for every distinct score; got {grid!r}")
    if rows.scores is None or not isinstance(prop, SmoothProperty):
        return None
    return Grid(prop) if grid else Atoms(np.unique(rows.scores + 0.0))


def _tally(cost: CostMatrix, prop: Property, rows: Rows, cells: Grid | Atoms | None) -> Tally:
    k, n = cost.costs.shape
    common = {"y": rows.y, "n": n, "w": rows.weights, "clusters": rows.clusters}
    weights = (float(rows.weights.min()), float(rows.weights.max()))
    pairs = scores = None
    if cells is not None and rows.scores is not None:
        u = rows.scores + 0.0  # -0.0 is 0.0
        keys, offset = cells.keys(u)
        scores = label_sums(keys, cells.size, scores=ScoresAt(u, offset), P=rows.probabilities, **common)
    if rows.taken is not None:
        taken = label_sums(rows.taken, k, P=rows.probabilities, **common)
    else:  # the decisions are those of the cells
        assert scores is not None
        occupied = np.where(np.isfinite(scores.highest), scores.highest, 0.0)
        taken = scores.grouped(rows.own[prop.cell(occupied)], k)
    if rows.plug_in is not None:
        assert rows.taken is not None
        pairs = label_sums(rows.taken * k + rows.plug_in, k * k, **common)
    return Tally(cost, prop, len(rows.y), weights, taken, pairs, cells, scores)
