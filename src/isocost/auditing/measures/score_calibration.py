"""Score (Γ-)calibration: does a score say what it says of the outcomes that it comes with?"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.estimates import (
    Estimate,
    Measure,
    below,
    mean_estimate,
    normal_quantile,
    sd_of_sum,
    student_quantile,
)
from isocost.auditing.frequencies import Frequencies
from isocost.auditing.levels import Levels

__all__ = [
    "DEBIASED",
    "PLUG_IN",
    "Bin",
    "ScoreCalibration",
    "bins_of",
    "debiased",
    "equal_mass",
    "equal_width",
    "plug_in",
    "score_bins",
]

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

PLUG_IN = Measure(
    "score calibration, plug-in",
    "Σ_b Pr[b]·|Γ(D_b) - E[g | b]| over bins b of the score",
    "score",
    "0; the estimate is biased upwards, the more the finer the bins",
    ("scores",),
)
DEBIASED = Measure(
    "score calibration, debiased",
    "√Σ_b Pr[b]·E[V(g, Y) | b]² over bins b of the score",
    "cost difference (units of V)",
    "0; the squares are estimated without bias",
    ("scores",),
)


class Bin(NamedTuple):
    """One bin of the score.

    Attributes
    ----------
    low, high, score, share : float
        Lowest, highest and mean score, and the share of rows.
    found : Estimate
        Γ(D_b), what the score should have been; its interval is {s : E V(s, Y) may be 0}.
    signed : Estimate
        E[V(g, Y) | b]: above 0 where scores are too high, below where too low.
    """

    low: float
    high: float
    score: float
    share: float
    found: Estimate
    signed: Estimate


class ScoreCalibration(NamedTuple):
    """Both estimates on the chosen bins, the bins, and how the estimates move with the bins.

    Attributes
    ----------
    plug_in, debiased : Estimate
    binning : str
        How the bins were chosen.
    bins : tuple of Bin
    other_bins : dict of text to (plug-in, debiased) values
    """

    plug_in: Estimate
    debiased: Estimate
    binning: str
    bins: tuple[Bin, ...]
    other_bins: dict[str, tuple[float, float]]


def equal_mass(levels: Levels, bins: int) -> Integers:
    """Bin of each level, bins of about equal mass; a level is never split."""
    mass = levels.at.mass
    middle = np.cumsum(mass) - mass / 2
    return np.asarray(np.minimum((middle * bins).astype(np.intp), bins - 1))


def equal_width(levels: Levels, bins: int) -> Integers:
    """Bin of each level, bins of equal width over the range of Γ; scores beyond it go into the outermost."""
    low, high = levels.prop.range
    share = (levels.score - low) / (high - low) if high > low else np.zeros_like(levels.score)
    return np.asarray(np.clip((share * bins).astype(np.intp), 0, bins - 1))


def score_bins(levels: Levels, bins: int) -> tuple[Integers, str]:
    """Bins for the report: the score's own levels where they are few, else of equal mass."""
    if len(levels.score) <= bins and (levels.ends[:, 0] == levels.ends[:, 1]).all():
        return np.arange(len(levels.score)), "natural levels"
    return equal_mass(levels, bins), f"{bins} of equal mass"


def plug_in(binned: Levels, level: float) -> Estimate:
    """Plug-in estimate, with an upper limit by the delta method."""
    at, prop = binned.at, binned.prop
    found = prop.value(at.distributions, normalize=True)
    value = float(at.mass @ np.abs(found - binned.score))
    outcomes = np.arange(at.weight.shape[1])
    V, slope = (f(found[:, None], outcomes) for f in (prop.identification, prop.slope))
    growth = (at.distributions * slope).sum(axis=1)
    # Γ(D_b) moves by -V(Γ, y)/E[slope] with the weight of outcome y.
    rates = np.divide(V, growth[:, None], out=np.zeros_like(V), where=growth[:, None] > 0)
    side = np.where(found < binned.score, -1.0, 1.0)
    influence = (side * (found - binned.score))[:, None] + side[:, None] * rates
    return below(value, sd_of_sum(at, influence), at.units, level, "delta method at the bins")


