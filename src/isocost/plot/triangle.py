"""The simplex of three outcomes as a triangle: cells of the decisions, boundaries, level sets of Γ."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from isocost.exceptions import CostMatrixError
from isocost.plot import geometry
from isocost.property import SmoothProperty

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

__all__ = ["simplex"]

Floats = NDArray[np.float64]

# Light colours that stay apart, and in order, for every kind of colour vision (after Paul Tol's "iridescent").
PALETTE = ("#f6f2bd", "#cfe8cc", "#a6d7dd", "#82bfe6", "#959ed4")
INK, GREY = "#1a1a1a", "#5f6670"
LITERAL: dict[str, Any] = {"parse_math": False, "usetex": False}  # a $ is a dollar
SMALL, NORMAL = 6.5, 8.0  # points
GAP = 0.02  # between the numbers of the scale
LOWER = -0.1  # where the names of the lower corners start, below the numbers


def simplex(
    prop: SmoothProperty, *, ax: Axes | None = None, levels: int | Sequence[float] = 20, title: str | None = None
) -> Axes:
    """Draw a smooth property Γ of three outcomes on the triangle of their distributions.

    A corner is a certain outcome; coloured cells are the decisions; thick lines are the boundaries between
    them, with their cuts in bold below; thin lines join distributions with the same score, like contour
    lines on a map. The score rises from left to right; the bottom side is its axis.

    Parameters
    ----------
    prop : SmoothProperty
        With three outcomes.
    ax : matplotlib Axes, optional
        Where to draw; a new figure, 3.3 inches wide and outside pyplot, by default.
    levels : int or sequence of float
        At most so many thin lines, evenly spaced in round steps over ``prop.range``; or the scores to draw,
        of which those outside the range have no line.
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
    """
    if not isinstance(prop, SmoothProperty):
        raise CostMatrixError(f"plot.simplex draws a SmoothProperty; got {type(prop).__name__}. Write ic.smooth(cost)")
    if len(prop.outcomes) != 3:
        raise CostMatrixError(
            f"plot.simplex draws a triangle, so there must be 3 outcomes; got {len(prop.outcomes)}. "
            "Merge outcomes in the cost matrix, or look at prop.value(P) of your own predictions instead"
        )
    low, high = prop.range
    shown = _levels(prop, levels)
    ax = _own_axes(title) if ax is None else ax
    order = geometry.corner_order(prop.value(np.eye(3)))
    cuts = prop.cuts[(prop.cuts > low) & (prop.cuts < high)]
    boundaries, lines = (geometry.level_segments(_normals(prop, u), order) for u in (cuts, shown))

    ax.set(aspect="equal", xlim=(-0.13, 1.13), ylim=(-0.2, geometry.HEIGHT + 0.09))
    ax.axis("off")
    ax.apply_aspect()  # texts are measured from here on
    if title is not None:
        ax.set_title(title, fontsize=NORMAL + 1, color=INK, **LITERAL)
    _draw_corners(ax, [prop.outcomes[y] for y in order])
    cells = [geometry.to_plane(cell, order) for cell in geometry.cell_polygons(_normals(prop, prop.cuts))]
    _draw_cells(ax, cells, [str(label) for label in prop.decisions])
    _draw_lines(ax, lines, boundaries)
    _draw_scale(ax, (low, high), (cuts, boundaries[:, 0, 0]), (shown, lines[:, 0, 0]))
    return ax


def _levels(prop: SmoothProperty, levels: int | Sequence[float]) -> Floats:
    """Scores of the thin lines: inside the range, and no cut, whose line is thick."""
    low, high = prop.range
    if isinstance(levels, (int, np.integer)) and not isinstance(levels, bool) and levels >= 0:
        values = geometry.round_levels(low, high, int(levels))
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
    return values[~np.isclose(values[:, None], prop.cuts, rtol=0, atol=1e-9 * (high - low)).any(axis=1)]


def _normals(prop: SmoothProperty, u: Floats) -> Floats:
    return prop.identification(u[:, None], np.arange(3))


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


def _draw_corners(ax: Axes, outcomes: Sequence[object]) -> None:
    left, top, right = (str(outcome) for outcome in outcomes)
    lower: dict[str, Any] = {"va": "top", "fontweight": "bold"}
    first = _text(ax, -0.1, LOWER, _wrapped(left, 22), ha="left", **lower)
    _text(ax, 0.5, geometry.HEIGHT + 0.02, _wrapped(top, 16), ha="center", va="bottom", fontweight="bold")
    last = _text(ax, 1.1, LOWER, _wrapped(right, 22), ha="right", **lower)
    # The axis has its name where the corners leave room for it.
    name = _text(ax, 0.5, LOWER - 0.005, "score →", ha="center", va="top", fontsize=SMALL, color=GREY)
    if max(_size(ax, first)[0], _size(ax, last)[0]) + _size(ax, name)[0] / 2 > 0.58:
        name.remove()


def _wrapped(label: str, most: int) -> str:
    """A long label in lines of at most so many characters, so that it meets no other."""
    return label if len(label) <= most else "\n".join(textwrap.wrap(label, most))


def _draw_cells(ax: Axes, cells: Sequence[Floats], labels: Sequence[str]) -> None:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Patch, Polygon

    colours = LinearSegmentedColormap.from_list("decisions", PALETTE)(np.linspace(0, 1, len(cells)))
    tiny: list[tuple[str, Any]] = []
    for polygon, label, colour in zip(cells, labels, colours, strict=True):
        if len(polygon) >= 3:
            ax.add_patch(Polygon(polygon, facecolor=colour, edgecolor="none", label=f"cell {label}"))
        text = _text(ax, 0, 0, label, ha="center", va="center", zorder=5)
        text.set_bbox({"facecolor": colour, "edgecolor": "none", "boxstyle": "round,pad=0.15"})
        width, height = _size(ax, text)
        spot = geometry.label_spot(polygon, width + 0.03, height + 0.03)
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


def _draw_lines(ax: Axes, lines: Floats, boundaries: Floats) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Polygon

    ax.add_collection(LineCollection(list(lines), colors=GREY, linewidths=0.5, label="level sets", zorder=2))
    thick = max(0.7, min(1.8, 16 / (len(boundaries) + 1)))  # thinner where many would hide the cells
    ax.add_collection(
        LineCollection(list(boundaries), colors=INK, linewidths=thick, capstyle="butt", label="boundaries", zorder=3)
    )
    ax.add_patch(Polygon(geometry.CORNERS, fill=False, edgecolor=INK, linewidth=0.8, joinstyle="round", zorder=4))


def _draw_scale(
    ax: Axes, ends: tuple[float, float], cuts: tuple[Floats, Floats], levels: tuple[Floats, Floats]
) -> None:
    """Scores below the bottom side: all cuts, the ends, and as many levels as there is room for."""
    low, high = ends
    if low == high:
        return

    def text(u: float, x: float, **style: Any) -> Text:
        number = geometry.number_text(u, high - low)
        return _text(ax, x, -0.04, number, **{"ha": "center", "va": "top", "fontsize": SMALL, "color": GREY, **style})

    bold = [text(u, x, fontweight="bold", fontsize=SMALL + 0.5, color=INK) for u, x in zip(*cuts, strict=True)]
    feet, widths = cuts[1], np.array([_size(ax, number)[0] for number in bold])
    if widths.sum() + GAP * len(bold) > 1.2:  # dozens of decisions
        kept = geometry.spaced(feet, widths, GAP)
        bold = _only(bold, kept)
        feet, widths = feet[kept], widths[kept]
    # Cuts too close to stand side by side move apart; a tick leads to each.
    for number, foot, place in zip(bold, feet, geometry.spread(feet, widths, GAP), strict=True):
        number.set_x(place)
        ax.plot([foot, place], [0, -0.035], color=INK, linewidth=0.7, label="tick", zorder=1)
    plain = [text(low, 0.0), text(high, 1.0)]
    # The shortest numbers are the roundest, so they go first.
    plain += sorted((text(u, x) for u, x in zip(*levels, strict=True)), key=lambda number: len(number.get_text()))
    row = bold + plain
    places = [number.get_position()[0] for number in row]  # the bold ones are just GAP apart
    _only(row, geometry.spaced(places, [_size(ax, number)[0] for number in row], 0.99 * GAP))


def _only(texts: Sequence[Text], kept: Sequence[int]) -> list[Text]:
    """Take the other texts out of the picture."""
    for i, text in enumerate(texts):
        if i not in kept:
            text.remove()
    return [texts[i] for i in kept]
