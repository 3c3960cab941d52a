"""CostMatrix: what each decision costs when each outcome happens."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.exact import fraction_of_float
from isocost.exceptions import CostMatrixError, PredictionError
from isocost.labels import Label, Labels, checked_labels, label_array, positions_of
from isocost.probabilities import align_columns, validated_rows
from isocost.tables import numbers_of, parameter, parameters

if TYPE_CHECKING:
    from isocost.ordering import Ordering

__all__ = ["CostMatrix", "Rows"]

Rows = Literal["decisions", "outcomes"]


@dataclass(frozen=True, eq=False, init=False, repr=False)
class CostMatrix:
    """Costs ℓ(r, y): rows are decisions r, columns are outcomes y.

    Parameters
    ----------
    table : array_like, shape (k, n)
        Numbers: int, Fraction, Decimal and text ("0.1", "1/3") are taken as they are, a float
        means its value at 15 significant digits (float32: 6).
    decisions, outcomes : sequence of labels, optional
        In the order of the rows and the columns; 0..k-1 and 0..n-1 where absent.
    rows : {"decisions", "outcomes"}
        "outcomes" transposes a table that has the true classes as rows.

    Attributes
    ----------
    costs : ndarray, shape (k, n)
        The nearest doubles, read-only.
    decisions, outcomes : tuple of labels

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]],
    ...                      decisions=["wait", "test", "treat"],
    ...                      outcomes=["mild", "moderate", "severe"])
    >>> cost
    CostMatrix: 3 decisions (rows) x 3 outcomes (columns)
           mild  moderate  severe
    wait      0         3       5
    test      1         0       3
    treat     3         1       0
    deciding 'wait' when the outcome is 'severe' costs 5
    >>> cost.decide([[0.8, 0.1, 0.1], [0.1, 0.2, 0.7]]).tolist()
    ['wait', 'treat']
    """

    decisions: Labels
    outcomes: Labels
    costs: NDArray[np.float64]
    _given: NDArray[np.object_] | None = field(default=None)

    def __init__(
        self,
        table: ArrayLike | Sequence[object],
        decisions: Iterable[Label] | None = None,
        outcomes: Iterable[Label] | None = None,
        rows: Rows = "decisions",
    ) -> None:
        if rows not in ("decisions", "outcomes"):
            raise CostMatrixError(f'rows must be "decisions" or "outcomes"; got {rows!r}')
        costs, given = numbers_of(table)
        if rows == "outcomes":
            costs, given = costs.T, None if given is None else given.T
        costs = np.ascontiguousarray(costs)
        costs.setflags(write=False)
        if given is not None:
            given = np.ascontiguousarray(given)
            given.setflags(write=False)
        object.__setattr__(self, "decisions", checked_labels(decisions, costs.shape[0], "decision"))
        object.__setattr__(self, "outcomes", checked_labels(outcomes, costs.shape[1], "outcome"))
        object.__setattr__(self, "costs", costs)
        object.__setattr__(self, "_given", given)

    # -- constructors ---------------------------------------------------------------------------

    @classmethod
    def ordinal(cls, labels: Sequence[Label], power: object = 2, under: object = 1, over: object = 1) -> Self:
        """Cost |distance|^power between positions: ℓ(r, y) = under·(y-r)^power or over·(r-y)^power.

        Parameters
        ----------
        labels : sequence of labels, length n
            Grades in their order; decisions and outcomes alike.
        power : number
            2 is squared (quadratic kappa), 1 absolute; above 1 is strongly orderable.
        under, over : number
            Weight when the decision is below, above the outcome.

        Examples
        --------
        >>> import isocost as ic
        >>> ic.CostMatrix.ordinal(["low", "mid", "high"], under=3).costs
        array([[ 0.,  3., 12.],
               [ 1.,  0.,  3.],
               [ 4.,  1.,  0.]])
        """
        if isinstance(labels, (str, bytes, Set, Mapping)) or not isinstance(labels, Iterable):
            raise CostMatrixError(f"labels must be a list of labels in their order; got {labels!r}")
        labels = tuple(labels)
        n = len(labels)
        exponent, below, above = (
            parameter(value, name, positive=True)
            for value, name in ((power, "power"), (under, "under"), (over, "over"))
        )
        powers = [Fraction(0)] + [_power(distance, exponent) for distance in range(1, n)]
        table = np.empty((n, n), dtype=object)
        for r in range(n):
            table[r, : r + 1] = [above * powers[r - y] for y in range(r + 1)]
            table[r, r:] = [below * powers[y - r] for y in range(r, n)]
        return cls(table, labels, labels)

    @classmethod
    def actions(
        cls,
        action_cost: Sequence[object],
        harm_share: Sequence[object],
        severity: Sequence[object],
        decisions: Iterable[Label] | None = None,
        outcomes: Iterable[Label] | None = None,
    ) -> Self:
        """Cost of acting plus the share of the harm that remains: ℓ(r, y) = a_r + m_r·h_y.

        Parameters
        ----------
        action_cost : sequence of k numbers
            a_r, what taking decision r costs by itself.
        harm_share : sequence of k numbers
            m_r, the share of the harm that decision r leaves.
        severity : sequence of n numbers
            h_y, the harm of outcome y when nothing is done.

        Examples
        --------
        >>> import isocost as ic
        >>> ic.CostMatrix.actions([0, 1, 3], [1, "0.5", "0.1"], [0, 2, 10]).costs
        array([[ 0. ,  2. , 10. ],
               [ 1. ,  2. ,  6. ],
               [ 3. ,  3.2,  4. ]])
        """
        a = parameters(action_cost, "action_cost")
        m = parameters(harm_share, "harm_share")
        h = parameters(severity, "severity")
        if len(a) != len(m):
            raise CostMatrixError(
                f"action_cost and harm_share must have one entry for each decision; got {len(a)} and {len(m)}"
            )
        return cls([[ar + mr * hy for hy in h] for ar, mr in zip(a, m, strict=True)], decisions, outcomes)

    @classmethod
    def from_long(cls, frame: Any) -> Self:
        """Cost matrix from (decision, outcome, cost) triples, which no transposition can spoil.

        Parameters
        ----------
        frame : table with columns decision, outcome and cost, or iterable of triples
            Labels keep the order in which they first appear.

        Examples
        --------
        >>> import isocost as ic
        >>> ic.CostMatrix.from_long([("no", "ok", 0), ("no", "bad", 5), ("yes", "ok", 1), ("yes", "bad", 0)]).costs
        array([[0., 5.],
               [1., 0.]])
        """
        from isocost.io import triples_of

        triples = triples_of(frame)
        decisions = list(dict.fromkeys(decision for decision, _, _ in triples))
        outcomes = list(dict.fromkeys(outcome for _, outcome, _ in triples))
        cells: dict[tuple[Label, Label], object] = {}
        for decision, outcome, value in triples:
            if (decision, outcome) in cells:
                raise CostMatrixError(
                    f"decision {decision!r} with outcome {outcome!r} must appear once; it is repeated"
                )
            cells[decision, outcome] = parameter(value, f"the cost of decision {decision!r} with outcome {outcome!r}")
        for decision in decisions:
            for outcome in outcomes:
                if (decision, outcome) not in cells:
                    raise CostMatrixError(
                        f"every decision needs a cost for every outcome; decision {decision!r} has none for {outcome!r}"
                    )
        return cls([[cells[d, o] for o in outcomes] for d in decisions], decisions, outcomes)

    @classmethod
    def read(cls, path: str | PathLike[str], rows: Rows | None = None) -> Self:
        """Read a csv, tsv or json file in wide or long form; see :mod:`isocost.io`."""
        from isocost.io import read_costs

        table, decisions, outcomes = read_costs(path, rows)
        try:
            return cls(table, decisions, outcomes)
        except CostMatrixError as error:
            raise CostMatrixError(f"{path}: {error}") from None

    def write(self, path: str | PathLike[str], form: Literal["wide", "long"] = "wide", overwrite: bool = False) -> None:
        """Write a csv or tsv, wide or long, or a json file, exact to the last digit; see :mod:`isocost.io`."""
        from isocost.io import write_costs

        write_costs(self, path, form, overwrite)

    # -- exact values ---------------------------------------------------------------------------

    @cached_property
    def exact(self) -> NDArray[np.object_]:
        """Costs as Fractions, shape (k, n); built on first access."""
        if self._given is not None:
            return self._given
        values = np.empty(self.costs.size, dtype=object)
        values[:] = [fraction_of_float(x) for x in self.costs.ravel().tolist()]
        values.setflags(write=False)
        return values.reshape(self.costs.shape)

    def exact_at(self, decision: int, outcome: int) -> Fraction:
        """One exact cost by positions, without building the whole table.

        Examples
        --------
        >>> import isocost as ic
        >>> ic.CostMatrix([[0, 0.1], [0.3, 0]]).exact_at(1, 0)
        Fraction(3, 10)
        """
        if self._given is not None:
            value: Fraction = self._given[decision, outcome]
            return value
        return fraction_of_float(float(self.costs[decision, outcome]))

    @property
    def floats_are_exact(self) -> bool:
        """Whether equal floats mean equal costs (distinct 15-digit decimals are distinct doubles)."""
        return self._given is None

    # -- decisions ------------------------------------------------------------------------------

    def expected(self, P: Any, normalize: bool = False) -> NDArray[np.float64]:
        """Expected cost Σ_y p_y ℓ(r, y) of each decision, shape (N, k).

        Parameters
        ----------
        P : array_like or frame, shape (N, n)
            Probabilities in outcome order, or a frame with one column for each outcome label.
        normalize : bool
            Divide rows by their sums instead of refusing those that do not sum to 1.
        """
        return np.asarray(validated_rows(P, self.outcomes, normalize) @ self.costs.T, dtype=np.float64)

    def decide(self, P: Any, normalize: bool = False) -> NDArray[np.generic]:
        """Best decision γ(p) = argmin_r Σ_y p_y ℓ(r, y) of each row, as labels, shape (N,)."""
        return np.asarray(label_array(self.decisions)[self.expected(P, normalize).argmin(axis=1)])

    def regret(self, P: Any, decisions: ArrayLike, normalize: bool = False) -> NDArray[np.float64]:
        """Expected cost of the decisions taken beyond that of the best ones, shape (N,).

        Examples
        --------
        >>> import isocost as ic
        >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"])
        >>> cost.regret([[0.5, 0.5], [0.9, 0.1]], ["keep", "keep"])
        array([2., 0.])
        """
        expected = self.expected(P, normalize)
        taken = positions_of(decisions, self.decisions, "decisions")
        if len(taken) != len(expected):
            raise PredictionError(
                f"`decisions` must have one entry for each row of `probabilities`; got {len(taken)} and {len(expected)}"
            )
        return np.asarray(expected[np.arange(len(taken)), taken] - expected.min(axis=1))

    def positions(self, y: ArrayLike) -> NDArray[np.intp]:
        """Positions 0..n-1 of outcome labels, shape (N,).

        Examples
        --------
        >>> import isocost as ic
        >>> ic.CostMatrix.ordinal([3, 4, 5]).positions([5, 3])
        array([2, 0])
        """
        return positions_of(y, self.outcomes, "y")

    def align(self, P: Any, classes: Iterable[object]) -> NDArray[np.float64] | NDArray[np.float32]:
        """Columns of P, labelled by `classes`, in the order of the outcomes.

        Examples
        --------
        >>> import isocost as ic
        >>> cost = ic.CostMatrix.ordinal(["low", "mid", "high"])
        >>> cost.align([[0.5, 0.2, 0.3]], classes=["high", "low", "mid"])
        array([[0.2, 0.3, 0.5]])
        """
        return align_columns(P, classes, self.outcomes)

    def scorer(self) -> Callable[..., float]:
        """Scikit-learn scorer: negative mean cost of predicted decisions; higher is better."""
        from isocost.learn.scorer import cost_scorer

        return cost_scorer(self)

    def ordering(self) -> Ordering:
        """Decide exactly whether the decisions line up; see :class:`isocost.Ordering`."""
        from isocost.ordering import order_decisions

        return order_decisions(self)

    # -- manners --------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CostMatrix):
            return NotImplemented
        return (
            self.decisions == other.decisions
            and self.outcomes == other.outcomes
            and np.array_equal(self.costs, other.costs)
            and ((self.floats_are_exact and other.floats_are_exact) or bool((self.exact == other.exact).all()))
        )

    def __hash__(self) -> int:
        return hash((self.decisions, self.outcomes, self.costs.tobytes()))

    def __repr__(self) -> str:
        k, n = self.costs.shape
        head = f"CostMatrix: {_count(k, 'decision')} (rows) x {_count(n, 'outcome')} (columns)"
        return "\n".join([head, *_table_lines(self), self.describe_cell()])

    def describe_cell(self) -> str:
        """The dearest cell in words, so that a transposed table is noticed.

        Examples
        --------
        >>> import isocost as ic
        >>> ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"]).describe_cell()
        "deciding 'keep' when the outcome is 'bad' costs 5"
        """
        r, y = np.unravel_index(int(self.costs.argmax()), self.costs.shape)
        return f"deciding {self.decisions[r]!r} when the outcome is {self.outcomes[y]!r} costs {self.costs[r, y]:.6g}"


def _power(distance: int, exponent: Fraction) -> Fraction:
    if distance == 1:
        return Fraction(1)
    if exponent > 1100 or float(exponent) * math.log2(distance) > 1023:
        raise CostMatrixError(f"costs must be below 1e308 in size; distance {distance} to this power is not")
    if exponent.denominator == 1:
        return Fraction(distance) ** exponent.numerator
    return fraction_of_float(float(f"{distance ** float(exponent):.15g}"))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _table_lines(cost: CostMatrix, most: int = 12) -> list[str]:
    """The table as text, cut to `most` rows and columns."""
    k, n = cost.costs.shape
    columns = [str(label) for label in cost.outcomes[:most]] + (["…"] if n > most else [])
    lines = [["", *columns]]
    for r in range(min(k, most)):
        cells = [f"{x:.6g}" for x in cost.costs[r, :most]] + (["…"] if n > most else [])
        lines.append([str(cost.decisions[r]), *cells])
    if k > most:
        lines.append(["…"] * len(lines[0]))
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return [
        "  ".join([line[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(line[1:], widths[1:], strict=True))])
        for line in lines
    ]
