"""Estimates with their intervals, and the one way to bound a measure that cannot be negative."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.frequencies import Frequencies

__all__ = ["Estimate", "Measure", "below", "mean_estimate", "normal_quantile", "sd_of_sum", "student_quantile"]

Floats = NDArray[np.float64]


class Estimate(NamedTuple):
    """A value with the ends of its interval.

    A measure that cannot be negative has a one-sided interval: `low` is 0, and `high` an upper
    limit that holds with probability `level`.
    """

    value: float
    low: float
    high: float
    level: float
    method: str

    def __str__(self) -> str:
        return f"{self.value:.4g} [{self.low:.4g}, {self.high:.4g}]"


@dataclass(frozen=True)
class Measure:
    """What a number means.

    Attributes
    ----------
    name : str
    estimand : str
        What would be known from infinitely many rows.
    unit : str
    perfect : str
        What perfect predictions have.
    needs : tuple of str
        Which sums of a tally it is computed from: "taken", "pairs" or "scores", "predicted" where these must be of
        rows with probabilities; "rows" where sums do not suffice, so that only :func:`isocost.audit` has it.
    """

    name: str
    estimand: str
    unit: str
    perfect: str
    needs: tuple[str, ...]


def normal_quantile(probability: float) -> float:
    """Quantile of the normal distribution.

    Examples
    --------
    >>> round(normal_quantile(0.975), 3)
    1.96
    """
    from statistics import NormalDist

    return NormalDist().inv_cdf(probability)


def student_quantile(probability: float, units: float) -> float:
    """Quantile of Student's distribution for the mean of so many observations (at least 1 degree of freedom)."""
    from scipy.special import stdtrit  # scipy is slow to import

    return float(stdtrit(max(units - 1, 1.0), probability))


def mean_estimate(at: Frequencies, values: Floats, level: float, places: NDArray[np.bool_] | None = None) -> Estimate:
    """Mean of values(place, outcome) over the rows, or those at some places, with Student's interval.

    For the interval one more row is imagined, spread evenly over the outcomes. Without it an outcome that is rare and
    dear, and by chance not seen, would leave a far too narrow interval; docs/decisions has the figures.

    Parameters
    ----------
    at : Frequencies
    values : ndarray, shape (M, n)
    level : float
    places : ndarray of bool, shape (M,), optional
    """
    used = np.ones(len(at.weight), dtype=bool) if places is None else places
    weight = at.weight * used[:, None]
    total = float(weight.sum())
    if total == 0:
        return Estimate(math.nan, -math.inf, math.inf, level, "no rows")
    value = float((weight * values).sum() / total)
    units = at.units_at(used)
    if units < 2:
        return Estimate(value, -math.inf, math.inf, level, "one row: no interval")
    one = total / units
    imagined = weight.sum(axis=1, keepdims=True) / total / weight.shape[1]
    mean = float((value * total + one * (imagined * values).sum()) / (total + one))
    centred = np.where(used[:, None], values - mean, 0.0)
    squares = float(at.variances(centred[None])[0]) + one**2 * float((imagined * centred**2).sum())
    sd = math.sqrt(squares * (units + 1) / units) / (total + one)
    reach = student_quantile((1 + level) / 2, units + 1) * sd
    low, high = min(mean - reach, value), max(mean + reach, value)
    return Estimate(value, low, high, level, "Student's t, one row imagined")


def below(value: float, sd: float, units: float, level: float, method: str = "supremum of signed means") -> Estimate:
    """Upper limit of a measure that is a supremum of signed means, T = sup_φ φ(h) ≥ 0.

    At the φ that attains T the estimate is at least the signed mean φ(ĥ), whose mean is T: so T̂ + z·sd covers T at
    least as often as a mean is covered by its own upper limit.

    Parameters
    ----------
    value : float
        T̂.
    sd : float
        Standard deviation of the signed mean; the largest of those that come into question.
    units : float
        Number of independent observations.
    level : float
    method : str
    """
    return Estimate(value, 0.0, value + student_quantile(level, units) * sd, level, method)


def sd_of_sum(at: Frequencies, influence: Floats) -> float:
    """Standard deviation of Σ w·a(place, outcome)/Σ w over random rows, a of shape (M, n)."""
    total, units = float(at.weight.sum()), max(at.units, 2.0)
    centred = influence - float((at.weight * influence).sum()) / total
    return math.sqrt(float(at.variances(centred[None])[0]) * units / (units - 1)) / total
