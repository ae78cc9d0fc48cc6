"""The kind of a text: PDDL, a game, the code of a puzzle, or levels of a puzzle.

A text is a game, a domain or a problem of PDDL, a plan, the code of a puzzle, or levels. The name of a level's puzzle
is at the beginning of its file's name, or of its folder's.
"""

from __future__ import annotations

import os
from contextlib import suppress

from unpuzzle.base.files import found_files
from unpuzzle.generation.collections import USUAL
from unpuzzle.pddl.matching import kind_of_file
from unpuzzle.translators import FILES, format_of, names

GAME, CODE, LEVELS, OTHER = "game", "code", "levels", "other"
PYTHON, PDDL = ".py", ".pddl"
COLLECTIONS = (".xsb", ".sok", ".slc")
PLANS = (".plan", ".soln")
NOTES = (".md", ".json", ".rst", ".csv")
"""Kinds of texts that are not levels, whatever their names."""
ENDINGS = (*FILES, PYTHON, *COLLECTIONS, *PLANS, *NOTES)
"""The endings of the files that the studio shows."""


def kind_and_puzzle(path: str, text: str, puzzle: str = "") -> tuple[str, str]:
    """Return the kind of a text and, for levels, the name or file of the puzzle to which the levels belong."""
    ending = os.path.splitext(path)[1].lower()
    if ending == PYTHON:
        return CODE, path
    if ending == PDDL or ending in PLANS:
        return kind_of_file(path, text), ""
    game_format = format_of(path)
    if game_format is not None and not puzzle and game_format.is_game_text(text):
        return GAME, ""
    if ending in NOTES:
        return OTHER, ""
    puzzle = puzzle or puzzle_named_by(path)
    return (LEVELS, puzzle) if puzzle else (OTHER, "")


def puzzle_named_by(path: str) -> str:
    """Return the puzzle whose name begins the name of a file or its folder; a user's puzzle file takes precedence."""
    folder, name = os.path.split(path)
    stem, ending = os.path.splitext(name.lower().replace("_", "-"))
    if ending in COLLECTIONS:
        return USUAL
    own: dict[str, str] = {}
    with suppress(OSError):
        files = [os.path.basename(path) for path in found_files(folder, PYTHON, quiet=True)]
        files = [file for file in files if not file.startswith(("_", "test_"))]
        own = {file.removesuffix(PYTHON).lower().replace("_", "-"): file for file in files}
    for each in (stem, os.path.basename(folder).lower().replace("_", "-")):
        for known in sorted({*own, *names()}, key=len, reverse=True):
            if each == known or each.startswith((f"{known}-", f"{known}.")):
                return os.path.join(folder, own[known]) if known in own else known
    return ""


def own_code(path: str, text: str, puzzle: str = "") -> str:
    """Return the user's code file that is needed to read a text's levels; empty if no code is needed."""
    kind, puzzle = kind_and_puzzle(path, text, puzzle)
    return puzzle if kind in (CODE, LEVELS) and puzzle.endswith(PYTHON) else ""
