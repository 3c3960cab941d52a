"""Errata of the worked example and of the figures: E13 to E16."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from isocost.paper.calibration import MARKS
from isocost.paper.check import Check, erratum, shown
from isocost.paper.figures import CORNERS
from isocost.paper.normals_property import WRITTEN_NORMALS
from isocost.paper.setting import (
    barycentric,
    distribution_sample,
    paper_cost,
    paper_embedding,
    paper_normals,
    random_between,
)

__all__ = ["worked_errata"]


def worked_errata() -> list[Check]:
    """E13 to E16.

    Examples
    --------
    >>> " ".join(check.name for check in worked_errata() if check.passed)
    'E13 E14 E15 E16'
    """
    return [_e13(), _e14(), _e15(), _e16()]


def _e13() -> Check:
    """γ and Γ of Algorithm 2 by the written cases, and with the last two inequalities reversed."""
    P = distribution_sample()
    first = P[:, 1] <= -2 + 3 * P[:, 0]
    line = (3 - 5 * P[:, 0]) / 4
    decided, u = paper_cost().decide(P).astype(int), paper_normals().value(P)
    a, b = (P @ WRITTEN_NORMALS.T).T

    def against_library(second: NDArray[np.bool_]) -> tuple[int, float]:
        """Points decided otherwise, and the largest error of Γ, when `second` says where case 2 applies."""
        with np.errstate(divide="ignore", invalid="ignore"):
            gamma = np.where(first, a, np.where(second, a / (a - b), b + 1))
        return int((np.where(first, 1, np.where(second, 2, 3)) != decided).sum()), float(np.abs(gamma - u).max())

    wrong, error = against_library(P[:, 1] <= line)
    wrong_right, error_right = against_library(P[:, 1] >= line)
    return erratum(
        "E13",
        "App. C.2, γ and Γ",
        f"2 if p₂ ≤ (3-5p₁)/4, 3 if p₂ ≥: {wrong} of {len(P)} wrong",
        f"both reversed: {wrong_right} wrong",
        refuted=wrong > 0 and not error <= 1e-6,
        confirmed=wrong_right == 0 and error_right < 1e-12,
        note=f"Γ is off by up to {error:.3g} as written, by {max(error_right, 1e-16):.0e} when reversed",
    )


def _e14() -> Check:
    P = distribution_sample()
    p1, p2, p3 = P.T
    here = paper_embedding().value(P) <= 0.5
    wrong, wrong_right = int(((4 * p1 + 3 * p2 <= 1) != here).sum()), int(((4 * p2 + 3 * p3 <= 1) != here).sum())
    certain = np.eye(3)[:1]
    at_first, condition = float(paper_embedding().value(certain)[0]), float(4 * certain[0, 0] + 3 * certain[0, 1])
    return erratum(
        "E14",
        "App. C.1, Γ case 1",
        f"4p₁ + 3p₂ ≤ 1: {wrong} of {len(P)} wrong",
        f"4p₂ + 3p₃ ≤ 1: {wrong_right} wrong",
        refuted=wrong > 0,
        confirmed=wrong_right == 0,
        note=f"against {{Γ ≤ ½}}; at e₁ with Γ = {at_first:g} the written condition reads {condition:g} ≤ 1",
    )


def _e15() -> Check:
    top, base = barycentric(*CORNERS["C"]), barycentric(*CORNERS["B23_AB"])
    values = paper_embedding().value(random_between(np.array([top, base]), 500), normalize=True)
    low, high = float(values.min()), float(values.max())
    return erratum(
        "E15",
        "Fig. 2 (a), middle label",
        "u = 3/2",
        f"u = {low:.12g}: Γ on 500 points of the line",
        refuted=abs(low - 1.5) > 1e-6,
        confirmed=max(abs(low - 1), abs(high - 1)) < 1e-12,
    )


def _e16() -> Check:
    """The marks of Figure 3 as distributions: their distances, and what Γ of Algorithm 2 makes of them."""
    prediction, star, spade = (barycentric(*MARKS[mark]) for mark in "●★♠")
    prop = paper_normals()
    marks = np.array([prediction, star, spade])
    u = prop.value(marks, normalize=True)
    a, b = (marks @ WRITTEN_NORMALS.T).T
    by_hand = np.where(b > 0, b + 1, a / (a - b))  # the closed form beyond B₂ and in cell 2
    distances = [[float(np.linalg.norm(q - prediction, ord=norm)) for norm in (1, 2)] for q in (star, spade)]
    drawn = [math.dist(MARKS["●"], MARKS[mark]) for mark in "★♠"]
    to_star, to_spade = abs(float(u[1] - u[0])), abs(float(u[2] - u[0]))
    planar = all(
        math.isclose(length, l2 / math.sqrt(2), rel_tol=1e-12) for length, (_, l2) in zip(drawn, distances, strict=True)
    )
    return erratum(
        "E16",
        "App. D; Fig. 3",
        "ε₁ = 0.04, ε₃ = 0.43; ♠: 0.48, and exactly Γ-calibrated",
        f"ε₁ = {distances[0][1]:.4f} in L2, {distances[0][0]:.3f} in L1; ε₃ = {to_star:.4f}; ♠ off by {to_spade:.4f}",
        refuted=round(to_star, 2) != 0.43 and to_spade > 1e-6 and distances[0][1] > 0.05,
        confirmed=planar and bool(np.abs(u - by_hand).max() < 1e-12),
        note=f"{shown(drawn, 3)} are planar = L2/√2; ♠ is {shown(distances[1][::-1], 4)} away in L2, L1; "
        f"Γ(●) = {u[0]:.4f}, drawn on 0.6",
    )
