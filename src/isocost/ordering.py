"""Ordering: do the decisions of a cost matrix line up, and how far apart are their boundaries?"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from isocost.boundaries import Boundaries, Touch, boundaries_of
from isocost.costs import CostMatrix
from isocost.exceptions import CostMatrixError, NotOrderableError
from isocost.labels import Label, Labels
from isocost.pruning import Pruning, argbest, prune
from isocost.witness import Witness, crossing_witness, touching_witness

__all__ = ["OrderKind", "Ordering", "checked_norm", "order_decisions"]


class OrderKind(Enum):
    """How the cells of the decisions lie in the simplex."""

    STRONG = "strongly orderable"
    ORDERABLE = "orderable"
    NONE = "not orderable"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, eq=False, repr=False)
class Ordering:
    """The exact order of the decisions of a cost matrix; made by ``cost.ordering()``.

    Attributes
    ----------
    cost : CostMatrix
    kind : OrderKind
        STRONG: boundaries never touch; ORDERABLE: they line up but touch; NONE.
    decisions : tuple of labels
        In order, of the two ends the one with the smaller row first; in table order for NONE.
    dropped : dict of label to text
        Decisions that are never the strict optimum, with the reason.
    normals : ndarray, shape (k-1, n)
        w_i = ℓ(r_{i+1}) - ℓ(r_i); ⟨w_i, p⟩ > 0 on the side of r_1 … r_i. No rows for NONE.
    ratios : ndarray, shape (k-2, 2)
        Admissible [lo_i, hi_i] of c_{i+1}/c_i with c_{i+1}·w_{i+1} ≥ c_i·w_i. No rows for NONE.
    witness : Witness or None
        Exact proof that the kind is not better; None for STRONG.
    touches : tuple of Touch
        Where boundaries i and i+1 (from 0) meet: on the edge between two outcomes.
    pruning : Pruning
        Row positions of the decisions kept, each with a point where it is strictly best.

    Examples
    --------
    >>> import isocost as ic
    >>> order = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]], decisions=["wait", "test", "treat"]).ordering()
    >>> str(order.kind), order.decisions
    ('strongly orderable', ('wait', 'test', 'treat'))
    >>> order.normals.tolist(), order.distances(norm=1).round(3).tolist()
    ([[1.0, -3.0, -2.0], [2.0, 1.0, -3.0]], [0.133])
    >>> print(ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]]).ordering().witness.message)
    Decisions 0 and 1 are neighbours, yet where both cost 1, at the distribution (0, 0, 1), decision 2 costs 0: a
    third decision cuts their boundary.
    """

    cost: CostMatrix
    kind: OrderKind
    decisions: Labels
    dropped: dict[Label, str]
    normals: NDArray[np.float64]
    ratios: NDArray[np.float64]
    witness: Witness | None
    touches: tuple[Touch, ...]
    pruning: Pruning

    @property
    def rows(self) -> tuple[int, ...]:
        """Row positions of `decisions` in the cost matrix."""
        where = {label: i for i, label in enumerate(self.cost.decisions)}
        return tuple(where[label] for label in self.decisions)

    @cached_property
    def touching(self) -> tuple[int, ...]:
        """The i (from 0) whose boundaries i and i+1 meet, so that decision i+1 is squeezed between them."""
        return tuple(sorted({touch.i for touch in self.touches}))

    @property
    def crowded(self) -> tuple[int, ...]:
        """The i for which decisions i+1 and i+2 are both squeezed; if there are any, no Lipschitz Γ refines γ."""
        return tuple(sorted(set(self.touching) & {i - 1 for i in self.touching}))

    def touch_witness(self, i: int) -> Witness:
        """The exact point where boundaries i and i+1 meet."""
        touch = next(touch for touch in self.touches if touch.i == i)
        return touching_witness(self.cost, list(self.rows), touch, scalar=not self.crowded)

    def distances(self, norm: float = 1) -> NDArray[np.float64]:
        """Distance between consecutive boundaries, dist_q(B_i, B_{i+1}), shape (k-2,).

        Parameters
        ----------
        norm : {1, 2, math.inf}
            The norm of ℝⁿ in which distributions are compared.
        """
        from isocost.distances import separations

        checked_norm(norm)
        if self.kind is OrderKind.NONE:
            raise NotOrderableError(f"There are no ordered boundaries to measure. {self._witness_text()}", self)
        result = np.zeros(len(self.ratios))
        apart = sorted(set(range(len(result))) - set(self.touching))
        for i, found in zip(apart, separations(self.normals, norm, apart), strict=True):
            result[i] = found.distance
        return result

    @cached_property
    def margin(self) -> float:
        """Size of change of one cost that may change the kind, relative to the largest cost spread.

        No change of a single cost by less than margin · max_y (max_r ℓ(r,y) - min_r ℓ(r,y)) changes
        the kind. For a strongly orderable matrix without dropped decisions some change by just
        more does. 0 where boundaries touch; ``inf`` where no change of one cost can.
        """
        from isocost.margin import kind_margin

        return kind_margin(self)

    def require_strong(self, method: str) -> None:
        """Raise NotOrderableError, with the way out, unless the kind is STRONG."""
        if self.kind is not OrderKind.STRONG:
            self.refuse(method, "a strongly orderable")

    def refuse(self, method: str, needed: str) -> NoReturn:
        """Raise NotOrderableError for a method that needs another kind of cost matrix."""
        raise NotOrderableError(
            f'method="{method}" needs {needed} cost matrix; this one is {self.kind}. {self._witness_text()}', self
        )

    def _witness_text(self) -> str:
        assert self.witness is not None
        return f"{self.witness.message} {self.witness.advice}"

    def __repr__(self) -> str:
        shown = ", ".join(repr(label) for label in self.decisions[:12]) + (", …" if len(self.decisions) > 12 else "")
        lines = [f"Ordering: {self.kind}", f"decisions: {shown}"]
        lines += [f"dropped {label!r}: {reason}" for label, reason in self.dropped.items()]
        if self.witness is not None:
            lines.append(self.witness.message)
        return "\n".join(lines)


def order_decisions(cost: CostMatrix) -> Ordering:
    """Prune, order and test the decisions of a cost matrix, exactly."""
    pruning = prune(cost)
    rows = _candidate_order(cost, list(pruning.kept))
    boundaries = boundaries_of(cost, rows) if rows is not None else None
    if rows is None or boundaries is None or boundaries.failed is not None:
        suspects = (
            [] if rows is None or boundaries is None or boundaries.failed is None else rows[boundaries.failed :][:3]
        )
        return _made(cost, OrderKind.NONE, pruning, list(pruning.kept), None, crossing_witness(cost, pruning, suspects))
    if boundaries.touches:
        order = _made(cost, OrderKind.ORDERABLE, pruning, rows, boundaries, None)
        return replace(order, witness=order.touch_witness(order.touching[0]))
    return _made(cost, OrderKind.STRONG, pruning, rows, boundaries, None)


def checked_norm(norm: float) -> float:
    """The norm, if it is 1, 2 or infinity."""
    if not isinstance(norm, (int, float, np.integer, np.floating)) or norm not in (1, 2, math.inf):
        raise CostMatrixError(f"norm must be 1, 2 or math.inf; got {norm!r}")
    return norm


def _made(
    cost: CostMatrix,
    kind: OrderKind,
    pruning: Pruning,
    rows: list[int],
    boundaries: Boundaries | None,
    witness: Witness | None,
) -> Ordering:
    n = len(cost.outcomes)
    normals = np.zeros((0, n)) if boundaries is None else boundaries.normals
    ratios = np.zeros((0, 2)) if boundaries is None else boundaries.ratios
    normals.setflags(write=False)
    ratios.setflags(write=False)
    touches = () if boundaries is None else boundaries.touches
    labels = tuple(cost.decisions[r] for r in rows)
    return Ordering(cost, kind, labels, pruning.dropped, normals, ratios, witness, touches, pruning)


def _candidate_order(cost: CostMatrix, kept: list[int]) -> list[int] | None:
    """The only order that can pass, or None where there is none.

    In an orderable matrix the costs at a vertex fall and then rise along the order, so the dearest
    decisions of all vertices are the two ends; and at a vertex that lies strictly inside the first
    cell the costs rise strictly along the whole order.
    """
    if len(kept) == 1:
        return kept
    ends: dict[int, None] = {}
    for y in range(len(cost.outcomes)):
        dearest = argbest(cost, kept, y, sign=-1)
        if len(dearest) < len(kept):
            ends.update(dict.fromkeys(dearest))
        if len(ends) > 2:
            return None
    first, last = min(ends), max(ends)
    if first == last:
        return None
    start = next((y for y in range(len(cost.outcomes)) if argbest(cost, kept, y) == [first]), None)
    if start is None:
        return None
    order = sorted(kept, key=lambda r: cost.costs[r, start])
    if not cost.floats_are_exact:
        order.sort(key=lambda r: (cost.costs[r, start], cost.exact_at(r, start)))
    return order if order[-1] == last else None
