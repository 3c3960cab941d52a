"""Mean cost of decisions before and after recalibration, ours against peers, on real forecasts.

Ours is one default (`ours` in recalibration_methods.py), chosen on other data and frozen before
this ran: docs/decisions/0010-recalibration.md. Ten times five-fold cross-validation gives fifty
paired splits; the interval of a difference is that of Nadeau and Bengio (2003), which allows for
the overlap of the splits. A difference whose interval holds 0 is a tie where it reaches at most
2 % of the cost to either side, and else undecided.

``python -m benchmarks.recalibrate`` leaves out peers that are not installed, and says so.
"""

from __future__ import annotations

import importlib.util
import time
from collections import Counter, defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

import isocost as ic
from benchmarks.recalibration_methods import COMPOSED, OURS, PEERS, PROBABILITIES, Probabilities, before
from benchmarks.tools import print_table
from isocost.datasets import Predictions, football, hpc_jobs

FOLDS = 5
WIDEST = 0.02


class Data(NamedTuple):
    """Forecasts, what happened, and the costs to decide by."""

    probabilities: NDArray[np.float64]
    outcome: NDArray[np.str_]
    costs: dict[str, ic.CostMatrix]


class Verdict(NamedTuple):
    """Ours minus another's mean cost, relative to the other's."""

    difference: float
    half_width: float

    @property
    def word(self) -> str:
        if abs(self.difference) > self.half_width:
            return "better" if self.difference < 0 else "worse"
        return "tied" if self.half_width <= WIDEST else "undecided"


def costs_of(outcomes: tuple[str, ...]) -> dict[str, ic.CostMatrix]:
    n = len(outcomes)
    severity = [0, 2, 8] if n == 3 else [0, 1, 4, 10]
    found = {
        "squared": ic.CostMatrix.ordinal(outcomes),
        "squared, under x3": ic.CostMatrix.ordinal(outcomes, under=3),
        "power 1.5, under x4": ic.CostMatrix.ordinal(outcomes, power="1.5", under=4),
        "actions": ic.CostMatrix.actions([0, 1, 3], [1, "0.5", "0.1"], severity, outcomes=outcomes),
        "absolute, under x2": ic.CostMatrix.ordinal(outcomes, power=1, under=2),
        "0-1": ic.CostMatrix(1 - np.eye(n, dtype=int), outcomes, outcomes),
    }
    if n == 4:  # Kuhn and Johnson, Applied Predictive Modeling, chapter 17; their rows are the true classes
        table = [[0, 1, 1, 1], [1, 0, 1, 1], [5, 5, 0, 1], [10, 5, 1, 0]]
        found["job scheduling"] = ic.CostMatrix(table, outcomes, outcomes, rows="outcomes")
    return found


def final_data() -> dict[str, Data]:
    """Seasons 2018 and 2019 (2016 and 2017 served to choose the default), and all computing jobs."""
    matches, jobs = football(), hpc_jobs()
    late = matches.columns["season"].astype(int) >= 2018
    return {"football": data_of(matches, late), "jobs": data_of(jobs, np.ones(len(jobs.outcome), dtype=bool))}


def data_of(rows: Predictions, kept: NDArray[np.bool_]) -> Data:
    return Data(rows.probabilities[kept], rows.outcome[kept], costs_of(rows.outcomes))


def installed_peers() -> dict[str, Probabilities]:
    found = {}
    for name, peer in PEERS.items():
        if importlib.util.find_spec(name.split()[0]) is None:
            print(f"{name}: not installed; make bench installs it")
        else:
            found[name] = peer
    return found


