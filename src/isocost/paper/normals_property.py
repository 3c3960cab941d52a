"""Algorithm 2 on the example: Appendix C.2, the algorithm's own formula and the proof of Proposition 2."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from isocost.costs import CostMatrix
from isocost.paper.check import Check, exactly, numbers, shown, statement
from isocost.paper.embedding_property import elicits
from isocost.paper.setting import (
    Floats,
    best_decisions,
    distribution_sample,
    paper_cost,
    paper_normals,
    points,
    random_between,
)
from isocost.smoothing import smooth

__all__ = ["BOUNDARY_POINTS", "WRITTEN_NORMALS", "kernel_normal", "normals_checks"]

GROUP = "Appendix C.2: Algorithm 2 applied to it"

# Appendix C.2: two distributions on each boundary, and the normals that SVD finds from them.
BOUNDARY_POINTS = {
    "p₁₁": ("0.7", "0.1", "0.2"),
    "p₁₂": ("0.68", "0.04", "0.28"),
    "p₂₁": ("0.5", "0.125", "0.375"),
    "p₂₂": (".25", ".4375", ".3125"),
}
WRITTEN_NORMALS = np.array([[-1, 3, 2], [-2, -1, 3]]) / np.sqrt(14)


def normals_checks() -> list[Check]:
    """Checks of the boundary points, the normals o₁ and o₂, V, Γ, the boundary's parametrisation and ψ.

    Examples
    --------
    >>> all(check.passed for check in normals_checks())
    True
    """
    return [
        *_boundary_points(),
        *_normals(),
        _identification(),
        _identification_by_algorithm(),
        *_closed_form(),
        _parametrisation(),
        *_continuity(),
        elicits(paper_normals(), GROUP, "L elicits Γ", "Alg. 2; Prop. 2"),
        _link(),
        _refines(),
        *_more_decisions(),
    ]


def kernel_normal(rows: Floats) -> Floats:
    """A unit vector o with P·o = 0 by singular value decomposition, as Algorithm 2 has it.

    Examples
    --------
    >>> bool(np.allclose(np.abs(kernel_normal(np.eye(3)[:2])), [0, 0, 1]))
    True
    """
    return np.asarray(np.linalg.svd(rows)[2][-1])


# -- points and normals -------------------------------------------------------------------------


def _boundary_points() -> list[Check]:
    checks = []
    for name, text in BOUNDARY_POINTS.items():
        p = np.array([Fraction(x) for x in text], dtype=object)
        decisions = {int(name[1] == "₂") + 1, int(name[1] == "₂") + 2}
        best = best_decisions(paper_cost(), p)
        checks.append(
            statement(
                GROUP,
                f"{name} on its boundary",
                "App. C.2",
                f"[{', '.join(text)}] in relint Δ, decisions {min(decisions)}, {max(decisions)} tie",
                f"γ(p) = {{{', '.join(map(str, sorted(best, key=str)))}}}, Σp = {sum(p)}, min p = {min(p)} (exact)",
                best == decisions and sum(p) == 1 and min(p) > 0,
            )
        )
    return checks


def _normals() -> list[Check]:
    """The kernel of the two points, turned so that o_i = -w_i/‖w_i‖ as the appendix orients it."""
    prop = paper_normals()
    names = list(BOUNDARY_POINTS)
    checks = []
    for i, text in enumerate(("(1/√14)·[-1, 3, 2]", "(1/√14)·[-2, -1, 3]")):
        rows = np.array([[float(Fraction(x)) for x in BOUNDARY_POINTS[name]] for name in names[2 * i : 2 * i + 2]])
        kernel = kernel_normal(rows)
        kernel *= np.sign(kernel @ WRITTEN_NORMALS[i])
        found = np.vstack([-prop.values[i], kernel])
        same = float(np.abs(found - WRITTEN_NORMALS[i]).max())
        computed = f"{shown(kernel)} by SVD; -V at the cut is the same, to {max(same, 1e-16):.0e}"
        checks.append(statement(GROUP, f"normal o{'₁₂'[i]}", "App. C.2", text, computed, same <= 1e-12))
    return checks


# -- V and Γ ------------------------------------------------------------------------------------


def _scores() -> Floats:
    return np.append(np.random.default_rng(5).uniform(-2, 4, 2000), [0.0, 1.0])


def _library_identification(u: Floats) -> Floats:
    return paper_normals().identification(u[:, None], np.arange(3)[None, :])


def _identification() -> Check:
    u = _scores()[:, None]
    o1, o2 = WRITTEN_NORMALS
    written = np.where(u <= 0, u - o1, np.where(u <= 1, -o1 + (o1 - o2) * u, u - 1 - o2))
    text = "V(r,y) = r - o₁ | -o₁ + (o₁ - o₂)r | r - 1 - o₂"
    return numbers(GROUP, "V(r, y)", "App. C.2, eq. (Γ-norm)", text, written, _library_identification(u[:, 0]))


def _identification_by_algorithm() -> Check:
    u = _scores()[:, None]
    o1, o2 = WRITTEN_NORMALS
    written = u - np.clip(u, 0, 1) - o1 - np.clip(u - 0, 0, 1) * (o2 - o1)
    text = "u - χ(u,[0,|R|-2]) - o₁ - Σ χ(u-(j-1),[0,1])(o₍ⱼ₊₁₎ - oⱼ)"
    return numbers(GROUP, "V by the algorithm", "Alg. 2, line 6", text, written, _library_identification(u[:, 0]))


def _closed_form() -> list[Check]:
    """The three formulas on the pieces that the normals cut out; the written conditions are E13."""
    P = distribution_sample()
    u = paper_normals().value(P)
    o1, o2 = WRITTEN_NORMALS
    first, second = P @ o1, P @ o2
    pieces = [
        ("⟨o₁,p⟩ on p₂ ≤ -2 + 3p₁", first, P[:, 1] <= -2 + 3 * P[:, 0], ""),
        (
            "⟨o₁,p⟩ / ⟨p, o₁ - o₂⟩ in between",
            first / (first - second),
            (first >= 0) & (second <= 0),
            "for its condition see E13",
        ),
        ("⟨o₂,p⟩ + 1 beyond the second boundary", second + 1, second >= 0, "for its condition see E13"),
    ]
    return [
        numbers(
            GROUP, f"Γ of Alg. 2, case {i}", "App. C.2; App. A, Prop. 2 (a)", text, formula[here], u[here], note=note
        )
        for i, (text, formula, here, note) in enumerate(pieces, start=1)
    ]


def _parametrisation() -> Check:
    written = np.array([[p1, 3 * p1 - 2, 3 - 4 * p1] for p1 in (2 / 3, 3 / 4)])
    ends = paper_normals().level_set(0.0)
    library = ends[np.argsort(ends[:, 0])]
    text = "{(p₁, 3p₁-2, 3-4p₁) : p₁ ∈ [2/3, 3/4]}"
    return numbers(GROUP, "γ⁻¹(1) ∩ γ⁻¹(2)", "App. C.2", text, written, library)


def _continuity() -> list[Check]:
    """On both boundaries the formulas of the two sides agree with each other and with Γ."""
    prop = paper_normals()
    o1, o2 = WRITTEN_NORMALS
    checks = []
    for u, text in (
        (0.0, "⟨o₁,p⟩ = 0 = ⟨o₁,p⟩/⟨p,o₁-o₂⟩ there"),
        (1.0, "similarly where p₂ = (3 - 5p₁)/4: 1 = ⟨o₂,p⟩+1"),
    ):
        P = random_between(prop.level_set(u), 1000)
        ratio = (P @ o1) / (P @ (o1 - o2))
        outer = P @ o1 if u == 0 else P @ o2 + 1
        line = P[:, 1] - (3 * P[:, 0] - 2 if u == 0 else (3 - 5 * P[:, 0]) / 4)
        written = np.stack([np.full(1000, u)] * 3 + [np.zeros(1000)])
        name = f"Γ continuous at {u:g}"
        checks.append(numbers(GROUP, name, "App. C.2", text, written, np.stack([prop.value(P), ratio, outer, line])))
    return checks


# -- link ---------------------------------------------------------------------------------------


def _link() -> Check:
    u = np.r_[_scores(), -1.0, 2.0]
    written = np.clip(np.ceil(u), 0, 2) + 1
    text = "ψ(x) = χ(⌈x⌉, [0, |R|-1]) + 1"
    return exactly(GROUP, "ψ of Alg. 2", "Alg. 2, line 8", text, written.tolist(), paper_normals().decide(u).tolist())


def _refines() -> Check:
    P, prop = distribution_sample(), paper_normals()
    return exactly(
        GROUP,
        "Γ of Alg. 2 refines γ",
        "Prop. 2",
        "ψ(Γ(p)) = γ(p)",
        prop.decide(prop.value(P)).tolist(),
        paper_cost().decide(P).tolist(),
    )


# -- the general formulas -----------------------------------------------------------------------


def _more_decisions() -> list[Check]:
    """The formulas for any number of decisions, on squared error with five grades: k - 1 = 4 normals in ℝ⁵."""
    cost = CostMatrix.ordinal([1, 2, 3, 4, 5])
    prop = smooth(cost, method="normals")
    o = -prop.values
    k = len(o)
    u = np.random.default_rng(17).uniform(-2, 6, 1000)[:, None]
    clipped = sum(np.clip(u - (j - 1), 0, 1) * (o[j] - o[j - 1]) for j in range(1, k))
    algorithm = u - np.clip(u, 0, k - 1) - o[0] - clipped
    library = prop.identification(u, np.arange(5))

    P = points(n=5)
    signed, best = P @ o.T, cost.decide(P).astype(int)
    i = np.clip(best - 2, 0, k - 2)  # in cell r = i + 2 the two normals around it are o[i] and o[i+1]
    rows = np.arange(len(P))
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = signed[rows, i] / (signed[rows, i] - signed[rows, i + 1]) + i
    proof = np.select([best == 1, best == k + 1], [signed[:, 0], signed[:, -1] + k - 1], inner)
    return [
        numbers(
            GROUP, "V, five decisions", "Alg. 2, line 6", "u - χ(u) - o₁ - Σⱼ χ(...)(o₍ⱼ₊₁₎ - oⱼ)", algorithm, library
        ),
        numbers(
            GROUP,
            "Γ, five decisions",
            "App. A, Prop. 2 (a)",
            "⟨o₁,p⟩ | ⟨oᵢ,p⟩/⟨oᵢ-o₍ᵢ₊₁₎,p⟩ + i-1 | ⟨oₖ,p⟩ + k-1",
            proof,
            prop.value(P),
        ),
    ]
