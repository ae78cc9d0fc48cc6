"""Run the commands of pages when the site is built, and keep the web pages that these commands make.

A page that shows a frame of its own is followed in the folder `_made/made/PAGE`, as `scripts/make/examples.py` does it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from made import make
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError


def follow(app: Sphinx) -> None:
    """Run the commands of the pages that embed web pages made by them, two pages at a time."""
    source = Path(app.srcdir)
    pages = [path for path in sorted(source.rglob("*.md")) if _is_shown(path)]
    script = source.parent / "scripts" / "make" / "examples.py"
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda page: make(app, page.stem, lambda folder: _follow(script, page, folder), page), pages))


def _is_shown(page: Path) -> bool:
    """Return whether a page embeds a web page that its own commands make."""
    return f"{{frames}} {page.stem}/" in page.read_text()


def _follow(script: Path, page: Path, folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()
    command = [sys.executable, str(script), str(page), "--folder", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise ExtensionError(done.stderr)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register `follow`, which runs before Sphinx reads the pages."""
    app.connect("builder-inited", follow)
    return {"parallel_read_safe": True}
