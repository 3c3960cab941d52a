"""Section 4 and Appendix D: diameters, the bounds on random predictors, the 3/2 example and Figure 3's distances."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from isocost.auditing.bounds import boundary_distances, counterexample, lemma, paper_bound
from isocost.auditing.instances import Instance, distribution_calibration, miscalibration, score_calibration
from isocost.costs import CostMatrix
from isocost.paper.check import Check, numbers, shown, statement
from isocost.paper.setting import (
    NORMS,
    Floats,
    barycentric,
    decision_gaps,
    norm_text,
    paper_cost,
    paper_embedding,
    paper_normals,
    points,
)
from isocost.property import SmoothProperty
from isocost.simplex import dual_norm
from isocost.smoothing import smooth

__all__ = ["MARKS", "bound_and_truth", "calibration_checks", "instances", "simplex_diameter"]

GROUP = "Section 4 and Appendix D: calibration"

# Figure 3, in the plane: the prediction and two label distributions.
MARKS = {"●": (0.38, 0.02), "★": (0.42, 0.02), "♠": (0.367, 0.5)}


def calibration_checks() -> list[Check]:
    """Checks of Section 4: each bound on random instances, each number on its own.

    Examples
    --------
    >>> all(check.passed for check in calibration_checks())
    True
    """
    return [
        *_diameters(),
        *[_lower_bound(prop) for prop in (paper_embedding(), paper_normals())],
        _theorem_1(),
        _contraction(),
        _lemma(),
        *_three_halves(),
        *_final_theorem(),
        _additive_term(),
        *_figure_distances(),
    ]


def simplex_diameter(n: int, norm: float) -> float:
    """Diameter of the simplex, attained between vertices because a norm is convex.

    Examples
    --------
    >>> simplex_diameter(3, 1)
    2.0
    """
    return max(float(np.linalg.norm(a - b, ord=norm)) for a in np.eye(n) for b in np.eye(n))


def instances(prop: SmoothProperty, count: int, distance: float) -> Iterator[Instance]:
    """Random instances, the predictions off by about `distance`; the same in every run.

    Examples
    --------
    >>> exact = next(instances(paper_embedding(), 1, distance=0.0))
    >>> bool((exact.predicted == exact.labels).all())
    True
    """
    random = np.random.default_rng(29)
    for _ in range(count):
        m = int(random.integers(2, 9))
        labels = random.dirichlet(np.ones(3), size=m)
        predicted = (1 - distance) * labels + distance * random.dirichlet(np.ones(3), size=m)
        yield Instance.of_predictor(prop, random.dirichlet(np.ones(m)), predicted, labels)


def _norms(vectors: Floats, norm: float) -> Floats:
    return np.asarray(np.linalg.norm(vectors, ord=norm, axis=1))


# -- norms and the constant ---------------------------------------------------------------------


def _diameters() -> list[Check]:
    written = {1: ("2", 2.0), 2: ("√2", math.sqrt(2)), math.inf: ("1", 1.0)}
    return [
        numbers(GROUP, f"diameter in {norm_text(norm)}", "Sec. 2.2", text, [value] * 3, _diameters_of(norm))
        for norm, (text, value) in written.items()
    ]


def _diameters_of(norm: float) -> list[float]:
    return [simplex_diameter(n, norm) for n in (3, 4, 7)]


def _lower_bound(prop: SmoothProperty) -> Check:
    """One x with f(x) = p and label distribution q, the pair that attains K; C = 0.9999·K."""
    holds, constants = True, []
    for norm in NORMS:
        constants.append(prop.lipschitz(norm))
        C = 0.9999 * constants[-1]
        if prop.lipschitz_pair(norm).ratio <= C:  # K is wrong
            holds = False
            continue
        case = counterexample(prop, C, norm)
        holds &= score_calibration(case, prop) > C * distribution_calibration(case, prop, norm=norm) > 0
    return statement(
        GROUP,
        f"lower bound, {prop.method}",
        "Prop. 3",
        "for every C < K some f, D has ‖f - D‖ = ε, |Γ(f) - Γ(D)| > Cε",
        f"attained at C = 0.9999·K; K = {shown(constants)} in L1, L2, L∞",
        holds,
    )


def _calibration_errors(prop: SmoothProperty, case: Instance, norm: float) -> tuple[float, float]:
    """ε of f (distribution calibration with respect to Γ) and the Γ-calibration error of Γ∘f."""
    return distribution_calibration(case, prop, norm=norm), score_calibration(case, prop)


def _theorem_1() -> Check:
    shares = [
        error / (prop.lipschitz(norm) * epsilon)
        for prop in (paper_embedding(), paper_normals())
        for norm in NORMS
        for case in instances(prop, 100, distance=0.2)
        for epsilon, error in [_calibration_errors(prop, case, norm)]
    ]
    return statement(
        GROUP,
        "Theorem 1",
        "Thm. 1",
        "f ε-distribution calibrated: Γ∘f is Kε-Γ-calibrated",
        f"holds in {sum(share <= 1 for share in shares)} of {len(shares)} random cases, "
        f"at most {max(shares):.2f} of Kε",
        max(shares) <= 1,
    )


def _contraction() -> Check:
    """The corollary on Algorithm 1's property, rescaled until it is a contraction (what that is worth: E19)."""
    prop = paper_embedding()
    small = prop.rescale(0, 0.9 * (prop.range[1] - prop.range[0]) / prop.lipschitz(1))
    ratios = []
    for case in instances(small, 200, distance=0.2):
        epsilon, error = _calibration_errors(small, case, 1)
        ratios.append(error / epsilon)
    return statement(
        GROUP,
        "contraction",
        "Cor. 1",
        "K < 1: Γ∘f is ε-Γ-calibrated",
        f"K = {small.lipschitz(1):.3f}: holds in {sum(r <= 1 for r in ratios)} of {len(ratios)} random cases, "
        f"at most {max(ratios):.2f} of ε",
        max(ratios) <= 1,
    )


