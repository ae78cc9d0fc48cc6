"""Where in the files of a game something is defined, or went wrong: for errors about the code of a puzzle."""

from __future__ import annotations

import os
import sys

from unpuzzle.errors import ParseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

    from unpuzzle.puzzle.game import Game
    from unpuzzle.puzzle.position import Position

_OURS = "unpuzzle.puzzle."
"""The modules of the base classes: what they define is not the game's."""


def shown(file: str) -> str:
    """A file's name as a person in this folder says it."""
    try:
        near = os.path.relpath(file)
    except ValueError:  # on another drive
        return file
    return file if near.startswith(os.pardir) else near


def files_of(game: Game) -> set[str]:
    """The files that define a game: those of its class, of what that derives from, and where it was found."""
    kind = game if isinstance(game, type) else type(game)
    modules = {base.__module__ for base in kind.__mro__[:-1] if not base.__module__.startswith(_OURS)}
    files = {getattr(sys.modules.get(module), "__file__", None) for module in modules}
    if game.home is not None:
        files.update(game.home[1])
    return {file for file in files if file}


def file_of(owner: Position | Game) -> str | None:
    """The file of the class of a position or game."""
    kind = owner if isinstance(owner, type) else type(owner)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return None if file is None else shown(file)


def line_of(owner: Position | Game, method: str) -> int | None:
    """The line on which its class defines a method; None where it leaves that to a base class of ours."""
    kind = owner if isinstance(owner, type) else type(owner)
    for base in kind.__mro__:
        if method in vars(base):
            found = vars(base)[method]
            code = getattr(getattr(found, "__func__", found), "__code__", None)
            return None if code is None or base.__module__.startswith(_OURS) else _head(code)
    return None


def _head(code: CodeType) -> int:
    """The line of a function's `def`, which follows its decorators."""
    from linecache import getline

    first = code.co_firstlineno
    lines = range(first, first + 10)
    return next((line for line in lines if getline(code.co_filename, line).lstrip().startswith("def ")), first)


def require_cost(position: Position, move: str, cost: object) -> None:
    """Refuses what can be no cost of a move, with the place of `cost`: searches would go round forever."""
    if not isinstance(cost, int) or isinstance(cost, bool) or cost < 0:
        message = f"cost({move!r}) gave {cost!r}, which is no whole number, 0 or more"
        raise ParseError(message, file=file_of(position), line=line_of(position, "cost"))


def raised_at(error: BaseException, game: Game) -> tuple[str, int] | None:
    """The innermost place in the game's own files that an exception came through; None if it came through none."""
    files = files_of(game)
    places = [place for place in _places(error) if place[0] in files]
    return (shown(places[-1][0]), places[-1][1]) if places else None


def _places(error: BaseException) -> Iterator[tuple[str, int]]:
    """File and line of all frames, outermost first; those of a worker process stand in the text of the cause."""
    import re
    from traceback import extract_tb

    for frame in extract_tb(error.__traceback__):
        yield frame.filename, frame.lineno or 0
    for file, line in re.findall(r'File "(.+)", line (\d+)', str(error.__cause__ or "")):
        yield file, int(line)
