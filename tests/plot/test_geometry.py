"""Where things lie in the triangle, checked with plain arrays."""

from __future__ import annotations

import numpy as np
import pytest

import isocost as ic
from isocost.interior import from_inner
from isocost.plot.geometry import (
    CORNERS,
    HEIGHT,
    cell_polygons,
    cell_with_rays,
    cheapest_borders,
    cheapest_cells,
    corner_order,
    level_segments,
    segments_with_rays,
    to_plane,
)
from isocost.simplex import sample_simplex
from tests.plot.polygons import area, contains

# The boundaries of the paper's example, in order.
NORMALS = np.array([[1.0, -3.0, -2.0], [2.0, 1.0, -3.0]])


def test_corners_of_the_simplex_are_corners_of_an_equilateral_triangle() -> None:
    places = to_plane(np.eye(3))
    np.testing.assert_array_equal(places, CORNERS)
    np.testing.assert_allclose(np.linalg.norm(places - np.roll(places, 1, axis=0), axis=1), 1)
    np.testing.assert_allclose(to_plane(np.full((1, 3), 1 / 3)), [[0.5, HEIGHT / 3]])


def test_corner_order_puts_outcomes_where_it_says() -> None:
    assert corner_order(np.array([0.0, 1.0, 2.0])) == (0, 1, 2)
    assert corner_order(np.array([2.0, 0.0, 1.0])) == (1, 2, 0)
    assert corner_order(np.zeros(3)) == (0, 1, 2)  # one decision: no direction
    assert to_plane(np.array([[0.0, 1.0, 0.0]]), (1, 2, 0)).tolist() == [[0.0, 0.0]]


def test_cells_of_the_example_by_hand() -> None:
    wait, test, treat = cell_polygons(NORMALS)

    def corners(polygon: np.ndarray) -> set[tuple[float, ...]]:
        return {tuple(p) for p in polygon.round(4).tolist()}

    assert corners(wait) == {(1, 0, 0), (0.75, 0.25, 0), (0.6667, 0, 0.3333)}
    assert corners(test) == {(0.75, 0.25, 0), (0, 1, 0), (0, 0.75, 0.25), (0.6, 0, 0.4), (0.6667, 0, 0.3333)}
    assert corners(treat) == {(0, 0.75, 0.25), (0, 0, 1), (0.6, 0, 0.4)}


@pytest.mark.parametrize("k", [2, 3, 6, 12])
def test_cells_tile_the_triangle_and_agree_with_the_decision(k: int) -> None:
    harm_left = [1 - i / k for i in range(k)]
    cost = ic.CostMatrix.actions([i * i for i in range(k)], harm_left, [0, k * k, 3 * k * k])
    order = cost.ordering()
    cells = [to_plane(cell) for cell in cell_polygons(order.normals)]
    assert sum(map(area, cells)) == pytest.approx(HEIGHT / 2)
    P = sample_simplex(300, 3, seed=4)
    for point, decision in zip(to_plane(P).tolist(), cost.decide(P).tolist(), strict=True):
        assert contains(cells[order.decisions.index(decision)], (point[0], point[1]))


def test_no_boundary_leaves_one_cell() -> None:
    (cell,) = cell_polygons(np.empty((0, 3)))
    np.testing.assert_array_equal(cell, np.eye(3))


def test_a_boundary_through_a_corner_leaves_two_triangles() -> None:
    left, right = (to_plane(cell) for cell in cell_polygons(np.array([[1.0, 0.0, -1.0]])))
    assert area(left) == pytest.approx(area(right)) == pytest.approx(HEIGHT / 4)


def test_touching_boundaries_leave_a_cell_between_them() -> None:
    low, mid, high = cell_polygons(np.array([[1.0, -1.0, -1.0], [1.0, 1.0, -1.0]]))
    np.testing.assert_allclose([area(to_plane(cell)) for cell in (low, mid, high)], np.array([1, 2, 1]) * HEIGHT / 8)
    assert ((mid == [0.5, 0, 0.5]).all(axis=1)).any()


def test_segments_start_on_the_bottom_side_and_lie_on_their_slice() -> None:
    segments = level_segments(NORMALS)
    assert segments.shape == (2, 2, 3)
    np.testing.assert_allclose(to_plane(segments)[:, 0], [[1 / 3, 0], [0.4, 0]])
    np.testing.assert_allclose(segments.sum(axis=2), 1)
    for segment, v in zip(segments, NORMALS, strict=True):
        np.testing.assert_allclose(segment @ v, 0, atol=1e-12)
    assert level_segments(np.empty((0, 3))).shape == (0, 2, 3)


def test_segments_follow_the_corners() -> None:
    turned = to_plane(level_segments(NORMALS[:, [2, 0, 1]], (1, 2, 0)), (1, 2, 0))
    np.testing.assert_allclose(turned, to_plane(level_segments(NORMALS)))


@pytest.mark.parametrize("floor", [1e-6, 0.1, 0.33])
def test_a_line_with_rays_bends_at_the_rim_only(floor: float) -> None:
    (line,) = segments_with_rays(level_segments(NORMALS[:1]), floor)
    outer, inner = line[[0, 3]], line[[1, 2]]
    np.testing.assert_allclose(inner.min(axis=1), floor)
    np.testing.assert_allclose(outer.min(axis=1), 0)
    np.testing.assert_allclose(inner, from_inner(outer, floor))
    centre = np.full(3, 1 / 3)
    for p, q in zip(outer, inner, strict=True):  # the uniform distribution, q and p lie on a line, in this order
        share = (q - centre) @ (p - centre) / ((p - centre) @ (p - centre))
        assert 0 < share < 1
        np.testing.assert_allclose(q, centre + share * (p - centre))


@pytest.mark.parametrize("floor", [1e-6, 0.1, 0.33])
def test_cells_with_rays_tile_the_triangle(floor: float) -> None:
    cells = [to_plane(cell_with_rays(cell, floor)) for cell in cell_polygons(NORMALS)]
    assert sum(map(area, cells)) == pytest.approx(HEIGHT / 2)
    assert [len(cell) for cell in cells] == [5, 9, 5]


def test_without_a_boundary_the_cell_with_rays_is_the_triangle() -> None:
    np.testing.assert_array_equal(cell_with_rays(np.eye(3), 0.1), np.eye(3))


def test_cheapest_cells_and_borders_of_0_1_costs_by_hand() -> None:
    costs = 1 - np.eye(3)
    centre, third = np.full(3, 1 / 3), HEIGHT / 6
    for y, cell in enumerate(cheapest_cells(costs)):
        assert area(to_plane(cell)) == pytest.approx(third)
        assert (np.abs(cell - centre).max(axis=1) < 1e-12).any()
        assert (cell[:, y] >= 1 / 3 - 1e-12).all()
    ends = [set(map(tuple, border.round(9).tolist())) for border in cheapest_borders(costs)]
    assert ends == [{tuple(centre.round(9)), tuple((1 - np.eye(3)[y]) / 2)} for y in (2, 1, 0)]


def test_decisions_that_meet_in_a_point_have_no_border() -> None:
    """Absolute error: the first and the last tie at one point of the bottom side."""
    costs = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
    assert len(cheapest_borders(costs)) == 2
    assert cheapest_borders(costs[:1]).shape == (0, 2, 3)
    assert cheapest_borders(np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 0.5]])).shape == (0, 2, 3)  # they tie nowhere
