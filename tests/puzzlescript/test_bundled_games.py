"""The bundled games in PuzzleScript: found by name, without faults, every level with a known shortest solution."""

from __future__ import annotations

import pytest

from unpuzzle import solve, translators
from unpuzzle.model.replaying import replay
from unpuzzle.puzzlescript.files import faults_of
from unpuzzle.puzzlescript.game import ScriptGame

SOLUTIONS = {
    "falling-crates": ("rurlddrr", "drlllrruurrddll", "ldlluurldlrdrr"),
    "grass-fire": ("rdldrr", "rdruruuldrdldllurrr", "llldrurrddlurulll"),
    "ice-walk": ("rdlu", "rdr", "uldldrulururll"),
    "long-loads": ("dlldlu", "ruddllluururddullddrr", "rrdrrdlulluluurrrrddd"),
    "storeroom": ("rdrdl", "rrllddrrlulur", "dlllulurrdldrr"),
    "three-alike": ("llrddl", "rdldrrruldlluurdldrurd", "rrrddllluurdldrrr"),
}
EVERY = [(name, number) for name in SOLUTIONS for number in range(3)]


def _game(name: str) -> ScriptGame:
    game = translators.find(name)
    assert isinstance(game, ScriptGame)
    return game


def test_they_are_found_by_name() -> None:
    assert set(translators.bundled_files()) == set(SOLUTIONS)
    assert set(SOLUTIONS) < set(translators.names())
    assert _game("ice-walk").name == "ice-walk"


@pytest.mark.parametrize("name", SOLUTIONS)
def test_nothing_is_wrong_with_them(name: str) -> None:
    game = _game(name)
    assert faults_of(game.source).listed == []
    assert len(game.levels) == len(SOLUTIONS[name])


@pytest.mark.parametrize("name", SOLUTIONS)
def test_every_level_is_solved(name: str) -> None:
    game = _game(name)
    for text, moves in zip(game.levels.values(), SOLUTIONS[name], strict=True):
        assert replay(game.parse(text), moves[:-1]).reason == "the goal is not reached after the last move"
        assert replay(game.parse(text), moves).solved


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_no_solution_is_shorter(name: str, number: int) -> None:
    game = _game(name)
    assert solve(game.parse(list(game.levels.values())[number])).cost == len(SOLUTIONS[name][number])
