"""Shrink the scripts and the style of pages: `python scripts/make/shrink_page_scripts.py` (needs rjsmin and rcssmin).

Pages contain the files in `shrunk/`, which this script makes from the readable ones beside that folder. `SOURCES` has
the checksums of the readable files, so that a test notices when this must be run again.
"""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

from rcssmin import cssmin
from rjsmin import jsmin

FOLDER = Path(__file__).parents[2] / "src" / "unpuzzle" / "playing" / "page"
SHRUNK = FOLDER / "shrunk"


def shrunk_files() -> dict[str, str]:
    """Return the text of each file in `shrunk/`, by its name."""
    files = {path.name: jsmin(path.read_text(encoding="utf-8")) + "\n" for path in sorted(FOLDER.glob("*.js"))}
    files |= {path.name: cssmin(path.read_text(encoding="utf-8")) + "\n" for path in sorted(FOLDER.glob("*.css"))}
    files["SOURCES"] = "".join([f"{crc32((FOLDER / name).read_bytes()):08x} {name}\n" for name in sorted(files)])
    return files


def main() -> None:
    """Write the files."""
    SHRUNK.mkdir(exist_ok=True)
    for name, text in shrunk_files().items():
        (SHRUNK / name).write_text(text, encoding="utf-8")
        print(f"{SHRUNK / name}: {len(text.encode()):,} bytes")


if __name__ == "__main__":
    main()
