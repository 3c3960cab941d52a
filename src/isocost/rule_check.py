"""Does a property still refine the decision of a cost matrix? Derived again from the costs, as rule files must be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isocost.costs import CostMatrix
from isocost.exceptions import CostMatrixError, NotOrderableError, RuleError
from isocost.interior import identification_inside
from isocost.linear_property import LinearProperty
from isocost.ordering import Ordering, OrderKind
from isocost.property import SmoothProperty
from isocost.pruning import prune
from isocost.smoothing.inside import checked_floor, inner_ordering

__all__ = ["require_refinement"]

Floats = NDArray[np.float64]

# Relative; far above what building and rescaling round, far below any difference that matters.
ROUNDING = 1e-9


def require_refinement(prop: SmoothProperty | LinearProperty, cost: CostMatrix) -> None:
    """Raise RuleError unless the property's decisions are those of the cost matrix, to rounding.

    Of a smooth property: its decisions are the matrix's in order; V at every cut is a positive
    multiple of the boundary normal there (for `interior` of the normal that Δ_η sees); and E_p V
    changes its sign once, from - to +, for every p. Of a linear one: weights and offsets give the
    differences between costs.
    """
    if isinstance(prop, LinearProperty):
        _require_costs(prop, cost)
    else:
        _require_order(prop, cost)


def _require_costs(prop: LinearProperty, cost: CostMatrix) -> None:
    rows = list(prune(cost).kept)
    _require_decisions(prop, tuple(cost.decisions[r] for r in rows))
    gains = cost.costs[rows] - cost.costs[rows[0]]
    found = prop.weights @ prop.basis + prop.offsets[:, None]
    off = np.abs(found - found[0] - gains)
    if not (off <= ROUNDING * max(1e-300, np.abs(gains).max())).all():
        r, y = np.unravel_index(int(off.argmax()), off.shape)
        raise RuleError(
            f"weights and offsets must give the differences between costs; of decision {prop.decisions[r]!r} and "
            f"outcome {prop.outcomes[y]!r} they give {found[r, y] - found[0, y]:.6g} in place of {gains[r, y]:.6g}"
        )


def _require_order(prop: SmoothProperty, cost: CostMatrix) -> None:
    order = _ordering(prop, cost)
    _require_decisions(prop, order.decisions)
    _require_knots(prop)
    values, normals = prop.values, prop.normals
    if prop.interior:
        values, normals = (identification_inside(v, prop.interior) for v in (values, normals))
    off = np.abs(_scaled(normals) - _scaled(order.normals)).max(axis=1, initial=0.0)
    if not (off <= ROUNDING).all():
        i = int(off.argmax())
        raise RuleError(
            f"V at cut {i} must be a positive multiple of the boundary normal between {prop.decisions[i]!r} and "
            f"{prop.decisions[i + 1]!r} that the costs give; it is off by {off[i]:.3g} of its size"
        )
    excess = _excess(values[:-1], values[1:])
    if not (excess <= ROUNDING).all():
        j = int(excess.argmax())
        raise RuleError(
            f"the expected V must change its sign once, from - to +; between knots {j} and {j + 1} it can turn back"
        )


def _ordering(prop: SmoothProperty, cost: CostMatrix) -> Ordering:
    wanted = "the costs must have an order, as the property has one"
    if not prop.interior:
        order = cost.ordering()
        if order.kind is OrderKind.NONE:
            assert order.witness is not None
            raise RuleError(f"{wanted}; they are not orderable. {order.witness.message}")
        return order
    try:
        return inner_ordering(cost, checked_floor(prop.interior, len(cost.outcomes)))
    except (CostMatrixError, NotOrderableError) as error:
        raise RuleError(f"{wanted}: {error}") from None


def _require_decisions(prop: SmoothProperty | LinearProperty, wanted: tuple[object, ...]) -> None:
    if prop.decisions != wanted:
        raise RuleError(
            f"the property's decisions must be those that the costs give, {list(wanted[:12])}; "
            f"got {list(prop.decisions[:12])}"
        )


def _require_knots(prop: SmoothProperty) -> None:
    """Each cut is a knot, repeated exactly where the cut is; nothing else is repeated."""
    repeats = {t: int(c) for t, c in zip(*np.unique(prop.knots, return_counts=True), strict=True)}
    cuts = {s: int(c) for s, c in zip(*np.unique(prop.cuts, return_counts=True), strict=True)}
    for s, count in cuts.items():
        if repeats.get(s, 0) != count or count > 2:
            raise RuleError(f"every cut must be a knot, and repeated as it is; the cut {s:.17g} is not")
    for t, count in repeats.items():
        if count > 1 and t not in cuts:
            raise RuleError(f"knots must increase; {t:.17g} is repeated")


def _scaled(rows: Floats) -> Floats:
    """Rows divided by their largest entry in size."""
    size = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
    return np.asarray(rows / np.where(size > 0, size, 1.0))


def _excess(before: Floats, after: Floats) -> Floats:
    """Least max_y(a_y - λ·b_y)₊ over λ ≥ 0, relative to the rows: 0 where {a ≥ 0} ⊂ {b ≥ 0} on the simplex (Farkas)."""
    a, b = _scaled(before), _scaled(after)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = a / b
    low = np.where(b > 0, ratio, -np.inf).max(axis=1, initial=0.0)
    high = np.where(b < 0, ratio, np.inf).min(axis=1, initial=np.inf)
    ends = [low, np.where(np.isfinite(high), np.maximum(high, 0.0), low)]
    return np.asarray(np.minimum.reduce([(a - end[:, None] * b).max(axis=1, initial=0.0) for end in ends]))
