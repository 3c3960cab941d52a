"""A recalibration map of one number as linear pieces, for whoever computes it elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isocost.comparisons import freeze
from isocost.recalibrate import AffineRecalibrator, IsotonicRecalibrator

__all__ = ["MOST_BLOCKS", "ScoreMap", "score_map_of"]

Floats = NDArray[np.float64]

# An expression of more blocks is too long to be planned quickly.
MOST_BLOCKS = 256


@dataclass(frozen=True, eq=False)
class ScoreMap:
    """Piece j = #{i : break_i < u} maps u to bases_j + rates_j·(u - anchors_j).

    Attributes
    ----------
    breaks : ndarray, shape (B,)
        Of the score before recalibration, increasing.
    jumps : bool
        Whether the map jumps at its breaks; else it is continuous there.
    anchors, bases, rates : ndarray, shape (B+1,)
        Rates are at least 0 for a nondecreasing map.
    error : float
        No value is farther from the map's own; 0 unless blocks were merged.

    Examples
    --------
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 5], [1, 0]]))
    >>> steps = score_map_of(ic.IsotonicRecalibrator(prop).fit([-0.3, 0.4], [0, 1]))
    >>> steps.breaks.round(2).tolist(), steps.bases.round(2).tolist(), steps.rates.tolist()
    ([0.05], [-0.2, 1.0], [0.0, 0.0])
    """

    breaks: Floats
    jumps: bool
    anchors: Floats
    bases: Floats
    rates: Floats
    error: float = 0.0

    def __post_init__(self) -> None:
        freeze(self)

    def __call__(self, u: Floats) -> Floats:
        """Mapped scores, shape of u."""
        j = np.searchsorted(self.breaks, u, side="left")
        return np.asarray(self.bases[j] + self.rates[j] * (u - self.anchors[j]))


def score_map_of(
    recalibration: IsotonicRecalibrator | AffineRecalibrator | None,
    apart: NDArray[np.intp] | None = None,
    most: int | None = None,
) -> ScoreMap:
    """Pieces of a recalibrator of one number; the identity for None.

    Parameters
    ----------
    recalibration : fitted recalibrator, or None
    apart : ndarray of intp, optional
        A number for each block of an isotonic map: blocks with different ones are never merged.
    most : int, optional
        With more pieces neighbouring blocks are merged to at most so many, each with the middle of its
        values, so that the largest error is as small as it can be. It is at most
        (highest - lowest value)/(2·(most - k)) for k different numbers in `apart`, plus half a step
        for an interpolated map.
    """
    if recalibration is None:
        return ScoreMap(np.empty(0), False, np.zeros(1), np.zeros(1), np.ones(1))
    if isinstance(recalibration, AffineRecalibrator):
        return ScoreMap(np.empty(0), False, np.zeros(1), recalibration.offset_, recalibration.matrix_[0])
    fitted, keep = recalibration, recalibration.keep_
    found = _ramps(fitted) if fitted.interpolate else _steps(fitted.thresholds_, fitted.values_, keep)
    if most is None or len(found.bases) <= most:
        return found
    values = fitted.values_
    splits = np.empty(0, dtype=np.intp) if apart is None else np.flatnonzero(np.diff(apart)) + 1
    starts = _merged(values, splits, most)
    ends = np.r_[starts[1:], len(values)] - 1
    spread = values[ends] - values[starts]
    if fitted.interpolate:  # the ramp to the next group belongs half to each
        gaps = np.r_[0.0, np.diff(values)[ends[:-1]], 0.0]
        spread = spread + np.maximum(gaps[:-1], gaps[1:])
    level = (values[starts] + values[ends]) / 2
    steps = _steps(fitted.thresholds_[ends[:-1]], level, keep)
    return ScoreMap(steps.breaks, True, steps.anchors, steps.bases, steps.rates, (1 - keep) * float(spread.max()) / 2)


def _steps(thresholds: Floats, values: Floats, keep: float) -> ScoreMap:
    m = len(values)
    return ScoreMap(thresholds, True, np.zeros(m), (1 - keep) * values, np.full(m, keep))


def _ramps(fitted: IsotonicRecalibrator) -> ScoreMap:
    """Level from the lowest to the highest score of a block, rising between blocks."""
    keep, values = fitted.keep_, fitted.values_
    ends = np.column_stack([fitted.lowest_, fitted.highest_]).ravel()[1:-1]  # between these pieces lie
    risen = np.repeat(values, 2)[1:-1]
    widths = np.diff(ends, append=np.inf)
    slopes = np.r_[np.diff(risen), 0.0] / np.where(widths > 0, widths, 1.0)
    kept = np.r_[widths > 0]  # a block of a single score has no level piece
    breaks = ends[kept]
    anchors, levels = np.r_[0.0, breaks], np.r_[values[0], risen[kept]]
    rates = np.r_[0.0, slopes[kept]]
    return ScoreMap(breaks, False, anchors, (1 - keep) * levels + keep * anchors, (1 - keep) * rates + keep)


def _merged(values: Floats, splits: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """First block of each group: as few groups as a spread allows, with the least spread that needs at most `most`."""

    def grouped(width: float) -> list[int]:
        starts = [0]
        while True:
            end = int(np.searchsorted(values, values[starts[-1]] + width, side="right"))
            at = int(np.searchsorted(splits, starts[-1], side="right"))
            end = min(end, int(splits[at]) if at < len(splits) else end)
            if end >= len(values):
                return starts
            starts.append(max(end, starts[-1] + 1))

    low, high = 0.0, float(values[-1] - values[0])
    if len(grouped(high)) > most:  # more decisions than blocks
        return np.array(grouped(high))
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if len(grouped(middle)) > most else (low, middle)
    return np.array(grouped(high))
