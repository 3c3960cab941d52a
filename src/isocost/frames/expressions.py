"""Γ, its link and the cells of its grid as expressions: additions, comparisons and `when`, which every engine has.

Each step adds columns to a frame and so may refer to those of the step before: an expression that is used
twice is written once, and stays small however many knots there are. The arithmetic is that of the kernels, in
their order, so that scores at a cut fall on the same side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.grid import Grid
from isocost.interface import Property
from isocost.linear_property import LinearProperty
from isocost.property import SmoothProperty

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

    Frame: TypeAlias = "nw.DataFrame[Any] | nw.LazyFrame[Any]"

__all__ = [
    "chosen",
    "decision_position",
    "dot",
    "grid_cell",
    "least_of",
    "marks_passed",
    "smallest",
    "with_added",
    "with_scores",
]

Floats = NDArray[np.float64]


def with_added(frame: Frame, columns: Mapping[str, nw.Expr]) -> Frame:
    """The frame with these columns too, if there are any."""
    return frame.with_columns(**columns) if columns else frame


def dot(names: Sequence[str], values: Floats) -> nw.Expr:
    """Σ_y p_y v_y, added in order; what is multiplied by 0 is left out."""
    import narwhals.stable.v2 as nw

    terms = [nw.col(name) * value for name, value in zip(names, values.tolist(), strict=True) if value != 0]
    total = terms[0] if terms else nw.col(names[0]) * 0.0
    for term in terms[1:]:
        total = total + term
    return total


def chosen(size: int, passes: Callable[[int], nw.Expr], leaf: Callable[[int], Any]) -> nw.Expr:
    """``leaf(j)`` with j = #{i < size : passes(i)}, where those that pass come first; a tree of `when`, log₂ deep."""
    import narwhals.stable.v2 as nw

    def tree(low: int, high: int) -> Any:
        if low == high:
            return leaf(low)
        middle = (low + high) // 2
        return nw.when(passes(middle)).then(tree(middle + 1, high)).otherwise(tree(low, middle))

    found = tree(0, size)
    return found if size else found if isinstance(found, nw.Expr) else nw.lit(found)


def marks_passed(u: nw.Expr, marks: Floats, closed: NDArray[np.bool_]) -> nw.Expr:
    """How many of the rising marks u has passed: u > mark, at a closed one u ≥ mark."""

    def passes(i: int) -> nw.Expr:
        mark = float(marks[i])
        return u >= mark if closed[i] else u > mark

    return chosen(len(marks), passes, float)


def with_scores(frame: Frame, prop: Property, names: Sequence[str], to: str) -> tuple[Frame, tuple[str, ...]]:
    """The frame with the columns of Γ(p), `names` those of p, and their names, which begin with `to`."""
    if isinstance(prop, SmoothProperty):
        return _with_root(frame, prop, names, to), (to,)
    assert isinstance(prop, LinearProperty)
    scores = tuple(f"{to}{i}" for i in range(prop.dimension))
    return frame.with_columns(**{score: dot(names, row) for score, row in zip(scores, prop.basis, strict=True)}), scores


def _with_root(frame: Frame, prop: SmoothProperty, names: Sequence[str], to: str) -> Frame:
    """Γ(p): E_j = ⟨p, V(t_j)⟩ at each knot, and the root between the last E_j ≤ 0 and the first E_j > 0."""
    import narwhals.stable.v2 as nw

    if prop.interior:
        frame, names = _moved_inside(frame, names, prop.interior, to)
    knots, m = prop.knots.tolist(), len(prop.knots)
    frame = frame.with_columns(**{f"{to}_e{j}": dot(names, prop.values[j]) for j in range(m)})
    at = [nw.col(f"{to}_e{j}") for j in range(m)]

    def root(j: int) -> Any:
        if j == 0:
            return knots[0] - at[0]
        if j == m:
            return knots[m - 1] - at[m - 1]
        return knots[j - 1] + (knots[j] - knots[j - 1]) * (-at[j - 1] / (at[j] - at[j - 1]))

    return frame.with_columns(**{to: chosen(m, lambda j: at[j] <= 0.0, root)})


