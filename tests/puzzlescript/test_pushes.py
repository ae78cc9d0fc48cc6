"""Pushes by the rules in the core, and by the PDDL of a level, are the least that a slow search in Python finds."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings

from support.random_scripts import scripts
from support.script_texts import script
from support.thorough import at_most
from unpuzzle import Limits, improve, solve
from unpuzzle.base.errors import ParseError
from unpuzzle.planning.planner import OBJECTIVES
from unpuzzle.planning.result import Result
from unpuzzle.planning.walking import walker_of, weigh
from unpuzzle.puzzlescript.game import ScriptPosition, game_of
from unpuzzle.puzzlescript.searching import planner as searching
from unpuzzle.puzzlescript.searching.searches import is_admissible

ROOM = "#####\n#p..#\n#.*.#\n#.*o#\n#.o.#\n#####"
SLOW = "rules:ucs"
MOST = 150
PUSH = "[ > Player | Crate ] -> [ > Player | > Crate ]\n"
GAMES = {
    "plain": script(levels=ROOM),
    "one-way": script(rules=PUSH + "down [ > Player ] -> cancel", levels="#####\n#.p.#\n#.*.#\n#.*o#\n#.oo#\n#####"),
    "sliding": script(rules=PUSH + "right [ > Player ] -> again", levels="#####\n#p.*#\n#*oo#\n#...#\n#####"),
    "two walk": script(levels="p.*.o\n.....\np.*.o"),
    "won by walking": script(rules=PUSH + "late [ Player Target ] -> win", levels="p*.o\n.*..\n..o."),
    "made": script(rules=PUSH + "[ action Player | no Crate ] -> [ Player | Crate ]", levels="p.o\n*.o"),
}


def position(text: str) -> ScriptPosition:
    game = game_of(text, "test")
    return game.parse(game.levels["0"])


def answer(result: Result, objective: str) -> tuple[str, int | None]:
    return result.status, None if result.moves is None else weigh(objective, result.cost or 0, result.pushes or 0)


@pytest.mark.parametrize("objective", OBJECTIVES[1:])
@pytest.mark.parametrize("name", GAMES)
def test_pushes_are_least(name: str, objective: str) -> None:
    slow = solve(position(GAMES[name]), SLOW, objective=objective)
    for planner in (None, "puzzlescript:bfs", "native:blind"):
        fast = solve(position(GAMES[name]), planner, objective=objective)
        assert answer(fast, objective) == answer(slow, objective), planner
        assert fast.status in ("solved_optimally", "unsolvable")


@settings(max_examples=at_most(30))
@given(scripts(lucky=False, again=False, most=4))
def test_pushes_are_least_in_random_games(text: str) -> None:
    """Of those that the slow search decides: an example that it gives up counts for none."""
    try:
        start = position(text)
    except (ParseError, KeyError):
        assume(False)
    assume(walker_of(start) is not None and not start.solved())
    for objective in OBJECTIVES[1:]:
        slow = solve(start, SLOW, objective=objective, max_expanded=MOST)
        assume(slow.status in ("solved_optimally", "unsolvable"))
        for planner in (None, "native:bfs"):
            assert answer(solve(start, planner, objective=objective), objective) == answer(slow, objective)


@pytest.mark.parametrize("objective", OBJECTIVES[1:])
@pytest.mark.parametrize("name", GAMES)
def test_the_pddl_of_a_level_counts_the_same(name: str, objective: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "FIRST_STATES", 1)
    slow = solve(position(GAMES[name]), SLOW, objective=objective)
    fast = solve(position(GAMES[name]), objective=objective)
    assert answer(fast, objective) == answer(slow, objective)
    if name == "plain":
        assert "then the level's PDDL" in fast.log
    if name == "two walk":
        assert "PDDL and rules disagree about where the player can walk" in fast.log


def test_limits_and_what_cannot_count_pushes() -> None:
    start = position(GAMES["plain"])
    assert solve(start, objective="pushes", max_expanded=3).status == "gave_up"
    assert solve(start, objective="pushes", limits=Limits(memory=1, held=0)).status == "memout"
    assert solve(start, "native:idastar", objective="pushes").status == "unsupported"
    assert solve(start, "puzzlescript:gbfs", objective="pushes").status == "unsupported"
    last = list(improve(start, objective="pushes"))[-1]
    assert answer(last, "pushes") == answer(solve(start, SLOW, objective="pushes"), "pushes")


def test_distances_of_players_say_nothing_of_pushes() -> None:
    game = position(script(levels=ROOM, wins="some Player on Target")).game
    assert is_admissible(game, "distance")
    assert not is_admissible(game, "distance", "pushes")
    assert is_admissible(game, "distance", "moves,pushes")
