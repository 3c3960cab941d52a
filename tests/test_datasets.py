"""The data that ship: what they hold, that they are sound, and that their licences ship with them."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files

import numpy as np
import pytest

import isocost as ic
from isocost.datasets import Predictions, football, hpc_jobs


@pytest.mark.parametrize("load", [football, hpc_jobs])
def test_rows_are_distributions_with_known_outcomes(load: Callable[[], Predictions]) -> None:
    data = load()
    P = data.probabilities
    assert P.shape == (len(data.outcome), len(data.outcomes))
    assert np.abs(P.sum(axis=1) - 1).max() < 1e-9
    assert P.min() >= 0
    assert set(data.outcome) == set(data.outcomes)
    assert all(len(column) == len(P) for column in data.columns.values())
    prop = ic.smooth(ic.CostMatrix.ordinal(data.outcomes))
    assert len(prop.decide(prop.value(P))) == len(P)
    with pytest.raises(ValueError, match="read-only"):
        P[0] = 0


def test_football() -> None:
    data = football()
    assert [int((data.outcome == y).sum()) for y in data.outcomes] == [9455, 8302, 14633]
    assert sorted(set(data.columns["season"])) == [2016, 2017, 2018, 2019]
    assert len(set(data.columns["league"])) == 38
    assert data.probabilities[0].tolist() == [0.276718, 0.284422, 0.43886]  # first line of the source, rounded
    # Forecasts were good: on average what was said happened.
    said, happened = data.probabilities.mean(axis=0), [(data.outcome == y).mean() for y in data.outcomes]
    assert said == pytest.approx(happened, abs=0.01)


def test_hpc_jobs() -> None:
    data = hpc_jobs()
    assert [int((data.outcome == y).sum()) for y in data.outcomes] == [1769, 1078, 412, 208]
    right = np.array(data.outcomes)[data.probabilities.argmax(axis=1)] == data.outcome
    assert right.mean() == pytest.approx(0.7086818575137006)  # column `pred` of the source against `obs`


def test_licences_ship_with_the_data() -> None:
    folder = files("isocost.datasets") / "files"
    assert "creativecommons.org/licenses/by/4.0" in (folder / "football_licence.md").read_text(encoding="utf-8")
    assert "Permission is hereby granted" in (folder / "hpc_jobs_licence.md").read_text(encoding="utf-8")
    assert sum(len(f.read_bytes()) for f in folder.iterdir()) < 500_000
