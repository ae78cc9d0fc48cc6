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

_OURS = ("unpuzzle.puzzle.", "unpuzzle.translators.shared.")
"""The modules of the base classes: what they define is not the game's."""
DERIVED = os.path.join(os.path.dirname(__file__), "position.py")
"""The file whose functions stand for `moves` and `apply` in classes that define `following`."""
_PACKAGE = "unpuzzle."
"""The modules of this package: what they define is not the game's, where that is from outside."""


def is_ours(kind: type) -> bool:
    """Whether a class is one that games derive from, and no game's own."""
    return f"{kind.__module__}.".startswith(_OURS)


def shown(file: str) -> str:
    """A file's name as a person in this folder says it."""
    try:
        near = os.path.relpath(file)
    except ValueError:  # on another drive
        return file
    return file if near.startswith(os.pardir) else near


def files_of(game: Game) -> set[str]:
    """Return the files that define a game: those of its class, of what that derives from, and where it was found.

    For a game from outside, nothing of this package is among them, though it may derive from a bundled puzzle.
    """
    kind = game if isinstance(game, type) else type(game)
    bundled = kind.__module__.startswith(_PACKAGE)
    theirs = [base for base in kind.__mro__[:-1] if bundled or not base.__module__.startswith(_PACKAGE)]
    modules = {base.__module__ for base in theirs if not is_ours(base)}
    files = {getattr(sys.modules.get(module), "__file__", None) for module in modules}
    if game.home is not None:
        files.update(game.home[1])
    return {file for file in files if file}


def file_of(owner: Position | Game | type) -> str | None:
    """The file of a class, or of the class of a position or game."""
    kind = owner if isinstance(owner, type) else type(owner)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return None if file is None else shown(file)


def line_of(owner: Position | Game, method: str) -> int | None:
    """Return the line on which its class defines a method, in the class's own file; None where it stands elsewhere.

    `moves` and `apply` of a class that defines `following` stand where that does.
    """
    kind = owner if isinstance(owner, type) else type(owner)
    base = next((base for base in kind.__mro__ if method in vars(base)), None)
    if base is None or is_ours(base):
        return None
    code = _code(vars(base)[method])
    if code is not None and code.co_filename == DERIVED and "following" in vars(base):
        code = _code(vars(base)["following"])
    own = getattr(sys.modules.get(base.__module__), "__file__", None)
    return _head(code) if code is not None and code.co_filename == own else None


def _code(method: object) -> CodeType | None:
    """The code of a function, a class method, a property or a lambda."""
    function = getattr(method, "__func__", getattr(method, "fget", method))
    code: CodeType | None = getattr(function, "__code__", None)
    return code


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
