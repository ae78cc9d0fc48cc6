"""Measure the speed of checks in one process: states compared by `check` and by the reference semantics, and tasks."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

from unpuzzle import check
from unpuzzle.pddl.nodes import Problem, Task
from unpuzzle.pddl.semantics import Semantics

if TYPE_CHECKING:
    from collections.abc import Callable

    from unpuzzle.model.position import Position


def checked(position: Position, most: int) -> int:
    """Compare rules and PDDL by check(); return the number of states."""
    return check(position, max_states=most, walks=0).states


def by_reference(position: Position, most: int) -> int:
    """Make the same comparison by the reference semantics, on sets of atoms."""
    semantics, compared = Semantics(position.task()), 0
    seen, queue = {position}, [(position, semantics.fluents(semantics.initial))]
    for here, state in queue:
        if compared == most:
            break
        compared += 1
        actions = semantics.applicable(state)
        by_move = {here.decode(action): action for action in actions}
        assert by_move.keys() == set(here.moves())
        assert here.solved() == semantics.solved(state)
        for move in here.moves():
            successor, following = here.apply(move), semantics.apply(state, by_move[move])
            assert semantics.cost(by_move[move]) == here.cost(move)
            assert successor.atoms() == following
            if successor not in seen:
                seen.add(successor)
                queue.append((successor, following))
    return compared


def checking_seconds(task: Task) -> float:
    """Return the extra time of `Task` for checking a problem, compared with a trusted one."""

    def seconds(prepare: Callable[[Problem], Problem]) -> float:
        best = float("inf")
        for _ in range(1000):
            problem = prepare(Problem(*[getattr(task.problem, name) for name in task.problem._fields]))
            start = process_time()
            Task(task.domain, problem)
            best = min(best, process_time() - start)
        return best

    return seconds(lambda problem: problem) - seconds(lambda problem: problem.trusted(task.domain))
