"""What boosting and the linear model are told of a loss, for random costs of every kind.

Broken once: V read from the piece left of the score fails the first two laws; the second derivative in place of the
chord fails the second (it is 0 or negative somewhere, and steps leave the range).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import isocost as ic
from isocost.learn.surrogate import Surrogate
from tests.laws.random_costs import orderable, smooth_all, strongly_orderable

SEEDS = st.integers(0, 2**32)


def properties(cost: ic.CostMatrix) -> Iterator[ic.SmoothProperty | ic.LinearProperty]:
    if cost.ordering().kind is ic.OrderKind.STRONG:
        yield from smooth_all(cost)
    yield ic.linear(cost)


def scores_and_labels(prop: ic.Property, seed: int, rows: int = 60) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Scores in and beyond the range, knots among them."""
    random = np.random.default_rng(seed)
    labels = random.integers(0, len(prop.outcomes), rows)
    if isinstance(prop, ic.SmoothProperty):
        width = float(np.ptp(prop.knots)) or 1.0
        inside = random.uniform(prop.knots[0] - 0.3 * width, prop.knots[-1] + 0.3 * width, rows)
        return np.where(random.random(rows) < 0.2, random.choice(prop.knots, rows), inside), labels
    return random.normal(size=(rows, prop.dimension)), labels


@given(st.one_of(strongly_orderable(), orderable()), SEEDS)
def test_gradients_and_losses_are_those_of_the_property(cost: ic.CostMatrix, seed: int) -> None:
    for prop in properties(cost):
        scores, labels = scores_and_labels(prop, seed)
        weights = np.random.default_rng(seed).exponential(size=len(labels))
        surrogate = Surrogate(prop)
        V = prop.identification(scores, labels)
        gradient, _ = surrogate.gradients(scores, labels, weights, np.float64)
        rounding = 1e-12 * (np.abs(V).max() if V.size else 0)
        assert gradient == pytest.approx(weights.reshape(-1, *[1] * (V.ndim - 1)) * V, rel=1e-9, abs=rounding)
        assert surrogate.total(scores, labels, weights) == pytest.approx(weights @ prop.loss(scores, labels), rel=1e-9)


@given(strongly_orderable(least=2), SEEDS)
def test_a_newton_step_stays_among_the_minimisers(cost: ic.CostMatrix, seed: int) -> None:
    """The step -ΣV/Σh of rows of one score, as those of a leaf, ends between the scores their outcomes like best."""
    random = np.random.default_rng(seed)
    for prop in properties(cost):
        surrogate = Surrogate(prop)
        for column, one in enumerate(surrogate.components):
            best = one.minimisers
            room = 1e-6 * (np.ptp(best) + np.abs(best).max())
            for at in random.uniform(best.min() - room, best.max() + room, 8):
                labels = random.integers(0, len(best), random.integers(1, 8))
                scores = np.full((len(labels), prop.dimension), at)
                gradient, curvature = surrogate.gradients(scores, labels, None, np.float64)
                assert (curvature > 0).all()
                end = at - gradient[:, column].sum() / curvature[:, column].sum()
                least, most = min(best[labels].min(), at), max(best[labels].max(), at)
                assert least - room <= end <= most + room


@given(strongly_orderable(least=2))
def test_the_minimiser_of_an_outcome_is_its_score_when_certain(cost: ic.CostMatrix) -> None:
    n = len(cost.outcomes)
    for prop in properties(cost):
        found = np.column_stack([one.minimisers for one in Surrogate(prop).components])
        sure = prop.value(np.eye(n)).reshape(found.shape)
        assert np.abs(found - sure).max() <= 1e-7 * (1 + np.abs(sure).max())


@given(st.one_of(strongly_orderable(), orderable()), SEEDS)
def test_no_constant_score_loses_less_than_the_start(cost: ic.CostMatrix, seed: int) -> None:
    random = np.random.default_rng(seed)
    for prop in properties(cost):
        surrogate = Surrogate(prop)
        labels = random.integers(0, len(cost.outcomes), 30)
        weights = random.exponential(size=30)
        start = surrogate.start(labels, weights).reshape(-1)
        constant = np.tile(start, (30, 1))
        least = surrogate.total(constant, labels, weights)
        for step in random.normal(size=(20, prop.dimension)):
            assert least <= surrogate.total(constant + step, labels, weights) * (1 + 1e-9) + 1e-12
