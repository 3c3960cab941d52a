"""Rows as they arrive at an audit: outcomes, predictions of any kind, weights, clusters, groups; checked once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.costs import CostMatrix
from isocost.exceptions import PredictionError
from isocost.interface import Property
from isocost.labels import Label, is_label, positions_of
from isocost.probabilities import as_rows
from isocost.property import SmoothProperty
from isocost.scores import checked_scores
from isocost.weights import checked_weights

__all__ = ["Rows", "checked_clusters", "checked_groups", "checked_rows", "rows_in_table"]

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Rows:
    """Checked rows, those of weight 0 left out.

    Attributes
    ----------
    y : ndarray of int, shape (N,)
        Outcome positions.
    weights : ndarray, shape (N,)
    taken : ndarray of int, shape (N,), or None
        Row positions in the cost matrix of the decisions taken; None where they follow from a score of one number.
    own : ndarray of int
        Row positions in the cost matrix of the decisions of the property.
    scores : ndarray, shape (N,) or (N, d), or None
    probabilities : ndarray, shape (N, n), or None
    plug_in : ndarray of int, shape (N,), or None
        Decisions of the probabilities themselves, where others were taken.
    clusters : (labels, positions) or None
    kept : ndarray of bool
        Which of the rows given have a weight above 0.
    """

    y: Integers
    weights: Floats
    taken: Integers | None
    own: Integers
    scores: Floats | None
    probabilities: NDArray[np.floating] | None
    plug_in: Integers | None
    clusters: tuple[NDArray[np.generic], Integers] | None
    kept: NDArray[np.bool_]

    def at(self, which: NDArray[np.bool_] | Integers) -> Rows:
        """Some of the rows."""

        def part(x: Any) -> Any:
            return None if x is None else x[which]

        clusters = self.clusters and (self.clusters[0], self.clusters[1][which])
        return replace(
            self,
            **{
                name: part(getattr(self, name))
                for name in ("y", "weights", "taken", "scores", "probabilities", "plug_in")
            },
            clusters=clusters,
        )


def checked_rows(
    cost: CostMatrix,
    prop: Property,
    y: ArrayLike,
    probabilities: Any,
    scores: ArrayLike | None,
    decisions: ArrayLike | None,
    sample_weight: ArrayLike | None,
    clusters: ArrayLike | None,
) -> Rows:
    """Rows of an audit; decisions are those given, else those of the scores, else those of the probabilities."""
    if probabilities is None and scores is None and decisions is None:
        raise PredictionError("an audit needs `probabilities`, `scores` or `decisions`; got none of them")
    outcome = positions_of(y, cost.outcomes, "y")
    N = len(outcome)
    if N == 0:
        raise PredictionError("an audit needs at least one row; `y` is empty")
    own = rows_in_table(cost, prop)
    P = None if probabilities is None else as_rows(probabilities, cost.outcomes)
    of_P = None if P is None else prop.value(P)  # which checks the rows
    u = of_P if scores is None else _scores_of(scores, prop)
    for name, array in (("probabilities", P), ("scores", None if scores is None else u)):
        if array is not None and len(array) != N:
            raise PredictionError(f"`{name}` must have one row for each entry of `y`, {N}; got {len(array)}")
    taken = plug_in = None
    if decisions is not None:
        taken = positions_of(decisions, cost.decisions, "decisions")
        if len(taken) != N:
            raise PredictionError(f"`decisions` must have one entry for each entry of `y`, {N}; got {len(taken)}")
    elif u is not None and not (isinstance(prop, SmoothProperty) and (P is None or scores is None)):
        taken = own[prop.cell(u)]
    if of_P is not None and (decisions is not None or scores is not None):
        plug_in = own[prop.cell(of_P)]
    weights = checked_weights(sample_weight, N)
    kept = weights > 0
    rows = Rows(outcome, weights, taken, own, u, P, plug_in, checked_clusters(clusters, N), kept)
    return rows if kept.all() else rows.at(kept)


def rows_in_table(cost: CostMatrix, prop: Property) -> Integers:
    if prop.outcomes != cost.outcomes:
        raise PredictionError(
            f"`prop` must have the outcomes of the cost matrix, {list(cost.outcomes)}; it has {list(prop.outcomes)}"
        )
    where = {label: r for r, label in enumerate(cost.decisions)}
    unknown = [label for label in prop.decisions if label not in where]
    if unknown:
        raise PredictionError(
            f"`prop` must decide among the decisions of the cost matrix, {list(cost.decisions)}; got {unknown[0]!r}"
        )
    return np.array([where[label] for label in prop.decisions], dtype=np.intp)


def _scores_of(scores: ArrayLike, prop: Property) -> Floats:
    u = checked_scores(scores)
    shape = "(rows,)" if prop.method != "linear" else f"(rows, {prop.dimension})"
    if u.ndim != (1 if prop.method != "linear" else 2):
        raise PredictionError(f"`scores` must have shape {shape}; got shape {u.shape}")
    return u


def checked_clusters(clusters: ArrayLike | None, rows: int) -> tuple[NDArray[np.generic], Integers] | None:
    """Labels of the clusters, and the position of each row's among them."""
    if clusters is None:
        return None
    labels = _label_column(clusters, rows, "clusters")
    names, positions = np.unique(labels, return_inverse=True)
    if len(names) < 2:
        raise PredictionError(f"`clusters` must name at least two clusters; all rows are in {names.tolist()[0]!r}")
    return names, positions.reshape(-1)


