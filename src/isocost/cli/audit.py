"""audit: what decisions cost on real outcomes, and whether each is right where it is taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from isocost.cli.files import check_output
from isocost.cli.options import as_json, engine, force, norm, prediction_columns, predictions, rows
from isocost.cli.screen import Screen, print_json, working
from isocost.cli.sources import Source
from isocost.cli.verbs import Verb

__all__ = ["audit"]


@click.command(
    cls=Verb,
    examples=(
        "isocost audit costs.csv predictions.csv --outcome y --probabilities 'p_*'",
        "isocost audit costs.csv 'part-*.parquet' --outcome y --probabilities 'p_*' --group site --html audit.html",
        "isocost audit costs.csv decisions.csv --outcome y --decision decision --max-regret 0.05",
    ),
)
@click.argument("costs", type=click.Path(path_type=Path))
@predictions
@click.option("--outcome", required=True, metavar="COLUMN", help="Column of what happened.")
@prediction_columns
@click.option("--decision", metavar="COLUMN", help="Column of the decisions taken, where others were taken.")
@click.option("--weight", metavar="COLUMN", help="Column of weights, at least 0.")
@click.option("--group", metavar="COLUMN", help="Column of groups; each is audited too.")
@rows
@click.option(
    "--html", type=click.Path(path_type=Path), metavar="FILE", help="Write the audit as one self-contained page."
)
@click.option("--title", help="Title of the page.")
@click.option("--note", help="Shown under the title of the page, such as where the data come from.")
@click.option("--max-cost", type=float, metavar="X", help="Exit with 3 if the mean cost may be above X.")
@click.option("--max-regret", type=float, metavar="X", help="Exit with 3 if the swap regret may be above X.")
@click.option("--max-wrong", type=float, metavar="SHARE", help="Exit with 3 if more rows may have a wrong decision.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Of every interval, between 0 and 1.")
@click.option("--bins", type=int, default=20, show_default=True, help="Of the score, for measures that need bins.")
@norm
@click.option("--seed", type=int, default=0, show_default=True, help="For the bands of the reliability curve.")
@engine
@force
@as_json
@click.pass_context
def audit(
    context: click.Context,
    /,
    costs: Path,
    predictions: tuple[str, ...],
    outcome: str,
    probabilities: tuple[str, ...],
    score: tuple[str, ...],
    decision: str | None,
    weight: str | None,
    group: str | None,
    rows: Any,
    html: Path | None,
    title: str | None,
    note: str | None,
    max_cost: float | None,
    max_regret: float | None,
    max_wrong: float | None,
    memory_limit: str | None,
    threads: int | None,
    force: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Audit decisions against what happened.

    COSTS is the cost matrix, as for inspect. PREDICTIONS are one or more csv, tsv, Parquet or json files, or globs,
    with the outcome of each row and probabilities, a score or the decisions taken. They are summed up where they lie:
    files larger than memory are fine.

    The exit code is 3 if a --max-... limit may be exceeded: what counts is the upper end of the interval, so that a
    limit that is kept is kept with the probability --level.
    """
    from isocost.cli.findings import pairing_in_words, show_audit, thresholds_of
    from isocost.costs import CostMatrix
    from isocost.frames.files import audit_files

    source = Source.of(predictions, probabilities, score, decision)
    check_output(html, [costs, *source.paths], force)
    cost = CostMatrix.read(costs, rows=rows)
    with working("Auditing") as progress:
        found = audit_files(
            cost,
            source.paths,
            outcome=outcome,
            weight=weight,
            group=group,
            memory_limit=memory_limit,
            threads=threads,
            progress=progress,
            **source.columns(cost.outcomes),
            **settings,
        )
    thresholds = thresholds_of(found, {"max_cost": max_cost, "max_regret": max_regret, "max_wrong": max_wrong})
    if html is not None:
        found.to_html(html, overwrite=force, command=context.meta["command"], title=title, note=note)
    if as_json:
        asked = {t.option: {"limit": t.limit, "found": t.found, "exceeded": t.exceeded} for t in thresholds}
        page = None if html is None else str(html)
        print_json(
            "audit", {"files": list(map(str, source.paths)), **found.to_dict(), "thresholds": asked, "page": page}
        )
    else:
        screen = Screen()
        screen.heading(
            f"{', '.join(map(str, source.paths[:3]))}{', …' if source.paths[3:] else ''}: {found.rows:,} rows"
        )
        screen.say(f"Read: {pairing_in_words(found.columns or {})}.")
        screen.say(f"Costs: {cost.describe_cell()}.")
        show_audit(screen, found)
        if html is not None:
            screen.heading("Page")
            screen.lines(str(html))
    for threshold in thresholds:
        if threshold.exceeded:
            click.echo(f"isocost: {threshold.option} {threshold.limit:g} may be exceeded: {threshold.says}", err=True)
    context.exit(3 if any(threshold.exceeded for threshold in thresholds) else 0)
