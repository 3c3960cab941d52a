"""What there is to know, and to doubt, of the data behind an audit."""

from __future__ import annotations

from isocost.auditing.result import Audit
from isocost.plot.placing import percent_text
from isocost.report.content import MOST, Table
from isocost.report.texts import count_text, number_text, plural

__all__ = ["counts_table", "doubts"]

FEW = 30  # rows


def counts_table(audit: Audit) -> Table:
    """How many rows have each decision and outcome."""
    cost, counts = audit.cost, audit.counts
    columns = ["decision", *(str(label) for label in cost.outcomes[:MOST]), "all"]
    rows = [
        [str(label), *(count_text(x) for x in line[:MOST]), count_text(sum(line))]
        for label, line in zip(cost.decisions[:MOST], counts.tolist(), strict=False)
    ]
    totals = counts.sum(axis=0)[:MOST].tolist()
    rows.append(["all", *(count_text(x) for x in totals), count_text(float(counts.sum()))])
    return Table("Rows with each decision and each outcome", columns, rows)


def doubts(audit: Audit) -> list[str]:
    """What a reader should know before trusting the numbers; empty where nothing stands out.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> for doubt in doubts(ic.audit(cost, ["ok"] * 60, decisions=["keep"] * 60)):
    ...     print(doubt)
    The outcome “bad” was never seen, so nothing is known of what decisions cost when it happens.
    The decision “drop” was never taken, so nothing is known of it.
    """
    cost, counts = audit.cost, audit.counts
    found = []
    if audit.certificate.in_sample:
        found.append(
            "The decisions were fitted on these very rows: all numbers are too good, and nothing is certified."
        )
    for label, number in zip(cost.outcomes, counts.sum(axis=0).tolist(), strict=True):
        if number == 0:
            found.append(
                f"The outcome “{label}” was never seen, so nothing is known of what decisions cost when it happens."
            )
        elif number < FEW:
            found.append(f"The outcome “{label}” was seen in {plural(number, 'row')} only.")
    dropped = audit.cost.ordering().dropped
    for label, number in zip(cost.decisions, counts.sum(axis=1).tolist(), strict=True):
        if number == 0 and label not in dropped:
            found.append(f"The decision “{label}” was never taken, so nothing is known of it.")
        elif 0 < number < FEW:
            found.append(f"The decision “{label}” was taken in {plural(number, 'row')} only.")
    found += [f"The decision “{label}” is never the best: {why}." for label, why in dropped.items()]
    if audit.units < 0.5 * audit.rows:
        found.append(
            f"Weights or clusters make the {plural(audit.rows, 'row')} worth as much as "
            f"{plural(audit.units, 'independent one')}; the intervals know it."
        )
    small = [str(name) for name, group in audit.groups.items() if group.rows < FEW]
    if small:
        names = ", ".join(f"“{name}”" for name in small[:5]) + (" and more" if len(small) > 5 else "")
        found.append(f"{plural(len(small), 'group')} with fewer than {FEW} rows: {names}.")
    if audit.instance is not None and audit.prop.dimension == 1:
        found += _beyond(audit)
    return found


def _beyond(audit: Audit) -> list[str]:
    """Scores that no distribution has."""
    low, high = audit.prop.range  # type: ignore[attr-defined]
    reach = 1e-9 * (high - low)
    assert audit.instance is not None
    outside = (audit.instance.scores < low - reach) | (audit.instance.scores > high + reach)
    if not outside.any():
        return []
    share = percent_text(float(audit.instance.mass[outside].sum()))
    ends = f"{number_text(low)} to {number_text(high)}"
    return [f"About {share} of rows have scores beyond {ends}, which no probabilities give."]
