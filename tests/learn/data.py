"""Rows to train on: three grades that depend on two of three features, in an order that sorting does not give."""

from __future__ import annotations

from typing import Any

import numpy as np

import isocost as ic

__all__ = ["COST", "LABELS", "ZERO_ONE", "graded"]

LABELS = ["low", "mid", "high", "top"]  # sorted otherwise: high, low, mid, top
COST = ic.CostMatrix(
    [[0, 3, 5, 9], [1, 0, 3, 4], [3, 1, 0, 0.5]], decisions=["wait", "test", "treat"], outcomes=LABELS
)  # strongly orderable, not square
ZERO_ONE = ic.CostMatrix(1 - np.eye(4, dtype=int), LABELS, LABELS)


def graded(rows: int = 600, seed: int = 0) -> tuple[Any, Any]:
    """Features and labels."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 3))
    latent = X[:, 0] + 0.5 * np.abs(X[:, 1]) + random.normal(scale=0.4, size=rows)
    return X, np.array(LABELS)[np.digitize(latent, [-0.3, 0.4, 1.3])]
