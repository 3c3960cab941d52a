"""What the page says, as plain texts and tables; page.py and the template put it into HTML."""

from __future__ import annotations

import math
from typing import NamedTuple

from isocost.auditing.result import Audit
from isocost.ordering import OrderKind
from isocost.plot.placing import percent_text
from isocost.property import SmoothProperty
from isocost.report.texts import count_text, estimate_text, interval_text, number_text, plural
from isocost.report.verdicts import status_text

__all__ = [
    "KINDS",
    "Figure",
    "Table",
    "bins_table",
    "bounds_table",
    "certificate_table",
    "columns_table",
    "cost_sentences",
    "cost_table",
    "figures_of",
    "groups_table",
    "measures_table",
    "method_notes",
    "python_call",
]

KINDS = {
    OrderKind.STRONG: "These decisions line up: one number can carry them, and each meets only its neighbours.",
    OrderKind.ORDERABLE: "These decisions line up, but boundaries between them touch, so one number has little room.",
    OrderKind.NONE: "These decisions do not line up, so each has to be compared with every other.",
}
MOST = 40  # rows or columns of a table of costs or counts


class Table(NamedTuple):
    """A table with headings for columns and for rows.

    Attributes
    ----------
    caption : str
    columns : list of str
        The first is that of the rows' headings.
    rows : list of lists of str
        Each with its heading first.
    numeric : bool
        Whether the cells are numbers, to be set flush right.
    """

    caption: str
    columns: list[str]
    rows: list[list[str]]
    numeric: bool = True


class Figure(NamedTuple):
    """A number that stands at the top: what it is, its value, and its interval in words."""

    name: str
    value: str
    interval: str


def figures_of(audit: Audit) -> list[Figure]:
    """The few numbers at the top of the page.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> [figure.name for figure in figures_of(ic.audit(cost, ["ok", "bad"], decisions=["keep", "drop"]))]
    ['mean cost of a decision', 'beyond deciding the same for all', 'lost to wrong decisions', 'rows']
    """
    regret = audit.swap_regret
    return [
        Figure("mean cost of a decision", number_text(audit.mean_cost.value), interval_text(audit.mean_cost)),
        Figure(
            "beyond deciding the same for all",
            number_text(audit.beyond_constant.value),
            interval_text(audit.beyond_constant),
        ),
        Figure("lost to wrong decisions", number_text(regret.value), interval_text(regret)),
        Figure("rows", count_text(audit.rows), _worth(audit)),
    ]


def _worth(audit: Audit) -> str:
    if "clusters" in audit.given:
        return f"in {count_text(audit.units)} clusters"
    if audit.units < 0.995 * audit.rows:
        return f"by their weights worth {count_text(audit.units)}"
    return f"with {plural(len(audit.groups), 'group')}" if audit.groups else "each counted once"


# -- costs ---------------------------------------------------------------------------------------------


def cost_table(audit: Audit) -> Table:
    """The cost matrix as it was read; a large one is cut."""
    cost = audit.cost
    columns = ["decision", *(str(label) for label in cost.outcomes[:MOST])]
    rows = [
        [str(label), *(number_text(x, 6) for x in line[:MOST])]
        for label, line in zip(cost.decisions[:MOST], cost.costs.tolist(), strict=False)
    ]
    return Table(f"What each decision costs when each outcome happens{_cut(audit)}", columns, rows)


def _cut(audit: Audit) -> str:
    k, n = audit.cost.costs.shape
    return f" (the first {MOST} of {k} decisions and {n} outcomes)" if max(k, n) > MOST else ""


def cost_sentences(audit: Audit) -> list[tuple[str, str, str]]:
    """Decision, outcome and cost of the dearest cell and of its mirror, or the next dearest: a transposition shows.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> cost_sentences(ic.audit(cost, ["ok"], decisions=["keep"]))
    [('keep', 'bad', '5'), ('drop', 'ok', '1')]
    """
    cost = audit.cost
    k, n = cost.costs.shape
    dearest = [divmod(cell, n) for cell in (-cost.costs).argsort(axis=None, kind="stable").tolist()]
    r, y = dearest[0]
    mirrored = [(y, r)] if k == n and r != y else []
    others = [cell for cell in dearest if cell[0] != r]
    chosen = [(r, y), *(mirrored or others)[:1]]
    return [(str(cost.decisions[r]), str(cost.outcomes[y]), number_text(float(cost.costs[r, y]), 6)) for r, y in chosen]


