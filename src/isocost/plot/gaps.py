"""The certificate of an audit: for each decision, what deciding otherwise would have cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.certificates import Verdict
from isocost.auditing.result import Audit
from isocost.exceptions import PredictionError
from isocost.labels import Label
from isocost.plot import placing
from isocost.plot.style import LITERAL, NORMAL, SMALL, Theme, new_axes, put_text, shortened, theme_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["GapRow", "certificate", "gap_rows", "shown_range"]

Floats = NDArray[np.float64]

MARKS = {"certified": "o", "miscalibrated": "X", "undecided": "D"}
ROOMY = 12  # with more decisions each line says all, without a heading
MOST = 2  # alternatives of a decision that are drawn, the cheapest ones
LINE = 0.17  # inches


class GapRow(NamedTuple):
    """One line of the picture.

    Attributes
    ----------
    decision : label, or None
        Only on the first line of a decision.
    verdict : Verdict
    instead : label, or None
        None for a decision without an alternative, or that was never taken.
    value, low, high : float
        The estimate and its own interval.
    least, most : float
        Limits that hold for the whole certificate.
    place : float
        Lines from the top; a gap stands between decisions.
    """

    decision: Label | None
    verdict: Verdict
    instead: Label | None
    value: float
    low: float
    high: float
    least: float
    most: float
    place: float


def gap_rows(audit: Audit) -> list[GapRow]:
    """Lines of the picture, from the first decision to the last.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> rows = gap_rows(ic.audit(cost, ["ok", "bad"] * 400, decisions=["keep", "drop"] * 400))
    >>> [(row.decision, row.instead, row.value, row.place) for row in rows]
    [('keep', 'drop', 1.0, 0.0), ('drop', 'keep', 5.0, 1.6)]
    """
    rows: list[GapRow] = []
    place = 0.0
    nan = float("nan")
    for verdict in audit.certificate.verdicts:
        gaps = verdict.gaps if verdict.rows else ()
        if len(gaps) > MOST:
            kept = sorted(range(len(gaps)), key=lambda i, gaps=gaps: gaps[i].estimate.value)[:MOST]  # type: ignore[misc]
            gaps = tuple(gaps[i] for i in sorted(kept))
        if not gaps:
            rows.append(GapRow(verdict.decision, verdict, None, nan, nan, nan, nan, nan, place))
        for i, gap in enumerate(gaps):
            first = verdict.decision if i == 0 else None
            of = gap.estimate
            rows.append(GapRow(first, verdict, gap.instead, of.value, of.low, of.high, gap.low, gap.high, place + i))
        place += max(len(gaps), 1) + 0.6
    return rows


def shown_range(rows: list[GapRow]) -> tuple[float, float]:
    """Ends of the axis: 0, all estimates, and intervals as far as they do not dwarf these.

    Examples
    --------
    >>> shown_range([])
    (-1.0, 1.0)
    """
    values = np.array([row.value for row in rows if np.isfinite(row.value)])
    if not len(values):
        return -1.0, 1.0
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    widths = np.array([row.most - row.least for row in rows if np.isfinite(row.value)])
    most = max((high - low) / 2, 3 * float(np.median(widths)), 1e-12)
    finite = [x for row in rows for x in (row.low, row.high, row.least, row.most) if np.isfinite(x)]
    low, high = max(min([*finite, low]), low - most), min(max([*finite, high]), high + most)
    pad = 0.04 * (high - low) or 1.0
    return low - pad, high + pad


def certificate(audit: Audit, *, ax: Axes | None = None, title: str | None = None, dark: bool = False) -> Axes:
    """Draw the certificate of an audit: per decision, the cost gap to its neighbours.

    Each line asks: where this decision was taken, what would another have cost beyond it? Right of 0 the
    decision was the cheaper one. The mark is the estimate; the thick line its own interval; the thin one
    the limits that hold for all lines together, on which the verdict rests: a circle is certified, a cross
    miscalibrated, an open diamond undecided. An arrow says that a limit lies outside the picture. Where there
    are more than two alternatives, the two cheapest are drawn.

    Parameters
    ----------
    audit : Audit
    ax : matplotlib Axes, optional
        Where to draw; a new figure, 3.3 inches wide, as high as the lines need, by default.
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
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> ax = isocost.plot.certificate(ic.audit(cost, ["ok", "bad"] * 400, decisions=["keep", "drop"] * 400))
    >>> [text.get_text() for text in ax.texts]
    ['keep · 50 %: certified', 'or drop', 'drop · 50 %: certified', 'or keep']
    """
    if not isinstance(audit, Audit):
        raise PredictionError(
            f"plot.certificate draws an Audit; got {type(audit).__name__}. Write ic.audit(cost, y, ...)"
        )
    rows, theme = gap_rows(audit), theme_of(dark)
    decisions = len(audit.certificate.verdicts)
    headings = decisions <= ROOMY
    lines = rows[-1].place + 1 + headings * decisions
    if ax is None:
        height = (LINE if headings else 0.7 * LINE) * lines + 0.55 + 0.25 * (title is not None)
        top = 0.1 + 0.25 * (title is not None)
        ax = new_axes(theme, (3.3, height), (0.27, 0.42 / height, 0.7, 1 - (0.42 + top) / height))
    ax.set(xlim=shown_range(rows), ylim=(lines - 0.4, -0.7), facecolor=theme.paper)
    if title is not None:
        ax.set_title(title, fontsize=NORMAL + 1, color=theme.ink, **LITERAL)
    _draw_frame(ax, theme)
    above = 0
    for row in rows:
        above += headings and row.decision is not None
        _draw_row(ax, theme, row, row.place + above, headings)
    return ax


def _draw_frame(ax: Axes, theme: Theme) -> None:
    low, high = ax.get_xlim()
    ticks = placing.round_levels(low, high, 5)
    ax.set_xticks(ticks, [placing.number_text(x, high - low) for x in ticks.tolist()])
    ax.set_yticks([])
    ax.tick_params(labelsize=SMALL, colors=theme.grey, length=2.5, width=0.6)
    ax.set_xlabel("what the other would have cost beyond it", fontsize=NORMAL, color=theme.ink, labelpad=2)
    for name, spine in ax.spines.items():
        spine.set_visible(name == "bottom")
        spine.set(color=theme.grey, linewidth=0.6)
    ax.axvline(0, color=theme.ink, linewidth=0.8, label="no difference", zorder=1)


def _draw_row(ax: Axes, theme: Theme, row: GapRow, y: float, headings: bool) -> None:
    _name_row(ax, theme, row, y, headings)
    if row.instead is None:
        return
    status = row.verdict.status
    colour = {"certified": theme.good, "miscalibrated": theme.bad}.get(status, theme.ink)
    low, high = ax.get_xlim()
    for start, stop, width in ((row.least, row.most, 0.9), (row.low, row.high, 2.6)):
        ends = np.clip([start, stop], low, high)
        ax.plot(ends, [y, y], color=colour, linewidth=width, solid_capstyle="butt", label="interval", zorder=2)
    for end, there, arrow in ((low, min(row.least, row.low) < low, "<"), (high, max(row.most, row.high) > high, ">")):
        if there:
            ax.plot([end], [y], marker=arrow, markersize=4, color=colour, clip_on=False, label="beyond", zorder=3)
    face, edge = (theme.paper, colour) if status == "undecided" else (colour, theme.paper)
    mark: dict[str, Any] = {"marker": MARKS[status], "markersize": 6.5 - (status == "undecided"), "label": status}
    ax.plot([row.value], [y], linestyle="none", color=face, markeredgecolor=edge, markeredgewidth=0.9, zorder=4, **mark)


def _name_row(ax: Axes, theme: Theme, row: GapRow, y: float, headings: bool) -> None:
    style: dict[str, Any] = {"va": "center", "transform": ax.get_yaxis_transform(), "fontsize": NORMAL, "zorder": 5}
    behind = {"facecolor": theme.paper, "edgecolor": "none", "pad": 0.5}
    share, decision = placing.percent_text(row.verdict.share), str(row.verdict.decision)
    if not headings:
        style["fontsize"] = SMALL
        name = f"{shortened(decision, 10)} or {shortened(str(row.instead), 8)}"
        put_text(ax, theme, -0.03, y, name if row.instead is not None else shortened(decision, 22), ha="right", **style)
    elif row.decision is not None:
        said = f" · {share}: {row.verdict.status}" if row.verdict.rows else ": never taken"
        text = put_text(ax, theme, -0.36, y - 1, shortened(decision, 42 - len(said)) + said, ha="left", **style)
        text.set(fontweight="bold", bbox=behind)
    if row.instead is None and row.verdict.rows:
        put_text(ax, theme, 0.02, y, "there is no other decision", ha="left", bbox=behind, **style)
    elif row.instead is not None and headings:
        put_text(ax, theme, -0.03, y, f"or {shortened(str(row.instead), 10)}", ha="right", **style)
