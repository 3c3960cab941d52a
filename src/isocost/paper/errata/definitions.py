"""Errata of definitions, of Algorithm 2 and of its proof: E8 to E12 and E21."""

from __future__ import annotations

import math

import numpy as np

from isocost.costs import CostMatrix
from isocost.ordering import OrderKind
from isocost.paper.check import Check, erratum
from isocost.paper.normals_property import WRITTEN_NORMALS, kernel_normal
from isocost.paper.setting import (
    COSTS,
    best_decisions,
    distribution_sample,
    grid_points,
    paper_cost,
    paper_normals,
    points,
)
from isocost.smoothing import smooth

__all__ = ["definition_errata"]


def definition_errata() -> list[Check]:
    """E8 to E12 and E21.

    Examples
    --------
    >>> " ".join(check.name for check in definition_errata() if check.passed)
    'E8 E9 E10 E11 E12 E21'
    """
    return [_e8(), _e9(), _e10(), _e11(), _e12(), _e21()]


def _e8() -> Check:
    """The median of three grades: its boundaries touch at one point, yet a Lipschitz number refines it.

    Γ = -(p₁-½)₊ + (p₃-½)₊ has V with a double knot at 0; Γ < 0, = 0, > 0 decides for 1, 2, 3.
    """
    cost = CostMatrix.ordinal([1, 2, 3], power=1)
    order = cost.ordering()
    prop = smooth(order, method="touching")
    P = distribution_sample()
    formula = -np.maximum(P[:, 0] - 0.5, 0) + np.maximum(P[:, 2] - 0.5, 0)
    same = bool(np.abs(prop.value(P) - formula).max() < 1e-12)
    grid = grid_points(40)
    decided = np.sign(prop.value(grid.astype(np.float64))).astype(int) + 2
    refines = all(decision in best_decisions(cost, p) for decision, p in zip(decided.tolist(), grid, strict=True))
    Q = points(len(P), seed=3)
    slopes = np.abs(prop.value(P) - prop.value(Q)) / np.abs(P - Q).sum(axis=1)
    constant = prop.lipschitz(1)
    return erratum(
        "E8",
        "Sec. 2.1",
        "strong orderability is necessary for a Lipschitz Γ",
        f"median, n = 3, {order.kind} only: Γ = -(p₁-½)₊ + (p₃-½)₊ has K = {constant:g} in L1",
        refuted=order.kind is OrderKind.ORDERABLE,
        confirmed=same and refines and constant < math.inf and bool(slopes.max() <= constant + 1e-12),
        note=f"refines γ at all {len(grid)} grid points; a scalar is impossible only where some Bᵢ touches both "
        "its neighbours",
    )


def _e9() -> Check:
    """Membership in each cell by the written and by the right inequalities, for the appendix's normals."""
    P = distribution_sample()
    decided = paper_cost().decide(P)
    signed = P @ WRITTEN_NORMALS.T
    wrong_written = wrong_right = 0
    for i in (1, 2, 3):
        member = decided == i
        written, right = np.ones(len(P), dtype=bool), np.ones(len(P), dtype=bool)
        if i + 1 <= 2:
            written &= signed[:, i] <= 0  # ⟨o_{i+1}, p⟩
        if i <= 2:
            written &= signed[:, i - 1] >= 0
            right &= signed[:, i - 1] <= 0
        if i >= 2:
            right &= signed[:, i - 2] >= 0
        wrong_written += int((written != member).sum())
        wrong_right += int((right != member).sum())
    return erratum(
        "E9",
        "Sec. 3.2, orientation",
        f"⟨o₍ᵢ₊₁₎,p⟩ ≤ 0 ≤ ⟨oᵢ,p⟩ in cell i: {wrong_written} of {3 * len(P)} wrong",
        f"⟨oᵢ,p⟩ ≤ 0 ≤ ⟨o₍ᵢ₋₁₎,p⟩: {wrong_right} wrong",
        refuted=wrong_written > 0,
        confirmed=wrong_right == 0,
        note="with the o₁, o₂ of App. C.2",
    )


def _e10() -> Check:
    """Both formulas for γ from the normals, and part (c)'s link beside that of Algorithm 2."""
    P = distribution_sample()
    decided = paper_cost().decide(P).astype(int)
    signed = P @ WRITTEN_NORMALS.T
    nonnegative = signed >= 0
    written = np.where(nonnegative.any(axis=1), nonnegative.argmax(axis=1) + 1, 0)
    at_best = int((written + 1 != decided).sum())  # were its values meant as 0, 1, ... for decisions 1, 2, ...
    right = 1 + (signed > 0).sum(axis=1)
    u = paper_normals().value(P)
    within = (u > 0) & (u <= paper_normals().cuts[-1])
    slips = int((np.ceil(u[within]) != decided[within]).sum())
    link_right = bool((np.ceil(u[within]) + 1 == decided[within]).all())
    return erratum(
        "E10",
        "App. A, Prop. 2",
        f"γ = min{{i : ⟨oᵢ,p⟩ ≥ 0}}: {int((written != decided).sum())} of {len(P)} wrong",
        f"γ = 1 + #{{i : ⟨oᵢ,p⟩ > 0}}: {int((right != decided).sum())} wrong",
        refuted=bool((written != decided).any()) and at_best > 0 and slips > 0,
        confirmed=bool((right == decided).all()) and link_right,
        note=f"{at_best} wrong if counted from 0; (c) ψ = ⌈Γ⌉ is wrong at {slips} of {int(within.sum())} p with "
        "Γ in (0, k-2], ψ = ⌈Γ⌉ + 1 at none",
    )


