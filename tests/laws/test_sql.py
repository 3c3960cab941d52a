"""SQL decides as Python does, for random rules of every kind, on DuckDB itself.

Broken once: `>` for `>=` at a cut, terms in another order, a jump passed at its other side, scores in
Python that do not heed the comparisons at a jump: each was seen to fail, on rows that tie.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import isocost as ic
from tests.export.querying import duckdb_query
from tests.laws.random_rules import near_ties, rules

ASK = duckdb_query("duckdb")


@settings(max_examples=40)
@given(rules())
def test_decisions_are_equal_and_scores_to_rounding(rule: ic.DecisionRule) -> None:
    P = near_ties(rule, rows=25)
    names = [f"p{i}" for i in range(P.shape[1])]
    expressions = [rule.to_sql("duckdb", names)]
    scalar = rule.prop.dimension == 1
    if scalar:
        expressions.append(rule.to_sql("duckdb", names, score=True))
    found = list(zip(*ASK(P.tolist(), names, expressions), strict=True))
    assert list(found[0]) == rule.decide(P).tolist()
    if scalar:
        assert np.array(found[1]) == pytest.approx(rule.value(P).ravel(), rel=1e-9, abs=1e-9 * size_of(rule))


def size_of(rule: ic.DecisionRule) -> float:
    """The largest score: rounding is relative to it."""
    return float(np.abs(rule.value(np.eye(len(rule.outcomes)))).max()) or 1.0
