"""A ground task and the reference semantics, explored side by side."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from support.fdr_twin import State as Values
from support.fdr_twin import apply, derive, holds
from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.planners.native.grounding import FDRTask, Operator

State = frozenset[Atom]


def is_truthful(fdr: FDRTask, values: Values, true: State) -> bool:
    """Whether each value says the truth about its atom, and no two facts of a mutex group hold."""
    said = [
        (atom in true) == (candidate == value)
        for variable, value in zip(fdr.variables, values, strict=True)
        for candidate, atom in enumerate(variable.values)
        if atom is not None and not atom.predicate.startswith("@")
    ]
    return all(said) and all(sum(values[v] == value for v, value in group) <= 1 for group in fdr.mutexes)


def pairs(
    fdr: FDRTask, task: Task, most: int, *, first: Sequence[int] | None = None, faithful: bool = False
) -> Iterator[tuple[Values, State, Semantics]]:
    """Yield at most so many pairs of a state of either side, and compare their steps.

    An operator that applies is an applicable action with the same cost and the same successor. An action without an
    operator changes nothing that the variables tell, or another operator does the same for no more; no action of a
    faithful grounding is without one.
    """
    semantics = Semantics(task)
    start = derive(fdr, fdr.initial if first is None else first), semantics.initial
    assert is_truthful(fdr, start[0], start[1] | semantics.derived(start[1])), start
    seen, queue = {start}, deque([start])
    while queue:
        values, state = queue.popleft()
        yield values, state, semantics
        actions = semantics.applicable(state)
        own: dict[str, list[Operator]] = {str(action): [] for action in actions}
        applicable = [operator for operator in fdr.operators if holds(operator.precondition, values)]
        for operator in applicable:
            own[str(operator.action)].append(operator)
        for action in actions:
            after = semantics.apply(state, action)
            true = after | semantics.derived(after)
            cost, mine = semantics.cost(action), own[str(action)]
            assert all(operator.cost == cost for operator in mine), action
            ends = {apply(fdr, operator, values) for operator in mine}
            assert all(is_truthful(fdr, end, true) for end in ends), action
            if not ends:
                assert not faithful, action
                others = [values, *[apply(fdr, each, values) for each in applicable if each.cost <= cost]]
                ends = {*[end for end in others if is_truthful(fdr, end, true)][:1]}
                assert ends, f"{action} has no operator"
            for pair in [(end, after) for end in ends]:
                if pair not in seen and len(seen) < most:
                    seen.add(pair)
                    queue.append(pair)


def compared(fdr: FDRTask, task: Task, most: int = 150) -> int:
    """Compare the states of a ground task, and its goal, with the semantics; return how many were compared."""
    found = [*pairs(fdr, task, most)]
    assert all(semantics.solved(state) == holds(fdr.goal, values) for values, state, semantics in found)
    return len(found)
