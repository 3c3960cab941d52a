"""Where one number loses to n classes: simulated worlds whose truth is known, from ordered to unordered.

Grade y of 5 has the logit (1-s)·3·(f(x)·y' - y'²/2) + s·3·g_y(x), with y' = y/2 - 1: at s = 0 one function of the
features moves all grades along their order, at s = 1 each grade has its own function of its own features. Decisions
have squared cost. Regret is beyond the decisions by the true probabilities, on the same 5,000 rows.

``python -m benchmarks.train_worlds``
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax as normalized
from scipy.stats import t as student

import isocost as ic
from benchmarks.tools import print_table
from benchmarks.train_data import Part, Split
from benchmarks.train_methods import softmax, surrogate

GRADES, SPLITS, TRAIN, TEST = 5, 8, 4000, 5000


def world(share: float, seed: int) -> tuple[Split, NDArray[np.float64]]:
    """A split, and the true probabilities of its test rows."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(TRAIN + TEST, 2 * GRADES))
    y = np.arange(GRADES)
    along = y / 2 - 1
    one = np.sin(2 * X[:, 0]) + X[:, 1] * (X[:, 2] > 0) + 0.5 * np.abs(X[:, 3])
    ordered = 3 * (one[:, None] * along - along**2 / 2)
    own = 3 * np.stack([np.sin(2 * X[:, 2 * g]) + (X[:, 2 * g + 1] > 0.5) for g in y], axis=1)
    P = normalized((1 - share) * ordered + share * own, axis=1)
    labels = (P.cumsum(axis=1) < random.random((len(X), 1))).sum(axis=1).clip(max=GRADES - 1)
    train, test = Part(X[:TRAIN], labels[:TRAIN]), Part(X[TRAIN:], labels[TRAIN:])
    return Split(train, test, tuple(str(g) for g in y), ()), P[TRAIN:]


def main() -> None:
    cost = ic.CostMatrix.ordinal([str(g) for g in range(GRADES)])
    lines = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        found = []
        for seed in range(SPLITS):
            split, P = world(share, seed)
            best = float(cost.costs[cost.expected(P).argmin(axis=1), split.test.y].mean())
            classes, _ = softmax(split)
            many = classes.outcome(cost, split.test.y)
            one = surrogate(split, cost, many.trees)
            found.append((best, many.cost - best, one.cost - best))
        best, many_regret, one_regret = np.mean(found, axis=0)
        differences = np.array([(one - many) / (best + many) for best, many, one in found])
        half = student.ppf(0.975, SPLITS - 1) * differences.std(ddof=1) / np.sqrt(SPLITS)
        shown = [f"{share:.2f}", *[f"{number:.3f}" for number in (best, many_regret, one_regret)]]
        lines.append([*shown, f"{100 * differences.mean():+.1f} ± {100 * half:.1f}"])
    print_table(
        f"{SPLITS} worlds each, {TRAIN} rows to train, equal trees",
        ["s", "least cost", "regret, softmax", "regret, one number", "dearer by, %"],
        lines,
    )


if __name__ == "__main__":
    main()
