"""The table that an engine returns, one line for each key, and the tally that it amounts to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.compensated import Compensated
from isocost.auditing.grid import Grid
from isocost.auditing.sums import ClusterSums, Sums, merged_weights
from isocost.auditing.tally import Tally
from isocost.costs import CostMatrix
from isocost.exceptions import PredictionError
from isocost.interface import Property
from isocost.labels import Label

__all__ = ["MOST_GROUPS", "Keys", "tally_from"]

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

MOST_GROUPS = 1000  # each holds the sums of all cells


@dataclass(frozen=True, eq=False)
class Keys:
    """By what rows are grouped: one number for the cell of the score, decisions and the outcome.

    Attributes
    ----------
    cost : CostMatrix
    prop : Property
    own : ndarray of int
        Row positions in the cost matrix of the decisions of the property.
    grid : Grid or None
        Of the score, where there is one of one number.
    decided : {"given", "property"} or None
        Whose decisions are part of the key; None where they follow from the cell.
    plug_in : bool
        Whether the decisions of the probabilities are.
    """

    cost: CostMatrix
    prop: Property
    own: Integers
    grid: Grid | None
    decided: str | None
    plug_in: bool

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """How many cells, decisions taken, plug-in decisions and outcomes there are."""
        k, n = self.cost.costs.shape
        taken = {None: 1, "given": k, "property": len(self.own)}[self.decided]
        return self.grid.size if self.grid else 1, taken, len(self.own) if self.plug_in else 1, n

    def split(self, keys: Integers) -> tuple[Integers, Integers, Integers, Integers]:
        """Cell, decision taken and plug-in decision, both rows of the cost matrix, and outcome of each key."""
        cell, taken, plug_in, outcome = np.unravel_index(keys, self.sizes)
        of_row = self.own[taken] if self.decided == "property" else taken
        return cell, of_row, self.own[plug_in], outcome


def tally_from(raw: Mapping[str, NDArray[Any]], keys: Keys) -> Tally:
    """The tally of a table with the columns key, count and sums, and those of each group."""
    groups = raw.get("group")
    clusters = None
    if "cluster" in raw:
        names, positions = np.unique(_labels(raw["cluster"]), return_inverse=True)
        if len(names) < 2:
            raise PredictionError(f"`cluster` must name at least two clusters; all rows are in {names.tolist()[0]!r}")
        clusters = names, positions.reshape(-1)
    table = {name: column for name, column in raw.items() if name not in ("group", "cluster")}
    whole = _tally(table, keys, clusters)
    if groups is None:
        return whole
    labels, of_line = np.unique(_labels(groups), return_inverse=True)
    if len(labels) > MOST_GROUPS:
        raise PredictionError(
            f"`group` must have at most {MOST_GROUPS} different values; it has {len(labels)}. Is it an identifier?"
        )
    found: dict[Label, Tally] = {}
    for i, label in enumerate(labels.tolist()):
        here = of_line.reshape(-1) == i
        part = {name: column[here] for name, column in table.items()}
        found[label] = _tally(part, keys, clusters and (clusters[0], clusters[1][here]))
    return Tally(
        whole.cost, whole.prop, whole.rows, whole.weights, whole.taken, whole.pairs, whole.cells, whole.scores, found
    )


def _labels(column: NDArray[Any]) -> NDArray[Any]:
    return np.array(column.tolist()) if column.dtype == object else column


def _tally(
    table: Mapping[str, NDArray[Any]], keys: Keys, clusters: tuple[NDArray[np.generic], Integers] | None
) -> Tally:
    cell, taken, plug_in, outcome = keys.split(table["key"].astype(np.intp))
    k, n = keys.cost.costs.shape
    lines = _Lines({name: column.astype(np.float64) for name, column in table.items()}, outcome, n, clusters)
    weights = (float(lines["least_w"].min()), float(lines["most_w"].max())) if "w" in table else (1.0, 1.0)
    scores = pairs = None
    if keys.grid is not None:
        scores = lines.sums(cell, keys.grid.size, scored=True)
    if keys.decided is None:
        assert scores is not None
        occupied = np.where(np.isfinite(scores.highest), scores.highest, 0.0)
        of_cell = keys.own[keys.prop.cell(occupied)]
        taken = of_cell[cell]
    if scores is not None and keys.decided is None and not keys.plug_in:
        decisions = scores.grouped(of_cell, k)
    else:
        decisions = lines.sums(taken, k)
    if keys.plug_in:
        pairs = lines.sums(taken * k + plug_in, k * k, predicted=False)
    rows = int(lines["count"].sum())
    return Tally(keys.cost, keys.prop, rows, weights, decisions, pairs, keys.grid, scores)


class _Lines:
    """Lines of the table: sums of rows, each of one outcome, to be added under coarser keys."""

    def __init__(
        self,
        columns: Mapping[str, Floats],
        outcome: Integers,
        n: int,
        clusters: tuple[NDArray[np.generic], Integers] | None,
    ) -> None:
        self.columns, self.outcome, self.n, self.clusters = columns, outcome, n, clusters

    def __getitem__(self, name: str) -> Floats:
        return self.columns[name]

    def sums(self, keys: Integers, size: int, scored: bool = False, predicted: bool = True) -> Sums:
        """Sums at the given keys, with those of the score, and those of the predictions, if there are any."""
        count, n = self["count"], self.n
        w, w2 = (self["w"], self["w2"]) if "w" in self.columns else (count, count)
        labels = np.zeros((size, n, 5))
        low, high = np.full(size, np.inf), np.full(size, -np.inf)
        columns = [count, w, w2]
        if scored:
            columns += [self["d"], self["d2"]]
            np.minimum.at(low, keys, self["least_u"])
            np.maximum.at(high, keys, self["most_u"])
        for i, column in enumerate(columns):
            np.add.at(labels[:, :, i], (keys, self.outcome), column)
        at_cells = None
        if predicted and "p0" in self.columns:
            at_cells = np.zeros((size, n, 2))
            for j in range(n):
                np.add.at(at_cells[:, j, 0], keys, self[f"p{j}"])
                if self.clusters is None:
                    np.add.at(at_cells[:, j, 1], keys, self[f"miss{j}"])
            if self.clusters is not None:
                self._add_misses(at_cells[:, :, 1], keys, w, self.clusters[1])
        clusters = None
        if self.clusters is not None:
            names, positions = self.clusters
            clusters = ClusterSums(names, *merged_weights(positions, keys, self.outcome, w))
        zeros = np.zeros_like
        return Sums(
            Compensated(labels, zeros(labels)),
            None if at_cells is None else Compensated(at_cells, zeros(at_cells)),
            low,
            high,
            clusters,
        )

    def _add_misses(self, squares: Floats, keys: Integers, w: Floats, clusters: Integers) -> None:
        """Squares of Σ w·(p_j - 1{y=j}) over a cluster at a key: its rows do not vary by themselves."""
        misses = np.column_stack([self[f"p{j}"] for j in range(self.n)])
        misses[np.arange(len(w)), self.outcome] -= w
        order = np.lexsort((keys, clusters))
        first = np.flatnonzero(np.r_[True, (np.diff(clusters[order]) != 0) | (np.diff(keys[order]) != 0)])
        np.add.at(squares, keys[order][first], np.add.reduceat(misses[order], first, axis=0) ** 2)
