"""Turns as data, and the listener that records them: the steps of each turn, and the cells that each step changes.

It keeps a copy of the board after the last step, so that each step has exactly its own changes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from unpuzzle.base.values import Record
from unpuzzle.puzzlescript.compiling.compiled import CANCEL, RESTART, Compiled, Rule
from unpuzzle.puzzlescript.playing.board import DOWN, LEFT, RIGHT, UP, Match, PlayBoard
from unpuzzle.puzzlescript.playing.listening import Listener

Cells = tuple[int, ...]
PUSH, RULE, COMMANDS, MOVEMENT, RIGID = "input", "rule", "commands", "movement", "rigid"


class Change(NamedTuple):
    """A cell that a step changes: its objects and its movements before and after, as sets (see `compiled`)."""

    cell: int
    objects: tuple[int, int]
    moves: tuple[int, int]


class Step(Record):
    """One step of a turn, such as a rule that fires.

    Attributes:
        kind: `input` pushes the players; a `rule` fires; `commands` are queued; objects make their `movement`; or
            bodies of `rigid` rules could not move, so that all is taken back, and the turn begins again without these.
        line: the line of the rule; for `rigid`, of the first rule of the group left out.
        direction: the rule's direction as the reference engine logs it: empty if the line means only one rule.
        towards: the direction of the rule.
        late: whether the rule is a late one.
        matches: the cells on which the rows of the rule match, in the order of its patterns.
        commands: the queued commands, such as `again`, `sfx3` or `message Hello`.
        changes: the cells that are changed.
    """

    kind: str
    line: int = 0
    direction: str = ""
    towards: str = ""
    late: bool = False
    matches: tuple[Cells, ...] = ()
    commands: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()

    @property
    def alike(self) -> tuple[str, int, str, bool]:
        """The properties that must be equal for steps to be shown together."""
        return self.kind, self.line, self.direction, self.late

    @property
    def logged(self) -> str:
        """The step as the reference engine logs it: `31 right`, or `31` if the line means only one rule."""
        return f"{self.line} {self.direction}".strip()


class Turn(Record):
    """One turn of the game, with its steps.

    Attributes:
        input: the number of the input that it belongs to; 0 for the start of a level.
        key: that input.
        why: `start`, `input`, `again` or `restart`.
        before: the cells before it.
        after: the cells after it; before the restart, if it ends with one.
        steps: what happens in it, in order.
        ends: `cancel`, `no player moved`, `restart`, `win`, `again`, or empty.
        left_out: the number of further steps that were not kept.
    """

    input: int
    key: str
    why: str
    before: Cells
    after: Cells
    steps: tuple[Step, ...]
    ends: str
    left_out: int = 0

    @property
    def fired(self) -> list[Step]:
        return [step for step in self.steps if step.kind == RULE]


MOST_STEPS = 100_000
"""The largest number of steps of a play; further ones are only counted."""
TOWARDS = {UP: "up", DOWN: "down", LEFT: "left", RIGHT: "right"}
COMMAND = r"\b(?:cancel|restart|win|again|checkpoint|sfx\d+)\b"


class RuleNames:
    """The names of a game's rules: their lines in the text and, if a line has several rules, their directions."""

    def __init__(self, game: Compiled, source: str) -> None:
        self.game = game
        self.lines: Sequence[str] = source.split("\n")
        numbers = [Counter(rule.line for rule in group.rules) for group in game.rules]
        self._several = {line for lines in numbers for line, number in lines.items() if number > 1}

    def direction(self, rule: Rule) -> str:
        """Return the direction of a rule as the reference engine logs it.

        It is empty if no group, except late ones, has several rules of the line.
        """
        return TOWARDS[rule.direction] if rule.line in self._several else ""

    def source(self, line: int) -> str:
        return self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""

    def commands(self, rule: Rule) -> list[str]:
        """Return the commands of a rule as written, in their order: `sfx3`, `again`, `message Hello`.

        The compiled rule has them only as bits, which is enough for an engine.
        """
        written = self.source(rule.line).partition("->")[2]
        before, message, words = re.split(r"(\bmessage\b|$)", written, maxsplit=1, flags=re.IGNORECASE)
        names = re.findall(COMMAND, re.sub(r"\([^)]*\)?", "", before).lower())
        return list(dict.fromkeys([*names, *([f"message {words.strip()}"] if message else [])]))


