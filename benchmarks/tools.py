"""Timing and tables shared by the benchmarks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

import isocost as ic

__all__ = ["best_times", "print_table", "random_strong"]


def best_times(tasks: dict[str, Callable[[], object]], repeats: int = 7) -> dict[str, float]:
    """Best time of each task, their repeats taken in turn so that all meet the same noise."""
    best = dict.fromkeys(tasks, float("inf"))
    for _ in range(repeats):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A title and right-aligned columns."""
    widths = [max(len(line[i]) for line in [header, *rows]) for i in range(len(header))]
    print(f"\n{title}")
    for line in [header, *rows]:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))


def random_strong(k: int, n: int, seed: int) -> ic.CostMatrix:
    """Random strongly orderable costs whose normals are not parallel, rows shuffled."""
    random = np.random.default_rng(seed)
    steps = random.exponential(size=(max(k - 2, 0), n)) ** 2 / max(k - 2, 1)
    first = random.normal(size=n) - steps.sum(axis=0) / 2
    first[0] = abs(first[0]) + 0.1
    first[-1] = -steps[:, -1].sum() - abs(first[-1]) - 0.1
    normals = np.cumsum(np.vstack([first, steps]), axis=0)[: k - 1]
    gaps = random.uniform(0.2, 1, k - 1)
    table = np.vstack([np.zeros(n), np.cumsum(gaps[:, None] * normals, axis=0)]) + random.normal(size=n)
    return ic.CostMatrix(table[random.permutation(k)])
