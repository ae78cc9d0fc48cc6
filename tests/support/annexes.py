"""The annexes of the product: parts that can be taken out with their tests, and the rest, the heart, does not notice.

`scripts/test --without ANNEX` (several times, or `all`) refuses the imports of an annex and leaves out the files of
tests that import it. A test that reaches it by a name in `unpuzzle.table` is skipped.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest

from support.modules import imports_of

ANNEXES = {
    "puzzlescript": "unpuzzle.puzzlescript",
    "experiments": "unpuzzle.experiments unpuzzle.rendering.reports unpuzzle.rendering.report_tables "
    "unpuzzle.rendering.report_figures",
    "servers": "unpuzzle.servers unpuzzle.workspace.asking unpuzzle.workspace.documents unpuzzle.workspace.symbols",
    "clues": "unpuzzle.planners.clues unpuzzle.translators.crossword_clues",
    "pictures": "unpuzzle.pddl_game.picture unpuzzle.pddl_game.picture_lines",
    "play": "unpuzzle.play",
    "interop": "unpuzzle.interop unpuzzle.up unpuzzle.planners.external.up unpuzzle.planners.external.up_child",
    "untrusted": "unpuzzle.untrusted",
    "testing": "unpuzzle.testing unpuzzle.pytest_plugin",
}
"""By annex its modules and packages."""
TESTS = Path(__file__).parents[1]
DOORS = ("unpuzzle.cli",)
"""The packages that offer the commands of all annexes."""


def annex_of(module: str) -> str | None:
    """Return the annex that a module, or a name in it, belongs to."""
    for annex, parts in ANNEXES.items():
        if any(module == part or module.startswith(f"{part}.") for part in parts.split()):
            return annex
    return None


class Refusal(MetaPathFinder):
    """A finder that refuses the modules of some annexes."""

    def __init__(self, annexes: Iterable[str]) -> None:
        self.annexes = frozenset(ANNEXES if "all" in annexes else annexes)

    def find_spec(self, fullname: str, *_: object) -> None:
        """Skip the test, or file of tests, that needs a module of these annexes; leave others to the next finder."""
        if annex_of(fullname) in self.annexes:
            pytest.skip(f"{fullname} is left out", allow_module_level=True)

    def install(self) -> None:
        """Refuse the imports from now on. Modules that are loaded already stay where they are used."""
        sys.meta_path.insert(0, self)

    def concerns(self, path: Path) -> bool:
        """Return whether a file of tests, or a helper that it imports, imports one of the annexes, or all commands."""
        seen, queue = {path}, [path]
        while queue:
            for name in imports_of(queue.pop()):
                if annex_of(name) in self.annexes or name.startswith(DOORS):
                    return True
                helper = TESTS / f"{name.replace('.', '/')}.py"
                if name.startswith("support.") and helper.exists() and helper not in seen:
                    seen.add(helper)
                    queue.append(helper)
        return False
