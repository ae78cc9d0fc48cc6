"""The bundled puzzles, and the registry that finds puzzles by name, file or entry point.

    names()                        the bundled puzzles: ("boxup", "pacman", "sliding-tiles", ...)
    bundled_files()                the bundled puzzles in files of other languages than Python, with their paths
    find("boxup")                  a bundled game
    find("./lights_out.py")        your own game, from a Python file
    find("sokoban.txt")            a game in a file of another language
    find("hanoi-variants")         a game of an installed distribution, by its entry point of `unpuzzle.puzzles`
    read_level("boxup", text)      a position of the game, or of a sibling if the text is one of its levels

A bundled puzzle is a file NAME.py with its domain NAME.pddl and perhaps levels in NAME.txt, or a folder NAME/ with
`domain.pddl` and its levels, or a file of another language, `LANGUAGE/games/NAME.txt`; `_` in the name of the file is
`-` in the name of the puzzle. Files and folders that begin with `_` are helpers; `shared` holds the public ones. The
list of files is the registry, and a puzzle is imported or compiled only on request, so that a broken one breaks no
other.

In a folder, `rules` has the positions, their moves, and both as PDDL; `board` (or `layout`) has the static parts, often
with the reading of levels; `making` has random levels.

A file contains one game: one subclass of `Puzzle`, or one object of a subclass of `Game`. Names that begin with `_` do
not count. A Python file is imported under a name made from its path, so that two files of one name do not clash. Of
files in other languages, `unpuzzle.table` names, by their ending, the reader and the `GameFormat`. (PDDL has none: the
commands know it.)
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

from unpuzzle.base.errors import GameFault, LimitReached, ParseError, UnpuzzleError, UsageError
from unpuzzle.base.text import shorten, suggestion
from unpuzzle.base.type_hints import TYPE_CHECKING
from unpuzzle.model.classes import place_of
from unpuzzle.model.position import Game, Position
from unpuzzle.table import ENTRY_POINTS, TABLE, load, offers
from unpuzzle.table import hidden as hidden_offers

if TYPE_CHECKING:
    from unpuzzle.model.game_formats import GameFormat

SHARED = "shared"
"""The package of common parts of puzzles, which is not a puzzle."""
BASES = ("Game", "Position", "Puzzle")
"""The classes whose members belong to every game."""
FILES = TABLE["readers of games"]
"""By ending, the reader of a game."""
GROUP = ENTRY_POINTS["puzzles"]
"""The group of entry points for games in distributions."""


def names() -> tuple[str, ...]:
    """Return the names of all bundled puzzles, in alphabetical order."""
    entries = [entry for folder in __path__ for entry in os.scandir(folder)]
    folders = {entry.name for entry in entries if os.path.exists(os.path.join(entry.path, "__init__.py"))}
    modules = {entry.name.removesuffix(".py") for entry in entries if entry.name.endswith(".py")} | folders
    # The name of a puzzle may begin with a digit, as `24` does.
    puzzles = {module for module in modules - {SHARED} if f"p{module}".isidentifier() and not module.startswith("_")}
    return tuple(sorted([*(module.replace("_", "-") for module in puzzles), *bundled_files()]))


def installed() -> tuple[str, ...]:
    """Return the names of puzzles from installed distributions; bundled puzzles take precedence."""
    return tuple(sorted(set(offers(GROUP)) - set(names())))


def hidden() -> dict[str, str]:
    """Return the ignored entry points, whose names bundled or other puzzles already have, each with the reason."""
    return hidden_offers(GROUP, names(), "a bundled puzzle")


def find(name: str | os.PathLike[str]) -> Game:
    """Return the game with a given name or in a given file; a path that is no string is always a file.

    Raises UsageError for an unknown name, ParseError for a file or an entry point that does not contain one game,
    UnpuzzleError if a bundled file does not.
    """
    if not isinstance(name, str):
        name = os.path.join(os.curdir, os.fspath(name))
    if name.lower().endswith((".py", *FILES)) or "/" in name or os.sep in name:
        if (game := read_game_file(name)) is not None:
            return game
        return _with_home(read_python_file(name), os.path.abspath(name))
    path = bundled_files().get(name)
    if path is not None and (game := read_game_file(path, name)) is not None:
        return game
    if name in names():
        return _bundled(name)
    if name in installed():
        game = offered_game(name)
        return game if isinstance(game, type) else _with_home(game, name)
    puzzles = (*names(), *installed())
    if os.path.isfile(name):
        read_python_file(name)  # which says what files of puzzles are called
    if os.path.isfile(f"{name}.py"):
        raise UsageError(f"unknown puzzle {shorten(name, 40)}: write ./{name}.py to use the file of this name")
    if os.path.isdir(name):
        experiment = f"`unpuzzle experiment {name}` compares planners on tasks in a folder"
        raise UsageError(f"{shorten(name, 40)} is a folder, not a puzzle; {experiment}")
    if "." in name:
        raise UsageError(f"{shorten(name, 40)} is neither a file that exists nor a puzzle")
    hint = suggestion(name.lower().replace("_", "-"), puzzles) or f"; the puzzles are: {', '.join(puzzles)}"
    raise UsageError(f"unknown puzzle {shorten(name, 40)}{hint}")


def read_level(name: str | os.PathLike[str], text: str, source: str | None = None) -> Position:
    """Read a level as a position of a game or, if the game cannot read it, of one of the game's `siblings`.

    `source` is the name of the file, for errors. Raises ParseError if the text is not a level, and as `find` does.
    """
    return reader_of(find(name), text).parse(text, source)


def reader_of(game: Game, text: str) -> Game:
    """Return the game that can read a level's text: the given game or one of its `siblings`."""
    if game.siblings and not game.reads(text):
        for name in game.siblings:
            sibling = find(name)
            if sibling.reads(text):
                return sibling
    return game


