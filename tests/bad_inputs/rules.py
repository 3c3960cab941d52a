"""Making rules, asking them, and reading rule files."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import isocost as ic
from isocost.rule_file import checksum, content_of, rule_from
from tests.bad_inputs import COST, OUTCOMES, Case, P, smooth

__all__ = ["CASES"]

Rule: Any = ic.DecisionRule
PROP: Any = smooth(COST)
ISO: Any = ic.IsotonicRecalibrator(PROP).fit([-1.0, 0.1, 0.9], ["none", "mild", "severe"])
SWAP: Any = ic.SwapRecalibrator(COST).fit(["wait"], ["mild"])
OTHER: Any = ic.CostMatrix.ordinal(OUTCOMES)
LINEAR: Any = ic.linear(ic.CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]]))
RULE: Any = Rule(PROP, ISO, SWAP)
SHOWN = "SmoothProperty (smoothest): 'wait' | 0 | 'test' | 0.4286 | 'treat'"


def text_with(change: Callable[[Any], object], rule: Any = RULE) -> str:
    """The rule's file after a change of its content, the checksum made anew."""
    content = copy.deepcopy(content_of(rule))
    content["sha256"] = ""
    change(content)
    if content.get("sha256") == "":
        content["sha256"] = checksum({name: item for name, item in content.items() if name != "sha256"})
    return json.dumps(content)


def put(*where: Any) -> Callable[[Any], object]:
    """A change that sets the entry at a path; the last argument is the value."""

    def change(content: Any) -> None:
        for name in where[:-2]:
            content = content[name]
        content[where[-2]] = where[-1]

    return change


def drop(*where: Any) -> Callable[[Any], object]:
    """A change that leaves the entry at a path out."""

    def change(content: Any) -> None:
        for name in where[:-1]:
            content = content[name]
        del content[where[-1]]

    return change


def in_file(id: str, change: Callable[[Any], object], message: str, rule: Any = RULE) -> Case:  # noqa: A002
    """A case of a file that is not sound."""
    return Case(f"rule-file-{id}", lambda: rule_from(text_with(change, rule)), ic.RuleError, message)


MAKING = [
    Case(
        "rule-cost",
        lambda: Rule(COST),
        ic.RuleError,
        "a rule needs a property; got CostMatrix. Write ic.smooth(cost) or ic.property_for(cost)",
    ),
    Case(
        "rule-no-cost",
        lambda: Rule(ic.SmoothProperty([0.0], [[-1.0, 1.0]], [0.0], ("a", "b"), (0, 1), "own")),  # type: ignore[arg-type]
        ic.RuleError,
        "a rule needs the cost matrix of its property, a CostMatrix; got NoneType. Pass cost=cost",
    ),
    Case(
        "rule-other-outcomes",
        lambda: Rule(PROP, cost=LINEAR.cost),
        ic.RuleError,
        "the property and the cost matrix must have the same outcomes in the same order; got "
        "['none', 'mild', 'moderate', 'severe'] and [0, 1, 2]",
    ),
    Case(
        "rule-other-decisions",
        lambda: Rule(PROP, cost=OTHER),
        ic.RuleError,
        "every decision of the property must be one of the cost matrix, ['none', 'mild', 'moderate', 'severe']; got "
        "'wait'",
    ),
    Case(
        "rule-multicalibrator",
        lambda: Rule(PROP, ic.Multicalibrator(PROP)),
        ic.RuleError,
        "a rule sees one row's prediction and not its groups, which a Multicalibrator needs: let it predict first, and "
        "give its scores to a rule without recalibration: rule.decide(score=multi.predict(P, groups))",
    ),
    Case(
        "rule-swap-first",
        lambda: Rule(PROP, SWAP),
        ic.RuleError,
        "a SwapRecalibrator replaces decisions; pass it as swap=",
    ),
    Case(
        "rule-function",
        lambda: Rule(PROP, len),
        ic.RuleError,
        "recalibration must be a fitted IsotonicRecalibrator or AffineRecalibrator; got builtin_function_or_method",
    ),
    Case(
        "rule-not-fitted",
        lambda: Rule(PROP, ic.IsotonicRecalibrator(PROP)),
        ic.RuleError,
        "recalibration must be fitted; call IsotonicRecalibrator.fit first",
    ),
    Case(
        "rule-other-units",
        lambda: Rule(PROP.rescale(0, 1), ISO),
        ic.RuleError,
        "recalibration must be of the rule's own property, as scores of another are in other units; got "
        f"{PROP!r} for {PROP.rescale(0, 1)!r}",
    ),
    Case(
        "rule-swap-iso",
        lambda: Rule(PROP, swap=ISO),
        ic.RuleError,
        "swap must be a fitted SwapRecalibrator; got IsotonicRecalibrator",
    ),
    Case(
        "rule-swap-not-fitted",
        lambda: Rule(PROP, swap=ic.SwapRecalibrator(COST)),
        ic.RuleError,
        "swap must be fitted; call SwapRecalibrator.fit first",
    ),
    Case(
        "rule-swap-other",
        lambda: Rule(PROP, swap=ic.SwapRecalibrator(OTHER).fit(["mild"], ["mild"])),
        ic.RuleError,
        "swap must be of the rule's own cost matrix; it was fitted with another one",
    ),
    Case("rule-date", lambda: Rule(PROP, date="today"), ic.RuleError, "date must be a datetime.date; got 'today'"),
    Case(
        "rule-label",
        lambda: content_of(Rule(ic.linear(ic.CostMatrix([[0, 1], [1, 0]], decisions=[Decimal(1), 2])))),
        ic.RuleError,
        "decisions must be text, numbers or bools to be written to a rule file; got Decimal('1')",
    ),
    Case(
        "rule-infinite-label",
        lambda: content_of(Rule(ic.linear(ic.CostMatrix([[0, 1], [1, 0]], outcomes=[0.0, float("inf")])))),
        ic.RuleError,
        "outcomes must be text, numbers or bools to be written to a rule file; got inf",
    ),
    Case(
        "rule-surrogate-label",
        lambda: content_of(Rule(ic.linear(ic.CostMatrix([[0, 1], [1, 0]], outcomes=["a", "\ud800"])))),
        ic.RuleError,
        "outcomes must be text, numbers or bools to be written to a rule file; got '\\ud800'",
    ),
]

