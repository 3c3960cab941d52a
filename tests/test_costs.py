"""CostMatrix: constructors, exactness, manners, and decisions against plain loops."""

from __future__ import annotations

import dataclasses
import pickle
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import isocost as ic

TABLE = [[0, 3, 5, 7], [1, 0, 3, 4], [3, 1, 0, 1]]
DECISIONS = ("wait", "test", "treat")
OUTCOMES = ("none", "mild", "moderate", "severe")
COST = ic.CostMatrix(TABLE, DECISIONS, OUTCOMES)
P = np.array([[0.1, 0.2, 0.3, 0.4], [0.7, 0.1, 0.1, 0.1], [0.25, 0.5, 0.125, 0.125], [0, 0, 0, 1], [1, 0, 0, 0]])
TRIPLES = [(d, o, TABLE[r][y]) for r, d in enumerate(DECISIONS) for y, o in enumerate(OUTCOMES)]


def loop_expected(table: list[list[int]], rows: NDArray[Any]) -> list[list[float]]:
    return [[sum(float(p) * cost for p, cost in zip(row, line, strict=True)) for line in table] for row in rows]


# -- constructors ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["b1", "i1", "u1", "i2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "longdouble", "O"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_of_any_dtype_and_layout(dtype: str, order: Any) -> None:
    table = [[0, 1, 1], [1, 0, 1]] if dtype == "b1" else [[0, 3, 5], [1, 0, 2]]
    cost = ic.CostMatrix(np.array(table, dtype=dtype, order=order))
    assert cost.costs.dtype == np.float64
    assert cost.costs.flags.c_contiguous
    assert cost.costs.tolist() == table
    assert cost.exact.tolist() == table
    assert (cost.decisions, cost.outcomes) == ((0, 1), (0, 1, 2))


def test_nested_lists_may_mix_kinds_of_number() -> None:
    table: list[list[object]] = [
        [0, 0.1, Fraction(1, 3), Decimal("0.30")],
        ["1/7", " 2.5 ", np.float32(0.1), np.int8(-4)],
    ]
    cost = ic.CostMatrix(table)
    tenth = Fraction(1, 10)
    assert cost.exact.tolist() == [
        [0, tenth, Fraction(1, 3), Fraction(3, 10)],
        [Fraction(1, 7), Fraction(5, 2), tenth, -4],
    ]
    assert cost.costs.tolist() == [[0, 0.1, 1 / 3, 0.3], [1 / 7, 2.5, 0.1, -4]]


def test_rows_outcomes_transposes_an_asymmetric_table() -> None:
    by_outcome = [list(column) for column in zip(*TABLE, strict=True)]
    for table in (by_outcome, np.array(by_outcome), [[Fraction(x) for x in row] for row in by_outcome]):
        assert ic.CostMatrix(table, DECISIONS, OUTCOMES, rows="outcomes") == COST
    fractions: list[list[object]] = [["1/3", 0], [1, "2/3"], [5, 7]]
    thirds = ic.CostMatrix(fractions, rows="outcomes")
    assert thirds.exact.tolist() == [[Fraction(1, 3), 1, 5], [0, Fraction(2, 3), 7]]
    with pytest.raises(ic.CostMatrixError, match="one label for each decision"):
        ic.CostMatrix(by_outcome, DECISIONS, OUTCOMES)


def test_ordinal_weighs_under_and_over() -> None:
    cost = ic.CostMatrix.ordinal(["low", "mid", "high", "top"], power=2, under="0.5", over=3)
    for r in range(4):
        for y in range(4):
            assert cost.exact[r, y] == (Fraction(1, 2) * (y - r) ** 2 if r < y else 3 * (r - y) ** 2)
    assert cost.decisions == cost.outcomes == ("low", "mid", "high", "top")


def test_ordinal_with_a_broken_power_means_fifteen_digits() -> None:
    cost = ic.CostMatrix.ordinal([3, 4, 5], power=1.5, under=2)
    assert cost.costs[0, 1] == 2 and cost.costs[1, 0] == 1
    assert cost.exact[2, 0] == Fraction("2.82842712474619")
    assert cost.exact[0, 2] == 2 * Fraction("2.82842712474619")


