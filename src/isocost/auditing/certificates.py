"""The certificate: which decisions are right where they are taken, with a promised error rate.

Decision r is right if no other decision costs less on average where r was taken; along an order of the decisions only
its neighbours can. With probability 1 - α all of these hold at once: every decision called certified is right, every
one called miscalibrated is wrong, and the share of rows with a wrong decision is at most `most_wrong`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.estimates import Estimate, mean_estimate
from isocost.auditing.frequencies import Frequencies
from isocost.auditing.limits import unit_limits
from isocost.costs import CostMatrix
from isocost.labels import Label
from isocost.ordering import Ordering, OrderKind

__all__ = ["Certificate", "Gap", "Verdict", "alternatives_of", "certify"]

Floats = NDArray[np.float64]

MOST_MORE = 1e9  # beyond so many times the rows, more of them are no advice


class Gap(NamedTuple):
    """What deciding `instead` would cost on average beyond `decision`, where that was taken.

    Attributes
    ----------
    instead : label
    estimate : Estimate
        Student's interval, of this gap alone.
    low, high : float
        Limits that hold for all gaps of the certificate together, for any number of rows.
    """

    instead: Label
    estimate: Estimate
    low: float
    high: float


class Verdict(NamedTuple):
    """One decision.

    Attributes
    ----------
    decision : label
    status : {"certified", "miscalibrated", "undecided"}
    rows : int
        In which it was taken.
    share : float
        Of all rows, by weight.
    gaps : tuple of Gap
    more_rows : float
        How many more rows of data, as they are now, would settle an undecided one; 0 if settled, inf if none would.
    """

    decision: Label
    status: str
    rows: int
    share: float
    gaps: tuple[Gap, ...]
    more_rows: float


@dataclass(frozen=True)
class Certificate:
    """Verdicts on the decisions and the overall statement.

    Attributes
    ----------
    verdicts : tuple of Verdict
        In order, for an orderable cost matrix.
    most_wrong : float
        With probability `level` at most this share of rows has a decision that is not right where it is taken.
    level : float
    in_sample : bool
        Whether the decisions were fitted on the same rows; then nothing is promised.
    method : str
    """

    verdicts: tuple[Verdict, ...]
    most_wrong: float
    level: float
    in_sample: bool
    method: str

    def __getitem__(self, decision: Label) -> Verdict:
        for verdict in self.verdicts:
            if verdict.decision == decision:
                return verdict
        raise KeyError(decision)

    def __str__(self) -> str:
        if self.in_sample:
            return "in sample: not valid. Audit on rows that were not used to fit the decisions"
        count = dict.fromkeys(("certified", "miscalibrated", "undecided"), 0)
        for verdict in self.verdicts:
            count[verdict.status] += 1
        said = ", ".join(f"{number} {status}" for status, number in count.items() if number)
        return (
            f"{said}; with probability {self.level:g}, at most {100 * self.most_wrong:.3g} % of rows have a decision "
            "that is not right where it is taken"
        )


def alternatives_of(cost: CostMatrix, order: Ordering) -> list[tuple[int, ...]]:
    """Row positions of the decisions that can show each decision to be wrong.

    Neighbours in the order; all others where there is no order, or for a decision that is never the strict optimum.

    Examples
    --------
    >>> import isocost as ic
    >>> cost = ic.CostMatrix.ordinal(["low", "mid", "high"])
    >>> alternatives_of(cost, cost.ordering())
    [(1,), (0, 2), (1,)]
    """
    rows = order.rows
    found = []
    for r in range(len(cost.decisions)):
        if order.kind is OrderKind.NONE or r not in rows:
            found.append(tuple(s for s in rows if s != r))
        else:
            i = rows.index(r)
            found.append(tuple(sorted(rows[max(i - 1, 0) : i] + rows[i + 1 : i + 2])))
    return found


def certify(
    cost: CostMatrix, order: Ordering, taken: Frequencies, level: float, equal: bool, heaviest: float, in_sample: bool
) -> Certificate:
    """Certificate from the outcomes where each decision was taken.

    Parameters
    ----------
    cost : CostMatrix
    order : Ordering
    taken : Frequencies
        A place for each decision, in the rows' order of `cost`.
    level : float
        1 - α.
    equal : bool
        Whether all rows weigh the same.
    heaviest : float
        Largest weight of a row.
    in_sample : bool
    """
    alternatives = alternatives_of(cost, order)
    tests = sum(map(len, alternatives))
    risk = (1 - level) / 2 / max(tests, 1)
    place = _Place(taken, equal, heaviest)
    listed = [*order.rows, *(r for r in range(len(cost.decisions)) if r not in order.rows)]
    verdicts = [_verdict(cost, place, r, alternatives[r], risk, level) for r in listed]
    open_share = sum(verdict.share for verdict in verdicts if verdict.status != "certified")
    most_wrong = 0.0
    if open_share > 0 or any(v.status != "certified" and v.rows == 0 for v in verdicts):
        k = len(cost.decisions)
        units = taken.units if taken.by_cluster is None else place.cluster_units
        most_wrong = min(1.0, open_share + math.sqrt((k * math.log(2) + math.log(2 / (1 - level))) / (2 * units)))
    method = "empirical Bernstein" if not place.equal else "the tighter of Chernoff-KL and empirical Bernstein"
    return Certificate(tuple(verdicts), most_wrong, level, in_sample, method)


class _Place:
    """The rows at one decision, as sums of independent variables."""

    def __init__(self, taken: Frequencies, equal: bool, heaviest: float) -> None:
        self.taken, self.equal, self.heaviest = taken, equal and taken.by_cluster is None, heaviest
        if taken.by_cluster is not None:
            self.of_clusters = np.asarray(taken.by_cluster.toarray()).reshape(-1, *taken.weight.shape)

    @property
    def cluster_units(self) -> float:
        """Number of clusters, fewer where they weigh differently."""
        sizes = self.of_clusters.sum(axis=(1, 2))
        return float(sizes.sum() ** 2 / (sizes**2).sum())

    def limits(self, r: int, difference: Floats, risk: float, times: float = 1.0) -> tuple[float, float]:
        """Lower and upper limit of the mean of difference(y) at r, each wrong with probability `risk`.

        `times` imagines that many times the rows, alike to those seen.
        """
        low, high = float(difference.min()), float(difference.max())
        weight = self.taken.weight[r]
        total = float(weight.sum())
        if total == 0:
            return low, high
        if high == low:
            return low, high
        units, scale, second = self._moments(r, (difference - low) / (high - low))
        mean = float(weight @ (difference - low)) / (high - low) / scale / units  # of variables in [0, 1]
        variance = max(second / scale**2 / units - mean**2, 0.0) * units / max(units - 1, 1)
        down, up = unit_limits(mean, variance, units * times, risk, self.equal)
        back = scale * units / total * (high - low)  # from a mean over variables to one over weights
        return max(low, low + back * down), min(high, low + back * up)

    def _moments(self, r: int, share: Floats) -> tuple[float, float, float]:
        """Number of variables, their scale, and the sum of squares of the variables Σ w·share(y)."""
        if self.taken.by_cluster is not None:
            sums = self.of_clusters[:, r] @ share
            sizes = self.of_clusters[:, r].sum(axis=1)
            return float((sizes > 0).sum()), float(sizes.max()), float((sums**2).sum())
        units = float(self.taken.count[r].sum())
        scale = float(self.taken.weight[r].sum()) / units if self.equal else self.heaviest
        return units, scale, float(self.taken.weight2[r] @ share**2)


def _verdict(cost: CostMatrix, place: _Place, r: int, others: Sequence[int], risk: float, level: float) -> Verdict:
    taken = place.taken
    differences = [cost.costs[s] - cost.costs[r] for s in others]

    def status(times: float) -> str:
        limits = [place.limits(r, d, risk, times) for d in differences]
        if any(high < 0 for _, high in limits):
            return "miscalibrated"
        return "certified" if all(low > 0 for low, _ in limits) else "undecided"

    rows = int(taken.count[r].sum())
    found = status(1.0) if rows else "undecided" if others else "certified"
    here = np.arange(len(cost.decisions)) == r
    gaps = tuple(
        Gap(cost.decisions[s], mean_estimate(taken, here[:, None] * d, level, here), *place.limits(r, d, risk))
        for s, d in zip(others, differences, strict=True)
    )
    more = 0.0
    if found == "undecided":
        more = math.inf
        times = 2.0
        while rows and times < MOST_MORE and status(times) == "undecided":
            times *= 2
        if rows and times < MOST_MORE:
            low, high = times / 2, times
            while high / low > 1.01:
                middle = math.sqrt(low * high)
                low, high = (middle, high) if status(middle) == "undecided" else (low, middle)
            more = math.ceil((high - 1) * float(taken.count.sum()))
    return Verdict(cost.decisions[r], found, rows, float(taken.mass[r]), gaps, more)
