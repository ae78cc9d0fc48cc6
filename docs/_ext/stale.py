"""Sphinx extension that removes pages of an earlier build whose source no longer exists."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

MADE = {"genindex", "search", "py-modindex"}
"""Pages without a source."""


def remove(app: Sphinx, error: Exception | None) -> None:
    """Remove the HTML pages that this build did not make."""
    site = Path(app.outdir)
    for page in site.rglob("*.html") if error is None else ():
        name = page.relative_to(site).with_suffix("").as_posix()
        if not name.startswith(("_", "made/")) and name not in app.env.found_docs | MADE:
            page.unlink()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register `remove`, which runs after the pages are written."""
    app.connect("build-finished", remove)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
