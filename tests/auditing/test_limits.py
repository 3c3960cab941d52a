"""Finite-sample limits: against the definition, and never wrong more often than they say (exactly, for coins)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom

from isocost.auditing.limits import bernstein_reach, kl_lower, unit_limits


@pytest.mark.parametrize("mean", [0.01, 0.3, 0.5, 0.97])
@pytest.mark.parametrize("units", [5, 80, 10_000])
def test_the_kl_limit_solves_its_equation(mean: float, units: int) -> None:
    def gap(q: float) -> float:
        kl = mean * math.log(mean / q) + (1 - mean) * math.log((1 - mean) / (1 - q))
        return units * kl - math.log(1 / 0.02)

    assert kl_lower(mean, units, 0.02) == pytest.approx(brentq(gap, 1e-300, mean), rel=1e-6, abs=1e-11)


@pytest.mark.parametrize("p", [0.02, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("units", [3, 12, 60])
@pytest.mark.parametrize("identical", [True, False])
def test_limits_of_a_coin_hold(p: float, units: int, identical: bool) -> None:
    """Summed over all outcomes of the coins: each limit is wrong with probability at most the risk."""
    heads = np.arange(units + 1)
    chance = binom.pmf(heads, units, p)
    means = heads / units
    variances = means * (1 - means) * units / (units - 1)
    low, high = np.array([unit_limits(*x, units, 0.05, identical) for x in zip(means, variances, strict=True)]).T
    assert chance[low > p].sum() <= 0.05
    assert chance[high < p].sum() <= 0.05


def test_bernstein_is_tighter_where_little_varies() -> None:
    assert bernstein_reach(1e-4, 5000, 0.01) < 0.5 - kl_lower(0.5, 5000, 0.01)
    assert bernstein_reach(0.25, 1, 0.05) == math.inf
