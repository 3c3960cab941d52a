"""Pictures against images that were looked at, with a tolerance; DejaVu is the font that matplotlib brings.

``python -m tests.plot.test_images`` draws the images anew: look at them before you commit them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import matplotlib
import pytest
from matplotlib.axes import Axes
from matplotlib.testing.compare import compare_images

from isocost import plot
from isocost.simplex import sample_simplex
from tests.plot.drawn import png
from tests.plot.worlds import audits, scalar_properties

BASELINE = Path(__file__).parent / "baseline"
TOLERANCE = 4.0  # root mean square of the difference of colours, of 255; another rasteriser moves edges by a pixel

PICTURES: dict[str, Callable[[bool], Axes]] = {
    "simplex": lambda dark: plot.simplex(
        scalar_properties()["embedding"], predictions=sample_simplex(500, 3, 7), point=[0.25, 0.6, 0.15], dark=dark
    ),
    "ladder": lambda dark: plot.ladder(audits()["too sure"], dark=dark),
    "reliability": lambda dark: plot.reliability(audits()["too sure"], dark=dark),
    "certificate": lambda dark: plot.certificate(audits()["too sure"], dark=dark),
    "identification": lambda dark: plot.identification(scalar_properties()["embedding"], dark=dark),
}


def drawn(name: str, dark: bool) -> bytes:
    with matplotlib.rc_context({"font.family": "DejaVu Sans"}):
        return png(PICTURES[name](dark))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_as_it_was(name: str, dark: bool, tmp_path: Path) -> None:
    actual = tmp_path / "actual.png"
    actual.write_bytes(drawn(name, dark))
    expected = tmp_path / "expected.png"  # compare_images writes beside what it compares
    expected.write_bytes((BASELINE / f"{name}_{'dark' if dark else 'light'}.png").read_bytes())
    assert compare_images(str(expected), str(actual), tol=TOLERANCE) is None


def test_the_comparison_sees_a_changed_label(tmp_path: Path) -> None:
    one, other = tmp_path / "one.png", tmp_path / "other.png"
    one.write_bytes(drawn("ladder", False))
    ax = PICTURES["ladder"](False)
    ax.texts[3].set_text("something else")
    other.write_bytes(png(ax))
    assert compare_images(str(one), str(other), tol=TOLERANCE) is not None


if __name__ == "__main__":
    BASELINE.mkdir(exist_ok=True)
    for name in PICTURES:
        for dark in (False, True):
            (BASELINE / f"{name}_{'dark' if dark else 'light'}.png").write_bytes(drawn(name, dark))
