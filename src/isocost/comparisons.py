"""A decision as comparisons of plain sums: one definition for NumPy, dataframes, SQL and ONNX.

Whether Γ(p) is above a cut c is the sign of one sum, Σ_y p_y V(c, y) < 0, so a decision never needs
the score itself: k-1 such comparisons do, with the cuts pulled back through the recalibration map.
A linear property needs the least of k sums.

**The contract.** Sums run from left to right over the columns, one product and one addition at a
time in doubles: ((p_1·w_1 + p_2·w_2) + p_3·w_3) + …. A decision is the *first* that no comparison
rules out. IEEE doubles then have the same bits, ties included, in every engine that adds what it is
told to add. Whoever computes them elsewhere (:mod:`isocost.export`, ``frames.py``) takes `table`
as it is and follows this order; :func:`sums` is the reference.

With `interior` a row that is moved inside is still one sum, over one more column: how far the
smallest probability falls short of the floor, max(η - min_y p_y, 0); see :func:`columns`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isocost.costs import CostMatrix
from isocost.labels import Labels
from isocost.linear_property import LinearProperty
from isocost.property import SmoothProperty

__all__ = [
    "Contest",
    "Ladder",
    "columns",
    "contest_of",
    "floor_of",
    "freeze",
    "ladder_at",
    "ladder_of",
    "power_of",
    "sums",
    "table_at",
]

Floats = NDArray[np.float64]
Rows = NDArray[np.float64] | NDArray[np.float32]
Positions = NDArray[np.intp]

# Rows of one pass: the sums stay in the cache.
BLOCK_CELLS = 1 << 16
# Cuts are sought up to here, so that no link multiplies a score to infinity.
FARTHEST = 2.0**900


@dataclass(frozen=True, eq=False)
class Ladder:
    """Ordered decisions by comparisons: the first i that the score is not above.

    Attributes
    ----------
    labels : tuple of m+1 labels, in order
        Only decisions that some score leads to; after a swap map labels may repeat.
    cuts : ndarray, shape (m,)
        Of the score before recalibration, nondecreasing.
    inclusive : ndarray of bool, shape (m,)
        Whether a score at the cut counts as above it, as at the first of a repeated cut.
    table : ndarray, shape (m, n), or (m, n+1) where `floor` is above 0
        V at the cuts, times positive numbers: Γ(p) is above cut i iff the sum of row i over the
        :func:`columns` is below 0 (or is 0, where `inclusive`).
    floor : float
        η of the property.
    """

    labels: Labels
    cuts: Floats
    inclusive: NDArray[np.bool_]
    table: Floats
    floor: float

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def upto(self) -> Floats:
        """The largest double that is not above each cut, shape (m,): u is above cut i iff u > upto_i."""
        return np.where(self.inclusive, np.nextafter(self.cuts, -np.inf), self.cuts)

    def positions(self, P: Rows) -> Positions:
        """Position in `labels` for each row of checked probabilities, shape (N,)."""
        found = np.empty(len(P), dtype=np.intp)
        step = max(1, BLOCK_CELLS // max(1, len(self.cuts)))
        for start in range(0, len(P), step):
            rows = slice(start, start + step)
            total = sums(columns(P[rows], self.floor), self.table)
            above = np.where(self.inclusive, total <= 0, total < 0)
            found[rows] = first_false(above)
        return found

    def positions_of_scores(self, u: Floats) -> Positions:
        """Position in `labels` for each score before recalibration, shape of u."""
        return np.asarray(np.searchsorted(self.upto, u, side="left"))

    def clipped(self, u: Floats, at: Positions) -> Floats:
        """Scores moved, by rounding, to where ``positions_of_scores`` says `at`."""
        least = np.nextafter(self.upto, np.inf)
        return np.clip(u, np.r_[-np.inf, least][at], np.r_[self.upto, np.inf][at])

    def settled(self, P: Rows, u: Floats) -> Floats:
        """Scores Γ(p) on the side of each nearby cut that the comparisons say; shape (N,).

        Only the cuts on both sides of a score are compared, and the next ones where these disagree.
        """
        given, at, m = columns(P, self.floor), self.positions_of_scores(u), len(self.cuts)
        open_rows = np.arange(len(u)) if m else np.empty(0, dtype=np.intp)
        while len(open_rows):
            here = at[open_rows]
            down = (here > 0) & ~self._is_above(given[open_rows], np.maximum(here - 1, 0))
            up = ~down & (here < m) & self._is_above(given[open_rows], np.minimum(here, m - 1))
            at[open_rows] += up.astype(np.intp) - down
            open_rows = open_rows[up | down]
        return self.clipped(u, at)

    def _is_above(self, given: Rows, i: Positions) -> NDArray[np.bool_]:
        """Whether each row is above the cut named for it."""
        total = np.zeros(len(given))
        for y in range(self.table.shape[1]):
            total += given[:, y] * self.table[i, y]
        return np.where(self.inclusive[i], total <= 0, total < 0)


@dataclass(frozen=True, eq=False)
class Contest:
    """Decisions by the least of k sums; the first of equal ones.

    Attributes
    ----------
    labels : tuple of k labels, in table order
        After a swap map labels may repeat.
    table : ndarray, shape (k, n)
        Deciding i costs the sum of row i over the probabilities, in some unit, plus what is common to
        all.
    weights : ndarray, shape (k, d)
    offsets : ndarray, shape (k,)
        The same from a score before recalibration: the sum of row i of `weights`, then + offsets_i.
    """

    labels: Labels
    table: Floats
    weights: Floats
    offsets: Floats

    def __post_init__(self) -> None:
        freeze(self)

    def positions(self, P: Rows) -> Positions:
        """Position in `labels` for each row of checked probabilities, shape (N,)."""
        return self._least(P, self.table, np.zeros(1))

    def positions_of_scores(self, u: Floats) -> Positions:
        """Position in `labels` for each score, shape (N, d), before recalibration."""
        return self._least(u, self.weights, self.offsets)

    def _least(self, rows: Rows, table: Floats, offsets: Floats) -> Positions:
        found = np.empty(len(rows), dtype=np.intp)
        step = max(1, BLOCK_CELLS // len(table))
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            found[part] = (sums(rows[part], table) + offsets).argmin(axis=1)
        return found


def freeze(holder: object) -> None:
    """Make the arrays of a frozen object read-only; a view of another's array becomes a copy first."""
    for name, value in vars(holder).items():
        if isinstance(value, np.ndarray) and value.flags.writeable:
            own = value.copy()
            own.setflags(write=False)
            object.__setattr__(holder, name, own)