def columns_table(audit: Audit) -> Table | None:
    """What was read from which column of a frame or file; None for an audit of arrays."""
    if not audit.columns:
        return None
    rows = []
    for what, column in audit.columns.items():
        if isinstance(column, dict):
            rows += [[f"probability of {outcome}", str(name)] for outcome, name in column.items()]
        else:
            rows.append([what, ", ".join(map(str, column)) if isinstance(column, list) else str(column)])
    return Table("What was read from which column", ["what", "column"], rows, numeric=False)


# -- what was found ------------------------------------------------------------------------------------


def certificate_table(audit: Audit) -> Table:
    """Each decision with its verdict and its gaps."""
    rows = []
    for verdict in audit.certificate.verdicts:
        gaps = sorted(verdict.gaps, key=lambda gap: gap.estimate.value)
        shown = sorted(gaps[:2], key=verdict.gaps.index) if verdict.rows else []
        said = "; ".join(
            f"{gap.instead}: {number_text(gap.estimate.value)} ({number_text(gap.low)} to {number_text(gap.high)})"
            for gap in shown
        )
        more = f"; {len(gaps) - 2} dearer ones" if len(gaps) > 2 and verdict.rows else ""
        share = percent_text(verdict.share)
        rows.append(
            [str(verdict.decision), count_text(verdict.rows), share, status_text(verdict), (said or "–") + more]
        )
    columns = [
        "decision",
        "rows",
        "share",
        "verdict",
        "what others would have cost beyond it (limits of the certificate)",
    ]
    return Table("The decisions one by one", columns, rows, numeric=False)


def measures_table(audit: Audit) -> Table:
    """Every estimate, with what it estimates."""
    rows = [
        [
            measure.name,
            number_text(estimate.value),
            interval_text(estimate),
            measure.unit,
            measure.estimand,
            measure.perfect,
        ]
        for measure, estimate in audit.readings().values()
    ]
    columns = ["measure", "value", "interval", "unit", "what it estimates", "perfect predictions have"]
    return Table(f"Every measure, with its {100 * audit.level:g} % interval", columns, rows, numeric=False)


def bins_table(audit: Audit) -> Table | None:
    """The bins of the score."""
    if audit.score_calibration is None:
        return None
    rows = [
        [
            f"{number_text(b.low)} to {number_text(b.high)}",
            percent_text(b.share),
            number_text(b.score),
            estimate_text(b.found),
            estimate_text(b.signed),
        ]
        for b in audit.score_calibration.bins
    ]
    columns = [
        "scores",
        "share",
        "mean score",
        "what outcomes ask for",
        "too high (+) or too low (−), in units of cost",
    ]
    return Table(f"The score in bins: {audit.score_calibration.binning}", columns, rows)


def groups_table(audit: Audit) -> Table | None:
    """Each group in a line."""
    if not audit.groups:
        return None
    own = len(audit.cost.decisions) <= 5
    decisions = [str(verdict.decision) for verdict in audit.certificate.verdicts]
    columns = ["group", "rows", "mean cost", "lost to wrong decisions", *(decisions if own else ["verdicts"])]
    rows = []
    for name, group in audit.groups.items():
        verdicts = {str(v.decision): v.status if v.rows else "never taken" for v in group.certificate.verdicts}
        listed = list(verdicts.values())
        counts = ", ".join(f"{listed.count(status)} {status}" for status in dict.fromkeys(listed))
        rows.append(
            [
                str(name),
                count_text(group.rows),
                estimate_text(group.mean_cost),
                f"{number_text(group.swap_regret.value)} ({interval_text(group.swap_regret)})",
                *([verdicts[d] for d in decisions] if own else [counts]),
            ]
        )
    level = next(iter(audit.groups.values())).level
    said = f"The groups; each at {100 * level:.4g} %, so that all hold together at {100 * audit.level:g} %"
    return Table(said, columns, rows, numeric=False)


