"""Generalised pool-adjacent-violators: the best nondecreasing score, for every loss ∫V dμ at once.

Cells come in increasing score order; a block of neighbouring cells has the value Γ of its label
distribution, and neighbours are merged while their values are out of order (theory, section 8).

Γ of a union lies between the Γ of its parts, as it is the root of a sum of V. Hence the blocks do
not depend on the order of merging, are Γ-calibrated, and minimise the surrogate loss, and every
elementary loss, among nondecreasing functions of the score. With `interior` η that holds while
every cell lies in Δ_η. A cell outside, such as a single row, is moved inside first, which is not
linear: a union may then lie beyond both parts. What still holds is that values increase and
that each is Γ of its block's distribution, as ``prop.value`` has it; merging goes left to right.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.exceptions import PredictionError
from isocost.linear_property import LinearProperty
from isocost.property import SmoothProperty

__all__ = ["Blocks", "ScoreBlocks", "knots_of", "pooled", "pooled_scores"]

Floats = NDArray[np.float64]
Positions = NDArray[np.intp]


class Blocks(NamedTuple):
    """Blocks of cells in score order.

    Attributes
    ----------
    starts : ndarray of intp, shape (M,)
        The first cell of each block.
    values : ndarray, shape (M,)
        Γ of each block's label distribution, strictly increasing.
    """

    starts: Positions
    values: Floats


class ScoreBlocks(NamedTuple):
    """Blocks of scored rows.

    Attributes
    ----------
    lowest, highest : ndarray, shape (M,)
        The range of scores of each block.
    values : ndarray, shape (M,)
        Γ of each block's label distribution, strictly increasing.
    label_weights : ndarray, shape (M, n)
        Total weight of each outcome in each block.
    """

    lowest: Floats
    highest: Floats
    values: Floats
    label_weights: Floats


def pooled(label_weights: Floats, prop: SmoothProperty) -> Blocks:
    """Blocks of the cells of a table of label weights, shape (B, n), in increasing score order.

    Parameters
    ----------
    label_weights : ndarray, shape (B, n)
        Weights ≥ 0; each row has a total above 0.
    prop : SmoothProperty

    Examples
    --------
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 1], [1, 0]]))  # Γ(p) = 2·p_1 - 1
    >>> blocks = pooled(np.array([[4.0, 0.0], [1.0, 3.0], [3.0, 1.0], [0.0, 2.0]]), prop)
    >>> blocks.starts.tolist(), blocks.values.tolist()
    ([0, 1, 3], [-1.0, 0.0, 1.0])
    """
    from isocost.kernels_pav import pool_cells  # numba is slow to import

    table = np.ascontiguousarray(label_weights, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != len(prop.outcomes):
        raise PredictionError(f"label weights must have shape (cells, {len(prop.outcomes)}); got shape {table.shape}")
    if not (table.sum(axis=1) > 0).all():
        raise PredictionError("label weights must have a total above 0 in every cell; drop empty cells")
    return Blocks(*pool_cells(table, prop.knots, prop.values, prop.interior))


def pooled_scores(
    scores: Floats, positions: Positions, weights: Floats, prop: SmoothProperty | LinearProperty
) -> ScoreBlocks:
    """Blocks of rows by their scores, in any order; rows of one score share a block.

    Parameters
    ----------
    scores : ndarray, shape (N,)
        Finite.
    positions : ndarray of intp, shape (N,)
        Outcome positions.
    weights : ndarray, shape (N,)
        Finite and ≥ 0, of finite sum; rows of weight 0 do not count.
    prop : SmoothProperty or LinearProperty of one number

    Examples
    --------
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 1], [1, 0]]))  # Γ(p) = 2·p_1 - 1
    >>> scores, y = np.array([0.1, 0.3, 0.2, 0.2]), np.array([0, 1, 1, 0])
    >>> blocks = pooled_scores(scores, y, np.ones(4), prop)
    >>> blocks.highest.tolist(), blocks.values.tolist()
    ([0.1, 0.2, 0.3], [-1.0, 0.0, 1.0])
    """
    from isocost.kernels_pav import pool_rows

    knots, values, interior = knots_of(prop)
    return ScoreBlocks(*pool_rows(np.argsort(scores), scores, positions, weights, knots, values, interior))


def knots_of(prop: SmoothProperty | LinearProperty) -> tuple[Floats, Floats, float]:
    """Knots, V at them, and η; a linear property of one number has V(u, y) = u - φ(y), one knot at 0."""
    if isinstance(prop, LinearProperty):
        return np.zeros(1), -prop.basis, 0.0
    return prop.knots, prop.values, prop.interior
