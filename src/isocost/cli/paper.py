"""paper: every number of the paper recomputed, and each of its errata."""

from __future__ import annotations

import click

from isocost.cli.options import as_json
from isocost.cli.screen import Screen, print_json, working
from isocost.cli.verbs import Verb

__all__ = ["paper"]


@click.command(cls=Verb, examples=("isocost paper",))
@as_json
@click.pass_context
def paper(context: click.Context, as_json: bool) -> None:
    """Recompute every number and figure of the paper, and show its errata.

    The paper is "Smoothed Elicitation Complexity for Approximate Γ-calibration of Discrete Classification Tasks" by
    Finocchiaro, Ganson and Khurana. The exit code is 1 if anything does not come out as it should.
    """
    from isocost.paper import reproduce
    from isocost.paper.table import table_text

    with working("Recomputing the paper"):
        checks = reproduce()
    passed = all(check.passed for check in checks)
    if as_json:
        print_json(
            "paper",
            {
                "passed": passed,
                "checks": [
                    {
                        "group": c.group,
                        "name": c.name,
                        "where": c.where,
                        "written": c.written,
                        "computed": c.computed,
                        "verdict": str(c.verdict),
                        "note": c.note,
                    }
                    for c in checks
                ],
            },
        )
    else:
        screen = Screen()
        screen.lines(table_text(checks, screen.room(120)))
    context.exit(0 if passed else 1)
