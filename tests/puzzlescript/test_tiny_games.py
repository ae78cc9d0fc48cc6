"""Tiny games, one fact of PuzzleScript each: the title says it, the trace shows it.

A game tells in a comment which plays are traced: `(plays: LEVEL INPUTS; LEVEL INPUTS)`. `scripts/golden` renews
`tests/golden/puzzlescript/traces.json`.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from support.puzzlescript_data import trace
from unpuzzle import translators
from unpuzzle.puzzlescript.compiling.text import FaultyGame
from unpuzzle.puzzlescript.files import faults_of
from unpuzzle.puzzlescript.game import ScriptGame, game_of
from unpuzzle.puzzlescript.rules import engine_of

FOLDER = Path(__file__).parents[1] / "golden" / "puzzlescript"
TRACES = FOLDER / "traces.json"
GAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))
SLIPS = "slips_that_are_played"
"""The game that is about what is warned of."""
FAULTY = ("comment_before_a_rule", "comment_before_a_condition", "two_of_one_layer")
"""Games about what is played in spite of errors."""
ENGINES = ("python", "native")


def _game(name: str) -> ScriptGame:
    if name in FAULTY:
        with pytest.warns(FaultyGame):
            return game_of((FOLDER / f"{name}.txt").read_text(), name, f"{name}.txt")
    game = translators.find(FOLDER / f"{name}.txt")
    assert isinstance(game, ScriptGame)
    return game


def traces(name: str, engine: str) -> dict[str, Any]:
    game = _game(name)
    plays = re.search(r"\(plays: (.*)\)", game.source)
    assert plays is not None
    found = {}
    for play in plays[1].split(";"):
        level, inputs = play.split()
        ours = trace(game, level, inputs, engine_of(engine, game.compiled))
        found[play.strip()] = {"start": ours.start, "boards": list(ours.boards), "won": ours.won, "capped": ours.capped}
    return found


def test_there_are_enough() -> None:
    assert len(GAMES) >= 40


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", GAMES)
def test_traces(name: str, engine: str) -> None:
    golden = json.loads(TRACES.read_text()) if TRACES.exists() else {}
    found = traces(name, engine)
    if os.environ.get("UNPUZZLE_RENEW_GOLDEN"):
        golden[name] = found
        TRACES.write_text(json.dumps(golden, indent=1, sort_keys=True) + "\n")
    assert golden[name] == found


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_wrong_with_them(name: str) -> None:
    faults = faults_of((FOLDER / f"{name}.txt").read_text())
    assert bool(faults.errors()) == (name in FAULTY)
    wrong = [fault.message for fault in faults.listed if name not in (SLIPS, *FAULTY)]
    expected = ("two layers", "this row is", "undoes what it does")
    assert [message for message in wrong if not any(words in message for words in expected)] == []