def sums(rows: Rows, table: Floats) -> Floats:
    """Σ_y rows[i, y]·table[j, y] from left to right in doubles, never fused; shape (N, m).

    Examples
    --------
    >>> sums(np.array([[0.1, 0.2, 0.7]]), np.array([[1.0, 1.0, 1.0]])).tolist() == [[0.1 + 0.2 + 0.7]]
    True
    """
    rows = rows.astype(np.float64, copy=False)
    total = np.zeros((len(rows), len(table)))
    for y in range(table.shape[1]):
        total += rows[:, y, None] * table[:, y]
    return total


def columns(P: Rows, floor: float) -> Rows:
    """Columns that the sums run over: the probabilities and, for a floor η above 0, max(η - min_y p_y, 0)."""
    if not floor:
        return P
    P = P.astype(np.float64, copy=False)
    return np.column_stack([P, np.maximum(floor - P.min(axis=1), 0.0)])


def on_columns(values: Floats, floor: float) -> Floats:
    """Factors of the columns for which a sum has the sign of ⟨p, V⟩, p moved inside Δ_η; outcomes in `values` last.

    With t the share of the uniform distribution, (1 - t)·(1/n - min p) = 1/n - η, so times that positive
    1/n - min p the moved ⟨p, V⟩ is (1/n - η)·⟨p, V⟩ + (η - min p)·ΣV/n; see :mod:`isocost.interior`.
    """
    if not floor:
        return values
    return np.column_stack([(1 / values.shape[1] - floor) * values, values.mean(axis=1)])


def first_false(above: NDArray[np.bool_]) -> Positions:
    """Index of the first False of each row; the number of columns where there is none."""
    if not above.shape[1]:
        return np.zeros(len(above), dtype=np.intp)
    found = above.argmin(axis=1)
    return np.asarray(np.where(above.all(axis=1), above.shape[1], found))


def ladder_of(
    prop: SmoothProperty | LinearProperty, labels: Labels, recalibrated: Callable[[Floats], Floats] | None
) -> Ladder:
    """The ladder of a property of one number, its cuts pulled back through a nondecreasing map of the score.

    Parameters
    ----------
    prop : SmoothProperty, or LinearProperty of one number
    labels : tuple of k labels
        What to call each of the property's decisions.
    recalibrated : function of scores, shape (N,), or None
        The map; a cut is pulled back to the largest double that is not mapped above it.
    """
    order, cell = _ordered(prop)
    upto = _pulled_back(lambda u: cell(u if recalibrated is None else recalibrated(u)), len(order) - 1)
    bounds = np.r_[-np.inf, upto, np.inf]
    reached = np.flatnonzero(bounds[:-1] < bounds[1:])
    cuts = bounds[reached[1:]]
    inclusive = np.zeros(len(cuts), dtype=bool)
    if isinstance(prop, SmoothProperty):
        # The double before a jump of V: the cut is the jump itself, and scores at it are above.
        jumps = prop.knots[1:][np.diff(prop.knots) == 0]
        inclusive = np.isin(np.nextafter(cuts, np.inf), jumps)
        cuts = np.where(inclusive, np.nextafter(cuts, np.inf), cuts) + 0.0  # no negative zeros
    return ladder_at(prop, tuple(labels[order[i]] for i in reached), cuts, inclusive)


