"""The motivating example: Section 3 and Appendix C, Algorithms 1 and 2 line by line."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from isocost.paper.check import Check, exactly, numbers, shown, statement
from isocost.paper.setting import (
    EMBEDDING_POINTS,
    NORMS,
    SURROGATE,
    Floats,
    best_decisions,
    grid_points,
    paper_cost,
    paper_embedding,
    surrogate,
    surrogate_slopes,
)

__all__ = ["motivating_checks", "pseudo_identification", "surrogate_checks"]

SECTION_3 = "Section 3: the motivating example"
EMBEDDING = "Appendix C.1: Algorithm 1 applied to it"


def motivating_checks() -> list[Check]:
    """Checks of the loss matrix ℓ and of the regions of γ.

    Examples
    --------
    >>> all(check.passed for check in motivating_checks())
    True
    """
    return [_strongly_orderable(), *_regions()]


def surrogate_checks() -> list[Check]:
    """Checks of Algorithm 1 from the embedding L to the loss L̄.

    Examples
    --------
    >>> all(check.passed for check in surrogate_checks())
    True
    """
    return [
        _embedding_points(),
        _embeds(),
        _surrogate_slopes(),
        _interpolation_set(),
        _pseudo_identification_table(),
        _pseudo_identification_on_set(),
        _identification_first(),
        *[_identification_likewise(y) for y in (1, 2)],
        _integrated_first(),
        *[_integrated_likewise(y) for y in (1, 2)],
    ]


def pseudo_identification(u: Fraction, y: int) -> Fraction:
    """V(u, y) by the rule of Algorithm 1 from the written surrogate L, as printed.

    Examples
    --------
    >>> [int(pseudo_identification(Fraction(u), 0)) for u in (-1, 0, 1, 3, 4)]
    [-3, 0, 1, 2, 3]
    """
    left, right = surrogate_slopes(u, y)
    if left == right:
        return left
    return Fraction(0) if _sign(left) != _sign(right) else (left + right) / 2


def _sign(x: Fraction) -> int:
    return (x > 0) - (x < 0)


# -- Section 3 ----------------------------------------------------------------------------------


def _strongly_orderable() -> Check:
    order = paper_cost().ordering()
    distances = [float(order.distances(norm).min()) for norm in NORMS]
    return statement(
        SECTION_3,
        "ℓ is strongly orderable",
        "Sec. 3, eq. (1)",
        "strongly orderable",
        f"{order.kind}; boundaries {shown(distances, 3)} apart in L1, L2, L∞",
        str(order.kind) == "strongly orderable" and order.decisions == (1, 2, 3) and min(distances) > 0,
    )


def _regions() -> list[Check]:
    """The three regions of γ on a grid with many points on both boundaries, ties included."""
    grid = grid_points(60)
    written = [("-3p₁ + p₂ ≤ -2", 1), ("-3p₁ + p₂ ≥ -2 and 5p₁ + 4p₂ ≥ 3", 2), ("5p₁ + 4p₂ ≤ 3", 3)]
    best = [best_decisions(paper_cost(), p) for p in grid]
    checks = []
    for text, decision in written:
        same = sum(_in_region(decision, *p) == (decision in chosen) for p, chosen in zip(grid, best, strict=True))
        computed = f"same at {same} of {len(grid)} grid points, ties included (exact)"
        checks.append(
            statement(SECTION_3, f"γ, region {decision}", "Sec. 3, eq. (1)", text, computed, same == len(grid))
        )
    return checks


def _in_region(decision: int, p1: Fraction, p2: Fraction, _p3: Fraction) -> bool:
    first, last = -3 * p1 + p2 <= -2, 5 * p1 + 4 * p2 <= 3
    return (first, -3 * p1 + p2 >= -2 and 5 * p1 + 4 * p2 >= 3, last)[decision - 1]


# -- the embedding ------------------------------------------------------------------------------


def _embedding_points() -> Check:
    """Where L(·, y) has a kink for some y; the library's embedding points are every other knot."""
    kinks = set()
    for y, lines in enumerate(SURROGATE):
        for i, (a, b) in enumerate(lines):
            for c, d in lines[:i]:
                u = (d - b) / (a - c)
                left, right = surrogate_slopes(u, y)
                kinks |= {u} if left < right else set()
    agrees = sorted(kinks) == list(EMBEDDING_POINTS)
    check = exactly(
        EMBEDDING, "embedding points", "App. C.1", "φ(R) = {0, 1, 3}", sorted(kinks), paper_embedding().knots[::2]
    )
    return check if agrees else statement(EMBEDDING, check.name, check.where, check.written, str(kinks), False)


def _embeds() -> Check:
    at_points = [[surrogate(u, y) for y in range(3)] for u in EMBEDDING_POINTS]
    return exactly(EMBEDDING, "L embeds ℓ", "App. C.1", "L(φ(r), y) = ℓ(r, y)", at_points, paper_cost().exact)


