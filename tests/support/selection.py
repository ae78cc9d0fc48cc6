"""Which tests run: by default those that a few minutes allow; all of them with `--all`; of a change with `--changed`.

The default leaves out the tests of `tests/slow.txt`, which `scripts/make/slow_tests.py` writes from recorded times, and
those that need a browser, the built site, or data that is not part of the project. A test on which a promise of the
documents rests (`support.promises`) is never left out. Where tests are named, they all run.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from support.data import IPC, absence
from support.modules import ROOT, graph, imports_of, module_of, product
from support.promises import promised_tests

SLOW = ROOT / "tests" / "slow.txt"
NEEDY = frozenset({"browser", "site", "data"})
"""The fixtures that start a browser, build the site, or find the data."""
MOST_FILES = 60
"""The most files of tests that `--changed` runs; a change that concerns more of them gets the default."""


def is_slow(node: str, slow: frozenset[str]) -> bool:
    """Return whether a test, by its node id, is listed as slow: itself, or its function with all parameters."""
    return node in slow or node.partition("[")[0] in slow


def slow_tests() -> frozenset[str]:
    """Return the node ids of the list of slow tests."""
    return frozenset(SLOW.read_text().splitlines())


def left_out(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the tests that the default leaves out."""
    slow, promised = slow_tests(), promised_tests()
    for item in items:
        skipped = any(mark.args[:1] == (True,) for mark in item.iter_markers("skipif"))
        needy = not NEEDY.isdisjoint(_fixtures(item))
        listed = is_slow(item.nodeid, slow) and item.nodeid.partition("[")[0] not in promised
        if skipped or needy or listed:
            yield item


def _fixtures(item: pytest.Item) -> set[str]:
    """Return the names of a test's fixtures, without those of its parameters."""
    return {*getattr(item, "fixturenames", ())}.difference(getattr(getattr(item, "callspec", None), "params", ()))


def repeated_skips(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the tests that would be skipped for the reason of an earlier one of their file."""
    reported = set[tuple[Path, str]]()
    for item in items:
        reasons = [str(mark.kwargs["reason"]) for mark in item.iter_markers("skipif") if mark.args[:1] == (True,)]
        if "data" in _fixtures(item) and not IPC.is_dir():
            reasons.append(absence(IPC))
        if reasons and (item.path, reasons[0]) in reported:
            yield item
        reported.update((item.path, reason) for reason in reasons)


def changed_files(base: str) -> list[Path]:
    """Return the files that differ from a commit, new ones among them. Raises CalledProcessError without git."""
    names = set[str]()
    for command in (["diff", "--name-only", base], ["ls-files", "--others", "--exclude-standard"]):
        done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=True)
        names.update(done.stdout.splitlines())
    return [ROOT / name for name in sorted(names)]


def concerned_by(changed: Iterable[Path], tests: Iterable[Path]) -> set[Path] | None:
    """Return the files of tests that a change concerns; None if they are too many, or not known.

    A file of tests is concerned if it has changed, or if it imports, itself or through others, a module that has, or if
    it stands in the folder of tests of that module's room.
    """
    modules, concerned = set[str](), set[Path]()
    own = {f"support.{path.stem}": path for path in (ROOT / "tests" / "support").glob("*.py")}
    files = [*changed]
    for path in files:
        if path in own.values():
            modules.add(f"support.{path.stem}")
        elif path.is_relative_to(ROOT / "tests"):
            concerned.add(path)
        elif path in product().values():
            modules.add(module_of(path))
            concerned.update(room(path).rglob("test_*.py"))
        elif path.suffix == ".md":
            concerned.update(path for path in tests if path.parent.name == "docs" or "prose" in path.name)
        else:
            return None
    edges = graph() | {name: imports_of(path) for name, path in own.items()}
    while more := {name for name, used in edges.items() if name not in modules and used & modules}:
        modules |= more
    concerned.update(path for path in tests if imports_of(path) & modules)
    concerned &= {*tests}
    return concerned if len(concerned) <= MOST_FILES else None


def room(path: Path) -> Path:
    """Return the folder of the tests of a module of the product, such as `tests/pddl` of `pddl/linting/fault.py`.

    It does not exist for a module that stands in no room.
    """
    parts = path.relative_to(ROOT).parent.as_posix().removeprefix("src/unpuzzle").strip("/").split("/")
    folder = ROOT / "tests" / "/".join(parts if parts != [""] else ["none"])
    while not folder.is_dir() and folder.parent != ROOT / "tests":
        folder = folder.parent
    return folder
