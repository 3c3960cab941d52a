"""Ladder, reliability, certificate and identification as drawn: on every kind of input, light and dark."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import isocost as ic
from isocost import plot
from isocost.plot.style import DARK, LIGHT, cell_colours, line_colours
from tests.plot.drawn import contrast, png, require_texts_apart, words
from tests.plot.worlds import audits, scalar_properties, triage

DRAWN = [name for name in audits() if name != "nasty labels"]  # DejaVu has no Japanese: tested on the page
CURVED = [name for name in DRAWN if audits()[name].reliability is not None and name != "one decision"]


@pytest.mark.parametrize("name", scalar_properties())
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("draw", [plot.ladder, plot.identification])
def test_every_property_is_drawn_with_its_texts_apart(draw: Any, name: str, dark: bool) -> None:
    ax = draw(scalar_properties()[name], dark=dark, title="$100 & <b>")
    assert png(ax)
    require_texts_apart(ax)
    assert "$100 & <b>" in words(ax)
    figure = ax.figure
    assert isinstance(figure, Figure) and figure.get_figwidth() == pytest.approx(3.3)


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("dark", [False, True])
def test_every_certificate_is_drawn_with_its_texts_apart(name: str, dark: bool) -> None:
    ax = plot.certificate(audits()[name], dark=dark)
    assert png(ax)
    require_texts_apart(ax)


@pytest.mark.parametrize("name", CURVED)
@pytest.mark.parametrize("dark", [False, True])
def test_every_curve_is_drawn_with_its_texts_apart(name: str, dark: bool) -> None:
    ax = plot.reliability(audits()[name], dark=dark, title="of 900")
    assert png(ax)
    require_texts_apart(ax)


def test_a_ladder_names_decisions_cuts_ends_and_shares() -> None:
    ax = plot.ladder(audits()["too sure"])
    shares = {v.decision: v.share for v in audits()["too sure"].certificate.verdicts}
    said = words(ax)
    for decision, share in shares.items():
        assert f"{decision} · {100 * share:.0f} %" in said
    assert {"0.5", "1.87", "0", "mild is certain", "severe is certain"} <= set(said)


def test_every_decision_of_thirty_has_its_name() -> None:
    said = words(plot.ladder(scalar_properties()["thirty decisions"]))
    assert {str(i) for i in range(30)} <= set(said)


def test_a_ladder_says_what_lies_beyond_its_ends() -> None:
    prop = scalar_properties()["two decisions"]
    said = words(plot.ladder(prop, scores=[-9.0, 0.1, 0.2, 0.3, 9.0]))
    assert "ok is certain; 20 % beyond" in said and "bad is certain; 20 % beyond" in said


def uneven() -> ic.Audit:
    """Two decisions that are taken often, one wrongly; one that is taken twice."""
    y = ["severe"] * 900 + ["moderate"] * 900 + ["mild", "severe"]
    return ic.audit(triage(), y, decisions=["wait"] * 900 + ["test"] * 900 + ["treat"] * 2)


def test_the_verdicts_have_different_shapes() -> None:
    ax = plot.certificate(uneven())
    names = ("certified", "miscalibrated", "undecided")
    shapes = {line.get_label(): line.get_marker() for line in ax.lines if line.get_label() in names}
    assert len(shapes) == len(set(shapes.values())) == 3
    assert "treat: never taken" in words(plot.certificate(audits()["decisions only"]))


def test_what_a_certificate_cannot_hold_is_an_arrow() -> None:
    ax = plot.certificate(uneven())
    low, high = ax.get_xlim()
    gaps = [gap for verdict in uneven().certificate.verdicts for gap in verdict.gaps]
    outside = sum(int(min(g.low, g.estimate.low) < low) + int(max(g.high, g.estimate.high) > high) for g in gaps)
    assert outside == 2
    assert sum(line.get_label() == "beyond" for line in ax.lines) == outside


def test_an_audit_plots_its_curve_or_its_certificate() -> None:
    assert audits()["right"].plot().get_xlabel() == "score"
    ax = Figure().subplots()
    assert audits()["not orderable"].plot(ax=ax, title="t", dark=True) is ax
    assert ax.get_xlabel() == "what the other would have cost beyond it"


@pytest.mark.parametrize("draw", [plot.ladder, plot.identification])
def test_several_numbers_are_refused_with_the_way_out(draw: Any) -> None:
    name = f"plot.{draw.__name__}"
    with pytest.raises(ic.CostMatrixError, match=f"{name} draws a score of one number; this property needs 2.*simplex"):
        draw(ic.linear(ic.CostMatrix(1 - np.eye(3))))
    with pytest.raises(ic.CostMatrixError, match=r"needs 3, .*plot\.certificate"):
        draw(ic.linear(ic.CostMatrix(1 - np.eye(4))))
    with pytest.raises(ic.CostMatrixError, match=r"got CostMatrix\. Write ic\.smooth\(cost\)"):
        draw(triage())


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("not orderable", "its property has scores of 2 numbers"),
        ("decisions only", "it has no scores of a smooth property"),
        ("one decision", "one decision is always best"),
    ],
)
def test_an_audit_without_a_curve_says_why(name: str, why: str) -> None:
    with pytest.raises(ic.PredictionError, match=why):
        plot.reliability(audits()[name])


def test_an_audit_without_resamples_says_so() -> None:
    audit = ic.audit(triage(), ["mild"], probabilities=[[1, 0, 0]], resamples=0)
    with pytest.raises(ic.PredictionError, match=r"no resamples\. Audit with resamples=200"):
        plot.reliability(audit)
    assert png(plot.ladder(audit))


@pytest.mark.parametrize("draw", [plot.reliability, plot.certificate])
def test_what_is_no_audit_is_refused(draw: Any) -> None:
    with pytest.raises(ic.PredictionError, match=r"draws an Audit; got SmoothProperty\. Write ic\.audit"):
        draw(scalar_properties()["embedding"])


def test_a_ladder_takes_one_source_of_scores() -> None:
    prop = scalar_properties()["embedding"]
    with pytest.raises(ic.PredictionError, match="one of an audit, `predictions` and `scores`"):
        plot.ladder(prop, predictions=[[1, 0, 0]], scores=[1.0])
    with pytest.raises(ic.PredictionError, match="one number a row"):
        plot.ladder(prop, scores=[[1.0]])


@pytest.mark.parametrize("size", [(3.3, 3.0), (6.6, 5.0)])
@pytest.mark.parametrize("draw", ["ladder", "reliability", "certificate", "identification"])
def test_given_axes_are_drawn_into(draw: str, size: tuple[float, float]) -> None:
    ax: Axes = Figure(figsize=size).subplots()
    what = audits()["too sure"] if draw != "identification" else scalar_properties()["embedding"]
    assert getattr(plot, draw)(what, ax=ax) is ax
    assert png(ax)


def test_pyplot_knows_nothing_of_any() -> None:
    before = plt.get_fignums()
    plot.ladder(audits()["right"])
    plot.reliability(audits()["right"])
    plot.certificate(audits()["right"])
    plot.identification(scalar_properties()["embedding"])
    assert plt.get_fignums() == before


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_texts_and_lines_stand_out(theme: Any) -> None:
    assert contrast(theme.ink, theme.paper) > 12 and contrast(theme.grey, theme.paper) > 4.5
    for number in (1, 2, 3, 7, 30):
        for colour in cell_colours(theme, number):
            assert contrast(theme.ink, colour) > 4.5, colour
    for colour in (theme.good, theme.bad, *line_colours(theme, 3)[:2]):
        assert contrast(colour, theme.paper) > 3, colour


# Machado, Oliveira and Fernandes, IEEE TVCG 15 (2009), full severity, on linear RGB.
COLOUR_VISION = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    "full": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
}


def seen(colour: str, vision: str) -> np.ndarray:
    """CIE L*a*b* (D65) of a colour as seen with that vision."""
    from matplotlib.colors import to_rgb

    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.array(COLOUR_VISION[vision]) @ linear, 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x = to_xyz @ linear / np.array([0.9505, 1.0, 1.089])
    f = np.where(x > (6 / 29) ** 3, np.cbrt(x), x / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("vision", COLOUR_VISION)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_stay_apart_for_every_colour_vision(theme: Any, vision: str) -> None:
    """A distance of 2.3 is just noticed; neighbours of five decisions are at least at 6, good and bad far apart."""

    def distance(one: str, other: str) -> float:
        return float(np.linalg.norm(seen(one, vision) - seen(other, vision)))

    for number in (2, 3, 5):
        cells = cell_colours(theme, number)
        assert min(distance(a, b) for a, b in pairwise(cells)) > 6, number
        assert min(distance(a, b) for a, b in combinations(cells, 2)) > 6, number
    assert distance(theme.good, theme.bad) > 30
    lines = line_colours(theme, 3)
    assert min(distance(a, b) for a, b in combinations(lines, 2)) > 15
