"""Functions stay short, and special subjects stay in their rooms."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from support.modules import FOLDERS, ROOT, files, product, tree

ROOMS = {
    "puzzlescript": ("puzzlescript/", "planners/native/core/script/", "planners/native/core/python/script"),
    r"clues?|clued": ("planners/clues/", "translators/crossword", "translators/sudoku/"),
}
"""By subject the beginnings of the paths that may speak of it."""

SPEAK_OF = {
    "puzzlescript": {
        "src/unpuzzle/__init__.py",
        "src/unpuzzle/agents/tools.py",
        "src/unpuzzle/cli/commands/__init__.py",
        "src/unpuzzle/cli/commands/play.py",
        "src/unpuzzle/cli/commands/survey.py",
        "src/unpuzzle/cli/commands/trace.py",
        "src/unpuzzle/table.py",
    },
    "clues?|clued": {
        "planners/__init__.py",
        "src/unpuzzle/cli/commands/explain.py",
        "src/unpuzzle/table.py",
        "src/unpuzzle/puzzle/capabilities.py",
    },
}
"""Files outside of these rooms that name a subject: registries and the help of commands."""
LINES_OF_A_FUNCTION = 50
"""At most, docstrings aside."""


def _functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in product().values():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(ROOT).as_posix()}: {node.name}", node


def _lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of lines of a function, without those of its docstring."""
    lines = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function) is None:
        return lines
    docstring = function.body[0]
    return lines - (docstring.end_lineno - docstring.lineno + 1)


def test_functions_are_short() -> None:
    assert not {where for where, function in _functions() if _lines(function) > LINES_OF_A_FUNCTION}


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
