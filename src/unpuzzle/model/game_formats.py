"""File formats of games not written in Python, with the functions that commands, editors and servers need.

`unpuzzle.table` names them by the ending of their files, and apart from them what reads a game, so that playing it
loads nothing of what lints and edits such files.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

from unpuzzle.base.errors import ParseError
from unpuzzle.model.position import Game
from unpuzzle.pddl.linting.fault import Code, Fault

Lint = tuple[list[Fault], Mapping[str, int]]
"""The faults that are listed, and the number of all by severity."""


class Part(NamedTuple):
    """A part of a game's text: name, kind, lines (from 1), details, inner parts and, for a level, the level's name."""

    name: str
    kind: str
    line: int
    end_line: int
    detail: str = ""
    inside: tuple[Part, ...] = ()
    level: str = ""


class GameFormat(ABC):
    """A language for game files; the bundled games are in the folder `games` next to the language's reader module."""

    @abstractmethod
    def read_text(self, path: str) -> str:
        """Return the text of a file. Raises ParseError if the file cannot be read."""

    @abstractmethod
    def is_game_text(self, text: str) -> bool:
        """Return whether a text is meant to be a game."""

    @abstractmethod
    def game_in(self, text: str, path: str) -> Game:
        """Return the game in a text, as if the text came from the file `path`. Raises ParseError for other texts."""

    @abstractmethod
    def lines_of_levels(self, game: Any) -> Mapping[str, tuple[str, int, int]]:
        """Return a mapping from the name of each level to the level's title, first line and last line."""

    @abstractmethod
    def lint_text(self, text: str, path: str) -> Lint:
        """Return the faults of the text of a file."""

    @abstractmethod
    def codes(self) -> dict[str, Code]:
        """Return the explanations of fault codes, by the name of the code."""

    @abstractmethod
    def formatted(self, text: str, file: str | None = None) -> str:
        """Return a game's text, formatted."""

    @abstractmethod
    def outline(self, text: str) -> list[Part]:
        """Return the parts of a text, for editors."""

    @abstractmethod
    def told(self, text: str, line: int, column: int) -> Any:
        """Return an explanation of the text at a line and column, both from 1; None without an explanation."""

    @abstractmethod
    def mentions(self, text: str) -> list[Any]:
        """Return every mention of a name in a text."""

    @abstractmethod
    def require_same(self, text: str, old: str, new: str) -> None:
        """Raise UsageError if renaming `old` to `new` would change the game."""

    def is_game(self, path: str) -> bool:
        """Return whether a file is meant to be a game."""
        try:
            return self.is_game_text(self.read_text(path))
        except ParseError:
            return False

    def level_at(self, game: Game, line: int) -> str | None:
        """Return the name of the level at a line of the file, or of the next level; None after the last level."""
        return next((name for name, (_, _, last) in self.lines_of_levels(game).items() if line <= last), None)
