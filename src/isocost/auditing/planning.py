"""sample_size: how many labelled rows an audit needs, planned from predictions alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.certificates import alternatives_of
from isocost.auditing.estimates import normal_quantile
from isocost.auditing.limits import unit_limits
from isocost.auditing.settings import checked_level
from isocost.choose import property_for
from isocost.costs import CostMatrix
from isocost.exceptions import PredictionError
from isocost.interface import Property
from isocost.labels import Label
from isocost.probabilities import validated_rows

__all__ = ["SamplePlan", "sample_size"]

Floats = NDArray[np.float64]

MOST_ROWS = 1e12


@dataclass(frozen=True)
class SamplePlan:
    """Rows that an audit needs; made by :func:`isocost.sample_size`.

    Attributes
    ----------
    rows : float
        For all that was asked; inf where no number would do.
    for_mean_cost : float
        For an interval of the mean cost of the half-width asked for; 0 where none was.
    for_certificate : dict of label to float
        For each decision to be certified with the power asked for, if predictions are calibrated.
    power, level : float
    """

    rows: float
    for_mean_cost: float
    for_certificate: dict[Label, float]
    power: float
    level: float

    def __str__(self) -> str:
        parts = [f"{decision!r} {rows:.4g}" for decision, rows in self.for_certificate.items()]
        text = f"{self.rows:.4g} rows; to certify, with probability {self.power:g} each: {', '.join(parts)}"
        return text + (f"; for the mean cost: {self.for_mean_cost:.4g}" if self.for_mean_cost else "")


def sample_size(
    cost: CostMatrix,
    probabilities: Any,
    half_width: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
    prop: Property | None = None,
) -> SamplePlan:
    """Number of labelled rows that an audit needs, if predictions like these are calibrated.

    No outcome is needed: where decision r is taken, outcomes come with the mean of the predictions
    there, so each gap to a neighbour and its variance are known. Decisions close to a tie take many rows.

    Parameters
    ----------
    cost : CostMatrix
    probabilities : array_like or frame, shape (N, n)
        Predictions like those to be audited, labelled or not.
    half_width : float, optional
        Of the interval of the mean cost, in units of cost.
    power : float
        Probability of certifying each decision.
    level : float
        Of the certificate and the interval.
    prop : Property, optional
        ``property_for(cost)`` where absent.

    Examples
    --------
    >>> import isocost as ic, numpy as np
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"])
    >>> P = np.array([[0.95, 0.05], [0.5, 0.5]])
    >>> plan = ic.sample_size(cost, P, half_width=0.1)
    >>> plan.for_certificate["drop"] < plan.for_certificate["keep"] < plan.rows + 1
    True
    """
    checked_level(level)
    checked_level(power, "power")
    P = validated_rows(probabilities, cost.outcomes)
    if len(P) == 0:
        raise PredictionError("sample_size needs at least one row of probabilities; got none")
    if half_width is not None and not (isinstance(half_width, (int, float)) and 0 < half_width < math.inf):
        raise PredictionError(f"half_width must be a positive number in units of cost; got {half_width!r}")
    prop = property_for(cost) if prop is None else prop
    cells = prop.cell(prop.value(P))
    where = {label: r for r, label in enumerate(cost.decisions)}
    alternatives = alternatives_of(cost, cost.ordering())
    risk = (1 - level) / 2 / max(sum(map(len, alternatives)), 1)
    first = second = 0.0
    certificate: dict[Label, float] = {}
    for position, label in enumerate(prop.decisions):
        share = float((cells == position).mean())
        if share == 0:
            continue
        r, D = where[label], P[cells == position].mean(axis=0, dtype=np.float64)
        first += share * float(D @ cost.costs[r])
        second += share * float(D @ cost.costs[r] ** 2)
        needed = max(
            (_rows_to_certify(cost.costs[s] - cost.costs[r], D, risk, power) for s in alternatives[r]), default=0
        )
        certificate[label] = math.ceil(needed / share) if needed < MOST_ROWS else math.inf
    for_mean = 0.0
    if half_width is not None:
        for_mean = math.ceil(normal_quantile((1 + level) / 2) ** 2 * max(second - first**2, 0.0) / half_width**2)
    return SamplePlan(max([for_mean, *certificate.values()]), for_mean, certificate, power, level)


def _rows_to_certify(difference: Floats, D: Floats, risk: float, power: float) -> float:
    """Rows at a decision such that the lower limit of its gap is above 0 with probability `power`."""
    low, high = float(difference.min()), float(difference.max())
    if low > 0:
        return 1.0
    scaled = (difference - low) / (high - low)
    mean, zero = float(D @ scaled), -low / (high - low)
    variance = float(D @ (scaled - mean) ** 2)

    def enough(rows: float) -> bool:
        unlucky = mean - normal_quantile(power) * math.sqrt(variance / rows)
        return unit_limits(min(max(unlucky, 0.0), 1.0), variance, rows, risk, identical=True)[0] > zero

    rows = 2.0
    while not enough(rows):
        rows *= 2
        if rows > MOST_ROWS:
            return math.inf
    few, many = rows / 2, rows
    while many / few > 1.005:
        middle = math.sqrt(few * many)
        few, many = (few, middle) if enough(middle) else (middle, many)
    return many
