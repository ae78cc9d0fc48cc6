"""Searches in the core find what searches in Python find, and tell limits as all planners do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings

from support.puzzlescript_data import GAMES, needs_games
from support.random_scripts import scripts
from support.script_texts import script
from support.thorough import at_most
from unpuzzle import Limits, explore, improve, solve, translators
from unpuzzle.base.errors import ParseError, UnpuzzleError, UsageError
from unpuzzle.planners.native import _core
from unpuzzle.puzzlescript.game import ScriptGame, game_of
from unpuzzle.puzzlescript.rules import HEURISTICS, Estimator, doubt, shortened
from unpuzzle.puzzlescript.searching.native_engine import board_bytes
from unpuzzle.state_space.space import reachable, reachable_by_rules

if TYPE_CHECKING:
    from unpuzzle.puzzlescript.game import ScriptPosition

GAME = game_of(script(levels="#######\n#p....#\n#.*.*.#\n#..o.o#\n#.....#\n#######"), "test")
START = GAME.parse(GAME.levels["0"])
CHANCE = game_of(script(rules="[ Crate ] -> [ randomdir Crate ]", levels="p..\n.*.\n..o"), "chance")
ARRAYS = ("depth", "offsets", "targets", "goals", "distance", "goal_distance", "plans")
MOST = 120


def small(text: str, more: str = "") -> ScriptPosition:
    """A random game's level."""
    try:
        game = game_of(text, "random")
    except ParseError:
        assume(False)
    assume(game.levels)
    return game.parse(game.levels["0"] + more)


@settings(max_examples=at_most(60))
@given(scripts(lucky=False, again=False, most=4))
def test_spaces_are_those_of_the_rules(text: str) -> None:
    position = small(text)
    slow, fast = reachable_by_rules(position, max_states=MOST), reachable(position, max_states=MOST)
    assert (fast.complete, fast.states) == (slow.complete, slow.states)
    if not slow.complete:
        return
    for name in ARRAYS:
        assert list(getattr(fast, name)) == list(getattr(slow, name)), name
    assert [fast.actions[number] for number in fast.operators] == [slow.actions[number] for number in slow.operators]
    _admissible(position, slow.positions, slow.goal_distance)


def _admissible(position: ScriptPosition, positions: list[ScriptPosition], distances: memoryview) -> None:
    """Where `distance` is said to be admissible, it is; and both searches find the least."""
    for heuristic in position.game.heuristics.values():
        if heuristic.admissible:
            for other, distance in zip(positions, distances, strict=True):
                assert distance < 0 or heuristic.estimate(other) <= distance
    least = None if distances[0] < 0 else distances[0]
    for name in ("native", "native:bfs", "native:idastar", "native:gbfs", "native:goalcount"):
        if least is None and name == "native:idastar":
            continue  # which may never end
        result = solve(position, name, limits=Limits(time=600))
        assert result.solved == (least is not None)
        if result.status == "solved_optimally":
            assert result.cost == least
        assert result.status != "solved" or name not in ("native", "native:bfs")


@settings(max_examples=at_most(40))
@given(scripts(again=False, most=7))
def test_estimates_are_equal(text: str) -> None:
    position = small(text, "\nseed 1\n")
    game = position.game
    state, objects = position.state, len(game.compiled.objects)
    board = board_bytes(state.cells, objects)
    target = None if state.target is None else board_bytes(state.target, objects)
    level = _core.ScriptLevel(game.core, state.width, state.height, board, target, state.won, b"1", state.drawn, "u")
    for name in HEURISTICS:
        twin = Estimator(game.compiled, name).of(state)
        kind = "unmet" if name == "goalcount" else name
        assert level.estimate(kind, list(shortened(game.compiled))) == twin, name


def test_distance_is_admissible_where_objects_are_only_moved() -> None:
    assert doubt(GAME.compiled) is None
    assert shortened(GAME.compiled) == (1,)
    for rules, why in (
        ("[ > Player | Crate ] -> [ > Player | > Crate ] again", "repeats turns"),
        ("[ Crate | Target ] -> [ | Target Crate ]", "does more"),
        ("[ > Player ] [ Crate ] -> [ > Player ] [ Target ]", "does more"),
    ):
        found = doubt(game_of(script(rules=rules), "test").compiled)
        assert found is not None
        assert why in found
    both = game_of(
        script(
            rules="[ > Player | Crate ] -> [ > Player | > Crate ]\n[ > Player ] [ Target ] -> [ > Player ] [ > Target ]"
        ),
        "both",
    )
    assert shortened(both.compiled) == (2,)


