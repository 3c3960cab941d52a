"""Every block of the generalised PAV is Γ-calibrated on its own rows, for every construction, weights and ties.

Broken once: leaving out the sum of the lost parts in `_merge` fails the comparison of a million sums;
not merging equal values, or merging once instead of repeatedly, fails "strictly increasing"; a cell
for each row instead of each score fails everywhere; an unmoved distribution fails for `interior`;
E < 0 instead of E ≤ 0 fails where cells and rows are compared.
"""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from isocost.pav import ScoreBlocks, knots_of, pooled, pooled_scores
from tests.laws.random_costs import orderable, smooth_all, strongly_orderable
from tests.laws.random_rows import Rows, rows_of


def block_of(rows: Rows, blocks: ScoreBlocks) -> np.ndarray:
    return np.searchsorted(blocks.lowest, rows.scores, side="right") - 1


def check_blocks(prop: ic.SmoothProperty | ic.LinearProperty, rows: Rows) -> None:
    blocks = pooled_scores(*rows, prop)
    counted = rows.weights > 0
    block = block_of(rows, blocks)[counted]
    scores, positions, weights = (array[counted] for array in rows)
    assert (np.diff(blocks.values) > 0).all()
    assert (blocks.lowest[1:] > blocks.highest[:-1]).all()
    assert ((blocks.lowest[block] <= scores) & (scores <= blocks.highest[block])).all()
    assert set(block) == set(range(len(blocks.values)))
    for b, found in enumerate(blocks.label_weights):
        here = block == b
        exact = [math.fsum(weights[here & (positions == y)]) for y in range(len(found))]
        assert (np.abs(found - exact) <= 3e-16 * np.array(exact)).all()
    P = blocks.label_weights / blocks.label_weights.sum(axis=1, keepdims=True)
    _, values, _ = knots_of(prop)
    wanted = prop.value(P).reshape(-1)
    unit = np.abs(wanted).max() + np.ptp(wanted) + (prop.lipschitz(1) if prop.lipschitz(1) < math.inf else 0.0)
    assert np.abs(blocks.values - wanted).max() <= 1e-12 * unit
    if isinstance(prop, ic.SmoothProperty) and not prop.interior and len(set(prop.knots)) == len(prop.knots):
        at = prop.identification(blocks.values[:, None], np.arange(P.shape[1]))
        assert np.abs((P * at).sum(axis=1)).max() <= 1e-12 * (np.abs(values).max() + np.abs(at).max())


@given(strongly_orderable(outcomes=6), st.data())
def test_blocks_are_calibrated(cost: ic.CostMatrix, data: st.DataObject) -> None:
    rows = data.draw(rows_of(len(cost.outcomes)))
    for prop in smooth_all(cost):
        check_blocks(prop, rows)


@given(orderable(), st.data())
def test_blocks_are_calibrated_where_boundaries_touch(cost: ic.CostMatrix, data: st.DataObject) -> None:
    rows = data.draw(rows_of(len(cost.outcomes)))
    prop = ic.smooth(cost, "touching")
    check_blocks(prop, rows)
    check_blocks(ic.smooth(cost, interior=0.01), rows)
    table = pooled_scores(*rows, prop).label_weights
    again = pooled(table, prop)
    doubled = prop.knots[1:][np.diff(prop.knots) == 0]
    P = table / table.sum(axis=1, keepdims=True)
    for u in doubled:  # a squeezed decision is kept bit for bit
        below, above = (
            prop.values[np.searchsorted(prop.knots, u, side="left")],
            prop.identification(u, np.arange(P.shape[1])),
        )
        squeezed = (P @ below < -1e-9 * np.abs(below).max()) & (P @ above > 1e-9 * np.abs(above).max())
        assert (again.values[squeezed] == u).all()


@given(st.integers(2, 6), st.integers(0, 2**32), st.data())
def test_blocks_of_a_linear_number(n: int, seed: int, data: st.DataObject) -> None:
    grades = np.cumsum(np.random.default_rng(seed).integers(1, 9, n))
    lin = ic.linear(ic.CostMatrix([[(int(g) - int(h)) ** 2 for h in grades] for g in grades]))
    check_blocks(lin, data.draw(rows_of(n)))


@given(strongly_orderable(outcomes=5), st.data())
def test_cells_and_rows_give_the_same_blocks(cost: ic.CostMatrix, data: st.DataObject) -> None:
    rows = data.draw(rows_of(len(cost.outcomes)))
    n = len(cost.outcomes)
    distinct, cell = np.unique(rows.scores, return_inverse=True)
    table = np.zeros((len(distinct), n))
    np.add.at(table, (cell, rows.positions), rows.weights)
    filled = table.sum(axis=1) > 0
    prop = ic.smooth(cost)
    blocks, same = pooled_scores(*rows, prop), pooled(table[filled], prop)
    if (rows.weights == np.round(rows.weights)).all():
        assert (same.values == blocks.values).all()
        assert (distinct[filled][same.starts] == blocks.lowest).all()


@given(strongly_orderable(outcomes=5), st.data())
def test_the_order_of_rows_and_the_unit_of_weights_do_not_matter(cost: ic.CostMatrix, data: st.DataObject) -> None:
    rows = data.draw(rows_of(len(cost.outcomes)))
    if (rows.weights != np.round(rows.weights)).any():
        return
    prop = ic.smooth(cost)
    once = pooled_scores(*rows, prop)
    back = pooled_scores(rows.scores[::-1].copy(), rows.positions[::-1].copy(), rows.weights[::-1].copy(), prop)
    heavier = pooled_scores(rows.scores, rows.positions, 2.0**40 * rows.weights, prop)
    for other in (back, heavier):
        assert (once.values == other.values).all() and (once.lowest == other.lowest).all()


def test_a_million_small_weights_beside_a_large_one_are_not_lost() -> None:
    prop = ic.smooth(ic.CostMatrix.ordinal(range(3)))
    size = 10**6
    scores = np.arange(size + 1, dtype=np.float64)
    low, high = np.tile([1, 0], size // 4), np.tile([2, 1], size // 4)  # two blocks, until a heavy row pools them
    positions = np.r_[low, high, 0].astype(np.intp)
    weights = np.r_[np.full(size, 0.1), 1e9]
    blocks = pooled_scores(scores, positions, weights, prop)
    assert len(blocks.values) == 1
    assert blocks.label_weights[0].tolist() == [math.fsum(weights[positions == y]) for y in range(3)]
