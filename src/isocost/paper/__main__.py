"""``python -m isocost.paper``: print the reproduction; the exit status is 1 if any check fails."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path

from isocost.exceptions import IsocostError
from isocost.paper import reproduce
from isocost.paper.files import write_reproduction
from isocost.paper.table import table_text

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Print the table, or write it with the figures; 0 when every check passes, else 1.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the command line where absent.
    """
    parser = argparse.ArgumentParser(prog="python -m isocost.paper", description="The paper, recomputed.")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write the figures and all numbers there")
    parser.add_argument("--force", action="store_true", help="overwrite the files of an earlier run")
    options = parser.parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # the table is full of Greek, whatever the locale says
    checks = reproduce()
    if options.out is None:
        print(table_text(checks))
    else:
        try:
            written = write_reproduction(options.out, checks, options.force)
        except (IsocostError, ImportError, OSError) as error:
            print(f"{error}".replace("overwrite=True", "--force"), file=sys.stderr)
            return 1
        print(*written, sep="\n")
    return 0 if all(check.passed for check in checks) else 1


if __name__ == "__main__":
    sys.exit(main())
