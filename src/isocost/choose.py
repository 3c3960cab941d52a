"""Which property carries the decision of a cost matrix best, and why, in one sentence."""

from __future__ import annotations

from dataclasses import replace

from isocost.costs import CostMatrix
from isocost.exceptions import CostMatrixError
from isocost.interface import Property
from isocost.linear_property import linear
from isocost.ordering import Ordering, OrderKind
from isocost.smoothing import smooth
from isocost.witness import floor_to_try

__all__ = ["property_for"]


def property_for(cost: CostMatrix | Ordering) -> Property:
    """Property Γ that suits a cost matrix: smooth where it is strongly orderable, else linear.

    A scalar for touching boundaries is not chosen by itself: a trained score would never hit the
    single point that it leaves to a squeezed decision.

    Parameters
    ----------
    cost : CostMatrix or Ordering

    Returns
    -------
    SmoothProperty or LinearProperty
        Its `why` says what was chosen, why, and what else is possible.

    Examples
    --------
    >>> import isocost as ic
    >>> ic.property_for(ic.CostMatrix.ordinal(["low", "mid", "high"]))
    SmoothProperty (smoothest): 'low' | 0 | 'mid' | 1 | 'high'
    >>> print(ic.property_for(ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]])).why)
    The linear property with d = 2 numbers, as the decisions are not orderable, so that no continuous number carries
    them; no linear property has fewer.
    """
    if not isinstance(cost, (CostMatrix, Ordering)):
        raise CostMatrixError(f"property_for needs a CostMatrix; got {type(cost).__name__}. Write ic.CostMatrix(table)")
    order = cost if isinstance(cost, Ordering) else cost.ordering()
    if order.kind is OrderKind.STRONG:
        return replace(smooth(order), why=_why_smooth(order))
    found = linear(order)
    return replace(found, why=f"The linear property with d = {found.dimension} numbers, as {_why_linear(order)}.")


def _why_smooth(order: Ordering) -> str:
    if len(order.decisions) == 1:
        return f"A constant score, as {order.decisions[0]!r} is always best."
    return (
        "The smoothest score, as the decisions are strongly orderable, so that one Lipschitz number carries them; "
        'method="embedding", method="normals" and linear(cost) are possible too.'
    )


def _why_linear(order: Ordering) -> str:
    if order.kind is OrderKind.NONE:
        return (
            "the decisions are not orderable, so that no continuous number carries them; no linear property has fewer"
        )
    i = order.crowded[0] if order.crowded else order.touching[0]
    floor = floor_to_try(len(order.cost.outcomes))
    interior = f"smooth(cost, interior={floor}) gives one number where no probability is below {floor}"
    if order.crowded:
        one, two = order.decisions[i + 1 : i + 3]
        return (
            f"boundaries touch on both sides of the neighbours {one!r} and {two!r}, so that no Lipschitz number "
            f"carries the decisions; {interior}"
        )
    return (
        f"boundaries touch on both sides of {order.decisions[i + 1]!r}, so that one Lipschitz number would leave it a "
        f'single point, which a trained score never hits; smooth(cost, method="touching") gives that number, and '
        f"{interior}"
    )
