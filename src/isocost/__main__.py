"""``python -m isocost``: the command line, where no ``isocost`` is on the path."""

from __future__ import annotations

import sys

from isocost.cli import main

if __name__ == "__main__":
    sys.exit(main())
