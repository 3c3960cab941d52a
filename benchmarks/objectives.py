"""What the objective costs a training loop, and how much memory 10⁶ rows take.

Goals: gradient and curvature take at most 15 % of the training time (of the processor, with one thread for the library,
so that other programs do not matter); the peak memory of training on 10⁶ rows, the data
included, stays below 3 times the data. Each memory figure is that of a fresh process.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lightgbm as lgb
import numpy as np
import xgboost as xgb
from numpy.typing import NDArray
from plotnine.data import diamonds

import isocost as ic
from benchmarks.tools import print_table
from isocost.learn import SurrogateClassifier, efficient
from isocost.learn.boosting import lightgbm_objective, xgboost_objective

GRADES = ["I1", "SI2", "SI1", "VS2", "VS1", "VVS2", "VVS1", "IF"]
COST = ic.CostMatrix.ordinal(GRADES, under=3)
PROPERTIES: dict[str, Any] = {
    "efficient": efficient(COST),
    "embedding": ic.smooth(COST, "embedding"),
    "smoothest": ic.smooth(COST),
    "linear": ic.linear(ic.CostMatrix.ordinal(GRADES, power=1)),
}
ROUNDS = 20
COPIES = 20
MODELS: dict[str, Callable[[], Any]] = {
    "LightGBM": lambda: lgb.LGBMRegressor(n_estimators=20, verbose=-1),
    "LightGBM, held out": lambda: lgb.LGBMRegressor(n_estimators=20, verbose=-1),
    "XGBoost": lambda: xgb.XGBRegressor(n_estimators=20),
    "linear": lambda: None,
}


def repeated(copies: int) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """The diamonds so many times, with a little noise so that no two rows are alike; positions of their clarity."""
    numbers = [diamonds[name].to_numpy(dtype=float) for name in ("carat", "depth", "table", "price", "x", "y", "z")]
    codes = [diamonds[name].cat.codes.to_numpy(dtype=float) for name in ("cut", "color")]
    X = np.tile(np.column_stack([*numbers, *codes]), (copies, 1))
    random = np.random.default_rng(0)
    for column in range(X.shape[1]):
        X[:, column] *= random.normal(1, 1e-3, len(X))
    return X, np.tile(COST.positions(diamonds["clarity"].astype(str).to_numpy()), copies)


def timed(objective: Callable[..., Any], seconds: list[float]) -> Callable[..., Any]:
    """The objective as a function that notes the seconds spent in it; LightGBM copies objects, but not functions."""

    def ask(predictions: Any, data: Any) -> Any:
        start = time.process_time()
        found = objective(predictions, data)
        seconds.append(time.process_time() - start)
        return found

    return ask


def train_lightgbm(X: Any, y: Any, prop: Any) -> tuple[float, float]:
    objective = lightgbm_objective(prop)
    seconds: list[float] = []
    data = lgb.Dataset(X, label=y, init_score=objective.init_score(y)).construct()
    params = {
        "objective": timed(objective, seconds),
        "verbose": -1,
        "num_threads": 1,
        **({"num_class": prop.dimension} if prop.dimension > 1 else {}),
    }
    start = time.process_time()
    lgb.train(params, data, ROUNDS)
    return time.process_time() - start, sum(seconds)


def train_xgboost(X: Any, y: Any, prop: Any) -> tuple[float, float]:
    objective = xgboost_objective(prop)
    seconds: list[float] = []
    data = xgb.QuantileDMatrix(X, label=y)
    base = np.asarray(objective.start(y)).tolist()
    params = {"base_score": base, "nthread": 1, **({"num_target": prop.dimension} if prop.dimension > 1 else {})}
    start = time.process_time()
    xgb.train(params, data, ROUNDS, obj=timed(objective, seconds))
    return time.process_time() - start, sum(seconds)


def shares() -> None:
    rows = []
    for copies in (1, COPIES):
        X, y = repeated(copies)
        for name, prop in PROPERTIES.items():
            for library, train in (("LightGBM", train_lightgbm), ("XGBoost", train_xgboost)):
                train(X[:1000], y[:1000], prop)  # compile
                runs = [train(X, y, prop) for _ in range(3 if copies == 1 else 1)]
                total, inside = min(runs)
                per_row = 1e9 * inside / (ROUNDS * len(y) * prop.dimension)
                rows.append([library, name, str(len(y)), f"{100 * inside / total:.1f} %", f"{per_row:.1f}"])
    header = ["library", "property", "rows", "of the training time", "ns a row and number"]
    print_table(f"The objective, {ROUNDS} rounds with default parameters", header, rows)


def memory(name: str) -> float:
    """Peak memory of a fit over that before the data was made, in sizes of the data."""
    small, labels = repeated(1)
    options: dict[str, Any] = {"n_iter_no_change": 5, "random_state": 0} if "held out" in name else {}

    def model() -> SurrogateClassifier:
        return SurrogateClassifier(MODELS[name](), COST, **options)

    model().fit(small, np.array(GRADES)[labels])  # libraries loaded, loops compiled
    before = kilobytes("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    X, y = repeated(COPIES)
    model().fit(X, np.array(GRADES)[y])
    return (kilobytes("VmHWM") - before) * 1024 / X.nbytes


def kilobytes(name: str) -> int:
    """Memory of this process, as Linux tells it."""
    return int(Path("/proc/self/status").read_text().split(name + ":")[1].split()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description="Time and memory of the training objectives.")
    parser.add_argument("--memory", choices=list(MODELS), help="print one memory figure, for a process of its own")
    options = parser.parse_args()
    if options.memory:
        print(memory(options.memory))
        return
    shares()
    rows = []
    for name in MODELS:
        command = [sys.executable, "-m", "benchmarks.objectives", "--memory", name]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        rows.append([name, f"{float(done.stdout.split()[-1]):.2f}"])
    size = len(diamonds) * COPIES
    print_table(f"Peak memory of fitting {size} rows, data included, in sizes of the data", ["model", "peak"], rows)


if __name__ == "__main__":
    main()
