"""Everything that was recomputed, written into a folder: figures, and tables of all numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from itertools import groupby
from os import PathLike
from pathlib import Path

import numpy as np

from isocost.exceptions import IsocostError
from isocost.io import write_atomically
from isocost.paper.check import Check
from isocost.paper.redrawn import Figure, draw, redrawn_figures
from isocost.paper.setting import NORMS, norm_text, paper_cost, paper_embedding, paper_normals
from isocost.paper.table import summary
from isocost.plot.level_figures import level_line
from isocost.smoothing import smooth

__all__ = ["write_reproduction"]

KINDS = ("svg", "png")


def write_reproduction(folder: str | PathLike[str], checks: Sequence[Check], overwrite: bool = False) -> list[Path]:
    """Write the figures as SVG and PNG, every check as Markdown and CSV, and the numbers behind the figures.

    Parameters
    ----------
    folder : path
        Made where it does not exist.
    checks : sequence of Check
    overwrite : bool
        Whether files of an earlier run may be replaced; others are never touched.

    Returns
    -------
    list of Path
        The files, in the order of writing.
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise IsocostError(f"{target} must be a folder; it is a file. Choose another name")
    # Figures are drawn only once it is sure that they may be written.
    drawn = redrawn_figures()
    names = [f"{figure.name}.{kind}" for figure in drawn for kind in KINDS]
    tables = {
        "numbers.md": _markdown(checks),
        "numbers.csv": _csv(
            ["group", "name", "where", "paper", "isocost", "verdict", "note"],
            ([c.group, c.name, c.where, c.written, c.computed, str(c.verdict), c.note] for c in checks),
        ),
        "properties.csv": _properties(),
        "level_sets.csv": _level_sets(drawn),
    }
    for name in [*names, *tables]:
        if (target / name).exists() and not overwrite:
            raise IsocostError(f"{target / name} exists; choose another folder or pass overwrite=True")
    target.mkdir(parents=True, exist_ok=True)
    for figure in drawn:
        for kind in KINDS:
            write_atomically(target / f"{figure.name}.{kind}", _picture(figure, kind), overwrite, IsocostError)
    for name, text in tables.items():
        write_atomically(target / name, text, overwrite, IsocostError)
    return [target / name for name in [*names, *tables]]


def _picture(figure: Figure, kind: str) -> bytes:
    ax = draw(figure)
    import matplotlib

    whole = ax.get_figure(root=True)
    assert whole is not None
    content = io.BytesIO()
    # The same bytes in every run: no date, and ids that do not depend on chance.
    metadata = {"Date": None} if kind == "svg" else None
    with matplotlib.rc_context({"svg.hashsalt": figure.name}):
        whole.savefig(content, format=kind, dpi=200, metadata=metadata)
    return content.getvalue()


def _markdown(checks: Sequence[Check]) -> str:
    """All checks as tables, one a group."""
    lines = ["# The paper, recomputed", "", f"{summary(checks)}."]
    for heading, group in groupby(checks, key=lambda check: check.group):
        right = "right, by isocost" if heading == "Errata" else "isocost"
        lines += ["", f"## {heading}", "", f"| | where | paper | {right} | | note |", "|---|---|---|---|---|---|"]
        for c in group:
            cells = [c.name, c.where, c.written, c.computed, str(c.verdict), c.note]
            lines.append(f"| {' | '.join(_cell(text) for text in cells)} |")
    return "\n".join([*lines, ""])


def _cell(text: str) -> str:
    for sign in "\\|*_<`":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return buffer.getvalue()


def _properties() -> str:
    """V at every knot of the three constructions, the cuts, and their constants."""
    rows: list[list[object]] = []
    for prop in (paper_embedding(), paper_normals(), smooth(paper_cost())):
        for u, values in zip(prop.knots.tolist(), prop.values.tolist(), strict=True):
            rows.append([prop.method, "V", u, *values])
        rows += [[prop.method, "cut", u, "", "", ""] for u in prop.cuts.tolist()]
        rows += [[prop.method, f"K in {norm_text(norm)}", prop.lipschitz(norm), "", "", ""] for norm in NORMS]
    return _csv(["construction", "what", "value", "y=1", "y=2", "y=3"], rows)


def _level_sets(drawn: Sequence[Figure]) -> str:
    """Both ends of every line of the figures, as places in the plane and as distributions."""
    rows: list[list[object]] = []
    for figure in drawn:
        low, high = figure.prop.range
        levels = np.unique(np.r_[figure.levels.round(12), [mark.u for mark in figure.marks]])
        for u in levels[(levels > low) & (levels < high)].tolist():
            ends = level_line(figure.prop, u)
            second = ends[:, 1] / (np.sqrt(3) / 2)
            third = ends[:, 0] - second / 2
            for x, y, p2, p3 in zip(*ends.T.tolist(), second.tolist(), third.tolist(), strict=True):
                rows.append([figure.name, *(f"{v:.12g}" for v in (u, x, y, 1 - p2 - p3, p2, p3))])
    return _csv(["figure", "u", "x", "y", "p1", "p2", "p3"], rows)
