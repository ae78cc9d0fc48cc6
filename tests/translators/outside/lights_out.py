"""Lights out, as someone outside the package writes it: a press switches a light and those next to it."""

from unpuzzle import IllegalMove, ParseError, Puzzle
from unpuzzle.constraints import Constraints, Relation
from unpuzzle.model.capabilities import Constrained, Generating
from unpuzzle.model.options import Number, Size


class LightsOut(Puzzle, Generating, Constrained):
    """A position: which lights are on, row by row."""

    name = "lights-out"
    title = "Lights out: a press switches a light and those next to it"
    levels = {"3x3": "1.1\n.1.\n1.1\n", "2x3": "11.\n.11\n"}
    one_letter_moves = False
    actions = {"press": "{0}"}
    options = {
        "size": Size("size", "rows and columns", (2, 3), most=4),
        "lit": Number("lit", "lights that are on", 3, most=16),
    }

    def __init__(self, rows):
        self.rows = rows

    @classmethod
    def parse(cls, text, source=None):
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").removesuffix("\n").split("\n")
        for number, line in enumerate(lines, 1):
            fine = line.strip("1.") == "" and len(line) == len(lines[0]) > 0
            if not fine:
                message = f"{line!r} is no row of {len(lines[0])} lights, each 1 or ."
                raise ParseError(message, file=source, line=number, column=1, text=line)
        return cls(tuple(lines))

    def __str__(self):
        return "\n".join(self.rows) + "\n"

    def _key(self):
        return self.rows

    def _names(self):
        return {f"r{i + 1}c{j + 1}": (i, j) for i, row in enumerate(self.rows) for j in range(len(row))}

    def moves(self):
        return tuple(self._names())

    def apply(self, move):
        if move not in self._names():
            raise IllegalMove(f"there is no light {move!r}", move=move)
        i, j = self._names()[move]
        return LightsOut(
            tuple(
                "".join(".1"[light == "."] if abs(i - k) + abs(j - m) < 2 else light for m, light in enumerate(row))
                for k, row in enumerate(self.rows)
            )
        )

    def solved(self):
        return "1" not in str(self)

    def constraints(self):
        cells = self._names().items()
        near = [[b for b, (k, m) in cells if abs(i - k) + abs(j - m) < 2] for _, (i, j) in cells]
        lit = [self.rows[i][j] == "1" for _, (i, j) in cells]
        relations = [Relation("parity", some, odd) for some, odd in zip(near, lit, strict=True)]
        return Constraints(dict.fromkeys(self._names(), (0, 1)), relations, {name: {1: 1} for name in self._names()})

    def moves_to(self, solution):
        return [name for name in self._names() if solution[name]]

    def objects(self):
        return {"cell": self._names()}

    def statics(self):
        cells = self._names().items()
        return [("switches", a, b) for a, (i, j) in cells for b, (k, m) in cells if abs(i - k) + abs(j - m) < 2]

    def facts(self):
        return [("lit", name) for name, (i, j) in self._names().items() if self.rows[i][j] == "1"]

    def goal_condition(self):
        from unpuzzle.pddl.nodes import And, Atom, Not

        return And(tuple(Not(Atom("lit", (name,))) for name in self._names()))

    @classmethod
    def generate(cls, rng, options):
        (rows, columns), lit = options["size"], options["lit"]
        if lit > rows * columns:
            raise ParseError(f"--lit {lit}: there are {rows * columns} lights")
        lights = rng.sample("1" * lit + "." * (rows * columns - lit), rows * columns)
        return cls(tuple("".join(lights[i * columns : (i + 1) * columns]) for i in range(rows)))
