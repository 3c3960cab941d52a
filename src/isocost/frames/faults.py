"""Rows that cannot be read: counted in the same pass that adds up the others, told with an example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from isocost.exceptions import PredictionError
from isocost.probabilities import SUM_TOLERANCE

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

__all__ = [
    "LARGEST",
    "Fault",
    "fine",
    "first_fault",
    "label_faults",
    "number_fault",
    "probability_faults",
    "raise_faults",
]

LARGEST = float(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Fault:
    """One way in which a row cannot be read.

    Attributes
    ----------
    here : narwhals expression
        Whether a row has it, given that it has none of those before.
    says : str
        What rows with it have, after their number.
    columns : tuple of str
        Whose values are shown of an example.
    advice : str
    """

    here: nw.Expr
    says: str
    columns: tuple[str, ...]
    advice: str = ""


def missing(column: nw.Expr) -> nw.Expr:
    """Whether a number is null or NaN."""
    return column.is_null() | column.is_nan()


def label_faults(name: str, what: str, labels: Sequence[object], raw: nw.Expr, known: nw.Expr) -> list[Fault]:
    """No label, or one that is not known."""
    shown = ", ".join(repr(label) for label in labels[:12]) + (", …" if len(labels) > 12 else "")
    return [
        Fault(raw.is_null(), f"no {what}", (name,), "Drop them."),
        Fault(~known, f"a value for the {what} that is not one of the labels {shown}", (name,)),
    ]


def probability_faults(columns: Sequence[str], p: Sequence[nw.Expr], total: nw.Expr) -> list[Fault]:
    """Missing, negative or infinite probabilities, or ones that do not sum to 1."""

    def anywhere(conditions: list[nw.Expr]) -> nw.Expr:
        found = conditions[0]
        for condition in conditions[1:]:
            found = found | condition
        return found

    names = tuple(columns)
    return [
        Fault(anywhere([missing(x) for x in p]), "a missing probability", names, "Drop or fill them."),
        Fault(
            anywhere([x < 0 for x in p]),
            "a probability below 0",
            names,
            "Are these log-probabilities or raw scores?",
        ),
        Fault(~(total <= LARGEST), "an infinite probability", names),
        Fault(
            ~((total - 1).abs() <= SUM_TOLERANCE),
            f"probabilities that do not sum to 1 within {SUM_TOLERANCE:g}",
            names,
            "Divide them by their sum.",
        ),
    ]


def number_fault(name: str, what: str, column: nw.Expr, least: float) -> Fault:
    """A score or weight that is no finite number, or too small."""
    at_least = " that is at least 0" if least == 0 else ""
    return Fault(column.is_null() | ~fine(column, least), f"no finite {what}{at_least}", (name,))


def fine(column: nw.Expr, least: float) -> nw.Expr:
    """Whether a number is finite and at least `least`; neither NaN nor null is, on any engine."""
    return (column >= least) & (column <= LARGEST)


def first_fault(faults: Sequence[Fault]) -> nw.Expr:
    """-2, -3, … for the first fault that a row has."""
    import narwhals.stable.v2 as nw

    code: Any = nw.lit(-2.0 - len(faults))
    for i, fault in reversed(list(enumerate(faults))):
        code = nw.when(fault.here).then(-2.0 - i).otherwise(code)
    found: nw.Expr = code
    return found


def raise_faults(keys: NDArray[np.float64], counts: NDArray[Any], faults: Sequence[Fault], example: Any) -> None:
    """Raise the error for the rows whose keys are codes of faults.

    Parameters
    ----------
    keys, counts : ndarray
        Of the groups of rows.
    faults : sequence of Fault
    example : callable of (code, column names)
        Values of one row with the code.
    """
    codes = -2 - keys[keys <= -2].astype(int)
    if not len(codes):
        return
    numbers = np.bincount(codes, counts[keys <= -2], minlength=len(faults) + 1).astype(int)
    total = int(np.sum(counts))
    found = [i for i in np.flatnonzero(numbers).tolist() if i < len(faults)]
    fault = faults[found[0]]
    values = example(-2.0 - found[0], list(fault.columns))
    shown = ", ".join(f"{name} = {value!r}" for name, value in values.items())
    message = f"{_rows(numbers[found[0]], total)} {fault.says}, such as the one with {shown}."
    if fault.advice:
        message += f" {fault.advice}"
    for i in found[1:]:
        message += f" {_rows(numbers[i], total)} {faults[i].says}."
    raise PredictionError(message)


def _rows(count: int, total: int) -> str:
    return f"{count:,} of {total:,} rows {'has' if count == 1 else 'have'}"
