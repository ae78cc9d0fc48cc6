"""File formats of games that are not written in Python, with functions for commands, editors and servers.

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
    """A part of a game's text, such as a rule or a level, with its kind, its first and last line, and inner parts."""

    name: str
    kind: str
    line: int
    end_line: int
    detail: str = ""
    inside: tuple[Part, ...] = ()
    level: str = ""


class GameFormat(ABC):
    """The base class of languages for game files."""

    @abstractmethod
    def read_text(self, path: str) -> str:
        """Return the text of a game file. Raises ParseError if the file cannot be read."""

    @abstractmethod
    def is_game_text(self, text: str) -> bool:
        """Return whether a text is a game in this format, perhaps with faults."""

    @abstractmethod
    def game_in(self, text: str, path: str) -> Game:
        """Return the game in a text; `path` is the file name for messages. Raises ParseError for invalid texts."""

    @abstractmethod
    def lines_of_levels(self, game: Any) -> Mapping[str, tuple[str, int, int]]:
        """Return the title, first line and last line of each level, by the level's name."""

    @abstractmethod
    def lint_text(self, text: str, path: str) -> Lint:
        """Return the faults in the text of a game file."""

    @abstractmethod
    def codes(self) -> dict[str, Code]:
        """Return for each fault code a sentence that explains it."""

    @abstractmethod
    def formatted(self, text: str, file: str | None = None) -> str:
        """Return a game's text with normalized layout."""

    @abstractmethod
    def outline(self, text: str) -> list[Part]:
        """Return the parts of a game's text, for the outline in editors."""

    @abstractmethod
    def told(self, text: str, line: int, column: int) -> Any:
        """Return an explanation of the rule or word at a line and column (from 1); None if there is no explanation."""

    @abstractmethod
    def mentions(self, text: str) -> list[Any]:
        """Return all occurrences of names in a game's text."""

    @abstractmethod
    def require_same(self, text: str, old: str, new: str) -> None:
        """Raise UsageError if renaming `old` to `new` would change the game."""

    def is_game(self, path: str) -> bool:
        """Return whether a file is a game in this format, perhaps with faults."""
        try:
            return self.is_game_text(self.read_text(path))
        except ParseError:
            return False

    def level_at(self, game: Game, line: int) -> str | None:
        """Return the name of the level at or after a line of the file; None after the last level."""
        return next((name for name, (_, _, last) in self.lines_of_levels(game).items() if line <= last), None)
