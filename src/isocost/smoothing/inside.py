"""Smooth properties of predictions that are bounded away from 0: the interior simplex."""

from __future__ import annotations

import numbers
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from isocost.costs import CostMatrix
from isocost.exact import exact_number, number_text
from isocost.exceptions import CostMatrixError, NotOrderableError
from isocost.interior import identification_on_labels
from isocost.ordering import Ordering, OrderKind
from isocost.property import SmoothProperty

# Of a smaller Δ_η, with sides of length 1 - nη, doubles do not say where in it a point lies.
LEAST_SIDE = Fraction(1, 10**9)

__all__ = ["checked_floor", "in_units_of_p", "inner_ordering", "on_labels"]


def checked_floor(floor: Any, outcomes: int) -> Fraction:
    """The floor η, exactly, if 0 < η < 1/n."""
    try:
        exact = exact_number(floor)
    except ValueError:
        exact = Fraction(0)
    if not 0 < exact * outcomes <= 1 - LEAST_SIDE or not isinstance(floor, (numbers.Real, Decimal, str, np.generic)):
        raise CostMatrixError(
            f"interior must be the least probability of an outcome, above 0 and below 1/{outcomes} for {outcomes} "
            f"outcomes; got {floor!r}"
        )
    return exact


def inner_ordering(cost: CostMatrix, floor: Fraction) -> Ordering:
    """Ordering of the costs of q, where p = η·1 + (1 - nη)·q: ℓ′ = (1 - nη)·ℓ + η·Σ_y ℓ(·, y), exactly.

    Decisions that are never the strict optimum on Δ_η are dropped.
    """
    n = len(cost.outcomes)
    exact = cost.exact
    shifted = (1 - n * floor) * exact + floor * exact.sum(axis=1, keepdims=True)
    order = CostMatrix(shifted, cost.decisions, cost.outcomes).ordering()
    if order.kind is OrderKind.STRONG:
        return order
    witness = order.witness
    assert witness is not None  # a decision is never squeezed inside: only NONE is left
    at = tuple(floor + (1 - n * floor) * q for q in witness.distribution)
    names = ", ".join(repr(label) for label in witness.decisions)
    where = ", ".join(str(p) for p in at) if n <= 6 else ", ".join(f"{float(p):.4g}" for p in at)
    raise NotOrderableError(
        f"interior={number_text(floor)} does not help: where every outcome keeps that probability the decisions are "
        f"still {order.kind}, as {names} show around the distribution ({where}). {witness.advice}",
        order,
    )


def on_labels(prop: SmoothProperty, floor: Fraction) -> SmoothProperty:
    """The property of p from that of q."""
    eta = float(floor)
    return replace(prop, values=identification_on_labels(prop.values, eta), interior=eta)


def in_units_of_p(prop: SmoothProperty) -> SmoothProperty:
    """A score that measures distances between the q, measuring those between the p: 1 - nη times as long."""
    return prop.moved(1 - len(prop.outcomes) * prop.interior, 0.0, 0.0)
