"""Rule files: readable, schema-versioned JSON, exact to the bit.

The schema is ``rule_schema.json`` beside this file. Floats are written so that they read back to
the same bits; a cost is a number where 15 digits say all of it, else text such as "1/3". Nothing
is NaN or infinite. The checksum is over the content, not over its layout.
"""

from __future__ import annotations

import hashlib
import json
import math
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isocost.exact import fraction_of_float, number_text
from isocost.exceptions import RuleError
from isocost.io import write_atomically
from isocost.labels import Label
from isocost.property import SmoothProperty
from isocost.recalibrate import IsotonicRecalibrator
from isocost.rule_check import require_refinement
from isocost.rule_content import FORMAT, SCHEMA_VERSION, arguments_of

if TYPE_CHECKING:
    from isocost.rule import DecisionRule

__all__ = ["checksum", "content_of", "read_rule", "rule_from", "write_rule"]


def write_rule(rule: DecisionRule, path: str | PathLike[str], overwrite: bool) -> None:
    """Write a rule; what :func:`read_rule` would refuse is refused here."""
    require_refinement(rule.prop, rule.cost)
    content = content_of(rule)
    write_atomically(Path(path), _layout({**content, "sha256": checksum(content)}) + "\n", overwrite, RuleError)


def read_rule(path: str | PathLike[str]) -> dict[str, Any]:
    """Arguments of the rule that a file holds, everything checked."""
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RuleError(f"{path} must be UTF-8; byte {error.start} is not") from None
    try:
        return rule_from(text)
    except RuleError as error:
        raise RuleError(f"{path}: {error}") from None


def content_of(rule: DecisionRule) -> dict[str, Any]:
    """What a rule file holds, but for the checksum."""
    cost = rule.cost
    for name, labels in (("decisions", cost.decisions), ("outcomes", cost.outcomes)):
        for label in labels:
            _require_plain(label, name)
    return {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "provenance": {"isocost": rule.version, "date": rule.date.isoformat(), "fit_size": rule.fit_size},
        "cost": {
            "decisions": list(cost.decisions),
            "outcomes": list(cost.outcomes),
            "costs": [[_exact_cell(x) for x in row] for row in cost.exact],
        },
        "property": _property(rule),
        "recalibration": _recalibration(rule),
        "swap": _swap(rule),
    }


def checksum(content: dict[str, Any]) -> str:
    """SHA-256 of the content in one fixed layout."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _property(rule: DecisionRule) -> dict[str, Any]:
    prop = rule.prop
    if isinstance(prop, SmoothProperty):
        return {
            "kind": "smooth",
            "method": prop.method,
            "interior": prop.interior,
            "why": prop.why,
            "decisions": list(prop.decisions),
            "knots": prop.knots.tolist(),
            "values": prop.values.tolist(),
            "cuts": prop.cuts.tolist(),
        }
    return {
        "kind": "linear",
        "why": prop.why,
        "decisions": list(prop.decisions),
        "basis": prop.basis.tolist(),
        "weights": prop.weights.tolist(),
        "offsets": prop.offsets.tolist(),
    }


def _recalibration(rule: DecisionRule) -> dict[str, Any] | None:
    fitted = rule.recalibration
    if fitted is None:
        return None
    about = {"rows": fitted.rows_, "fingerprint": fitted.fingerprint_}
    if isinstance(fitted, IsotonicRecalibrator):
        return {
            "kind": "isotonic",
            **about,
            "interpolate": bool(fitted.interpolate),
            "keep": fitted.keep if fitted.keep == "auto" else float(fitted.keep),
            "keep_share": fitted.keep_,
            "seed": int(fitted.seed),
            "lowest": fitted.lowest_.tolist(),
            "highest": fitted.highest_.tolist(),
            "thresholds": fitted.thresholds_.tolist(),
            "values": fitted.values_.tolist(),
            "label_weights": fitted.label_weights_.tolist(),
        }
    return {
        "kind": "affine",
        **about,
        "prior": float(fitted.prior),
        "matrix": fitted.matrix_.tolist(),
        "offset": fitted.offset_.tolist(),
    }


def _swap(rule: DecisionRule) -> dict[str, Any] | None:
    fitted = rule.swap
    if fitted is None:
        return None
    return {
        "rows": fitted.rows_,
        "fingerprint": fitted.fingerprint_,
        "replacements": [fitted.map_[label] for label in rule.cost.decisions],
        "label_weights": fitted.weights_.tolist(),
        "regret_removed": fitted.regret_removed_,
    }


def _require_plain(label: Label, name: str) -> None:
    sound = type(label) in (str, int, bool) or (type(label) is float and math.isfinite(label))
    if sound and isinstance(label, str):
        sound = label.isprintable() or not any(0xD800 <= ord(c) < 0xE000 for c in label)
    if not sound:
        raise RuleError(f"{name} must be text, numbers or bools to be written to a rule file; got {label!r}")


def _exact_cell(x: Fraction) -> int | float | str:
    """A number if its 15 digits say all of it, else text."""
    if x.denominator == 1 and abs(x) < 10**15:
        return int(x)
    try:
        near = float(x)
    except OverflowError:
        return number_text(x)
    return near if fraction_of_float(near) == x else number_text(x)


def _layout(value: Any, indent: str = "") -> str:
    """JSON with an entry a line, but lists of plain values on one."""
    inner = indent + "  "
    if isinstance(value, dict):
        lines = [f"{inner}{json.dumps(name)}: {_layout(item, inner)}" for name, item in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, list) for item in value):
        return "[\n" + ",\n".join(inner + _layout(item, inner) for item in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _parsed(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise RuleError(f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise RuleError("the file is nested too deeply to be a rule") from None
    except ValueError as error:
        raise (error if isinstance(error, RuleError) else RuleError(f"a number is too long: {error}")) from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise RuleError(f'not a rule file: it must be an object with "format": "{FORMAT}"')
    return content


def rule_from(text: str) -> dict[str, Any]:
    """Arguments of the rule that a text holds, everything checked."""
    content = _parsed(text)
    version = content.get("schema_version")
    if type(version) is not int or version < 1:
        raise RuleError(f"schema_version must be a positive integer; got {version!r}")
    if version > SCHEMA_VERSION:
        raise RuleError(
            f"the file has schema version {version}; this isocost reads versions up to {SCHEMA_VERSION}. Update isocost"
        )
    arguments = arguments_of(content)
    found = checksum({name: item for name, item in content.items() if name != "sha256"})
    if content["sha256"] != found:
        raise RuleError(
            "the checksum does not fit: the file was changed or damaged after it was written. Save the rule anew"
        )
    require_refinement(arguments["prop"], arguments["cost"])
    return arguments


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise RuleError(f"every name must appear once; {next(n for n in names if names.count(n) > 1)!r} is repeated")
    return found


def _refuse_constant(name: str) -> None:
    raise RuleError(f"numbers must be finite; {name} is not JSON")
