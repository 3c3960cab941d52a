"""Level sets with some of them labelled, points marked, and what is wrong elsewhere noted: the figures of a paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.plot import geometry
from isocost.plot.layout import layout_of
from isocost.plot.style import SMALL, Theme, new_axes, put_text, theme_of, wrapped
from isocost.plot.triangle import simplex
from isocost.property import SmoothProperty

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["LevelMark", "Note", "PointMark", "level_figure", "level_line"]

Floats = NDArray[np.float64]

LINE = 0.135  # inches that a line of notes needs


class LevelMark(NamedTuple):
    """A level set that is drawn thick and has its label.

    Attributes
    ----------
    u : float
    text : str
    along : float
        Where the label stands, from 0 at the bottom side to 1.
    wrong : bool
        Whether the label corrects another.
    """

    u: float
    text: str
    along: float
    wrong: bool = False


class PointMark(NamedTuple):
    """A distribution with its symbol and a label at some distance in the plane."""

    p: Floats
    symbol: str
    text: str
    away: tuple[float, float]


class Note(NamedTuple):
    """A line of text below the picture; a wrong one is about what a paper has wrong."""

    text: str
    wrong: bool = False


def level_line(prop: SmoothProperty, u: float) -> Floats:
    """Ends of a level set in the plane, the one on the bottom side first, shape (2, 2).

    Examples
    --------
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), method="embedding", ratios=[0.5])
    >>> level_line(prop, 0.5).round(3).tolist()
    [[0.333, 0.0], [0.125, 0.217]]
    """
    corners = geometry.corner_order(prop.value(np.eye(3)))
    normals = prop.identification(np.array([[u]]), np.arange(3))
    return np.asarray(geometry.to_plane(geometry.level_segments(normals, corners), corners)[0])


def level_figure(
    prop: SmoothProperty,
    levels: Sequence[float],
    marks: Sequence[LevelMark],
    points: Sequence[PointMark] = (),
    radius: float = 0.0,
    notes: Sequence[Note] = (),
    title: str | None = None,
    dark: bool = False,
) -> Axes:
    """Draw level sets on the triangle as a figure of a paper does.

    Parameters
    ----------
    prop : SmoothProperty
        With three outcomes.
    levels : sequence of float
        Scores of the thin lines.
    marks : sequence of LevelMark
    points : sequence of PointMark
    radius : float
        Of a dashed circle in the plane around the first point; 0 for none.
    notes : sequence of Note
    title : str, optional
    dark : bool

    Returns
    -------
    matplotlib Axes
    """
    theme = theme_of(dark)
    lines = [(line, note.wrong) for note in notes for line in wrapped(note.text, 74).split("\n")]
    below, above = 0.08 + LINE * len(lines), 0.3 if title else 0.05
    height = 3.55 + below + above
    ax = new_axes(theme, (3.9, height), (0.01, below / height, 0.98, 3.55 / height))
    simplex(prop, levels=levels, ax=ax, title=title, dark=dark)
    for mark in marks:
        _draw_level(ax, theme, prop, mark)
    corners = layout_of(prop, 0).corners
    for i, point in enumerate(points):
        _draw_point(ax, theme, point, geometry.to_plane(point.p, corners), radius if i == 0 else 0.0)
    bottom = ax.get_ylim()[0]
    step = LINE / 3.55 * (ax.get_ylim()[1] - bottom)
    for i, (line, wrong) in enumerate(lines):
        colour = theme.bad if wrong else theme.grey
        put_text(ax, theme, -0.11, bottom - i * step, line, va="top", fontsize=SMALL, color=colour)
    return ax


def _draw_level(ax: Axes, theme: Theme, prop: SmoothProperty, mark: LevelMark) -> None:
    ends = level_line(prop, mark.u)
    ax.plot(*ends.T, color=theme.ink, linewidth=1.8, solid_capstyle="butt", label=f"level {mark.u:g}", zorder=3)
    x, y = ends[0] + mark.along * (ends[1] - ends[0])
    colour = theme.bad if mark.wrong else theme.ink
    behind = {"facecolor": theme.paper, "edgecolor": "none", "boxstyle": "round,pad=0.2", "alpha": 0.85}
    text = put_text(ax, theme, x, y, mark.text, ha="center", va="center", fontsize=SMALL, color=colour, zorder=6)
    text.set_bbox(behind)


def _draw_point(ax: Axes, theme: Theme, point: PointMark, place: Floats, radius: float) -> None:
    from matplotlib.patches import Circle

    if radius:
        ring: dict[str, Any] = {"fill": False, "edgecolor": theme.ink, "linestyle": (0, (2.5, 2)), "linewidth": 0.9}
        ax.add_patch(Circle((float(place[0]), float(place[1])), radius, zorder=5, label="circle", **ring))
    size = 6.5 if point.symbol == "o" else 9.5
    style: dict[str, Any] = {"markeredgecolor": theme.paper, "markeredgewidth": 0.5, "zorder": 7}
    ax.plot(*place, marker=point.symbol, markersize=size, color=theme.ink, label=f"point {point.text}", **style)
    x, y = place + np.array(point.away)
    ax.plot([place[0], x], [place[1], y], color=theme.ink, linewidth=0.6, label="leader", zorder=5)
    behind = {"facecolor": theme.paper, "edgecolor": "none", "boxstyle": "round,pad=0.2", "alpha": 0.9}
    text = put_text(ax, theme, x, y, point.text, ha="center", va="center", fontsize=SMALL, zorder=6)
    text.set_bbox(behind)