def mean_costs(
    data: Data, repeats: int, peers: dict[str, Probabilities]
) -> tuple[dict[tuple[str, str], NDArray[np.float64]], dict[str, float]]:
    """Mean cost on each split by (costs, method), and seconds by method."""
    P, y = data.probabilities, data.outcome
    some = next(iter(data.costs.values()))
    found: dict[tuple[str, str], list[float]] = {}
    seconds: dict[str, float] = defaultdict(float)
    maps = PROBABILITIES | peers
    for repeat in range(repeats):
        fold = np.random.default_rng(repeat).permutation(len(y)) % FOLDS
        for test in (fold == i for i in range(FOLDS)):
            fit = ~test
            changed = {}
            for name, recalibrator in maps.items():
                start = time.perf_counter()
                fitted = recalibrator(P[fit], some.positions(y[fit]))
                changed[name] = fitted(P[fit]), fitted(P[test])
                seconds[name] += time.perf_counter() - start
            for costs, cost in data.costs.items():
                happened = cost.positions(y[test])
                decisions = {}
                for name, decide in OURS.items():
                    start = time.perf_counter()
                    decisions[name] = decide(cost, P[fit], y[fit], P[test])
                    seconds[name] += time.perf_counter() - start
                for name, (first, decide) in COMPOSED.items():
                    decisions[name] = decide(cost, changed[first][0], y[fit], changed[first][1])
                for name, (_, Q) in changed.items():
                    decisions[name] = before(cost, P[fit], y[fit], Q)
                for name, taken in decisions.items():
                    found.setdefault((costs, name), []).append(float(cost.costs[taken, happened].mean()))
    return {key: np.array(values) for key, values in found.items()}, seconds


def verdict(ours: NDArray[np.float64], other: NDArray[np.float64], level: float = 0.95) -> Verdict:
    """Interval over overlapping splits (Nadeau and Bengio 2003): variance · (1/J + n_test/n_fit)."""
    differences = ours - other
    splits = len(differences)
    spread = differences.std(ddof=1) * np.sqrt(1 / splits + 1 / (FOLDS - 1))
    half = float(student.ppf((1 + level) / 2, splits - 1)) * spread
    return Verdict(float(differences.mean() / other.mean()), float(half / other.mean()))


def show(every: dict[str, Data], repeats: int, peers: dict[str, Probabilities]) -> Counter[str]:
    """Print the tables; how often each word was said, by cell and other method."""
    words: Counter[str] = Counter()
    against_best: Counter[str] = Counter()
    for name, data in every.items():
        found, seconds = mean_costs(data, repeats, peers)
        methods = list(dict.fromkeys(method for _, method in found))
        rows, lines = [], []
        for costs in data.costs:
            means = {m: float(found[costs, m].mean()) for m in methods}
            rows.append([costs, f"{means['before']:.4f}"])
            rows[-1] += [f"{100 * (means[m] / means['before'] - 1):+.2f}" for m in methods if m != "before"]
            others = [m for m in methods if not m.endswith("ours")]
            verdicts = {m: verdict(found[costs, "ours"], found[costs, m]) for m in others}
            words.update(v.word for v in verdicts.values())
            best = min(others, key=lambda m: means[m])
            against_best[verdicts[best].word] += 1
            lines.append(
                [costs, best]
                + [f"{100 * v.difference:+.2f} ± {100 * v.half_width:.2f} {v.word}" for v in verdicts.values()]
            )
        size = f"{name}, {len(data.outcome)} rows, {repeats * FOLDS} splits"
        print_table(
            f"{size}: mean cost before, and its change in %",
            ["costs", "before", *[m for m in methods if m != "before"]],
            rows,
        )
        print_table(f"{size}: ours minus each other, % of its cost", ["costs", "best other", *others], lines)
        print("seconds:", ", ".join(f"{m} {s:.1f}" for m, s in seconds.items()))
    for title, counts in (("ours against every other", words), ("ours against the best other", against_best)):
        good = counts["better"] + counts["tied"]
        print(f"\n{title}: {dict(counts)}; best or tied in {good} of {counts.total()}")
    return words


def main() -> None:
    show(final_data(), 10, installed_peers())


if __name__ == "__main__":
    main()
