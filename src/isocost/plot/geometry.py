"""Where things lie in a picture of the simplex of three outcomes: plain arrays, no drawing.

A point of the simplex is a row (p_0, p_1, p_2); its place in the plane has its left corner at (0, 0) and
its right corner at (1, 0).
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from isocost.interior import from_inner
from isocost.simplex import slice_vertices

__all__ = [
    "CORNERS",
    "HEIGHT",
    "cell_polygons",
    "cell_with_rays",
    "cheapest_borders",
    "cheapest_cells",
    "corner_order",
    "level_segments",
    "segments_with_rays",
    "to_plane",
]

Floats = NDArray[np.float64]
Corners = tuple[int, int, int]

HEIGHT = math.sqrt(3) / 2
CORNERS = np.array([[0.0, 0.0], [0.5, HEIGHT], [1.0, 0.0]])
CROSSING = 1e-9  # a segment cut to less than this share of its length is a point


def corner_order(scores: Floats) -> Corners:
    """Outcomes at the left, top and right corner: the lowest score left, the highest right.

    Every level set then has one end on the bottom side, which serves as the axis of the score.

    Examples
    --------
    >>> corner_order(np.array([0.2, 1.0, 0.0]))
    (2, 0, 1)
    """
    left, right = int(np.argmin(scores)), int(np.argmax(scores))
    if left == right:
        return 0, 1, 2
    return left, 3 - left - right, right


def to_plane(P: Floats, order: Corners = (0, 1, 2)) -> Floats:
    """Place in the plane of each distribution, shape (…, 2).

    Examples
    --------
    >>> to_plane(np.array([[1.0, 0.0, 0.0], [0.5, 0.0, 0.5]])).tolist()
    [[0.0, 0.0], [0.5, 0.0]]
    """
    return np.asarray(P[..., list(order)] @ CORNERS)


# -- decisions in a line -------------------------------------------------------------------------------


def cell_polygons(normals: Floats) -> list[Floats]:
    """Corners of the k cells between k-1 boundaries {p : ⟨v_i, p⟩ = 0}, each of shape (m, 3).

    Parameters
    ----------
    normals : ndarray, shape (k-1, 3)
        In order, each positive on the side of the cells before it. Two that are one after the other
        may touch.

    Examples
    --------
    >>> left, right = cell_polygons(np.array([[1.0, 1.0, -1.0]]))
    >>> right.round(2).tolist()
    [[0.5, 0.0, 0.5], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]]
    """
    cells = []
    rest = np.eye(3)
    for v in normals:
        cells.append(_clipped(rest, v))
        rest = _clipped(rest, -v)
    return [*cells, rest]


def _clipped(polygon: Floats, v: Floats) -> Floats:
    """The part of a convex polygon with ⟨v, p⟩ ≥ 0 (Sutherland and Hodgman's way)."""
    heights = polygon @ v
    corners: list[Floats] = []
    for i, (p, height) in enumerate(zip(polygon, heights, strict=True)):
        q, above = polygon[i - 1], heights[i - 1]
        if height * above < 0:
            corners.append((above * p - height * q) / (above - height))
        if height >= 0:
            corners.append(p)
    return np.array(corners).reshape(-1, 3)


def level_segments(normals: Floats, order: Corners = (0, 1, 2)) -> Floats:
    """Ends of the segments {p : ⟨v, p⟩ = 0}, the end on the bottom side first, shape (m, 2, 3).

    Parameters
    ----------
    normals : ndarray, shape (m, 3)
        V(u, ·) at levels u strictly between the lowest and the highest score.
    order : tuple of 3 positions
        Outcomes at the left, top and right corner.

    Examples
    --------
    >>> level_segments(np.array([[1.0, -3.0, -2.0]])).round(3).tolist()
    [[[0.667, 0.0, 0.333], [0.75, 0.25, 0.0]]]
    """
    segments = np.empty((len(normals), 2, 3))
    for segment, v in zip(segments, normals, strict=True):
        ends = slice_vertices(v)
        segment[:] = ends[np.argsort(ends[:, order[1]])]
    return segments


# -- decisions in a line inside Δ_η, and constant on rays outside it -----------------------------------


def segments_with_rays(segments: Floats, floor: float) -> Floats:
    """Lines through the whole simplex for segments of Δ_η, shape (m, 4, 3).

    Δ_η is the simplex, shrunk towards the uniform distribution. So where a segment meets its rim,
    the ray from the uniform distribution leads on to where the segment ended before it shrank.

    Parameters
    ----------
    segments : ndarray, shape (m, 2, 3)
        In the coordinates q of Δ_η, where p = η + (1 - 3η)·q.
    floor : float
        η.

    Examples
    --------
    >>> segments_with_rays(np.array([[[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]]]), 0.1).round(3)[0].tolist()
    [[0.5, 0.5, 0.0], [0.45, 0.45, 0.1], [0.1, 0.45, 0.45], [0.0, 0.5, 0.5]]
    """
    inner = from_inner(segments, floor)
    return np.stack([segments[:, 0], inner[:, 0], inner[:, 1], segments[:, 1]], axis=1)


def cell_with_rays(cell: Floats, floor: float) -> Floats:
    """Corners of a cell of the whole simplex, from those of the cell in the coordinates q of Δ_η.

    Its sides on the rim stay; the others become lines with a ray at each end.

    Parameters
    ----------
    cell : ndarray, shape (m, 3)
        From :func:`cell_polygons`: corners on the rim have a coordinate that is 0 exactly.
    floor : float
        η.

    Examples
    --------
    >>> cell_with_rays(np.array([[0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [1.0, 0.0, 0.0]]), 0.1).round(3).tolist()
    [[0.5, 0.5, 0.0], [0.45, 0.45, 0.1], [0.45, 0.1, 0.45], [0.5, 0.0, 0.5], [1.0, 0.0, 0.0]]
    """
    corners: list[Floats] = []
    for q, after in zip(cell, np.roll(cell, -1, axis=0), strict=True):
        on_rim = bool(((q == 0) & (after == 0)).any())
        corners += [q] if on_rim else [q, from_inner(q, floor), from_inner(after, floor)]
    return np.array(corners).reshape(-1, 3)


# -- decisions in any position -------------------------------------------------------------------------


def cheapest_cells(costs: Floats) -> list[Floats]:
    """Corners of {p : ⟨ℓ_r, p⟩ ≤ ⟨ℓ_s, p⟩ for all s} for each decision r, of shape (m, 3).

    Parameters
    ----------
    costs : ndarray, shape (k, 3)

    Examples
    --------
    >>> cheapest_cells(np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0]]))[0].tolist()
    [[0.5, 0.0, 0.5], [1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]
    """
    cells = []
    for own in costs:
        cell = np.eye(3)
        for other in costs:
            cell = _clipped(cell, other - own)
        cells.append(cell)
    return cells


def cheapest_borders(costs: Floats) -> Floats:
    """Ends of the segments where two decisions tie and no other is cheaper, shape (m, 2, 3).

    Parameters
    ----------
    costs : ndarray, shape (k, 3)

    Examples
    --------
    >>> cheapest_borders(np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])).round(3)[0].tolist()
    [[0.333, 0.333, 0.333], [0.5, 0.5, 0.0]]
    """
    borders = []
    for r, s in combinations(range(len(costs)), 2):
        ends = slice_vertices(costs[s] - costs[r])
        if len(ends) == 2:
            others = np.delete(costs, [r, s], axis=0) - costs[r]
            borders += _clipped_segment(ends, others)
    return np.array(borders).reshape(-1, 2, 3)


def _clipped_segment(ends: Floats, normals: Floats) -> list[Floats]:
    """The part of a segment with ⟨v, p⟩ ≥ 0 for all v, if it is more than a point."""
    low, high = 0.0, 1.0
    for first, last in (normals @ ends.T).tolist():
        if first < 0 and last < 0:
            return []
        if first < 0:
            low = max(low, first / (first - last))
        if last < 0:
            high = min(high, first / (first - last))
    if high - low < CROSSING:
        return []
    return [ends[0] + np.outer([low, high], ends[1] - ends[0])]
