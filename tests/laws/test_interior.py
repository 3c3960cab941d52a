"""The interior simplex Δ_η: exact there, defined and monotone outside, at a price of about 1/η.

Broken once: w′ with η(Σw) on p instead of q (theory, section 5) fails the refinement; K without its
division by 1 - nη fails the constant; clipping at η with a renormalisation fails the rays.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from isocost.interior import from_inner, identification_inside
from isocost.smoothing import Method
from tests.laws.random_costs import METHODS, NORMS, distributions, orderable, strongly_orderable

MEDIAN = ic.CostMatrix.ordinal(["low", "mid", "high"], power=1)
SHARES = st.floats(0.001, 0.9)  # of the largest floor, 1/n


def every_cost() -> st.SearchStrategy[ic.CostMatrix]:
    return st.one_of(orderable(), orderable(crowded=True), strongly_orderable(least=2, most=6, outcomes=7))


def floor_of(cost: ic.CostMatrix, share: float) -> float:
    return float(f"{share / len(cost.outcomes):.15g}")


def spread_of(cost: ic.CostMatrix) -> float:
    return float(np.ptp(cost.costs, axis=0).max()) or 1.0


@pytest.mark.parametrize("method", METHODS)
def test_v_at_a_cut_is_the_normal_next_to_a_cell_as_thin_as_rounding(method: Method) -> None:
    """At 1/12, in doubles, the last cell is 8e-16 wide: what bounds its V there is rounding, and was once believed."""
    cost = ic.CostMatrix([[0, 0, 0, 0, 0, 0], [-2, 0, -2, 1, -4, 0], [-2, 1, -2, 4, -6, 2], [0, 4, 0, 7, -8, 6]])
    prop = ic.smooth(cost, method, interior=1 / 12)
    rows = {label: cost.costs[r] for r, label in enumerate(cost.decisions)}
    w = np.diff([rows[label] for label in prop.decisions], axis=0)
    w = w / 2 + w.sum(axis=1, keepdims=True) / 12  # as Δ_η sees it: 1 - nη is one half
    V = identification_inside(prop.normals, prop.interior)
    size = np.abs(w).max(axis=1, keepdims=True)
    np.testing.assert_allclose(V / np.abs(V).max(axis=1, keepdims=True), w / size, rtol=0, atol=1e-9)


@given(every_cost(), SHARES)
def test_decisions_have_no_regret_inside(cost: ic.CostMatrix, share: float) -> None:
    floor = floor_of(cost, share)
    P = from_inner(distributions(cost), floor)
    rounding = 1e-9 * spread_of(cost) + 1e-12 * np.abs(cost.costs).max()
    for method in METHODS:
        prop = ic.smooth(cost, method, interior=floor)
        assert cost.regret(P, prop.decide(prop.value(P))).max() <= rounding


@given(every_cost(), SHARES)
def test_the_score_is_a_root_inside(cost: ic.CostMatrix, share: float) -> None:
    floor = floor_of(cost, share)
    P = from_inner(distributions(cost, rows=30), floor)
    for method in METHODS:
        prop = ic.smooth(cost, method, interior=floor)
        V = prop.identification(prop.value(P)[:, None], np.arange(len(prop.outcomes))[None, :])
        assert np.abs((V * P).sum(axis=1)).max() <= 1e-9 * (np.abs(prop.values).max() or 1)


@given(every_cost(), SHARES)
def test_on_every_ray_from_the_uniform_distribution_the_score_goes_one_way(cost: ic.CostMatrix, share: float) -> None:
    floor = floor_of(cost, share)
    prop = ic.smooth(cost, interior=floor)
    n = len(cost.outcomes)
    steps = np.linspace(0, 1, 40)[:, None]
    rounding = 1e-10 * (1 + prop.lipschitz(1))
    for end in distributions(cost, rows=5):
        end = moved_to_the_rim(end)
        ray = (1 - steps) / n + steps * end
        u = prop.value(ray)
        moves = np.diff(u)
        assert (moves >= -rounding).all() or (moves <= rounding).all()
        outside = u[ray.min(axis=1) < floor]
        assert not len(outside) or np.ptp(outside) <= rounding


def moved_to_the_rim(p: np.ndarray) -> np.ndarray:
    moved = p - p.min()
    return np.asarray(moved / moved.sum() if moved.sum() > 0 else np.eye(len(p))[0])


@given(every_cost(), SHARES)
def test_towards_a_certain_outcome_the_score_goes_one_way_outside(cost: ic.CostMatrix, share: float) -> None:
    """For every outcome but the one with the least probability."""
    floor = floor_of(cost, share)
    prop = ic.smooth(cost, interior=floor)
    n = len(cost.outcomes)
    rounding = 1e-10 * (1 + prop.lipschitz(1))
    for p in distributions(cost, rows=5):
        if p.min() >= floor or n < 3:
            continue
        for z in set(range(n)) - {int(p.argmin())}:
            steps = np.linspace(0, 1, 20)[:, None]
            moves = np.diff(prop.value((1 - steps) * p + steps * np.eye(n)[z]))
            assert (moves >= -rounding).all() or (moves <= rounding).all()


@given(every_cost(), SHARES)
@settings(max_examples=30)
def test_the_constant_holds_inside_and_is_attained(cost: ic.CostMatrix, share: float) -> None:
    floor = floor_of(cost, share)
    P = from_inner(distributions(cost, rows=50), floor)
    Q = P[np.random.default_rng(1).permutation(len(P))]
    for norm in NORMS:
        prop = ic.smooth(cost, norm=norm, interior=floor)
        K, limit = prop.lipschitz(norm), prop.lipschitz_limit(norm)
        moved = np.abs(prop.value(P) - prop.value(Q))
        rounding = 1e-12 * (np.abs(prop.knots).max() + K)
        assert (moved <= K * np.linalg.norm(P - Q, ord=norm, axis=1) * (1 + 1e-9) + rounding).all()
        assert prop.smoothness(norm) <= 1.05 * (1 + 1e-6)
        if len(prop.cuts) > 1:
            assert limit == pytest.approx(1, rel=1e-5)  # in units of distance between the p
        if K:
            pair = prop.lipschitz_pair(norm)
            assert min(pair.p.min(), pair.q.min()) >= floor - 1e-15
            assert pair.ratio == pytest.approx(K, rel=1e-6)


@given(every_cost(), SHARES)
@settings(max_examples=30)
def test_outside_it_is_at_most_n_times_as_steep(cost: ic.CostMatrix, share: float) -> None:
    floor = floor_of(cost, share)
    prop = ic.smooth(cost, interior=floor)
    P = distributions(cost, rows=50)
    Q = 0.99 * P + 0.01 * P[np.random.default_rng(1).permutation(len(P))]
    most = len(cost.outcomes) * prop.lipschitz(1) * np.abs(P - Q).sum(axis=1)
    assert (np.abs(prop.value(P) - prop.value(Q)) <= most * (1 + 1e-9) + 1e-10 * (1 + prop.lipschitz(1))).all()


@given(every_cost(), SHARES)
def test_the_gradient_is_that_of_finite_differences(cost: ic.CostMatrix, share: float) -> None:
    prop = ic.smooth(cost, "embedding", interior=floor_of(cost, share))
    n = len(cost.outcomes)
    P = 0.98 * distributions(cost, rows=20) + 0.02 / n
    P = P[np.sort(P, axis=1)[:, 1] - P.min(axis=1) > 1e-4]  # where the least outcome stays the least
    step = 1e-7
    u = prop.value(P)
    knots = np.abs(u[:, None] - prop.knots).min(axis=1) > 10 * step * prop.lipschitz(1) * n
    rim = np.abs(P.min(axis=1) - prop.interior) > 10 * step
    direction = np.eye(n)[0] - np.eye(n)[-1]
    found = prop.gradient(P) @ direction
    slopes = (prop.value(P + step * direction) - prop.value(P - step * direction)) / (2 * step)
    clear = knots & rim
    assert np.abs(found - slopes)[clear].max(initial=0) <= 1e-4 * (1 + n * prop.lipschitz(1))


@given(every_cost(), SHARES)
def test_level_sets_lie_inside_and_have_their_score(cost: ic.CostMatrix, share: float) -> None:
    floor = floor_of(cost, share)
    prop = ic.smooth(cost, interior=floor)
    for cut in prop.cuts.tolist():
        vertices = prop.level_set(cut)
        assert vertices.min() >= floor - 1e-15
        assert np.abs(prop.value(vertices) - cut).max() <= 1e-9 * (1 + prop.lipschitz(1))


@pytest.mark.parametrize("floor", [0.1, 0.01, 0.001])
def test_what_the_median_pays(floor: float) -> None:
    """theory.md section 5: the boundaries are 2η apart in L1, measured in p; K ~ 1/η for a fixed gap."""
    prop = ic.smooth(MEDIAN, interior=floor)
    gap = float(np.diff(prop.cuts)[0])
    assert gap / prop.lipschitz_limit(1) == pytest.approx(2 * floor, rel=1e-9)
    assert prop.rescale(0, 1).lipschitz_limit(1) * floor == pytest.approx(
        floor / (prop.range[1] - prop.range[0]), rel=1e-9
    )


def test_cells_vanish_for_a_large_floor() -> None:
    cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [4, 3, 0]], decisions=["wait", "test", "treat"])
    assert ic.smooth(cost, interior=0.01).decisions == ("wait", "test", "treat")
    assert ic.smooth(cost, interior=0.3).decisions == ("test",)


def test_a_property_of_the_interior_keeps_its_manners() -> None:
    prop = ic.smooth(MEDIAN, interior="0.01")
    assert prop.interior == 0.01
    assert prop == ic.smooth(MEDIAN, interior=Decimal("0.01")) == ic.smooth(MEDIAN, interior=Fraction(1, 100))
    assert prop != ic.smooth(MEDIAN, interior=0.02)
    again = prop.rescale(0, 1)
    P = distributions(MEDIAN)
    assert (again.decide(again.value(P)) == prop.decide(prop.value(P))).all()
    single = prop.value(P.astype(np.float32), normalize=True)
    assert np.abs(single - prop.value(P)).max() < 1e-5


@pytest.mark.parametrize("wrong", [0, -0.1, 1 / 3, 1, math.nan, "a", None, True, [0.1]])
def test_wrong_floors(wrong: object) -> None:
    if wrong is None:
        return
    with pytest.raises(ic.CostMatrixError, match="interior must be the least probability of an outcome"):
        ic.smooth(MEDIAN, interior=wrong)


def test_where_it_does_not_help() -> None:
    with pytest.raises(ic.NotOrderableError, match=r"interior=0.01 does not help: .* still not orderable"):
        ic.smooth(ic.CostMatrix(1 - np.eye(3)), interior=0.01)


def never(build: Callable[[], object]) -> None:
    with pytest.raises(ic.PredictionError):
        build()


def test_wrong_probabilities_are_refused_before_they_are_moved() -> None:
    prop = ic.smooth(MEDIAN, interior=0.01)
    for wrong in ([[0.5, 0.5, 0.5]], [[-0.1, 0.6, 0.5]], [[math.nan, 0.5, 0.5]], [[0.0, 0.0, 0.0]]):
        never(partial(prop.value, wrong))
        never(partial(prop.gradient, wrong))
