"""Which decisions are the strict optimum somewhere, decided exactly.

Points propose, exact arithmetic confirms: vertices and one edge settle most decisions, and only
what they leave open goes to a linear program.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

from isocost.costs import CostMatrix
from isocost.exact import to_integers
from isocost.exact_game import solve_game
from isocost.labels import Label

__all__ = ["Point", "Pruning", "argbest", "prune"]

# A point of the simplex up to scale: outcome positions and exact positive weights.
Point = dict[int, Fraction]

# Relative rounding of the dot products below, generously: each has at most n+2 roundings.
ROUNDING = 2.0**-50
MOST_EDGES = 64
# Below this many cells the exact game is quicker than importing and calling a float solver.
SMALL_GAME = 400


@dataclass(frozen=True)
class Pruning:
    """Decisions kept, by position, with a point where each is strictly best; and why the rest went."""

    kept: tuple[int, ...]
    points: dict[int, Point]
    dropped: dict[Label, str]
    dominators: dict[int, Point]


def prune(cost: CostMatrix) -> Pruning:
    """Merge equal decisions and drop those that are never the strict optimum."""
    alive, dropped = _merge_equal(cost)
    points = _best_at_vertices(cost, alive)
    for y, z in islice(_edges(cost, points), MOST_EDGES):
        if len(points) == len(alive):
            break
        _best_on_edge(cost, alive, y, z, points)
    dominators: dict[int, Point] = {}
    for r in alive:
        if r in points:
            continue
        others = [i for i in alive if i != r and i not in dominators]
        point, mixture = _settle(cost, r, others)
        if point is not None:
            points[r] = point
        else:
            dominators[r] = mixture
            dropped[cost.decisions[r]] = _reason(cost, mixture)
    kept = tuple(r for r in alive if r in points)
    return Pruning(kept, {r: points[r] for r in kept}, dropped, dominators)


def _merge_equal(cost: CostMatrix) -> tuple[list[int], dict[Label, str]]:
    alive: list[int] = []
    dropped: dict[Label, str] = {}
    seen: dict[bytes, list[int]] = {}
    for r, line in enumerate(cost.costs):
        twins = seen.setdefault(line.tobytes(), [])
        twin = next((i for i in twins if cost.floats_are_exact or (cost.exact[i] == cost.exact[r]).all()), None)
        if twin is None:
            twins.append(r)
            alive.append(r)
        else:
            dropped[cost.decisions[r]] = f"costs the same as {cost.decisions[twin]!r} for every outcome"
    return alive, dropped


def argbest(cost: CostMatrix, rows: list[int], y: int, sign: int = 1) -> list[int]:
    """All rows with the smallest (sign=1) or largest (sign=-1) cost at outcome y, exactly."""
    column = sign * cost.costs[rows, y]
    ties = np.flatnonzero(column == column.min())  # rounding is monotone, so only equal doubles are open
    if len(ties) == 1 or cost.floats_are_exact:
        return [rows[i] for i in ties]
    values = [sign * cost.exact_at(rows[i], y) for i in ties]
    return [rows[i] for i, value in zip(ties, values, strict=True) if value == min(values)]


def _best_at_vertices(cost: CostMatrix, alive: list[int]) -> dict[int, Point]:
    points: dict[int, Point] = {}
    for y in range(len(cost.outcomes)):
        best = argbest(cost, alive, y)
        if len(best) == 1:
            points.setdefault(best[0], {y: Fraction(1)})
    return points


def _edges(cost: CostMatrix, points: dict[int, Point]) -> list[tuple[int, int]]:
    """Edges between vertices of different cells; first the one between the ends of the order.

    Along the order the costs at a vertex fall, then rise; so the dearest decision of those that
    are best at a vertex is the first or the last of them.
    """
    at = {r: next(iter(point)) for r, point in points.items()}
    rows = list(at)
    ends = list(dict.fromkeys(argbest(cost, rows, y, sign=-1)[0] for y in at.values()))
    pairs = [(at[a], at[b]) for a, b in combinations(ends, 2)]
    pairs += [(at[a], at[b]) for a, b in islice(combinations(rows, 2), MOST_EDGES)]
    return pairs


def _best_on_edge(cost: CostMatrix, alive: list[int], y: int, z: int, points: dict[int, Point]) -> None:
    """Add the decisions that are strictly best somewhere between the vertices y and z."""
    rows = np.array(alive)
    at_y, at_z = cost.costs[rows, y], cost.costs[rows, z]
    t = _between_breakpoints(at_y, at_z)
    s = 1 - t
    values = np.outer(at_y, s) + np.outer(at_z, t)
    bound = ROUNDING * (np.outer(np.abs(at_y), s) + np.outer(np.abs(at_z), t))
    best = values.argmin(axis=0)
    ceiling = (values + bound).min(axis=0)
    for j, i in enumerate(best):
        r = int(rows[i])
        if r in points:
            continue
        rivals = rows[(values[:, j] - bound[:, j] <= ceiling[j])].tolist()
        point = {y: Fraction(float(s[j])), z: Fraction(float(t[j]))}
        if rivals == [r] or _exact_winner(cost, rivals, point) == r:
            points[r] = point


def _exact_winner(cost: CostMatrix, rows: list[int], point: Point) -> int | None:
    """The one row that is strictly cheapest at the point, or None on a tie."""
    values = [sum(p * cost.exact_at(r, y) for y, p in point.items()) for r in rows]
    least = min(values)
    return rows[values.index(least)] if values.count(least) == 1 else None


def _between_breakpoints(at_y: NDArray[np.float64], at_z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Middles of the linear pieces of the lower envelope of lines over [0, 1]."""
    breaks = [0.0]
    i = int(np.lexsort((at_z, at_y))[0])
    while True:
        # From line i, the next line on the envelope is the one that it meets first.
        rise = at_y - at_y[i]
        fall = (at_y - at_z) - (at_y[i] - at_z[i])
        with np.errstate(divide="ignore", invalid="ignore"):
            meet = np.where(fall > 0, rise / fall, np.inf)
        meet[meet < breaks[-1]] = breaks[-1]
        step = float(meet.min())
        if not step < 1:
            break
        tied = np.flatnonzero(meet <= step)
        i = int(tied[np.argmax(fall[tied])])
        breaks.append(step)
    edges = np.array([*breaks, 1.0])
    wide = np.diff(edges) > 0
    return (edges[:-1] + np.diff(edges) / 2)[wide]


