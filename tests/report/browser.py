"""A headless Chromium that notes what a page says to its console and asks of the network."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.conftest import require_program

__all__ = ["Opened", "chromium", "opened"]

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


class Opened(NamedTuple):
    """A page with what happened while it was loaded."""

    page: Any
    errors: list[str]
    requests: list[str]


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser."""
    from playwright.sync_api import sync_playwright

    path = require_program("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser: Any, path: Path, **options: Any) -> Iterator[Opened]:
    """The page at the path."""
    page = browser.new_page(**options)
    errors: list[str] = []
    requests: list[str] = []

    def dismiss(dialog: Any) -> None:
        errors.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("dialog", dismiss)
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    try:
        yield Opened(page, errors, requests)
    finally:
        page.close()
