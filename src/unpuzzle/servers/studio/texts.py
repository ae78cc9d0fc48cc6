"""The kind of a text (such as game, level or domain), and the levels in the text.

    opened = open_text({"path": "/folder/game.txt", "text": ..., "puzzle": ""})
    opened.kind, opened.game, [(level.name, level.first, level.last) for level in opened.levels]
    opened.level("3").position()

A text is a game, a domain or a problem of PDDL, a plan, the code of a puzzle, or levels of a puzzle: of the one that
`puzzle` names, or that the file's name contains (`sokoban`, for the endings that its collections have). Domains and
problems beside a text are taken from the request's `unsaved`, by path, if they are there. A user's code runs as saved,
never while it is being typed.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import islice
from typing import Any

from unpuzzle.base.errors import ParseError, UnpuzzleError
from unpuzzle.base.run import checkpoint, phase
from unpuzzle.base.values import Record, field
from unpuzzle.generation.collections import position_of
from unpuzzle.model.capabilities import Generating, Traced, offered, options_of
from unpuzzle.model.collection import Collected, CollectedLevel
from unpuzzle.model.position import Game, Position
from unpuzzle.pddl.linting.fault import ERROR, Fault
from unpuzzle.pddl.matching import DOMAIN, PLAN, PROBLEM, PddlText, domain_for
from unpuzzle.pddl_game.game import ProblemFiles, game_in
from unpuzzle.processes.pool import Data, Tell
from unpuzzle.translators import find, format_of
from unpuzzle.workspace.documents import Document, Documents
from unpuzzle.workspace.kinds import CODE, GAME, LEVELS, PDDL, kind_and_puzzle
from unpuzzle.workspace.linting import lint_files

KEPT = 4
"""The number of cached texts: most jobs use the same text as the one before."""


class Level(Record):
    """A level in a text: the level's lines (from 1) or file, and the game that reads the level."""

    game: Game
    name: str
    title: str
    text: str
    first: int | None
    last: int | None
    file: str
    entry: CollectedLevel | None = None

    def position(self) -> Position:
        """Return the start position of the level. Raises ParseError with a place in the text."""
        if self.entry is not None:
            return position_of(self.entry, self.game, source=self.file)
        return self.game.parse(self.text, self.file)

    def data(self, rules: str) -> dict[str, Any]:
        """Return the level as data for the page; equal levels with equal rules have the same key."""
        key = sha256(f"{rules}\0{self.text}".encode(errors="surrogatepass")).hexdigest()[:24]
        return {"name": self.name, "title": self.title, "first": self.first, "last": self.last, "key": key}


class Opened(Record):
    """A text that was read: its kind, game and levels, or the reason why it has no levels."""

    kind: str
    path: str
    text: str
    puzzle: str = ""
    game: Game | None = None
    levels: tuple[Level, ...] = ()
    error: UnpuzzleError | None = None
    unsaved: Mapping[str, str] = field(default_factory=dict)

    def level(self, name: str) -> Level:
        """Return the level with a name. Raises ParseError if the text has no such level or could not be read."""
        if self.error is not None:
            raise self.error
        for level in self.levels:
            if level.name == name:
                return level
        raise ParseError(f"there is no level {name}", file=self.path)

    def rules(self) -> str:
        """Return a text that identifies the rules: the text without the levels."""
        if self.kind == GAME:
            ranges = [range(level.first, level.last + 1) for level in self.levels if level.first and level.last]
            own = {line for lines in ranges for line in lines}
            return "\n".join([line for number, line in enumerate(self.text.split("\n"), 1) if number not in own])
        if self.kind == DOMAIN:
            return self.text
        domain = _documents(self.unsaved).get(getattr(self.game, "file", None) or "")
        return f"{self.puzzle}\0{domain.text if domain else ''}"


_OPENED: OrderedDict[tuple[Any, ...], Opened] = OrderedDict()


def open_text(request: Mapping[str, Any]) -> Opened:
    """Return the text of a request as read by `_opened`; recent texts are cached."""
    path, text, puzzle = request["path"], request["text"], request.get("puzzle", "")
    unsaved: dict[str, str] = request.get("unsaved") or {}
    key = path, text, puzzle, request.get("version", ""), tuple(sorted(unsaved.items()))
    if key not in _OPENED:
        _OPENED[key] = _opened(path, text, puzzle, unsaved)
        while len(_OPENED) > KEPT:
            _OPENED.popitem(last=False)
    _OPENED.move_to_end(key)
    return _OPENED[key]


def _opened(path: str, text: str, puzzle: str, unsaved: Mapping[str, str]) -> Opened:
    """Read a text as a game with levels; an error becomes part of the result."""
    kind, puzzle = kind_and_puzzle(path, text, puzzle)
    try:
        game = _game(kind, path, text, puzzle, unsaved)
        levels = () if game is None else tuple(_levels(kind, game, path, text, unsaved))
    except UnpuzzleError as error:
        return Opened(kind, path, text, puzzle, error=error, unsaved=unsaved)
    return Opened(kind, path, text, puzzle, game, levels, unsaved=unsaved)


def _game(kind: str, path: str, text: str, puzzle: str, unsaved: Mapping[str, str]) -> Game | None:
    """Return the game to which a text belongs; None if it belongs to none."""
    game_format = format_of(path) if kind == GAME else None
    if game_format is not None:
        return game_format.game_in(text, path)
    if kind == DOMAIN:
        return game_in(text, path)
    if kind == PROBLEM:
        beside = pddl_beside(path, unsaved)
        near = [other for other in beside if os.path.dirname(other.name) == os.path.dirname(path)]
        domain = domain_for(PddlText(path, text, PROBLEM), (near, beside))
        return game_in(domain.text, domain.name)
    return find(puzzle) if kind in (CODE, LEVELS) else None