def _settle(cost: CostMatrix, r: int, others: list[int]) -> tuple[Point | None, Point]:
    """A point where r is strictly cheaper than the others, or the mixture that dominates it."""
    columns = list(range(len(cost.outcomes)))
    if not others:
        return dict.fromkeys(columns, Fraction(1)), {}
    single = _single_dominator(cost, r, others)
    if single is not None:
        return None, {single: Fraction(1)}
    if len(others) * len(columns) > SMALL_GAME:
        weights, mixture = _proposal(cost.costs[others] - cost.costs[r])
        if weights is not None and _strictly_best(cost, r, others, weights):
            return {y: Fraction(float(weights[y])) for y in np.flatnonzero(weights).tolist()}, {}
        # A dominating mixture is proved on its own rows.
        rows = [others[i] for i in mixture]
        game = solve_game(_payoff(cost, r, rows, columns))
        if game.value <= 0:
            return None, _positive(rows, game.mixture)
    game = solve_game(_payoff(cost, r, others, columns))
    if game.value > 0:
        return _positive(columns, game.distribution), {}
    return None, _positive(others, game.mixture)


def _single_dominator(cost: CostMatrix, r: int, others: list[int]) -> int | None:
    """A decision that is never dearer than r, exactly."""
    for i in np.flatnonzero((cost.costs[others] <= cost.costs[r]).all(axis=1)).tolist():
        if cost.floats_are_exact or (cost.exact[others[i]] <= cost.exact[r]).all():
            return others[i]
    return None


def _positive(positions: list[int], weights: tuple[Fraction, ...]) -> Point:
    return {i: weight for i, weight in zip(positions, weights, strict=True) if weight}


def _strictly_best(cost: CostMatrix, r: int, others: list[int], weights: NDArray[np.float64]) -> bool:
    """Whether r is cheapest at the weights by more than any rounding."""
    gaps = (cost.costs[others] - cost.costs[r]) @ weights
    bound = len(weights) * ROUNDING * ((np.abs(cost.costs[others]) + np.abs(cost.costs[r])) @ weights)
    return bool((gaps > bound).all())


def _payoff(cost: CostMatrix, r: int, rows: list[int], columns: list[int]) -> NDArray[np.object_]:
    table = np.empty((len(rows), len(columns)), dtype=object)
    for j, y in enumerate(columns):
        own = cost.exact_at(r, y)
        table[:, j] = [cost.exact_at(i, y) - own for i in rows]
    return to_integers(table)


def _proposal(payoff: NDArray[np.float64]) -> tuple[NDArray[np.float64] | None, list[int]]:
    """Weights of the best point and support of the best mixture, in floating point."""
    from scipy.optimize import linprog  # slow to import, seldom needed

    scale = np.abs(payoff).max() or 1.0
    rows, columns = payoff.shape
    result = linprog(
        np.r_[np.zeros(columns), -1.0],
        A_ub=np.column_stack([-payoff / scale, np.ones(rows)]),
        b_ub=np.zeros(rows),
        A_eq=np.r_[np.ones(columns), 0.0][None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * columns + [(None, None)],
        method="highs-ds",
    )
    if result.status != 0:
        return None, list(range(rows))
    mixture = np.flatnonzero(np.abs(result.ineqlin.marginals) > 1e-12).tolist()
    return np.maximum(result.x[:-1], 0.0), mixture or [0]


def _reason(cost: CostMatrix, mixture: Point) -> str:
    parts = [repr(cost.decisions[i]) for i in mixture]
    if len(parts) == 1:
        return f"never cheaper than {parts[0]}"
    shown = ", ".join(parts[:6]) + (", …" if len(parts) > 6 else "")
    return f"never cheaper than the best of {shown}"
