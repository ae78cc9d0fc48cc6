"""Compiled semantics: states are ints with one bit per atom, which is faster than `Semantics` for many states.

    states = CompiledSemantics(semantics)
    state = states.initial                            a Python int, a bit for each fluent atom that is true
    for operator in states.applicable(state):
        successor = states.successor(state, operator)

`pddl.semantics` is the definition; this module computes the same on ground atoms. It imports no planner, and the tests
compare the two in every reachable state of random tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from math import prod
from operator import or_

from unpuzzle.base.run import within_limits
from unpuzzle.pddl.formulas import conjuncts, walk
from unpuzzle.pddl.nodes import Action, And, Atom, Condition, Effect, Forall, GroundAction, Imply, Not, Or, When
from unpuzzle.pddl.query import Query
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import Costs, FactTable, Types, World, fact_tables

MOST_INSTANCES = 100_000
"""Of a schema with about as many ground actions, or more, the reference computes the applicable ones in each state."""
EXPANDED = 2_000
"""A quantifier with more assignments is left to the reference in each state; it may stop at the first that decides."""
_KEPT = 50_000
"""The number of cached combinations of atoms."""

Test = Callable[[int], bool]
Formula = tuple[int, int, tuple[Test, ...]]
"""A ground condition whose static atoms are already evaluated; a condition that is false in all states is None.

    (and (at ?x) (not (shut ?x)) (or (light) (key ?x)))      with ?x = hall

    positive     the bit of (at hall)            must all be set
    negative     the bit of (shut hall)          none may be set
    tests        [one of (light), (key hall)]    functions of the state, for everything but plain literals
"""
Change = tuple[Formula, int, bool]  # condition, atom, whether it is added
MakeAtom = Callable[..., Atom]

TRUE: Formula = (0, 0, ())


class Numbering:
    """A table that assigns a bit to each fluent and derived atom of a task.

    An atom gets the next bit when it first occurs. `make` makes an atom from a predicate and arguments; if it returns
    the same node for the same words, comparing sets of atoms is faster.
    """

    def __init__(self, make: MakeAtom | None = None) -> None:
        self._make = make or (lambda predicate, *arguments: Atom(predicate, arguments))
        self._bits: dict[tuple[str, tuple[str, ...]], int] = {}
        self._atoms: list[Atom] = []
        self.masks: dict[str, int] = {}
        """The bits of all atoms of a predicate."""

    def bit(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Return an int in which only the bit of an atom is set; the atom gets a new bit if it has none."""
        key = predicate, arguments
        bit = self._bits.get(key)
        if bit is None:
            bit = self._bits[key] = 1 << len(self._atoms)
            self._atoms.append(self._make(predicate, *arguments))
            self.masks[predicate] = self.masks.get(predicate, 0) | bit
        return bit

    def ground(self, atom: Atom, binding: Mapping[str, str]) -> int:
        """Return the bit of an atom whose variables are replaced by the objects in `binding`."""
        return self.bit(atom.predicate, tuple([binding.get(term, term) for term in atom.arguments]))

    def state(self, atoms: Iterable[Atom]) -> int:
        """Return an int in which the bits of the given atoms are set."""
        state = 0
        for atom in atoms:
            state |= self.bit(atom.predicate, atom.arguments)
        return state

    def atoms(self, state: int) -> frozenset[Atom]:
        return frozenset([self._atoms[bit.bit_length() - 1] for bit in bits(state)])

    def mask(self, predicates: Iterable[str]) -> int:
        """Return an int in which the bits of all numbered atoms of the given predicates are set."""
        return reduce(or_, [self.masks.get(predicate, 0) for predicate in predicates], 0)


def bits(state: int) -> list[int]:
    """Split an int into its set bits: return a list of ints with one set bit each, the lowest bit first."""
    single = []
    while state:
        low = state & -state
        single.append(low)
        state ^= low
    return single


