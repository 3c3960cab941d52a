"""Exact ordering: recovered from shuffled rows, blind to scale, offsets and names.

Broken once: sorting by the cost at the last cell's vertex, forgetting the direction rule, or an
offset added to one row instead of one outcome fails here.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from tests.laws.random_costs import strongly_orderable


@given(strongly_orderable(), st.integers(0, 2**32))
def test_shuffled_rows_are_put_in_order(cost: ic.CostMatrix, seed: int) -> None:
    k = len(cost.decisions)
    shuffle = np.random.default_rng(seed).permutation(k)
    shuffled = ic.CostMatrix(cost.exact[shuffle], decisions=[cost.decisions[i] for i in shuffle])
    order = shuffled.ordering()
    assert order.kind is ic.OrderKind.STRONG
    assert not order.dropped
    assert order.decisions in (cost.decisions, cost.decisions[::-1])
    ends = (shuffled.decisions.index(order.decisions[0]), shuffled.decisions.index(order.decisions[-1]))
    assert ends[0] <= ends[1]


@given(strongly_orderable(), st.integers(-9, 9), st.integers(0, 2**32))
def test_scale_and_offsets_change_nothing(cost: ic.CostMatrix, exponent: int, seed: int) -> None:
    scale = Fraction(10) ** exponent
    offsets = [Fraction(int(x)) * 10**6 for x in np.random.default_rng(seed).integers(-999, 999, len(cost.outcomes))]
    moved = ic.CostMatrix(cost.exact * scale + np.array(offsets, dtype=object), decisions=cost.decisions)
    order, other = cost.ordering(), moved.ordering()
    assert (other.kind, other.decisions) == (order.kind, order.decisions)
    assert other.ratios == pytest.approx(order.ratios, rel=1e-9)
    assert other.normals == pytest.approx(order.normals * float(scale), rel=1e-9)
    for method in ("embedding", "normals", "smoothest"):
        first, second = (ic.smooth(o, method) for o in (order, other))
        assert second.smoothness(1) == pytest.approx(first.smoothness(1), rel=1e-6)


@given(strongly_orderable(least=2), st.integers(0, 2**32))
def test_outcomes_may_come_in_any_order(cost: ic.CostMatrix, seed: int) -> None:
    shuffle = np.random.default_rng(seed).permutation(len(cost.outcomes))
    moved = ic.CostMatrix(cost.exact[:, shuffle], decisions=cost.decisions)
    order, other = cost.ordering(), moved.ordering()
    assert other.decisions == order.decisions
    assert (other.normals == order.normals[:, shuffle]).all()
    P = np.random.default_rng(seed).dirichlet(np.ones(len(shuffle)), size=20)
    first, second = ic.smooth(order), ic.smooth(other)
    steep = first.lipschitz(1)
    assert second.value(P[:, shuffle]) == pytest.approx(first.value(P), rel=1e-9, abs=1e-9 * (1 + steep))


@given(strongly_orderable(least=3))
def test_ratios_are_the_exact_interval(cost: ic.CostMatrix) -> None:
    """lo and hi by their definition in Fractions; the order is strong since 1 lies strictly inside for g = 1."""
    normals = [[b - a for a, b in zip(*pair, strict=True)] for pair in pairwise(cost.exact)]
    order = cost.ordering()
    if order.decisions != cost.decisions:
        return
    for i, (before, after) in enumerate(pairwise(normals)):
        low = max([a / b for a, b in zip(before, after, strict=True) if b > 0] + [Fraction(0)])
        high = min(a / b for a, b in zip(before, after, strict=True) if b < 0)
        assert order.ratios[i] == pytest.approx([float(low), float(high)], rel=1e-9)


@given(strongly_orderable(least=3, most=6, outcomes=6))
def test_margin_is_safe_and_sharp(cost: ic.CostMatrix) -> None:
    """Changes of one cost just below the margin keep the kind; among those just above, one does not."""
    order = cost.ordering()
    if len(cost.outcomes) == 2:
        assert order.margin == math.inf  # two outcomes are always strongly orderable
        return
    spread = max(max(column) - min(column) for column in cost.exact.T)
    size = Fraction(order.margin) * spread
    assert 0 < order.margin < 1
    kinds: dict[Fraction, set[ic.OrderKind]] = {Fraction(999, 1000): set(), Fraction(1001, 1000): set()}
    for factor, seen in kinds.items():
        for r, y, sign in product(range(len(cost.decisions)), range(len(cost.outcomes)), (-1, 1)):
            table = cost.exact.copy()
            table[r, y] += sign * size * factor
            seen.add(ic.CostMatrix(table).ordering().kind)
    below, above = kinds.values()
    assert below == {ic.OrderKind.STRONG}
    assert len(above) > 1


@pytest.mark.parametrize(
    ("table", "margin"),
    [
        ([[0, 1], [5, 0], [2, 2]], math.inf),  # two outcomes
        ([[0, 1, 2], [1, 0, 1], [2, 1, 0]], 0.0),  # boundaries touch
        ([[1, 2, 3]], math.inf),
        ([[1, 2, 3]] * 3, math.inf),  # three decisions that are one
        ([["0.1", "0.7", "1"], ["0.7", "0.1", "0"], ["0.4", "0.4", "0.5"]], 0.0),  # the last is a mixture
    ],
)
def test_margin_at_its_extremes(table: list[list[object]], margin: float) -> None:
    assert ic.CostMatrix(table).ordering().margin == margin


def test_margin_of_what_is_not_orderable_is_safe() -> None:
    """The witness outlasts every smaller change of one cost."""
    for table in ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], [[0, 1, 1], [1, 0, 1], [1, 1, 0], [0.3, 0.3, 0.3]]):
        cost = ic.CostMatrix(table)
        margin = cost.ordering().margin
        assert margin > 0
        for r, y, sign in product(range(len(table)), range(3), (-1, 1)):
            changed = cost.exact.copy()
            changed[r, y] += sign * Fraction(margin) * Fraction(999, 1000)
            assert ic.CostMatrix(changed).ordering().kind is ic.OrderKind.NONE


@given(st.integers(3, 4), st.integers(3, 5), st.integers(0, 2**32), st.sampled_from([4, 50]))
@settings(max_examples=40)
def test_margin_is_safe_whatever_the_kind(n: int, k: int, seed: int, top: int) -> None:
    """A witness stands on ties, which move when a cost does: its gaps where it stands are no margin.

    What all decisions cost alike is large here beside what sets them apart.
    """
    random = np.random.default_rng(seed)
    table = random.integers(0, top, (k, n)).astype(object) * Fraction(1, 10**9) + Fraction(10**6, 3)
    order = ic.CostMatrix(table).ordering()
    assert order.margin >= 0
    if order.margin in (0, math.inf):
        return
    spread = max(max(column) - min(column) for column in table.T)
    for r, y, sign in product(range(k), range(n), (-1, 1)):
        changed = table.copy()
        changed[r, y] += sign * Fraction(order.margin) * spread * Fraction(999, 1000)
        assert ic.CostMatrix(changed).ordering().kind is order.kind
