"""Where numbers and names go in a picture, so that none overlap: plain arrays, no drawing."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

__all__ = ["label_spot", "number_text", "percent_text", "round_levels", "spaced", "spread"]

Floats = NDArray[np.float64]

CLEAR = 0.03  # between a box and a point that it avoids


def round_levels(low: float, high: float, most: int) -> Floats:
    """At most `most` values strictly between low and high, evenly spaced in round steps.

    Examples
    --------
    >>> round_levels(-0.3, 1.8, 5).tolist()
    [0.0, 0.5, 1.0, 1.5]
    """
    if most < 1 or not low < high:
        return np.empty(0)
    # A step of 1, 2, 2.5 or 5 times a power of ten, the finest that gives few enough levels.
    decade = math.floor(math.log10((high - low) / (most + 1)))
    for exponent in (decade, decade + 1, decade + 2):
        for digit in (1, 2, 2.5, 5):
            step = digit * 10.0**exponent
            slack = 1e-9 * step  # a level within rounding of an end is the end
            count = np.arange(math.floor((low + slack) / step) + 1, math.ceil((high - slack) / step))
            if len(count) <= most:
                return np.asarray(count * step)
    return np.empty(0)


def number_text(value: float, width: float) -> str:
    """A score as short text, to about a hundredth of the width of the range it lies in.

    Examples
    --------
    >>> number_text(0.5, 3.0), number_text(-0.26726, 2.1), number_text(1 / 3, 1e-9)
    ('0.5', '−0.27', '0.333')
    """
    if 1e-3 <= width < 1e6:
        digits = max(0, 2 - math.floor(math.log10(width)))
        text = f"{value:.{digits}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        text = f"{value:.3g}"
    return "0" if text == "-0" else text.replace("-", "−")


def percent_text(share: float) -> str:
    """A share as percent, to two digits.

    Examples
    --------
    >>> percent_text(1.0), percent_text(0.123), percent_text(0.00456), percent_text(0.0)
    ('100 %', '12 %', '0.46 %', '0 %')
    """
    return f"{100 * share:.0f} %" if share >= 0.0995 else f"{100 * share:.2g} %"


def spaced(places: Iterable[float], widths: Iterable[float], gap: float) -> list[int]:
    """Which of the texts centred at these places to keep so that none overlap; earlier ones go first.

    Examples
    --------
    >>> spaced([0.0, 0.1, 0.3], [0.2, 0.2, 0.2], gap=0.05)
    [0, 2]
    """
    kept: dict[int, tuple[float, float]] = {}
    for i, (place, width) in enumerate(zip(places, widths, strict=True)):
        if all(abs(place - other) >= (width + its_width) / 2 + gap for other, its_width in kept.values()):
            kept[i] = (place, width)
    return list(kept)


def spread(places: Floats, widths: Floats, gap: float) -> Floats:
    """The nearest places in the same order where texts of these widths do not overlap.

    Examples
    --------
    >>> spread(np.array([0.1, 0.5, 0.6]), np.array([0.2, 0.2, 0.2]), gap=0.1).round(3).tolist()
    [0.1, 0.4, 0.7]
    """
    if len(places) < 2:
        return places
    offsets = np.r_[0.0, np.cumsum((widths[1:] + widths[:-1]) / 2 + gap)]
    # Without the offsets the places must only not fall: isotonic regression, x_i = max_{a ≤ i} min_{b ≥ i} mean(a…b).
    total = np.r_[0.0, np.cumsum(places - offsets)]
    a, b = np.ogrid[: len(places), : len(places)]
    means = np.where(a <= b, (total[1:] - total[:-1, None]) / np.maximum(b - a + 1, 1), np.inf)
    least = np.minimum.accumulate(means[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(np.where(a <= b, least, -np.inf).max(axis=0) + offsets)


def label_spot(
    polygon: Floats, width: float, height: float, avoid: tuple[float, float] | None = None
) -> tuple[float, float] | None:
    """Centre of the roomiest place for a box inside a convex polygon, or None where none fits.

    Parameters
    ----------
    polygon : ndarray, shape (m, 2)
        Corners in the plane, in turn.
    width, height : float
        Of the box.
    avoid : tuple of float, optional
        A point that the box must not come near.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> label_spot(square, 0.6, 0.2), label_spot(square, 1.2, 0.2)
    ((0.5, 0.5), None)
    """
    sides = np.roll(polygon, -1, axis=0) - polygon
    lengths = np.hypot(*sides.T)
    if len(polygon) < 3 or lengths.max() == 0:
        return None
    starts, sides = polygon[lengths > 0], sides[lengths > 0] / lengths[lengths > 0, None]
    inward = np.stack([-sides[:, 1], sides[:, 0]], axis=1)
    inward *= np.sign((inward * (polygon.mean(axis=0) - starts)).sum(axis=1))[:, None]
    # Room of a box: the least distance of its corners from the sides. Seen from a fine grid it is exact enough.
    (left, bottom), (right, top) = polygon.min(axis=0), polygon.max(axis=0)
    x, y = np.meshgrid(np.linspace(left, right, 81), np.linspace(bottom, top, 81))
    centres = np.stack([x.ravel(), y.ravel()], axis=1)
    reach = np.abs(inward) @ np.array([width, height]) / 2
    room = (centres @ inward.T - (starts * inward).sum(axis=1) - reach).min(axis=1)
    if avoid is not None:
        apart = np.abs(centres - avoid)
        room[(apart[:, 0] < width / 2 + CLEAR) & (apart[:, 1] < height / 2 + CLEAR)] = -np.inf
    # Of the places with about the most room take their middle: a strip has many.
    best = room.max()
    if best < 0:
        return None
    near = centres[room >= best - 0.02 * max(right - left, top - bottom)]
    spot = near.mean(axis=0) if avoid is None else centres[room.argmax()]
    return float(spot[0]), float(spot[1])