class Formulas:
    """A compiler of PDDL conditions to formulas on bits; its function `world` converts a state to a `World`."""

    def __init__(
        self,
        types: Types,
        statics: Mapping[str, FactTable],
        fluents: frozenset[str],
        numbering: Numbering,
        world: Callable[[int], World],
    ) -> None:
        self.types: Types = types
        self.numbering: Numbering = numbering
        self._statics = statics
        self._fluents = fluents
        self._world = world

    def of(self, condition: Condition, binding: Mapping[str, str], positive: bool = True) -> Formula | None:
        """Compile a condition to a formula on bits; if `positive` is False, compile the negation of the condition."""
        if isinstance(condition, Atom):
            return self._literal(condition, binding, positive)
        if isinstance(condition, Not):
            return self.of(condition.operand, binding, not positive)
        if isinstance(condition, Imply):
            parts = ((condition.premise, not positive), (condition.conclusion, positive))
            formulas = (self.of(part, binding, sign) for part, sign in parts)
            return any_of(formulas) if positive else all_of(formulas)
        if isinstance(condition, And | Or):
            formulas = (self.of(operand, binding, positive) for operand in condition.operands)
            return all_of(formulas) if isinstance(condition, And) == positive else any_of(formulas)
        if prod(len(self.types.members(parameter.types)) for parameter in condition.parameters) > EXPANDED:
            outer = dict(binding)
            return 0, 0, (lambda state: self._world(state).holds(condition, outer) == positive,)
        assignments = self.types.assignments(condition.parameters, binding)
        formulas = (self.of(condition.body, inner, positive) for inner in assignments)
        return all_of(formulas) if isinstance(condition, Forall) == positive else any_of(formulas)

    def _literal(self, atom: Atom, binding: Mapping[str, str], positive: bool) -> Formula | None:
        """Compile an atom, or its negation if `positive` is False; a static atom becomes true or false."""
        if atom.predicate in self._fluents:
            bit = self.numbering.ground(atom, binding)
            return (bit, 0, ()) if positive else (0, bit, ())
        arguments = tuple([binding.get(term, term) for term in atom.arguments])
        if atom.predicate == "=":
            true = arguments[0] == arguments[1]
        else:
            facts = self._statics.get(atom.predicate)
            true = facts is not None and arguments in facts.tuples
        return TRUE if true == positive else None


def all_of(formulas: Iterable[Formula | None]) -> Formula | None:
    """Return the conjunction of formulas; None, which stands for false, if they contradict each other."""
    positive = negative = 0
    tests: tuple[Test, ...] = ()
    for formula in formulas:
        if formula is None:
            return None
        positive |= formula[0]
        negative |= formula[1]
        tests += formula[2]
    return None if positive & negative else (positive, negative, tests)


def any_of(formulas: Iterable[Formula | None]) -> Formula | None:
    """Return the disjunction of formulas; None stands for a false formula."""
    alternatives: list[Formula] = []
    for formula in formulas:
        if formula == TRUE:
            return TRUE
        if formula is not None:
            alternatives.append(formula)
    if len(alternatives) < 2:
        return alternatives[0] if alternatives else None
    return 0, 0, (lambda state: any(holds(alternative, state) for alternative in alternatives),)


def holds(formula: Formula | None, state: int) -> bool:
    if formula is None:
        return False
    positive, negative, tests = formula
    return state & positive == positive and not state & negative and all(test(state) for test in tests)


class Operator:
    """A ground action whose static preconditions hold; `prepare` computes its effects when they are first needed.

    `key` orders operators as in the reference semantics: by schemas, then by objects.
    """

    __slots__ = ("action", "adds", "binding", "conditional", "deletes", "key", "schema")

    def __init__(self, schema: Action, arguments: tuple[str, ...], key: tuple[int, ...]) -> None:
        self.schema: Action = schema
        self.key: tuple[int, ...] = key
        self.action: GroundAction = GroundAction(schema.name, arguments)
        self.binding: Mapping[str, str] = schema.binding(arguments)
        self.adds: int = 0
        self.deletes: int = 0
        self.conditional: list[Change] | None = None  # until the effects are needed

    def __str__(self) -> str:
        return str(self.action)

    def __repr__(self) -> str:
        return f"Operator({self.action})"


def prepare(operator: Operator, formulas: Formulas) -> list[Change]:
    """Store an operator's unconditional effects as bits, and return its conditional effects."""
    conditional: list[Change] = []
    for change in _changes(operator.schema.effect, operator.binding, TRUE, formulas):
        condition, bit, added = change
        if condition != TRUE:
            conditional.append(change)
        elif added:
            operator.adds |= bit
        else:
            operator.deletes |= bit
    operator.conditional = conditional
    return conditional


def _changes(effect: Effect, binding: Mapping[str, str], condition: Formula, formulas: Formulas) -> Iterator[Change]:
    """Yield each change that an effect may cause: the condition, the atom's bit, and whether the atom is added."""
    if isinstance(effect, Atom):
        yield condition, formulas.numbering.ground(effect, binding), True
    elif isinstance(effect, Not):
        assert isinstance(effect.operand, Atom), "an effect can only negate an atom"
        yield condition, formulas.numbering.ground(effect.operand, binding), False
    elif isinstance(effect, And):
        for operand in effect.operands:
            yield from _changes(operand, binding, condition, formulas)
    elif isinstance(effect, When):
        both = all_of((condition, formulas.of(effect.condition, binding)))
        if both is not None:
            yield from _changes(effect.effect, binding, both, formulas)
    elif isinstance(effect, Forall):
        for inner in formulas.types.assignments(effect.parameters, binding):
            yield from _changes(effect.body, inner, condition, formulas)


def changed(conditional: list[Change], state: int) -> tuple[int, int]:
    """Return the bits that conditional effects add and those that they delete; `state` must include derived atoms."""
    adds = deletes = 0
    for condition, bit, added in conditional:
        if holds(condition, state):
            if added:
                adds |= bit
            else:
                deletes |= bit
    return adds, deletes


