"""Counts of predictions: no row is lost, and each is counted where it lies."""

from __future__ import annotations

import numpy as np
import pytest

import isocost as ic
from isocost.plot.density import density_along, lattice_shares
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
