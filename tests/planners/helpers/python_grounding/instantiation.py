"""From a PDDL task to ground operators and axioms over propositional facts.

    schemas ──joins──► reachable facts, instances of actions, effects and axioms
            ──test the whole condition, facts known──► ground formulas ──► operators, rules
                                                              (formulas.py)      (ground_task.py)

Quantifiers have become conjunctions and disjunctions over objects by then, so a `forall` costs no axiom. What remains
of a disjunction splits an operator if that gives few copies; otherwise it becomes a derived fact of its own.

Facts are numbered, and instances taken, in the order of the text: by predicate or schema, then by the places of the
objects among all objects. So the result does not depend on the order in which joins find things.
"""

from __future__ import annotations

from unpuzzle.errors import ParseError, UnsupportedFeature
from unpuzzle.pddl.nodes import And, Atom, Exists, Forall, Imply, Increase, Not, Or
from unpuzzle.planners.native.grounding.flatten import stratify

from .conditions import FreshNames, LiteralEffect, alternatives, amount, flatten, mentioned, named, product, visible
from .formulas import AND, OR, disjuncts, join
from .ground_task import GroundEffect, GroundOperator, GroundTask
from .joins import Program, Rule
from .names import binding_in, objects_by_type, pattern_of, predicate_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence, Set

    from unpuzzle.pddl.nodes import Action, Axiom, Condition, Task, TypedName

    from .conditions import NamedAtom, Scope
    from .formulas import Conjunction, Formula
    from .joins import Fact

MOST_COST = 2**31 - 1

MOST_COPIES = 8
"""An operator is split into at most this many copies by its disjunctions."""


class _Schema:
    """An action or axiom on its way: where its instances are collected."""

    __slots__ = ("arguments", "effects", "increases", "instances", "parameters", "scope")

    def __init__(self, parameters: tuple[TypedName, ...]) -> None:
        # A repeated parameter is one variable, both of whose types must hold (as in Fast Downward).
        self.parameters = parameters
        self.arguments = tuple(parameter.name for parameter in parameters)
        self.scope: Scope = {parameter.name: parameter.name for parameter in parameters}
        self.instances: list[Fact] = []
        self.effects: list[tuple[LiteralEffect, dict[Fact, list[Fact]]]] = []
        self.increases: list[Increase] = []


