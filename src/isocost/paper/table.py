"""The reproduction as a table of 120 columns."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from itertools import groupby, zip_longest

from isocost.paper.check import Check, Verdict

__all__ = ["summary", "table_text"]

WIDTHS = (23, 42, 42, 7)
GAP = "  "
WIDTH = sum(WIDTHS) + 3 * len(GAP)


def table_text(checks: Sequence[Check]) -> str:
    """Checks grouped under headings, wrapped and aligned, with a final line of counts.

    Parameters
    ----------
    checks : sequence of Check

    Examples
    --------
    >>> from isocost.paper.check import numbers
    >>> text = table_text([numbers("Group", "half", "Sec. 1", "1/2", [0.5], [0.5])])
    >>> text.splitlines()[-1]
    '1 check: 1 agrees, 0 errata confirmed, 0 cited, 0 failed'
    """
    lines: list[str] = []
    for heading, group in groupby(checks, key=lambda check: check.group):
        header = _row(("", "paper", "isocost" if heading != "Errata" else "right, by isocost", ""), WIDTHS)
        lines += ["", "━" * WIDTH, heading, header.rstrip(), "─" * WIDTH]
        for check in group:
            lines += _lines_of(check)
    return "\n".join([*lines[1:], "", summary(checks)])


def summary(checks: Sequence[Check]) -> str:
    """How many checks came out in which way.

    Parameters
    ----------
    checks : sequence of Check

    Examples
    --------
    >>> summary([])
    '0 checks: 0 agree, 0 errata confirmed, 0 cited, 0 failed'
    """
    agree, errata, cited, failed = (
        sum(check.verdict is verdict for check in checks)
        for verdict in (Verdict.AGREES, Verdict.ERRATUM, Verdict.CITED, Verdict.FAILED)
    )
    agrees = "agrees" if agree == 1 else "agree"
    total = "1 check" if len(checks) == 1 else f"{len(checks)} checks"
    return f"{total}: {agree} {agrees}, {errata} errata confirmed, {cited} cited, {failed} failed"


def _lines_of(check: Check) -> list[str]:
    place = [f"  {line}" for line in textwrap.wrap(check.where, WIDTHS[0] - 2)]
    left = [*textwrap.wrap(check.name, WIDTHS[0]), *place]
    columns = [textwrap.wrap(text, width) for text, width in zip(_texts(check), WIDTHS[1:], strict=True)]
    right = [_row(cells, WIDTHS[1:]) for cells in zip_longest(*columns, fillvalue="")]
    # The note runs over all three columns, beside what is left of the first.
    right += textwrap.wrap(check.note, sum(WIDTHS[1:]), initial_indent="· ", subsequent_indent="  ")
    return [_row(cells, (WIDTHS[0], 0)).rstrip() for cells in zip_longest(left, right, fillvalue="")]


def _texts(check: Check) -> tuple[str, str, str]:
    return check.written, check.computed, str(check.verdict)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return GAP.join(cell + " " * (width - _columns(cell)) for cell, width in zip(cells, widths, strict=True))


def _columns(text: str) -> int:
    """Columns on a terminal: the bar of V̄ is a character of its own, but takes no room."""
    return sum(not unicodedata.combining(character) for character in text)
