"""A walker and a switch, by a `_key` that tells all, or that forgets the switch: then two positions are taken for one.

The door beyond the last cell opens where the switch is on. Who forgets the switch comes back from it as if nothing had
happened, and never finds that the door is open.
"""

from types import MappingProxyType

from unpuzzle.base.errors import IllegalMove, ParseError
from unpuzzle.model.position import Puzzle

LAST = 3
ANSWERS = MappingProxyType({"L": -1, "R": 1, "S": 0})


class Switch(Puzzle):
    """A row of cells: L and R walk, S in the first cell turns the switch; solved in the last cell if it is on."""

    name = "switch"
    title = "Switch"
    levels = MappingProxyType({"1": "1 0\n"})
    actions = MappingProxyType({"walk": lambda position, start, end: "R" if end > start else "L", "turn": "S"})
    compass = ("L", "R")
    pddl = """(define (domain switch) (:requirements :strips :typing :conditional-effects :negative-preconditions)
      (:types cell) (:predicates (at ?c - cell) (next ?a ?b - cell) (first ?c - cell) (on))
      (:action walk :parameters (?a ?b - cell) :precondition (and (at ?a) (next ?a ?b))
        :effect (and (not (at ?a)) (at ?b)))
      (:action turn :parameters () :precondition (at c0)
        :effect (and (when (on) (not (on))) (when (not (on)) (on)))))""".replace(
        "(:predicates", "(:constants c0 - cell) (:predicates"
    )

    def __init__(self, cell: int, on: int) -> None:
        self.cell, self.on = cell, on

    @classmethod
    def parse(cls, text, source=None):
        words = text.split()
        if len(words) != 2 or words[0] not in "0123" or words[1] not in "01":
            raise ParseError(f"{text!r} is no cell and no 0 or 1", file=source)
        return cls(int(words[0]), int(words[1]))

    def __str__(self) -> str:
        return f"{self.cell} {self.on}\n"

    def _key(self):
        return self.cell, self.on

    def moves(self):
        return tuple(
            move for move, step in ANSWERS.items() if (self.cell == 0 if move == "S" else 0 <= self.cell + step <= LAST)
        )

    def apply(self, move):
        if move not in self.moves():
            raise IllegalMove(f"{move}: not here", move=move)
        return type(self)(self.cell + ANSWERS[move], 1 - self.on if move == "S" else self.on)

    def solved(self) -> bool:
        return self.cell == LAST and bool(self.on)

    def objects(self):
        return {"cell": [f"c{cell}" for cell in range(1, LAST + 1)]}

    def statics(self):
        return [("next", f"c{a}", f"c{b}") for a in range(LAST + 1) for b in (a - 1, a + 1) if 0 <= b <= LAST]

    def facts(self):
        return [("at", f"c{self.cell}"), *([("on",)] if self.on else [])]

    def goal_condition(self):
        return [("at", f"c{LAST}"), ("on",)]


class Forgets(Switch):
    """The same, whose `_key` forgets the switch."""

    name = "forgets"

    def _key(self):
        return self.cell


class ForgetsWithoutPddl(Forgets):
    """The same as rules alone."""

    name = "forgets-without-pddl"

    def facts(self):
        return Puzzle.facts(self)
