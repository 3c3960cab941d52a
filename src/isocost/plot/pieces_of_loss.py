"""The identification function V and the loss L of each outcome, along the score."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.linear_property import LinearProperty
from isocost.plot import placing
from isocost.plot.scale_of import Intervals, intervals_of
from isocost.plot.style import (
    LITERAL,
    NORMAL,
    SMALL,
    Theme,
    cell_colours,
    line_colours,
    new_axes,
    only,
    put_text,
    shortened,
    size_of,
    theme_of,
)
from isocost.property import SmoothProperty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

__all__ = ["Lines", "identification", "lines_of"]

Floats = NDArray[np.float64]

MARGIN = 0.06  # of the range, shown beyond each end
FINE = 400
DASHES = ("solid", (0, (5, 1.5)), (0, (2, 1.2)), (0, (5, 1.2, 1.2, 1.2)))


class Lines(NamedTuple):
    """V at its corners and L at fine steps, for each outcome.

    Attributes
    ----------
    intervals : Intervals
    corners : ndarray, shape (m,)
        Scores between which V is linear; a repeated one is a jump.
    V : ndarray, shape (m, n)
    scores : ndarray, shape (M,)
    L : ndarray, shape (M, n)
    """

    intervals: Intervals
    corners: Floats
    V: Floats
    scores: Floats
    L: Floats


def lines_of(prop: SmoothProperty | LinearProperty) -> Lines:
    """Places of all that :func:`isocost.plot.identification` draws.

    Examples
    --------
    >>> import isocost as ic
    >>> found = lines_of(ic.smooth(ic.CostMatrix.ordinal(["low", "mid", "high"]), method="embedding"))
    >>> found.corners.round(2).tolist()
    [-0.12, 0.0, 0.5, 1.0, 1.5, 2.0, 2.12]
    >>> found.V[1:-1, 0].round(9).tolist()
    [0.0, 1.0, 2.0, 3.0, 3.0]
    """
    intervals = intervals_of(prop, "plot.identification")
    low, high = intervals.marks[[0, -1]].tolist()
    reach = MARGIN * (high - low) if high > low else 1.0
    ends = np.array([low - reach, high + reach])
    outcomes = np.arange(len(prop.outcomes))
    scores = np.linspace(low - reach, high + reach, FINE)
    if isinstance(prop, LinearProperty):
        u = scores[:, None, None] if prop.dimension else np.empty((FINE, 1, 0))
        V = prop.identification(u, outcomes)[[0, -1]].sum(axis=-1)
        return Lines(intervals, ends, V, scores, prop.loss(u, outcomes))
    inside = (prop.knots > ends[0]) & (prop.knots < ends[1])
    corners = np.r_[ends[0], prop.knots[inside], ends[1]]
    outer = prop.identification(ends[:, None], outcomes)
    V = np.vstack([outer[:1], prop.values[inside], outer[1:]])
    return Lines(intervals, corners, V, scores, prop.loss(scores[:, None], outcomes))


def identification(
    prop: SmoothProperty | LinearProperty,
    *,
    ax: Axes | None = None,
    title: str | None = None,
    dark: bool = False,
) -> Axes:
    """Draw the identification function V and the loss L of a property, a line for each outcome.

    Above is V(u, y), which is 0 where the outcome alone would put the score; the score of a distribution is
    where its mean V is 0. Below is the loss L(u, y), whose slope V is. The background are the decisions,
    their limits the cuts.

    Parameters
    ----------
    prop : SmoothProperty or LinearProperty
        With a score of one number.
    ax : matplotlib Axes, optional
        Its place is shared by two panels, ``ax.child_axes``; a new figure, 3.3 inches wide, by default.
    title : str, optional
    dark : bool
        For a dark background.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import isocost as ic
    >>> import isocost.plot
    >>> ax = isocost.plot.identification(ic.smooth(ic.CostMatrix.ordinal(["low", "mid", "high"])))
    >>> [panel.get_ylabel() for panel in ax.child_axes]
    ['V(u, y)', 'loss L(u, y)']
    """
    found, theme = lines_of(prop), theme_of(dark)
    if ax is None:
        ax = new_axes(
            theme, (3.3, 3.9 + 0.25 * (title is not None)), (0.17, 0.1, 0.62, 0.87 - 0.06 * (title is not None))
        )
    ax.axis("off")
    if title is not None:
        ax.set_title(title, fontsize=NORMAL + 1, color=theme.ink, **LITERAL)
    labels = [str(label) for label in prop.outcomes]
    upper, lower = ax.inset_axes((0, 0.53, 1, 0.47)), ax.inset_axes((0, 0, 1, 0.47))
    _draw_panel(upper, theme, found, found.corners, found.V, labels)
    _draw_panel(lower, theme, found, found.scores, found.L, labels)
    upper.axhline(0, color=theme.ink, linewidth=0.8, zorder=1)
    upper.set_ylabel("V(u, y)", fontsize=NORMAL, color=theme.ink, labelpad=2)
    upper.tick_params(labelbottom=False)
    lower.set_ylabel("loss L(u, y)", fontsize=NORMAL, color=theme.ink, labelpad=2)
    lower.set_xlabel("score u", fontsize=NORMAL, color=theme.ink, labelpad=2)
    return ax


def _draw_panel(ax: Axes, theme: Theme, found: Lines, u: Floats, values: Floats, labels: Sequence[str]) -> None:
    from matplotlib.patches import Rectangle

    low, high = float(found.corners[0]), float(found.corners[-1])
    pad = 0.04 * float(np.ptp(values)) or 1.0
    bottom, top = float(values.min()) - pad, float(values.max()) + pad
    ax.set(xlim=(low, high), ylim=(bottom, top), facecolor=theme.paper)
    edges = np.r_[low, found.intervals.marks[1:-1], high]
    colours = cell_colours(theme, len(edges) - 1)
    for start, stop, colour in zip(edges[:-1], edges[1:], colours, strict=True):
        ax.add_patch(
            Rectangle((start, bottom), stop - start, top - bottom, facecolor=colour, edgecolor="none", zorder=0)
        )
    for y, (label, colour) in enumerate(zip(labels, line_colours(theme, len(labels)), strict=True)):
        style = DASHES[y % len(DASHES)] if len(labels) <= len(DASHES) else "solid"
        ax.plot(u, values[:, y], color=colour, linewidth=1.5, linestyle=style, label=f"outcome {label}", zorder=2)
    ticks = placing.round_levels(low, high, 5)
    ax.set_xticks(ticks, [placing.number_text(x, high - low) for x in ticks.tolist()])
    levels = placing.round_levels(bottom, top, 5)
    ax.set_yticks(levels, [placing.number_text(x, top - bottom) for x in levels.tolist()])
    ax.tick_params(labelsize=SMALL, colors=theme.grey, length=2.5, width=0.6)
    for spine in ax.spines.values():
        spine.set(color=theme.grey, linewidth=0.6)
    _name_lines(ax, theme, values[-1], labels, high)


def _name_lines(ax: Axes, theme: Theme, ends: Floats, labels: Sequence[str], right: float) -> None:
    """Names beside the ends of the lines, moved apart; of dozens as many as there is room for."""
    low, high = ax.get_xlim()
    bottom, top = ax.get_ylim()
    x = right + 0.03 * (high - low)
    order = np.argsort(ends, kind="stable")
    texts = [put_text(ax, theme, x, ends[y], shortened(labels[y], 11), va="center", fontsize=SMALL) for y in order]
    heights, places = np.array([size_of(ax, text)[1] for text in texts]), ends[order]
    if heights.sum() > top - bottom:
        kept = placing.spaced(places, heights, 0.0)
        texts, heights, places = only(texts, kept), heights[kept], places[kept]
    moved = placing.spread(places, heights, 0.0)
    moved = moved - max(float(moved[-1] + heights[-1] / 2) - top, 0.0)
    for text, y, end in zip(texts, moved, places, strict=True):
        text.set_y(y)
        ax.plot([right, x], [end, y], color=theme.grey, linewidth=0.6, clip_on=False, label="tick")
