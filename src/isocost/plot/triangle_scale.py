"""The score along the bottom side of the triangle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from isocost.plot import placing
from isocost.plot.layout import Scale
from isocost.plot.style import SMALL, Theme, only, put_text, size_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

__all__ = ["draw_scale"]

GAP = 0.02  # between the numbers of the scale


def draw_scale(ax: Axes, theme: Theme, scale: Scale) -> None:
    """Scores below the bottom side: all cuts, the ends, and as many levels as there is room for."""
    low, high = scale.ends

    def text(u: float, x: float, **style: Any) -> Text:
        style = {"ha": "center", "va": "top", "fontsize": SMALL, "color": theme.grey, **style}
        return put_text(ax, theme, x, -0.04, placing.number_text(u, high - low), **style)

    # Where a squeezed cell meets the bottom side, the side itself is the foot of its boundaries.
    line: dict[str, Any] = {"color": theme.ink, "solid_capstyle": "butt"}
    wide = scale.cut_feet[np.ptp(scale.cut_feet, axis=1) > 0]
    for first, last in wide:
        ax.plot([first, last], [0, 0], linewidth=1.8, label="stretch", zorder=4, **line)
    feet = scale.cut_feet.mean(axis=1)
    strong: dict[str, Any] = {"fontweight": "bold", "fontsize": SMALL + 0.5, "color": theme.ink}
    bold = [text(u, x, **strong) for u, x in zip(scale.cuts, feet, strict=True)]
    widths = np.array([size_of(ax, number)[0] for number in bold])
    if widths.sum() + GAP * len(bold) > 1.2:  # dozens of decisions
        kept = placing.spaced(feet, widths, GAP)
        bold = only(bold, kept)
        feet, widths = feet[kept], widths[kept]
    # Cuts too close to stand side by side move apart; a tick leads to each.
    for number, foot, place in zip(bold, feet, placing.spread(feet, widths, GAP), strict=True):
        number.set_x(place)
        ax.plot([foot, place], [0, -0.035], linewidth=0.7, label="tick", zorder=1, **line)
    plain = [text(low, 0.0), text(high, 1.0)]
    # The shortest numbers are the roundest, so they go first.
    plain += sorted(
        (text(u, x) for u, x in zip(scale.levels, scale.level_feet, strict=True)),
        key=lambda number: len(number.get_text()),
    )
    row = bold + plain
    places = [number.get_position()[0] for number in row]  # the bold ones are just GAP apart
    only(row, placing.spaced(places, [size_of(ax, number)[0] for number in row], 0.99 * GAP))
