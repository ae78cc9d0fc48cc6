"""The 24 game: what can be solved, what a move is called, how fractions are read, and how far its PDDL goes."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from random import Random

import pytest

from unpuzzle import check, replay, solve, translators
from unpuzzle.base.errors import IllegalMove, ParseError, UnsupportedFeature
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.cli import main
from unpuzzle.model.capabilities import completed
from unpuzzle.pddl.nodes import GroundAction

GAME = translators.find("24")


def position(text):
    return GAME.parse(text + "\n")


@cache
def solvable(level):
    """By the rules, depth first; what was searched in vain is not searched again."""
    return level.solved() or (level.impossible() is None and any(map(solvable, level.following().values())))


def values(numbers):
    """All that the numbers give in any order with any parentheses: every split of them into two parts."""
    if len(numbers) == 1:
        return set(numbers)
    found = set()
    for mask in range(1, 2 ** len(numbers) - 1):
        left = values(tuple(n for i, n in enumerate(numbers) if mask >> i & 1))
        right = values(tuple(n for i, n in enumerate(numbers) if not mask >> i & 1))
        for x in left:
            found |= {value for y in right for value in (x + y, x * y, x - y, *((x / y,) if y else ()))}
    return found


def test_of_the_1820_levels_with_numbers_to_13_all_but_458_can_be_solved():
    levels = list(GAME.every(completed(GAME, {})))
    assert len(levels) == len(set(levels)) == 1820
    assert sum(map(solvable, levels)) == 1362  # published for the cards 1 to 13


def test_rules_reach_what_all_parentheses_give():
    for numbers in Random(24).sample(list(combinations_with_replacement(range(1, 14), 4)), 40):
        level = GAME(map(Fraction, numbers))
        assert solvable(level) == (24 in values(level.numbers)), level


@pytest.mark.parametrize("planner", ["native", "rules:astar(left)", "rules:bfs"])
def test_three_three_eight_eight_needs_a_fraction(planner):
    level = position("8 3 8 3")
    result = solve(level, planner)
    assert (result.status, result.cost) == (SOLVED_OPTIMALLY, 3)
    assert " ".join(result.moves) == "8/3 3-(8/3) 8/(1/3)"
    assert replay(level, result.moves).solved


def test_levels_without_solution_are_told():
    assert solve(position("1 1 1 1")).status == UNSOLVABLE
    assert position("5 7").impossible() == "5 and 7 do not make 24"
    assert position("25").impossible() == "25 is left, and it is not 24"


def test_moves_name_numbers_and_what_is_no_plain_number_stands_in_parentheses():
    assert position("8 3").moves() == ("3+8", "3*8", "3-8", "3/8", "8-3", "8/3")
    assert position("-5 8/3").moves() == (
        "(-5)+(8/3)", "(-5)*(8/3)", "(-5)-(8/3)", "(-5)/(8/3)", "(8/3)-(-5)", "(8/3)/(-5)",
    )  # fmt: skip
    assert position("2 2").moves() == ("2+2", "2*2", "2-2", "2/2")
    assert position("0 2").moves() == ("0+2", "0*2", "0-2", "0/2", "2-0")  # nothing is divided by zero
    with pytest.raises(IllegalMove, match="'8\\+3' is not a move in this position"):
        position("8 3").apply("8+3")


def test_a_move_does_what_it_says():
    """Read as Python reads it, with exact numbers, it is its result: `8/3` is a number only in parentheses."""
    rng = Random(3)
    for _ in range(30):
        level = GAME([Fraction(rng.randint(-9, 9), rng.randint(1, 4)) for _ in range(3)])
        for move, after in level.following().items():
            exact = re.sub(r"\d+", r"Fraction(\g<0>)", move)
            assert eval(exact, {"Fraction": Fraction}) in after.numbers


@pytest.mark.parametrize(
    ("text", "same"), [("6/4 16/2", "3/2 8"), ("-0 2", "0 2"), ("007 1", "1 7"), ("1\t2 ; two", "1 2")]
)
def test_numbers_are_read_as_they_are_meant(text, same):
    assert str(position(text)) == same + "\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2 3 four", "1:7: 'four' is not a number: a number must be a whole number or a fraction, such as 8 or 8/3"),
        ("1 2.5", "1:3: '2.5' is not a number"),
        ("1 3/0", "1:3: '3/0' divides by zero"),
        ("1 2\n3 4", "2:1: there is a second line, but all numbers must be on one line"),
        ("1 " * 21, "1:41: there are 21 numbers, but at most 20 are allowed"),
        ("9" * 200, "1:1: the numbers are too large: together they can have at most about 100 digits"),
        ("9" * 500, "1:1: '99999999999999999...' is not a number"),
    ],
)
def test_what_is_no_level_is_refused(text, message):
    with pytest.raises(ParseError) as caught:
        GAME.parse(text)
    assert str(caught.value).startswith(message)


def test_whatever_is_reached_from_a_level_can_be_read():
    rng = Random(7)
    for _ in range(30):
        level = GAME([Fraction(rng.randint(1, 10**15), rng.randint(1, 10**15)) for _ in range(3)])
        while moves := level.moves():
            assert GAME.parse(str(level)) == level
            level = level.apply(rng.choice(moves))
        assert GAME.parse(str(level)) == level


def test_plain_data_has_integers_and_exact_fractions():
    assert position("8 8/3 -1 3").plain() == [-1, Fraction(8, 3), 3, 8]
    assert [type(number) for number in position("8 8/3").plain()] == [Fraction, int]


@pytest.mark.parametrize("data", [[8, 3, "8/3", -1], [Fraction(8, 3), 8, Fraction(3), "-1"]])
def test_plain_data_may_be_spelled_in_several_ways(data):
    assert position("8 8/3 -1 3").respelled(data) == [-1, Fraction(8, 3), 3, 8]


@pytest.mark.parametrize("data", [None, "8", ["x"], ["1/0"], ["1e9"], [[8]], [None], {"8": 3}])
def test_what_is_no_plain_data_comes_back_as_it_is(data):
    assert position("8").respelled(data) == data


@pytest.mark.parametrize("text", ["5 7 9", "1 1 2 2", "0 0 1 1", "-1/2 1/2 1 2", "2 2 4", "24", "7"])
def test_the_pddl_is_the_game_where_numbers_come_again(text):
    found = check(position(text))
    assert found.same, str(found)
    assert found.exhaustive


@pytest.mark.parametrize("card", ["n8-over-0", "8", "n", "table", "n1-copy", "minus", "n" + "9" * 5000])
def test_what_is_no_card_is_no_move(card):
    with pytest.raises(ParseError, match="is not a move of this puzzle"):
        position("3 8").decode(GroundAction("join", ("n3", "plus", card, *"123456")))
    with pytest.raises(ParseError, match="is not a move of this puzzle"):
        position("3 8").decode(GroundAction("join", ("n3", "and", "n8", *"123456")))


def test_more_than_four_numbers_have_no_pddl_but_can_be_solved_by_the_rules():
    with pytest.raises(UnsupportedFeature, match="24 has PDDL for up to 4 numbers, and there are 5"):
        position("1 2 3 4 5").task()
    assert solve(position("1 1 1 5 5"), "rules:astar(left)").cost == 4


def test_the_command_line_finds_it(capsys):
    assert main(["solve", "24", "3-3-8-8"]) == 0
    assert capsys.readouterr().out.startswith("8/3 3-(8/3) 8/(1/3)\n")
