"""Pictures as inline SVG: colours become variables of the page, so that one picture serves light, dark and print."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree

from isocost.auditing.result import Audit
from isocost.linear_property import LinearProperty
from isocost.plot import certificate, ladder, reliability, simplex
from isocost.plot.style import DARK, LIGHT, Theme, cell_colours
from isocost.property import SmoothProperty

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Picture", "colour_variables", "pictures_of", "to_svg"]

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"


class Picture(NamedTuple):
    """One picture.

    Attributes
    ----------
    name : str
        Also the start of every id within.
    svg : str
        Safe to put into a page: it was written by a program, every text escaped.
    """

    name: str
    svg: str


def pictures_of(audit: Audit) -> dict[str, Picture]:
    """The pictures that this audit can have, by name.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> list(pictures_of(ic.audit(cost, ["ok", "bad"], decisions=["keep", "drop"])))
    ['ladder', 'certificate']
    """
    colours = colour_variables(len(audit.prop.decisions))
    with warnings.catch_warnings():
        # Characters that the font of the picture lacks are drawn by the reader's browser.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        return {name: Picture(name, to_svg(ax, name, title, said, colours)) for name, ax, title, said in _drawn(audit)}


def _drawn(audit: Audit) -> Iterator[tuple[str, Axes, str, str]]:
    """Name, picture, title, and what it shows in words, for those who hear the page."""
    prop = audit.prop
    assert isinstance(prop, (SmoothProperty, LinearProperty))
    if prop.dimension <= 1:
        order = " < ".join(str(decision) for decision in prop.decisions[:12])
        yield "ladder", ladder(audit), "The decisions along the score", f"In order of the score: {order}."
    if len(prop.outcomes) == 3:
        said = (
            "Each corner is a certain outcome, each coloured cell a decision; the table of costs has the same content."
        )
        yield "simplex", simplex(prop), "Which probabilities get which decision", said
    if audit.reliability is not None and prop.dimension == 1 and len(prop.decisions) > 1:
        said = "Across the score, upwards the score that the outcomes ask for; the table of bins has the numbers."
        yield "reliability", reliability(audit), "Score and outcomes", said
    said = "For each decision, what its neighbours would have cost beyond it; the table beside has the numbers."
    yield "certificate", certificate(audit), "What deciding otherwise would have cost", said


def colour_variables(decisions: int) -> dict[str, tuple[str, str]]:
    """Name of each variable with its colour in the light and in the dark.

    Examples
    --------
    >>> colour_variables(2)["cell-1"]
    ('#959ed4', '#644aab')
    """

    def named(theme: Theme) -> dict[str, str]:
        names = {name: getattr(theme, name) for name in ("paper", "ink", "grey", "faint", "band", "good", "bad")}
        return names | {f"cell-{i}": colour for i, colour in enumerate(cell_colours(theme, decisions))}

    light, dark = named(LIGHT), named(DARK)
    return {name: (light[name], dark[name]) for name in light}


def to_svg(ax: Axes, name: str, title: str, said: str, colours: dict[str, tuple[str, str]]) -> str:
    """A picture in the light theme as an SVG element, with title and description, texts as texts.

    Parameters
    ----------
    ax : matplotlib Axes
    name : str
    title, said : str
    colours : dict of str to (light, dark)
        From :func:`colour_variables`.
    """
    import matplotlib

    figure = ax.get_figure(root=True)
    assert figure is not None
    written = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        figure.savefig(written, format="svg", transparent=True, metadata={"Date": None})
    root = ElementTree.fromstring(written.getvalue())
    _without(root, f"{{{SVG}}}metadata")
    for old in ("width", "height", "version"):
        root.attrib.pop(old, None)
    root.attrib |= {"role": "img", "aria-labelledby": f"{name}-title {name}-said"}
    width = float(root.attrib["viewBox"].split()[2])
    root.set("style", f"max-width: {width / 8.5:.4g}rem")  # half as large again as in print: 16 pixels are a rem
    for i, (tag, text) in enumerate((("title", title), ("desc", said))):
        element = ElementTree.Element(f"{{{SVG}}}{tag}", {"id": f"{name}-{('title', 'said')[i]}"})
        element.text = text
        root.insert(i, element)
    to_variable = {light: f"var(--{variable})" for variable, (light, _) in colours.items()}
    for element in root.iter():
        for key, value in element.attrib.items():
            element.set(key, _own(key, value, name, to_variable))
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    return ElementTree.tostring(root, encoding="unicode")


def _without(root: ElementTree.Element, tag: str) -> None:
    for parent in list(root.iter()):
        for child in [child for child in parent if child.tag == tag]:
            parent.remove(child)


def _own(key: str, value: str, name: str, to_variable: dict[str, str]) -> str:
    """Ids of this picture's own, and colours as variables."""
    if key == "id" and not value.startswith(f"{name}-"):
        return f"{name}-{value}"
    if key == f"{{{XLINK}}}href" and value.startswith("#"):
        return f"#{name}-{value[1:]}"
    if key in ("style", "clip-path"):
        value = re.sub(r"url\(#", f"url(#{name}-", value)
        return re.sub(r"#[0-9a-f]{6}\b", lambda found: to_variable.get(found[0], found[0]), value)
    return value
