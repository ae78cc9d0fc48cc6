"""Find out which states cannot be told apart in so many steps: partition refinement that keeps its history.

    round 0    states are together if both are goals, or neither is
    round k    of those together in round k - 1, states stay together if the same (cost, block of round k - 1) can be
               reached from each in one step

Two states are parted in round k exactly if it takes k steps to tell them apart (R. Milner's stratification of
bisimilarity, 1980; refinement after P. Kanellakis and S. Smolka, 1983). Each round looks only at states with a step
into a block that was split; its largest part keeps its number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from unpuzzle.checking.compared_spaces import Step
from unpuzzle.limits import ticked

Signature = frozenset[tuple[int, int]]


class Partition:
    """States 0, 1, 2, ... in blocks, refined round by round."""

    def __init__(
        self, goals: Sequence[bool], steps: Sequence[Sequence[Step]], tick: Callable[[], None] | None = None
    ) -> None:
        self._tick = tick
        self._steps = steps
        self._block = [int(goal) for goal in goals]
        self._sizes = [self._block.count(0), self._block.count(1)]
        self._history = [[(0, block)] for block in self._block]
        self._before: list[list[int]] = [[] for _ in goals]
        for state, out in ticked(enumerate(steps), tick):
            for _, successor, _ in out:
                self._before[successor].append(state)
        self._doubtful: Iterable[int] = range(len(self._block))
        self._round = 0

    def together(self, first: int, second: int) -> bool:
        """Return whether two states are in one block."""
        return self._block[first] == self._block[second]

    def refine(self) -> bool:
        """Refine the blocks once more. False if that parts nothing, and no other round will."""
        self._round += 1
        moved = [change for block, parts in self._parts().items() for change in self._split(block, parts)]
        for state, block in moved:
            self._block[state] = block
            self._history[state].append((self._round, block))
        self._doubtful = {before for state, _ in moved for before in self._before[state]}
        return bool(moved)

    def _parts(self) -> dict[int, dict[Signature, list[int]]]:
        """Return the doubtful states by block, then by what can be reached from them."""
        block = self._block
        parts: dict[int, dict[Signature, list[int]]] = {}
        for state in ticked(self._doubtful, self._tick):
            signature = frozenset([(cost, block[successor]) for cost, successor, _ in self._steps[state]])
            parts.setdefault(block[state], {}).setdefault(signature, []).append(state)
        return parts

    def _split(self, block: int, parts: dict[Signature, list[int]]) -> list[tuple[int, int]]:
        """Return the states that leave a block, each with its new one. Those that are not doubtful stay together."""
        groups = sorted(parts.values(), key=len)
        if sum(map(len, groups)) == self._sizes[block]:
            groups.pop()
        moved = []
        for group in groups:
            moved += [(state, len(self._sizes)) for state in group]
            self._sizes[block] -= len(group)
            self._sizes.append(len(group))
        return moved

    def parted(self, first: int, second: int) -> int | None:
        """Return the round in which two states were parted; None if they are together."""
        if self._block[first] == self._block[second]:
            return None
        changes = sorted({number for state in (first, second) for number, _ in self._history[state]})
        return next(number for number in changes if self._at(first, number) != self._at(second, number))

    def _at(self, state: int, number: int) -> int:
        """Return the block of a state after a round."""
        return next(block for changed, block in reversed(self._history[state]) if changed <= number)
