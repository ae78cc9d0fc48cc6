"""PDDL states drawn: which atoms tell which pieces is read off positions."""

from __future__ import annotations

from random import Random

import pytest

from unpuzzle import Position, find
from unpuzzle.puzzle.task import atom
from unpuzzle.rendering.scenes import picture_of
from unpuzzle.rendering.states import _near, drawn_state, pieces_of, signs_of


def level(name: str, label: str) -> Position:
    game = find(name)
    return game.parse(game.levels[label])


@pytest.mark.parametrize(
    ("name", "label"),
    [("boxup", "3"), ("sliding-tiles", "2x3"), ("pacman", "room"), ("sokoban", "1"), ("lights-out", "3x3")],
)
def test_the_pieces_of_a_position_follow_from_its_atoms(name: str, label: str) -> None:
    start = level(name, label)
    positions = list(_near(start, ()))
    told = signs_of(positions)
    for position in Random(1).sample(positions, min(30, len(positions))):
        assert sorted(pieces_of(told, position.atoms())) == sorted(picture_of(position)[1])


def test_a_state_of_no_position_is_drawn() -> None:
    """Sokoban with two players, as a domain has it in which the player does not leave."""
    start = level("sokoban", "1")
    state = start.apply("u").atoms() | {atom("player", "r4c4")}
    drawn = drawn_state(start, ["u"], state)
    assert drawn is not None
    assert drawn.count("@") == 2


def test_a_state_of_a_position_is_that_position() -> None:
    start = level("hanoi", "3")
    assert drawn_state(start, [], start.apply("AC").atoms()) == start.apply("AC").draw()
    assert drawn_state(start, [], frozenset()) is None
