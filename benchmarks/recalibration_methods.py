"""Ways to recalibrate before deciding: ours, and peers on probabilities, which then decide by expected cost.

Every method is fitted on labelled rows once a split and asked for decisions, as positions, on others.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

import isocost as ic

__all__ = ["COMPOSED", "OURS", "PEERS", "PROBABILITIES", "Decide", "Probabilities"]

Floats = NDArray[np.float64]
Positions = NDArray[np.intp]
# Fitted on probabilities and outcome positions: probabilities to recalibrated ones.
Probabilities = Callable[[Floats, Positions], Callable[[Floats], Floats]]
# Cost, probabilities and outcome labels of the fit, probabilities to decide on: decision positions.
Decide = Callable[[ic.CostMatrix, Floats, NDArray[Any], Floats], Positions]


# -- decisions straight from scores -------------------------------------------------------------------


def ours(cost: ic.CostMatrix, P: Floats, y: NDArray[Any], Q: Floats) -> Positions:
    """The default, frozen before any run on the data of the table.

    Where one number carries the decision: isotonic on Γ, the share of it chosen by cross-validation.
    Elsewhere: affine on the several numbers, then the swap map.
    """
    prop = ic.property_for(cost)
    if isinstance(prop, ic.SmoothProperty):
        iso = ic.IsotonicRecalibrator(prop, keep="auto").fit(P, y)
        return positions(cost, prop.decide(iso.predict(Q)))
    assert isinstance(prop, ic.LinearProperty)
    affine = ic.AffineRecalibrator(prop).fit(P, y)
    swap = ic.SwapRecalibrator(cost).fit(prop.decide(affine.predict(P)), y)
    return positions(cost, swap.predict(prop.decide(affine.predict(Q))))


def before(cost: ic.CostMatrix, P: Floats, y: NDArray[Any], Q: Floats) -> Positions:
    return np.asarray(cost.expected(Q, normalize=True).argmin(axis=1))


def isotonic(cost: ic.CostMatrix, P: Floats, y: NDArray[Any], Q: Floats) -> Positions:
    """Isotonic on Γ as it is; the swap map where several numbers are needed."""
    prop = ic.property_for(cost)
    if not isinstance(prop, ic.SmoothProperty):
        return swap(cost, P, y, Q)
    iso = ic.IsotonicRecalibrator(prop).fit(prop.value(P, normalize=True), y)
    return positions(cost, prop.decide(iso.predict(prop.value(Q, normalize=True))))


def swap(cost: ic.CostMatrix, P: Floats, y: NDArray[Any], Q: Floats) -> Positions:
    fitted = ic.SwapRecalibrator(cost).fit(cost.decide(P, normalize=True), y)
    return positions(cost, fitted.predict(cost.decide(Q, normalize=True)))


def positions(cost: ic.CostMatrix, decisions: NDArray[Any]) -> Positions:
    where = {label: i for i, label in enumerate(cost.decisions)}
    return np.array([where[r] for r in decisions.tolist()], dtype=np.intp)


# -- probabilities --------------------------------------------------------------------------------------


def temperature(P: Floats, y: Positions) -> Callable[[Floats], Floats]:
    """p ↦ softmax(log p / T), T by likelihood."""

    def tempered(Q: Floats, inverse: float) -> Floats:
        logs = inverse * np.log(np.maximum(Q, 1e-12))
        powers = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def surprise(log_inverse: float) -> float:
        return -float(np.log(np.maximum(tempered(P, np.exp(log_inverse))[np.arange(len(y)), y], 1e-300)).sum())

    best = float(np.exp(minimize_scalar(surprise, bounds=(-4, 4), method="bounded").x))
    return lambda Q: tempered(Q, best)


def one_vs_rest_isotonic(P: Floats, y: Positions) -> Callable[[Floats], Floats]:
    """scikit-learn's isotonic regression an outcome, normalised; even where all are 0."""
    from sklearn.isotonic import IsotonicRegression

    columns = range(P.shape[1])
    maps = [IsotonicRegression(out_of_bounds="clip").fit(P[:, c], y == c) for c in columns]

    def recalibrated(Q: Floats) -> Floats:
        found = np.column_stack([maps[c].predict(Q[:, c]) for c in columns])
        total = found.sum(axis=1, keepdims=True)
        return np.where(total > 0, found / np.where(total > 0, total, 1), 1 / P.shape[1])

    return recalibrated


def dirichlet(P: Floats, y: Positions) -> Callable[[Floats], Floats]:
    """Multinomial logistic regression on log p (Kull et al. 2019), with scikit-learn's default ridge.

    Peers' own version needs dirichletcal, which does not install: docs/decisions/0010-recalibration.md.
    """
    from sklearn.linear_model import LogisticRegression

    def logs(Q: Floats) -> Floats:
        return np.log(np.maximum(Q, 1e-12))

    fitted = LogisticRegression(max_iter=1000).fit(logs(P), y)

    def recalibrated(Q: Floats) -> Floats:
        found = np.zeros((len(Q), P.shape[1]))
        found[:, fitted.classes_] = fitted.predict_proba(logs(Q))
        return found

    return recalibrated


def probmetrics(name: str) -> Probabilities:
    def fit(P: Floats, y: Positions) -> Callable[[Floats], Floats]:
        from probmetrics.calibrators import get_calibrator

        fitted = quietly(lambda: get_calibrator(name).fit(P, y))
        return lambda Q: plain(quietly(lambda: fitted.predict_proba(Q)))

    return fit


def netcal_temperature(P: Floats, y: Positions) -> Callable[[Floats], Floats]:
    from netcal.scaling import TemperatureScaling

    fitted = TemperatureScaling()
    quietly(lambda: fitted.fit(P, y))
    return lambda Q: plain(quietly(lambda: fitted.transform(Q)))


def netcal_binning(P: Floats, y: Positions) -> Callable[[Floats], Floats]:
    from netcal.binning import HistogramBinning

    fitted = HistogramBinning(bins=20)
    quietly(lambda: fitted.fit(P, y))
    return lambda Q: plain(quietly(lambda: fitted.transform(Q)))


def quietly(call: Callable[[], Any]) -> Any:
    """Without a peer's progress bars and warnings."""
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        return call()


def plain(P: Any) -> Floats:
    """Rows that sum to 1 as doubles."""
    rows = np.maximum(np.asarray(P, dtype=np.float64), 0)
    total = rows.sum(axis=1, keepdims=True)
    return np.where(total > 0, rows / np.where(total > 0, total, 1), 1 / rows.shape[1])


OURS: dict[str, Decide] = {"ours": ours, "before": before, "isotonic on Γ": isotonic, "swap": swap}
# First probabilities, then decisions.
PROBABILITIES: dict[str, Probabilities] = {
    "temperature": temperature,
    "one-vs-rest": one_vs_rest_isotonic,
    "Dirichlet": dirichlet,
}
COMPOSED: dict[str, tuple[str, Decide]] = {
    "temperature, isotonic": ("temperature", isotonic),
    "Dirichlet, ours": ("Dirichlet", ours),  # added after the first run, to see why ours lost: not a peer
}
PEERS: dict[str, Probabilities] = {
    "probmetrics temperature": probmetrics("temp-scaling"),
    "probmetrics logistic": probmetrics("logistic"),
    "netcal temperature": netcal_temperature,
    "netcal binning": netcal_binning,
}
