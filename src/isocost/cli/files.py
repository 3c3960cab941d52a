"""Outputs overwrite nothing unasked, and never an input."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from isocost.cli.verbs import BadInput

__all__ = ["check_output"]


def check_output(path: Path | None, inputs: Iterable[Path], force: bool) -> None:
    """Refuse, before any work is done, an output that is an input, exists, or cannot be written.

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
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise BadInput(f"{path.parent} cannot be written to: {error.strerror}") from None
