"""Check: one statement of the paper beside what the library computes, and how the two compare."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Check", "Verdict", "cited", "erratum", "exactly", "numbers", "shown", "statement"]

# More numbers than this are not printed.
MOST_SHOWN = 6
MOST_EXACT = 15

ExactNumbers = ArrayLike | Sequence[Fraction] | Sequence[Sequence[Fraction]]


class Verdict(Enum):
    """What came of comparing the written with the computed."""

    AGREES = "agrees"
    ERRATUM = "erratum"
    CITED = "cited"
    FAILED = "FAILED"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Check:
    """One line of the reproduction.

    Attributes
    ----------
    group : str
        Heading under which the line is printed.
    name : str
        Unique; "E1" to "E21" for errata.
    where : str
        Section, equation or algorithm line of the paper.
    written : str
        What the paper says there.
    computed : str
        What isocost computes; for an erratum the right statement, with its numbers.
    verdict : Verdict
        An erratum is confirmed when the written is refuted and the right one holds.
    note : str

    Examples
    --------
    >>> from isocost.paper import reproduce
    >>> first = reproduce()[0]
    >>> first.written, first.passed
    ('strongly orderable', True)
    """

    group: str
    name: str
    where: str
    written: str
    computed: str
    verdict: Verdict
    note: str = ""

    @property
    def passed(self) -> bool:
        """Whether nothing speaks against the library."""
        return self.verdict is not Verdict.FAILED


def statement(group: str, name: str, where: str, written: str, computed: str, holds: bool, note: str = "") -> Check:
    """Check a statement that was decided by the caller.

    Parameters
    ----------
    group, name, where, written, computed, note : str
        As in :class:`Check`.
    holds : bool
        Whether what was computed bears the paper out.

    Examples
    --------
    >>> str(statement("Group", "parity", "Sec. 1", "2 is even", "2 mod 2 = 0", holds=2 % 2 == 0).verdict)
    'agrees'
    """
    return Check(group, name, where, written, computed, Verdict.AGREES if holds else Verdict.FAILED, note)


def numbers(
    group: str,
    name: str,
    where: str,
    written: str,
    paper: ArrayLike,
    library: ArrayLike,
    tolerance: float = 1e-12,
    note: str = "",
) -> Check:
    """Check that the paper's numbers and the library's agree, entry by entry.

    Parameters
    ----------
    group, name, where, written, note : str
        As in :class:`Check`.
    paper, library : array_like
        Of the same shape, which is never stretched: a missing entry is a failure.
    tolerance : float
        Largest absolute difference; above rounding only where the paper rounds.

    Examples
    --------
    >>> check = numbers("Group", "thirds", "Sec. 1", "1/3, 2/3", [1 / 3, 2 / 3], [0.5, 0.5])
    >>> check.passed, check.computed
    (False, '0.5, 0.5; differs by up to 0.17')
    """
    a, b = np.asarray(paper, dtype=np.float64), np.asarray(library, dtype=np.float64)
    if a.shape != b.shape or a.size == 0:
        return statement(group, name, where, written, f"shapes {a.shape} and {b.shape}", False, note)
    gap = float(np.abs(a - b).max())
    agrees = gap <= tolerance  # false for nan
    computed = shown(b.ravel()) if b.size <= MOST_SHOWN else f"same in {b.size} numbers, to {max(gap, 1e-16):.0e}"
    if not agrees:
        computed = f"{shown(b.ravel()[:MOST_SHOWN])}; differs by up to {gap:.2g}"
    return statement(group, name, where, written, computed, agrees, note)


def exactly(
    group: str, name: str, where: str, written: str, paper: ExactNumbers, library: ExactNumbers, note: str = ""
) -> Check:
    """Check that the paper's and the library's numbers are the same as Fractions, without any tolerance.

    Parameters
    ----------
    group, name, where, written, note : str
        As in :class:`Check`.
    paper, library : array_like
        Of numbers; a float means the dyadic fraction that it is.

    Examples
    --------
    >>> from fractions import Fraction
    >>> exactly("Group", "half", "Sec. 1", "1/2", [Fraction(1, 2)], [0.5]).computed
    '1/2 (exact)'
    >>> exactly("Group", "tenth", "Sec. 1", "1/10", [Fraction(1, 10)], [0.1]).passed
    False
    """
    a, b = _fractions(paper), _fractions(library)
    agrees = a.shape == b.shape and a.size > 0 and bool((a == b).all())
    computed = _exact_text(b) if b.size <= MOST_EXACT else f"{'same' if agrees else 'differs'} in {b.size} numbers"
    computed += " (exact)" if agrees else f"; paper: {_exact_text(a.ravel()[:MOST_EXACT])}"
    return statement(group, name, where, written, computed, agrees, note)


def erratum(
    name: str, where: str, written: str, right: str, *, refuted: bool, confirmed: bool, note: str = ""
) -> Check:
    """Check an erratum: the written must be refuted and the right statement confirmed, both by computing.

    Parameters
    ----------
    name, where, written, note : str
        As in :class:`Check`.
    right : str
        The right statement, with its computed value.
    refuted, confirmed : bool
        Whether what is written fails, and whether the right one holds.

    Examples
    --------
    >>> erratum("E0", "Sec. 1", "1 + 1 = 3", "1 + 1 = 2", refuted=1 + 1 != 3, confirmed=1 + 1 == 2).passed
    True
    """
    verdict = Verdict.ERRATUM if refuted and confirmed else Verdict.FAILED
    if not refuted:
        note = f"the written was not refuted; {note}"
    if not confirmed:
        note = f"the right one was not confirmed; {note}"
    return Check("Errata", name, where, written, right, verdict, note)


def cited(name: str, where: str, written: str, right: str, note: str) -> Check:
    """State an erratum that rests on a citation and is not computed.

    Parameters
    ----------
    name, where, written, note : str
        As in :class:`Check`.
    right : str
        The right statement.

    Examples
    --------
    >>> str(cited("E0", "Sec. 1", "as shown by A", "shown by B", note="a matter of history").verdict)
    'cited'
    """
    return Check("Errata", name, where, written, right, Verdict.CITED, note)


def _fractions(values: ExactNumbers) -> NDArray[np.object_]:
    """The same numbers as Fractions, exactly."""
    array = np.asarray(values, dtype=object)
    return np.array([Fraction(x) for x in array.ravel()], dtype=object).reshape(array.shape)


def _exact_text(values: NDArray[np.object_]) -> str:
    """Fractions as text, the rows of a matrix apart."""
    if values.ndim == 2:
        return f"[{'; '.join(' '.join(str(x) for x in row) for row in values)}]"
    return ", ".join(str(x) for x in values.ravel())


def shown(values: Iterable[float], digits: int = 5) -> str:
    """A few numbers as text.

    Examples
    --------
    >>> shown([1 / 3, 2.0])
    '0.33333, 2'
    """
    return ", ".join(f"{float(x):.{digits}g}" for x in values)
