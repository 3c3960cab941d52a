"""The installed program: help, exit codes, pipes, colours, completion, interruption, errors it did not expect."""

from __future__ import annotations

import json
import os
import pty
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

import isocost as ic
from isocost.cli.app import app
from isocost.cli.interruption import interruption_insists
from isocost.cli.verbs import Verb
from tests.cli.commands import COSTS, INSTALLED, installed, line_of_error, typed

VERBS = list(app.commands)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("a folder with spaces")
    (path / "costs.csv").write_text(COSTS, encoding="utf-8")
    return path


@pytest.mark.parametrize("verb", VERBS)
def test_help_says_what_a_verb_does_with_an_example(verb: str) -> None:
    done = typed(verb, "--help")
    assert done.exit_code == 0
    assert f"isocost {verb}" in done.stdout.partition("Example")[2]
    command = app.commands[verb]
    assert isinstance(command, Verb) and command.help
    assert all(option.help for option in command.params if isinstance(option, click.Option))
    assert {"--debug", "--help"} <= {
        name for option in command.get_params(click.Context(command)) for name in option.opts
    }


def test_the_program_alone_lists_its_verbs() -> None:
    listed = typed("--help").stdout.partition("Commands:")[2]
    assert [line.split()[0] for line in listed.strip().splitlines()] == VERBS
    assert typed("--version").stdout == f"isocost {ic.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [((), "Commands:"), (("inspekt",), "Did you mean 'inspect'"), (("inspect",), "Missing argument 'COSTS'")],
)
def test_wrong_usage_exits_with_2(arguments: tuple[str, ...], words: str) -> None:
    assert words in line_of_error(*arguments, code=2)


def test_installed_command(folder: Path) -> None:
    """Text has no colour codes in a pipe; JSON is UTF-8 whatever the locale; errors go to stderr."""
    done = installed("inspect", "costs.csv", folder=folder, LC_ALL="C", PYTHONIOENCODING="ascii")
    assert done.returncode == 0 and done.stderr == b""
    assert b"\x1b" not in done.stdout and b"wait < test < treat" in done.stdout and b"L?" in done.stdout
    (folder / "named.csv").write_text("decision,é\nà,1\n", encoding="utf-8")
    done = installed("inspect", "named.csv", "--json", folder=folder, LC_ALL="C", PYTHONIOENCODING="ascii")
    assert json.loads(done.stdout.decode("utf-8"))["outcomes"] == ["é"]
    done = installed("inspect", "no.csv", folder=folder)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"isocost: no.csv: No such file or directory\n"


def test_module_without_click_names_the_extra(folder: Path) -> None:
    code = "import sys; sys.modules['click'] = None; import runpy; runpy.run_module('isocost', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "isocost: the command line needs click and rich: pip install 'isocost[cli]'\n"


@pytest.mark.parametrize("no_color", [False, True])
def test_colours_on_a_terminal_unless_refused(folder: Path, no_color: bool) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm-256color"}
    if no_color:
        environment["NO_COLOR"] = "1"
    shown = on_a_terminal(["inspect", "costs.csv"], folder, environment)
    assert b"wait < test < treat" in shown
    assert (b"\x1b[" in shown) is not no_color


def on_a_terminal(arguments: list[str], folder: Path, environment: dict[str, str]) -> bytes:
    """What the command writes to a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [INSTALLED, *arguments], cwd=folder, env=environment, stdout=theirs, stderr=theirs
    ) as running:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        running.wait(60)
    os.close(ours)
    return shown


def test_a_reader_that_has_enough_ends_it_quietly(folder: Path) -> None:
    rows = "\n".join(f"d{i},{i},{i * i}" for i in range(3000))
    (folder / "many.csv").write_text(f"decision,a,b\n{rows}\n", encoding="utf-8")
    line = f"{shlex.quote(str(INSTALLED))} inspect many.csv | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "many.csv: 3000 decisions (rows), 2 outcomes (columns)\n"
    assert (done.returncode, done.stderr) == (141, "")


def test_interruption_is_quiet(folder: Path) -> None:
    with subprocess.Popen(
        [INSTALLED, "paper"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as running:
        time.sleep(1.5)
        os.killpg(running.pid, signal.SIGINT)
        shown, told = running.communicate(timeout=60)
    assert (running.returncode, shown, told.strip()) == (130, b"", b"")


def test_interruption_leaves_no_half_of_an_output(folder: Path) -> None:
    """Ctrl-C while three million rows are being written."""
    import duckdb

    cost = ic.CostMatrix.read(folder / "costs.csv")
    ic.DecisionRule(ic.smooth(cost)).save(folder / "rule.json")
    rows = "SELECT 0.25 AS p_mild, 0.25 AS p_moderate, 0.5 AS p_severe, i AS id FROM range(3000000) AS r(i)"
    duckdb.connect().execute(f"COPY ({rows}) TO '{folder / 'many.parquet'}'")
    (folder / "out").mkdir()
    command = ["apply", "rule.json", "many.parquet", "--probabilities", "p_*", "-o", "out/decided.csv"]
    with subprocess.Popen([INSTALLED, *command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        deadline = time.monotonic() + 60
        while not any((folder / "out").iterdir()) and running.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert running.poll() is None
        running.send_signal(signal.SIGINT)
        shown, told = running.communicate(timeout=60)
    assert (running.returncode, shown, told.strip()) == (130, b"", b"")
    assert list((folder / "out").iterdir()) == []


def test_interruption_in_a_finaliser_is_not_lost() -> None:
    """Python ignores exceptions there; without interruption.py the loop goes on to its end."""

    class Finalised:
        def __del__(self) -> None:
            raise KeyboardInterrupt

    def wait() -> None:
        Finalised()
        for _ in range(1000):
            time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt), interruption_insists():
        wait()


def test_completion_in_bash(folder: Path) -> None:
    """The script that the documentation tells to source completes verbs, options and choices."""
    script = installed(folder=folder, _ISOCOST_COMPLETE="bash_source").stdout.decode()
    assert "complete -o nosort -F _isocost_completion isocost" in script
    ask = """
PATH={where}:$PATH; eval "$(_ISOCOST_COMPLETE=bash_source isocost)"
COMP_WORDS=({words}); COMP_CWORD={place}; _isocost_completion isocost; printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    for words, place, expected in (
        ("isocost insp", 1, ["inspect"]),
        ("isocost inspect --met", 2, ["--method"]),
        ("isocost inspect --method e", 3, ["embedding"]),
    ):
        line = ask.format(where=shlex.quote(str(INSTALLED.parent)), words=words, place=place)
        done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
        assert done.stdout.split() == expected, done.stderr


def test_an_error_nobody_expected_is_told_in_one_line_and_shown_with_debug(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("knot")

    monkeypatch.setattr(ic.CostMatrix, "read", broken)
    assert "KeyError: 'knot'" in line_of_error("inspect", folder / "costs.csv")
    assert "--debug shows where" in line_of_error("inspect", folder / "costs.csv")
    assert isinstance(typed("inspect", folder / "costs.csv", "--debug").exception, KeyError)
