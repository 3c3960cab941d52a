"""The exact Lipschitz constant of a smooth property, a pair that attains it, and its limit.

On a piece V(u) = V_0 + a(u - t), ∇Γ = -V(u,·)/⟨p,a⟩, so the local constant is ‖V(u)‖_* / m(u) with
m(u) = min{⟨p,a⟩ : p ∈ Δ, ⟨p,V(u)⟩ = 0} (theory, section 4). Write V_y(u) = a_y·u + b_y: the minimum
lies where the line b = -u·a through the origin first meets the polygon conv{(b_y, a_y)}, so
1/m(u) is linear between the zeros of V at the corners of that polygon, and a maximum over the
piece is found on finitely many parts where both factors are simple.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.distances import separations
from isocost.exceptions import CostMatrixError
from isocost.interior import from_inner, identification_inside
from isocost.ordering import checked_norm
from isocost.simplex import dual_norm

if TYPE_CHECKING:
    from isocost.property import SmoothProperty

__all__ = ["LipschitzPair", "lipschitz_constant", "lipschitz_limit", "lipschitz_pair", "on_simplex", "smoothness"]

Floats = NDArray[np.float64]

# Of a round trip through the interior simplex, relative to the largest entry.
ROUNDING = 2.0**-46


class LipschitzPair(NamedTuple):
    """Distributions p and q and the ratio |Γ(p) - Γ(q)| / ‖p - q‖ that they reach."""

    p: Floats
    q: Floats
    ratio: float


class _Steepest(NamedTuple):
    """Where the local constant is largest: at u, approached within piece j from u towards `inner`."""

    constant: float
    piece: int
    u: float
    inner: float


def lipschitz_constant(prop: SmoothProperty, norm: float) -> float:
    """Smallest K with |Γ(p) - Γ(q)| ≤ K·‖p - q‖_q for all p, q in the simplex (in Δ_η)."""
    return _steepest(on_simplex(prop), norm).constant / _shrinkage(prop)


def lipschitz_limit(prop: SmoothProperty, norm: float) -> float:
    """max_i (s_{i+1} - s_i)/dist_q(B_i, B_{i+1}), which no property with these cuts can undercut."""
    checked_norm(norm)
    gaps = np.diff(prop.cuts)
    apart = np.flatnonzero(gaps > 0)
    found = separations(on_simplex(prop).normals, norm, apart.tolist())
    distances = [separation.distance for separation in found]
    return float(np.max(gaps[apart] / distances, initial=0.0)) / _shrinkage(prop)


def smoothness(prop: SmoothProperty, norm: float) -> float:
    """K over its limit; 1 where no two boundaries are apart, so that K is only a unit."""
    limit = lipschitz_limit(prop, norm)
    return lipschitz_constant(prop, norm) / limit if limit else 1.0


def lipschitz_pair(prop: SmoothProperty, norm: float) -> LipschitzPair:
    """Distributions between which Γ changes K times as fast as they differ, to rounding.

    K is a supremum of slopes, mostly at the rim of the simplex; so short steps along the steepest
    direction are tried from points that approach it, and the best pair is returned.
    """
    given, prop = prop, on_simplex(prop)
    where = _steepest(prop, norm)
    if not 0 < where.constant < math.inf:
        raise CostMatrixError(f"only a positive finite constant has a pair that attains it; K is {where.constant}")
    slope = _slope_of(prop, where.piece)
    pairs = []
    for inset in 10.0 ** -np.arange(0, 13, 1.5):
        move = inset * (where.inner - where.u)
        at = _value_at(prop, where.piece, where.u + move)
        base, direction = _steepest_point(at, slope), _steepest_direction(at, norm)
        size = np.abs(direction)
        off, on = np.where(base == 0, size, 0.0), (base > 0) & (size > 0)
        room = float((base[on] / size[on]).min(initial=1.0))
        for length in min(0.5, room, abs(move) / where.constant) * 10.0 ** -np.arange(0, 9, 1.5):
            # Leave the edge just so far that the step stays in the simplex.
            p = (1 - length * off.sum()) * base + length * (off + direction / 2)
            p = _on_grid(p, 1)
            q = p - _on_grid(length * direction, 0)
            if min(p.min(), q.min()) < 0:
                continue
            pairs.append(LipschitzPair(p, q, _exact_ratio(prop, where.piece, p, q, norm)))
    most = max(pair.ratio for pair in pairs)
    # Of those that are good enough the longest, whose ratio is plainest in floating point.
    best = max(
        (pair for pair in pairs if pair.ratio >= most * (1 - 1e-7)),
        key=lambda pair: float(np.abs(pair.p - pair.q).max()),
    )
    if not given.interior:
        return best
    p, q = (_on_grid(from_inner(point, given.interior), 1) for point in (best.p, best.q))
    return LipschitzPair(p, q, best.ratio / _shrinkage(given))


def on_simplex(prop: SmoothProperty) -> SmoothProperty:
    """The property of q on the whole simplex for which Γ(p) = Γ′(q); see :mod:`isocost.interior`."""
    if not prop.interior:
        return prop
    values = identification_inside(prop.values, prop.interior)
    # What is 0 for q, so that no root lies beyond the last knots, comes back as 0 but for rounding.
    values[np.abs(values) <= ROUNDING * np.abs(values).max(axis=1, keepdims=True)] = 0.0
    return replace(prop, values=values, interior=0.0)


def _shrinkage(prop: SmoothProperty) -> float:
    """‖p - p′‖/‖q - q′‖ of the interior simplex: 1 - nη."""
    return 1 - len(prop.outcomes) * prop.interior


def _on_grid(point: Floats, total: int) -> Floats:
    """The point on multiples of 2⁻⁵³, where its sum is exactly `total`.

    Steps are so short that the rounding of a direction, or of a sum, would show in the ratio.
    """
    rounded = np.round(point * 2.0**53)
    largest = int(np.abs(rounded).argmax())
    rounded[largest] = 0.0
    rounded[largest] = total * 2.0**53 - rounded.sum()
    return np.asarray(rounded / 2.0**53)


def _exact_ratio(prop: SmoothProperty, piece: int, p: Floats, q: Floats, norm: float) -> float:
    """|Γ(p) - Γ(q)| / ‖p - q‖ in Fractions, or 0 where a root lies outside the piece.

    Steps are so short that differences of Γ would drown in rounding.
    """
    knots = [Fraction(t) for t in prop.knots[max(piece - 1, 0) : piece + 1].tolist()]
    rows = [[Fraction(v) for v in row] for row in prop.values[max(piece - 1, 0) : piece + 1].tolist()]
    roots = []
    for point in (p, q):
        weights = [Fraction(x) for x in point.tolist()]
        expected = [sum(x * v for x, v in zip(weights, row, strict=True)) for row in rows]
        if len(rows) == 1:
            roots.append(knots[0] - expected[0])
            continue
        if not expected[0] <= 0 <= expected[1] or expected[0] == expected[1]:
            return 0.0
        roots.append(knots[0] + (knots[1] - knots[0]) * expected[0] / (expected[0] - expected[1]))
    length = float(np.linalg.norm(p - q, ord=norm))
    return abs(float(roots[0] - roots[1])) / length if length else 0.0


# -- where the local constant is largest --------------------------------------------------------


def _steepest(prop: SmoothProperty, norm: float) -> _Steepest:
    checked_norm(norm)
    knots, values = prop.knots, prop.values
    best = _Steepest(0.0, 0, float(knots[0]), float(knots[0]))
    last = len(knots) - 1
    if values[0].max() > 0 and len(prop.decisions) > 1:  # the left tail is reached; all slopes are 1 there
        best = _Steepest(float(dual_norm(values[0], norm)), 0, float(knots[0]), float(knots[0] - values[0].max()))
    if values[last].min() < 0:
        constant = float(dual_norm(values[last], norm))
        if constant > best.constant:
            best = _Steepest(constant, last + 1, float(knots[last]), float(knots[last] - values[last].min()))
    for j in range(last):
        width = float(knots[j + 1] - knots[j])
        if width == 0:
            continue
        found = _steepest_in_piece(values[j], values[j + 1], norm, best.constant / width)
        if found is not None:
            constant, x, inner = found
            start = float(knots[j])
            best = _Steepest(constant * width, j + 1, start + x * width, start + inner * width)
    return best


def _steepest_in_piece(start: Floats, end: Floats, norm: float, floor: float) -> tuple[float, float, float] | None:
    """Largest ‖V(x)‖_*·q(x) above `floor` on V(x) = (1-x)·start + x·end, with its x and the part's middle.

    q(x) = 1/min{⟨p, end - start⟩ : ⟨p, V(x)⟩ = 0} is concave and linear on each part.
    """
    parts = _visible_parts(start, end)
    if not parts:
        return math.inf, 0.0, 1.0
    found = None
    for low, high, at_low, at_high in parts:
        ends = (float(dual_norm(_between(start, end, x), norm)) for x in (low, high))
        stack = [(low, high, *ends)]
        while stack:
            a, b, norm_a, norm_b = stack.pop()
            q_a, q_b = (at_low + (at_high - at_low) * (x - low) / (high - low) for x in (a, b))
            # The dual norm is convex, so its chord bounds it, and chord times line is a parabola.
            bound, share = _largest_product(norm_a, norm_b, q_a, q_b)
            if not bound > floor * (1 + 1e-13):
                continue
            x = a + share * (b - a)
            if share in (0.0, 1.0) or not a < x < b:
                floor, found = bound, (bound, x, (low + high) / 2)
                continue
            at_x = float(dual_norm(_between(start, end, x), norm))
            reached = at_x * (q_a + share * (q_b - q_a))
            if reached > floor:
                floor, found = reached, (reached, x, (low + high) / 2)
            stack += [(a, x, norm_a, at_x), (x, b, at_x, norm_b)]
    return found


def _largest_product(n0: float, n1: float, q0: float, q1: float) -> tuple[float, float]:
    """Maximum over s ∈ [0, 1] of (n0 + s·(n1-n0))·(q0 + s·(q1-q0)), and the s."""
    dn, dq = n1 - n0, q1 - q0
    best = max((n0 * q0, 0.0), (n1 * q1, 1.0))
    if dn * dq < 0:
        s = -(n0 * dq + q0 * dn) / (2 * dn * dq)
        if 0 < s < 1:
            best = max(best, ((n0 + s * dn) * (q0 + s * dq), s))
    return best


def _between(start: Floats, end: Floats, x: float) -> Floats:
    return (1 - x) * start + x * end


def _visible_parts(start: Floats, end: Floats) -> list[tuple[float, float, float, float]]:
    """Parts (low, high, q(low), q(high)) of [0, 1] on which q is linear; none where K is infinite.

    The level set at x meets the polygon conv{(start_y, end_y)} on the ray (-x, 1-x) from the
    origin, where 1/q is the distance along it. So the parts are the edges visible from the origin.
    """
    corners = _hull(start, end)
    parts = []
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        turn = x0 * y1 - y0 * x1
        if turn >= 0:  # the origin is not outside this edge
            continue
        low, high = sorted((_ray_through(x0, y0), _ray_through(x1, y1)))
        if low < high:
            at_low, at_high = ((-x * (y1 - y0) - (1 - x) * (x1 - x0)) / turn for x in (low, high))
            parts.append((low, high, at_low, at_high))
    return [part for part in parts if part[2] > 0 or part[3] > 0]


def _ray_through(at_start: float, at_end: float) -> float:
    if at_start >= 0:
        return 0.0
    if at_end <= 0:
        return 1.0
    return at_start / (at_start - at_end)


def _hull(x: Floats, y: Floats) -> list[tuple[float, float]]:
    """Corners of the convex hull of points, counter-clockwise (Andrew's monotone chain)."""
    points = sorted(set(zip(x.tolist(), y.tolist(), strict=True)))
    if len(points) < 3:
        return points
    corners: list[tuple[float, float]] = []
    for side in (points, points[::-1]):
        chain: list[tuple[float, float]] = []
        for px, py in side:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2:]
                if (bx - ax) * (py - ay) - (by - ay) * (px - ax) > 0:
                    break
                chain.pop()
            chain.append((px, py))
        corners += chain[:-1]
    return corners


