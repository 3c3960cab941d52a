"""An isotonic fit from a histogram has at most ρ·(Γ_max - Γ_min)·s more surrogate loss than the fit on rows.

s is the largest share of a cell with more than one score. Seen to catch: cells in the wrong order, weights left out,
the highest score of a block taken from its first cell.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.frames.columns import checked_columns
from isocost.frames.engines import opened
from isocost.frames.fit import excess_bound, rule_of
from isocost.frames.summing import Summing
from tests.laws.random_costs import strongly_orderable


@given(
    cost=strongly_orderable(least=2),
    seed=st.integers(0, 2**32),
    cells=st.sampled_from([2, 64, 1024, 1 << 14]),
    spread=st.floats(0.05, 2.0),
    weighted=st.booleans(),
    noise=st.sampled_from([0.0, 0.1]),
)
def test_the_loss_is_within_the_bound(
    cost: ic.CostMatrix, seed: int, cells: int, spread: float, weighted: bool, noise: float
) -> None:
    prop, random, rows = ic.smooth(cost), np.random.default_rng(seed), 200
    P = random.dirichlet(np.full(len(cost.outcomes), spread), rows)
    u = prop.value(P) + random.normal(size=rows) * noise * np.ptp(prop.range)  # some beyond the range
    y = np.minimum((P.cumsum(axis=1) < random.random((rows, 1))).sum(axis=1), len(cost.outcomes) - 1)
    w = random.exponential(size=rows) ** 3 if weighted else np.ones(rows)
    labels = [cost.outcomes[i] for i in y]
    frame = opened(pl.DataFrame({"u": u, "y": labels, "w": w}))
    columns = checked_columns(prop, "y", None, "u", None, "w")
    tally = Summing(cost, prop, frame, columns, cells=cells, predicted=False).tally()
    found = rule_of(tally).recalibration
    assert isinstance(found, ic.IsotonicRecalibrator)
    best = ic.IsotonicRecalibrator(prop).fit(u, labels, w)
    mine, least = (float(w @ prop.loss(fitted.predict(u), y)) / w.sum() for fitted in (found, best))
    rounding = 1e-12 * (1 + abs(least))
    assert least - rounding <= mine <= least + excess_bound(tally) + rounding
    assert (np.diff(found.values_) > 0).all()
