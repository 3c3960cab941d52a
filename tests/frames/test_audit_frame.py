"""audit_frame: on every engine the sums of NumPy, to 1e-9; every fault counted and told in words.

Seen to catch: a sum by sum_horizontal (Dask with several partitions), an end of a cell that is closed and taken as
open, infinities that pass a check, rows of weight 0 counted, rows whose group is null not told, plug-in decisions taken
from the scores, a mixture with the uniform distribution that goes the wrong way.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import isocost as ic
from tests.auditing.worlds import ASYMMETRIC, drawn
from tests.engines import EAGER, Engine, frames_of
from tests.frames.same import assert_same_sums

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning")

ROWS = 1500
WORLD = drawn(ASYMMETRIC, ROWS, 0, "too sure")
RANDOM = np.random.default_rng(1)
LINEAR = ic.linear(ASYMMETRIC)
INTERIOR = ic.smooth(ASYMMETRIC, interior=0.03)
TOUCHING = ic.smooth(ic.CostMatrix.ordinal(["a", "b", "c"], power=1), method="touching")
P = [f"p_{label}" for label in ASYMMETRIC.outcomes]
ARRAYS: dict[str, Any] = {
    **dict(zip(P, WORLD.P.T, strict=True)),
    "y": WORLD.y,
    "w": RANDOM.integers(0, 4, ROWS) * 1.5,
    "g": np.array(["north", "south", 'O\'Hare "x"'])[RANDOM.integers(0, 3, ROWS)],
    "day": RANDOM.integers(0, 40, ROWS),
    "done": RANDOM.integers(0, 3, ROWS),
    "u": ic.smooth(ASYMMETRIC).value(WORLD.P) + RANDOM.normal(size=ROWS),
    **{f"l{i}": column for i, column in enumerate(LINEAR.value(WORLD.P).T)},
}
COLUMNS = {name: column.tolist() for name, column in ARRAYS.items()}


class Question(NamedTuple):
    """What is asked of a frame, and the same of arrays."""

    frame: dict[str, Any]
    arrays: dict[str, Any]


def question(**asked: Any) -> Question:
    arrays = {
        "weight": "sample_weight",
        "group": "groups",
        "cluster": "clusters",
        "decision": "decisions",
        "score": "scores",
    }
    found = {}
    for name, value in asked.items():
        if name == "prop":
            found[name] = value
        elif isinstance(value, list):
            found[arrays.get(name, name)] = np.column_stack([ARRAYS[column] for column in value])
        else:
            found[arrays.get(name, name)] = ARRAYS[value]
    return Question(asked, found)


QUESTIONS = {
    "probabilities": question(probabilities=P),
    "clusters": question(probabilities=P, weight="w", cluster="day"),
    "decisions": question(decision="done"),
    "everything": question(decision="done", probabilities=P, score="u", weight="w", group="g"),
    "several numbers": question(probabilities=P, prop=LINEAR),
    "scores of several numbers": question(score=["l0", "l1"], prop=LINEAR, weight="w"),
    "interior": question(probabilities=P, prop=INTERIOR),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_engine_finds_the_sums_of_numpy(engine: Engine, name: str) -> None:
    asked = QUESTIONS[name]
    found = ic.tally_frame(ASYMMETRIC, engine.of(COLUMNS), "y", **asked.frame)
    assert_same_sums(found, ic.tally(ASYMMETRIC, WORLD.y, **asked.arrays))


def test_the_audit_is_that_of_numpy_and_says_what_it_read(engine: Engine) -> None:
    pairs = dict(zip(ASYMMETRIC.outcomes[::-1], P[::-1], strict=True))
    found = ic.audit_frame(ASYMMETRIC, engine.of(COLUMNS), "y", probabilities=pairs, group="g", resamples=20)
    wanted = ic.audit(ASYMMETRIC, WORLD.y, probabilities=WORLD.P, groups=ARRAYS["g"], resamples=20)
    assert found.columns == {
        "outcome": "y",
        "group": "g",
        "probabilities": dict(zip(ASYMMETRIC.outcomes, P, strict=True)),
    }
    assert "probabilities from a: p_a, b: p_b" in found.table()
    assert list(found.readings()) == [name for name in wanted.readings() if not name.endswith("_paper")]
    for name, (_, estimate) in found.readings().items():
        np.testing.assert_allclose(estimate[:3], wanted.readings()[name].estimate[:3], rtol=1e-9, atol=1e-12)


def test_scores_at_cuts_knots_and_edges_fall_into_the_cells_of_numpy(engine: Engine) -> None:
    """Of a property with a repeated cut, whose squeezed decision has a single score."""
    cost = ic.CostMatrix.ordinal(["a", "b", "c"], power=1)
    low, high = TOUCHING.range
    edges = np.linspace(low, high, 4097)[::64]
    special = np.concatenate([TOUCHING.cuts, TOUCHING.knots, edges, [low - 9.0, high + 1e30]])
    u = np.concatenate([special, np.nextafter(special, -np.inf), np.nextafter(special, np.inf)])
    y = np.array(["a", "b", "c"])[np.arange(len(u)) % 3]
    found = ic.tally_frame(cost, engine.of({"u": u.tolist(), "y": y.tolist()}), "y", score="u", prop=TOUCHING)
    assert_same_sums(found, ic.tally(cost, y, scores=u, prop=TOUCHING))


def test_tallies_of_frames_and_arrays_add_up(engine: Engine) -> None:
    half = {name: column[::2] for name, column in COLUMNS.items()}
    one = ic.tally_frame(ASYMMETRIC, engine.of(half), "y", probabilities=P, group="g")
    two = ic.tally(ASYMMETRIC, WORLD.y[1::2], probabilities=WORLD.P[1::2], groups=ARRAYS["g"][1::2])
    assert_same_sums(one + two, ic.tally(ASYMMETRIC, WORLD.y, probabilities=WORLD.P, groups=ARRAYS["g"]))


LABELS: dict[str, tuple[list[Any], list[Any]]] = {
    "integers": ([3, 4, 5], [5, 3, 3, 4]),
    "integers in a column of floats": ([3, 4, 5], [5.0, 3.0, 3.0, 4.0]),
    "yes and no": ([False, True], [True, False, False, True]),
    "text that looks like numbers": (["01", "1", "001"], ["1", "01", "001", "1"]),
    "hostile text": (["it's", 'a "b"', "c\\d\n"], ["c\\d\n", "it's", 'a "b"', "it's"]),
}


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("name", [*EAGER, "polars lazy", "duckdb"])
def test_labels_of_any_type_match_by_equality(name: str, kind: str, tmp_path: Path) -> None:
    labels_match(frames_of(name, tmp_path, None), *LABELS[kind])


def test_hostile_labels_match(engine: Engine) -> None:
    labels_match(engine, *LABELS["hostile text"])


def labels_match(engine: Engine, labels: list[Any], y: list[Any]) -> None:
    n = len(labels)
    cost = ic.CostMatrix(np.subtract.outer(np.arange(n), np.arange(n)) ** 2, labels, labels)
    found = ic.tally_frame(cost, engine.of({"y": y, "d": y[::-1]}), "y", decision="d")
    assert_same_sums(found, ic.tally(cost, y, decisions=y[::-1]))


def put(at: int, *values: Any) -> Callable[[list[Any]], list[Any]]:
    """These values from this row on."""
    return lambda column: column[:at] + list(values) + column[at + len(values) :]


SPOILT = {
    "y": put(100, None, None, "e"),
    "done": put(200, None, 7),
    "p_a": put(300, None, float("nan"), -0.5, float("inf"), 0.5),
    "p_b": put(303, 0.0, 0.5),
    "p_c": put(303, 0.0, 0.5),
    "p_d": put(303, 0.0, 0.5),
    "u": put(400, None, float("nan"), float("-inf")),
    "w": put(500, None, -1.0, float("nan"), float("inf")),
    "g": put(600, None),
}
TOLD = [
    "2 of 1,500 rows have no outcome, such as the one with y = ",
    "1 of 1,500 rows has a value for the outcome that is not one of the labels 'a', 'b', 'c', 'd'.",
    "1 of 1,500 rows has no decision.",
    "1 of 1,500 rows has a value for the decision that is not one of the labels 0, 1, 2.",
    "2 of 1,500 rows have a missing probability.",
    "1 of 1,500 rows has a probability below 0.",
    "1 of 1,500 rows has an infinite probability.",
    "1 of 1,500 rows has probabilities that do not sum to 1 within 1e-06.",
    "3 of 1,500 rows have no finite score.",
    "4 of 1,500 rows have no finite weight that is at least 0.",
    "1 of 1,500 rows has no group.",
]


def test_rows_that_cannot_be_read_are_counted_in_the_same_pass(engine: Engine) -> None:
    asked: dict[str, Any] = {"probabilities": P, "decision": "done", "score": "u", "weight": "w", "group": "g"}
    columns = {name: SPOILT.get(name, list)(column) for name, column in COLUMNS.items()}
    with pytest.raises(ic.PredictionError) as caught:
        ic.audit_frame(ASYMMETRIC, engine.of(columns), "y", **asked)
    message = str(caught.value)
    assert [part for part in TOLD if part not in message] == []
    assert message.startswith(TOLD[0])


def test_columns_of_zeros_only_and_no_rows(engine: Engine) -> None:
    asked: dict[str, Any] = {"outcome": "y", "decision": "d", "weight": "w"}
    cost = ic.CostMatrix([[0, 5], [1, 0]])
    frame = engine.of({"y": [0, 1], "d": [0, 1], "w": [0.0, 0.0]})
    with pytest.raises(ic.PredictionError, match="weights must be above 0 somewhere; all of 'w' are 0"):
        ic.audit_frame(cost, frame, **asked)
