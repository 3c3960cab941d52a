"""The recalibrated score of probabilities as pieces, each a constant or one quotient of sums.

Γ(p) lies between two neighbouring points x_i where the expected V changes its sign, and there it
is a quotient of the two sums; a recalibration map adds its own points. For engines that compute
the score themselves: :mod:`isocost.export`, ``frames.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isocost.comparisons import columns, first_false, floor_of, freeze, power_of, sums, table_at
from isocost.linear_property import LinearProperty
from isocost.property import SmoothProperty
from isocost.score_map import ScoreMap

__all__ = ["ScorePieces", "pieces_of_score"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScorePieces:
    """Piece i is the first whose point i is passed; the last where none is.

    With E_i the sum of row i over the :func:`isocost.comparisons.columns` and
    d = max(η - min_y p_y, 0), the score on piece i = 0 … m is

    - starts_i where steps_i is 0, else
    - starts_0 + steps_0·E_0 / (unit + inner·d) on the first piece,
    - starts_m + steps_m·E_{m-1} / (unit + inner·d) on the last,
    - starts_i + steps_i·(E_{i-1} / (E_i - E_{i-1})) between.

    Attributes
    ----------
    table : ndarray, shape (m, n), or (m, n+1) where `floor` is above 0
    strict : ndarray of bool, shape (m,)
        Point i is passed where E_i > 0 (strict) or E_i ≥ 0.
    starts, steps : ndarray, shape (m+1,)
    unit, inner : float
    floor : float
        η of the property.
    error : float
        No score is farther from the rule's; 0 unless blocks were merged.
    """

    table: Floats
    strict: NDArray[np.bool_]
    starts: Floats
    steps: Floats
    unit: float
    inner: float
    floor: float
    error: float

    def __post_init__(self) -> None:
        freeze(self)

    def value(self, P: Floats) -> Floats:
        """Scores of checked probabilities: the reference for those who compute it elsewhere."""
        given = columns(P, self.floor)
        total = sums(given, self.table)
        piece = first_false(~np.where(self.strict, total > 0, total >= 0))
        m, rows = len(self.strict), np.arange(len(P))
        below, above = total[rows, np.maximum(piece - 1, 0)], total[rows, np.minimum(piece, m - 1)]
        tail = (piece == 0) | (piece == m)
        short = given[:, -1] if self.floor else 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            quotient = below / np.where(tail, self.unit + self.inner * short, above - below)
        steps = self.steps[piece]
        return self.starts[piece] + np.where(steps == 0, 0.0, steps * quotient)


def pieces_of_score(prop: SmoothProperty | LinearProperty, mapped: ScoreMap) -> ScorePieces:
    """Pieces of the score of a property of one number, mapped.

    Parameters
    ----------
    prop : SmoothProperty, or LinearProperty of one number
    mapped : ScoreMap
    """
    knots = prop.knots if isinstance(prop, SmoothProperty) else np.zeros(1)
    points, before, strict = _points(knots, mapped)
    piece = np.r_[np.searchsorted(mapped.breaks, points, side="left"), len(mapped.breaks)]
    rates = mapped.rates[piece]
    left = np.r_[points[0], points]  # where each piece starts, or the point that a tail is measured from
    starts = mapped.bases[piece] + rates * (left - mapped.anchors[piece])
    steps = rates * np.r_[-1.0, -np.diff(points), -1.0]
    # Two constant pieces of one value are one.
    same = (steps[:-1] == 0) & (steps[1:] == 0) & (starts[:-1] == starts[1:])
    if same.all():
        same[0] = False
    table = table_at(prop, points[~same], before[~same])
    power, floor, n = power_of(table), floor_of(prop), len(prop.outcomes)
    size = float(np.ldexp(1.0, power))
    return ScorePieces(
        np.ldexp(table, power),
        strict[~same],
        starts[np.r_[True, ~same]],
        steps[np.r_[True, ~same]],
        size * (1 / n - floor) if floor else size,
        size if floor else 0.0,
        floor,
        mapped.error,
    )


def _points(knots: Floats, mapped: ScoreMap) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_]]:
    """Knots and breaks in order; whether V is taken before its jump; whether the point is passed above 0 only.

    At a knot the score is continuous: passed above 0 only it is hit bit for bit. At a jump of the
    map a score equal to the break belongs to the piece before it.
    """
    before = np.r_[np.diff(knots) == 0, False]
    # A break at a knot takes the place of it, after the jump of V if there is one.
    free = before | ~np.isin(knots, mapped.breaks)
    points = np.r_[knots[free], mapped.breaks]
    of_break = np.r_[np.zeros(free.sum(), dtype=bool), np.ones(len(mapped.breaks), dtype=bool)]
    order = np.lexsort((of_break, points))
    before = np.r_[before[free], np.zeros(len(mapped.breaks), dtype=bool)]
    return points[order], before[order], ~(of_break & mapped.jumps)[order]
