"""Running the command: in this process for the many small cases, and as installed where that is what is tested."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from isocost.cli.app import app

__all__ = ["COSTS", "INSTALLED", "installed", "json_of", "line_of_error", "typed"]

INSTALLED = Path(sys.executable).with_name("isocost")
COSTS = "decision,mild,moderate,severe\nwait,0,3,5\ntest,1,0,3\ntreat,3,1,0\n"


def typed(*arguments: object) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(app, [str(x) for x in arguments], prog_name="isocost")


def json_of(*arguments: object) -> dict[str, Any]:
    """What the command prints with --json, which must be one object without NaN or Infinity."""
    done = typed(*arguments, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    content: dict[str, Any] = json.loads(done.stdout, parse_constant=_refuse)
    return content


def line_of_error(*arguments: object, code: int = 1) -> str:
    """The message of a command that must fail, in one line, without a traceback and with nothing printed."""
    done = typed(*arguments)
    assert done.exit_code == code, done.output
    assert done.stdout == "" and "Traceback" not in done.stderr
    if code == 1:
        assert done.stderr.startswith("isocost: ") and len(done.stderr.splitlines()) == 1
    return done.stderr.strip()


def installed(*arguments: object, folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the installed command in a folder, with its output piped."""
    return subprocess.run(
        [INSTALLED, *map(str, arguments)],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        timeout=120,
        check=False,
    )


def _refuse(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")
