"""An audit on the screen, and the thresholds that it may exceed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from isocost.auditing.certificates import Verdict
from isocost.auditing.result import Audit
from isocost.cli.screen import Screen
from isocost.report.texts import count_text, estimate_text, interval_text, number_text, plural
from isocost.report.verdicts import headline_of

CORE = (
    *("mean_cost", "beyond_constant", "beyond_plugin", "swap_regret", "decision_calibration"),
    *("score_calibration.debiased", "cutoff_calibration"),
    *("decomposition.miscalibration", "decomposition.discrimination", "decomposition.uncertainty"),
)

__all__ = ["Threshold", "pairing_in_words", "show_audit", "thresholds_of"]


class Threshold(NamedTuple):
    """A limit that was asked for, beside what was found.

    Attributes
    ----------
    option : str
    limit : float
    found : float
        What must not be above it: the upper end of an interval.
    says : str
    """

    option: str
    limit: float
    found: float
    says: str

    @property
    def exceeded(self) -> bool:
        """Whether what was found is above the limit, or unknown."""
        return not self.found <= self.limit


def thresholds_of(audit: Audit, limits: Mapping[str, float | None]) -> list[Threshold]:
    """Each limit that was given, beside what the audit cannot rule out.

    Parameters
    ----------
    audit : Audit
    limits : mapping of "max_cost", "max_regret" and "max_wrong" to float or None
    """
    found = {
        "max_cost": (audit.mean_cost.high, f"the mean cost, {estimate_text(audit.mean_cost)}"),
        "max_regret": (audit.swap_regret.high, f"the swap regret, {estimate_text(audit.swap_regret)}"),
        "max_wrong": (
            1.0 if audit.certificate.in_sample else audit.certificate.most_wrong,
            f"the share of rows with a decision that is not right, at most {number_text(audit.certificate.most_wrong)}",
        ),
    }
    return [
        Threshold(f"--{name.replace('_', '-')}", limit, *found[name])
        for name, limit in limits.items()
        if limit is not None
    ]


def pairing_in_words(columns: Mapping[str, Any]) -> str:
    """What was read from which column.

    Examples
    --------
    >>> pairing_in_words({"outcome": "y", "probabilities": {"ok": "p_ok", "bad": "p_bad"}})
    'outcome from y; probability of ok from p_ok, of bad from p_bad'
    """
    said = []
    for what, name in columns.items():
        if isinstance(name, Mapping):
            said.append("probability " + ", ".join(f"of {label} from {column}" for label, column in name.items()))
        else:
            said.append(f"{what} from {name if isinstance(name, str) else ', '.join(name)}")
    return "; ".join(said)


def show_audit(screen: Screen, audit: Audit) -> None:
    """Print the verdict, the certificate, the measures and the groups."""
    headline = headline_of(audit)
    screen.heading(f"{headline.word}: {headline.sentence}")
    if not audit.certificate.in_sample:
        screen.say(f"{str(audit.certificate)[:1].upper()}{str(audit.certificate)[1:]}.")
    _show_certificate(screen, audit)
    if audit.swaps:
        swaps = ", ".join(f"{given!r} by {better!r}" for given, better in audit.swaps.items())
        screen.say(f"On average cheaper on these rows: replace {swaps}.")
    readings = audit.readings()
    screen.heading("Measures")
    rows = [
        [readings[name].measure.name, number_text(estimate.value), interval_text(estimate), readings[name].measure.unit]
        for name in CORE
        if name in readings and (estimate := readings[name].estimate)
    ]
    screen.table(["", "value", f"{100 * audit.level:g} % interval", "unit"], rows, left=(0, 2, 3))
    if more := len(readings) - len(rows):
        screen.say(f"{plural(more, 'more measure')} and the bounds: --json, --html.")
    if audit.groups:
        _show_groups(screen, audit)


def _show_certificate(screen: Screen, audit: Audit) -> None:
    rows = []
    for verdict in audit.certificate.verdicts:
        gaps = [(str(gap.instead), estimate_text(gap.estimate)) for gap in verdict.gaps] or [("", "")]
        for i, (instead, gap) in enumerate(gaps):
            first = ["", "", ""] if i else [str(verdict.decision), f"{100 * verdict.share:.1f} %", _status(verdict)]
            rows.append([*first, instead if verdict.rows else "", gap if verdict.rows else ""])
    screen.table(["decision", "share", "verdict", "instead", "would cost more by"], rows, left=(0, 2, 3, 4))
    for verdict in audit.certificate.verdicts:
        if verdict.rows and verdict.status == "undecided":
            more = (
                "no number of rows"
                if verdict.more_rows == float("inf")
                else f"about {plural(verdict.more_rows, 'more row')}"
            )
            screen.say(f"{more[:1].upper()}{more[1:]} like these would settle {verdict.decision!r}.")


def _status(verdict: Verdict) -> str:
    return verdict.status if verdict.rows else "never taken"


def _show_groups(screen: Screen, audit: Audit) -> None:
    screen.heading("Groups (intervals hold for all of them together)")
    rows = []
    for name, part in audit.groups.items():
        headline = headline_of(part)
        cost, regret = estimate_text(part.mean_cost), estimate_text(part.swap_regret)
        rows.append([str(name), count_text(part.rows), cost, regret, headline.word])
    screen.table(["group", "rows", "mean cost", "swap regret", "verdict"], rows, left=(0, 2, 3, 4))
