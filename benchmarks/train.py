"""Mean cost of decisions: one number trained on the surrogate loss against n-class softmax and other peers.

The construction and every setting were chosen on the other half of diamonds and flights (hpc was not looked
at) and frozen before this ran: docs/decisions/0014-training-construction.md. Twenty paired splits; the interval
of a difference allows for the share ρ of test rows that two splits have in common (Nadeau and Bengio 2003):
variance·(1/J + ρ/(1-ρ)).

``python -m benchmarks.train`` writes a row for each split to out/train.jsonl and goes on from there when it is
started again; ``python -m benchmarks.train --table`` prints the tables of what is there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from benchmarks.tools import print_table
from benchmarks.train_data import TABLES, costs_of, overlap, split_of
from benchmarks.train_methods import (
    Outcome,
    averaged,
    mean_regression,
    ordinal_peers,
    rounded,
    softmax,
    surrogate,
)

SPLITS = 20
# Five times the trees: to see what averaging does for the rival, on fewer splits to save time.
AVERAGED_SPLITS = 5
ROWS = Path("out/train.jsonl")
EQUAL, THIRD = "surrogate", "surrogate, a third"

Results = dict[tuple[str, str, str], dict[int, Outcome]]


def results_of(name: str, seed: int) -> list[tuple[str, str, Outcome]]:
    """(costs, method, outcome) of one split; what does not depend on the costs is fitted once."""
    split = split_of(name, seed)
    y = split.test.y
    classes, setting = softmax(split)
    shared = {"softmax": classes, **ordinal_peers(split)}
    if seed < AVERAGED_SPLITS:
        shared["softmax, averaged"] = averaged(split, setting)
    regression = mean_regression(split, classes.trees)
    found = []
    for costs, cost in costs_of(split.grades, seed).items():
        outcomes = {method: fitted.outcome(cost, y) for method, fitted in shared.items()}
        outcomes["mean, rounded"] = rounded(regression, cost, y)
        outcomes[EQUAL] = surrogate(split, cost, classes.trees)
        outcomes[THIRD] = surrogate(split, cost, classes.trees // 3, members=2)
        found += [(costs, method, outcome) for method, outcome in outcomes.items()]
    return found


def run(splits: int, workers: int, rows: Path) -> None:
    """Fit what is not yet in the file, writing each split as it is done."""
    rows.parent.mkdir(parents=True, exist_ok=True)
    done = {(table, seed) for table, seed, _ in written(rows)}
    todo = [(table, seed) for seed, table in product(range(splits), TABLES) if (table, seed) not in done]
    cut_off = rows.exists() and not rows.read_bytes().endswith(b"\n")
    with ProcessPoolExecutor(workers) as pool, rows.open("a", encoding="utf-8") as file:
        file.write("\n" if cut_off else "")
        started = {pool.submit(results_of, table, seed): (table, seed) for table, seed in todo}
        for i, future in enumerate(as_completed(started), 1):
            table, seed = started[future]
            file.write(json.dumps({"table": table, "seed": seed, "results": future.result()}) + "\n")
            file.flush()
            print(f"{i} of {len(todo)}: {table}, split {seed}", flush=True)


def written(rows: Path) -> Iterator[tuple[str, int, list[tuple[str, str, Outcome]]]]:
    """Rows of the file; a last one that was cut off is left out."""
    if not rows.exists():
        return
    for line in rows.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        yield row["table"], row["seed"], [(costs, method, Outcome(*o)) for costs, method, o in row["results"]]


def gathered(rows: Path) -> Results:
    found: Results = {}
    for table, seed, results in written(rows):
        for costs, method, outcome in results:
            found.setdefault((table, costs, method), {})[seed] = outcome
    return found


class Verdict(NamedTuple):
    """A method's mean cost minus another's, relative to the other's, with the half width of its interval."""

    difference: float
    half_width: float

    @property
    def word(self) -> str:
        if abs(self.difference) <= self.half_width:
            return "no clear difference"
        return "better" if self.difference < 0 else "worse"

    def __str__(self) -> str:
        return f"{100 * self.difference:+.1f} ± {100 * self.half_width:.1f}"


def verdict(ours: NDArray[np.float64], other: NDArray[np.float64], shared: float, level: float = 0.95) -> Verdict:
    """Interval of the paired difference over splits that share a part of their test rows."""
    differences, splits = ours - other, len(ours)
    spread = differences.std(ddof=1) * np.sqrt(1 / splits + shared / (1 - shared))
    half = float(student.ppf((1 + level) / 2, splits - 1)) * spread
    return Verdict(float(differences.mean() / other.mean()), float(half / other.mean()))


def compared(found: Results, table: str, costs: str, ours: str, other: str, plain: bool = False) -> Verdict:
    """With an interval for splits that overlap; a plain one takes them for independent."""
    a, b = found[table, costs, ours], found[table, costs, other]
    seeds = sorted(a.keys() & b.keys())
    ours_cost, other_cost = (np.array([of[seed].cost for seed in seeds]) for of in (a, b))
    return verdict(ours_cost, other_cost, 0.0 if plain else overlap(table))


def show(found: Results) -> int:
    """Print the tables; in how many cells a third of the trees is at most 1 % dearer."""
    cells = list(dict.fromkeys((table, costs) for table, costs, _ in found))
    methods = list(dict.fromkeys(method for *_, method in found))
    others = [m for m in methods if m != "softmax"]
    splits = min(len(of) for (*_, method), of in found.items() if method == EQUAL)
    lines, within = [], 0
    for table, costs in cells:
        against = {m: compared(found, table, costs, m, "softmax") for m in others}
        within += against[THIRD].difference <= 0.01
        mean = np.mean([o.cost for o in found[table, costs, "softmax"].values()])
        lines.append([f"{table}, {costs}", f"{mean:.4g}", *[str(v) for v in against.values()], against[EQUAL].word])
    print_table(
        f"{splits} splits: mean cost beyond softmax + argmin, %, with its 95 % interval; verdict on {EQUAL!r}",
        ["table, costs", "softmax", *others, "verdict"],
        lines,
    )
    tables = list(dict.fromkeys(table for table, _ in cells))
    for title, what in (("trees built", "trees"), ("seconds of one processor, search included", "seconds")):
        lines = [[table, *[f"{_mean(found, table, method, what):.3g}" for method in methods]] for table in tables]
        print_table(f"{title}, mean over splits and costs", ["table", *methods], lines)
    for plain in (False, True):
        words = [compared(found, *cell, EQUAL, "softmax", plain).word for cell in cells]
        counts = {word: words.count(word) for word in ("better", "no clear difference", "worse")}
        kind = "plain paired intervals" if plain else "intervals for splits that overlap"
        print(f"\n{EQUAL!r} at equal trees, {kind}: {counts} of {len(cells)} cells")
    print(f"{THIRD!r}: at most 1 % dearer in {within} of {len(cells)} cells")
    return within


def _mean(found: Results, table: str, method: str, what: str) -> float:
    outcomes = [o for (t, _, m), of in found.items() if (t, m) == (table, method) for o in of.values()]
    return float(np.mean([getattr(o, what) for o in outcomes]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--table", action="store_true", help="print the tables of what was written, fit nothing")
    parser.add_argument("--splits", type=int, default=SPLITS)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--rows", type=Path, default=ROWS)
    options = parser.parse_args()
    if not options.table:
        run(options.splits, options.workers, options.rows)
    show(gathered(options.rows))


if __name__ == "__main__":
    main()
