"""The paper's bounds on a finite instance: Theorem 1 and its converse, the lemma, the final theorem."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.auditing.bound import Bound
from isocost.auditing.instances import Instance, decision_labels, distribution_calibration, score_calibration
from isocost.exceptions import PredictionError
from isocost.interface import Property
from isocost.linear_property import LinearProperty
from isocost.ordering import checked_norm
from isocost.probabilities import validated_rows
from isocost.property import SmoothProperty

__all__ = ["SCORE_ERROR", "boundary_distances", "counterexample", "lemma", "paper_bound", "require_inside", "theorem1"]

Floats = NDArray[np.float64]

SCORE_ERROR = "E|Γ(D) - g|"


def theorem1(case: Instance, prop: Property, norm: float = 1, form: Literal["paper", "mean"] = "mean") -> Bound:
    """Theorem 1: the Γ-calibration error of Γ∘f is at most K·ε.

    ε is the distribution calibration error of f with respect to Γ. The mean form of ε suffices, as
    Γ(E[f | Γ(f) = u]) = u: level sets are convex.

    Parameters
    ----------
    case : Instance
        With `predicted`, and the scores Γ(predicted).
    prop : Property
        A SmoothProperty or a LinearProperty, whose scores differ by their Euclidean length.
    norm : {1, 2, math.inf}
        Of ε and K.
    form : {"paper", "mean"}
        Of ε.

    Examples
    --------
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), method="embedding", ratios=[0.5])
    >>> case = Instance.of_predictor(prop, [1], [[0.6, 0.2, 0.2]], [[0.6, 0.21, 0.19]])
    >>> print(theorem1(case, prop))
    Theorem 1, mean: E|Γ(D) - g| ≤ 0.3025 (K = 15.12, epsilon = 0.02)
    """
    require_inside(case, prop)
    _require_scores_of_f(case, prop)
    epsilon = distribution_calibration(case, prop, "score", norm, form)
    constant = prop.lipschitz(norm)
    wide = 2 * prop.lipschitz(1) if isinstance(prop, LinearProperty) else float(np.ptp(_range(prop)))
    return Bound(
        f"Theorem 1, {form}",
        constant * epsilon if epsilon else 0.0,
        {"K": constant, "epsilon": epsilon},
        about=SCORE_ERROR,
        trivial=wide,
    )


def counterexample(prop: Property, C: float, norm: float = 1) -> Instance:
    """For C < K an f that is ε-distribution calibrated with respect to Γ, but not Cε-Γ-calibrated.

    One x with f(x) = p and label distribution q, where p and q attain K: no constant below K can
    stand in Theorem 1.

    Parameters
    ----------
    prop : Property
    C : float
        Below K by more than the rounding of the pair, a relative 1e-6.
    norm : {1, 2, math.inf}

    Examples
    --------
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]), method="embedding", ratios=[0.5])
    >>> case = counterexample(prop, C=15.12)
    >>> score_calibration(case, prop) > 15.12 * distribution_calibration(case, prop)
    True
    """
    constant, pair = prop.lipschitz(norm), prop.lipschitz_pair(norm)
    if not pair.ratio > C:
        raise PredictionError(f"a counterexample needs C below K = {constant:.9g}, where Theorem 1 holds; got {C!r}")
    return Instance.of_predictor(prop, [1.0], [pair.p], [pair.q])


def boundary_distances(prop: Property, scores: ArrayLike) -> Floats:
    """δ(u): how far each score is from where the decision changes, shape (m,); ∞ for a single decision.

    Examples
    --------
    >>> import isocost as ic
    >>> boundary_distances(ic.smooth(ic.CostMatrix([[0, 1], [1, 0]])), [-0.5, 0.25]).tolist()
    [0.5, 0.25]
    """
    at = np.asarray(scores, dtype=np.float64)
    if isinstance(prop, LinearProperty):
        return np.asarray(margins(prop, at, prop.cell(at)).min(axis=1, initial=np.inf))
    return np.asarray(np.abs(at[:, None] - _cuts(prop)).min(axis=1, initial=np.inf))


def margins(prop: LinearProperty, scores: Floats, cells: NDArray[np.intp]) -> Floats:
    """Signed distance of each score to where decision r′ is as cheap as that of `cells`, (m, k); ∞ for itself."""
    costs = scores @ prop.weights.T + prop.offsets
    rows = np.arange(len(cells))
    lengths = np.linalg.norm(prop.weights[cells][:, None, :] - prop.weights, axis=2)
    lengths[rows, cells] = 1.0
    found = (costs - costs[rows, cells][:, None]) / lengths
    found[rows, cells] = np.inf
    return np.asarray(found)


def lemma(case: Instance, prop: Property, P: ArrayLike | None = None, t: float | None = None) -> Bound:
    """The lemma: Pr[ψ(g) ∉ γ(p)] ≤ Pr[δ(g) < t] + Pr[|Γ(p) - g| ≥ t].

    Parameters
    ----------
    case : Instance
    prop : Property
    P : array_like, shape (n,) or (m, n), optional
        The p of every row, or one for each. By default D_{Y|ψ(g)}, which makes it a bound on the
        miscalibration.
    t : float, optional
        Positive; by default the best.

    Examples
    --------
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 1], [1, 0]]))
    >>> case = Instance([1, 1], [-0.5, 0.25], [[0.7, 0.3], [0.4, 0.6]])
    >>> print(lemma(case, prop))
    lemma: Pr[miscalibrated] ≤ 0 (t = 0.25, Pr[δ<t] = 0, Pr[|Γ-g|≥t] = 0)
    """
    about = "Pr[miscalibrated]" if P is None else "Pr[ψ(g) ∉ γ(p)]"
    if P is None:
        require_inside(case, prop)
        rows = decision_labels(case, prop)
    else:
        rows = np.array(validated_rows(np.atleast_2d(np.asarray(P)), prop.outcomes), dtype=np.float64)
        if len(rows) not in (1, len(case.mass)):
            raise PredictionError(f"the lemma needs one p, or one for each of {len(case.mass)} rows; got {len(rows)}")
        _require_rows_inside(rows, "P", prop)
    near = boundary_distances(prop, case.scores)
    apart = _lengths(prop.value(rows) - case.scores)
    # Constant between the places where either event changes, and continuous from the left.
    places = _checked_t(t) if t is not None else np.unique(np.r_[near, apart, np.inf])
    found = []
    for place in places[places > 0]:
        parts = float(case.mass[near < place].sum()), float(case.mass[apart >= place].sum())
        found.append((sum(parts), float(place), *parts))
    value, best, close, far = min(found)
    return Bound("lemma", value, {"t": best, "Pr[δ<t]": close, "Pr[|Γ-g|≥t]": far}, about)


def paper_bound(
    case: Instance,
    prop: Property,
    norm: float = 1,
    half: bool = False,
    t: float | None = None,
    epsilon: float | None = None,
) -> Bound:
    """The final theorem: Pr[ψ(g) ∉ γ(D_{Y|ψ(g)})] ≤ Pr[δ(g) < t] + (ε + K·C·diam)/t.

    Parameters
    ----------
    case : Instance
    prop : Property
    norm : {1, 2, math.inf}
        Of K, and of C, the Lipschitz constant of u ↦ D_{Y|g=u} on the scores that occur.
    half : bool
        With diam/2, which suffices for a single score: two independent scores of the same decision
        are on average no further apart.
    t : float, optional
        Positive; by default the best.
    epsilon : float, optional
        A bound on the Γ-calibration error of g, such as that of :func:`theorem1`; by default the
        error itself.

    Returns
    -------
    Bound
        With epsilon, K, C, diam (of the scores that occur and share a decision), t and Pr[δ<t].

    Examples
    --------
    >>> import isocost as ic
    >>> prop = ic.smooth(ic.CostMatrix([[0, 1], [1, 0]]))
    >>> case = Instance([1, 1], [-0.5, 0.25], [[0.7, 0.3], [0.4, 0.6]])
    >>> print(paper_bound(case, prop))
    final theorem: Pr[miscalibrated] ≤ 0.3 (epsilon = 0.075, K = 1, C = 0.8, diam = 0, t = 0.25, Pr[δ<t] = 0)
    """
    checked_norm(norm)
    require_inside(case, prop)
    levels = case.levels
    if half and levels.scores.ndim > 1:
        raise PredictionError("diam/2 suffices for scores of one number only; use half=False")
    epsilon = score_calibration(case, prop) if epsilon is None else epsilon
    constant, change, wide = prop.lipschitz(norm), _change(levels, norm), _diameter(levels, prop)
    spread = change * wide * (0.5 if half else 1.0)
    numerator = epsilon + (constant * spread if spread else 0.0)
    near = boundary_distances(prop, levels.scores)
    places = _checked_t(t) if t is not None else np.unique(near)
    found = [(float(levels.mass[near < place].sum()) + numerator / float(place), place) for place in places[places > 0]]
    if t is None:
        found.append((1.0 if np.isfinite(near).any() else 0.0, np.inf))  # the limit t → ∞
    value, best = min(found)
    ingredients = {
        "epsilon": epsilon,
        "K": constant,
        "C": change,
        "diam/2" if half else "diam": wide / 2 if half else wide,
        "t": float(best),
        "Pr[δ<t]": float(levels.mass[near < best].sum()),
    }
    return Bound("final theorem, diam/2" if half else "final theorem", value, ingredients)


def require_inside(case: Instance, prop: Property) -> None:
    """Refuse what no bound covers: outcomes of another number, distributions outside Δ_η."""
    n = len(prop.outcomes)
    if case.labels.shape[1] != n:
        raise PredictionError(f"the property has {n} outcomes; the instance has {case.labels.shape[1]}")
    wanted = () if isinstance(prop, SmoothProperty) else (prop.dimension,)
    if case.scores.shape[1:] != wanted:
        raise PredictionError(
            f"the property has scores of shape {(len(case.mass), *wanted)}; the instance has {case.scores.shape}"
        )
    _require_rows_inside(case.labels, "labels", prop)
    if case.predicted is not None:
        _require_rows_inside(case.predicted, "predicted", prop)


def _require_rows_inside(rows: Floats, name: str, prop: Property) -> None:
    floor = prop.interior if isinstance(prop, SmoothProperty) else 0.0
    if floor and not rows.min() >= floor * (1 - 1e-9):
        at = int(rows.min(axis=1).argmin())
        raise PredictionError(
            f"bounds for a property with interior={floor:g} hold where every probability is at least {floor:g}; "
            f"row {at} of `{name}` has {rows[at].min():.6g}. Use a smaller interior, or ic.linear(cost)"
        )


def _require_scores_of_f(case: Instance, prop: Property) -> None:
    if case.predicted is None:
        raise PredictionError("Theorem 1 speaks of predicted distributions; the instance has only scores")
    off = _lengths(prop.value(case.predicted) - case.scores)
    if not off.max() <= 1e-9 * (1 + float(np.abs(case.scores).max(initial=0.0))):
        at = int(off.argmax())
        raise PredictionError(
            f"Theorem 1 speaks of the scores Γ(f(x)); score {at} is {case.scores[at]}, not "
            f"{prop.value(case.predicted[at : at + 1])[0]}. Make the instance with Instance.of_predictor"
        )


def _checked_t(t: float) -> Floats:
    if not t > 0:
        raise PredictionError(f"t must be positive; got {t!r}")
    return np.array([t], dtype=np.float64)


def _lengths(apart: Floats) -> Floats:
    return np.asarray(np.abs(apart) if apart.ndim == 1 else np.linalg.norm(apart, axis=1))


def _cuts(prop: Property) -> Floats:
    assert isinstance(prop, SmoothProperty)
    return prop.cuts


def _range(prop: Property) -> tuple[float, float]:
    assert isinstance(prop, SmoothProperty)
    return prop.range


def _change(levels: Instance, norm: float) -> float:
    """C: the largest ‖D_u - D_u′‖/|u - u′|; on a line neighbours suffice."""
    if levels.scores.ndim == 1:
        first, second = np.arange(len(levels.mass) - 1), np.arange(1, len(levels.mass))
    else:
        first, second = np.triu_indices(len(levels.mass), 1)
    moved = np.linalg.norm(levels.labels[first] - levels.labels[second], ord=norm, axis=1)
    return float((moved / _lengths(levels.scores[first] - levels.scores[second])).max(initial=0.0))


def _diameter(levels: Instance, prop: Property) -> float:
    """The largest distance of two scores that share a decision."""
    cells = prop.cell(levels.scores)
    widest = 0.0
    for r in np.unique(cells):
        here = levels.scores[cells == r]
        if here.ndim == 1:
            widest = max(widest, float(np.ptp(here)))
        else:
            widest = max([widest, *(float(_lengths(here - one).max()) for one in here)])
    return widest
