"""The pictures of docs/which_cost_matrices.md: which cost matrices fall where.

Run: python examples/which_cost_matrices.py [--out out/which_cost_matrices]
"""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path

from matplotlib.figure import Figure

import isocost as ic
from isocost.plot import simplex

DEFAULT = Path(__file__).resolve().parent.parent / "out" / "which_cost_matrices"
LABELS = ["low", "mid", "high"]
MISTAKES = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]

Panels = dict[str, ic.SmoothProperty | ic.LinearProperty]


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw cost matrices of each kind on the triangle.")
    parser.add_argument("--out", type=Path, default=DEFAULT, help="folder of the pictures (png)")
    parser.add_argument("--force", action="store_true", help="overwrite existing pictures")
    options = parser.parse_args()
    pictures = {options.out / f"{name}.png": panels for name, panels in every_picture().items()}
    existing = [path for path in pictures if path.exists()]
    # Only our own default pictures are drawn anew without asking.
    if existing and options.out.resolve() != DEFAULT and not options.force:
        print(f"{existing[0]} exists. Choose another --out, or pass --force to overwrite it.", file=sys.stderr)
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    for path, panels in pictures.items():
        write(panels, path)
        print(path)
    return 0


def every_picture() -> dict[str, Panels]:
    squared = ic.CostMatrix.ordinal(LABELS)
    absolute = ic.CostMatrix.ordinal(LABELS, power=1)
    mistakes = ic.CostMatrix(MISTAKES, LABELS, LABELS)
    between = ic.CostMatrix.ordinal(LABELS, power="1.3")
    paper = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]], ["wait", "test", "treat"], ["mild", "moderate", "severe"])
    abstain = ic.CostMatrix([*MISTAKES, [0.4, 0.4, 0.4]], [*LABELS, "ask"], LABELS)
    return {
        "three_kinds": {
            "strongly orderable\nsquared error": ic.linear(squared),
            "orderable, but touching\nabsolute error": ic.linear(absolute),
            "not orderable\nevery mistake costs 1": ic.linear(mistakes),
        },
        "strongly_orderable": {
            "squared error\nthe score follows the mean": ic.smooth(squared),
            "|r − y| to the power 1.3\nboundaries lean towards each other": ic.smooth(between),
            "wait, test or treat\nthe example of the README": ic.smooth(paper),
        },
        "touching": {
            'smooth(cost, method="touching")\n‘mid’ has the one score 0': ic.smooth(absolute, method="touching"),
            "smooth(cost, interior=0.05)\nexact inside the dashed line": ic.smooth(absolute, interior=0.05),
            "linear(cost)\ntwo numbers, exact everywhere": ic.linear(absolute),
        },
        "not_orderable": {
            "every mistake costs 1\neach decision meets both others": ic.linear(mistakes),
            "every mistake costs 1\n‘ask’ costs 0.4 and meets all others": ic.linear(abstain),
            "√|r − y|\n‘low’ meets ‘high’ below ‘mid’": ic.linear(ic.CostMatrix.ordinal(LABELS, power=0.5)),
        },
    }


def write(panels: Panels, path: Path) -> None:
    figure = Figure(figsize=(9.9, 3.5), facecolor="white")
    for i, (title, prop) in enumerate(panels.items()):
        simplex(prop, ax=figure.add_axes((i / 3 + 0.003, 0.0, 1 / 3 - 0.006, 0.88)), title=title)
    picture = io.BytesIO()
    figure.savefig(picture, dpi=160, format="png")
    # Beside the target and then renamed, so that no reader meets half a picture.
    temporary = path.with_name(f".{path.name}.part")
    temporary.write_bytes(picture.getvalue())
    temporary.replace(path)


if __name__ == "__main__":
    sys.exit(main())
