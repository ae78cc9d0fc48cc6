"""Refuse positions that are equal but not the same: searches and explorers continue from only one of them.

A puzzle defines by `_key` which positions are equal. If the key leaves out a difference that matters, the second
position is never explored, and the answers are wrong. So `require_same` is called whenever a known position is reached
again. If not all attributes are equal, facts, text, moves, costs and goal must be. Values stored for later in slots
make attributes differ, and so searches slower; a `functools.cached_property` does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any

from unpuzzle.errors import ParseError, UnsupportedFeature
from unpuzzle.pddl.nodes import Atom
from unpuzzle.puzzle.capabilities import Translated, offered
from unpuzzle.puzzle.classes import file_of, line_of
from unpuzzle.puzzle.position import Position
from unpuzzle.words import count

Way = Sequence[str]

THINGS_SHOWN = 3
MOVES_SHOWN = 20


def require_same(known: Position, reached: Position, ways: Callable[[], tuple[str, str]]) -> None:
    """Raise ParseError, with the place of `_key`, for two equal positions that are not the same.

    `ways` returns in words how each was reached, such as "after L U"; it is called only if they differ.
    """
    difference = None if alike(known, reached) else next(_differences(known, reached), None)
    if difference is None:
        return
    one, two = ways()
    what, first, second = difference
    cure = "_key() must tell the two apart" + (", or __str__() must not" if what == "texts" else "")
    line = line_of(known, "_key")
    owner: Any = type(known) if line is None else next(base for base in type(known).__mro__ if "_key" in vars(base))
    raise ParseError(
        f"equal positions, different {what}: {one} {first}; {two} {second}; {cure}", file=file_of(owner), line=line
    )


def after(moves: Way) -> str:
    """Return in words when a position is reached: `after 2 moves (L U)`, or `at the start`."""
    if not moves:
        return "at the start"
    words = list(moves)
    if len(words) > MOVES_SHOWN:
        words[MOVES_SHOWN // 2 : -MOVES_SHOWN // 2] = ["..."]
    return f"after {count(len(moves), 'move')} ({' '.join(words)})"


def ways_to(steps: Iterable[Iterable[tuple[int, str]]], known: int, last: int, name: str) -> tuple[str, str]:
    """Return in words how a known state was reached first, and how by a step from the last one.

    `steps` has for each state the numbers of the next ones, with the names of the steps.
    """
    reached = [(target, (state, step)) for state, out in enumerate(steps) for target, step in out]
    first = dict(reversed(reached))

    def way(state: int) -> list[str]:
        names = []
        while state:
            state, step = first[state]
            names.append(step)
        return names[::-1]

    return after(way(known)), after([*way(last), name])


def alike(one: Position, other: Position) -> bool:
    """Return whether all attributes of two equal positions are equal; False if a quick look cannot tell."""
    return attributes_of(type(one))(one, other)


@lru_cache(maxsize=64)
def attributes_of(kind: type) -> Callable[[Any, Any], bool]:
    """Return a fast function that compares the attributes of two positions of a class."""
    slots, cached = list[str](), set[str]()
    for base in kind.__mro__:
        own = vars(base).get("__slots__", ())
        slots += [_mangled(name, base) for name in ([own] if isinstance(own, str) else own)]
        cached |= {name for name, value in vars(base).items() if isinstance(value, cached_property)}
    names = [name for name in slots if name not in ("__dict__", "__weakref__")]
    slots_of = attrgetter(*names) if names else None

    def of_dicts(one: Any, other: Any) -> bool:
        try:
            if one.__dict__ == other.__dict__:
                return True
            return bool(cached) and _without(one.__dict__, cached) == _without(other.__dict__, cached)
        except Exception:  # values that cannot be compared, such as arrays
            return False

    if slots_of is None:
        return of_dicts
    has_dict = kind.__dictoffset__ != 0

    def of_slots(one: Any, other: Any) -> bool:
        try:
            return bool(slots_of(one) == slots_of(other)) and (not has_dict or of_dicts(one, other))
        except Exception:  # the same, or a slot without a value
            return False

    return of_slots


def _mangled(name: str, base: type) -> str:
    """Return Python's name for a slot: a private one, `__cells`, is prefixed with the name of its class."""
    private = name.startswith("__") and not name.endswith("__")
    return f"_{base.__name__.lstrip('_')}{name}" if private else name


def _without(values: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}


def _differences(known: Position, reached: Position) -> Iterator[tuple[str, str, str]]:
    """Yield the differences between two positions in words: the kind, and its value in each."""
    positions = (known, reached)
    if offered(known, Translated) is None:  # otherwise facts are expensive, and follow from the text
        before, now = map(_facts, positions)
        if before != now:
            yield "facts", only(before - now), only(now - before)
    yield from _other("texts", "the text is", [repr(str(position)) for position in positions])
    moves = [sorted(position.moves()) for position in positions]
    yield from _other("moves", "the moves are", [" ".join(each) or "none" for each in moves])
    costs = [" ".join([f"{move}: {position.cost(move)}" for move in moves[0]]) for position in positions]
    yield from _other("costs", "the costs are", costs)
    goals = ["solved" if position.solved() else "not solved" for position in positions]
    yield from _other("goals", "the position is", goals)


def _other(what: str, verb: str, values: list[str]) -> Iterator[tuple[str, str, str]]:
    if values[0] != values[1]:
        yield what, f"{verb} {values[0]}", f"{verb} {values[1]}"


def _facts(position: Position) -> frozenset[Atom]:
    try:
        return position.atoms()
    except UnsupportedFeature:
        return frozenset()


def only(atoms: Iterable[object]) -> str:
    """Return in words the facts that are true of only one position."""
    names = sorted(map(str, atoms))
    more = f" and {len(names) - THINGS_SHOWN:,} more" if len(names) > THINGS_SHOWN else ""
    return f"{', '.join(names[:THINGS_SHOWN])}{more} holds alone" if names else "nothing holds alone"
