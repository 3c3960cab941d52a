"""The parts of a decision rule, checked one by one and against each other."""

from __future__ import annotations

import copy
import datetime
from typing import TypeAlias

from isocost.costs import CostMatrix
from isocost.exceptions import RuleError
from isocost.linear_property import LinearProperty
from isocost.property import SmoothProperty
from isocost.recalibrate import AffineRecalibrator, IsotonicRecalibrator, Multicalibrator, SwapRecalibrator

__all__ = [
    "Recalibration",
    "checked_cost",
    "checked_date",
    "checked_property",
    "checked_recalibration",
    "checked_swap",
]

Recalibration: TypeAlias = IsotonicRecalibrator | AffineRecalibrator


def checked_property(prop: object) -> SmoothProperty | LinearProperty:
    """The property itself, if it is one."""
    if not isinstance(prop, (SmoothProperty, LinearProperty)):
        raise RuleError(
            f"a rule needs a property; got {type(prop).__name__}. Write ic.smooth(cost) or ic.property_for(cost)"
        )
    return prop


def checked_cost(prop: SmoothProperty | LinearProperty, cost: object, swap: object) -> CostMatrix:
    if cost is None:
        cost = prop.cost if prop.cost is not None else getattr(swap, "cost", None)
    if not isinstance(cost, CostMatrix):
        raise RuleError(
            f"a rule needs the cost matrix of its property, a CostMatrix; got {type(cost).__name__}. Pass cost=cost"
        )
    if prop.outcomes != cost.outcomes:
        raise RuleError(
            f"the property and the cost matrix must have the same outcomes in the same order; got "
            f"{list(prop.outcomes[:12])} and {list(cost.outcomes[:12])}"
        )
    unknown = [label for label in prop.decisions if label not in cost.decisions]
    if unknown:
        raise RuleError(
            f"every decision of the property must be one of the cost matrix, {list(cost.decisions[:12])}; got "
            f"{unknown[0]!r}"
        )
    return cost


def checked_recalibration(prop: SmoothProperty | LinearProperty, given: object) -> Recalibration | None:
    if given is None:
        return None
    if isinstance(given, Multicalibrator):
        raise RuleError(
            "a rule sees one row's prediction and not its groups, which a Multicalibrator needs: let it predict "
            "first, and give its scores to a rule without recalibration: rule.decide(score=multi.predict(P, groups))"
        )
    if isinstance(given, SwapRecalibrator):
        raise RuleError("a SwapRecalibrator replaces decisions; pass it as swap=")
    if not isinstance(given, (IsotonicRecalibrator, AffineRecalibrator)):
        raise RuleError(
            "recalibration must be a fitted IsotonicRecalibrator or AffineRecalibrator; got " + type(given).__name__
        )
    if not given.__sklearn_is_fitted__():
        raise RuleError(f"recalibration must be fitted; call {type(given).__name__}.fit first")
    if given.prop != prop:
        raise RuleError(
            "recalibration must be of the rule's own property, as scores of another are in other units; got "
            f"{given.prop!r} for {prop!r}"
        )
    return copy.deepcopy(given, {id(given.prop): prop})  # fitting it again must not change the rule


def checked_swap(cost: CostMatrix, given: object) -> SwapRecalibrator | None:
    if given is None:
        return None
    if not isinstance(given, SwapRecalibrator):
        raise RuleError(f"swap must be a fitted SwapRecalibrator; got {type(given).__name__}")
    if not given.__sklearn_is_fitted__():
        raise RuleError("swap must be fitted; call SwapRecalibrator.fit first")
    if given.cost != cost:
        raise RuleError("swap must be of the rule's own cost matrix; it was fitted with another one")
    return copy.deepcopy(given, {id(given.cost): cost})


def checked_date(date: object) -> datetime.date:
    if date is None:
        return datetime.date.today()
    if not isinstance(date, datetime.date):
        raise RuleError(f"date must be a datetime.date; got {date!r}")
    return datetime.date(date.year, date.month, date.day)
