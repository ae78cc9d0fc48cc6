"""Moves played on the rules: one by one or as a text; what became of them is a value."""

from __future__ import annotations

import pickle

import pytest

from unpuzzle import Limits, replay, translators
from unpuzzle.base.errors import GameFault, LimitReached, ModelMismatch
from unpuzzle.model.replaying import as_moves, joined_moves, require_solution


def level(name: str, number: str):
    game = translators.find(name)
    return game.parse(game.levels[number])


@pytest.mark.parametrize("moves", ["ULDRR", "U L D R R", ["U", "L", "D", "R", "R"], iter("ULDRR")])
def test_moves_are_read_as_the_command_line_reads_them(moves):
    played = replay(level("boxup", "1"), moves)
    assert (played.legal, played.solved, played.cost, played.step, played.reason) == (True, True, 5, None, "")


def test_moves_of_several_letters_stand_between_blanks():
    start = level("hanoi", "3")
    assert tuple(as_moves(start, "AC AB\nCB")) == ("AC", "AB", "CB")
    played = replay(start, "AC AC BA")
    assert (played.legal, played.solved, played.cost, played.step) == (False, False, 1, 2)
    assert played.reason.startswith("move 2 is illegal: 'AC' is not a move in this position")
    assert played.position == start.apply("AC")
    assert replay(start, "AC").reason == "the goal is not reached after the last move"


def test_moves_that_nothing_could_read_again_are_not_written():
    """`LuR` would be read as three moves."""
    sokoban = level("sokoban", "1").game
    assert joined_moves(sokoban, ["L", "u", "R"]) == "LuR"
    assert joined_moves(level("hanoi", "3").game, ["AC", "AB"]) == "AC AB"
    with pytest.raises(GameFault, match=r"'Lu' has several letters.*one_letter_moves = False"):
        joined_moves(sokoban, ["Lu", "R"])


def test_a_replay_is_a_value():
    played = replay(level("boxup", "1"), "ULDRR")
    assert played == replay(level("boxup", "1"), "ULDRR") != replay(level("boxup", "1"), "ULDR")
    assert pickle.loads(pickle.dumps(played)) == played
    data = played.to_dict()
    assert list(data) == ["schema", "position", "legal", "solved", "cost", "step", "reason"]
    assert data["position"] == str(played.position)
    with pytest.raises(AttributeError):
        played.cost = 3


@pytest.mark.parametrize(
    ("moves", "cost", "said"),
    [
        ("ULDRR", 4, "the moves cost 5, the plan costs 4"),
        ("ULDR", 4, "the goal is not"),
        ("UU", 1, "move 2 is illegal"),
    ],
)
def test_moves_that_a_model_finds_and_the_rules_refuse(moves, cost, said):
    require_solution(level("boxup", "1"), "ULDRR", 5)
    with pytest.raises(ModelMismatch, match=f"the PDDL differs from the rules: {said}.*moves {' '.join(moves)}"):
        require_solution(level("boxup", "1"), moves, cost)


def test_limits_hold():
    with pytest.raises(LimitReached, match="the time limit was reached while playing the moves"):
        replay(level("boxup", "1"), "ULDRR", limits=Limits(1e-9))
