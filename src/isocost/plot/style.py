"""What all pictures share: two themes, colours that all colour vision tells apart, literal texts, new figures."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.text import Text

__all__ = [
    "DARK",
    "LIGHT",
    "LITERAL",
    "NORMAL",
    "SMALL",
    "Theme",
    "cell_colours",
    "line_colours",
    "literal_legend",
    "new_axes",
    "only",
    "put_text",
    "shortened",
    "size_of",
    "theme_of",
    "wrapped",
]

LITERAL: dict[str, Any] = {"parse_math": False, "usetex": False}  # a $ is a dollar
SMALL, NORMAL = 6.5, 8.0  # points


@dataclass(frozen=True)
class Theme:
    """Colours of a picture.

    Attributes
    ----------
    paper, ink, grey, faint : str
        Background, texts and strong lines, second texts, thin lines.
    cells : tuple of str
        Between which the colours of the decisions lie, first to last.
    lines : tuple of str
        Between which the colours of the outcomes' lines lie.
    band : str
        Of a confidence band.
    good, bad : str
        Of what is certified and what is miscalibrated; each also has a shape of its own.
    """

    paper: str
    ink: str
    grey: str
    faint: str
    cells: tuple[str, ...]
    lines: tuple[str, ...]
    band: str
    good: str
    bad: str


# Light colours that stay apart, and in order, for every kind of colour vision (after Paul Tol's "iridescent"), and
# their dark counterparts; lines after "cividis"; good and bad are the blue and vermilion of Okabe and Ito.
LIGHT = Theme(
    paper="#ffffff",
    ink="#1a1a1a",
    grey="#5f6670",
    faint="#b9bec6",
    cells=("#f6f2bd", "#cfe8cc", "#a6d7dd", "#82bfe6", "#959ed4"),
    lines=("#00224e", "#4f576c", "#8d7f4d", "#c09a1c"),
    band="#3d7fb8",
    good="#0072b2",
    bad="#c44e00",
)
DARK = Theme(
    paper="#14171c",
    ink="#eef1f5",
    grey="#a9b1bc",
    faint="#565e69",
    cells=("#5e591f", "#4a6c53", "#266e81", "#364b83", "#644aab"),
    lines=("#fde737", "#c5b86b", "#93a0bb", "#5f9bea"),
    band="#6fb1e8",
    good="#56b4e9",
    bad="#ff9a52",
)


def theme_of(dark: bool) -> Theme:
    """The theme for a dark or a light background.

    Examples
    --------
    >>> theme_of(dark=False).paper
    '#ffffff'
    """
    return DARK if dark else LIGHT


def cell_colours(theme: Theme, number: int) -> list[str]:
    """A colour for each of so many decisions in a line.

    Examples
    --------
    >>> cell_colours(LIGHT, 2)
    ['#f6f2bd', '#959ed4']
    """
    return _between(theme.cells, number)


def line_colours(theme: Theme, number: int) -> list[str]:
    """A colour for each of so many outcomes."""
    return _between(theme.lines, number)


def _between(colours: Sequence[str], number: int) -> list[str]:
    from matplotlib.colors import LinearSegmentedColormap, to_hex

    scale = LinearSegmentedColormap.from_list("between", list(colours))
    return [to_hex(scale(i / max(number - 1, 1))) for i in range(number)]


def new_axes(
    theme: Theme, size: tuple[float, float], box: tuple[float, float, float, float] = (0.01, 0.01, 0.98, 0.98)
) -> Axes:
    """Axes in a figure of their own, outside pyplot."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("isocost.plot needs matplotlib: pip install 'isocost[plot]'") from error
    return Figure(figsize=size, facecolor=theme.paper).add_axes(box)


def put_text(ax: Axes, theme: Theme, x: float, y: float, text: str, **style: Any) -> Text:
    """Text as the user wrote it."""
    return ax.text(x, y, text, **{"color": theme.ink, "fontsize": NORMAL, **LITERAL, **style})


def size_of(ax: Axes, text: Text) -> tuple[float, float]:
    """Width and height of a text in the units of the axes' data."""
    box = text.get_window_extent().transformed(ax.transData.inverted())
    return abs(box.width), abs(box.height)


def wrapped(label: str, most: int) -> str:
    r"""A long label in lines of at most so many characters, so that it meets no other.

    Examples
    --------
    >>> wrapped("a long label", 6)
    'a long\nlabel'
    """
    return label if len(label) <= most else "\n".join(textwrap.wrap(label, most))


def shortened(text: str, most: int) -> str:
    """A text of at most so many characters, its middle left out.

    Examples
    --------
    >>> shortened("severe and long-lasting", 11)
    'sever…sting'
    """
    if len(text) <= most:
        return text
    kept = max(most - 1, 2)
    return f"{text[: kept - kept // 2].rstrip()}…{text[len(text) - kept // 2 :].lstrip()}"


def only(texts: Sequence[Text], kept: Sequence[int]) -> list[Text]:
    """Take the other texts out of the picture."""
    for i, text in enumerate(texts):
        if i not in kept:
            text.remove()
    return [texts[i] for i in kept]


def literal_legend(ax: Axes, theme: Theme, handles: Sequence[Any], labels: Sequence[str], **style: Any) -> Any:
    """A small legend without frame, whose labels are as the user wrote them."""
    # Names are set afterwards: as labels, "_name" and "$…$" would mean something to matplotlib.
    legend = ax.legend(
        list(handles),
        [str(i) for i in range(len(handles))],
        **{
            "fontsize": SMALL,
            "frameon": False,
            "borderaxespad": 0,
            "handlelength": 1,
            "handletextpad": 0.5,
            "labelspacing": 0.35,
            **style,
        },
    )
    for label, text in zip(labels, legend.get_texts(), strict=True):
        text.set(color=theme.ink, **LITERAL)
        text.set_text(label)
    return legend
