"""The house stays small: files, folders and functions have a size, and special subjects stay in their rooms."""

from __future__ import annotations

import ast
import re
import statistics
from collections import Counter

import pytest

from support.modules import FOLDERS, ROOT, files, product, tree
from unpuzzle.puzzle import capabilities

ROOMS = {
    "puzzlescript": ("puzzlescript/", "planners/native/core/script/", "planners/native/core/python/script"),
    r"clues?|clued": ("planners/clues/", "translators/crossword", "translators/sudoku/"),
}
"""By subject the beginnings of the paths that may speak of it; elsewhere a subject is named ten times at most."""

SPEAK_OF = {
    "puzzlescript": {
        "src/unpuzzle/__init__.py",
        "src/unpuzzle/agents/tools.py",
        "src/unpuzzle/cli/commands/__init__.py",
        "src/unpuzzle/cli/commands/play.py",
        "src/unpuzzle/cli/commands/survey.py",
        "src/unpuzzle/cli/commands/trace.py",
        "src/unpuzzle/planning/registry.py",
        "translators/_files.py",
    },
    "clues?|clued": {
        "planners/__init__.py",
        "src/unpuzzle/cli/commands/explain.py",
        "src/unpuzzle/planning/registry.py",
        "src/unpuzzle/puzzle/capabilities.py",
    },
}
"""Files outside of these rooms that name a subject: registries and the help of commands."""
LINES = 86_000
"""Of Python in the product, at most."""


def _lines(path) -> int:
    return path.read_text().count("\n")


def test_no_file_is_too_long() -> None:
    assert not {path.relative_to(ROOT).as_posix() for path in product().values() if _lines(path) > 400}


def test_no_folder_holds_too_many_files() -> None:
    folder, number = Counter(path.parent for path in product().values()).most_common(1)[0]
    assert number <= 25, folder


def test_functions_are_short() -> None:
    functions = (
        node
        for path in product().values()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    assert statistics.median(node.end_lineno - node.lineno + 1 for node in functions) <= 7


def test_the_product_is_no_longer_than_it_was() -> None:
    assert sum(map(_lines, product().values())) <= LINES


@pytest.mark.parametrize("subject", ROOMS)
def test_a_special_subject_stays_in_its_rooms(subject: str) -> None:
    word = re.compile(rf"(?<![a-z])({subject})(?![a-z])", re.IGNORECASE)
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for path in files(folder, (".py", ".hpp", ".cpp"))
        if word.search(path.read_text())
    }
    outside = {path for path in found if not path.startswith(ROOMS[subject])}
    assert outside <= SPEAK_OF[subject]
    assert len(outside) <= 10


def test_there_are_few_capabilities() -> None:
    imported = ("Position", "UsageError")
    names = [name for name, value in vars(capabilities).items() if isinstance(value, type) and name not in imported]
    assert "Reversible" in names
    assert len(names) <= 15
