"""The reproduction as a table, of 120 columns where there is room."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from itertools import groupby, zip_longest

from isocost.paper.check import Check, Verdict

__all__ = ["summary", "table_text"]

GAP = "  "
WIDTH = 120
VERDICT = 7

Widths = tuple[int, int, int, int]


def table_text(checks: Sequence[Check], width: int = WIDTH) -> str:
    """Checks grouped under headings, wrapped and aligned, with a final line of counts.

    Parameters
    ----------
    checks : sequence of Check
    width : int
        Columns, from 60 to 120; beyond these the nearer end is taken.

    Examples
    --------
    >>> from isocost.paper.check import numbers
    >>> text = table_text([numbers("Group", "half", "Sec. 1", "1/2", [0.5], [0.5])])
    >>> text.splitlines()[-1]
    '1 check: 1 agrees, 0 errata confirmed, 0 cited, 0 failed'
    """
    widths = _widths(min(max(width, 60), WIDTH))
    width = sum(widths) + 3 * len(GAP)
    lines: list[str] = []
    for heading, group in groupby(checks, key=lambda check: check.group):
        header = _row(("", "paper", "isocost" if heading != "Errata" else "right, by isocost", ""), widths)
        lines += ["", "━" * width, heading, header.rstrip(), "─" * width]
        for check in group:
            lines += _lines_of(check, widths)
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


def _widths(width: int) -> Widths:
    """Place, the paper's words, ours, and the verdict: 23, 42, 42 and 7 of 120."""
    room = width - VERDICT - 3 * len(GAP)
    place = round(room * 23 / 107)
    return place, (room - place) // 2, room - place - (room - place) // 2, VERDICT


def _lines_of(check: Check, widths: Widths) -> list[str]:
    place = [f"  {line}" for line in textwrap.wrap(check.where, widths[0] - 2)]
    left = [*textwrap.wrap(check.name, widths[0]), *place]
    columns = [textwrap.wrap(text, width) for text, width in zip(_texts(check), widths[1:], strict=True)]
    right = [_row(cells, widths[1:]) for cells in zip_longest(*columns, fillvalue="")]
    # The note runs over all three columns, beside what is left of the first.
    right += textwrap.wrap(check.note, sum(widths[1:]), initial_indent="· ", subsequent_indent="  ")
    return [_row(cells, (widths[0], 0)).rstrip() for cells in zip_longest(left, right, fillvalue="")]


def _texts(check: Check) -> tuple[str, str, str]:
    return check.written, check.computed, str(check.verdict)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return GAP.join(cell + " " * (width - _columns(cell)) for cell, width in zip(cells, widths, strict=True))


def _columns(text: str) -> int:
    """Columns on a terminal: the bar of V̄ is a character of its own, but takes no room."""
    return sum(not unicodedata.combining(character) for character in text)
