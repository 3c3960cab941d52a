"""V and L between the knots: linear and quadratic pieces, with the tails of slope 1."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Pieces", "pieces_of"]

Floats = NDArray[np.float64]


class Pieces(NamedTuple):
    """V(u, y) = start + slope·(u - origin) and its integral on each of m+1 pieces.

    Piece 0 is the tail left of the first knot, piece m the one right of the last. At a repeated
    knot, where V jumps, the piece between the two has no width.
    """

    origins: Floats
    start: Floats
    slopes: Floats
    losses: Floats


def pieces_of(knots: Floats, values: Floats) -> Pieces:
    """Pieces of a V given at its knots; L is shifted so that its minimum over u is 0."""
    widths = np.diff(knots)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = np.where(widths > 0, np.diff(values, axis=0) / widths, 0.0)
    tail = np.ones((1, values.shape[1]))
    start, slopes = np.r_[values[:1], values], np.r_[tail, inner, tail]
    return Pieces(np.concatenate([knots[:1], knots]), start, slopes, _losses(widths, values, start, slopes))


def _losses(widths: Floats, values: Floats, start: Floats, slopes: Floats) -> Floats:
    """L at the origin of each piece."""
    risen = np.cumsum(widths * (values[1:] + values[:-1]) / 2, axis=0)
    at = np.r_[np.zeros((2, values.shape[1])), risen]
    # A piece has its minimum at an end, or inside where a rising V passes 0.
    ends = np.r_[widths, np.full((1, 1), np.inf)]
    with np.errstate(divide="ignore", invalid="ignore"):
        root = -start / slopes
        root[0] = np.minimum(root[0], 0.0)
        root[1:] = np.clip(root[1:], 0.0, ends)
        inside = at + root * (start + slopes * root / 2)
    lowest = np.where(slopes > 0, np.minimum(inside, at), at)
    return np.asarray(at - lowest.min(axis=0))
