"""Tasks that are put together from a position's parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from unpuzzle import find, solve
from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.pddl import Atom, GroundAction, Or
from unpuzzle.translators.lights_out import LightsOut

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
    by_default = solve(silent.parse("7"))  # without PDDL, a search on the rules
    assert (by_default.status, by_default.cost, by_default.planner) == ("solved_optimally", 3, "rules:ucs")
    assert not silent.parse("7").has_pddl()


@pytest.mark.parametrize("fact", [("or", ("lit", "r1c1"), ("lit", "r1c2")), ("lit", 1), "lit r1c1", ()])
def test_a_part_of_the_goal_that_is_no_fact(fact):
    odd = type("Odd", (LightsOut,), {"goal_condition": lambda _: [fact]})
    with pytest.raises(ParseError, match=r"goal_condition\(\) has .* not a fact; other conditions are Or"):
        odd.parse("1.\n..\n").task()


def test_other_conditions_may_be_parts_of_the_goal():
    either = Or((Atom("lit", ("r1c1",)), Atom("lit", ("r1c2",))))
    odd = type("Odd", (LightsOut,), {"goal_condition": lambda _: [("not", "lit", "r2c2"), either]})
    assert odd.parse("1.\n..\n").task().problem.goal.operands[1] == either


@pytest.mark.parametrize("move", ["press r1c1", "r1c1\n", ""])
def test_a_function_of_the_table_of_actions_that_gives_no_move(move):
    """The commonest mistake: the function takes the position for the first argument of the action."""
    odd = type("Odd", (LightsOut,), {"actions": {"press": lambda *_: move}})
    with pytest.raises(ParseError, match=r"the table `actions` gives .* the first argument of the function is the pos"):
        odd.parse("1.\n..\n").decode(GroundAction("press", ("r1c1",)))
