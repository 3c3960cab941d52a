"""The page as people meet it: in a browser, light, dark, narrow, printed, by keyboard, and with hostile labels."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import isocost as ic
from tests.plot.drawn import contrast
from tests.plot.worlds import NASTY, audits
from tests.report.browser import chromium, opened

SECTIONS = {
    "right": ["costs", "decisions", "certificate", "reliability", "bounds", "data", "measures", "method", "reproduce"],
    "too sure": ["costs", "decisions", "certificate", "reliability", "groups", "bounds", "data", "measures"],
    "decisions only": ["costs", "decisions", "certificate", "data", "measures", "method", "reproduce"],
    "not orderable": ["costs", "decisions", "certificate", "data", "measures", "method", "reproduce"],
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for name, audit in audits().items():
        found[name] = folder / f"{name.replace(' ', '_')}.html"
        audit.to_html(found[name])
    return found


@pytest.mark.parametrize("name", audits())
@pytest.mark.parametrize("width", [360, 1200])
def test_a_page_is_silent_asks_for_nothing_and_is_as_wide_as_the_screen(
    name: str, width: int, browser: Any, pages: dict[str, Path]
) -> None:
    path = pages[name]
    assert path.stat().st_size < 1_000_000
    with opened(browser, path, viewport={"width": width, "height": 800}) as (page, errors, requests):
        assert errors == [] and requests == [path.as_uri()]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("h1").is_visible() and page.locator("h1").inner_text().endswith(".")
        assert page.locator("svg").count() >= 1
        for svg in page.locator("svg").all():
            box = svg.bounding_box()
            assert box["width"] > 150 and box["height"] > 80 and box["x"] >= 0 and box["x"] + box["width"] <= width


@pytest.mark.parametrize("name", SECTIONS)
def test_sections_are_there_and_visible(name: str, browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages[name]) as (page, _, _):
        ids = [section.get_attribute("id") for section in page.locator("main > section").all()]
        assert [x for x in ids if x in SECTIONS[name]] == SECTIONS[name]
        assert ("groups" in ids) == (name == "too sure")
        links = [link.get_attribute("href") for link in page.locator("nav a").all()]
        assert links == [f"#{x}" for x in ids]
        for section in page.locator("main > section").all():
            assert section.is_visible()


def test_the_verdict_stands_first_then_the_orientation(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["too sure"], viewport={"width": 1200, "height": 800}) as (page, _, _):
        text = page.locator("body").inner_text()
        assert text.index("“wait” is undecided") < text.index("deciding wait when the outcome is severe costs 5")
        assert page.locator("h1").bounding_box()["y"] < 200
        cells = [cell.inner_text() for cell in page.locator("#costs td").all()]
        assert cells == ["0", "3", "5", "1", "0", "3", "3", "1", "0"]


def test_labels_of_all_kinds_are_text(browser: Any, pages: dict[str, Path]) -> None:
    path = pages["nasty labels"]
    with opened(browser, path) as (page, errors, requests):
        assert errors == [] and requests == [path.as_uri()]
        assert (
            page.locator("script").count() == 1 and page.locator("script:not([type='application/json'])").count() == 0
        )
        heads = [cell.inner_text() for cell in page.locator("#costs tbody th").all()]
        assert heads == list(NASTY)
        assert page.locator("#groups tbody th").inner_text() == '"><script>x</script>'
        drawn = page.evaluate("[...document.querySelectorAll('#decisions svg text')].map(t => t.textContent).join(' ')")
        assert "$100–$500" in drawn and "日本" in drawn
        data = json.loads(page.locator("script#audit").text_content())
        assert data["outcomes"] == list(NASTY)


def test_what_would_end_the_data_does_not(browser: Any, tmp_path: Path) -> None:
    labels = ["</script><script>alert(1)</script>", "<!--", "]]> & 'q' \"q\" ü", "{{ 7*7 }}"]
    cost = ic.CostMatrix.ordinal(labels)
    audit = ic.audit(cost, labels * 30, decisions=labels * 30, groups=labels * 30)
    path = tmp_path / "page.html"
    audit.to_html(
        path, command="isocost audit '</pre><script>alert(2)</script>' && true", title="<b>t</b>", note="a & b"
    )
    with opened(browser, path) as (page, errors, requests):
        assert errors == [] and requests == [path.as_uri()]
        assert [cell.inner_text() for cell in page.locator("#costs tbody th").all()] == labels
        assert {cell.inner_text() for cell in page.locator("#groups tbody th").all()} == set(labels)
        assert page.locator("pre code").inner_text() == "isocost audit '</pre><script>alert(2)</script>' && true"
        assert page.title() == "<b>t</b>" and page.locator(".note").inner_text() == "a & b"
        data = json.loads(page.locator("script#audit").text_content())
        assert data["decisions"] == labels and set(data["groups"]) == set(labels)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_in_light_and_dark(scheme: str, browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["too sure"], color_scheme=scheme) as (page, _, _):
        style = "getComputedStyle(document.querySelector('{}')).{}"

        def colour(selector: str, of: str = "color") -> str:
            parts = page.evaluate(style.format(selector, of)).removeprefix("rgb(").removesuffix(")").split(",")
            return "#" + "".join(f"{int(part):02x}" for part in parts)

        paper = colour("body", "backgroundColor")
        assert (contrast(paper, "#ffffff") < 2) == (scheme == "light")
        for selector in ("h1", "p", "caption", "td", "figcaption", "nav a", ".badge", ".figures span", "svg text"):
            assert contrast(colour(selector, "fill" if selector.startswith("svg") else "color"), paper) > 4.5, selector


def test_no_colour_of_a_picture_is_fixed(pages: dict[str, Path]) -> None:
    for path in pages.values():
        for svg in re.findall(r"<svg.*?</svg>", path.read_text(encoding="utf-8"), re.DOTALL):
            assert set(re.findall(r"(?:fill|stroke): *(#[0-9a-fA-F]{3,6})", svg)) == set()


def test_the_keyboard_reaches_everything_that_scrolls_or_links(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["right"], viewport={"width": 360, "height": 700}) as (page, _, _):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        for region in page.locator(".scroll").all():
            region.focus()
            assert page.evaluate("document.activeElement.className") == "scroll"
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_the_structure_is_that_of_a_document(browser: Any, pages: dict[str, Path]) -> None:
    for path in pages.values():
        with opened(browser, path) as (page, _, _):
            levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.tagName[1])")
            assert levels[0] == 1 and levels.count(1) == 1
            assert all(later - earlier <= 1 for earlier, later in pairwise(levels))
            for landmark in ("header", "nav[aria-label]", "main", "footer"):
                assert page.locator(landmark).count() == 1
            ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
            assert len(ids) == len(set(ids))
            named = page.evaluate(
                "[...document.querySelectorAll('[aria-labelledby]')].every(e =>"
                " e.getAttribute('aria-labelledby').split(' ').every(i => document.getElementById(i)?.textContent))"
            )
            assert named
            assert page.locator("svg").count() == page.locator("svg[role=img] > title").count()
            assert page.locator("svg").count() == page.locator("svg[role=img] > desc").count()
            assert page.locator("th:not([scope])").count() == 0
            assert page.locator("table:not(:has(caption))").count() == 0
            assert page.evaluate("document.documentElement.lang") == "en"
            widths = page.evaluate(
                "[...document.querySelectorAll('table')].map(t => [...t.rows].map(r => r.cells.length))"
            )
            assert all(len(set(table)) == 1 for table in widths)


def test_it_prints(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["right"], color_scheme="dark") as (page, _, _):
        page.emulate_media(media="print")
        assert not page.locator("nav").is_visible()
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(26, 26, 26)"  # on paper never dark
        assert page.pdf(format="A4").startswith(b"%PDF")
