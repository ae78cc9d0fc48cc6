"""The scripts that pages hold are made of the readable ones, and of nothing older."""

from __future__ import annotations

import runpy
from pathlib import Path
from zlib import crc32

import pytest

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "src/unpuzzle/playing/page"


def test_no_readable_script_is_newer() -> None:
    lines = (FOLDER / "shrunk/SOURCES").read_text().split("\n")[:-1]
    checksums = {name: checksum for checksum, name in map(str.split, lines)}
    sources = [*FOLDER.glob("*.js"), *FOLDER.glob("*.css")]
    assert checksums == {path.name: f"{crc32(path.read_bytes()):08x}" for path in sources}, (
        "run scripts/shrink_page_scripts.py"
    )


def test_they_are_what_the_minifier_makes() -> None:
    pytest.importorskip("rjsmin")
    pytest.importorskip("rcssmin")
    files = runpy.run_path(str(ROOT / "scripts/shrink_page_scripts.py"))["shrunk_files"]()
    assert files == {name: (FOLDER / "shrunk" / name).read_text(encoding="utf-8") for name in files}