def _levels(kind: str, game: Game, path: str, text: str, unsaved: Mapping[str, str]) -> Iterator[Level]:
    """Yield the levels in a text; where they are depends on the kind of the text."""
    game_format = format_of(path) if kind == GAME else None
    if game_format is not None:
        for name, (title, first, last) in game_format.lines_of_levels(game).items():
            yield Level(game, name, title, game.levels[name], first, last, path)
    elif kind == DOMAIN and isinstance(game.levels, ProblemFiles):
        for name, file in zip(game.levels, game.levels.paths(), strict=True):
            yield Level(game, name, "", unsaved[file] if file in unsaved else game.levels[name], None, None, path)
    elif kind in (DOMAIN, CODE):
        for name in game.levels:
            yield Level(game, name, "", game.levels[name], None, None, path)
    elif kind != PROBLEM and (able := offered(game, Collected)) is not None:
        for number, entry in enumerate(able.read_collection(text).levels, 1):
            first = entry.line or 1
            last = first + max(entry.board.rstrip("\n").count("\n"), 0)
            yield Level(game, str(number), entry.title, entry.board, first, last, path, entry)
    else:
        lines = text.count("\n") + (not text.endswith("\n"))
        yield Level(game, os.path.splitext(os.path.basename(path))[0], "", text, 1, lines, path)


def _documents(unsaved: Mapping[str, str]) -> Documents:
    """Return documents in which the unsaved text of a file replaces the file's content."""
    documents = Documents()
    for path, text in unsaved.items():
        documents.open(path, text)
    return documents


def pddl_beside(path: str, unsaved: Mapping[str, str], most: int = 40) -> list[Document]:
    """Return the other PDDL texts in a file's folder and in the folder above; texts in `unsaved` replace files."""
    beside = (other for other in _documents(unsaved).beside(path) if other.name.endswith(PDDL))
    return list(islice(beside, most))


# Look at a text: its levels at once, then its faults, as the page shows them below the text.

MOST = 500
"""The largest number of faults listed on the page."""
PROBLEMS = 10
"""The largest number of problems checked together with a domain."""


def look(request: Data, tell: Tell) -> Data:
    """Report each level of a text as soon as it is known; return the faults of the text."""
    opened = open_text(request)
    tell(_about(opened))
    with phase("looking for faults"):
        faults = list(_faults(opened))
    return {"faults": [_data(fault) for fault in faults[:MOST]], "more": max(0, len(faults) - MOST)}


def _about(opened: Opened) -> Data:
    """Return the data about a text that the page shows: its kind, levels, tools and error."""
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
    """Yield the names of the page's tools that fit a game's levels."""
    if kind in (DOMAIN, PROBLEM):
        yield "plan"
    elif offered(game, Traced) is not None:
        yield "rules"
    if offered(game, Generating) is not None:
        yield "like" if "from" in options_of(game) else "new"


def _faults(opened: Opened) -> Iterator[Fault]:
    """Yield the faults of a text, found in the way that suits its kind."""
    game_format = format_of(opened.path) if opened.kind == GAME else None
    if game_format is not None:
        yield from game_format.lint_text(opened.text, opened.path)[0]
    elif opened.kind in (DOMAIN, PROBLEM, PLAN):
        yield from _pddl_faults(opened)
    elif opened.kind == CODE and (fault := _not_python(opened)) is not None:
        yield fault
    elif opened.kind in (CODE, LEVELS):
        if opened.error is not None:
            yield _of_error(opened.error, opened.path)
        for level in opened.levels if opened.kind == LEVELS else ():
            checkpoint()
            try:
                level.position()
            except ParseError as error:
                yield _of_error(error, opened.path, level.first)


def _pddl_faults(opened: Opened) -> list[Fault]:
    others = pddl_beside(opened.path, opened.unsaved)
    wanted = {DOMAIN: (PROBLEM,), PROBLEM: (DOMAIN,)}.get(opened.kind, (DOMAIN, PROBLEM, PLAN))
    others = [other for other in others if other.kind in wanted][: PROBLEMS if opened.kind == DOMAIN else None]
    own = PddlText(opened.path, opened.text, opened.kind)
    return [fault for fault in lint_files([own, *others]) if fault.file == opened.path]


def _not_python(opened: Opened) -> Fault | None:
    """Return the fault of a text that cannot be compiled as Python; None if it can."""
    try:
        compile(opened.text, opened.path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line, column = getattr(error, "lineno", 1), getattr(error, "offset", 1)
        return Fault(opened.path, line, column, ERROR, f"this is not Python: {getattr(error, 'msg', error)}")
    return None


def _of_error(error: UnpuzzleError, path: str, line: int | None = None) -> Fault:
    message = getattr(error, "message", "") or str(error)
    place = getattr(error, "line", None) or line or 1
    return Fault(path, place, getattr(error, "column", None) or 1, ERROR, message)


def _data(fault: Fault) -> dict[str, Any]:
    data = {name: getattr(fault, name) for name in ("line", "column", "end_line", "end_column", "severity", "code")}
    edit = fault.fix or fault.suggestion
    fix = None if edit is None else [*edit.to_dict().values()]
    return {**data, "message": fault.message, "fix": fix, "guess": fault.fix is None}
