"""The property of Algorithm 1 in closed form: Appendix C.1 and the proof of Proposition 1."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from isocost.paper.check import Check, exactly, numbers, statement
from isocost.paper.setting import Floats, distribution_sample, paper_cost, paper_embedding, random_between
from isocost.property import SmoothProperty

__all__ = ["elicits", "embedding_property_checks", "interval_index"]

GROUP = "Appendix C.1: the property Γ of Algorithm 1"


def embedding_property_checks() -> list[Check]:
    """Checks of Γ, its level sets at the cuts, the link ψ, and the formulas in the proof of Proposition 1.

    Examples
    --------
    >>> all(check.passed for check in embedding_property_checks())
    True
    """
    return [
        _first_case(),
        *_other_cases(),
        _root(),
        elicits(paper_embedding(), GROUP, "L̄ elicits Γ", "Alg. 1; Prop. 1"),
        _root_formula(),
        *_level_sets(),
        _link(),
        _link_by_index(),
        _refines(),
    ]


def interval_index(P: Floats) -> NDArray[np.intp]:
    """j(p) = min{l : E_p V(U_l, Y) > 0} of the proof of Proposition 1, with min ∅ := |U|.

    Examples
    --------
    >>> interval_index(np.array([[0.8, 0.1, 0.1], [0.0, 0.0, 1.0]])).tolist()
    [2, 5]
    """
    above = P @ paper_embedding().values.T > 0
    return np.asarray(np.where(above.any(axis=1), above.argmax(axis=1) + 1, above.shape[1]))


# -- the closed form ----------------------------------------------------------------------------


def _first_case() -> Check:
    """Where none of the other written conditions holds; the condition written for this case is E14."""
    P = distribution_sample()
    p1, p2, p3 = P.T
    here = 4 * p2 + 3 * p3 < 1
    written = (6 * p2 + 5 * p3)[here] / (4 * p1 + 2 * p3)[here]
    text = "(6p₂ + 5p₃) / (4p₁ + 2p₃)"
    return numbers(
        GROUP,
        "Γ of Alg. 1, case 1",
        "App. C.1",
        text,
        written,
        paper_embedding().value(P[here]),
        note="for its condition see E14",
    )


def _other_cases() -> list[Check]:
    P = distribution_sample()
    p1, p2, p3 = P.T
    with np.errstate(divide="ignore", invalid="ignore"):  # a formula is only used where its condition holds
        cases = [
            (
                "(-4p₁+24p₂+9p₃)/(24p₂+2p₃) on 4p₂+3p₃ ≥ 1, p₂+11p₃/4 ≤ 1",
                (-4 * p1 + 24 * p2 + 9 * p3) / (24 * p2 + 2 * p3),
                (4 * p2 + 3 * p3 >= 1) & (p2 + 11 / 4 * p3 <= 1),
                (0.5, 1.0),
            ),
            (
                "(-4p₁+2p₂+8p₃)/(2p₂+p₃) on p₂+11p₃/4 ≥ 1, p₂+5p₃ ≤ 2",
                (-4 * p1 + 2 * p2 + 8 * p3) / (2 * p2 + p3),
                (p2 + 11 / 4 * p3 >= 1) & (p2 + 5 * p3 <= 2),
                (1.0, 2.0),
            ),
            (
                "(4p₁+8p₂+18p₃)/(4p₁+5p₂+6p₃) on p₂+5p₃ ≥ 2",
                (4 * p1 + 8 * p2 + 18 * p3) / (4 * p1 + 5 * p2 + 6 * p3),
                p2 + 5 * p3 >= 2,
                (2.0, 3.0),
            ),
        ]
    u = paper_embedding().value(P)
    checks = []
    for i, (text, formula, condition, (low, high)) in enumerate(cases, start=2):
        check = numbers(GROUP, f"Γ of Alg. 1, case {i}", "App. C.1", text, formula[condition], u[condition])
        # The condition must name the whole piece: at its ends rounding may fall either way.
        inside, outside = (u > low + 1e-12) & (u < high - 1e-12), (u < low - 1e-12) | (u > high + 1e-12)
        whole = bool(condition[inside].all() and not condition[outside].any())
        checks.append(
            check if whole else statement(GROUP, check.name, check.where, text, "condition names another piece", False)
        )
    return checks


def _root() -> Check:
    P, prop = distribution_sample(), paper_embedding()
    at_root = prop.identification(prop.value(P)[:, None], np.arange(3)[None, :])
    text = "Γ(p) is the root of u ↦ E_p V̄(u, Y)"
    return numbers(GROUP, "Γ is the root", "App. C.1", text, np.zeros(len(P)), (P * at_root).sum(axis=1))


def _root_formula() -> Check:
    """Γ(p) from the two ends of the piece that j(p) names; no distribution here has j(p) = 1."""
    P, prop = distribution_sample(), paper_embedding()
    j = interval_index(P) - 1
    expected = P @ prop.values.T
    rows = np.arange(len(P))
    start, end = prop.knots[j - 1], prop.knots[j]
    slope = (expected[rows, j] - expected[rows, j - 1]) / (end - start)
    written = -(expected[rows, j - 1] - start * slope) / slope
    return numbers(
        GROUP, "Γ by j(p)", "App. A, Prop. 1 (a)", "-(E V(s₍ⱼ₋₁₎) - s₍ⱼ₋₁₎·slope) / slope", written, prop.value(P)
    )


def elicits(prop: SmoothProperty, group: str, name: str, where: str) -> Check:
    """Whether Γ(p) has the least expected loss, against many other scores.

    Parameters
    ----------
    prop : SmoothProperty
    group, name, where : str
        As in :class:`Check`.

    Examples
    --------
    >>> elicits(paper_embedding(), "Group", "elicits", "Alg. 1").passed
    True
    """
    P = distribution_sample()[-500:]
    low, high = prop.range
    u = np.linspace(low - 1, high + 1, 1201)
    least = (prop.loss(u[:, None], np.arange(3)) @ P.T).min(axis=0)
    reached = (prop.loss(prop.value(P)[:, None], np.arange(3)) * P).sum(axis=1)
    excess = float((reached - least).max())
    holds = int((reached <= least + 1e-12).sum())
    computed = f"so at {holds} of {len(P)} p against {len(u)} u"
    return statement(group, name, where, "E_p L(·, Y) is least at u = Γ(p)", computed, excess <= 1e-12)


# -- level sets and link ------------------------------------------------------------------------


def _level_sets() -> list[Check]:
    """At both cuts the slice of the written hyperplane is the level set: same ends, Γ constant between."""
    prop = paper_embedding()
    checks = []
    for u, text, normal in (
        (0.5, "Γ⁻¹(1/2) = {-3p₁ + p₂ = -2}", (-3, 1, 0, 2)),
        (2.0, "Γ⁻¹(2) = {5p₁ + 4p₂ = 3}", (5, 4, 0, -3)),
    ):
        ends = prop.level_set(u)
        on_plane = ends @ np.array(normal[:3]) + normal[3]
        between = prop.value(random_between(ends, 500))
        checks.append(
            numbers(
                GROUP,
                f"level set at {u:g}",
                "App. C.1",
                text,
                np.r_[np.zeros(2), np.full(500, u)],
                np.r_[on_plane, between],
            )
        )
    return checks


def _link() -> Check:
    u = np.r_[np.random.default_rng(3).uniform(-2, 5, 1000), 0.5, 2.0]
    written = np.select([u <= 0.5, u <= 2], [1, 2], 3)
    text = "1 | 2 | 3 on r ≤ ½ | (½,2] | r > 2"
    return exactly(GROUP, "ψ of Alg. 1", "App. C.1", text, written.tolist(), paper_embedding().decide(u).tolist())


def _link_by_index() -> Check:
    P, prop = distribution_sample(), paper_embedding()
    written = [math.ceil(Fraction(int(j), 2)) for j in interval_index(P)]
    return exactly(
        GROUP, "ψ∘Γ by j(p)", "App. A, Prop. 1 (c)", "ψ(Γ(p)) = ⌈j(p)/2⌉", written, prop.decide(prop.value(P)).tolist()
    )


def _refines() -> Check:
    P, prop = distribution_sample(), paper_embedding()
    return exactly(
        GROUP,
        "Γ of Alg. 1 refines γ",
        "App. C.1; Prop. 1",
        "ψ(Γ(p)) ∈ γ(p)",
        prop.decide(prop.value(P)).tolist(),
        paper_cost().decide(P).tolist(),
    )
