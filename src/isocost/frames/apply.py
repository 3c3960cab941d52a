"""A rule applied to a frame of any engine: score and decision as two more columns of the same kind of frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from isocost.comparisons import Contest, Ladder
from isocost.exceptions import PredictionError
from isocost.export.labels import typed_labels
from isocost.frames.columns import Columns, checked_columns
from isocost.frames.engines import opened
from isocost.frames.expressions import chosen, dot, least_of, smallest, with_added, with_scores
from isocost.frames.faults import LARGEST
from isocost.frames.inputs import Inputs
from isocost.recalibrate import AffineRecalibrator
from isocost.score_map import score_map_of

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

    from isocost.rule import DecisionRule

    Frame: TypeAlias = "nw.DataFrame[Any] | nw.LazyFrame[Any]"

__all__ = ["added_columns", "apply_to_frame", "columns_for", "with_decisions"]

Floats = NDArray[np.float64]
AT = "at"  # the position of the decision among the labels


def apply_to_frame(
    rule: DecisionRule, frame: Any, probabilities: Any = None, score: Any = None, overwrite: bool = False
) -> Any:
    """The frame with score and decision; see :meth:`isocost.DecisionRule.apply`."""
    inputs = Inputs(opened(frame), columns_for(rule, probabilities, score))
    if not hasattr(inputs.frame, "collect"):  # in memory: look before, as a missing decision could be overlooked
        inputs.check()
    return with_decisions(rule, inputs, overwrite).to_native()


def columns_for(rule: DecisionRule, probabilities: Any, score: Any) -> Columns:
    """The columns that a rule is applied to: of probabilities, or of scores before recalibration."""
    if (probabilities is None) == (score is None):
        raise PredictionError(
            f"columns of `probabilities` or a `score` must be named, one of them; got "
            f"{'neither' if score is None else 'both'}"
        )
    return checked_columns(rule.prop, None, probabilities, score, None)


def added_columns(rule: DecisionRule) -> list[str]:
    """Names of the columns that a rule adds: score, or score_1, score_2, … of several numbers, and decision."""
    d = rule.prop.dimension
    return [*(["score"] if d == 1 else [f"score_{i + 1}" for i in range(d)]), "decision"]


def with_decisions(rule: DecisionRule, inputs: Inputs, overwrite: bool = False) -> Frame:
    """The frame with score and decision, null where a row cannot be read."""
    import narwhals.stable.v2 as nw

    names, new = list(inputs.reader.schema), added_columns(rule)
    there = [name for name in new if name in names]
    if there and not overwrite:
        raise PredictionError(f"the frame has a column {there[0]!r} already; rename it, or pass overwrite=True")
    kept = [name for name in names if name not in new]
    frame = inputs.read(inputs.frame, kept)
    if inputs.probabilities:
        frame, u = with_scores(frame, rule.prop, inputs.probabilities, "g")
    else:
        u = tuple(inputs.scores)
    found = rule.comparisons
    if isinstance(found, Ladder):
        frame = _on_ladder(frame, found, inputs.probabilities, u[0])
        scores = [_mapped(rule, nw.col("u"))]
    else:
        frame = _in_contest(frame, found, inputs.probabilities, u)
        scores = _moved(rule, u)
    labels: list[Any] = typed_labels(found.labels)[1]
    decision = chosen(len(labels) - 1, lambda i: nw.col(AT) > float(i), lambda i: nw.lit(labels[i]))
    frame = frame.with_columns(sound=inputs.sound)
    added = {name: nw.when(nw.col("sound")).then(x) for name, x in zip(new, [*scores, decision], strict=True)}
    return frame.select(*(nw.col(f"raw{i}").alias(name) for i, name in enumerate(kept)), **added)


def _on_ladder(frame: Frame, ladder: Ladder, p: list[str], score: str) -> Frame:
    """The frame with the position of the decision, and the score ``u`` on its side of every cut."""
    import narwhals.stable.v2 as nw

    m, u = len(ladder.cuts), nw.col(score)
    if not p:
        at = chosen(m, lambda i: u > float(ladder.upto[i]), lambda i: nw.lit(float(i)))
        return frame.with_columns(**{AT: at, "u": u})
    given = list(p)
    if ladder.floor:
        frame, least = smallest(frame, p, "short")
        short = nw.when(nw.col(least) < ladder.floor).then(ladder.floor - nw.col(least)).otherwise(0.0)
        frame, given = frame.with_columns(short=short), [*p, "short"]
    frame = with_added(frame, {f"sum{i}": dot(given, row) for i, row in enumerate(ladder.table)})
    position: nw.Expr = nw.lit(float(m))
    for i in reversed(range(m)):  # the first that no comparison rules out
        total = nw.col(f"sum{i}")
        position = nw.when(total > 0.0 if ladder.inclusive[i] else total >= 0.0).then(float(i)).otherwise(position)
    frame = frame.with_columns(**{AT: position})
    # A score within rounding of a cut goes to the side that the comparison says.
    low, high = np.r_[-LARGEST, np.nextafter(ladder.upto, np.inf)], np.r_[ladder.upto, LARGEST]

    def of_position(values: Floats) -> nw.Expr:
        return chosen(m, lambda i: nw.col(AT) > float(i), lambda i: nw.lit(float(values[i])))

    frame = frame.with_columns(low=of_position(low), high=of_position(high))
    below, above = nw.col("low"), nw.col("high")
    settled = nw.when(u < below).then(below).otherwise(nw.when(u > above).then(above).otherwise(u))
    return frame.with_columns(u=settled)


def _in_contest(frame: Frame, contest: Contest, p: list[str], scores: tuple[str, ...]) -> Frame:
    """The frame with the position of the decision."""
    if p:
        sums = {f"sum{i}": dot(p, row) for i, row in enumerate(contest.table)}
    else:
        offsets = contest.offsets.tolist()
        sums = {f"sum{i}": dot(scores, row) + offsets[i] for i, row in enumerate(contest.weights)}
    return least_of(frame.with_columns(**sums), list(sums), AT)


def _mapped(rule: DecisionRule, u: nw.Expr) -> nw.Expr:
    """The recalibrated score of one number."""
    pieces = score_map_of(rule.recalibration)
    anchors, bases, rates = (x.tolist() for x in (pieces.anchors, pieces.bases, pieces.rates))

    def leaf(j: int) -> Any:
        if rates[j] == 0:
            return _constant(bases[j])
        rise = u - anchors[j] if anchors[j] else u
        rise = rise if rates[j] == 1 else rise * rates[j]
        return rise + bases[j] if bases[j] else rise

    return chosen(len(pieces.breaks), lambda i: u > float(pieces.breaks[i]), leaf)


def _constant(value: float) -> nw.Expr:
    import narwhals.stable.v2 as nw

    return nw.lit(value)


def _moved(rule: DecisionRule, scores: tuple[str, ...]) -> list[nw.Expr]:
    """The recalibrated score of several numbers."""
    import narwhals.stable.v2 as nw

    if not isinstance(rule.recalibration, AffineRecalibrator):
        return [nw.col(name) for name in scores]
    matrix, offset = rule.recalibration.matrix_, rule.recalibration.offset_.tolist()
    return [dot(scores, row) + offset[i] for i, row in enumerate(matrix)]
