"""A puzzle as written for the first version of `Puzzle`: every method spelled out, all that is optional offered."""

from pathlib import Path

from unpuzzle.base.errors import IllegalMove, ParseError
from unpuzzle.model import NULL, Heuristic, Puzzle, Subgoal
from unpuzzle.model.capabilities import Generating, HasHeuristics, Reversible, Scored, Staged, Symmetric
from unpuzzle.model.options import Number
from unpuzzle.model.task import atom, foreign, objects
from unpuzzle.pddl.nodes import And, Problem, Task
from unpuzzle.pddl.reading.reader import read_domain

DISTANCE = Heuristic(
    "distance",
    "cells between the walker and the right end",
    lambda position: position.length - 1 - position.place,
    admissible=True,
    consistent=True,
    between=lambda position, other: abs(position.place - other.place),
)


class OldStyle(Puzzle, Generating, HasHeuristics, Symmetric, Reversible, Staged, Scored):
    """A walker in a corridor; it wants to the right end."""

    __slots__ = ("length", "place")

    name = "old-style"
    title = "Old style: walk to the right end of a corridor"
    levels = {"1": "@...\n", "2": "..@..\n", "3": "@\n"}
    options = {"length": Number("length", "cells", 4, least=1, most=12)}
    heuristics = {"distance": DISTANCE, "null": NULL}
    compass = ("L", "R")

    length: int
    place: int

    def __init__(self, place: int, length: int) -> None:
        self.place = place
        self.length = length

    def _key(self):
        return self.place, self.length

    @classmethod
    def parse(cls, text, source=None):
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n").split("\n")
        line = lines[0]
        if len(lines) > 1:
            raise ParseError("a corridor is one line", file=source, line=2, column=1, text=lines[1])
        if line.count("@") != 1 or line.strip(".@"):
            raise ParseError(f"{line[:20]!r} is no corridor", file=source, line=1, column=1, text=line)
        return cls(line.index("@"), len(line))

    def __str__(self):
        return "." * self.place + "@" + "." * (self.length - 1 - self.place) + "\n"

    def moves(self):
        return ("L",) * (self.place > 0) + ("R",) * (self.place < self.length - 1)

    def apply(self, move):
        if move not in self.moves():
            raise IllegalMove(f"{move}: there is no way", move=move)
        return type(self)(self.place + (1 if move == "R" else -1), self.length)

    def cost(self, move):
        return 1

    def solved(self):
        return self.place == self.length - 1

    def impossible(self):
        return None

    def draw(self):
        return str(self).rstrip("\n").replace("@", "☺")

    def goal_position(self):
        return type(self)(self.length - 1, self.length)

    def predecessors(self):
        return [("L" if move == "R" else "R", self.apply(move)) for move in self.moves()]

    def symmetries(self):
        return (self,)

    def level_score(self, moves):
        return 10 - len(tuple(moves))

    def subgoals(self):
        end = self.length - 1
        return [
            Subgoal(
                "the end",
                view=lambda position: position.place,
                successors=lambda place: [("L", place - 1, 1)] * (place > 0) + [("R", place + 1, 1)] * (place < end),
                achieved=lambda place: place == end,
                estimate=lambda place: end - place,
                admissible=True,
            )
        ]

    def task(self):
        names = [f"c{i}" for i in range(self.length)]
        adjacent = [atom("next", *pair) for pair in zip(names, names[1:], strict=False)]
        problem = Problem(
            name="corridor",
            domain_name="old-style",
            objects=objects(names, "cell"),
            init=(*adjacent, *self.atoms()),
            goal=And((atom("at", names[-1]),)),
        )
        return Task(read_domain(str(Path(__file__).with_name("corridor-domain.pddl"))), problem)

    def atoms(self):
        return frozenset([atom("at", f"c{self.place}")])

    def decode(self, action):
        if action.name not in ("left", "right") or len(action.arguments) != 2:
            raise foreign(action, "the actions are left and right")
        return "L" if action.name == "left" else "R"

    @classmethod
    def sample(cls, rng):
        length = rng.randint(1, 6)
        return cls(rng.randrange(length), length)

    @classmethod
    def generate(cls, rng, options):
        return cls(rng.randrange(options["length"]), options["length"])

    @classmethod
    def every(cls, options):
        return (cls(place, options["length"]) for place in range(options["length"]))
