"""DecisionRule: all that turns a prediction into a decision, in one object that can be saved and shipped."""

from __future__ import annotations

import copy
import datetime
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.comparisons import Contest, Ladder, contest_of, ladder_of
from isocost.costs import CostMatrix
from isocost.exceptions import PredictionError, RuleError
from isocost.labels import Labels, label_array
from isocost.linear_property import LinearProperty
from isocost.probabilities import validated_rows
from isocost.property import SmoothProperty
from isocost.recalibrate import AffineRecalibrator, IsotonicRecalibrator, Multicalibrator, SwapRecalibrator
from isocost.scores import checked_scores

__all__ = ["DecisionRule", "Recalibration"]

Floats = NDArray[np.float64]
Recalibration: TypeAlias = IsotonicRecalibrator | AffineRecalibrator


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
        owner = _checked_cost(prop, cost, swap)
        object.__setattr__(self, "prop", prop)
        object.__setattr__(self, "recalibration", copy.deepcopy(_checked_recalibration(prop, recalibration)))
        object.__setattr__(self, "swap", copy.deepcopy(_checked_swap(owner, swap)))
        object.__setattr__(self, "cost", owner)
        object.__setattr__(self, "date", _checked_date(date))
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
        ladder = self.comparisons
        if isinstance(ladder, Ladder) and isinstance(self.prop, SmoothProperty):
            # A score within rounding of a cut goes to the side that the comparison says.
            at = ladder.positions(rows)
            least = np.nextafter(ladder.upto, np.inf)
            found = np.clip(found, np.r_[-np.inf, least][at], np.r_[ladder.upto, np.inf][at])
        return self._mapped(found)

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


def checked_property(prop: object) -> SmoothProperty | LinearProperty:
    """The property itself, if it is one."""
    if not isinstance(prop, (SmoothProperty, LinearProperty)):
        raise RuleError(
            f"a rule needs a property; got {type(prop).__name__}. Write ic.smooth(cost) or ic.property_for(cost)"
        )
    return prop


def _checked_cost(prop: SmoothProperty | LinearProperty, cost: object, swap: object) -> CostMatrix:
    if cost is None:
        cost = prop.cost if prop.cost is not None else getattr(swap, "cost", None)
    if not isinstance(cost, CostMatrix):
        raise RuleError(
            f"a rule needs the cost matrix of its property, a CostMatrix; got {type(cost).__name__}. Pass cost=cost"
        )
    if prop.outcomes != cost.outcomes:
        raise RuleError(
            f"the property and the cost matrix must have the same outcomes in the same order; got "
            f"{list(prop.outcomes[:12])} and {list(cost.outcomes[:12])}"
        )
    unknown = [label for label in prop.decisions if label not in cost.decisions]
    if unknown:
        raise RuleError(
            f"every decision of the property must be one of the cost matrix, {list(cost.decisions[:12])}; got "
            f"{unknown[0]!r}"
        )
    return cost


def _checked_recalibration(prop: SmoothProperty | LinearProperty, given: object) -> Recalibration | None:
    if given is None:
        return None
    if isinstance(given, Multicalibrator):
        raise RuleError(
            "a rule sees one row's prediction and not its groups, which a Multicalibrator needs: let it predict "
            "first, and give its scores to a rule without recalibration: rule.decide(score=multi.predict(P, groups))"
        )
    if isinstance(given, SwapRecalibrator):
        raise RuleError("a SwapRecalibrator replaces decisions; pass it as swap=")
    if not isinstance(given, (IsotonicRecalibrator, AffineRecalibrator)):
        raise RuleError(
            "recalibration must be a fitted IsotonicRecalibrator or AffineRecalibrator; got " + type(given).__name__
        )
    if not given.__sklearn_is_fitted__():
        raise RuleError(f"recalibration must be fitted; call {type(given).__name__}.fit first")
    if given.prop != prop:
        raise RuleError(
            "recalibration must be of the rule's own property, as scores of another are in other units; got "
            f"{given.prop!r} for {prop!r}"
        )
    return given


def _checked_swap(cost: CostMatrix, given: object) -> SwapRecalibrator | None:
    if given is None:
        return None
    if not isinstance(given, SwapRecalibrator):
        raise RuleError(f"swap must be a fitted SwapRecalibrator; got {type(given).__name__}")
    if not given.__sklearn_is_fitted__():
        raise RuleError("swap must be fitted; call SwapRecalibrator.fit first")
    if given.cost != cost:
        raise RuleError("swap must be of the rule's own cost matrix; it was fitted with another one")
    return given


def _checked_date(date: object) -> datetime.date:
    if date is None:
        return datetime.date.today()
    if not isinstance(date, datetime.date):
        raise RuleError(f"date must be a datetime.date; got {date!r}")
    return datetime.date(date.year, date.month, date.day)
