"""Which column holds the probability of which outcome: paired by name, never by position."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from isocost.cli.verbs import BadInput
from isocost.labels import Label, Labels

__all__ = ["probability_columns"]


def probability_columns(
    given: Sequence[str], outcomes: Labels, columns: Sequence[str] | None = None
) -> dict[Label, str]:
    """The column of each outcome, from what ``--probabilities`` was given.

    Parameters
    ----------
    given : sequence of str
        A pattern with one ``*``, which stands for an outcome, and pairs ``outcome=column``, which come first.
    outcomes : tuple of labels
    columns : sequence of str, optional
        Those of the file; where there is none, the columns that the pattern names.

    Examples
    --------
    >>> probability_columns(["p_*"], ("mild", "severe"), ["id", "p_severe", "p_mild"])
    {'mild': 'p_mild', 'severe': 'p_severe'}
    >>> probability_columns(["mild=a", "severe=b"], ("mild", "severe"), ["a", "b"])
    {'mild': 'a', 'severe': 'b'}
    """
    explicit: dict[Label, str] = {}
    patterns = []
    for text in given:
        label = _label_of(text, outcomes, columns)
        if label is None:
            patterns.append(_checked_pattern(text, outcomes))
        elif label in explicit:
            raise BadInput(
                f"--probabilities: {label!r} is paired twice, with {explicit[label]} and {_column(text, label)}"
            )
        else:
            explicit[label] = _column(text, label)
    if len(patterns) > 1:
        raise BadInput(f"--probabilities: one pattern is enough; got {' and '.join(patterns)}")
    pattern = patterns[0] if patterns else None
    found: dict[Label, str] = {}
    for label in outcomes:
        if label in explicit:
            found[label] = _present(explicit[label], columns)
        elif pattern is None:
            raise BadInput(
                f"--probabilities: no column is given for the outcome {label!r}; add --probabilities "
                f"'{label}=COLUMN', or a pattern such as 'p_*'"
            )
        else:
            found[label] = pattern.replace("*", str(label))
            if columns is not None and found[label] not in columns:
                raise BadInput(_unmatched(pattern, label, columns))
    twice = next((name for name in found.values() if list(found.values()).count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"--probabilities: the column {twice!r} is given for more than one outcome")
    return found


def _label_of(text: str, outcomes: Labels, columns: Sequence[str] | None) -> Label | None:
    """The outcome that a pair begins with; of several the one whose column exists."""
    begun = [label for label in outcomes if text.startswith(f"{label}=")]
    fit = [label for label in begun if columns is None or _column(text, label) in columns]
    return (fit or begun or [None])[0]


def _column(text: str, label: Label) -> str:
    return text.removeprefix(f"{label}=")


def _checked_pattern(text: str, outcomes: Labels) -> str:
    if text.count("*") == 1 and "=" not in text:
        return text
    shown = ", ".join(str(label) for label in outcomes[:12])
    if "=" in text:
        raise BadInput(f"--probabilities: {text!r} must begin with an outcome and '='; the outcomes are {shown}")
    raise BadInput(
        f"--probabilities: {text!r} must be a pattern with one *, which stands for an outcome ({shown}), or a pair "
        "outcome=column; several columns in a row would leave their order to be guessed"
    )


def _present(name: str, columns: Sequence[str] | None) -> str:
    if columns is None or name in columns:
        return name
    near = get_close_matches(name, columns, 1)
    hint = f"is it {near[0]!r}?" if near else f"its columns are {_shown(columns)}"
    raise BadInput(f"--probabilities: the file has no column {name!r}; {hint}")


def _unmatched(pattern: str, label: Label, columns: Sequence[str]) -> str:
    before, _, after = pattern.partition("*")
    like = [
        name for name in columns if name.startswith(before) and name.endswith(after) and len(name) >= len(pattern) - 1
    ]
    message = f"--probabilities {pattern!r}: the outcome {label!r} has no column {pattern.replace('*', str(label))!r}"
    if not like:
        return f"{message}, and no column is like the pattern; the columns are {_shown(columns)}"
    return (
        f"{message}. Columns are matched by name, not in their order: {_shown(like)} are like the pattern; "
        f"pair them yourself, such as --probabilities '{label}={like[0]}'"
    )


def _shown(names: Sequence[str], most: int = 12) -> str:
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")
