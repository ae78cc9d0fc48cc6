"""Small games of our own, carelessly written ones and random ones, are played as the reference engine plays them."""

from __future__ import annotations

from contextlib import suppress

import pytest

from support.careless_texts import SLIPS
from support.reference_plays import NO_LEVEL, TEXTS, judge_text, our_play, outcome_differs, recorded_plays
from unpuzzle.base.errors import ParseError
from unpuzzle.puzzlescript.files import faults_of
from unpuzzle.puzzlescript.game import game_of

PLAYS = recorded_plays()
CARELESS = recorded_plays(TEXTS)


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


def test_careless_texts_have_every_kind_of_slip_and_of_result() -> None:
    kinds = {kind for play in CARELESS for kind in play["name"].partition("(")[2].rstrip(")").split(", ")}
    assert kinds == set(SLIPS)
    assert sum(play["errors"] + play["warnings"] > 0 for play in CARELESS) > 100
    assert sum(play["errors"] > 0 and play["start"] is not None for play in CARELESS) > 50
    assert sum(play["start"] is None for play in CARELESS) > 30


def test_careless_texts_are_refused_or_played_as_by_the_reference_and_reported() -> None:
    """Also those with errors; `scripts/compare/fuzz_puzzlescript.py --texts` tries thousands."""
    different = [(play["name"], *judge_text(play["text"], play)) for play in CARELESS]
    refused = {name for name, word, _ in different if word in ("refused here only", "refused by the reference only")}
    assert [result for result in different if result[2] and result[0] not in refused] == []
    assert len(refused) <= len(CARELESS) // 100  # some errors are not counted as often as the reference reports them
