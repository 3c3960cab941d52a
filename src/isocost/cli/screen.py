"""What a verb prints: prose, tables, progress; or one JSON object.

Colours are for terminals only and none are used where NO_COLOR is set; nothing is told by colour alone.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

import isocost
from isocost.plain import to_plain

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

__all__ = ["Screen", "print_json", "working"]

FORM = 1  # of the JSON objects; goes up when a name in them goes or changes its meaning
UNCUT = 10_000  # columns of a pipe: who reads it folds lines as he likes


class Screen:
    """Standard output for people to read: a terminal, or a pipe that is never made to fold a table."""

    def __init__(self) -> None:
        console = _console(stderr=False)
        self.width = console.width if console.is_terminal else max(80, shutil.get_terminal_size().columns)
        if not console.is_terminal:
            console.width = UNCUT
        self._console = console
        self._begun = False

    def room(self, wish: int) -> int:
        """Columns to use: as many as wished but on a narrower terminal."""
        return min(wish, self._console.width)

    def say(self, text: str = "") -> None:
        """Print prose, wrapped at words, at most 100 columns wide."""
        self._print(self._wrapped(text))

    def heading(self, text: str) -> None:
        """Print a heading, after an empty line if it is not the first."""
        self._print(("\n" if self._begun else "") + self._wrapped(text), "bold")

    def banner(self, text: str) -> None:
        """Print a heading above headings."""
        self.heading(text)
        self._print("━" * min(len(text), self.width), "bold")

    def command(self, text: str) -> None:
        """Print a command line as it is typed, continued on lines of its own where it is long."""
        lines = [""]
        for part in re.split(r" (?=--[a-z])", text):
            if lines[-1] and len(lines[-1]) + len(part) > self.width - 5:
                lines.append(part)
            else:
                lines[-1] = f"{lines[-1]} {part}".strip()
        self._print("$ " + " \\\n    ".join(lines), "cyan")

    def lines(self, text: str) -> None:
        """Print lines as they are."""
        self._print(text)

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> None:
        """Print a table; columns are right-aligned but those in `left`; a terminal too narrow folds cells."""
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        for i, name in enumerate(header):
            table.add_column(name, justify="left" if i in left else "right", overflow="fold")
        for row in rows:
            table.add_row(*(Text(cell, style=STYLES.get(cell, "")) for cell in row))
        self._print(table, soft_wrap=False)

    def _wrapped(self, text: str) -> str:
        return textwrap.fill(text, min(self.width, 100), break_long_words=False, break_on_hyphens=False)

    def _print(self, what: RenderableType, style: str | None = None, soft_wrap: bool = True) -> None:
        # Rendered first and written here, so that trailing spaces go, and a closed pipe is for us to tell.
        with self._console.capture() as captured:
            self._console.print(what, style=style, soft_wrap=soft_wrap)
        for line in captured.get().removesuffix("\n").split("\n"):
            sys.stdout.write(f"{line.rstrip()}\n")
        self._begun = True


# Words that have a colour on a terminal.
STYLES = {
    "certified": "green",
    "agrees": "green",
    "miscalibrated": "bold red",
    "FAILED": "bold red",
    "undecided": "yellow",
    "erratum": "yellow",
}


def print_json(verb: str, content: dict[str, Any]) -> None:
    """Print one JSON object in UTF-8, without NaN or Infinity, with what made it first."""
    whole = {"isocost": isocost.__version__, "verb": verb, "form": FORM, **content}
    text = json.dumps(to_plain(whole), ensure_ascii=False, allow_nan=False, indent=2)
    click.echo(text.encode("utf-8") + b"\n", nl=False)


@contextmanager
def working(what: str) -> Iterator[Callable[[float], None]]:
    """Show a progress bar on stderr while something long runs; nothing where stderr is no terminal.

    Parameters
    ----------
    what : str
        A few words.

    Yields
    ------
    callable
        Takes the share that is done, from 0 to 1; until it is first called the bar only moves.
    """
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=_console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=None)
        yield lambda share: bar.update(task, total=1.0, completed=share)


def _console(stderr: bool) -> Console:
    """A console that takes text as it is, and none of whose escape codes appear where NO_COLOR is set."""
    from rich.console import Console

    colours: Any = None if os.environ.get("NO_COLOR") else "auto"
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False, color_system=colours)
