"""The site is built without warnings, refers to what is there, asks no other host, and can be used by everybody."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from support.browser import Window, chromium
from support.modules import ROOT
from support.site import Links, pages, site
from unpuzzle.translators import names

ELSEWHERE = re.compile(r"""(?:url\(|@import|src=|fetch\(|import\()\s*["']?(?:https?:)?//""")
"""What makes a browser ask another host, in pages, styles and scripts."""


@cache
def links(page: Path) -> Links:
    return Links(page)


def test_links_and_anchors_are_there() -> None:
    dead = []
    for page in pages():
        for link in links(page).links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            anchor = unquote(parts.fragment) if target in pages() else ""
            if not target.is_file() or (anchor and anchor not in links(target).anchors):
                dead.append((page.name, link))
    assert not dead


def test_no_other_host_is_asked() -> None:
    loaded = [(page.name, name) for page in pages() for name in links(page).loaded]
    assert [(page, name) for page, name in loaded if re.match(r"(?:https?:)?//", name)] == []
    texts = [path for path in site().rglob("*") if path.suffix in (".html", ".css", ".js", ".svg")]
    assert len(texts) > 50
    assert [path.name for path in texts if ELSEWHERE.search(path.read_text(errors="replace"))] == []


def test_everything_loaded_is_there() -> None:
    missing = []
    for page in pages():
        for name in links(page).loaded:
            path = urlsplit(name).path
            if path and not name.startswith("data:") and not (page.parent / unquote(path)).is_file():
                missing.append((page.name, name))
    assert not missing


def test_every_page_can_be_found_by_search() -> None:
    index = (site() / "searchindex.js").read_text()
    for page in sorted((ROOT / "docs").rglob("*.md")):
        name = page.relative_to(ROOT / "docs").with_suffix("").as_posix()
        if not name.startswith(("_made", "files")):
            assert f'"{name}"' in index, name


def test_every_puzzle_is_drawn_in_light_and_dark() -> None:
    text = (site() / "puzzles.html").read_text()
    for name in names():
        for theme in ("light", "dark"):
            assert f"{name}-{theme}.svg" in text


@pytest.fixture(scope="module")
def browser() -> Any:
    site()
    with chromium() as started:
        yield started


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 1200), ("light", 400)])
def test_pages_in_a_browser(browser: Any, scheme: str, width: int) -> None:
    window = Window(browser, color_scheme=scheme, viewport={"width": width, "height": 800})
    faults = []
    for page in pages():
        window.page.goto(page.as_uri())
        window.page.wait_for_load_state("load")
        if window.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            faults.append((page.name, "is wider than the window"))
    faults += [("a page", error) for error in window.errors]
    faults += [("a page", url) for url in window.requests if not re.match("file:|data:|blob:|about:", url)]
    assert not faults


OF_COLOUR: dict[str, Any] = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""The rules whose answer depends on the scheme."""


@pytest.mark.parametrize(("scheme", "rules"), [("light", {}), ("dark", OF_COLOUR)])
def test_no_serious_fault_for_people_with_disabilities(browser: Any, scheme: str, rules: dict[str, Any]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    window = Window(browser, color_scheme=scheme)
    found = []
    for page in pages():
        window.page.goto(page.as_uri())
        options = {"resultTypes": ["violations"], **rules}
        for fault in axe.run(window.page, options=options).response["violations"]:
            if fault["impact"] in ("serious", "critical"):
                found.append((fault["id"], page.name, fault["nodes"][0]["target"]))
    assert not found


def test_search_without_a_server(browser: Any) -> None:
    window = Window(browser)
    window.page.goto((site() / "search.html").as_uri() + "?q=pattern+database")
    window.page.wait_for_selector("#search-results ul.search li")
    assert "native planner" in window.page.inner_text("#search-results")
    assert not window.errors


def test_pictures_of_state_spaces_can_be_opened_alone() -> None:
    for name in ("play.html", "tutorials/first-puzzle.html"):
        page = site() / name
        [target] = [link for link in links(page).links if re.search(r"(space|states)\d*\.svg$", link)]
        assert (page.parent / target).is_file()
