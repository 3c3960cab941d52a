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
WEIGHTS = (30.0, 300.0, 3.0)


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
    manhattan = _in_l1(*(side / dual_norm(side, 1)[:, None] for side in (lower, upper)))
    found = []
    for below, above, v in zip(lower, upper, manhattan, strict=True):
        directions = [v]  # proves a positive distance in every norm
        if norm != 1:
            directions += _in_l2(below, above) if norm == 2 else _in_max_norm(below, above)
        proved = [_completed(v, below, above, norm) for v in directions if np.ptp(v) > 0]
        found.append(max(proved, key=lambda one: one.distance))
    return found


def _completed(v: Floats, lower: Floats, upper: Floats, norm: float) -> Separation:
    """The largest A that the direction v allows, with the shift of v that goes with it.

    By duality max_α min_y (v_y - α·w_y) is the minimum of ⟨v, p⟩ over the slice of w.
    """
    v = v - v.mean()  # else a nearly constant proposal would be blown up into noise
    v = v / dual_norm(v, norm)
    least = least_on_slice(v, lower)
    most = -least_on_slice(-v, upper)
    return Separation(float(least - most), v - least)


def _in_l1(lower: Floats, upper: Floats) -> Floats:
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
    return np.asarray(np.maximum(alpha[:, None] * lower, (alpha * most - 2)[:, None]))


def _in_l2(lower: Floats, upper: Floats) -> list[Floats]:
    """Steps between the closest points p, p' of the two slices, by non-negative least squares.

    The four equations that make them points of the slices are rows with a weight. That blurs the
    points, but says, with zeros that are exact, on which faces of the simplex they lie; there the
    step is the solution of linear equations. A large weight blurs less, a small one leaves room
    below it for the rounding of slices that all but touch.
    """
    from scipy.optimize import nnls  # slow to import

    n = len(lower)
    eye, ones, zeros = np.eye(n), np.ones(n), np.zeros(n)
    equations = np.array([np.r_[ones, zeros], np.r_[zeros, ones], np.r_[lower, zeros], np.r_[zeros, upper]])
    steps: list[Floats] = []
    for weight in WEIGHTS:
        try:
            x, _ = nnls(
                np.vstack([np.hstack([eye, -eye]), weight * equations]),
                np.r_[zeros, weight, weight, 0.0, 0.0],
                maxiter=50 * n,
            )
        except RuntimeError:  # pragma: no cover  # too many steps: the next weight, or the direction of L1
            continue
        step, length = _on_its_faces(x[:n], x[n:], lower, upper)
        if np.ptp(step) == 0:
            continue
        steps.append(step)
        if _completed(step, lower, upper, 2).distance >= length * (1 - 1e-9):
            break  # bounded from both sides
    return steps


def _on_its_faces(first: Floats, second: Floats, lower: Floats, upper: Floats) -> tuple[Floats, float]:
    """The shortest step p - p' between the faces on which two points lie, and its length."""
    used = np.flatnonzero((first > 0) | (second > 0))  # elsewhere both are 0, and so is the step
    m = len(used)
    size = float(np.linalg.norm(first - second)) or 1.0
    equal, _, sides = _closest_points(lower, upper, used, size)
    # On its face p'_y is 0 or, where p_y is, -s·δ_y; only elsewhere it is a variable of its own.
    at_second, steps = equal[:, :m], equal[:, m:]
    both = (first[used] > 0) & (second[used] > 0)
    active = np.hstack([at_second[:, both], np.where(first[used] == 0, steps - size * at_second, steps)])
    squares = np.diag(np.r_[np.zeros(both.sum()), np.ones(m)])
    system = np.block([[squares, active.T], [active, np.zeros((len(active), len(active)))]])
    right = np.r_[np.zeros(active.shape[1]), sides]
    step = np.zeros(len(first))
    step[used] = np.linalg.lstsq(system, right, rcond=None)[0][both.sum() : active.shape[1]]
    return step, size * float(np.linalg.norm(step))


def _closest_points(lower: Floats, upper: Floats, used: NDArray[np.intp], size: float) -> tuple[Floats, Floats, Floats]:
    """Constraints E·(p', δ) = (1, 0, 0, 0) and D·(p', δ) ≥ 0 of points p' ∈ B_{i+1} and p = p' + s·δ ∈ B_i.

    The two slices may be a millionth apart; so the step δ is a variable, in units of s, and not the
    difference of two. With z = w' - λw ≥ 0, ⟨w', p'⟩ = 0 says λ⟨w, p'⟩ = -⟨z, p'⟩.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = lower / upper
    low = max(float(np.where(upper > 0, quotient, -np.inf).max()), 0.0)
    high = float(np.where(upper < 0, quotient, np.inf).min())
    rho = (low + high) / 2
    excess = np.maximum(upper - lower / rho, 0.0)[used]
    ones, zeros, eye = np.ones(len(used)), np.zeros(len(used)), np.eye(len(used))
    equal = np.array(
        [
            np.r_[ones, zeros],
            np.r_[zeros, ones],
            np.r_[upper[used], zeros],
            np.r_[-rho * excess / size, lower[used]],
        ]
    )
    return equal, np.hstack([eye, size * eye]), np.array([1.0, 0.0, 0.0, 0.0])


def _in_max_norm(lower: Floats, upper: Floats) -> list[Floats]:
    """Prices of |δ_y| ≤ t in the linear program of the closest points."""
    from scipy.optimize import linprog  # slow to import

    n = len(lower)
    size = float(np.abs(upper - lower).max())
    equal, positive, sides = _closest_points(lower, upper, np.arange(n), size)
    eye, zeros, column = np.eye(n), np.zeros((n, n)), np.ones((n, 1))
    result = linprog(
        np.r_[np.zeros(2 * n), 1.0],
        A_ub=np.vstack(
            [np.hstack([zeros, eye, -column]), np.hstack([zeros, -eye, -column]), np.hstack([-positive, 0 * column])]
        ),
        b_ub=np.zeros(3 * n),
        A_eq=np.hstack([equal, np.zeros((4, 1))]),
        b_eq=sides,
        bounds=[(0, None)] * n + [(None, None)] * (n + 1),
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if result.status != 0:  # pragma: no cover
        raise ArithmeticError(f"the linear program of a boundary distance failed: {result.message}")
    prices = -result.ineqlin.marginals
    return [np.asarray(prices[:n] - prices[n : 2 * n])]