def instances(
    schema: Action, types: Types, world: World, start: Mapping[str, FactTable], static: Callable[[str], bool]
) -> list[tuple[str, ...]]:
    """Return the argument tuples for which the static preconditions of an action schema are true in a world."""
    parts = tuple([part for part in conjuncts(schema.precondition) if all(map(static, predicates(part)))])
    answers = Query(schema.parameters, And(parts), types, start).answers(world)
    return sorted(answers, key=lambda arguments: [types.order[name] for name in arguments])


def predicates(condition: Condition) -> Iterator[str]:
    return (part.predicate for part in walk(condition) if isinstance(part, Atom))


def expected(schema: Action, types: Types, statics: Mapping[str, FactTable], fluents: Collection[str]) -> float:
    """Estimate how many ground actions of a schema satisfy the schema's static preconditions."""
    unbound = {name: float(len(objects)) for name, objects in types.domains(schema.parameters).items()}
    atoms = [part for part in conjuncts(schema.precondition) if isinstance(part, Atom)]
    atoms = [atom for atom in atoms if atom.predicate != "=" and atom.predicate not in fluents]
    if not all(atom.predicate in statics for atom in atoms):
        return 0.0
    number = 1.0
    while unbound:
        variable = min(unbound, key=lambda name: unbound[name])
        choices = [(unbound[variable], {variable})]
        for atom in atoms:
            if new := unbound.keys() & atom.arguments:
                bound = tuple([place for place, term in enumerate(atom.arguments) if term not in unbound])
                choices.append((statics[atom.predicate].expected(bound), new))
        factor, names = min(choices, key=lambda choice: choice[0])
        number *= factor
        for name in names:
            del unbound[name]
    return number


class CompiledSemantics:
    """The semantics of a task, with ints as states; the function `make_atom` creates the atoms of the method `atoms`.

    Derived atoms have bits, too, which are not part of a state: they are added to test conditions, and computed by the
    reference once for each combination of the fluents in axioms.
    """

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
        """List the ground actions of all schemas, except schemas that have too many ground actions."""
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
        """Add the ground actions of a schema, if their static preconditions hold, to the index of operators."""
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
        """Return the state in which the given fluent atoms are true and all other fluent atoms are false."""
        return self._numbering.state(atoms)

    def atoms(self, state: int) -> frozenset[Atom]:
        """Return the fluent atoms that are true in a state."""
        return self._numbering.atoms(state)

    def operator(self, action: GroundAction) -> Operator:
        """Return the operator of a ground action. Raises ParseError if the task does not have this action."""
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
        """Return one bool for each conjunct of the goal: whether the conjunct is true in a state."""
        if self._parts is None:
            parts = conjuncts(self._semantics.task.problem.goal)
            self._parts = tuple([self._formulas.of(part, {}) for part in parts])
        whole = self._with_derived(state)
        return tuple([holds(part, whole) for part in self._parts])

    def applicable(self, state: int) -> tuple[Operator, ...]:
        """Return the operators that are applicable in a state, ordered by schema and then by objects.

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
        """Return the applicable operators of a schema that has too many ground actions to list them."""
        operators = []
        for arguments in within_limits(query.answers(world)):
            self._costs.require(schema, arguments)
            operator = self._operator(number, schema, arguments)
            operators.append(self._made.setdefault(operator.key, operator))
        return operators

    def successor(self, state: int, operator: Operator) -> int:
        """Return the state after an operator is applied; the operator must be applicable."""
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
        """Return a state with the bits of the derived atoms that are true in it."""
        if not self._derived:
            return state
        read = state & self._numbering.mask(self._read_by_axioms)
        derived = self._complete.get(read)
        if derived is None:
            derived = self._complete[read] = self._numbering.state(self._semantics.derived(self.atoms(state)))
        return state | derived

    def _world(self, state: int) -> World:
        """Convert a state, including its derived atoms, to a `World` of the reference semantics."""
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


class Remaining:
    """The operators that may be applicable in a state, each with the preconditions that must still be tested.

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
        """Test the remaining preconditions in a state; return the applicable operators."""
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
    """An index of a task's operators: each is listed under one atom of its precondition, called the watched atom."""

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
        """Store the operators of one schema in the index; only atoms with predicates in `fluents` can be watched."""
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
        """Estimate how many operators must be tested in each state if the atoms `watched` are watched."""
        distinct = set(watched)
        true = sum(bool(self._initial & bit) for bit in distinct)
        return len(watched) * max(true, 1) / len(distinct), true

    def applicable(self, state: int) -> tuple[Operator, ...]:
        """Return the operators that are applicable in a state, ordered by schema and then by objects."""
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
        """Record that the cache has one more entry, and empty the cache if it is full."""
        self._room -= 1
        if self._room <= 0:
            self._remaining.clear()
            self._room = _KEPT

    def _candidates(self, watched: int) -> list[Candidate]:
        """List the operators that may be applicable if, of all watched atoms, only those in `watched` are true."""
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
