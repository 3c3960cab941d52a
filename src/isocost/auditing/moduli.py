"""How far E V(u, Y) is from 0 for each unit that Γ is away from u: the moduli m and M, exactly.

For a reference score s and a distribution p with Γ(p) = v ≠ s the ratio |⟨p,V(s)⟩| / |s - v| is
⟨p, (V(v) - V(s))/(v - s)⟩, as ⟨p,V(v)⟩ = 0. For a fixed v it is linear in p, so its extremes over
the level set {⟨p,V(v)⟩ = 0} are at edge points, p_y = V_z/(V_z - V_y) on the edge (y, z) with
V_y ≤ 0 ≤ V_z. Along an edge and within a piece of V it is then

- ⟨p, a⟩ on a piece that holds s: (constant)/(V_z - V_y), monotone in v, with the limit v → s;
- (linear)/(quadratic) in v on the others: extreme at the ends or at a root of a quadratic.

So no search is needed: finitely many candidates, each the ratio of a real distribution. The edge
(y, z) meets the level set of v exactly for v between Γ(e_z) and Γ(e_y).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.lipschitz import on_simplex
from isocost.pieces import Pieces, pieces_of
from isocost.property import SmoothProperty
from isocost.scores import checked_scores

__all__ = ["Moduli", "cut_moduli", "global_moduli", "score_moduli"]

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


class Moduli(NamedTuple):
    """Extremes of |⟨p,V(s)⟩| / |s - Γ(p)| at reference scores s, over the p on each side of s.

    Where no p is on a side its infimum is ∞ and its supremum 0. A supremum is ∞ on a side where
    Γ(p) = s for distributions beyond the boundary: V jumps there, and the cell is squeezed.

    Attributes
    ----------
    least_below, most_below : ndarray, shape (number,)
        Over the p with Γ(p) < s.
    least_above, most_above : ndarray, shape (number,)
        Over the p with Γ(p) > s.
    """

    least_below: Floats
    most_below: Floats
    least_above: Floats
    most_above: Floats

    @property
    def least(self) -> Floats:
        """m: the infimum over all p."""
        return np.minimum(self.least_below, self.least_above)

    @property
    def most(self) -> Floats:
        """M: the supremum over all p."""
        return np.maximum(self.most_below, self.most_above)

    @property
    def leverage_below(self) -> Floats:
        """max(1, M⁺/m⁻): what an error of the score weighs against a distance, for scores g ≤ s.

        Only p above s can harm and only p below s can help; so it is at most M/m.
        """
        return _leverage(self.most_above, self.least_below)

    @property
    def leverage_above(self) -> Floats:
        """max(1, M⁻/m⁺): the same for scores g ≥ s."""
        return _leverage(self.most_below, self.least_above)


def _leverage(most: Floats, least: Floats) -> Floats:
    unbounded = np.isinf(most)
    return np.where(unbounded, np.inf, np.maximum(1.0, np.where(unbounded, 0.0, most) / least))


def cut_moduli(prop: SmoothProperty, low: ArrayLike = -np.inf, high: ArrayLike = np.inf) -> Moduli:
    """m_i and M_i of each cut: m_i·|s_i - Γ(p)| ≤ |⟨p,V(s_i)⟩| ≤ M_i·|s_i - Γ(p)| for every p.

    Parameters
    ----------
    prop : SmoothProperty
        With `interior`, p ranges over Δ_η.
    low, high : array_like, shape () or (k-1,)
        Only over the p with low ≤ Γ(p) ≤ high, where that is known; it brings m and M together.

    Returns
    -------
    Moduli
        Of the k-1 cuts, to rounding. Of a repeated cut the first stands for V(s-), the second for
        V(s+), and the supremum on the side of the squeezed cell is ∞.

    Examples
    --------
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), method="embedding", ratios=[0.5])
    >>> found = cut_moduli(prop)
    >>> found.least.round(4).tolist(), found.most.round(4).tolist()
    ([0.1333, 0.0909], [6.0, 1.5])
    >>> (found.most / found.least).round(2).tolist(), found.leverage_below.round(2).tolist()
    ([45.0, 16.5], [4.0, 16.5])
    """
    low, high = (np.broadcast_to(np.asarray(x, dtype=np.float64), prop.cuts.shape) for x in (low, high))
    found = _both_sides(prop, prop.cuts, low, high)
    same = np.diff(prop.cuts) == 0
    most_above, most_below = found.most_above.copy(), found.most_below.copy()
    most_above[:-1][same & (high >= prop.cuts)[:-1]] = np.inf
    most_below[1:][same & (low <= prop.cuts)[1:]] = np.inf
    return found._replace(most_above=most_above, most_below=most_below)


def score_moduli(prop: SmoothProperty, scores: ArrayLike) -> Moduli:
    """The m and M of any scores u: |Γ(p) - u| lies between |⟨p,V(u)⟩|/M and |⟨p,V(u)⟩|/m for every p.

    It turns h(u) = E[V(u,Y) | g = u], an error in units of V, into an error of the score.

    Parameters
    ----------
    prop : SmoothProperty
        With `interior`, p ranges over Δ_η.
    scores : array_like, shape (number,)

    Returns
    -------
    Moduli
        Where V jumps both suprema are ∞.

    Examples
    --------
    >>> import isocost as ic
    >>> mean = ic.smooth(ic.CostMatrix.ordinal([0, 1, 2]), method="normals")
    >>> found = score_moduli(mean, [0.0, 0.3])
    >>> bool((found.least > 0).all() and (found.least <= found.most).all())
    True
    """
    at = np.atleast_1d(checked_scores(scores))
    ends = np.full(len(at), np.inf)
    found = _both_sides(prop, at, -ends, ends)
    jumps = prop.knots[1:][np.diff(prop.knots) == 0]
    jumped = np.isin(at, jumps)
    return found._replace(
        most_above=np.where(jumped, np.inf, found.most_above), most_below=np.where(jumped, np.inf, found.most_below)
    )


def global_moduli(prop: SmoothProperty, low: float | None = None, high: float | None = None) -> tuple[float, float]:
    """One m and M for all: m·|Γ(p) - u| ≤ |⟨p,V(u)⟩| ≤ M·|Γ(p) - u| for every p and u in [low, high].

    For a fixed p the ratio is a chord of a function of u that is linear between the knots, so it is
    monotone there: the knots and the two ends decide.

    Parameters
    ----------
    prop : SmoothProperty
    low, high : float, optional
        By default the range of Γ. With -∞ and ∞ the tails, whose slope is 1, count in full.

    Examples
    --------
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), method="embedding", ratios=[0.5])
    >>> [round(x, 4) for x in global_moduli(prop)]
    [0.0909, 6.0]
    """
    first, last = prop.range
    first, last = first if low is None else low, last if high is None else high
    ends = [x for x in (first, last) if np.isfinite(x)]
    inside = prop.knots[(prop.knots >= first) & (prop.knots <= last)]
    found = score_moduli(prop, np.unique(np.r_[ends, inside]))
    limits = [1.0] * (2 - len(ends))
    return float(min([*found.least, *limits])), float(max([*found.most, *limits]))


def _both_sides(prop: SmoothProperty, scores: Floats, low: Floats, high: Floats) -> Moduli:
    """The moduli below are those above of u ↦ -V(-u), whose property is -Γ."""
    inner = on_simplex(prop)
    knots, values = inner.knots, inner.values
    corners = inner.value(np.eye(values.shape[1]))
    above = _above(knots, values, corners, scores, high)
    below = _above(-knots[::-1], -values[::-1], -corners, -scores, -low)
    return Moduli(*below, *above)


# -- one side -----------------------------------------------------------------------------------


class _Segments(NamedTuple):
    """Edges (y, z) with V_y ≤ 0 ≤ V_z for the scores origin + [low, high] of a piece, sorted by piece.

    There V_y is down + slope_y·x and V_z is up + slope_z·x. `at_y` and `at_z` are places in a flat
    (pieces, n) table.
    """

    piece: Places
    at_y: Places
    at_z: Places
    origin: Floats
    low: Floats
    high: Floats
    down: Floats
    up: Floats
    slope_y: Floats
    slope_z: Floats

    def part(self, chosen: slice | NDArray[np.bool_]) -> _Segments:
        columns: list[Any] = [column[chosen] for column in self]
        return _Segments(*columns)

    def until(self, top: float) -> _Segments:
        if top == np.inf:
            return self
        kept = self.part(self.low + self.origin <= top)
        return kept._replace(high=np.minimum(kept.high, top - kept.origin))

    def share(self, x: Floats) -> Floats:
        """p_y of the edge point with the score origin + x, in [0, 1]."""
        up = self.up + self.slope_z * x
        width = up - (self.down + self.slope_y * x)
        return np.clip(np.divide(up, width, out=np.zeros_like(up), where=width > 0), 0.0, 1.0)


def _above(knots: Floats, values: Floats, corners: Floats, scores: Floats, tops: Floats) -> tuple[Floats, Floats]:
    """Infimum and supremum of the ratio over the p with s < Γ(p) ≤ top, for each score s; corners are the Γ(e_y)."""
    pieces = pieces_of(knots, values)
    segments = _segments(pieces, knots, corners)
    jumped = np.flatnonzero(np.isin(corners, knots[1:][np.diff(knots) == 0]))
    least, most = np.full(len(scores), np.inf), np.zeros(len(scores))
    for i, (s, top) in enumerate(zip(scores.tolist(), tops.tolist(), strict=True)):
        if not top > s:
            continue
        home = int(np.searchsorted(knots, s, side="right"))
        rise = _rise(pieces, knots, home, s)
        first, behind = np.searchsorted(segments.piece, [home, home + 1])
        ratios = _near_ratios(segments.part(slice(first, behind)).until(top), s)
        ratios += _far_ratios(segments.part(slice(behind, None)).until(top), rise, s)
        for y in jumped[
            (corners[jumped] > s) & (corners[jumped] <= top)
        ]:  # a vertex inside a squeezed cell is on no slice
            at = int(np.searchsorted(knots, corners[y], side="right"))
            ratios.append(np.array([(rise[at, y] - pieces.start[at, y]) / (corners[y] - s)]))
        least[i] = min(found.min(initial=np.inf) for found in ratios)
        most[i] = max(found.max(initial=0.0) for found in ratios)
    return least, most


def _segments(pieces: Pieces, knots: Floats, corners: Floats) -> _Segments:
    ends = np.r_[-np.inf, knots, np.inf]
    z, y = np.nonzero(corners[:, None] < corners[None, :])
    low = np.maximum(corners[z], ends[:-1, None])
    high = np.minimum(corners[y], ends[1:, None])
    piece, pair = np.nonzero(low < high)
    y, z, origin = y[pair], z[pair], pieces.origins[piece]
    return _Segments(
        piece,
        piece * len(corners) + y,
        piece * len(corners) + z,
        origin,
        low[piece, pair] - origin,
        high[piece, pair] - origin,
        pieces.start[piece, y],
        pieces.start[piece, z],
        pieces.slopes[piece, y],
        pieces.slopes[piece, z],
    )


def _rise(pieces: Pieces, knots: Floats, home: int, s: float) -> Floats:
    """V at the origin of each piece behind that of s, minus V(s+): summed from s on, to keep its digits."""
    rise = np.zeros_like(pieces.start)
    if home < len(knots):
        rise[home + 1 :] = pieces.slopes[home] * (knots[home] - s)
        rise[home + 1 :] += pieces.start[home + 1 :] - pieces.start[home + 1]
    return rise


def _near_ratios(at: _Segments, s: float) -> list[Floats]:
    """On the piece of s the ratio is ⟨p, a⟩, monotone along an edge."""
    at = at.part(at.high + at.origin > s)
    found = []
    for x in (np.maximum(at.low, s - at.origin), at.high):
        share = at.share(x)
        found.append(share * at.slope_y + (1 - share) * at.slope_z)
    return found


def _far_ratios(at: _Segments, rise: Floats, s: float) -> list[Floats]:
    """At the ends of each segment and where the derivative of (n0 + n1·x)/(q0 + q1·x + q2·x²) is 0."""
    rise_y, rise_z = rise.take(at.at_y), rise.take(at.at_z)
    away = at.origin - s
    here_y, here_z = at.down - rise_y, at.up - rise_z  # V(s+)
    n0, n1 = at.down * here_z - at.up * here_y, at.slope_y * here_z - at.slope_z * here_y
    d0, d1 = at.up - at.down, at.slope_z - at.slope_y
    q0, q1 = d0 * away, d0 + d1 * away
    with np.errstate(all="ignore"):  # where there is no such place it is replaced by an end
        a, b, c = n1 * d1, n0 * d1, n0 * q1 - n1 * q0
        root = -(b + np.copysign(np.sqrt(np.maximum(b * b - a * c, 0.0)), b))
        places = [at.low, at.high, root / a, c / root]
    found = []
    for place in places:
        x = np.clip(np.where(np.isfinite(place), place, at.low), at.low, at.high)
        share = at.share(x)
        risen = share * (rise_y + at.slope_y * x) + (1 - share) * (rise_z + at.slope_z * x)
        found.append(risen / (away + x))
    return found
