"""DecisionRule: all that turns a prediction into a decision, in one object that can be saved and shipped."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.comparisons import Contest, Ladder, contest_of, ladder_at, ladder_of
from isocost.costs import CostMatrix
from isocost.exceptions import PredictionError, RuleError
from isocost.labels import Labels, label_array
from isocost.linear_property import LinearProperty
from isocost.probabilities import validated_rows
from isocost.property import SmoothProperty
from isocost.recalibrate import IsotonicRecalibrator, SwapRecalibrator
from isocost.rule_parts import (
    Recalibration,
    checked_cost,
    checked_date,
    checked_property,
    checked_recalibration,
    checked_swap,
)
from isocost.score_map import ScoreMap, score_map_of
from isocost.scores import checked_scores

if TYPE_CHECKING:
    from isocost.export.onnx import FloatType, Inputs
    from isocost.export.sql import Dialect, Output, ProbabilityColumns

__all__ = ["DecisionRule"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False, init=False)
class DecisionRule:
    """From probabilities or scores to decisions: property Γ, recalibration map, link ψ, swap map.

    It holds copies: fitting a recalibrator again does not change the rule. A rule is saved as
    readable JSON, never as a pickle; see :meth:`save`.

    Parameters
    ----------
    prop : SmoothProperty or LinearProperty
    recalibration : IsotonicRecalibrator or AffineRecalibrator, optional
        Fitted, of this property.
    swap : SwapRecalibrator, optional
        Fitted, of this cost matrix; replaces decisions last.
    cost : CostMatrix, optional
        Whose decisions these are; by default what the property was made from.
    date : datetime.date, optional
        Of the making; today by default.
    version : str, optional
        Of the isocost that made it; this one by default.

    Notes
    -----
    A decision is found from comparisons of plain sums that every engine computes alike
    (:mod:`isocost.comparisons`). Where two decisions cost the same to the last bit of rounding it can be
    the other one of the two than ``prop.decide(prop.value(P))`` says.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]],
    ...                      decisions=["wait", "test", "treat"], outcomes=["mild", "moderate", "severe"])
    >>> rule = ic.DecisionRule(ic.smooth(cost, method="embedding", ratios=[0.5]))
    >>> P = [[0.8, 0.1, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]]
    >>> rule.value(P).round(4).tolist(), rule.decide(P).tolist()
    ([0.3235, 1.4286, 2.6071], ['wait', 'test', 'treat'])
    >>> rule.decide(score=[0.5, 2.5]).tolist()
    ['wait', 'treat']
    """

    prop: SmoothProperty | LinearProperty
    recalibration: Recalibration | None
    swap: SwapRecalibrator | None
    cost: CostMatrix
    date: datetime.date
    version: str

    def __init__(
        self,
        prop: SmoothProperty | LinearProperty,
        recalibration: Recalibration | None = None,
        swap: SwapRecalibrator | None = None,
        cost: CostMatrix | None = None,
        date: datetime.date | None = None,
        version: str | None = None,
    ) -> None:
        import isocost

        prop = checked_property(prop)
        owner = checked_cost(prop, cost, swap)
        object.__setattr__(self, "prop", prop)
        object.__setattr__(self, "recalibration", checked_recalibration(prop, recalibration))
        object.__setattr__(self, "swap", checked_swap(owner, swap))
        object.__setattr__(self, "cost", owner)
        object.__setattr__(self, "date", checked_date(date))
        object.__setattr__(self, "version", isocost.__version__ if version is None else version)

    # -- what it does -----------------------------------------------------------------------------

    def value(self, P: Any = None, *, score: ArrayLike | None = None, normalize: bool = False) -> Floats:
        """Recalibrated score, shape (N,), or (N, d) for several numbers.

        Parameters
        ----------
        P : array_like or frame, shape (N, n)
            Probabilities in outcome order, or a frame with one column for each outcome label.
        score : array_like
            In place of P: scores *before* recalibration, as a model that was trained on Γ gives them.
        normalize : bool
            Divide rows of P by their sums instead of refusing those that do not sum to 1.

        Examples
        --------
        >>> import isocost as ic
        >>> prop = ic.smooth(ic.CostMatrix([[0, 5], [1, 0]]))
        >>> iso = ic.IsotonicRecalibrator(prop).fit([-0.3, 0.4], [0, 1])
        >>> ic.DecisionRule(prop, iso).value(score=[-9.0, 0.3]).round(3).tolist()
        [-0.2, 1.0]
        """
        if self._given(P, score):
            return self._mapped(self._scores(score))
        rows = validated_rows(P, self.prop.outcomes, normalize)
        found = self.prop.value(rows)
        if isinstance(self.comparisons, Contest):
            return self._mapped(found)
        # A score within rounding of a cut, or of a jump of the map, goes to the side that the comparisons say.
        found = found.ravel()
        if self._jumps is not None:
            found = self._jumps.settled(rows, found)
        return self._mapped(self.comparisons.clipped(found, self.comparisons.positions(rows)))

    def decide(self, P: Any = None, *, score: ArrayLike | None = None, normalize: bool = False) -> NDArray[np.generic]:
        """Decision labels, shape (N,).

        Parameters
        ----------
        P : array_like or frame, shape (N, n)
            Probabilities in outcome order, or a frame with one column for each outcome label.
        score : array_like
            In place of P: scores *before* recalibration.
        normalize : bool
            Divide rows of P by their sums instead of refusing those that do not sum to 1.

        Examples
        --------
        >>> import isocost as ic
        >>> prop = ic.smooth(ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"]))
        >>> ic.DecisionRule(prop).decide([[0.9, 0.1], [0.5, 0.5]]).tolist()
        ['keep', 'drop']
        """
        if self._given(P, score):
            at = self.comparisons.positions_of_scores(self._scores(score))
        else:
            at = self.comparisons.positions(validated_rows(P, self.prop.outcomes, normalize))
        return np.asarray(label_array(self.comparisons.labels)[at])

    def apply(self, frame: Any, probabilities: Any = None, score: Any = None, overwrite: bool = False) -> Any:
        """The frame with the columns score and decision: the same kind of frame, lazy where it was lazy.

        A row that cannot be read, as its probabilities are missing, negative or do not sum to 1, is an
        error in memory; in a lazy frame its score and decision are null.

        Parameters
        ----------
        frame : DataFrame, LazyFrame, Table or relation
            Of pandas, polars, pyarrow, DuckDB, PySpark, Dask or Ibis.
        probabilities : list of str, or mapping of outcomes to str, optional
            A column for each outcome; a list is in the order of the outcomes.
        score : str, or list of str, optional
            In place of probabilities: columns of scores before recalibration.
        overwrite : bool
            Replace columns called score or decision.

        Examples
        --------
        >>> import isocost as ic, pandas as pd
        >>> rule = ic.DecisionRule(ic.smooth(ic.CostMatrix([[0, 1], [1, 0]], decisions=["keep", "drop"])))
        >>> rule.apply(pd.DataFrame({"p": [0.9, 0.25], "q": [0.1, 0.75]}), probabilities=["p", "q"])
              p     q  score decision
        0  0.90  0.10   -0.8     keep
        1  0.25  0.75    0.5     drop
        """
        from isocost.frames.apply import apply_to_frame

        return apply_to_frame(self, frame, probabilities, score, overwrite)

    @cached_property
    def comparisons(self) -> Ladder | Contest:
        """The decision as comparisons of sums, with cuts pulled back; what exports and engines compute."""
        labels = self.prop.decisions
        if self.swap is not None:
            labels = tuple(self.swap.map_[label] for label in labels)
        if isinstance(self.prop, SmoothProperty) or isinstance(self.recalibration, IsotonicRecalibrator):
            iso = self.recalibration
            return ladder_of(self.prop, labels, None if iso is None else lambda u: np.ravel(iso.predict(u)))
        affine = self.recalibration
        matrix, offset = (None, None) if affine is None else (affine.matrix_, affine.offset_)
        return contest_of(self.prop, self.cost, labels, matrix, offset)

    @cached_property
    def score_map(self) -> ScoreMap:
        """The recalibration map of one number as linear pieces; what exports and engines compute."""
        if self.prop.dimension != 1:
            raise RuleError(f"a score of {self.prop.dimension} numbers has no map of one number")
        return score_map_of(self.recalibration)

    @cached_property
    def _jumps(self) -> Ladder | None:
        """Comparisons at the jumps of the map."""
        if self.recalibration is None or not self.score_map.jumps:
            return None
        breaks = self.score_map.breaks
        return ladder_at(self.prop, tuple(range(len(breaks) + 1)), breaks, np.zeros(len(breaks), dtype=bool))

    # -- the file ---------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str], overwrite: bool = False) -> None:
        """Write the rule as JSON: readable, exact to the bit, without NaN or Infinity.

        The file holds everything, the cost matrix included, and a checksum. A packaged JSON Schema,
        ``isocost/rule_schema.json``, describes it.

        Parameters
        ----------
        path : path
        overwrite : bool
            Replace an existing file, in one step.
        """
        from isocost.rule_file import write_rule

        write_rule(self, path, overwrite)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a rule; RuleError where the file is not sound.

        Every number, label and length is checked, the checksum too, and the decision is derived
        again from the stored costs: the file must hold a property that refines it.

        Parameters
        ----------
        path : path
        """
        from isocost.rule_file import read_rule

        return cls(**read_rule(path))

    # -- where predictions live -------------------------------------------------------------------

    def to_sql(
        self,
        dialect: Dialect,
        probabilities: ProbabilityColumns | None = None,
        score: str | Sequence[str] | bool | None = None,
        output: Output | None = None,
    ) -> str:
        """The decision, or the score, as one SQL expression, with Python's bits of the comparisons.

        It is NULL where Python would refuse the row: a probability is NULL, NaN or negative, they do
        not sum to 1 within 1e-6, a score is NULL, NaN or infinite. Labels of one type keep it; labels of
        several types become text.

        Parameters
        ----------
        dialect : {"duckdb", "spark", "postgres", "bigquery", "snowflake"}
        probabilities : dict of outcome to column name, or list of names in outcome order, optional
            By default the columns are called as the outcomes.
        score : str, list of str or bool, optional
            In place of probabilities: the column (d columns, for d numbers) of scores before
            recalibration. ``True`` is short for output="score".
        output : {"decision", "score"}, optional
            The score is recalibrated, from at most 256 blocks;
            :func:`isocost.export.sql.score_error` says how far that can be off.

        Examples
        --------
        >>> import isocost as ic
        >>> prop = ic.smooth(ic.CostMatrix([[0, 1], [1, 0]], decisions=["keep", "drop"]))
        >>> print(ic.DecisionRule(prop).to_sql("duckdb", score="u"))
        CASE WHEN ABS("u") <= 1.7976931348623157e+308 THEN CASE WHEN "u" <= 0e0 THEN 'keep' ELSE 'drop' END END
        """
        from isocost.export.sql import expression

        return expression(self, dialect, probabilities, score, output)

    def to_onnx(
        self,
        path: str | PathLike[str],
        inputs: Inputs = "probabilities",
        dtype: FloatType = "float32",
        overwrite: bool = False,
    ) -> None:
        """Write the rule as an ONNX graph of standard operators, with the outputs "decision" and "score".

        Where Python would refuse a row the score is NaN, and the decision "" (the least integer for
        integer labels, NaN for floats). Bools, and labels of several types, become text.

        Parameters
        ----------
        path : path
        inputs : {"probabilities", "score"}
            The input: "probabilities", shape (rows, n) in outcome order, or "raw_score", shape (rows,), or
            (rows, d) for a linear property, of scores before recalibration.
        dtype : {"float32", "float64"}
            Of the input. Inside, and in the score, are doubles.
        overwrite : bool
            Replace an existing file, in one step.
        """
        from isocost.export.onnx import write_graph

        write_graph(self, path, inputs, dtype, overwrite)

    # -- what went into it ------------------------------------------------------------------------

    @property
    def decisions(self) -> Labels:
        """Labels that the rule can answer, in order, each once."""
        return tuple(dict.fromkeys(self.comparisons.labels))

    @property
    def outcomes(self) -> Labels:
        """Labels of the outcomes, in the order of the probabilities."""
        return self.prop.outcomes

    @property
    def fit_size(self) -> int | None:
        """Rows that the maps were fitted on, of the larger fit; None where nothing was fitted."""
        return max((fitted.rows_ for fitted in (self.recalibration, self.swap) if fitted is not None), default=None)

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """Names of the rows of the fits, by which an audit knows them again."""
        return tuple(fitted.fingerprint_ for fitted in (self.recalibration, self.swap) if fitted is not None)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DecisionRule):
            return NotImplemented
        from isocost.rule_file import content_of

        return bool(content_of(self) == content_of(other))

    def __hash__(self) -> int:
        return hash((self.prop, self.cost))

    def __repr__(self) -> str:
        parts = [repr(self.prop)]
        if self.recalibration is not None:
            parts.append(f"recalibrated by {type(self.recalibration).__name__} on {self.recalibration.rows_} rows")
        if self.swap is not None:
            parts.append(f"swapped by a map of {self.swap.rows_} rows")
        return f"DecisionRule: {', '.join(parts)}; isocost {self.version}, {self.date}"

    # -- inside -----------------------------------------------------------------------------------

    def _given(self, P: Any, score: ArrayLike | None) -> bool:
        """Whether scores came; refuses both and neither."""
        if (P is None) == (score is None):
            raise PredictionError(
                f"pass probabilities or score=, one of them; got {'neither' if P is None else 'both'}"
            )
        return score is not None

    def _scores(self, score: ArrayLike | None) -> Floats:
        found = checked_scores(score)  # type: ignore[arg-type]
        if isinstance(self.prop, SmoothProperty):
            return found
        d = self.prop.dimension
        if d == 1 and found.ndim == 1:
            found = found[:, None]
        if found.ndim != 2 or found.shape[1] != d:
            raise PredictionError(f"scores must have shape (rows, {d}); got shape {found.shape}")
        return found[:, 0] if isinstance(self.comparisons, Ladder) else found

    def _mapped(self, scores: Floats) -> Floats:
        if self.recalibration is None:
            return scores
        if isinstance(self.recalibration, IsotonicRecalibrator):
            found = self.recalibration.predict(scores.ravel())
            return found.reshape(scores.shape) if isinstance(self.prop, SmoothProperty) else found
        return self.recalibration.predict(scores)
