"""What the default does with levels that the first search by the rules leaves open."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from hypothesis import assume, given, settings

from support.clocks import SecondsPerLook
from support.random_scripts import scripts
from support.script_texts import script
from support.thorough import at_most
from unpuzzle import Limits, improve, solve, translators
from unpuzzle.base.errors import EffortSpent, ParseError, UnsupportedFeature
from unpuzzle.planners.native import grounding
from unpuzzle.planning.result import Result
from unpuzzle.puzzlescript.game import ScriptPosition, game_of
from unpuzzle.puzzlescript.searching import planner as searching
from unpuzzle.puzzlescript.searching import schedule

ROOM = "#######\n#p....#\n#.*.*.#\n#..o.o#\n#.....#\n#######"
TWO_WAYS_TO_WIN = script(
    rules="[ > Player | Crate ] -> [ > Player | > Crate ]\nlate [ Player Target ] -> win", levels=ROOM
)
FIRST = 10
AGAIN = "the rules gave up ({} expanded)"
PDDL, RULES = "then the level's PDDL", "then the rules"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first search gives up soon."""
    monkeypatch.setattr(searching, "FIRST_STATES", FIRST)


def level(text: str = script(levels=ROOM)) -> ScriptPosition:
    """A level that nobody has translated before."""
    game = game_of(text, "fresh")
    return game.parse(game.levels["0"])


def log(result: Result) -> list[str]:
    return result.log.split("\n")


def test_a_level_is_solved_by_its_pddl_in_as_few_moves() -> None:
    result = solve(level())
    assert log(result)[:2] == [AGAIN.format(FIRST), PDDL]
    assert (result.status, result.valid, result.plan, result.planner) == (
        "solved_optimally",
        True,
        None,
        "puzzlescript",
    )
    assert result.cost == len(result.moves or ()) == solve(level(), "native:bfs").cost
    assert (result.expanded or 0) > FIRST


def test_the_rules_go_on_beside_pddl_that_is_hard(monkeypatch: pytest.MonkeyPatch) -> None:
    """The PDDL is that of another puzzle, which nobody solves soon."""
    tiles = translators.find("sliding-tiles")
    monkeypatch.setattr(ScriptPosition, "task", lambda self: tiles.parse(tiles.levels["15-hard"]).task())
    result = solve(level())
    assert (result.valid, result.plan, log(result)[-1]) == (True, None, "then rules")
    rules = next(part for part in result.details["parts"] if part["part"] == "rules")
    assert (rules["state"], rules["expanded"] > FIRST) == ("ended", True)
    assert result.expanded == sum(part["expanded"] for part in result.details["parts"])


def test_a_level_in_play_is_solved_by_the_pddl_of_its_start() -> None:
    start = level()
    position = start.apply("r").apply("d")
    result = solve(position)
    assert PDDL in log(result)
    assert result.cost == solve(position, "native:bfs").cost


def test_pddl_proves_that_there_is_no_solution() -> None:
    result = solve(level(script(levels=ROOM.replace("o.o", "o..").replace("*.*.#", "*.*.#", 1))))
    assert (result.status, PDDL in log(result)) == ("unsolvable", True)


@settings(max_examples=at_most(30))
@given(scripts(lucky=False, most=4))
def test_turns_find_what_breadth_first_search_finds(text: str) -> None:
    try:
        position = level(text)
    except (ParseError, KeyError):
        assume(False)
    wanted = solve(position, "native:bfs", max_expanded=2_000)
    assume(wanted.status != "gave_up")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "FIRST_STATES", 1)
        result = solve(position)
    assert (result.status, result.cost) == (wanted.status, wanted.cost)


def test_what_has_no_pddl_is_solved_by_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "FIRST_STATES", 3)
    result = solve(level(TWO_WAYS_TO_WIN))
    refused, how = log(result)[1:]
    assert ("cannot be written as PDDL: " in refused, how) == (True, RULES)
    assert (result.status, result.cost) == ("solved_optimally", solve(level(TWO_WAYS_TO_WIN), "native:bfs").cost)


