"""audit: rows, or a tally of them, in; every measure, the certificate and the groups out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isocost.auditing.certificates import certify
from isocost.auditing.decomposition import decomposed
from isocost.auditing.estimates import Estimate
from isocost.auditing.frequencies import Frequencies, frequencies
from isocost.auditing.grid import Grid
from isocost.auditing.instances import Instance
from isocost.auditing.levels import Levels, levels_of
from isocost.auditing.measures.cutoff import cutoff_error
from isocost.auditing.measures.decision_calibration import decision_calibration
from isocost.auditing.measures.distribution_calibration import mean_form, paper_form
from isocost.auditing.measures.mean_cost import beyond_constant, beyond_other, mean_cost
from isocost.auditing.measures.score_calibration import (
    ScoreCalibration,
    bins_of,
    debiased,
    equal_mass,
    equal_width,
    plug_in,
    score_bins,
)
from isocost.auditing.measures.smooth_error import smooth_error
from isocost.auditing.measures.swap_regret import best_swaps, swap_regret
from isocost.auditing.measures.worst_task import worst_task
from isocost.auditing.reliability import reliability_of
from isocost.auditing.result import Audit, DistributionCalibration
from isocost.auditing.rows import Rows, checked_groups, checked_rows
from isocost.auditing.settings import Settings
from isocost.auditing.tally import Tally, tally_of
from isocost.choose import property_for
from isocost.costs import CostMatrix
from isocost.fingerprint import fingerprint
from isocost.interface import Property
from isocost.labels import Label, positions_of
from isocost.weights import checked_weights

__all__ = ["audit", "audit_tally"]

Floats = NDArray[np.float64]


def audit(
    cost: CostMatrix,
    y: ArrayLike,
    probabilities: Any = None,
    scores: ArrayLike | None = None,
    decisions: ArrayLike | None = None,
    prop: Property | None = None,
    sample_weight: ArrayLike | None = None,
    groups: Any = None,
    clusters: ArrayLike | None = None,
    recalibration: Any = None,
    bins: int = 20,
    norm: float = 1,
    level: float = 0.95,
    resamples: int = 200,
    seed: int = 0,
    grid: int | None = 4096,
) -> Audit:
    """Audit decisions against what happened: what they cost, and whether each is right where it is taken.

    Parameters
    ----------
    cost : CostMatrix
    y : array_like of outcome labels, shape (N,)
    probabilities : array_like or frame, shape (N, n), optional
        In the order of ``cost.outcomes``, or a frame with one column for each outcome label.
    scores : array_like, shape (N,) or (N, d), optional
        Scores in the units of `prop`. Where given, decisions are theirs.
    decisions : array_like of decision labels, shape (N,), optional
        The decisions taken, where they are not those of the scores or the probabilities.
    prop : Property, optional
        ``property_for(cost)`` where absent.
    sample_weight : array_like, shape (N,), optional
    groups : array_like of labels, or mapping of names to boolean columns, optional
        The whole audit for each group, with intervals that hold for all groups together; groups of a
        mapping may overlap.
    clusters : array_like of labels, shape (N,), optional
        Rows with the same label depend on each other, as repeated measurements do; intervals then
        rest on clusters, not on rows.
    recalibration : fitted recalibrator, optional
        Applied to the scores, the probabilities or (a swap map) the decisions first. If it was fitted
        on the same rows, the certificate says that it is not valid.
    bins : int
        Of the score, for the measures that need bins.
    norm : {1, 2, math.inf}
        Of differences between distributions.
    level : float
        Of every interval, between 0 and 1.
    resamples : int
        For the bands of the reliability curve; 0 leaves it out.
    seed : int
    grid : 4096 or None
        Cells on which scores are read, as every engine reads them; None is exact.

    Returns
    -------
    Audit

    Examples
    --------
    >>> import isocost as ic, numpy as np
    >>> cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]],
    ...                      decisions=["wait", "test", "treat"], outcomes=["mild", "moderate", "severe"])
    >>> P = np.random.default_rng(0).dirichlet([2, 1, 1], size=5000)
    >>> y = np.array(cost.outcomes)[(P.cumsum(axis=1) < np.random.default_rng(1).random((5000, 1))).sum(axis=1)]
    >>> found = ic.audit(cost, y, probabilities=P)
    >>> [verdict.status for verdict in found.certificate.verdicts]
    ['certified', 'certified', 'certified']
    """
    arguments = {
        "probabilities": probabilities,
        "scores": scores,
        "decisions": decisions,
        "prop": prop,
        "sample_weight": sample_weight,
        "groups": groups,
        "clusters": clusters,
        "recalibration": recalibration,
    }
    given = tuple(name for name, value in arguments.items() if value is not None)
    settings = Settings(bins, norm, level, resamples, seed)
    prop = property_for(cost) if prop is None else prop
    in_sample = False
    if recalibration is not None:
        raw, scores, decisions = _recalibrated(recalibration, prop, probabilities, scores, decisions, groups)
    rows = checked_rows(cost, prop, y, probabilities, scores, decisions, sample_weight, clusters)
    if recalibration is not None:
        in_sample = _same_rows(recalibration, cost, raw, y, sample_weight, decisions is not None)
    masks = checked_groups(groups, rows.kept)
    tally = tally_of(cost, prop, rows, grid, masks)
    own_level = settings.for_groups(len(masks))
    parts = {
        name: _audited(part, own_level, in_sample, rows.at(masks[name]), {}, given)
        for name, part in tally.groups.items()
    }
    return _audited(tally, settings, in_sample, rows, parts, given)


def audit_tally(
    tally: Tally,
    bins: int = 20,
    norm: float = 1,
    level: float = 0.95,
    resamples: int = 200,
    seed: int = 0,
) -> Audit:
    """Audit from sums alone; all that :func:`isocost.audit` finds but the paper's form of distribution calibration.

    Parameters
    ----------
    tally : Tally
    bins : int
    norm : {1, 2, math.inf}
    level : float
    resamples : int
    seed : int
        As for :func:`isocost.audit`.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
    >>> ic.audit_tally(ic.tally(cost, ["ok", "bad"], decisions=["keep", "keep"])).mean_cost.value
    2.5
    """
    settings = Settings(bins, norm, level, resamples, seed)
    own_level = settings.for_groups(len(tally.groups))
    given = ("tally",)
    parts = {name: _audited(part, own_level, False, None, {}, given) for name, part in tally.groups.items()}
    return _audited(tally, settings, False, None, parts, given)


def _audited(
    tally: Tally,
    settings: Settings,
    in_sample: bool,
    rows: Rows | None,
    parts: dict[Label, Audit],
    given: tuple[str, ...],
) -> Audit:
    cost, level = tally.cost, settings.level
    costs, taken = cost.costs, frequencies(tally.taken)
    least, most = tally.weights
    certificate = certify(cost, cost.ordering(), taken, level, least == most, most, in_sample)
    to = best_swaps(taken, costs)
    levels = None
    if tally.scores is not None and tally.cells is not None:
        levels = levels_of(tally.scores, tally.cells, tally.prop)  # type: ignore[arg-type]
    return Audit(
        cost=cost,
        prop=tally.prop,
        rows=tally.rows,
        units=taken.units,
        level=level,
        grid="no scores" if levels is None else "4096 cells" if isinstance(tally.cells, Grid) else "every score",
        mean_cost=mean_cost(taken, costs, level),
        beyond_constant=beyond_constant(taken, costs, level),
        beyond_plugin=beyond_other(frequencies(tally.pairs), costs, level) if tally.pairs else None,
        swap_regret=swap_regret(taken, costs, level),
        swaps={cost.decisions[r]: cost.decisions[s] for r, s in enumerate(to.tolist()) if r != s},
        decision_calibration=decision_calibration(taken, costs, certificate),
        distribution_calibration=_distribution_calibration(tally, taken, levels, settings, rows),
        score_calibration=_score_calibration(levels, settings) if levels else None,
        cutoff_calibration=cutoff_error(levels, level) if levels else None,
        smooth_calibration=smooth_error(levels, level) if levels else None,
        worst_task=worst_task(levels, level) if levels else None,
        decomposition=decomposed(levels, level) if levels else None,
        reliability=reliability_of(levels, level, settings.resamples, settings.seed)
        if levels and settings.resamples
        else None,
        certificate=certificate,
        groups=parts,
        norm=settings.norm,
        counts=taken.count,
        settings=settings,
        given=given,
        instance=_instance(levels, settings.bins) if levels else None,
    )


def _instance(levels: Levels, bins: int) -> Instance:
    binned = levels.binned(score_bins(levels, bins)[0])
    return Instance(binned.at.mass, binned.score, binned.at.distributions)


def _score_calibration(levels: Levels, settings: Settings) -> ScoreCalibration:
    to, name = score_bins(levels, settings.bins)
    binned = levels.binned(to)
    others = {}
    for number in (max(settings.bins // 2, 1), settings.bins, settings.bins * 2):
        for kind, binning in (("equal mass", equal_mass), ("equal width", equal_width)):
            other = levels.binned(binning(levels, number))
            found = (plug_in(other, settings.level).value, debiased(other, settings.level).value)
            others[f"{number} of {kind}"] = found
    return ScoreCalibration(
        plug_in(binned, settings.level), debiased(binned, settings.level), name, bins_of(binned, settings.level), others
    )


def _distribution_calibration(
    tally: Tally, taken: Frequencies, levels: Levels | None, settings: Settings, rows: Rows | None
) -> DistributionCalibration | None:
    if tally.taken.predicted is None:
        return None
    predicted = tally.taken.predicted.value
    norm, units, level = settings.norm, taken.units, settings.level
    decision_mean = mean_form(taken.weight, predicted[:, :, 0], predicted[:, :, 1], norm, units, level)
    decision_paper = score_mean = score_paper = None
    if rows is not None:
        own = rows.own[tally.prop.cell(rows.scores)] if rows.taken is None and rows.scores is not None else rows.taken
        assert own is not None
        decision_paper = _paper_form(rows, own, taken, settings)
    if levels is not None and levels.predicted is not None and levels.spread is not None:
        to = score_bins(levels, settings.bins)[0]
        binned = levels.binned(to)
        assert binned.predicted is not None and binned.spread is not None
        score_mean = mean_form(binned.at.weight, binned.predicted, binned.spread, norm, units, level)
        if rows is not None:
            score_paper = _paper_form(rows, _bin_of_rows(tally, rows, to), binned.at, settings)
    return DistributionCalibration(decision_mean, decision_paper, score_mean, score_paper)


def _bin_of_rows(tally: Tally, rows: Rows, to: NDArray[np.intp]) -> NDArray[np.intp]:
    """Bin of each row's score; bins are numbered without gaps, as ``binned`` does."""
    assert tally.cells is not None and tally.scores is not None and rows.scores is not None
    occupied = np.flatnonzero(tally.scores.labels.total[:, :, 0].any(axis=1))
    bin_of_cell = np.zeros(tally.cells.size, dtype=np.intp)
    bin_of_cell[occupied] = np.cumsum(np.r_[False, np.diff(to) > 0])
    return np.asarray(bin_of_cell[tally.cells.keys(rows.scores + 0.0)[0]])


