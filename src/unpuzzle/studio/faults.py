"""Look at a text: its levels at once, then its faults, as the page shows them below the text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from unpuzzle.checking.linted_files import DOMAIN, PLAN, PROBLEM, ListedFile, lint_files
from unpuzzle.errors import ParseError, UnpuzzleError
from unpuzzle.pddl.judging.fault import ERROR, Fault
from unpuzzle.puzzle.capabilities import Generating, Traced, offered, options_of
from unpuzzle.puzzle.position import Game
from unpuzzle.run import checkpoint, phase
from unpuzzle.studio.process import Data, Tell
from unpuzzle.studio.texts import CODE, GAME, LEVELS, Opened, open_text, pddl_beside
from unpuzzle.translators import format_of

MOST = 500
"""The largest number of faults listed on the page."""
PROBLEMS = 10
"""The largest number of problems checked together with a domain."""


def look(request: Data, tell: Tell) -> Data:
    """Tell the levels of a text as soon as they are known; return its faults."""
    opened = open_text(request)
    tell(_about(opened))
    with phase("looking for faults"):
        faults = list(_faults(opened))
    return {"faults": [_data(fault) for fault in faults[:MOST]], "more": max(0, len(faults) - MOST)}


def _about(opened: Opened) -> Data:
    rules = opened.rules()
    game = opened.game
    return {
        "kind": opened.kind,
        "puzzle": os.path.basename(opened.puzzle),
        "title": "" if game is None else str(game.title or game.name),
        "levels": [level.data(rules) for level in opened.levels],
        "tools": [] if game is None else list(_tools(opened.kind, game)),
        "error": "" if opened.error is None else getattr(opened.error, "message", str(opened.error)),
    }


def _tools(kind: str, game: Game) -> Iterator[str]:
    """Yield the page's special tools for a game's levels."""
    if kind in (DOMAIN, PROBLEM):
        yield "plan"
    elif offered(game, Traced) is not None:
        yield "rules"
    if offered(game, Generating) is not None:
        yield "like" if "from" in options_of(game) else "new"


def _faults(opened: Opened) -> Iterator[Fault]:
    if opened.kind == GAME:
        game_format = format_of(opened.path)
        assert game_format is not None
        yield from game_format.lint_text(opened.text, opened.path)[0]
    elif opened.kind in (DOMAIN, PROBLEM, PLAN):
        yield from _pddl_faults(opened)
    elif opened.kind == CODE:
        yield from _code_faults(opened)
    elif opened.kind == LEVELS:
        yield from _level_faults(opened)


def _pddl_faults(opened: Opened) -> list[Fault]:
    others = pddl_beside(opened.path, opened.unsaved)
    if opened.kind == DOMAIN:
        others = [other for other in others if other.kind == PROBLEM][:PROBLEMS]
    elif opened.kind == PROBLEM:
        others = [other for other in others if other.kind == DOMAIN]
    own = ListedFile(opened.path, opened.text, opened.kind)
    return [fault for fault in lint_files([own, *others]) if fault.file == opened.path]


def _code_faults(opened: Opened) -> Iterator[Fault]:
    """Yield the faults of a text as Python, or of the saved file as a puzzle."""
    try:
        compile(opened.text, opened.path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line, column = getattr(error, "lineno", 1), getattr(error, "offset", 1)
        yield Fault(opened.path, line, column, ERROR, f"this is not Python: {getattr(error, 'msg', error)}")
        return
    if opened.error is not None:
        yield _of_error(opened.error, opened.path)


def _level_faults(opened: Opened) -> Iterator[Fault]:
    errors: Iterable[UnpuzzleError] = [opened.error] if opened.error is not None else ()
    for error in errors:
        yield _of_error(error, opened.path)
    for level in opened.levels:
        checkpoint()
        try:
            level.position()
        except ParseError as error:
            yield _of_error(error, opened.path, level.first)


def _of_error(error: UnpuzzleError, path: str, line: int | None = None) -> Fault:
    message = getattr(error, "message", "") or str(error)
    place = getattr(error, "line", None) or line or 1
    return Fault(path, place, getattr(error, "column", None) or 1, ERROR, message)


def _data(fault: Fault) -> dict[str, Any]:
    data = {name: getattr(fault, name) for name in ("line", "column", "end_line", "end_column", "severity", "code")}
    edit = fault.fix or fault.suggestion
    fix = None if edit is None else [edit.line, edit.column, edit.end_line, edit.end_column, edit.text]
    return {**data, "message": fault.message, "fix": fix, "guess": fault.fix is None}
