"""Worlds in which the truth is known: predictions, the true distributions, and outcomes drawn from these."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import isocost as ic

__all__ = ["ASYMMETRIC", "PAPER", "World", "drawn"]

Floats = NDArray[np.float64]

PAPER = ic.CostMatrix(
    [[0, 3, 5], [1, 0, 3], [3, 1, 0]], decisions=["wait", "test", "treat"], outcomes=["mild", "moderate", "severe"]
)
ASYMMETRIC = ic.CostMatrix([[0, 2, 9, 30], [1, 0, 4, 12], [5, 2, 0, 1]], outcomes=["a", "b", "c", "d"])


class World(NamedTuple):
    """Rows of predictions P with true distributions T, and outcome labels."""

    P: Floats
    T: Floats
    y: NDArray[np.generic]


def drawn(cost: ic.CostMatrix, rows: int, seed: int, kind: str = "calibrated") -> World:
    """Calibrated predictions, ones that are too sure of themselves, or ones that are mixed up."""
    random = np.random.default_rng(seed)
    n = len(cost.outcomes)
    P = random.dirichlet(np.linspace(2, 1, n), size=rows)
    T = P
    if kind == "too sure":
        T = P**0.6
        T = T / T.sum(axis=1, keepdims=True)
    elif kind == "mixed up":
        T = 0.7 * P + 0.3 * P[:, ::-1]
    y = np.minimum((T.cumsum(axis=1) < random.random((rows, 1))).sum(axis=1), n - 1)
    return World(P, T, np.array(cost.outcomes)[y])
