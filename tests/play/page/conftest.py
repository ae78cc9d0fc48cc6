"""Windows in which pages are opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.browser import Opener, Window


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Window]]:
    """Open pages, each in a window of its own; none may have an error on its console in the end."""
    windows: list[Window] = []

    def open_page(html: str, **options: Any) -> Window:
        file = tmp_path / "level.html"
        file.write_text(html, encoding="utf-8")
        window = Window(browser, **options)
        windows.append(window)
        window.open(file.as_uri())
        return window

    yield open_page
    for window in windows:
        assert not window.errors
        window.context.close()


@pytest.fixture(scope="module")
def usual(browser: Any) -> Window:
    """A window that the tests of a module share."""
    return Window(browser)


@pytest.fixture
def shown(browser: Any, usual: Window, tmp_path: Path) -> Opener:
    """Open pages of levels."""
    return Opener(browser, usual, tmp_path)