def _bundled(name: str) -> Game:
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    games = games_of(module)
    if len(games) != 1 or games[0].name != name:
        rule = f"must contain one subclass of Puzzle, with name = {name!r}"
        raise UnpuzzleError(f"{module.__file__} {rule}; found: {game_list(games)}")
    return games[0]


def _with_home(game: Game, name: str) -> Game:
    """Make a game pickle by its name, with which `find` finds the game again; return the game."""
    try:
        game.home = (find, (name,))
    except AttributeError:
        pass
    return game


def format_of(path: str) -> GameFormat | None:
    """Return the format of a game file by its ending; None for PDDL, Python and other files."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in TABLE["game formats"]:
        return None
    found: type[GameFormat] = load("game formats", ending)
    return found()


def read_game_file(path: str, name: str = "") -> Game | None:
    """Return the game in a file that is not written in Python; None if the file's ending is unknown.

    Reading it loads no code that lints or edits such files.
    """
    ending = os.path.splitext(path)[1].lower()
    game: Game | None = load("readers of games", ending)(path, name) if ending in FILES else None
    return game


def bundled_files() -> dict[str, str]:
    """Return the paths of the bundled game files that are not written in Python, by the name of the game."""
    root = os.path.dirname(os.path.dirname(__file__))
    paths = {}
    for ending, reader in FILES.items():
        folder = os.path.join(root, *reader.split(".")[1:-1], "games")
        for entry in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            if entry.endswith(ending):
                paths[entry.removesuffix(ending).replace("_", "-")] = os.path.join(folder, entry)
    return paths


def read_python_file(path: str) -> Game:
    """Return the game that a Python file defines; the file must define exactly one.

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
    """Raise an error for a game that lacks a method or has an unusable name."""
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
    """Import a Python file by its path, if it is not imported yet, and return its module."""
    from zlib import crc32

    full = os.path.abspath(path)
    if not full.endswith(".py"):
        endings = " or ".join([".py", *FILES])
        message = f"a puzzle file must end in {endings}; a file of levels must be given after a puzzle's name"
        raise ParseError(message, file=path)
    stem = os.path.basename(full).removesuffix(".py")
    # The checksum of the path distinguishes files of the same name in different folders.
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
    """Return the error for a Python file that cannot be imported, with the faulty line of the file."""
    from traceback import extract_tb

    if isinstance(error, SyntaxError) and error.filename == full:
        text = None if error.text is None else error.text.rstrip("\n")
        message = f"this is not Python: {error.msg}"
        return ParseError(message, file=path, line=error.lineno, column=error.offset, text=text)
    places = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == full]
    message = f"the file cannot be imported: {type(error).__name__}: {error}".rstrip(": ")
    return ParseError(message, file=path, line=places[-1] if places else None)


def offered_game(name: str) -> Game:
    """Return the game that an entry point names. Raises ParseError if it cannot be loaded or is no game."""
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
