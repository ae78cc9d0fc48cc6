"""generate(): levels of known difficulty, once each."""

from __future__ import annotations

import pytest

from support.registry import WITH_PDDL
from unpuzzle import explore, find, generate, replay, solve, translators
from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.run import Limits, detached
from unpuzzle.generation import generating, judging
from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.sliding_tiles import SlidingTiles

every_puzzle = pytest.mark.parametrize("puzzle", [translators.find(name) for name in WITH_PDDL])


SMALL = {"sliding-tiles": {"size": "2x3"}, "gogen": {"given": "20"}, "sudoku": {"size": "4", "clues": "8"}}
"""What levels are asked to be where those of the defaults have too many states for searches on the rules."""


@every_puzzle
def test_levels_are_of_the_difficulty_they_tell(puzzle):
    made = generate(puzzle, SMALL.get(puzzle.name), seed=3, count=6, moves=(2, 20))
    assert (made.status, len(made.levels)) == ("complete", 6)
    assert made.candidates == 6 + made.duplicates + sum(made.rejected.values())
    for level in made.levels:
        assert 2 <= level.cost <= 20
        position = puzzle.parse(level.text)
        assert str(position) == level.text
        assert replay(position, level.moves).solved
        assert level.cost == len(level.moves) == solve(position, "rules:bfs").cost
    order = [(level.cost, level.expanded, level.text) for level in made.levels]
    assert order == sorted(order)
    assert len({str(puzzle.parse(level.text).canonical()) for level in made.levels}) == 6


def test_pushes_are_counted_where_they_are_the_objective():
    sokoban = find("sokoban")
    made = generate(sokoban, {"size": "4x4"}, count=4, objective="pushes")
    assert [level.pushes for level in made.levels] == [
        solve(sokoban.parse(level.text), objective="pushes").pushes for level in made.levels
    ]
    assert [level.pushes for level in generate(sokoban, {"size": "4x4"}, count=1).levels] == [None]


@every_puzzle
def test_equal_seeds_give_equal_levels_and_others_others(puzzle):
    one, again, other = (generate(puzzle, SMALL.get(puzzle.name), seed=seed, count=4) for seed in (5, 5, 6))
    assert one == again
    assert {level.text for level in one.levels} != {level.text for level in other.levels}


def test_fewer_levels_are_the_first_that_were_found():
    few, many = (generate(SlidingTiles, {"size": "2x3"}, seed=1, count=count, moves=(5, 12)) for count in (4, 9))
    assert {level.text for level in few.levels} < {level.text for level in many.levels}


def test_symmetric_candidates_are_duplicates():
    made = generate(SlidingTiles, {"size": "2x2"}, count=50, candidates=400)
    assert (made.status, made.candidates, len(made.levels)) == ("gave_up", 400, 6)  # of 12: 1 is solved, 5 are twice
    assert made.rejected == {"too_easy": 1}
    assert made.duplicates == 393


def test_one_way_only_and_nowhere_to_get_stuck():
    options = {"walls": 1}
    plain = generate(Boxup, options, seed=2, count=30, moves=(3, None))
    assert {(level.optimal_plans, level.dead_ends) for level in plain.levels} == {(None, None)}
    wanted = {name: set() for name in ("unique", "no_dead_ends", "both")}
    for level in plain.levels:
        space = explore(Boxup.parse(level.text))
        assert space.cost == level.cost
        unique, alive = space.optimal_lines == 1, space.dead_ends == 0
        for name, holds in (("unique", unique), ("no_dead_ends", alive), ("both", unique and alive)):
            if holds:
                wanted[name].add((level.text, space.optimal_plans, space.dead_ends))
    for name, levels in wanted.items():
        assert 0 < len(levels) < 30
        asked = {"unique": name != "no_dead_ends", "no_dead_ends": name != "unique"}
        made = generate(Boxup, options, seed=2, count=30, moves=(3, None), candidates=plain.candidates, **asked)
        assert {(level.text, level.optimal_plans, level.dead_ends) for level in made.levels} == levels
        assert set(made.rejected) >= {"several_solutions"} if name == "unique" else {"dead_ends"}


