"""A decision is kept iff it is strictly the best somewhere.

Broken once: merging rows that differ by a constant, or `game.value >= 0`, fails here.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

import isocost as ic
from isocost.exact_game import solve_game
from tests.laws.random_costs import strongly_orderable


@given(strongly_orderable(least=2), st.integers(0, 2**32))
def test_mixtures_and_copies_are_dropped(cost: ic.CostMatrix, seed: int) -> None:
    """An exact average of decisions is nowhere strictly best, nor is a copy, nor one that costs more."""
    random = np.random.default_rng(seed)
    i, j = random.choice(len(cost.decisions), 2, replace=False)
    share = Fraction(int(random.integers(1, 9)), 9)
    extra = np.array(
        [share * cost.exact[i] + (1 - share) * cost.exact[j], cost.exact[i], cost.exact[j] + 1], dtype=object
    )
    table = np.vstack([cost.exact, extra])
    labels = [*cost.decisions, "mixture", "copy", "dearer"]
    order = ic.CostMatrix(table, decisions=labels).ordering()
    assert set(order.dropped) == {"mixture", "copy", "dearer"}
    assert order.decisions in (cost.decisions, cost.decisions[::-1])
    assert order.kind is ic.OrderKind.STRONG


@given(st.integers(2, 6), st.integers(2, 9), st.integers(0, 2**32), st.sampled_from([3, 1000]))
def test_points_prove_what_is_kept_and_a_solver_agrees(n: int, k: int, seed: int, top: int) -> None:
    table = np.random.default_rng(seed).integers(0, top, (k, n))
    cost = ic.CostMatrix(table)
    pruning = cost.ordering().pruning
    for r, point in pruning.points.items():
        values = [sum(p * int(row[y]) for y, p in point.items()) for row in table]
        assert values[r] == min(values)
        assert [i for i in pruning.kept if values[i] == values[r]] == [r]
    for r in range(k):
        others = [i for i in range(k) if (table[i] != table[r]).any()]
        value = game_by_solver(table[others] - table[r]) if others else 1.0
        if abs(value) > 1e-7:
            first = next(i for i in range(k) if (table[i] == table[r]).all())
            assert (r in pruning.kept) == (value > 0 and r == first)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32), st.sampled_from([2, 50]))
def test_exact_games_are_solved(rows: int, columns: int, seed: int, top: int) -> None:
    """Both strategies are distributions and guarantee the same value: a saddle point, exactly."""
    payoff = np.random.default_rng(seed).integers(-top, top, (rows, columns)).astype(object)
    game = solve_game(payoff)
    assert sum(game.distribution) == sum(game.mixture) == 1
    assert min(*game.distribution, *game.mixture) >= 0
    assert min(sum(a * p for a, p in zip(row, game.distribution, strict=True)) for row in payoff) == game.value
    assert max(sum(a * q for a, q in zip(column, game.mixture, strict=True)) for column in payoff.T) == game.value


def test_large_tables_take_the_same_decisions() -> None:
    """Beyond the size where a float solver proposes, against the exact game alone."""
    random = np.random.default_rng(3)
    base = random.integers(0, 10**6, (18, 30))
    weights = random.dirichlet(np.ones(18), size=6)
    dominated = np.ceil(weights @ base).astype(int) + random.integers(0, 2, (6, 30))
    table = np.vstack([base, dominated])
    kept = ic.CostMatrix(table).ordering().pruning.kept
    for r in range(24):
        others = [i for i in range(24) if i != r]
        assert (r in kept) == (solve_game((table[others] - table[r]).astype(object)).value > 0)


def game_by_solver(payoff: np.ndarray) -> float:
    rows, columns = payoff.shape
    scale = np.abs(payoff).max()
    result = linprog(
        [*[0.0] * columns, -1.0],
        A_ub=np.column_stack([-payoff / scale, np.ones(rows)]),
        b_ub=np.zeros(rows),
        A_eq=[[*[1.0] * columns, 0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * columns + [(None, None)],
    )
    return float(-result.fun)
