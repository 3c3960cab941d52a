"""The commands of docs/command_line.md print what the page shows."""

from __future__ import annotations

import contextlib
import doctest
import re
import shlex
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.commands import INSTALLED, typed

PAGE = Path(__file__).parent.parent.parent / "docs" / "command_line.md"
BLOCK = re.compile(r"^```(?P<kind>[a-z]+)(?: (?P<name>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Step(NamedTuple):
    """A command and what it prints."""

    command: str
    printed: str


def steps_of(text: str) -> list[Step]:
    """Commands, each after "$ ", with the lines that follow."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert parts[0].strip() == ""
    return [Step(command.strip(), printed) for command, _, printed in (part.partition("\n") for part in parts[1:])]


def printed_by(command: str, folder: Path) -> str:
    """What a command prints; in this process if it needs no shell."""
    with contextlib.chdir(folder):
        if command.startswith("isocost ") and not set("|>;&$") & set(command):
            return typed(*shlex.split(command)[1:]).output
        line = f"PATH={shlex.quote(str(INSTALLED.parent))}:$PATH; {command}"
        return subprocess.run(
            ["bash", "-c", line], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False
        ).stdout


def test_the_page_is_true(tmp_path: Path) -> None:
    folder, checked = tmp_path, 0
    for block in BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
        if block["name"]:
            (folder / block["name"]).write_text(block["text"], encoding="utf-8")
        if block["kind"] != "console":
            continue
        for step in steps_of(block["text"]):
            if step.command.startswith("cd "):
                folder = folder / step.command.removeprefix("cd ")
                continue
            found = printed_by(step.command, folder)
            if not doctest.OutputChecker().check_output(step.printed, found, OPTIONS):
                pytest.fail(f"$ {step.command}\n{found}\n-- but the page shows --\n{step.printed}")
            checked += 1
    assert checked >= 10