ASKING = [
    Case(
        "rule-nothing",
        lambda: RULE.decide(),
        ic.PredictionError,
        "pass probabilities or score=, one of them; got neither",
    ),
    Case(
        "rule-both",
        lambda: RULE.value(P, score=[0.1]),
        ic.PredictionError,
        "pass probabilities or score=, one of them; got both",
    ),
    Case(
        "rule-nan",
        lambda: RULE.decide(score=[float("nan")]),
        ic.PredictionError,
        "scores must be finite numbers; score 0 is nan",
    ),
    Case(
        "rule-sum",
        lambda: RULE.decide([[0.1, 0.1, 0.1, 0.1]]),
        ic.PredictionError,
        "Row 0 of `probabilities` sums to 0.4; rows must sum to 1 within 1e-06. Normalise it or pass normalize=True.",
    ),
    Case(
        "rule-shape",
        lambda: Rule(LINEAR).decide(score=[0.1]),
        ic.PredictionError,
        "scores must have shape (rows, 2); got shape (1,)",
    ),
    Case(
        "rule-no-folder",
        lambda: RULE.save(Path("no-such-folder") / "rule.json"),
        ic.RuleError,
        "no-such-folder must be an existing folder; make it before writing rule.json",
    ),
]

FILE = [
    Case(
        "rule-file-json",
        lambda: rule_from('{"a": \n1;}'),
        ic.RuleError,
        "line 2, column 2: not JSON: Expecting ',' delimiter",
    ),
    Case("rule-file-nan", lambda: rule_from('{"a": NaN}'), ic.RuleError, "numbers must be finite; NaN is not JSON"),
    Case(
        "rule-file-twice",
        lambda: rule_from('{"a": 1, "a": 2}'),
        ic.RuleError,
        "every name must appear once; 'a' is repeated",
    ),
    Case(
        "rule-file-list",
        lambda: rule_from("[]"),
        ic.RuleError,
        'not a rule file: it must be an object with "format": "isocost decision rule"',
    ),
    Case(
        "rule-file-deep", lambda: rule_from("[" * 100_000), ic.RuleError, "the file is nested too deeply to be a rule"
    ),
    in_file(
        "newer",
        put("schema_version", 2),
        "the file has schema version 2; this isocost reads versions up to 1. Update isocost",
    ),
    in_file("version", put("schema_version", "1"), "schema_version must be a positive integer; got '1'"),
    in_file(
        "missing",
        drop("swap"),
        "the file must have format, schema_version, provenance, cost, property, recalibration, swap, sha256; "
        "'swap' is missing",
    ),
    in_file(
        "extra",
        put("provenance", "author", "me"),
        "provenance must have isocost, date, fit_size only; got also 'author'",
    ),
    in_file("object", put("cost", [1]), "cost must be an object with decisions, outcomes, costs; got [1]"),
    in_file(
        "date",
        put("provenance", "date", "yesterday"),
        "provenance.date must be a date such as 2026-11-19; got 'yesterday'",
    ),
    in_file(
        "fit-size", put("provenance", "fit_size", 7), "provenance.fit_size must be the rows of the larger fit, 3; got 7"
    ),
    in_file("labels", put("cost", "outcomes", 1, None), "cost.outcomes[1] must be text, a number or a bool; got None"),
    in_file("cost-row", put("cost", "costs", 1, [1, 2]), "cost.costs[1] must be a list of 4; got '2 entries'"),
    in_file(
        "cost-cell",
        put("cost", "costs", 1, 2, True),
        'cost.costs[1][2] must be a number or a text such as "1/3"; got True',
    ),
    in_file(
        "cost-text",
        put("cost", "costs", 1, 2, "x"),
        "cost: costs must be finite numbers; at row 1, column 2: 'x' is not a number",
    ),
    in_file(
        "cost-label",
        put("cost", "outcomes", 1, "none"),
        "cost: outcome labels must differ, also as text; 'none' and 'none' are the same. Rename one",
    ),
    in_file("kind", put("property", "kind", "cubic"), 'property.kind must be "smooth" or "linear"; got \'cubic\''),
    in_file(
        "method",
        put("property", "method", "best"),
        "property.method must be one of smoothest, embedding, normals, touching; got 'best'",
    ),
    in_file(
        "decision",
        put("property", "decisions", 0, "go"),
        "property.decisions[0] must be a decision of the cost matrix; got 'go'",
    ),
    in_file(
        "no-decision", put("property", "decisions", []), "property.decisions must be at least one decision; got []"
    ),
    in_file("knot-text", put("property", "knots", 1, "0"), "property.knots[1] must be a finite number; got '0'"),
    in_file(
        "knot-large",
        put("property", "knots", 1, 10**400),
        "property.knots[1] must be a finite number; got 1" + 78 * "0" + "…",
    ),
    in_file(
        "knot-order", put("property", "knots", 1, 99.0), "property: knots and cuts of a property must not decrease"
    ),
    in_file("value-shape", put("property", "values", [[0.0]]), "property.values must be a list of 6; got '1 entries'"),
    in_file(
        "interior",
        put("property", "interior", 0.5),
        "property.interior must be a finite number from 0 to 0.25; got 0.5",
    ),
    in_file(
        "order",
        put("property", "decisions", ["treat", "test", "wait"]),
        "the property's decisions must be those that the costs give, ['wait', 'test', 'treat']; got "
        "['treat', 'test', 'wait']",
    ),
    in_file(
        "map-kind",
        put("recalibration", "kind", "cubic"),
        'recalibration.kind must be "isotonic" or "affine"; got \'cubic\'',
    ),
    in_file("keep", put("recalibration", "keep", 2), "recalibration.keep must be a finite number from 0 to 1; got 2"),
    in_file(
        "interpolate", put("recalibration", "interpolate", 1), "recalibration.interpolate must be true or false; got 1"
    ),
    in_file(
        "blocks",
        put("recalibration", "values", 2, -9.0),
        "recalibration: blocks must increase, in their scores and in their values; block 1 does not",
    ),
    in_file("rows", put("recalibration", "rows", -1), "recalibration.rows must be a whole number, at least 0; got -1"),
    in_file(
        "swap-label",
        put("swap", "replacements", 0, "go"),
        "swap.replacements[0] must be a decision of the cost matrix; got 'go'",
    ),
    in_file(
        "checksum",
        put("sha256", "0" * 64),
        "the checksum does not fit: the file was changed or damaged after it was written. Save the rule anew",
    ),
    in_file(
        "normal",
        put("property", "values", 1, 0, 2.0),
        "V at cut 0 must be a positive multiple of the boundary normal between 'wait' and 'test' that the costs give; "
        "it is off by 0.667 of its size",
    ),
    in_file(
        "sign",
        put("property", "values", 2, [1.0, -1.0, 1.0, -1.0]),
        "the expected V must change its sign once, from - to +; between knots 2 and 3 it can turn back",
    ),
    in_file(
        "weights",
        put("property", "weights", 1, 0, 5.0),
        "weights and offsets must give the differences between costs; of decision 1 and outcome 0 they give 4.08248 in "
        "place of 1",
        Rule(LINEAR),
    ),
    in_file(
        "not-orderable",
        put("cost", "costs", [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1]]),
        "the costs must have an order, as the property has one; they are not orderable. Decisions 'wait' and 'test' "
        "are neighbours, yet where both cost 1, at the distribution (0, 0, 1, 0), decision 'treat' costs 0: a third "
        "decision cuts their boundary.",
    ),
]