def test_actions_adds_the_share_of_harm() -> None:
    cost = ic.CostMatrix.actions([0, 1, 3], [1, 0.5, "0.1"], [0, 2], ["wait", "test", "treat"], ["none", "ill"])
    assert cost.exact.tolist() == [[0, 2], [1, 2], [3, Fraction(16, 5)]]
    assert (cost.decisions, cost.outcomes) == (("wait", "test", "treat"), ("none", "ill"))


def long_table(kind: str) -> Any:
    columns = dict(zip(("decision", "outcome", "cost"), map(list, zip(*TRIPLES, strict=True)), strict=True))
    tables = {"triples": TRIPLES, "generator": iter(TRIPLES), "array": np.array(TRIPLES, dtype=object), "dict": columns}
    return pd.DataFrame(columns) if kind == "pandas" else pl.DataFrame(columns) if kind == "polars" else tables[kind]


@pytest.mark.parametrize("kind", ["triples", "generator", "array", "dict", "pandas", "polars"])
def test_from_long_takes_every_kind_of_table(kind: str) -> None:
    assert ic.CostMatrix.from_long(long_table(kind)) == COST


def test_from_long_keeps_the_order_of_first_appearance_and_plain_labels() -> None:
    frame = pd.DataFrame({"cost": [1, 2, 3, 4], "outcome": [9, 3, 3, 9], "decision": ["z", "z", "a", "a"]})
    cost = ic.CostMatrix.from_long(frame)
    assert (cost.decisions, cost.outcomes, cost.costs.tolist()) == (("z", "a"), (9, 3), [[1, 2], [4, 3]])
    assert all(type(label) is int for label in cost.outcomes)


# -- exactness ------------------------------------------------------------------------------------


def test_a_float_means_its_decimal() -> None:
    assert ic.CostMatrix([[0.1, 0.3, 1e-7]]).exact.tolist() == [[Fraction(1, 10), Fraction(3, 10), Fraction(1, 10**7)]]
    assert ic.CostMatrix(np.array([[0.1, 0.7, 2.5]], dtype=np.float32)).costs.tolist() == [[0.1, 0.7, 2.5]]
    assert ic.CostMatrix(np.array([[0.1, 2.5]], dtype=np.float32)).exact_at(0, 0) == Fraction(1, 10)


def test_differences_of_floats_equal_the_exact_ones() -> None:
    levels = [0.1, 0.2, 0.7]
    exact = [Fraction("0.1"), Fraction("0.2"), Fraction("0.7")]
    in_floats = ic.CostMatrix([[abs(r - y) for y in levels] for r in levels[:2]])
    in_fractions = ic.CostMatrix([[abs(r - y) for y in exact] for r in exact[:2]])
    assert 0.7 - 0.2 != 0.5  # so that this test is one
    assert in_floats == in_fractions
    assert in_floats.costs.tolist() == [[0, 0.1, 0.6], [0.1, 0, 0.5]]


def test_whole_numbers_beyond_fifteen_digits_stay_exact() -> None:
    big = 10**17 + 1
    for table in ([[0, big, 2]], np.array([[0, big, 2]])):
        cost = ic.CostMatrix(table)
        assert cost.exact[0, 1] == big
        assert not cost.floats_are_exact
    assert ic.CostMatrix([[0, big]]) != ic.CostMatrix([[0, big - 1]])
    assert ic.CostMatrix([[0, big]]).costs.tolist() == ic.CostMatrix([[0, big - 1]]).costs.tolist()


def test_fractions_are_built_on_first_access_only() -> None:
    cost = ic.CostMatrix(np.arange(12.0).reshape(3, 4))
    cost.decide(P)
    assert cost.exact_at(1, 2) == 6
    assert "exact" not in vars(cost)
    assert cost.exact is cost.exact
    assert "exact" in vars(cost)


