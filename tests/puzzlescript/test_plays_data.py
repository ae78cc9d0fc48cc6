"""Plays on games that are no part of the project end as they do in the reference engine.

A seeded sample of them; `scripts/compare/compare_puzzlescript.py` plays them all.
"""

from __future__ import annotations

from random import Random
from typing import Any

from support.puzzlescript_data import difference, needs_games, plays, recorded_difference

SEED = 13
SAMPLE = 20
LONGEST = 60
"""Inputs."""
MOST_TEXT, MOST_CELLS = 12_000, 150


def _quick(play: dict[str, Any]) -> bool:
    return len(play["inputs"]) <= LONGEST and len(play.get("text", "")) <= MOST_TEXT


@needs_games
def test_recorded_plays_end_in_the_recorded_board() -> None:
    for play in Random(SEED).sample([play for play in plays() if _quick(play)], SAMPLE):
        assert recorded_difference(play) is None, play["name"]


@needs_games
def test_random_plays_have_the_same_boards_and_wins() -> None:
    small = [play for play in plays("random-plays") if _quick(play) and play["start"].count(",") < MOST_CELLS]
    for play in Random(SEED).sample(small, SAMPLE):
        assert difference(play) is None, play["name"]
