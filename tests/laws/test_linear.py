"""LinearProperty: every cost matrix, with as few numbers as any linear property, and its exact constant.

Broken once: the basis without its centring fails the constant; one row less fails the refinement; the
offsets at a vertex in place of the centre fail the refinement; ½ left out of K for L1 fails the pairs.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import isocost as ic
from tests.laws.random_costs import NORMS, distributions, orderable, strongly_orderable
from tests.reference.test_kinds import HPC, KDD


@st.composite
def any_costs(draw: st.DrawFn) -> ic.CostMatrix:
    """Small costs of any kind: integers, with ties, or of low rank."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, k = draw(st.integers(2, 7)), draw(st.integers(1, 7))
    rank = draw(st.integers(1, 4))
    table = random.integers(-9, 10, (k, rank)) @ random.integers(-9, 10, (rank, n))
    scale = draw(st.sampled_from([Fraction(1), Fraction(1, 3), Fraction(10**9), Fraction(1, 10**9)]))
    return ic.CostMatrix([[scale * int(x) for x in row] for row in table])


def every_cost() -> st.SearchStrategy[ic.CostMatrix]:
    return st.one_of(any_costs(), orderable(), strongly_orderable(most=6, outcomes=8))


@given(every_cost())
def test_decisions_by_the_score_have_no_regret(cost: ic.CostMatrix) -> None:
    P = distributions(cost)
    lin = ic.linear(cost)
    rounding = 1e-9 * float(np.ptp(cost.costs, axis=0).max()) + 1e-12 * np.abs(cost.costs).max()
    assert cost.regret(P, lin.decide(lin.value(P))).max() <= rounding


@given(every_cost())
def test_the_basis_is_orthonormal_and_sums_to_0(cost: ic.CostMatrix) -> None:
    basis = ic.linear(cost).basis
    assert np.abs(basis @ basis.T - np.eye(len(basis))).max(initial=0) <= 1e-12
    assert np.abs(basis.sum(axis=1)).max(initial=0) <= 1e-12