def _paper_form(rows: Rows, keys: NDArray[np.intp], at: Frequencies, settings: Settings) -> Estimate:
    """Second pass: the distances of all predictions from the outcomes at their key."""
    from isocost.auditing.loops import distances, in_parts  # numba is slow to import

    found = np.empty(len(keys))
    arguments = (rows.probabilities, keys, at.distributions, float(settings.norm), found)
    in_parts(len(keys), lambda start, stop: distances(*arguments, start, stop))
    total = float(rows.weights.sum())
    centred = rows.weights * (found - float(rows.weights @ found) / total)
    if rows.clusters is not None:
        centred = np.bincount(rows.clusters[1], weights=centred).astype(np.float64)
    sd = float(np.sqrt(centred @ centred)) / total
    # E‖D̂ - D‖ ≤ Σ_y sd, for each norm at most that of ‖·‖₁.
    units = np.array([at.units_at(here) for here in np.eye(len(at.weight), dtype=bool)])
    D = at.distributions
    noise = float(at.mass @ (np.sqrt(D * (1 - D)).sum(axis=1) / np.sqrt(np.maximum(units, 1.0))))
    return paper_form(float(rows.weights @ found) / total, sd, noise, at.units, settings.level)


def _recalibrated(
    recalibration: Any,
    prop: Property,
    probabilities: Any,
    scores: ArrayLike | None,
    decisions: ArrayLike | None,
    groups: Any,
) -> tuple[Any, ArrayLike | None, ArrayLike | None]:
    """What went into the recalibrator, and the scores and decisions after it."""
    if decisions is not None:
        return decisions, scores, recalibration.predict(decisions)
    raw = prop.value(probabilities) if scores is None else scores
    by_group = (groups,) if hasattr(recalibration, "groups_") else ()
    return raw, recalibration.predict(raw, *by_group), None


def _same_rows(
    recalibration: Any, cost: CostMatrix, raw: Any, y: ArrayLike, sample_weight: ArrayLike | None, decided: bool
) -> bool:
    values = positions_of(raw, cost.decisions, "decisions") if decided else np.asarray(raw)
    outcomes = cost.positions(y)
    weights = checked_weights(sample_weight, len(outcomes))
    return bool(fingerprint(values, outcomes, weights) == recalibration.fingerprint_)
