"""The triangle as drawn: what is on it, that labels are literal, and that nothing global is left behind."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.figure import Figure

import isocost as ic
from isocost.plot import simplex
from isocost.simplex import sample_simplex
from tests.plot.drawn import png, require_texts_apart

EXAMPLE = [[0, 3, 5], [1, 0, 3], [3, 1, 0]]
NASTY = ["$100–$500", "<script>", "_x^2 $\\frac"]


def example(
    decisions: Sequence[str] = ("wait", "test", "treat"), outcomes: Sequence[str] = ("mild", "moderate", "severe")
) -> ic.CostMatrix:
    return ic.CostMatrix(EXAMPLE, decisions, outcomes)


def embedding() -> ic.SmoothProperty:
    return ic.smooth(example(), method="embedding", ratios=[0.5])


def lines(ax: Axes, label: str) -> list[np.ndarray]:
    (found,) = (c for c in ax.collections if isinstance(c, LineCollection) and c.get_label() == label)
    return list(found.get_segments())


def texts(ax: Axes) -> list[str]:
    legend = ax.get_legend()
    named = [] if legend is None else [text.get_text() for text in legend.get_texts()]
    return [text.get_text() for text in ax.texts] + named


def test_draws_a_picture() -> None:
    ax = simplex(embedding())
    picture = png(ax)
    assert picture.startswith(b"\x89PNG") and len(picture) > 5000
    figure = ax.figure
    assert isinstance(figure, Figure) and figure.get_figwidth() == pytest.approx(3.3)


@pytest.mark.parametrize("title", [None, "When to treat"])
def test_a_new_figure_holds_all_its_texts(title: str | None) -> None:
    ax = simplex(embedding(), title=title)
    require_texts_apart(ax)


def test_one_line_a_level_and_one_a_boundary() -> None:
    ax = simplex(embedding(), levels=[0.5, 0.75, 1, 1.5, 2.5, 7])  # 0.5 is a cut, 7 is outside
    assert len(lines(ax, "level sets")) == 4
    assert len(lines(ax, "boundaries")) == 2
    # 0.2, …, 2.8 without the cut 2
    assert len(lines(simplex(embedding()), "level sets")) == 13
    assert lines(simplex(embedding(), levels=0), "level sets") == []


def test_lines_join_distributions_with_that_score() -> None:
    prop = embedding()
    ax = simplex(prop, levels=[0.25, 1.25, 2.75])
    for u, segment in zip([0.25, 1.25, 2.75], lines(ax, "level sets"), strict=True):
        top = segment[:, 1] / (math.sqrt(3) / 2)
        right = segment[:, 0] - top / 2
        P = np.clip(np.column_stack([1 - top - right, top, right]), 0, 1)
        np.testing.assert_allclose(prop.value(P), u, atol=1e-9)


def test_names_cells_corners_cuts_and_ends() -> None:
    shown = texts(simplex(embedding(), title="When to treat"))
    for text in ("wait", "test", "treat", "mild", "moderate", "severe", "0.5", "2", "0", "3"):
        assert text in shown


def test_the_lowest_score_is_left_whatever_the_order_of_outcomes() -> None:
    table = np.array(EXAMPLE)[:, [2, 0, 1]]
    cost = ic.CostMatrix(table, ["wait", "test", "treat"], ["severe", "mild", "moderate"])
    ax = simplex(ic.smooth(cost))
    assert [text.get_text() for text in ax.texts[:3]] == ["mild", "moderate", "severe"]
    assert ax.texts[0].get_position()[0] < ax.texts[1].get_position()[0] < ax.texts[2].get_position()[0]


@pytest.mark.parametrize("side", ["decisions", "outcomes"])
def test_labels_and_title_are_literal(side: str) -> None:
    ax = simplex(
        ic.smooth(example(decisions=NASTY) if side == "decisions" else example(outcomes=NASTY)), title="$x_1$ & <b>"
    )
    assert png(ax)  # with mathtext on, "_x^2 $\frac" could not even be drawn
    assert set(NASTY) <= set(texts(ax))
    legend = ax.get_legend()
    every = [*ax.texts, ax.title, *([] if legend is None else legend.get_texts())]
    assert not any(text.get_parse_math() for text in every)
    assert ax.get_title() == "$x_1$ & <b>"


def test_labels_of_tiny_cells_go_to_a_legend_literally() -> None:
    ax = simplex(ic.smooth(example(decisions=["_hidden costs $1", "$100–$500 <script>", "treat"])))
    legend = ax.get_legend()
    assert legend is not None
    assert texts(ax)[-len(legend.get_texts())] == "_hidden costs $1"
    assert not any(text.get_parse_math() for text in legend.get_texts())
    assert png(ax)


def every_kind() -> dict[str, ic.SmoothProperty | ic.LinearProperty]:
    median = ic.CostMatrix.ordinal(["low", "mid", "high"], power=1)
    stretch = ic.CostMatrix([[0, 0, 0], [1, -1, -2], [2, -2, "-7/2"]])  # boundaries touch on the left side
    return {
        "smooth": embedding(),
        "touching": ic.smooth(median, "touching"),
        "touching, stretch": ic.smooth(stretch, "touching"),
        "interior": ic.smooth(median, interior=0.05),
        "interior, small": ic.smooth(median, interior=0.15),
        "linear": ic.linear(ic.CostMatrix(1 - np.eye(3), ["cat", "dog", "bird"])),
    }


@pytest.mark.parametrize("kind", every_kind())
@pytest.mark.parametrize("size", [(3.3, 3.25), (7.0, 6.0)])
def test_every_kind_is_drawn_with_its_texts_apart(kind: str, size: tuple[float, float]) -> None:
    prop = every_kind()[kind]
    ax = simplex(prop, ax=Figure(figsize=size).add_axes((0, 0, 1, 0.9)), title="title")
    assert png(ax)
    require_texts_apart(ax)
    assert {str(label) for label in (*prop.decisions, *prop.outcomes)} <= set(texts(ax))
    patches = [str(patch.get_label()) for patch in ax.patches]
    assert [name for name in patches if name.startswith("cell ")] == [f"cell {label}" for label in prop.decisions]
    assert ("rim" in patches) == kind.startswith("interior")
    assert (len(lines(ax, "level sets")) > 0) == (kind != "linear")
    assert ("score →" in texts(ax)) == (kind != "linear")
    stretches = [line for line in ax.lines if line.get_label() == "stretch"]
    assert len(stretches) == (kind == "touching, stretch")


def test_where_boundaries_touch_the_cut_is_written_once() -> None:
    assert texts(simplex(every_kind()["touching"])).count("0") == 1


def test_the_stretch_of_a_squeezed_cell_runs_from_boundary_to_boundary() -> None:
    ax = simplex(every_kind()["touching, stretch"])
    (stretch,) = (line for line in ax.lines if line.get_label() == "stretch")
    feet = [segment[0, 0] for segment in lines(ax, "boundaries")]
    np.testing.assert_allclose(np.asarray(stretch.get_xydata()), np.column_stack([feet, [0, 0]]))


@pytest.mark.parametrize("method", ["embedding", "normals", "smoothest"])
@pytest.mark.parametrize("size", [(3.3, 3.25), (7.0, 6.0)])
def test_no_two_texts_overlap(method: str, size: tuple[float, float]) -> None:
    figure = Figure(figsize=size)
    costs = (
        example(),
        ic.CostMatrix.actions([0, 1, 2, 3, 4.2, 5.6, 7.5], [1, 0.8, 0.65, 0.52, 0.4, 0.3, 0.2], [0, 8, 40]),
    )
    for cost in costs:
        figure.clear()
        ax = simplex(ic.smooth(cost, method=method), ax=figure.add_axes((0, 0, 1, 0.9)), title="title")  # type: ignore[arg-type]
        figure.draw_without_rendering()
        require_texts_apart(ax)


def test_draws_into_given_axes() -> None:
    first, second = Figure().subplots(1, 2)
    assert simplex(embedding(), ax=second) is second
    assert second.texts and not first.texts


@pytest.mark.parametrize("decisions", [1, 2, 40])
def test_any_number_of_decisions(decisions: int) -> None:
    k = decisions
    cost = ic.CostMatrix.actions([i * i for i in range(k)], [1 - i / k for i in range(k)], [0, k * k, 3 * k * k])
    prop = ic.smooth(cost)
    ax = simplex(prop)
    assert len(lines(ax, "boundaries")) == len(prop.decisions) - 1
    legend = ax.get_legend()
    assert legend is None or len(legend.get_texts()) <= 6
    assert png(ax)


def test_pyplot_knows_nothing_of_it() -> None:
    before = plt.get_fignums()
    png(simplex(embedding(), title="x"))
    assert plt.get_fignums() == before


def test_four_outcomes_are_refused() -> None:
    prop = ic.smooth(ic.CostMatrix.ordinal(["a", "b", "c", "d"]))
    with pytest.raises(ic.CostMatrixError, match=r"must be 3 outcomes; got 4\. Merge"):
        simplex(prop)
    with pytest.raises(ic.CostMatrixError, match=r"must be 3 outcomes; got 4\. Merge"):
        simplex(ic.linear(ic.CostMatrix(1 - np.eye(4))))


def test_a_cost_matrix_is_not_a_property() -> None:
    with pytest.raises(ic.CostMatrixError, match=r"got CostMatrix\. Write ic\.smooth\(cost\) or ic\.linear\(cost\)"):
        simplex(example())  # type: ignore[arg-type]


@pytest.mark.parametrize("levels", [-1, True, 2.5, "ten", None, [[1, 2]], [0.5, math.nan], [math.inf]])
def test_bad_levels_are_refused(levels: object) -> None:
    with pytest.raises(ic.CostMatrixError, match="levels must be"):
        simplex(embedding(), levels=levels)  # type: ignore[arg-type]


def test_without_matplotlib_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"pip install 'isocost\[plot\]'"):
        simplex(embedding())


def dots(ax: Axes) -> EllipseCollection:
    (found,) = (c for c in ax.collections if isinstance(c, EllipseCollection))
    return found


def test_predictions_are_dots_whose_area_is_their_share() -> None:
    ax = simplex(embedding(), predictions=[[1, 0, 0], [1, 0, 0], [0, 0, 1]], sample_weight=[1, 1, 0.5])
    found = dots(ax)
    places = np.asarray(found.get_offsets())
    np.testing.assert_allclose(places[np.argsort(places[:, 0])], [[0, 0], [1, 0]], atol=1e-12)
    widths = np.sort(found.get_widths())
    assert widths[1] / widths[0] == pytest.approx(2)  # four times the weight
    assert "largest dot: 80 %\nof 3 predictions" in texts(ax)
    assert png(ax)


def test_a_point_is_ringed_and_explained() -> None:
    ax = simplex(embedding(), point=[0.25, 0.6, 0.15])
    (level,) = (line for line in ax.lines if line.get_label() == "its level set")
    top = level.get_ydata() / (math.sqrt(3) / 2)  # type: ignore[operator]
    right = level.get_xdata() - top / 2  # type: ignore[operator]
    P = np.clip(np.column_stack([1 - top - right, top, right]), 0, 1)
    np.testing.assert_allclose(embedding().value(P), embedding().value([[0.25, 0.6, 0.15]])[0], atol=1e-9)
    ring = [line for line in ax.lines if line.get_label() == "point"]
    np.testing.assert_allclose(np.asarray(ring[0].get_xydata())[0], [0.6 * 0.5 + 0.15, 0.6 * math.sqrt(3) / 2])
    words = texts(ax)[-1]
    assert words == "mild 25 %, moderate 60 %, severe 15 %\nscore 1.04, between the cuts 0.5 and 2: test"
    require_texts_apart(ax)


@pytest.mark.parametrize("kind", every_kind())
@pytest.mark.parametrize("dark", [False, True])
def test_every_kind_shows_a_point_and_predictions(kind: str, dark: bool) -> None:
    P = sample_simplex(200, 3, seed=2)
    ax = simplex(every_kind()[kind], predictions=P, point=[0.2, 0.5, 0.3], dark=dark)
    require_texts_apart(ax)
    assert png(ax)


@pytest.mark.parametrize("argument", ["predictions", "point"])
def test_what_is_no_distribution_is_refused_before_anything_is_drawn(argument: str) -> None:
    ax = Figure().subplots()
    wrong: dict[str, Any] = {"predictions": [[0.5, 0.2, 0.2]], "point": [0.5, 0.2, 0.2]}
    with pytest.raises(ic.PredictionError, match="sums to"):
        simplex(embedding(), ax=ax, **{argument: wrong[argument]})
    assert not ax.texts
