"""A real browser: the system's Chromium, driven by Playwright. Without them tests are skipped and say so."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from support.thorough import some_of
from unpuzzle import find
from unpuzzle.model.position import Position
from unpuzzle.play.web_page import PlayableLevel, page

POINT = """([x, y]) => {
  const at = new DOMPoint(x, y).matrixTransform($("board").getScreenCTM());
  return [at.x, at.y];
}"""
NAMES = ("chromium", "chromium-browser", "google-chrome")
LOOKS = some_of([("light", 1280), ("light", 400), ("dark", 400), ("dark", 1280)], 2)
"""Colour schemes and widths in which pages are looked at; by default each scheme and each width."""


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser, as an object of Playwright."""
    program = os.environ.get("UNPUZZLE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if program is None or find_spec("playwright") is None:
        pytest.skip("no browser: this test needs Chromium on the path, and Playwright (pip install playwright)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


class Window:
    """A window of the browser, and what went wrong there. Options are those of Playwright's `new_context`."""

    def __init__(self, browser: Any, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self.errors.append(message.text))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, url: str) -> None:
        """Go to a page of ours, and wait until it is ready."""
        self.page.goto("about:blank")  # else an address that differs after the `#` only would not be loaded
        self.requests.clear()
        self.page.goto(url)
        self.page.wait_for_selector("body[data-ready]")

    def run(self, script: str, argument: object = None) -> Any:
        """What a function of the page's own script gives."""
        return self.page.evaluate(script, argument)

    def text(self, name: str) -> str:
        """The text of the element with this id."""
        return str(self.page.inner_text(f"#{name}"))

    def address(self) -> str:
        """What follows the `#` of the address, once it has been changed."""
        later = "() => new Promise((done) => setTimeout(() => done(location.hash.slice(1)), 20))"
        return str(self.page.evaluate(later))

    def point(self, x: float, y: float) -> Any:
        """Where a point of the board is in the window."""
        return self.run(POINT, [x, y])

    def press(self, *keys: str) -> None:
        """Press keys, such as `ArrowLeft`."""
        for key in keys:
            self.page.keyboard.press(key)


class Opener:
    """Makes pages of levels and opens them. With options, a page gets a new window that has these options."""

    def __init__(self, browser: Any, usual: Window, folder: Path) -> None:
        self.browser = browser
        self.usual = usual
        self.file = folder / "level.html"

    @contextmanager
    def __call__(
        self, *levels: PlayableLevel | Position, address: str = "", theme: str = "auto", **options: Any
    ) -> Iterator[Window]:
        made = [level if isinstance(level, PlayableLevel) else PlayableLevel.of(level) for level in levels]
        with self.text(page(made, theme=theme), address, **options) as window:
            yield window

    @contextmanager
    def text(self, html: str, address: str = "", **options: Any) -> Iterator[Window]:
        """Open a page of this text; in the end nothing may have gone wrong there."""
        self.file.write_text(html, encoding="utf-8")
        window = Window(self.browser, **options) if options else self.usual
        window.errors.clear()
        window.open(self.file.as_uri() + address)
        yield window
        assert not window.errors
        if options:
            window.context.close()


def bundled(puzzle: str, level: str) -> Position:
    """The start of a bundled level."""
    game = find(puzzle)
    return game.parse(game.levels[level])
