"""Multicalibration over random, overlapping, weighted groups: every step lowers the surrogate loss by at least
Pr[cell]·z²/(2a), a the largest slope of V; where no step is left every cell keeps the tolerance.

Broken once: moving to the middle between score and root fails the fall; leaving everybody out of the
groups fails the tolerance; moving the whole level instead of the group's part fails both; a level
that does not take in the rows of an equal root, and the loss of a group in place of everybody's,
fail the replay.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from tests.laws.random_costs import smooth_all, strongly_orderable
from tests.laws.random_rows import rows_of


@given(strongly_orderable(least=2, outcomes=5, most=6), st.integers(0, 4), st.integers(0, 2**32), st.data())
def test_the_guarantee(cost: ic.CostMatrix, groups: int, seed: int, data: st.DataObject) -> None:
    rows = data.draw(rows_of(len(cost.outcomes)))
    masks = np.random.default_rng(seed).random((len(rows.scores), groups)) < 0.4
    labels = np.array(cost.outcomes)[rows.positions]
    shares = rows.weights / rows.weights.sum()
    everybody = np.column_stack([np.ones(len(masks), dtype=bool), masks])
    for prop in smooth_all(cost):
        multi = ic.Multicalibrator(prop, tolerance=0.01, bins=4, holdout=0, max_steps=10**5)
        multi.fit(rows.scores, labels, masks, sample_weight=rows.weights)
        assert multi.stopped_ == "tolerance"
        widths = np.diff(prop.knots)[:, None]
        steepest = max(1.0, float((np.diff(prop.values, axis=0) / widths).max(initial=0.0)))
        scale = multi.losses_[0] + 1e-300
        for step, fall in zip(multi.steps_, -np.diff(multi.losses_), strict=True):
            assert fall >= (1 - 1e-6) * step.mass * step.error**2 / (2 * steepest) - 1e-9 * scale
        spread = np.ptp(prop.values, axis=1).max()
        assert len(multi.steps_) <= 2 * steepest * multi.losses_[0] / (0.01 * spread) ** 2
        found = multi.predict(rows.scores, masks)
        assert abs(shares @ prop.loss(found, rows.positions) - multi.losses_[-1]) <= 1e-9 * scale
        signed = shares * prop.identification(found, rows.positions)
        for u in np.unique(found):
            for mask in everybody.T:
                cell = (found == u) & mask & (shares > 0)
                assert abs(signed[cell].sum()) <= 0.01 * spread * np.sqrt(shares[cell].sum()) + 1e-9 * spread


@given(strongly_orderable(least=2, outcomes=4, most=4), st.data())
def test_held_out_rows_end_it(cost: ic.CostMatrix, data: st.DataObject) -> None:
    rows = data.draw(rows_of(len(cost.outcomes)))
    labels, group = np.array(cost.outcomes)[rows.positions], rows.scores > 0
    multi = ic.Multicalibrator(ic.smooth(cost), bins=3, tolerance=1e-4)
    multi.fit(rows.scores, labels, {"high": group}, sample_weight=rows.weights)
    assert len(multi.losses_) == len(multi.held_out_losses_) == len(multi.steps_) + 1
    assert multi.held_out_losses_[-1] == multi.held_out_losses_.min()
    assert len(multi.predict(rows.scores, {"high": group})) == len(group)
