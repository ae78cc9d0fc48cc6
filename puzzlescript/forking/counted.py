"""The work of a translation, measured by counts instead of time, so that refusals are the same on every machine.

Work is counted in steps of about half a microsecond each, where it is done: looks at matches, questions, cells of
boards that are copied, places that are tried for schemas. `MOST_STEPS` take about ten seconds. A caller may set a
smaller limit, with its own error. The plays for guessing assumptions count, too: the engine plays them on counting
boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from unpuzzle.base.errors import EffortSpent, UnsupportedFeature
from unpuzzle.base.run import current
from unpuzzle.puzzlescript.compiling.compiled import Compiled
from unpuzzle.puzzlescript.playing.board import Match, PlayBoard, RuleFinder, board_of
from unpuzzle.puzzlescript.playing.draws import Draws
from unpuzzle.puzzlescript.playing.engine import Play, PythonEngine
from unpuzzle.puzzlescript.playing.states import State

NO_DRAWS = Draws("")
"""A source of chance that is never used: games with chance have no PDDL."""
PER_RULE, PER_MATCH = 20, 12
"""Steps of effort for a matching rule: turns continue only if one matches."""


class CountedBoard(PlayBoard):
    """A board that counts the rules that match on it."""

    __slots__ = ("effort",)

    def __init__(self, cells: list[int], moves: list[int], where: list[int], moving: list[int], effort: Effort) -> None:
        super().__init__(cells, moves, where, moving)
        self.effort: Effort = effort

    def copy(self) -> CountedBoard:
        return CountedBoard(self.cells[:], self.moves[:], self.where[:], self.moving[:], self.effort)

    def settle(self, rule: RuleFinder, possible: list[list[Match]]) -> list[list[Match]] | None:
        self.effort.spend(PER_RULE + PER_MATCH * prod(map(len, possible)), rule.rule.line)
        return possible


class CountedEngine(PythonEngine):
    """An engine whose boards count the work that they do."""

    def __init__(self, game: Compiled, effort: Effort) -> None:
        super().__init__(game)
        self.effort = effort
        self._last: PlayBoard | None = None

    def board(self, state: State) -> PlayBoard:
        board = self.plain(state.cells)
        return CountedBoard(board.cells, board.moves, board.where, board.moving, self.effort)

    def _play(self, state: State, board: PlayBoard, shows_messages: bool) -> Play:
        return Play(self.turner(state.width, state.height), board, NO_DRAWS, shows_messages, state.target)

    def plain(self, cells: Sequence[int]) -> PlayBoard:
        """Return a board without counting, copied from the last board because boards of a play differ in few cells."""
        board = board_of(cells, self.game) if self._last is None else self._last.copy()
        for cell, (old, new) in enumerate(zip(board.cells, cells, strict=True)):
            if old != new:
                board.put(cell, new, 0)
        self._last = board.copy()
        return board


MOST_STEPS = 24_000_000
STEPS_PER_TICK = 4_000


class Effort:
    """A counter of the work of one translation, which regularly checks all limits."""

    def __init__(self, file: str | None, most: int | None = None) -> None:
        self.file = file
        self.most = most
        """A limit of steps below `MOST_STEPS`; None for no such limit."""
        self.steps: int = 0
        self._next = 0
        self.by_line: dict[int, int] = {}
        """The steps for the questions of a rule, by its line."""

    def spend(self, steps: int, line: int = 0) -> None:
        """Count steps of work for the rule in a line of the text.

        Raises UnsupportedFeature if they become too many, EffortSpent if they exceed the caller's limit.
        """
        self.steps += steps
        if line:
            self.by_line[line] = self.by_line.get(line, 0) + steps
        if self.steps >= self._next:
            self._next = self.steps + STEPS_PER_TICK
            current().look()
            if self.steps > MOST_STEPS:
                worst = max(self.by_line, key=self.by_line.__getitem__, default=None)
                sentence = "no PDDL: this rule and others ask so much about the board that there are too many cases"
                raise UnsupportedFeature(sentence, feature="PDDL", file=self.file, line=worst)
            require_affordable(self.steps, self.most)


def require_affordable(steps: int, most: int | None) -> None:
    """Raise EffortSpent if more than `most` steps were taken; None means no limit."""
    if most is not None and steps > most:
        raise EffortSpent(f"no PDDL was found in {most:,} steps", feature="PDDL")
