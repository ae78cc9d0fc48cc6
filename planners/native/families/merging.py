"""Tasks of one domain merged into one family, although their objects and static facts differ.

    union = Union(tasks)
    family = Family(union.task, [union.start(task) for task in tasks], varying=union.varying)
    family.solve(union.start(task), union.goal(task))

The union has all objects. If an object is missing in some task, a new fact `(@present x)` is true in the starts of the
tasks that have `x`, and quantifiers and parameters that could stand for such an object range over present objects. A
parameter in an atom of the precondition needs no guard, since no true atom mentions an absent object. Static predicates
with different facts become part of the starts. So grounding, which would take most of the time of a small level, is
done once.

Conditions on the tasks, all of which `groups` checks: they have one domain, one metric with equal values, and no object
of two types. Then the steps of a task are the steps of the union from its start:

- No true atom mentions an absent object. At the start none does. Parameters, and variables of quantifiers and of
  effects, stand for present objects only, by a guard or by an atom of the precondition; so actions and axioms make no
  such atom true.
- So conditions mean the same as in the task, and guards are true for all objects that the task could choose.
- No action changes static facts or `@present`, so they stay as they are at the start.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from unpuzzle.pddl.formulas import And, Atom, Condition, conjuncts
from unpuzzle.pddl.nodes import Domain, Predicate, Task, TypedName
from unpuzzle.pddl.normal_form.rewriting import fluent_predicates, restricted, restricted_effect
from unpuzzle.pddl.world import Types

PRESENT = "@present"
MANY_OBJECTS, RECENT = 100, 8
"""See `groups`."""


def groups(tasks: Sequence[Task]) -> list[list[int]]:
    """Return groups of task numbers to merge: tasks with equal domain and costs, and one type for each object.

    If each task has many objects that others do not have, such as the numbers it may reach, grounding the union would
    take longer than grounding each task: with more than `MANY_OBJECTS`, a union has at most a quarter more than its
    smallest task. Only the most `RECENT` groups are tried, as there may be as many groups as tasks.
    """
    by_domain: dict[Hashable, list[tuple[dict[str, frozenset[str]], list[int]]]] = {}
    for number, task in enumerate(tasks):
        problem = task.problem
        types = {item.name: frozenset(item.types) for item in problem.objects}
        costs = None if problem.metric is None else (problem.metric, frozenset(problem.values))
        candidates = by_domain.setdefault((task.domain, costs), [])
        for objects, members in candidates[-RECENT:]:
            fits = all(objects.get(name, own) == own for name, own in types.items())
            if fits and _pays(objects, types, (tasks[member] for member in members)):
                objects.update(types)
                members.append(number)
                break
        else:
            candidates.append((types, [number]))
    return [members for candidates in by_domain.values() for _, members in candidates]


def _pays(objects: dict[str, frozenset[str]], types: dict[str, frozenset[str]], members: Iterable[Task]) -> bool:
    """Return whether a task with the objects `types` should be merged with `members`, which have `objects`."""
    new = len(types.keys() - objects.keys())
    if len(objects) + new <= MANY_OBJECTS or (len(objects) == len(types) and not new):
        return True
    smallest = min(len(types), *[len(member.problem.objects) for member in members])
    return 4 * (len(objects) + new) <= 5 * smallest


class Union:
    """Several tasks merged into one, as the module's docstring describes. The tasks must be one of the `groups`.

    Attributes: `task`, `varying`, for `Family`.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        domain, problem = tasks[0].domain, tasks[0].problem
        self.fluent: frozenset[str] = fluent_predicates(domain)
        static = [frozenset(each for each in task.problem.init if each.predicate not in self.fluent) for task in tasks]
        common = static[0].intersection(*static)
        self.varying: frozenset[str] = frozenset(atom.predicate for atoms in static for atom in atoms - common)
        objects = {item.name: item for task in tasks for item in task.problem.objects}
        everywhere = set(objects).intersection(*[{item.name for item in task.problem.objects} for task in tasks])
        self.absent: frozenset[str] = frozenset(objects.keys() - everywhere)
        self.present: dict[str, Atom] = {
            name: Atom(PRESENT, (name,)) for name in (*objects, *[c.name for c in domain.constants])
        }
        init = tuple(sorted((atom for atom in common if atom.predicate not in self.varying), key=str))
        whole = problem.replace(domain_name=domain.name, requirements=(), objects=tuple(objects.values()), init=init)
        self.types: Types = Types(Task(domain, whole.trusted(domain)))
        if self.absent:
            self.varying |= {PRESENT}
            domain = self._domain(domain)
        init += tuple(sorted(self.start(tasks[0]), key=str))
        self.task: Task = Task(domain, whole.replace(init=init, goal=self.goal(tasks[0])).trusted(domain))

    def start(self, task: Task) -> frozenset[Atom]:
        """Return the initial state of a task as a start state of the merged task."""
        own = [atom for atom in task.problem.init if atom.predicate in self.fluent or atom.predicate in self.varying]
        if self.absent:
            own += [self.present[item.name] for item in (*task.domain.constants, *task.problem.objects)]
        return frozenset(own)

    def goal(self, task: Task) -> Condition:
        """Return the goal of a task as a goal of the merged task."""
        return self._condition(task.problem.goal)

    def _domain(self, domain: Domain) -> Domain:
        """Return the domain with guard conditions for all variables that can stand for an absent object."""
        axioms = [each.replace(body=self._guarded(each.head.parameters, each.body)) for each in domain.axioms]
        conditions = [self._guarded(action.parameters, action.precondition) for action in domain.actions]
        actions = [
            action.replace(precondition=condition, effect=restricted_effect(action.effect, self._present))
            for action, condition in zip(domain.actions, conditions, strict=True)
        ]
        predicates = (*domain.predicates, Predicate(PRESENT, (TypedName("?x"),)))
        return domain.replace(predicates=predicates, actions=tuple(actions), axioms=tuple(axioms))

    def _present(self, parameters: Iterable[TypedName]) -> tuple[Atom, ...]:
        """Return conditions on the parameters that exclude objects missing in a task."""
        return tuple(
            [Atom(PRESENT, (p.name,)) for p in parameters if not self.absent.isdisjoint(self.types.members(p.types))]
        )

    def _guarded(self, parameters: tuple[TypedName, ...], condition: Condition) -> Condition:
        atoms = [part for part in conjuncts(condition) if isinstance(part, Atom) and part.predicate != "="]
        mentioned = {term for atom in atoms for term in atom.arguments}
        guards, condition = self._present(p for p in parameters if p.name not in mentioned), self._condition(condition)
        return And((*guards, condition)) if guards else condition

    def _condition(self, condition: Condition) -> Condition:
        if self.absent:
            condition = restricted(condition, self._present)
        return condition
