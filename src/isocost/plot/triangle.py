"""The simplex of three outcomes as a triangle: cells of the decisions, boundaries, level sets of Γ.

layout.py says what lies where; here it is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.exceptions import CostMatrixError
from isocost.linear_property import LinearProperty
from isocost.plot import geometry, placing
from isocost.plot.layout import Layout, layout_of
from isocost.plot.overlays import draw_density, draw_point
from isocost.plot.style import (
    LITERAL,
    NORMAL,
    SMALL,
    Theme,
    cell_colours,
    literal_legend,
    new_axes,
    put_text,
    shortened,
    size_of,
    theme_of,
    wrapped,
)
from isocost.plot.triangle_scale import draw_scale
from isocost.probabilities import validated_rows
from isocost.property import SmoothProperty

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["simplex"]

Floats = NDArray[np.float64]

LOWER = -0.1  # where the names of the lower corners start, below the numbers
BARE = -0.03  # the same where there are no numbers
WORDS = 0.17  # height of the explanation of a point


def simplex(
    prop: SmoothProperty | LinearProperty,
    *,
    predictions: Any = None,
    sample_weight: ArrayLike | None = None,
    point: Any = None,
    ax: Axes | None = None,
    levels: int | Sequence[float] = 20,
    title: str | None = None,
    dark: bool = False,
) -> Axes:
    """Draw a property Γ of three outcomes on the triangle of their distributions.

    A corner is a certain outcome; coloured cells are the decisions; thick lines are the boundaries between
    them. For a SmoothProperty thin lines join distributions with the same score, like contour lines on a
    map; the score rises from left to right, and the bottom side is its axis, with the cuts in bold. A cell
    squeezed between boundaries that touch has no thin lines: its score is one number, the cut that both
    boundaries share. With `interior` the rim of Δ_η is dashed; outside it lines and boundaries go on as
    rays from the uniform distribution, and the cells are what ``prop.decide`` gives there. Of a
    LinearProperty, whose score is mostly several numbers, only cells and boundaries are drawn.

    Parameters
    ----------
    prop : SmoothProperty or LinearProperty
        With three outcomes.
    predictions : array_like or frame, shape (N, 3), optional
        Probabilities, drawn as dots whose area is the share of them that lies there.
    sample_weight : array_like, shape (N,), optional
        Of the predictions.
    point : array_like, shape (3,), optional
        One distribution, ringed, with its level set dashed; below stands why it gets its decision.
    ax : matplotlib Axes, optional
        Where to draw; a new figure, 3.3 inches wide and outside pyplot, by default.
    levels : int or sequence of float
        At most so many thin lines, evenly spaced in round steps over ``prop.range``; or the scores to draw,
        of which those outside the range have no line. Not used for a LinearProperty.
    title : str, optional
        Drawn above, as it is.
    dark : bool
        For a dark background.

    Returns
    -------
    matplotlib Axes
        ``simplex(prop).figure.savefig("picture.png", dpi=300)`` writes it.

    Raises
    ------
    CostMatrixError
        Where there are not three outcomes.
    PredictionError
        Where `predictions` or `point` are not distributions.
    ImportError
        Where matplotlib is missing.

    Examples
    --------
    >>> import isocost as ic
    >>> import isocost.plot
    >>> cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]], decisions=["wait", "test", "treat"],
    ...                      outcomes=["mild", "moderate", "severe"])
    >>> ax = isocost.plot.simplex(ic.smooth(cost), title="When to treat")
    >>> [text.get_text() for text in ax.texts][:7]
    ['mild', 'moderate', 'severe', 'score →', 'wait', 'test', 'treat']
    >>> ax = isocost.plot.simplex(ic.linear(cost), point=[0.25, 0.6, 0.15])
    >>> print(ax.texts[-1].get_text())
    mild 25 %, moderate 60 %, severe 15 %
    test: costs 0.65 less than treat, the next best
    """
    _require_triangle(prop)
    # All input is looked at before anything is drawn.
    P = None if predictions is None else np.asarray(validated_rows(predictions, prop.outcomes), dtype=np.float64)
    p = None if point is None else np.asarray(validated_rows(_one_row(point), prop.outcomes), dtype=np.float64)[0]
    layout = layout_of(prop, levels)
    theme, words = theme_of(dark), 0.0 if p is None else WORDS
    if ax is None:
        height = 3.0 + 0.45 * (p is not None)
        ax = new_axes(
            theme, (3.3, height + 0.25 * (title is not None)), (0.01, 0.01, 0.98, 0.98 if title is None else 0.9)
        )
    above = 0.09 + 0.05 * (len(str(prop.outcomes[layout.corners[1]])) > 16)
    ax.set(aspect="equal", xlim=(-0.13, 1.13), ylim=(-0.2 - words, geometry.HEIGHT + above))
    ax.axis("off")
    ax.apply_aspect()  # texts are measured from here on
    if title is not None:
        ax.set_title(title, fontsize=NORMAL + 1, color=theme.ink, **LITERAL)
    _draw_corners(ax, theme, [prop.outcomes[y] for y in layout.corners], scale=layout.scale is not None)
    _draw_cells(ax, theme, layout, [str(label) for label in prop.decisions], p)
    _draw_lines(ax, theme, layout)
    if P is not None:
        draw_density(ax, theme, P, sample_weight, layout.corners)
    if layout.scale:
        draw_scale(ax, theme, layout.scale)
    if p is not None:
        draw_point(ax, theme, prop, p, layout.corners, -0.2)
    return ax


def _require_triangle(prop: object) -> None:
    if not isinstance(prop, (SmoothProperty, LinearProperty)):
        raise CostMatrixError(
            f"plot.simplex draws a SmoothProperty or a LinearProperty; got {type(prop).__name__}. "
            "Write ic.smooth(cost) or ic.linear(cost)"
        )
    if len(prop.outcomes) != 3:
        raise CostMatrixError(
            f"plot.simplex draws a triangle, so there must be 3 outcomes; got {len(prop.outcomes)}. "
            "Merge outcomes in the cost matrix, or draw plot.ladder(prop), which takes any number of them"
        )


def _one_row(point: Any) -> Any:
    return point if hasattr(point, "columns") or np.ndim(point) != 1 else [point]


def _draw_corners(ax: Axes, theme: Theme, outcomes: Sequence[object], scale: bool) -> None:
    left, top, right = (str(outcome) for outcome in outcomes)
    below = LOWER if scale else BARE
    lower: dict[str, Any] = {"va": "top", "fontweight": "bold"}
    first = put_text(ax, theme, -0.1, below, _corner_name(left, 22), ha="left", **lower)
    upper: dict[str, Any] = {"ha": "center", "va": "bottom", "fontweight": "bold"}
    put_text(ax, theme, 0.5, geometry.HEIGHT + 0.02, _corner_name(top, 16), **upper)
    last = put_text(ax, theme, 1.1, below, _corner_name(right, 22), ha="right", **lower)
    if not scale:
        return
    # The axis has its name where the corners leave room for it.
    style: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": SMALL, "color": theme.grey}
    name = put_text(ax, theme, 0.5, LOWER - 0.005, "score →", **style)
    if max(size_of(ax, first)[0], size_of(ax, last)[0]) + size_of(ax, name)[0] / 2 > 0.58:
        name.remove()


def _corner_name(label: str, most: int) -> str:
    """At most two lines, for which there is room."""
    return wrapped(shortened(label, 2 * most - 4), most)


def _draw_cells(ax: Axes, theme: Theme, layout: Layout, labels: Sequence[str], p: Floats | None) -> None:
    from matplotlib.patches import Patch, Polygon

    avoid = None if p is None else tuple(geometry.to_plane(p, layout.corners).tolist())
    tiny: list[tuple[str, Any]] = []
    colours = cell_colours(theme, len(labels))
    for polygon, room, label, colour in zip(layout.cells, layout.rooms, labels, colours, strict=True):
        if len(polygon) >= 3:
            ax.add_patch(Polygon(polygon, facecolor=colour, edgecolor="none", label=f"cell {label}"))
        text = put_text(ax, theme, 0, 0, label, ha="center", va="center", zorder=5)
        text.set_bbox({"facecolor": colour, "edgecolor": "none", "boxstyle": "round,pad=0.15"})
        width, height = size_of(ax, text)
        spot = placing.label_spot(room, width + 0.03, height + 0.03, avoid)
        if spot is None:
            text.remove()
            tiny.append((label, Patch(facecolor=colour, edgecolor=theme.grey, linewidth=0.5)))
        else:
            text.set_position(spot)
    if tiny:
        if len(tiny) > 6:  # more would run into the triangle
            tiny = [*tiny[:5], (f"+ {len(tiny) - 5} more", Patch(facecolor="none", edgecolor="none"))]
        names = [wrapped(label, 16) for label, _ in tiny]
        literal_legend(ax, theme, [patch for _, patch in tiny], names, loc="upper right")


def _draw_lines(ax: Axes, theme: Theme, layout: Layout) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Polygon

    thin, thick = list(layout.lines), list(layout.boundaries)
    ax.add_collection(LineCollection(thin, colors=theme.grey, linewidths=0.5, label="level sets", zorder=2))
    width = max(0.7, min(1.8, 16 / (len(thick) + 1)))  # thinner where many would hide the cells
    ax.add_collection(
        LineCollection(thick, colors=theme.ink, linewidths=width, capstyle="butt", label="boundaries", zorder=3)
    )
    outline: dict[str, Any] = {"fill": False, "edgecolor": theme.ink, "zorder": 4}
    if layout.rim is not None:
        ax.add_patch(Polygon(layout.rim, linewidth=0.7, linestyle=(0, (4, 3)), label="rim", **outline))
    ax.add_patch(Polygon(geometry.CORNERS, linewidth=0.8, joinstyle="round", **outline))
