"""A finite instance, known exactly: m predictions, each with its share of the data and its label distribution."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.costs import CostMatrix
from isocost.exceptions import PredictionError
from isocost.interface import Property
from isocost.ordering import checked_norm
from isocost.probabilities import validated_rows
from isocost.scores import checked_scores

__all__ = [
    "Instance",
    "decision_labels",
    "distribution_calibration",
    "miscalibration",
    "score_calibration",
    "score_errors",
    "swap_regret",
]

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

# Regret below this share of the largest cost difference is a tie.
TIE = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Instance:
    """A distribution over m predictions and n outcomes.

    Attributes
    ----------
    mass : ndarray, shape (m,)
        Positive; divided by its sum.
    scores : ndarray, shape (m,) or (m, d)
        g(x); rows with equal scores are one event wherever a quantity conditions on g.
    labels : ndarray, shape (m, n)
        Distribution of the outcome given the row.
    predicted : ndarray, shape (m, n), or None
        f(x), where the scores are Γ(f(x)).

    Examples
    --------
    >>> case = Instance([1, 3], [0.2, 1.4], [[0.9, 0.1], [0.3, 0.7]])
    >>> case.mass.tolist(), case.levels.scores.tolist()
    ([0.25, 0.75], [0.2, 1.4])
    """

    mass: Floats
    scores: Floats
    labels: Floats
    predicted: Floats | None = None

    def __post_init__(self) -> None:
        mass, scores = _checked_mass(self.mass), checked_scores(self.scores).copy()
        if scores.ndim not in (1, 2) or len(scores) != len(mass):
            raise PredictionError(
                f"an instance needs one score (or one row of scores) for each of its {len(mass)} masses; "
                f"got scores of shape {scores.shape}"
            )
        arrays = {"mass": mass, "scores": scores, "labels": _checked_rows(self.labels, len(mass), "labels")}
        if self.predicted is not None:
            arrays["predicted"] = _checked_rows(self.predicted, len(mass), "predicted")
            if arrays["predicted"].shape != arrays["labels"].shape:
                raise PredictionError("`labels` and `predicted` of an instance must have the same number of columns")
        for name, array in arrays.items():
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @classmethod
    def of_predictor(cls, prop: Property, mass: ArrayLike, predicted: ArrayLike, labels: ArrayLike) -> Self:
        """The instance of f with the scores Γ(f(x)).

        Examples
        --------
        >>> import isocost as ic
        >>> prop = ic.smooth(ic.CostMatrix.ordinal([0, 1, 2]), method="normals")
        >>> exact = Instance.of_predictor(prop, [1], [[0.2, 0.3, 0.5]], [[0.2, 0.3, 0.5]])
        >>> score_calibration(exact, prop)
        0.0
        """
        return cls(mass, prop.value(predicted), labels, predicted)  # type: ignore[arg-type]

    @cached_property
    def levels(self) -> Instance:
        """The instance of D_{Y|g}: rows with equal scores merged, `predicted` to E[f | g], sorted by score."""
        _, first, event = np.unique(self.scores, axis=0, return_index=True, return_inverse=True)
        event = event.reshape(-1)
        mass = _totals(event, self.mass)
        predicted = None if self.predicted is None else _means(event, self.mass, self.predicted)
        return type(self)(mass, self.scores[first], _means(event, self.mass, self.labels), predicted)

    def given_decision(self, prop: Property) -> tuple[Places, Instance]:
        """Cells r that are decided at all, and the instance of D_{Y|ψ(g)=r} with the score E[g | r].

        Examples
        --------
        >>> import isocost as ic
        >>> prop = ic.smooth(ic.CostMatrix([[0, 1], [1, 0]]))  # its cut is 0
        >>> case = Instance([1, 1, 2], [-0.5, -0.2, 0.7], [[1, 0], [0.5, 0.5], [0, 1]])
        >>> cells, merged = case.given_decision(prop)
        >>> cells.tolist(), merged.mass.tolist(), merged.labels.tolist()
        ([0, 1], [0.5, 0.5], [[0.75, 0.25], [0.0, 1.0]])
        """
        cells, event = np.unique(prop.cell(self.scores), return_inverse=True)
        mass = _totals(event, self.mass)
        predicted = None if self.predicted is None else _means(event, self.mass, self.predicted)
        scores = _means(event, self.mass, self.scores)
        return cells, type(self)(mass, scores, _means(event, self.mass, self.labels), predicted)

    def __repr__(self) -> str:
        kind = "" if self.predicted is None else ", predicted too"
        return f"Instance: {len(self.mass)} predictions, {self.labels.shape[1]} outcomes{kind}"


# -- exact quantities ---------------------------------------------------------------------------


def score_errors(case: Instance, prop: Property) -> Floats:
    """e(u) = ‖Γ(D_{Y|g=u}) - u‖ of each of ``case.levels``, shape (number of levels,)."""
    found = prop.value(case.levels.labels) - case.levels.scores
    return np.abs(found) if found.ndim == 1 else np.asarray(np.linalg.norm(found, axis=1))


def score_calibration(case: Instance, prop: Property) -> float:
    """Γ-calibration error E|Γ(D_{Y|g}) - g|, in units of the score; 0 is perfect.

    Parameters
    ----------
    case : Instance
    prop : Property

    Examples
    --------
    >>> import isocost as ic
    >>> mean = ic.smooth(ic.CostMatrix([[0, 1], [1, 0]]))
    >>> mean.value([[0.5, 0.5], [0, 1]]).tolist()
    [0.0, 1.0]
    >>> score_calibration(Instance([1, 1], [0.1, 1.0], [[0.5, 0.5], [0, 1]]), mean)
    0.05
    """
    return float(case.levels.mass @ score_errors(case, prop))


def miscalibration(case: Instance, prop: Property, cost: CostMatrix) -> float:
    """γ-miscalibration Pr[ψ(g) ∉ γ(D_{Y|ψ(g)})]: how often a decision is not the best when it is made.

    A decision whose regret is 0 to rounding is right.

    Parameters
    ----------
    case : Instance
    prop : Property
        Its link ψ decides.
    cost : CostMatrix

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 1], [1, 0]])
    >>> case = Instance([1, 1, 2], [-0.5, -0.2, 0.7], [[0.3, 0.7], [0.5, 0.5], [0, 1]])
    >>> miscalibration(case, ic.smooth(cost), cost)
    0.5
    """
    mass, regrets = _regrets(case, prop, cost)
    differences = cost.costs - cost.costs.min(axis=0)
    rounding = TIE * float(differences.max()) + 2.0**-48 * float(np.abs(cost.costs).max())
    return float(mass[regrets > rounding].sum())


def swap_regret(case: Instance, prop: Property, cost: CostMatrix) -> float:
    """Swap regret Σ_r π_r·max_{r'} ⟨D_r, ℓ_r - ℓ_{r'}⟩: cost saved by the best relabelling of decisions.

    Parameters
    ----------
    case : Instance
    prop : Property
    cost : CostMatrix

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 1], [1, 0]])
    >>> case = Instance([1, 1, 2], [-0.5, -0.2, 0.7], [[0.25, 0.75], [0.5, 0.5], [0, 1]])
    >>> swap_regret(case, ic.smooth(cost), cost)
    0.125
    """
    mass, regrets = _regrets(case, prop, cost)
    return float(mass @ regrets)


def distribution_calibration(
    case: Instance,
    prop: Property,
    given: Literal["score", "decision"] = "score",
    norm: float = 1,
    form: Literal["paper", "mean"] = "paper",
) -> float:
    """Distribution calibration error of f with respect to Γ or γ, in ‖·‖_q; 0 is perfect.

    With c the score Γ(f) or the decision: the paper's form is E‖f(X) - D_{Y|c}‖, which contains the
    spread of f inside the event; the mean form E‖E[f|c] - D_{Y|c}‖ does not, and is never larger.

    Parameters
    ----------
    case : Instance
        With `predicted`.
    prop : Property
    given : {"score", "decision"}
        Whether the event is the score (with respect to Γ) or the decision (to γ).
    norm : {1, 2, math.inf}
    form : {"paper", "mean"}

    Examples
    --------
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 1], [1, 0]]))
    >>> case = Instance.of_predictor(prop, [1, 1], [[0.1, 0.9], [0.3, 0.7]], [[0.2, 0.8], [0.2, 0.8]])
    >>> [round(distribution_calibration(case, prop, "decision", form=form), 9) for form in ("paper", "mean")]
    [0.2, 0.0]
    """
    checked_norm(norm)
    if case.predicted is None:
        raise PredictionError("distribution calibration is of predicted distributions; the instance has only scores")
    if given not in ("score", "decision") or form not in ("paper", "mean"):
        raise PredictionError(
            f'`given` must be "score" or "decision", `form` "paper" or "mean"; got {given!r} and {form!r}'
        )
    keys = case.scores if given == "score" else prop.cell(case.scores)
    event = np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1)
    labels = _means(event, case.mass, case.labels)
    if form == "mean":
        mass, apart = _totals(event, case.mass), _means(event, case.mass, case.predicted) - labels
    else:
        mass, apart = case.mass, case.predicted - labels[event]
    return float(mass @ np.linalg.norm(apart, ord=norm, axis=1))


def decision_labels(case: Instance, prop: Property) -> Floats:
    """D_{Y|ψ(g)} of each row, shape (m, n)."""
    event = np.unique(prop.cell(case.scores), return_inverse=True)[1]
    return _means(event, case.mass, case.labels)[event]


def _regrets(case: Instance, prop: Property, cost: CostMatrix) -> tuple[Floats, Floats]:
    """Mass and regret of each decision that is made."""
    cells, merged = case.given_decision(prop)
    where = {label: i for i, label in enumerate(cost.decisions)}
    rows = [where[prop.decisions[int(cell)]] for cell in cells]
    expected = merged.labels @ cost.costs.T
    return merged.mass, expected[np.arange(len(rows)), rows] - expected.min(axis=1)


def _totals(event: Places, mass: Floats) -> Floats:
    return np.asarray(np.bincount(event, mass), dtype=np.float64)


def _means(event: Places, mass: Floats, rows: Floats) -> Floats:
    """Mean of the rows of each event 0, 1, …; never outside their range, so exactly the row where all are equal."""
    shape = (int(event.max()) + 1, *rows.shape[1:])
    total, least, most = np.zeros(shape), np.full(shape, np.inf), np.full(shape, -np.inf)
    share = mass / _totals(event, mass)[event]
    np.add.at(total, event, (share * rows.T).T)
    np.minimum.at(least, event, rows)
    np.maximum.at(most, event, rows)
    return np.clip(total, least, most)


def _checked_mass(mass: ArrayLike) -> Floats:
    shares = checked_scores(mass)
    if shares.ndim != 1 or not len(shares) or not (shares > 0).all():
        raise PredictionError(
            f"the masses of an instance must be one positive number a row; got shape {shares.shape}"
            + (f" and the least {shares.min():.6g}. Drop rows of mass 0" if shares.size else "")
        )
    return np.asarray(shares / shares.sum())


def _checked_rows(rows: ArrayLike, count: int, name: str) -> Floats:
    given = np.asarray(rows)
    if given.ndim != 2 or len(given) != count:
        raise PredictionError(
            f"`{name}` of an instance must have one row for each of its {count} masses; got shape {given.shape}"
        )
    checked = np.array(validated_rows(given, tuple(range(given.shape[1]))), dtype=np.float64)
    sums = checked.sum(axis=1, keepdims=True)
    return np.where(np.abs(sums - 1) > 1e-12, checked / sums, checked)  # a row that sums to 1 stays as it is
