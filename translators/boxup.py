"""Boxup (Andrea Gilbert, 2003): a mover inside small boxes inside large boxes.

    Ne@   a cell: large box open to the north, in it a small box open to the east, in that the mover
    n! W! the goal pair: the small one must end inside the large one
    . #   an empty cell, a wall

A step is blocked, or it takes along the boxes around the mover:

    1. Every box in the target cell must be open towards the mover.
    2. A large box in the mover's cell that is *not* open in the move's direction comes along, and a small box with it.
       Otherwise a small box comes along unless it is open in that direction, too.
    3. A large box needs a target without any box; a small box alone needs a target without a small box.

Boxes of one size, side and mark are interchangeable, in the text, in the rules and in the PDDL (see boxup.pddl).

In pictures, boxes are frames without their open side; the goal pair has double lines; `@` is the mover.

┌─────┐      a large box open to the east, in it the marked small box,
│╔   ╗       open to the north, in it the mover
│║ @ ║
│╚═══╝
└─────┘
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations, product
from random import Random

from unpuzzle.base.errors import IllegalMove, ParseError
from unpuzzle.base.text import shorten
from unpuzzle.base.type_hints import Any, ClassVar, Self, TypeVar
from unpuzzle.drawing import COVER, At, Circle, Ground, Look, Path, Piece, Rect, Shape
from unpuzzle.model.capabilities import Generating, HasHeuristics, Pictured, Symmetric
from unpuzzle.model.heuristic import NULL, Heuristic
from unpuzzle.model.options import Number, Option, Size, by_name
from unpuzzle.model.position import Position, Puzzle
from unpuzzle.model.task import atom, foreign, objects
from unpuzzle.pddl.nodes import Atom, GroundAction, Problem, Task
from unpuzzle.translators.shared.cells import SIDES, Distances, Layout, Memo, Symmetry, neighbours, symmetries
from unpuzzle.translators.shared.text import Page, Word, levels_beside

Boxes = tuple[str, ...]
"""By cell, the box of one size: `N` or `N!` a large one, `n` or `n!` a small one, or nothing."""
NAMES: dict[str, str] = {"N": "north", "E": "east", "S": "south", "W": "west"}
OPPOSITE: dict[str, str] = {"N": "S", "E": "W", "S": "N", "W": "E"}
_CONTENT = re.compile("([NESW]!?)?([nesw]!?)?(@?)")
_MARKED = ("n!", "e!", "s!", "w!"), ("N!", "E!", "S!", "W!")
Level = TypeVar("Level", bound=Position)
BoxOfCell = dict[int, str]
"""The box of each cell."""

MOST = 9
OPTIONS: dict[str, Option] = by_name(
    Size("size", "rows and columns of the grid", (3, 3), most=MOST),
    Number("boxes", "how many, the goal pair among them; each of the others is of either size", 2, least=2, most=8),
    Number("walls", "how many", 0, most=MOST * MOST - 1),
)


class BoxupBoard(Layout):
    """A board of Boxup without boxes and mover: its size, its walls, and the kinds of boxes."""

    __slots__ = ("contents", "distances", "free", "kinds", "larges", "marked", "steps", "walls")

    def __init__(self, rows: int, columns: int, walls: frozenset[int], kinds: tuple[str, ...]) -> None:
        super().__init__(rows, columns, walls, kinds)
        self.walls: frozenset[int] = walls
        self.kinds: tuple[str, ...] = kinds
        self.free: tuple[int, ...] = tuple(cell for cell in range(rows * columns) if cell not in walls)
        steps = [{side: near.get(side) for side in OPPOSITE} for near in neighbours(rows, columns, SIDES)]
        self.steps: tuple[dict[str, int | None], ...] = tuple(steps)
        free = set(self.free)
        self.distances: Distances = Distances({cell: free.intersection(steps[cell].values()) for cell in free})
        # The kinds of large boxes, `nobody` among them if some small kind has no partner.
        alone = any(box.islower() and len(box) == 1 for box in kinds)
        self.larges: list[str] = [*(kind_of(box) for box in kinds if box.isupper()), *["nobody"] * alone]
        small, large = (next(box for box in kinds if box in pair) for pair in _MARKED)
        self.marked: tuple[str, str] = small, large
        # By cell, large box and small box: the atoms for them. Positions have most of them in common.
        self.contents: Memo[tuple[int, str, str], frozenset[Atom]] = Memo(
            lambda content: frozenset(() if content[0] in walls else self.describe(*content))
        )

    def statics(self) -> list[Atom]:
        """Return the atoms that no move changes: adjacent cells, the open sides of boxes, and the two marked boxes."""
        atoms = [
            atom("next", self.name(cell), NAMES[side], self.name(target))
            for cell in self.free
            for side, target in self.steps[cell].items()
            if target is not None and target not in self.walls
        ]
        for box in self.kinds:
            for side, name in NAMES.items():
                atoms.append(atom("opens" if side == box[0].upper() else "shut", kind_of(box), name))
            if box.islower():
                atoms.append(atom("partner", kind_of(box), "blue" if box.endswith("!") else "nobody"))
        return atoms

    def describe(self, cell: int, large: str, small: str) -> list[Atom]:
        """Return the PDDL atoms for the boxes in a cell."""
        name = self.name(cell)
        atoms = []
        for size, box in (("small", small), ("large", large)):
            atoms += [atom(f"no-{size}", name, NAMES[side]) for side in NAMES if side != box[:1].upper()]
            atoms += [atom(f"{size}-at", kind_of(box), name)] if box else []
        atoms += [atom("without", name, kind) for kind in self.larges if not large or kind != kind_of(large)]
        return atoms


@lru_cache(maxsize=64)
def kind_of(box: str) -> str:
    """Return the PDDL name of a box: `red` or `blue` if it is marked, else its size and its open side."""
    if box.endswith("!"):
        return "red" if box[0].islower() else "blue"
    return f"{'small' if box.islower() else 'large'}-{NAMES[box.upper()]}"


def read(text: str, source: str | None) -> tuple[BoxupBoard, Boxes, Boxes, int]:
    """Read a level; return the board, the large and the small box in each cell, and the mover's cell."""
    page = Page(text, source)
    rows = page.rows()
    page.require_rectangle(rows)
    words = [word for row in rows for word in row]
    larges, smalls, movers = zip(*[_content(page, word) for word in words], strict=True)
    there = [word for word, mover in zip(words, movers, strict=True) if mover]
    page.require_one(there, "mover", "no mover: one cell needs an '@'", start=words[0])
    for size, boxes, example in (("small", smalls, "n!"), ("large", larges, "W!")):
        marked = [word for word, box in zip(words, boxes, strict=True) if box.endswith("!")]
        missing = f"no goal pair: no {size} box is marked, as in '{example}'"
        page.require_one(marked, f"marked {size} boxe", missing, start=words[0])
    walls = frozenset(cell for cell, word in enumerate(words) if word.text == "#")
    board = BoxupBoard(len(rows), len(rows[0]), walls, tuple(sorted({*larges, *smalls} - {""})))
    return board, larges, smalls, movers.index("@")