def _label_column(values: ArrayLike, rows: int, name: str) -> NDArray[np.generic]:
    """A column of labels that can be compared with each other."""
    column = np.asarray(values)
    if column.shape != (rows,):
        raise PredictionError(f"`{name}` must have one entry for each row, {rows}; got shape {column.shape}")
    if column.dtype == object or column.dtype.kind == "f":
        plain = column.tolist()
        bad = next((i for i, x in enumerate(plain) if not is_label(x)), None)
        if bad is not None:
            raise PredictionError(f"`{name}` must have no missing entry; entry {bad} is {plain[bad]!r}")
        if column.dtype == object:
            kinds = {type(x) for x in plain}
            if len(kinds) > 1:
                names = ", ".join(sorted(kind.__name__ for kind in kinds))
                raise PredictionError(f"`{name}` must have entries of one type; got {names}. Convert them")
            column = np.array(plain) if kinds <= {str, int, float, bool} else column
    return column


def checked_groups(groups: Any, kept: NDArray[np.bool_]) -> dict[Label, NDArray[np.bool_]]:
    """Which of the rows kept are in each group: of a column of labels, or of named columns of yes and no."""
    if groups is None:
        return {}
    rows = len(kept)
    if isinstance(groups, Mapping):
        found: dict[Label, NDArray[np.bool_]] = {}
        for name, mask in groups.items():
            column = np.asarray(mask)
            if column.dtype != bool or column.shape != (rows,):
                raise PredictionError(
                    f"`groups[{name!r}]` must have one True or False for each row, {rows}; got dtype {column.dtype}, "
                    f"shape {column.shape}"
                )
            found[name] = column
    elif isinstance(groups, Iterable) and not isinstance(groups, (str, bytes)):
        column = _label_column(np.asarray(groups), rows, "groups")
        names, positions = np.unique(column, return_inverse=True)
        found = {name: positions.reshape(-1) == i for i, name in enumerate(names.tolist())}
    else:
        raise PredictionError(f"`groups` must be a column of labels, or name -> True/False columns; got {groups!r}")
    empty = [name for name, mask in found.items() if not mask.any()]
    if empty:
        raise PredictionError(f"every group must have a row; {empty[0]!r} has none")
    return {name: mask[kept] for name, mask in found.items() if mask[kept].any()}
