"""export: a rule as SQL or ONNX."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from isocost.cli.columns import probability_columns
from isocost.cli.files import check_output
from isocost.cli.options import as_json, force, prediction_columns
from isocost.cli.screen import Screen, print_json
from isocost.cli.verbs import Verb

__all__ = ["export"]

DIALECTS = ("duckdb", "spark", "postgres", "bigquery", "snowflake")


@click.command(
    cls=Verb,
    examples=(
        "isocost export rule.json --sql duckdb --probabilities 'p_*'",
        "isocost export rule.json --sql postgres --score u --output decision.sql",
        "isocost export rule.json --onnx rule.onnx",
    ),
)
@click.argument("rule", type=click.Path(path_type=Path))
@click.option("--sql", "dialect", type=click.Choice(DIALECTS), help="Print the decision as one SQL expression.")
@click.option("--onnx", type=click.Path(path_type=Path), metavar="FILE", help="Write the rule as an ONNX graph.")
@prediction_columns
@click.option(
    "--gives",
    type=click.Choice(["decision", "score"]),
    default="decision",
    show_default=True,
    help="What the SQL expression gives.",
)
@click.option(
    "--takes",
    type=click.Choice(["probabilities", "score"]),
    default="probabilities",
    show_default=True,
    help="What the ONNX graph takes; a score is one before recalibration.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write the SQL there.")
@force
@as_json
def export(
    rule: Path,
    dialect: Any,
    onnx: Path | None,
    probabilities: tuple[str, ...],
    score: tuple[str, ...],
    gives: Any,
    takes: Any,
    output: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Write a rule as SQL or ONNX.

    RULE is a file that fit wrote. The SQL is one expression, for a SELECT list; it decides as the rule does in Python,
    to the bit. Without --probabilities and --score the columns are called as the outcomes.
    """
    from isocost.io import write_atomically
    from isocost.rule import DecisionRule

    if (dialect is None) == (onnx is None):
        raise click.UsageError("Say what to export to: --sql DIALECT or --onnx FILE, one of them.")
    if onnx is not None and (probabilities or score or output):
        raise click.UsageError("--probabilities, --score and --output go with --sql.")
    if probabilities and score:
        raise click.UsageError("--probabilities and --score exclude each other.")
    check_output(output or onnx, [rule], force)
    loaded = DecisionRule.load(rule)
    if onnx is not None:
        loaded.to_onnx(onnx, inputs=takes, overwrite=force)
        if as_json:
            print_json("export", {"rule": str(rule), "takes": takes, "onnx": str(onnx)})
        else:
            Screen().say(f"Wrote {onnx}.")
        return
    columns = score if len(score) > 1 else score[0] if score else None
    pairs = None if score else probability_columns(probabilities or ["*"], loaded.outcomes)
    sql = loaded.to_sql(dialect, probabilities=pairs, score=columns, output=gives)
    if output is not None:
        write_atomically(output, sql + "\n", force)
    if as_json:
        place = None if output is None else str(output)
        print_json("export", {"rule": str(rule), "dialect": dialect, "gives": gives, "sql": sql, "file": place})
    elif output is not None:
        Screen().say(f"Wrote {output}.")
    else:
        click.echo(sql)
