"""What a picture of a property on the triangle consists of, as places in the plane; no drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.exceptions import CostMatrixError
from isocost.interior import from_inner, identification_inside
from isocost.linear_property import LinearProperty
from isocost.plot import geometry, placing
from isocost.property import SmoothProperty

__all__ = ["Layout", "Scale", "layout_of"]

Floats = NDArray[np.float64]


class Scale(NamedTuple):
    """The score along the bottom side, which is 1 long."""

    ends: tuple[float, float]
    cuts: Floats  # each once
    cut_feet: Floats  # shape (number, 2): from where to where the score is that cut; for most, one place
    levels: Floats
    level_feet: Floats


class Layout(NamedTuple):
    """Places in the plane, each of shape (points, 2)."""

    corners: tuple[int, int, int]  # outcomes at the left, top and right
    cells: list[Floats]  # polygons, one a decision
    rooms: list[Floats]  # a convex part of each cell, for its name
    boundaries: Floats  # (number, points, 2)
    lines: Floats  # level sets, (number, points, 2)
    rim: Floats | None  # of Δ_η
    scale: Scale | None


def layout_of(prop: SmoothProperty | LinearProperty, levels: int | Sequence[float]) -> Layout:
    """Places of all that :func:`isocost.plot.simplex` draws.

    Examples
    --------
    >>> import isocost as ic
    >>> median = ic.smooth(ic.CostMatrix.ordinal(["low", "mid", "high"], power=1), method="touching")
    >>> layout = layout_of(median, 20)
    >>> layout.scale.cuts.tolist(), layout.scale.cut_feet.tolist(), len(layout.boundaries)
    ([0.0], [[0.5, 0.5]], 2)
    """
    if isinstance(prop, LinearProperty):
        return _linear_layout(prop)
    low, high = prop.range
    shown = _levels(levels, low, high, prop.cuts)
    corners = geometry.corner_order(prop.value(np.eye(3)))
    level_normals = prop.identification(shown[:, None], np.arange(3))
    cut_normals = prop.normals
    if prop.interior:
        level_normals, cut_normals = (identification_inside(v, prop.interior) for v in (level_normals, cut_normals))
    lines, boundaries = (geometry.level_segments(v, corners) for v in (level_normals, cut_normals))
    cells = rooms = geometry.cell_polygons(cut_normals)
    feet, level_feet = (geometry.to_plane(segments[:, 0], corners)[:, 0] for segments in (boundaries, lines))
    rim = None
    if prop.interior:
        lines, boundaries = (geometry.segments_with_rays(x, prop.interior) for x in (lines, boundaries))
        rooms = [from_inner(cell, prop.interior) for cell in cells]
        cells = [geometry.cell_with_rays(cell, prop.interior) for cell in cells]
        rim = geometry.to_plane(from_inner(np.eye(3), prop.interior))
    return Layout(
        corners,
        [geometry.to_plane(cell, corners) for cell in cells],
        [geometry.to_plane(room, corners) for room in rooms],
        geometry.to_plane(boundaries, corners),
        geometry.to_plane(lines, corners),
        rim,
        None if low == high else Scale((low, high), *_cuts_once(prop.cuts, feet), shown, level_feet),
    )


def _linear_layout(prop: LinearProperty) -> Layout:
    costs = prop.offsets[:, None] + prop.weights @ prop.basis  # ⟨·, p⟩ is offset + ⟨weights, Γ(p)⟩, as Σp = 1
    cells = [geometry.to_plane(cell) for cell in geometry.cheapest_cells(costs)]
    borders = geometry.to_plane(geometry.cheapest_borders(costs))
    return Layout((0, 1, 2), cells, cells, borders, np.empty((0, 2, 2)), None, None)


def _levels(levels: int | Sequence[float], low: float, high: float, cuts: Floats) -> Floats:
    """Scores of the thin lines: inside the range, and no cut, whose line is thick."""
    if isinstance(levels, (int, np.integer)) and not isinstance(levels, bool) and levels >= 0:
        values = placing.round_levels(low, high, int(levels))
    else:
        try:
            values = np.asarray(levels, dtype=np.float64)
        except (TypeError, ValueError):
            values = np.empty(())
        if values.ndim != 1:
            raise CostMatrixError(f"levels must be a number of lines, 0 or more, or a list of scores; got {levels!r}")
    if not np.isfinite(values).all():
        raise CostMatrixError(f"levels must be finite scores; got {values[~np.isfinite(values)][0]}")
    values = np.unique(values[(values > low) & (values < high)])
    return values[~np.isclose(values[:, None], cuts, rtol=0, atol=1e-9 * (high - low)).any(axis=1)]


def _cuts_once(cuts: Floats, feet: Floats) -> tuple[Floats, Floats]:
    """Each cut once, with the first and the last of its feet."""
    once, first = np.unique(cuts, return_index=True)
    last = np.r_[first[1:], len(cuts)] - 1 if len(cuts) else first
    return once, np.stack([feet[first], feet[last]], axis=1)