@given(st.lists(st.lists(st.fractions(max_denominator=10**6), min_size=3, max_size=3), min_size=2, max_size=4))
def test_fractions_survive_and_doubles_are_the_nearest(table: list[list[Fraction]]) -> None:
    cost = ic.CostMatrix(table)
    assert cost.exact.tolist() == table
    assert cost.costs.tolist() == [[float(x) for x in row] for row in table]


@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False, places=4, max_value=10**9, min_value=-(10**9))))
def test_a_decimal_written_as_float_is_the_same_cost(row: list[Decimal]) -> None:
    line = [*row, Decimal(3)]
    from_floats = ic.CostMatrix(np.array([[float(x) for x in line]]))
    assert from_floats.exact.tolist() == [[Fraction(x) for x in line]]
    assert from_floats == ic.CostMatrix([line])


@pytest.mark.parametrize("table", [[[0, sys.float_info.max]], np.array([[0, sys.float_info.max]])])
def test_doubles_that_fifteen_digits_round_up_to_infinity_are_refused(table: Any) -> None:
    with pytest.raises(ic.CostMatrixError, match="costs must be below 1e308 in size"):
        ic.CostMatrix(table)


# -- manners --------------------------------------------------------------------------------------


def test_arrays_are_read_only_and_not_the_callers() -> None:
    table = np.array(TABLE, dtype=np.float64)
    cost = ic.CostMatrix(table)
    table[0, 1] = 99
    assert cost.costs[0, 1] == 3
    for array in (cost.costs, cost.exact, ic.CostMatrix([["1/3", 2]]).exact):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


def test_attributes_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        COST.decisions = ("a", "b", "c")  # type: ignore[misc]


def test_equality_looks_at_labels_and_exact_costs() -> None:
    same = ic.CostMatrix(np.array(TABLE, dtype=np.float32), list(DECISIONS), np.array(OUTCOMES))
    assert same == COST and hash(same) == hash(COST)
    nearly: list[list[object]] = [[0, 3, 5, 7], [1, 0, 3, 4], [3, 1, 0, Fraction(10**30 + 1, 10**30)]]
    others: list[object] = [
        ic.CostMatrix(TABLE, ("test", "wait", "treat"), OUTCOMES),
        ic.CostMatrix(TABLE, DECISIONS),
        ic.CostMatrix([*TABLE[:2], [3, 1, 0, 2]], DECISIONS, OUTCOMES),
        ic.CostMatrix(nearly, DECISIONS, OUTCOMES),
        TABLE,
    ]
    assert all(other != COST for other in others)


@pytest.mark.parametrize("cost", [COST, ic.CostMatrix([["1/3", 2, 10**20 + 1]], [("a", 1)])], ids=["floats", "exact"])
def test_pickling(cost: ic.CostMatrix) -> None:
    again = pickle.loads(pickle.dumps(cost))
    assert again == cost and again.exact.tolist() == cost.exact.tolist() and again.decisions == cost.decisions


def test_the_repr_ends_with_the_dearest_cell_in_words() -> None:
    assert repr(COST).splitlines() == [
        "CostMatrix: 3 decisions (rows) x 4 outcomes (columns)",
        "       none  mild  moderate  severe",
        "wait      0     3         5       7",
        "test      1     0         3       4",
        "treat     3     1         0       1",
        "deciding 'wait' when the outcome is 'severe' costs 7",
    ]
    large = repr(ic.CostMatrix(np.arange(30.0 * 40).reshape(30, 40))).splitlines()
    assert len(large) == 16 and max(map(len, large)) < 120
    assert large[-1] == "deciding 29 when the outcome is 39 costs 1199"


# -- decisions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("writeable", [True, False])
def test_expected_decide_and_regret_agree_with_loops(dtype: Any, order: Any, writeable: bool) -> None:
    rows = np.array(P, dtype=dtype, order=order)
    rows.setflags(write=writeable)
    expected = loop_expected(TABLE, rows)
    best = [DECISIONS[line.index(min(line))] for line in expected]
    tolerance = 1e-12 if dtype == np.float64 else 1e-5
    np.testing.assert_allclose(COST.expected(rows), expected, atol=tolerance)
    assert COST.expected(rows).dtype == np.float64
    assert COST.decide(rows).tolist() == best == ["treat", "test", "test", "treat", "wait"]
    taken = ["wait", "treat", "test", "test", "treat"]
    regrets = [line[DECISIONS.index(d)] - min(line) for line, d in zip(expected, taken, strict=True)]
    np.testing.assert_allclose(COST.regret(rows, taken), regrets, atol=tolerance)
    np.testing.assert_allclose(COST.regret(rows, np.array(taken)), regrets, atol=tolerance)


