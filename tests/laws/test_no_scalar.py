"""No continuous number refines a decision that is not orderable, checked on loops through its cells.

A continuous Γ on a loop has a minimum and a maximum, and takes every value between on both ways from one to
the other. So two walkers can start together at the minimum, one each way, hold the same value all the time, and
meet at the maximum (climbing mountains, in finitely many steps where Γ is piecewise linear). If Γ refines the
decision, two points with the same value share a best decision. Where no such walk exists, no such Γ does.

Broken once: leaving out the ties between neighbouring cells finds no walk for orderable matrices either.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

import isocost as ic
from tests.reference.test_kinds import HPC, KDD

Floats = NDArray[np.float64]


def loop_through(corners: list[Floats], steps: int = 400) -> Floats:
    ends = [*corners[1:], corners[0]]
    share = np.arange(steps)[:, None] / steps
    return np.vstack([(1 - share) * a + share * b for a, b in zip(corners, ends, strict=True)])


def best_along(cost: ic.CostMatrix, loop: Floats) -> list[frozenset[object]]:
    """Best decisions along the loop: in cells one, and between two cells the two that tie there."""
    labels = cost.decide(loop).tolist()
    runs = [a for a, b in zip(labels, labels[-1:] + labels[:-1], strict=True) if a != b] or labels[:1]
    if len(runs) == 1:
        return [frozenset(runs)]
    pairs = zip(runs, runs[1:] + runs[:1], strict=True)
    return [places for a, b in pairs for places in (frozenset([a]), frozenset([a, b]))]


def walkers_can_meet(places: list[frozenset[object]]) -> bool:
    n = len(places)
    reached = {(m, m) for m in range(n)}
    stack = list(reached)
    while stack:
        i, j = stack.pop()
        if i - j == n:
            return True
        for di, dj in itertools.product((-1, 0, 1), repeat=2):
            state = (i + di, j + dj)
            apart = state[0] - state[1]
            sensible = 0 <= apart <= n and abs(state[0]) <= 3 * n and state not in reached
            if sensible and places[state[0] % n] & places[state[1] % n]:
                reached.add(state)
                stack.append(state)
    return False


def loops(cost: ic.CostMatrix) -> list[Floats]:
    """Triangles between points where decisions are strictly best."""
    pruning = cost.ordering().pruning
    points = []
    for r in pruning.kept:
        point = np.zeros(len(cost.outcomes))
        for y, p in pruning.points[r].items():
            point[y] = float(p)
        points.append(0.95 * point / point.sum() + 0.05 / len(point))
    return [loop_through(list(corners)) for corners in itertools.combinations(points, 3)]


NOT_ORDERABLE = {
    "0-1": ic.CostMatrix(1 - np.eye(3)),
    "abstain": ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0], [0.25, 0.25, 0.25]]),
    "sqrt": ic.CostMatrix.ordinal(range(4), power="0.5"),
    "HPC": ic.CostMatrix(HPC, rows="outcomes"),
    "KDD": ic.CostMatrix(KDD, rows="outcomes"),
}
ORDERABLE = {
    "squared": ic.CostMatrix.ordinal(range(4)),
    "absolute": ic.CostMatrix.ordinal(range(4), power=1),
    "paper": ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]),
    "actions": ic.CostMatrix.actions([0, 1, 3, 4], [1, "0.5", "0.1", 0], [0, 2, 10, 20]),
}


@pytest.mark.parametrize("cost", NOT_ORDERABLE.values(), ids=NOT_ORDERABLE)
def test_some_loop_admits_no_continuous_score(cost: ic.CostMatrix) -> None:
    assert cost.ordering().kind is ic.OrderKind.NONE
    assert not all(walkers_can_meet(best_along(cost, loop)) for loop in loops(cost))


@pytest.mark.parametrize("cost", ORDERABLE.values(), ids=ORDERABLE)
def test_every_loop_admits_one_where_decisions_line_up(cost: ic.CostMatrix) -> None:
    assert cost.ordering().kind is not ic.OrderKind.NONE
    assert all(walkers_can_meet(best_along(cost, loop)) for loop in loops(cost))


def test_three_cells_around_the_witness() -> None:
    """A small circle around the point where the third decision cuts the boundary of the other two."""
    cost = NOT_ORDERABLE["0-1"]
    centre = np.full(3, 1 / 3)
    angle = np.linspace(0, 2 * np.pi, 600, endpoint=False)[:, None]
    across = np.array([[1, -1, 0]]) / np.sqrt(2) * np.cos(angle) + np.array([[1, 1, -2]]) / np.sqrt(6) * np.sin(angle)
    for radius in (0.3, 0.1, 0.001):
        assert not walkers_can_meet(best_along(cost, centre + radius * across))
