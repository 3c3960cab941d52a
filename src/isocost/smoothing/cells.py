"""V along the cells of the order, laid end to end between the first and the last boundary."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.simplex import dual_norm

__all__ = ["Cell", "chained", "closed"]

Floats = NDArray[np.float64]


class Cell(NamedTuple):
    """V on one interior cell, at the cell's own scale."""

    shares: Floats  # where the knots after the first cut lie, as shares of the gap; the last is 1
    values: Floats  # V at the first cut, then at each of these knots
    ends: tuple[float, float]  # V at the two cuts, as multiples of the unit normals
    excess: float  # K of the cell over its limit gap/distance; 0 where Γ is constant


def chained(cells: list[Cell], cuts: Floats, units: Floats) -> tuple[Floats, Floats]:
    """Knots and values from the first cut to the last, each cell scaled so that V fits the one before."""
    if not cells:
        return cuts, units
    knots, values = [cuts[:1]], [cells[0].values[:1]]
    scale = 1.0
    for i, cell in enumerate(cells):
        if i:
            scale *= cells[i - 1].ends[1] / cell.ends[0]
        inner = cuts[i] + cell.shares[:-1] * (cuts[i + 1] - cuts[i])
        knots.append(np.r_[inner, cuts[i + 1]])
        values.append(scale * cell.values[1:])
    # Every step is up; where it is 0, at an outcome at which boundaries meet, rounding must not turn it down.
    return np.concatenate(knots), np.maximum.accumulate(np.concatenate(values))


def closed(knots: Floats, values: Floats, constant: float, norm: float) -> tuple[Floats, Floats]:
    """A knot at each end, so that no root lies outside and the end cells have the given K."""
    first, last = values[0], values[-1]
    left, right = (dual_norm(v, norm) / constant for v in (first, last))
    return (
        np.r_[knots[0] - first.max() / left, knots, knots[-1] - last.min() / right],
        np.vstack([first - first.max(), values, last - last.min()]),
    )
