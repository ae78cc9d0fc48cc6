"""The 24 game: join numbers by + - * and /, two at a time, until one is left, which must be 24. Fractions are exact.

    3 3 8 8      the numbers on one line, in any order: whole numbers, or fractions such as 8/3 and -1/2
    8/3          a move joins two of them: 8 and 3 are replaced by the fraction 8/3
    3-(8/3)      in a move, numbers other than 0, 1, 2, ... are in parentheses: 3 minus the fraction 8/3; (-5)*2
    3+8          if the order does not matter, the smaller number comes first: 8+3 is not a move, 8-3 and 3-8 are two

As plain data a position is the list of its numbers in any order: whole ones as integers, the others as exact fractions
(Fraction(8, 3) of the module `fractions`; the text "8/3" is read, too), since 3 3 8 8 is solved by these alone.

Its PDDL is about cards. A number that occurs twice is two cards, the second on the first; the upper card is taken
first. All results that may occur are listed beforehand, so tasks with more than `MOST_IN_PDDL` numbers would be too
long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, pairwise, product
from random import Random
from typing import Any, ClassVar, Self

from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.base.text import shorten
from unpuzzle.model.capabilities import ForComponents, Generating, HasHeuristics
from unpuzzle.model.heuristic import NULL, Heuristic
from unpuzzle.model.options import Number, Option, by_name
from unpuzzle.model.position import Puzzle
from unpuzzle.translators.shared.text import Page, Word

Numbers = tuple[Fraction, ...]
Facts = list[tuple[str, ...]]

MOST = 20
"""The largest number of numbers in a level."""
MOST_BITS = 400
"""The largest size of all numbers together; no move needs more (see `_room`): reachable positions can be read."""
MOST_IN_PDDL = 4

LEFT = ("none", "one", "two", "three", "four")
WANTED = Fraction(24)
OPERATORS = {"+": "plus", "-": "minus", "*": "times", "/": "divided-by"}
SIGNS = {name: sign for sign, name in OPERATORS.items()}
_CARD = re.compile(r"(n|minus)([0-9]+)(?:-over-([1-9][0-9]*))?(?:-copy[0-9]+)?", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]+(/[0-9]+)?", re.ASCII)


def following(numbers: Numbers) -> dict[str, Numbers]:
    """Map each move of a position to the numbers after the move, in ascending order."""
    after = {}
    for first, second in dict.fromkeys(combinations(numbers, 2)):
        others = list(numbers)
        others.remove(first)
        others.remove(second)
        for x, sign, y, result in results(first, second):
            after[_joined(x, sign, y)] = tuple(sorted([*others, result]))
    return after


def results(first: Fraction, second: Fraction) -> list[tuple[Fraction, str, Fraction, Fraction]]:
    """Return all results of the four operations on two numbers, each as (number, sign, number, result)."""
    rows = [(first, "+", second, first + second), (first, "*", second, first * second)]
    for x, y in dict.fromkeys([(first, second), (second, first)]):
        rows += [(x, "-", y, x - y), *([(x, "/", y, x / y)] if y else ())]
    return rows


def _joined(x: Fraction, sign: str, y: Fraction) -> str:
    return f"{_enclosed(x)}{sign}{_enclosed(y)}"


def _enclosed(number: Fraction) -> str:
    return str(number) if number.denominator == 1 and number >= 0 else f"({number})"


@lru_cache(maxsize=64)
def _positions(numbers: Numbers) -> tuple[Numbers, ...]:
    positions = layer = {numbers: None}
    while layer:
        layer = dict.fromkeys([after for reached in layer for after in following(reached).values()])
        positions = positions | layer
    return tuple(positions)


@lru_cache(maxsize=64)
def pairs(numbers: Numbers) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return the pairs of numbers that can occur together in a reachable position."""
    return tuple(dict.fromkeys(pair for reached in _positions(numbers) for pair in combinations(reached, 2)))


@lru_cache(maxsize=64)
def copies(numbers: Numbers) -> dict[Fraction, int]:
    """Map 24 and each number that can be reached to the largest number of its copies in one position."""
    most = {WANTED: 1}
    for reached in _positions(numbers):
        for number in dict.fromkeys(reached):
            most[number] = max(most.get(number, 0), reached.count(number))
    return most


def card(number: Fraction, copy: int = 1) -> str:
    """Return the PDDL name of a card, the object that stands for one copy of a number."""
    sign = "minus" if number < 0 else "n"
    below = "" if number.denominator == 1 else f"-over-{number.denominator}"
    return f"{sign}{abs(number.numerator)}{below}" + (f"-copy{copy}" if copy > 1 else "")