def debiased(binned: Levels, level: float) -> Estimate:
    """Root of the debiased mean square of E[V | b], with an upper limit from its variance at each true value."""
    at = binned.at
    totals, squares = at.weight.sum(axis=1), at.weight2.sum(axis=1)
    units = totals**2 / squares
    some = units >= 1.5
    share, units = at.mass[some], units[some]
    distributions, V = at.distributions[some], binned.signed[some]
    mean = (distributions * V).sum(axis=1)
    inside = _variances(at, binned.signed - (at.distributions * binned.signed).sum(axis=1, keepdims=True), totals)[some]
    noise = inside * units / (units - 1)
    square = float(share @ (mean**2 - noise))
    z = normal_quantile(level)
    # θ² is within the limit if the estimate is at least θ² - z·sd(θ²), sd² = 4·θ²·max(share·noise) + 2·Σ(share·noise)².
    slope, floor = 4 * float((share * noise).max(initial=0.0)), 2 * float(((share * noise) ** 2).sum())
    half = square + z**2 * slope / 2
    high = half + math.sqrt(max(half**2 - square**2 + z**2 * floor, 0.0))
    return Estimate(math.sqrt(max(square, 0.0)), 0.0, math.sqrt(max(high, 0.0)), level, "debiased squares of bins")


def bins_of(binned: Levels, level: float) -> tuple[Bin, ...]:
    """The bins one by one, each with its own intervals."""
    at = binned.at
    low, high = _roots(binned, level)
    found = binned.prop.value(at.distributions, normalize=True)
    bins = []
    for b in range(len(found)):
        here = np.arange(len(found)) == b
        root = Estimate(
            float(found[b]), float(low[b]), float(high[b]), level, "inversion of Student's intervals of E V"
        )
        signed = mean_estimate(at, np.where(here[:, None], binned.signed, 0.0), level, here)
        first, last = binned.ends[b].tolist()
        bins.append(Bin(first, last, float(binned.score[b]), float(at.mass[b]), root, signed))
    return tuple(bins)


def _roots(binned: Levels, level: float) -> tuple[Floats, Floats]:
    """The least and the largest s of each bin at which the interval of E V(s, Y) contains 0; one row is imagined."""
    at, prop = binned.at, binned.prop
    n = at.weight.shape[1]
    totals = at.weight.sum(axis=1)
    units = np.array([at.units_at(here) for here in np.eye(len(totals), dtype=bool)])
    D = (units[:, None] * at.distributions + 1 / n) / (units + 1)[:, None]
    reach = np.array([student_quantile((1 + level) / 2, x + 1) for x in units]) / np.sqrt(units * (units + 1))

    def limit(s: Floats, side: float) -> Floats:
        V = prop.identification(s[:, None], np.arange(n))
        mean = (D * V).sum(axis=1)
        centred = V - mean[:, None]
        squares = units**2 * _variances(at, centred, totals) + (centred**2).mean(axis=1)
        return np.asarray(mean + side * reach * np.sqrt(squares))

    ends = []
    for side in (1.0, -1.0):  # the upper limit of E V is above 0 from the least such s on
        low, high = (np.full(len(totals), x) for x in prop.range)
        for _ in range(50):
            middle = (low + high) / 2
            above = limit(middle, side) >= 0
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        ends.append(low if side > 0 else high)
    return ends[0], ends[1]


def _variances(at: Frequencies, centred: Floats, totals: Floats) -> Floats:
    """Variance of the mean over each bin of values(bin, outcome), centred there."""
    rates = centred / np.where(totals > 0, totals, 1.0)[:, None]
    if at.by_cluster is None:
        return np.asarray((at.weight2 * rates**2).sum(axis=1))
    m, n = rates.shape
    influences = np.zeros((m, m, n))
    influences[np.arange(m), np.arange(m)] = rates
    return at.variances(influences)
