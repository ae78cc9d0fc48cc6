"""Sphinx extension that makes the theme accessible by keyboard and screen reader, as axe-core checks.

Pictures of state spaces have more dots than fit on a page: each is a link to itself, alone in the window, to zoom in.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

SPACES = re.compile(r'<img [^>]*src="([^"]*_images/(?:space|states)\d*\.svg)"[^>]*>')
"""Pictures of state spaces, as pages embed them."""
LATE = 900
"""After the theme has made its part."""


def mend(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Let keys scroll wide blocks, add heading levels to the menu, and link pictures of state spaces to themselves."""
    if "body" in context:
        body = context["body"].replace("<pre>", '<pre tabindex="0">')
        body = body.replace('<div class="wide-figure', '<div tabindex="0" class="wide-figure')
        body = body.replace('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper')
        context["body"] = SPACES.sub(r'<a href="\1" title="alone, to zoom in">\g<0></a>', body)
    if "furo_navigation_tree" in context:
        menu = context["furo_navigation_tree"]
        context["furo_navigation_tree"] = menu.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Sphinx) -> dict[str, bool]:
    """Register `mend`, which changes each page before it is written."""
    app.connect("html-page-context", mend, priority=LATE)
    return {"parallel_read_safe": True}
