"""Run the tutorials when the site is built, and keep what they make: pages show the pictures that the reader gets.

A page that names `_made/made/PAGE/` is followed in that folder, as `scripts/examples.py` does it for the tests. It is
followed again when its text or the package has changed.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

MADE = Path("_made") / "made"
"""Below the source folder; its content is copied to `made/` of the site."""
PACKAGE = ("src", "pddl", "planners", "puzzlescript", "translators", "scripts/examples.py", "docs/files")


def follow(app: Sphinx) -> None:
    """Follow the pages whose products are shown, two at a time."""
    source = Path(app.srcdir)
    code = _fingerprint(source.parent)
    pages = [path for path in sorted(source.rglob("*.md")) if f"{MADE.as_posix()}/{path.stem}/" in path.read_text()]
    with ThreadPoolExecutor(2) as threads:
        faults = [fault for fault in threads.map(lambda page: _follow(page, source / MADE, code), pages) if fault]
    if faults:
        raise ExtensionError("\n".join(faults))


def _fingerprint(root: Path) -> str:
    paths = [path for name in PACKAGE for path in sorted([root / name, *(root / name).rglob("*")]) if path.is_file()]
    seen = [f"{path} {path.stat().st_mtime_ns}" for path in paths if path.suffix not in (".pyc", ".so")]
    return hashlib.sha256("\n".join(seen).encode()).hexdigest()


def _follow(page: Path, made: Path, code: str) -> str:
    """Follow a page if it or the code has changed; return what went wrong."""
    folder, stamp = made / page.stem, made.parent / f".{page.stem}.stamp"
    now = f"{code} {hashlib.sha256(page.read_bytes()).hexdigest()}"
    if folder.is_dir() and stamp.is_file() and stamp.read_text() == now:
        return ""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    script = made.parents[2] / "scripts" / "examples.py"
    command = [sys.executable, str(script), str(page), "--folder", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr
    stamp.write_text(now)
    return ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Follow the pages before Sphinx looks for pictures."""
    app.connect("builder-inited", follow)
    return {"parallel_read_safe": True}
