"""Find faults in runs: contradictory answers, invalid plans, and errors.

    contradiction    two costs are both called optimal; a plan is cheaper than an optimal one; unsolvable, and solved
    invalid_plan     the plan does not solve the task
    error            the planner broke; runs of one planner with one message are reported together

Tasks with equal names count as the same task; whether their texts are equal is not known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from unpuzzle.base.errors import ERROR, UNSOLVABLE
from unpuzzle.base.values import Record
from unpuzzle.lab.claims import settle_tasks
from unpuzzle.lab.reporting.measures import TaskName, is_optimal, is_solved, task_of
from unpuzzle.lab.runs import ExperimentRun

CONTRADICTION, INVALID_PLAN = "contradiction", "invalid_plan"
CERTAIN = (CONTRADICTION, INVALID_PLAN)
"""The kinds of faults that prove an answer wrong; an error gives no answer."""


class Fault(Record):
    """A fault in one or several runs of a task.

    Attributes:
        kind: `contradiction`, `invalid_plan` or `error`.
        domain, task: where; empty for an error in several tasks.
        text: a sentence.
        keys: the keys of the runs with this fault.
    """

    kind: str
    domain: str
    task: str
    text: str
    keys: tuple[str, ...]


def faults_of(runs: Sequence[ExperimentRun], names: dict[str, str]) -> tuple[Fault, ...]:
    """Return all faults, the worst first; `names` maps the key of each run to the name of its planner."""
    by_task: dict[TaskName, list[ExperimentRun]] = {}
    for run in runs:
        by_task.setdefault(task_of(run), []).append(run)
    contradictions = [fault for those in by_task.values() for fault in _contradictions(those, names)]
    told = {key for fault in contradictions for key in fault.keys}
    refuted = [run for run in settle_tasks(runs) if run.refuted_by and run.key not in told]  # such as least pushes
    contradictions += [
        Fault(CONTRADICTION, *task_of(run), f"{names[run.key]}: {run.message}", (run.key,)) for run in refuted
    ]
    return (*contradictions, *_invalid(runs, names), *_errors(runs, names))


def _contradictions(runs: Sequence[ExperimentRun], names: dict[str, str]) -> Iterator[Fault]:
    """Yield the contradictions among the runs of one task."""
    domain, task = task_of(runs[0])
    solved = [run for run in runs if is_solved(run)]
    unsolvable = [run for run in runs if run.status == UNSOLVABLE]
    if solved and unsolvable:
        text = f"{_who(solved, names)} solved it, {_who(unsolvable, names)} proved that there is no solution"
        yield Fault(CONTRADICTION, domain, task, text, _keys(solved + unsolvable))
    costs: dict[int, list[ExperimentRun]] = {}
    for run in solved:
        if is_optimal(run) and run.cost is not None:
            costs.setdefault(run.cost, []).append(run)
    if len(costs) > 1:
        parts = [f"{cost:,} ({_who(those, names)})" for cost, those in sorted(costs.items())]
        optimal = [run for run in solved if run.cost is not None and is_optimal(run)]
        text = f"several costs are called optimal: {', '.join(parts)}"
        yield Fault(CONTRADICTION, domain, task, text, _keys(optimal))
    least = min(costs, default=0)
    if cheaper := [run for run in solved if run.cost is not None and run.cost < least]:
        text = f"a plan of {_who(cheaper, names)} costs {min(run.cost or 0 for run in cheaper):,}, "
        text += f"less than {least:,}, which {_who(costs[least], names)} called optimal"
        yield Fault(CONTRADICTION, domain, task, text, _keys(cheaper + costs[least]))


def _invalid(runs: Sequence[ExperimentRun], names: dict[str, str]) -> Iterator[Fault]:
    for run in runs:
        if run.valid is False:
            text = f"the plan of {names[run.key]} is invalid" + (f": {run.message}" if run.message else "")
            yield Fault(INVALID_PLAN, run.domain, run.task, text, (run.key,))


def _errors(runs: Sequence[ExperimentRun], names: dict[str, str]) -> Iterator[Fault]:
    groups: dict[tuple[str, str], list[ExperimentRun]] = {}
    for run in runs:
        if run.status == ERROR and run.valid is not False:
            groups.setdefault((names[run.key], run.message), []).append(run)
    for (planner, message), those in sorted(groups.items(), key=lambda item: -len(item[1])):
        text = f"{planner}: {message or 'it broke without a message'}"
        domain, task = task_of(those[0]) if len({task_of(run) for run in those}) == 1 else ("", "")
        yield Fault(ERROR, domain, task, text, _keys(those))


def _who(runs: Iterable[ExperimentRun], names: dict[str, str]) -> str:
    return ", ".join(dict.fromkeys(names[run.key] for run in runs))


def _keys(runs: Iterable[ExperimentRun]) -> tuple[str, ...]:
    return tuple(run.key for run in runs)
