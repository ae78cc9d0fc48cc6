"""What a search on the rules proves: only that is called optimal or unsolvable."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from support.searches import OPTIMAL, PUBLISHED, TWO_ENDS, WALKERS, run
from unpuzzle import solve
from unpuzzle.base.outcomes import GAVE_UP, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.model import Heuristic
from unpuzzle.planners.rules.planner import ALGORITHMS
from unpuzzle.translators.pacman import Pacman

TOLLS = {"N": 1, "S": 1, "E": 3, "W": 1}


class Toll(Pacman):
    """Going east costs three."""

    __slots__ = ()
    name = "toll"

    def cost(self, move):
        return TOLLS[move]


class Dear(Pacman):
    """Every move costs two."""

    __slots__ = ()
    name = "dear"

    def cost(self, move):
        return 2


@pytest.mark.parametrize(
    ("puzzle", "search", "status"),
    [
        (Pacman, "bfs", SOLVED_OPTIMALLY),
        (Dear, "bfs", SOLVED_OPTIMALLY),
        (Toll, "bfs", SOLVED),
        (Pacman, "ucs", SOLVED_OPTIMALLY),
        (Toll, "ucs", SOLVED_OPTIMALLY),
        (Toll, "astar", SOLVED_OPTIMALLY),
        (Toll, "idastar", SOLVED_OPTIMALLY),
        (Toll, "wastar=1", SOLVED_OPTIMALLY),
        (Toll, "wastar=1.5", SOLVED),
        (Pacman, "bidirectional-bfs", SOLVED_OPTIMALLY),
        (Dear, "bidirectional-bfs", SOLVED),
        (Toll, "bidirectional-bfs", SOLVED),
        (Pacman, "greedy", SOLVED),
        (Pacman, "dfs", SOLVED),
        (Pacman, "wall-left", SOLVED),
    ],
)
def test_only_what_is_proved_is_called_optimal(puzzle, search, status):
    assert run(search, puzzle.parse("P  .\n    \n")).status == status


def test_breadth_first_sees_the_costs_of_the_level_before_the_last():
    """All moves tried cost 1 until the last level; one that was not tried, but may lead to a goal, might cost less."""
    assert run("bfs", Toll.parse("%P%\n% %\n%.%\n")).status == SOLVED_OPTIMALLY
    assert run("bfs", Toll.parse("%P \n% %\n%.%\n")).status == SOLVED


FALSE_HOPE = Heuristic(
    "wrong", "everything is hopeless", lambda p: 0 if p.solved() else float("inf"), admissible=False, consistent=False
)
TRUE_HOPE = Heuristic(
    "right",
    "infinite where nothing can be done",
    lambda p: float("inf") if p.impossible() else 0,
    admissible=True,
    consistent=False,
)


class Misled(Pacman):
    __slots__ = ()
    name = "misled"
    heuristics = MappingProxyType({"wrong": FALSE_HOPE, "right": TRUE_HOPE})


@pytest.mark.parametrize("search", ["astar", "greedy", "wastar=3", "idastar", "bidirectional-greedy"])
def test_infinite_estimates_prove_no_more_than_the_heuristic_does(search):
    result = run(f"{search}(wrong)", Misled.parse("P.\n"))
    assert (result.status, result.moves) == (GAVE_UP, None)
    assert "the heuristic wrong" in result.message
    blocked = Misled.parse("P %.\n")
    assert run(f"{search}(right)", blocked).status == UNSOLVABLE
    assert run(f"{search}(right)", blocked).expanded == 0
    assert run(f"{search}(right)", blocked).message.startswith("all reachable positions but dead ends of the heuristic")
    assert run(f"{search}(right)", Misled.parse("P .\n")).solved


@pytest.mark.parametrize("search", [*OPTIMAL, "greedy", "dfs", "bidirectional-greedy", "bidirectional-greedy-aimed"])
def test_what_is_solved_needs_no_move(search):
    result = run(search, Pacman.parse("P \n"))
    assert (result.moves, result.cost, result.expanded) == ((), 0, 0)


@pytest.mark.parametrize("search", [name for name in ALGORITHMS if name not in PUBLISHED])
def test_unreachable_food_is_unsolvable_at_once(search):
    result = solve(Pacman.parse("P %.\n"), f"rules:{search}")
    assert (result.status, result.message) == (UNSOLVABLE, "the food at row 1, column 4 cannot be reached")


@pytest.mark.parametrize("search", [name for name in ALGORITHMS if name not in (*WALKERS, *PUBLISHED)])
def test_unreachable_food_is_found_to_be_so_by_searching(search):
    result = run(search, Pacman.parse("P %.\n"))
    condition = "goal_position() and predecessors() are complete" if search in TWO_ENDS else None
    assert (result.status, result.condition) == (UNSOLVABLE, condition)
    if condition is None:
        assert result.message == "all reachable positions were searched: there is no solution"
    else:
        assert (
            result.message == f"all positions that one end reaches were searched: there is no solution if {condition}"
        )


@pytest.mark.parametrize("search", WALKERS)
def test_a_walker_in_a_cell_gives_up(search):
    result = run(search, Pacman.parse("P%.\n"))
    assert (result.status, result.message) == (GAVE_UP, "there is no way forward")


def test_the_mouse_turns_back_only_where_it_must():
    for seed in range(30):
        moves = run(f"mouse={seed}", Pacman.parse("P  .\n% %%\n% %%\n")).moves
        position = Pacman.parse("P  .\n% %%\n% %%\n")
        for before, move in zip(("", *moves), moves, strict=False):
            back = {"N": "S", "S": "N", "E": "W", "W": "E"}.get(before)
            assert move != back or position.moves() == (back,)
            position = position.apply(move)
