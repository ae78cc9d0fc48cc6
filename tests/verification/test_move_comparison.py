"""Two ways compared: what each costs, and the first position from which they differ."""

import pickle
from random import Random

import pytest

from unpuzzle import find, solve
from unpuzzle.base.errors import LimitReached, ModelMismatch
from unpuzzle.base.run import Limits
from unpuzzle.model import replay
from unpuzzle.translators.lights_out import LightsOut
from unpuzzle.translators.sokoban import Sokoban
from unpuzzle.verification.move_comparison import (
    BEST_KNOWN,
    GIVEN,
    NONE,
    OPTIMAL,
    MovesComparison,
    compare_moves,
    positions_after,
    text_of,
    way_of,
)

LEVEL = Sokoban.parse("#######\n#     #\n# @$. #\n#     #\n#######\n")


def test_with_an_optimal_solution() -> None:
    comparison = compare_moves(LEVEL, "uldrR")
    assert (comparison.first.solved, comparison.first.cost, comparison.kind) == (True, 5, OPTIMAL)
    assert (comparison.second and comparison.second.cost, comparison.step) == (1, 1)
    assert (comparison.first.pushes, comparison.second and comparison.second.pushes) == (1, 1)
    assert comparison.as_good is False
    assert compare_moves(LEVEL, "R").as_good is True
    assert compare_moves(LEVEL, "R").step is None


def test_two_given_ways_part_where_their_positions_do() -> None:
    comparison = compare_moves(LEVEL, "udR", "uldrR")
    assert (comparison.kind, comparison.step, comparison.next_moves()) == (GIVEN, 2, ("d", "l"))
    assert comparison.parting == LEVEL.apply("u")
    assert [str(each) for each in positions_after(comparison)] == [
        str(LEVEL.apply("u").apply("d")),
        str(LEVEL.apply("u").apply("l")),
    ]
    assert comparison.as_good is True
    assert compare_moves(LEVEL, "uldrR", "udR").as_good is False


def test_one_that_ends_while_the_other_goes_on() -> None:
    comparison = compare_moves(LEVEL, "R", "Rl")
    assert (comparison.step, comparison.next_moves()) == (2, (None, "l"))
    assert "the first sequence ends there" in text_of(comparison)
    assert positions_after(comparison)[0] is None


def test_illegal_moves_are_told_as_replay_does() -> None:
    comparison = compare_moves(LEVEL, "uuR")
    assert (comparison.first.legal, comparison.first.step, comparison.first.moves) == (False, 2, ("u",))
    assert comparison.first.reason == replay(LEVEL, "uuR").reason
    assert comparison.as_good is False


def test_an_unsolvable_level_has_no_other_way() -> None:
    comparison = compare_moves(Sokoban.parse("#####\n#$@.#\n#####\n"), "r")
    assert (comparison.kind, comparison.status, comparison.second) == (NONE, "unsolvable", None)
    assert comparison.as_good is False
    assert "no moves solve this level" in text_of(comparison)


LIGHT = LightsOut.parse("1.\n..\n")


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        ({"actions": {"press": "r9c9"}}, "move 1 is illegal"),
        ({"goal_condition": lambda _: [("lit", "r1c1"), ("not", "lit", "r1c1")]}, "by the PDDL there is no solution"),
        ({"cost": lambda *_: 0}, "the moves cost 0, the plan costs"),
    ],
)
def test_a_planner_whose_answer_the_rules_contradict_is_nothing_to_compare_with(mistake, said) -> None:
    """Such an answer was shown as the best solution known, or as the proof that no moves solve the level."""
    wrong = type("Wrong", (LightsOut,), mistake).parse(str(LIGHT))
    solution = solve(LIGHT).moves
    with pytest.raises(ModelMismatch, match=said):
        compare_moves(wrong, solution)


def test_what_no_planner_proved_is_not_known_to_be_as_good() -> None:
    way = way_of(LEVEL, "R")
    for kind, verdict in ((OPTIMAL, True), (BEST_KNOWN, None), (GIVEN, True)):
        assert MovesComparison(LEVEL, way, way, kind, None, LEVEL).as_good is verdict
    assert MovesComparison(LEVEL, way, None, NONE, None, LEVEL, "timeout").as_good is None
    dearer = way_of(LEVEL, "udR")
    assert MovesComparison(LEVEL, dearer, way, BEST_KNOWN, 1, LEVEL).as_good is False


@pytest.mark.parametrize("name", ["sokoban", "boxup", "storeroom", "pacman", "hanoi"])
def test_random_walks_before_a_solution(name: str) -> None:
    """A walk and the solution from its end are compared with an optimal way: positions and costs are those of play."""
    rng, game, tried = Random(name), find(name), 0
    while tried < 8:
        start = game.sample(rng)
        position, walk = start, []
        for _ in range(rng.randint(0, 6)):
            moves = position.moves()
            walk += [rng.choice(moves)] if moves else []
            position = replay(start, walk).position
        rest = solve(position).moves
        best = solve(start)
        if rest is None or best.moves is None:
            continue
        tried += 1
        comparison = compare_moves(start, (*walk, *rest))
        assert comparison.first.cost == replay(start, (*walk, *rest)).cost
        assert comparison.second is not None
        assert comparison.second.cost == best.cost
        assert comparison.as_good == (comparison.first.cost == best.cost)
        ways = [comparison.first.moves, comparison.second.moves]
        lists = [[replay(start, way[:number]).position for number in range(len(way) + 1)] for way in ways]
        alike = next((n for n, (a, b) in enumerate(zip(*lists, strict=False)) if a != b), None)
        if alike is None:
            assert comparison.step == (None if len(ways[0]) == len(ways[1]) else min(map(len, ways)) + 1)
        else:
            assert comparison.step == alike
            assert comparison.parting == lists[0][alike - 1]


def test_values_and_limits() -> None:
    comparison = compare_moves(LEVEL, "udR")
    assert pickle.loads(pickle.dumps(comparison)) == comparison
    assert comparison.to_dict()["position"] == str(comparison.parting)
    limits = Limits()
    limits.cancel()
    with pytest.raises(LimitReached):
        compare_moves(LEVEL, "u" * 2000, limits=limits)
