"""audit_frame: an audit of a frame of any engine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from isocost.auditing.auditor import audit_tally
from isocost.auditing.result import Audit
from isocost.choose import property_for
from isocost.costs import CostMatrix
from isocost.frames.columns import checked_columns
from isocost.frames.engines import opened
from isocost.frames.summing import Summing
from isocost.interface import Property

__all__ = ["audit_frame"]


def audit_frame(
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
    bins: int = 20,
    norm: float = 1,
    level: float = 0.95,
    resamples: int = 200,
    seed: int = 0,
) -> Audit:
    """Audit a frame of any engine: the engine adds up its rows in one pass, and nothing is collected but the sums.

    It finds what :func:`isocost.audit` finds on the same rows, but the paper's form of distribution
    calibration, which takes a second pass.

    Parameters
    ----------
    cost : CostMatrix
    frame : DataFrame, LazyFrame, Table or relation
        Of pandas, polars, pyarrow, DuckDB, PySpark, Dask or Ibis.
    outcome : str
        Column of outcome labels. Labels match by equality; a column of text has labels that are text.
    probabilities : list of str, or mapping of outcomes to str, optional
        A column for each outcome; a list is in the order of ``cost.outcomes``. ``columns`` of the
        result says what was read from which.
    score : str, or list of str, optional
        Column of scores in the units of `prop`; a list for a property of several numbers. Where
        given, decisions are those of the scores.
    decision : str, optional
        Column of the decisions taken, where they are not those of the scores or the probabilities.
    prop : Property, optional
        ``property_for(cost)`` where absent.
    weight : str, optional
        Column of weights, at least 0.
    group : str, optional
        The whole audit for each value of this column, with intervals that hold for all together.
    cluster : str, optional
        Rows with the same value depend on each other. One line is collected for each cluster, cell of
        the score and outcome.
    bins : int
    norm : {1, 2, math.inf}
    level : float
    resamples : int
    seed : int
        As for :func:`isocost.audit`.

    Examples
    --------
    >>> import isocost as ic, polars as pl
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> rows = pl.LazyFrame({"y": ["ok", "bad", "ok", "ok"], "p": [0.9, 0.1, 0.7, 0.9], "q": [0.1, 0.9, 0.3, 0.1]})
    >>> found = ic.audit_frame(cost, rows, outcome="y", probabilities={"bad": "q", "ok": "p"})
    >>> found.mean_cost.value, found.columns
    (0.25, {'outcome': 'y', 'probabilities': {'ok': 'p', 'bad': 'q'}})
    """
    prop = property_for(cost) if prop is None else prop
    columns = checked_columns(prop, outcome, probabilities, score, decision, weight, group, cluster)
    tally = Summing(cost, prop, opened(frame), columns).tally()
    found = audit_tally(tally, bins, norm, level, resamples, seed)
    return replace(found, columns=columns.pairing(cost.outcomes))
