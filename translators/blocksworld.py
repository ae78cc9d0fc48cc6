"""Blocksworld: a hand moves blocks to build other towers; the four operators of the planning competitions.

    b a        a line a tower, bottom first; names are small letters and digits, - and _, a letter first
    hand c     optionally, the block in the hand
    goal       then the towers to build, bottom first, on the table
    a b c      a move is an operator with its blocks: pick-up:a put-down:a stack:a:b unstack:a:b (a from b, or onto it)

The goal may leave blocks out: these may be anywhere, also on top of its towers. Each tower of the goal is on the
table, and the hand may hold anything; other partial goals cannot be written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from random import Random
from string import ascii_lowercase
from typing import Any, ClassVar, Self

from unpuzzle.base.text import shorten
from unpuzzle.drawing import Ground, Piece
from unpuzzle.model.capabilities import ForComponents, Generating, HasHeuristics, Pictured
from unpuzzle.model.heuristic import NULL, Heuristic
from unpuzzle.model.options import Number, Option, by_name
from unpuzzle.model.position import Puzzle
from unpuzzle.translators.shared.pictures import blocks_on, draw_towers, table, write_towers
from unpuzzle.translators.shared.text import Page, Word

Tower = tuple[str, ...]
Facts = list[tuple[str, ...]]


def _misplaced(position: Blocksworld) -> int:
    """Return an estimate: two moves for each misplaced block of the goal, but one for a block in the hand.

    A block is in its place if all blocks below it are as in the goal. A move changes this for at most one block.
    """
    places = {tower[: height + 1] for tower in position.towers for height in range(len(tower))}
    goal = {block: tower[: height + 1] for tower in position.goal for height, block in enumerate(tower)}
    wrong = [block for block, below in goal.items() if below not in places]
    return 2 * len(wrong) - (position.hand in wrong)


class Blocksworld(Puzzle, Generating, HasHeuristics, Pictured, ForComponents):
    """A position of Blocksworld: the towers, and the block in the hand if there is one."""

    name = "blocksworld"
    title = "Blocksworld: take towers of blocks apart and build others, one block in the hand at a time"
    levels: ClassVar[Mapping[str, str]] = {
        "swap": "a b\ngoal\nb a\n",
        "sussman": "a c\nb\ngoal\nc b a\n",  # G. J. Sussman's anomaly (1973): neither half of the goal can be kept
        "reverse": "a b c d\ngoal\nd c b a\n",
        "partial": "a b c\nd e\ngoal\nb e\n",
        "in-hand": "a b\nc\nhand d\ngoal\nd a\nc b\n",
        "six": "a d f\nb\nc e\ngoal\nf e d\nc b a\n",
    }
    one_letter_moves = False
    actions: ClassVar[Mapping[str, str | Callable[..., str]]] = {
        "pick-up": "pick-up:{0}",
        "put-down": "put-down:{0}",
        "stack": "stack:{0}:{1}",
        "unstack": "unstack:{0}:{1}",
    }
    options: Mapping[str, Option] = by_name(
        Number("blocks", "how many, up to 26", 4, least=1, most=26),
        Number("loose", "how many of them the goal does not name", 0, most=25),
    )
    heuristics: Mapping[str, Heuristic] = by_name(
        Heuristic("misplaced", "two moves for each block out of place", _misplaced, admissible=True, consistent=True),
        NULL,
    )

    def __init__(self, towers: Iterable[Tower], hand: str, goal: Iterable[Tower]) -> None:
        self.towers: tuple[Tower, ...] = tuple(sorted(towers))
        self.hand: str = hand
        self.goal: tuple[Tower, ...] = tuple(sorted(goal))

    def _key(self) -> tuple[object, ...]:
        return self.towers, self.hand, self.goal

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        page = Page(text, source)
        above, below = page.parts("goal")
        if below is None:
            raise page.error_at("there is no line 'goal', with towers below it", above[-1][0])
        hands = [row for row in above if row[0].text == "hand"]
        for row in hands[1:]:
            raise page.error_at("there is a second 'hand', but only one is allowed", row[0])
        for row in hands:
            page.require_one(row[1:], "held block", "'hand' is followed by a block", row[0])
        towers = _towers(page, [row[1:] if row in hands else row for row in above])
        goal = _towers(page, below, {block for tower in towers for block in tower})
        hand = hands[0][1].text if hands else ""
        return cls([tower for tower in towers if hand not in tower], hand, goal)

    def __str__(self) -> str:
        hand = f"hand {self.hand}\n" if self.hand else ""
        return f"{write_towers(self.towers)}{hand}goal\n{write_towers(self.goal)}"

    def draw(self) -> str:
        held = f"hand: {self.hand}\n" if self.hand else ""
        return (held + draw_towers([[f"[{block}]" for block in tower] for tower in self.towers])).rstrip("\n")

    def ground(self) -> Ground:
        return table(tuple(self.objects()["block"]), self.goal)

    def pieces(self) -> list[Piece]:
        return blocks_on(self.towers, self.hand, tuple(self.objects()["block"]))

    def following(self) -> dict[str, Self]:
        positions = {}
        for tower in self.towers:
            others, top = [other for other in self.towers if other != tower], tower[-1]
            if self.hand:
                positions[f"stack:{self.hand}:{top}"] = type(self)([*others, (*tower, self.hand)], "", self.goal)
            elif tower[:-1]:
                positions[f"unstack:{top}:{tower[-2]}"] = type(self)([*others, tower[:-1]], top, self.goal)
            else:
                positions[f"pick-up:{top}"] = type(self)(others, top, self.goal)
        if self.hand:
            positions[f"put-down:{self.hand}"] = type(self)([*self.towers, (self.hand,)], "", self.goal)
        return positions

    def solved(self) -> bool:
        return all(any(tower[: len(own)] == own for tower in self.towers) for own in self.goal)

    def plain(self) -> dict[str, object]:
        """Return the towers, bottom first, and the block in the hand or None."""
        return {"towers": [list(tower) for tower in self.towers], "hand": self.hand or None}

    def respelled(self, plain: object) -> object:
        """Sort the towers in the JSON form of a position, as their order has no meaning."""
        towers = plain.get("towers") if isinstance(plain, dict) else None
        if not isinstance(towers, list) or not all(
            isinstance(tower, list) and all(isinstance(block, str) for block in tower) for tower in towers
        ):
            return plain
        return {**plain, "towers": sorted(towers)}  # type: ignore[dict-item]

    def component_arguments(self) -> dict[str, object]:
        """Return the towers to build, as the argument `goal` of `successors` and `is_goal`."""
        return {"goal": [list(tower) for tower in self.goal]}

    def objects(self) -> dict[str, list[str]]:
        held = [self.hand] if self.hand else []
        return {"block": sorted([*held, *(block for tower in self.towers for block in tower)])}

    def facts(self) -> Facts:
        clear = [("clear", tower[-1]) for tower in self.towers]
        return [*_built(self.towers), *clear, ("holding", self.hand) if self.hand else ("handempty",)]

    def goal_condition(self) -> Facts:
        return _built(self.goal)

    @classmethod
    def generate(cls, rng: Random, options: Mapping[str, Any]) -> Self:
        """Return a level with random towers and a random goal."""
        blocks = ascii_lowercase[: options["blocks"]]
        named = rng.sample(blocks, max(1, len(blocks) - options["loose"]))
        return cls(_cut(rng, rng.sample(blocks, len(blocks))), "", _cut(rng, named))


def _built(towers: Iterable[Tower]) -> Facts:
    on = [("on", upper, lower) for tower in towers for lower, upper in pairwise(tower)]
    return [*(("ontable", tower[0]) for tower in towers), *on]


def _cut(rng: Random, blocks: list[str]) -> list[Tower]:
    """Divide blocks into random towers, in the given order."""
    towers: list[Tower] = []
    for block in blocks:
        if towers and rng.random() < 0.6:
            towers[-1] += (block,)
        else:
            towers.append((block,))
    return towers


def _towers(page: Page, rows: list[list[Word]], names: set[str] | None = None) -> list[Tower]:
    """Return the towers in the rows of a text. Raises ParseError for repeated or unknown blocks."""
    places: dict[str, Word] = {}
    for word in (word for row in rows for word in row):
        name = word.text
        if not re.fullmatch("[a-z][a-z0-9_-]*", name):
            message = f"{shorten(name)} is not the name of a block: small letters, digits, - and _, a letter first"
            raise page.error_at(message, word)
        if name in ("goal", "hand"):
            raise page.error_at(f"'{name}' begins a separate line; no block can have this name", word)
        if name in places:
            raise page.repetition(f"block {shorten(name)} is listed twice", word, places[name])
        if names is not None and name not in names:
            raise page.error_at(f"the goal contains block {shorten(name)}, which is not in the start", word)
        places[name] = word
    return [tuple(word.text for word in row) for row in rows]
