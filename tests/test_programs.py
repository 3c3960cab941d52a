"""The programs that later rooms drive (browser, JVM, database) are here, or their absence is told."""

from __future__ import annotations

import subprocess

import pytest

from tests.conftest import require_program


@pytest.mark.parametrize(
    ("program", "option", "answer"),
    [
        ("chromium", "--version", "Chromium"),
        ("java", "-version", "version"),
        ("initdb", "--version", "PostgreSQL"),
    ],
)
def test_program_answers(program: str, option: str, answer: str) -> None:
    path = require_program(program)
    done = subprocess.run([path, option], capture_output=True, text=True, timeout=60, check=False)
    assert answer in done.stdout + done.stderr


def test_a_missing_program_is_a_skip_or_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ISOCOST_REQUIRE", "")
    with pytest.raises(pytest.skip.Exception, match="no-such-program is missing"):
        require_program("no-such-program")
    monkeypatch.setenv("ISOCOST_REQUIRE", "all")
    with pytest.raises(pytest.fail.Exception, match="no-such-program is missing"):
        require_program("no-such-program")
