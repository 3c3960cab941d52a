"""Constructions of a Lipschitz property from an ordered cost matrix, one a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from isocost.costs import CostMatrix
from isocost.exceptions import CostMatrixError
from isocost.ordering import Ordering, checked_norm
from isocost.property import SmoothProperty
from isocost.smoothing.embedding import embedding
from isocost.smoothing.normals import normals
from isocost.smoothing.smoothest import checked_slack, smoothest

__all__ = ["Method", "smooth"]

Method = Literal["smoothest", "embedding", "normals"]


def smooth(
    cost: CostMatrix | Ordering,
    method: Method = "smoothest",
    *,
    norm: float = 1,
    slack: float | None = None,
    ratios: Sequence[float] | None = None,
) -> SmoothProperty:
    """Lipschitz property Γ : Δ → ℝ that refines the decision γ, with its loss, link and cuts.

    Parameters
    ----------
    cost : CostMatrix or Ordering
        Strongly orderable.
    method : {"smoothest", "embedding", "normals"}
        "smoothest" has K ≤ (1 + slack) times the limit of any such property and a convex loss;
        "embedding" and "normals" are the paper's Algorithms 1 and 2, corrected.
    norm : {1, 2, math.inf}
        Norm on distributions; for "smoothest" only.
    slack : float, default 0.05
        For "smoothest" only.
    ratios : sequence of k-2 numbers, optional
        c_{i+1}/c_i for "embedding" only; by default the geometric mean of ``ordering.ratios``.

    Returns
    -------
    SmoothProperty
        With two decisions the unit of the score is free: the cut is 0 and max |Γ| is 1. With one,
        Γ ≡ 0.

    Raises
    ------
    NotOrderableError
        Where the cost matrix is not strongly orderable; says why, exactly.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]], decisions=["wait", "test", "treat"])
    >>> prop = ic.smooth(cost)
    >>> round(prop.smoothness(norm=1), 3), prop.is_convex
    (1.05, True)
    """
    if not isinstance(cost, (CostMatrix, Ordering)):
        raise CostMatrixError(f"smooth needs a CostMatrix; got {type(cost).__name__}. Write ic.CostMatrix(table)")
    if method not in ("smoothest", "embedding", "normals"):
        raise CostMatrixError(f'method must be "smoothest", "embedding" or "normals"; got {method!r}')
    for name, value, owner in (("ratios", ratios, "embedding"), ("slack", slack, "smoothest")):
        if value is not None and method != owner:
            raise CostMatrixError(f'{name} belongs to method="{owner}"; got it with method="{method}"')
    checked_norm(norm)
    if method != "smoothest" and norm != 1:
        raise CostMatrixError(f'norm belongs to method="smoothest"; got it with method="{method}"')
    slack = checked_slack(0.05 if slack is None else slack)
    order = cost if isinstance(cost, Ordering) else cost.ordering()
    order.require_strong(method)
    if ratios is not None and len(order.decisions) < 3:
        raise CostMatrixError(
            f"ratios must have one number for each decision between the first and the last; there is none among "
            f"{len(order.decisions)}"
        )
    if len(order.decisions) == 1:
        nothing = np.zeros((1, len(order.cost.outcomes)))
        return SmoothProperty(np.zeros(1), nothing, np.zeros(0), order.decisions, order.cost.outcomes, method)
    if method == "smoothest":
        prop = smoothest(order, norm, slack)
    else:
        prop = embedding(order, ratios) if method == "embedding" else normals(order)
    return prop.in_own_units() if len(order.decisions) == 2 else prop
