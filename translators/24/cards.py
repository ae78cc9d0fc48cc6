"""The arithmetic of the 24 game: what two numbers give, what that is called, and cards that stand for it in PDDL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise, product

Numbers = tuple[Fraction, ...]

WANTED = Fraction(24)
OPERATORS = {"+": "plus", "-": "minus", "*": "times", "/": "divided-by"}
SIGNS = {name: sign for sign, name in OPERATORS.items()}

_CARD = re.compile(r"(n|minus)([0-9]+)(?:-over-([1-9][0-9]*))?(?:-copy[0-9]+)?", re.ASCII)


def following(numbers: Numbers) -> dict[str, Numbers]:
    """Return the numbers after each move, the smallest first."""
    after = {}
    for first, second in dict.fromkeys(combinations(numbers, 2)):
        others = list(numbers)
        others.remove(first)
        others.remove(second)
        for x, sign, y, result in results(first, second):
            after[_joined(x, sign, y)] = tuple(sorted([*others, result]))
    return after


def results(first: Fraction, second: Fraction) -> list[tuple[Fraction, str, Fraction, Fraction]]:
    """Return the results of two numbers, the smaller one first: (number, sign, number, result)."""
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
    """Return the pairs of numbers that can stand there at a time."""
    return tuple(dict.fromkeys(pair for reached in _positions(numbers) for pair in combinations(reached, 2)))


@lru_cache(maxsize=64)
def copies(numbers: Numbers) -> dict[Fraction, int]:
    """Return the numbers that can come up, and 24, and how often each can stand there at a time."""
    most = {WANTED: 1}
    for reached in _positions(numbers):
        for number in dict.fromkeys(reached):
            most[number] = max(most.get(number, 0), reached.count(number))
    return most


def card(number: Fraction, copy: int = 1) -> str:
    """Return the name of a number's first card, or of another one in its pile."""
    sign = "minus" if number < 0 else "n"
    below = "" if number.denominator == 1 else f"-over-{number.denominator}"
    return f"{sign}{abs(number.numerator)}{below}" + (f"-copy{copy}" if copy > 1 else "")


def pile(number: Fraction, most: int) -> list[str]:
    """Return a number's cards, the lowest first."""
    return [card(number, copy) for copy in range(1, most + 1)]


def facts_of(
    copies: dict[Fraction, int], x: Fraction, sign: str, y: Fraction, result: Fraction
) -> Iterator[tuple[str, ...]]:
    """Yield facts of a result: the cards of two numbers go and one comes, unless they are the same cards."""
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
    """Return the move that takes two cards. Raises ValueError or KeyError for what are none, or no operator."""
    return _joined(_value(x), SIGNS[sign], _value(y))


def _value(card: str) -> Fraction:
    """Return the number of a card. Raises ValueError for what is none."""
    match = _CARD.fullmatch(card)
    if match is None:
        raise ValueError(card)
    return Fraction(int(match[2]), int(match[3] or 1)) * (-1 if match[1] == "minus" else 1)