def pile(number: Fraction, most: int) -> list[str]:
    """Return the PDDL names of the cards of one number, in the order of the copies."""
    return [card(number, copy) for copy in range(1, most + 1)]


def facts_of(
    copies: dict[Fraction, int], x: Fraction, sign: str, y: Fraction, result: Fraction
) -> Iterator[tuple[str, ...]]:
    """Yield the PDDL facts about one operation, which say which cards it replaces by which card."""
    name = OPERATORS[sign]
    left, right, outcomes = (pile(number, copies[number]) for number in (x, y, result))
    if x == y:
        for lower, upper in pairwise(left):
            if result == x:
                yield "same-twins", upper, name, lower
            else:
                yield from (("twins-give", upper, name, lower, card) for card in outcomes)
    elif result in (x, y):
        for one, other in product(left, right):
            yield "same", one, name, other, other if result == x else one
    else:
        yield from (("give", one, name, other, card) for one, other, card in product(left, right, outcomes))


def move_of(x: str, sign: str, y: str) -> str:
    """Return the move for an operation on two cards. Raises ValueError or KeyError for unknown names of cards."""
    return _joined(_value(x), SIGNS[sign], _value(y))


def _value(card: str) -> Fraction:
    """Return the number for which a card stands. Raises ValueError for a text that is not the name of a card."""
    match = _CARD.fullmatch(card)
    if match is None:
        raise ValueError(card)
    return Fraction(int(match[2]), int(match[3] or 1)) * (-1 if match[1] == "minus" else 1)


def _estimate(position: TwentyFour) -> float:
    """Return the fewest moves to the goal; infinity if it is known that the goal is unreachable."""
    return len(position.numbers) - 1 if position.impossible() is None else float("inf")


