"""Errata of Algorithm 1, its proof and the scaling: E1 to E7."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from isocost.costs import CostMatrix
from isocost.paper.check import Check, erratum, shown
from isocost.paper.embedding_property import interval_index
from isocost.paper.setting import (
    NORMS,
    Floats,
    best_decisions,
    paper_cost,
    paper_embedding,
    paper_normals,
    points,
    surrogate_slopes,
)
from isocost.property import SmoothProperty
from isocost.simplex import least_on_slice
from isocost.smoothing import smooth

__all__ = ["construction_errata", "embedding_as_written"]


def construction_errata() -> list[Check]:
    """E1 to E7.

    Examples
    --------
    >>> " ".join(check.name for check in construction_errata() if check.passed)
    'E1 E2 E3 E4 E5 E6 E7'
    """
    return [_e1(), _e2(), _e3(), _e4(), _e5(), _e6(), _e7()]


def _e1() -> Check:
    """The pair that attains K is steeper than max|V̄|, and no random pair is steeper than K."""
    prop = paper_embedding()
    written = float(np.abs(prop.values).max())
    constants = [prop.lipschitz(norm) for norm in NORMS]
    P, Q = points(seed=1), points(seed=2)
    rises = np.abs(prop.value(P) - prop.value(Q))
    attained = below = True
    for norm, constant in zip(NORMS, constants, strict=True):
        attained &= math.isclose(prop.lipschitz_pair(norm).ratio, constant, rel_tol=1e-6)
        below &= bool((rises <= constant * np.linalg.norm(P - Q, ord=norm, axis=1)).all())
    return erratum(
        "E1",
        "after Alg. 1",
        f"Γ is Lipschitz with constant max|V̄| = {written:g}",
        f"K = {shown(constants)} in L1, L2, L∞",
        refuted=min(constants) > written,
        confirmed=attained and below,
        note="each K is attained by a pair to 1e-6; no random pair exceeds it",
    )


def embedding_as_written(cost: CostMatrix, ratio: float) -> SmoothProperty:
    """Algorithm 1 with its case 2 to the letter: 0 wherever the signs of the slopes differ, sign 0 included.

    Examples
    --------
    >>> bool(embedding_as_written(paper_cost(), 0.5) == paper_embedding())
    True
    """
    right = smooth(cost, method="embedding", ratios=[ratio])
    slopes = right.values[1::2]
    steepest = np.full((1, slopes.shape[1]), np.abs(slopes).max())
    before, after = np.vstack([-steepest, slopes]), np.vstack([slopes, steepest])
    values = right.values.copy()
    values[::2] = np.where(np.sign(before) != np.sign(after), 0.0, (before + after) / 2)
    return SmoothProperty(right.knots, values, right.cuts, right.decisions, right.outcomes, right.method)


def _e2() -> Check:
    """Two distributions 2e-9 apart in L1, on either side of outcome 2 being certain."""
    cost = CostMatrix(np.array([[0, 1, 4], [1, 1, Fraction(3, 2)], [4, 2, 0]], dtype=object))
    tiny = 1e-9
    near = np.array([[tiny, 1 - tiny, 0.0], [0.0, 1 - tiny, tiny]])
    written = embedding_as_written(cost, 1.0)
    jump = written.value(near)
    texts, finite = [], True
    for ratio in (Fraction(1), Fraction(1, 3)):
        strict = smooth(cost, method="embedding", ratios=[float(ratio)])
        constants = [strict.lipschitz(norm) for norm in NORMS]
        finite &= bool(max(constants) < math.inf and abs(np.diff(strict.value(near))[0]) <= constants[0] * 2 * tiny)
        texts.append(f"{shown(constants, 4)} at c₂/c₁ = {ratio}")
    return erratum(
        "E2",
        "Alg. 1, line 3; Prop. 1",
        "V = 0 if the signs differ, sign(0) counts: Lipschitz",
        f"0 iff δ⁻ < 0 < δ⁺ strictly: K = {'; '.join(texts)}",
        refuted=written.lipschitz(1) == math.inf and bool(abs(jump[1] - jump[0]) > 0.99),
        confirmed=str(cost.ordering().kind) == "strongly orderable" and finite,
        note=f"ℓ = [[0,1,4],[1,1,1.5],[4,2,0]]; as written Γ = {shown(jump, 3)} at two p that differ by 2e-9 in L1",
    )


def _e3() -> Check:
    """Least ⟨p,a⟩ of each piece, over all of Δ and over the level sets of the piece."""
    prop = paper_embedding()
    everywhere, in_piece = [], []
    for j, width in enumerate(np.diff(prop.knots)):
        slope = (prop.values[j + 1] - prop.values[j]) / width
        everywhere.append(float(slope.min()))
        shares = np.linspace(0, 1, 101)
        slices = [(1 - x) * prop.values[j] + x * prop.values[j + 1] for x in shares]
        in_piece.append(min(least_on_slice(slope, v) for v in slices))
    return erratum(
        "E3",
        "App. A, Prop. 1 (b)",
        "⟨p, a⟩ is bounded away from 0 on Δ, on every piece",
        f"only for p whose root is in the piece: ≥ {shown(in_piece, 3)}",
        refuted=min(everywhere) <= 0,
        confirmed=min(in_piece) > 0,
        note=f"over all of Δ the least ⟨p, a⟩ of the pieces is {shown(everywhere, 3)}",
    )


def _e4() -> Check:
    """L has slopes ∓3 beyond conv(U), while V̄ ends at other values: matching V jumps."""
    prop = paper_embedding()
    left = [float(surrogate_slopes(Fraction(-1), y)[0]) for y in range(3)]
    right = [float(surrogate_slopes(Fraction(4), y)[0]) for y in range(3)]
    jump = float(max(np.abs(left - prop.values[0]).max(), np.abs(right - prop.values[-1]).max()))
    outcomes, tiny = np.arange(3), 2.0**-40
    ends = [(prop.knots[0], -tiny), (prop.knots[-1], tiny)]
    step = max(
        float(np.abs(prop.identification(u + move, outcomes) - prop.identification(u, outcomes)).max())
        for u, move in ends
    )
    return erratum(
        "E4",
        "Alg. 1, line 4",
        "matching V outside conv(U)",
        "continue with slope 1 as App. C.1 does: V̄ is continuous",
        refuted=jump > 0,
        confirmed=step <= 2 * tiny and prop.range[0] >= prop.knots[0] and prop.range[1] <= prop.knots[-1],
        note=f"as written V̄ jumps by {jump:g}; Γ is the same, for its range [{shown(prop.range)}] is within conv(U)",
    )


def _e5() -> Check:
    """At p = e₃ no E V(U_l) is positive: with min ∅ = 0 the link ⌈j/2⌉ names decision 0."""
    prop = paper_embedding()
    certain = np.array([[0.0, 0.0, 1.0]])
    none_positive = not (certain @ prop.values.T > 0).any()
    j = int(interval_index(certain)[0])
    best = best_decisions(paper_cost(), np.array([Fraction(0), Fraction(0), Fraction(1)], dtype=object))
    decided = math.ceil(j / 2)
    return erratum(
        "E5",
        "App. A, Prop. 1 (a)",
        f"min ∅ := 0: ψ(Γ(e₃)) = ⌈0/2⌉ = {math.ceil(0 / 2)}",
        f"min ∅ := |U| = {len(prop.knots)}: ⌈{j}/2⌉ = {decided} = γ(e₃)",
        refuted=none_positive and math.ceil(0 / 2) not in best,
        confirmed=j == len(prop.knots) and {decided} == best and float(prop.value(certain)[0]) == prop.knots[-1],
    )


def _e6() -> Check:
    """∫₀ᵘ V from the library's loss, whose constant per outcome is the shift."""
    u = np.linspace(-2, 5, 2801)[:, None]
    least_written, least_shifted = [], []
    for prop in (paper_embedding(), paper_normals()):
        shifted = prop.loss(u, np.arange(3)[None, :])
        least_written.append(float((shifted - prop.loss(0.0, np.arange(3))).min()))
        least_shifted.append(float(np.abs(shifted.min(axis=0)).max()))
    prop = paper_embedding()
    example = float(prop.loss(0.5, 1) - prop.loss(0.0, 1))
    return erratum(
        "E6",
        "Algs. 1, 2: L = ∫₀ᵘ V",
        f"L ≥ 0, yet L̄(½, 2) = {example:g}",
        "shifted per outcome: min_u L(u, y) = 0 for each y",
        refuted=example < 0 and max(least_written) < 0,
        confirmed=max(least_shifted) < 1e-5,
        note=f"least ∫₀ᵘ V: {shown(least_written, 4)} (Alg. 1, 2)",
    )


def _e7() -> Check:
    """Where the expected rescaled loss is least, on a fine grid: both minima lie on it."""
    prop = paper_embedding()
    low, high = prop.range
    u = np.linspace(-1, 10, 11001)
    P = np.eye(3)[[0, 2]]
    ends = prop.value(P)

    def minimisers(scaled: Floats) -> Floats:
        return np.array([u[(prop.loss(scaled[:, None], np.arange(3)) @ p).argmin()] for p in P])

    written = minimisers((u - low) / (high - low))
    right = minimisers(low + u * (high - low))
    rescaled = prop.rescale(0, 1).value(P)
    return erratum(
        "E7",
        "Sec. 3, scaling to [0,1]",
        "L*(u,y) = L((u-Γmin)/(Γmax-Γmin), y)",
        "L*(u,y) = L(Γmin + u(Γmax-Γmin), y)",
        refuted=bool(np.abs(written - rescaled).max() > 1),
        confirmed=bool(np.abs(right - rescaled).max() < 1e-3),
        note=f"Γ ranges over [{shown(ends)}]; as written L* elicits [{shown(written)}], right [{shown(right)}]",
    )
