"""rule.apply: on every engine the scores and decisions of Python, the same kind of frame back, nothing overwritten.

Seen to catch: a score beside a cut on the other side than its decision, the second of two equal sums taken,
columns of the frame lost.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

import isocost as ic
from tests.auditing.worlds import ASYMMETRIC, drawn
from tests.engines import Engine, frames_of

WORLD = drawn(ASYMMETRIC, 400, 3, "too sure")
PROP, LINEAR = ic.smooth(ASYMMETRIC), ic.linear(ASYMMETRIC)
ISO = ic.IsotonicRecalibrator(PROP).fit(WORLD.P, WORLD.y)
SWAP = ic.SwapRecalibrator(ASYMMETRIC).fit(ASYMMETRIC.decide(WORLD.P), WORLD.y)
RULES = {
    "isotonic": ic.DecisionRule(PROP, ISO),
    "interpolated": ic.DecisionRule(
        PROP, ic.IsotonicRecalibrator(PROP, interpolate=True, keep=0.25).fit(WORLD.P, WORLD.y), SWAP
    ),
    "interior": ic.DecisionRule(ic.smooth(ASYMMETRIC, interior=0.02)),
    "equal sums": ic.DecisionRule(ic.linear(ic.CostMatrix(1 - np.eye(4, dtype=int), outcomes=ASYMMETRIC.outcomes))),
    "several numbers": ic.DecisionRule(LINEAR, ic.AffineRecalibrator(LINEAR).fit(LINEAR.value(WORLD.P), WORLD.y)),
}
NAMES = ["p a", "p'b", 'p"c', "P_D"]
P = np.vstack([WORLD.P, np.eye(4), [[0.5, 0.5, 0, 0], [0, 0.5, 0.5, 0], [0.25] * 4]])
COLUMNS: dict[str, Any] = {
    "id": [f"0{i}" for i in range(len(P))],
    **dict(zip(NAMES, P.T.tolist(), strict=True)),
    "raw0": list(range(len(P))),
}


def as_lists(frame: Any) -> dict[str, list[Any]]:
    """Columns in the order of the column raw0; engines may give rows in any order."""
    found = nw.from_native(frame)
    table = found.collect() if isinstance(found, nw.LazyFrame) else found
    order = np.argsort(np.array(table["raw0"].to_list()))
    return {name: [table[name].to_list()[i] for i in order] for name in table.columns}


@pytest.mark.parametrize("name", RULES)
def test_scores_and_decisions_are_those_of_python(engine: Engine, name: str) -> None:
    rule, frame = RULES[name], engine.of(COLUMNS)
    given = rule.apply(frame, probabilities=dict(zip(ASYMMETRIC.outcomes, NAMES, strict=True)))
    assert type(given) is type(frame)
    found = as_lists(given)
    d = rule.prop.dimension
    scores = ["score"] if d == 1 else [f"score_{i + 1}" for i in range(d)]
    assert list(found) == [*COLUMNS, *scores, "decision"]
    assert {column: found[column] for column in COLUMNS} == COLUMNS
    assert found["decision"] == rule.decide(P).tolist()
    wanted = rule.value(P).reshape(len(P), -1)
    np.testing.assert_allclose(np.column_stack([found[x] for x in scores]), wanted, rtol=1e-9, atol=1e-12)


def test_scores_in(engine: Engine) -> None:
    u = np.r_[PROP.cuts, np.nextafter(PROP.cuts, np.inf), PROP.value(P)]
    rule = RULES["isotonic"]
    frame = engine.of({"score": u.tolist(), "raw0": list(range(len(u)))})
    with pytest.raises(ic.PredictionError, match="has a column 'score' already"):
        rule.apply(frame, score="score")
    found = as_lists(rule.apply(frame, score="score", overwrite=True))
    np.testing.assert_allclose(found["score"], rule.value(score=u), rtol=1e-12)
    assert found["decision"] == rule.decide(score=u).tolist()


def test_a_row_that_cannot_be_read_is_an_error_in_memory_and_null_where_lazy(engine: Engine) -> None:
    columns = dict(COLUMNS, P_D=[*COLUMNS["P_D"][:-4], None, float("nan"), 0.9, -0.1])
    rule, frame = RULES["isotonic"], engine.of(columns)
    if not engine.lazy:
        with pytest.raises(ic.PredictionError, match="2 of 407 rows have a missing probability"):
            rule.apply(frame, probabilities=NAMES)
        return
    found = as_lists(rule.apply(frame, probabilities=NAMES))
    missing = [i for i, x in enumerate(found["decision"]) if x is None or x != x]
    assert missing == list(range(len(P) - 4, len(P)))
    assert [i for i, x in enumerate(found["score"]) if x is None or x != x] == missing


@pytest.mark.parametrize("name", ["pandas", "polars lazy", "duckdb"])
def test_a_score_within_rounding_of_a_cut_agrees_with_its_decision(name: str, tmp_path: Path) -> None:
    random, rule = np.random.default_rng(0), ic.DecisionRule(PROP)
    corners = [PROP.level_set(cut) for cut in PROP.cuts]
    near = np.vstack([random.dirichlet(np.ones(len(part)), 500) @ part for part in corners])
    near /= near.sum(axis=1, keepdims=True)
    frame = frames_of(name, tmp_path, None).of(dict(zip("abcd", near.T.tolist(), strict=True), raw0=range(len(near))))
    found = as_lists(rule.apply(frame, probabilities=list("abcd")))
    assert PROP.decide(found["score"]).tolist() == found["decision"] == rule.decide(near).tolist()


@pytest.mark.parametrize("labels", [[10, 20, 30], [True, False, "maybe"], ["01", "1", 'it\'s "x"\n']])
def test_labels_keep_their_type(labels: list[Any]) -> None:
    cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]], decisions=labels)
    rule, frame = ic.DecisionRule(ic.smooth(cost)), pd.DataFrame(np.eye(3), columns=list("abc"))
    texts = labels if len({type(label) for label in labels}) == 1 else [str(label) for label in labels]
    assert rule.apply(frame, probabilities=list("abc"))["decision"].tolist() == texts
    assert rule.apply(pl.from_pandas(frame), probabilities=list("abc"))["decision"].to_list() == texts
