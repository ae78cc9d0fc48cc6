"""unpuzzle.translators: the puzzles, and the registry that finds them.

    names()                        the bundled puzzles: ("boxup", "pacman", "sliding-tiles", ...)
    bundled_files()                the bundled puzzles in files of other languages than Python, with their paths
    find("boxup")                  a bundled game
    find("./lights_out.py")        your own game, from a Python file
    find("sokoban.txt")            a game in a file of another language, see `_files.py`
    find("hanoi-variants")         a game of an installed distribution, by its entry point of `unpuzzle.puzzles`
    read_level("boxup", text)      a position of the game, or of a sibling if the text is one of its levels

A bundled puzzle is a file NAME.py with its domain NAME.pddl, or a folder NAME/ with `domain.pddl`, or a file of another
language, `LANGUAGE/games/NAME.txt`; `_` in the name of the file is `-` in the name of the puzzle. Files and folders
that begin with `_` are helpers; `shared` holds the public ones. The list of files is the registry, and a puzzle is
imported or compiled only on request, so that a broken one breaks no other.

In a folder, `rules` has the positions, their moves, and both as PDDL; `board` (or `maze`, `squares`) has the static
parts, often with the reading of levels, which are in a text beside it; `picture`, `making` (random levels),
`heuristics` and further modules, such as `subgoals`, are loaded on request.

A file contains one game: one subclass of `Puzzle`, or one object of a subclass of `Game`. Names that begin with `_` do
not count.
"""

from __future__ import annotations

import os
from importlib import import_module

from unpuzzle.base.errors import UnpuzzleError, UsageError
from unpuzzle.base.text import shorten, suggestion
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.table import hidden as hidden_offers
from unpuzzle.table import offers
from unpuzzle.translators._files import FILES as FILES
from unpuzzle.translators._files import GROUP, game_list, games_of, offered_game, read_game_file, read_python_file
from unpuzzle.translators._files import bundled_files as bundled_files
from unpuzzle.translators._files import format_of as format_of

SHARED = "shared"
"""The package of common parts of puzzles, which is not a puzzle."""


def names() -> tuple[str, ...]:
    """Return the names of all bundled puzzles, in alphabetical order."""
    entries = [entry for folder in __path__ for entry in os.scandir(folder)]
    folders = {entry.name for entry in entries if os.path.exists(os.path.join(entry.path, "__init__.py"))}
    modules = {entry.name.removesuffix(".py") for entry in entries if entry.name.endswith(".py")} | folders
    # The name of a puzzle may begin with a digit, as `24` does.
    puzzles = {module for module in modules - {SHARED} if f"p{module}".isidentifier() and not module.startswith("_")}
    return tuple(sorted([*(module.replace("_", "-") for module in puzzles), *bundled_files()]))


def installed() -> tuple[str, ...]:
    """Return the names of puzzles from installed distributions, except those that a bundled puzzle hides."""
    return tuple(sorted(set(offers(GROUP)) - set(names())))


def hidden() -> dict[str, str]:
    """Return the names of entry points hidden by another game of the same name, each with the reason."""
    return hidden_offers(GROUP, names(), "a bundled puzzle")


def find(name: str | os.PathLike[str]) -> Game:
    """Return the game with the given name, entry point or file; a path that is not a string names a file.

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
        raise UsageError(f"unknown puzzle {shorten(name, 40)}; the file is ./{name}.py")
    if os.path.isdir(name):
        experiment = f"`unpuzzle experiment {name}` compares planners on tasks in a folder"
        raise UsageError(f"{shorten(name, 40)} is a folder, not a puzzle; {experiment}")
    if "." in name:
        raise UsageError(f"{shorten(name, 40)} is neither a file that exists nor a puzzle")
    hint = suggestion(name.lower().replace("_", "-"), puzzles) or f"; the puzzles are: {', '.join(puzzles)}"
    raise UsageError(f"unknown puzzle {shorten(name, 40)}{hint}")


def read_level(name: str | os.PathLike[str], text: str, source: str | None = None) -> Position:
    """Parse a level as a position of the named game, or of a sibling game that can read the text.

    `source` is the name of the file, for errors. Raises ParseError if the text is not a level, and as `find` does.
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
    games = games_of(module)
    if len(games) != 1 or games[0].name != name:
        rule = f"must contain one subclass of Puzzle, with name = {name!r}"
        raise UnpuzzleError(f"{module.__file__} {rule}; found: {game_list(games)}")
    return games[0]


def _with_home(game: Game, name: str) -> Game:
    """Let a game be pickled by its name; a game whose class has slots is pickled as usual."""
    try:
        game.home = (find, (name,))
    except AttributeError:
        pass
    return game
