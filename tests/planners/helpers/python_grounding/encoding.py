"""From propositional facts to finite-domain variables, as `core/grounding/encoding.hpp` says."""

from __future__ import annotations

from unpuzzle.pddl.nodes import Atom, GroundAction
from unpuzzle.planners.native.grounding.fdr import Effect, FDRTask, Operator, Rule, Variable

from .ground_task import GroundEffect, GroundOperator
from .mutexes import MutexGroup, MutexIndex, find_groups
from .pruning import prune_irrelevant, simplify

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from unpuzzle.planners.native.grounding.fdr import Fact

    from .formulas import Conjunction
    from .ground_task import GroundTask


def encode(task: GroundTask, tick: Callable[[], None]) -> FDRTask:
    """The finite-domain task. Where the goal is certainly out of reach: a task without operators that says so."""
    pruned = prune(task, tick)
    return unsolvable() if pruned is None else Encoding(task, pruned).encode()


class Pruned:
    """What pruning relied on.

    Attributes: `possible`, the literals that can hold; `groups`, the mutex groups. A state in which no other literal
    holds, and which has at most (exactly) one fact of each (exact) group, has only such successors, so to it the
    pruned task means what the whole task means.
    """

    __slots__ = ("groups", "possible")

    def __init__(self, possible: set[int], groups: list[MutexGroup]) -> None:
        self.possible = possible
        self.groups = groups


def prune(task: GroundTask, tick: Callable[[], None]) -> Pruned | None:
    """Reduce a task to what can happen and matters. None if the goal is certainly out of reach."""
    possible = simplify(task)
    if task.goal is None:
        return None
    relevant = prune_irrelevant(task)
    groups = find_groups(task, tick)
    if _reduce(task, MutexIndex(groups)):
        still = simplify(task)  # which knows nothing any more of facts that were irrelevant or certain before
        possible = {x for x in possible if x in still or (x if x >= 0 else ~x) not in relevant}
    if task.goal is None:
        return None
    prune_irrelevant(task)
    return Pruned(possible, groups)


def unsolvable() -> FDRTask:
    """A task whose goal is false and which no operator changes."""
    return FDRTask([Variable((None, None))], [0], [(0, 1)], [])


def _reduce(task: GroundTask, index: MutexIndex) -> bool:
    """Drop what the groups exclude and literals that they imply; tells whether anything was excluded."""
    excluded = 0
    operators = []
    for operator in task.operators:
        reduced = _reduced(operator, index)
        excluded += len(operator.effects) - (len(reduced.effects) if reduced else 0)
        if reduced:
            operators.append(reduced)
    axioms = [(head, body) for head, whole in task.axioms if (body := index.reduced(whole)) is not None]
    excluded += len(task.axioms) - len(axioms)
    task.operators, task.axioms = operators, axioms
    task.goal = None if task.goal is None else index.reduced(task.goal)
    return excluded > 0


def _reduced(operator: GroundOperator, index: MutexIndex) -> GroundOperator | None:
    precondition = index.reduced(operator.precondition)
    if precondition is None:
        return None
    effects = []
    for effect in operator.effects:
        condition = index.reduced(effect.condition, precondition)
        if condition is not None and not any(~literal in precondition for literal in condition):
            condition = tuple([literal for literal in condition if literal not in precondition])
            effects.append(GroundEffect(condition, effect.fact, effect.add))
    return GroundOperator(operator.name, operator.arguments, precondition, tuple(effects), operator.cost)


