"""Forecast probabilities and what happened, read from compressed files in this package."""

from __future__ import annotations

import csv
import gzip
import io
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

__all__ = ["Predictions", "football", "hpc_jobs"]


@dataclass(frozen=True, eq=False)
class Predictions:
    """Probabilities of ordered outcomes, and the outcome of each row.

    Attributes
    ----------
    probabilities : ndarray, shape (N, n)
        Columns in the order of `outcomes`.
    outcome : ndarray of str, shape (N,)
        The label that happened.
    outcomes : tuple of n labels, in order
    columns : dict of str to ndarray, shape (N,)
        What else is known of each row.
    attribution : str
        Who made the data; name them where you use it.
    licence : str
        SPDX identifier; the text is beside the data.
    """

    probabilities: NDArray[np.float64]
    outcome: NDArray[np.str_]
    outcomes: tuple[str, ...]
    columns: dict[str, NDArray[np.generic]]
    attribution: str
    licence: str

    def __repr__(self) -> str:
        more = f"; also {', '.join(self.columns)}" if self.columns else ""
        return f"Predictions: {len(self.outcome)} rows, outcomes {' < '.join(self.outcomes)}{more}. {self.attribution}"


def football() -> Predictions:
    """FiveThirtyEight's forecasts of 32,390 club matches, 2016 to 2019: away win < tie < home win.

    Columns `season` (int) and `league` (str). CC BY 4.0.

    Examples
    --------
    >>> from isocost.datasets import football
    >>> matches = football()
    >>> matches.probabilities.shape, matches.outcomes
    ((32390, 3), ('away', 'tie', 'home'))
    >>> print(matches.attribution)
    Data: FiveThirtyEight, club soccer match forecasts, CC BY 4.0.
    """
    rows = _read("football.csv.gz")
    tie, home = (rows[name].astype(np.int64) for name in ("tie", "home"))  # in millionths
    return _predictions(
        np.column_stack([10**6 - tie - home, tie, home]) / 1e6,
        rows["outcome"],
        ("away", "tie", "home"),
        {"season": rows["season"].astype(np.int64), "league": rows["league"]},
        "Data: FiveThirtyEight, club soccer match forecasts, CC BY 4.0.",
        "CC-BY-4.0",
    )


def hpc_jobs() -> Predictions:
    """Out-of-fold probabilities of a linear discriminant analysis for 3,467 computing jobs: VF < F < M < L.

    Outcomes are classes of run time, from very fast to long; column `fold` is the fold of the
    cross-validation. MIT.

    Examples
    --------
    >>> from isocost.datasets import hpc_jobs
    >>> jobs = hpc_jobs()
    >>> jobs
    Predictions: 3467 rows, outcomes VF < F < M < L; also fold. Data: modeldata authors, hpc_cv, MIT.
    """
    rows = _read("hpc_jobs.csv.gz")
    outcomes = ("VF", "F", "M", "L")
    return _predictions(
        np.column_stack([rows[name].astype(np.float64) for name in outcomes]),
        rows["outcome"],
        outcomes,
        {"fold": rows["fold"]},
        "Data: modeldata authors, hpc_cv, MIT.",
        "MIT",
    )


def _read(name: str) -> dict[str, NDArray[np.str_]]:
    """Columns of a compressed csv file by name, as text."""
    text = gzip.decompress((files("isocost.datasets") / "files" / name).read_bytes()).decode("utf-8")
    header, *rows = csv.reader(io.StringIO(text))
    return {name: np.array(column) for name, column in zip(header, zip(*rows, strict=True), strict=True)}


def _predictions(
    probabilities: NDArray[np.float64],
    outcome: NDArray[np.str_],
    outcomes: tuple[str, ...],
    columns: dict[str, NDArray[np.generic]],
    attribution: str,
    licence: str,
) -> Predictions:
    for array in (probabilities, outcome, *columns.values()):
        array.setflags(write=False)
    return Predictions(probabilities, outcome, outcomes, columns, attribution, licence)
