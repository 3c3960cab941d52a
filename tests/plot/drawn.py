"""What a picture shows: its bytes, its texts, and that none of these overlap."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import combinations

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

__all__ = ["contrast", "png", "require_texts_apart", "shown_texts", "words"]


def png(ax: Axes) -> bytes:
    buffer = io.BytesIO()
    figure = ax.figure
    assert isinstance(figure, Figure)
    FigureCanvasAgg(figure)
    figure.savefig(buffer, format="png")
    return buffer.getvalue()


def shown_texts(ax: Axes) -> list[Text]:
    """All texts of axes and of the panels within them, but for the numbers of ticks."""
    found: list[Text] = []
    for each in _panels(ax):
        legend = each.get_legend()
        found += [*each.texts, each.title, each.xaxis.label, each.yaxis.label]
        found += [] if legend is None else legend.get_texts()
    return [text for text in found if text.get_text() and text.get_visible()]


def _panels(ax: Axes) -> Iterator[Axes]:
    yield ax
    for child in ax.child_axes:
        assert isinstance(child, Axes)
        yield from _panels(child)


def words(ax: Axes) -> list[str]:
    """The texts themselves."""
    return [text.get_text() for text in shown_texts(ax)]


def require_texts_apart(ax: Axes) -> None:
    """No two texts overlap, and all lie in the figure."""
    figure = ax.figure
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()
    shown = shown_texts(ax)
    for one, other in combinations(shown, 2):
        # Lines of numbers may touch in the white above and below them.
        a, b = (box.padded(-0.5) for box in (one.get_window_extent(), other.get_window_extent()))
        assert not a.overlaps(b), (one, other)
    for text in shown:
        box, whole = text.get_window_extent(), figure.bbox
        assert whole.contains(box.x0, box.y0) and whole.contains(box.x1, box.y1), text


def contrast(one: str, other: str) -> float:
    """Ratio of luminances, as the accessibility guidelines for the web define it (WCAG 2, 1.4.3)."""
    from matplotlib.colors import to_rgb

    def luminance(colour: str) -> float:
        linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in to_rgb(colour)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)
