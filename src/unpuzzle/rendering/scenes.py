"""Scene: what a file of pictures shows. Every kind of file is made by a function that takes one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from unpuzzle.errors import UsageError
from unpuzzle.limits import ticked
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.puzzle.replaying import as_moves
from unpuzzle.rendering.subjects import Subject
from unpuzzle.rendering.themes import AUTO, themes


@dataclass(frozen=True, slots=True)
class Scene:
    """A position or a task, or a position and moves from there, with the theme and the size of its pictures.

    Its `subjects` are the start and the position after each of the `moves`. The `theme` is `auto`, `light`, `dark` or
    `print`; `pixels` is the size of a cell, None for as many as there is room for.
    """

    subjects: tuple[Subject, ...]
    moves: tuple[str, ...] = ()
    theme: str = AUTO
    pixels: float | None = None

    @classmethod
    def of(
        cls,
        subject: Subject,
        moves: str | Iterable[str] = (),
        *,
        theme: str = AUTO,
        pixels: float | None = None,
        tick: Callable[[], None] | None = None,
    ) -> Scene:
        """Play moves from a position and return the scene of that; `tick` is called before each move.

        Raises IllegalMove, and UsageError for an unknown theme or for moves of a task.
        """
        themes(theme)
        if not isinstance(subject, Position):
            if moves:
                raise UsageError("moves are made from a position of a game, not from a PDDL task")
            return cls((subject,), (), theme, pixels)
        played = tuple(as_moves(subject, moves))
        positions = [subject]
        for move in ticked(played, tick):
            positions.append(positions[-1].apply(move))
        return cls(tuple(positions), played, theme, pixels)

    @property
    def start(self) -> Subject:
        """The position or the task that the scene begins with."""
        return self.subjects[0]

    def __reduce__(self) -> tuple[Any, ...]:
        # Positions hold hashes, which differ from process to process: they travel as text.
        if not isinstance(self.start, Position):
            return Scene, (self.subjects, self.moves, self.theme, self.pixels)
        return _again, (self.start.game, str(self.start), self.moves, self.theme, self.pixels)


def _again(game: Game, text: str, moves: Iterable[str], theme: str, pixels: float | None) -> Scene:
    """Make a scene that comes from another process."""
    return Scene.of(game.parse(text), moves, theme=theme, pixels=pixels)
