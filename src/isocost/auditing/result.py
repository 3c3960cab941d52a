"""Audit: what an audit found."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isocost.auditing.certificates import Certificate
from isocost.auditing.decomposition import DECOMPOSITION, Decomposition
from isocost.auditing.estimated_bounds import EstimatedBounds, bounds_of
from isocost.auditing.estimates import Estimate, Measure
from isocost.auditing.instances import Instance
from isocost.auditing.measures.cutoff import CUTOFF, CutoffError
from isocost.auditing.measures.decision_calibration import DECISION_CALIBRATION
from isocost.auditing.measures.distribution_calibration import DISTRIBUTION_CALIBRATION
from isocost.auditing.measures.mean_cost import BEYOND_CONSTANT, BEYOND_PLUGIN, MEAN_COST
from isocost.auditing.measures.score_calibration import DEBIASED, PLUG_IN, ScoreCalibration
from isocost.auditing.measures.smooth_error import SMOOTH
from isocost.auditing.measures.swap_regret import SWAP_REGRET
from isocost.auditing.measures.worst_task import WORST_TASK, WorstTask
from isocost.auditing.reliability import Reliability
from isocost.auditing.settings import Settings
from isocost.costs import CostMatrix
from isocost.interface import Property
from isocost.labels import Label
from isocost.plain import to_plain
from isocost.property import SmoothProperty

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Audit", "DistributionCalibration", "Reading"]


class Reading(NamedTuple):
    """One line of an audit: a measure and its estimate."""

    measure: Measure
    estimate: Estimate


class DistributionCalibration(NamedTuple):
    """Estimates given the decision, and given the score; None where there is no score, or no rows for a second pass."""

    decision_mean: Estimate
    decision_paper: Estimate | None
    score_mean: Estimate | None
    score_paper: Estimate | None


@dataclass(frozen=True, eq=False, repr=False)
class Audit:
    """What an audit found; made by :func:`isocost.audit`.

    Attributes
    ----------
    cost : CostMatrix
    prop : Property
    rows : int
        Rows with a weight above 0.
    units : float
        Independent observations: rows (fewer where weights differ), or clusters.
    level : float
    grid : str
        How scores were read: "4096 cells", "every score" or "no scores".
    mean_cost, beyond_constant : Estimate
    beyond_plugin : Estimate or None
    swap_regret : Estimate
    swaps : dict of label to label
        The better decision, for each that another would have beaten.
    decision_calibration : Estimate
    distribution_calibration : DistributionCalibration or None
    score_calibration : ScoreCalibration or None
    cutoff_calibration : CutoffError or None
    smooth_calibration : Estimate or None
    worst_task : WorstTask or None
    decomposition : Decomposition or None
    reliability : Reliability or None
    certificate : Certificate
    groups : dict of label to Audit
        At a level such that all their intervals hold together.
    norm : float
        Of differences between distributions.
    counts : ndarray, shape (k, n)
        Rows with each decision and outcome, in the order of `cost`.
    settings : Settings
        What was asked for: bins, norm, level, resamples and seed.
    given : tuple of str
        Names of the other arguments that were given, such as "probabilities" and "groups".
    instance : Instance or None
        The bins as a finite instance.
    columns : dict or None
        Of a frame or of files: what was read from which column.
    """

    cost: CostMatrix
    prop: Property
    rows: int
    units: float
    level: float
    grid: str
    mean_cost: Estimate
    beyond_constant: Estimate
    beyond_plugin: Estimate | None
    swap_regret: Estimate
    swaps: dict[Label, Label]
    decision_calibration: Estimate
    distribution_calibration: DistributionCalibration | None
    score_calibration: ScoreCalibration | None
    cutoff_calibration: CutoffError | None
    smooth_calibration: Estimate | None
    worst_task: WorstTask | None
    decomposition: Decomposition | None
    reliability: Reliability | None
    certificate: Certificate
    groups: dict[Label, Audit]
    norm: float
    counts: NDArray[np.float64]
    settings: Settings
    given: tuple[str, ...]
    instance: Instance | None
    columns: dict[str, Any] | None = None

    @cached_property
    def bounds(self) -> EstimatedBounds | None:
        """What theory says of the bins, Theorem 1, the paper's final theorem and ours; None without scores.

        With `interior` also None where a bin's outcomes lie outside Δ_η, of which no bound speaks.
        """
        if self.instance is None or not isinstance(self.prop, SmoothProperty):
            return None
        if self.prop.interior and self.instance.labels.min() < self.prop.interior:
            return None
        of = self.distribution_calibration
        paper, mean = (of.score_paper, of.score_mean) if of else (None, None)
        return bounds_of(self.instance, self.prop, self.norm, paper and paper.value, mean and mean.value)

    def readings(self) -> dict[str, Reading]:
        """Every estimate by name, with what it estimates, its unit, and what perfect predictions have.

        Examples
        --------
        >>> import isocost as ic
        >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
        >>> found = ic.audit(cost, ["ok", "bad", "ok"], decisions=["keep", "drop", "drop"])
        >>> found.readings()["mean_cost"].measure.estimand
        'E ℓ(decision, Y)'
        """
        found: dict[str, tuple[Measure, Estimate | None]] = {
            "mean_cost": (MEAN_COST, self.mean_cost),
            "beyond_constant": (BEYOND_CONSTANT, self.beyond_constant),
            "beyond_plugin": (BEYOND_PLUGIN, self.beyond_plugin),
            "swap_regret": (SWAP_REGRET, self.swap_regret),
            "decision_calibration": (DECISION_CALIBRATION, self.decision_calibration),
        }
        if self.distribution_calibration:
            for name, measure in DISTRIBUTION_CALIBRATION.items():
                found[f"distribution_calibration.{name}"] = (measure, getattr(self.distribution_calibration, name))
        if self.score_calibration:
            found["score_calibration.plug_in"] = (PLUG_IN, self.score_calibration.plug_in)
            found["score_calibration.debiased"] = (DEBIASED, self.score_calibration.debiased)
        found["cutoff_calibration"] = (CUTOFF, self.cutoff_calibration and self.cutoff_calibration.estimate)
        found["smooth_calibration"] = (SMOOTH, self.smooth_calibration)
        found["worst_task"] = (WORST_TASK, self.worst_task and self.worst_task.estimate)
        if self.decomposition:
            for name, measure in DECOMPOSITION.items():
                found[f"decomposition.{name}"] = (measure, getattr(self.decomposition, name))
        return {name: Reading(measure, estimate) for name, (measure, estimate) in found.items() if estimate}

    def table(self) -> str:
        """The estimates as text, one a line, then the certificate.

        Examples
        --------
        >>> import isocost as ic
        >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
        >>> print(ic.audit(cost, ["ok", "bad"] * 400, decisions=["keep", "drop"] * 400).table().splitlines()[-1])
        2 certified; with probability 0.95, at most 0 % of rows have a decision that is not right where it is taken
        """
        lines = [[f"{100 * self.level:g} %", "value", "low", "high", "unit"]]
        for measure, estimate in self.readings().values():
            numbers = (estimate.value, estimate.low, estimate.high)
            lines.append([measure.name, *(f"{x:.4g}" for x in numbers), measure.unit])
        text = _aligned(lines)
        if self.score_calibration:
            others = ", ".join(f"{name} {x:.3g}" for name, (x, _) in self.score_calibration.other_bins.items())
            text.append(f"score calibration, plug-in, is with {self.score_calibration.binning}; with {others}")
        verdicts = [["decision", "share", "verdict", "gaps to others"]]
        for verdict in self.certificate.verdicts:
            gaps = "; ".join(f"{gap.instead}: {gap.estimate}" for gap in verdict.gaps)
            verdicts.append([str(verdict.decision), f"{100 * verdict.share:.1f} %", _status(verdict), gaps])
        rows = f"{self.rows} rows" + (f"; {_pairing(self.columns)}" if self.columns else "")
        return "\n".join([rows, *text, "", *_aligned(verdicts), "", str(self.certificate)])

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts, lists, numbers and text; infinite and missing numbers as "inf", "-inf" and None.

        Examples
        --------
        >>> import isocost as ic, json
        >>> cost = ic.CostMatrix([[0, 5], [1, 0]], decisions=["keep", "drop"], outcomes=["ok", "bad"])
        >>> found = ic.audit(cost, ["ok", "bad"], decisions=["keep", "drop"]).to_dict()
        >>> json.loads(json.dumps(found, allow_nan=False))["mean_cost"]["value"]
        0.0
        """
        found = {
            name: getattr(self, name) for name in self.__dataclass_fields__ if name not in ("cost", "prop", "instance")
        }
        found["decisions"], found["outcomes"] = self.cost.decisions, self.cost.outcomes
        found["bounds"] = self.bounds
        found["property"] = {"method": self.prop.method, "why": self.prop.why}
        plain: dict[str, Any] = to_plain(found)
        return plain

    def to_html(self, path: str | PathLike[str], **options: Any) -> None:
        """Write one self-contained page; see :func:`isocost.report.write_page`."""
        from isocost.report import write_page

        write_page(self, path, **options)

    def plot(self, **options: Any) -> Axes:
        """Draw the reliability curve, or the certificate where there is none; see :func:`isocost.plot.overview`."""
        from isocost.plot import overview

        return overview(self, **options)

    def __repr__(self) -> str:
        return f"Audit of {self.rows} rows: mean cost {self.mean_cost}; {self.certificate}"


def _pairing(columns: dict[str, Any]) -> str:
    """Which column was read as what, in words."""
    words = []
    for what, name in columns.items():
        names = ", ".join(f"{label}: {x}" for label, x in name.items()) if isinstance(name, dict) else name
        words.append(f"{what} from {', '.join(names) if isinstance(names, list) else names}")
    return "; ".join(words)


def _status(verdict: Any) -> str:
    if verdict.status != "undecided" or not verdict.rows:
        return str(verdict.status) if verdict.rows else "never taken"
    more = (
        "no number of rows would settle it" if math.isinf(verdict.more_rows) else f"{verdict.more_rows:.3g} more rows"
    )
    return f"undecided ({more})"


def _aligned(lines: list[list[str]]) -> list[str]:
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
