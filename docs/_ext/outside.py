"""Show files that stand beside the folder `docs`, such as the changelog, as pages, and let links to them lead there."""

from __future__ import annotations

from sphinx.application import Sphinx

PAGES = {"CHANGELOG.md": "changelog", "CONTRIBUTING.md": "contributing", "SECURITY.md": "security"}
"""By file the page that shows it."""


def redirect(app: Sphinx, page: str, source: list[str]) -> None:
    """Let links to these files lead to their pages."""
    up = "../" * page.count("/")
    for file, shown in PAGES.items():
        source[0] = source[0].replace(f"]({up}../{file}", f"]({up}{shown}.md")


def redirect_included(app: Sphinx, path: object, page: str, source: list[str]) -> None:
    """Do the same in what is included; there, links start from the folder above `docs`."""
    for file, shown in PAGES.items():
        source[0] = source[0].replace(f"]({file}", f"]({shown}.md")
    source[0] = source[0].replace("](docs/", "](")


def setup(app: Sphinx) -> dict[str, bool]:
    """Redirect when files are read."""
    app.connect("source-read", redirect)
    app.connect("include-read", redirect_included)
    return {"parallel_read_safe": True}
