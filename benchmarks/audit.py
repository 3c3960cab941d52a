"""Audits against peers, in one run.

Goals: each of our numbers alone at most the time of the peer's equivalent; the full audit, every measure, interval,
certificate and both bands, at most model-diagnostics' diagram with as many rows and resamples, and at most 3 times
relplot's one number at N = 10⁶; time growing linearly. Peers come with `make bench`; those not installed are left out.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import isocost as ic
from benchmarks.tools import best_times, print_table
from isocost.auditing.levels import Levels, levels_of
from isocost.auditing.measures.score_calibration import equal_width, plug_in
from isocost.auditing.measures.smooth_error import smooth_error
from isocost.auditing.reliability import reliability_of

Floats = NDArray[np.float64]
Task = Callable[[], object]
RESAMPLES = 100


class Rows(NamedTuple):
    """Calibrated predictions of n outcomes, their scores, and what happened."""

    cost: ic.CostMatrix
    prop: ic.SmoothProperty
    P: Floats
    u: Floats
    y: NDArray[np.intp]

    @property
    def levels(self) -> Levels:
        """What every measure of the score needs, from scores."""
        tally = ic.tally(self.cost, self.y, scores=self.u, prop=self.prop)
        assert tally.scores is not None
        assert tally.cells is not None
        return levels_of(tally.scores, tally.cells, self.prop)

    @property
    def share(self) -> Floats:
        """Scores moved to [0, 1], and whether the outcome is above its middle: what peers for one probability take."""
        low, high = self.prop.range
        return np.asarray((self.u - low) / (high - low))


def rows_of(n: int, rows: int) -> Rows:
    cost = ic.CostMatrix.ordinal(range(n), under=3)
    prop = ic.smooth(cost)
    random = np.random.default_rng(0)
    P = random.dirichlet(np.ones(n), size=rows)
    y = np.minimum((P.cumsum(axis=1) < random.random((rows, 1))).sum(axis=1), n - 1)
    return Rows(cost, prop, P, prop.value(P), y)


def audit(rows: Rows) -> ic.Audit:
    return ic.audit(rows.cost, rows.y, probabilities=rows.P, prop=rows.prop, resamples=RESAMPLES)


def ours(rows: Rows) -> dict[str, Task]:
    def calibration() -> object:
        levels = rows._replace(u=rows.prop.value(rows.P)).levels
        return plug_in(levels.binned(equal_width(levels, 15)), 0.95)

    return {
        "full audit": lambda: audit(rows),
        "smooth error": lambda: smooth_error(rows.levels, 0.95),
        "score calibration, 15 bins": calibration,
        "curve and bands": lambda: reliability_of(rows.levels, 0.95, RESAMPLES, 0),
    }


def peers(rows: Rows) -> dict[str, Task]:
    """Tasks of the peers that are installed."""
    found: dict[str, Task] = {}
    happened = (rows.y > len(rows.cost.outcomes) / 2 - 0.5).astype(float)
    try:
        import relplot

        found["relplot smECE"] = lambda: relplot.smECE(rows.share, happened)
    except ImportError:
        pass
    try:
        import torch
        from torchmetrics.functional.classification import multiclass_calibration_error

        P, y, n = torch.from_numpy(rows.P), torch.from_numpy(rows.y), rows.P.shape[1]
        found["torchmetrics ECE"] = lambda: multiclass_calibration_error(P, y, num_classes=n, n_bins=15)
    except ImportError:
        pass
    try:
        from netcal.metrics import ECE

        found["netcal ECE"] = lambda: ECE(bins=15).measure(rows.P, rows.y)
    except ImportError:
        pass
    try:
        import matplotlib as mpl

        mpl.use("Agg")
        import matplotlib.pyplot as plt
        from model_diagnostics.calibration import plot_reliability_diagram

        def diagram() -> object:
            axes: Any = plot_reliability_diagram(happened, rows.share, n_bootstrap=RESAMPLES)
            plt.close(axes.figure)
            return axes

        found["model-diagnostics diagram"] = diagram
    except ImportError:
        pass
    return found


EQUIVALENT = {
    "relplot smECE": "smooth error",
    "torchmetrics ECE": "score calibration, 15 bins",
    "netcal ECE": "score calibration, 15 bins",
    "model-diagnostics diagram": "curve and bands",
}


def main() -> None:
    warnings.simplefilter("ignore")  # of the peers
    table, growth = [], []
    for n in (3, 10):
        for count in (10**5, 10**6):
            rows = rows_of(n, count)
            others = peers(rows)
            if count > 10**5:
                others.pop("model-diagnostics diagram", None)  # minutes; the issue asks for it at 10⁵
            tasks = ours(rows) | others
            for task in ours(rows).values():
                task()  # compile
            times = best_times(tasks, repeats=3)
            for name, peer in EQUIVALENT.items():
                if name in times:
                    cells = [f"{times[x]:.3f}" for x in (name, peer, "full audit")]
                    ratios = [f"{times[x] / times[name]:.2f}" for x in (peer, "full audit")]
                    table.append([str(n), f"{count:,}", name, cells[0], peer, cells[1], ratios[0], cells[2], ratios[1]])
            growth.append(
                [str(n), f"{count:,}", f"{times['full audit']:.3f}", f"{1e6 * times['full audit'] / count:.2f}"]
            )
    header = ["n", "N", "peer", "s", "ours alone", "s", "ours/peer", "full audit, s", "audit/peer"]
    print_table(f"Ours against peers, {RESAMPLES} resamples", header, table)
    print_table("The full audit", ["n", "N", "s", "µs a row"], growth)


if __name__ == "__main__":
    main()