class TwentyFour(Puzzle, Generating, HasHeuristics, ForComponents):
    """A position of the 24 game: the remaining numbers in ascending order."""

    name = "24"
    planner = "rules:astar(left)"
    title = "24: join numbers by + - * and / until one is left, which must be 24"
    levels: ClassVar[Mapping[str, str]] = {
        "2-3-4": "2 3 4\n",
        "1-5-5-5": "1 5 5 5\n",
        "3-3-8-8": "3 3 8 8\n",
        "1-1-1-1": "1 1 1 1\n",  # cannot be solved
    }
    one_letter_moves = False
    actions: ClassVar[Mapping[str, str | Callable[..., str]]] = dict.fromkeys(
        ("join", "join-twins", "keep", "keep-twin"), lambda position, x, sign, y, *others: move_of(x, sign, y)
    )
    options: Mapping[str, Option] = by_name(
        Number("numbers", "how many", 4, least=1, most=6), Number("largest", "the largest number", 13, least=1, most=99)
    )
    heuristics: Mapping[str, Heuristic] = by_name(
        Heuristic("left", "numbers to join", _estimate, admissible=True, consistent=True), NULL
    )

    def __init__(self, numbers: Iterable[Fraction]) -> None:
        self.numbers: Numbers = tuple(sorted(numbers))

    def _key(self) -> Numbers:
        return self.numbers

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        page = Page(text, source)
        rows = page.rows()
        for row in rows[1:]:
            raise page.error_at("there is a second line, but all numbers must be on one line", row[0])
        numbers = [_read(page, word) for word in rows[0]]
        if len(numbers) > MOST:
            raise page.error_at(f"there are {len(numbers)} numbers, but at most {MOST} are allowed", rows[0][MOST])
        if sum(map(_room, numbers)) > MOST_BITS:
            raise page.error_at(
                "the numbers are too large: together they can have at most about 100 digits", rows[0][0]
            )
        return cls(numbers)

    def __str__(self) -> str:
        return " ".join(map(str, self.numbers)) + "\n"

    def plain(self) -> list[int | Fraction]:
        """Return the numbers, whose order is free: whole numbers as `int`, fractions as `fractions.Fraction`."""
        return [number.numerator if number.denominator == 1 else number for number in self.numbers]

    def respelled(self, plain: object) -> object:
        """Convert JSON data of a position to the form of `plain`: sort the numbers, and parse fractions as text."""
        if not isinstance(plain, list) or not all(_NUMBER.fullmatch(text) for text in plain if isinstance(text, str)):
            return plain
        try:
            return type(self)(map(Fraction, plain)).plain()
        except (TypeError, ValueError, ZeroDivisionError):
            return plain

    def following(self) -> dict[str, Self]:
        return {move: type(self)(numbers) for move, numbers in following(self.numbers).items()}

    def solved(self) -> bool:
        return self.numbers == (WANTED,)

    def impossible(self) -> str | None:
        if len(self.numbers) == 1 and not self.solved():
            return f"{self.numbers[0]} is left, and it is not 24"
        if len(self.numbers) == 2 and all(result != WANTED for *_, result in results(*self.numbers)):
            return f"{self.numbers[0]} and {self.numbers[1]} do not make 24"
        return None

    def objects(self) -> dict[str, list[str]]:
        cards = [card for number, most in self._copies().items() for card in pile(number, most)]
        return {"card": ["table", "nothing", *cards], "operator": list(SIGNS), "amount": list(LEFT[1:])}

    def statics(self) -> Facts:
        copies = self._copies()
        piles = [["table", *pile(number, most), "nothing"] for number, most in copies.items()]
        above = [("above", upper, card) for pile in piles for card, upper in pairwise(pile[1:])]
        below = [("below", lower, card) for pile in piles for lower, card in pairwise(pile[:-1])]
        fewer = [("fewer", more, less) for less, more in pairwise(LEFT[1:])]
        possible = (result for pair in pairs(self.numbers) for result in results(*pair))
        changes = (fact for result in possible for fact in facts_of(copies, *result))
        return [*fewer, *above, *below, *dict.fromkeys(changes)]

    def facts(self) -> Facts:
        self._require_few()
        numbers = dict.fromkeys(self.numbers)
        cards = [card for number in numbers for card in pile(number, self.numbers.count(number))]
        return [("left", LEFT[len(self.numbers)]), ("there", "table"), *(("there", card) for card in cards)]

    def goal_condition(self) -> Facts:
        return [("left", "one"), ("there", card(WANTED))]

    def _copies(self) -> dict[Fraction, int]:
        """Return the result of `copies` for this position. Raises UnsupportedFeature for too many numbers."""
        self._require_few()
        return copies(self.numbers)

    def _require_few(self) -> None:
        if len(self.numbers) > MOST_IN_PDDL:
            most = f"24 has PDDL for up to {MOST_IN_PDDL} numbers, and there are {len(self.numbers)}"
            raise UnsupportedFeature(f"{most}: the PDDL would have to list all results of the numbers", feature="PDDL")

    @classmethod
    def generate(cls, rng: Random, options: Mapping[str, Any]) -> Self:
        """Return a position of random whole numbers."""
        return cls([Fraction(rng.randint(1, options["largest"])) for _ in range(options["numbers"])])

    @classmethod
    def every(cls, options: Mapping[str, Any]) -> Iterator[Self]:
        numbers = [Fraction(number) for number in range(1, options["largest"] + 1)]
        return map(cls, combinations_with_replacement(numbers, options["numbers"]))

    @classmethod
    def sample(cls, rng: Random) -> Self:
        """Return a position of one to three whole numbers that usually can be joined to 24."""
        numbers = [24]
        for _ in range(rng.choice((0, 1, 1, 1, 2))):
            number = numbers.pop(rng.randrange(len(numbers)))
            products = [(part, number // part) for part in range(1, number + 1) if number % part == 0]
            sums = [(part, number - part) for part in range(1, number)]
            differences = [(number + part, part) for part in range(1, 6)]
            quotients = [(number * part, part) for part in range(1, 6)]
            numbers += rng.choice([*products, *sums, *differences, *quotients])
        if rng.random() < 0.4:
            numbers[0] = rng.randint(1, 12)
        return cls(map(Fraction, numbers))


def _read(page: Page, word: Word) -> Fraction:
    """Convert a word of a level to a number. Raises ParseError if it is neither a whole number nor a fraction."""
    text = word.text
    if not _NUMBER.fullmatch(text) or len(text) > MOST_BITS:
        raise page.error_at(
            f"{shorten(text)} is not a number: a number must be a whole number or a fraction, such as 8 or 8/3", word
        )
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise page.error_at(f"{shorten(text)} divides by zero", word) from None


def _room(number: Fraction) -> int:
    """Return a bound for the bits of a number; the bound of a result is at most the sum of its operands' bounds.

    For a sum: |ad + bc| ≤ 2 max(|a|, b) max(|c|, d); the others are smaller.
    """
    return max(abs(number.numerator), number.denominator).bit_length() + 1
