"""Numbers as people read them."""

from __future__ import annotations

import math

from isocost.auditing.estimates import Estimate

__all__ = ["count_text", "estimate_text", "interval_text", "number_text", "plural"]


def number_text(x: float, digits: int = 3) -> str:
    """A number to so many digits, or to the unit.

    Examples
    --------
    >>> number_text(-0.12345), number_text(12345.6), number_text(float("inf")), number_text(1e-9)
    ('−0.123', '12,346', '∞', '1.00e−09')
    """
    if math.isnan(x):
        return "unknown"
    if math.isinf(x):
        return "∞" if x > 0 else "−∞"
    size = abs(x)
    if size >= 1e9 or 0 < size < 1e-5:
        text = f"{x:.{digits - 1}e}"
    elif size >= 10**digits:
        text = f"{x:,.0f}"
    else:
        text = f"{x:.{digits}g}"
    return text.replace("-", "−")


def count_text(x: float) -> str:
    """A number of rows, with separators.

    Examples
    --------
    >>> count_text(32390.0)
    '32,390'
    """
    return f"{x:,.0f}"


def interval_text(estimate: Estimate) -> str:
    """The ends of an interval in words; of a one-sided one its limit.

    Examples
    --------
    >>> interval_text(Estimate(0.1, 0.05, 0.2, 0.95, "")), interval_text(Estimate(0.1, 0.0, 0.2, 0.95, ""))
    ('0.05 to 0.2', 'at most 0.2')
    """
    if math.isinf(estimate.low) and math.isinf(estimate.high):
        return "no interval"
    if estimate.low == 0 <= estimate.value and estimate.high >= estimate.value:
        return f"at most {number_text(estimate.high)}"
    return f"{number_text(estimate.low)} to {number_text(estimate.high)}"


def estimate_text(estimate: Estimate) -> str:
    """Value and interval.

    Examples
    --------
    >>> estimate_text(Estimate(0.1, 0.05, 0.2, 0.95, ""))
    '0.1 (0.05 to 0.2)'
    """
    return f"{number_text(estimate.value)} ({interval_text(estimate)})"


def plural(number: float, noun: str) -> str:
    """A number with its noun.

    Examples
    --------
    >>> plural(1, "row"), plural(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{count_text(number)} {noun}{'' if number == 1 else 's'}"
