"""The reference semantics of PDDL in plain Python: slow and short, and independent of the planners.

    semantics = Semantics(task)
    state = semantics.initial
    for action in semantics.applicable(state):
        successor = semantics.apply(state, action)

A *state* is the frozenset of all true ground atoms, including static atoms but not derived ones, which follow from it
(`query.Axioms`). Static predicates are looked up in the task, so a state without its static atoms means the same.

An action tests all its conditions in the old state, then deletes atoms, then adds atoms. So an atom both deleted and
added is true afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from unpuzzle.base.errors import IllegalMove, UsageError
from unpuzzle.base.run import Limits, Run, within_limits
from unpuzzle.base.type_hints import TYPE_CHECKING
from unpuzzle.pddl.formulas import effects, free_variables
from unpuzzle.pddl.nodes import Action, And, Atom, Condition, Effect, Forall, GroundAction, Node, Not, Task, When
from unpuzzle.pddl.syntax import expected
from unpuzzle.pddl.world import Costs, Schemas, Types, World, fact_tables

if TYPE_CHECKING:
    from unpuzzle.pddl.query import Axioms, Query
    from unpuzzle.pddl.writer import Failure


State = frozenset[Atom]

_KEPT_WORLDS = 64
"""The number of cached states: enough for a state to be needed again after its successors."""


class Semantics:
    """The reference semantics of a task: its initial state, goal, applicable actions and successor states.

    Attributes: `task`; `initial`, the first state; `types`; and three disjoint sets of names, `static_predicates`,
    `fluent_predicates` (in effects) and `derived_predicates`.

    The limits are for the construction; methods work within the current run. Raises UnsupportedFeature for numbers
    other than action costs, and LimitReached, as all methods do.
    """

    def __init__(self, task: Task, *, limits: Limits | None = None) -> None:
        if not isinstance(task, Task):
            raise expected("a task is expected", task)
        self.task = task
        with Run(limits, "running the task"):
            self._prepare()

    def _prepare(self) -> None:
        """Compute everything that does not depend on a state, such as the static predicates."""
        task, domain, problem = self.task, self.task.domain, self.task.problem
        self.types: Types = Types(task)
        self.initial: State = frozenset(problem.init)
        self.derived_predicates: frozenset[str] = frozenset(axiom.head.name for axiom in domain.axioms)
        changed = [part for action in domain.actions for part in effects(action.effect) if isinstance(part, Atom)]
        self.fluent_predicates: frozenset[str] = frozenset(atom.predicate for atom in changed)
        named = {predicate.name for predicate in domain.predicates} | {
            atom.predicate for atom in within_limits(problem.init)
        }
        self.static_predicates: frozenset[str] = frozenset(named - self.fluent_predicates - self.derived_predicates)
        self._start = fact_tables(within_limits(problem.init))
        self._axioms: Axioms | None = None
        if domain.axioms:
            from unpuzzle.pddl.query import Axioms

            self._axioms = Axioms(domain, self.types, self._start)
        self._costs = Costs(task)
        self._schemas = Schemas(domain.actions, self.types)
        self._queries: list[Query] | None = None
        self._static = {name: self._start[name] for name in self.static_predicates & self._start.keys()}
        self._atoms = {(atom.predicate, atom.arguments): atom for atom in within_limits(problem.init)}
        self._static_atoms: State = frozenset(
            [atom for atom in self._atoms.values() if atom.predicate in self.static_predicates]
        )
        self._worlds: dict[State, World] = {}
        self._last_step: tuple[State, World, set[Atom], set[Atom]] | None = None

    def fluents(self, state: State) -> State:
        """Return the atoms of a state without the static atoms, which no action can change."""
        rest = state - self._static_atoms  # at once: most atoms of most states
        return frozenset([atom for atom in within_limits(rest) if atom.predicate in self.fluent_predicates])

    def derived(self, state: State) -> frozenset[Atom]:
        """Return the derived atoms that are true in a state."""
        world = self.world(state)
        return frozenset(
            self._atom(name, arguments) for name in self.derived_predicates for arguments in world.facts(name).tuples
        )

    def holds(self, state: State, condition: Condition) -> bool:
        """Return whether a condition is true in a state. Raises UsageError if the condition has a free variable."""
        if not isinstance(condition, Node):
            raise expected("a condition is expected as the second argument", condition)
        if free := free_variables(condition):
            raise UsageError(f"the condition has free variables: {', '.join(sorted(free))}")
        return self.world(state).holds(condition, {})

    def solved(self, state: State) -> bool:
        """Return whether the goal is true in a state."""
        return self.world(state).holds(self.task.problem.goal, {})

    def applicable(self, state: State) -> tuple[GroundAction, ...]:
        """Return the applicable actions, ordered by schema and then by objects.

        Raises ParseError if one of them has no cost.
        """
        if self._queries is None:  # validation needs none
            from unpuzzle.pddl.query import Query

            schemas = self.task.domain.actions
            self._queries = [Query(each.parameters, each.precondition, self.types, self._start) for each in schemas]
        world, order = self.world(state), self.types.order
        actions = []
        for schema, query in zip(self.task.domain.actions, self._queries, strict=True):
            for arguments in sorted(query.answers(world), key=lambda arguments: [order[name] for name in arguments]):
                self._costs.require(schema, arguments)
                actions.append(GroundAction(schema.name, arguments))
        return tuple(actions)

    def apply(self, state: State, action: GroundAction) -> State:
        """Return the state after an action is applied.

        Raises IllegalMove, with the false literal of the precondition, and ParseError for an action that the task does
        not have, or that has no cost.
        """
        schema, binding = self._schemas.bind(action)
        world = self.world(state)
        if reason := self._failure(schema.precondition, binding, world):
            raise IllegalMove(f"{action} is not applicable: {reason}", move=str(action))
        self._costs.require(schema, action.arguments)
        deleted: set[Atom] = set()
        added: set[Atom] = set()
        for atom, positive in within_limits(self._effects(schema.effect, binding, world)):
            (added if positive else deleted).add(atom)
        after = (state - deleted) | added
        self._last_step = after, world, deleted, added
        return after

    def cost(self, action: GroundAction) -> int:
        """Return the cost of an action. Raises ParseError for an action that is not in the task or has no cost."""
        return self._costs.of(*self._schemas.bind(action))

    def schema(self, action: GroundAction) -> tuple[Action, dict[str, str]]:
        """Return the schema of a ground action, and a map from its variables to objects. Raises ParseError."""
        return self._schemas.bind(action)

    def why_not(self, state: State, action: GroundAction) -> str | None:
        """Return a sentence about a false precondition of an action; None if the action is applicable."""
        schema, binding = self._schemas.bind(action)
        return self._failure(schema.precondition, binding, self.world(state))

    def why_unsolved(self, state: State) -> str | None:
        """Return a sentence about a false part of the goal; None if the goal is true."""
        return self._failure(self.task.problem.goal, {}, self.world(state))

    def obstacles(self, state: State, action: GroundAction) -> tuple[Failure, ...]:
        """Return all false preconditions of an action. Raises ParseError if the action is not in the task."""
        schema, binding = self._schemas.bind(action)
        return tuple(within_limits(self._failures(schema.precondition, binding, self.world(state))))

    def missing(self, state: State) -> tuple[Failure, ...]:
        """Return all false parts of the goal."""
        return tuple(within_limits(self._failures(self.task.problem.goal, {}, self.world(state))))

    def fired(self, state: State, action: GroundAction) -> tuple[tuple[str, frozenset[Atom], frozenset[Atom]], ...]:
        """Return the conditional effects that happen in a state, each as its condition, added and deleted atoms."""
        schema, binding = self._schemas.bind(action)
        return tuple(self._fired(schema.effect, binding, self.world(state)))

    def _failure(self, condition: Condition, binding: Mapping[str, str], world: World) -> str | None:
        return None if world.holds(condition, binding) else next(self._failures(condition, binding, world)).reason

    def _failures(self, condition: Condition, binding: Mapping[str, str], world: World) -> Iterator[Failure]:
        """Yield the false parts of a condition."""
        from unpuzzle.pddl.writer import failures

        return failures(condition, binding, world, self.static_predicates)

    def _fired(
        self, effect: Effect, binding: Mapping[str, str], world: World
    ) -> Iterator[tuple[str, frozenset[Atom], frozenset[Atom]]]:
        """Yield the conditional effects that happen in `world`, each as its condition, added and deleted atoms."""
        if isinstance(effect, And):
            for operand in effect.operands:
                yield from self._fired(operand, binding, world)
        elif isinstance(effect, Forall):
            for inner in self.types.assignments(effect.parameters, binding):
                yield from self._fired(effect.body, inner, world)
        elif isinstance(effect, When) and world.holds(effect.condition, binding):
            from unpuzzle.pddl.writer import text

            changes = list(self._effects(effect.effect, binding, world))
            parts = [frozenset([atom for atom, positive in changes if positive is sign]) for sign in (True, False)]
            yield text(effect.condition, binding), parts[0], parts[1]

    def world(self, state: State) -> World:
        """Return a `World` with the atoms of a state and the derived atoms."""
        if not isinstance(state, frozenset):
            raise expected("a state, a frozenset of atoms, is expected", state)
        world = self._worlds.get(state)
        if world is None:
            step = self._last_step
            if self._axioms is None and step is not None and step[0] is state:
                world = step[1].changed(*step[2:])  # along a plan, few tables change in a step
            else:
                world = World(self.types, self._static, self.fluents(state))
            if self._axioms is not None:
                self._axioms.complete(world)
            if len(self._worlds) == _KEPT_WORLDS:
                del self._worlds[next(iter(self._worlds))]
            self._worlds[state] = world
        return world

    def _effects(self, effect: Effect, binding: Mapping[str, str], world: World) -> Iterator[tuple[Atom, bool]]:
        """Yield each atom that an effect changes, with True if the effect adds it and False if it deletes it."""
        if isinstance(effect, Atom):
            yield self._atom(effect.predicate, tuple([binding.get(term, term) for term in effect.arguments])), True
        elif isinstance(effect, Not):
            for atom, _ in self._effects(effect.operand, binding, world):  # type: ignore[arg-type]  # it is an atom
                yield atom, False
        elif isinstance(effect, And):
            for operand in effect.operands:
                yield from self._effects(operand, binding, world)
        elif isinstance(effect, When):
            if world.holds(effect.condition, binding):
                yield from self._effects(effect.effect, binding, world)
        elif isinstance(effect, Forall):
            for inner in self.types.assignments(effect.parameters, binding):
                yield from self._effects(effect.body, inner, world)

    def _atom(self, predicate: str, arguments: tuple[str, ...]) -> Atom:
        """Return an atom from a cache, so that the hash of equal atoms is computed only once."""
        key = predicate, arguments
        if key not in self._atoms:
            self._atoms[key] = Atom(predicate, arguments)
        return self._atoms[key]


def initial(task: Task) -> State:
    """Return the initial state of a task."""
    return Semantics(task).initial


def holds(task: Task, state: State, condition: Condition) -> bool:
    """Return whether a condition is true in a state. For many calls, use `Semantics`, which is faster."""
    return Semantics(task).holds(state, condition)


def applicable(task: Task, state: State) -> tuple[GroundAction, ...]:
    """Return the actions that are applicable in a state. For many calls, use `Semantics`, which is faster."""
    return Semantics(task).applicable(state)


def apply(task: Task, state: State, action: GroundAction) -> State:
    """Return the state after an action. For many calls, use `Semantics`, which is faster."""
    return Semantics(task).apply(state, action)
