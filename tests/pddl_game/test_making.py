"""New problems from given ones, as files of the domain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unpuzzle
from support.river import ROADS, delivery, river_files
from unpuzzle.cli import main
from unpuzzle.errors import ParseError
from unpuzzle.pddl import parse_domain
from unpuzzle.pddl_game.game import PddlGame
from unpuzzle.translators import find


def test_problems_of_wanted_difficulty_become_levels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    domain = river_files(tmp_path)
    words = ["--from", "p1", "--steps", "9", "--moves", "3..7", "--count", "3", "--seed", "1"]
    assert main(["generate", domain, *words, "--output", str(tmp_path / "instances"), "--json"]) == 0
    levels = json.loads(capsys.readouterr().out)["levels"]
    game = find(domain)
    for level in levels:
        name = Path(level["file"]).stem
        assert name in game.levels
        assert unpuzzle.solve(game.parse(game.levels[name])).cost == level["cost"]
    assert all(3 <= level["cost"] <= 7 for level in levels)


def test_a_walk_from_the_goal_needs_a_plan() -> None:
    game = PddlGame(parse_domain(ROADS), {"1": delivery("(at t a)", "(at t b)")})
    with pytest.raises(ParseError, match="try --walk start"):
        unpuzzle.generate(game, {"walk": "goal"}, count=1)
    with pytest.raises(ParseError, match="name some with --from"):
        unpuzzle.generate(PddlGame(parse_domain(ROADS)), count=1)
