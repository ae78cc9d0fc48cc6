"""Boards with boxes: what is recognised as one, that no pruning is unsound, and that levels of full size are solved."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from support.fdr_twin import ACTION, core, numbered
from support.random_boards import BREAKS, compare
from unpuzzle import improve
from unpuzzle.base.errors import ParseError
from unpuzzle.base.run import Limits
from unpuzzle.model.position import Position
from unpuzzle.pddl import parse_task
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding import CoreGrounding, Effect, FDRTask, Operator
from unpuzzle.solving import solve
from unpuzzle.translators import find

SOKOBAN = find("sokoban")
# Drawn for these tests, nearly at the size of the game of 1982: a goal room, and boxes in the rooms around.
TWO_ROOMS = SOKOBAN.parse("""\
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
""")


def grounded(position: Position) -> CoreGrounding:
    return CoreGrounding(position.task())


def pushed(task: _core.Task, **options: Any) -> _core.SearchResult:
    """The answer of the search for boards, which this is."""
    outcome = task.push_boxes(**options)
    assert outcome is not None
    return outcome


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
        outcome, blind = pushed(task), task.search("astar", "blind")
        assert (outcome.status == "solved") == (blind.status == "solved_optimally"), str(level)
        assert outcome.status in {"solved", "unsolvable"}
        answers.append(outcome.status)
    assert answers.count("solved") > 100
    assert answers.count("unsolvable") > 50


def test_random_graphs_are_answered_as_by_blind_search_and_broken_axioms_are_seen() -> None:
    """The full law is that of `scripts/compare/check_boxes.py`."""
    counts = Counter[str]()
    wrong = [f"seed {seed}: {fault}" for seed in range(1_200) if (fault := compare(seed, counts))]
    assert wrong == []
    assert all(counts[f"broken: {axiom}"] >= 10 for axiom in BREAKS), counts
    assert min(counts["solved"], counts["recognised with rows"]) >= 100
    assert counts["unsolvable"] >= 10


def test_equal_calls_give_equal_answers() -> None:
    task = grounded(TWO_ROOMS).task()
    one, other = pushed(task, max_improving=5_000), pushed(task, max_improving=5_000)
    assert (one.plan, one.expanded, one.generated) == (other.plan, other.expanded, other.generated)


def test_limits_end_it() -> None:
    task = grounded(TWO_ROOMS).task()
    assert pushed(task, time_limit=0.0).status == "timeout"
    assert pushed(task, memory_limit=1_000).status == "memout"
    assert pushed(task, max_expanded=1).status == "gave_up"


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
    assert pushed(task).status == "solved"


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
        task = CoreGrounding(parse_task(STAR, star(ways))).task()
        assert task.has_boxes()
        assert pushed(task).status == "solved", ways


def two_halls(side: int) -> str:
    """Return a problem with a box `g` between two halls, which only a push across a gap moves, and a box `m`, which has
    to be pushed from either hall. The first hall is a square, in which three boxes change their places."""
    cells = {(row, column): f"s{row}-{column}" for row in range(side) for column in range(side)}
    lines, edges = (
        [],
        [("w", "g"), ("g", "e"), ("s0-0", "m"), ("m", "n"), ("n", "w"), ("n", "k"), ("k", "l"), ("e", "f")],
    )
    for (row, column), a in cells.items():
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            b, c = cells.get((row + down, column + right)), cells.get((row + 2 * down, column + 2 * right))
            edges += [(a, b)] if b else []
            lines += [f"(line {a} {b} {c})"] if b and c else []
    lines += ["(line s0-0 m n)", "(line s0-1 g e)", "(line w n k)", "(line n k l)", "(line g e f)"]
    boxes = ["m", "g", "s1-1", "s1-2", "s2-1"]
    goals = ["k", "e", *(f"s{side - 2}-{column}" for column in range(1, 4))]
    everything = sorted({cell for edge in edges for cell in edge})
    facts = [f"(edge {a} {b}) (edge {b} {a})" for a, b in edges] + [f"(box {box})" for box in boxes] + lines
    facts += [f"(clear {cell})" for cell in everything if cell not in boxes]
    return f"""(define (problem halls) (:domain star) (:objects {" ".join(everything)})
(:init (at s0-0) {" ".join(facts)}) (:goal (and {" ".join(f"(box {goal})" for goal in goals)})))"""


@pytest.mark.parametrize("planner", ["native", "native:boxes"])
def test_a_push_across_a_gap_makes_a_graph_no_board(planner: str) -> None:
    """Alone, no box could come from one hall to the other, and the walker neither."""
    problem = parse_task(STAR, two_halls(5))
    assert not CoreGrounding(problem).task().has_boxes()
    result = solve(problem, planner, limits=Limits(time=300), max_expanded=200_000)
    assert result.status == ("unsupported" if ":" in planner else "solved_optimally"), result.message


def test_anytime_planning_finds_a_plan_across_a_gap() -> None:
    assert next(iter(improve(parse_task(STAR, two_halls(5)), "native"))).plan is not None


def test_a_goal_that_is_named_twice_is_one() -> None:
    """The first box is in a row of a corridor, so two facts say that it is on its goal; the second box has none."""
    row, cells = 8, range(7)  # cell x has a variable 1 + x, which is 1 if a box is there
    pairs = [(a, b) for a in cells for b in (a - 1, a + 1) if b in cells]
    operators = [Operator(ACTION, [(0, a), (1 + b, 0)], [Effect([], 0, b)], 1) for a, b in pairs]
    for b in (1, 2, 3, 5):
        box = (row, b - 1) if b < 4 else (1 + b, 1)
        effects = [Effect([], 0, b), Effect([], 1 + b, 0), Effect([], 2 + b, 1), Effect([], row, b)]
        operators.append(Operator(ACTION, [(0, b - 1), (2 + b, 0), box], effects[: 4 if b < 4 else 3], 1))
    task = FDRTask(numbered(7, *[2] * 7, 4), [0, 0, 1, 0, 0, 0, 1, 0, 0], [(4, 1), (row, 2)], operators)
    assert core(task).search("astar", "blind").plan is not None
    outcome = core(task).push_boxes()
    assert outcome is None or outcome.status == "solved"


def test_bundled_levels_are_boards() -> None:
    """In the one that is not, a goal is at the end of a row that boxes cannot leave."""
    others = {name for name, text in SOKOBAN.levels.items() if not grounded(SOKOBAN.parse(text)).task().has_boxes()}
    assert others == {"7"}


def test_a_cancel_keeps_the_plan_that_was_to_get_better() -> None:
    task = grounded(TWO_ROOMS).task()
    outcome = pushed(task, max_improving=10**9, plan=pushed(task).plan, progress=lambda *_: task.cancel())
    assert outcome.status == "cancelled"
    assert outcome.plan is not None
    assert task.eliminated(outcome.plan) is not None  # raises for what is no plan


def test_whether_a_task_is_a_board_is_asked_within_limits() -> None:
    task = grounded(TWO_ROOMS).task()
    assert task.has_boxes(60.0, 2**30)
    with pytest.raises(TimeoutError):
        task.has_boxes(time_limit=0.0)
    with pytest.raises(MemoryError):
        task.has_boxes(memory_limit=1)


def test_a_known_plan_is_made_better_for_each_objective() -> None:
    task = grounded(TWO_ROOMS).task()
    first = pushed(task)
    assert first.plan is not None
    by_moves = pushed(task, max_improving=20_000, pushes_first=False, plan=first.plan)
    by_pushes = pushed(task, max_improving=20_000, plan=first.plan)
    assert by_moves.cost < first.cost
    for better in (by_moves, by_pushes):
        assert task.eliminated(better.plan) is not None  # raises where a step cannot be taken
    with pytest.raises(ValueError, match="does not reach the goal"):
        task.push_boxes(plan=first.plan[: len(first.plan) // 2])


@pytest.mark.parametrize("objective", ["moves", "pushes", "moves,pushes"])
def test_the_search_for_boards_serves_every_objective(objective: str) -> None:
    result = solve(TWO_ROOMS, "native:boxes", objective=objective)
    assert (result.status, result.objective) == ("solved", objective)
    assert result.valid


def test_anytime_planning_begins_with_a_plan_of_the_board() -> None:
    first = next(iter(improve(TWO_ROOMS, "native")))
    assert first.status == "solved"
    assert first.expanded is not None
    assert first.expanded <= 1_000


@pytest.mark.parametrize("objective", ["moves", "pushes"])
def test_a_plan_outlives_what_was_to_make_it_better(objective: str) -> None:
    """Where states are used up before a proof, the plan of the glance is the answer."""
    result = solve(TWO_ROOMS, objective=objective, max_expanded=20_000)
    assert result.status == "solved"
    assert result.valid
    assert "may not be the best" in result.message


def test_anytime_planning_reports_only_cheaper_plans_of_a_board_and_ends_with_the_proof() -> None:
    *plans, last = improve(SOKOBAN.parse(SOKOBAN.levels["3"]).task())
    costs = [plan.cost for plan in plans]
    assert costs == sorted(set(costs), reverse=True)
    assert last.status == "solved_optimally"
    assert last.cost == costs[-1]
    assert last.plan is not None


def test_boards_are_searched_in_turns_with_the_rest_and_a_pause_loses_nothing() -> None:
    task = grounded(SOKOBAN.parse(SOKOBAN.levels["3"])).task()
    schedules = _core.Schedule(task, anytime=True), _core.Schedule(task, anytime=True)
    costs: list[list[int | None]] = [[], []]
    for schedule, pause, found in zip(schedules, (None, 20_000), costs, strict=True):
        effort, status = 0, "solved"
        while status in ("solved", "gave_up"):
            effort += pause or 0
            result = schedule.run(max_effort=effort if pause else None)
            status = result.status
            found += [] if status == "gave_up" else [result.cost]
        assert status == "solved_optimally"
        assert schedule.unproved is None, "each plan was reported as it was found"
    assert costs[0] == costs[1]
    whole, paused = ([(part.name, part.expanded) for part in schedule.parts] for schedule in schedules)
    assert whole == paused


def test_the_search_for_boards_alone_keeps_its_plan_where_a_limit_ends_it() -> None:
    task = grounded(TWO_ROOMS).task()
    alone = _core.Schedule(task, parts=("boxes",))
    assert alone.run(max_expanded=5).status == "gave_up"
    assert alone.unproved is None
    cancelling = _core.Schedule(task, parts=("boxes",))
    result = cancelling.run(progress=lambda *_: cancelling.unproved and task.cancel())
    assert result.status == "cancelled"
    assert cancelling.unproved is not None
    plan, cost = cancelling.unproved
    assert cost == len(plan)
    assert task.eliminated(plan) is not None  # raises for what is no plan
