"""The figures: every coordinate and level-line formula of the TikZ code against the computed level sets."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from isocost.paper.check import Check, numbers, statement
from isocost.paper.setting import Floats, barycentric, paper_cost, paper_embedding, paper_normals
from isocost.property import SmoothProperty

__all__ = ["CORNERS", "FAMILIES", "FIGURE_A", "FIGURE_SCALE", "figure_checks"]

GROUP = "Figures: TikZ coordinates and level lines"
FIGURE_A, FIGURE_B, FIGURE_LB = "Fig. 2 (a)", "Fig. 2 (b)", "Fig. 3"

# The figures write √14 as 3.74165 and 1/3 as 0.333; these are the errors that this makes.
FIGURE_SCALE = 3.74165
ROUNDED_ROOT, ROUNDED_THIRD = 3e-5, 5e-4

HALF_ROOT = math.sqrt(3) / 2
CORNERS = {
    "A": (0.0, 0.0),
    "B": (1.0, 0.0),
    "C": (0.5, HALF_ROOT),
    "B12_AC": (0.125, 0.25 * HALF_ROOT),
    "B12_AB": (0.333, 0.0),
    "B23_AB": (4 / 11, 0.0),
    "B34_BC": (0.625, 0.75 * HALF_ROOT),
    "B34_AB": (0.4, 0.0),
}


class _Family(NamedTuple):
    """Level lines of one colour: from (1 - first, first, 0) to (1 - second, 0, second), for each c."""

    figure: str
    colour: str
    text: str
    first: Callable[[float], float]
    second: Callable[[float], float]
    start: float
    stop: float
    tolerance: float = 1e-12


FAMILIES = (
    _Family(
        FIGURE_A,
        "blue",
        "4c/(6+4c), 4c/(5+2c)",
        lambda c: 4 * c / (6 + 4 * c),
        lambda c: 4 * c / (5 + 2 * c),
        0.05,
        0.5,
    ),
    _Family(
        FIGURE_A, "green", "4/(28-24c), 4/(13-2c)", lambda c: 4 / (28 - 24 * c), lambda c: 4 / (13 - 2 * c), 0.55, 1
    ),
    _Family(FIGURE_A, "orange", "4/(6-2c), 4/(12-c)", lambda c: 4 / (6 - 2 * c), lambda c: 4 / (12 - c), 1.05, 2),
    _Family(
        FIGURE_A,
        "red",
        "(4c-4)/(4-c), (4c-4)/(14-2c)",
        lambda c: (4 * c - 4) / (4 - c),
        lambda c: (4 * c - 4) / (14 - 2 * c),
        2.05,
        3,
    ),
    _Family(
        FIGURE_B,
        "blue",
        "(3.74165c+1)/4, (3.74165c+1)/3",
        lambda c: (FIGURE_SCALE * c + 1) / 4,
        lambda c: (FIGURE_SCALE * c + 1) / 3,
        -0.95,
        0,
        ROUNDED_ROOT,
    ),
    _Family(
        FIGURE_B,
        "green",
        "(c+1)/(4-3c), (c+1)/(3+2c)",
        lambda c: (c + 1) / (4 - 3 * c),
        lambda c: (c + 1) / (3 + 2 * c),
        0.05,
        1,
    ),
    _Family(
        FIGURE_B,
        "orange",
        "3.74165(c-1)+2, (3.74165(c-1)+2)/5",
        lambda c: (c - 1) * FIGURE_SCALE + 2,
        lambda c: ((c - 1) * FIGURE_SCALE + 2) / 5,
        1.05,
        2,
        ROUNDED_ROOT,
    ),
)


def figure_checks() -> list[Check]:
    """Checks of the named points, the level lines, the coloured regions and the labels of all figures.

    Figure 3 repeats the lines of Figure 2 (b), and adds the line through its middle with ε₂ = 0.

    Examples
    --------
    >>> all(check.passed for check in figure_checks())
    True
    """
    return [
        *_named_points(),
        *[_level_lines(family) for family in FAMILIES],
        *_regions(),
        *_labels(),
        _middle_line(),
    ]


def _property_of(figure: str) -> SmoothProperty:
    return paper_embedding() if figure == FIGURE_A else paper_normals()


# -- points -------------------------------------------------------------------------------------


def _named_points() -> list[Check]:
    """Each point is an end of a level set: at the cuts of both figures, and at φ₂ = 1 in the first."""
    prop = paper_embedding()
    first, second = prop.cuts.tolist()
    middle = float(prop.knots[2])
    on_left, on_base, on_right = 2, 1, 0  # the outcome that a point of this edge of the triangle rules out
    places = [
        ("B12_AC", "(0.125, 0.25·√3/2)", first, on_left, 1e-12),
        ("B12_AB", "(0.333, 0)", first, on_base, ROUNDED_THIRD),
        ("B23_AB", "(4/11, 0)", middle, on_base, 1e-12),
        ("B34_BC", "(0.625, 0.75·√3/2)", second, on_right, 1e-12),
        ("B34_AB", "(0.4, 0)", second, on_base, 1e-12),
    ]
    checks = []
    for name, text, u, ruled_out, tolerance in places:
        ends = prop.level_set(u)
        end = ends[ends[:, ruled_out].argmin()]
        note = "the figure rounds 1/3" if tolerance == ROUNDED_THIRD else ""
        checks.append(
            numbers(GROUP, name, "Figs. 2, 3", text, barycentric(*CORNERS[name]), end, tolerance=tolerance, note=note)
        )
    return checks


# -- lines --------------------------------------------------------------------------------------


def _level_lines(family: _Family) -> Check:
    """Each drawn line, clipped to the triangle, is the level set; lines that miss it belong to empty ones."""
    prop = _property_of(family.figure)
    worst, drawn, missed = 0.0, 0, 0
    # TikZ steps from the start by 0.05 and includes the stop.
    for c in np.arange(round((family.stop - family.start) / 0.05) + 1) * 0.05 + family.start:
        line = _clipped(_on_left(family.first(c)), _on_base(family.second(c)))
        ends = prop.level_set(c)
        if len(ends) == 0 or line is None:
            missed += 1
            worst = max(worst, 0.0 if len(ends) == 0 and line is None else math.inf)
            continue
        drawn += 1
        worst = max(worst, _farthest(line, ends))
    computed = f"{drawn} lines = level sets, to {max(worst, 1e-16):.0e}" + (f"; {missed} outside" if missed else "")
    note = "the figure rounds √14 to 3.74165" if family.tolerance == ROUNDED_ROOT else ""
    where = f"{family.figure}, {family.colour}"
    name = f"{family.figure[-3:]} {family.colour} lines"
    return statement(
        GROUP, name, where, f"p₂, p₃ = {family.text}", computed, drawn > 0 and worst <= family.tolerance, note
    )


def _on_left(second: float) -> Floats:
    return np.array([1 - second, second, 0.0])


def _on_base(third: float) -> Floats:
    return np.array([1 - third, 0.0, third])


def _clipped(a: Floats, b: Floats) -> Floats | None:
    """The part of the segment from a to b inside the simplex, as two points; None where there is none."""
    low, high = 0.0, 1.0
    for start, end in zip(a.tolist(), b.tolist(), strict=True):
        if start < 0 and end < 0:
            return None
        if start < 0 or end < 0:
            crossing = start / (start - end)
            low, high = (max(low, crossing), high) if start < 0 else (low, min(high, crossing))
    return np.array([a + low * (b - a), a + high * (b - a)]) if low <= high else None


def _farthest(line: Floats, ends: Floats) -> float:
    """Hausdorff distance of two finite sets in the largest coordinate; order and repetition do not matter."""
    gaps = np.abs(line[:, None] - ends[None]).max(axis=2)
    return float(max(gaps.min(axis=0).max(), gaps.min(axis=1).max()))


# -- regions and labels -------------------------------------------------------------------------


def _regions() -> list[Check]:
    """A coloured region lies between two level sets: its corners are their ends and the vertices between."""
    embedding, normals = paper_embedding(), paper_normals()
    first, second = embedding.cuts.tolist()
    middle = float(embedding.knots[2])
    low, high = normals.cuts.tolist()
    regions = [
        (FIGURE_A, "blue", "A B12_AC B12_AB", -math.inf, first),
        (FIGURE_A, "green", "B12_AC C B23_AB B12_AB", first, middle),
        (FIGURE_A, "orange", "C B34_BC B34_AB B23_AB", middle, second),
        (FIGURE_A, "red", "B34_BC B B34_AB", second, math.inf),
        (FIGURE_B, "blue", "A B12_AC B12_AB", -math.inf, low),
        (FIGURE_B, "green", "B12_AC C B34_BC B34_AB B12_AB", low, high),
        (FIGURE_B, "orange", "B34_BC B B34_AB", high, math.inf),
    ]
    checks = []
    for figure, colour, names, start, stop in regions:
        prop = _property_of(figure)
        at_vertices = prop.value(np.eye(3))
        corners = [np.eye(3)[(at_vertices >= start) & (at_vertices <= stop)]]
        corners += [prop.level_set(u) for u in (start, stop) if math.isfinite(u)]
        written = np.array([barycentric(*CORNERS[name]) for name in names.split()])
        worst = _farthest(written, np.vstack(corners))
        text = f"{names.replace(' ', ' – ')}"
        scores = " ≤ ".join([f"{start:g}"] * math.isfinite(start) + ["Γ"] + [f"{stop:g}"] * math.isfinite(stop))
        computed = f"the corners of {{{scores}}}, to {max(worst, 1e-16):.0e}"
        name = f"{figure[-3:]} {colour} region"
        checks.append(
            statement(GROUP, name, figure, text, computed, worst <= (ROUNDED_THIRD if "B12_AB" in names else 1e-12))
        )
    return checks


def _labels() -> list[Check]:
    """The label u of each thick black line but one, which is E15; and no line is a boundary of γ but these."""
    checks = []
    for figure, names, u in (
        (FIGURE_A, ("B12_AC", "B12_AB"), 0.5),
        (FIGURE_A, ("B34_BC", "B34_AB"), 2.0),
        (FIGURE_B, ("B12_AC", "B12_AB"), 0.0),
        (FIGURE_B, ("B34_BC", "B34_AB"), 1.0),
    ):
        P = np.array([barycentric(*CORNERS[name]) for name in names])
        values = _property_of(figure).value(np.maximum(P, 0), normalize=True)
        # 1/3 is drawn as 0.333, and Γ changes by at most K times that.
        tolerance = _property_of(figure).lipschitz(1) * ROUNDED_THIRD if "B12_AB" in names else 1e-12
        name = f"{figure[-3:]} label u = {u:g}"
        checks.append(numbers(GROUP, name, figure, f"Γ = {u:g} at {' and '.join(names)}", [u, u], values, tolerance))
    return checks


def _middle_line() -> Check:
    """The thick line c = 0.6 of Figure 3, to which ● and ♠ are drawn to belong (see E16), lies in cell 2."""
    c = 0.6
    line = _clipped(_on_left((c + 1) / (4 - 3 * c)), _on_base((c + 1) / (3 + 2 * c)))
    assert line is not None
    decisions = set(paper_cost().decide(line).tolist())
    values = paper_normals().value(line)
    check = numbers(GROUP, "Fig. 3 thick line", FIGURE_LB, "ε₂ = 0 along c = 0.6", [c, c], values)
    return check if decisions == {2} else statement(GROUP, check.name, FIGURE_LB, check.written, str(decisions), False)
