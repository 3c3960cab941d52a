"""apply: a score and a decision for each row of new predictions."""

from __future__ import annotations

from pathlib import Path

import click

from isocost.cli.files import check_output
from isocost.cli.options import as_json, engine, force, prediction_columns, predictions
from isocost.cli.screen import Screen, print_json, working
from isocost.cli.sources import Source
from isocost.cli.verbs import Verb

__all__ = ["apply"]


@click.command(
    cls=Verb,
    examples=(
        "isocost apply rule.json predictions.csv --probabilities 'p_*' -o decisions.csv",
        "isocost apply rule.json 'part-*.parquet' --probabilities 'p_*' -o decisions.parquet --memory-limit 2GB",
    ),
)
@click.argument("rule", type=click.Path(path_type=Path))
@predictions
@prediction_columns
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, metavar="FILE", help="A csv or Parquet file."
)
@engine
@force
@as_json
def apply(
    rule: Path,
    predictions: tuple[str, ...],
    probabilities: tuple[str, ...],
    score: tuple[str, ...],
    output: Path,
    memory_limit: str | None,
    threads: int | None,
    force: bool,
    as_json: bool,
) -> None:
    """Apply a rule to new predictions.

    RULE is a file that fit wrote. The output has all columns of the predictions, and score and decision after them.
    """
    from isocost.frames.files import apply_files
    from isocost.rule import DecisionRule

    source = Source.of(predictions, probabilities, score)
    check_output(output, [rule, *source.paths], force)
    loaded = DecisionRule.load(rule)
    columns = source.columns(loaded.outcomes)
    with working("Applying") as progress:
        rows = apply_files(
            loaded,
            source.paths,
            output,
            overwrite=force,
            memory_limit=memory_limit,
            threads=threads,
            progress=progress,
            **columns,
        )
    if as_json:
        print_json(
            "apply", {"files": list(map(str, source.paths)), "rule": str(rule), "file": str(output), "rows": rows}
        )
    else:
        Screen().say(f"Decided {rows:,} rows: {output}")