def bounds_table(audit: Audit) -> Table | None:
    """What theory says of the bins."""
    if audit.bounds is None:
        return None
    rows = [
        [
            bound.name,
            f"{bound.about} ≤ {number_text(bound.value)}",
            "no" if bound.vacuous else "yes",
            ", ".join(bound.details()),
        ]
        for bound in audit.bounds
        if bound is not None
    ]
    return Table(
        "Bounds, with estimates for what they need", ["bound", "says", "informative", "with"], rows, numeric=False
    )


# -- how it was done -----------------------------------------------------------------------------------


def method_notes(audit: Audit) -> list[str]:
    """How everything was computed, in sentences."""
    level, settings = f"{100 * audit.level:g} %", audit.settings
    prop = audit.prop
    notes = [
        "A decision is right where it is taken if no other would have cost less on average there. "
        "Along an order of the decisions only its neighbours have to be compared with it; without one, all others.",
        f"The certificate: with probability {level} all its verdicts are true at once, and the share of rows with a "
        f"wrong decision is at most {percent_text(audit.certificate.most_wrong)}. Its limits are by "
        f"{audit.certificate.method}, and hold for any number of rows.",
        f"Every other interval holds at {level} by itself. A measure that cannot be negative has an upper limit only; "
        "where nothing is wrong such an estimate is above 0 by chance.",
    ]
    if prop.why:
        notes.append(f"The score: {prop.why[0].lower()}{prop.why[1:]}")
    if isinstance(prop, SmoothProperty) and len(prop.decisions) > 1:
        constant = f"K = {number_text(prop.lipschitz(audit.norm))} in L{_norm(audit.norm)}"
        times = f"{prop.smoothness(audit.norm):.3g} times the least that any such score can have"
        notes.append(f"Where probabilities move by 1 the score moves by at most {constant}, {times}.")
    if audit.reliability is not None:
        notes.append(
            "The reliability curve is the generalised isotonic fit, which is best at once for every loss that asks for "
            f"this score; its bands are from {plural(settings.resamples, 'resample')} (seed {settings.seed})."
        )
    if audit.grid != "no scores":
        binning = audit.score_calibration.binning if audit.score_calibration else ""
        notes.append(f"Scores were read on {audit.grid}; measures that need bins have {binning}.")
    if audit.distribution_calibration is not None:
        notes.append(f"Differences between distributions are measured in L{_norm(audit.norm)}.")
    return notes


def _norm(norm: float) -> str:
    return "∞" if math.isinf(norm) else f"{norm:g}"


def python_call(audit: Audit) -> str:
    """The Python that makes this audit and its page anew, but for the data.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, "1/3"], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> print(python_call(ic.audit(cost, ["ok", "bad"], decisions=["keep", "drop"])))
    import isocost as ic
    cost = ic.CostMatrix(
        [[0, '1/3'], [1, 0]],
        decisions=['keep', 'drop'],
        outcomes=['ok', 'bad'],
    )
    found = ic.audit(cost, y, decisions=decisions, bins=20, norm=1, level=0.95, resamples=200, seed=0)
    found.to_html("audit.html")
    """
    cost, settings = audit.cost, audit.settings
    table = [[x.numerator if x.denominator == 1 else str(x) for x in line] for line in cost.exact.tolist()]
    norm = "math.inf" if math.isinf(settings.norm) else f"{settings.norm:g}"
    given = ", ".join(f"{name}={name}" for name in audit.given)
    asked = f"bins={settings.bins}, norm={norm}, level={settings.level!r}, resamples={settings.resamples}"
    call = f"ic.audit(cost, y, {given}, {asked}, seed={settings.seed})"
    if audit.columns:
        read = ", ".join(f"{name}={column!r}" for name, column in audit.columns.items())
        call = f"ic.audit_frame(cost, frame, {read}, {asked}, seed={settings.seed})"
    elif audit.given == ("tally",):
        call = f"ic.audit_tally(tally, {asked}, seed={settings.seed})"
    elif audit.grid == "every score":
        call = call[:-1] + ", grid=None)"
    lines = [
        *(["import math"] if "math.inf" in call else []),
        "import isocost as ic",
        "cost = ic.CostMatrix(",
        f"    {table!r},",
        f"    decisions={list(cost.decisions)!r},",
        f"    outcomes={list(cost.outcomes)!r},",
        ")",
        f"found = {call}",
        'found.to_html("audit.html")',
    ]
    return "\n".join(lines)
