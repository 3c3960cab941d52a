"""No bound on calibration is ever violated on finite instances computed exactly.

Broken once, each seen to fail: m and M swapped in the leverage; the leverage of the other side of a
cut; the cut behind instead of next to a decision; half of E[e|r]; the window of the decision on the
other side, or of the scores alone; the knapsack without π_r or from its dear end; twice the distance
of a LinearProperty; diam/4; C without K; Pr[|Γ - g| > t]; Theorem 1 with K of another norm; means
without weights.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import isocost as ic
from isocost.auditing.bounds import boundary_distances, counterexample, lemma, paper_bound, theorem1
from isocost.auditing.instances import (
    Instance,
    decision_labels,
    distribution_calibration,
    miscalibration,
    score_calibration,
    swap_regret,
)
from isocost.auditing.sharp import sharp_bound
from isocost.auditing.side_by_side import all_bounds
from tests.laws.random_costs import NORMS, orderable, smooth_all, strongly_orderable
from tests.laws.random_instances import SEEDS, calibrated, instance


def width(prop: ic.Property) -> float:
    return prop.range[1] - prop.range[0] if isinstance(prop, ic.SmoothProperty) else 2 * prop.lipschitz(1)


def every_property(cost: ic.CostMatrix) -> list[ic.Property]:
    return [*smooth_all(cost), ic.linear(cost)]


def assert_all_hold(prop: ic.Property, cost: ic.CostMatrix, seed: int) -> None:
    for predictor in (True, False):
        case = instance(prop, seed, predictor)
        norm = NORMS[(seed + predictor) % 3]
        table = all_bounds(case, prop, norm, cost)
        assert table.miscalibration is not None
        for bound in table.bounds:
            truth, rounding = table.miscalibration, 1e-9
            if bound.name.startswith("Theorem 1,"):
                truth, rounding = table.score_calibration, 1e-9 * width(prop)
            assert truth <= bound.value * (1 + 1e-9) + rounding, (prop.method, norm, str(bound))
        values = {bound.name: bound.value for bound in table.bounds}
        assert values["ours, signed"] <= values["ours, by decision"] + 1e-12
        assert values["ours, by decision"] <= values["ours, overall"] + 1e-9
        if "final theorem, diam/2" in values:
            assert values["final theorem, diam/2"] <= values["final theorem"] + 1e-12
        if predictor:
            assert values["Theorem 1, mean"] <= values["Theorem 1, paper"] * (1 + 1e-9) + 1e-12


@given(strongly_orderable(), SEEDS)
def test_no_bound_is_violated(cost: ic.CostMatrix, seed: int) -> None:
    for prop in smooth_all(cost):
        assert_all_hold(prop, cost, seed)


@given(strongly_orderable(outcomes=7), SEEDS)
@settings(max_examples=30)
def test_for_several_numbers(cost: ic.CostMatrix, seed: int) -> None:
    assert_all_hold(ic.linear(cost), cost, seed)
    random = np.random.default_rng(seed)
    unordered = ic.CostMatrix(random.integers(0, 9, (4, 5)).tolist())
    assert_all_hold(ic.linear(unordered), unordered, seed)


@given(orderable(), SEEDS)
@settings(max_examples=30)
def test_where_boundaries_touch_and_inside(cost: ic.CostMatrix, seed: int) -> None:
    assert_all_hold(ic.smooth(cost, "touching"), cost, seed)
    assert_all_hold(ic.smooth(cost, interior=0.02), cost, seed)


@given(strongly_orderable(least=2, outcomes=6), SEEDS)
@settings(max_examples=30)
def test_at_every_t_and_for_any_p(cost: ic.CostMatrix, seed: int) -> None:
    random = np.random.default_rng(seed)
    for prop in smooth_all(cost)[:3]:
        case = instance(prop, seed)
        best, best_paper = lemma(case, prop).value, paper_bound(case, prop).value
        wide = width(prop)
        for t in [*(wide * 10.0 ** random.uniform(-6, 1, 5)), *boundary_distances(prop, case.scores)]:
            if t > 0:
                assert miscalibration(case, prop, cost) <= lemma(case, prop, t=t).value + 1e-12
                assert best <= lemma(case, prop, t=t).value + 1e-12
                assert best_paper <= paper_bound(case, prop, t=t).value + 1e-9
        p = random.dirichlet(np.ones(len(cost.outcomes)))
        decided = prop.decide(case.scores)
        wrong = cost.regret(np.tile(p, (len(decided), 1)), decided) > 1e-9 * np.ptp(cost.costs)
        assert case.mass[wrong].sum() <= lemma(case, prop, p).value + 1e-12


@given(strongly_orderable(outcomes=6), SEEDS)
@settings(max_examples=30)
def test_the_ingredients_of_the_final_theorem(cost: ic.CostMatrix, seed: int) -> None:
    """Its last step, E‖D_{Y|ψ(g)} - D_{Y|g}‖ ≤ C·diam/2, and the formula with K of the same norm."""
    norm = NORMS[seed % 3]
    for prop in smooth_all(cost)[:3]:
        levels = instance(prop, seed).levels
        whole, half = (paper_bound(levels, prop, norm, half=half) for half in (False, True))
        apart = np.linalg.norm(decision_labels(levels, prop) - levels.labels, ord=norm, axis=1)
        assert levels.mass @ apart <= half["C"] * half["diam/2"] * (1 + 1e-9) + 1e-12
        assert whole["diam"] == 2 * half["diam/2"] and whole["C"] == half["C"]
        for bound, wide in ((whole, whole["diam"]), (half, half["diam/2"])):
            if np.isfinite(bound["t"]):
                added = (score_calibration(levels, prop) + prop.lipschitz(norm) * bound["C"] * wide) / bound["t"]
                assert bound.value == pytest.approx(bound["Pr[δ<t]"] + added)


def test_half_the_diameter_is_attained() -> None:
    prop = ic.smooth(ic.CostMatrix([[0, 1], [1, 0]]))
    case = Instance(np.ones(2), np.array([0.25, 0.75]), np.array([[0.5, 0.5], [0.25, 0.75]]))
    bound = paper_bound(case, prop, half=True)
    apart = np.abs(decision_labels(case, prop) - case.labels).sum(axis=1)
    assert case.mass @ apart == bound["C"] * bound["diam/2"] == 0.25


@given(strongly_orderable(), SEEDS)
def test_exact_score_calibration_is_exact_decision_calibration(cost: ic.CostMatrix, seed: int) -> None:
    for prop in every_property(cost):
        case = calibrated(prop, seed)
        assert score_calibration(case, prop) <= 1e-12 * width(prop)
        assert miscalibration(case, prop, cost) == 0
        assert swap_regret(case, prop, cost) <= 1e-9 * np.ptp(cost.costs) + 1e-12 * np.abs(cost.costs).max()
        assert sharp_bound(case, prop).value == sharp_bound(case, prop, "signed").value == 0


@given(strongly_orderable(least=2))
@settings(max_examples=12)
def test_no_smaller_constant_stands_in_theorem_1(cost: ic.CostMatrix) -> None:
    for prop in every_property(cost):
        for norm in NORMS:
            K = prop.lipschitz(norm)
            case = counterexample(prop, 0.9999 * K, norm)
            epsilon = distribution_calibration(case, prop, norm=norm)
            assert epsilon > 0
            assert score_calibration(case, prop) > 0.9999 * K * epsilon
            assert theorem1(case, prop, norm).value == pytest.approx(score_calibration(case, prop), rel=2e-4)


def test_ours_is_informative_where_the_papers_is_not() -> None:
    """The paper's example, a good predictor: errors of a hundredth, yet only ours says that the decisions are right."""
    cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]], decisions=["wait", "test", "treat"])
    prop = ic.smooth(cost, "embedding")
    labels = np.array([[0.9, 0.05, 0.05], [0.75, 0.15, 0.1], [0.3, 0.4, 0.3], [0.2, 0.2, 0.6], [0.05, 0.15, 0.8]])
    predicted = 0.97 * labels + 0.01
    case = Instance.of_predictor(prop, np.ones(5), predicted, labels)
    assert miscalibration(case, prop, cost) == 0
    assert paper_bound(case, prop).vacuous and paper_bound(case, prop, half=True).vacuous
    for form in ("signed", "decision"):
        assert sharp_bound(case, prop, form).value == 0
    assert not sharp_bound(case, prop, "overall").vacuous
