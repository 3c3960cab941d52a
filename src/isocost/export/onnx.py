"""A decision rule as a plain ONNX graph of standard operators.

Sums are chains of Mul and Add, column by column, so that decisions have Python's bits
(:mod:`isocost.comparisons`); a MatMul would add in an order of its own. What Python refuses cannot be
refused in a graph: such a row has the score NaN and, as its decision, "" (the least integer for
integer labels, NaN for floats).
"""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from isocost.comparisons import Contest, Ladder
from isocost.exceptions import RuleError
from isocost.export.labels import typed_labels
from isocost.io import write_atomically
from isocost.labels import Labels
from isocost.probabilities import SUM_TOLERANCE
from isocost.property import SmoothProperty
from isocost.recalibrate import AffineRecalibrator
from isocost.score_map import ScoreMap
from isocost.score_pieces import ScorePieces, pieces_of_score

if TYPE_CHECKING:
    from isocost.rule import DecisionRule

__all__ = ["FloatType", "Inputs", "write_graph"]

Inputs: TypeAlias = Literal["probabilities", "score"]
FloatType: TypeAlias = Literal["float32", "float64"]
Value: TypeAlias = tuple[str, int, list[int]]

# Old enough for runtimes of 2022, new enough for comparisons of doubles.
OPSET, IR_VERSION = 17, 8
LEAST_INTEGER = -(2**63)


def write_graph(
    rule: DecisionRule, path: str | PathLike[str], inputs: Inputs, dtype: FloatType, overwrite: bool
) -> None:
    """Write the graph of a rule; see :meth:`isocost.DecisionRule.to_onnx`."""
    if inputs not in ("probabilities", "score"):
        raise RuleError(f'inputs must be "probabilities" or "score"; got {inputs!r}')
    if dtype not in ("float32", "float64"):
        raise RuleError(f'dtype must be "float32" or "float64"; got {dtype!r}')
    if inputs == "score" and rule.prop.dimension == 0:
        raise RuleError('this rule has a single decision and no score; export it with inputs="probabilities"')
    write_atomically(Path(path), _model(rule, inputs, dtype).SerializeToString(), overwrite, RuleError)


def _model(rule: DecisionRule, inputs: Inputs, dtype: FloatType) -> Any:
    try:
        import onnx
    except ImportError:
        raise ImportError("to_onnx needs onnx: pip install 'isocost[onnx]'") from None

    graph, d = _Graph(), rule.prop.dimension
    name = "probabilities" if inputs == "probabilities" else "raw_score"
    single = inputs == "score" and isinstance(rule.prop, SmoothProperty)
    width = len(rule.outcomes) if inputs == "probabilities" else d
    given = graph.op("Cast", name, to=onnx.TensorProto.DOUBLE)
    given = graph.op("Unsqueeze", given, graph.integers([1])) if single else given
    if inputs == "probabilities":
        valid = _is_distribution(graph, given, width)
        place, score = _decided(graph, rule, given), _scored(graph, rule, given)
    else:
        # A number times 0 is 0 unless it is NaN or infinite.
        valid = graph.op("Equal", graph.sums(given, np.zeros((1, width))), graph.doubles([[0.0]]))
        place, score = _decided_by_score(graph, rule, given), _mapped(graph, rule, given)
    kind, values = _label_values(rule.comparisons.labels)
    place = graph.op("Where", valid, place, graph.integers([[len(values) - 1]]))
    place = graph.op("Squeeze", place, graph.integers([1]))
    graph.op("Gather", graph.labels(kind, values), place, output="decision")
    score = graph.op("Where", valid, score, graph.doubles([[np.nan]]))
    flat = isinstance(rule.prop, SmoothProperty)
    graph.op(*(("Squeeze", score, graph.integers([1])) if flat else ("Identity", score)), output="score")
    return graph.model(
        rule,
        (name, getattr(onnx.TensorProto, {"float32": "FLOAT", "float64": "DOUBLE"}[dtype]), [] if single else [width]),
        [("decision", _element_type(kind), []), ("score", onnx.TensorProto.DOUBLE, [] if flat else [d])],
    )


