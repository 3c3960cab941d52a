"""The bounds on random finite instances: how often each says something, and how often it would be wrong (never)."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

import isocost as ic
from benchmarks.tools import best_times, print_table, random_strong
from isocost.auditing.instances import Instance, miscalibration, score_calibration
from isocost.auditing.moduli import cut_moduli, global_moduli
from isocost.auditing.side_by_side import all_bounds
from isocost.smoothing import Method

TRIALS = 400
METHODS: tuple[Method, ...] = ("embedding", "normals", "smoothest")


def random_instance(prop: ic.SmoothProperty, random: np.random.Generator) -> Instance:
    """Two to eight predictions, off by 0.1 % to 10 %."""
    m, n = int(random.integers(2, 9)), len(prop.outcomes)
    labels = random.dirichlet(np.ones(n), size=m)
    off = 10 ** random.uniform(-3, -1)
    predicted = (1 - off) * labels + off * random.dirichlet(np.ones(n), size=m)
    return Instance.of_predictor(prop, random.dirichlet(np.ones(m)) + 1e-3, predicted, labels)


def plain_form(case: Instance, prop: ic.SmoothProperty) -> float:
    """max(M/m)·ε/min E[|g - s| | r], with two-sided moduli: theory.md, section 7."""
    moduli = cut_moduli(prop)
    cells, merged = case.given_decision(prop)
    nearest = [
        abs(float(merged.scores[row] - prop.cuts[cut]))
        for row, cell in enumerate(cells.tolist())
        for cut in (cell - 1, cell)
        if 0 <= cut < len(prop.cuts)
    ]
    return float((moduli.most / moduli.least).max()) * score_calibration(case, prop) / min(nearest)


def trials(method: Method) -> list[list[str]]:
    random = np.random.default_rng(7)
    values: dict[str, list[float]] = defaultdict(list)
    wrong: dict[str, int] = defaultdict(int)
    right = 0
    for seed in range(TRIALS):
        cost = random_strong(int(random.integers(2, 6)), int(random.integers(2, 7)), seed)
        prop = ic.smooth(cost, method)
        case = random_instance(prop, random)
        table = all_bounds(case, prop, 1, cost)
        truth = miscalibration(case, prop, cost)
        right += truth == 0
        found = {bound.name: bound.value for bound in table.bounds if bound.about == "Pr[miscalibrated]"}
        found["ours, max(M/m) form"] = plain_form(case, prop)
        for name, value in found.items():
            values[name].append(value)
            wrong[name] += truth > value + 1e-9
    return [
        [method, name, str(sum(v < 1 for v in value)), str(sum(v == 0 for v in value)), str(right), str(wrong[name])]
        for name, value in values.items()
    ]


def leverages() -> list[list[str]]:
    rows = []
    options: list[tuple[Method, dict[str, float]]] = [
        ("embedding", {}),
        ("normals", {}),
        *[("smoothest", {"slack": slack}) for slack in (1.0, 0.2, 0.05, 0.01)],
    ]
    for method, given in options:
        one, two = [], []
        for seed in range(100):
            moduli = cut_moduli(ic.smooth(random_strong(5, 5, seed), method, **given))  # type: ignore[arg-type]
            one.append(max(*moduli.leverage_below, *moduli.leverage_above))
            two.append((moduli.most / moduli.least).max())
        name = method + "".join(f", slack {value:g}" for value in given.values())
        rows.append([name, f"{np.median(one):.1f}", f"{max(one):.0f}", f"{np.median(two):.1f}", f"{max(two):.0f}"])
    return rows


def times() -> list[list[str]]:
    rows = []
    for size in (10, 50):
        for method in METHODS:
            prop = ic.smooth(random_strong(size, size, 1), method)
            found = best_times(
                {"cuts": lambda prop=prop: cut_moduli(prop), "all": lambda prop=prop: global_moduli(prop)},  # type: ignore[misc]
                repeats=2,
            )
            rows.append([f"k = n = {size}", method, f"{found['cuts']:.3f} s", f"{found['all']:.3f} s"])
    return rows


def main() -> None:
    print_table(
        f"Bounds on Pr[miscalibrated], {TRIALS} random instances (k ≤ 5, n ≤ 6, predictions off by 0.1 to 10 %)",
        ["construction", "bound", "below 1", "equal to 0", "truth is 0", "violated"],
        [row for method in METHODS for row in trials(method)],
    )
    print_table(
        "Leverage of 100 random properties, k = n = 5",
        ["construction", "one-sided, median", "maximum", "max M/m, median", "maximum"],
        leverages(),
    )
    print_table("Exact moduli", ["size", "construction", "of the cuts", "of all scores"], times())


if __name__ == "__main__":
    main()
