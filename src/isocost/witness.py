"""Witnesses: exact points of the simplex that prove why a cost matrix is not (strongly) orderable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.boundaries import Touch
from isocost.costs import CostMatrix
from isocost.exact import number_text
from isocost.labels import Labels
from isocost.pruning import Point, Pruning

__all__ = ["Witness", "crossing_witness", "floor_to_try", "touching_witness"]

DECIDE = "cost.decide(P) decides from the probabilities themselves"
LINEAR = f"ic.linear(cost) scores them with several numbers; {DECIDE}."


@dataclass(frozen=True)
class Witness:
    """Exact evidence against (strong) orderability.

    Attributes
    ----------
    distribution : tuple of Fraction
        Where to look: the point at which boundaries touch, or a third decision cuts a boundary,
        or (branching) a point inside the cell that has three neighbours.
    decisions : tuple of labels
        Touching: the three that tie. Crossing: the two neighbours and the third that is cheaper.
        Branching: the decision in the middle and three of its neighbours.
    message : str
    advice : str
        The way out.
    shared : tuple of distributions
        Points where exactly two decisions tie and are cheapest, which proves that they are
        neighbours: one for a crossing, three for a branching, none for a touch.
    """

    distribution: tuple[Fraction, ...]
    decisions: Labels
    message: str
    advice: str
    shared: tuple[tuple[Fraction, ...], ...] = ()


def touching_witness(cost: CostMatrix, order: list[int], touch: Touch, scalar: bool) -> Witness:
    """The vertex or edge point where three consecutive decisions tie; `scalar`: a Lipschitz Γ exists all the same."""
    a, b, c = order[touch.i : touch.i + 3]
    if touch.y == touch.z:
        point: Point = {touch.y: Fraction(1)}
    else:
        point = _tie_on_edge(cost, b, c, touch.y, touch.z)
    labels = tuple(cost.decisions[r] for r in (a, b, c))
    message = (
        f"Decisions {labels[0]!r}, {labels[1]!r} and {labels[2]!r} tie at the distribution {_text(cost, point)}, "
        f"where all three cost {number_text(_value(cost, b, point))}: boundaries touch there, and a Lipschitz number "
        f"leaves no room for {labels[1]!r} between them."
    )
    one = f'method="touching" gives {labels[1]!r} a single score; ' if scalar else ""
    floor = floor_to_try(len(cost.outcomes))
    advice = f"{one}interior={floor} makes room where no probability is below {floor}; {LINEAR}"
    return Witness(_full(cost, point), labels, message, advice)


def floor_to_try(outcomes: int) -> str:
    """A floor η for ``interior=``, small beside the 1/n that it must stay below.

    Examples
    --------
    >>> floor_to_try(3), floor_to_try(100)
    ('0.01', '0.001')
    """
    floor = Fraction(1, 100)
    while 5 * floor * outcomes > 1:
        floor /= 10
    return number_text(floor)


def crossing_witness(cost: CostMatrix, pruning: Pruning, suspects: list[int]) -> Witness:
    """Two neighbours whose boundary a third decision cuts, or a decision with three neighbours.

    One of the two exists whenever a pruned matrix is not orderable: if no boundary is cut, every
    boundary is a whole slice, the neighbours form a tree, and a tree without branching is a path.
    """
    neighbours: dict[int, dict[int, Point]] = {}
    searched: set[tuple[int, int, bool]] = set()
    for start, end, exactly in _segments(pruning, suspects):
        table = cost.exact if exactly else cost.costs
        for a, b, point in _walk(cost, table, pruning.kept, start, end):
            if (a, b, exactly) in searched:
                continue
            searched |= {(a, b, exactly), (b, a, exactly)}
            witness = _cut(cost, table, pruning.kept, a, b, point)
            if witness is not None:
                return witness
            neighbours.setdefault(a, {})[b] = point
            neighbours.setdefault(b, {})[a] = point
            for centre in (a, b):
                if len(neighbours[centre]) == 3:
                    return _branching(cost, centre, neighbours[centre])
    raise AssertionError("a matrix that is not orderable has a witness")  # pragma: no cover


def _segments(pruning: Pruning, suspects: list[int]) -> Iterator[tuple[Point, Point, bool]]:
    """Segments between points of different cells, and whether to search them exactly.

    The suspects' first, then all, then shaken ones, in turn in doubles and in Fractions: doubles do
    not see what is small beside the costs themselves.
    """
    points = pruning.points
    pairs = list(combinations(suspects, 2)) + list(combinations(pruning.kept, 2))
    yield from ((points[a], points[b], False) for a, b in pairs)
    # A segment through a place where three decisions tie shows no neighbours; shaken ones do.
    random = np.random.default_rng(0)
    for attempt in count():
        size = 2.0 ** -(4 + attempt // 2 % 24)
        for a, b in pairs:
            start, end = (_shaken(points[r], pruning, random, size) for r in (a, b))
            yield start, end, attempt % 2 == 1


def _shaken(point: Point, pruning: Pruning, random: np.random.Generator, size: float) -> Point:
    moved = dict(point)
    for other in pruning.points.values():
        for y in other:
            moved[y] = moved.get(y, Fraction(0)) + Fraction(float(random.random()) * size)
    return moved


def _walk(
    cost: CostMatrix, table: NDArray[Any], kept: tuple[int, ...], start: Point, end: Point
) -> list[tuple[int, int, Point]]:
    """Neighbours met on a segment, each with the point where exactly the two tie; `table` proposes them."""
    rows = np.array(kept)
    at_start, at_end = (_expected(table, rows, point) for point in (start, end))
    found = []
    here = min(range(len(rows)), key=lambda i: (at_start[i], at_end[i]))
    t: Any = 0
    for _ in range(len(rows)):
        rise = at_start - at_start[here]
        fall = (at_start - at_end) - (at_start[here] - at_end[here])
        ahead = np.flatnonzero(fall > 0)
        if not len(ahead):
            break
        meet = np.maximum(rise[ahead] / fall[ahead], t)
        step = meet.min()
        if not step < 1:
            break
        tied = ahead[meet <= step]
        there = int(tied[np.argmax(fall[tied])])
        a, b = int(rows[here]), int(rows[there])
        point = _strict_tie(cost, kept, a, b, start, end)
        if point is not None:
            found.append((a, b, point))
        here, t = there, step
    return found


def _strict_tie(cost: CostMatrix, kept: tuple[int, ...], a: int, b: int, start: Point, end: Point) -> Point | None:
    """The point of the segment where a and b tie, if they alone are cheapest there."""
    low, high = (_value(cost, b, point) - _value(cost, a, point) for point in (start, end))
    if not low > 0 > high:
        return None
    point: Point = {}
    for weight, part in ((-high, start), (low, end)):
        for y, p in part.items():
            point[y] = point.get(y, Fraction(0)) + weight * p
    total = sum(point.values())
    point = {y: p / total for y, p in point.items() if p}
    rows = np.array(kept)
    values = _expected(cost.costs, rows, point)
    size = np.abs(cost.costs[rows][:, list(point)]).max() * 2.0**-40
    own = values[rows == a][0]
    close = [int(r) for r in rows[values <= own + size] if r not in (a, b)]
    tie = _value(cost, a, point)
    return None if any(_value(cost, r, point) <= tie for r in close) else point


def _cut(cost: CostMatrix, table: NDArray[Any], kept: tuple[int, ...], a: int, b: int, shared: Point) -> Witness | None:
    """The witness where a third decision is cheaper than a and b while these tie, if `table` shows one.

    Decision c is nowhere cheaper on the slice {ℓ_a = ℓ_b} iff some μ has ℓ_c - ℓ_a ≥ μ·(ℓ_b - ℓ_a).
    """
    normal = table[b] - table[a]
    up, down = np.flatnonzero(normal > 0), np.flatnonzero(normal < 0)
    candidates: list[tuple[float, int, int, int]] = []
    for c in kept:
        if c in (a, b):
            continue
        gain = table[c] - table[a]
        flat = np.flatnonzero((normal == 0) & (gain < 0))
        if len(flat):
            y = int(flat[gain[flat].argmin()])
            candidates.append((float(gain[y]), c, y, y))
        if len(up) and len(down):
            above, below = gain[up] / normal[up], gain[down] / normal[down]
            y, z = int(up[above.argmin()]), int(down[below.argmax()])
            room = float(above.min() - below.max())
            if room <= 1e-12 * abs(float(below.max())):
                candidates.append((room, c, y, z))
    for _, c, y, z in sorted(candidates):
        point = {y: Fraction(1)} if y == z else _tie_on_edge(cost, a, b, y, z)
        if min(point.values()) < 0:
            continue
        tie, third = _value(cost, a, point), _value(cost, c, point)
        if tie == _value(cost, b, point) and third < tie:
            labels = tuple(cost.decisions[r] for r in (a, b, c))
            message = (
                f"Decisions {labels[0]!r} and {labels[1]!r} are neighbours, yet where both cost {number_text(tie)}, at "
                f"the distribution {_text(cost, point)}, decision {labels[2]!r} costs {number_text(third)}: a third "
                "decision cuts their boundary."
            )
            return Witness(_full(cost, point), labels, message, LINEAR, (_full(cost, shared),))
    return None


def _branching(cost: CostMatrix, centre: int, ties: dict[int, Point]) -> Witness:
    middle: Point = {}
    for point in ties.values():
        for y, p in point.items():
            middle[y] = middle.get(y, Fraction(0)) + p / 3
    labels = tuple(cost.decisions[r] for r in (centre, *ties))
    message = (
        f"Decision {labels[0]!r} borders three others, {labels[1]!r}, {labels[2]!r} and {labels[3]!r} (it is best at "
        f"{_text(cost, middle)}, between them): no order puts it next to all three."
    )
    shared = tuple(_full(cost, point) for point in ties.values())
    return Witness(_full(cost, middle), labels, message, LINEAR, shared)


def _tie_on_edge(cost: CostMatrix, a: int, b: int, y: int, z: int) -> Point:
    """The point of the edge between y and z where a and b cost the same."""
    at_y, at_z = (cost.exact_at(b, x) - cost.exact_at(a, x) for x in (y, z))
    return {y: at_z / (at_z - at_y), z: at_y / (at_y - at_z)}


def _value(cost: CostMatrix, r: int, point: Point) -> Fraction:
    return sum((p * cost.exact_at(r, y) for y, p in point.items()), Fraction(0))


def _expected(table: NDArray[Any], rows: NDArray[np.int_], point: Point) -> NDArray[Any]:
    """Expected costs in the arithmetic of the table, doubles or Fractions."""
    weights = np.array(list(point.values()), dtype=object).astype(table.dtype)
    return np.asarray(table[rows][:, list(point)] @ weights)


def _full(cost: CostMatrix, point: Point) -> tuple[Fraction, ...]:
    return tuple(point.get(y, Fraction(0)) for y in range(len(cost.outcomes)))


def _text(cost: CostMatrix, point: Point) -> str:
    """The distribution in brackets, or for many outcomes only what is not 0."""
    if len(cost.outcomes) <= 6:
        return "(" + ", ".join(str(p) for p in _full(cost, point)) + ")"
    return "{" + ", ".join(f"{cost.outcomes[y]!r}: {p}" for y, p in sorted(point.items())) + "}"
