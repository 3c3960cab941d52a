"""Exact numbers: what a cost that arrives as int, float, Decimal, Fraction or text means."""

from __future__ import annotations

import math
import numbers
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

__all__ = ["canonical_floats", "exact_number", "fraction_of_float", "number_text", "to_integers"]

# The number of decimal digits that survive a round trip through each binary format.
SIGNIFICANT_DIGITS = {2: 3, 4: 6, 8: 15}

# Beyond doubles by far; a Fraction of 1e999999999 would fill the memory.
LARGEST_EXPONENT = 1000


def fraction_of_float(value: float) -> Fraction:
    """Value of a double at 15 significant digits: 0.1 means 1/10."""
    if value.is_integer() and abs(value) < 1e15:
        return Fraction(int(value))
    return Fraction(*Decimal(f"{value:.15g}").as_integer_ratio())


def exact_number(value: object) -> Fraction:
    """Fraction that a cost means; raises ValueError with the reason where it means none.

    Examples
    --------
    >>> exact_number(0.1), exact_number("2.50"), exact_number("1/3"), exact_number(7)
    (Fraction(1, 10), Fraction(5, 2), Fraction(1, 3), Fraction(7, 1))
    """
    if type(value) is Fraction:
        return value
    if isinstance(value, (bool, np.bool_)):
        return Fraction(int(value))
    if isinstance(value, np.timedelta64):  # NumPy registers it as an integer
        raise ValueError(f"{value!r} is a timedelta64, not a number")
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not finite")
        digits = SIGNIFICANT_DIGITS.get(value.dtype.itemsize, 15) if isinstance(value, np.floating) else 15
        return Fraction(f"{value:.{digits}g}")  # as text: the largest doubles round up to infinity
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is not finite")
        if value and abs(value.adjusted()) > LARGEST_EXPONENT:
            raise ValueError(f"{value} is out of range")
        return Fraction(value)
    if isinstance(value, str):
        return _from_text(value)
    raise ValueError(f"{value!r} is a {type(value).__name__}, not a number")


def _from_text(text: str) -> Fraction:
    stripped = text.strip()
    if not stripped:
        raise ValueError("the cell is empty")
    if stripped.lower().lstrip("+-") in {"nan", "inf", "infinity"}:
        raise ValueError(f"{stripped!r} is not finite")
    exponent = re.search(r"e([+-]?\d+)$", stripped, re.IGNORECASE)
    if len(stripped) > 4 * LARGEST_EXPONENT or (exponent and abs(int(exponent[1])) > LARGEST_EXPONENT):
        raise ValueError(f"{stripped if len(stripped) < 40 else stripped[:40] + '…'!r} is out of range")
    try:
        return Fraction(stripped)
    except ZeroDivisionError:
        raise ValueError(f"{stripped!r} divides by zero") from None
    except ValueError:
        hint = "; write decimals with a point" if "," in stripped else ""
        raise ValueError(f"{stripped!r} is not a number{hint}") from None


def canonical_floats(table: NDArray[np.floating]) -> NDArray[np.float64]:
    """Floats rounded to the digits they carry, as the nearest doubles of those decimals."""
    values = table.astype(np.float64)
    open_entries = (values != np.trunc(values)) | (np.abs(values) >= 1e15)
    digits = SIGNIFICANT_DIGITS.get(table.dtype.itemsize, 15)
    values[open_entries] = [float(f"{x:.{digits}g}") for x in values[open_entries].tolist()]
    return values + 0.0  # no negative zeros


def to_integers(fractions: NDArray[np.object_]) -> NDArray[np.object_]:
    """Fractions times the positive common denominator, as Python integers."""
    values: list[Fraction] = fractions.ravel().tolist()
    scale = math.lcm(*(x.denominator for x in values))
    integers = np.empty(len(values), dtype=object)
    integers[:] = [x.numerator * (scale // x.denominator) for x in values]
    return integers.reshape(fractions.shape)


def number_text(value: Fraction) -> str:
    """Shortest exact text: a decimal where one exists, else numerator/denominator.

    Examples
    --------
    >>> number_text(Fraction(5, 2)), number_text(Fraction(1, 3)), number_text(Fraction(4))
    ('2.5', '1/3', '4')
    """
    rest = value.denominator
    places = {2: 0, 5: 0}
    for base in places:
        while rest % base == 0:
            rest //= base
            places[base] += 1
    if rest != 1:
        return str(value)
    scale = max(places.values())
    if scale == 0:
        return str(value.numerator)
    digits = str(abs(value.numerator) * 10**scale // value.denominator).rjust(scale + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-scale]}.{digits[-scale:]}"
