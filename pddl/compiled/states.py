"""CompiledSemantics: the results of `Semantics` for states that are integers.

A state has a bit for each fluent atom that is true. Derived atoms have bits, too, which are not part of the state: they
are added to test conditions, and computed by the reference once for each combination of the fluents in axioms.

The ground actions are listed at the first call of `applicable`. A schema with more than about `MOST_INSTANCES` of them
is not instantiated: the reference computes its applicable instances in each state. The answers are the same, at the
speed of the reference.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from unpuzzle.base.run import within_limits
from unpuzzle.pddl.compiled.formulas import Formula, Formulas, MakeAtom, Numbering, Test, bits, holds
from unpuzzle.pddl.compiled.operators import Operator, changed, expected, instances, predicates, prepare
from unpuzzle.pddl.costs import Costs
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import Action, Atom, GroundAction
from unpuzzle.pddl.query import Query
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import World, fact_tables

MOST_INSTANCES = 100_000


class CompiledSemantics:
    """The semantics of a task on integers; `initial` is the initial state; for `make_atom` see `Numbering`."""

    def __init__(self, semantics: Semantics, make_atom: MakeAtom | None = None) -> None:
        task, self._types = semantics.task, semantics.types
        self._semantics = semantics
        self._derived = semantics.derived_predicates
        self._fluents = semantics.fluent_predicates | self._derived
        self._numbering = Numbering(make_atom)
        self.initial: int = self._numbering.state(semantics.fluents(semantics.initial))
        self._start = fact_tables(task.problem.init)
        self._statics = {name: facts for name, facts in self._start.items() if name not in self._fluents}
        self._formulas = Formulas(self._types, self._statics, self._fluents, self._numbering, self._world)
        self._costs = Costs(task)
        self._cost: dict[Operator, int] = {}
        self._complete: dict[int, int] = {}
        self._read_by_axioms = {name for axiom in task.domain.axioms for name in predicates(axiom.body)}
        self._watching = Watching(self._formulas, self.initial)
        self._asked: list[tuple[int, Action, Query]] = []
        self._costless: set[Operator] = set()
        self._made: dict[tuple[int, ...], Operator] = {}
        self._schemas: dict[str, int] = {schema.name: number for number, schema in enumerate(task.domain.actions)}
        self._listed = False
        self._goal = self._formulas.of(task.problem.goal, {})
        self._parts: tuple[Formula | None, ...] | None = None

    def _list_operators(self) -> None:
        """List the ground actions of schemas with few instances; after an interruption, the next call starts again."""
        self._watching = Watching(self._formulas, self.initial)
        self._asked.clear()
        for number, schema in enumerate(self._semantics.task.domain.actions):
            if expected(schema, self._types, self._statics, self._fluents) > MOST_INSTANCES:
                query = Query(schema.parameters, schema.precondition, self._types, self._start)
                self._asked.append((number, schema, query))
            else:
                self._add_instances(number, schema)
        self._listed = True

    def _add_instances(self, number: int, schema: Action) -> None:
        world = World(self._types, self._statics, ())
        rows = instances(schema, self._types, world, self._start, lambda name: name not in self._fluents)
        operators = [self._operator(number, schema, arguments) for arguments in within_limits(rows)]
        self._costless.update(
            [operator for operator in operators if self._costs.missing(schema, operator.binding) is not None]
        )
        self._watching.add(operators, self._fluents)

    def _operator(self, number: int, schema: Action, arguments: tuple[str, ...]) -> Operator:
        order = self._types.order
        return Operator(schema, arguments, (number, *[order[name] for name in arguments]))

    def state(self, atoms: Iterable[Atom]) -> int:
        """Return the state in which exactly these fluent atoms are true."""
        return self._numbering.state(atoms)

    def atoms(self, state: int) -> frozenset[Atom]:
        """Return the fluent atoms that are true in a state."""
        return self._numbering.atoms(state)

    def operator(self, action: GroundAction) -> Operator:
        """Return an action's operator, without listing others. Raises ParseError if there is none."""
        schema, _ = self._semantics.schema(action)
        return self._operator(self._schemas[schema.name], schema, action.arguments)

    def allows(self, state: int, operator: Operator) -> bool:
        """Return whether an operator is applicable in a state. Raises ParseError if an applicable one has no cost."""
        if not holds(self._watching.condition(operator), self._with_derived(state)):
            return False
        self._costs.require(operator.schema, operator.action.arguments)
        return True

    def solved(self, state: int) -> bool:
        """Return whether the goal is true in a state."""
        return holds(self._goal, self._with_derived(state))

    def reached(self, state: int) -> tuple[bool, ...]:
        """Return, for each conjunct of the goal, whether the conjunct is true in a state."""
        if self._parts is None:
            parts = conjuncts(self._semantics.task.problem.goal)
            self._parts = tuple([self._formulas.of(part, {}) for part in parts])
        whole = self._with_derived(state)
        return tuple([holds(part, whole) for part in self._parts])

    def applicable(self, state: int) -> tuple[Operator, ...]:
        """Return the applicable operators, in the order of the schemas, then of the objects.

        Raises ParseError if one of them has no cost.
        """
        if not self._listed:
            self._list_operators()
        state = self._with_derived(state)
        operators = self._watching.applicable(state)
        for operator in self._costless.intersection(operators) if self._costless else ():
            self._costs.require(operator.schema, operator.action.arguments)
        if not self._asked:
            return operators
        world = self._world(state)
        others = [each for asked in self._asked for each in self._answers(*asked, world)]
        return tuple(sorted([*operators, *others], key=lambda operator: operator.key))

    def _answers(self, number: int, schema: Action, query: Query, world: World) -> list[Operator]:
        """Return the applicable instances of an unlisted schema, computed by the reference semantics."""
        operators = []
        for arguments in within_limits(query.answers(world)):
            self._costs.require(schema, arguments)
            operator = self._operator(number, schema, arguments)
            operators.append(self._made.setdefault(operator.key, operator))
        return operators

    def successor(self, state: int, operator: Operator) -> int:
        """Return the state after an operator, which must be applicable."""
        conditional = operator.conditional
        if conditional is None:
            conditional = prepare(operator, self._formulas)
        if not conditional:
            return state & ~operator.deletes | operator.adds
        adds, deletes = changed(conditional, self._with_derived(state))
        return state & ~(operator.deletes | deletes) | operator.adds | adds

    def cost(self, operator: Operator) -> int:
        """Return the cost of an operator. Raises UnsupportedFeature if the cost is negative."""
        cost = self._cost.get(operator)
        if cost is None:
            cost = self._cost[operator] = self._semantics.cost(operator.action)
        return cost

    def _with_derived(self, state: int) -> int:
        if not self._derived:
            return state
        read = state & self._numbering.mask(self._read_by_axioms)
        derived = self._complete.get(read)
        if derived is None:
            derived = self._complete[read] = self._numbering.state(self._semantics.derived(self.atoms(state)))
        return state | derived

    def _world(self, state: int) -> World:
        """Return the world of a state with its derived atoms, for the reference semantics."""
        return World(self._types, self._statics, self._numbering.atoms(state))


