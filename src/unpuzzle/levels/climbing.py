"""Climb to hard levels: some candidates are new, the others are changes of the hardest levels so far.

A game that can vary a level (`Generating.variation`) does so. For any other game, `generate` runs again with a few of
the level's random numbers exchanged: most of the level stays as it was, and all of it still follows the options.

    new     number 17                        the random numbers of the seed and 17
    child   number 17, its 5th is 0.3        the same, except for one
    child   of a level's text, number 90     varied by the game, with the random numbers of the seed and 90

About every fourth candidate is new, and the number of a level's children is limited, so that the search leaves local
maxima. The parents of a chunk are chosen from the answers to all earlier chunks except the last few. So the number and
speed of the workers change nothing: equal numbers of candidates give equal levels.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from unpuzzle.levels.candidates import ChunkVerdicts, GeneratedLevel, Origin, numbers_used
from unpuzzle.puzzle.position import Game

PARENTS = 12
"""The number of hardest levels that have children."""
CHILDREN = 200
"""The most children of a level."""
NEW = 0.25
"""The share of candidates that are new."""
MOST_EXCHANGED = 3
"""The most random numbers that a child exchanges."""
LEAST_AHEAD, MOST_AHEAD, CHUNKS_AHEAD = 3, 63, 4
"""The number of latest chunks whose answers are not awaited: three at first, one more after every fourth chunk."""


class _Parent:
    def __init__(self, difficulty: tuple[Any, ...], origin: Origin, text: str, numbers: int) -> None:
        self.difficulty, self.origin, self.text, self.numbers = difficulty, origin, text, numbers
        self.children = 0


class Climb:
    """The candidates of a search for hard levels, chunk by chunk, from the answers to earlier chunks."""

    def __init__(
        self, game: Game, options: Mapping[str, Any], seed: int, difficulty: Callable[[GeneratedLevel], tuple[Any, ...]]
    ) -> None:
        self.game, self.options, self.seed, self._difficulty = game, options, seed, difficulty
        self._parents: list[_Parent] = []
        self._seen: set[str] = set()
        self._sent: deque[tuple[Origin, ...]] = deque()
        self._answers: deque[ChunkVerdicts] = deque()
        self._chunks = self._learnt = 0

    def origins(self, numbers: Sequence[int]) -> tuple[Origin, ...] | None:
        """Return the origins of the next chunk's candidates; None if answers must come first."""
        ahead = min(LEAST_AHEAD + self._chunks // CHUNKS_AHEAD, MOST_AHEAD)
        while self._learnt < self._chunks - ahead:
            if not self._answers:
                return None
            self._learn(self._sent.popleft(), self._answers.popleft())
        chunk = tuple([self._origin(number) for number in numbers])
        self._chunks += 1
        self._sent.append(chunk)
        return chunk

    def answer(self, verdicts: ChunkVerdicts) -> None:
        """Take the answer to the next chunk, in the order in which chunks were sent."""
        self._answers.append(verdicts)

    def _learn(self, origins: Sequence[Origin], answer: ChunkVerdicts) -> None:
        self._learnt += 1
        for origin, (key, verdict) in zip(origins, answer.verdicts, strict=answer.status is None):
            if isinstance(verdict, GeneratedLevel) and key not in self._seen:
                self._seen.add(key)
                self._welcome(origin, verdict)

    def _welcome(self, origin: Origin, level: GeneratedLevel) -> None:
        """Make a level a parent, if it is one of the hardest."""
        difficulty = self._difficulty(level)
        if len(self._parents) == PARENTS and difficulty < self._parents[0].difficulty:
            return
        numbers = numbers_used(self.game, self.options, self.seed, origin)
        self._parents.append(_Parent(difficulty, origin, level.text, numbers))
        self._parents.sort(key=lambda parent: parent.difficulty)
        del self._parents[:-PARENTS]

    def _origin(self, number: int) -> Origin:
        """Return a new candidate, or a child of a parent; harder parents are chosen more often."""
        rng = Random(f"{self.game.name} {self.seed} {number} origin")
        if not self._parents or rng.random() < NEW:
            return Origin(number, number)
        place = int(len(self._parents) * rng.random() ** 2)
        parent = self._parents[-1 - place]
        parent.children += 1
        if parent.children == CHILDREN:
            self._parents.remove(parent)
        exchanged = {rng.randrange(max(parent.numbers, 1)): rng.random() for _ in range(rng.randint(1, MOST_EXCHANGED))}
        return parent.origin.child(number, parent.text, exchanged)
