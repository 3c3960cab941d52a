"""The reliability curve of an audit: what scores say, and what they should have said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.reliability import Reliability
from isocost.auditing.result import Audit
from isocost.exceptions import PredictionError
from isocost.plot import placing
from isocost.plot.density import density_along, smeared
from isocost.plot.scale_of import Intervals, intervals_of
from isocost.plot.style import (
    LITERAL,
    NORMAL,
    SMALL,
    Theme,
    cell_colours,
    literal_legend,
    new_axes,
    put_text,
    size_of,
    theme_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Curve", "curve_of", "reliability"]

Floats = NDArray[np.float64]

MASS = 0.12  # height of the strip of masses, as a share of the range


class Curve(NamedTuple):
    """What is drawn, in units of the score, kept to its range.

    Attributes
    ----------
    intervals : Intervals
    steps, fitted : ndarray, shape (2M,)
        The fit as a line of steps: each point holds for its share of the rows.
    consistency, confidence : ndarray, shape (M, 2)
    score : ndarray, shape (M,)
        Where the bands are known.
    edges, mass : ndarray
        Histogram of the scores; the largest mass is 1.
    """

    intervals: Intervals
    steps: Floats
    fitted: Floats
    score: Floats
    consistency: Floats
    confidence: Floats
    edges: Floats
    mass: Floats


def curve_of(audit: Audit) -> Curve:
    """Places of all that :func:`isocost.plot.reliability` draws.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 1], [1, 0]])
    >>> found = ic.audit(cost, [0, 1, 1, 0] * 50, scores=[-0.5, 0.5, 0.5, -0.5] * 50, grid=None)
    >>> curve_of(found).fitted.tolist()
    [-1.0, -1.0, 1.0, 1.0]
    """
    curve = _reliability(audit)
    intervals = intervals_of(audit.prop, "plot.reliability")  # type: ignore[arg-type]
    low, high = intervals.marks[[0, -1]].tolist()
    if low == high:
        raise PredictionError(
            "plot.reliability has nothing to draw: one decision is always best, so all scores are the same"
        )
    score = np.clip(curve.score, low, high)
    between = np.r_[low, (score[1:] + score[:-1]) / 2, high]
    steps = np.stack([between[:-1], between[1:]], axis=1).ravel()
    u, weights = smeared(score, curve.mass, intervals.marks)
    density = density_along(u, np.zeros(len(u), dtype=np.intp), intervals.marks, weights, bins=48)
    mass = density.height * np.diff(density.edges)
    return Curve(
        intervals,
        steps,
        np.repeat(curve.fitted, 2),
        score,
        np.clip(curve.consistency, low, high),
        np.clip(curve.confidence, low, high),
        density.edges,
        mass / float(mass.max()),
    )


def reliability(audit: Audit, *, ax: Axes | None = None, title: str | None = None, dark: bool = False) -> Axes:
    """Draw the reliability curve of an audit.

    Across is the score, upwards what it should have been: Γ of the outcomes at that score, fitted by
    generalised isotonic regression. A score that is right lies on the diagonal. The grey band is where the
    curve would lie by chance if the score were right everywhere (consistency), the coloured one where the
    true curve may be (confidence), each point by point. In the coloured squares score and outcomes ask
    for the same decision, so a curve outside them means wrong decisions; dashed lines are the cuts. The
    strip at the bottom is the mass of the scores.

    Parameters
    ----------
    audit : Audit
        With a score of one number and `resamples` above 0.
    ax : matplotlib Axes, optional
        Where to draw; a new figure, 3.3 inches wide, by default.
    title : str, optional
    dark : bool
        For a dark background.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    PredictionError
        Where the audit has no such curve.

    Examples
    --------
    >>> import isocost as ic, numpy as np
    >>> import isocost.plot
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> p = np.random.default_rng(0).uniform(size=500)
    >>> y = np.where(np.random.default_rng(1).uniform(size=500) < p, "bad", "ok")
    >>> ax = isocost.plot.reliability(ic.audit(cost, y, probabilities=np.column_stack([1 - p, p])))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('score', 'score that the outcomes ask for')
    """
    if not isinstance(audit, Audit):
        raise PredictionError(
            f"plot.reliability draws an Audit; got {type(audit).__name__}. Write ic.audit(cost, y, ...)"
        )
    curve = curve_of(audit)
    theme = theme_of(dark)
    ax = new_axes(theme, (3.3, 3.5), (0.14, 0.115, 0.84, 0.76 if title else 0.82)) if ax is None else ax
    low, high = curve.intervals.marks[[0, -1]].tolist()
    reach = high - low
    bottom = low - MASS * 1.25 * reach
    ax.set(xlim=(low - 0.01 * reach, high + 0.01 * reach), ylim=(bottom, high + 0.02 * reach), facecolor=theme.paper)
    _draw_frame(ax, theme, (low, high), bottom)
    if title is not None:
        ax.set_title(title, fontsize=NORMAL + 1, color=theme.ink, pad=17, **LITERAL)
    _draw_squares(ax, theme, curve.intervals)
    handles = _draw_bands(ax, theme, curve)
    _draw_mass(ax, theme, curve, bottom, reach)
    percent = f"{100 * audit.level:.4g} %"
    names = ["fit", f"{percent} confidence", f"{percent} if scores were right"]
    place: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.015), "ncols": 3, "columnspacing": 1.2}
    literal_legend(ax, theme, handles, names, **place)
    return ax


def _reliability(audit: Audit) -> Reliability:
    if audit.reliability is None:
        why = (
            "it was asked for no resamples. Audit with resamples=200"
            if audit.instance is not None
            else f"its property has scores of {audit.prop.dimension} numbers. Draw plot.certificate(audit)"
            if audit.prop.dimension != 1
            else "it has no scores of a smooth property. Draw plot.certificate(audit), or audit probabilities or scores"
        )
        raise PredictionError(f"this audit has no reliability curve, as {why}")
    return audit.reliability


def _draw_frame(ax: Axes, theme: Theme, ends: tuple[float, float], bottom: float) -> None:
    low, high = ends
    ax.set_xlabel("score", fontsize=NORMAL, color=theme.ink, labelpad=2)
    ax.set_ylabel("score that the outcomes ask for", fontsize=NORMAL, color=theme.ink, labelpad=2)
    ticks = placing.round_levels(low, high, 5)
    texts = [placing.number_text(x, high - low) for x in ticks.tolist()]
    ax.set_xticks(ticks, texts)
    ax.set_yticks(ticks, texts)
    ax.tick_params(labelsize=SMALL, colors=theme.grey, length=2.5, width=0.6)
    for name, spine in ax.spines.items():
        spine.set_visible(name in ("left", "bottom"))
        spine.set(color=theme.grey, linewidth=0.6)
    ax.spines["left"].set_bounds(low, high)
    ax.spines["bottom"].set_position(("data", bottom))


def _draw_squares(ax: Axes, theme: Theme, intervals: Intervals) -> None:
    from matplotlib.patches import Rectangle

    marks = intervals.marks
    colours = cell_colours(theme, len(intervals.decisions))
    for low, high, colour, label in zip(marks[:-1], marks[1:], colours, intervals.decisions, strict=True):
        square = Rectangle((low, low), high - low, high - low, facecolor=colour, edgecolor="none", zorder=0)
        square.set_label(f"cell {label}")
        ax.add_patch(square)
    cuts = np.unique(marks[1:-1])
    line: dict[str, Any] = {"color": theme.ink, "linewidth": 0.6, "linestyle": (0, (3, 3)), "zorder": 1}
    if len(cuts) > 8:  # many would hide all else
        line |= {"color": theme.faint, "linewidth": 0.4, "linestyle": "solid"}
    for cut in cuts:
        ax.plot([cut, cut], [marks[0] - 1e3 * (marks[-1] - marks[0]), marks[-1]], label="cut", **line)
        ax.plot([marks[0], marks[-1]], [cut, cut], label="cut", **line)
    # A name stands in the lower right corner of its square where it fits, under the diagonal.
    for low, high, label in zip(marks[:-1], marks[1:], intervals.decisions, strict=True):
        text = put_text(ax, theme, high, low, f"{label} ", ha="right", va="bottom", fontsize=SMALL + 0.5, zorder=5)
        width, height = size_of(ax, text)
        if width + 1.2 * height > 0.8 * (high - low):
            text.remove()


def _draw_bands(ax: Axes, theme: Theme, curve: Curve) -> list[Any]:
    low, high = curve.intervals.marks[[0, -1]]
    ax.plot([low, high], [low, high], color=theme.grey, linewidth=0.8, label="diagonal", zorder=3)
    consistency = ax.fill_between(
        curve.score, *curve.consistency.T, color=theme.grey, alpha=0.45, linewidth=0, zorder=2
    )
    confidence = ax.fill_between(curve.score, *curve.confidence.T, color=theme.band, alpha=0.4, linewidth=0, zorder=2.5)
    (fit,) = ax.plot(curve.steps, curve.fitted, color=theme.ink, linewidth=1.3, label="fit", zorder=4)
    return [fit, confidence, consistency]


def _draw_mass(ax: Axes, theme: Theme, curve: Curve, bottom: float, reach: float) -> None:
    height = MASS * reach * curve.mass
    ax.bar(
        curve.edges[:-1],
        height,
        np.diff(curve.edges),
        bottom=bottom,
        align="edge",
        color=theme.ink,
        alpha=0.62,
        zorder=3,
    )
