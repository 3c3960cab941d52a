"""Errata of Section 4: E17 to E20."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from isocost.paper.calibration import bound_and_truth, instances, simplex_diameter
from isocost.paper.check import Check, cited, erratum, shown
from isocost.paper.setting import (
    NORMS,
    best_decisions,
    decision_gaps,
    distribution_sample,
    paper_cost,
    paper_embedding,
    paper_normals,
)
from isocost.smoothing import smooth

__all__ = ["bound_errata"]


def bound_errata() -> list[Check]:
    """E17 to E20.

    Examples
    --------
    >>> " ".join(check.name for check in bound_errata() if check.passed)
    'E17 E18 E19 E20'
    """
    return [_e17(), _e18(), _e19(), _e20()]


def _e17() -> Check:
    """The score 3/4 is exactly 1/4 above the cut 1/2, where p lies: γ(p) is then not ψ(u) alone."""
    prop = paper_embedding()
    p = np.array([Fraction(3, 4), Fraction(1, 4), Fraction(0)], dtype=object)
    u = 0.75
    value = float(prop.value([p.astype(np.float64)])[0])
    gap = float(decision_gaps(prop, np.array([u]))[0])
    best = best_decisions(paper_cost(), p)
    decided = int(prop.decide(u))
    P = distribution_sample()
    values, best_of = prop.value(P), paper_cost().decide(P)
    wrong = tried = 0
    for score in np.random.default_rng(13).uniform(0, 3, 200):
        close = np.abs(values - score) < decision_gaps(prop, np.array([score]))
        tried += int(close.sum())
        wrong += int((best_of[close] != prop.decide(score)).sum())
    return erratum(
        "E17",
        "App. A, Lemma 1",
        f"|Γ(p)-u| ≤ δ(u) ⇒ γ(p) = ψ(u): {abs(value - u):g} ≤ {gap:g}, γ = {best}, ψ = {decided}",
        f"< δ(u): {wrong} of {tried} random pairs wrong",
        refuted=abs(value - u) == gap and best != {decided},
        confirmed=wrong == 0 and tried > 0,
        note="p = (3/4, 1/4, 0), u = 3/4, Algorithm 1",
    )


def _e18() -> Check:
    """Exactly Γ-calibrated predictors g = Γ(D_Y|x): their decisions are calibrated, yet the bound exceeds 1."""
    prop = paper_embedding()
    found = [bound_and_truth(prop, case, error=0.0) for case in instances(prop, 200, distance=0.0)]
    vacuous = sum(bound.best >= 1 for bound in found)
    truth = max(bound.actual for bound in found)
    # The end decisions hold a half-line of scores each, so diam over all of ℝ has no bound.
    unbounded = prop.decide(-1e9) == prop.decisions[0] and prop.decide(1e9) == prop.decisions[-1]
    at_cut = float(decision_gaps(prop, prop.cuts[:1])[0])
    diameters = [simplex_diameter(3, norm) for norm in NORMS]
    return erratum(
        "E18",
        "Thm. 2 and before it",
        "diam over all u, δ_min > 0, additive term 2K in any norm",
        f"over im(g); δ_min = {at_cut:g} for g at a cut; K·({shown(diameters, 4)}) in L1, L2, L∞",
        refuted=bool(unbounded) and at_cut == 0 and diameters[1] < 2 and vacuous > 0,
        confirmed=truth == 0,
        note=f"KC·diam is an artefact: of {len(found)} exactly Γ-calibrated g none is γ-miscalibrated, "
        f"yet the bound is ≥ 1 for {vacuous}",
    )


def _e19() -> Check:
    """K is proportional to the unit of Γ; with range 1 it is at least 1/diam(Δ) for every property."""
    props = [paper_embedding(), paper_normals(), smooth(paper_cost())]
    limits = [1 / simplex_diameter(3, norm) for norm in NORMS]
    at_unit_range = [[prop.rescale(0, 1).lipschitz(norm) for norm in NORMS] for prop in props]
    above = all(k >= limit for row in at_unit_range for k, limit in zip(row, limits, strict=True))
    # Any property becomes a contraction in other units, and its errors shrink with it.
    rescaled = [prop.rescale(0, 0.5 / row[0]).lipschitz(1) for prop, row in zip(props, at_unit_range, strict=True)]
    return erratum(
        "E19",
        "Cor. 1",
        f"a gain for contractions; yet in other units each Γ is one: K = {shown(rescaled, 3)}",
        f"with range 1, K ≥ {shown(limits, 3)} in L1, L2, L∞",
        refuted=max(rescaled) < 1,
        confirmed=above,
        note="K in L1 at range 1: " + shown([row[0] for row in at_unit_range], 4) + " (Alg. 1, Alg. 2, smoothest)",
    )


def _e20() -> Check:
    return cited(
        "E20",
        "end of Sec. 4.2",
        "sample size ε^-(d+2) for calibration",
        "that rate is for multicalibration; marginal with d = 1: ε^-2",
        note="a statement about the cited literature; cited, not computed",
    )
