"""The verdict of an audit in one sentence, and its decisions one by one."""

from __future__ import annotations

import math
from typing import NamedTuple

from isocost.auditing.certificates import Verdict
from isocost.auditing.result import Audit
from isocost.plot.placing import percent_text
from isocost.report.texts import number_text, plural

__all__ = ["Headline", "headline_of", "status_text"]

FAR = 1000  # times the rows that there are: a number that helps nobody


class Headline(NamedTuple):
    """What stands first on the page.

    Attributes
    ----------
    kind : {"right", "wrong", "open", "void"}
    word : str
        The same for people who see no colours.
    sentence : str
    """

    kind: str
    word: str
    sentence: str


def headline_of(audit: Audit) -> Headline:
    """The verdict of an audit.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> headline_of(ic.audit(cost, ["ok", "bad"] * 400, decisions=["keep", "drop"] * 400)).sentence
    'Each decision was the cheapest where it was taken; this is certified at 95 %.'
    >>> print(headline_of(ic.audit(cost, ["ok", "bad"] * 400, decisions=["keep", "keep"] * 400)).sentence)
    Where “keep” was decided (100 % of rows), “drop” would have cost 2 less a row on average; this is certain at 95 %.
    """
    certificate = audit.certificate
    level = f"{100 * certificate.level:g} %"
    if certificate.in_sample:
        return Headline(
            "void",
            "No verdict",
            "Nothing can be promised from these rows, as the decisions were fitted on them; audit on fresh rows.",
        )
    taken = [verdict for verdict in certificate.verdicts if verdict.rows]
    wrong = [verdict for verdict in taken if verdict.status == "miscalibrated"]
    undecided = [verdict for verdict in taken if verdict.status == "undecided"]
    if wrong:
        return Headline("wrong", "Not right", _wrong_in_words(wrong, level))
    if undecided:
        return Headline("open", "Undecided", _undecided_in_words(undecided, len(taken), level))
    if len(taken) == 1 and not taken[0].gaps:
        return Headline("right", "Right", f"“{taken[0].decision}” is the cheapest decision whatever happens.")
    unseen = [str(verdict.decision) for verdict in certificate.verdicts if not verdict.rows and verdict.gaps]
    never = f" ({_listed(unseen)} never was)" if unseen else ""
    return Headline(
        "right",
        "Right",
        f"Each decision was the cheapest where it was taken{never}; this is certified at {level}.",
    )


def _wrong_in_words(wrong: list[Verdict], level: str) -> str:
    def saved(verdict: Verdict) -> float:
        return max(-gap.estimate.value for gap in verdict.gaps)

    worst = max(wrong, key=lambda verdict: verdict.share * saved(verdict))
    gap = min(worst.gaps, key=lambda gap: gap.estimate.value)
    more = ""
    if len(wrong) > 1:
        others = [verdict for verdict in wrong if verdict is not worst]
        listed = _listed([str(verdict.decision) for verdict in others])
        more = f", and {listed} {'was' if len(others) == 1 else 'were'} wrong too"
    return (
        f"Where “{worst.decision}” was decided ({percent_text(worst.share)} of rows), “{gap.instead}” would have cost "
        f"{number_text(saved(worst))} less a row on average{more}; this is certain at {level}."
    )


def _undecided_in_words(undecided: list[Verdict], taken: int, level: str) -> str:
    names = _listed([str(verdict.decision) for verdict in undecided])
    certified = taken - len(undecided)
    share = percent_text(1 - sum(verdict.share for verdict in undecided))
    start = (
        f"{certified} of the {taken} decisions taken, for {share} of rows, "
        f"{'is' if certified == 1 else 'are'} certified right at {level}"
        if certified
        else f"No decision is certified at {level}"
    )
    more = max(verdict.more_rows for verdict in undecided)
    rows = sum(verdict.rows for verdict in undecided)
    settle = (
        "for which no number of rows like these would do"
        if math.isinf(more)
        else "which would take far more rows to settle"
        if more > FAR * max(rows, 1)
        else f"which about {plural(float(f'{more:.2g}'), 'more row')} like these would settle"
    )
    return f"{start}; {names} {'is' if len(undecided) == 1 else 'are'} undecided, {settle}."


def _listed(names: list[str], most: int = 3) -> str:
    """Names in quotes with commas and a last "and"; of many the first few."""
    quoted = [f"“{name}”" for name in names[:most]]
    if len(names) > most:
        quoted.append(f"{len(names) - most} more")
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def status_text(verdict: Verdict) -> str:
    """The status of a decision, with what would settle it.

    Examples
    --------
    >>> status_text(Verdict("wait", "undecided", 10, 0.1, (), 1234.0))
    'undecided; 1,234 more rows would settle it'
    """
    if not verdict.rows:
        return "never taken"
    if verdict.status != "undecided":
        return verdict.status
    if math.isinf(verdict.more_rows):
        return "undecided; no number of rows would settle it"
    return f"undecided; {plural(verdict.more_rows, 'more row')} would settle it"
