"""On the triangle: predictions as dots, and one point with its decision explained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.linear_property import LinearProperty
from isocost.plot import geometry
from isocost.plot.density import lattice_shares
from isocost.plot.explain import decision_in_words, distribution_in_words
from isocost.plot.layout import layout_of
from isocost.plot.placing import percent_text
from isocost.plot.style import SMALL, Theme, put_text, size_of, wrapped
from isocost.property import SmoothProperty

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_density", "draw_point"]

Floats = NDArray[np.float64]

STEPS = 26  # dots along a side


def draw_density(
    ax: Axes, theme: Theme, P: Floats, sample_weight: ArrayLike | None, corners: tuple[int, int, int]
) -> None:
    """A dot for each place of a lattice where predictions lie, its area their share."""
    from matplotlib.collections import EllipseCollection

    points, shares = lattice_shares(P, STEPS, sample_weight)
    widths = 0.96 / STEPS * np.sqrt(shares / shares.max())
    dots = EllipseCollection(
        widths,
        widths,
        np.zeros(len(widths)),
        units="xy",
        offsets=geometry.to_plane(points, corners),
        offset_transform=ax.transData,
        facecolors=theme.ink,
        edgecolors="none",
        alpha=0.62,
        label="predictions",
        zorder=3.5,
    )
    ax.add_collection(dots)
    said = f"largest dot: {percent_text(float(shares.max()))}\nof {len(P):,} predictions"
    put_text(ax, theme, -0.1, geometry.HEIGHT + 0.06, said, ha="left", va="top", fontsize=SMALL, color=theme.grey)


def draw_point(
    ax: Axes,
    theme: Theme,
    prop: SmoothProperty | LinearProperty,
    p: Floats,
    corners: tuple[int, int, int],
    below: float,
) -> None:
    """A ring at the point, its level set dashed, and below why it gets its decision."""
    if isinstance(prop, SmoothProperty):
        for line in layout_of(prop, [float(prop.value(p[None])[0])]).lines:
            ax.plot(*line.T, color=theme.ink, linewidth=1.1, linestyle=(0, (2.5, 2)), label="its level set", zorder=4)
    ring: dict[str, Any] = {"marker": "o", "linestyle": "none", "zorder": 6, "label": "point", "clip_on": False}
    ax.plot(*geometry.to_plane(p, corners), markersize=8, color=theme.paper, markeredgecolor=theme.ink, **ring)
    ax.plot(*geometry.to_plane(p, corners), markersize=3.2, color=theme.ink, markeredgecolor="none", **ring)
    lines = [distribution_in_words(p, prop.outcomes), decision_in_words(prop, p)]
    text = put_text(ax, theme, 0.5, below, "\n".join(lines), ha="center", va="top", fontsize=SMALL + 0.5)
    if size_of(ax, text)[0] > 1.24:
        text.set_text("\n".join(wrapped(line, 52) for line in lines))
        text.set_fontsize(SMALL)
