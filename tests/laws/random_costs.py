"""Random cost matrices with a known kind, exact by construction."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

import isocost as ic
from isocost.smoothing import Method

__all__ = ["METHODS", "NORMS", "distributions", "orderable", "smooth_all", "strongly_orderable", "touching_table"]

NORMS = (1, 2, float("inf"))
METHODS: tuple[Method, ...] = ("embedding", "normals", "smoothest")
STYLES = ("parallel", "free", "ties", "tiny", "huge")


def strong_table(n: int, k: int, seed: int, style: str) -> list[list[Fraction]]:
    """Costs of k decisions in order: cumulative sums of g_i·w_i with w_1 < w_2 < … and both signs in each.

    Every strongly orderable matrix arises this way (theory, section 2).
    """
    random = np.random.default_rng(seed)
    top = 3 if style == "ties" else 10**6
    if style == "parallel":
        steps = np.repeat(random.integers(1, top, (max(k - 2, 0), 1)), n, axis=1)
    elif style == "tiny":
        steps = random.integers(1, 3, (max(k - 2, 0), n))
    else:
        steps = random.integers(1, top, (max(k - 2, 0), n))
    first = random.integers(-top, top, n)
    first[0] = random.integers(1, top)
    first[-1] = -steps[:, -1].sum() - random.integers(1, top)
    normals = np.cumsum(np.vstack([first[None, :], steps]), axis=0)[: k - 1]
    rises = [Fraction(int(g), 7) for g in random.integers(1, 30, k - 1)]
    offset = [Fraction(int(x), 100) for x in random.integers(-500, 500, n)]
    scale = Fraction(10) ** int(random.integers(-9, 10)) if style == "huge" else Fraction(1)
    rows = [offset]
    for rise, normal in zip(rises, normals, strict=True):
        rows.append([x + rise * int(w) for x, w in zip(rows[-1], normal, strict=True)])
    return [[scale * x for x in row] for row in rows]


@st.composite
def strongly_orderable(draw: st.DrawFn, least: int = 1, most: int = 10, outcomes: int = 12) -> ic.CostMatrix:
    """Strongly orderable costs with rows in order, labelled r0, r1, …"""
    n = draw(st.integers(2, outcomes))
    k = draw(st.integers(least, most))
    table = strong_table(n, k, draw(st.integers(0, 2**32)), draw(st.sampled_from(STYLES)))
    return ic.CostMatrix(table, decisions=[f"r{i}" for i in range(k)])


def touching_table(n: int, squeezed: list[bool], seed: int) -> list[list[Fraction]]:
    """Costs of decisions in order, those between the first and the last squeezed or not.

    As :func:`strong_table`, but where a decision is squeezed the step between its normals is 0 on an
    edge (or a vertex) at which both are 0 somewhere.
    """
    random = np.random.default_rng(seed)
    k = len(squeezed) + 2
    steps = random.integers(1, 50, (k - 2, n))
    for step, flat in zip(steps, squeezed, strict=True):
        if flat:
            step[1:-1][random.random(n - 2) < 0.3] = 0
            step[0] = step[-1] = 0
            step[random.integers(1, n - 1)] = 1  # equal normals would leave no cell
    first = random.integers(-50, 50, n)
    first[0] = random.integers(1, 50)
    first[-1] = -steps[:, -1].sum() - random.integers(1, 50)
    if random.random() < 0.3:  # touch at a vertex
        first[1] = 0
    normals = np.cumsum(np.vstack([first, steps]), axis=0)
    rows = [[Fraction(int(x), 10) for x in random.integers(-500, 500, n)]]
    for rise, normal in zip(random.integers(1, 30, k - 1), normals, strict=True):
        rows.append([x + Fraction(int(rise), 7) * int(w) for x, w in zip(rows[-1], normal, strict=True)])
    return rows


@st.composite
def orderable(draw: st.DrawFn, crowded: bool = False) -> ic.CostMatrix:
    """Orderable costs with a squeezed decision, rows in order; crowded: with two such neighbours."""
    n = draw(st.integers(3, 8))
    squeezed = draw(st.lists(st.booleans(), min_size=1, max_size=6))
    if crowded:
        at = draw(st.integers(0, len(squeezed)))
        squeezed[at:at] = [True, True]
    else:
        squeezed = [flat and not before for flat, before in zip(squeezed, [False, *squeezed[:-1]], strict=True)]
        if not any(squeezed):
            squeezed[0] = True
    table = touching_table(n, squeezed, draw(st.integers(0, 2**32)))
    return ic.CostMatrix(table, decisions=[f"r{i}" for i in range(len(table))])


def smooth_all(cost: ic.CostMatrix | ic.Ordering) -> list[ic.SmoothProperty]:
    """The three constructions, the smoothest in each norm."""
    found = [ic.smooth(cost, "embedding"), ic.smooth(cost, "normals")]
    return found + [ic.smooth(cost, "smoothest", norm=norm) for norm in NORMS]


def distributions(cost: ic.CostMatrix, rows: int = 200, seed: int = 0) -> NDArray[np.float64]:
    """Points in the middle, near the rim, on edges and at vertices of the simplex."""
    random = np.random.default_rng(seed)
    n = len(cost.outcomes)
    inner = [random.dirichlet(np.full(n, concentration), size=rows) for concentration in (0.05, 1.0, 20.0)]
    edges = np.zeros((rows, n))
    share = random.random(rows)
    first, second = random.integers(0, n, (2, rows))
    np.add.at(edges, (np.arange(rows), first), share)
    np.add.at(edges, (np.arange(rows), second), 1 - share)
    return np.vstack([*inner, edges, np.eye(n)])
