"""Which facts of a ground task tell which piece. Nobody says it: it is read off positions, and tried on others.

A placement (a piece in its place) is told by a fact that holds in just those positions that have it or, where there is
none, by some facts that hold together in just those: a tick beside a word, once all its letters are there. What was
read off may have been so by chance; so it is tried on positions that are new, until it is right for a round of them.

Work is counted, not timed, so that equal levels have equal pages: a look is a piece or a fact of one position, about a
microsecond. After `MOST_LOOKS` it is over: what was right for the last rounds is told, else the level is refused.
"""

from __future__ import annotations

from random import Random

from unpuzzle.drawing import picture_of
from unpuzzle.errors import UnsupportedFeature
from unpuzzle.limits import ticking
from unpuzzle.playing.page.tables import placements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from unpuzzle.drawing import Piece
    from unpuzzle.playing.page.tables import Placement
    from unpuzzle.puzzle.position import Position

    Facts = frozenset[int]
    Seen = dict[Facts, frozenset[Placement]]
    """By facts, the pieces of the position in which they hold."""

STEPS, ROUNDS, QUIET = 500, 80, 12
"""How many positions a round has, how many rounds there are at most, and after how many without news there is no more.
"""
MOST_LOOKS, LOOKS_PER_TICK, FEWEST_STEPS = 5_000_000, 5, 8
"""How many looks there are at most, what a tick of a game's turn counts, and how many positions a round has at least.
"""
RIGHT = 3
"""How many rounds in a row must have been right where looks end the work."""
WALK, CHOICES = 250, 6
"""How many moves the first walk has, and how many moves are looked at for one of its steps."""


def told_by(
    level: Position,
    facts_of: Callable[[Position], Facts],
    every: Facts,
    tick: Callable[[], None],
    most_looks: int = MOST_LOOKS,
) -> tuple[Mapping[Placement, tuple[int, ...]], Facts]:
    """By placement the facts that tell it, none for one that is always there; and which of all facts were never seen,
    so that nobody knows what they look like. Most often they cannot be reached.

    Raises UnsupportedFeature where facts do not tell the pieces, or not before there were too many looks.
    """
    looks = Looks(tick, most_looks)
    with ticking(looks.of_a_turn):
        return _told_by(level, facts_of, every, looks)


class Looks:
    """Counts looks, and calls what looks at the limits of time and memory."""

    def __init__(self, tick: Callable[[], None], most: int) -> None:
        self.tick = tick
        self.left = most

    def __call__(self, looks: int = 1) -> None:
        self.tick()
        self.left -= looks

    def of_a_turn(self) -> None:
        """Count what a game does while it makes a move."""
        self(LOOKS_PER_TICK)


def _told_by(
    level: Position, facts_of: Callable[[Position], Facts], every: Facts, looks: Looks
) -> tuple[Mapping[Placement, tuple[int, ...]], Facts]:
    positions = walk(level, looks)
    seen: Seen = {}
    told: Mapping[Placement, tuple[int, ...]] = {}
    quiet = right = 0
    enough = looks.left // QUIET
    for _ in range(ROUNDS):
        new = _round(positions, facts_of, looks, enough)
        known = set().union(*seen)
        wrong = _wrong(told, new, looks.tick)
        seen.update(new)
        news = set().union(*new) - known
        quiet = 0 if wrong or news else quiet + 1
        right = 0 if wrong else right + 1
        if (quiet and (quiet == QUIET or every <= known)) or (looks.left < 0 and right >= RIGHT):
            return told, every - known - news
        if looks.left < 0:
            break
        if wrong:
            told = _read_off(seen, looks.tick)
            if _wrong(told, seen, looks.tick):
                break
    if looks.left < 0 or _wrong(told, seen, looks.tick):
        soon = "soon " if looks.left < 0 else ""
        message = f"the pictures of {level.game.name} do not {soon}follow from the facts of its PDDL"
        raise UnsupportedFeature(message, feature="pieces that facts do not tell")
    return told, every.difference(*seen)


def _round(positions: Iterator[Position], facts_of: Callable[[Position], Facts], looks: Looks, enough: int) -> Seen:
    """Some new positions: `STEPS`, or fewer once they have taken enough looks."""
    new: Seen = {}
    end = looks.left - enough
    for step in range(STEPS):
        if step >= FEWEST_STEPS and looks.left < end:
            break
        position = next(positions)
        facts, pieces = facts_of(position), frozenset(placements(position))
        looks(len(facts) + len(pieces))
        new[facts] = pieces
    return new


def _wrong(told: Mapping[Placement, tuple[int, ...]], seen: Seen, tick: Callable[[], None]) -> bool:
    """Whether some position would look otherwise."""
    single: dict[int, list[Placement]] = {}
    for placement, facts in told.items():
        if len(facts) == 1:
            single.setdefault(facts[0], []).append(placement)
    others = [(placement, frozenset(facts)) for placement, facts in told.items() if len(facts) != 1]
    for true, pieces in seen.items():
        tick()
        shown = {placement for fact in true for placement in single.get(fact, ())}
        shown.update([placement for placement, wanted in others if wanted <= true])
        if shown != pieces:
            return True
    return False


def _read_off(seen: Seen, tick: Callable[[], None]) -> Mapping[Placement, tuple[int, ...]]:
    where: dict[Placement, int] = {}
    holds: dict[int, int] = {}
    for number, (facts, pieces) in enumerate(seen.items()):
        tick()
        for fact in facts:
            holds[fact] = holds.get(fact, 0) | 1 << number
        for placement in pieces:
            where[placement] = where.get(placement, 0) | 1 << number
    by_set: dict[int, tuple[int, ...]] = {places: (fact,) for fact, places in sorted(holds.items(), reverse=True)}
    everywhere = (1 << len(seen)) - 1
    by_set[everywhere] = ()
    told = {}
    for placement, places in where.items():
        tick()
        told[placement] = by_set[places] if places in by_set else _together(places, holds, everywhere)
    return told


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


def walk(level: Position, looks: Callable[[int], None] = lambda looks: None) -> Iterator[Position]:
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
            pieces = []
            for each in following:
                pieces.append(picture_of(each)[1])
                looks(len(pieces[-1]))
            rarest = [min([often.get(piece, 0) for piece in each], default=0) for each in pieces]
            chosen = rarest.index(min(rarest))
            position = following[chosen]
            for piece in pieces[chosen]:
                often[piece] = often.get(piece, 0) + 1
            yield position
        length = length * 5 // 4
