"""Options that several verbs share."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import click

__all__ = ["as_json", "engine", "force", "interior", "norm", "prediction_columns", "predictions", "rows"]

AnyFunction = Callable[..., Any]


def _number_of_norm(_ctx: click.Context, _option: click.Parameter, value: str) -> float:
    return {"1": 1.0, "2": 2.0, "inf": math.inf}[value]


def _number_as_text(_ctx: click.Context, _option: click.Parameter, value: Any) -> Any:
    """The text itself, so that 0.1 means one tenth, if it is a number."""
    try:
        if value is not None:
            Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(f"{value!r} is not a number.") from None
    return value


def _size(_ctx: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch(r"\d+(\.\d+)? *[kmgt]?i?b", value, re.IGNORECASE):
        raise click.BadParameter(f"{value!r} is not a size, such as 500MB or 2GB.")
    return value


def prediction_columns(command: AnyFunction) -> AnyFunction:
    """Options for the columns of the predictions."""
    score = click.option(
        "--score",
        multiple=True,
        metavar="COLUMN",
        help="Column of the score; once for each number of a score of several.",
    )
    probabilities = click.option(
        "--probabilities",
        multiple=True,
        metavar="PATTERN|OUTCOME=COLUMN",
        help="Columns of the probabilities: a pattern whose * stands for an outcome, such as 'p_*', or pairs.",
    )
    return probabilities(score(command))


def engine(command: AnyFunction) -> AnyFunction:
    """Options of whatever reads prediction files."""
    memory = click.option(
        "--memory-limit", metavar="SIZE", callback=_size, help="Memory to use at most, such as 2GB; more goes to disk."
    )
    threads = click.option("--threads", type=click.IntRange(min=1), help="Threads to use. [default: all]")
    return memory(threads(command))


predictions = click.argument("predictions", nargs=-1, required=True)
rows = click.option(
    "--rows",
    type=click.Choice(["decisions", "outcomes"]),
    help="What the rows of the cost table are, where the file does not say so.",
)
norm = click.option(
    "--norm",
    type=click.Choice(["1", "2", "inf"]),
    default="1",
    show_default=True,
    callback=_number_of_norm,
    help="Norm in which probabilities are compared.",
)
interior = click.option(
    "--interior",
    metavar="NUMBER",
    callback=_number_as_text,
    help="Ask for the order only where no probability is below this, such as 0.01.",
)
force = click.option("--force", is_flag=True, help="Overwrite an existing output file.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
