"""The tower of Hanoi (É. Lucas, 1883), with any number of discs and pegs, from any start to any goal.

A: 3 2 1      a line a peg, its discs from the bottom up, 1 the smallest
B:            below, optionally, a line `goal` and the pegs again; without it all discs go to the last peg
C:            a move names two pegs: AC takes the uppermost disc of A to C
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, pairwise, permutations, product
from random import Random
from typing import Any, Self

from unpuzzle.puzzle.capabilities import Generating, HasHeuristics, Reversible
from unpuzzle.puzzle.heuristic import NULL, Heuristic
from unpuzzle.puzzle.options import Number, by_name
from unpuzzle.translators.shared.towers import LABELS, NumberedTowers


class Hanoi(NumberedTowers, Generating, HasHeuristics, Reversible):
    """A position: the discs on each peg, and where they are to be."""

    name = "hanoi"
    title = "The tower of Hanoi: move discs from peg to peg, never a larger one onto a smaller one"
    levels = {
        "3": "A: 3 2 1\nB:\nC:\n",
        "5": "A: 5 4 3 2 1\nB:\nC:\n",
        "four-pegs": "A: 6 5 4 3 2 1\nB:\nC:\nD:\n",
        "exchange": "A: 4 2\nB: 3 1\nC:\ngoal\nA: 3 1\nB: 4 2\nC:\n",
    }
    one_letter_moves = False
    actions = {"move": lambda position, disc, start, end: position.peg(disc) + position.peg(end)}
    options = by_name(Number("discs", "how many", 4, least=1, most=20), Number("pegs", "how many", 3, least=2, most=20))
    heuristics = by_name(Heuristic("away", "discs to move", lambda p: p.away(), admissible=True, consistent=True), NULL)

    def following(self) -> dict[str, Self]:
        positions = {}
        for start, end in permutations(range(len(self.towers)), 2):
            towers = list(self.towers)
            if towers[start] and towers[start][-1] < min(towers[end], default=99):
                towers[start], towers[end] = towers[start][:-1], (*towers[end], towers[start][-1])
                positions[LABELS[start] + LABELS[end]] = type(self)(tuple(towers), self.goal)
        return positions

    def goal_position(self) -> Self:
        return type(self)(self.goal, self.goal)

    def predecessors(self) -> list[tuple[str, Self]]:
        return [(move[::-1], position) for move, position in self.following().items()]

    def away(self) -> int:
        return sum(len({*tower} - {*goal}) for tower, goal in zip(self.towers, self.goal, strict=True))

    def chains(self) -> list[list[str]]:
        return [[LABELS[i].lower(), *(f"disc{disc}" for disc in tower)] for i, tower in enumerate(self.towers)]

    def peg(self, thing: str) -> str:
        return {name: chain[0].upper() for chain in self.chains() for name in chain}[thing]

    def objects(self) -> dict[str, list[str]]:
        discs = [f"disc{disc}" for disc in sorted(sum(self.towers, ()))]
        return {"disc": discs, "peg": [chain[0] for chain in self.chains()]}

    def statics(self) -> list[tuple[str, ...]]:
        discs, pegs = self.objects().values()
        return [("smaller", *pair) for pair in (*combinations(discs, 2), *product(discs, pegs))]

    def facts(self) -> list[tuple[str, ...]]:
        on = [("on", upper, lower) for chain in self.chains() for lower, upper in pairwise(chain)]
        return [*on, *(("clear", chain[-1]) for chain in self.chains())]

    def goal_condition(self) -> list[tuple[str, ...]]:
        return self.goal_position().facts()

    @classmethod
    def generate(cls, rng: Random, options: Mapping[str, Any]) -> Self:
        states: list[list[tuple[int, ...]]] = [[()] * options["pegs"], [()] * options["pegs"]]
        for state, disc in product(states, range(options["discs"], 0, -1)):
            state[rng.randrange(len(state))] += (disc,)
        return cls(*map(tuple, states))
