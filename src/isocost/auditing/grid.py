"""The fixed grid of a score: cells on which V is linear and the decision one, the same on every engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from isocost.property import SmoothProperty

__all__ = ["CELLS", "Atoms", "Grid"]

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

CELLS = 4096


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells of the score of a smooth property, numbered from the left.

    4096 cells of equal width cover the range of Γ, open on the left and closed on the right, as
    the link ψ is, and one cell lies beyond each end. They are split at every cut and knot. So the
    number of a score u is ⌈(u - low)·inverse⌉, kept to 0..cells+1, plus the number of marks below u:
    arithmetic and comparisons that any engine has. A repeated cut has a cell of its own.

    Parameters
    ----------
    prop : SmoothProperty
    cells : int
        Other than 4096 where only a fine histogram is wanted; audits agree on one grid.
    """

    prop: SmoothProperty
    cells: int = CELLS

    @cached_property
    def low(self) -> float:
        """Smallest Γ(p)."""
        return self.prop.range[0]

    @cached_property
    def high(self) -> float:
        """Largest Γ(p)."""
        return self.prop.range[1]

    @cached_property
    def inverse(self) -> float:
        """Cells for each unit of the score; 0 where there is but one decision."""
        return self.cells / (self.high - self.low) if self.high > self.low else 0.0

    @cached_property
    def marks(self) -> Floats:
        """Cuts and knots, rising; a repeated cut appears twice."""
        return self._marks[0]

    @cached_property
    def closed(self) -> NDArray[np.bool_]:
        """Whether a mark is passed at u equal to it, as the first of a repeated cut is, not only beyond."""
        return self._marks[1]

    @cached_property
    def _marks(self) -> tuple[Floats, NDArray[np.bool_]]:
        once, repeats = np.unique(self.prop.cuts, return_counts=True)
        doubled = once[repeats > 1]
        marks = np.sort(np.concatenate([np.unique(np.r_[self.prop.cuts, self.prop.knots]), doubled]))
        first = np.r_[marks[1:] == marks[:-1], False] if len(marks) else np.zeros(0, dtype=bool)
        return marks, first

    @cached_property
    def passed(self) -> Integers:
        """For each of the cells + 2 steps, how many marks any score in it has passed."""
        steps = np.arange(self.cells + 2)
        return np.asarray(np.searchsorted(self._steps_of(self.marks), steps, side="left"))

    def _steps_of(self, u: Floats) -> Integers:
        if self.inverse == 0:
            return np.asarray(np.where(u <= self.low, 0, self.cells + 1))
        with np.errstate(over="ignore"):
            step = np.clip(np.ceil((u - self.low) * self.inverse), 0, self.cells)
        return np.asarray(np.where(u <= self.low, 0, np.where(u > self.high, self.cells + 1, step)), dtype=np.intp)

    @property
    def size(self) -> int:
        """Number of cells."""
        return self.cells + 2 + len(self.marks)

    def keys(self, u: Floats) -> tuple[Integers, Floats]:
        """Cell of each score and its offset from the origin of the cell.

        Examples
        --------
        >>> import isocost as ic
        >>> grid = Grid(ic.smooth(ic.CostMatrix([[0, 5], [1, 0]])))
        >>> keys, offset = grid.keys(np.array([0.0, 0.1]))
        >>> bool((grid.origins[keys] + offset == [0.0, 0.1]).all())
        True
        """
        from isocost.auditing.loops import cells, in_parts  # numba is slow to import

        keys, offset = np.empty(len(u), dtype=np.intp), np.empty(len(u))
        arguments = (u, self.low, self.high, self.inverse or 1.0, self.marks, self.closed, self.passed, keys, offset)
        in_parts(len(u), lambda start, stop: cells(*arguments, start, stop))
        return keys, offset

    @cached_property
    def origins(self) -> Floats:
        """The score from which each cell's offsets count: the middle of its step, an end of the range beyond it."""
        step = self._step_of_cell
        middle = self.low + (step - 0.5) / (self.inverse or 1.0)
        return np.asarray(np.where(step == 0, self.low, np.where(step == self.cells + 1, self.high, middle)))

    @cached_property
    def _step_of_cell(self) -> Integers:
        # Marks of one step are passed within it; a cell's number is its step plus the marks passed.
        steps = np.searchsorted(
            np.arange(self.cells + 2) + np.r_[self.passed[1:], len(self.marks)], np.arange(self.size)
        )
        return np.asarray(np.minimum(steps, self.cells + 1))


@dataclass(frozen=True, eq=False)
class Atoms:
    """Every distinct score as a cell of its own: exact, for data in memory.

    Parameters
    ----------
    origins : ndarray, shape (M,)
        The scores, rising.
    """

    origins: Floats

    @property
    def size(self) -> int:
        """Number of cells."""
        return len(self.origins)

    def keys(self, u: Floats) -> tuple[Integers, Floats]:
        """Cell of each score, which must be one of them; offsets are 0."""
        return np.asarray(np.searchsorted(self.origins, u)), np.zeros(len(u))
