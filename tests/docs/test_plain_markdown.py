"""Pages can be read on a code host, too, which knows Markdown and tables but none of the site's directives."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from support.modules import ROOT
from support.our_names import is_made

markdown_it = pytest.importorskip("markdown_it")

PAGES = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
PAGES += [page for page in sorted((ROOT / "docs").rglob("*.md")) if not is_made(page)]
PAGES = [page for page in PAGES if not {"_made", "files"} & set(page.relative_to(ROOT).parts)]
EMPTY = ("include", "literalinclude", "image", "figure", "download")
"""Directives of which a code host shows nothing, or only a path."""


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


class Shown(HTMLParser):
    """What a rendered page shows: targets of links and pictures, and the number of headings of the first level."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.titles = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.targets += [value for key, value in attrs if key in ("href", "src") and value]
        self.titles += tag == "h1"


def shown(page: Path) -> Shown:
    """Render a page as GitHub's Markdown, without the head that the site reads."""
    text = re.sub(r"\A---\n.*?\n---\n", "", page.read_text(), flags=re.DOTALL)
    return Shown(markdown_it.MarkdownIt("commonmark", {"html": True}).enable("table").render(text))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_target_of_a_page_is_in_the_repository(page: Path) -> None:
    local = [urlsplit(target) for target in shown(page).targets]
    paths = {unquote(each.path) for each in local if not each.scheme and not each.netloc and each.path}
    assert [
        path for path in sorted(paths) if not (page.parent / path).exists() or is_made((page.parent / path).resolve())
    ] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_has_a_title_and_nothing_that_stays_empty(page: Path) -> None:
    assert shown(page).titles == 1
    directives = re.findall(r"^\s*(?:`{3,}|:{3,})\{([\w-]+)\}|\{([\w-]+)\}`", page.read_text(), re.MULTILINE)
    assert {kind for pair in directives for kind in pair} & {*EMPTY, "container"} == set()
