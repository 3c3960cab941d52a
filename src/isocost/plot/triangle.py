"""The simplex of three outcomes as a triangle: cells of the decisions, boundaries, level sets of Γ.

layout.py says what lies where; here it is drawn.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from isocost.exceptions import CostMatrixError
from isocost.linear_property import LinearProperty
from isocost.plot import geometry, placing
from isocost.plot.layout import Layout, Scale, layout_of
from isocost.property import SmoothProperty

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

__all__ = ["simplex"]

# Light colours that stay apart, and in order, for every kind of colour vision (after Paul Tol's "iridescent").
PALETTE = ("#f6f2bd", "#cfe8cc", "#a6d7dd", "#82bfe6", "#959ed4")
INK, GREY = "#1a1a1a", "#5f6670"
LITERAL: dict[str, Any] = {"parse_math": False, "usetex": False}  # a $ is a dollar
SMALL, NORMAL = 6.5, 8.0  # points
GAP = 0.02  # between the numbers of the scale
LOWER = -0.1  # where the names of the lower corners start, below the numbers
BARE = -0.03  # the same where there are no numbers


def simplex(
    prop: SmoothProperty | LinearProperty,
    *,
    ax: Axes | None = None,
    levels: int | Sequence[float] = 20,
    title: str | None = None,
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
    ax : matplotlib Axes, optional
        Where to draw; a new figure, 3.3 inches wide and outside pyplot, by default.
    levels : int or sequence of float
        At most so many thin lines, evenly spaced in round steps over ``prop.range``; or the scores to draw,
        of which those outside the range have no line. Not used for a LinearProperty.
    title : str, optional
        Drawn above, as it is.

    Returns
    -------
    matplotlib Axes
        ``simplex(prop).figure.savefig("picture.png", dpi=300)`` writes it.

    Raises
    ------
    CostMatrixError
        Where there are not three outcomes.
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
    >>> ax = isocost.plot.simplex(ic.linear(cost))
    >>> [text.get_text() for text in ax.texts]
    ['mild', 'moderate', 'severe', 'wait', 'test', 'treat']
    """
    if not isinstance(prop, (SmoothProperty, LinearProperty)):
        raise CostMatrixError(
            f"plot.simplex draws a SmoothProperty or a LinearProperty; got {type(prop).__name__}. "
            "Write ic.smooth(cost) or ic.linear(cost)"
        )
    if len(prop.outcomes) != 3:
        raise CostMatrixError(
            f"plot.simplex draws a triangle, so there must be 3 outcomes; got {len(prop.outcomes)}. "
            "Merge outcomes in the cost matrix, or look at prop.value(P) of your own predictions instead"
        )
    layout = layout_of(prop, levels)
    ax = _own_axes(title) if ax is None else ax
    ax.set(aspect="equal", xlim=(-0.13, 1.13), ylim=(-0.2, geometry.HEIGHT + 0.09))
    ax.axis("off")
    ax.apply_aspect()  # texts are measured from here on
    if title is not None:
        ax.set_title(title, fontsize=NORMAL + 1, color=INK, **LITERAL)
    _draw_corners(ax, [prop.outcomes[y] for y in layout.corners], scale=layout.scale is not None)
    _draw_cells(ax, layout, [str(label) for label in prop.decisions])
    _draw_lines(ax, layout)
    if layout.scale:
        _draw_scale(ax, layout.scale)
    return ax


def _own_axes(title: str | None) -> Axes:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("isocost.plot needs matplotlib: pip install 'isocost[plot]'") from error
    figure = Figure(figsize=(3.3, 3.0 if title is None else 3.25), facecolor="white")
    return figure.add_axes((0.01, 0.01, 0.98, 0.98 if title is None else 0.9))


def _text(ax: Axes, x: float, y: float, text: str, **style: Any) -> Text:
    """Text as the user wrote it."""
    return ax.text(x, y, text, **{"color": INK, "fontsize": NORMAL, **LITERAL, **style})


def _size(ax: Axes, text: Text) -> tuple[float, float]:
    """Width and height of a text in the units of the picture."""
    box = text.get_window_extent().transformed(ax.transData.inverted())
    return box.width, box.height


def _draw_corners(ax: Axes, outcomes: Sequence[object], scale: bool) -> None:
    left, top, right = (str(outcome) for outcome in outcomes)
    below = LOWER if scale else BARE
    lower: dict[str, Any] = {"va": "top", "fontweight": "bold"}
    first = _text(ax, -0.1, below, _wrapped(left, 22), ha="left", **lower)
    _text(ax, 0.5, geometry.HEIGHT + 0.02, _wrapped(top, 16), ha="center", va="bottom", fontweight="bold")
    last = _text(ax, 1.1, below, _wrapped(right, 22), ha="right", **lower)
    if not scale:
        return
    # The axis has its name where the corners leave room for it.
    name = _text(ax, 0.5, LOWER - 0.005, "score →", ha="center", va="top", fontsize=SMALL, color=GREY)
    if max(_size(ax, first)[0], _size(ax, last)[0]) + _size(ax, name)[0] / 2 > 0.58:
        name.remove()


