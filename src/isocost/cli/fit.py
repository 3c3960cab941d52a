"""fit: repair scores or decisions on labelled rows, and save the rule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from isocost.cli.files import check_output
from isocost.cli.options import as_json, engine, force, prediction_columns, predictions, rows
from isocost.cli.screen import Screen, print_json, working
from isocost.cli.sources import Source
from isocost.cli.verbs import Verb
from isocost.recalibrate import IsotonicRecalibrator

if TYPE_CHECKING:
    from isocost.rule import DecisionRule

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

    source = Source.of(predictions, probabilities, score)
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
    if as_json:
        print_json("fit", {"files": list(map(str, source.paths)), "rule": str(output), **_facts(rule)})
        return
    screen = Screen()
    screen.say(f"Fitted on {rule.fit_size or 0:,} rows of {', '.join(map(str, source.paths))}.")
    screen.say(_score_in_words(rule))
    screen.say(_repair_in_words(rule))
    screen.say(f"Decisions: {', '.join(map(str, rule.decisions))}.")
    screen.say(f"Rule: {output}")


def _facts(rule: DecisionRule) -> dict[str, Any]:
    fitted = rule.recalibration
    blocks = len(fitted.values_) if isinstance(fitted, IsotonicRecalibrator) else None
    return {
        "rows": rule.fit_size,
        "property": {"method": rule.prop.method, "dimension": rule.prop.dimension, "why": rule.prop.why},
        "decisions": rule.decisions,
        "outcomes": rule.outcomes,
        "recalibration": None if fitted is None else {"method": type(fitted).__name__, "blocks": blocks},
        "swap": None if rule.swap is None else rule.swap.map_,
    }


def _score_in_words(rule: DecisionRule) -> str:
    numbers = "one number" if rule.prop.dimension == 1 else f"{rule.prop.dimension} numbers"
    return f"Score: {rule.prop.method}, {numbers}; isocost inspect says why."


def _repair_in_words(rule: DecisionRule) -> str:
    said = []
    if isinstance(rule.recalibration, IsotonicRecalibrator):
        said.append(f"Scores are recalibrated by isotonic regression, in {len(rule.recalibration.values_)} blocks.")
    elif rule.recalibration is not None:
        said.append(f"Scores are recalibrated by {type(rule.recalibration).__name__}.")
    if rule.swap is not None:
        swaps = [f"{given} by {better}" for given, better in rule.swap.map_.items() if given != better]
        said.append(f"Decisions are swapped: {', '.join(swaps)}." if swaps else "No decision is swapped for another.")
    return " ".join(said) or "Nothing is recalibrated."
