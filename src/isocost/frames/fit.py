"""fit_frame: a rule fitted on a frame of any engine, from sums on a fine grid, in one pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from isocost.auditing.sums import COUNT, WEIGHT
from isocost.auditing.tally import Tally
from isocost.choose import property_for
from isocost.costs import CostMatrix
from isocost.frames.columns import checked_columns
from isocost.frames.engines import opened
from isocost.frames.summing import Summing
from isocost.linear_property import LinearProperty
from isocost.property import SmoothProperty
from isocost.recalibrate import IsotonicRecalibrator, SwapRecalibrator
from isocost.rule_parts import checked_property

if TYPE_CHECKING:
    from isocost.rule import DecisionRule

__all__ = ["FINE", "excess_bound", "fit_frame", "rule_of"]

FINE = 1 << 16  # cells of the score


def fit_frame(
    cost: CostMatrix,
    frame: Any,
    outcome: str,
    probabilities: Any = None,
    score: Any = None,
    weight: str | None = None,
    prop: SmoothProperty | LinearProperty | None = None,
) -> DecisionRule:
    """Fit a rule on labelled rows of a frame: the engine adds them up in one pass.

    A score of one number is recalibrated by isotonic regression of its sums on 65536 cells. That is the
    best nondecreasing function that is constant on each cell: its mean surrogate loss is above that of
    the fit on rows by at most ρ·(Γ_max - Γ_min)·s, ρ the largest |V| and s the largest share of a
    cell with more than one score. Where every cell has one score it is that fit. For a
    :class:`isocost.LinearProperty` decisions are swapped, which needs no cells and is exact.

    Parameters
    ----------
    cost : CostMatrix
    frame : DataFrame, LazyFrame, Table or relation
        Of pandas, polars, pyarrow, DuckDB, PySpark, Dask or Ibis.
    outcome : str
    probabilities : list of str, or mapping of outcomes to str, optional
    score : str, or list of str, optional
    weight : str, optional
        Columns, as for :func:`isocost.audit_frame`; probabilities or a score.
    prop : SmoothProperty or LinearProperty, optional
        ``property_for(cost)`` where absent.

    Returns
    -------
    DecisionRule
        Its fingerprint is that of the cells: no audit knows the rows again.

    Examples
    --------
    >>> import isocost as ic, pandas as pd
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> rows = pd.DataFrame({"y": ["ok", "ok", "ok", "bad"], "p": [0.8, 0.8, 0.8, 0.1], "q": [0.2, 0.2, 0.2, 0.9]})
    >>> rule = ic.fit_frame(cost, rows, "y", probabilities=["p", "q"])
    >>> rule.decide([[0.8, 0.2], [0.1, 0.9]]).tolist()
    ['keep', 'drop']
    """
    prop = checked_property(property_for(cost) if prop is None else prop)
    columns = checked_columns(prop, outcome, probabilities, score, None, weight)
    return rule_of(Summing(cost, prop, opened(frame), columns, cells=FINE, predicted=False).tally())


def rule_of(tally: Tally) -> DecisionRule:
    """The rule of a tally on a fine grid."""
    from isocost.rule import DecisionRule

    prop = checked_property(tally.prop)
    if tally.scores is None:
        swap = SwapRecalibrator(tally.cost).fit_sums(tally.taken.labels.value[:, :, WEIGHT], tally.rows)
        return DecisionRule(prop, swap=swap, cost=tally.cost)
    labels = tally.scores.labels.value
    some = labels[:, :, COUNT].any(axis=1)
    iso = IsotonicRecalibrator(prop).fit_cells(
        tally.scores.lowest[some], tally.scores.highest[some], labels[some][:, :, WEIGHT], tally.rows
    )
    return DecisionRule(prop, iso, cost=tally.cost)


def excess_bound(tally: Tally) -> float:
    """By how much, at most, the mean surrogate loss of ``rule_of(tally)`` is above that of the fit on rows.

    ρ·(Γ_max - Γ_min)·s. Proof: let f be the fit on rows, and g on each cell its value at the cell's
    highest score. g is nondecreasing and constant on cells, so no better than the fit on cells. On a
    cell g and f differ by at most the rise of f there, 0 if it has one score; the loss by ρ times
    that. The rises add up to at most Γ_max - Γ_min.
    """
    assert tally.scores is not None and isinstance(tally.prop, SmoothProperty)
    weights = tally.scores.labels.value[:, :, WEIGHT].sum(axis=1)
    spread = tally.scores.lowest < tally.scores.highest
    low, high = tally.prop.range
    steepest = np.abs(
        tally.prop.identification(np.r_[low, tally.prop.knots, high][:, None], np.arange(len(tally.prop.outcomes)))
    ).max()
    return float(steepest * (high - low) * (weights[spread] / weights.sum()).max(initial=0.0))
