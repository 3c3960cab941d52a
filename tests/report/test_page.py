"""What the page says, and how it is written; test_in_browser.py looks at it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import isocost as ic
from isocost.report import page_text
from isocost.report.content import groups_table, method_notes, python_call
from isocost.report.quality import counts_table, doubts
from isocost.report.verdicts import headline_of
from tests.plot.worlds import audits, triage


def audit(y: list[str], decisions: list[str], **more: object) -> ic.Audit:
    return ic.audit(triage(), y, decisions=decisions, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "kind", "words"),
    [
        (audit(["mild"] * 900, ["wait"] * 900), "right", "(“test” and “treat” never was)"),
        (audit(["severe"] * 900, ["wait"] * 900), "wrong", "Where “wait” was decided (100 % of rows), “test” would"),
        (
            audit(["mild"] * 2, ["wait"] * 2),
            "open",
            "No decision is certified at 95 %; “wait” is undecided, which about",
        ),
        (audit(["mild", "moderate"] * 100, ["wait"] * 200), "wrong", "“test” would have cost 1 less a row on average"),
        (
            audit(["severe"] * 900 + ["mild"] * 900, ["wait"] * 900 + ["treat"] * 900),
            "wrong",
            "“treat” was wrong too; this is certain at 95 %.",
        ),
    ],
)
def test_the_verdict_in_a_sentence(found: ic.Audit, kind: str, words: str) -> None:
    headline = headline_of(found)
    assert headline.kind == kind and words in headline.sentence
    assert headline.sentence.count(". ") == 0 and headline.sentence.endswith(".")


def test_in_sample_there_is_no_verdict() -> None:
    cost = triage()
    prop = ic.smooth(cost)
    scores, y = np.linspace(-0.4, 1, 300), np.array(["mild", "moderate", "severe"] * 100)
    iso = ic.IsotonicRecalibrator(prop).fit(scores, y)
    found = ic.audit(cost, y, scores=scores, prop=prop, recalibration=iso)
    assert headline_of(found).kind == "void"
    assert "fitted on these very rows" in doubts(found)[0]


def test_a_wrong_verdict_is_true_of_the_data() -> None:
    """What the sentence says is recomputed from the rows."""
    found = audit(["severe"] * 500 + ["mild"] * 400, ["wait"] * 900)
    saved = (500 * (5 - 3) + 400 * (0 - 1)) / 900
    assert f"would have cost {saved:.3g} less" in headline_of(found).sentence


def test_counts_are_those_of_the_rows() -> None:
    found = audit(["mild", "mild", "severe"], ["wait", "test", "test"])
    assert found.counts.tolist() == [[1, 0, 0], [1, 0, 1], [0, 0, 0]]
    assert [row[1:] for row in counts_table(found).rows] == [
        ["1", "0", "0", "1"], ["1", "0", "1", "2"], ["0", "0", "0", "0"], ["2", "0", "1", "3"],
    ]  # fmt: skip
    assert found.to_dict()["counts"] == [[1, 0, 0], [1, 0, 1], [0, 0, 0]]


def test_doubts_name_what_is_rare_unseen_or_dominated() -> None:
    cost = ic.CostMatrix([[0, 3, 5], [1, 0, 3], [3, 1, 0], [9, 9, 9]], ["a", "b", "c", "never"], ["x", "y", "z"])
    said = doubts(ic.audit(cost, ["x"] * 100 + ["y"], decisions=["a"] * 100 + ["never"]))
    assert any("“z” was never seen" in text for text in said)
    assert any("“y” was seen in 1 row only" in text for text in said)
    assert any("“b” was never taken" in text for text in said)
    assert any("“never” is never the best" in text for text in said)


def test_scores_that_cannot_be_are_told() -> None:
    found = ic.audit(triage(), ["mild"] * 100, scores=[0.1] * 90 + [99.0] * 10, grid=None)
    assert any(text.startswith("About 10 % of rows have scores beyond") for text in doubts(found))


def test_weights_and_clusters_are_told() -> None:
    found = audit(["mild"] * 100, ["wait"] * 100, clusters=[0, 1] * 50)
    assert any("as much as 2 independent ones" in text for text in doubts(found))
    assert "in 2 clusters" in page_text(found)


@pytest.mark.parametrize("name", audits())
def test_the_call_makes_the_same_audit(name: str) -> None:
    """Run as it stands, with the data under the names it uses."""
    cost = audits()[name].cost
    rng = np.random.default_rng(3)
    P = rng.dirichlet(np.ones(len(cost.outcomes)), size=120)
    y = np.empty(120, dtype=object)
    y[:] = [cost.outcomes[i] for i in rng.integers(0, len(cost.outcomes), size=120)]
    first = ic.audit(cost, y, probabilities=P, bins=5, norm=np.inf, level=0.9, resamples=3, seed=4, grid=None)
    names: dict[str, object] = {"y": y, "probabilities": P}
    code, _, last = python_call(first).rpartition("\n")
    assert last == 'found.to_html("audit.html")'
    exec(code, names)
    again = names["found"]
    assert isinstance(again, ic.Audit)
    assert again.cost == first.cost and again.to_dict() == first.to_dict()


def test_the_call_names_what_was_given() -> None:
    assert "ic.audit(cost, y, probabilities=probabilities, prop=prop, groups=groups, " in python_call(
        audits()["too sure"]
    )
    tally = ic.tally(triage(), ["mild"], decisions=["wait"])
    assert "ic.audit_tally(tally, bins=20" in python_call(ic.audit_tally(tally))


def test_an_audit_of_a_frame_shows_its_columns_and_how_to_repeat_it() -> None:
    import pandas as pd

    frame = pd.DataFrame(
        {"<b>y</b>": ["mild", "severe"] * 30, "p_1": 0.5, "p_2": 0.2, "p_3": 0.3, "g": ["a", "b"] * 30}
    )
    columns = {"mild": "p_1", "moderate": "p_2", "severe": "p_3"}
    found = ic.audit_frame(triage(), frame, outcome="<b>y</b>", probabilities=columns, group="g", resamples=3)
    text = page_text(found)
    assert "probability of moderate" in text and "&lt;b&gt;y&lt;/b&gt;" in text and "<b>y</b>" not in text
    names: dict[str, object] = {"frame": frame}
    exec(python_call(found).rpartition("\n")[0], names)
    again = names["found"]
    assert isinstance(again, ic.Audit) and again.to_dict() == found.to_dict()


def test_the_share_of_certified_rows_is_in_the_headline() -> None:
    found = audit(["mild"] * 990 + ["moderate", "severe"] * 5, ["wait"] * 990 + ["test"] * 10)
    sentence = headline_of(found).sentence
    assert sentence.startswith(
        "1 of the 2 decisions taken, for 99 % of rows, is certified right at 95 %; “test” is undecided"
    )


def test_groups_hold_together_and_many_decisions_are_counted() -> None:
    found = audit(["mild", "severe"] * 50, ["wait", "treat"] * 50, groups=["g", "h"] * 50)
    table = groups_table(found)
    assert table is not None and "each at 97.5 %, so that all hold together at 95 %" in table.caption
    assert [row[0] for row in table.rows] == ["g", "h"]
    cost = ic.CostMatrix.ordinal(range(8))
    table = groups_table(ic.audit(cost, [1, 2] * 50, decisions=[1, 2] * 50, groups=["g", "h"] * 50))
    assert table is not None and table.columns[-1] == "verdicts" and "never taken" in table.rows[0][-1]


def test_notes_have_the_constant_and_its_norm() -> None:
    found = audits()["too sure"]
    (note,) = (note for note in method_notes(found) if "K = " in note)
    assert f"K = {found.prop.lipschitz(1):.3g} in L1" in note


def test_the_same_audit_gives_the_same_bytes() -> None:
    assert page_text(audits()["too sure"]) == page_text(audits()["too sure"])


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    path = tmp_path / "audit.html"
    path.write_text("precious")
    with pytest.raises(ic.PredictionError, match="exists; choose another name or pass overwrite=True"):
        audits()["right"].to_html(path)
    assert path.read_text() == "precious"
    audits()["right"].to_html(path, overwrite=True)
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert list(tmp_path.iterdir()) == [path]


def test_a_page_of_many_groups_and_labels_stays_small() -> None:
    labels = [f"grade {i} with a name that is not short" for i in range(45)]
    cost = ic.CostMatrix.ordinal(labels)
    rng = np.random.default_rng(0)
    y = rng.choice(labels, size=4000)
    found = ic.audit(cost, y, decisions=y, groups=[f"group {i}" for i in rng.integers(0, 60, size=4000)], resamples=2)
    text = page_text(found)
    assert len(text.encode("utf-8")) < 1_000_000
    assert "the first 40 of 45 decisions and 45 outcomes" in text and "group 59" in text


def test_without_jinja_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "jinja2"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r"pip install 'isocost\[report\]'"):
        page_text(audits()["right"])
