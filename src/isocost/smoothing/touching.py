"""Touching boundaries: a Lipschitz number where an orderable decision has one (theory, section 5).

Where B_i and B_{i+1} meet, Γ must take one value s on both, and so on the whole cell that they
squeeze: V jumps at s from V(s-) ∝ w_i to V(s+) ∝ w_{i+1}, the knot and the cut are repeated, and
Γ(p) = s exactly where ⟨p, V(s-)⟩ ≤ 0 ≤ ⟨p, V(s+)⟩. Two neighbouring cells that are both squeezed
would have to share one score; then, and only then, there is no such Γ.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isocost.exceptions import NotOrderableError
from isocost.ordering import Ordering, OrderKind, checked_norm
from isocost.property import SmoothProperty
from isocost.simplex import dual_norm
from isocost.smoothing.cells import Cell
from isocost.smoothing.smoothest import laid_out

__all__ = ["touching"]

Floats = NDArray[np.float64]


def touching(order: Ordering, norm: float = 1, slack: float = 0.05) -> SmoothProperty:
    """The smoothest property, but constant on the cells that touching boundaries squeeze.

    Parameters
    ----------
    order : Ordering
        Orderable, no two consecutive decisions squeezed.
    norm : {1, 2, math.inf}
        Norm on distributions.
    slack : float
        As for "smoothest", on the cells that have a width.
    """
    if order.kind is OrderKind.NONE:
        order.refuse("touching", "an orderable")
    _require_no_neighbours_squeezed(order)
    checked_norm(norm)
    units = order.normals / dual_norm(order.normals, norm)[:, None]
    sizes = dual_norm(order.normals, norm)
    squeezed = {i: _jump(units[i], units[i + 1], order.ratios[i] * sizes[i + 1] / sizes[i]) for i in order.touching}
    return laid_out(order, norm, slack, squeezed, "touching")


def _jump(lower: Floats, upper: Floats, admissible: Floats) -> Cell:
    """V at the two knots of a cell without width, of about the same size, up for every outcome."""
    ratio = float(np.clip(1.0, *admissible))
    values = np.array([lower, np.maximum(lower, ratio * upper)])  # equal where the boundaries meet, to the bit
    return Cell(np.ones(1), values, (1.0, ratio), 0.0)


def _require_no_neighbours_squeezed(order: Ordering) -> None:
    if not order.crowded:
        return
    i = order.crowded[0]
    one, two = order.decisions[i + 1], order.decisions[i + 2]
    first, second = (order.touch_witness(j) for j in (i, i + 1))
    raise NotOrderableError(
        f"No Lipschitz number refines these decisions: {one!r} and {two!r} are neighbours, and each is squeezed "
        "between boundaries that touch, so that both would need the same single score. "
        f"{first.message} {second.message} {second.advice}",
        order,
    )
