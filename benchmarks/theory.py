"""Ordering, smoothing and the exact Lipschitz constant for growing matrices.

Goals: k = n = 100 within 2 s all told, ordering of k = n = 1000 within 10 s. Seconds, on whatever machine runs this;
the column beside them is the time over that of one product of two k×k matrices.
"""

from __future__ import annotations

import time

import numpy as np

import isocost as ic
from benchmarks.tools import best_times, print_table, random_strong

SIZES = (10, 100, 300, 1000)


def main() -> None:
    ic.smooth(ic.CostMatrix.ordinal(range(4)), norm=2)  # imports and compilation are not the subject
    rows = []
    for size in SIZES:
        square = np.random.default_rng(0).random((size, size))
        product = best_times({"product": lambda square=square: square @ square}, 3)["product"]  # type: ignore[misc]
        costs = {
            "squared": ic.CostMatrix.ordinal(range(size)),
            "asymmetric |d|^1.5": ic.CostMatrix.ordinal(range(size), power=1.5, under=3),
            "random": random_strong(size, size, seed=size),
            "absolute": ic.CostMatrix.ordinal(range(size), power=1),
        }
        for name, cost in costs.items():
            start = time.perf_counter()
            order = cost.ordering()
            ordered = time.perf_counter()
            line = [str(size), name, str(order.kind), f"{ordered - start:.3f}"]
            if order.kind is ic.OrderKind.STRONG:
                prop = ic.smooth(order)
                smoothed = time.perf_counter()
                constant = prop.lipschitz()
                done = time.perf_counter()
                total = done - start
                line += [
                    f"{smoothed - ordered:.3f}",
                    f"{done - smoothed:.3f}",
                    f"{total:.3f}",
                    f"{total / product:.0f}",
                ]
                line += [f"{constant:.4f}"]
            else:
                line += ["-", "-", f"{ordered - start:.3f}", f"{(ordered - start) / product:.0f}", "-"]
            rows.append(line)
    header = ["k = n", "costs", "kind", "ordering/s", "smoothing/s", "K/s", "all/s", "all/product", "K (limit 1)"]
    print_table("Theory, norm 1", header, rows)
    rows = []
    for norm in (1, 2, float("inf")):
        for size in (10, 30, 100):
            order = random_strong(size, size, seed=size).ordering()
            start = time.perf_counter()
            order.distances(norm)
            rows.append([str(norm), str(size), f"{time.perf_counter() - start:.3f}"])
    print_table("All boundary distances", ["norm", "k = n", "seconds"], rows)


if __name__ == "__main__":
    main()
