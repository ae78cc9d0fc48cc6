"""The tower of Hanoi: least numbers of moves, texts, refusals."""

from __future__ import annotations

import pytest

from unpuzzle import solve
from unpuzzle.base.errors import IllegalMove, ParseError
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.planning import registry
from unpuzzle.translators.hanoi import Hanoi


def tower(discs, pegs):
    empty = "".join(f"{label}:\n" for label in "BCDEFG"[: pegs - 1])
    return Hanoi.parse(f"A: {' '.join(map(str, range(discs, 0, -1)))}\n{empty}")


native = pytest.mark.skipif(registry.missing("native") is not None, reason="the native planner is not here")


@native
@pytest.mark.parametrize("discs", range(1, 11))
def test_three_pegs_take_2_to_the_n_less_1(discs):
    result = solve(tower(discs, 3))
    assert (result.status, result.cost) == ("solved_optimally", 2**discs - 1)


@native
@pytest.mark.parametrize(("discs", "moves"), [*enumerate((1, 3, 5, 9, 13, 17, 25, 33), 1)])
def test_four_pegs_take_what_frame_and_stewart_say(discs, moves):
    result = solve(tower(discs, 4))
    assert (result.status, result.cost) == ("solved_optimally", moves)


def test_moves_name_pegs():
    level = tower(2, 3)
    assert level.moves() == ("AB", "AC")
    assert str(level.apply("AB")) == "A: 2\nB: 1\nC:\n"
    assert level.apply("AB").moves() == ("AC", "BA", "BC")
    for move in ("BA", "AA", "AD", "ab", ""):
        with pytest.raises(IllegalMove, match="is not a move in this position: the moves are AB, AC"):
            level.apply(move)


def test_the_move_of_an_action_depends_on_the_position():
    level = tower(2, 3)
    assert level.decode(GroundAction("move", ("disc1", "disc2", "c"))) == "AC"
    assert level.apply("AC").decode(GroundAction("move", ("disc2", "a", "b"))) == "AB"
    for arguments in (("disc3", "a", "b"), ("a", "b"), ("disc1", "disc2", "x")):
        with pytest.raises(ParseError, match="is not a move of this puzzle"):
            level.decode(GroundAction("move", arguments))


def test_a_goal_on_the_last_peg_is_not_written():
    assert str(Hanoi.parse("A: 2\nB: 1\ngoal\nA:\nB: 2 1\n")) == "A: 2\nB: 1\n"
    text = "A: 2\nB: 1\ngoal\nA: 2 1\nB:\n"
    assert str(Hanoi.parse(text)) == text
    assert Hanoi.parse("A:\nB:\n").solved()


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("A: 1\nC:\n", "expected 'B:', not 'C:'", 2, 1),
        ("A: 1 2\nB:\n", "disc 2 is on the smaller disc 1: list the discs of a peg from bottom to top", 1, 6),
        ("A: 3 1\nB:\n", "the discs must have the numbers 1, 2, 3, ..., each number once", 1, 1),
        ("A: 2 1\nB: 1\n", "each number once", 1, 1),
        ("A: 2 x\nB:\n", "'x' is not a whole number from 1 to 50", 1, 6),
        ("A: 1\nB:\ngoal\nA: 2 1\nB:\n", "the goal must have the same pegs and discs as the start", 4, 1),
        ("A: 1\nB:\ngoal\nA: 1\n", "the goal must have the same pegs and discs as the start", 4, 1),
        ("A: 1\nB:\ngoal\n", "nothing below 'goal'", 3, 1),
        ("goal\nA: 1\nB:\n", "nothing above 'goal'", 1, 1),
        ("A: 1\ngoal now\nA:\n", "'goal' must be on a separate line", 2, 6),
        ("A: 1\ngoal\nA: 1\ngoal\nA: 1\n", "there is a second 'goal', but only one is allowed", 4, 1),
        ("A:\n" * 27, "there are too many lines: at most 26 are allowed", 27, 1),
    ],
)
def test_what_is_no_level_is_refused(text, message, line, column):
    with pytest.raises(ParseError) as caught:
        Hanoi.parse(text)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_picture():
    assert Hanoi.parse("A: 2\nB: 1\n").draw() == "███  █\n A   B\n──────"
