"""Files of predictions for the tests: a forecaster of three outcomes, too sure of itself, in several formats."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import isocost as ic

__all__ = ["LABELS", "Rows", "csv_text", "some_rows", "write_parquet"]

LABELS = ("mild", "moderate", "severe")


class Rows(NamedTuple):
    """Predictions and what happened."""

    probabilities: NDArray[np.float64]
    outcome: NDArray[np.str_]
    group: NDArray[np.str_]
    weight: NDArray[np.float64]

    def part(self, of: slice) -> Rows:
        """Some of the rows."""
        return Rows(self.probabilities[of], self.outcome[of], self.group[of], self.weight[of])


def some_rows(count: int = 3000, seed: int = 0) -> Rows:
    random = np.random.default_rng(seed)
    truth = random.dirichlet([2, 1, 1], size=count)
    y = np.array(LABELS)[(truth.cumsum(axis=1) < random.random((count, 1))).sum(axis=1)]
    sharp = truth**3 / (truth**3).sum(axis=1, keepdims=True)
    sharp = np.round(sharp, 9)
    sharp[:, 0] = 1 - sharp[:, 1] - sharp[:, 2]  # as written they sum to 1
    return Rows(
        np.round(sharp, 9),
        y,
        np.array(["north", "south"])[random.integers(0, 2, count)],
        random.integers(1, 4, count) / 2,
    )


def csv_text(
    rows: Rows,
    names: Sequence[str] = ("p_severe", "p_mild", "p_moderate"),
    order: Sequence[int] = (2, 0, 1),
    labels: Sequence[str] = LABELS,
    end: str = "\n",
    delimiter: str = ",",
) -> str:
    """A csv file; the columns of probabilities are not in the order of the outcomes."""
    text = io.StringIO(newline="")
    lines = csv.writer(text, lineterminator=end, delimiter=delimiter)
    lines.writerow(["id", *names, "y", "site", "w"])
    spelled = dict(zip(LABELS, labels, strict=True))
    for i, (p, y, group, weight) in enumerate(zip(*rows, strict=True)):
        lines.writerow([i, *(repr(float(p[j])) for j in order), spelled[str(y)], group, float(weight)])
    return text.getvalue()


def write_parquet(rows: Rows, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {f"p_{label}": rows.probabilities[:, j] for j, label in enumerate(LABELS)}
    pq.write_table(pa.table(columns | {"y": rows.outcome, "site": rows.group, "w": rows.weight}), path)


def in_memory(cost: ic.CostMatrix, rows: Rows, **settings: object) -> ic.Audit:
    """The audit that Python makes of the same rows."""
    return ic.audit(cost, rows.outcome, probabilities=rows.probabilities, **settings)  # type: ignore[arg-type]
