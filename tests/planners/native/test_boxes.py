"""Boards with boxes: what is recognised as one, that no pruning is unsound, and that levels of full size are solved."""

from __future__ import annotations

from random import Random

import pytest

from unpuzzle import improve
from unpuzzle.errors import ParseError
from unpuzzle.limits import Deadline, Limits
from unpuzzle.pddl import parse_task
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding import CoreGrounding
from unpuzzle.puzzle.puzzle import Position
from unpuzzle.solving import solve
from unpuzzle.translators import find

SOKOBAN = find("sokoban")
# Drawn for these tests, nearly at the size of the game of 1982: a goal room, and boxes in the rooms around.
TWO_ROOMS = """
##########
#   #    #
# $ # $$ #
# $   $  #
# $ # $@ #
#   ##  ##
### # ..#
  # #...#
  #  ...#
  #######
"""


def grounded(position: Position) -> CoreGrounding:
    return CoreGrounding(position.task(), Deadline(Limits(), "grounding"))


def random_levels(seed: int, count: int) -> list[Position]:
    rng, levels = Random(seed), []
    while len(levels) < count:
        rows, columns, boxes = rng.randint(3, 6), rng.randint(3, 6), rng.randint(1, 4)
        walls = rng.randint(0, max(0, min(8, rows * columns - 2 * boxes - 2)))
        try:
            levels.append(SOKOBAN.generate(rng, {"size": (rows, columns), "boxes": boxes, "walls": walls}))
        except ParseError:
            continue
    return levels


def test_no_pruning_is_unsound() -> None:
    answers = []
    for level in random_levels(11, 600):
        ground = grounded(level)
        task = ground.task()
        if not task.has_boxes() or not ground.goal_possible:
            continue
        outcome, blind = task.push_boxes(), task.search("astar", "blind")
        assert outcome is not None
        assert (outcome.status == "solved") == (blind.status == "solved_optimally"), str(level)
        assert outcome.status in {"solved", "unsolvable"}
        answers.append(outcome.status)
    assert answers.count("solved") > 100
    assert answers.count("unsolvable") > 50


def test_plans_are_plans_and_improving_never_makes_them_longer() -> None:
    for level in random_levels(12, 150):
        task = grounded(level).task()
        first = task.push_boxes()
        if first is None or first.plan is None:
            continue
        better = task.push_boxes(max_improving=2_000)
        assert better is not None
        assert better.plan is not None
        assert first.cost is not None
        assert task.eliminated(better.plan) is not None  # raises where a step cannot be taken
        assert better.cost is not None


def test_a_level_of_many_boxes_is_solved() -> None:
    level = SOKOBAN.parse(TWO_ROOMS.strip("\n"))
    result = solve(level, "native:boxes", limits=Limits(time=300))
    assert result.status == "solved"
    assert result.plan is not None


def test_equal_calls_give_equal_answers() -> None:
    task = grounded(SOKOBAN.parse(TWO_ROOMS.strip("\n"))).task()
    one, other = task.push_boxes(max_improving=5_000), task.push_boxes(max_improving=5_000)
    assert one is not None
    assert other is not None
    assert (one.plan, one.expanded, one.generated) == (other.plan, other.expanded, other.generated)


def test_limits_end_it() -> None:
    task = grounded(SOKOBAN.parse(TWO_ROOMS.strip("\n"))).task()
    assert (late := task.push_boxes(time_limit=0.0)) is not None
    assert late.status == "timeout"
    assert (full := task.push_boxes(memory_limit=1_000)) is not None
    assert full.status == "memout"
    assert (few := task.push_boxes(max_expanded=1)) is not None
    assert few.status == "gave_up"


def test_other_tasks_are_no_boards() -> None:
    hanoi = find("hanoi")
    level = hanoi.parse(next(iter(hanoi.levels.values())))
    task = grounded(level).task()
    assert not task.has_boxes()
    assert task.push_boxes() is None
    refused = solve(level, "native:boxes")
    assert refused.status == "unsupported"
    assert "not a board on which one walker pushes boxes" in refused.message


