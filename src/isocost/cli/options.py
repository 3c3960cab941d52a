"""Options that several verbs share."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import click

__all__ = ["as_json", "force", "interior", "norm", "rows"]


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
