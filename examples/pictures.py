"""The pictures of docs/pictures.md, light and dark, from predictions that ship with the package; the paper's figures.

Run: python examples/pictures.py [--out out/pictures]
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

import isocost as ic
from isocost import plot
from isocost.datasets import football, hpc_jobs
from isocost.exceptions import IsocostError
from isocost.io import write_atomically
from isocost.paper.redrawn import draw, redrawn_figures

DEFAULT = Path(__file__).resolve().parent.parent / "out" / "pictures"
DPI = 144


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw every kind of picture, light and dark.")
    parser.add_argument("--out", type=Path, default=DEFAULT, help="folder of the pictures (png)")
    parser.add_argument("--force", action="store_true", help="overwrite existing pictures")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    # Only our own default pictures are drawn anew without asking.
    overwrite = options.force or options.out.resolve() == DEFAULT
    pictures: dict[Path, Callable[[], bytes]] = {
        options.out / f"{name}.png": partial(light_and_dark, picture) for name, picture in every_picture().items()
    }
    pictures[options.out / "paper.png"] = the_paper
    existing = [path for path in pictures if path.exists()]
    if existing and not overwrite:
        print(f"{existing[0]} exists. Choose another --out, or pass --force to overwrite it.", file=sys.stderr)
        return 1
    for path, make in pictures.items():
        try:
            write_atomically(path, make(), overwrite)
        except (IsocostError, OSError) as error:
            print(error, file=sys.stderr)
            return 1
        print(path)
    return 0


def every_picture() -> dict[str, Callable[[bool], Axes]]:
    matches, jobs = football(), hpc_jobs()
    bets = ic.CostMatrix(
        [[0, 3, 5], [1, 0, 3], [3, 1, 0]], ["back away", "stay out", "back home"], ["away", "tie", "home"]
    )
    bet = ic.smooth(bets, method="embedding")
    # A queue that is too short for a job costs three times as much as one that is too long.
    queues = ic.CostMatrix.ordinal(jobs.outcomes, under=3)
    queue = ic.smooth(queues, method="embedding")
    found = ic.audit(queues, jobs.outcome, probabilities=jobs.probabilities, prop=queue)
    return {
        "simplex": lambda dark: plot.simplex(
            bet, predictions=matches.probabilities, point=[0.2, 0.27, 0.53], dark=dark, title="32,390 football matches"
        ),
        "ladder": lambda dark: plot.ladder(found, dark=dark, title="3,467 computing jobs"),
        "reliability": lambda dark: plot.reliability(found, dark=dark, title="3,467 computing jobs"),
        "certificate": lambda dark: plot.certificate(found, dark=dark, title="3,467 computing jobs"),
        "identification": lambda dark: plot.identification(bet, dark=dark, title="V and L of three outcomes"),
    }


def light_and_dark(picture: Callable[[bool], Axes]) -> bytes:
    return side_by_side(png(picture(False)), png(picture(True)))


def the_paper() -> bytes:
    return side_by_side(*(png(draw(figure)) for figure in redrawn_figures()))


def png(ax: Axes) -> bytes:
    figure = ax.figure
    assert isinstance(figure, Figure)
    picture = io.BytesIO()
    figure.savefig(picture, dpi=DPI, format="png")
    return picture.getvalue()


def side_by_side(*pictures: bytes) -> bytes:
    panels = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in pictures]
    whole = Image.new("RGB", (sum(panel.width for panel in panels), max(panel.height for panel in panels)), "white")
    left = 0
    for panel in panels:
        whole.paste(panel, (left, 0))
        left += panel.width
    written = io.BytesIO()
    whole.quantize(128).save(written, format="png", optimize=True)
    return written.getvalue()


if __name__ == "__main__":
    sys.exit(main())
