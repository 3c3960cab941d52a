"""Where numbers and names go, checked with plain arrays."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from isocost.plot.geometry import CORNERS, cell_polygons, to_plane
from isocost.plot.placing import label_spot, number_text, round_levels, spaced, spread
from tests.plot.polygons import contains


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
    polygon = to_plane(cell_polygons(np.array([[1.0, -3.0, -2.0], [2.0, 1.0, -3.0]]))[cell])
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


def test_a_name_stays_away_from_a_point() -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    spot = label_spot(square, 0.4, 0.2, avoid=(0.5, 0.5))
    assert spot is not None
    assert abs(spot[0] - 0.5) >= 0.2 or abs(spot[1] - 0.5) >= 0.1
    assert label_spot(square, 0.98, 0.98, avoid=(0.5, 0.5)) is None
