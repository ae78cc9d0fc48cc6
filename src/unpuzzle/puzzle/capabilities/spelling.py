"""Names in a game's classes that are within one edit of what a game may offer, such as `heuristic` for `heuristics`.

A capability is offered by an attribute of a certain name, so one that is misspelt is passed over in silence. Short
everyday names (`line`, `score`) have near neighbours of their own right and are not looked for; a name counts only
where it stands for the same sort of thing, a method or a value, and where the right name is not there as well.
"""

from __future__ import annotations

from inspect import isroutine

from unpuzzle.puzzle.capabilities import of_games, of_positions
from unpuzzle.puzzle.places import is_ours
from unpuzzle.puzzle.puzzle import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unpuzzle.puzzle.game import Game
    from unpuzzle.puzzle.position import Position

SHORTEST = 6
"""Names of fewer letters are everyday words."""


def misspelt(game: Game, position: Position | None = None) -> list[tuple[str, str]]:
    """Return the names that a game, or the class of a position of it, seems to misspell, each with the right one."""
    kinds = [*_kinds(game), *([] if position is None else _kinds(position))]
    theirs = {name: value for kind in kinds if not is_ours(kind) for name, value in vars(kind).items()}
    if not isinstance(game, type):
        theirs.update(vars(game) if hasattr(game, "__dict__") else {})
    known = {**_members(_protocols()), **_members(kind for kind in kinds if is_ours(kind))}
    missing = {name: sort for name, sort in known.items() if name not in theirs and len(name) >= SHORTEST}
    strange = {name: _sort(value) for name, value in theirs.items() if name not in known and not name.startswith("_")}
    return [
        (name, meant)
        for name, sort in strange.items()
        for meant, right_sort in missing.items()
        if sort == right_sort and one_edit(name, meant)
    ]


def _kinds(owner: Game | Position) -> tuple[type, ...]:
    """The classes of a game or position, without `object`."""
    return (owner if isinstance(owner, type) else type(owner)).__mro__[:-1]


def _protocols() -> Iterator[type]:
    for module in (of_games, of_positions):
        yield from (
            kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == module.__name__
        )


def _members(kinds: Iterable[type]) -> dict[str, str]:
    """The public names of classes, each with the sort of thing that it stands for."""
    members: dict[str, str] = {}
    for kind in kinds:
        named = {**dict.fromkeys(vars(kind).get("__annotations__", ()), ()), **vars(kind)}
        members.update({name: _sort(value) for name, value in named.items() if not name.startswith("_")})
    return members


def _sort(value: object) -> str:
    """`method`, `value`, or nothing for what is neither: slots and properties."""
    if isinstance(value, Late):
        return "value"
    if hasattr(value, "__set__"):
        return ""
    return "method" if isroutine(value) else "value"


def one_edit(one: str, other: str) -> bool:
    """Whether one word becomes the other by a letter more, a letter less, another letter, or two exchanged."""
    short, long = sorted((one, other), key=len)
    start = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    rest, longer = short[start:], long[start:]
    if len(short) < len(long):
        return rest == longer[1:]
    return one != other and (rest[1:] == longer[1:] or (rest[:2] == longer[1::-1] and rest[2:] == longer[2:]))
