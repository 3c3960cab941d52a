"""Coverage, simulated where the truth is known; benchmarks/coverage.py does the same with more repetitions.

Seen to catch: a missing factor N/(N-1) at N = 200, the row that is imagined left out, one-sided limits at (1+level)/2.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from benchmarks.coverage import LEVEL, coverage

from tests.auditing.worlds import ASYMMETRIC, PAPER

REPEATS = 200
# Of a true 93 or 97 %, four standard deviations of the count.
SLACK = 4 * math.sqrt(0.95 * 0.05 / REPEATS)


@pytest.mark.parametrize("rows", [200, 2000])
@pytest.mark.parametrize("kind", ["calibrated", "mixed up"])
def test_intervals_hold_as_often_as_they_say(rows: int, kind: str) -> None:
    found = coverage(PAPER, kind, rows, REPEATS)
    assert {"mean cost", "cost gaps", "signed means of V"} <= set(found.two_sided)
    for name, share in found.two_sided.items():
        assert 0.93 - SLACK <= share <= 0.97 + SLACK, name
    for name, share in found.one_sided.items():
        assert share >= LEVEL - SLACK, name
    assert len(found.one_sided) >= 7


def test_rare_and_dear_outcomes_do_not_make_intervals_too_narrow() -> None:
    found = coverage(ASYMMETRIC, "calibrated", 200, REPEATS)
    assert min(found.two_sided.values()) >= 0.93 - SLACK


def test_a_row_imagined_is_what_keeps_small_places_honest() -> None:
    """A decision taken 12 times, an outcome of probability 0.05 that costs 10: without it 60 % would hold."""
    import isocost as ic

    cost = ic.CostMatrix([[0, 10], [1, 0]])
    held = []
    for seed in range(400):
        y = (np.random.default_rng(seed).random(12) < 0.05).astype(int)
        gap = ic.audit(cost, y, decisions=np.zeros(12, dtype=int)).certificate[0].gaps[0].estimate
        held.append(gap.low <= 0.95 - 0.05 * 10 <= gap.high)
    assert np.mean(held) >= 0.93
