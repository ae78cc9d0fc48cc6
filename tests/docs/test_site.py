"""The site is built without warnings, refers to what is there, asks no other host, and can be used by everybody."""

import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from support.browser import Window
from support.modules import ROOT
from support.site import Links, pages, site
from support.thorough import THOROUGH
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
    text = (site() / "start/puzzles.html").read_text()
    for name in names():
        for theme in ("light", "dark"):
            assert f"{name}-{theme}.svg" in text


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


OF_COLOUR = ["color-contrast", "link-in-text-block"]
"""The rules whose answer depends on the scheme, and which take nearly all of the time."""
NEW_LOOKS = """(seen) => {
  const looks = new Set(seen), solid = (colour) => !/^(transparent|rgba\\(.*, 0\\))$/.test(colour);
  const below = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) {
      const style = getComputedStyle(each);
      layers.push(style.opacity, style.backgroundImage);
      if (solid(style.backgroundColor)) { layers.push(style.backgroundColor); break; }
    }
    return layers.join();
  };
  const look = (element) => {
    const {color, fontSize, fontWeight, textDecorationLine, textShadow} = getComputedStyle(element);
    return [color, fontSize, fontWeight, textDecorationLine, textShadow, below(element)].join(" ");
  };
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!text || !element.checkVisibility()) continue;
    const key = element.tagName + " " + look(element) + (element.tagName === "A" ? look(element.parentElement) : "");
    if (!looks.has(key)) element.setAttribute("data-new-look", "");
    looks.add(key);
  }
  return [...looks];
}"""
"""Mark a text of each look that no page before had: its colour, size and weight, and all that lies below it."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_can_be_read(browser: Any, scheme: str) -> None:
    """Check the contrast of one text of each look; a thorough run checks all texts of all pages."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    window = Window(browser, color_scheme=scheme)
    found: list[Any] = []
    looks: list[str] = []
    for page in pages():
        window.page.goto(page.as_uri())
        number, looks = len(looks), window.run(NEW_LOOKS, looks)
        if THOROUGH or len(looks) > number:
            where = None if THOROUGH else {"include": [["[data-new-look]"]]}
            found += serious(axe, window, page, {"type": "rule", "values": OF_COLOUR}, where)
    assert len(looks) > 20
    assert not found


def test_no_serious_fault_for_people_with_disabilities(browser: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    window = Window(browser)
    found: list[Any] = []
    rules = {rule: {"enabled": False} for rule in OF_COLOUR}
    for page in pages():
        window.page.goto(page.as_uri())
        found += serious(axe, window, page, rules=rules)
    assert not found


def serious(axe: Any, window: Window, page: Path, only: Any = None, where: Any = None, rules: Any = None) -> list[Any]:
    options = {
        "resultTypes": ["violations"],
        **({"runOnly": only} if only else {}),
        **({"rules": rules} if rules else {}),
    }
    faults = axe.run(window.page, context=where, options=options).response["violations"]
    grave = [fault for fault in faults if fault["impact"] in ("serious", "critical")]
    return [(fault["id"], page.name, fault["nodes"][0]["target"]) for fault in grave]


def test_search_without_a_server(browser: Any) -> None:
    window = Window(browser)
    window.page.goto((site() / "search.html").as_uri() + "?q=pattern+database")
    window.page.wait_for_selector("#search-results ul.search li")
    assert "native planner" in window.page.inner_text("#search-results")
    assert not window.errors


def test_pictures_of_state_spaces_can_be_opened_alone() -> None:
    for name in ("start/play.html", "tutorials/first-puzzle.html"):
        page = site() / name
        [target] = [link for link in links(page).links if re.search(r"(space|states)\d*\.svg$", link)]
        assert (page.parent / target).is_file()