class Encoding:
    """The choice of variables for a pruned task.

    Attributes: `place` tells of each fact in use the variable and the value that make it true; `none`, of a variable,
    the value for "none of these", where there is one.
    """

    def __init__(self, task: GroundTask, pruned: Pruned) -> None:
        self.task = task
        self.variables: list[Variable] = []
        self.place: dict[int, Fact] = {}  # fact → (variable, value that makes it true)
        self.elsewhere: dict[int, list[int]] = {}  # fact → variables of its groups in which it is "none of these"
        self.none: dict[int, int] = {}  # variable → the value "none of these"
        self.tested_false = self._tested_false()
        used = self._used()
        self.groups = [self._possible(group, pruned) for group in pruned.groups]
        self._choose(self.groups, used)
        for fact in sorted(used):
            if fact not in self.place:
                self.place[fact] = (len(self.variables), 1)
                self.variables.append(Variable((None, self._atom(fact)), task.layers.get(fact, -1)))

    def _possible(self, group: MutexGroup, pruned: Pruned) -> MutexGroup:
        return MutexGroup(tuple([fact for fact in group.facts if fact in pruned.possible]), group.exact)

    def _literals(self) -> Iterable[int]:
        assert self.task.goal is not None
        yield from self.task.goal
        yield from self.task.kept
        for operator in self.task.operators:
            yield from operator.precondition
            for effect in operator.effects:
                yield from effect.condition
        for _, body in self.task.axioms:
            yield from body

    def _tested_false(self) -> set[int]:
        return {~literal for literal in self._literals() if literal < 0}

    def _used(self) -> set[int]:
        """All facts but those that nothing changes or tests."""
        facts = {literal if literal >= 0 else ~literal for literal in self._literals()}
        facts.update(effect.fact for operator in self.task.operators for effect in operator.effects)
        facts.update(head for head, _ in self.task.axioms)
        return facts

    def _atom(self, fact: int) -> Atom:
        predicate, *arguments = self.task.facts[fact]
        return Atom(predicate, tuple(arguments))

    def _choose(self, groups: list[MutexGroup], used: set[int]) -> None:
        open_facts = {fact for fact in used if fact not in self.tested_false and fact not in self.task.layers}
        remaining = [(group, [fact for fact in group.facts if fact in open_facts]) for group in groups]
        while True:
            remaining = [(group, left) for group, facts in remaining if len(left := self._left(facts)) > 1]
            if not remaining:
                return
            group, facts = max(remaining, key=lambda pair: (len(pair[1]), self._uniform(pair[1])))
            self._add_variable(group, facts)

    def _left(self, facts: list[int]) -> list[int]:
        return [fact for fact in facts if fact not in self.place]

    def _uniform(self, facts: list[int]) -> bool:
        return len({self.task.facts[fact][0] for fact in facts}) == 1

    def _add_variable(self, group: MutexGroup, facts: list[int]) -> None:
        number = len(self.variables)
        values: list[Atom | None] = []
        for fact in facts:
            self.place[fact] = (number, len(values))
            values.append(self._atom(fact))
        if not group.exact or len(facts) < len(group.facts):
            self.none[number] = len(values)
            values.append(None)
            for fact in group.facts:
                if fact not in facts:
                    self.elsewhere.setdefault(fact, []).append(number)
        self.variables.append(Variable(values))

    # Operators -------------------------------------------------------------------------------------------------------

    def fact(self, literal: int) -> Fact:
        """The (variable, value) that a literal tests for."""
        variable, value = self.place[literal if literal >= 0 else ~literal]
        return (variable, value) if literal >= 0 else (variable, 1 - value)

    def facts(self, literals: Conjunction) -> tuple[Fact, ...]:
        return tuple(sorted({self.fact(literal) for literal in literals}))

    def initial(self, start: int) -> list[int]:
        """The values of the variables in one of the starts, by its number."""
        values = [self.none.get(number, 0) for number in range(len(self.variables))]
        for fact, starts in self.task.initial.items():
            if fact in self.place and starts >> start & 1:
                variable, value = self.place[fact]
                values[variable] = value
        return values

    def encode(self) -> FDRTask:
        initial = self.initial(0)
        assert self.task.goal is not None
        operators = [self._operator(ground) for ground in self.task.operators]
        if not self.task.faithful:
            operators = _distinct(operators)
        axioms = [Rule(self.place[head][0], self.facts(body)) for head, body in self.task.axioms]
        goal = self.facts(self.task.goal)
        return FDRTask(self.variables, initial, goal, operators, axioms, self._mutexes())

    def _mutexes(self) -> list[tuple[Fact, ...]]:
        """The groups that say more than that a variable has one value."""
        groups = [sorted(self.place[fact] for fact in group.facts if fact in self.place) for group in self.groups]
        return [tuple(group) for group in groups if len({variable for variable, _ in group}) > 1]

    def _operator(self, ground: GroundOperator) -> Operator:
        precondition = self.facts(ground.precondition)
        given = set(precondition)
        effects: dict[tuple[tuple[Fact, ...], int, int], None] = {}
        for effect in ground.effects:  # deletes before adds: the later one wins
            if not effect.add:
                for key in self._delete(effect, ground, given):
                    effects[key] = None
        for effect in ground.effects:
            if effect.add:
                for key in self._add(effect):
                    if not key[0]:  # unconditional: earlier effects on the variable are overwritten
                        effects = {other: None for other in effects if other[1] != key[1]}
                    effects.pop(key, None)
                    effects[key] = None
        kept = [
            Effect(conditions, variable, value)
            for conditions, variable, value in effects
            if not self._idle(variable, value, given, effects)
        ]
        action = GroundAction(ground.name, ground.arguments)
        return Operator(action, precondition, kept, ground.cost)

    def _add(self, effect: GroundEffect) -> Iterable[tuple[tuple[Fact, ...], int, int]]:
        conditions = self.facts(effect.condition)
        variable, value = self.place[effect.fact]
        yield conditions, variable, value
        for other in self.elsewhere.get(effect.fact, ()):
            yield conditions, other, self.none[other]

    def _delete(
        self, effect: GroundEffect, ground: GroundOperator, given: set[Fact]
    ) -> Iterable[tuple[tuple[Fact, ...], int, int]]:
        variable, value = self.place[effect.fact]
        conditions = self.facts(effect.condition)
        if variable not in self.none:
            if len(self.variables[variable].values) == 2 and self.variables[variable].values[0] is None:
                yield conditions, variable, 0
            return  # a variable of an exact group: what is added instead says the new value
        if (variable, value) not in given and (variable, value) not in conditions:
            conditions = tuple(sorted((*conditions, (variable, value))))
        yield conditions, variable, self.none[variable]

    def _idle(
        self, variable: int, value: int, given: set[Fact], effects: dict[tuple[tuple[Fact, ...], int, int], None]
    ) -> bool:
        """Whether an effect sets what the precondition has already, and no other effect interferes."""
        return (variable, value) in given and all(v != variable or x == value for _, v, x in effects)


def _distinct(operators: list[Operator]) -> list[Operator]:
    """Without those that do nothing; of those that do the same, the cheapest."""
    kept: dict[object, Operator] = {}
    for operator in operators:
        if operator.effects:
            key = (operator.precondition, tuple((e.conditions, e.variable, e.value) for e in operator.effects))
            if key not in kept or kept[key].cost > operator.cost:
                kept[key] = operator
    return list(kept.values())
