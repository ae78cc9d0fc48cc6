"""Games in files, and in installed distributions.

A Python file is imported under a name made from its path, so that two files of one name do not clash. Of files in
other languages, `unpuzzle.table` names, by their ending, the reader and the `GameFormat`. (PDDL has none: the
commands know it.) The bundled games are in the folder `games` beside their reader.
"""

from __future__ import annotations

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

from unpuzzle.base.errors import GameFault, LimitReached, ParseError
from unpuzzle.base.type_hints import TYPE_CHECKING
from unpuzzle.puzzle.classes import place_of
from unpuzzle.puzzle.position import Game
from unpuzzle.table import ENTRY_POINTS, TABLE, load, offers

if TYPE_CHECKING:
    from unpuzzle.puzzle.game_formats import GameFormat

BASES = ("Game", "Position", "Puzzle")
"""The classes whose members belong to every game."""


FILES = TABLE["readers of games"]
"""By ending, the reader of a game."""
GROUP = ENTRY_POINTS["puzzles"]
"""The group of entry points for games in distributions."""


def format_of(path: str) -> GameFormat | None:
    """Return the game format of a file by its ending; None for PDDL and other files."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in TABLE["game formats"]:
        return None
    found: type[GameFormat] = load("game formats", ending)
    return found()


def read_game_file(path: str, name: str = "") -> Game | None:
    """Return the game in a file, by default named after the file; None if there is no reader for the file's format.

    Reading it loads no code that lints or edits such files.
    """
    ending = os.path.splitext(path)[1].lower()
    game: Game | None = load("readers of games", ending)(path, name) if ending in FILES else None
    return game


def bundled_files() -> dict[str, str]:
    """Return the paths of the bundled game files in languages other than Python, by name."""
    root = os.path.dirname(os.path.dirname(__file__))
    paths = {}
    for ending, reader in FILES.items():
        folder = os.path.join(root, *reader.split(".")[1:-1], "games")
        for entry in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            if entry.endswith(ending):
                paths[entry.removesuffix(ending).replace("_", "-")] = os.path.join(folder, entry)
    return paths


def read_python_file(path: str) -> Game:
    """Return the only game in a Python file.

    Raises ParseError, with its place, for a file that cannot be read or run, or that does not contain one game.
    """
    games = games_of(_module(path))
    if len(games) != 1:
        hint = "; names that begin with '_' do not count" if games else ""
        message = f"a puzzle file must contain one subclass of Puzzle, or one Game; found: {game_list(games)}{hint}"
        raise ParseError(message, file=path)
    _require_whole(games[0], game_list(games), path)
    return games[0]


def games_of(module: ModuleType) -> list[Game]:
    public = {id(value): value for name, value in vars(module).items() if not name.startswith("_")}
    games = [value for value in public.values() if isinstance(value, Game)]
    return [
        game for game in games if not isinstance(game, type) or f"{game.__module__}.".startswith(f"{module.__name__}.")
    ]


def game_list(games: list[Game]) -> str:
    return ", ".join(f"{getattr(game, '__name__', repr(game))} (name = {game.name!r})" for game in games) or "none"


def _require_whole(game: Game, what: str, path: str | None = None) -> None:
    """Raise an error for a class without a required method, or a game without a usable name."""
    if isinstance(game, type) and (missing := getattr(game, "__abstractmethods__", None)):
        line = None if path is None else place_of(game)[1]
        homes = {name: base.__name__ for base in game.__mro__[:-1] for name in vars(base) if name in missing}
        named = [name if homes[name] in BASES else f"`{name}` of {homes[name]}" for name in sorted(missing)]
        raise GameFault(f"{game.__name__} does not define {', '.join(named)}", file=path, line=line)
    if not isinstance(game.name, str) or not game.name:
        raise ParseError(f"the game {what} has no name: set name = '...'", file=path)
    if not game.name.isprintable() or any(mark in game.name for mark in "/\\"):
        raise ParseError(f"the name of the game {what} is part of file names: it cannot contain '/' or '\\'", file=path)


def _module(path: str) -> ModuleType:
    """Return the module of a file; always the same module for the same file."""
    from zlib import crc32

    full = os.path.abspath(path)
    if not full.endswith(".py"):
        endings = " or ".join([".py", *FILES])
        message = f"the name of a file with a puzzle ends in {endings}; a file of levels follows a puzzle's name"
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
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, GameFault | LimitReached) or not isinstance(error, Exception | SystemExit):
            raise
        raise _fault(error, full, path) from error
    return module


def _fault(error: BaseException, full: str, path: str) -> ParseError:
    """Return the error for a file that cannot be imported, located at the file's last line in the traceback."""
    from traceback import extract_tb

    if isinstance(error, SyntaxError) and error.filename == full:
        text = None if error.text is None else error.text.rstrip("\n")
        message = f"this is not Python: {error.msg}"
        return ParseError(message, file=path, line=error.lineno, column=error.offset, text=text)
    places = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == full]
    message = f"the file cannot be imported: {type(error).__name__}: {error}".rstrip(": ")
    return ParseError(message, file=path, line=places[-1] if places else None)


def offered_game(name: str) -> Game:
    """Return the game of an installed distribution. Raises ParseError if the entry point is not a loadable game."""
    entry = offers(GROUP)[name][-1]
    what = f"the puzzle {name!r}, entry point {entry.value!r} of {GROUP},"
    try:
        game = entry.load()
    except (Exception, SystemExit) as error:
        raise ParseError(f"{what} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(game, Game):
        raise ParseError(f"{what} is neither a subclass of Puzzle nor a Game")
    _require_whole(game, what)
    return game