EXPORT = [
    Case(
        "sql-dialect",
        lambda: RULE.to_sql("mysql"),
        ic.RuleError,
        "dialect must be one of duckdb, spark, postgres, bigquery, snowflake; got 'mysql'",
    ),
    Case(
        "sql-output",
        lambda: RULE.to_sql("duckdb", output="cost"),
        ic.RuleError,
        'output must be "decision" or "score"; got \'cost\'',
    ),
    Case(
        "sql-both",
        lambda: RULE.to_sql("duckdb", OUTCOMES, score="u"),
        ic.RuleError,
        "pass probabilities or the name of a score column, not both",
    ),
    Case(
        "sql-few-columns",
        lambda: RULE.to_sql("duckdb", ["a", "b"]),
        ic.RuleError,
        "probabilities must name 4 columns, one for each outcome; got 2",
    ),
    Case(
        "sql-one-column",
        lambda: RULE.to_sql("duckdb", "p"),
        ic.RuleError,
        "probabilities must be a list of columns, or a dict of outcome to column; got 'p'",
    ),
    Case(
        "sql-outcome",
        lambda: RULE.to_sql("duckdb", {"none": "a", "mild": "b", "moderate": "c", "grave": "d"}),
        ic.RuleError,
        "probabilities must name a column for each outcome, ['none', 'mild', 'moderate', 'severe']; "
        "missing: ['severe']; unknown: ['grave']",
    ),
    Case(
        "sql-column-twice",
        lambda: RULE.to_sql("duckdb", ["a", "b", "a", "c"]),
        ic.RuleError,
        "probabilities must name different columns; 'a' is named twice",
    ),
    Case(
        "sql-column-number",
        lambda: RULE.to_sql("duckdb", ["a", "b", 3, "c"]),
        ic.RuleError,
        "probabilities must name columns, as text without NUL; got 3",
    ),
    Case(
        "sql-column-nul",
        lambda: RULE.to_sql("duckdb", score="u\0"),
        ic.RuleError,
        "score must name columns, as text without NUL; got 'u\\x00'",
    ),
    Case(
        "sql-score-columns",
        lambda: RULE.to_sql("duckdb", score=["u", "v"]),
        ic.RuleError,
        "score must name 1 column; got ['u', 'v']",
    ),
    Case(
        "sql-several-numbers",
        lambda: Rule(LINEAR).to_sql("duckdb", score=True),
        ic.RuleError,
        "one expression is one number; the score of this rule has 2. Its decision can be exported",
    ),
    Case(
        "sql-label-nul",
        lambda: Rule(ic.linear(ic.CostMatrix([[0, 1], [1, 0]], decisions=["a", "b\0"]))).to_sql("duckdb"),
        ic.RuleError,
        "decisions must be text of whole characters, without NUL, to be exported; got 'b\\x00'",
    ),
    Case(
        "sql-label-type",
        lambda: Rule(ic.linear(ic.CostMatrix([[0, 1], [1, 0]], decisions=[Decimal(1), 2]))).to_sql("duckdb"),
        ic.RuleError,
        "decisions must be text, numbers or bools to be exported; got Decimal('1')",
    ),
    Case(
        "onnx-inputs",
        lambda: RULE.to_onnx("rule.onnx", inputs="u"),
        ic.RuleError,
        'inputs must be "probabilities" or "score"; got \'u\'',
    ),
    Case(
        "onnx-dtype",
        lambda: RULE.to_onnx("rule.onnx", dtype="float16"),
        ic.RuleError,
        'dtype must be "float32" or "float64"; got \'float16\'',
    ),
    Case(
        "onnx-no-score",
        lambda: Rule(ic.linear(ic.CostMatrix([[0, 1]]))).to_onnx("rule.onnx", inputs="score"),
        ic.RuleError,
        'this rule has a single decision and no score; export it with inputs="probabilities"',
    ),
    Case(
        "onnx-no-folder",
        lambda: RULE.to_onnx(Path("no-such-folder") / "rule.onnx"),
        ic.RuleError,
        "no-such-folder must be an existing folder; make it before writing rule.onnx",
    ),
]

CASES = [*MAKING, *ASKING, *FILE, *EXPORT]