def _wrapped(label: str, most: int) -> str:
    """A long label in lines of at most so many characters, so that it meets no other."""
    return label if len(label) <= most else "\n".join(textwrap.wrap(label, most))


def _draw_cells(ax: Axes, layout: Layout, labels: Sequence[str]) -> None:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Patch, Polygon

    colours = LinearSegmentedColormap.from_list("decisions", PALETTE)(np.linspace(0, 1, len(labels)))
    tiny: list[tuple[str, Any]] = []
    for polygon, room, label, colour in zip(layout.cells, layout.rooms, labels, colours, strict=True):
        if len(polygon) >= 3:
            ax.add_patch(Polygon(polygon, facecolor=colour, edgecolor="none", label=f"cell {label}"))
        text = _text(ax, 0, 0, label, ha="center", va="center", zorder=5)
        text.set_bbox({"facecolor": colour, "edgecolor": "none", "boxstyle": "round,pad=0.15"})
        width, height = _size(ax, text)
        spot = placing.label_spot(room, width + 0.03, height + 0.03)
        if spot is None:
            text.remove()
            tiny.append((label, Patch(facecolor=colour, edgecolor=GREY, linewidth=0.5)))
        else:
            text.set_position(spot)
    if tiny:
        if len(tiny) > 6:  # more would run into the triangle
            tiny = [*tiny[:5], (f"+ {len(tiny) - 5} more", Patch(facecolor="none", edgecolor="none"))]
        # Names are set afterwards: as labels, "_name" and "$…$" would mean something to matplotlib.
        legend = ax.legend(
            [patch for _, patch in tiny],
            [str(i) for i in range(len(tiny))],
            loc="upper right",
            fontsize=SMALL,
            frameon=False,
            borderaxespad=0,
            handlelength=1,
            handletextpad=0.5,
            labelspacing=0.35,
        )
        for (label, _), text in zip(tiny, legend.get_texts(), strict=True):
            text.set(**LITERAL)
            text.set_text(_wrapped(label, 16))


def _draw_lines(ax: Axes, layout: Layout) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Polygon

    thin, thick = list(layout.lines), list(layout.boundaries)
    ax.add_collection(LineCollection(thin, colors=GREY, linewidths=0.5, label="level sets", zorder=2))
    width = max(0.7, min(1.8, 16 / (len(thick) + 1)))  # thinner where many would hide the cells
    ax.add_collection(
        LineCollection(thick, colors=INK, linewidths=width, capstyle="butt", label="boundaries", zorder=3)
    )
    if layout.rim is not None:
        ax.add_patch(
            Polygon(layout.rim, fill=False, edgecolor=INK, linewidth=0.7, linestyle=(0, (4, 3)), label="rim", zorder=4)
        )
    ax.add_patch(Polygon(geometry.CORNERS, fill=False, edgecolor=INK, linewidth=0.8, joinstyle="round", zorder=4))


def _draw_scale(ax: Axes, scale: Scale) -> None:
    """Scores below the bottom side: all cuts, the ends, and as many levels as there is room for."""
    low, high = scale.ends

    def text(u: float, x: float, **style: Any) -> Text:
        number = placing.number_text(u, high - low)
        return _text(ax, x, -0.04, number, **{"ha": "center", "va": "top", "fontsize": SMALL, "color": GREY, **style})

    # Where a squeezed cell meets the bottom side, the side itself is the foot of its boundaries.
    wide = scale.cut_feet[np.ptp(scale.cut_feet, axis=1) > 0]
    for first, last in wide:
        ax.plot([first, last], [0, 0], color=INK, linewidth=1.8, solid_capstyle="butt", label="stretch", zorder=4)
    feet = scale.cut_feet.mean(axis=1)
    bold = [
        text(u, x, fontweight="bold", fontsize=SMALL + 0.5, color=INK) for u, x in zip(scale.cuts, feet, strict=True)
    ]
    widths = np.array([_size(ax, number)[0] for number in bold])
    if widths.sum() + GAP * len(bold) > 1.2:  # dozens of decisions
        kept = placing.spaced(feet, widths, GAP)
        bold = _only(bold, kept)
        feet, widths = feet[kept], widths[kept]
    # Cuts too close to stand side by side move apart; a tick leads to each.
    for number, foot, place in zip(bold, feet, placing.spread(feet, widths, GAP), strict=True):
        number.set_x(place)
        ax.plot([foot, place], [0, -0.035], color=INK, linewidth=0.7, label="tick", zorder=1)
    plain = [text(low, 0.0), text(high, 1.0)]
    # The shortest numbers are the roundest, so they go first.
    plain += sorted(
        (text(u, x) for u, x in zip(scale.levels, scale.level_feet, strict=True)),
        key=lambda number: len(number.get_text()),
    )
    row = bold + plain
    places = [number.get_position()[0] for number in row]  # the bold ones are just GAP apart
    _only(row, placing.spaced(places, [_size(ax, number)[0] for number in row], 0.99 * GAP))


def _only(texts: Sequence[Text], kept: Sequence[int]) -> list[Text]:
    """Take the other texts out of the picture."""
    for i, text in enumerate(texts):
        if i not in kept:
            text.remove()
    return [texts[i] for i in kept]
