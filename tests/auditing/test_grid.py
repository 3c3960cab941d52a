"""The grid: cells in order, one decision and one linear piece of V in each, and arithmetic that engines have."""

from __future__ import annotations

import numpy as np
import pytest

import isocost as ic
from isocost.auditing.grid import CELLS, Atoms, Grid

PROPERTIES = {
    "smoothest": ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]])),
    "normals": ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), "normals"),
    "touching": ic.smooth(ic.CostMatrix.ordinal(range(3), power=1), "touching"),
    "interior": ic.smooth(ic.CostMatrix.ordinal(range(4), power=1), interior=0.02),
    "two": ic.smooth(ic.CostMatrix([[0, 5], [1, 0]])),
    "one": ic.smooth(ic.CostMatrix([[0, 0], [1, 1]])),
}


def scores_near_everything(prop: ic.SmoothProperty, grid: Grid) -> np.ndarray:
    low, high = prop.range
    special = np.concatenate([prop.cuts, prop.knots, [low, high], low + np.arange(CELLS + 1) / (grid.inverse or 1.0)])
    near = [special, np.nextafter(special, -np.inf), np.nextafter(special, np.inf)]
    return np.sort(np.concatenate([*near, np.random.default_rng(0).uniform(low - 1, high + 1, 20_000)]))


@pytest.mark.parametrize("prop", PROPERTIES.values(), ids=PROPERTIES)
def test_cells_are_in_order_and_each_has_one_decision(prop: ic.SmoothProperty) -> None:
    grid = Grid(prop)
    u = scores_near_everything(prop, grid)
    keys, offset = grid.keys(u)
    assert (np.diff(keys) >= 0).all()
    assert keys.min() >= 0
    assert keys.max() < grid.size
    np.testing.assert_allclose(grid.origins[keys] + offset, u, rtol=0, atol=1e-13)
    cells = prop.cell(u)
    first = np.r_[True, np.diff(keys) > 0]
    assert (cells == cells[first][np.cumsum(first) - 1]).all()


@pytest.mark.parametrize("prop", PROPERTIES.values(), ids=PROPERTIES)
def test_the_number_of_a_cell_is_what_an_engine_would_compute(prop: ic.SmoothProperty) -> None:
    grid = Grid(prop)
    u = scores_near_everything(prop, grid)
    step = np.ceil((u - grid.low) * grid.inverse).clip(1, CELLS)
    step = np.where(u <= grid.low, 0, np.where(u > grid.high, CELLS + 1, step))
    marks = np.where(grid.closed, u[:, None] >= grid.marks, u[:, None] > grid.marks).sum(axis=1)
    np.testing.assert_array_equal(grid.keys(u)[0], step + marks)


@pytest.mark.parametrize("prop", PROPERTIES.values(), ids=PROPERTIES)
def test_the_identification_function_is_linear_in_a_cell(prop: ic.SmoothProperty) -> None:
    grid = Grid(prop)
    u = scores_near_everything(prop, grid)
    keys, _ = grid.keys(u)
    y = np.arange(len(prop.outcomes))
    first = np.flatnonzero(np.r_[True, np.diff(keys) > 0])
    last = np.r_[first[1:], len(u)] - 1
    low, high = u[first], u[last]
    middle = (low + high) / 2
    wide = high > low
    halfway = (prop.identification(low[:, None], y) + prop.identification(high[:, None], y)) / 2
    np.testing.assert_allclose(halfway[wide], prop.identification(middle[wide, None], y), rtol=1e-9, atol=1e-11)


def test_a_squeezed_decision_has_a_cell_of_its_own() -> None:
    prop = PROPERTIES["touching"]
    s = prop.cuts[0]
    keys, _ = Grid(prop).keys(np.array([np.nextafter(s, -1), s, np.nextafter(s, 1)]))
    assert len(set(keys.tolist())) == 3


def test_atoms_are_the_scores_themselves() -> None:
    atoms = Atoms(np.array([-1.0, 0.5, 2.0]))
    keys, offset = atoms.keys(np.array([2.0, -1.0]))
    assert keys.tolist() == [2, 0]
    assert not offset.any()