# -- from Γ to γ --------------------------------------------------------------------------------


def _lemma() -> Check:
    prop, held, tried = paper_embedding(), 0, 0
    P, Q = points(40, seed=1), points(200, seed=2)
    case = Instance.of_predictor(prop, np.ones(len(P)), P, P)
    decided = prop.decide(case.scores)
    for q, best in zip(Q, paper_cost().decide(Q), strict=True):
        for t in (0.01, 0.1, 0.3, 1.0):
            held += float((decided != best).mean()) <= lemma(case, prop, q, t).value + 1e-12
            tried += 1
    return statement(
        GROUP,
        "Lemma 1",
        "Lemma 1",
        "Pr[γ(p) ≠ ψ(g)] ≤ Pr[δ(g) < t] + Pr[|Γ(p) - g| ≥ t]",
        f"holds in {held} of {tried} random cases",
        held == tried,
        note="its proof needs a strict inequality: E17",
    )


def _three_halves() -> list[Check]:
    """γ(p) = 1{E Y ≥ 3/2} as a cost matrix; with ends at the labels its property is Γ(p) = E Y."""
    below = [0, 0, 0]
    above = [Fraction(3, 2) - y for y in (1, 2, 3)]
    cost = CostMatrix(np.array([below, above], dtype=object), decisions=[0, 1], outcomes=[1, 2, 3])
    prop = smooth(cost, method="normals").rescale(1, 3)
    P = points(500)
    means = P @ np.array([1.0, 2.0, 3.0])
    checks = [
        numbers(GROUP, "Γ(p) = E Y", "Sec. 4.2", "Γ(p) = E_p Y refines γ", means, prop.value(P), tolerance=1e-12),
        numbers(GROUP, "its only cut", "Sec. 4.2", "3/2", [3 / 2], prop.cuts),
    ]
    rows = []
    wrong = True
    for epsilon in (0.5, 0.25, 0.0625):  # halves of these are exact
        g = 3 / 2 - epsilon / 2
        label_distribution = np.array([[1 / 2 - epsilon / 2, 1 / 2 + epsilon / 2, 0.0]])  # mean 3/2 + ε/2
        error = abs(float(prop.value(label_distribution)[0]) - g)
        rows.append([error / epsilon, float(decision_gaps(prop, np.array([g]))[0]) / epsilon])
        wrong &= bool(prop.decide(g) == 0 and cost.decide(label_distribution)[0] == 1)
    check = numbers(GROUP, "Γ-error and δ_min", "Sec. 4.2", "ε and ε/2", np.tile([1, 0.5], (3, 1)), rows)
    decision = statement(
        GROUP,
        "bound is vacuous",
        "Sec. 4.2",
        "δ_min ≤ ε: no guarantee is possible",
        f"miscalibrated with probability {float(wrong):g}, bound ε/δ_min = {rows[0][0] / rows[0][1]:g}",
        wrong,
    )
    return [*checks, check, decision]


class _Bound(NamedTuple):
    actual: float
    best: float  # minimised over t
    at_least_gap: float  # t = δ_min


