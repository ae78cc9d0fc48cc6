"""Files that are made when the site is built, in `_made/made/`; made again if the code or a page has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from sphinx.application import Sphinx

MADE = Path("_made") / "made"
"""Below the source folder; its content is copied to `made/` of the site."""
CODE = ("src", "pddl", "planners", "puzzlescript", "translators", "scripts/make/examples.py", "docs/files", "docs/_ext")


def made_folder(app: Sphinx, name: str) -> Path:
    """Return the folder for the made files of a given name."""
    return Path(app.srcdir) / MADE / name


def make(app: Sphinx, name: str, maker: Callable[[Path], None], *pages: Path) -> None:
    """Call a function that fills a folder, unless the folder was filled from the same code and pages."""
    folder = made_folder(app, name)
    stamp = folder.parents[1] / f".{name}.stamp"
    now = " ".join([_code(Path(app.srcdir).parent), *(_hash(page.read_bytes()) for page in pages)])
    if folder.is_dir() and stamp.is_file() and stamp.read_text() == now:
        return
    stamp.unlink(missing_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    maker(folder)
    stamp.write_text(now)


@cache
def _code(root: Path) -> str:
    """Return a hash over the names and times of all files on which the made files depend."""
    paths = [path for name in CODE for path in sorted([root / name, *(root / name).rglob("*")]) if path.is_file()]
    seen = [f"{path} {path.stat().st_mtime_ns}" for path in paths if path.suffix != ".pyc"]
    return _hash("\n".join(seen).encode())


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