# Choosing the operators to test in a state: each watches one atom of its precondition.
#
#     (move a b) watches (at a)      (move b c), (move b a) watch (at b)      (wait) watches nothing
#
# In a state where (at b) is true and (at a) is false, only (move b c), (move b a) and (wait) are tested. A schema's
# instances all watch the same conjunct: the one with the fewest expected tests in a state.
#
# Two things are cached: the operators to test, by the true watched atoms (few combinations if these are the place of a
# single player); and the applicable operators among them, by the true atoms of their preconditions.

Candidate = tuple[int, int, tuple[Test, ...], Operator]

_KEPT = 50_000
"""The number of cached combinations of atoms."""


class Remaining:
    """The operators to test while the same watched atoms are true, with the remaining preconditions.

    `read` are the atoms that decide which operators are applicable, or None if a precondition tests more than atoms.
    """

    __slots__ = ("applicable", "candidates", "read")

    def __init__(self, candidates: list[Candidate]) -> None:
        self.candidates: list[Candidate] = candidates
        self.applicable: dict[int, tuple[Operator, ...]] = {}
        self.read: int | None = 0
        for positive, negative, tests, _ in candidates:
            self.read = None if tests or self.read is None else self.read | positive | negative

    def tested(self, state: int) -> tuple[Operator, ...]:
        """Return the operators that are applicable in a state."""
        return tuple(
            [
                operator
                for positive, negative, tests, operator in self.candidates
                if state & positive == positive
                and not state & negative
                and (not tests or all(test(state) for test in tests))
            ]
        )


