"""Check a program's claim that a task has no plan: it counts if our own search confirms it."""

from __future__ import annotations

from unpuzzle.base.errors import DependencyMissing, UnsupportedFeature
from unpuzzle.base.outcomes import GAVE_UP, UNSOLVABLE
from unpuzzle.pddl.nodes import Task
from unpuzzle.planning import registry
from unpuzzle.planning.planner import SearchOptions

MOST_STATES = 100_000
"""The most states that are expanded for a confirmation."""


def judged(task: Task, said: str) -> tuple[str, str]:
    """Return the status, and a sentence, for a task without a plan from a program; `said` is its claim.

    Relaxed reachability is tried first, then blind search, within the limits of the current run.
    """
    found = "did not confirm it"
    try:
        result = registry.find("native:blind").solve(task, SearchOptions(max_expanded=MOST_STATES))
        if result.status == UNSOLVABLE:
            return UNSOLVABLE, f"{said}; our own search proved that there is none"
        found = found if result.plan is None else "found one"
    except (DependencyMissing, UnsupportedFeature):
        found = "is not possible here"
    return GAVE_UP, f"{said}, which alone proves nothing; our own search {found}"
