"""One grounding for several starts and goals: what a `Family` and a `StateSpace` stand on.

It is made from the *union* of starts (what is reachable from any of them, `Instantiation.ground`), and it knows what it
relied on (`Pruned`). So it can tell of any other start and goal whether it is right for them, too:

    a start   no fact that was thought impossible, every fact that was thought certain, no mutex group violated
    a goal    literals of facts that have a place in a state, or are certain, or impossible
"""

from __future__ import annotations

from .encoding import Encoding, prune
from .instantiation import Instantiation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from unpuzzle.pddl.nodes import Atom, Condition, GroundAction, Task

    from . import _core
    from .formulas import Conjunction

Start = frozenset["Atom"]


class CommonGround:
    """A grounding of a task for several starts.

    Args:
        task: the domain, the objects, the static facts.
        starts: at least one; sets of atoms, static ones or not. Static facts that are not the task's do not count.
        goals: conditions that `goal` will be asked for.
        any_goal: whether others may be asked for: then relevance prunes nothing.
        varying: predicates that no action changes, whose facts are those of the start and not those of the task.
        faithful: keep everything, whether it matters for a goal or not, so that states and transitions are those of
            the task.
    """

    def __init__(
        self,
        task: Task,
        starts: Sequence[Start],
        goals: Iterable[Condition],
        *,
        any_goal: bool = False,
        varying: frozenset[str] = frozenset(),
        faithful: bool = False,
        tick: Callable[[], None] = lambda: None,
    ) -> None:
        self.instantiation = Instantiation(task, tick, varying, faithful)
        ground = self.ground = self.instantiation.ground(starts)
        ground.goal = ()
        known = [self.instantiation.conjunction(goal) for goal in goals]
        ground.kept = {literal for goal in known if goal is not None for literal in goal}
        self.facts = len(ground.facts)  # later goals may add derived ones, which have no place
        if any_goal:
            ground.kept.update(range(self.facts))
        elif faithful:
            ground.kept.update(fact for fact in range(self.facts) if fact not in ground.layers)
        pruned = prune(ground, tick)
        assert pruned is not None  # the goal "nothing" is always in reach
        self.pruned = pruned
        self.encoding = Encoding(ground, pruned)
        self.fdr = self.encoding.encode()

    def goal(self, goal: Condition) -> tuple[bool, list[tuple[int, int]] | None]:
        """Whether the goal can be told here; if so, as facts (variable, value) that must hold, None if it is false."""
        literals = self.instantiation.conjunction(goal)
        return (True, None) if literals is None else self._places(literals)

    def _places(self, literals: Conjunction) -> tuple[bool, list[tuple[int, int]] | None]:
        possible, place = self.pruned.possible, self.encoding.place
        found, reached = [], True
        for literal in literals:
            fact = literal if literal >= 0 else ~literal
            if fact >= self.facts or (fact not in place and literal in possible and ~literal in possible):
                return False, None
            if literal not in possible:
                reached = False
            elif ~literal in possible:
                variable, _ = place[fact]
                if literal < 0 and len(self.encoding.variables[variable].values) != 2:
                    return False, None
                found.append(self.encoding.fact(literal))
        return True, found if reached else None

    def certain(self) -> frozenset[Atom]:
        """The fluents that are true in every state and that no variable tells of."""
        from unpuzzle.pddl.nodes import Atom

        ground, possible = self.ground, self.pruned.possible
        facts = [fact for n, fact in enumerate(ground.facts) if n not in ground.layers and ~n not in possible]
        known = {self.ground.facts[n] for n in self.encoding.place}
        true = [fact for fact in (*facts, *ground.constant) if fact not in known]
        return frozenset([Atom(predicate, tuple(arguments)) for predicate, *arguments in true])

    def action_numbers(self, meaning: Callable[[GroundAction], Hashable] | None = None) -> list[int]:
        """For each operator the number of its action; copies of one action, or actions of one meaning, share it."""
        numbers: dict[Hashable, int] = {}
        actions = [operator.action for operator in self.fdr.operators]
        return [numbers.setdefault(meaning(action) if meaning else action, len(numbers)) for action in actions]

    def core(self, task: _core.Task) -> _core.Family:
        """The family of the core that packs starts and solves them; `task` is made of `fdr`."""
        from unpuzzle.pddl.nodes import Atom

        from . import _core

        ground, possible, place = self.ground, self.pruned.possible, self.encoding.place
        numbers: dict[Atom, int] = {}
        places: list[tuple[int, int]] = []
        certain = []
        number_of: dict[int, int] = {}
        for fact, (predicate, *arguments) in enumerate(ground.facts):
            if fact in ground.layers or fact not in possible:
                continue
            number_of[fact] = numbers[Atom(predicate, tuple(arguments))] = len(places)
            if ~fact not in possible:
                certain.append(len(places))
            places.append(place.get(fact, (-1, 0)))
        for predicate, *arguments in ground.constant:
            certain.append(len(places))
            numbers[Atom(predicate, tuple(arguments))] = len(places)
            places.append((-1, 0))
        for atom in self.instantiation.problem.init:
            if self.instantiation.static(atom.predicate):
                numbers[atom] = len(places)
                places.append((-1, 0))
        groups = [
            ([number_of[fact] for fact in group.facts if fact in number_of], group.exact)
            for group in self.pruned.groups
        ]
        actions = tuple([operator.action for operator in self.fdr.operators])
        otherwise = list(self.encoding.none.items())
        return _core.Family(task, numbers, places, certain, groups, otherwise, actions)
