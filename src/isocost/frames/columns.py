"""Which columns of a frame are read as what, checked against its schema before a row is read."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from isocost.exceptions import PredictionError
from isocost.interface import Property
from isocost.labels import Label, Labels
from isocost.property import SmoothProperty

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

__all__ = ["Columns", "Reader", "checked_columns", "probability_columns"]


@dataclass(frozen=True)
class Columns:
    """Names of the columns that are read.

    Attributes
    ----------
    outcome, decision, weight, group, cluster : str or None
    probabilities : tuple of str
        In the order of the outcomes; empty where there are none.
    scores : tuple of str
        One for each number of a score; empty where there are none.
    """

    outcome: str | None = None
    probabilities: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    decision: str | None = None
    weight: str | None = None
    group: str | None = None
    cluster: str | None = None

    @property
    def names(self) -> list[str]:
        """All of them, each once."""
        single = [self.outcome, self.decision, self.weight, self.group, self.cluster]
        return list(dict.fromkeys([*(x for x in single if x is not None), *self.probabilities, *self.scores]))

    def pairing(self, outcomes: Labels) -> dict[str, Any]:
        """What was read from which column, for people to check."""
        found: dict[str, Any] = {
            name: getattr(self, name)
            for name in ("outcome", "decision", "weight", "group", "cluster")
            if getattr(self, name) is not None
        }
        if self.probabilities:
            found["probabilities"] = dict(zip(outcomes, self.probabilities, strict=True))
        if self.scores:
            found["score"] = self.scores[0] if len(self.scores) == 1 else list(self.scores)
        return found


def probability_columns(probabilities: object, outcomes: Labels) -> tuple[str, ...]:
    """Columns in the order of the outcomes, from a list in that order or a mapping from outcomes."""
    if isinstance(probabilities, Mapping):
        strange = [label for label in probabilities if label not in outcomes]
        missing = [label for label in outcomes if label not in probabilities]
        if strange or missing:
            problem = f"{strange[0]!r} is none" if strange else f"none is given for {missing[0]!r}"
            raise PredictionError(
                f"`probabilities` must name a column for each of the outcomes {_listed(outcomes)}; {problem}"
            )
        names = [probabilities[label] for label in outcomes]
    elif isinstance(probabilities, Sequence) and not isinstance(probabilities, (str, bytes)):
        names = list(probabilities)
    else:
        raise PredictionError(
            f"`probabilities` must be a list of columns, or a mapping of outcomes to columns; got {probabilities!r}"
        )
    if len(names) != len(outcomes):
        raise PredictionError(
            f"`probabilities` must name one column for each of the {len(outcomes)} outcomes {_listed(outcomes)}, in "
            f"this order; got {len(names)}"
        )
    for name in names:
        _text(name, "probabilities")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise PredictionError(f"`probabilities` must name a different column for each outcome; {twice!r} comes twice")
    return tuple(names)


def checked_columns(
    prop: Property,
    outcome: str | None,
    probabilities: object,
    score: object,
    decision: str | None,
    weight: str | None = None,
    group: str | None = None,
    cluster: str | None = None,
) -> Columns:
    """The columns asked for, by their names alone."""
    if probabilities is None and score is None and decision is None:
        raise PredictionError("columns of `probabilities`, a `score` or a `decision` must be named; got none of them")
    scores: tuple[str, ...] = ()
    if score is not None:
        many = isinstance(score, (list, tuple))
        scores = tuple(score) if isinstance(score, (list, tuple)) else (score,)  # type: ignore[assignment]
        for name in scores:
            _text(name, "score")
        wanted = 1 if isinstance(prop, SmoothProperty) else prop.dimension
        if len(scores) != wanted or (many and isinstance(prop, SmoothProperty)):
            raise PredictionError(
                f"`score` must name {'one column' if wanted == 1 else f'a list of {wanted} columns'}; got {score!r}"
            )
    single = {"outcome": outcome, "decision": decision, "weight": weight, "group": group, "cluster": cluster}
    for what, column in single.items():
        if column is not None:
            _text(column, what)
    named = () if probabilities is None else probability_columns(probabilities, prop.outcomes)
    return Columns(outcome, named, scores, decision, weight, group, cluster)


class Reader:
    """Expressions that read columns of a frame as numbers, labels and groups.

    Parameters
    ----------
    schema : mapping of str to dtype
    as_text : bool
        Labels match by their canonical text, as those of files do, not only by equality.
    """

    def __init__(self, schema: Mapping[str, Any], as_text: bool = False) -> None:
        self.schema = schema
        self.as_text = as_text

    def require(self, names: Sequence[str]) -> None:
        """Refuse names that are no columns."""
        for name in names:
            if name not in self.schema:
                near = get_close_matches(name, self.schema, 1)
                hint = f". Is it {near[0]!r}?" if near else f"; its columns are {_listed(list(self.schema))}"
                raise PredictionError(f"the frame has no column {name!r}{hint}")

    def number(self, name: str, what: str) -> nw.Expr:
        """A column of numbers, as doubles."""
        import narwhals.stable.v2 as nw

        dtype = self.schema[name]
        if not (dtype.is_numeric() or dtype in (nw.Object, nw.Unknown)):
            raise PredictionError(f"{what} must be numbers; the column {name!r} is of type {dtype}. Cast it")
        return nw.col(name) if dtype == nw.Float64 else nw.col(name).cast(nw.Float64)

    def has_label(self, name: str, what: str, labels: Labels) -> list[nw.Expr | None]:
        """For each label whether a row has it; None where no value of this column can be it."""
        import narwhals.stable.v2 as nw

        dtype = self.schema[name]
        column, literal = nw.col(name), self._literal(dtype)
        if literal is None:
            raise PredictionError(
                f"{what} labels must be text, numbers or true and false; the column {name!r} is of type {dtype}. Cast "
                "it to text"
            )
        if dtype in (nw.Categorical, nw.Enum, nw.Unknown):
            column = column.cast(nw.String)
        elif dtype.is_decimal():
            column = column.cast(nw.Float64)
        found: list[nw.Expr | None] = []
        for label in labels:
            value = literal(label)
            found.append(None if value is None else column == value)
        if not any(x is not None for x in found):
            raise PredictionError(
                f"the labels of {what} are of type {type(labels[0]).__name__}, such as {labels[0]!r}, and the column "
                f"{name!r} is of type {dtype}: no value can be one of them. Cast the column, or convert the labels"
            )
        return found

    def group(self, name: str) -> nw.Expr:
        """A column of groups, NaN as null."""
        import narwhals.stable.v2 as nw

        dtype, column = self.schema[name], nw.col(name)
        if dtype in (nw.Categorical, nw.Enum, nw.Unknown):
            return column.cast(nw.String)
        return nw.when(~column.is_nan()).then(column) if dtype.is_float() else column

    def _literal(self, dtype: Any) -> Callable[[Label], Any] | None:
        """What a column of this type must be equal to, to have a label; None where it cannot be compared."""
        import narwhals.stable.v2 as nw

        if dtype in (nw.String, nw.Categorical, nw.Enum, nw.Unknown):
            return lambda label: label if isinstance(label, str) else str(label) if self.as_text else None
        if dtype == nw.Boolean:
            return lambda label: bool(label) if self._number(label) in (0, 1) else None
        if dtype.is_integer():
            return lambda label: int(x) if (x := self._number(label)) is not None and x == int(x) else None
        if dtype.is_numeric():
            return self._number
        return (lambda label: label) if dtype == nw.Object else None

    def _number(self, label: Label) -> float | int | None:
        """A label as a finite number; a text that is one exactly as Python writes it, where labels match by text."""
        if isinstance(label, (bool, int, float)):
            return label if math.isfinite(label) else None
        if self.as_text and isinstance(label, str):
            if label in ("True", "False", "true", "false"):
                return int(label.lower() == "true")
            for kind in (int, float):
                try:
                    value = kind(label)
                except ValueError:
                    continue
                return value if str(value) == label and math.isfinite(value) else None
        return None


def _text(name: object, what: str) -> None:
    if not isinstance(name, str):
        raise PredictionError(f"`{what}` must be the name of a column; got {name!r}")


def _listed(values: Sequence[object], most: int = 12) -> str:
    return ", ".join(repr(value) for value in values[:most]) + (", …" if len(values) > most else "")
