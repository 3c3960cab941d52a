"""The program: its verbs, and what becomes of errors."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

import click

import isocost
from isocost.cli import INTERRUPTED
from isocost.cli.apply import apply
from isocost.cli.audit import audit
from isocost.cli.demo import demo
from isocost.cli.export import export
from isocost.cli.fit import fit
from isocost.cli.inspect import inspect
from isocost.cli.interruption import interruption_insists
from isocost.cli.paper import paper
from isocost.cli.verbs import PipeClosed

__all__ = ["app", "run"]


class Program(click.Group):
    """Verbs in the order of the work, not of the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Names of the verbs."""
        return list(self.commands)


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(isocost.__version__, prog_name="isocost", message="%(prog)s %(version)s")
def app() -> None:
    """From a cost matrix to calibrated decisions.

    A cost matrix says what each decision costs under each outcome. inspect tells whether one number can carry the
    decision; audit tells what decisions cost and whether they are right where they are taken; fit repairs scores and
    makes a rule; apply and export take the rule to new data.
    """


for verb in (inspect, audit, fit, apply, export, demo, paper):
    app.add_command(verb)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code; whatever goes wrong is told in a line or two on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows no "Γ" shows a "?"
    try:
        with interruption_insists():
            code = app.main(None if arguments is None else list(arguments), prog_name="isocost", standalone_mode=False)
        _flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _flush() -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError as error:
        raise PipeClosed from error