def smallest(frame: Frame, names: Sequence[str], to: str) -> tuple[Frame, str]:
    """The frame with a column of the smallest of some columns, and its name.

    A tournament, with a step for each round: expressions that are nested instead would double in size.
    """
    import narwhals.stable.v2 as nw

    left, rounds = list(names), 0
    while len(left) > 1:
        pairs = list(zip(left[::2], left[1::2], strict=False))
        winners = [f"{to}_l{rounds}_{i}" for i in range(len(pairs))]
        frame = frame.with_columns(
            **{
                winner: nw.when(nw.col(a) < nw.col(b)).then(nw.col(a)).otherwise(nw.col(b))
                for winner, (a, b) in zip(winners, pairs, strict=True)
            }
        )
        left, rounds = [*winners, *left[2 * len(pairs) :]], rounds + 1
    return frame, left[0]


def least_of(frame: Frame, names: Sequence[str], to: str) -> Frame:
    """The frame with the position of the first least of some columns; a tournament too."""
    import narwhals.stable.v2 as nw

    frame = frame.with_columns(**{f"{to}_r{i}": nw.lit(float(i)) for i in range(len(names))})
    left, rounds = [(name, f"{to}_r{i}") for i, name in enumerate(names)], 0
    while len(left) > 1:
        pairs = list(zip(left[::2], left[1::2], strict=False))
        winners = [(f"{to}_w{rounds}_{i}", f"{to}_v{rounds}_{i}") for i in range(len(pairs))]
        columns = {}
        for winner, (one, two) in zip(winners, pairs, strict=True):
            later = nw.col(two[0]) < nw.col(one[0])  # the earlier wins a tie
            for name, a, b in zip(winner, one, two, strict=True):
                columns[name] = nw.when(later).then(nw.col(b)).otherwise(nw.col(a))
        frame = frame.with_columns(**columns)
        left, rounds = [*winners, *left[2 * len(pairs) :]], rounds + 1
    return frame.with_columns(**{to: nw.col(left[0][1])})


def _moved_inside(frame: Frame, names: Sequence[str], floor: float, to: str) -> tuple[Frame, list[str]]:
    """P mixed with just so much of the uniform distribution that none is below the floor."""
    import narwhals.stable.v2 as nw

    frame, least = smallest(frame, names, to)
    lowest, n = nw.col(least), len(names)
    share = nw.when(lowest < floor).then((floor - lowest) / (1 / n - lowest)).otherwise(0.0)
    frame = frame.with_columns(**{f"{to}_share": share})
    mixed = nw.col(f"{to}_share")
    inside = {f"{to}_q{y}": (1 - mixed) * nw.col(name) + mixed / n for y, name in enumerate(names)}
    return frame.with_columns(**inside), list(inside)


def decision_position(frame: Frame, prop: Property, scores: Sequence[str], to: str) -> Frame:
    """The frame with the position in ``prop.decisions`` of the decision of each score."""
    import narwhals.stable.v2 as nw

    if isinstance(prop, SmoothProperty):
        repeats = np.r_[np.diff(prop.cuts) == 0, False][: len(prop.cuts)]  # the first of a repeated cut is closed
        return frame.with_columns(**{to: marks_passed(nw.col(scores[0]), prop.cuts, repeats)})
    assert isinstance(prop, LinearProperty)
    if not scores:  # one decision that is always best
        return frame.with_columns(**{to: nw.lit(0.0)})
    costs = {f"{to}_c{r}": dot(scores, row) + float(prop.offsets[r]) for r, row in enumerate(prop.weights)}
    return least_of(frame.with_columns(**costs), list(costs), to)


def grid_cell(frame: Frame, grid: Grid, score: str, cell: str, offset: str) -> Frame:
    """The frame with the cell of each score on the grid, and its offset from the origin of the cell."""
    import narwhals.stable.v2 as nw

    u, low, high, inverse = nw.col(score), grid.low, grid.high, grid.inverse or 1.0
    # The order of the branches keeps huge scores from becoming integers, as they do where .ceil() makes such.
    step = (
        nw.when(u <= low)
        .then(0.0)
        .otherwise(nw.when(u > high).then(grid.cells + 1.0).otherwise(((u - low) * inverse).ceil().cast(nw.Float64)))
    )
    frame = frame.with_columns(**{f"{cell}_step": step})
    s = nw.col(f"{cell}_step")
    s = nw.when((s > grid.cells) & (u <= high)).then(float(grid.cells)).otherwise(s)
    frame = frame.with_columns(**{f"{cell}_step": s})
    s = nw.col(f"{cell}_step")
    origin = (
        nw.when(s <= 0).then(low).otherwise(nw.when(s > grid.cells).then(high).otherwise(low + (s - 0.5) / inverse))
    )
    return frame.with_columns(**{cell: s + marks_passed(u, grid.marks, grid.closed), offset: u - origin})
