"""Counts of predictions: no row is lost, and each is counted where it lies."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import isocost as ic
from isocost.plot.density import density_along, lattice_shares, smeared
from isocost.simplex import sample_simplex


@pytest.mark.parametrize("steps", [1, 2, 7, 26])
def test_each_row_goes_to_the_nearest_point_of_the_lattice(steps: int) -> None:
    P = sample_simplex(400, 3, seed=3)
    points, shares = lattice_shares(P, steps)
    assert shares.sum() == pytest.approx(1)
    np.testing.assert_allclose(points.sum(axis=1), 1)
    np.testing.assert_allclose(points * steps, np.rint(points * steps), atol=1e-9)
    assert (points >= 0).all()
    # Slowly: the nearest of all points; distances in L2 are those in the plane, times √2.
    every = np.array([[i, j, steps - i - j] for i in range(steps + 1) for j in range(steps + 1 - i)]) / steps
    nearest = every[np.linalg.norm(P[:, None] - every, axis=2).argmin(axis=1)]
    expected, counts = np.unique(np.rint(nearest * steps), axis=0, return_counts=True)
    np.testing.assert_array_equal(np.rint(points * steps), expected)
    np.testing.assert_allclose(shares, counts / len(P))


def test_weights_of_the_lattice() -> None:
    _, shares = lattice_shares(np.eye(3), 4, sample_weight=[1, 2, 5])
    assert sorted(shares.tolist()) == [0.125, 0.25, 0.625]


@pytest.mark.parametrize("bins", [1, 5, 60])
def test_bins_hold_all_rows_and_reach_over_no_cut(bins: int) -> None:
    prop = ic.smooth(ic.CostMatrix.ordinal(range(5)))
    u = prop.value(sample_simplex(1000, 5, seed=1))
    weights = np.random.default_rng(0).uniform(size=1000)
    marks = np.r_[prop.range[0], prop.cuts, prop.range[1]]
    found = density_along(u, prop.cell(u), marks, weights, bins)
    assert set(marks.tolist()) <= set(found.edges.tolist())
    mass = found.height * np.diff(found.edges)
    assert mass.sum() == pytest.approx(1) and found.shares.sum() == pytest.approx(1)
    assert (found.below, found.above) == (0, 0)
    for i, share in enumerate(found.shares):
        inside = (found.edges[:-1] >= marks[i]) & (found.edges[1:] <= marks[i + 1])
        assert mass[inside].sum() == pytest.approx(share)


def test_the_score_of_a_cut_counts_below_it_and_scores_beyond_the_ends_apart() -> None:
    marks = np.array([0.0, 0.5, 1.0])
    found = density_along(np.array([-1.0, 0.0, 0.5, 1.0, 9.0]), np.array([0, 0, 0, 1, 1]), marks, bins=2)
    assert (found.height * np.diff(found.edges)).round(12).tolist() == [0.4, 0.2]
    assert (found.below, found.above) == (0.2, 0.2)
    assert found.shares.round(12).tolist() == [0.6, 0.4]


def test_a_score_that_never_moves_has_no_bins() -> None:
    found = density_along(np.zeros(3), np.zeros(3, dtype=np.intp), np.zeros(2))
    assert found.height.tolist() == [0.0] and found.shares.tolist() == [1.0]


def test_smeared_scores_keep_their_mass_order_and_decision() -> None:
    rng = np.random.default_rng(4)
    scores, mass = np.sort(rng.normal(size=100)), rng.uniform(size=100)
    marks = np.array([-1.5, -0.2, 0.4, 1.5])  # some scores lie beyond the ends
    u, weights = smeared(scores, mass, marks)
    assert weights.sum() == pytest.approx(mass.sum())
    assert (np.diff(u) >= 0).all()
    for low, high in pairwise([-np.inf, -1.5, -0.2, 0.4, 1.5, np.inf]):
        before = mass[(scores > low) & (scores <= high)].sum()
        assert weights[(u > low) & (u <= high)].sum() == pytest.approx(before)
    few = smeared(scores[:50], mass[:50], marks)
    assert few[0] is not None and few[0].tolist() == scores[:50].tolist()


def test_a_smeared_histogram_is_near_that_of_all_rows() -> None:
    """An audit of 20,000 rows draws what the rows themselves would draw."""
    u = np.sort(np.random.default_rng(5).beta(2, 3, size=20_000))
    cells = np.zeros(len(u), dtype=np.intp)
    marks = np.array([0.0, 1.0])
    points, mass = u.reshape(125, 160).mean(axis=1), np.full(125, 1 / 125)
    scores, weights = smeared(points, mass, marks)
    rows = density_along(u, cells, marks, bins=40)
    found = density_along(scores, np.zeros(len(scores), dtype=np.intp), marks, weights, bins=40)
    comb = density_along(points, np.zeros(125, dtype=np.intp), marks, mass, bins=40)
    apart = np.abs(found.height - rows.height).sum() / rows.height.sum()
    assert apart < 0.08 < np.abs(comb.height - rows.height).sum() / rows.height.sum()
