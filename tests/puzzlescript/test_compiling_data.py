"""The compiled game is the reference's, number by number: on games that are no part of the project.

The sample is drawn anew for each `SEED`; `scripts/compare/compare_puzzlescript.py` compares them all.
"""

from __future__ import annotations

from random import Random

import pytest

from support.puzzlescript_data import compiled_games, lines_of, needs_games
from unpuzzle.puzzlescript.compiling.compiler import compile_game

SEED = 13
SAMPLE = 30
MOST_TEXT = 20_000
"""Characters: the largest games take a second each."""


@needs_games
def test_games_are_compiled_to_the_numbers_of_the_reference() -> None:
    games = [game for game in compiled_games() if len(game[1]) <= MOST_TEXT]
    for name, text, wanted in Random(SEED).sample(games, SAMPLE):
        assert list(lines_of(compile_game(text))) == wanted, name


@needs_games
@pytest.mark.parametrize("name", ["rigid body test", "gallery game: Broken Abacus", "MazezaM", "2048"])
def test_games_that_were_hard_to_get_right(name: str) -> None:
    """Rigid bodies; `no X` on both sides twice; objects in two layers; names that are digits."""
    text, wanted = next((text, wanted) for other, text, wanted in compiled_games() if other == name)
    assert list(lines_of(compile_game(text))) == wanted
