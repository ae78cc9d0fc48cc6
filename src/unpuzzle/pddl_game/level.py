"""A level of a PDDL game: what no action changes (objects, static facts, costs, the goal).

All positions that have it share it. What its actions mean (`meaning.py`) is worked out when somebody plays it: a level
that is only solved goes to the planner as it was read.
"""

from __future__ import annotations

from unpuzzle.pddl.nodes import Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

    from unpuzzle.pddl.nodes import Domain, Problem
    from unpuzzle.pddl_game.meaning import Meaning


class Level:
    """What the positions of one problem have in common.

    Attributes: `task`, the task of the problem that the level was made from; `key`, which only equal levels have in
    common.
    """

    def __init__(self, domain: Domain, problem: Problem, key: Hashable) -> None:
        self.key: Hashable = key
        self.task: Task = Task(domain, problem)

    @property
    def meaning(self) -> Meaning:
        """The meaning of the level's actions; the same one for all, also where two threads ask at once."""
        known: Meaning | None = self.__dict__.get("_meaning")
        if known is None:
            from unpuzzle.pddl_game.meaning import Meaning

            known = self.__dict__.setdefault("_meaning", Meaning(self.task))
        return known

    def problem(self, state: int | None, fluents: frozenset[str]) -> Problem:
        """Return the problem that begins in a state (None: the first): static facts as in the level's, then the others.

        `fluents` are the names of the predicates that actions change.
        """
        if state is None or state == self.meaning.start:
            return self.task.problem
        statics = [atom for atom in self.task.problem.init if atom.predicate not in fluents]
        changed = sorted(self.meaning.atoms(state), key=str)
        return self.task.problem.replace(init=(*statics, *changed)).trusted(self.task.domain)


def level_key(problem: Problem, fluents: frozenset[str]) -> Hashable:
    """Return all of a problem but for its first state: problems with equal keys have the same level."""
    statics = frozenset([atom for atom in problem.init if atom.predicate not in fluents])
    return problem.name, problem.objects, statics, frozenset(problem.values), problem.goal, problem.metric
