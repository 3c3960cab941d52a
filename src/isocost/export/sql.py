"""A decision rule as one SQL expression, for DuckDB, Spark, PostgreSQL, BigQuery and Snowflake.

The decision is k-1 comparisons of plain sums (:mod:`isocost.comparisons`), with the bits of Python's:
the engines add doubles from left to right as Python does. Where Python refuses a row, because a
probability is missing, NaN or negative or they do not sum to 1, the expression is NULL. The score is a
CASE over its pieces. Names and labels are quoted by sqlglot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from isocost.comparisons import Contest, Ladder
from isocost.exceptions import RuleError
from isocost.export.labels import typed_labels
from isocost.labels import Label, Labels
from isocost.probabilities import SUM_TOLERANCE
from isocost.recalibrate import IsotonicRecalibrator
from isocost.score_map import MOST_BLOCKS, ScoreMap, score_map_of
from isocost.score_pieces import ScorePieces, pieces_of_score

if TYPE_CHECKING:
    from isocost.rule import DecisionRule

__all__ = ["Dialect", "Output", "ProbabilityColumns", "expression", "score_error"]

Floats = NDArray[np.float64]
Dialect: TypeAlias = Literal["duckdb", "spark", "postgres", "bigquery", "snowflake"]
Output: TypeAlias = Literal["decision", "score"]
ProbabilityColumns: TypeAlias = Mapping[Any, str] | Sequence[str]

LARGEST = float(np.finfo(np.float64).max)
# Of more terms Spark's compiler would make too much of an expression.
MOST_TERMS = 500
# A literal that is a double in the dialect, whatever its other settings: exponents make doubles, or a cast does.
DOUBLES = {
    "duckdb": "{}",
    "spark": "{}",
    "postgres": "{}::float8",
    "bigquery": "{}",
    "snowflake": "{}::DOUBLE",
}


def expression(
    rule: DecisionRule,
    dialect: Dialect,
    probabilities: ProbabilityColumns | None = None,
    score: str | Sequence[str] | bool | None = None,
    output: Output | None = None,
) -> str:
    """The decision or the score of a rule as one SQL expression; see :meth:`isocost.DecisionRule.to_sql`."""
    if dialect not in DOUBLES:
        raise RuleError(f"dialect must be one of {', '.join(DOUBLES)}; got {dialect!r}")
    wanted = output or ("score" if score is True else "decision")
    if wanted not in ("decision", "score"):
        raise RuleError(f'output must be "decision" or "score"; got {output!r}')
    words = _words(dialect)
    source: _Probabilities | _Scores
    if score is None or isinstance(score, bool):
        names = _probability_columns(rule.outcomes, probabilities)
        source = _Probabilities(words, [words.column(name) for name in names])
    elif probabilities is not None:
        raise RuleError("pass probabilities or the name of a score column, not both")
    else:
        source = _Scores(words, [words.column(name) for name in _score_columns(rule.prop.dimension, score)])
    found = source.decision(rule) if wanted == "decision" else source.score(rule)
    return f"CASE WHEN {source.guard()} THEN {found} END"


def score_error(rule: DecisionRule) -> float:
    """How far the score of the expression can be from Python's: 0 with at most 256 blocks.

    Examples
    --------
    >>> import isocost as ic
    >>> score_error(ic.DecisionRule(ic.smooth(ic.CostMatrix([[0, 5], [1, 0]]))))
    0.0
    """
    return _map_of(rule).error


class _Words(NamedTuple):
    """How a dialect writes names, text and numbers."""

    dialect: str
    column: Callable[[str], str]
    text: Callable[[str], str]

    def number(self, x: float) -> str:
        """A double that reads back to the same bits."""
        digits = repr(float(x) + 0.0)
        return DOUBLES[self.dialect].format(digits if "e" in digits else digits.removesuffix(".0") + "e0")

    def label(self, kind: type, label: Label) -> str:
        if kind is str:
            return self.text(str(label))
        if kind is bool:
            return "TRUE" if label else "FALSE"
        return str(label) if isinstance(label, int) else self.number(label)  # type: ignore[arg-type]

    def labels(self, labels: Labels) -> list[str]:
        kind, typed = typed_labels(labels)
        return [self.label(kind, label) for label in typed]

    def sum(self, columns: Sequence[str], factors: Floats, offset: float = 0.0) -> str:
        """Column times factor, added from left to right; zeros add nothing."""
        terms = [f"{name} * {self.number(x)}" for name, x in zip(columns, factors.tolist(), strict=True) if x]
        return " + ".join([*terms, self.number(offset)] if offset or not terms else terms)

    def with_sums(self, columns: Sequence[str], table: Floats, use: Callable[[list[str]], str]) -> str:
        """What `use` makes of the sums of all rows of a table.

        Spark compiles expressions, and would need gigabytes to compile thousands of terms. There large
        tables become arrays, whose elements a lambda adds in the same order and another one names.
        """
        if self.dialect != "spark" or table.size <= MOST_TERMS:
            return use([self.sum(columns, row) for row in table])
        size = max(map(len, columns))
        total, row, x, y = (f"isocost_{letter}".ljust(size, "_") for letter in "erxy")  # longer than any column
        rows = ", ".join(f"array({', '.join(map(self.number, factors))})" for factors in table.tolist())
        products = f"zip_with(array({', '.join(columns)}), {row}, ({x}, {y}) -> {x} * {y})"
        sums = f"transform(array({rows}), {row} -> aggregate({products}, {self.number(0)}, ({x}, {y}) -> {x} + {y}))"
        used = use([f"{total}[{i}]" for i in range(len(table))])
        return f"element_at(transform(array({sums}), {total} -> {used}), 1)"

    def double(self, column: str) -> str:
        kind = {"postgres": "float8", "bigquery": "FLOAT64"}.get(self.dialect, "DOUBLE")
        return f"CAST({column} AS {kind})"


def _words(dialect: str) -> _Words:
    """The quoting of a dialect, by sqlglot."""
    try:
        from sqlglot import exp
    except ImportError:
        raise ImportError("to_sql needs sqlglot: pip install 'isocost[sql]'") from None

    def column(name: str) -> str:
        quoted = str(exp.to_identifier(name, quoted=True).sql(dialect=dialect))
        if dialect == "spark" and "${" in name:  # Spark would put a setting there; text can escape it, a name cannot
            return f"IDENTIFIER({text(quoted)})"
        return quoted

    def text(value: str) -> str:
        quoted = str(exp.Literal.string(value).sql(dialect=dialect))
        return quoted.replace("$", "\\u0024") if dialect == "spark" else quoted

    return _Words(dialect, column, text)


class _Probabilities(NamedTuple):
    """Expressions of probability columns."""

    words: _Words
    columns: list[str]

    def guard(self) -> str:
        """Whether a row is a distribution: false or NULL for missing values, NaN, infinities and negatives."""
        total = " + ".join(self.words.double(name) for name in self.columns)
        signs = [f"{name} >= 0" for name in self.columns]
        return " AND ".join([*signs, f"ABS({total} - 1) <= {self.words.number(SUM_TOLERANCE)}"])

    def decision(self, rule: DecisionRule) -> str:
        found = rule.comparisons
        labels = self.words.labels(found.labels)
        if isinstance(found, Contest):
            return self.words.with_sums(self.columns, found.table, lambda sums: _least(sums, labels))
        signs = [">" if inclusive else ">=" for inclusive in found.inclusive]
        return self.words.with_sums(
            self._with_shortfall(found.floor),
            found.table,
            lambda sums: _first([f"{total} {sign} 0" for total, sign in zip(sums, signs, strict=True)], labels),
        )

    def score(self, rule: DecisionRule) -> str:
        pieces = pieces_of_score(_scalar(rule).prop, _map_of(rule))
        given = self._with_shortfall(pieces.floor)
        return self.words.with_sums(given, pieces.table, lambda sums: self._pieces(pieces, given, sums))

    def _pieces(self, pieces: ScorePieces, given: list[str], sums: list[str]) -> str:
        words, m = self.words, len(pieces.strict)
        unit = words.number(pieces.unit)
        if pieces.inner:
            unit = f"({unit} + {given[-1]} * {words.number(pieces.inner)})"
        values = []
        for i, (start, step) in enumerate(zip(pieces.starts.tolist(), pieces.steps.tolist(), strict=True)):
            if step == 0:
                values.append(words.number(start))
                continue
            below, above = sums[max(i - 1, 0)], sums[min(i, m - 1)]
            divisor = unit if i in (0, m) else f"({above} - ({below}))"
            values.append(f"{words.number(start)} + {words.number(step)} * (({below}) / {divisor})")
        passed = [
            f"{total} {'>' if strict else '>='} 0" for total, strict in zip(sums, pieces.strict.tolist(), strict=True)
        ]
        return _first(passed, values)

    def _with_shortfall(self, floor: float) -> list[str]:
        """The columns, and what the smallest lacks to the floor."""
        if not floor:
            return self.columns
        least = f"LEAST({', '.join(self.columns)})"
        return [*self.columns, f"GREATEST({self.words.number(floor)} - {least}, {self.words.number(0)})"]


class _Scores(NamedTuple):
    """Expressions of score columns."""

    words: _Words
    columns: list[str]

    def guard(self) -> str:
        """Whether the scores are finite: false or NULL for missing values, NaN and infinities."""
        finite = [f"ABS({name}) <= {self.words.number(LARGEST)}" for name in self.columns]
        return " AND ".join(finite or ["TRUE"])

    def decision(self, rule: DecisionRule) -> str:
        found = rule.comparisons
        labels = self.words.labels(found.labels)
        if isinstance(found, Ladder):
            u = self.columns[0]
            passed = [
                f"{u} {'<' if inclusive else '<='} {self.words.number(cut)}"
                for cut, inclusive in zip(found.cuts.tolist(), found.inclusive, strict=True)
            ]
            return _first(passed, labels)
        pairs = zip(found.weights, found.offsets.tolist(), strict=True)
        return _least([self.words.sum(self.columns, row, offset) for row, offset in pairs], labels)

    def score(self, rule: DecisionRule) -> str:
        words, u, mapped = self.words, self.columns[0], _map_of(_scalar(rule))
        values = []
        for anchor, base, rate in zip(
            mapped.anchors.tolist(), mapped.bases.tolist(), mapped.rates.tolist(), strict=True
        ):
            rise = f"({u} - {words.number(anchor)})" if anchor else words.double(u)
            rise = rise if rate == 1 else f"{words.number(rate)} * {rise}"
            start = f"{words.number(base)} + " if base else ""
            values.append(f"{start}{rise}" if rate else words.number(base))
        return _first([f"{u} <= {words.number(x)}" for x in mapped.breaks.tolist()], values)


def _first(passed: list[str], values: list[str]) -> str:
    """The value of the first condition that holds, else the last."""
    if not passed:
        return values[0]
    cases = " ".join(f"WHEN {test} THEN {value}" for test, value in zip(passed, values, strict=False))
    return f"CASE {cases} ELSE {values[-1]} END"


def _least(costs: list[str], labels: list[str]) -> str:
    """The label of the first least cost, half against half: each cost is written once for each halving."""
    if len(labels) == 1:
        return labels[0]
    half = (len(labels) + 1) // 2
    first, second = (
        part[0] if len(part) == 1 else f"LEAST({', '.join(part)})" for part in (costs[:half], costs[half:])
    )
    left, right = _least(costs[:half], labels[:half]), _least(costs[half:], labels[half:])
    return f"CASE WHEN {first} <= {second} THEN {left} ELSE {right} END"


def _map_of(rule: DecisionRule) -> ScoreMap:
    fitted = rule.recalibration
    apart = None
    if isinstance(fitted, IsotonicRecalibrator):
        values = fitted.values_ if rule.prop.method != "linear" else fitted.values_[:, None]
        apart = rule.prop.cell(values)
    return score_map_of(fitted, apart, MOST_BLOCKS)


def _scalar(rule: DecisionRule) -> DecisionRule:
    if rule.prop.dimension != 1:
        raise RuleError(
            f"one expression is one number; the score of this rule has {rule.prop.dimension}. Its decision can be "
            "exported"
        )
    return rule


def _probability_columns(outcomes: Labels, given: ProbabilityColumns | None) -> list[str]:
    """Column names in the order of the outcomes; the outcomes' own names by default."""
    if given is None:
        names: list[Any] = [str(label) for label in outcomes]
    elif isinstance(given, Mapping):
        missing, extra = [y for y in outcomes if y not in given], [y for y in given if y not in outcomes]
        if missing or extra:
            raise RuleError(
                f"probabilities must name a column for each outcome, {list(outcomes[:12])}"
                + (f"; missing: {missing[:12]}" if missing else "")
                + (f"; unknown: {extra[:12]}" if extra else "")
            )
        names = [given[label] for label in outcomes]
    elif isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise RuleError(f"probabilities must be a list of columns, or a dict of outcome to column; got {given!r}")
    else:
        names = list(given)
    if len(names) != len(outcomes):
        raise RuleError(f"probabilities must name {len(outcomes)} columns, one for each outcome; got {len(names)}")
    return _checked_names(names, "probabilities")


def _score_columns(dimension: int, given: str | Sequence[str]) -> list[str]:
    names = [given] if isinstance(given, str) else list(given)
    if len(names) != dimension:
        raise RuleError(f"score must name {dimension} column{'s' * (dimension != 1)}; got {names}")
    return _checked_names(names, "score")


def _checked_names(names: list[Any], what: str) -> list[str]:
    for name in names:
        if not isinstance(name, str) or not name or "\0" in name:
            raise RuleError(f"{what} must name columns, as text without NUL; got {name!r}")
        if names.count(name) > 1:
            raise RuleError(f"{what} must name different columns; {name!r} is named twice")
    return names
