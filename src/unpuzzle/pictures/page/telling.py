"""Which facts of a ground task tell which piece. Nobody says it: it is read off positions, and tried on others.

A placement (a piece in its place) is told by a fact that holds in just those positions that have it or, where there is
none, by some facts that hold together in just those: a tick beside a word, once all its letters are there. What was
read off may have been so by chance; so it is tried on positions that are new, until it is right for a round of them.
"""

from __future__ import annotations

from random import Random

from unpuzzle.errors import UnsupportedFeature
from unpuzzle.picture import picture_of
from unpuzzle.pictures.page.tables import placements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from unpuzzle.picture import Piece
    from unpuzzle.pictures.page.tables import Placement
    from unpuzzle.puzzle.position import Position

    Facts = frozenset[int]
    Seen = dict[Facts, frozenset[Placement]]
    """By facts, the pieces of the position in which they hold."""

STEPS, ROUNDS, QUIET = 500, 80, 12
"""How many positions a round has, how many rounds there are at most, and after how many without news there is no more.
"""
WALK, CHOICES = 250, 6
"""How many moves the first walk has, and how many moves are looked at for one of its steps."""


def told_by(
    level: Position, facts_of: Callable[[Position], Facts], every: Facts, tick: Callable[[], None]
) -> tuple[Mapping[Placement, tuple[int, ...]], Facts]:
    """By placement the facts that tell it, none for one that is always there; and which of all facts were never seen,
    so that nobody knows what they look like. Most often they cannot be reached.

    Raises UnsupportedFeature where facts do not tell the pieces.
    """
    positions = walk(level)
    seen: Seen = {}
    told: Mapping[Placement, tuple[int, ...]] = {}
    quiet = 0
    for _ in range(ROUNDS):
        new = _round(positions, facts_of, tick)
        known = set().union(*seen)
        wrong = _wrong(told, new)
        seen.update(new)
        news = set().union(*new) - known
        quiet = 0 if wrong or news else quiet + 1
        if quiet and (quiet == QUIET or every <= known):
            return told, every - known
        if wrong:
            told = _read_off(seen)
            tick()
            if _wrong(told, seen):
                break
    if _wrong(told, seen):
        message = f"the pictures of {level.game.name} do not follow from the facts of its PDDL"
        raise UnsupportedFeature(message, feature="pieces that facts do not tell")
    return told, every.difference(*seen)


def _round(positions: Iterator[Position], facts_of: Callable[[Position], Facts], tick: Callable[[], None]) -> Seen:
    new: Seen = {}
    for _ in range(STEPS):
        tick()
        position = next(positions)
        new[facts_of(position)] = frozenset(placements(position))
    return new


def _wrong(told: Mapping[Placement, tuple[int, ...]], seen: Seen) -> bool:
    """Whether some position would look otherwise."""
    single: dict[int, list[Placement]] = {}
    for placement, facts in told.items():
        if len(facts) == 1:
            single.setdefault(facts[0], []).append(placement)
    others = [(placement, frozenset(facts)) for placement, facts in told.items() if len(facts) != 1]
    for true, pieces in seen.items():
        shown = {placement for fact in true for placement in single.get(fact, ())}
        shown.update([placement for placement, wanted in others if wanted <= true])
        if shown != pieces:
            return True
    return False


def _read_off(seen: Seen) -> Mapping[Placement, tuple[int, ...]]:
    where: dict[Placement, int] = {}
    holds: dict[int, int] = {}
    for number, (facts, pieces) in enumerate(seen.items()):
        for fact in facts:
            holds[fact] = holds.get(fact, 0) | 1 << number
        for placement in pieces:
            where[placement] = where.get(placement, 0) | 1 << number
    by_set: dict[int, tuple[int, ...]] = {places: (fact,) for fact, places in sorted(holds.items(), reverse=True)}
    everywhere = (1 << len(seen)) - 1
    by_set[everywhere] = ()
    return {
        placement: by_set[places] if places in by_set else _together(places, holds, everywhere)
        for placement, places in where.items()
    }


def _together(places: int, holds: Mapping[int, int], everywhere: int) -> tuple[int, ...]:
    """Facts that hold together in these places and, if there are such, nowhere else: each time the one that rules out
    most of the others.
    """
    whole = [(fact, where) for fact, where in holds.items() if where & places == places and where != everywhere]
    left, found = everywhere, []
    while left != places and whole:
        fact, where = min(whole, key=lambda item: (item[1] & left).bit_count())
        if where & left == left:
            break
        found.append(fact)
        left &= where
    return tuple(sorted(found))


def walk(level: Position) -> Iterator[Position]:
    """Positions on random walks, always the same, that look for what was seldom seen. They begin at the level, and
    each is longer than the last.
    """
    rng = Random(0)
    often: dict[Piece, int] = {}
    length = WALK
    while True:
        position = level
        yield position
        for _ in range(length):
            moves = position.moves()
            if not moves:
                break
            following = [position.apply(move) for move in rng.sample(moves, min(CHOICES, len(moves)))]
            pieces = [picture_of(each)[1] for each in following]
            rarest = [min([often.get(piece, 0) for piece in each], default=0) for each in pieces]
            chosen = rarest.index(min(rarest))
            position = following[chosen]
            for piece in pieces[chosen]:
                often[piece] = often.get(piece, 0) + 1
            yield position
        length = length * 5 // 4
