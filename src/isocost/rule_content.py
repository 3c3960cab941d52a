"""What a rule file says, checked line by line and made into objects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from isocost.costs import CostMatrix
from isocost.exceptions import CostMatrixError, RuleError
from isocost.labels import Label
from isocost.linear_property import LinearProperty
from isocost.property import SmoothProperty
from isocost.recalibrate import AffineRecalibrator, IsotonicRecalibrator, SwapRecalibrator

__all__ = ["FORMAT", "SCHEMA_VERSION", "arguments_of"]

Floats = NDArray[np.float64]

FORMAT = "isocost decision rule"
SCHEMA_VERSION = 1
METHODS = ("smoothest", "embedding", "normals", "touching")


def arguments_of(content: dict[str, Any]) -> dict[str, Any]:
    """Arguments of :class:`isocost.DecisionRule` from the content of a file of this schema version."""
    _fields(
        content,
        "the file",
        ("format", "schema_version", "provenance", "cost", "property", "recalibration", "swap", "sha256"),
    )
    _text(content["sha256"], "sha256")
    cost = _cost(content["cost"])
    prop = _property(content["property"], cost)
    recalibration = None if content["recalibration"] is None else _recalibration(content["recalibration"], prop)
    swap = None if content["swap"] is None else _swap(content["swap"], cost)
    made = _fields(content["provenance"], "provenance", ("isocost", "date", "fit_size"))
    fits = [fitted.rows_ for fitted in (recalibration, swap) if fitted is not None]
    if made["fit_size"] != max(fits, default=None):
        _refuse("provenance.fit_size", f"the rows of the larger fit, {max(fits, default=None)}", made["fit_size"])
    return {
        "prop": prop,
        "recalibration": recalibration,
        "swap": swap,
        "cost": cost,
        "date": _date(made["date"]),
        "version": _text(made["isocost"], "provenance.isocost"),
    }


def _cost(given: Any) -> CostMatrix:
    part = _fields(given, "cost", ("decisions", "outcomes", "costs"))
    decisions = _labels(part["decisions"], "cost.decisions")
    outcomes = _labels(part["outcomes"], "cost.outcomes")
    table = _list(part["costs"], "cost.costs", len(decisions))
    for i, row in enumerate(table):
        for j, cell in enumerate(_list(row, f"cost.costs[{i}]", len(outcomes))):
            if type(cell) not in (int, float, str):
                _refuse(f"cost.costs[{i}][{j}]", 'a number or a text such as "1/3"', cell)
    try:
        return CostMatrix(table, decisions, outcomes)
    except CostMatrixError as error:
        raise RuleError(f"cost: {error}") from None


def _property(given: Any, cost: CostMatrix) -> SmoothProperty | LinearProperty:
    kind = given.get("kind") if isinstance(given, dict) else None
    if kind not in ("smooth", "linear"):
        _refuse("property.kind", '"smooth" or "linear"', kind)
    try:
        return _smooth(given, cost) if kind == "smooth" else _linear(given, cost)
    except CostMatrixError as error:
        raise RuleError(f"property: {error}") from None


def _smooth(given: Any, cost: CostMatrix) -> SmoothProperty:
    n = len(cost.outcomes)
    names = ("kind", "method", "interior", "why", "decisions", "knots", "values", "cuts")
    part = _fields(given, "property", names)
    decisions = _decisions(part["decisions"], cost)
    knots = _numbers(part["knots"], "property.knots", (None,))
    if part["method"] not in METHODS:
        _refuse("property.method", f"one of {', '.join(METHODS)}", part["method"])
    return SmoothProperty(
        knots,
        _numbers(part["values"], "property.values", (len(knots), n)),
        _numbers(part["cuts"], "property.cuts", (len(decisions) - 1,)),
        decisions,
        cost.outcomes,
        part["method"],
        _number(part["interior"], "property.interior", 0.0, 1 / n),
        _text(part["why"], "property.why"),
        cost,
    )


def _linear(given: Any, cost: CostMatrix) -> LinearProperty:
    part = _fields(given, "property", ("kind", "why", "decisions", "basis", "weights", "offsets"))
    decisions = _decisions(part["decisions"], cost)
    basis = _numbers(part["basis"], "property.basis", (None, len(cost.outcomes)))
    return LinearProperty(
        basis,
        _numbers(part["weights"], "property.weights", (len(decisions), len(basis))),
        _numbers(part["offsets"], "property.offsets", (len(decisions),)),
        decisions,
        cost.outcomes,
        _text(part["why"], "property.why"),
        cost,
    )


def _recalibration(given: Any, prop: SmoothProperty | LinearProperty) -> IsotonicRecalibrator | AffineRecalibrator:
    kind = given.get("kind") if isinstance(given, dict) else None
    if kind not in ("isotonic", "affine"):
        _refuse("recalibration.kind", '"isotonic" or "affine"', kind)
    try:
        return _isotonic(given, prop) if kind == "isotonic" else _affine(given, prop)
    except CostMatrixError as error:
        raise RuleError(f"recalibration: {error}") from None


def _isotonic(given: Any, prop: SmoothProperty | LinearProperty) -> IsotonicRecalibrator:
    here = "recalibration"
    names = ("kind", "rows", "fingerprint", "interpolate", "keep", "keep_share", "seed")
    part = _fields(given, here, (*names, "lowest", "highest", "thresholds", "values", "label_weights"))
    if type(part["interpolate"]) is not bool:
        _refuse(f"{here}.interpolate", "true or false", part["interpolate"])
    keep = part["keep"] if part["keep"] == "auto" else _number(part["keep"], f"{here}.keep", 0.0, 1.0)
    fitted = IsotonicRecalibrator(prop, part["interpolate"], keep, _count(part["seed"], f"{here}.seed"))
    fitted.keep_ = _number(part["keep_share"], f"{here}.keep_share", 0.0, 1.0)
    fitted.values_ = _numbers(part["values"], f"{here}.values", (None,))
    m = len(fitted.values_)
    if m == 0:
        _refuse(f"{here}.values", "at least one block", [])
    fitted.lowest_ = _numbers(part["lowest"], f"{here}.lowest", (m,))
    fitted.highest_ = _numbers(part["highest"], f"{here}.highest", (m,))
    fitted.thresholds_ = _numbers(part["thresholds"], f"{here}.thresholds", (m - 1,))
    fitted.label_weights_ = _numbers(part["label_weights"], f"{here}.label_weights", (m, len(prop.outcomes)))
    steps = np.diff(fitted.values_) > 0
    apart = (fitted.highest_[:-1] <= fitted.thresholds_) & (fitted.thresholds_ < fitted.lowest_[1:])
    if not (steps & apart).all() or not (fitted.lowest_ <= fitted.highest_).all():
        at = int((~(steps & apart)).argmax()) if not (steps & apart).all() else 0
        raise RuleError(f"{here}: blocks must increase, in their scores and in their values; block {at} does not")
    _fitted(fitted, part, here)
    return fitted


def _affine(given: Any, prop: SmoothProperty | LinearProperty) -> AffineRecalibrator:
    here = "recalibration"
    part = _fields(given, here, ("kind", "rows", "fingerprint", "prior", "matrix", "offset"))
    if not isinstance(prop, LinearProperty):
        _refuse(f"{here}.kind", '"isotonic" for a smooth property', "affine")
    fitted = AffineRecalibrator(prop, _number(part["prior"], f"{here}.prior", 0.0, math.inf))
    d = prop.dimension
    fitted.matrix_ = _numbers(part["matrix"], f"{here}.matrix", (d, d))
    fitted.offset_ = _numbers(part["offset"], f"{here}.offset", (d,))
    _fitted(fitted, part, here)
    return fitted


def _swap(given: Any, cost: CostMatrix) -> SwapRecalibrator:
    names = ("rows", "fingerprint", "replacements", "label_weights", "regret_removed")
    part = _fields(given, "swap", names)
    replacements = _list(part["replacements"], "swap.replacements", len(cost.decisions))
    fitted = SwapRecalibrator(cost)
    fitted.positions_ = np.array(
        [_position(label, cost, f"swap.replacements[{i}]") for i, label in enumerate(replacements)], dtype=np.intp
    )
    fitted.map_ = {label: cost.decisions[r] for label, r in zip(cost.decisions, fitted.positions_, strict=True)}
    fitted.weights_ = _numbers(part["label_weights"], "swap.label_weights", cost.costs.shape)
    fitted.regret_removed_ = _number(part["regret_removed"], "swap.regret_removed", -math.inf, math.inf)
    _fitted(fitted, part, "swap")
    return fitted


def _fitted(fitted: IsotonicRecalibrator | AffineRecalibrator | SwapRecalibrator, part: Any, here: str) -> None:
    fitted.rows_ = _count(part["rows"], f"{here}.rows")
    fitted.fingerprint_ = _text(part["fingerprint"], f"{here}.fingerprint")


# -- single entries -------------------------------------------------------------------------------


def _refuse(where: str, wanted: str, got: object) -> NoReturn:
    shown = repr(got)
    raise RuleError(f"{where} must be {wanted}; got {shown if len(shown) < 80 else shown[:79] + '…'}")


def _fields(given: Any, where: str, names: Sequence[str]) -> dict[str, Any]:
    if not isinstance(given, dict):
        _refuse(where, f"an object with {', '.join(names)}", given)
    for name in names:
        if name not in given:
            raise RuleError(f"{where} must have {', '.join(names)}; {name!r} is missing")
    for name in given:
        if name not in names:
            raise RuleError(f"{where} must have {', '.join(names)} only; got also {name!r}")
    return given


def _list(given: Any, where: str, length: int | None = None) -> list[Any]:
    if not isinstance(given, list) or (length is not None and len(given) != length):
        wanted = "a list" if length is None else f"a list of {length}"
        _refuse(where, wanted, given if not isinstance(given, list) else f"{len(given)} entries")
    return given


def _text(given: Any, where: str) -> str:
    if not isinstance(given, str):
        _refuse(where, "text", given)
    return given


def _count(given: Any, where: str) -> int:
    if type(given) is not int or given < 0:
        _refuse(where, "a whole number, at least 0", given)
    return given


def _number(given: Any, where: str, low: float, high: float) -> float:
    if type(given) not in (int, float) or not low <= float(given) <= high or not math.isfinite(given):
        _refuse(where, f"a finite number from {low:.6g} to {high:.6g}", given)
    return float(given)


def _numbers(given: Any, where: str, shape: tuple[int | None, ...]) -> Floats:
    """A table of finite numbers of this shape; None stands for any length."""
    entries = _list(given, where, shape[0])
    if len(shape) == 1:
        return np.array([_finite(x, f"{where}[{i}]") for i, x in enumerate(entries)], dtype=np.float64)
    rows = [_numbers(row, f"{where}[{i}]", shape[1:]) for i, row in enumerate(entries)]
    return np.array(rows, dtype=np.float64).reshape(len(rows), *(length or 0 for length in shape[1:]))


def _finite(given: Any, where: str) -> float:
    try:
        number = float(given) if type(given) in (int, float) else math.nan
    except OverflowError:
        number = math.nan
    if not math.isfinite(number):
        _refuse(where, "a finite number", given)
    return number


def _labels(given: Any, where: str) -> list[Label]:
    for i, label in enumerate(_list(given, where)):
        if type(label) not in (str, int, float, bool):
            _refuse(f"{where}[{i}]", "text, a number or a bool", label)
    return list(given)


def _decisions(given: Any, cost: CostMatrix) -> tuple[Label, ...]:
    labels = _list(given, "property.decisions")
    if not labels:
        _refuse("property.decisions", "at least one decision", labels)
    return tuple(cost.decisions[_position(label, cost, f"property.decisions[{i}]")] for i, label in enumerate(labels))


def _position(label: Any, cost: CostMatrix, where: str) -> int:
    """Row of a decision; 1, 1.0 and true are three labels."""
    found = [i for i, own in enumerate(cost.decisions) if type(own) is type(label) and own == label]
    if not found:
        _refuse(where, "a decision of the cost matrix", label)
    return found[0]


def _date(given: Any) -> date:
    try:
        return date.fromisoformat(_text(given, "provenance.date"))
    except ValueError:
        _refuse("provenance.date", "a date such as 2026-11-19", given)
