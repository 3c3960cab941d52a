"""The smoothest Lipschitz property, up to a slack that the user names (theory, section 3)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from isocost.distances import Separation, separations
from isocost.exceptions import CostMatrixError
from isocost.ordering import Ordering, checked_norm
from isocost.property import SmoothProperty
from isocost.simplex import dual_norm
from isocost.smoothing.cells import Cell, chained, closed

__all__ = ["checked_slack", "laid_out", "smoothest"]

Floats = NDArray[np.float64]

# Of v, whose size is 1.
ROUNDING = 1e-13


def smoothest(order: Ordering, norm: float = 1, slack: float = 0.05) -> SmoothProperty:
    """K at most (1 + slack) times the limit of any property that refines the decision.

    Cuts are spaced by the distances between boundaries, so a score that lies u beyond a cut
    belongs to distributions at least u/(1 + slack) away from that boundary.

    Parameters
    ----------
    order : Ordering
        Strongly orderable.
    norm : {1, 2, math.inf}
        Norm on distributions.
    slack : float
        Above 0. A smaller slack squeezes the scores next to a cut.
    """
    order.require_strong("smoothest")
    return laid_out(order, norm, slack, {}, "smoothest")


def laid_out(order: Ordering, norm: float, slack: float, squeezed: Mapping[int, Cell], method: str) -> SmoothProperty:
    """The property whose cells are as smooth as can be, but for those given, which have no width."""
    checked_norm(norm)
    checked_slack(slack)
    units = order.normals / dual_norm(order.normals, norm)[:, None]
    apart = [i for i in range(len(units) - 1) if i not in squeezed]
    found = dict(zip(apart, separations(units, norm, apart), strict=True))
    cells = [
        _cell(found[i], units[i], units[i + 1], slack) if i in found else squeezed[i] for i in range(len(units) - 1)
    ]
    gaps = [found[i].distance if i in found else 0.0 for i in range(len(cells))]
    cuts = np.r_[0.0, np.cumsum(gaps)]
    knots, values = chained(cells, cuts, units)
    # The end cells may be as steep as the steepest interior cell, and no steeper.
    constant = max((cell.excess for cell in cells), default=0.0) or _free_constant(values, norm)
    knots, values = closed(knots, values, constant, norm)
    if np.count_nonzero(np.diff(knots) == 0) != len(squeezed):
        raise CostMatrixError(
            f"slack={slack:g} puts knots closer together than double precision tells apart; take a larger one, or drop "
            "a decision whose boundaries all but touch"
        )
    return SmoothProperty(knots, values / np.abs(values).max(), cuts, order.decisions, order.cost.outcomes, method)


def checked_slack(slack: float) -> float:
    """The slack as a number, if it is finite and above 0."""
    number = isinstance(slack, (int, float, np.integer, np.floating)) and not isinstance(slack, bool)
    if not (number and 0 < slack < math.inf):
        raise CostMatrixError(f"slack must be a finite number above 0; got {slack!r}")
    return float(slack)


def _free_constant(values: Floats, norm: float) -> float:
    """Where all cuts are one, K is only a unit: the one for which Γ has a range of length 1."""
    first, last = values[0], values[-1]
    return float(1 / (first.max() / dual_norm(first, norm) - last.min() / dual_norm(last, norm)))


def _cell(separation: Separation, lower: Floats, upper: Floats, slack: float) -> Cell:
    """From α·w_i through v and v + A to β·w_{i+1}, each step up for every outcome."""
    distance, v = separation
    alpha, beta = _nearest_multiple(v, lower, 1), _nearest_multiple(v + distance, upper, -1)
    size = max(1.0, alpha, beta)
    share = min(0.25, slack / (2 * (size - 1 + size * slack)))
    step = share * distance * size
    values = np.array([alpha * lower, v + step, v + distance - step, beta * upper])
    excess = (1 - 2 * share) / (1 - 2 * share * size)
    return Cell(np.array([share, 1 - share, 1.0]), values, (alpha, beta), excess)


def _nearest_multiple(v: Floats, unit: Floats, sign: int) -> float:
    """The λ nearest to 1 with sign·v ≥ sign·λ·w: V then has about the same size along the cell."""
    for allowance in (0.0, ROUNDING):  # an outcome with w_y all but 0 would turn the rounding of v_y into any λ
        room, rise = sign * v + allowance, sign * unit
        low = float((room[rise < 0] / rise[rise < 0]).max(initial=0.0))
        high = float((room[rise > 0] / rise[rise > 0]).min(initial=math.inf))
        if low <= high:
            return min(max(1.0, low), high)
    return (low + high) / 2
