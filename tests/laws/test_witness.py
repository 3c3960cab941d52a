"""Witnesses hold in exact arithmetic, and every kind that is not strong has one.

Broken once: taking p_y = v_y/(v_z - v_y) for the tie on an edge, or a slice vertex without the
shared face, fails here.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import isocost as ic
from isocost.ordering import Ordering
from isocost.simplex import slice_vertices


def cost_at(cost: ic.CostMatrix, decision: object, p: tuple[Fraction, ...]) -> Fraction:
    row = cost.exact[cost.decisions.index(decision)]
    return sum((x * c for x, c in zip(p, row, strict=True)), Fraction(0))


def assert_proves(order: Ordering) -> None:
    """The witness proves the kind, by its definition and nothing else."""
    cost, witness = order.cost, order.witness
    assert witness is not None
    for p in (witness.distribution, *witness.shared):
        assert sum(p) == 1
        assert min(p) >= 0
    if order.kind is ic.OrderKind.ORDERABLE:
        a, b, c = witness.decisions
        places = [order.decisions.index(x) for x in (a, b, c)]
        assert places == list(range(places[0], places[0] + 3))
        ties = {cost_at(cost, x, witness.distribution) for x in (a, b, c)}
        assert ties == {min(cost_at(cost, d, witness.distribution) for d in cost.decisions)}
    elif len(witness.shared) == 1:
        a, b, third = witness.decisions
        assert_neighbours(cost, a, b, witness.shared[0])
        tie = cost_at(cost, a, witness.distribution)
        assert tie == cost_at(cost, b, witness.distribution)
        assert cost_at(cost, third, witness.distribution) < tie
    else:
        centre, *around = witness.decisions
        assert len(set(witness.decisions)) == 4
        for other, p in zip(around, witness.shared, strict=True):
            assert_neighbours(cost, centre, other, p)


def assert_neighbours(cost: ic.CostMatrix, a: object, b: object, p: tuple[Fraction, ...]) -> None:
    """At p exactly a and b are cheapest, and ℓ_a - ℓ_b has both signs: the cells share a face."""
    values = {d: cost_at(cost, d, p) for d in cost.decisions}
    assert values[a] == values[b] == min(values.values())
    assert [d for d in cost.decisions if values[d] == values[a]] in ([a, b], [b, a])
    gaps = [cost_at(cost, a, e) - cost_at(cost, b, e) for e in vertices(len(cost.outcomes))]
    assert min(gaps) < 0 < max(gaps)


def vertices(n: int) -> list[tuple[Fraction, ...]]:
    return [tuple(Fraction(int(i == j)) for j in range(n)) for i in range(n)]


@given(st.integers(2, 6), st.integers(2, 7), st.integers(0, 2**32), st.sampled_from([2, 4, 30]))
def test_random_matrices(n: int, k: int, seed: int, top: int) -> None:
    """Small whole numbers, so that ties, touching boundaries and dropped decisions abound."""
    table = np.random.default_rng(seed).integers(0, top, (k, n))
    cost = ic.CostMatrix(table)
    order = cost.ordering()
    if order.kind is ic.OrderKind.STRONG:
        assert order.witness is None
        return
    kept = ic.CostMatrix(table[list(order.pruning.kept)], decisions=[cost.decisions[i] for i in order.pruning.kept])
    again = kept.ordering()
    assert again.kind is order.kind
    assert_proves(again)


@given(st.integers(3, 5), st.integers(3, 5), st.integers(0, 2**32))
def test_costs_that_hide_their_differences_from_doubles(n: int, k: int, seed: int) -> None:
    """In doubles all decisions cost the same here, or nearly so; the search for a witness must end all the same."""
    random = np.random.default_rng(seed)
    table = random.integers(0, 9, (k, n)).astype(object)
    for size in (Fraction(1, 10**9), Fraction(1, 10**15)):
        order = ic.CostMatrix(table * size + [Fraction(int(x), 3) for x in random.integers(0, 10**6, n)]).ordering()
        assert order.kind is ic.CostMatrix(table).ordering().kind
        if order.witness is not None and not order.dropped:
            assert_proves(order)


@given(st.integers(3, 8), st.integers(0, 2**32))
def test_absolute_errors_touch(n: int, seed: int) -> None:
    v = np.cumsum(np.random.default_rng(seed).integers(1, 1000, n))
    order = ic.CostMatrix(np.abs(v[:, None] - v)).ordering()
    assert order.kind is ic.OrderKind.ORDERABLE
    assert_proves(order)


@given(st.integers(3, 9))
def test_zero_one_is_cut(n: int) -> None:
    order = ic.CostMatrix(1 - np.eye(n, dtype=int)).ordering()
    assert order.kind is ic.OrderKind.NONE
    assert order.witness is not None
    assert len(order.witness.shared) == 1
    assert_proves(order)


@given(st.fractions(Fraction(1, 100), Fraction(1, 2)))
def test_cheap_abstention_branches(abstain: Fraction) -> None:
    """No third decision cuts any boundary here, yet the cells form a star: theory.md 2.5 has no witness for it."""
    table = [[0, 1, 1], [1, 0, 1], [1, 1, 0], [abstain] * 3]
    order = ic.CostMatrix(table, decisions=["a", "b", "c", "abstain"]).ordering()
    assert order.kind is ic.OrderKind.NONE
    assert order.witness is not None
    assert order.witness.decisions[0] == "abstain"
    assert len(order.witness.shared) == 3
    assert_proves(order)


@given(st.integers(0, 2**32), st.integers(3, 5))
def test_the_kind_by_brute_force(seed: int, n: int) -> None:
    """Orderable iff every pair of consecutive cells of some order meets in a whole slice; checked on all orders."""
    table = np.random.default_rng(seed).integers(0, 5, (3, n))
    order = ic.CostMatrix(table).ordering()
    assume(len(order.pruning.kept) == 3)
    found = False
    for rows in permutations(range(3)):
        whole = True
        for i, j in pairwise(rows):
            normal = (table[j] - table[i]).astype(float)
            points = slice_vertices(normal)
            values = points @ table.T
            best = values.min(axis=1)
            whole &= len(points) > 0 and bool((values[:, i] <= best + 1e-12).all())
        found |= whole
    assert found == (order.kind is not ic.OrderKind.NONE)


def test_both_kinds_of_proof_are_checked() -> None:
    """The checker itself refuses a wrong witness: one with decisions exchanged."""
    order = ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]]).ordering()
    assert order.witness is not None
    a, b, c = order.witness.decisions
    refused = 0
    for decisions in ((a, c, b), (c, b, a)):
        wrong = dataclasses.replace(order, witness=dataclasses.replace(order.witness, decisions=decisions))
        try:
            assert_proves(wrong)
        except AssertionError:
            refused += 1
    assert refused == 2
