"""What a page has to know of one level: its picture, its moves, and what it plays by."""

from __future__ import annotations

from unpuzzle.drawing.covering import covered
from unpuzzle.limits import Deadline, Limits
from unpuzzle.playing.page.large import Large
from unpuzzle.playing.page.tables import Table, placements
from unpuzzle.puzzle.capabilities import Narrated, offered
from unpuzzle.puzzle.directions import are_directions, letters_of
from unpuzzle.rendering.svg import SCOPE, board, frame, roles, symbols
from unpuzzle.result import GAVE_UP
from unpuzzle.spaces.exploration import Exploration, explore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from unpuzzle.drawing import Ground
    from unpuzzle.playing.page.operators import Operators
    from unpuzzle.puzzle.position import Position

MAX_STATES = 20_000
"""The most states of a table, unless more are asked for: about 100 KB."""
SHAPES = "p"
"""The scope of the looks' names: a page shows one level at a time."""
UNSOLVABLE = "This level cannot be solved: {reason}."
LONGEST_TITLE = 40
"""A message before a level that is longer is no title."""


class Level:
    """A level on a page.

    Attributes:
        position: the start.
        name: what it is called.
        title: its name and, where a short message comes before it, that.
        states: how many there are in its table; None where there are too many for one.
        large: why there are no hints, and what there is instead; empty where there are hints.
        unsolvable: why it cannot be solved; empty where it can, or where that is not known.
        ground: of its pictures, and the `roles` of paint that they need.
        model: the script that plays it; `scripts` has all that it needs.
        data: what those read: an object for JSON, and bytes.
    """

    def __init__(
        self,
        position: Position,
        name: str = "",
        *,
        solution: Sequence[str] = (),
        max_states: int = MAX_STATES,
        limits: Limits | None = None,
        progress: Callable[[int], None] | None = None,
        free: bool = True,
    ) -> None:
        """Explore a level.

        Args:
            position: the start.
            name: what to call it, where a page has several.
            solution: legal moves, which the page plays when it is asked for a solution; else it plays a best one.
            max_states: if there are more states, the page plays freely and without hints,
            free: or, if this is false or cannot be, the solution and nothing else.
            limits: of the time and the memory that this takes. Half of the time is for exploring.
            progress: called now and then with the number of states that were explored.

        Raises LimitReached, and UnsupportedFeature for a game that leaves something to chance.
        """
        self.position = position
        self.name = name
        watch = Deadline(limits, "making the page")
        found, why = _explored(position, max_states, watch, progress)
        self.states = found.states if found else None
        played, told = (Table(found, watch), self._told_of(found)) if found else self._large(why, solution, watch, free)
        names = [move for move, _ in played.moves]
        self.model = "table.js" if isinstance(played, Table) else "operators.js"
        self.scripts = [self.model, "player.js", *_more_scripts(position, names)]
        self.ground = ground = played.ground
        self.roles = roles([*ground.shapes, *(shape for look in ground.looks.values() for shape in look.shapes)])
        head = _head(ground, played) | self._words() | told
        head |= _filled(sides=letters_of(names), directed=int(are_directions(names)), goals=ground.aims)
        head |= {"states": len(played.positions)} if isinstance(played, Table) else {}
        head |= {"solution": list(solution)} if solution else {}
        self.data = head, played.packed(watch)

    def _told_of(self, found: Exploration) -> dict[str, Any]:
        """What a page says of a level all of whose states are known."""
        self.large, self.unsolvable = "", found.reason.rstrip(".")
        return _filled(note=self._note(""))

    def _large(
        self, why: str, solution: Sequence[str], watch: Deadline, free: bool
    ) -> tuple[Table | Operators, dict[str, Any]]:
        """What a large level is played by, and what a page says of it."""
        large = Large(self.position, watch)
        large.play(why, solution, free)
        self.large, self.unsolvable = large.sentence, large.unsolvable.rstrip(".")
        return large.played, large.head | _filled(note=self._note(large.head.get("note", "")))

    def _note(self, note: str) -> str:
        return " ".join(filter(None, [self.unsolvable and UNSOLVABLE.format(reason=self.unsolvable), note]))

    def _words(self) -> dict[str, Any]:
        """What the level is called, and the messages around it; sets `title`."""
        narrated = offered(self.position, Narrated)
        before, after = narrated.messages() if narrated else ((), ())
        short = len(before) == 1 and len(before[0]) <= LONGEST_TITLE and before[0].lower() != self.name.lower()
        self.title = ": ".join(filter(None, [self.name, before[0]])) if short else self.name
        return _filled(title=self.name, before="\n".join(before), after="\n".join(after))


def _explored(
    position: Position, max_states: int, watch: Deadline, progress: Callable[[int], None] | None
) -> tuple[Exploration | None, str]:
    """The state space or, if it is too large, why it is not there."""
    limits = watch.limits
    limits = limits.lasting(limits.time and limits.time / 2)
    exploration = explore(position, limits=limits, max_states=max_states, progress=progress)
    if exploration.complete:
        return exploration, ""
    watch.look()
    if exploration.status == GAVE_UP:
        return None, f"there are more than {max_states:,} positions"
    return None, exploration.reason


def _more_scripts(position: Position, names: Sequence[str]) -> list[str]:
    """The scripts that a level needs besides what plays it: for moves with names, for pieces that can be dragged."""
    named = [] if are_directions(names) else ["names.js"]
    kinds = [{(*place[1:3], place[3]) for place in placements(each)} for each in _next(position)]
    first = kinds[0]
    for other in kinds[1:]:
        if {kind for *_, kind in first - other} & {kind for *_, kind in other - first}:
            return [*named, "drag.js"]
    return named


def _next(position: Position) -> list[Position]:
    """The position and those after its moves."""
    return [position, *(position.apply(move) for move in position.moves())]


def _filled(**fields: Any) -> dict[str, Any]:
    """The fields that say something."""
    return {name: value for name, value in fields.items() if value}


def _head(ground: Ground, played: Table | Operators) -> dict[str, Any]:
    """The picture and the names of things."""
    layers = ground.layers()
    kinds = {kind: number for number, kind in enumerate(dict.fromkeys(place[3] for place in played.numbers))}
    costs = [cost for _, cost in played.moves]
    cells = {layers[name]: covered(look, ground.looks) for name, look in ground.looks.items()}
    return {
        "box": frame(ground),
        "board": f"<defs>{symbols(ground)}</defs>{board(ground)}".replace(SCOPE, SHAPES),
        "labels": [look.label or look.text.strip() for look in ground.looks.values()],
        "places": [[layers[look], row, column, kinds[kind]] for look, row, column, kind, _ in played.numbers],
        "moves": [move for move, _ in played.moves],
        **({"costs": costs} if set(costs) - {1} else {}),
        **_filled(cells={look: found for look, found in cells.items() if found != [(0, 0)]}),
    }
