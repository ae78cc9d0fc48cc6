"""Solve small levels, tens of thousands at a time: determine whether each is solvable, and in how many moves.

Positions of one puzzle become members of a few families (`planners/native/families/merging.py`): levels with other
walls, boxes, even sizes share one grounding, so that a level takes little more than its search.
"""

from __future__ import annotations

from collections.abc import Sequence

from unpuzzle.base.errors import LimitReached, ModelMismatch, ParseError, UsageError
from unpuzzle.base.limits import Limits
from unpuzzle.base.outcomes import MEMOUT, UNSOLVABLE
from unpuzzle.base.run import Run, current, grace
from unpuzzle.base.values import Record
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners.native.compiled import core
from unpuzzle.planners.native.families.family import Family, Interrupted
from unpuzzle.planners.native.families.merging import Union, groups
from unpuzzle.planning.translating import task_within
from unpuzzle.puzzle.classes import fault_at
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import decoded_moves, require_solution


class Judgement(Record):
    """The result of solving one position.

    Attributes:
        status: as in a `Result`: `solved_optimally`, `unsolvable`, or the limit that ended the search.
        cost, moves: of the best solution, or None.
        expanded, generated: numbers of states; 0 if the puzzle itself knew that there is no solution.
    """

    status: str
    cost: int | None = None
    moves: tuple[str, ...] | None = None
    expanded: int = 0
    generated: int = 0

    @property
    def solved(self) -> bool:
        return self.moves is not None


def solve_many(
    positions: Sequence[Position],
    *,
    limits: Limits | None = None,
    threads: int = 2,
    max_expanded: int | None = None,
    validate: bool = True,
) -> list[Judgement]:
    """Solve many small levels; return the status and the best solution of each, in the given order.

    Args:
        positions: of one puzzle or of several; any sizes.
        limits: `time` of the whole call (positions that are not reached are `timeout`); `memory` of each search, and of
            the process while it grounds.
        threads: the number of searches at once; the answers do not depend on it.
        max_expanded: the most states to expand for one position.
        validate: replay each solution on the rules of its puzzle.

    Raises ModelMismatch if a solution fails on the rules: then the PDDL is not the game, which `check` explains.
    DependencyMissing without the compiled core of the native planner.
    """
    if threads < 1:
        raise UsageError(f"threads must be at least 1, not {threads}")
    with Run(limits, "grounding"):
        judgements: dict[int, Judgement] = {}
        tasks: dict[int, Task] = {}
        for number, position in enumerate(positions):
            try:
                current().look()
                if position.impossible() is None:
                    tasks[number] = task_within(position)
                else:
                    judgements[number] = Judgement(UNSOLVABLE)
            except LimitReached as reached:
                judgements[number] = Judgement(reached.status)
        open_numbers = list(tasks)
        for group in groups(list(tasks.values())):
            numbers = [open_numbers[member] for member in group]
            answers = _solve([tasks[number] for number in numbers], threads, max_expanded)
            with grace():  # results from before a limit
                for number, answer in zip(numbers, answers, strict=True):
                    try:
                        judgements[number] = _judgement(positions[number], answer, validate)
                    except LimitReached as reached:
                        judgements[number] = Judgement(reached.status)
    return [judgements[number] for number in range(len(positions))]


def _solve(tasks: list[Task], threads: int, max_expanded: int | None) -> list[core.Answer | Interrupted | str]:
    """Return the answers for tasks that are merged into one task, or the status of a reached limit for each."""
    try:
        union = Union(tasks)
        starts, goals = [union.start(task) for task in tasks], [union.goal(task) for task in tasks]
        family = Family(union.task, starts, goals, varying=union.varying)
        return list(family.solve_many(starts, goals, threads=threads, max_expanded=max_expanded))
    except LimitReached as reached:
        return [reached.status] * len(tasks)
    except MemoryError:
        return [MEMOUT] * len(tasks)


def _require_solution(position: Position, moves: Sequence[str], cost: int | None) -> None:
    """Raise ModelMismatch for a wrong solution, or GameFault if the text of the position cannot be read as a level."""
    try:
        require_solution(position, moves, cost)
    except ModelMismatch as mismatch:
        try:
            position.game.parse(str(position))
        except ParseError as refusal:
            message = f"generate() gave a level that parse() refuses: {refusal.message}"
            raise fault_at(position, "generate", message) from None
        raise mismatch


def _judgement(position: Position, answer: core.Answer | Interrupted | str, validate: bool) -> Judgement:
    if isinstance(answer, str):
        return Judgement(answer)
    moves = None
    if answer.actions is not None:
        moves = decoded_moves(position, answer.actions)
        if validate:
            _require_solution(position, moves, answer.cost)
    return Judgement(answer.status, answer.cost, moves, answer.expanded, answer.generated)
