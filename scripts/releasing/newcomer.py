"""Follow the tutorials as a newcomer: with a wheel in an empty environment, and nothing else of ours.

    python scripts/releasing/newcomer.py build/wheels/unpuzzle-….whl
    python scripts/releasing/newcomer.py FILE.whl docs/tutorials/first-puzzle.md    only this page

The script makes an environment, and installs the wheel with its dependencies. Then `scripts/make/examples.py`, which needs
nothing but Python, runs each page there from its first block to its last, in an empty folder. If a page asks its reader
to install something, that is installed. Without names it runs every tutorial, in the order of the menu.

Prints each command with its seconds, which blocks are not run and why, and after how many blocks, commands and seconds
the reader has a first plan and a solved puzzle of their own. Nothing depends on the seconds. The exit code is 1 if an
example does not do what its page says.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path

from wheel import Environment

ROOT = Path(__file__).resolve().parents[2]
FIRST_PLAN = ["solve", "boxup", "1", "--quiet"]
"""The command of the page on installing, after `pip install`."""


def tutorials(index: Path) -> list[Path]:
    """Return the pages that the menu of a page lists as tutorials, in their order."""
    menu = re.search(r":caption: Tutorials\n(?::.*\n)*((?:.+\n)+?)```", index.read_text(encoding="utf-8"))
    return [index.parent / f"{name}.md" for name in menu[1].split()] if menu else []


def require_installed(environment: Environment) -> None:
    """Raise SystemExit unless the imported package is in the environment."""
    code = "import unpuzzle; print(unpuzzle.__file__)"
    place = Path(environment.run(["python", "-c", code], capture_output=True, text=True).stdout.strip())
    if not place.resolve().is_relative_to(environment.folder.resolve()):
        raise SystemExit(f"newcomer: unpuzzle is not the one that was installed, but {place}")


def main(words: list[str]) -> int:
    """Make an environment and follow the pages there; return the exit code."""
    parser = ArgumentParser(prog="newcomer.py", description="Follow the tutorials in an empty environment.")
    parser.add_argument("wheel", type=Path, metavar="FILE.whl")
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE", help="default: all tutorials")
    options = parser.parse_args(words)
    pages = [page.resolve() for page in options.pages] or tutorials(ROOT / "docs" / "index.md")
    with tempfile.TemporaryDirectory() as folder:
        begun = time.monotonic()
        environment = Environment(Path(folder))
        environment.install(str(options.wheel.resolve()))
        require_installed(environment)
        print(f"{time.monotonic() - begun:6.1f} s  an empty environment, and pip install unpuzzle")
        environment.run(["unpuzzle", *FIRST_PLAN])
        print(f"{time.monotonic() - begun:6.1f} s  first plan: 2 commands", flush=True)
        examples = [str(ROOT / "scripts" / "make" / "examples.py"), "--show", "--install"]
        done = environment.run(["python", *examples, *map(str, pages)], check=False)
        print(f"{time.monotonic() - begun:6.1f} s  {len(pages)} pages")
    return done.returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except subprocess.CalledProcessError as error:
        sys.exit(f"newcomer: {error}")