@pytest.mark.parametrize("more", ["\nseed 1\n", ""])
def test_games_with_chance_or_restarts_are_searched_once(more: str) -> None:
    rule = "[ Wall | Wall | Target ] -> [ randomdir Wall | Wall | Target ]" if more else "[ Wall Target ] -> restart"
    game = game_of(script(rules=f"[ > Player | Crate ] -> [ > Player | > Crate ]\n{rule}", levels=ROOM), "once")
    result = solve(game.parse(game.levels["0"] + more))
    assert (result.status, result.log) == ("solved_optimally", "")
    assert (result.expanded or 0) > FIRST


def test_pddl_that_takes_too_many_steps_is_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "TURNS", ((1_000, 40), (2_000, 60), (None, None)))
    result = solve(level())
    assert log(result)[:6] == [
        AGAIN.format(FIRST),
        "this level could not be written as PDDL in 1,000 steps",
        AGAIN.format(40),
        "this level could not be written as PDDL in 2,000 steps",
        AGAIN.format(60),
        PDDL,
    ]
    assert result.cost == solve(level(), "native:bfs").cost


def test_rules_between_two_looks_for_pddl_may_have_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "TURNS", ((1_000, 1_000_000), (None, None)))
    assert log(solve(level()))[1:] == ["this level could not be written as PDDL in 1,000 steps", RULES]


def test_the_same_again_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "TURNS", ((1_000, 40), (None, None)))
    known = level()
    first, *others = [solve(position) for position in (known, known, level())]
    for other in others:
        assert (other.moves, other.log) == (first.moves, first.log)
        assert (other.expanded, other.evaluated, other.generated) == (first.expanded, first.evaluated, first.generated)


@pytest.mark.parametrize("text", [script(levels=ROOM), TWO_WAYS_TO_WIN])
def test_what_may_be_spent_decides_alike_before_and_after(text: str) -> None:
    position = level(text)
    with pytest.raises(EffortSpent, match="1,000 steps"):
        position.translate(1_000)
    with (
        nullcontext()
        if text != TWO_WAYS_TO_WIN
        else pytest.raises(UnsupportedFeature, match="cannot be written as PDDL: the game is won")
    ):
        position.translate()
    with pytest.raises(EffortSpent, match="1,000 steps"):
        position.translate(1_000)


def test_time_goes_by_while_translating(seconds_per_look: SecondsPerLook) -> None:
    source = translators.find("falling-crates").source  # type: ignore[attr-defined]
    result = solve(game_of(source, "long").parse(game_of(source, "long").levels["3"]), "native", limits=Limits(time=10))
    assert (result.status, log(result)) == ("timeout", [AGAIN.format(FIRST)])
    assert result.message == "the time limit was reached while translating the rules into PDDL"


def test_without_memory_no_turn_helps() -> None:
    result = solve(level(), "native", limits=Limits(memory=1, held=0))
    assert result.status == "memout"
    assert log(result)[1:] == ["the memory limit was reached while translating the rules into PDDL", RULES]


def test_pddl_for_which_memory_does_not_suffice_leaves_it_to_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(grounding, "CoreGrounding", none_left)
    result = solve(level())
    assert (result.status, result.cost) == ("solved_optimally", solve(level(), "native:bfs").cost)
    assert log(result)[1:] == ["the level's PDDL ran out of memory", RULES]


@pytest.mark.parametrize("most", [FIRST, FIRST + 10])
def test_all_turns_together_keep_to_the_limit_of_states(most: int) -> None:
    result = solve(level(), "native", max_expanded=most)
    assert (result.status, result.expanded) == ("gave_up", most)
    assert (PDDL in log(result)) == (most > FIRST)


@pytest.mark.parametrize("most", [3, 30, 60])
def test_quick_searches_and_turns_together_keep_to_the_limit_of_states(most: int) -> None:
    *_, last = improve(level(), "native", max_expanded=most)
    assert (last.expanded or 0) <= most
    assert last.status in ("gave_up", "solved_optimally")


@pytest.mark.parametrize("name", ["native:bfs", "native:distance", "native:blind"])
def test_searches_that_are_asked_for_by_name_take_no_turns(name: str) -> None:
    result = solve(level(), name)
    assert (result.status, result.log, result.message) == ("solved_optimally", "", "")
