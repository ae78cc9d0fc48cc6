"""Sphinx extension that shows files outside of `docs`, such as the changelog, as pages, and adapts links to them.

In the repository such a page is only a link to its file, since a code host shows no included files.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

PAGES = {"CHANGELOG.md": "changelog", "CONTRIBUTING.md": "contributing", "SECURITY.md": "security"}
"""By file the page of the folder `project` that shows it."""
FOLDER = "project"


def replace(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace a page's text by the file that it shows, and turn links to such files into links to their pages."""
    for file, shown in PAGES.items():
        if page == f"{FOLDER}/{shown}":
            text = (Path(app.srcdir).parent / file).read_text(encoding="utf-8")
            source[0] = text.replace("](docs/", "](../")
    up = "../" * page.count("/")
    for file, shown in PAGES.items():
        source[0] = re.sub(rf"\]\((?:{re.escape(up)}\.\./)?{re.escape(file)}", f"]({up}{FOLDER}/{shown}.md", source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register `replace`, which runs when a page is read."""
    app.connect("source-read", replace)
    return {"parallel_read_safe": True}