def test_more_goals_than_boxes() -> None:
    task = grounded(SOKOBAN.parse("#######\n#@ $ .#\n# .$ .#\n#     #\n#######")).task()
    assert isinstance(task, _core.Task)
    outcome = task.push_boxes()
    assert outcome is not None
    assert outcome.status == "solved"


STAR = """(define (domain star) (:predicates (at ?c) (box ?c) (clear ?c) (edge ?a ?b) (line ?a ?b ?c))
(:action walk :parameters (?a ?b) :precondition (and (at ?a) (edge ?a ?b) (clear ?b))
 :effect (and (not (at ?a)) (at ?b)))
(:action push :parameters (?a ?b ?c) :precondition (and (at ?a) (box ?b) (clear ?c) (line ?a ?b ?c))
 :effect (and (not (at ?a)) (at ?b) (not (box ?b)) (clear ?b) (box ?c) (not (clear ?c)))))"""


def star(ways: int) -> str:
    """Return a problem in which a box can be pushed in so many ways, only the last of which is good, and back."""
    edges, lines = [], []
    for i in range(10, 10 + ways):
        edges += [(f"a{i}", "r"), (f"a{i}", "h"), (f"d{i}", "r"), (f"d{i}", f"c{i}"), (f"c{i}", "h")]
        lines += [f"(line a{i} h c{i})", f"(line d{i} c{i} h)"]
    cells = sorted({cell for edge in edges for cell in edge})
    both = [f"(edge {a} {b}) (edge {b} {a})" for a, b in edges]
    clear = [f"(clear {cell})" for cell in cells if cell != "h"]
    return f"""(define (problem hub) (:domain star) (:objects {" ".join(cells)})
(:init (at r) (box h) {" ".join([*both, *lines, *clear])}) (:goal (box c{9 + ways})))"""


def test_a_cell_may_be_left_in_any_number_of_directions() -> None:
    for ways in (3, 9, 12):
        ground = CoreGrounding(parse_task(STAR, star(ways)), Deadline(Limits(), "grounding"))
        task = ground.task()
        assert task.has_boxes()
        outcome = task.push_boxes()
        assert outcome is not None
        assert outcome.status == "solved", ways


def test_a_known_plan_is_made_better_for_each_objective() -> None:
    task = grounded(SOKOBAN.parse(TWO_ROOMS.strip("\n"))).task()
    first = task.push_boxes()
    assert first is not None
    assert first.plan is not None
    by_moves = task.push_boxes(max_improving=20_000, pushes_first=False, plan=first.plan)
    by_pushes = task.push_boxes(max_improving=20_000, plan=first.plan)
    assert by_moves is not None
    assert by_pushes is not None
    assert by_moves.cost < first.cost
    for better in (by_moves, by_pushes):
        assert task.eliminated(better.plan) is not None  # raises where a step cannot be taken
    with pytest.raises(ValueError, match="does not reach the goal"):
        task.push_boxes(plan=first.plan[: len(first.plan) // 2])


@pytest.mark.parametrize("objective", ["pushes", "moves,pushes"])
def test_the_search_for_boards_serves_every_objective(objective: str) -> None:
    result = solve(SOKOBAN.parse(TWO_ROOMS.strip("\n")), "native:boxes", objective=objective)
    assert (result.status, result.objective) == ("solved", objective)
    assert result.valid


def test_anytime_planning_begins_with_a_plan_of_the_board() -> None:
    first = next(iter(improve(SOKOBAN.parse(TWO_ROOMS.strip("\n")), "native")))
    assert first.status == "solved"
    assert first.expanded is not None
    assert first.expanded <= 1_000


@pytest.mark.parametrize("objective", ["moves", "pushes"])
def test_a_plan_outlives_what_was_to_make_it_better(objective: str) -> None:
    """Where states are used up before a proof, the plan of the glance is the answer."""
    result = solve(SOKOBAN.parse(TWO_ROOMS.strip("\n")), objective=objective, max_expanded=20_000)
    assert result.status == "solved"
    assert result.valid
    assert "may not be the best" in result.message
