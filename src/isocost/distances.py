"""Distance between the boundaries of a cell, with the vector that proves it.

dist_q(B_i, B_{i+1}) = max A subject to v ≥ α·w_i, v + A ≤ β·w_{i+1}, ‖v‖_{q,*} ≤ 1, α, β ≥ 0
(theory, section 3): every such v has ⟨v, p - p'⟩ ≥ A for p ∈ B_i and p' ∈ B_{i+1}. A solver
proposes the direction of v; its shift and A then follow in closed form, so what is returned is
feasible to rounding and never above the true distance.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.simplex import dual_norm, least_on_slice

__all__ = ["Separation", "separations"]

Floats = NDArray[np.float64]

HALVINGS = 80


class Separation(NamedTuple):
    """α·w_i ≤ v ≤ β·w_{i+1} - distance for some α, β > 0, and ‖v‖_{q,*} = 1."""

    distance: float
    v: Floats


def separations(normals: Floats, norm: float, cells: Iterable[int]) -> list[Separation]:
    """Separation of the boundaries i and i+1 for each i in `cells`.

    Parameters
    ----------
    normals : ndarray, shape (k-1, n)
        Boundary normals w_i of strongly orderable decisions, at any positive scale.
    norm : {1, 2, math.inf}
    """
    cells = list(cells)
    if not cells:
        return []
    units = normals / dual_norm(normals, norm)[:, None]
    lower, upper = units[cells], units[[i + 1 for i in cells]]
    if norm == 1:
        proposals = _in_l1(lower, upper)
    else:
        propose = _in_l2 if norm == 2 else _in_max_norm
        proposals = [propose(below, above) for below, above in zip(lower, upper, strict=True)]
    return [_completed(v, lower[i], upper[i], norm) for i, v in enumerate(proposals)]


def _completed(v: Floats, lower: Floats, upper: Floats, norm: float) -> Separation:
    """The largest A that the direction v allows, with the shift of v that goes with it.

    By duality max_α min_y (v_y - α·w_y) is the minimum of ⟨v, p⟩ over the slice of w.
    """
    v = v / dual_norm(v, norm)
    least = least_on_slice(v, lower)
    most = -least_on_slice(-v, upper)
    return Separation(float(least - most), v - least)


def _in_l1(lower: Floats, upper: Floats) -> list[Floats]:
    """All cells at once, in closed form but for a bisection on ρ = β/α.

    With h(ρ) = min_y (ρ·w'_y - w_y), M = max w and m = min w', A = 2h/(M - ρm + h): quasi-concave in
    ρ, and on each line y of h it rises iff w'_y·M > m·w_y. So ρ lies where the active line changes
    from rising to falling.
    """
    most, least = lower.max(axis=1), upper.min(axis=1)
    rising = upper * most[:, None] > least[:, None] * lower
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = lower / upper
    low = np.maximum(np.where(upper > 0, quotient, -np.inf).max(axis=1), 0.0)
    high = np.where(upper < 0, quotient, np.inf).min(axis=1)
    each = np.arange(len(lower))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        active = (middle[:, None] * upper - lower).argmin(axis=1)
        up = rising[each, active]
        low, high = np.where(up, middle, low), np.where(up, high, middle)
    rho = (low + high) / 2
    height = (rho[:, None] * upper - lower).min(axis=1)
    alpha = 2 / (most - rho * least + height)
    return list(np.maximum(alpha[:, None] * lower, (alpha * most - 2)[:, None]))


def _in_l2(lower: Floats, upper: Floats) -> Floats:
    """Direction between the closest points of the two slices, a quadratic program."""
    import daqp

    n = len(lower)
    eye, ones, zeros = np.eye(n), np.ones(n), np.zeros(n)
    constraints = np.array([np.r_[ones, zeros], np.r_[zeros, ones], np.r_[lower, zeros], np.r_[zeros, upper]])
    sides = np.array([1.0, 1.0, 0.0, 0.0])
    equality = 5
    x, _, status, _ = daqp.solve(
        np.block([[eye, -eye], [-eye, eye]]),
        np.zeros(2 * n),
        constraints,
        np.r_[np.ones(2 * n), sides],
        np.r_[np.zeros(2 * n), sides],
        np.r_[np.zeros(2 * n), np.full(4, equality)].astype(np.int32),
        primal_tol=1e-12,
    )
    if status != 1:  # pragma: no cover
        raise ArithmeticError(f"the quadratic program of a boundary distance failed with status {status}")
    return np.asarray(x[:n] - x[n:])


def _in_max_norm(lower: Floats, upper: Floats) -> Floats:
    """Prices of |p_y - p'_y| ≤ t in the linear program of the closest points."""
    from scipy.optimize import linprog  # slow to import

    n = len(lower)
    eye, zeros, column = np.eye(n), np.zeros(n), np.ones((n, 1))
    result = linprog(
        np.r_[np.zeros(2 * n), 1.0],
        A_ub=np.block([[eye, -eye, -column], [-eye, eye, -column]]),
        b_ub=np.zeros(2 * n),
        A_eq=np.array([np.r_[column[:, 0], zeros, 0], np.r_[zeros, column[:, 0], 0], np.r_[lower, zeros, 0],
                       np.r_[zeros, upper, 0]]),
        b_eq=[1.0, 1.0, 0.0, 0.0],
        bounds=(0, None),
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if result.status != 0:  # pragma: no cover
        raise ArithmeticError(f"the linear program of a boundary distance failed: {result.message}")
    prices = -result.ineqlin.marginals
    return np.asarray(prices[:n] - prices[n:])
