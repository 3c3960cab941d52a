"""Generalised PAV beside its laws in tests/laws: sizes, threads, layouts, refusals."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import isocost as ic
from isocost.pav import pooled, pooled_scores

PROP = ic.smooth(ic.CostMatrix.ordinal(range(4), power="1.5", under=3))


def test_more_blocks_than_first_room_is_made_for() -> None:
    """Cells in order stay alone; the stack grows from 64 blocks."""
    share = np.linspace(0.01, 0.99, 1000)
    table = np.column_stack([1 - share, np.zeros((1000, 2)), share])
    cells = pooled(table, PROP)
    assert cells.starts.tolist() == list(range(1000))
    assert cells.values == pytest.approx(PROP.value(table))
    scores, positions = np.repeat(np.arange(1000.0), 4), np.tile(np.arange(4), 1000)
    rows = pooled_scores(scores, positions, np.repeat(table, 1, axis=0).ravel(), PROP)
    assert (rows.values == cells.values).all()
    assert (rows.lowest == rows.highest).all()
    assert rows.label_weights.tolist() == table.tolist()


def test_eight_threads_at_once_and_any_layout() -> None:
    random = np.random.default_rng(0)
    scores, positions = random.normal(size=5000), random.integers(0, 4, 5000)
    weights = random.random(5000)
    expected = pooled_scores(scores, positions, weights, PROP)
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: pooled_scores(scores, positions, weights, PROP), range(32)):
            assert (found.values == expected.values).all()
    for array in (scores, positions, weights):
        array.setflags(write=False)
    strided = np.repeat(scores, 2)[::2]
    assert (pooled_scores(strided, positions, weights, PROP).values == expected.values).all()
    table = np.asfortranarray(random.random((50, 4)))
    assert (pooled(table, PROP).values == pooled(table.copy(order="C"), PROP).values).all()


def test_wrong_tables_are_refused() -> None:
    with pytest.raises(ic.PredictionError, match="a total above 0 in every cell"):
        pooled(np.array([[1.0, 0, 0, 0], [0, 0, 0, 0]]), PROP)
    with pytest.raises(ic.PredictionError, match=r"label weights must have shape \(cells, 4\); got shape \(2, 3\)"):
        pooled(np.ones((2, 3)), PROP)
    assert pooled(np.empty((0, 4)), PROP).values.shape == (0,)
