"""``python -m isocost.paper``: print the reproduction; the exit status is 1 if any check fails."""

from __future__ import annotations

import io
import sys

from isocost.paper import reproduce
from isocost.paper.table import table_text

__all__ = ["main"]


def main() -> int:
    """Print the table; 0 when every check passes, else 1."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # the table is full of Greek, whatever the locale says
    checks = reproduce()
    print(table_text(checks))
    return 0 if all(check.passed for check in checks) else 1


if __name__ == "__main__":
    sys.exit(main())
