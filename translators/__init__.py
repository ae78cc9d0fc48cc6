"""unpuzzle.translators: the puzzles, and the registry that finds them.

    names()                        the bundled ones: ("boxup", "pacman", "sliding-tiles", ...)
    bundled_files()                those of them that are files of another language than Python, with their paths
    find("boxup")                  a bundled game
    find("./lights_out.py")        a game of one's own, from a Python file
    find("sokoban.txt")            a game in a file of another language, see `_files.py`
    find("hanoi-variants")         one that an installed distribution offers as an entry point of `unpuzzle.puzzles`
    read_level("boxup", text)      a position: of the game, or of a sibling, where the text is a level of that one

A bundled puzzle is a file NAME.py with its domain NAME.pddl, or a folder NAME/ with `domain.pddl`, or a file of
another language, `LANGUAGE/games/NAME.txt`; `_` in the name of the file is `-` in that of the puzzle. Files and
folders that begin with `_` are helpers; `shared` holds those that are public. The list of files is the registry, and a
puzzle is imported or compiled when it is asked for, so that a broken one breaks no other.

A file holds one game: one subclass of `Puzzle`, or one object of a subclass of `Game`. Names that begin with `_` do not
count.
"""

from __future__ import annotations

import os
from importlib import import_module

from unpuzzle.errors import ParseError, UnpuzzleError
from unpuzzle.translators._files import FILES as FILES
from unpuzzle.translators._files import bundled_files as bundled_files
from unpuzzle.translators._files import language_of as language_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from unpuzzle.puzzle.position import Game, Position

GROUP = "unpuzzle.puzzles"
"""The group of entry points through which distributions offer games."""
SHARED = "shared"
"""The package of what puzzles have in common, which is no puzzle."""


def names() -> tuple[str, ...]:
    """The names of all bundled puzzles, in alphabetical order."""
    entries = {entry for folder in __path__ for entry in os.scandir(folder)}
    found = {_module_name(entry) for entry in entries}
    return tuple(sorted([*(name.replace("_", "-") for name in found if _is_public(name)), *bundled_files()]))


def _is_public(module: str) -> bool:
    """Whether a module's name is that of a puzzle; one that begins with a digit, such as `24`, may be."""
    return f"p{module}".isidentifier() and not module.startswith("_") and module not in ("", SHARED)


def _module_name(entry: os.DirEntry[str]) -> str:
    """The name of a module, empty if it is none."""
    if entry.name.endswith(".py"):
        return entry.name.removesuffix(".py")
    return entry.name if os.path.exists(os.path.join(entry.path, "__init__.py")) else ""


def installed() -> tuple[str, ...]:
    """The names of the puzzles that installed distributions offer, without those that bundled ones hide."""
    from unpuzzle.translators._outside import entries

    return tuple(sorted(set(entries()) - set(names())))


def hidden() -> dict[str, str]:
    """Return the names that entry points offer in vain, each with the reason: another game of that name comes first."""
    from unpuzzle.translators._outside import offers

    reasons: dict[str, str] = {}
    bundled = names()
    for name, entries in offers().items():
        values = [entry.value for entry in entries]
        if name in bundled:
            reasons[name] = f"the entry point {' and '.join(map(repr, values))} is not used: {name} is a bundled puzzle"
        elif len(values) > 1:
            reasons[name] = f"of the entry points {' and '.join(map(repr, values))} only the last is used"
    return reasons


def find(name: str | os.PathLike[str], tick: Callable[[], None] | None = None) -> Game:
    """The game of a name, an entry point or a file; a path that is no string is one of a file.

    While a file of another language than Python is read, `tick` is called often, and may raise to end that.

    Raises ParseError for an unknown name or a file that does not hold one game; UnpuzzleError where a bundled file
    does not.
    """
    if not isinstance(name, str):
        name = os.path.join(os.curdir, os.fspath(name))
    if name.endswith((".py", *FILES)) or "/" in name or os.sep in name:
        from unpuzzle.translators._outside import from_file

        return from_file(name, tick)
    path = bundled_files().get(name)
    if path is not None:
        language = language_of(path)
        assert language is not None
        return language.read_game(path, name)
    known = names()
    if name in known:
        return _bundled(name)
    from unpuzzle.translators._outside import from_entry_point

    if name in installed():
        return from_entry_point(name)
    raise ParseError(_unknown(name, (*known, *installed())))


def read_level(name: str | os.PathLike[str], text: str, source: str | None = None) -> Position:
    """Return the position that a text describes, of the game of a name, or of the sibling that reads such texts.

    `source` is the name of the file, for errors. Raises ParseError where the text is no level, and as `find` does.
    """
    return reader_of(find(name), text).parse(text, source)


def reader_of(game: Game, text: str) -> Game:
    """Return the game that reads a text: one of the `siblings` of a game, or else the game itself."""
    if game.siblings and not game.reads(text):
        for name in game.siblings:
            sibling = find(name)
            if sibling.reads(text):
                return sibling
    return game


def _bundled(name: str) -> Game:
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    found = games_of(module)
    if len(found) != 1 or found[0].name != name:
        raise UnpuzzleError(
            f"{module.__file__} must hold one subclass of Puzzle, with name = {name!r}; found: {listed(found)}"
        )
    return found[0]


def games_of(module: ModuleType) -> list[Game]:
    """The games that a module, or the package that it is, defines."""
    from unpuzzle.puzzle.position import Game

    public = {id(value): value for name, value in vars(module).items() if not name.startswith("_")}
    games = [value for value in public.values() if isinstance(value, Game)]
    own = (module.__name__, module.__name__ + ".")
    return [
        game
        for game in games
        if not isinstance(game, type) or game.__module__ == own[0] or game.__module__.startswith(own[1])
    ]


def listed(found: list[Game]) -> str:
    """The games that were found, for a sentence."""
    return ", ".join(f"{getattr(game, '__name__', repr(game))} (name = {game.name!r})" for game in found) or "none"


def _unknown(name: str, known: tuple[str, ...]) -> str:
    from unpuzzle.words import shorten, suggestion

    hint = suggestion(name.lower().replace("_", "-"), known) or f"; there are: {', '.join(known)}"
    return f"unknown puzzle {shorten(name, 40)}{hint}"
