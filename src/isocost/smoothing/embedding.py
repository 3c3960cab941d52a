"""The paper's Algorithm 1: interpolate the derivative of a polyhedral embedding.

Two corrections (theory, sections 3 and 9): V is 0 at an embedding point only where its one-sided
slopes have strictly opposite signs (E2), and V stays continuous at the outermost points (E4).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isocost.exceptions import CostMatrixError
from isocost.ordering import Ordering
from isocost.property import SmoothProperty

__all__ = ["embedding"]

Floats = NDArray[np.float64]


def embedding(order: Ordering, ratios: Sequence[float] | None = None) -> SmoothProperty:
    """Knots at the embedding points φ_i and their midpoints; cuts at the midpoints.

    Parameters
    ----------
    order : Ordering
        Strongly orderable.
    ratios : sequence of k-2 numbers, optional
        c_{i+1}/c_i within ``order.ratios``; by default their geometric mean, and half of hi where
        lo is 0.
    """
    order.require_strong("embedding")
    scales = np.cumprod(np.r_[1.0, _chosen_ratios(order, ratios)])
    slopes = scales[:, None] * order.normals  # of the embedding, between φ_i and φ_{i+1}
    steepest = np.full((1, slopes.shape[1]), np.abs(slopes).max())
    before, after = np.r_[-steepest, slopes], np.r_[slopes, steepest]
    at_points = np.where((before < 0) & (after > 0), 0.0, (before + after) / 2)
    points = np.r_[0.0, np.cumsum(1 / scales)]
    middles = (points[:-1] + points[1:]) / 2
    knots = np.empty(2 * len(points) - 1)
    values = np.empty((len(knots), slopes.shape[1]))
    knots[::2], knots[1::2] = points, middles
    values[::2], values[1::2] = at_points, slopes
    return SmoothProperty(knots, values, middles, order.decisions, order.cost.outcomes, "embedding")


def _chosen_ratios(order: Ordering, ratios: Sequence[float] | None) -> Floats:
    low, high = order.ratios.T
    if ratios is None:
        return np.asarray(np.where(low > 0, np.sqrt(low) * np.sqrt(high), high / 2))
    try:
        chosen = np.asarray(ratios, dtype=np.float64)
    except (TypeError, ValueError):
        raise CostMatrixError(f"ratios must be numbers; got {ratios!r}") from None
    if chosen.shape != low.shape:
        raise CostMatrixError(
            f"ratios must have length {len(low)}, one for each decision between the first and the last; "
            f"got shape {chosen.shape}"
        )
    rounding = 1e-12 * high
    outside = ~((chosen > 0) & (chosen >= low - rounding) & (chosen <= high + rounding))
    if outside.any():
        i = int(outside.argmax())
        raise CostMatrixError(
            f"ratios[{i}] must lie in the admissible interval [{low[i]:.6g}, {high[i]:.6g}] (order.ratios) and be "
            f"above 0; got {chosen[i]:.6g}"
        )
    return np.clip(chosen, low, high)
