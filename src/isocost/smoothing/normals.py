"""The paper's Algorithm 2: interpolate the unit normals of the boundaries."""

from __future__ import annotations

import numpy as np

from isocost.ordering import Ordering
from isocost.property import SmoothProperty

__all__ = ["normals"]


def normals(order: Ordering) -> SmoothProperty:
    """Knots and cuts 0, 1, …, k-2 with V(i-1) = w_i/‖w_i‖₂; the loss need not be convex in u (E11)."""
    order.require_strong("normals")
    units = order.normals / np.linalg.norm(order.normals, axis=1, keepdims=True)
    knots = np.arange(len(units), dtype=np.float64)
    return SmoothProperty(knots, units, knots, order.decisions, order.cost.outcomes, "normals")
