"""The reliability curve: its fit, and that each band answers its own question."""

from __future__ import annotations

import numpy as np
import pytest

import isocost as ic
from isocost.auditing.levels import levels_of
from isocost.auditing.measures.score_calibration import equal_mass
from isocost.auditing.reliability import POINTS, Reliability, tilted
from tests.auditing.worlds import PAPER, drawn

PROP = ic.smooth(PAPER, "embedding")


def curve(kind: str, seed: int, rows: int = 3000, **settings: object) -> Reliability:
    world = drawn(PAPER, rows, seed, kind)
    found = ic.audit(PAPER, world.y, probabilities=world.P, prop=PROP, seed=seed, **settings).reliability  # type: ignore[arg-type]
    assert found is not None
    return found


def test_points_are_few_and_the_fit_rises() -> None:
    found = curve("mixed up", 0)
    assert 20 < len(found.score) <= POINTS
    assert found.mass.sum() == pytest.approx(1)
    assert (np.diff(found.fitted) >= 0).all()
    assert (np.diff(found.score) > 0).all()
    for band in (found.confidence, found.consistency):
        assert (band[:, 0] <= band[:, 1]).all()


def test_the_consistency_band_holds_the_fit_of_calibrated_scores() -> None:
    """At level 0.9, pointwise: about nine of ten points; not so where scores are off."""
    inside = {
        kind: np.mean(
            [
                np.mean((c.consistency[:, 0] <= c.fitted) & (c.fitted <= c.consistency[:, 1]))
                for c in (curve(kind, seed, level=0.9) for seed in range(20))
            ]
        )
        for kind in ("calibrated", "mixed up")
    }
    assert 0.84 <= inside["calibrated"] <= 0.96
    assert inside["mixed up"] < 0.7


def test_the_confidence_band_holds_the_true_curve() -> None:
    """The truth by a million rows; PAV's edges and steps keep pointwise coverage somewhat below its level."""
    truth = curve("mixed up", 999, rows=400_000)
    held = []
    for seed in range(15):
        found = curve("mixed up", seed, level=0.9)
        true = np.interp(found.score, truth.score, truth.fitted)
        held.append(np.mean((found.confidence[:, 0] <= true) & (true <= found.confidence[:, 1])))
    assert 0.8 <= np.mean(held) <= 0.97


def test_tilted_distributions_make_every_score_right() -> None:
    world = drawn(PAPER, 2000, 1, "mixed up")
    tally = ic.tally(PAPER, world.y, probabilities=world.P, prop=PROP)
    assert tally.scores is not None
    assert tally.cells is not None
    levels = levels_of(tally.scores, tally.cells, PROP)
    points = levels.binned(equal_mass(levels, 50))
    D = tilted(points)
    np.testing.assert_allclose(D.sum(axis=1), 1)
    np.testing.assert_allclose(PROP.value(D, normalize=True), points.score, atol=1e-6)
