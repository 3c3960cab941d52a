"""Whether two tallies hold the same sums."""

from __future__ import annotations

import numpy as np

import isocost as ic

__all__ = ["assert_same_sums"]


def assert_same_sums(found: ic.Tally, wanted: ic.Tally, rtol: float = 1e-9) -> None:
    """Counts exactly, sums to a relative 1e-9 (signed ones to 1e-9 of what was added)."""
    assert (found.rows, found.weights) == (wanted.rows, wanted.weights)
    for name in ("taken", "pairs", "scores"):
        mine, others = getattr(found, name), getattr(wanted, name)
        assert (mine is None) == (others is None), name
        if mine is None:
            continue
        np.testing.assert_array_equal(mine.labels.value[..., 0], others.labels.value[..., 0])
        np.testing.assert_allclose(mine.labels.value, others.labels.value, rtol=rtol, atol=1e-12)
        np.testing.assert_allclose(mine.lowest, others.lowest, rtol=1e-12)
        np.testing.assert_allclose(mine.highest, others.highest, rtol=1e-12)
        assert (mine.predicted is None) == (others.predicted is None), name
        if mine.predicted is not None:
            np.testing.assert_allclose(mine.predicted.value, others.predicted.value, rtol=rtol, atol=1e-12)
        assert (mine.clusters is None) == (others.clusters is None), name
        if mine.clusters is not None:
            for part in ("labels", "cluster", "key", "outcome"):
                np.testing.assert_array_equal(getattr(mine.clusters, part), getattr(others.clusters, part))
            np.testing.assert_allclose(mine.clusters.weight, others.clusters.weight, rtol=rtol)
    assert list(found.groups) == list(wanted.groups)
    for label, group in found.groups.items():
        assert_same_sums(group, wanted.groups[label], rtol)