def _e11() -> Check:
    """On the paper's own example: between the cuts V(·, 3) falls, so the loss of outcome 3 bends down."""
    prop = paper_normals()
    bend = float(prop.loss(0.0, 2) - 2 * prop.loss(0.5, 2) + prop.loss(1.0, 2))
    return erratum(
        "E11",
        "Prop. 2",
        "silent on convexity",
        f"unit normals: L(0,3) - 2L(½,3) + L(1,3) = {bend:.4f} < 0",
        refuted=not prop.is_convex,
        confirmed=bend < 0 and smooth(paper_cost()).is_convex,
        note='L is not convex in the paper\'s own example; method="smoothest" always is',
    )


def _e12() -> Check:
    """Four outcomes and three points of B₁ on a line: their kernel is a plane, and SVD may pick any vector of it."""
    order = CostMatrix.ordinal([1, 2, 3, 4]).ordering()
    prop = smooth(order, method="normals")
    corners = prop.level_set(float(prop.cuts[0]))  # three of them, so mixtures lie in the relative interior
    a, b, c = np.array([[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]]) @ corners
    normal = order.normals[0] / np.linalg.norm(order.normals[0])

    on_a_line = np.array([a, b, (a + b) / 2])
    kernel = np.linalg.svd(on_a_line)[2][np.linalg.matrix_rank(on_a_line) :]
    along = kernel @ normal
    # The unit vector of the kernel at right angles to w₁, whatever basis SVD returns.
    wrong = (along[1] * kernel[0] - along[0] * kernel[1]) / np.linalg.norm(along)
    in_kernel = bool(np.abs(on_a_line @ wrong).max() < 1e-12)
    independent = abs(float(kernel_normal(np.array([a, b, c])) @ normal))
    return erratum(
        "E12",
        "Alg. 2, line 3",
        f"any n-1 boundary points: {len(kernel)}-dimensional kernel, |cos(o₁, w₁)| may be {abs(wrong @ normal):.3f}",
        f"linearly independent ones: {independent:.3f}; or w = ℓ(r₍ᵢ₊₁₎) - ℓ(rᵢ)",
        refuted=len(kernel) == 2 and in_kernel and abs(float(wrong @ normal)) < 1e-9,
        confirmed=abs(independent - 1) < 1e-9 and bool(np.abs(corners @ order.normals[0]).max() < 1e-12),
        note="squared error on four grades; three of its boundary points on one line",
    )


def _e21() -> Check:
    """A duplicate and a decision that is never best added to the example, two outcomes, and the trivial bound."""
    worst = [4, 4, 6]
    order = CostMatrix([*COSTS, COSTS[1], worst], decisions=[1, 2, 3, "copy of 2", "never best"]).ordering()
    pruned = order.kind is OrderKind.STRONG and order.decisions == (1, 2, 3) and len(order.dropped) == 2
    # Unpruned, "the boundary between 2 and its copy" is a whole cell and holds three independent points.
    cell = [p for p in grid_points(20) if best_decisions(paper_cost(), p) == {2}]
    rank_of_tie = int(np.linalg.matrix_rank(np.array(cell, dtype=np.float64)))
    never = not any("never best" in best_decisions(order.cost, p) for p in grid_points(20))
    two = smooth(CostMatrix([[0, 5], [1, 0]]))
    tie = float(two.value([[5 / 6, 1 / 6]])[0])
    free = [int(np.linalg.matrix_rank(points(20, n) - 1 / n)) for n in (3, 4, 7)]
    return erratum(
        "E21",
        "definitions",
        "duplicates and empty cells not excluded; n ≥ 3; bound n",
        f"pruned: {', '.join(map(str, order.decisions))}; n = 2: K = {two.lipschitz(1):g}; trivial bound n-1",
        refuted=rank_of_tie == 3 and never,
        confirmed=pruned and abs(tie - float(two.cuts[0])) < 1e-12 and free == [2, 3, 6],
        note=f"dropped {', '.join(map(repr, order.dropped))}; the simplex has dimension {free} for n = 3, 4, 7",
    )