def test_all_searches_agree() -> None:
    least = solve(START, "rules:bfs").cost
    for name in ("native", "native:bfs", "native:blind", "native:idastar", "native:distance"):
        result = solve(START, name)
        assert (result.status, result.cost, result.valid) == ("solved_optimally", least, True)
        assert result.expanded
    for name in ("native:gbfs", "native:wastar", "native:sum", "native:goalcount"):
        assert solve(START, name).solved


def test_anytime_planning_gives_better_and_better_plans() -> None:
    meadow = translators.find("grass-fire")
    start = meadow.parse(meadow.levels["5"])
    *found, last = improve(start)
    costs = [result.cost for result in found]
    assert len(costs) > 1
    assert costs == sorted(set(costs), reverse=True)
    assert all(result.status == "solved" and result.valid for result in found)
    assert (last.status, last.cost) == ("solved_optimally", solve(start).cost)
    assert last.expanded >= found[-1].expanded
    assert [result.status for result in improve(start, "native:bfs")] == ["solved_optimally"]
    stuck = translators.find("storeroom").parse("####\n#p*#\n#.o#\n####")
    assert [result.status for result in improve(stuck)] == ["unsolvable"]


def test_limits_are_told() -> None:
    assert solve(START, "native", limits=Limits(time=1e-9)).status == "timeout"
    large = game_of(script(levels="p" + "*.o" * 12 + "\n" + "." * 37 + "\n" + ".*." * 12 + "."), "large")
    start = large.parse(large.levels["0"])
    assert solve(start, "native:bfs", limits=Limits(time=0.2)).status == "timeout"
    assert solve(start, "native:bfs", max_expanded=10).status == "gave_up"
    level = _core.ScriptLevel(
        large.core, 37, 3, board_bytes(start.state.cells, len(large.compiled.objects)), None, False, None, 0, "uldr"
    )
    assert level.search("bfs", memory_limit=1 << 22).status == "memout"
    assert level.space(memory_limit=1 << 22).status == "memout"


@pytest.mark.parametrize("walk", ["search", "space"])
def test_what_ellipses_find_counts(walk: str) -> None:
    """A row of 300 crates holds four million triples of them."""
    rule = "late [ Crate | ... | Crate | ... | Crate ] -> cancel"
    game = game_of(script(rules=rule, levels="p.o" + "*" * 300), "ellipses")
    board = board_bytes(game.compiled.levels[0].cells, len(game.compiled.objects))
    level = _core.ScriptLevel(game.core, 303, 1, board, None, False, None, 0, "r")
    limited = {
        "search": lambda: level.search("bfs", memory_limit=1 << 24),
        "space": lambda: level.space(memory_limit=1 << 24),
    }
    assert limited[walk]().status == "memout"


def test_what_searches_do_not_take_is_refused() -> None:
    chance = CHANCE.parse(CHANCE.levels["0"])
    assert solve(chance, "native").status == "unsupported"
    assert "this rule is random" in solve(chance, "native").message
    assert solve(CHANCE.parse(CHANCE.levels["0"] + "\nseed 3\n"), "native").solved
    with pytest.raises(UnpuzzleError, match="cannot be written as PDDL: the rule in line 39 is random"):
        solve(chance, "native:lmcut")
    boxup = translators.find("boxup")
    with pytest.raises(UsageError, match="solves games made for puzzlescript, not boxup"):
        solve(boxup.parse(boxup.levels["1"]), "puzzlescript:distance")
    with pytest.raises(UsageError, match="unknown configuration 'native:distance'"):
        solve(boxup.parse(boxup.levels["1"]), "native:distance")


def test_explore_and_reachable_take_levels() -> None:
    found = explore(START)
    assert found.states == reachable(START).states
    assert found.cost == solve(START).cost
    assert found.hardest is not None


@needs_games
def test_least_moves_are_those_of_the_reference() -> None:
    games: dict[str, ScriptGame] = {}
    for line in (GAMES / "demos" / "breadth-first.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["states"] > 6000 or not (row["solution"] or row["exhausted"]):
            continue
        name = row["game"]
        game = games.setdefault(name, game_of((GAMES / "demos" / name).read_text(), name))
        result = solve(game.parse(game.levels[str(row["level"])]), "native", validate=False)
        wanted = None if row["solution"] is None else len(row["solution"])
        assert (len(result.moves) if result.moves else None) == wanted, row
