"""Rows that cannot be read: counted in the same pass that adds up the others, told with an example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from isocost.probabilities import SUM_TOLERANCE

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

__all__ = [
    "LARGEST",
    "Fault",
    "fine",
    "first_fault",
    "label_faults",
    "message_of",
    "number_fault",
    "probability_faults",
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


def label_faults(name: str, what: str, labels: Sequence[object], absent: nw.Expr, known: nw.Expr) -> list[Fault]:
    """No label, or one that is not known."""
    shown = ", ".join(repr(label) for label in labels[:12]) + (", …" if len(labels) > 12 else "")
    return [
        Fault(absent, f"no {what}", (name,), "Drop them."),
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


def message_of(
    faults: Sequence[Fault], numbers: NDArray[np.int64], total: int, example: Mapping[str, Any], where: str = "the one"
) -> str:
    """What is wrong with how many of all rows, the first fault with an example.

    Parameters
    ----------
    faults : sequence of Fault
    numbers : ndarray of int
        Of rows with each fault; one more for rows that were counted and then not found.
    total : int
    example : mapping
        Values of a row with the first fault.
    where : str
        Which row that is, where rows have numbers.
    """
    found = [i for i in np.flatnonzero(numbers).tolist() if i < len(faults)]
    if not found:
        return f"{_rows(int(numbers[-1]), total)} a value that cannot be read"
    told = []
    for i in found:
        shown = ", ".join(f"{name} = {value!r}" for name, value in example.items()) if i == found[0] else ""
        told.append(
            f"{_rows(int(numbers[i]), total)} {faults[i].says}{f', such as {where} with {shown}' * bool(shown)}."
        )
        if i == found[0] and faults[i].advice:
            told.append(faults[i].advice)
    return " ".join(told)


def _rows(count: int, total: int) -> str:
    return f"{count:,} of {total:,} rows {'has' if count == 1 else 'have'}"
