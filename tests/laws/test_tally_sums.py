"""Tallies of parts of the data add up: any split gives the same audit to a relative 1e-12.

Seen to catch: an offset that depends on the part, extremes of cells not merged, a group or a cluster counted twice,
rows of different parts in one cluster taken as independent.
"""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isocost as ic
from tests.auditing.worlds import ASYMMETRIC, drawn

LINEAR = ic.linear(ic.CostMatrix(ASYMMETRIC.costs, outcomes=ASYMMETRIC.outcomes))
PROP = ic.property_for(ASYMMETRIC)


def numbers(audit: ic.Audit) -> list[float]:
    found = [x for _, estimate in audit.readings().values() for x in estimate[:3]]
    for verdict in audit.certificate.verdicts:
        found += [verdict.share, *(x for gap in verdict.gaps for x in (*gap.estimate[:3], gap.low, gap.high))]
    for part in audit.groups.values():
        found += numbers(part)
    return found


@given(
    seed=st.integers(0, 2**32),
    parts=st.integers(2, 6),
    grid=st.sampled_from([4096, None]),
    weighted=st.booleans(),
    clustered=st.booleans(),
    prop=st.sampled_from([PROP, LINEAR]),
)
def test_any_split_gives_the_same_audit(
    seed: int, parts: int, grid: int | None, weighted: bool, clustered: bool, prop: Any
) -> None:
    random = np.random.default_rng(seed)
    world = drawn(ASYMMETRIC, 300, seed, "too sure")
    w = random.exponential(size=300) ** 3 if weighted else None
    clusters = random.integers(0, 25, 300) if clustered else None
    groups = np.array(["x", "y"])[random.integers(0, 2, 300)]

    def tally(rows: Any) -> ic.Tally:
        return ic.tally(
            ASYMMETRIC,
            world.y[rows],
            probabilities=world.P[rows],
            prop=prop,
            sample_weight=None if w is None else w[rows],
            clusters=None if clusters is None else clusters[rows],
            groups=groups[rows],
            grid=grid,
        )

    pieces = np.split(random.permutation(300), np.sort(random.integers(40, 260, parts - 1)))
    pieces = [piece for piece in pieces if len(piece) > 30 and (clusters is None or len(set(clusters[piece])) > 1)]
    kept = np.sort(np.concatenate(pieces))
    whole, split = tally(kept), reduce(add, map(tally, pieces))
    assert split.rows == whole.rows
    if clustered:  # the spread of predictions within a cluster is known part by part only
        assert split.taken.clusters is not None
        pairs = [(ic.audit_tally(t, resamples=0)) for t in (whole, split)]
        values = [[e.value for _, e in audit.readings().values()] for audit in pairs]
        np.testing.assert_allclose(values[0], values[1], rtol=1e-12, atol=1e-14)
        ends = [(audit.mean_cost.low, audit.mean_cost.high) for audit in pairs]
        np.testing.assert_allclose(ends[0], ends[1], rtol=1e-10)
        return
    one, other = (numbers(ic.audit_tally(t, resamples=0)) for t in (whole, split))
    np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)


def test_sums_keep_what_rounding_would_lose() -> None:
    """A million rows of weight 1 after one of weight 1e16 all count."""
    cost = ic.CostMatrix([[0, 5], [1, 0]])
    heavy = ic.tally(cost, [0], decisions=[0], sample_weight=[1e16])
    light = ic.tally(cost, np.ones(1000, dtype=int), decisions=np.zeros(1000, dtype=int))
    found = heavy + light + light
    assert found.taken.labels.value[0, :, 1].tolist() == [1e16, 2000.0]
    assert found.taken.labels.value[0, :, 2].tolist() == [1e32, 2000.0]


def test_tallies_of_different_questions_do_not_add() -> None:
    cost = ic.CostMatrix([[0, 5], [1, 0]])
    other = ic.CostMatrix([[0, 4], [1, 0]])
    with pytest.raises(ic.PredictionError, match="the same cost matrix"):
        ic.tally(cost, [0], decisions=[0]) + ic.tally(other, [0], decisions=[0])
    with pytest.raises(ic.PredictionError, match="the same columns"):
        ic.tally(cost, [0], decisions=[0]) + ic.tally(cost, [0], scores=[0.1])
    with pytest.raises(ic.PredictionError, match="clusters"):
        ic.tally(cost, [0, 1], decisions=[0, 0], clusters=[1, 2]) + ic.tally(cost, [0], decisions=[0])
