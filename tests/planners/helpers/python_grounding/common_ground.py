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
    from collections.abc import Callable, Iterable, Sequence

    from unpuzzle.pddl.nodes import Atom, Condition, Task

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

    def start_facts(self) -> list[tuple[Atom, tuple[int, int], bool]]:
        """The fluents that a start may contain, the variable that tells of each and its value then (-1: none does), and
        whether every start must contain it.
        """
        from unpuzzle.pddl.nodes import Atom

        found = []
        for fact in self._numbers():
            predicate, *arguments = self.ground.facts[fact]
            place = self.encoding.place.get(fact, (-1, 0))
            found.append((Atom(predicate, tuple(arguments)), place, ~fact not in self.pruned.possible))
        for predicate, *arguments in self.ground.constant:
            found.append((Atom(predicate, tuple(arguments)), (-1, 0), True))
        return found

    def groups(self) -> list[tuple[list[int], bool]]:
        """Places in `start_facts` of which a start must contain at most one or, if True, exactly one."""
        places = {fact: place for place, fact in enumerate(self._numbers())}
        return [([places[fact] for fact in group.facts if fact in places], group.exact) for group in self.pruned.groups]

    def otherwise(self) -> list[tuple[int, int]]:
        """Variables with the value that they have where no fact gives them one; 0 for the rest."""
        return list(self.encoding.none.items())

    def _numbers(self) -> list[int]:
        ground, possible = self.ground, self.pruned.possible
        return [fact for fact in range(self.facts) if fact not in ground.layers and fact in possible]
