"""The graph in onnxruntime: Python's decisions, ties included, in both float types, for 0, 1 and many rows."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from hypothesis import given, settings

import isocost as ic
from tests.fixtures.make_rules import made
from tests.laws.random_rules import near_ties, rules

RULES = made()
TYPES: dict[Any, Any] = {"float32": np.float32, "float64": np.float64}


def run(path: Path, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    session = onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    (given,) = session.get_inputs()
    decision, score = session.run(["decision", "score"], {given.name: rows})
    return decision, score


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", RULES)
def test_answers_are_those_of_python(name: str, dtype: Any, tmp_path: Path) -> None:
    rule, path = RULES[name], tmp_path / "rule.onnx"
    rule.to_onnx(path, dtype=dtype)
    P = near_ties(rule, rows=100).astype(TYPES[dtype])
    for rows in (P, P[:1], P[:0]):
        decision, score = run(path, rows)
        assert decision.tolist() == rule.decide(rows).tolist()
        assert score == pytest.approx(rule.value(rows), rel=1e-12, abs=1e-12)
        assert score.shape == rule.value(rows).shape


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", RULES)
def test_answers_from_scores(name: str, dtype: Any, tmp_path: Path) -> None:
    rule, path = RULES[name], tmp_path / "rule.onnx"
    rule.to_onnx(path, inputs="score", dtype=dtype)
    u = rule.prop.value(near_ties(rule, rows=50))
    if isinstance(rule.prop, ic.SmoothProperty):
        u = np.r_[u, rule.prop.cuts, rule.score_map.breaks]
    u = u.astype(TYPES[dtype])
    for rows in (u, u[:1], u[:0]):
        decision, score = run(path, rows)
        assert decision.tolist() == rule.decide(score=rows).tolist()
        assert score == pytest.approx(rule.value(score=rows), rel=1e-12, abs=1e-12)


@settings(max_examples=30)
@given(rules())
def test_random_rules(rule: ic.DecisionRule) -> None:
    """Broken once: MatMul in place of the chain of sums, `first` without its last column: both were seen to fail."""
    import tempfile

    P = near_ties(rule, rows=25)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rule.onnx"
        rule.to_onnx(path, dtype="float64")
        decision, score = run(path, P)
    assert decision.tolist() == rule.decide(P).tolist()
    size = np.abs(rule.value(np.eye(P.shape[1]))).max(initial=0.0) or 1.0
    assert score == pytest.approx(rule.value(P), rel=1e-9, abs=1e-9 * size)


@pytest.mark.parametrize("labels", [[3, 1, 2], [1.5, -2.0, 1e-7], ["b'\n\"", "é🙂", "a"], [True, "x", 0.5]])
def test_labels(labels: list[Any], tmp_path: Path) -> None:
    rule = ic.DecisionRule(ic.linear(ic.CostMatrix(1 - np.eye(3), decisions=labels)))
    rule.to_onnx(tmp_path / "rule.onnx")
    decision, _ = run(tmp_path / "rule.onnx", np.eye(3, dtype=np.float32))
    one_type = len({type(label) for label in labels}) == 1
    assert decision.tolist() == (labels if one_type else [str(label) for label in labels])


def test_bools_become_text(tmp_path: Path) -> None:
    rule = ic.DecisionRule(ic.smooth(ic.CostMatrix([[0, 1], [1, 0]], decisions=[True, False])))
    rule.to_onnx(tmp_path / "rule.onnx")
    decision, _ = run(tmp_path / "rule.onnx", np.eye(2, dtype=np.float32))
    assert decision.tolist() == ["True", "False"]


@pytest.mark.parametrize(
    ("labels", "nothing"), [(["a", "b"], ""), ([0, 1], -(2**63)), ([0.5, 1.5], None)], ids=["text", "int", "float"]
)
def test_what_python_refuses_has_no_answer(labels: list[Any], nothing: Any, tmp_path: Path) -> None:
    nan, inf = float("nan"), float("inf")
    bad = [[nan, 1], [1, nan], [nan, nan], [inf, 0], [inf, -inf], [-0.1, 1.1], [0.5, 0.6], [0, 0]]
    rule = ic.DecisionRule(ic.smooth(ic.CostMatrix([[0, 1], [1, 0]], decisions=labels)))
    rule.to_onnx(tmp_path / "rule.onnx", dtype="float64")
    decision, score = run(tmp_path / "rule.onnx", np.array([*bad, [0.25, 0.75]], dtype=float))
    assert np.isnan(score[:-1]).all()
    assert score[-1] == pytest.approx(0.5)
    assert decision[-1] == labels[1]
    assert all(np.isnan(x) if nothing is None else x == nothing for x in decision[:-1])
    rule.to_onnx(tmp_path / "score.onnx", inputs="score", dtype="float64")
    _, score = run(tmp_path / "score.onnx", np.array([nan, inf, -inf, 0.5]))
    assert np.isnan(score).tolist() == [True, True, True, False]


def test_without_onnx_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"to_onnx needs onnx: pip install 'isocost\[onnx\]'"):
        RULES["plain"].to_onnx(tmp_path / "rule.onnx")


def test_one_decision(tmp_path: Path) -> None:
    only = ic.CostMatrix([[0, 1]], decisions=["only"])
    for i, rule in enumerate((ic.DecisionRule(ic.smooth(only)), ic.DecisionRule(ic.linear(only)))):
        rule.to_onnx(tmp_path / f"{i}.onnx")
        decision, _ = run(tmp_path / f"{i}.onnx", np.array([[0.5, 0.5], [2, 0]], dtype=np.float32))
        assert decision.tolist() == ["only", ""]


def test_the_graph_is_of_standard_operators_and_says_what_it_is(tmp_path: Path) -> None:
    RULES["steps"].to_onnx(tmp_path / "rule.onnx")
    model = onnx.load(tmp_path / "rule.onnx")
    assert [(part.domain, part.version) for part in model.opset_import] == [("", 17)]
    assert (model.producer_name, model.producer_version) == ("isocost", "0.1.0")
    about = {item.key: item.value for item in model.metadata_props}
    assert about == {"date": "2026-11-19", "outcomes": '["mild", "mod\\"erate", "s\\u00e9v\\n\\u00e8re"]'}
    with pytest.raises(ic.RuleError, match="exists; choose another name or pass overwrite=True"):
        RULES["plain"].to_onnx(tmp_path / "rule.onnx")
    RULES["plain"].to_onnx(tmp_path / "rule.onnx", overwrite=True)
