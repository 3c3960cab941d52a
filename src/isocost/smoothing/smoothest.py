"""The smoothest Lipschitz property, up to a slack that the user names (theory, section 3)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.distances import Separation, separations
from isocost.exceptions import CostMatrixError
from isocost.ordering import Ordering, checked_norm
from isocost.property import SmoothProperty
from isocost.simplex import dual_norm

__all__ = ["checked_slack", "smoothest"]

Floats = NDArray[np.float64]


class _Cell(NamedTuple):
    """V at the four knots of one interior cell, at the cell's own scale, and what goes with it."""

    values: Floats
    share: float  # τ, the part of the gap between a cut and the knot beside it
    excess: float  # K of the cell over its limit gap/distance
    ends: tuple[float, float]  # α and β: the values at the cuts are these multiples of unit normals


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
    checked_norm(norm)
    checked_slack(slack)
    units = order.normals / dual_norm(order.normals, norm)[:, None]
    found = separations(units, norm, range(len(units) - 1))
    cells = [_cell(separation, units[i], units[i + 1], slack) for i, separation in enumerate(found)]
    cuts = np.r_[0.0, np.cumsum([separation.distance for separation in found])]
    inner_knots, inner_values = _joined(cells, cuts, units)
    # The end cells may be as steep as the steepest interior cell, and no steeper.
    constant = max((cell.excess for cell in cells), default=1.0)
    knots, values = _closed(inner_knots, inner_values, constant, norm)
    values = values / np.abs(values).max()
    return SmoothProperty(knots, values, cuts, order.decisions, order.cost.outcomes, "smoothest")


def checked_slack(slack: float) -> float:
    """The slack as a number, if it is finite and above 0."""
    number = isinstance(slack, (int, float, np.integer, np.floating)) and not isinstance(slack, bool)
    if not (number and 0 < slack < math.inf):
        raise CostMatrixError(f"slack must be a finite number above 0; got {slack!r}")
    return float(slack)


def _cell(separation: Separation, lower: Floats, upper: Floats, slack: float) -> _Cell:
    """From α·w_i through v and v + A to β·w_{i+1}, each step up for every outcome."""
    distance, v = separation
    alpha, beta = _nearest_multiple(v, lower, 1), _nearest_multiple(v + distance, upper, -1)
    size = max(1.0, alpha, beta)
    share = min(0.25, slack / (2 * (size * (1 + slack) - 1)))
    step = share * distance * size
    values = np.array([alpha * lower, v + step, v + distance - step, beta * upper])
    return _Cell(values, share, (1 - 2 * share) / (1 - 2 * share * size), (alpha, beta))


def _nearest_multiple(v: Floats, unit: Floats, sign: int) -> float:
    """The λ nearest to 1 with sign·v ≥ sign·λ·w: V then has about the same size along the cell."""
    low = float((v[unit * sign < 0] / unit[unit * sign < 0]).max(initial=0.0))
    high = float((v[unit * sign > 0] / unit[unit * sign > 0]).min(initial=math.inf))
    return min(max(1.0, low), high) if low <= high else (low + high) / 2


def _joined(cells: list[_Cell], cuts: Floats, units: Floats) -> tuple[Floats, Floats]:
    """The cells end to end, each scaled so that V is continuous at the cuts."""
    if not cells:
        return cuts, units
    knots, values = [cuts[:1]], [cells[0].values[:1]]
    scale = 1.0
    for i, cell in enumerate(cells):
        if i:
            scale *= cells[i - 1].ends[1] / cell.ends[0]
        inset = cell.share * (cuts[i + 1] - cuts[i])
        knots.append(np.array([cuts[i] + inset, cuts[i + 1] - inset, cuts[i + 1]]))
        values.append(scale * cell.values[1:])
    return np.concatenate(knots), np.concatenate(values)


def _closed(knots: Floats, values: Floats, constant: float, norm: float) -> tuple[Floats, Floats]:
    """A knot at each end, so that no root lies outside and the end cells have the given K."""
    first, last = values[0], values[-1]
    if len(knots) == 1:  # two decisions: K is only a unit, so let max |Γ - s_1| be 1
        left = right = np.abs(first).max()
    else:
        left, right = (dual_norm(v, norm) / constant for v in (first, last))
    return (
        np.r_[knots[0] - first.max() / left, knots, knots[-1] - last.min() / right],
        np.vstack([first - first.max(), values, last - last.min()]),
    )
