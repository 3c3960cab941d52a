"""Settings of the whole suite: one fixed hypothesis profile, and one line on missing programs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "fixed",
    derandomize=True,
    deadline=None,
    max_examples=60,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("ISOCOST_HYPOTHESIS", "fixed"))


def require_program(name: str) -> str:
    """Path of a program; a missing one skips the test, or fails it where ISOCOST_REQUIRE=all."""
    debian = ":".join(map(str, Path("/usr/lib/postgresql").glob("*/bin")))
    path = shutil.which(name) or shutil.which(name, path=debian)
    if path is not None:
        return path
    if os.environ.get("ISOCOST_REQUIRE") == "all":
        pytest.fail(f"the program {name} is missing; packages.txt lists what .ci/run installs")
    pytest.skip(f"the program {name} is missing")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if "the program" in str(report.longrepr)]
    if skipped:
        names = sorted({str(report.longrepr).partition("the program ")[2].partition(" is")[0] for report in skipped})
        terminalreporter.write_line(f"isocost: {len(skipped)} tests skipped for want of {', '.join(names)}")