def test_decided_labels_keep_their_type() -> None:
    assert ic.CostMatrix([[0, 3], [1, 0]], [30, 10]).decide([[0.1, 0.9]]).tolist() == [10]
    assert ic.CostMatrix([[0, 3], [1, 0]], ["keep", 7]).decide([[0.9, 0.1], [0.1, 0.9]]).tolist() == ["keep", 7]
    tuples = ic.CostMatrix([[0, 3], [1, 0]], [("a", 1), ("b", 2)])
    assert tuples.decide([[0.1, 0.9], [0.9, 0.1]]).tolist() == [("b", 2), ("a", 1)]


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_a_frame_is_matched_by_label(library: Any) -> None:
    mixed = ["severe", "other", "none", "moderate", "mild"]
    columns = {name: P[:, OUTCOMES.index(name)] if name in OUTCOMES else np.full(len(P), 9.0) for name in mixed}
    assert COST.expected(library.DataFrame(columns)).tolist() == COST.expected(P).tolist()
    grades = ic.CostMatrix([[0, 2, 5], [1, 0, 1]], outcomes=[3, 4, 5])
    as_text = library.DataFrame({"5": [0.5], "3": [0.2], "4": [0.3]})
    assert grades.expected(as_text).tolist() == grades.expected([[0.2, 0.3, 0.5]]).tolist()


def test_normalize_divides_by_the_sums() -> None:
    counts = np.array([[1, 2, 3, 4], [0, 0, 0, 7]])
    np.testing.assert_allclose(COST.expected(counts, normalize=True), loop_expected(TABLE, counts / [[10], [7]]))
    assert COST.decide(counts, normalize=True).tolist() == ["treat", "treat"]
    assert COST.regret(counts, ["test", "treat"], normalize=True) == pytest.approx([1.7, 0])
    assert counts.tolist() == [[1, 2, 3, 4], [0, 0, 0, 7]]


def test_positions_are_found_by_equality_not_by_place() -> None:
    grades = ic.CostMatrix.ordinal([3, 4, 5], under=2)
    kinds: list[Any] = [pd.Series([5, 3, 4])]
    for y in ([5, 3, 4], (5, 3, 4), np.array([5, 3, 4], dtype=np.uint8), [5.0, 3.0, 4.0], [np.int64(5), 3, 4], *kinds):
        assert grades.positions(y).tolist() == [2, 0, 1]
    words = ["severe", "none", "mild"]
    answers: tuple[Any, ...] = (
        words,
        np.array(words),
        np.array(words, dtype=object),
        pd.Series(words),
        pl.Series(words),
    )
    for answer in answers:
        assert COST.positions(answer).tolist() == [3, 0, 1]
    assert grades.positions([]).tolist() == []
    assert ic.CostMatrix([[0, 1, 2]], outcomes=["high", "low", "mid"]).positions(["low", "high"]).tolist() == [1, 0]


def test_align_reorders_columns() -> None:
    classes = ["severe", "mild", "none", "moderate"]
    shuffled = P[:, [OUTCOMES.index(name) for name in classes]]
    assert COST.align(shuffled, classes).tolist() == P.tolist()
    assert COST.align(shuffled.astype(np.float32), np.array(classes)).dtype == np.float32
    with pytest.raises(ic.PredictionError, match=r"missing: \['none'\]"):
        COST.align(P[:, 1:], OUTCOMES[1:])
    with pytest.raises(ic.PredictionError, match=r"unknown: \['worse'\]"):
        COST.align(np.c_[P, P[:, 0]], [*OUTCOMES, "worse"])
