"""paper: every number of the paper recomputed, and each of its errata."""

from __future__ import annotations

from pathlib import Path

import click

from isocost.cli.options import as_json, force
from isocost.cli.screen import Screen, print_json, working
from isocost.cli.verbs import Verb

__all__ = ["paper"]


@click.command(cls=Verb, examples=("isocost paper", "isocost paper --output paper"))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write the figures, the table and all numbers there; it is made if need be.",
)
@force
@as_json
@click.pass_context
def paper(context: click.Context, /, output: Path | None, force: bool, as_json: bool) -> None:
    """Recompute every number and figure of the paper, and show its errata.

    The paper is "Smoothed Elicitation Complexity for Approximate Γ-calibration of Discrete Classification Tasks" by
    Finocchiaro, Ganson and Khurana. The exit code is 1 if anything does not come out as it should.
    """
    from isocost.paper import reproduce
    from isocost.paper.files import write_reproduction
    from isocost.paper.table import summary, table_text

    with working("Recomputing the paper"):
        checks = reproduce()
        written = [] if output is None else write_reproduction(output, checks, force)
    passed = all(check.passed for check in checks)
    if as_json:
        print_json("paper", {"passed": passed, "files": list(map(str, written)), "checks": checks})
    elif written:
        screen = Screen()
        screen.say(f"{summary(checks)}.")
        screen.lines("\n".join(map(str, written)))
    else:
        screen = Screen()
        screen.lines(table_text(checks, screen.room(120)))
    context.exit(0 if passed else 1)
