"""Games that are not part of unpuzzle: in a Python file, or offered by an installed distribution.

A file is imported under a name made from its path, so that two files of one name do not meet. Its games have a `home`:
that is how they are pickled, and how a worker process finds them again.
"""

from __future__ import annotations

import os
import sys

from unpuzzle.errors import GameFault, ParseError
from unpuzzle.translators._files import FILES, language_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import EntryPoint
    from types import ModuleType

    from unpuzzle.puzzle.position import Game


def from_file(path: str, tick: Callable[[], None] | None = None) -> Game:
    """The one game that a file holds, in Python or in another language.

    While that is read, `tick` is called often, and may raise to end the work.

    Raises ParseError, with its place, for a file that cannot be read or run, or that does not hold one game.
    """
    language = language_of(path)
    if language is not None:
        return language.read_game(path, tick=tick)
    from unpuzzle.translators import games_of, listed

    module = _module(path)
    games = games_of(module)
    if len(games) != 1:
        hint = "; names that begin with '_' do not count" if games else ""
        raise ParseError(
            f"a puzzle file must hold one subclass of Puzzle, or one Game; found: {listed(games)}{hint}", file=path
        )
    (game,) = games
    _require_whole(game, listed(games), path)
    _give_home(game, os.path.abspath(path))
    return game


def _require_whole(game: Game, what: str, path: str | None = None) -> None:
    """Refuses a class that leaves out what every puzzle must define, and a game without a name."""
    if isinstance(game, type) and (missing := getattr(game, "__abstractmethods__", None)):
        raise ParseError(
            f"{game.__name__} does not define {', '.join(sorted(missing))}", file=path, line=_line_of(game, path)
        )
    if not isinstance(game.name, str) or not game.name:
        raise ParseError(f"the game {what} has no name: set name = '...'", file=path)


def _line_of(kind: type, path: str | None) -> int | None:
    """The line of a file on which a class is defined."""
    import ast

    if path is None:
        return None
    with open(path, "rb") as file:
        tree = ast.parse(file.read())
    return next((n.lineno for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name == kind.__name__), None)


def _module(path: str) -> ModuleType:
    """The module of a file; always the same one for the same file."""
    from importlib.util import module_from_spec, spec_from_file_location
    from zlib import crc32

    full = os.path.abspath(path)
    if not full.endswith(".py"):
        message = f"the name of a file with a puzzle ends in .py or {' or '.join(FILES)}"
        raise ParseError(message, file=path)
    stem = os.path.basename(full).removesuffix(".py")
    name = f"unpuzzle_file_{stem}_{crc32(full.encode(errors='surrogateescape')):08x}"
    if name in sys.modules:
        return sys.modules[name]
    if not os.path.isfile(full):
        raise ParseError("there is no such file", file=path)
    spec = spec_from_file_location(name, full)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, GameFault) or not isinstance(error, Exception | SystemExit):
            raise
        raise _fault(error, full, path) from error
    return module


def _fault(error: BaseException, full: str, path: str) -> ParseError:
    """What went wrong in a file, with the last place in it that took part."""
    from traceback import extract_tb

    said = f"{type(error).__name__}: {error}".rstrip(": ")
    if isinstance(error, SyntaxError) and error.filename == full:
        text = None if error.text is None else error.text.rstrip("\n")
        return ParseError(
            f"this is not Python: {error.msg}", file=path, line=error.lineno, column=error.offset, text=text
        )
    places = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == full]
    return ParseError(f"the file cannot be imported: {said}", file=path, line=places[-1] if places else None)


def offers() -> dict[str, list[EntryPoint]]:
    """Return the different entry points of games by name. Looked for each time: distributions come and go."""
    from importlib.metadata import entry_points

    from unpuzzle.translators import GROUP

    by_name: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        others = by_name.setdefault(entry.name, [])
        if entry.value not in [other.value for other in others]:
            others.append(entry)
    return by_name


def entries() -> dict[str, EntryPoint]:
    """Return the entry point of each name that is used."""
    return {name: entries[-1] for name, entries in offers().items()}


def from_entry_point(name: str) -> Game:
    """The game that a distribution offers. Raises ParseError where it cannot be loaded, or is none."""
    from unpuzzle.puzzle.position import Game
    from unpuzzle.translators import GROUP

    entry = entries()[name]
    what = f"the puzzle {name!r}, entry point {entry.value!r} of {GROUP},"
    try:
        game = entry.load()
    except (Exception, SystemExit) as error:
        raise ParseError(f"{what} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(game, Game):
        raise ParseError(f"{what} is neither a subclass of Puzzle nor a Game")
    _require_whole(game, what)
    if not isinstance(game, type):
        _give_home(game, name)
    return game


def _give_home(game: Game, name: str) -> None:
    """Lets a game be pickled as the way to find it; not one whose class has slots, which is pickled as such."""
    from unpuzzle.translators import find

    try:
        game.home = (find, (name,))
    except AttributeError:
        pass
