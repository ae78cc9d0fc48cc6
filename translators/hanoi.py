"""The tower of Hanoi (É. Lucas, 1883), with any number of discs and pegs, from any start to any goal.

A: 3 2 1      one line for each peg, its discs from the bottom up, 1 the smallest
B:            below, optionally, a line `goal` and the pegs again; without it all discs go to the last peg
C:            a move names two pegs: AC takes the uppermost disc of A to C
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations, pairwise, permutations, product
from random import Random
from string import ascii_uppercase as LABELS
from typing import Any, ClassVar, Self

from unpuzzle.base.text import shorten
from unpuzzle.drawing import Ground, Piece
from unpuzzle.model.capabilities import Generating, HasHeuristics, Pictured, Reversible
from unpuzzle.model.heuristic import NULL, Heuristic
from unpuzzle.model.options import Number, Option, by_name
from unpuzzle.model.position import Puzzle
from unpuzzle.translators.shared.pictures import discs_on, draw_towers, pegs, write_towers
from unpuzzle.translators.shared.text import Page, Word

Discs = tuple[tuple[int, ...], ...]
"""By peg, its discs from the bottom up."""


MOST = 50
"""The largest number of discs."""


class Hanoi(Puzzle, Generating, HasHeuristics, Pictured, Reversible):
    """A position of the tower of Hanoi: the discs on each peg, and the goal."""

    name = "hanoi"
    title = "The tower of Hanoi: move discs from peg to peg, never a larger one onto a smaller one"
    levels: ClassVar[Mapping[str, str]] = {
        "3": "A: 3 2 1\nB:\nC:\n",
        "5": "A: 5 4 3 2 1\nB:\nC:\n",
        "four-pegs": "A: 6 5 4 3 2 1\nB:\nC:\nD:\n",
        "exchange": "A: 4 2\nB: 3 1\nC:\ngoal\nA: 3 1\nB: 4 2\nC:\n",
    }
    one_letter_moves = False
    options: Mapping[str, Option] = by_name(
        Number("discs", "how many", 4, least=1, most=20), Number("pegs", "how many", 3, least=2, most=20)
    )
    heuristics: Mapping[str, Heuristic] = by_name(
        Heuristic("away", "discs to move", lambda position: position.away(), admissible=True, consistent=True), NULL
    )

    def __init__(self, towers: Discs, goal: Discs) -> None:
        self.towers: Discs = towers
        self.goal: Discs = goal

    def _key(self) -> Hashable:
        return self.towers, self.goal

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        page = Page(text, source)
        above, below = page.parts("goal")
        towers = _discs(page, above)
        if below is None:
            return cls(towers, _all_on_the_last(towers))
        goal = _discs(page, below)
        if [len(goal), len(sum(goal, ()))] != [len(towers), len(sum(towers, ()))]:
            raise page.error_at("the goal must have the same pegs and discs as the start", below[0][0])
        return cls(towers, goal)

    def __str__(self) -> str:
        goal = "" if self.goal == _all_on_the_last(self.towers) else "goal\n" + write_towers(self.goal, LABELS)
        return write_towers(self.towers, LABELS) + goal

    def draw(self) -> str:
        """Return the picture as text, in which a disc is a bar with the disc's number as width."""
        bars = [["█" * (2 * disc - 1) for disc in tower] for tower in self.towers]
        return draw_towers([[LABELS[place], *tower] for place, tower in enumerate(bars)])

    def ground(self) -> Ground:
        return pegs(self.goal, LABELS)

    def pieces(self) -> Sequence[Piece]:
        return discs_on(self.towers, self.goal)

    def solved(self) -> bool:
        return self.towers == self.goal

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

    def _move_of(self, disc: str, start: str, end: str) -> str:
        pegs = {name: chain[0].upper() for chain in self.chains() for name in chain}
        return pegs[disc] + pegs[end]

    actions: ClassVar[Mapping[str, str | Callable[..., str]]] = {"move": _move_of}

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


def _all_on_the_last(towers: Discs) -> Discs:
    return (*[()] * (len(towers) - 1), tuple(sorted(sum(towers, ()), reverse=True)))


def _discs(page: Page, rows: list[list[Word]]) -> Discs:
    """Return the discs of each peg from lines such as `A: 3 2 1`. Raises ParseError for wrong lines."""
    if len(rows) > len(LABELS):
        raise page.error_at(f"there are too many lines: at most {len(LABELS)} are allowed", rows[len(LABELS)][0])
    for label, (first, *_) in zip(LABELS, rows, strict=False):
        if first.text != f"{label}:":
            raise page.error_at(
                f"expected '{label}:', not {shorten(first.text)}: the labels of the lines must be A, B, C, ...", first
            )
    towers = tuple(tuple(page.number(word, 1, MOST) for word in row[1:]) for row in rows)
    if sorted(sum(towers, ())) != list(range(1, len(sum(towers, ())) + 1)):
        raise page.error_at("the discs must have the numbers 1, 2, 3, ..., each number once", rows[0][0])
    for row, tower in zip(rows, towers, strict=True):
        for word, (lower, upper) in zip(row[2:], pairwise(tower), strict=False):
            if upper > lower:
                raise page.error_at(
                    f"disc {upper} is on the smaller disc {lower}: list the discs of a peg from bottom to top", word
                )
    return towers
