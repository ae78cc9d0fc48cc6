"""Small games of our own, carelessly written ones and random ones, are played as the reference engine plays them."""

from __future__ import annotations

from contextlib import suppress

import pytest

from support.reference_plays import our_play, outcome_differs, recorded_plays
from unpuzzle.errors import ParseError
from unpuzzle.puzzlescript.files import faults_of
from unpuzzle.puzzlescript.game import game_of

PLAYS = recorded_plays()
NO_LEVEL = "the game has no level"


def test_there_are_many_of_each_kind() -> None:
    assert sum(play["errors"] == 0 for play in PLAYS) > 200
    assert sum(play["errors"] > 0 for play in PLAYS) > 50
    assert sum(play["won"] is not None for play in PLAYS) > 10


@pytest.mark.parametrize("engine", ["python", "native"])
def test_what_the_reference_plays_is_played_the_same(engine: str) -> None:
    for play in PLAYS:
        if not play["errors"]:
            game = game_of(play["text"], "game")
            if play["level"] < len(game.compiled.levels) and game.compiled.levels[play["level"]].width:
                assert outcome_differs(our_play(game, play, engine), play) is None, play["name"]


def test_what_the_reference_plays_has_no_error() -> None:
    for play in PLAYS:
        if not play["errors"]:
            told = [fault.message for fault in faults_of(play["text"]).errors()]
            assert told in ([], [NO_LEVEL]), play["name"]


def test_what_the_reference_refuses_breaks_nothing() -> None:
    for play in PLAYS:
        if play["errors"]:
            assert all(fault.message for fault in faults_of(play["text"]).listed)
            with suppress(ParseError):
                assert game_of(play["text"], "game").compiled.objects
