"""Our bound from scores to decisions: no Lipschitz constant, no diameter, only neighbouring cuts.

Let s be a cut next to decision r, w = V(s), a = |g - s| and e = |Γ(D_g) - g|. With the moduli of
:mod:`isocost.auditing.moduli`, m of the side of g and M of the other one,
⟨D_g,w⟩ (signed so that it is ≥ 0 where r is right) is at least m·|Γ(D_g) - s| if Γ(D_g) is on the
side of g, and at least -M·|Γ(D_g) - s| if not; both are at least m·a - max(m, M)·e. As D_r is the
mean of the D_g, r is miscalibrated at s only if max(1, M/m)·E[e|r] > E[a|r]. Here m and M need to
hold only for scores as far out as the Γ(D_g) of this decision can be: |Γ(D_g) - g| ≤ e.

For a LinearProperty Γ(D_r) is the mean of the Γ(D_g), so the same holds with M/m = 1 and the
distance to the hyperplane on which r and another decision tie.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.bound import Bound
from isocost.auditing.bounds import margins, require_inside
from isocost.auditing.instances import Instance, score_errors
from isocost.auditing.moduli import Moduli, cut_moduli
from isocost.exceptions import PredictionError
from isocost.interface import Property
from isocost.linear_property import LinearProperty
from isocost.property import SmoothProperty

__all__ = ["Form", "sharp_bound"]

Floats = NDArray[np.float64]
Form = Literal["signed", "decision", "overall"]

# An equality within rounding is not cleared.
ROUNDING = 1e-12


class _Test(NamedTuple):
    """Decision number `row` next to a cut: cleared if leverage·E[e|r] ≤ distance."""

    row: int
    distance: float
    leverage: float


def sharp_bound(case: Instance, prop: Property, form: Form = "decision", epsilon: float | None = None) -> Bound:
    """Our bound on Pr[ψ(g) ∉ γ(D_{Y|ψ(g)})].

    Parameters
    ----------
    case : Instance
    prop : Property
        A SmoothProperty (with `interior`: all distributions in Δ_η) or a LinearProperty.
    form : {"decision", "signed", "overall"}
        "decision": the mass of the decisions r with max(1, M/m)·E[e|r] > E[|g - s||r] at a cut s next
        to them. "signed" knows in which direction Γ(D_g) is off, and is never larger: the mass of
        those with M·E[|Γ(D_g) - s|; beyond s | r] > m·E[|Γ(D_g) - s|; on the side of g | r].
        "overall" knows only ε = E e, and is never smaller than "decision": the largest mass of
        decisions that errors of ε in all could flag, a part of the last one counted (the greedy
        solution of a knapsack). It is at most ε·max_{r,s} max(1, M/m)/E[|g - s||r], and at most 1.
    epsilon : float, optional
        For "overall": a bound on ε, such as that of :func:`isocost.auditing.bounds.theorem1`.

    Returns
    -------
    Bound
        0 where g is exactly Γ-calibrated. With epsilon, the largest leverage max(1, M/m) and the
        smallest E[|g - s||r] met, and the decisions that are not cleared.

    Examples
    --------
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), method="embedding", ratios=[0.5])
    >>> case = Instance([1, 1], [0.3, 2.6], [[0.8, 0.1, 0.1], [0.1, 0.2, 0.7]])
    >>> print(sharp_bound(case, prop))
    ours, by decision: Pr[miscalibrated] ≤ 0 (epsilon = 0.01534, leverage = 1, distance = 0.2)
    """
    if form not in ("signed", "decision", "overall"):
        raise PredictionError(f'`form` must be "decision", "signed" or "overall"; got {form!r}')
    if epsilon is not None and form != "overall":
        raise PredictionError('`epsilon` replaces the error of all scores; it needs form="overall"')
    require_inside(case, prop)
    errors = score_errors(case, prop)
    if isinstance(prop, LinearProperty):
        cells, mass, tests, signed = _linear_tests(case, prop)
    elif isinstance(prop, SmoothProperty):
        cells, mass, tests, signed = _scalar_tests(case, prop, form)
    else:
        raise PredictionError(f"our bound needs a SmoothProperty or a LinearProperty; got {type(prop).__name__}")
    event = np.searchsorted(cells, prop.cell(case.levels.scores))
    by_decision = np.bincount(event, case.levels.mass * errors, len(cells)) / mass
    epsilon = float(case.levels.mass @ errors) if epsilon is None else epsilon
    ingredients = {
        "epsilon": epsilon,
        "leverage": max((test.leverage for test in tests), default=1.0),
        "distance": min((test.distance for test in tests), default=np.inf),
    }
    if form == "overall":
        thresholds = np.full(len(cells), np.inf)
        for test in tests:
            thresholds[test.row] = min(thresholds[test.row], test.distance / test.leverage)
        return Bound("ours, overall", _largest_mass(mass, thresholds, epsilon), ingredients)
    flagged = signed
    if form == "decision":
        flagged = {
            test.row
            for test in tests
            if by_decision[test.row] > 0 and test.leverage * by_decision[test.row] > test.distance * (1 - ROUNDING)
        }
    rows = sorted(flagged)
    labels = tuple(prop.decisions[int(cells[row])] for row in rows)
    name = "ours, by decision" if form == "decision" else "ours, signed"
    return Bound(name, float(mass[rows].sum()), ingredients, flagged=labels)


_Found = tuple[NDArray[np.intp], Floats, list[_Test], set[int]]


def _scalar_tests(case: Instance, prop: SmoothProperty, form: Form) -> _Found:
    """Decisions made, their mass, one test for each cut next to them, and those that "signed" flags."""
    cells, merged = case.given_decision(prop)
    levels = case.levels
    found, event = prop.value(levels.labels), np.searchsorted(cells, prop.cell(levels.scores))
    low, high = _reach(prop, levels.scores, found, cells, event, form)
    # The moduli of each cut, for the decision below it and for the one above.
    below, above = cut_moduli(prop, low[:-1], high[:-1]), cut_moduli(prop, low[1:], high[1:])
    tests, signed = [], set()
    for row, cell in enumerate(cells.tolist()):
        here = event == row
        share = levels.mass[here] / merged.mass[row]
        for cut, side in ((cell - 1, 1.0), (cell, -1.0)):
            if not 0 <= cut < len(prop.cuts):
                continue
            least, most, leverage = _of_side(above if side > 0 else below, cut, side)
            tests.append(_Test(row, abs(float(merged.scores[row] - prop.cuts[cut])), leverage))
            ahead = side * (found[here] - prop.cuts[cut])  # > 0 where Γ(D_g) is on the side of g
            good, bad = float(share @ np.maximum(ahead, 0)), float(share @ np.maximum(-ahead, 0))
            if most == np.inf:
                wrong = bool((ahead <= 0).any())  # Γ(D_g) = s tells nothing: the squeezed cell lies there
            else:
                wrong = bad > 0 and (not good or most * bad > least * good * (1 - ROUNDING))
            if wrong:
                signed.add(row)
    return cells, merged.mass, tests, signed


def _reach(
    prop: SmoothProperty, scores: Floats, found: Floats, cells: NDArray[np.intp], event: NDArray[np.intp], form: Form
) -> tuple[Floats, Floats]:
    """Least and largest Γ(D_g) that each of the k decisions can have, given what the form knows."""
    low, high = np.full(len(prop.decisions), -np.inf), np.full(len(prop.decisions), np.inf)
    if form == "overall":
        return low, high
    errors = np.abs(found - scores)
    ends = (found, found) if form == "signed" else (scores - errors, scores + errors)
    wide = 1e-9 * (prop.range[1] - prop.range[0])  # rounding never takes anything away
    for row, cell in enumerate(cells.tolist()):
        low[cell], high[cell] = ends[0][event == row].min() - wide, ends[1][event == row].max() + wide
    return low, high


def _of_side(moduli: Moduli, cut: int, side: float) -> tuple[float, float, float]:
    """The m on the side of g, M on the other, and the leverage; side is 1 for scores above the cut."""
    if side > 0:
        return float(moduli.least_above[cut]), float(moduli.most_below[cut]), float(moduli.leverage_above[cut])
    return float(moduli.least_below[cut]), float(moduli.most_above[cut]), float(moduli.leverage_below[cut])


def _linear_tests(case: Instance, prop: LinearProperty) -> _Found:
    """Distances are linear in the score: those of the mean score; "signed" is the truth, Γ(D_r) itself."""
    cells, merged = case.given_decision(prop)
    distances = np.maximum(margins(prop, merged.scores, cells), 0.0)
    truth = margins(prop, prop.value(merged.labels), cells)
    tests = [
        _Test(row, float(distances[row, other]), 1.0)
        for row, cell in enumerate(cells.tolist())
        for other in range(len(prop.decisions))
        if other != cell
    ]
    return cells, merged.mass, tests, set(np.flatnonzero((truth < 0).any(axis=1)).tolist())


def _largest_mass(mass: Floats, thresholds: Floats, epsilon: float) -> float:
    """Largest Σ π_r·x_r with x_r ∈ [0, 1] and Σ π_r·c_r·x_r ≤ ε; none for ε = 0."""
    order = np.argsort(thresholds)
    left, total = epsilon, 0.0
    for part, threshold in zip(mass[order].tolist(), thresholds[order].tolist(), strict=True):
        if not left > 0 or threshold == np.inf:
            break
        price = part * threshold * (1 - ROUNDING)
        total += part * min(1.0, left / price if price else 1.0)
        left -= price
    return min(total, 1.0)
