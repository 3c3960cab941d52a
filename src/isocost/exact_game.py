"""A matrix game solved in integers: is one decision somewhere strictly the best?

For a decision r with rows D_i = ℓ_i - ℓ_r of the other decisions, the value
max_p min_i ⟨D_i, p⟩ = min_q max_y Σ_i q_i D_iy is positive iff r is the strict optimum
somewhere; then p says where. Else the mixture q dominates r.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Game", "solve_game"]


class Game(NamedTuple):
    """Value of a matrix game with an optimal strategy of each side, all exact."""

    value: Fraction
    distribution: tuple[Fraction, ...]
    mixture: tuple[Fraction, ...]


def solve_game(payoff: NDArray[np.object_]) -> Game:
    """Solve max_p min_i ⟨payoff_i, p⟩ for a table of Python integers.

    Parameters
    ----------
    payoff : object array of int, shape (rows, columns)

    Examples
    --------
    >>> game = solve_game(np.array([[3, -1], [-1, 1]], dtype=object))
    >>> game.value, game.distribution
    (Fraction(1, 3), (Fraction(1, 3), Fraction(2, 3)))
    """
    rows, columns = payoff.shape
    shift = 1 - min(payoff.ravel().tolist())
    positive = payoff + shift
    # max Σz subject to zᵀ·positive ≤ 1, z ≥ 0 starts at the feasible z = 0; value = 1/Σz.
    tableau = np.zeros((columns + 1, rows + columns + 1), dtype=object)
    tableau[:columns, :rows] = positive.T
    tableau[:columns, rows : rows + columns] = np.eye(columns, dtype=int).astype(object)
    tableau[:columns, -1] = 1
    tableau[columns, :rows] = -1
    basis = list(range(rows, rows + columns))
    scale = _maximise(tableau, basis)
    z = [0] * rows
    for line, variable in enumerate(basis):
        if variable < rows:
            z[variable] = tableau[line, -1]
    x = [tableau[columns, rows + y] for y in range(columns)]
    total = tableau[columns, -1]
    return Game(
        Fraction(scale, total) - shift,
        tuple(Fraction(value, total) for value in x),
        tuple(Fraction(value, total) for value in z),
    )


def _maximise(tableau: NDArray[np.object_], basis: list[int]) -> int:
    """Fraction-free simplex (Edmonds' integer pivoting); returns the common denominator."""
    scale = 1
    degenerate = False
    while True:
        prices = tableau[-1, :-1]
        entering = [j for j, price in enumerate(prices) if price < 0]
        if not entering:
            return scale
        # Steepest price while the objective moves, Bland's rule while it stands, so no cycle.
        column = entering[0] if degenerate else min(entering, key=lambda j: prices[j])
        line = _leaving(tableau, basis, column)
        degenerate = tableau[line, -1] == 0
        pivot = tableau[line, column]
        pivot_line = tableau[line].copy()
        tableau[:] = (tableau * pivot - np.outer(tableau[:, column], pivot_line)) // scale
        tableau[line] = pivot_line
        basis[line] = column
        scale = pivot


def _leaving(tableau: NDArray[np.object_], basis: list[int], column: int) -> int:
    best = -1
    for line in range(len(basis)):
        if tableau[line, column] <= 0:
            continue
        if best >= 0:
            here = tableau[line, -1] * tableau[best, column]
            there = tableau[best, -1] * tableau[line, column]
            if here > there or (here == there and basis[line] > basis[best]):
                continue
        best = line
    return best