class Recorder(Listener):
    """A listener that records the turns of a play, step by step."""

    __slots__ = (
        "_begun",
        "_cells",
        "_input",
        "_late",
        "_left_out",
        "_moves",
        "_queued",
        "_room",
        "_steps",
        "names",
        "turns",
    )

    def __init__(self, names: RuleNames) -> None:
        self.names: RuleNames = names
        self._input = 0, ""
        self.clear()

    def clear(self) -> None:
        """Delete the recorded turns."""
        self.turns: list[Turn] = []
        self._room = MOST_STEPS

    def follow(self, number: int, key: str) -> None:
        """Assign the next turns to an input."""
        self._input = number, key

    def begins(self, why: str, direction: int | None, board: PlayBoard) -> None:
        self._begun = why, tuple(board.cells)
        self._steps: list[Step] = []
        self._left_out = 0
        self._restore(board)

    def pushed(self, board: PlayBoard) -> None:
        changes = self._changes(range(len(board.cells)), board)
        if changes:
            self._add(Step(PUSH, changes=changes))

    def applied(self, rule: Rule, matches: Sequence[Match], board: PlayBoard) -> None:
        if not self._has_room():
            return
        cells = tuple(map(tuple, matches))
        changes = self._changes(dict.fromkeys(cell for row in cells for cell in row), board)
        direction, towards = self.names.direction(rule), TOWARDS[rule.direction]
        self._steps.append(Step(RULE, rule.line, direction, towards, self._late, cells, changes=changes))

    def queued(self, rule: Rule) -> None:
        if rule.commands & (CANCEL | RESTART):
            self._queued.clear()
        new = [name for name in self.names.commands(rule) if _kind(name) not in self._queued]
        self._queued.update(map(_kind, new))
        if new:
            step = Step(COMMANDS, rule.line, self.names.direction(rule), TOWARDS[rule.direction], self._late)
            self._add(Step(step.kind, step.line, step.direction, step.towards, step.late, commands=tuple(new)))

    def moved(self, board: PlayBoard) -> None:
        changes = self._changes(range(len(board.cells)), board)
        if changes:
            self._add(Step(MOVEMENT, changes=changes))
        self._late = True

    def broken(self, groups: Collection[int], board: PlayBoard) -> None:
        for group in sorted(groups):
            self._add(Step(RIGID, self.names.game.rules[group].rules[0].line))
        self._restore(board)

    def ends(self, how: str, board: PlayBoard) -> None:
        why, before = self._begun
        turn = Turn(*self._input, why, before, tuple(board.cells), tuple(self._steps), how, self._left_out)
        self.turns.append(turn)

    def _has_room(self) -> bool:
        """Count one more step; return whether there is room to record the step."""
        self._room -= 1
        self._left_out += self._room < 0
        return self._room >= 0

    def _add(self, step: Step) -> None:
        if self._has_room():
            self._steps.append(step)

    def _restore(self, board: PlayBoard) -> None:
        """Restart recording from a board on which no rule has been applied and no command is queued."""
        self._cells, self._moves = list(board.cells), list(board.moves)
        self._queued: set[str] = set()
        self._late = False

    def _changes(self, cells: Iterable[int], board: PlayBoard) -> tuple[Change, ...]:
        """Return the changes of some cells since the last step, and store their present contents."""
        changes = []
        for cell in cells:
            objects, moves = (self._cells[cell], board.cells[cell]), (self._moves[cell], board.moves[cell])
            if objects[0] != objects[1] or moves[0] != moves[1]:
                changes.append(Change(cell, objects, moves))
                self._cells[cell], self._moves[cell] = objects[1], moves[1]
        return tuple(changes)


def _kind(command: str) -> str:
    """Return the kind of a command: a message without its text; at most one command of a kind is queued."""
    return command.partition(" ")[0]
