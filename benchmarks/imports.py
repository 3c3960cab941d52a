"""What `import isocost` costs beyond `import numpy`. Goal: at most 0.15 s."""

from __future__ import annotations

import subprocess
import sys
import time

from benchmarks.tools import print_table


def seconds(code: str, repeats: int = 7) -> float:
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    numpy, isocost = seconds("import numpy"), seconds("import numpy, isocost")
    first = seconds("import isocost as ic; ic.smooth(ic.CostMatrix([[0, 5], [1, 0]])).value([[0.5, 0.5]])")
    rows = [[f"{numpy:.2f}", f"{isocost - numpy:.2f}", f"{first - isocost:.2f}"]]
    print_table("Seconds", ["import numpy", "isocost beyond it", "first value, cached kernel"], rows)


if __name__ == "__main__":
    main()
