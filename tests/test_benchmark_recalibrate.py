"""The benchmark of recalibration on a small sample of the real data, without peers."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.recalibrate import Data, Verdict, final_data, mean_costs, show, verdict
from benchmarks.recalibration_methods import COMPOSED, OURS, PROBABILITIES


@pytest.fixture(scope="module")
def small() -> dict[str, Data]:
    found = {}
    for name, data in final_data().items():
        rows = np.random.default_rng(0).permutation(len(data.outcome))[:1500]
        found[name] = Data(data.probabilities[rows], data.outcome[rows], data.costs)
    return found


def test_every_method_decides_every_split(small: dict[str, Data]) -> None:
    data = small["jobs"]
    found, seconds = mean_costs(data, 1, {})
    methods = {*OURS, *COMPOSED, *PROBABILITIES}
    assert set(found) == {(costs, method) for costs in data.costs for method in methods}
    assert set(seconds) <= methods
    for (costs, _), values in found.items():
        assert values.shape == (5,)
        assert 0 < values.min() <= values.max() <= data.costs[costs].costs.max()
    # Forecasts of run times are overconfident in the squared cost: recalibration helps, even on few rows.
    assert found["squared", "ours"].mean() < found["squared", "before"].mean()


def test_the_tables_are_printed(small: dict[str, Data], capsys: pytest.CaptureFixture[str]) -> None:
    words = show({"football": small["football"]}, 1, {})
    shown = capsys.readouterr().out
    assert "football, 1500 rows, 5 splits" in shown
    assert f"of {words.total()}" in shown


def test_verdicts() -> None:
    words = [Verdict(d, h).word for d, h in ((-0.03, 0.01), (0.03, 0.025), (0.001, 0.01), (0.001, 0.03))]
    assert words == ["better", "worse", "tied", "undecided"]
    other = np.random.default_rng(0).normal(1, 0.1, 50)
    assert verdict(other, other) == (0, 0)
    # 50 splits whose tests are a quarter of their fits: t·s·√(1/50 + 1/4)
    noise = np.random.default_rng(1).normal(0, 0.01, 50)
    half = 2.009575 * noise.std(ddof=1) * np.sqrt(0.27) / other.mean()
    assert verdict(other + noise, other) == pytest.approx((noise.mean() / other.mean(), half), rel=1e-5)
