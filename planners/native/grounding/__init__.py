"""Grounding: from a PDDL task to a finite-domain task inside the core. `CoreGrounding` is the interface.

The work is done in C++: flat arrays in, a task for the search out (`core/grounding/ground.hpp`). Names are looked up
only for plans; `CoreGrounding.fdr` returns the whole result, for tests and inspection.

flatten.py    a task as flat arrays          common_ground.py  the same for several starts and goals: families
fdr.py        the finite-domain task         survey.py         unreachable actions and goals: lint
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from unpuzzle.base.errors import LimitReached, ParseError, UnsupportedFeature, UsageError
from unpuzzle.base.outcomes import CANCELLED, MEMOUT, TIMEOUT
from unpuzzle.base.run import current
from unpuzzle.pddl.nodes import GroundAction, Task
from unpuzzle.pddl.world import cost_term, undefined_cost
from unpuzzle.planners.native.compiled import core as _core

from .fdr import FDRTask, Variable, fdr_of, variables_of
from .flatten import Flat


def ground(
    flat: Flat, *, instances_only: bool = False, common: bool = False, any_goal: bool = False
) -> _core.Grounding:
    """Ground a task, given as flat arrays, in the C++ core, within limits; see `_core.ground`.

    Raises LimitReached, which names the schema with the most instances, UnsupportedFeature for costs that depend on the
    state or are too large and for conditions of too many variables, ParseError for axioms that cannot be stratified and
    for an applicable action without a cost. (With several starts, it is unknown from which of them it is applicable;
    then it is left out. With `instances_only`, callers check this themselves.)
    """
    buffers = flat.buffers()  # first, so that only the remaining memory counts
    try:
        grounding = _core.ground(
            len(flat.objects),
            **buffers,
            instances_only=instances_only,
            common=common,
            any_goal=any_goal,
            faithful=flat.faithful,
            time_limit=current().time_left(),
            memory_limit=current().memory_left(),
        )
    except ValueError as error:
        if "more than" not in str(error):
            raise
        raise UnsupportedFeature(f"the native planner does not read {error}", feature="long conditions") from None
    if grounding.status == "large_cost":
        name = flat.task.domain.actions[grounding.large_cost].name
        raise UnsupportedFeature(f"the action '{name}' costs more than 2^31-1", feature="large costs")
    if grounding.status != "ground":
        raise limit_reached(grounding.status, _work(flat, grounding))
    if grounding.missing_costs and not instances_only and len(flat.starts) < 2:
        raise next(undefined_costs(flat, grounding))
    return grounding


def undefined_costs(flat: Flat, grounding: _core.Grounding) -> Iterator[ParseError]:
    """Yield an error for each missing cost of an applicable action, with the first instance of the action."""
    for number, place, objects in grounding.missing_costs:
        action = flat.task.domain.actions[number]
        yield undefined_cost(action, cost_term(action, place), tuple([flat.names[each] for each in objects]))


def limit_reached(status: str, work: str) -> LimitReached:
    """Return the error for a limit that interrupted some work; `status` is the core's status."""
    limit = "time" if status == "timeout" else "memory"
    return LimitReached(status, f"the {limit} limit was reached while {work}")


class limits_of:
    """A context manager that turns the core's errors at a limit or a cancel into a LimitReached that names the work.

    It is a class, since planning a small task must not load `contextlib`.
    """

    __slots__ = ("_work",)

    def __init__(self, work: str) -> None:
        self._work = work

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InterruptedError):
            raise LimitReached(CANCELLED, f"the run was cancelled while {self._work}") from None
        if isinstance(error, (MemoryError, TimeoutError)):
            raise limit_reached(MEMOUT if isinstance(error, MemoryError) else TIMEOUT, self._work) from None


def _work(flat: Flat, grounding: _core.Grounding) -> str:
    """Return a description of the interrupted work, for a message."""
    phase, schema, largest, instances, facts = grounding.progress
    domain = flat.task.domain
    message = "grounding"
    if phase == "axioms":
        message += f" the axioms of '{domain.axioms[schema].head.name}'"
    elif phase == "actions":
        message += f" the action '{domain.actions[schema].name}'"
    elif phase == "goal":
        message += " the goal"
    if largest >= 0 and instances > 0:
        message += f": the action '{domain.actions[largest].name}' has the most instances, {instances:,} so far"
    return f"{message} (facts reached: {facts:,})" if facts else message


class CoreGrounding:
    """A ground task inside the core, with the names of its operators and facts.

    Attributes:
        goal_possible: False if grounding proved that the goal is unreachable.
        operators: the number of operators.
    """

    def __init__(self, task: Task) -> None:
        """Ground a task within limits. Raises the same exceptions as `ground`."""
        flat = Flat(task)
        self._keep(flat, ground(flat))

    def _keep(self, flat: Flat, grounding: _core.Grounding) -> None:
        self._flat, self._grounding, self._handed_over = flat, grounding, False
        self.goal_possible: bool = grounding.goal_possible
        self.operators: int = grounding.operators

    def buffers(self) -> dict[str, array[int]]:
        """Return the task as arrays for the search, see `FDRTask.buffers`. Raises UsageError after a call of `task`."""
        self._require_arrays()
        arrays = {}
        for name, data in self._grounding.buffers().items():
            arrays[name] = array("q" if name == "costs" else "i")
            arrays[name].frombytes(data)
        return arrays

    def task(self) -> _core.Task:
        """Return the task for the search, which takes over the arrays; afterwards this object has no arrays.

        Raises UsageError if called twice, LimitReached if the limits are too small.
        """
        self._require_arrays()
        self._handed_over = True
        with limits_of("the ground task was compiled for the search"):
            return self._grounding.task()

    def _require_arrays(self) -> None:
        if self._handed_over:
            raise UsageError(
                "task() can be called only once, as the search takes the ground task: ground the task again"
            )

    def action(self, operator: int) -> GroundAction:
        number, *arguments = self._grounding.action(operator)
        names = self._flat.names
        return GroundAction(self._flat.task.domain.actions[number].name, tuple([names[a] for a in arguments]))

    def fdr(self) -> FDRTask:
        """Return the finite-domain task as Python objects."""
        return fdr_of(self.buffers(), self.variables(), self.action)

    def variables(self) -> list[Variable]:
        numbers = self.buffers()
        return list(variables_of(self._grounding, self._flat, numbers["domains"], numbers["layers"]))
