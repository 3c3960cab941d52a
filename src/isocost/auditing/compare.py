"""compare: which of several ways to decide costs less, on the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from isocost.auditing.estimates import Estimate, mean_estimate
from isocost.auditing.frequencies import frequencies
from isocost.auditing.measures.mean_cost import beyond_other
from isocost.auditing.rows import checked_clusters
from isocost.auditing.settings import checked_level
from isocost.auditing.sums import label_sums
from isocost.costs import CostMatrix
from isocost.exceptions import PredictionError
from isocost.labels import Label, positions_of
from isocost.weights import checked_weights

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True)
class Comparison:
    """Mean costs on the same rows, and paired differences; made by :func:`isocost.compare`.

    Attributes
    ----------
    mean_costs : dict of label to Estimate
    differences : dict of label to Estimate
        Mean cost of each beyond that of the first, with intervals that hold together.
    """

    mean_costs: dict[Label, Estimate]
    differences: dict[Label, Estimate]

    def __str__(self) -> str:
        first = next(iter(self.mean_costs))
        lines = [f"{first}: mean cost {self.mean_costs[first]}"]
        for name, estimate in self.differences.items():
            verdict = "cheaper" if estimate.high < 0 else "dearer" if estimate.low > 0 else "no clear difference"
            lines.append(f"{name}: mean cost {self.mean_costs[name]}; {estimate} beyond {first}: {verdict}")
        return "\n".join(lines)


def compare(
    cost: CostMatrix,
    y: ArrayLike,
    decisions: Mapping[Any, ArrayLike],
    sample_weight: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
) -> Comparison:
    """Compare ways to decide by what they cost on the same rows.

    Parameters
    ----------
    cost : CostMatrix
    y : array_like of outcome labels, shape (N,)
    decisions : mapping of names to array_like of decision labels, each of shape (N,)
        At least two; all are compared with the first.
    sample_weight : array_like, shape (N,), optional
    clusters : array_like of labels, shape (N,), optional
        Rows with the same label depend on each other.
    level : float

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> found = ic.compare(cost, ["ok", "bad"] * 50, {"old": ["keep", "keep"] * 50, "new": ["keep", "drop"] * 50})
    >>> found.differences["new"].value, found.differences["new"].high < 0
    (-2.5, True)
    """
    checked_level(level)
    if not isinstance(decisions, Mapping) or len(decisions) < 2:
        raise PredictionError(f"compare needs at least two named columns of decisions; got {decisions!r}")
    outcomes = cost.positions(y)
    rows = len(outcomes)
    if rows == 0:
        raise PredictionError("compare needs at least one row; `y` is empty")
    weights, groups = checked_weights(sample_weight, rows), checked_clusters(clusters, rows)
    some = weights > 0
    taken = {}
    for name, column in decisions.items():
        taken[name] = positions_of(column, cost.decisions, f"decisions[{name!r}]")
        if len(taken[name]) != rows:
            raise PredictionError(
                f"`decisions[{name!r}]` must have one entry for each entry of `y`, {rows}; got {len(taken[name])}"
            )
    k, n = cost.costs.shape
    first = next(iter(taken))
    together = 1 - (1 - level) / (len(taken) - 1)
    means, differences = {}, {}
    for name, column in taken.items():
        keys = (column * k + taken[first])[some]
        of_clusters = groups and (groups[0], groups[1][some])
        pairs = frequencies(label_sums(keys, k * k, outcomes[some], n, weights[some], clusters=of_clusters))
        means[name] = mean_estimate(pairs, np.repeat(cost.costs, k, axis=0), level)
        if name != first:
            differences[name] = beyond_other(pairs, cost.costs, together)
    return Comparison(means, differences)
