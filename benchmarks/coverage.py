"""Do intervals hold as often as they say? Simulated where the truth is known.

Goals: 95 % intervals of mean cost, cost gaps and signed means of V hold in 93 to 97 % of cases at N = 200, 2,000 and
20,000; upper limits of measures bounded at 0 in at least 95 %.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tests.auditing.worlds import ASYMMETRIC, PAPER, World, drawn

import isocost as ic
from benchmarks.tools import print_table
from isocost.auditing.estimates import Estimate
from isocost.auditing.loops import steepest_weights

LEVEL = 0.95
BINS = 10
TRUTH_ROWS = 300_000
LEAST_SHARE = 0.05  # gaps of rarer decisions have too few rows at N = 200 for any interval

Floats = NDArray[np.float64]


class Coverage(NamedTuple):
    """Share of repetitions in which the interval held the truth."""

    two_sided: dict[str, float]
    one_sided: dict[str, float]


class Truth:
    """The world as infinitely many rows would show it: many rows with their true distributions."""

    def __init__(self, cost: ic.CostMatrix, kind: str) -> None:
        self.cost, self.prop = cost, ic.smooth(cost)
        world: World = drawn(cost, TRUTH_ROWS, 99, kind)
        order = np.argsort(self.prop.value(world.P), kind="stable")
        self.P, self.T = world.P[order], world.T[order]
        self.u = self.prop.value(self.P)
        self.cells = self.prop.cell(self.u)
        V = self.prop.identification(self.u[:, None], np.arange(len(cost.outcomes)))
        self.pull = np.r_[0.0, np.cumsum((self.T * V).sum(axis=1))]
        self.sums = np.vstack([np.zeros(self.T.shape[1]), np.cumsum(self.T, axis=0)])
        self.scores = np.r_[0.0, np.cumsum(self.u)]
        self.rows = [cost.decisions.index(label) for label in self.prop.decisions]
        self.D = [self.T[self.cells == i].mean(axis=0) for i in range(len(self.rows))]
        self.shares = np.bincount(self.cells, minlength=len(self.rows)) / TRUTH_ROWS

    def mean_cost(self) -> float:
        costs = [float(D @ self.cost.costs[r]) for D, r in zip(self.D, self.rows, strict=True)]
        return float(self.shares @ costs)

    def gap(self, decision: object, instead: object) -> float:
        r, s = (self.cost.decisions.index(label) for label in (decision, instead))
        return float(self.D[self.rows.index(r)] @ (self.cost.costs[s] - self.cost.costs[r]))

    def limits(self) -> dict[str, float]:
        regrets = [D @ self.cost.costs[r] - (self.cost.costs @ D).min() for D, r in zip(self.D, self.rows, strict=True)]
        apart = [np.abs(self.P[self.cells == i].mean(axis=0) - D).sum() for i, D in enumerate(self.D)]
        blocks = np.linspace(0, TRUTH_ROWS, 3001).astype(int)
        means = np.diff(self.scores[blocks]) / np.diff(blocks)
        return {
            "swap regret": float(self.shares @ regrets),
            "distribution calibration": float(self.shares @ apart),
            "cutoff error": float(self.pull.max() - self.pull.min()) / TRUTH_ROWS,
            "smooth error": float(steepest_weights(np.diff(self.pull[blocks]) / TRUTH_ROWS, np.diff(means))),
            "worst task": self._worst_task(),
        }

    def _worst_task(self) -> float:
        at = np.linspace(0, TRUTH_ROWS - 1, 2000).astype(int)
        V = self.prop.identification(self.u[at][:, None], np.arange(self.T.shape[1]))
        under = -(V * self.sums[at]).sum(axis=1)
        above = (V * (self.sums[-1] - self.sums[at])).sum(axis=1)
        return float(np.max(under.clip(0) + above.clip(0))) / TRUTH_ROWS

    def bin(self, low: float, high: float) -> tuple[float, float, float, float]:
        """E V, Γ(D), mean score and share of the scores from low to high."""
        first, last = np.searchsorted(self.u, low, side="left"), np.searchsorted(self.u, high, side="right")
        rows = max(int(last) - int(first), 1)
        D = (self.sums[last] - self.sums[first]) / rows
        found = self.prop.value(D[None], normalize=True)[0] if D.sum() else np.nan
        mean = (self.scores[last] - self.scores[first]) / rows
        return (self.pull[last] - self.pull[first]) / rows, float(found), float(mean), rows / TRUTH_ROWS


def coverage(cost: ic.CostMatrix, kind: str, rows: int, repeats: int) -> Coverage:
    """Shares of seeded repetitions in which each interval holds the truth."""
    truth = Truth(cost, kind)
    limits, mean = truth.limits(), truth.mean_cost()
    two: dict[str, list[bool]] = {}
    one: dict[str, list[bool]] = {}

    def note(store: dict[str, list[bool]], name: str, estimate: Estimate, value: float) -> None:
        store.setdefault(name, []).append(bool(estimate.low - 1e-12 <= value <= estimate.high + 1e-12))

    for seed in range(repeats):
        world = drawn(cost, rows, 1000 + seed, kind)
        found = ic.audit(cost, world.y, probabilities=world.P, prop=truth.prop, bins=BINS, level=LEVEL, resamples=0)
        note(two, "mean cost", found.mean_cost, mean)
        for verdict in found.certificate.verdicts:
            if truth.shares[truth.prop.decisions.index(verdict.decision)] >= LEAST_SHARE:
                for gap in verdict.gaps:
                    note(two, "cost gaps", gap.estimate, truth.gap(verdict.decision, gap.instead))
        scores, distributions = found.score_calibration, found.distribution_calibration
        assert scores is not None
        assert distributions is not None
        assert found.cutoff_calibration is not None
        assert found.smooth_calibration is not None
        assert found.worst_task is not None
        plug_in = square = 0.0
        for bin_ in scores.bins:
            signed, root, score, _ = truth.bin(bin_.low, bin_.high)
            note(two, "signed means of V", bin_.signed, signed)
            note(two, "Γ of a bin", bin_.found, root)
            plug_in += bin_.share * abs(root - score)
            square += bin_.share * signed**2
        note(one, "score calibration, plug-in", scores.plug_in, plug_in)
        note(one, "score calibration, debiased", scores.debiased, float(np.sqrt(square)))
        for name, estimate in {
            "swap regret": found.swap_regret,
            "distribution calibration": distributions.decision_mean,
            "cutoff error": found.cutoff_calibration.estimate,
            "smooth error": found.smooth_calibration,
            "worst task": found.worst_task.estimate,
        }.items():
            note(one, name, estimate, limits[name])
    return Coverage(*({name: float(np.mean(held)) for name, held in store.items()} for store in (two, one)))


def main(repeats: int = 1000) -> None:
    found = {
        (name, kind, rows): coverage(cost, kind, rows, repeats)
        for name, cost in (("paper", PAPER), ("asymmetric", ASYMMETRIC))
        for kind in ("calibrated", "too sure", "mixed up")
        for rows in (200, 2000, 20_000)
    }
    first = next(iter(found.values()))
    for title, field in (
        ("intervals: 93 to 97 % wanted", "two_sided"),
        ("upper limits: 95 % or more wanted", "one_sided"),
    ):
        names = list(getattr(first, field))
        table = [
            [name, kind, f"{rows:,}", *(f"{100 * getattr(shares, field)[x]:.1f}" for x in names)]
            for (name, kind, rows), shares in found.items()
        ]
        print_table(f"Coverage in % of {repeats} repetitions; {title}", ["cost", "world", "N", *names], table)


if __name__ == "__main__":
    main()
