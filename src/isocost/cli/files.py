"""Paths on the command line: several inputs and globs, and outputs that overwrite nothing unasked."""

from __future__ import annotations

import glob
from collections.abc import Iterable
from pathlib import Path

from isocost.cli.verbs import BadInput

__all__ = ["check_output", "input_files"]


def input_files(patterns: Iterable[str]) -> list[Path]:
    """Files by name or by glob (for shells that expand none, or quoted), in order, each once.

    Parameters
    ----------
    patterns : iterable of str
        A name that exists is itself, even if it has brackets or stars in it.
    """
    found: list[Path] = []
    for pattern in patterns:
        path = Path(pattern)
        if path.is_dir():
            raise BadInput(f"{path} is a folder; name its files, such as '{path}/*.parquet'")
        if path.exists():
            found.append(path)
            continue
        matches = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207, patterns may be absolute
        if not matches:
            raise BadInput(f"{pattern}: no such file" + (", and nothing matches it" if glob.has_magic(pattern) else ""))
        found += [Path(match) for match in matches if not Path(match).is_dir()]
    return list(dict.fromkeys(found))


def check_output(path: Path | None, inputs: Iterable[Path], force: bool) -> None:
    """Refuse, before any work is done, an output that is an input, exists, or lies in no folder.

    Parameters
    ----------
    path : Path or None
        None is fine.
    inputs : iterable of Path
    force : bool
        Whether an existing file may be overwritten; an input never may.
    """
    if path is None:
        return
    for other in inputs:
        if path.resolve() == other.resolve() or (path.exists() and other.exists() and path.samefile(other)):
            raise BadInput(f"{path} is an input of this command and is never overwritten; choose another output")
    if path.is_dir():
        raise BadInput(f"{path} is a folder; the output is a file, so give its name too")
    if path.exists() and not force:
        raise BadInput(f"{path} exists; choose another output or pass --force")
    if not path.parent.is_dir():
        raise BadInput(f"{path.parent} must be an existing folder; make it before writing {path.name}")
