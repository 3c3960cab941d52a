"""Rule files: the schema, files of earlier versions, writing without harm."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import isocost as ic
from tests.fixtures.make_rules import made

FILES = sorted(
    path for path in (Path(__file__).parent / "fixtures" / "rules").rglob("*.json") if path.suffixes == [".json"]
)
RULE = made()["steps"]


def schema() -> Any:
    return json.loads(files("isocost").joinpath("rule_schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_file_of_an_earlier_version_loads_bit_for_bit(path: Path, tmp_path: Path) -> None:
    rule = ic.DecisionRule.load(path)
    rule.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
    answers = json.loads(path.with_name(f"{path.stem}.expected.json").read_text(encoding="utf-8"))
    P = np.array([[float.fromhex(x) for x in row] for row in answers["probabilities"]])
    scores = [float.fromhex(x) for x in answers["scores"]]
    # Another processor may add in another order.
    assert rule.value(P).ravel() == pytest.approx(scores, rel=1e-12, abs=1e-12)
    assert rule.decide(P).tolist() == answers["decisions"]


def test_this_version_still_writes_these_files() -> None:
    assert {path.stem for path in FILES} == set(made())
    for path in FILES:
        loaded = ic.DecisionRule.load(path)
        assert loaded.cost == made()[path.stem].cost
        assert loaded.prop.value(np.eye(3)) == pytest.approx(made()[path.stem].prop.value(np.eye(3)))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_satisfy_the_published_schema(path: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.Draft202012Validator(schema()).validate(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("provenance", "date", "yesterday"),
        ("provenance", "fit_size", -1),
        ("cost", "costs", [[None]]),
        ("property", "knots", ["0"]),
        ("property", "kind", "cubic"),
        ("property", "colour", "blue"),
        ("recalibration", "keep", 2),
    ],
)
def test_the_schema_refuses_what_loading_refuses(part: str, name: str, value: object) -> None:
    content = json.loads(next(path for path in FILES if path.stem == "steps").read_text(encoding="utf-8"))
    content[part][name] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema()).validate(content)


def test_costs_stay_exact(tmp_path: Path) -> None:
    table = [["1/3", "0.1234567890123456789"], ["12345678901234567890", 0.1]]
    cost = ic.CostMatrix(table, ["a", True], [1.5, 2])
    ic.DecisionRule(ic.linear(cost)).save(tmp_path / "rule.json")
    loaded = ic.DecisionRule.load(tmp_path / "rule.json")
    assert (loaded.cost.exact == cost.exact).all()
    assert [type(label) for label in (*loaded.cost.decisions, *loaded.outcomes)] == [str, bool, float, int]
    assert '["1/3", "0.1234567890123456789"]' in (tmp_path / "rule.json").read_text()


def test_nothing_is_overwritten_unless_asked(tmp_path: Path) -> None:
    path = tmp_path / "rule.json"
    RULE.save(path)
    before = path.read_bytes()
    with pytest.raises(ic.RuleError, match="exists; choose another name or pass overwrite=True"):
        made()["plain"].save(path)
    assert path.read_bytes() == before
    made()["plain"].save(path, overwrite=True)
    assert ic.DecisionRule.load(path) == made()["plain"]
    assert [file.name for file in tmp_path.iterdir()] == ["rule.json"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rule.json"
    RULE.save(path)
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        made()["plain"].save(path, overwrite=True)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["rule.json"]


def test_what_could_not_be_loaded_is_not_saved(tmp_path: Path) -> None:
    """A property that does not refine the decisions of the costs given with it."""
    other = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1.5, 0]])
    prop = ic.smooth(ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0]]))
    with pytest.raises(ic.RuleError, match="V at cut 1 must be a positive multiple of the boundary normal"):
        ic.DecisionRule(prop, cost=other).save(tmp_path / "rule.json")
    assert list(tmp_path.iterdir()) == []


def test_a_file_with_a_byte_order_mark_or_other_layout_loads(tmp_path: Path) -> None:
    RULE.save(tmp_path / "rule.json")
    content = json.loads((tmp_path / "rule.json").read_text(encoding="utf-8"))
    (tmp_path / "packed.json").write_text("\ufeff" + json.dumps(content, sort_keys=True), encoding="utf-8")
    assert ic.DecisionRule.load(tmp_path / "packed.json") == RULE


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "rule.json"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ic.RuleError, match=r"rule.json must be UTF-8; byte 0 is not"):
        ic.DecisionRule.load(path)
    path.write_text("{}")
    with pytest.raises(ic.RuleError, match=r"rule.json: not a rule file"):
        ic.DecisionRule.load(path)
    with pytest.raises(FileNotFoundError):
        ic.DecisionRule.load(tmp_path / "nowhere.json")
