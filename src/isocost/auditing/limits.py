"""Limits of means that hold for any number of rows: for the certificate, which promises an error rate."""

from __future__ import annotations

import math

__all__ = ["bernstein_reach", "kl_lower", "unit_limits"]


def kl_lower(mean: float, units: float, risk: float) -> float:
    """Lower limit of a mean of independent variables in [0, 1]: the least q with units·kl(mean, q) ≤ ln(1/risk).

    Chernoff's bound, which Hoeffding extends from coins to any variable in [0, 1].

    Examples
    --------
    >>> kl_lower(1.0, 100, 0.05) == 0.05 ** (1 / 100)
    True
    >>> kl_lower(0.0, 100, 0.05)
    0.0
    """
    room = math.log(1 / risk) / units
    if mean <= 0:
        return 0.0
    if mean >= 1:
        return math.exp(-room)
    low, high = 0.0, mean
    for _ in range(60):
        q = (low + high) / 2
        if _kl(mean, q) > room:
            low = q
        else:
            high = q
    return low


def _kl(p: float, q: float) -> float:
    if q <= 0:
        return math.inf
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


def bernstein_reach(variance: float, units: float, risk: float) -> float:
    """How far a mean of independent variables in [0, 1] may lie on one side of its expectation.

    Empirical Bernstein bound with the sample variance (Maurer and Pontil, COLT 2009, theorem 11).

    Examples
    --------
    >>> round(bernstein_reach(0.01, 1000, 0.05), 4)
    0.0172
    """
    if units < 2:
        return math.inf
    room = math.log(2 / risk)
    return math.sqrt(2 * variance * room / units) + 7 * room / (3 * (units - 1))


def unit_limits(mean: float, variance: float, units: float, risk: float, identical: bool) -> tuple[float, float]:
    """Lower and upper limit of the mean of independent variables in [0, 1], each wrong with probability `risk`.

    The tighter of Chernoff-KL and empirical Bernstein, each at half the risk; for variables that are not identically
    distributed, as weighted ones are not, empirical Bernstein alone.

    Parameters
    ----------
    mean, variance : float
        Of the sample.
    units : float
        Number of variables.
    risk : float
    identical : bool

    Examples
    --------
    >>> low, high = unit_limits(0.5, 0.25, 400, 0.05, identical=True)
    >>> round(low, 3), round(high, 3)
    (0.432, 0.568)
    """
    if not identical:
        reach = bernstein_reach(variance, units, risk)
        return mean - reach, mean + reach
    reach = bernstein_reach(variance, units, risk / 2)
    low, high = kl_lower(mean, units, risk / 2), 1 - kl_lower(1 - mean, units, risk / 2)
    return max(low, mean - reach), min(high, mean + reach)
