"""Rush Hour (N. Yoshigahara, 1996): cars drive forwards and backwards only; the car X wants out at the right.

..AB.       a letter is a car, which covers two or more cells in a line; `.` is empty, `#` is a wall
..AB.       a move is a car and a side, such as Xr: it drives on by one cell
XXAB.       solved when X is at the right edge
"""

from unpuzzle.base.errors import ParseError
from unpuzzle.model.capabilities import Generating
from unpuzzle.model.options import Number, Size, by_name
from unpuzzle.translators.shared import GridPuzzle

CARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SIDES = {"u": "up", "d": "down", "l": "left", "r": "right"}
OPPOSITE = {"u": "d", "d": "u", "l": "r", "r": "l"}


def drive(position, car, side, *others):
    """The move of an action, told by its arguments alone."""
    return car[-1].upper() + side[0]


class RushHour(GridPuzzle, Generating):
    """A position: which car covers which cells."""

    name = "rush-hour"
    title = "Rush Hour: drive the cars so that X gets out at the right"
    levels = {
        "1": "..A.\nXXA.\n....\n....\n",
        "2": "..AB..\n..AB..\nXXAB..\n......\n.CC...\n......\n",
        "3": "AAB.C.\n..B.C.\nXXB...\n.DD.EE\n.F.G..\n.F.G.#\n",
        "unsolvable": "..A\nXXA\n..A\n",
    }
    one_letter_moves = False
    symbols = {".": "empty", "#": "a wall", **dict.fromkeys(CARS, "a car"), "X": "the car that wants out"}
    joined = CARS
    painted = {"X": "hero"}
    solid = "#"
    predicates = {".": ("clear",)}
    directions = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
    actions = {"drive": drive}
    options = by_name(Size("size", "rows and columns", (4, 4), most=12), Number("cars", "beside X", 4, most=20))

    def fault(self):
        cars = [(self.cells[car[0]], car) for car in self.groups()]
        for letter, car in cars:
            if len(car) == 1 or len({car[i + 1] - car[i] for i in range(len(car) - 1)}) > 1:
                return f"the car {letter} does not cover two or more cells in a line", car[-1]
            if [name for name, _ in cars].count(letter) > 1:
                return f"there are two cars {letter}", max(other for name, other in cars if name == letter)[0]
            if letter == "X" and not self.lies(car):
                return "the car X stands upright: it drives to the left and to the right", car[0]
        return None if "X" in self.cells else ("there is no car X, which wants out", 0)

    # ---- rules

    def lies(self, car):
        return car[0] // self.columns == car[-1] // self.columns

    def ends(self):
        """By car and side that it can drive to: the cell of its end there."""
        found = {}
        for car in self.groups():
            sides = "lr" if self.lies(car) else "ud"
            found.update({(self.cells[car[0]], side): end for side, end in zip(sides, (car[0], car[-1]), strict=True)})
        return found

    def following(self):
        ends, moves = self.ends(), {}
        for (car, side), end in ends.items():
            ahead = self.around[end].get(side)
            if ahead is not None and self.cells[ahead] == ".":
                moves[car + side] = self.changed({ends[car, OPPOSITE[side]]: ".", ahead: car})
        return moves

    def exit(self):
        """The cell at the right end of X's row."""
        return (self.cells.index("X") // self.columns + 1) * self.columns - 1

    def solved(self):
        return self.cells[self.exit()] == "X"

    def symmetries(self):
        """Nothing can be turned, since the exit is at the right."""
        return [self]

    # ---- PDDL

    def objects(self):
        cars = [f"car-{letter.lower()}" for letter in CARS if letter in self.cells]
        return {**super().objects(), "side": SIDES.values(), "car": cars}

    def statics(self):
        steps = [("next", self.names[cell], SIDES[side], self.names[to]) for cell, side, to in self.steps()]
        return [*steps, *[("opposite", SIDES[side], SIDES[other]) for side, other in OPPOSITE.items()]]

    def facts(self):
        ends = [("end", f"car-{car.lower()}", SIDES[side], self.names[at]) for (car, side), at in self.ends().items()]
        return [*super().facts(), *ends]

    def goal_condition(self):
        return [("end", "car-x", "right", self.names[self.exit()])]

    @classmethod
    def generate(cls, rng, options):
        rows, columns = options["size"]
        if columns == 1:
            raise ParseError("a car needs two columns")
        start = rng.randrange(rows) * columns
        cells = dict.fromkeys((start, start + 1), "X")
        for letter in CARS.replace("X", "")[: options["cars"]]:
            row, column, length = rng.randrange(rows), rng.randrange(columns), rng.choice((2, 2, 3))
            down = rng.random() < 0.6
            if (row if down else column) + length <= (rows if down else columns):
                car = [row * columns + column + i * (columns if down else 1) for i in range(length)]
                cells.update({} if set(car) & set(cells) else dict.fromkeys(car, letter))
        return cls("".join(cells.get(cell, ".") for cell in range(rows * columns)), columns)
