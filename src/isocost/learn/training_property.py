"""Which property a classifier is trained on."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from isocost.choose import property_for
from isocost.costs import CostMatrix
from isocost.exceptions import CostMatrixError
from isocost.interface import Property
from isocost.learn.construction import efficient
from isocost.learn.surrogate import checked_property
from isocost.linear_property import LinearProperty, linear
from isocost.ordering import OrderKind
from isocost.property import SmoothProperty
from isocost.smoothing import smooth

__all__ = ["Method", "deciding_property", "training_property"]

Name: TypeAlias = Literal["auto", "efficient", "smoothest", "embedding", "normals", "linear"]
Method: TypeAlias = Name | Property


def training_property(
    cost: CostMatrix,
    method: Method,
    positions: NDArray[np.intp],  # noqa: ARG001  # for choices by the data
    sample_weight: NDArray[np.float64] | None,  # noqa: ARG001
) -> SmoothProperty | LinearProperty:
    """The property whose loss is trained on: "auto" is the one that trains best.

    That is "efficient" for strongly orderable costs (:func:`isocost.learn.efficient`), and "linear" for
    all others.

    Parameters
    ----------
    cost : CostMatrix
    method : {"auto", "efficient", "smoothest", "embedding", "normals", "linear"} or property
    positions : ndarray of intp, shape (N,)
        Outcome positions of the training rows.
    sample_weight : ndarray, shape (N,), or None
    """
    if isinstance(method, str) and method == "auto":
        order = cost.ordering()
        return efficient(order) if order.kind is OrderKind.STRONG else linear(order)
    return _given(cost, method)


def deciding_property(cost: CostMatrix, method: Method) -> SmoothProperty | LinearProperty:
    """The property of given probabilities: "auto" is :func:`isocost.property_for`, which smooths most."""
    if isinstance(method, str) and method == "auto":
        return checked_property(property_for(cost))
    return _given(cost, method)


def _given(cost: CostMatrix, method: Method) -> SmoothProperty | LinearProperty:
    if isinstance(method, (SmoothProperty, LinearProperty)):
        if method.outcomes != cost.outcomes or not set(method.decisions) <= set(cost.decisions):
            raise CostMatrixError(
                "the property given as method must be one of the cost matrix; its decisions are "
                f"{list(method.decisions)[:12]} and its outcomes {list(method.outcomes)[:12]}, those of the cost "
                f"matrix {list(cost.decisions)[:12]} and {list(cost.outcomes)[:12]}"
            )
        return method
    if isinstance(method, str) and method == "linear":
        return linear(cost)
    if isinstance(method, str) and method == "efficient":
        return efficient(cost)
    for name in ("smoothest", "embedding", "normals"):
        if isinstance(method, str) and method == name:
            return smooth(cost, name)
    names = ", ".join(f'"{name}"' for name in get_args(Name))
    raise CostMatrixError(f"method must be {names} or a property; got {method!r}")