def rank_in_fractions(rows: list[list[Fraction]]) -> int:
    """Gaussian elimination, line by line: another way than Bareiss or a prime."""
    rank = 0
    rows = [list(row) for row in rows]
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for i in range(rank + 1, len(rows)):
            share = rows[i][column] / rows[rank][column]
            rows[i] = [x - share * y for x, y in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return rank


@given(every_cost())
def test_the_dimension_is_the_rank(cost: ic.CostMatrix) -> None:
    """d = rank[ℓ_r - ℓ_1; 1] - 1 of the decisions that are the strict optimum somewhere."""
    lin = ic.linear(cost)
    kept = [cost.decisions.index(label) for label in lin.decisions]
    exact = cost.exact[kept].tolist()
    rows = [[x - y for x, y in zip(row, exact[0], strict=True)] for row in exact[1:]]
    assert lin.dimension == rank_in_fractions([*rows, [Fraction(1)] * len(cost.outcomes)]) - 1
    assert lin.dimension <= min(len(cost.outcomes), len(kept)) - 1


@given(any_costs(), st.integers(0, 2**32))
@settings(max_examples=50)
def test_no_linear_property_with_fewer_numbers_refines(cost: ic.CostMatrix, seed: int) -> None:
    """Whatever d - 1 expectations one takes, two distributions share them and share no best decision."""
    lin = ic.linear(cost)
    if lin.dimension == 0:
        return
    n, d = len(cost.outcomes), lin.dimension
    random = np.random.default_rng(seed)
    fewer = random.normal(size=(d - 1, n)) if random.random() < 0.5 else np.delete(lin.basis, random.integers(d), 0)
    _, _, right = np.linalg.svd(np.vstack([fewer, np.ones(n)]))
    blind = right[d:]  # directions that these expectations and the sum do not see
    pruning = cost.ordering().pruning
    starts = [np.zeros(n) for _ in pruning.kept]
    for start, r in zip(starts, pruning.kept, strict=True):
        for y, p in pruning.points[r].items():
            start[y] = float(p)
        start /= start.sum()
    spread = np.ptp(cost.costs, axis=0).max()
    for a, b in itertools.combinations(starts, 2):
        for t in np.linspace(0, 1, 9):
            inside = 0.9 * ((1 - t) * a + t * b) + 0.1 / n
            for direction in blind:
                steps = np.linspace(-1, 1, 41)[:, None] * direction * 0.09 / n / np.abs(direction).max()
                P = inside + steps
                costs = np.sort(cost.expected(P), axis=1)
                clear = costs[:, 1] - costs[:, 0] > 1e-9 * spread
                if len(set(cost.decide(P)[clear].tolist())) > 1:
                    return  # found them
    # Of a random pair of points none may be found; then the directions must at least be seen by the costs.
    gains = cost.costs[list(pruning.kept)] - cost.costs[pruning.kept[0]]
    assert np.abs(gains @ blind.T).max() > 1e-9 * spread


HAMMING = [[bin(a ^ b).count("1") for b in range(8)] for a in range(8)]


@pytest.mark.parametrize(
    ("cost", "dimension"),
    [
        (ic.CostMatrix(1 - np.eye(5)), 4),
        (ic.CostMatrix(HAMMING), 3),
        (ic.CostMatrix.ordinal(range(7)), 1),
        (ic.CostMatrix.ordinal(range(5), power=1), 4),
        (ic.CostMatrix(HPC, rows="outcomes"), 3),
        (ic.CostMatrix(KDD, rows="outcomes"), 4),
        (ic.CostMatrix([[0, 5], [1, 0]]), 1),
        (ic.CostMatrix([[0, 5], [1, 6]]), 0),
    ],
    ids=["0-1", "Hamming", "squared", "absolute", "HPC", "KDD", "two", "one"],
)
def test_known_dimensions(cost: ic.CostMatrix, dimension: int) -> None:
    lin = ic.linear(cost)
    assert lin.dimension == dimension
    assert lin.value(np.eye(len(cost.outcomes))).shape == (len(cost.outcomes), dimension)


@given(every_cost())
def test_the_loss_is_the_integral_of_v_and_the_score_its_minimum(cost: ic.CostMatrix) -> None:
    lin = ic.linear(cost)
    P = distributions(cost, rows=10)
    u = lin.value(P)
    outcomes = np.arange(len(lin.outcomes))
    V = lin.identification(u[:, None, :], outcomes[None, :])
    assert np.abs(np.einsum("ij,ijd->id", P, V)).max(initial=0) <= 1e-12
    assert (lin.loss(u[:, None, :], outcomes) >= 0).all()
    step = 1e-6
    for i, direction in enumerate(np.eye(lin.dimension)):
        rise = lin.loss(u + step * direction, 0) - lin.loss(u - step * direction, 0)
        assert np.abs(rise / (2 * step) - lin.identification(u, 0)[:, i]).max() <= 1e-8
    assert (lin.slope(u, 0) == 1).all()


@given(every_cost())
@settings(max_examples=40)
def test_the_constant_holds_is_attained_and_agrees_with_brute_force(cost: ic.CostMatrix) -> None:
    lin = ic.linear(cost)
    n = len(cost.outcomes)
    P = distributions(cost, rows=50)
    Q = P[np.random.default_rng(1).permutation(len(P))]
    moved = np.linalg.norm(lin.value(P) - lin.value(Q), axis=1)
    corners = [c for c in itertools.product([-1.0, 0.0, 1.0], repeat=n) if sum(c) == 0]
    for norm in NORMS:
        K = lin.lipschitz(norm)
        assert (moved <= K * np.linalg.norm(P - Q, ord=norm, axis=1) * (1 + 1e-12) + 1e-13).all()
        if K == 0:
            assert lin.dimension == 0
            continue
        p, q, ratio = lin.lipschitz_pair(norm)
        assert min(p.min(), q.min()) >= 0
        assert p.sum() == pytest.approx(1)
        assert q.sum() == pytest.approx(1)
        found = np.linalg.norm(lin.value([p]) - lin.value([q])) / np.linalg.norm(p - q, ord=norm)
        assert found == pytest.approx(K, rel=1e-9)
        assert ratio == pytest.approx(K, rel=1e-9)
        if norm == 1:
            apart = [np.linalg.norm(lin.basis[:, y] - lin.basis[:, z]) / 2 for y in range(n) for z in range(n)]
            assert pytest.approx(max(apart), rel=1e-12) == K
        if norm == math.inf:
            most = np.linalg.norm(np.array(corners) @ lin.basis.T, axis=1).max()
            assert pytest.approx(most, rel=1e-12) == K


def test_the_constant_in_the_maximum_norm_says_where_it_is_not_known() -> None:
    cost = ic.CostMatrix(np.random.default_rng(0).integers(0, 9, (6, 30)))
    with pytest.raises(ic.CostMatrixError, match=r"search over the signs of 30 outcomes; at most 22"):
        ic.linear(cost).lipschitz(math.inf)
    assert ic.linear(cost).lipschitz(1) > 0


def test_rank_is_exact_where_doubles_are_not() -> None:
    """Costs that differ in the sixteenth digit only."""
    parallel = ic.CostMatrix([[0, 1, 4], [1, 0, 1], [4, 1, 0]])
    assert ic.linear(parallel).dimension == 1
    bent = ic.CostMatrix([["0", "1", "4"], ["1", "0", "1"], ["4", "1.0000000000000000001", "0"]])
    assert np.array_equal(bent.costs, parallel.costs)
    assert ic.linear(bent).dimension == 2


def test_scores_have_one_number_for_each_dimension() -> None:
    lin = ic.linear(ic.CostMatrix(1 - np.eye(3)))
    with pytest.raises(ic.PredictionError, match=r"scores must have a last axis of length 2; got shape \(4,\)"):
        lin.decide([1.0, 2.0, 3.0, 4.0])
    with pytest.raises(ic.CostMatrixError, match="linear needs a CostMatrix; got list"):
        ic.linear([[0, 1], [1, 0]])  # type: ignore[arg-type]
