"""Every measure against a slow way written from its definition, row by row."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog
from sklearn.isotonic import IsotonicRegression

import isocost as ic
from isocost.auditing.auditor import audit
from isocost.auditing.decomposition import isotonic_fit
from isocost.auditing.levels import levels_of
from tests.auditing.worlds import ASYMMETRIC, PAPER, drawn

Floats = NDArray[np.float64]
ROWS = 150
PROP = ic.smooth(PAPER)


@pytest.fixture(scope="module", params=["calibrated", "too sure", "mixed up"])
def rows(request: pytest.FixtureRequest) -> tuple[Floats, Floats, NDArray[np.intp], Floats, ic.Audit]:
    """Probabilities, scores (some tied), outcome positions, weights, and their exact audit."""
    world = drawn(PAPER, ROWS, 7, request.param)
    u = PROP.value(world.P).round(1)
    w = np.random.default_rng(1).exponential(size=ROWS)
    found = audit(PAPER, world.y, probabilities=world.P, scores=u, prop=PROP, sample_weight=w, grid=None, bins=1000)
    return world.P, u, PAPER.positions(world.y), w / w.sum(), found


def own_cells(u: Floats) -> NDArray[np.intp]:
    return np.array([PAPER.decisions.index(label) for label in PROP.decide(u).tolist()])


def test_costs(rows: tuple[Floats, Floats, NDArray[np.intp], Floats, ic.Audit]) -> None:
    P, u, y, w, found = rows
    taken = own_cells(u)
    costs = PAPER.costs[taken, y]
    assert found.mean_cost.value == pytest.approx(w @ costs)
    assert found.beyond_constant.value == pytest.approx(w @ costs - min(w @ PAPER.costs[r][y] for r in range(3)))
    best = np.array([PAPER.decisions.index(label) for label in PAPER.decide(P).tolist()])
    assert found.beyond_plugin is not None
    assert found.beyond_plugin.value == pytest.approx(w @ (costs - PAPER.costs[best, y]))
    regret = wrong = 0.0
    for r in range(3):
        here = taken == r
        expected = [w[here] @ PAPER.costs[s][y[here]] for s in range(3)]
        regret += expected[r] - min(expected)
        wrong += w[here].sum() * (min(expected) < expected[r])
    assert found.swap_regret.value == pytest.approx(regret, abs=1e-15)
    assert found.decision_calibration.value == pytest.approx(wrong, abs=1e-15)


@pytest.mark.parametrize("norm", [1, 2, math.inf])
def test_distribution_calibration(norm: float) -> None:
    world = drawn(PAPER, ROWS, 3, "mixed up")
    w = np.random.default_rng(2).exponential(size=ROWS)
    P = np.vstack([world.P[:6]] * (ROWS // 6))  # six levels of the score
    found = audit(PAPER, world.y, probabilities=P, prop=PROP, sample_weight=w, grid=None, norm=norm)
    w = w / w.sum()
    labels = np.eye(3)[PAPER.positions(world.y)]
    u = PROP.value(P)
    calibration = found.distribution_calibration
    assert calibration is not None
    for name, event in (("decision", own_cells(u)), ("score", np.unique(u, return_inverse=True)[1])):
        mean = paper = 0.0
        for c in np.unique(event):
            here = event == c
            D = w[here] @ labels[here] / w[here].sum()
            mean += float(np.linalg.norm(w[here] @ P[here] - w[here].sum() * D, ord=norm))
            paper += float(w[here] @ np.linalg.norm(P[here] - D, ord=norm, axis=1))
        assert getattr(calibration, f"{name}_mean").value == pytest.approx(mean)
        assert getattr(calibration, f"{name}_paper").value == pytest.approx(paper)


def test_score_calibration(rows: tuple[Floats, Floats, NDArray[np.intp], Floats, ic.Audit]) -> None:
    _, u, y, w, found = rows
    value = square = 0.0
    for s in np.unique(u):
        here = u == s
        D = np.bincount(y[here], w[here], 3) / w[here].sum()
        value += w[here].sum() * abs(PROP.value(D[None])[0] - s)
        V = PROP.identification(s, y[here])
        mean, share = w[here] @ V / w[here].sum(), w[here].sum()
        units = share**2 / (w[here] @ w[here])
        if units >= 1.5:
            variance = (w[here] ** 2 @ (V - mean) ** 2) / share**2 * units / (units - 1)
            square += share * (mean**2 - variance)
    assert found.score_calibration is not None
    assert found.score_calibration.binning == "natural levels"
    assert found.score_calibration.plug_in.value == pytest.approx(value)
    assert found.score_calibration.debiased.value == pytest.approx(math.sqrt(max(square, 0.0)))


def test_cutoff_error(rows: tuple[Floats, Floats, NDArray[np.intp], Floats, ic.Audit]) -> None:
    _, u, y, w, found = rows
    pull = w * PROP.identification(u, y)
    ends = np.unique(u)
    sums = {(a, b): pull[(a <= u) & (u <= b)].sum() for a in ends for b in ends if a <= b}
    at = max(sums, key=lambda pair: abs(sums[pair]))
    cutoff = found.cutoff_calibration
    assert cutoff is not None
    assert cutoff.estimate.value == pytest.approx(abs(sums[at]))
    assert (cutoff.low, cutoff.high) == at
    assert cutoff.sign == np.sign(sums[at])


def test_smooth_error(rows: tuple[Floats, Floats, NDArray[np.intp], Floats, ic.Audit]) -> None:
    _, u, y, w, found = rows
    levels, to = np.unique(u, return_inverse=True)
    gains = np.bincount(to, w * PROP.identification(u, y))
    m = len(levels)
    steps = np.eye(m)[1:] - np.eye(m)[:-1]
    solved = linprog(
        -gains, A_ub=np.vstack([steps, -steps]), b_ub=np.tile(np.diff(levels), 2), bounds=[(-1, 1)] * m, method="highs"
    )
    assert found.smooth_calibration is not None
    assert found.smooth_calibration.value == pytest.approx(-solved.fun, abs=1e-9)


def test_worst_task(rows: tuple[Floats, Floats, NDArray[np.intp], Floats, ic.Audit]) -> None:
    _, u, y, w, found = rows

    def loss(theta: float) -> float:
        V = PROP.identification(theta, y)
        return float(max((w * V)[u > theta].sum(), 0) + max(-(w * V)[u <= theta].sum(), 0))

    low, high = min(u.min(), PROP.knots[0]) - 0.1, max(u.max(), PROP.knots[-1]) + 0.1
    near = np.concatenate([x + 1e-9 * np.array([-1, 0, 1]) for x in (*np.unique(u), *PROP.knots)])
    worst = max(loss(theta) for theta in np.r_[np.linspace(low, high, 3000), near])
    task = found.worst_task
    assert task is not None
    assert worst - 1e-12 <= task.estimate.value <= worst + 1e-7
    np.testing.assert_allclose(task.at_cuts, [loss(s) for s in PROP.cuts], atol=1e-12)


def test_decomposition(rows: tuple[Floats, Floats, NDArray[np.intp], Floats, ic.Audit]) -> None:
    _, u, y, w, found = rows
    parts = found.decomposition
    assert parts is not None
    assert parts.loss.value == pytest.approx(w @ PROP.loss(u, y))
    constants = np.linspace(*PROP.range, 4001)
    best = min(float(w @ PROP.loss(np.full(ROWS, c), y)) for c in constants)
    assert parts.uncertainty.value == pytest.approx(best, abs=1e-6)
    assert parts.uncertainty.value <= best
    total = parts.miscalibration.value - parts.discrimination.value + parts.uncertainty.value
    assert parts.loss.value == pytest.approx(total)


def test_the_isotonic_fit_of_squared_cost_is_that_of_the_mean() -> None:
    cost = ic.CostMatrix.ordinal(range(4))
    prop = ic.smooth(cost)
    world = drawn(cost, 400, 5, "mixed up")
    u = prop.value(world.P)
    tally = ic.tally(cost, world.y, probabilities=world.P, prop=prop, grid=None)
    assert tally.scores is not None
    assert tally.cells is not None
    fitted = isotonic_fit(levels_of(tally.scores, tally.cells, prop))
    means = np.sort(IsotonicRegression().fit_transform(u, world.y.astype(float)))
    below = np.minimum(means.astype(int), 2)
    between = np.eye(4)[below] * (1 - (means - below))[:, None] + np.eye(4)[below + 1] * (means - below)[:, None]
    np.testing.assert_allclose(fitted, prop.value(between), atol=1e-12)  # Γ depends on the mean alone


@pytest.mark.parametrize("cost", [PAPER, ASYMMETRIC], ids=["paper", "asymmetric"])
def test_the_grid_tells_the_same_as_every_score(cost: ic.CostMatrix) -> None:
    """Sums by cell are exact for means; how rows of one cell rank is not known, and some cells have many."""
    world = drawn(cost, 4000, 11, "mixed up")
    grid, exact = (ic.audit(cost, world.y, probabilities=world.P, grid=g, resamples=0) for g in (4096, None))
    assert (grid.grid, exact.grid) == ("4096 cells", "every score")
    for name, (_, estimate) in grid.readings().items():
        other = exact.readings()[name].estimate
        close = 1e-12 if name in ("mean_cost", "swap_regret", "decomposition.loss") else 0.05
        assert estimate.value == pytest.approx(other.value, rel=close, abs=close * 0.02), name
