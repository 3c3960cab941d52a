"""fit: repair scores or decisions on labelled rows, and save the rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from isocost.cli.files import check_output, input_files
from isocost.cli.options import as_json, engine, force, prediction_columns, predictions, rows
from isocost.cli.screen import Screen, print_json, working
from isocost.cli.sources import Source
from isocost.cli.verbs import Verb

__all__ = ["fit"]


@click.command(
    cls=Verb, examples=("isocost fit costs.csv validation.csv --outcome y --probabilities 'p_*' -o rule.json",)
)
@click.argument("costs", type=click.Path(path_type=Path))
@predictions
@click.option("--outcome", required=True, metavar="COLUMN", help="Column of what happened.")
@prediction_columns
@click.option("--weight", metavar="COLUMN", help="Column of weights, at least 0.")
@rows
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, metavar="FILE", help="The rule: a json file."
)
@engine
@force
@as_json
def fit(
    costs: Path,
    predictions: tuple[str, ...],
    outcome: str,
    probabilities: tuple[str, ...],
    score: tuple[str, ...],
    weight: str | None,
    rows: Any,
    output: Path,
    memory_limit: str | None,
    threads: int | None,
    force: bool,
    as_json: bool,
) -> None:
    """Fit a rule that turns predictions into decisions, and save it.

    Scores of one number are recalibrated by generalised isotonic regression, for the property of the cost matrix;
    where the cost matrix needs several numbers, decisions are swapped for better ones. Use rows that the model was not
    trained on, and audit the rule on yet others.
    """
    from isocost.costs import CostMatrix
    from isocost.frames.files import fit_files

    source = Source(input_files(predictions), probabilities, score)
    check_output(output, [costs, *source.paths], force)
    cost = CostMatrix.read(costs, rows=rows)
    with working("Fitting") as progress:
        rule = fit_files(
            cost,
            source.paths,
            outcome=outcome,
            weight=weight,
            memory_limit=memory_limit,
            threads=threads,
            progress=progress,
            **source.columns(cost.outcomes),
        )
    rule.save(output, overwrite=force)
    print(rule)
