"""The facts of a ground task that imply each placement; learned from some positions and tested on others.

Signs learned from some positions (`unpuzzle.rendering.scenes`) may hold by chance; so they are tested on new positions,
round by round, until enough rounds have shown nothing new.

Work is counted, not timed, so that equal levels have equal pages: a look is a piece or a fact of one position, about a
microsecond. After `MOST_LOOKS` the work ends: signs that were right for the last rounds are accepted, otherwise the
level is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random

from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.base.run import Run, checkpoint
from unpuzzle.drawing import Piece
from unpuzzle.playing.page.facts import Placement, board_of, placements
from unpuzzle.puzzle.position import Position
from unpuzzle.rendering.scenes import learn_signs, mark

Facts = frozenset[int]
Signs = Mapping[Placement, tuple[int, ...]]
Samples = dict[Facts, frozenset[Placement]]
"""The placements of positions, by their facts."""

STEPS, ROUNDS, QUIET = 500, 80, 12
"""The positions of a round, the most rounds, and the number of rounds without anything new that ends the work."""
MOST_LOOKS, LOOKS_PER_CHECKPOINT, FEWEST_STEPS = 5_000_000, 5, 8
"""The most looks, the looks that a checkpoint of a game's turn counts for, and the fewest positions of a round."""
RIGHT = 3
"""The rounds in a row that must be right if the number of looks ends the work."""
WALK, CHOICES = 250, 6
"""The moves of the first walk, and the number of moves compared for each of its steps."""


class LookCounter(Run):
    """A run that limits work by counting accesses to pieces and facts; a checkpoint counts as several accesses."""

    __slots__ = ("left",)

    def __init__(self, most: int) -> None:
        super().__init__()
        self.limited, self.left = True, most

    def count(self, looks: int = 1) -> None:
        """Count accesses to pieces and facts. Raises LimitReached."""
        super().check()
        self.left -= looks

    def check(self) -> None:
        """Count a checkpoint as several accesses. Raises LimitReached."""
        self.count(LOOKS_PER_CHECKPOINT)


def signs_of(
    level: Position, facts_of: Callable[[Position], Facts], every: Facts, most_looks: int = MOST_LOOKS
) -> tuple[Signs, Facts]:
    """Return the facts that imply each placement, and the facts that were never true, whose pieces are unknown.

    Most of those facts are unreachable. Raises UnsupportedFeature if facts do not determine the pieces, or if that is
    not settled before too many looks.
    """
    looks = LookCounter(most_looks)
    enough = most_looks // QUIET
    samples: Samples = {}
    signs: Signs = {}
    quiet = right = 0
    positions = walk(level, looks.count)
    for _ in range(ROUNDS):
        new = _round(positions, facts_of, looks, enough)
        before = set().union(*samples)
        wrong = _are_wrong(signs, new)
        samples.update(new)
        news = set().union(*new) - before
        quiet = 0 if wrong or news else quiet + 1
        right = 0 if wrong else right + 1
        if (quiet and (quiet == QUIET or every <= before)) or (looks.left < 0 and right >= RIGHT):
            return signs, every - before - news
        if looks.left < 0:
            break
        if wrong:
            signs = _learn(samples)
            if _are_wrong(signs, samples):
                break
    if looks.left >= 0 and not _are_wrong(signs, samples):
        return signs, every.difference(*samples)
    soon = "soon " if looks.left < 0 else ""
    message = f"the pictures of {level.game.name} do not {soon}follow from the facts of its PDDL"
    raise UnsupportedFeature(message, feature="pieces that facts do not determine")


def _round(
    positions: Iterator[Position], facts_of: Callable[[Position], Facts], looks: LookCounter, enough: int
) -> Samples:
    """Return `STEPS` new positions, or fewer if these already required enough accesses."""
    new: Samples = {}
    end = looks.left - enough
    for step in range(STEPS):
        if step >= FEWEST_STEPS and looks.left < end:
            break
        with looks:
            position = next(positions)
            pieces = frozenset(placements(position))
        facts = facts_of(position)  # whose making is no turn
        looks.count(len(facts) + len(pieces))
        new[facts] = pieces
    return new


def _are_wrong(signs: Signs, samples: Samples) -> bool:
    """Return whether the facts of some sample imply other placements than those of the sample."""
    single: dict[int, list[Placement]] = {}
    others = []
    for placement, sign in signs.items():
        if len(sign) == 1:
            single.setdefault(sign[0], []).append(placement)
        else:
            others.append((placement, frozenset(sign)))
    for facts, pieces in samples.items():
        checkpoint()
        expected = {placement for fact in facts for placement in single.get(fact, ())}
        expected.update([placement for placement, sign in others if sign <= facts])
        if expected != pieces:
            return True
    return False


def _learn(samples: Samples) -> Signs:
    pieces: dict[Placement, int] = {}
    holds: dict[int, int] = {}
    for number, (facts, here) in enumerate(samples.items()):
        checkpoint()
        mark(holds, facts, number)
        mark(pieces, here, number)
    signs = learn_signs(pieces, dict(sorted(holds.items())), (1 << len(samples)) - 1)
    return {placement: tuple(sorted(sign)) for placement, sign in signs.items()}


def walk(level: Position, looks: Callable[[int], None] = lambda looks: None) -> Iterator[Position]:
    """Yield the positions of random walks that prefer rarely seen pieces; every run yields the same positions.

    All walks begin at the level, and each is longer than the last.
    """
    rng = Random(0)
    often: Counter[Piece] = Counter()
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
                pieces.append(board_of(each)[1])
                looks(len(pieces[-1]))
            rarest = [min([often[piece] for piece in each], default=0) for each in pieces]
            chosen = rarest.index(min(rarest))
            position = following[chosen]
            often.update(pieces[chosen])
            yield position
        length = length * 5 // 4