def test_figures_may_have_bounds():
    plain = generate(find("sokoban"), seed=1, count=12, require=["states=1.."])
    assert all(level.difficulty == explore(find("sokoban").parse(level.text)).difficulty for level in plain.levels)
    wanted = {level.text for level in plain.levels if level.difficulty.traps >= 2 and level.optimal_lines == 1}
    made = generate(find("sokoban"), seed=1, count=12, require=["traps>=2", "lines=1"], candidates=plain.candidates)
    assert 0 < len(wanted) < 12
    assert {level.text for level in made.levels} == wanted
    assert made.rejected["not_required"] == 12 - len(wanted)
    with pytest.raises(UsageError, match="judged by their constraints, which have no traps"):
        generate(find("sudoku"), count=1, require=["traps=1.."])
    unique = generate(find("sokoban"), seed=1, count=3, unique=True)
    assert generate(find("sokoban"), seed=1, count=3, require=["unique"]) == unique


def test_what_the_quick_search_gives_up_goes_to_the_planner(monkeypatch):
    options = {"size": "3x3", "scramble": 14}
    quick = generate(SlidingTiles, options, seed=1, count=5, moves=(8, None))
    monkeypatch.setattr(judging, "QUICK_STATES", 20)
    slow = generate(SlidingTiles, options, seed=1, count=5, moves=(8, None))
    assert [level.cost for level in quick.levels] == [level.cost for level in slow.levels]  # ties go by states expanded


def test_large_levels_are_passed_over():
    made = generate(SlidingTiles, {"size": "4x4"}, count=2, candidates=3, max_states=1000)
    assert (made.status, made.levels, made.rejected) == ("gave_up", (), {"too_large": 3})
    made = generate(SlidingTiles, {"scramble": 8}, count=2, candidates=2, max_states=1000, unique=True)
    assert (made.status, made.rejected) == ("gave_up", {"too_large": 2})


def test_too_little_memory_is_no_verdict_on_levels(monkeypatch):
    # Each of 1,000 workers had so little that all levels were "too large to judge", and the search went on for others.
    made = generate(SlidingTiles, {"scramble": 25}, count=2, candidates=3, limits=Limits(memory=1, held=0))
    assert (made.status, made.levels, made.rejected) == ("memout", (), {})

    solve_many = judging.solve_many

    def without_limits(levels, **others):
        with detached():
            return solve_many(levels, **others)

    monkeypatch.setattr(judging, "solve_many", without_limits)
    made = generate(SlidingTiles, {"scramble": 8}, count=2, candidates=3, unique=True, limits=Limits(memory=1, held=0))
    assert (made.status, made.levels, made.rejected) == ("memout", (), {})


def test_what_cannot_be_had_ends_with_the_budget():
    made = generate(Boxup, {"size": "2x2"}, count=3, moves=(500, 600), candidates=150)
    assert (made.status, made.levels, made.candidates) == ("gave_up", (), 150)
    assert set(made.rejected) == {"unsolvable", "too_easy"}


def test_a_budget_of_its_own(monkeypatch):
    monkeypatch.setattr(generating, "CANDIDATES", 20)
    made = generate(Boxup, {"size": "1x1"}, count=1)
    assert (made.status, made.candidates) == ("gave_up", 20 + generating.CANDIDATES_PER_LEVEL)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"count": 0}, "count must be at least 1, not 0"),
        ({"count": -4}, "count must be at least 1, not -4"),
        ({"count": 2.5}, "count must be a whole number, not 2.5"),
        ({"workers": 0}, "workers must be at least 1"),
        ({"candidates": 0}, "candidates must be at least 1"),
        ({"max_states": 0}, "max_states must be at least 1"),
        ({"moves": (9, 3)}, "the lower bound on a solution is above the upper one: 9..3"),
        ({"moves": (-1, 3)}, "the bounds on a solution must be 0 or more, not -1..3"),
        ({"options": {"size": "0x3"}}, "size: '0x3' is not"),
        ({"options": {"sise": "3x3"}}, "did you mean 'size'"),
        ({"options": {"walls": 9}}, "no room"),
        ({"options": {"walls": 9}, "every": True}, "no room"),
    ],
)
def test_refusals(wrong, message):
    with pytest.raises((UsageError, ParseError), match=message):
        generate(Boxup, **wrong)