def ladder_at(
    prop: SmoothProperty | LinearProperty, labels: Labels, cuts: Floats, inclusive: NDArray[np.bool_]
) -> Ladder:
    """The ladder with these cuts of the score, whatever is decided there."""
    table = table_at(prop, cuts, inclusive)
    powers = np.array([power_of(row) for row in table], dtype=np.intc)
    return Ladder(labels, cuts, inclusive, np.ldexp(table, powers[:, None]), floor_of(prop))


def contest_of(
    prop: LinearProperty, cost: CostMatrix, labels: Labels, matrix: Floats | None, offset: Floats | None
) -> Contest:
    """The contest of a linear property, its scores first mapped to matrix·u + offset if these are given.

    Parameters
    ----------
    prop : LinearProperty
    cost : CostMatrix
        Of the property: without a map the sums are the expected costs themselves.
    labels : tuple of k labels
        What to call each of the property's decisions.
    matrix : ndarray, shape (d, d), or None
    offset : ndarray, shape (d,), or None
    """
    if matrix is None or offset is None:
        rows = [cost.decisions.index(label) for label in prop.decisions]
        table, weights, offsets = cost.costs[rows], prop.weights, prop.offsets
    else:
        weights, offsets = prop.weights @ matrix, prop.offsets + prop.weights @ offset
        table = weights @ prop.basis + offsets[:, None]
    power, own = power_of(table), power_of(np.column_stack([weights, offsets]))
    return Contest(labels, np.ldexp(table, power), np.ldexp(weights, own), np.ldexp(offsets, own))


def table_at(prop: SmoothProperty | LinearProperty, scores: Floats, before: NDArray[np.bool_]) -> Floats:
    """Factors of the columns whose sum is below 0 where Γ(p) is above a score; shape (m, n) or (m, n+1).

    Parameters
    ----------
    prop : SmoothProperty, or LinearProperty of one number
    scores : ndarray, shape (m,)
    before : ndarray of bool, shape (m,)
        Whether to take V before its jump, where there is one at this score.
    """
    return on_columns(_identification(prop, scores, before), floor_of(prop))


def floor_of(prop: SmoothProperty | LinearProperty) -> float:
    """η of the property."""
    return prop.interior if isinstance(prop, SmoothProperty) else 0.0


def power_of(table: Floats) -> int:
    """The power of 2 by which a table grows so that no factor but 0 is below 1 in size.

    The sums keep their bits, and no product of a tiny probability is lost to 0, which PostgreSQL
    would refuse to compute.
    """
    sizes = np.abs(table[table != 0])
    if not sizes.size:
        return 0
    # Where that would overflow the largest decides: tiny factors beside huge ones do not matter.
    return min(1 - math.frexp(sizes.min())[1], 1000 - math.frexp(sizes.max())[1])


def _ordered(prop: SmoothProperty | LinearProperty) -> tuple[list[int], Callable[[Floats], Positions]]:
    """Positions of the decisions along the score, and the place in that order of a score."""
    if isinstance(prop, SmoothProperty):
        return list(range(len(prop.decisions))), prop.cell
    # Along one number the cheapest line is one that falls ever faster.
    order = np.argsort(-prop.weights[:, 0], kind="stable")
    place = np.argsort(order)
    return order.tolist(), lambda u: np.asarray(place[prop.cell(u[:, None])])


def _pulled_back(position: Callable[[Floats], Positions], count: int) -> Floats:
    """For each i < count the largest double u with position(u) ≤ i, by bisection over doubles; ±inf beyond them."""
    if count == 0:
        return np.empty(0)
    wanted = np.arange(count)
    low, high = (np.full(count, _rank(end)) for end in (-FARTHEST, FARTHEST))
    never, always = position(_double(high)) <= wanted, position(_double(low)) > wanted
    while (low + 1 < high).any():  # their difference could overflow
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        below = position(_double(middle)) <= wanted
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    found = _double(low)
    found[never], found[always] = np.inf, -np.inf
    return found


def _rank(x: float) -> int:
    """Place of a double among all doubles."""
    bits = int(np.float64(abs(x)).view(np.int64))
    return bits if x >= 0 else -bits


def _double(ranks: NDArray[np.int64]) -> Floats:
    """Doubles at these places."""
    return np.copysign(np.abs(ranks).view(np.float64), np.where(ranks < 0, -1.0, 1.0))


def _identification(prop: SmoothProperty | LinearProperty, cuts: Floats, inclusive: NDArray[np.bool_]) -> Floats:
    """V(c, ·) at each cut, shape (m, n): at a jump before it where the cut is inclusive, else after it."""
    if isinstance(prop, LinearProperty):
        return np.asarray(cuts[:, None] - prop.basis[0])
    found = prop.identification(cuts[:, None], np.arange(len(prop.outcomes)))
    found[inclusive] = prop.values[np.searchsorted(prop.knots, cuts[inclusive], side="left")]
    return found