class Watching:
    """The operators of a task, indexed by the atoms that each operator watches."""

    def __init__(self, formulas: Formulas, initial: int) -> None:
        self._formulas = formulas
        self._initial = initial
        self._watched = 0
        self._always: list[Operator] = []
        self._by_bit: dict[int, list[Operator]] = {}
        self._conditions: dict[Operator, Formula | None] = {}
        self._remaining: dict[int, Remaining] = {}
        self._room = _KEPT

    def add(self, operators: Sequence[Operator], fluents: Collection[str]) -> None:
        """Add the instances of one schema; only atoms of the predicates in `fluents` may be watched."""
        if not operators:
            return
        parts = conjuncts(operators[0].schema.precondition)
        literals = [part for part in parts if isinstance(part, Atom) and part.predicate in fluents]
        ground = self._formulas.numbering.ground
        watched = [[ground(literal, operator.binding) for operator in within_limits(operators)] for literal in literals]
        if not watched:
            self._always.extend(operators)
            return
        cheapest = min(watched, key=self._cost)
        for operator, bit in within_limits(zip(operators, cheapest, strict=True)):
            self._by_bit.setdefault(bit, []).append(operator)
            self._watched |= bit

    def _cost(self, watched: Collection[int]) -> tuple[float, int]:
        """Estimate, from the initial state, how many operators are tested and how many watched atoms are true."""
        distinct = set(watched)
        true = sum(bool(self._initial & bit) for bit in distinct)
        return len(watched) * max(true, 1) / len(distinct), true

    def applicable(self, state: int) -> tuple[Operator, ...]:
        """Return the operators that are applicable in a state, in the order of their keys."""
        remaining = self.remaining(state)
        if remaining.read is None:
            return remaining.tested(state)
        read = state & remaining.read
        operators = remaining.applicable.get(read)
        if operators is None:
            operators = remaining.applicable[read] = remaining.tested(state)
            self._count()
        return operators

    def remaining(self, state: int) -> Remaining:
        watched = state & self._watched
        remaining = self._remaining.get(watched)
        if remaining is None:
            remaining = self._remaining[watched] = Remaining(self._candidates(watched))
            self._count()
        return remaining

    def _count(self) -> None:
        """Count a new entry of the cache, and clear the cache when it is full."""
        self._room -= 1
        if self._room <= 0:
            self._remaining.clear()
            self._room = _KEPT

    def _candidates(self, watched: int) -> list[Candidate]:
        candidates: list[Candidate] = []
        for operators in (self._always, *(self._by_bit[bit] for bit in bits(watched))):
            for operator in within_limits(operators):
                if (condition := self.condition(operator)) is None:
                    continue
                positive, negative, tests = condition
                if positive & self._watched & ~watched or negative & watched:
                    continue
                candidates.append((positive & ~watched, negative & ~self._watched, tests, operator))
        candidates.sort(key=lambda candidate: candidate[3].key)
        return candidates

    def condition(self, operator: Operator) -> Formula | None:
        if operator not in self._conditions:
            self._conditions[operator] = self._formulas.of(operator.schema.precondition, operator.binding)
        return self._conditions[operator]
