"""Generalised PAV of 10⁶ rows, sort included, against the sort alone and scikit-learn's isotonic regression of numbers.

Goal: 10⁶ rows with 10 outcomes in under 2 s; on a table of cells, as a bootstrap asks, microseconds a call.
"""

from __future__ import annotations

import numpy as np
from sklearn.isotonic import IsotonicRegression

import isocost as ic
from benchmarks.tools import best_times, print_table
from isocost.fingerprint import fingerprint
from isocost.kernels_pav import pool_cells
from isocost.pav import pooled_scores

ROWS = 10**6


def main() -> None:
    rows, cells = [], []
    for n in (3, 10):
        random = np.random.default_rng(n)
        prop = ic.smooth(ic.CostMatrix.ordinal(range(n), power="1.5", under=3))
        P = random.dirichlet(np.ones(n), ROWS)
        u = prop.value(P)
        y = np.minimum((P.cumsum(axis=1) < random.random((ROWS, 1))).sum(axis=1), n - 1).astype(np.intp)
        w = random.random(ROWS)
        pooled_scores(u[:10], y[:10], w[:10], prop)
        for name, scores in (("right", u), ("noisy", u + random.normal(size=ROWS)), ("upside down", -u)):
            times = best_times(
                {
                    "argsort": lambda scores=scores: np.argsort(scores),  # type: ignore[misc]
                    "ours": lambda scores=scores, prop=prop, y=y, w=w: pooled_scores(scores, y, w, prop),  # type: ignore[misc]
                    "sklearn": lambda scores=scores, y=y, w=w: IsotonicRegression().fit(scores, y, w),  # type: ignore[misc]
                    "fingerprint": lambda scores=scores, y=y, w=w: fingerprint(scores, y, w),  # type: ignore[misc]
                },
                3,
            )
            ours = times["ours"]
            line = [ours, ours / times["argsort"], ours / times["sklearn"], times["fingerprint"]]
            blocks = len(pooled_scores(scores, y, w, prop).values)
            rows.append([str(n), name, str(blocks), *[f"{x:.2f}" for x in line]])
        for size in (20, 200, 4096):
            cell = np.argsort(np.argsort(u)) * size // ROWS
            table = np.bincount(cell * n + y, w, minlength=size * n).reshape(size, n)
            call = best_times({"cells": lambda table=table, prop=prop: pool_cells(table, prop.knots, prop.values)}, 20)  # type: ignore[misc]
            cells.append([str(n), str(size), f"{1e6 * call['cells']:.0f}"])
    header = ["n", "scores", "blocks", "ours/s", "ours/argsort", "ours/sklearn fit", "fingerprint/s"]
    print_table(f"{ROWS} weighted rows, sort included", header, rows)
    print_table("a table of cells, kernel alone", ["n", "cells", "µs a call"], cells)


if __name__ == "__main__":
    main()