def _content(page: Page, word: Word) -> tuple[str, str, str]:
    """Return the large box, the small box and the mover in the text of a cell; a missing one is an empty text."""
    text = "" if word.text in (".", "#") else word.text
    match = _CONTENT.match(text)
    assert match is not None
    if match.end() < len(text):
        raise page.error_at(_complaint(text, match.end()), word, match.end())
    large, small, mover = match.groups("")
    return large, small, mover


def _complaint(cell: str, end: int) -> str:
    """Return a message about the wrong symbol at index `end` of a cell's text."""
    symbol, before = cell[end], cell[:end]
    if symbol == "!":
        return "'!' marks a box: it follows a box's letter, once"
    if symbol in ".#":
        return f"{symbol!r} must be alone: nothing can be in {'a wall' if symbol == '#' else 'an empty cell'}"
    for size, sides in (("large", "NESW"), ("small", "nesw")):
        if symbol in sides:
            twice = any(char in sides for char in before)
            return (
                f"two {size} boxes in a cell" if twice else "the order in a cell must be: large box, small box, mover"
            )
    if symbol == "@":
        return "two movers in a cell"
    return f"bad symbol {symbol!r}: a cell must be '.', '#', or a large box N E S W, a small box n e s w, the mover @"


MOVES = {"U": "N", "D": "S", "L": "W", "R": "E"}
_LETTERS = {NAMES[side]: move for move, side in MOVES.items()}
_ACTIONS = {"walk": 6, "carry-small": 9, "pair-up": 9, "carry-large": 8, "carry-both": 10}  # numbers of parameters

