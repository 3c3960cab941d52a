"""Probabilities are paired with outcomes by name; an order is never guessed."""

from __future__ import annotations

import pytest

from isocost.cli.columns import probability_columns
from isocost.cli.verbs import BadInput

OUTCOMES = ("mild", "moderate", "severe")
COLUMNS = ["id", "p_severe", "p_mild", "p_moderate", "p_value", "a", "b", "c"]


@pytest.mark.parametrize(
    ("given", "outcomes", "columns", "found"),
    [
        (["p_*"], OUTCOMES, COLUMNS, ["p_mild", "p_moderate", "p_severe"]),
        (["mild=a", "severe=b", "moderate=c"], OUTCOMES, COLUMNS, ["a", "c", "b"]),
        (["p_*", "severe=c"], OUTCOMES, COLUMNS, ["p_mild", "p_moderate", "c"]),
        (["*"], (3, 1, 2), ["1", "2", "3"], ["3", "1", "2"]),
        (["p(*)"], ("a b", "été ✓"), ["p(été ✓)", "p(a b)"], ["p(a b)", "p(été ✓)"]),
        (["a=b=c", "a=q"], ("a", "a=b"), ["c", "q"], ["q", "c"]),
        (["p.*"], ("x", "y"), None, ["p.x", "p.y"]),
    ],
)
def test_pairs(given: list[str], outcomes: tuple[object, ...], columns: list[str] | None, found: list[str]) -> None:
    assert probability_columns(given, outcomes, columns) == dict(zip(outcomes, found, strict=True))


@pytest.mark.parametrize(
    ("given", "columns", "words"),
    [
        (["p_*"], ["p_1", "p_2", "p_3"], "not in their order: p_1, p_2, p_3 are like the pattern; pair them yourself"),
        (["p_*"], ["p_Mild", "p_moderate", "p_severe"], "the outcome 'mild' has no column 'p_mild'"),
        (["q_*"], ["p_mild"], "no column is like the pattern; the columns are p_mild"),
        (["a,b,c"], COLUMNS, "would leave their order to be guessed"),
        (["p_**"], COLUMNS, "must be a pattern with one *"),
        (["p_*", "*_p"], COLUMNS, "one pattern is enough"),
        (["wild=a"], COLUMNS, "must begin with an outcome and '='; the outcomes are mild, moderate, severe"),
        (["mild=a", "severe=b"], COLUMNS, "no column is given for the outcome 'moderate'"),
        (["mild=a", "mild=b"], COLUMNS, "'mild' is paired twice, with a and b"),
        (["mild=a", "moderate=a", "severe=b"], COLUMNS, "the column 'a' is given for more than one outcome"),
        (["mild=p_mil", "moderate=b", "severe=c"], COLUMNS, "no column 'p_mil'; is it 'p_mild'?"),
    ],
)
def test_refuses_to_guess(given: list[str], columns: list[str], words: str) -> None:
    with pytest.raises(BadInput) as caught:
        probability_columns(given, OUTCOMES, columns)
    assert words in caught.value.message
