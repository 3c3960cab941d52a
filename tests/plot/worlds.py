"""Properties and audits of every kind, that pictures and pages must be able to show."""

from __future__ import annotations

from functools import cache

import numpy as np

import isocost as ic
from isocost.simplex import sample_simplex

__all__ = ["LONG", "NASTY", "audits", "drawn_outcomes", "scalar_properties", "triage"]

NASTY = ("$100–$500", "<script>alert(1)</script>", '_x^2 $\\frac "quoted" & 日本')
LONG = (
    "wait and see how it goes for a fortnight, then call again",
    "test",
    "treat at once and for as long as it takes",
)


def triage(decisions: tuple[str, ...] = ("wait", "test", "treat"), outcomes: tuple[str, ...] = ()) -> ic.CostMatrix:
    return ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]], decisions, outcomes or ("mild", "moderate", "severe"))


def many() -> ic.CostMatrix:
    return ic.CostMatrix.actions([i * i for i in range(30)], [1 - i / 30 for i in range(30)], [0, 900, 2700])


@cache
def scalar_properties() -> dict[str, ic.SmoothProperty | ic.LinearProperty]:
    median = ic.CostMatrix.ordinal(["low", "mid", "high"], power=1)
    return {
        "embedding": ic.smooth(triage(), method="embedding"),
        "smoothest": ic.smooth(triage()),
        "normals": ic.smooth(triage(), method="normals"),
        "long labels": ic.smooth(triage(LONG, LONG)),
        "dollars": ic.smooth(triage(("$100–$500", "Größe ≥ 3", "_x^2 $\\frac"))),
        "touching": ic.smooth(median, method="touching"),
        "interior": ic.smooth(median, interior=0.05),
        "one decision": ic.smooth(ic.CostMatrix([[0, 0], [1, 1]])),
        "two decisions": ic.smooth(ic.CostMatrix([[0, 5], [1, 0]], ["keep", "drop"], ["ok", "bad"])),
        "thirty decisions": ic.smooth(many()),
        "thirty outcomes": ic.smooth(ic.CostMatrix.ordinal(range(30)), method="embedding"),
        "linear, one number": ic.linear(ic.CostMatrix.ordinal(range(6))),
        "linear, no number": ic.linear(ic.CostMatrix([[0, 0], [1, 1]])),
    }


def drawn_outcomes(cost: ic.CostMatrix, P: np.ndarray, seed: int = 1) -> np.ndarray:
    at = (P.cumsum(axis=1) < np.random.default_rng(seed).random((len(P), 1))).sum(axis=1).clip(0, P.shape[1] - 1)
    y = np.empty(len(P), dtype=object)
    y[:] = [cost.outcomes[i] for i in at]
    return y


@cache
def audits() -> dict[str, ic.Audit]:
    """Every audit has few resamples: what is looked at here is the picture."""
    truth = sample_simplex(900, 3, seed=5)
    sure = truth**2.5 / (truth**2.5).sum(axis=1, keepdims=True)
    mistakes = ic.CostMatrix(1 - np.eye(3), ["cat", "dog", "bird"])
    cost, two = triage(), ic.CostMatrix([[0, 5], [1, 0]], ["keep", "drop"], ["ok", "bad"])
    p = np.linspace(0, 1, 400)
    pairs = np.column_stack([1 - p, p])
    groups = np.where(truth[:, 0] > 0.4, "young & <b>bold</b>", "old")
    decided = np.where(truth[:, 0] > 0.4, "wait", "test")

    def audit(cost: ic.CostMatrix, P: np.ndarray, of: np.ndarray = truth, **more: object) -> ic.Audit:
        return ic.audit(cost, drawn_outcomes(cost, of), probabilities=P, resamples=20, **more)  # type: ignore[arg-type]

    return {
        "right": audit(cost, truth),
        "too sure": audit(cost, sure, prop=ic.smooth(cost, method="embedding"), groups=groups),
        "long labels": audit(triage(LONG, LONG), sure),
        "nasty labels": audit(triage(NASTY, NASTY), sure, groups={'"><script>x</script>': groups == "old"}),
        "two decisions": audit(two, pairs, np.column_stack([1 - p**2, p**2])),
        "one decision": audit(ic.CostMatrix([[0, 0], [1, 1]]), np.full((50, 2), 0.5), np.full((50, 2), 0.5)),
        "not orderable": audit(mistakes, truth),
        "decisions only": ic.audit(cost, drawn_outcomes(cost, truth), decisions=decided),
        "thirty decisions": audit(many(), truth),
        "few rows": ic.audit(cost, ["mild", "severe"], probabilities=[[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]], resamples=20),
    }
