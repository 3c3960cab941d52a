"""Cells, lines and scale of a picture agree with the property, whatever its kind."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import isocost as ic
from isocost.plot.geometry import CORNERS, HEIGHT, to_plane
from isocost.plot.layout import Layout, layout_of
from isocost.simplex import sample_simplex
from tests.plot.polygons import area, inside, perimeter

LABELS = ["low", "mid", "high"]
PAPER = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]])
MEDIAN = ic.CostMatrix.ordinal(LABELS, power=1)
PINBALL = ic.CostMatrix.ordinal(LABELS, power=1, under=4)
TURNED = ic.CostMatrix(PINBALL.costs[:, [2, 0, 1]], LABELS, ["high", "low", "mid"])
# Its boundaries touch on the left side, so the squeezed cell has a stretch of the bottom side.
STRETCH = ic.CostMatrix([[0, 0, 0], [1, -1, -2], [2, -2, "-7/2"]])
ALL_BUT_MEDIAN = ic.CostMatrix.ordinal(LABELS, power="0.9")
CRASHES = ic.CostMatrix(np.abs(np.subtract.outer([7400, 79000, 4008900], [7400, 79000, 4008900])))
ZERO_ONE = ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
ABSTAIN = ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0], [0.5, 0.5, 0.5]])
EXAM = ic.CostMatrix([[0, 5, 2], [1, 0, 7], [4, 3, 0], [1, 2, 2.5], [2, 1, 1.75]])

SMOOTH: dict[str, tuple[ic.CostMatrix, ic.SmoothProperty]] = {
    "smoothest": (PAPER, ic.smooth(PAPER)),
    "embedding": (PAPER, ic.smooth(PAPER, "embedding")),
    "normals": (PAPER, ic.smooth(PAPER, "normals")),
    "touching": (MEDIAN, ic.smooth(MEDIAN, "touching")),
    "touching, left": (PINBALL, ic.smooth(PINBALL, "touching")),
    "touching, turned": (TURNED, ic.smooth(TURNED, "touching")),
    "touching, stretch": (STRETCH, ic.smooth(STRETCH, "touching")),
    "touching, rescaled": (STRETCH, ic.smooth(STRETCH, "touching").rescale(0, 1)),
    "nearly the whole": (MEDIAN, ic.smooth(MEDIAN, interior=1e-4)),
    "interior": (MEDIAN, ic.smooth(MEDIAN, interior=0.05)),
    "interior, turned": (TURNED, ic.smooth(TURNED, "embedding", interior=0.05)),
    "interior, small": (MEDIAN, ic.smooth(MEDIAN, interior=0.24)),
    "interior, strong": (PAPER, ic.smooth(PAPER, "normals", interior=0.02)),
    "interior, one decision": (PAPER, ic.smooth(PAPER, interior=0.33)),
    "interior, not orderable": (ALL_BUT_MEDIAN, ic.smooth(ALL_BUT_MEDIAN, interior=0.08)),
}
LINEAR = {
    name: (cost, ic.linear(cost))
    for name, cost in {
        "linear, strong": PAPER,
        "linear, mean": ic.CostMatrix.ordinal(LABELS),
        "linear, touching": MEDIAN,
        "linear, touching far from even": CRASHES,
        "linear, 0-1": ZERO_ONE,
        "linear, abstain": ABSTAIN,
        "linear, all but the median": ALL_BUT_MEDIAN,
        "linear, five decisions": EXAM,
        "linear, one decision": ic.CostMatrix([[0, 1, 2]]),
    }.items()
}
EVERY: dict[str, tuple[ic.CostMatrix, ic.SmoothProperty | ic.LinearProperty]] = {**SMOOTH, **LINEAR}


def distributions(places: np.ndarray, layout: Layout) -> np.ndarray:
    """Back from the plane, shape (…, 3)."""
    top = places[..., 1] / HEIGHT
    right = places[..., 0] - top / 2
    P = np.empty((*places.shape[:-1], 3))
    P[..., list(layout.corners)] = np.stack([1 - top - right, top, right], axis=-1)
    return np.clip(P, 0, 1)


def halfway(lines: np.ndarray, layout: Layout) -> np.ndarray:
    """The middle of every piece of every line, shape (lines, pieces, 3)."""
    return distributions((lines[:, 1:] + lines[:, :-1]) / 2, layout)


@pytest.mark.parametrize("name", EVERY)
def test_every_point_lies_in_the_cell_of_its_decision_and_in_no_other(name: str) -> None:
    cost, prop = EVERY[name]
    layout = layout_of(prop, 10)
    P = sample_simplex(2000, 3, seed=1)
    lies_in = np.array([inside(cell, to_plane(P, layout.corners)) for cell in layout.cells])
    assert (lies_in.sum(axis=0) == 1).all()
    assert (lies_in.argmax(axis=0) == prop.cell(prop.value(P))).all()
    within = P.min(axis=1) >= getattr(prop, "interior", 0.0)
    assert [prop.decisions[i] for i in lies_in.argmax(axis=0)[within]] == cost.decide(P[within]).tolist()


@pytest.mark.parametrize("name", EVERY)
def test_cells_tile_the_triangle_and_boundaries_are_all_their_sides(name: str) -> None:
    layout = layout_of(EVERY[name][1], 0)
    assert sum(map(area, layout.cells)) == pytest.approx(area(CORNERS))
    length = np.linalg.norm(np.diff(layout.boundaries, axis=1), axis=2).sum()
    assert sum(map(perimeter, layout.cells)) == pytest.approx(3 + 2 * length)


@pytest.mark.parametrize("name", EVERY)
def test_names_have_their_place_in_the_cell(name: str) -> None:
    layout = layout_of(EVERY[name][1], 0)
    for cell, room in zip(layout.cells, layout.rooms, strict=True):
        shares = np.random.default_rng(2).dirichlet(np.ones(len(room)), size=50)
        assert inside(cell, shares @ room).all()


@pytest.mark.parametrize("name", SMOOTH)
def test_boundaries_and_lines_have_their_score(name: str) -> None:
    _, prop = SMOOTH[name]
    layout = layout_of(prop, 10)
    rounding = 1e-9 * (1 + prop.lipschitz(1))
    if layout.scale is None:
        assert len(layout.boundaries) == len(layout.lines) == 0
        return
    assert len(layout.boundaries) == len(prop.cuts) and len(layout.lines) == len(layout.scale.levels) > 3
    for lines, scores in ((layout.boundaries, prop.cuts), (layout.lines, layout.scale.levels)):
        for points, u in zip(halfway(lines, layout), scores, strict=True):
            np.testing.assert_allclose(prop.value(points), u, atol=rounding)


@pytest.mark.parametrize("name", SMOOTH)
def test_the_bottom_side_is_the_axis_of_the_score(name: str) -> None:
    _, prop = SMOOTH[name]
    layout = layout_of(prop, 10)
    scale = layout.scale
    if scale is None:
        assert prop.range[0] == prop.range[1]
        return
    assert scale.ends == prop.range
    assert scale.cuts.tolist() == sorted(set(prop.cuts.tolist()))

    def score(x: np.ndarray) -> np.ndarray:
        return prop.value(distributions(np.stack([x, np.zeros_like(x)], axis=-1), layout))

    rounding = 1e-9 * (1 + 3 * prop.lipschitz(1))
    np.testing.assert_allclose(score(scale.level_feet), scale.levels, atol=rounding)
    for u, (first, last) in zip(scale.cuts, scale.cut_feet, strict=True):
        np.testing.assert_allclose(score(np.linspace(first, last, 5)), u, atol=rounding)
        if first > 1e-3 and last < 0.999:
            before, after = score(np.array([first - 1e-3, last + 1e-3]))
            assert before < u < after


@pytest.mark.parametrize("name", LINEAR)
def test_borders_of_a_linear_property_are_ties_of_the_two_cheapest(name: str) -> None:
    cost, prop = LINEAR[name]
    layout = layout_of(prop, 10)
    points = halfway(layout.boundaries, layout)[:, 0]
    over_cheapest = cost.expected(points) - cost.expected(points).min(axis=1, keepdims=True)
    assert ((over_cheapest < 1e-9 * cost.costs.max()).sum(axis=1) == 2).all()
    assert len(points) >= len(prop.decisions) - 1
    assert layout.scale is None and layout.rim is None and len(layout.lines) == 0
    assert layout.corners == (0, 1, 2)


def test_a_squeezed_cell_has_no_lines() -> None:
    cost, prop = SMOOTH["touching, stretch"]
    layout = layout_of(prop, 50)
    squeezed = layout.cells[1]
    assert not any(inside(squeezed, line.mean(axis=0, keepdims=True)).any() for line in layout.lines)
    assert cost.ordering().touching == (0,)
    assert layout.scale is not None
    np.testing.assert_allclose(layout.scale.cut_feet, [[1 / 3, 2 / 5]])


@pytest.mark.parametrize("name", [name for name in SMOOTH if SMOOTH[name][1].interior])
def test_the_rim_is_where_a_probability_is_least(name: str) -> None:
    _, prop = SMOOTH[name]
    layout = layout_of(prop, 10)
    assert layout.rim is not None
    for start, end in pairwise([*layout.rim, layout.rim[0]]):
        along = distributions(np.linspace(start, end, 7), layout)
        np.testing.assert_allclose(along.min(axis=1), prop.interior, atol=1e-12)


def test_only_an_interior_has_a_rim() -> None:
    for _, prop in SMOOTH.values():
        assert (layout_of(prop, 0).rim is not None) == (prop.interior > 0)
