"""Turns as data: the steps of each turn, and the cells changed by each step."""

from __future__ import annotations

from typing import NamedTuple

from unpuzzle.base.values import Record

Cells = tuple[int, ...]
PUSH, RULE, COMMANDS, MOVEMENT, RIGID = "input", "rule", "commands", "movement", "rigid"


class Change(NamedTuple):
    """A cell that a step changes: the objects and the movements on it before and after, as in `compiled`."""

    cell: int
    objects: tuple[int, int]
    moves: tuple[int, int]


class Step(Record):
    """A step of a turn.

    Attributes:
        kind: `input` pushes the players; a `rule` fires; `commands` are queued; objects make their `movement`; or
            bodies of `rigid` rules could not move, so that all is taken back, and the turn begins again without these.
        line: the line of the rule; for `rigid`, of the first rule of the group left out.
        direction: the rule's direction as the reference engine logs it: empty if the line stands for only one rule.
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
    def logged(self) -> str:
        """The step as the reference engine logs it: `31 right`, or `31` if the line stands for only one rule."""
        return f"{self.line} {self.direction}".strip()


class Turn(Record):
    """A turn.

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
