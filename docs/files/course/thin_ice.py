"""Thin ice: each field of ice breaks when the walker leaves it; break all of them."""

from unpuzzle.model.capabilities import Generating, HasHeuristics
from unpuzzle.model.heuristic import Heuristic
from unpuzzle.model.options import Size
from unpuzzle.translators.shared import GridPuzzle


def estimate(position):
    """Ice that is left, twice where it does not touch the walker."""
    (walker,) = position.where("@")
    near = [cell for cell in position.around[walker].values() if position.cells[cell] == "."]
    return 2 * position.cells.count(".") - len(near)


class ThinIce(GridPuzzle, Generating, HasHeuristics):
    """A position: a symbol in every cell."""

    name = "thin-ice"
    title = "Thin ice: break all the ice"
    levels = {"1": "@..\n#..\n", "2": "...#\n.@..\n..#.\n"}
    symbols = {"#": "a rock", ".": "ice", "@": "the walker", "o": "open water"}
    single = {"walker": "@"}  # there must be exactly one
    directions = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
    heuristics = {"ice": Heuristic("ice", "what is left", estimate, admissible=True, consistent=True)}
    options = {"size": Size("size", "rows and columns", (4, 4), most=20)}

    # ---- rules

    def following(self):
        """All moves that can be made here, each with the position after it."""
        (walker,) = self.where("@")
        steps = [(move, cell) for move, cell in self.around[walker].items() if self.cells[cell] == "."]
        return {move: self.changed({walker: "o", cell: "@"}) for move, cell in steps}

    def solved(self):
        """Whether all the ice is broken."""
        return "." not in self.cells

    # ---- the same in PDDL

    actions = {"up": "U", "down": "D", "left": "L", "right": "R"}  # the move that each action stands for
    predicates = {"@": ("at",), ".": ("ice",)}  # what is true of a cell, by its symbol
    solid = "#"  # these cells are not there in PDDL

    def statics(self):
        """What never changes: which cells lie next to each other."""
        words = {"U": "up-of", "D": "down-of", "L": "left-of", "R": "right-of"}
        return [(words[move], self.names[cell], self.names[to]) for cell, move, to in self.steps()]

    def goal_condition(self):
        """What must be true in the end: no cell has ice."""
        return [("not", "ice", self.names[cell]) for cell in self.where(".@o")]

    # ---- levels for `unpuzzle generate`

    @classmethod
    def generate(cls, rng, options):
        """A random level."""
        rows, columns = options["size"]
        cells = ["@", *rng.choices("...#", k=rows * columns - 1)]
        rng.shuffle(cells)
        return cls("".join(cells), columns)
