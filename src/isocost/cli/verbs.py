"""What all verbs share: their help with an example, --debug, and errors without a traceback."""

from __future__ import annotations

import os
import re
import shlex
import sys
from typing import Any

import click

from isocost.exceptions import IsocostError

__all__ = ["BadInput", "PipeClosed", "Verb", "as_typed"]


SAID_OTHERWISE = (
    (r"; cost\.decide\(P\) decides from the probabilities themselves", ""),
    (r"(ic\.)?linear\(cost\)", "--method linear"),
    (r"\bsmooth\(cost, ([^)]*)\)", r"\1"),
    (r"\boverwrite=True", "--force"),
    (r"\b(method|interior|rows|slack|norm|bins|level|memory_limit|threads)=\"?([\w.]+)\"?", r"--\1 \2"),
    (r"--memory_limit", "--memory-limit"),
    (r"\bthe frame has\b", "the input has"),
)


class BadInput(click.ClickException):
    """Something that was given cannot be used: exit code 1."""

    exit_code = 1

    def show(self, file: Any = None) -> None:
        """Print the message to stderr."""
        click.echo(f"isocost: {self.message}", file=file, err=True)


class PipeClosed(click.ClickException):
    """Whoever read the output, such as head, has enough: told to nobody."""

    exit_code = 141  # 128 + SIGPIPE, as shells count

    def __init__(self) -> None:
        super().__init__("the output is closed")

    def show(self, file: Any = None) -> None:  # noqa: ARG002
        """Keep what is still buffered from being flushed into the closed pipe."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Verb(click.Command):
    """A command with examples in its help, whose errors are one line on stderr unless --debug is given.

    Parameters
    ----------
    examples : tuple of str
        Command lines, shown in the help; tests run them.
    """

    def __init__(self, *args: Any, examples: tuple[str, ...] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.examples = examples
        self.params.append(
            click.Option(["--debug"], is_flag=True, expose_value=False, callback=_keep_debug, help="Show tracebacks.")
        )

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples as they are typed."""
        with formatter.section("Examples" if len(self.examples) > 1 else "Example"):
            for line in self.examples:
                formatter.write(f"  {line}\n")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the command line as it was typed, for whoever wants to repeat it."""
        ctx.meta["command"] = shlex.join(["isocost", str(self.name), *args])
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except BrokenPipeError as error:
            raise PipeClosed from error
        except Exception as error:
            if ctx.meta.get("debug"):
                raise
            raise BadInput(_message(error)) from error


def _keep_debug(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    ctx.meta["debug"] = value


def as_typed(text: str) -> str:
    """Words for people who write Python, in those of the command line.

    Examples
    --------
    >>> as_typed('pass rows="outcomes" or smooth(cost, interior=0.01)')
    'pass --rows outcomes or --interior 0.01'
    """
    for python, typed in SAID_OTHERWISE:
        text = re.sub(python, typed, text)
    return text


def _message(error: Exception) -> str:
    if isinstance(error, (IsocostError, ImportError)):
        return as_typed(str(error))
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)
    return f"{type(error).__name__}: {error}. isocost did not expect this; --debug shows where it happened"
