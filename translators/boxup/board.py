"""What no move of Boxup changes: the size, the walls, the kinds of boxes; and cells' contents as PDDL."""

from __future__ import annotations

from unpuzzle.puzzle.task import atom
from unpuzzle.translators.shared.cells import STEPS, cell_name, neighbours, place
from unpuzzle.translators.shared.distances import Distances

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

    from unpuzzle.pddl.nodes import Atom

NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
_MARKED = ("n!", "e!", "s!", "w!"), ("N!", "E!", "S!", "W!")
_SIDES = {side: step for step, side in STEPS.items()}


class Board:
    """A board without its movable parts: equal where size, walls and kinds of boxes are."""

    __slots__ = ("_facts", "_hash", "columns", "distances", "free", "kinds", "marked", "rows", "steps", "walls")

    def __init__(self, rows: int, columns: int, walls: frozenset[int], kinds: tuple[str, ...]) -> None:
        self.rows: int = rows
        self.columns: int = columns
        self.walls: frozenset[int] = walls
        self.kinds: tuple[str, ...] = kinds
        self.free: tuple[int, ...] = tuple(cell for cell in range(rows * columns) if cell not in walls)
        # By cell, by side: the cell next to it, None where the board ends.
        self.steps: tuple[dict[str, int | None], ...] = tuple(
            [{side: near.get(side) for side in OPPOSITE} for near in neighbours(rows, columns, _SIDES)]
        )
        free = set(self.free)
        self.distances: Distances = Distances(
            {cell: free.intersection(self.steps[cell].values()) for cell in self.free}
        )
        self._facts: dict[tuple[int, str, str], frozenset[Atom]] = {}
        small, large = (next(box for box in kinds if box in pair) for pair in _MARKED)
        self.marked: tuple[str, str] = small, large
        self._hash = hash(self._key())

    def _key(self) -> Hashable:
        return self.rows, self.columns, self.walls, self.kinds

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is Board and self._key() == other._key())

    def __hash__(self) -> int:
        return self._hash

    def name(self, cell: int) -> str:
        return cell_name(cell, self.columns)

    def place(self, cell: int) -> str:
        return place(cell, self.columns)

    def larges(self) -> list[str]:
        """Return the large kinds, `nobody` among them if some small kind has no partner."""
        names = [kind_of(box) for box in self.kinds if box.isupper()]
        return [*names, "nobody"] if any(box.islower() and len(box) == 1 for box in self.kinds) else names

    def facts(self, larges: tuple[str, ...], smalls: tuple[str, ...]) -> list[frozenset[Atom]]:
        """Return the atoms that tell each cell's content; kept, since positions have most of them in common."""
        contents = list(zip(range(len(larges)), larges, smalls, strict=True))
        try:
            return [self._facts[content] for content in contents]
        except KeyError:
            for content in contents:
                self._facts[content] = frozenset(() if content[0] in self.walls else self.describe(*content))
            return [self._facts[content] for content in contents]

    def describe(self, cell: int, large: str, small: str) -> list[Atom]:
        """Return the atoms that tell a cell's content, in order."""
        name = self.name(cell)
        atoms = []
        for size, box in (("small", small), ("large", large)):
            atoms += [atom(f"no-{size}", name, NAMES[side]) for side in NAMES if side != box[:1].upper()]
            atoms += [atom(f"{size}-at", kind_of(box), name)] if box else []
        atoms += [atom("without", name, kind) for kind in self.larges() if not large or kind != kind_of(large)]
        return atoms


def kind_of(box: str) -> str:
    """Return the PDDL object of a box: `red` and `blue` are the goal pair, others go by size and side."""
    if box.endswith("!"):
        return "red" if box[0].islower() else "blue"
    return f"{'small' if box.islower() else 'large'}-{NAMES[box.upper()]}"


def moved(boxes: tuple[str, ...], start: int, end: int) -> tuple[str, ...]:
    """Return the boxes of one size with one of them moved to another cell."""
    cells = list(boxes)
    cells[start], cells[end] = "", boxes[start]
    return tuple(cells)
