"""Constructions of a Lipschitz property from an ordered cost matrix, one a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from isocost.costs import CostMatrix
from isocost.exceptions import CostMatrixError
from isocost.ordering import Ordering, checked_norm
from isocost.property import SmoothProperty
from isocost.smoothing.embedding import embedding
from isocost.smoothing.inside import checked_floor, in_units_of_p, inner_ordering, on_labels
from isocost.smoothing.normals import normals
from isocost.smoothing.smoothest import checked_slack, smoothest
from isocost.smoothing.touching import touching

__all__ = ["Method", "smooth"]

Method = Literal["smoothest", "embedding", "normals", "touching"]
METHODS = ("smoothest", "embedding", "normals", "touching")
LAID_OUT = ("smoothest", "touching")  # these choose a norm and a slack


def smooth(
    cost: CostMatrix | Ordering,
    method: Method = "smoothest",
    *,
    norm: float = 1,
    slack: float | None = None,
    ratios: Sequence[float] | None = None,
    interior: Any = None,
) -> SmoothProperty:
    """Lipschitz property Γ : Δ → ℝ that refines the decision γ, with its loss, link and cuts.

    Parameters
    ----------
    cost : CostMatrix or Ordering
        Strongly orderable; for "touching" orderable, no two neighbours squeezed.
    method : {"smoothest", "embedding", "normals", "touching"}
        "smoothest" has K ≤ (1 + slack) times the limit of any such property and a convex loss;
        "embedding" and "normals" are the paper's Algorithms 1 and 2, corrected; "touching" is the
        smoothest where boundaries touch: a decision between two such boundaries has a single score.
    norm : {1, 2, math.inf}
        Norm on distributions; for "smoothest" and "touching" only.
    slack : float, default 0.05
        For "smoothest" and "touching" only.
    ratios : sequence of k-2 numbers, optional
        c_{i+1}/c_i for "embedding" only; by default the geometric mean of ``ordering.ratios``.
    interior : number, optional
        η with 0 < η < 1/n: refine the decision on {p : p_y ≥ η} only, where boundaries that touch
        are apart. Elsewhere Γ is constant on every ray from the uniform distribution. The loss is
        convex in expectation over such p, not for each outcome.

    Returns
    -------
    SmoothProperty
        With two decisions the unit of the score is free: the cut is 0 and max |Γ| is 1. With one,
        Γ ≡ 0. Where boundaries touch and none are apart, the range has length 1.

    Raises
    ------
    NotOrderableError
        Where the method does not apply to the cost matrix; says why, exactly.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]], decisions=["wait", "test", "treat"])
    >>> prop = ic.smooth(cost)
    >>> round(prop.smoothness(norm=1), 3), prop.is_convex
    (1.05, True)
    >>> median = ic.smooth(ic.CostMatrix.ordinal(["low", "mid", "high"], power=1), method="touching")
    >>> median.value([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3]]).round(9).tolist()
    [-0.1, 0.0]
    """
    if not isinstance(cost, (CostMatrix, Ordering)):
        raise CostMatrixError(f"smooth needs a CostMatrix; got {type(cost).__name__}. Write ic.CostMatrix(table)")
    if method not in METHODS:
        raise CostMatrixError(f'method must be "smoothest", "embedding", "normals" or "touching"; got {method!r}')
    if ratios is not None and method != "embedding":
        raise CostMatrixError(f'ratios belongs to method="embedding"; got it with method="{method}"')
    checked_norm(norm)
    for name, given in (("slack", slack is not None), ("norm", norm != 1)):
        if given and method not in LAID_OUT:
            raise CostMatrixError(
                f'{name} belongs to method="smoothest" and method="touching"; got it with method="{method}"'
            )
    slack = checked_slack(0.05 if slack is None else slack)
    given_costs = cost.cost if isinstance(cost, Ordering) else cost
    if interior is None:
        prop = _built(cost if isinstance(cost, Ordering) else cost.ordering(), method, norm, slack, ratios)
    else:
        floor = checked_floor(interior, len(given_costs.outcomes))
        prop = on_labels(_built(inner_ordering(given_costs, floor), method, norm, slack, ratios), floor)
        if method in LAID_OUT and len(prop.cuts) > 1:
            prop = in_units_of_p(prop)
    return replace(prop, cost=given_costs)


def _built(
    order: Ordering, method: Method, norm: float, slack: float, ratios: Sequence[float] | None
) -> SmoothProperty:
    if method != "touching":
        order.require_strong(method)
    if ratios is not None and len(order.decisions) < 3:
        raise CostMatrixError(
            f"ratios must have one number for each decision between the first and the last; there is none among "
            f"{len(order.decisions)}"
        )
    if len(order.decisions) == 1:
        nothing = np.zeros((1, len(order.cost.outcomes)))
        return SmoothProperty(np.zeros(1), nothing, np.zeros(0), order.decisions, order.cost.outcomes, method)
    if method == "embedding":
        prop = embedding(order, ratios)
    elif method == "normals":
        prop = normals(order)
    else:
        prop = (smoothest if method == "smoothest" else touching)(order, norm, slack)
    return prop.in_own_units() if len(order.decisions) == 2 else prop
