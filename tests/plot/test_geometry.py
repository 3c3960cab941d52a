"""Where things lie in the triangle, checked with plain arrays."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

import isocost as ic
from isocost.plot.geometry import (
    CORNERS,
    HEIGHT,
    cell_polygons,
    corner_order,
    label_spot,
    level_segments,
    number_text,
    round_levels,
    spaced,
    spread,
    to_plane,
)
from isocost.simplex import sample_simplex

# The boundaries of the paper's example, in order.
NORMALS = np.array([[1.0, -3.0, -2.0], [2.0, 1.0, -3.0]])


def area(polygon: np.ndarray) -> float:
    x, y = polygon.T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)


def contains(polygon: np.ndarray, point: tuple[float, float]) -> bool:
    sides = np.roll(polygon, -1, axis=0) - polygon
    steps = np.asarray(point) - polygon
    turns = sides[:, 0] * steps[:, 1] - sides[:, 1] * steps[:, 0]
    return bool((turns >= -1e-12).all() or (turns <= 1e-12).all())


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


def test_segments_start_on_the_bottom_side_and_lie_on_their_slice() -> None:
    segments = level_segments(NORMALS)
    assert segments.shape == (2, 2, 2)
    np.testing.assert_allclose(segments[:, 0], [[1 / 3, 0], [0.4, 0]])
    for segment, v in zip(segments, NORMALS, strict=True):
        p = np.linalg.solve(np.vstack([CORNERS.T, np.ones(3)]), np.vstack([segment.T, np.ones(2)]))
        np.testing.assert_allclose(v @ p, 0, atol=1e-12)
    assert level_segments(np.empty((0, 3))).shape == (0, 2, 2)


def test_segments_follow_the_corners() -> None:
    turned = level_segments(NORMALS[:, [2, 0, 1]], (1, 2, 0))
    np.testing.assert_allclose(turned, level_segments(NORMALS))


@pytest.mark.parametrize(("low", "high"), [(0, 3), (-0.525, 1.393), (1e6, 1e6 + 1), (-3e-7, 2e-7), (0, 1e9)])
@pytest.mark.parametrize("most", [1, 2, 7, 20])
def test_levels_are_even_round_few_and_inside(low: float, high: float, most: int) -> None:
    levels = round_levels(low, high, most)
    assert most / 3 <= len(levels) <= most
    assert (levels > low).all() and (levels < high).all()
    if len(levels) > 1:
        steps = np.diff(levels)
        np.testing.assert_allclose(steps, steps[0], rtol=1e-6)
        digits = f"{steps[0]:.3e}".split("e")[0]
        assert digits in ("1.000", "2.000", "2.500", "5.000")


def test_levels_leave_out_the_ends() -> None:
    assert round_levels(0, 1, 9).round(9).tolist() == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    assert round_levels(0, 0.1 + 0.2, 2).round(9).tolist() == [0.1, 0.2]
    assert len(round_levels(0, 1, 0)) == len(round_levels(2, 2, 5)) == 0


@pytest.mark.parametrize(
    ("value", "width", "text"),
    [(0.0, 1, "0"), (-1e-12, 1, "0"), (0.125, 3, "0.12"), (100, 100, "100"), (-2.5, 10, "−2.5"), (2e-9, 1e-8, "2e−09")],
)
def test_numbers_are_short(value: float, width: float, text: str) -> None:
    assert number_text(value, width) == text


def test_spread_keeps_order_and_room_and_moves_nothing_needlessly() -> None:
    places, widths = np.array([0.1, 0.12, 0.13, 0.9]), np.array([0.05, 0.1, 0.05, 0.05])
    moved = spread(places, widths, 0.01)
    assert (np.diff(moved) >= (widths[1:] + widths[:-1]) / 2 + 0.01 - 1e-12).all()
    assert moved[3] == pytest.approx(0.9)
    assert moved[:3].mean() == pytest.approx(places[:3].mean())
    assert spread(places[:1], widths[:1], 0.01).tolist() == [0.1]
    assert spread(places[:0], widths[:0], 0.01).tolist() == []


def test_spread_is_the_isotonic_regression_of_scipy() -> None:
    rng = np.random.default_rng(1)
    for k in (2, 3, 10, 30):
        places, widths = np.sort(rng.uniform(size=k)), rng.uniform(0.01, 0.2, size=k)
        offsets = np.r_[0, np.cumsum((widths[1:] + widths[:-1]) / 2 + 0.02)]
        np.testing.assert_allclose(
            spread(places, widths, 0.02), isotonic_regression(places - offsets).x + offsets, atol=1e-12
        )


def test_spaced_prefers_the_earlier() -> None:
    assert spaced([0.5, 0.45, 0.2, 0.8], [0.1] * 4, gap=0) == [0, 2, 3]


@pytest.mark.parametrize("cell", range(3))
def test_labels_fit_where_they_are_put(cell: int) -> None:
    polygon = to_plane(cell_polygons(NORMALS)[cell])
    spot = label_spot(polygon, 0.12, 0.05)
    assert spot is not None
    for dx in (-0.06, 0.06):
        for dy in (-0.025, 0.025):
            assert contains(polygon, (spot[0] + dx, spot[1] + dy))


def test_no_spot_in_a_tiny_or_flat_cell() -> None:
    assert label_spot(CORNERS * 0.1, 0.2, 0.05) is None
    assert label_spot(CORNERS[:2], 0.0, 0.0) is None
    assert label_spot(np.zeros((3, 2)), 0.0, 0.0) is None
    assert label_spot(np.empty((0, 2)), 0.1, 0.1) is None
