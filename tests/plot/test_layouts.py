"""What the ladder, the curve, the certificate and the lines consist of, as plain arrays."""

from __future__ import annotations

import numpy as np
import pytest

import isocost as ic
from isocost.plot.curves import curve_of
from isocost.plot.explain import decision_in_words
from isocost.plot.gaps import gap_rows, shown_range
from isocost.plot.ladders import ladder_of
from isocost.plot.pieces_of_loss import lines_of
from isocost.plot.scale_of import intervals_of
from isocost.simplex import sample_simplex
from tests.plot.worlds import audits, scalar_properties


@pytest.mark.parametrize("name", scalar_properties())
def test_intervals_hold_exactly_the_scores_that_get_their_decision(name: str) -> None:
    prop = scalar_properties()[name]
    found = intervals_of(prop, "a picture")
    assert sorted(map(str, found.decisions)) == sorted(map(str, prop.decisions))
    assert (np.diff(found.marks) >= 0).all()
    for i, decision in enumerate(found.decisions):
        middle = (found.marks[i] + found.marks[i + 1]) / 2
        if isinstance(prop, ic.LinearProperty):
            assert prop.decide(np.full((1, prop.dimension), middle))[0] == decision
        else:
            assert prop.decide(middle) == decision
    P = sample_simplex(200, len(prop.outcomes), seed=0)
    u = prop.value(P).reshape(200, -1).sum(axis=1)
    assert (u >= found.marks[0] - 1e-9).all() and (u <= found.marks[-1] + 1e-9).all()


def test_a_ladder_from_an_audit_has_the_shares_of_its_certificate() -> None:
    audit = audits()["too sure"]
    found = ladder_of(audit)
    assert found.shares is not None and found.density is not None
    assert found.shares.tolist() == [audit.certificate[d].share for d in found.intervals.decisions]
    assert (found.density.height * np.diff(found.density.edges)).sum() == pytest.approx(1)


def test_shares_of_scores_are_counted() -> None:
    prop = scalar_properties()["linear, one number"]
    found = ladder_of(prop, scores=[-0.6, -0.55, 0.1, 0.6])
    assert found.shares is not None
    # Its order is that of the score, not of the table.
    shares = dict(zip(found.intervals.decisions, found.shares.tolist(), strict=True))
    assert shares == {5: 0.5, 4: 0.0, 3: 0.0, 2: 0.25, 1: 0.0, 0: 0.25}


@pytest.mark.parametrize("name", scalar_properties())
def test_predictions_of_every_property_are_counted(name: str) -> None:
    prop = scalar_properties()[name]
    P = sample_simplex(300, len(prop.outcomes), seed=6)
    found = ladder_of(prop, predictions=P)
    if prop.dimension == 0:
        assert found.shares is None
        return
    decided = prop.decide(prop.value(P)).tolist()
    assert found.shares is not None
    np.testing.assert_allclose(found.shares, [decided.count(d) / 300 for d in found.intervals.decisions])


@pytest.mark.parametrize("name", ["right", "too sure", "two decisions", "thirty decisions", "few rows"])
def test_the_curve_is_that_of_the_audit_within_the_range(name: str) -> None:
    audit = audits()[name]
    found, curve = curve_of(audit), audit.reliability
    assert curve is not None
    low, high = found.intervals.marks[[0, -1]]
    assert found.steps[0] == low and found.steps[-1] == high
    assert (np.diff(found.steps) >= 0).all() and (np.diff(found.fitted) >= 0).all()
    np.testing.assert_array_equal(found.fitted[::2], curve.fitted)
    for band in (found.consistency, found.confidence):
        assert (band >= low).all() and (band <= high).all() and (band[:, 0] <= band[:, 1]).all()
    assert found.mass.max() == 1


@pytest.mark.parametrize("name", audits())
def test_rows_of_the_certificate_are_its_gaps(name: str) -> None:
    audit = audits()[name]
    rows = gap_rows(audit)
    assert [row.decision for row in rows if row.decision is not None] == [
        verdict.decision for verdict in audit.certificate.verdicts
    ]
    assert (np.diff([row.place for row in rows]) >= 1).all()
    low, high = shown_range(rows)
    assert low < 0 < high
    for row in rows:
        if row.instead is not None:
            (gap,) = (gap for gap in row.verdict.gaps if gap.instead == row.instead)
            assert (row.value, row.least, row.most) == (gap.estimate.value, gap.low, gap.high)
            assert low <= row.value <= high


def test_of_many_alternatives_the_cheapest_two_are_shown() -> None:
    cost = ic.CostMatrix(1 - np.eye(5))
    audit = ic.audit(cost, [0] * 50 + [1] * 30 + [2] * 20 + [3] * 10, decisions=[0] * 110)
    (first, second, *_) = gap_rows(audit)
    assert (first.instead, second.instead) == (1, 2)


@pytest.mark.parametrize("name", scalar_properties())
def test_lines_are_v_and_its_integral(name: str) -> None:
    prop = scalar_properties()[name]
    found = lines_of(prop)
    slopes = np.gradient(found.L, found.scores, axis=0)[1:-1]
    away = np.array([np.abs(found.corners - u).min() > 0.02 * np.ptp(found.corners) for u in found.scores[1:-1]])
    between = np.column_stack([np.interp(found.scores[1:-1], found.corners, V) for V in found.V.T])
    scale = max(float(np.abs(found.V).max()), 1e-9)
    if not (isinstance(prop, ic.LinearProperty) and prop.dimension == 0):
        np.testing.assert_allclose(slopes[away] / scale, between[away] / scale, atol=0.02)
    assert (found.L >= 0).all()


@pytest.mark.parametrize("name", scalar_properties())
def test_a_decision_is_explained_with_its_own_name(name: str) -> None:
    prop = scalar_properties()[name]
    for p in sample_simplex(20, len(prop.outcomes), seed=1):
        said = decision_in_words(prop, p)
        decision = prop.decide(prop.value(p[None]))[0]
        assert str(decision) in said