def bound_and_truth(prop: SmoothProperty, case: Instance, error: float) -> _Bound:
    """The final theorem's bound in L1 with diam restricted to im(g), beside the true miscalibration.

    Examples
    --------
    >>> case = next(instances(paper_embedding(), 1, distance=0.0))
    >>> bound_and_truth(paper_embedding(), case, error=0.0).actual
    0.0
    """
    smallest = float(boundary_distances(prop, case.scores).min())
    best = paper_bound(case, prop, epsilon=error).value
    at_gap = paper_bound(case, prop, t=smallest, epsilon=error).value
    return _Bound(miscalibration(case, prop, paper_cost()), best, at_gap)


def _final_theorem() -> list[Check]:
    """Both forms of the theorem, and its composition with Theorem 1, on random instances."""
    held, composed, tried = 0, 0, 0
    for prop in (paper_embedding(), paper_normals()):
        for case in instances(prop, 150, distance=0.1):
            epsilon, error = _calibration_errors(prop, case, 1)
            found = bound_and_truth(prop, case, error)
            held += found.actual <= min(found.best, found.at_least_gap) + 1e-12
            composed += found.actual <= bound_and_truth(prop, case, prop.lipschitz(1) * epsilon).at_least_gap + 1e-12
            tried += 1
    texts = [
        ("final theorem", "Thm. 2", "Pr[miscalibrated] ≤ Pr[δ < t] + (ε + KC·diam)/t", held),
        ("composed bound", "after Thm. 2", "... ≤ (Kε + CK·diam)/δ_min", composed),
    ]
    return [
        statement(
            GROUP,
            name,
            where,
            text,
            f"holds in {count} of {tried} random cases",
            count == tried,
            note="with diam over im(g); on its worth see E18" if name == "final theorem" else "",
        )
        for name, where, text, count in texts
    ]


def _additive_term() -> Check:
    """Without the Lipschitz assumption the second term is 2K, in L1 and with Γ scaled to [0, 1]."""
    props = [paper_embedding(), paper_normals(), smooth(paper_cost())]
    terms = [2 * prop.rescale(0, 1).lipschitz(1) for prop in props]
    return statement(
        GROUP,
        "additive term 2K",
        "Sec. 4.2",
        "as K is typically above ½, it exceeds 1",
        f"2K = {shown(terms, 4)} (Alg. 1, Alg. 2, smoothest)",
        min(terms) > 1,
        note="in L1 with Γ scaled to [0, 1]; in L2 it is √2·K, in L∞ K: E18",
    )


# -- Figure 3 -----------------------------------------------------------------------------------


def _figure_distances() -> list[Check]:
    """The figure's numbers as distances in the drawing; as calibration errors they are E16."""
    start, star, spade = (np.array(MARKS[mark]) for mark in "●★♠")
    return [
        numbers(
            GROUP,
            "● to ★, drawn",
            "App. D; Fig. 3",
            "ε₁ = 0.04, the circle's radius",
            [0.04],
            [float(np.linalg.norm(star - start))],
            note="as calibration errors: E16",
        ),
        numbers(
            GROUP,
            "● to ♠, drawn",
            "App. D; Fig. 3",
            "approximately 0.48",
            [0.48],
            [float(np.linalg.norm(spade - start))],
            tolerance=0.005,
            note="as calibration errors: E16",
        ),
        _jump(),
        _steep_region(),
    ]


def _jump() -> Check:
    """The point of the figure: ★ is near ● and ♠ is far, yet Γ changes much more on the way to ★."""
    prop = paper_normals()
    P = np.array([barycentric(*MARKS[mark]) for mark in "●★♠"])
    u = prop.value(P, normalize=True)
    (near, far), (jump, drift) = _norms(P[1:] - P[0], 1), np.abs(u[1:] - u[0])
    return statement(
        GROUP,
        "the jump",
        "App. D; Fig. 3",
        "Γ jumps from ● to ★, which is near, and hardly changes to ♠, which is far",
        f"|ΔΓ|/‖Δp‖ in L1: {jump / near:.3g} to ★ and {drift / far:.2g} to ♠",
        bool(near < far and jump > 50 * drift),
        note=f"decisions {', '.join(map(str, prop.decide(u)))}: on the way to ★ the decision changes",
    )


def _steep_region() -> Check:
    prop = paper_normals()
    here = float(dual_norm(prop.gradient([barycentric(*MARKS["●"])], normalize=True)[0], 1))
    steeper = float((dual_norm(prop.gradient(points()), 1) > here).mean())
    return statement(
        GROUP,
        "steep region",
        "App. D",
        "● sits on the most non-smooth region of Γ",
        f"local constant {here:.3g} in L1; {steeper:.1%} of random p are steeper",
        steeper < 0.02,
        note=f"not the steepest point: K = {prop.lipschitz(1):.4g} is reached at {shown(prop.lipschitz_pair(1).p, 2)}",
    )
