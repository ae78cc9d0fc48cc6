"""Tasks that are put together from a position's parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from unpuzzle import find, solve
from unpuzzle.errors import UnsupportedFeature

OUTSIDE = Path(__file__).parents[1] / "translators" / "outside"


def test_costs_of_actions_are_asked_for_by_the_metric():
    valves = find(str(OUTSIDE / "valves.py"))
    level = valves.parse('{"open": [true, false, false]}')
    assert str(level.task().problem.metric) == "(total-cost)"
    result = solve(level)
    assert (result.status, result.cost, result.valid) == ("solved_optimally", 3, True)
    assert result.moves in (("on-v1", "on-v2"), ("on-v2", "on-v1"))


def test_a_game_without_pddl_says_so_before_it_misses_a_domain():
    silent = find(str(OUTSIDE / "silent.py"))
    with pytest.raises(UnsupportedFeature, match="silent has no PDDL") as caught:
        silent.parse("7").task()
    assert caught.value.feature == "PDDL"
    assert solve(silent.parse("7"), "rules:bfs").cost == 3