_COMPASS = [atom("compass", *map(NAMES.__getitem__, turns)) for turns in ("NSWE", "EWNS", "SNEW", "WESN")]
_WIDTH, _HEIGHT = 7, 5
_SINGLE, _DOUBLE = "─│┌┐└┘", "═║╔╗╚╝"


def _steps(position: Boxup) -> float:
    """Return an estimate: the steps between the marked boxes, plus the mover's steps to the nearer one.

    Boxes move only with the mover in their cell. So a marked box that is carried is where the mover is, and a step
    changes the distance between the two by 1 at most; until one is carried, only the distance of the mover changes. So
    it is consistent, and admissible, since the goal is that both are in one cell, with the mover anywhere. The open
    sides, and other boxes in the way, are ignored.
    """
    small, large = position.pair()
    if small == large:
        return 0
    between, mover = position._board.distances.between, position.mover
    return between(small, large) + min(between(mover, small), between(mover, large))


ABOUT = "steps around walls between the marked boxes, and from the mover to the nearer one"
STEPS = Heuristic("steps", ABOUT, _steps, admissible=True, consistent=True)


class Boxup(Puzzle, Generating, HasHeuristics, Pictured, Symmetric):
    """A position of Boxup: the boxes of each cell, and the mover's cell."""

    __slots__ = ("_board", "_larges", "_smalls", "mover")

    name = "boxup"
    title = "Boxup: walk into boxes open on one side, carry them, put the small marked one into the large marked one"
    levels: ClassVar[Mapping[str, str]] = levels_beside(__file__)
    options: Mapping[str, Option] = OPTIONS
    heuristics: Mapping[str, Heuristic] = {"steps": STEPS, "null": NULL}

    def __init__(self, board: BoxupBoard, larges: Boxes, smalls: Boxes, mover: int) -> None:
        self._board = board
        self._larges = larges
        self._smalls = smalls
        self.mover: int = mover

    def _key(self) -> Hashable:
        return self._board, self.mover, self._larges, self._smalls

    def pair(self) -> tuple[int, int]:
        """Return the cells of the two marked boxes, the small box first."""
        small, large = self._board.marked
        return self._smalls.index(small), self._larges.index(large)

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        return cls(*read(text, source))

    def __str__(self) -> str:
        columns, walls = self._board.columns, self._board.walls
        contents = zip(self._larges, self._smalls, strict=True)
        cells = [large + small + "@" * (cell == self.mover) for cell, (large, small) in enumerate(contents)]
        words = ["#" if cell in walls else content or "." for cell, content in enumerate(cells)]
        width = max(map(len, words))
        lines = (words[start : start + columns] for start in range(0, len(words), columns))
        return "".join(" ".join(word.ljust(width) for word in line).rstrip() + "\n" for line in lines)

    def moves(self) -> tuple[str, ...]:
        return tuple(move for move in MOVES if self._obstacle(move) is None)

    def apply(self, move: str) -> Self:
        if move not in MOVES:
            raise IllegalMove(f"{shorten(move)} is not a move: the moves are U, D, L and R", move=move)
        obstacle = self._obstacle(move)
        if obstacle is not None:
            raise IllegalMove(f"{move}: {obstacle}", move=move)
        target = self._board.steps[self.mover][MOVES[move]]
        assert target is not None
        large, small = self._carried(MOVES[move])
        larges = _moved(self._larges, self.mover, target) if large else self._larges
        smalls = _moved(self._smalls, self.mover, target) if small else self._smalls
        return type(self)(self._board, larges, smalls, target)

    def solved(self) -> bool:
        small, large = self._board.marked
        return self._larges[self._smalls.index(small)] == large

    def _carried(self, side: str) -> tuple[bool, bool]:
        """Return whether the large and the small box around the mover move with it to a side."""
        large_box, small_box = self._larges[self.mover], self._smalls[self.mover]
        large = large_box != "" and large_box[0] != side
        return large, small_box != "" and (large or small_box[0].upper() != side)

    def _obstacle(self, move: str) -> str | None:
        """Return why a move is illegal; None if it is legal."""
        side, board = MOVES[move], self._board
        target = board.steps[self.mover][side]
        if target is None:
            return f"{board.place(self.mover)} is at the edge of the grid"
        if target in board.walls:
            return f"there is a wall at {board.place(target)}"
        there = {"large": self._larges[target], "small": self._smalls[target]}
        for size, box in there.items():
            if box and box[0].upper() != OPPOSITE[side]:
                return f"the {size} box at {board.place(target)} is not open towards the mover"
        large, small = self._carried(side)
        for size, box in there.items():
            if box and (large or (small and size == "small")):
                carried = "large" if large else "small"
                return f"the {carried} box that comes along has no room beside the {size} box at {board.place(target)}"
        return None

    def symmetries(self) -> Iterable[Self]:
        return dict.fromkeys(map(self._turned, symmetries(self._board.rows, self._board.columns)))

    def _turned(self, symmetry: Symmetry) -> Self:
        """Return the image of the position under a reflection or rotation."""
        letters = str.maketrans({**symmetry.sides, **{s.lower(): t.lower() for s, t in symmetry.sides.items()}})
        larges, smalls = (
            symmetry.moved([box.translate(letters) for box in boxes]) for boxes in (self._larges, self._smalls)
        )
        walls = frozenset(symmetry.cells[cell] for cell in self._board.walls)
        kinds = tuple(sorted(box.translate(letters) for box in self._board.kinds))
        board = BoxupBoard(symmetry.rows, symmetry.columns, walls, kinds)
        return type(self)(board, larges, smalls, symmetry.cells[self.mover])

    def task(self) -> Task:
        board = self._board
        boxes = [(kind_of(box), "large" if box.isupper() else "small") for box in board.kinds]
        contents = (a for c in board.free for a in board.describe(c, self._larges[c], self._smalls[c]))
        problem = Problem(
            name=f"boxup-{board.rows}x{board.columns}",
            domain_name="boxup",
            objects=(
                *objects(map(board.name, board.free), "cell"),
                *objects(NAMES.values(), "side"),
                *(kind for name, size in boxes for kind in objects([name], size)),
            ),
            init=(*_COMPASS, *board.statics(), *self._mover_and_goal(), *contents),
            goal=atom("paired", "red"),
        )
        return Task(self.game.domain(), problem)

    def _mover_and_goal(self) -> list[Atom]:
        at = atom("at", self._board.name(self.mover))
        return [at, atom("paired", "red")] if self.solved() else [at]

    def atoms(self) -> frozenset[Atom]:
        contents = zip(range(len(self._larges)), self._larges, self._smalls, strict=True)
        return frozenset(self._mover_and_goal()).union(*map(self._board.contents.__getitem__, contents))

    def decode(self, action: GroundAction) -> str:
        if action.name not in _ACTIONS:
            raise foreign(action, f"the action must be one of {', '.join(_ACTIONS)}")
        if len(action.arguments) != _ACTIONS[action.name]:
            raise foreign(action, f"{action.name} takes {_ACTIONS[action.name]} arguments")
        side = action.arguments[1]
        if side not in _LETTERS:
            raise foreign(action, f"{side!r} is not a side")
        return _LETTERS[side]

    def ground(self) -> Ground:
        return ground(self._board)

    def pieces(self) -> list[Piece]:
        columns = self._board.columns
        boxes = (*enumerate(self._larges), *enumerate(self._smalls), (self.mover, "@"))
        return [(box, cell // columns, cell % columns, box) for cell, box in boxes if box]

    @classmethod
    def sample(cls, rng: Random) -> Self:
        return sample(cls.parse, rng)

    @classmethod
    def generate(cls, rng: Random, options: Mapping[str, Any]) -> Self:
        return cls.parse(random_text(rng, options))

    @classmethod
    def every(cls, options: Mapping[str, Any]) -> Iterator[Self]:
        return map(cls.parse, every_text(options))


def _moved(boxes: Boxes, start: int, end: int) -> Boxes:
    cells = list(boxes)
    cells[start], cells[end] = "", boxes[start]
    return tuple(cells)


MOVER = Look(
    Circle(0.5, 0.5, 0.14, fill="hero", line="ink", thick=0.03),
    Circle(0.45, 0.47, 0.026, fill="face"),
    Circle(0.55, 0.47, 0.026, fill="face"),
    Path([(0.45, 0.55), (0.5, 0.575), (0.55, 0.55)], line="face", thick=0.025),
    text="\n\n   @",
    role="hero",
    label="the mover",
)
FLOOR = Look(Rect(0.03, 0.03, 0.94, 0.94, 0.06, fill="floor", line="grid", thick=0.02))
WALL = Look(Rect(0.03, 0.03, 0.94, 0.94, 0.06, fill="wall"))


@lru_cache(maxsize=64)
def ground(board: BoxupBoard) -> Ground:
    """Return the part of the picture that no move changes, and the drawings of all kinds of boxes."""
    cells = [(cell, *divmod(cell, board.columns)) for cell in range(board.rows * board.columns)]
    shapes = [At(row, column, "#" if cell in board.walls else ".") for cell, row, column in cells]
    boxes = {box: _box(box) for box in sorted(board.kinds, key=str.islower)}  # large ones below
    looks = {".": FLOOR, "#": WALL, **boxes, "@": MOVER}
    return Ground(board.rows, board.columns, looks, shapes, _text(board), (5, 8), (1, 2))


def _box(box: str) -> Look:
    """Return the drawing of a box: a frame with a gap at the open side."""
    near = 0.12 if box.isupper() else 0.28
    far = 1 - near
    corners = [(near, near), (far, near), (far, far), (near, far)]  # clockwise from the upper left one
    first = "NESW".index(box[0].upper()) + 1
    train = [corners[(first + turn) % 4] for turn in range(4)]
    marked = box.endswith("!")
    role = "goal" if marked else "box"
    shapes: list[Shape] = [Path(train, line=role, thick=0.13 if marked else 0.09)]
    if marked:
        shapes.append(Path(train, line="floor", thick=0.04))
    size = "large" if box.isupper() else "small"
    label = f"{'marked ' * marked}{size} box, open to the {NAMES[box[0].upper()]}"
    return Look(*shapes, text=_frame(box, int(size == "small")), role=role, label=label)


def _text(board: BoxupBoard) -> str:
    """Return the board as text, in which boxes and mover are not drawn yet."""
    wall = ["█" * _WIDTH] * _HEIGHT
    floor = [" " * _WIDTH if line != _HEIGHT // 2 else "·".center(_WIDTH) for line in range(_HEIGHT)]
    rule = "─" * ((_WIDTH + 1) * board.columns + 1)
    lines = [f"╭{rule}╮"]
    for start in range(0, board.rows * board.columns, board.columns):
        blocks = [wall if cell in board.walls else floor for cell in range(start, start + board.columns)]
        lines += ["│ " + " ".join(parts) + " │" for parts in zip(*blocks, strict=True)]
    return "\n".join([*lines, f"╰{rule}╯"])


def _frame(box: str, margin: int) -> str:
    """Return the frame of a box as text, drawn `margin` characters from the edge of its cell."""
    lines = _DOUBLE if box.endswith("!") else _SINGLE
    flat, upright, corners = lines[0], lines[1], lines[2:]
    side, inside = box[0].upper(), _WIDTH - 2 - 2 * margin
    sides = {
        open_to: COVER if open_to == side else line
        for open_to, line in zip("NSWE", flat * 2 + upright * 2, strict=True)
    }
    middle = [sides["W"] + COVER * inside + sides["E"]] * (_HEIGHT - 2 - 2 * margin)
    top, bottom = (corners[i] + sides[end] * inside + corners[i + 1] for i, end in ((0, "N"), (2, "S")))
    return "\n" * margin + "\n".join([" " * margin + line for line in (top, *middle, bottom)])


# ---- Levels of a given shape: random ones, or all
#
# A level is walls, boxes in the other cells (at most one small and one large in each; one of either size is marked),
# and the mover anywhere among them.


def sample(parse: Callable[[str], Level], rng: Random) -> Level:
    """Return a random small level, usually one with many reachable positions."""
    rows, columns = rng.choice([(1, 5), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4), (4, 3)])
    boxes = rng.choice(["xX", "xXx", "xXX", "xXxX"] if rows * columns < 12 else ["xX"])
    walls = rng.randint(0, rows * columns // 4)
    # In most random levels the mover is soon stuck: of a few, take one where it gets around.
    levels = [parse(random_level(rng, rows, columns, boxes, walls)) for _ in range(rng.choice([1, 8, 8]))]
    return max(levels, key=_reach)


def _reach(level: Position, limit: int = 60) -> int:
    """Return the number of positions that are reachable from a level, up to about `limit`."""
    positions: set[Position] = {level}
    queue = [level]
    while queue and len(positions) < limit:
        position = queue.pop()
        # In the order of the moves: the order of a set differs from process to process, and so would the samples.
        new = [following for following in map(position.apply, position.moves()) if following not in positions]
        positions.update(new)
        queue += new
    return len(positions)


def random_text(rng: Random, options: Mapping[str, Any]) -> str:
    """Return the text of a random level. Raises ParseError if the boxes do not fit into the grid."""
    (rows, columns), walls = options["size"], options["walls"]
    smalls = rng.choice(_smalls(options))
    return random_level(rng, rows, columns, "x" * smalls + "X" * (options["boxes"] - smalls), walls)


def every_text(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield all levels that agree with the `options` of the generator, without most reflections and rotations."""
    (rows, columns), counts = options["size"], _smalls(options)
    cells = range(rows * columns)
    # Any level can be turned so that its mover is in the least of the cells that its own can become.
    turns = [turn.cells for turn in symmetries(rows, columns) if (turn.rows, turn.columns) == (rows, columns)]
    movers = [cell for cell in cells if cell == min(turn[cell] for turn in turns)]
    for walls in combinations(cells, options["walls"]):
        free = [cell for cell in cells if cell not in walls]
        for count in counts:
            for smalls in _placed(free, count, "nesw"):
                for larges in _placed(free, options["boxes"] - count, "NESW"):
                    for mover in movers:
                        if mover not in walls:
                            there = [larges.get(c, "") + smalls.get(c, "") + "@" * (c == mover) for c in cells]
                            yield _joined(columns, ["#" if c in walls else there[c] or "." for c in cells])


def _smalls(options: Mapping[str, Any]) -> list[int]:
    """Return the possible numbers of small boxes in a level. Raises ParseError if there is none."""
    (rows, columns), boxes, walls = options["size"], options["boxes"], options["walls"]
    free = rows * columns - walls
    counts = [smalls for smalls in range(1, boxes) if max(smalls, boxes - smalls) <= free]
    if not counts:
        raise ParseError(
            f"{rows}x{columns} cells with {walls} walls have no room for {boxes} boxes: "
            f"a cell can contain one small and one large box at most"
        )
    return counts


def _placed(free: list[int], count: int, sides: str) -> Iterator[BoxOfCell]:
    """Yield all ways to put `count` boxes of one size into free cells, with one of the boxes marked."""
    for homes in combinations(free, count):
        for marked in homes:
            for opens in product(sides, repeat=count):
                yield {home: side + "!" * (home == marked) for home, side in zip(homes, opens, strict=True)}


def random_level(rng: Random, rows: int, columns: int, boxes: str, walls: int) -> str:
    """Return the text of a random level; `boxes` has an `x` for each small and an `X` for each large box."""
    cells = [["", "", ""] for _ in range(rows * columns)]
    free = rng.sample(range(len(cells)), len(cells) - walls)
    for layer, size in enumerate("Xx"):
        homes = rng.sample(free, min(boxes.count(size), len(free)))
        for number, home in enumerate(homes):
            side = rng.choice("NESW")
            cells[home][layer] = (side if size == "X" else side.lower()) + ("" if number else "!")
    cells[rng.choice(free)][2] = "@"
    words = ["".join(cell) or ("." if i in free else "#") for i, cell in enumerate(cells)]
    return _joined(columns, words)


def _joined(columns: int, words: list[str]) -> str:
    return "".join(" ".join(words[i : i + columns]) + "\n" for i in range(0, len(words), columns))