class Instantiation:
    """One run of grounding; `ground()` is the way in."""

    def __init__(
        self,
        task: Task,
        tick: Callable[[], None],
        varying: frozenset[str] = frozenset(),
        faithful: bool = False,
    ) -> None:
        self.domain, self.problem = task.domain, task.problem
        self.tick = tick
        self.fresh = FreshNames()
        self.program = Program(tick)
        self.derived = {axiom.head.name for axiom in self.domain.axioms}
        self.actions = [self._schema(action) for action in self.domain.actions]
        literals = [effect for schema in self.actions for effect, _ in schema.effects]
        self.fluent = self.derived | {effect.atom.predicate for effect in literals} | varying
        self.deleted = {effect.atom.predicate for effect in literals if not effect.add}
        self.objects = objects_by_type(task)
        self.order = {name: place for place, name in enumerate(self.objects["object"])}
        self.values = {(value.term.function, *value.term.arguments): value.number for value in self.problem.values}
        self.numbers: dict[Fact, int] = {}
        self.task = GroundTask()
        self.task.faithful = faithful
        self.auxiliary: dict[Formula, int] = {}

    def _schema(self, action: Action) -> _Schema:
        schema = _Schema(action.parameters)
        for effect in flatten(action.effect, schema.scope, self.fresh):
            if isinstance(effect, Increase):
                schema.increases.append(effect)
            else:
                schema.effects.append((effect, {}))
        return schema

    def static(self, predicate: str) -> bool:
        return predicate not in self.fluent and not predicate.startswith("@")

    def ground(self, starts: Sequence[frozenset[Atom]] = ()) -> GroundTask:
        """All operators and axioms that can be reached from the task's initial state, or from any of `starts`.

        Starts need not contain static atoms.
        """
        layers = stratify(self.domain)
        true = self._true_at(starts)
        initial = list(true)
        for fact in initial:
            if self.static(fact[0]):
                self.program.add_static(fact)
        axioms = [_Schema(axiom.head.parameters) for axiom in self.domain.axioms]
        self._add_rules(axioms)
        for fact in initial:
            self.program.add(fact)
        self.program.run()
        self._number_facts(true, layers)
        for axiom, schema in zip(self.domain.axioms, axioms, strict=True):
            self._ground_axiom(axiom, schema)
        for action, schema in zip(self.domain.actions, self.actions, strict=True):
            self._ground_action(action, schema)
        self._ground_goal()
        return self.task

    def _true_at(self, starts: Sequence[frozenset[Atom]]) -> dict[Fact, int]:
        """In which starts each fact is true, as a set of bits; static ones are true in all."""
        initial = [(atom.predicate, *atom.arguments) for atom in self.problem.init]
        if not starts:
            return dict.fromkeys(initial, 1)
        every = self.task.every_start = (1 << len(starts)) - 1
        true = {fact: every for fact in initial if self.static(fact[0])}
        for number, start in enumerate(starts):
            for fact in sorted((atom.predicate, *atom.arguments) for atom in start):
                true[fact] = true.get(fact, 0) | 1 << number
        return true

    # Rules -----------------------------------------------------------------------------------------------------------

    def _add_rules(self, axioms: list[_Schema]) -> None:
        for axiom, schema in zip(self.domain.axioms, axioms, strict=True):
            self._add_rule(schema.parameters, [(axiom.body, schema.scope)], (), self._derive(axiom, schema))
        for number, (action, schema) in enumerate(zip(self.domain.actions, self.actions, strict=True)):
            emit = self._instantiate(f"@{number}", schema)
            # A parameter that nothing mentions stands for its first object: all others would give the same operator.
            unused = set(schema.scope) - mentioned(action.precondition) - mentioned(action.effect)
            if self.task.faithful:
                unused = set()
            self._add_rule(schema.parameters, [(action.precondition, schema.scope)], (), emit, unused)
            for effect, instances in schema.effects:
                if not effect.simple:
                    fired = (f"@{number}", schema.arguments)
                    record = self._record(effect, schema, instances)
                    self._add_rule(schema.parameters + effect.variables, effect.conditions, (fired,), record)

    def _add_rule(
        self,
        parameters: tuple[TypedName, ...],
        conditions: Sequence[tuple[Condition, Scope]],
        atoms: tuple[NamedAtom, ...],
        emit: Callable[[Fact], None],
        unused: Set[str] = frozenset(),
    ) -> None:
        names = list(dict.fromkeys(parameter.name for parameter in parameters))
        seen: set[Fact] = set()
        for body in product(alternatives(whole, scope, self.static, self.fresh) for whole, scope in conditions):
            slots = {name: slot for slot, name in enumerate(names)}
            for variable in body.variables:
                slots.setdefault(variable.name, len(slots))
            domains = [self._domain(name, (*parameters, *body.variables)) for name in slots]
            domains = [dict.fromkeys([*d][:1]) if name in unused else d for name, d in zip(slots, domains, strict=True)]
            patterns = [pattern_of(atom, slots) for atom in (*atoms, *body.atoms)]
            filters = [(pattern_of(atom, slots), wanted) for atom, wanted in body.filters]
            self.program.add_rule(Rule(domains, len(names), patterns, filters, emit, seen), self.static)

    def _domain(self, name: str, variables: Sequence[TypedName]) -> dict[str, None]:
        """The objects that fit every declaration of a variable, in the order of the text."""
        domains = [self.of_types(variable.types) for variable in variables if variable.name == name]
        return {value: None for value in domains[0] if all(value in other for other in domains[1:])}

    def of_types(self, types: tuple[str, ...]) -> dict[str, None]:
        if len(types) == 1:
            return self.objects.get(types[0], {})
        either = [self.objects.get(name, {}) for name in types]
        return {value: None for value in self.objects["object"] if any(value in objects for objects in either)}

    def _derive(self, axiom: Axiom, schema: _Schema) -> Callable[[Fact], None]:
        name = axiom.head.name
        names = list(schema.scope)
        where = [names.index(argument) for argument in schema.arguments]

        def emit(values: Fact) -> None:
            arguments = tuple([values[i] for i in where])
            schema.instances.append(arguments)
            self.program.add((name, *arguments))

        return emit

    def _instantiate(self, label: str, schema: _Schema) -> Callable[[Fact], None]:
        names = list(schema.scope)
        where = [names.index(argument) for argument in schema.arguments]
        adds = [effect.atom for effect, _ in schema.effects if effect.simple and effect.add]
        conditional = any(not effect.simple for effect, _ in schema.effects)
        templates = [pattern_of(named(atom, schema.scope), {name: i for i, name in enumerate(names)}) for atom in adds]

        def emit(values: Fact) -> None:
            schema.instances.append(tuple([values[i] for i in where]))
            if conditional:
                self.program.add((label, *schema.instances[-1]))
            for predicate, terms in templates:
                self.program.add((predicate, *[values[t] if isinstance(t, int) else t for t in terms]))

        return emit

    def _record(
        self, effect: LiteralEffect, schema: _Schema, instances: dict[Fact, list[Fact]]
    ) -> Callable[[Fact], None]:
        names = list(dict.fromkeys((*schema.arguments, *[variable.name for variable in effect.variables])))
        slots = {name: slot for slot, name in enumerate(names)}
        predicate, terms = pattern_of(named(effect.atom, effect.scope), slots)
        where = [slots[name] for name in schema.arguments]
        own = [slots[variable.name] for variable in effect.variables]

        def emit(values: Fact) -> None:
            instances.setdefault(tuple([values[i] for i in where]), []).append(tuple([values[i] for i in own]))
            if effect.add:
                self.program.add((predicate, *[values[t] if isinstance(t, int) else t for t in terms]))

        return emit

    # Facts and formulas ----------------------------------------------------------------------------------------------

    def _place(self, values: Fact) -> tuple[int, ...]:
        return tuple([self.order[value] for value in values])

    def _sorted(self, instances: Iterable[Fact]) -> list[Fact]:
        return sorted(instances, key=self._place)

    def _number_facts(self, true: dict[Fact, int], layers: dict[str, int]) -> None:
        place = {name: i for i, name in enumerate(predicate_names(self.domain))}
        reached = [fact for fact in self.program.reached if fact[0] in place]
        for fact in sorted(reached, key=lambda fact: (place[fact[0]], *self._place(fact[1:]))):
            predicate = fact[0]
            if self.static(predicate):
                continue
            always = true.get(fact) == self.task.every_start
            if predicate not in self.deleted and predicate not in self.derived and always:
                self.task.constant.append(fact)
                continue  # true for ever: `literal` answers True, since it was reached
            number = self.numbers[fact] = len(self.task.facts)
            self.task.facts.append(fact)
            if predicate in self.derived:
                self.task.layers[number] = layers[predicate]
            elif fact in true:
                self.task.initial[number] = true[fact]

    def literal(self, atom: Atom, binding: dict[str, str], positive: bool) -> Formula:
        arguments = [binding.get(term, term) for term in atom.arguments]
        if atom.predicate == "=":
            return (arguments[0] == arguments[1]) == positive
        fact = (atom.predicate, *arguments)
        number = self.numbers.get(fact)
        if number is None:
            return (fact in self.program.reached) == positive
        return number if positive else ~number

    def formula(self, condition: Condition, binding: dict[str, str], positive: bool = True) -> Formula:
        """The ground formula of a condition (of its negation, if not `positive`)."""
        if isinstance(condition, Atom):
            return self.literal(condition, binding, positive)
        if isinstance(condition, Not):
            return self.formula(condition.operand, binding, not positive)
        if isinstance(condition, Imply):
            condition = Or((Not(condition.premise), condition.conclusion))
        if isinstance(condition, And | Or):
            parts = (self.formula(part, binding, positive) for part in condition)
            return join(AND if isinstance(condition, And) == positive else OR, parts)
        parts = (self.formula(condition.body, inner, positive) for inner in self._bindings(condition, binding))
        return join(AND if isinstance(condition, Forall) == positive else OR, parts)

    def _bindings(self, quantified: Exists | Forall, binding: dict[str, str]) -> Iterator[dict[str, str]]:
        parameters = visible(quantified.parameters)

        def extend(depth: int, inner: dict[str, str]) -> Iterator[dict[str, str]]:
            if depth == len(parameters):
                self.tick()
                yield inner
                return
            for value in self.of_types(parameters[depth].types):
                yield from extend(depth + 1, {**inner, parameters[depth].name: value})

        return extend(0, binding)

    def conjunctions(self, formula: Formula, most: int) -> list[Conjunction]:
        """A disjunction of conjunctions that is equivalent; disjunctions beyond `most` copies become derived facts."""
        found = disjuncts(formula, most)
        if found is None:
            found = disjuncts(self._without_disjunctions(formula), most) or []
        return found

    def _without_disjunctions(self, formula: Formula) -> Formula:
        if isinstance(formula, tuple) and formula[0] == AND:
            return join(AND, (self._without_disjunctions(part) for part in formula[1]))
        if isinstance(formula, tuple):
            return self._auxiliary(formula)
        return formula

    def _auxiliary(self, formula: tuple[str, tuple[Formula, ...]]) -> int:
        """The derived fact that stands for a disjunction: one rule a disjunct."""
        number = self.auxiliary.get(formula)
        if number is None:
            bodies = []
            for part in formula[1]:
                bodies.extend(self.conjunctions(part, MOST_COPIES))
            number = self.auxiliary[formula] = len(self.task.facts)
            self.task.facts.append((f"@or{number}",))
            self.task.layers[number] = max((self._layer(literal) for body in bodies for literal in body), default=0)
            self.task.axioms.extend((number, body) for body in bodies)
        return number

    def _layer(self, literal: int) -> int:
        """The least layer at which a rule may test a literal."""
        layer = self.task.layers.get(literal if literal >= 0 else ~literal)
        if layer is None:
            return 0
        return layer if literal >= 0 else layer + 1

    # Operators and axioms --------------------------------------------------------------------------------------------

    def _ground_axiom(self, axiom: Axiom, schema: _Schema) -> None:
        for arguments in self._sorted(schema.instances):
            head = self.numbers[(axiom.head.name, *arguments)]
            binding = dict(zip(schema.arguments, arguments, strict=True))
            for body in self.conjunctions(self.formula(axiom.body, binding), MOST_COPIES):
                if head not in body:
                    self.task.axioms.append((head, body))

    def _ground_action(self, action: Action, schema: _Schema) -> None:
        for arguments in self._sorted(schema.instances):
            self.tick()
            binding = dict(zip(schema.arguments, arguments, strict=True))
            preconditions = self.conjunctions(self.formula(action.precondition, binding), MOST_COPIES)
            if not preconditions:
                continue
            cost = self._cost(action.name, schema, binding)
            if cost is None:
                raise ParseError(f"({' '.join((action.name, *arguments))}) can be applied, but has no cost")
            effects = tuple(self._ground_effects(schema, arguments, binding))
            for precondition in preconditions:
                self.task.operators.append(GroundOperator(action.name, arguments, precondition, effects, cost))

    def _ground_effects(self, schema: _Schema, arguments: Fact, binding: dict[str, str]) -> Iterator[GroundEffect]:
        for effect, instances in schema.effects:
            own = [()] if effect.simple else self._sorted(instances.get(arguments, []))
            for values in own:
                renamed = dict(binding)
                renamed.update(zip((variable.name for variable in effect.variables), values, strict=True))
                fact = self.literal(effect.atom, binding_in(effect.scope, renamed), True)
                if isinstance(fact, bool):
                    continue  # a delete of what is never true; or an add of what is true for ever
                assert isinstance(fact, int)
                parts = (self.formula(condition, binding_in(scope, renamed)) for condition, scope in effect.conditions)
                for condition in self.conjunctions(join(AND, parts), MOST_COPIES):
                    yield GroundEffect(condition, fact, effect.add)

    def _cost(self, name: str, schema: _Schema, binding: dict[str, str]) -> int | None:
        """The cost of an action; None where the problem gives it no value."""
        if self.problem.metric is None:
            return 1
        metric = self.problem.metric.function
        try:
            cost = sum(
                amount(part.amount, binding, self.values) for part in schema.increases if part.target.function == metric
            )
        except KeyError:
            return None
        if cost > MOST_COST:
            raise UnsupportedFeature(f"the action '{name}' costs more than 2^31-1", feature="large costs")
        return cost

    def _ground_goal(self) -> None:
        self.task.goal = self.conjunction(self.problem.goal)

    def conjunction(self, goal: Condition) -> Conjunction | None:
        """A ground condition as literals, None if it is false; its disjunctions become derived facts."""
        found = self.conjunctions(self.formula(goal, {}), 1)
        return found[0] if found else None
