"""generate() of every level of a shape, and of games whose own planner searches on the rules."""

from __future__ import annotations

import pytest

from unpuzzle import count_solutions, find, generate, replay, solve, translators
from unpuzzle.base.errors import UsageError
from unpuzzle.base.run import Limits
from unpuzzle.generation import candidates
from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.pacman import Pacman
from unpuzzle.translators.sliding_tiles import SlidingTiles


def test_every_boxup_level_of_three_by_three_with_two_boxes():
    told = []
    made = generate(Boxup, every=True, workers=2, progress=lambda made: told.append((made.candidates, made.most)))
    assert made.status == "complete"
    assert len(made.levels) + sum(made.rejected.values()) == 1485  # classes, as the translators' tests count them
    assert (len(made.levels), made.rejected) == (387, {"too_easy": 171, "unsolvable": 927})
    hardest = made.levels[-1]
    assert (hardest.cost, hardest.text) == (24, "e!@ .   .\nS!  .   .\n.   .   .\n")
    for level in [*made.levels[::40], *made.levels[-3:]]:
        assert solve(Boxup.parse(level.text)).cost == solve(Boxup.parse(level.text), "rules:bfs").cost == level.cost
    assert told == [(0, 0)] + [(min(n * 512, 3888), 3888) for n in range(1, 9)]


def test_the_hardest_of_every_level():
    whole = generate(SlidingTiles, {"size": "2x3"}, every=True)
    assert (len(whole.levels) + 1, whole.levels[-1].cost) == (360, 21)  # not counting the solved one
    hardest = generate(SlidingTiles, {"size": "2x3"}, every=True, count=4)
    assert hardest.levels == whole.levels[-4:]


def test_a_shape_with_too_many_levels_or_without_a_list_is_refused():
    with pytest.raises(UsageError, match="there are more than 100 levels of this shape \\(size 2x3 "):
        generate(SlidingTiles, {"size": "2x3"}, every=True, candidates=100)
    with pytest.raises(UsageError, match="pacman cannot list every level of a shape"):
        generate(Pacman, every=True)


# ---- games whose own planner searches on the rules


def test_levels_of_24_are_judged_by_the_rules():
    game = translators.find("24")
    made = generate(game, seed=3, count=3, moves=(3, 3))
    assert [level.cost for level in made.levels] == [3] * 3
    for number in range(made.candidates):
        position = candidates.candidate(game, made.options, 3, number)
        solved = solve(position, "native").status == "solved_optimally"
        assert solved == (str(position) in {level.text for level in made.levels})
    assert all(replay(game.parse(level.text), level.moves).solved for level in made.levels)
    assert generate(game, seed=3, count=3, moves=(3, 3), workers=2).levels == made.levels


def test_levels_too_large_for_pddl_can_be_made_of_24():
    game = translators.find("24")
    [level] = generate(game, {"numbers": 5}, count=1).levels
    assert level.cost == 4
    made = generate(game, {"numbers": 5}, count=1, candidates=2, max_states=3)
    assert (made.status, made.rejected) == ("gave_up", {"too_large": 2})


def test_whole_spaces_by_the_rules_tell_solutions_and_dead_ends():
    game = translators.find("24")
    options = {"numbers": 2, "largest": 24}
    made = generate(game, options, every=True, unique=True)
    two = {level.text: level for level in made.levels}
    assert "4 6\n" in two  # 4*6 alone
    assert "1 24\n" not in two  # 1*24 and 24/1
    assert {level.optimal_plans for level in made.levels} == {1}
    assert generate(game, options, every=True, no_dead_ends=True).levels == ()  # 4+6 is one
    few = generate(game, options, every=True, unique=True, max_states=5)
    assert few.rejected["too_large"] > 0
    assert [level.text for level in few.levels] == ["12 12\n"]  # 24, 144, 0 and 1 come of it, and no more
    assert generate(game, limits=Limits(time=0.0001)).status == "timeout"


def test_unique_levels_of_puzzles_with_constraints_have_one_solution_in_any_order():
    made = generate(find("lights-out"), {"size": (3, 3)}, seed=2, count=3, moves=(3, None), unique=True)
    assert len(made.levels) == 3
    for level in made.levels:
        assert count_solutions(find("lights-out").parse(level.text)).unique
        assert level.optimal_plans > 1
    torus = generate(find("lights-out"), {"size": (3, 3), "edges": "torus"}, candidates=10, unique=True)
    assert (torus.levels, torus.rejected["several_solutions"] > 0) == ((), True)
