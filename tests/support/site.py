"""The site of the docs, built once for all tests that look at it; without Sphinx they are skipped and say so."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import pytest

from support.modules import ROOT

SITE = ROOT / "build" / "site"


@contextmanager
def _alone() -> Iterator[None]:
    """Let one process build at a time."""
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / "site.lock").open("w") as lock:
        try:
            import fcntl
        except ImportError:  # Windows: tests run one after the other there
            yield
        else:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def site() -> Path:
    """Return the folder of the built site. What has not changed is not built again."""
    if find_spec("furo") is None or find_spec("myst_nb") is None:
        pytest.skip("no site: this test needs the extra docs (pip install 'unpuzzle[docs]')")
    _build()
    return SITE


@cache
def _build() -> None:
    """Build the site once a run of tests: a build writes styles anew, which the browser of another may be reading."""
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-n", "-W", "--keep-going", "-q"]
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
    builder = ROOT / "build" / "site.run"
    with _alone():
        if run and builder.is_file() and builder.read_text() == run:
            return
        built = subprocess.run(
            [*command, "-d", "build/site-doctrees", "docs", "build/site"],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert built.returncode == 0, built.stderr[-5000:]
        builder.write_text(run)


@cache
def pages() -> list[Path]:
    """Return the pages of the site, but not those that it embeds."""
    return [path for path in sorted(site().rglob("*.html")) if "made" not in path.parts]


class Links(HTMLParser):
    """What a page refers to, what can be referred to in it, and what it loads by itself."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.loaded: list[str] = []
        self.feed(page.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        self.anchors.update(known[name] for name in ("id", "name") if name in known)
        if tag == "a" and "href" in known:
            self.links.append(known["href"])
        elif tag == "link" and known.get("rel") not in ("canonical",) and "href" in known:
            self.loaded.append(known["href"])
        elif "src" in known:
            self.loaded.append(known["src"])