class _Graph:
    """Nodes and constants as they are added; values are known by their names."""

    def __init__(self) -> None:
        from onnx import helper, numpy_helper

        self._helper, self._arrays = helper, numpy_helper
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def op(self, kind: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        """Add a node; the name of its value."""
        output = output or f"v{len(self._nodes)}"
        self._nodes.append(self._helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def doubles(self, values: Any) -> str:
        return self._constant(np.asarray(values, dtype=np.float64))

    def integers(self, values: Any) -> str:
        return self._constant(np.asarray(values, dtype=np.int64))

    def labels(self, kind: type, values: list[Any]) -> str:
        """Labels as a table to look up."""
        if kind is not str:
            return self._constant(np.array(values, dtype=np.int64 if kind is int else np.float64))
        name = f"c{len(self._constants)}"
        texts = [value.encode() for value in values]
        self._constants.append(self._helper.make_tensor(name, _element_type(str), [len(texts)], texts))
        return name

    def sums(self, rows: str, table: NDArray[np.float64]) -> str:
        """Σ_y rows[:, y]·table[:, y] from left to right, shape (N, m)."""
        total = ""
        for y in range(table.shape[1]):
            column = self.op("Gather", rows, self.integers([y]), axis=1)
            term = self.op("Mul", column, self.doubles(table[None, :, y]))
            total = self.op("Add", total, term) if total else term
        return total

    def first(self, passed: str) -> str:
        """Index of the first 1 of each row, the number of columns where there is none; shape (N, 1)."""
        padded = self.op("Pad", passed, self.integers([0, 0, 0, 1]), self._constant(np.array(1, dtype=np.int32)))
        return self.op("ArgMax", padded, axis=1, keepdims=1)

    def passed(self, total: str, strict: NDArray[np.bool_]) -> str:
        """1 where a sum is above 0, or, where not strict, is 0; shape (N, m)."""
        zero, kind = self.doubles(0.0), _element_type("int32")
        above = self.op("Cast", self.op("Greater", total, zero), to=kind)
        reached = self.op("Cast", self.op("GreaterOrEqual", total, zero), to=kind)
        return self.op("Where", self._constant(strict[None, :]), above, reached)

    def model(self, rule: DecisionRule, given: Value, outputs: list[Value]) -> Any:
        """The checked model; each value is a name, a type and the shape behind the rows."""
        import onnx

        values = [
            self._helper.make_tensor_value_info(name, kind, ["rows", *shape]) for name, kind, shape in (given, *outputs)
        ]
        graph = self._helper.make_graph(self._nodes, "decision_rule", values[:1], values[1:], self._constants)
        model = self._helper.make_model(
            graph, opset_imports=[self._helper.make_opsetid("", OPSET)], ir_version=IR_VERSION, producer_name="isocost"
        )
        model.producer_version = rule.version
        about = {"date": rule.date.isoformat(), "outcomes": json.dumps([str(label) for label in rule.outcomes])}
        self._helper.set_model_props(model, about)
        onnx.checker.check_model(model, full_check=True)
        return model

    def _constant(self, array: NDArray[Any]) -> str:
        name = f"c{len(self._constants)}"
        self._constants.append(self._arrays.from_array(array, name))
        return name


def _is_distribution(graph: _Graph, given: str, n: int) -> str:
    """Whether each row is one, shape (N, 1)."""
    off = graph.op("Abs", graph.op("Sub", graph.sums(given, np.ones((1, n))), graph.doubles(1.0)))
    least = graph.op("ReduceMin", given, axes=[1], keepdims=1)
    near = graph.op("LessOrEqual", off, graph.doubles(SUM_TOLERANCE))
    return graph.op("And", near, graph.op("GreaterOrEqual", least, graph.doubles(0.0)))


def _with_shortfall(graph: _Graph, given: str, floor: float) -> tuple[str, str]:
    """The columns of the sums, and the last of them."""
    if not floor:
        return given, ""
    least = graph.op("ReduceMin", given, axes=[1], keepdims=1)
    short = graph.op("Max", graph.op("Sub", graph.doubles(floor), least), graph.doubles(0.0))
    return graph.op("Concat", given, short, axis=1), short


def _decided(graph: _Graph, rule: DecisionRule, given: str) -> str:
    """Position of the decision, shape (N, 1)."""
    found = rule.comparisons
    if isinstance(found, Contest):
        return graph.op("ArgMin", graph.sums(given, found.table), axis=1, keepdims=1)
    if not len(found.cuts):
        return _nothing(graph, given)
    columns, _ = _with_shortfall(graph, given, found.floor)
    return graph.first(graph.passed(graph.sums(columns, found.table), found.inclusive))


def _decided_by_score(graph: _Graph, rule: DecisionRule, given: str) -> str:
    found = rule.comparisons
    if isinstance(found, Ladder):
        return _piece(graph, given, found.upto)
    costs = graph.op("Add", graph.sums(given, found.weights), graph.doubles(found.offsets[None, :]))
    return graph.op("ArgMin", costs, axis=1, keepdims=1)


def _scored(graph: _Graph, rule: DecisionRule, given: str) -> str:
    """Recalibrated score, shape (N, d)."""
    if isinstance(rule.comparisons, Contest):
        assert not isinstance(rule.prop, SmoothProperty)
        return _mapped(graph, rule, graph.sums(given, rule.prop.basis))
    return _pieces(graph, pieces_of_score(rule.prop, rule.score_map), given)


def _pieces(graph: _Graph, pieces: ScorePieces, given: str) -> str:
    """See :class:`isocost.score_pieces.ScorePieces`."""
    columns, short = _with_shortfall(graph, given, pieces.floor)
    total, m = graph.sums(columns, pieces.table), len(pieces.strict)
    piece = graph.first(graph.passed(total, pieces.strict))
    ends = np.clip(np.add.outer([-1, 0], np.arange(m + 1)), 0, m - 1)
    below, above = (
        graph.op("GatherElements", total, graph.op("Gather", graph.integers(end), piece), axis=1) for end in ends
    )
    unit = graph.doubles([[pieces.unit]])
    if short:
        unit = graph.op("Add", unit, graph.op("Mul", short, graph.doubles(pieces.inner)))
    is_tail = graph.op("Equal", graph.op("Gather", graph.integers([1, *[0] * (m - 1), 1]), piece), graph.integers(1))
    divisor = graph.op("Where", is_tail, unit, graph.op("Sub", above, below))
    start, step = (graph.op("Gather", graph.doubles(x), piece) for x in (pieces.starts, pieces.steps))
    rise = graph.op("Mul", step, graph.op("Div", below, divisor))
    flat = graph.op("Equal", step, graph.doubles(0.0))
    return graph.op("Add", start, graph.op("Where", flat, graph.doubles([[0.0]]), rise))


def _mapped(graph: _Graph, rule: DecisionRule, score: str) -> str:
    """The recalibration map, shape (N, d)."""
    fitted = rule.recalibration
    if fitted is None or rule.prop.dimension == 0:
        return score
    if isinstance(fitted, AffineRecalibrator):
        return graph.op("Add", graph.sums(score, fitted.matrix_), graph.doubles(fitted.offset_[None, :]))
    mapped: ScoreMap = rule.score_map
    piece = _piece(graph, score, mapped.breaks)
    anchor, base, rate = (
        graph.op("Gather", graph.doubles(x), piece) for x in (mapped.anchors, mapped.bases, mapped.rates)
    )
    return graph.op("Add", base, graph.op("Mul", rate, graph.op("Sub", score, anchor)))


def _piece(graph: _Graph, score: str, breaks: NDArray[np.float64]) -> str:
    """How many breaks are below the score, shape (N, 1)."""
    if not len(breaks):
        return _nothing(graph, score)
    upto = graph.op("LessOrEqual", score, graph.doubles(breaks[None, :]))
    return graph.first(graph.op("Cast", upto, to=_element_type("int32")))


def _nothing(graph: _Graph, given: str) -> str:
    """0 for each row, shape (N, 1), whatever the row holds."""
    rows = graph.op("Shape", given, start=0, end=1)
    return graph.op("Expand", graph.integers(0), graph.op("Concat", rows, graph.integers([1]), axis=0))


def _label_values(labels: Labels) -> tuple[type, list[Any]]:
    """Labels of one type, and last what a row has that Python refuses."""
    kind, typed = typed_labels(labels)
    if kind is bool:
        kind, typed = str, [str(label) for label in labels]
    return kind, [*typed, {str: "", int: LEAST_INTEGER, float: np.nan}[kind]]


def _element_type(kind: type | str) -> int:
    import onnx

    names = {str: "STRING", int: "INT64", float: "DOUBLE", "int32": "INT32"}
    return int(getattr(onnx.TensorProto, names[kind]))