# -- a pair that attains it ---------------------------------------------------------------------


def _value_at(prop: SmoothProperty, piece: int, u: float) -> Floats:
    knot = max(piece - 1, 0)
    return np.asarray(prop.values[knot] + _slope_of(prop, piece) * (u - prop.knots[knot]))


def _slope_of(prop: SmoothProperty, piece: int) -> Floats:
    if piece in (0, len(prop.knots)):
        return np.ones(len(prop.outcomes))
    return np.asarray((prop.values[piece] - prop.values[piece - 1]) / (prop.knots[piece] - prop.knots[piece - 1]))


def _steepest_point(at: Floats, slope: Floats) -> Floats:
    """The vertex of the level set ⟨p, V(u)⟩ = 0 where ⟨p, a⟩ is least."""
    low, high = np.flatnonzero(at <= 0), np.flatnonzero(at >= 0)
    down, up = at[low][:, None], at[high][None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.where(up > down, up / (up - down), 1.0)
    growth = weight * slope[low][:, None] + (1 - weight) * slope[high][None, :]
    i, j = np.unravel_index(int(growth.argmin()), growth.shape)
    point = np.zeros(len(at))
    point[low[i]] += weight[i, j]
    point[high[j]] += 1 - weight[i, j]
    return point


def _steepest_direction(at: Floats, norm: float) -> Floats:
    """The direction d with Σd = 0 and ‖d‖_q = 1 along which Γ rises fastest: -⟨V, d⟩ = ‖V‖_*."""
    n = len(at)
    direction = np.zeros(n)
    if norm == 1:
        direction[at.argmin()] += 0.5
        direction[at.argmax()] -= 0.5
    elif norm == 2:
        direction = at.mean() - at
        direction /= np.linalg.norm(direction)
    else:
        order = np.argsort(at, kind="stable")
        direction[order[: n // 2]] = 1.0
        direction[order[n - n // 2 :]] = -1.0
    return direction
