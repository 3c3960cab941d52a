"""The decisions as intervals of the score, one above the other, with where predictions fall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.auditing.result import Audit
from isocost.exceptions import PredictionError
from isocost.linear_property import LinearProperty
from isocost.plot import placing
from isocost.plot.density import Density, density_along, smeared
from isocost.plot.scale_of import Intervals, intervals_of
from isocost.plot.style import (
    LITERAL,
    NORMAL,
    SMALL,
    Theme,
    cell_colours,
    new_axes,
    only,
    put_text,
    shortened,
    size_of,
    theme_of,
    wrapped,
)
from isocost.property import SmoothProperty
from isocost.scores import checked_scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.text import Text

__all__ = ["Ladder", "ladder", "ladder_of"]

Floats = NDArray[np.float64]

COLUMN = (0.0, 0.5)  # from where to where the coloured column reaches
NAMES = 0.6
ROW = 0.17  # inches that a decision needs


class Ladder(NamedTuple):
    """What is drawn: places along the score are shares of its range, 0 to 1."""

    intervals: Intervals
    rungs: Floats  # (k+1,) places of the marks
    density: Density | None
    shares: Floats | None  # of the decisions
    ends: tuple[str, str]  # in words


def ladder(
    prop: SmoothProperty | LinearProperty | Audit,
    *,
    predictions: Any = None,
    scores: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    ax: Axes | None = None,
    title: str | None = None,
    dark: bool = False,
) -> Axes:
    """Draw the decisions as intervals of the score, for any number of outcomes.

    The score rises; bold numbers are the cuts, grey ones the ends of its range, each reached where one
    outcome is certain. Bars are the density of the predictions, with the share that gets each decision
    beside its name. A decision squeezed between boundaries that touch is a line: it has one score.

    Parameters
    ----------
    prop : SmoothProperty, LinearProperty or Audit
        With a score of one number. An audit brings the scores of its rows.
    predictions : array_like or frame, shape (N, n), optional
        Probabilities.
    scores : array_like, shape (N,), optional
        Instead of them.
    sample_weight : array_like, shape (N,), optional
    ax : matplotlib Axes, optional
        Where to draw; a new figure, 3.3 inches wide, as high as the decisions need, by default.
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
    >>> cost = ic.CostMatrix.ordinal(["low", "mid", "high"])
    >>> ax = isocost.plot.ladder(ic.smooth(cost), predictions=[[0.8, 0.1, 0.1], [0.1, 0.5, 0.4]])
    >>> [text.get_text() for text in ax.texts]
    ['0', '1', '−0.5', '1.5', 'low · 50 %', 'mid · 50 %', 'high · 0 %', 'high is certain', 'low is certain']
    """
    found = ladder_of(prop, predictions, scores, sample_weight)
    theme, names = theme_of(dark), _names(found)
    if ax is None:
        rows = sum(name.count("\n") + 1 for name in names)
        height = max(2.2, ROW * rows + 0.5) + 0.25 * (title is not None)
        ax = new_axes(theme, (3.3, height), (0.01, 0.01, 0.98, 0.98 - 0.25 / height * (title is not None)))
    margin = 0.2 * ax.figure.dpi / ax.get_window_extent().height  # inches
    ax.set(xlim=(-0.22, 1.3), ylim=(-margin, 1 + margin))
    ax.axis("off")
    if title is not None:
        ax.set_title(title, fontsize=NORMAL + 1, color=theme.ink, **LITERAL)
    _draw_column(ax, theme, found)
    _draw_numbers(ax, theme, found)
    _draw_names(ax, theme, found, names)
    _draw_ends(ax, theme, found)
    return ax


def ladder_of(
    prop: SmoothProperty | LinearProperty | Audit,
    predictions: Any = None,
    scores: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> Ladder:
    """Places of all that :func:`isocost.plot.ladder` draws.

    Parameters
    ----------
    prop : SmoothProperty, LinearProperty or Audit
    predictions, scores, sample_weight : array_like, optional

    Examples
    --------
    >>> import isocost as ic
    >>> ladder_of(ic.smooth(ic.CostMatrix.ordinal(["low", "mid", "high"])), scores=[-0.25, 0.5]).rungs.tolist()
    [0.0, 0.25, 0.75, 1.0]
    """
    audit = prop if isinstance(prop, Audit) else None
    scale: Any = prop if audit is None else audit.prop
    intervals = intervals_of(scale, "plot.ladder")
    if sum(x is not None for x in (audit, predictions, scores)) > 1:
        raise PredictionError("plot.ladder takes one of an audit, `predictions` and `scores`; got more than one")
    u, weights = _scores(scale, audit, predictions, scores, sample_weight, intervals.marks)
    density = shares = None
    if u is not None and scale.dimension == 1:  # with none there is one decision, and nothing to count
        rank = np.argsort(intervals.positions)
        cells = scale.cell(u if u.ndim == 1 and isinstance(scale, SmoothProperty) else u.reshape(-1, scale.dimension))
        density = density_along(u.reshape(-1), rank[cells], intervals.marks, weights)
        shares = density.shares
    if audit is not None:  # exact, where the scores are only those of bins
        share_of = {verdict.decision: verdict.share for verdict in audit.certificate.verdicts}
        shares = np.array([share_of[decision] for decision in intervals.decisions])
    low, high = intervals.marks[[0, -1]].tolist()
    rungs = (intervals.marks - low) / (high - low) if high > low else np.array([0.0, 1.0])
    return Ladder(intervals, rungs, density, shares, (_end(scale, intervals, low), _end(scale, intervals, high)))


def _scores(
    prop: Any,
    audit: Audit | None,
    predictions: Any,
    scores: ArrayLike | None,
    weights: ArrayLike | None,
    marks: Floats,
) -> tuple[Floats | None, ArrayLike | None]:
    if audit is not None:
        curve, bins = audit.reliability, audit.instance
        if curve is not None:
            return smeared(curve.score, curve.mass, marks)
        return (None, None) if bins is None else (bins.scores, bins.mass)
    if predictions is not None:
        return np.asarray(prop.value(predictions)), weights
    if scores is None:
        return None, None
    u = checked_scores(scores)
    if u.ndim != 1 or not len(u):
        raise PredictionError(f"`scores` must be one number a row, at least one row; got shape {u.shape}")
    return u, weights


def _end(prop: Any, intervals: Intervals, end: float) -> str:
    if intervals.marks[0] == intervals.marks[-1]:
        return "one decision is always best"
    (first, *more) = np.flatnonzero(np.isclose(intervals.certain, end)).tolist() or [0]
    return f"{prop.outcomes[first]}{' …' if more else ''} is certain"


def _names(found: Ladder) -> list[str]:
    names = [str(label) for label in found.intervals.decisions]
    if found.shares is not None:
        names = [
            f"{name} · {placing.percent_text(share)}" for name, share in zip(names, found.shares.tolist(), strict=True)
        ]
    return [wrapped(name, 24) for name in names]


def _draw_column(ax: Axes, theme: Theme, found: Ladder) -> None:
    from matplotlib.patches import Rectangle

    left, right = COLUMN
    for (low, high), colour, label in zip(
        zip(found.rungs[:-1], found.rungs[1:], strict=True),
        cell_colours(theme, len(found.intervals.decisions)),
        found.intervals.decisions,
        strict=True,
    ):
        box = Rectangle(
            (left, low), right - left, high - low, facecolor=colour, edgecolor="none", label=f"cell {label}"
        )
        ax.add_patch(box)
    density = found.density
    if density is not None and density.height.max() > 0:
        low, high = found.intervals.marks[[0, -1]]
        edges = (density.edges - low) / (high - low)
        reach = 0.94 * (right - left) * density.height / density.height.max()
        ax.barh(edges[:-1], reach, np.diff(edges), left=left, align="edge", color=theme.ink, alpha=0.62, linewidth=0)
    ax.hlines(found.rungs[1:-1], left, right, color=theme.ink, linewidth=min(1.6, 20 / len(found.rungs)), label="cuts")
    ax.add_patch(Rectangle((left, 0), right - left, 1, fill=False, edgecolor=theme.ink, linewidth=0.8))


def _draw_numbers(ax: Axes, theme: Theme, found: Ladder) -> None:
    marks, where = np.unique(found.intervals.marks, return_index=True)
    places = found.rungs[where]
    if len(marks) == 1:
        return
    style: dict[str, Any] = {"ha": "right", "va": "center"}

    def text(u: float, place: float, **more: Any) -> Text:
        return put_text(ax, theme, -0.05, place, placing.number_text(u, marks[-1] - marks[0]), **style, **more)

    bold = [text(u, x, fontweight="bold", fontsize=SMALL + 0.5) for u, x in zip(marks[1:-1], places[1:-1], strict=True)]
    ends = [text(marks[i], places[i], fontsize=SMALL, color=theme.grey) for i in (0, -1)]
    heights = [size_of(ax, number)[1] for number in bold + ends]
    kept = _spread(ax, theme, bold, places[1:-1], np.array(heights[: len(bold)]), (-0.04, -0.005))
    row = kept + ends
    only(row, placing.spaced([x.get_position()[1] for x in row], [size_of(ax, x)[1] for x in row], -0.01))


def _draw_names(ax: Axes, theme: Theme, found: Ladder, names: Sequence[str]) -> None:
    middle = (found.rungs[:-1] + found.rungs[1:]) / 2
    size = NORMAL if len(names) <= 12 else SMALL
    texts = [
        put_text(ax, theme, NAMES, x, name, va="center", fontsize=size) for x, name in zip(middle, names, strict=True)
    ]
    heights = np.array([size_of(ax, text)[1] for text in texts])
    _spread(ax, theme, texts, middle, heights, (COLUMN[1], NAMES - 0.015))


def _spread(
    ax: Axes, theme: Theme, texts: Sequence[Text], places: Floats, heights: Floats, ticks: tuple[float, float]
) -> list[Text]:
    """Move texts apart, leave out what does not fit, and lead a tick to each."""
    if not texts:
        return []
    start, stop = ticks
    gap = 0.004
    bottom, top = ax.get_ylim()
    if heights.sum() + gap * len(texts) > top - bottom:
        kept = placing.spaced(places, heights, gap)
        texts, places, heights = only(texts, kept), places[kept], heights[kept]
    moved = placing.spread(places, heights, gap)
    # Not beyond the picture's ends.
    moved = moved + max(bottom - float(moved[0] - heights[0] / 2), 0.0)
    moved = moved - max(float(moved[-1] + heights[-1] / 2) - top, 0.0)
    near, far = (places, moved) if start >= COLUMN[1] else (moved, places)
    for text, y, first, last in zip(texts, moved, near, far, strict=True):
        text.set_y(y)
        ax.plot([start, stop], [first, last], color=theme.grey, linewidth=0.6, label="tick", clip_on=False, zorder=1)
    return list(texts)


def _draw_ends(ax: Axes, theme: Theme, found: Ladder) -> None:
    style: dict[str, Any] = {"ha": "left", "fontsize": SMALL, "color": theme.grey}
    below, above = (0.0, 0.0) if found.density is None else (found.density.below, found.density.above)
    for words, share, y, va in ((found.ends[1], above, 1.015, "bottom"), (found.ends[0], below, -0.015, "top")):
        if y < 0 or len(found.rungs) > 2:
            more = f"; {placing.percent_text(share)} beyond" if share else ""
            put_text(ax, theme, COLUMN[0], y, shortened(words, 52 - len(more)) + more, va=va, **style)