def _surrogate_slopes() -> Check:
    """Between the embedding points L has the slopes V̄ at the midpoints, and outside the steepest ones."""
    prop = paper_embedding()
    written = [
        [surrogate_slopes(u, y)[0] for y in range(3)] for u in map(Fraction, ("-1", "1/2", "2", "4"))
    ]  # any u in the open piece
    steepest = float(np.abs(prop.values[1::2]).max())
    library = np.vstack([np.full(3, -steepest), prop.values[1::2], np.full(3, steepest)])
    return exactly(EMBEDDING, "slopes of L", "App. C.1", "L(u, y) = max of lines, y = 1, 2, 3", written, library)


def _interpolation_set() -> Check:
    written = [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3)]
    return exactly(
        EMBEDDING,
        "interpolation set U",
        "Alg. 1, line 2; App. C.1",
        "{0, 1/2, 1, 2, 3}",
        written,
        paper_embedding().knots,
    )


def _pseudo_identification_table() -> Check:
    table = {"-7/2": -3, "-1": -3, "0": 0, "1/4": 1, "1": 1, "5/2": 1, "3": 2, "13/4": 3, "9": 3}
    steps = [_step(float(Fraction(u)), 0) for u in table]
    text = "-3 | 0 | 1 | 2 | 3 on u < 0 | 0 | (0,3) | 3 | u > 3"
    return exactly(EMBEDDING, "V(u, 1)", "App. C.1", text, list(table.values()), steps)


def _step(u: float, y: int) -> float:
    """V(u, y) of line 3 from the library: V̄ at the embedding points, its value at a midpoint around that."""
    prop = paper_embedding()
    embedded, slopes = prop.knots[::2], prop.values[1::2, y]
    steepest = np.abs(prop.values[1::2]).max()
    if u in embedded:
        return float(prop.identification(u, y))
    return float(np.r_[-steepest, slopes, steepest][np.searchsorted(embedded, u)])


def _pseudo_identification_on_set() -> Check:
    prop = paper_embedding()
    written = [[pseudo_identification(Fraction(u), y) for y in range(3)] for u in prop.knots.tolist()]
    text = "V(u, y) on U by the three cases, y = 1, 2, 3"
    return exactly(EMBEDDING, "V on U", "Alg. 1, line 3", text, written, prop.values)


# -- V̄ and its integral -------------------------------------------------------------------------


def _scores() -> Floats:
    return np.concatenate([np.random.default_rng(7).uniform(-3, 6, 2000), paper_embedding().knots])


def _identification_first() -> Check:
    u = _scores()
    written = np.select([u < 0, u <= 0.5, u <= 2], [u, 2 * u, np.ones_like(u)], u - 1)
    text = "u | 2u | 1 | u - 1 on u < 0 | [0,½] | (½,2] | u > 2"
    return numbers(EMBEDDING, "V̄(u, 1)", "App. C.1", text, written, paper_embedding().identification(u, 0))


def _interpolated(u: Floats, y: int) -> Floats:
    """Line 4 of Algorithm 1 from the written L, and beyond conv(U) slope 1 as the appendix has it for y = 1."""
    knots = np.array([0, 0.5, 1, 2, 3])
    at = np.array([float(pseudo_identification(Fraction(t), y)) for t in knots.tolist()])
    return np.asarray(np.interp(u, knots, at) + np.minimum(u - knots[0], 0) + np.maximum(u - knots[-1], 0))


def _identification_likewise(y: int) -> Check:
    u, name = _scores(), f"V̄(u, {y + 1})"
    text = f'"likewise" for y = {y + 1}: V(·,{y + 1}) interpolated on U'
    return numbers(
        EMBEDDING, name, "App. C.1", text, _interpolated(u, y), paper_embedding().identification(u, y), tolerance=1e-12
    )


def _integrated_first() -> Check:
    u = _scores()
    written = np.select([u < 0, u <= 0.5, u <= 2], [u**2 / 2, u**2, u - 1 / 4], u**2 / 2 - u + 7 / 4)
    text = "u²/2 | u² | u - 1/4 | u²/2 - u + 7/4 on the same"
    prop = paper_embedding()
    return numbers(EMBEDDING, "L̄(u, 1)", "App. C.1", text, written, prop.loss(u, 0) - prop.loss(0.0, 0))


def _integrated_likewise(y: int) -> Check:
    """∫₀ᵘ of the interpolation, by the trapezoid rule, which is exact on grids that contain the knots."""
    u = np.linspace(-3, 6, 7201)  # steps of 1/800, so every knot is a grid point
    at = _interpolated(u, y)
    risen = np.r_[0, np.cumsum((at[1:] + at[:-1]) / 2 * (u[1] - u[0]))]
    risen -= risen[np.abs(u).argmin()]
    prop = paper_embedding()
    return numbers(
        EMBEDDING,
        f"L̄(u, {y + 1})",
        "Alg. 1, line 5; App. C.1",
        f"∫₀ᵘ V̄(z, {y + 1}) dz",
        risen,
        prop.loss(u, y) - prop.loss(0.0, y),
        tolerance=1e-11,
    )
