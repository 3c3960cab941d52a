"""The command line ``isocost``: one file a verb.

This file and ``python -m isocost`` need neither click nor rich, so that a missing extra is told in one line.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]

INTERRUPTED = 130  # 128 + SIGINT, as shells count


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        ``sys.argv[1:]`` where absent.

    Returns
    -------
    int
        0 fine, 1 bad input, 2 wrong usage, 3 a threshold was exceeded, 130 interrupted.
    """
    try:
        try:
            import click  # noqa: F401
            import rich  # noqa: F401
        except ImportError:
            print("isocost: the command line needs click and rich: pip install 'isocost[cli]'", file=sys.stderr)
            return 1
        from isocost.cli.app import run

        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
