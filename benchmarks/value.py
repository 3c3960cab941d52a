"""value(P), validation included, against one pass over P and against the argmin of expected costs.

Goals: at most 5 passes from n = 5 on, faster than the argmin everywhere, at most 10 % of P beyond the result in memory.
"""

from __future__ import annotations

import tracemalloc

import numpy as np

import isocost as ic
from benchmarks.tools import best_times, print_table, random_strong
from isocost.smoothing import Method

METHODS: tuple[Method, ...] = ("smoothest", "embedding")
SHAPES = ((3, 3), (5, 5), (10, 10), (50, 50), (200, 100))
CELLS = 10**7


def main() -> None:
    rows = []
    for n, k in SHAPES:
        cost = random_strong(k, n, seed=n)
        ones = np.ones(n)
        for concentration in (1.0, 0.1):
            P = np.random.default_rng(0).dirichlet(np.full(n, concentration), size=CELLS // n)
            for method in METHODS:
                prop = ic.smooth(cost, method)
                single, fortran = P.astype(np.float32), np.asfortranarray(P)
                prop.value(P[:10])
                times = best_times(
                    {
                        "pass": lambda P=P, ones=ones: P @ ones,  # type: ignore[misc]
                        "argmin": lambda P=P, cost=cost: (P @ cost.costs.T).argmin(1),  # type: ignore[misc]
                        "value": lambda P=P, prop=prop: prop.value(P),  # type: ignore[misc]
                        "single": lambda P=single, prop=prop: prop.value(P),  # type: ignore[misc]
                        "fortran": lambda P=fortran, prop=prop: prop.value(P),  # type: ignore[misc]
                    }
                )
                tracemalloc.start()
                found = prop.value(P)
                extra = tracemalloc.get_traced_memory()[1] - found.nbytes
                tracemalloc.stop()
                rows.append(
                    [
                        f"({n}, {k})",
                        "even" if concentration == 1 else "peaked",
                        method,
                        f"{1e3 * times['pass']:.1f}",
                        f"{times['value'] / times['pass']:.1f}",
                        f"{times['argmin'] / times['value']:.1f}",
                        f"{times['single'] / times['value']:.1f}",
                        f"{times['fortran'] / times['value']:.1f}",
                        f"{100 * extra / P.nbytes:.1f} %",
                    ]
                )
    print_table(
        "value(P) with validation, n·N = 10⁷",
        ["(n, k)", "P", "method", "pass/ms", "value/pass", "argmin/value", "float32", "Fortran", "extra memory"],
        rows,
    )


if __name__ == "__main__":
    main()
