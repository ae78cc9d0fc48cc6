"""Datalog with joins: which facts can become true at all, and with which arguments a rule can fire.

A *rule* has typed variables (slots 0..n-1 of an environment), a body of positive atoms, filters that need no search
(static negative literals and equalities), and a callback for every new environment. Facts are tuples
`(predicate, argument, ...)`; relations keep hash indexes on just those positions that some join asks for.

    rule  move(?b ?x ?y):   trigger (clear ?y)  →  scan (on ?b ?x) by nothing  →  test (clear ?b)
                            trigger (on ?b ?x)  →  ...                            one plan for each trigger

Evaluation is semi-naive: facts leave the queue one after the other; a popped fact is joined, in each body position that
it fits, with all facts popped before. Static facts never trigger. Where a fact fits two positions the same environment
is found twice, so callbacks are guarded by a set of the values seen.
"""

from __future__ import annotations

from collections import deque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Fact = tuple[str, ...]
Term = int | str
"""A slot of the environment, or the name of an object."""
Pattern = tuple[str, tuple[Term, ...]]
"""A predicate and its terms."""


class Relation:
    """The tuples of one predicate, with indexes by the values at some positions."""

    __slots__ = ("indexes", "tuples")

    def __init__(self) -> None:
        self.tuples: list[Fact] = []
        self.indexes: dict[tuple[int, ...], dict[Fact, list[Fact]]] = {}

    def add(self, fact: Fact) -> None:
        self.tuples.append(fact)
        for positions, index in self.indexes.items():
            index.setdefault(tuple([fact[position] for position in positions]), []).append(fact)

    def index(self, positions: tuple[int, ...]) -> dict[Fact, list[Fact]]:
        """The index by `positions`; made on first use, kept up to date from then on."""
        index = self.indexes.get(positions)
        if index is None:
            index = self.indexes[positions] = {}
            for fact in self.tuples:
                index.setdefault(tuple([fact[position] for position in positions]), []).append(fact)
        return index


class Rule:
    """Variables with their domains, a body, filters, and what to do with each environment.

    `domains[slot]` is the ordered dict of objects that the slot may take. `filters` are pairs (pattern, wanted) over
    static predicates and `=`. `emit` is called once for every tuple of values of the first `arity` slots.
    """

    __slots__ = ("arity", "body", "domains", "emit", "filters", "seen")

    def __init__(
        self,
        domains: Sequence[dict[str, None]],
        arity: int,
        body: Sequence[Pattern],
        filters: Sequence[tuple[Pattern, bool]],
        emit: Callable[[Fact], None],
        seen: set[Fact] | None = None,
    ) -> None:
        self.domains = domains
        self.arity = arity
        self.body = body
        self.filters = filters
        self.emit = emit
        self.seen: set[Fact] = set() if seen is None else seen


class _Step:
    """One step of a join: extend the environment by the tuples of a relation (or by the objects of a slot's domain)."""

    __slots__ = ("binds", "filters", "key", "objects", "positions", "predicate", "repeats")

    def __init__(self, predicate: str, objects: tuple[int, dict[str, None]] | None = None) -> None:
        self.predicate = predicate
        self.objects = objects
        self.positions: tuple[int, ...] = ()
        self.key: tuple[Term, ...] = ()
        self.binds: list[tuple[int, int, dict[str, None]]] = []  # (position in the fact, slot, allowed objects)
        self.repeats: list[tuple[int, int]] = []  # pairs of positions that must be equal
        self.filters: list[tuple[Pattern, bool]] = []


class Program:
    """Rules and facts, evaluated to the least fixpoint."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self.relations: dict[str, Relation] = {}
        self.reached: dict[Fact, None] = {}
        self.triggers: dict[str, list[tuple[Rule, _Step, list[_Step]]]] = {}
        self.once: list[tuple[Rule, list[_Step]]] = []
        self.queue: deque[Fact] = deque()
        self.tick = tick

    def add_static(self, fact: Fact) -> None:
        """A fact that holds for ever."""
        if fact not in self.reached:
            self.reached[fact] = None
            self.relation(fact[0]).add(fact)

    def add(self, fact: Fact) -> None:
        """A fact that is true at the start or was reached."""
        if fact not in self.reached:
            self.reached[fact] = None
            self.queue.append(fact)

    def relation(self, predicate: str) -> Relation:
        relation = self.relations.get(predicate)
        if relation is None:
            relation = self.relations[predicate] = Relation()
        return relation

    def add_rule(self, rule: Rule, static: Callable[[str], bool]) -> None:
        """Add a rule; all static facts must be there already, since their numbers order the joins."""
        fluent = [i for i, (predicate, _) in enumerate(rule.body) if not static(predicate)]
        for i in fluent:
            trigger = self._step(rule.body[i], rule, set())
            bound = {term for term in rule.body[i][1] if isinstance(term, int)}
            pending = list(rule.filters)
            _attach(trigger, pending, bound)
            steps = self._plan(rule, [atom for j, atom in enumerate(rule.body) if j != i], bound, pending)
            self.triggers.setdefault(rule.body[i][0], []).append((rule, trigger, steps))
        if not fluent:
            self.once.append((rule, self._plan(rule, list(rule.body), set(), list(rule.filters))))

    def _plan(
        self, rule: Rule, atoms: list[Pattern], bound: set[int], pending: list[tuple[Pattern, bool]]
    ) -> list[_Step]:
        """Greedy join order: fully bound atoms first (tests), then those that leave the fewest candidates."""
        steps = []
        bound = set(bound)
        while atoms:
            best = min(atoms, key=lambda atom: self._branching(atom, bound, rule))
            atoms.remove(best)
            step = self._step(best, rule, bound)
            bound.update(term for term in best[1] if isinstance(term, int))
            _attach(step, pending, bound)
            steps.append(step)
        for slot in range(len(rule.domains)):
            if slot not in bound:
                step = _Step("", (slot, rule.domains[slot]))
                bound.add(slot)
                _attach(step, pending, bound)
                steps.append(step)
        if pending and not steps:  # filters without variables, in a rule without a body
            step = _Step("", None)
            step.filters = pending
            steps.append(step)
        return steps

    def _branching(self, atom: Pattern, bound: set[int], rule: Rule) -> tuple[float, int]:
        """An estimate of how many tuples extend an environment: the size of the relation or, where it is not yet known,
        of the product of the domains, thinned by each bound position as if values were spread evenly.
        """
        predicate, terms = atom
        free = [term for term in terms if isinstance(term, int) and term not in bound]
        if not free:
            return 0.0, 0
        estimate = 1.0
        for slot in set(free):
            estimate *= max(1, len(rule.domains[slot]))
        relation = self.relations.get(predicate)
        if relation is not None and relation.tuples:
            distinct = 1
            for position, term in enumerate(terms, 1):
                if not isinstance(term, int) or term in bound:
                    distinct = max(distinct, len({fact[position] for fact in relation.tuples}))
            estimate = min(estimate, len(relation.tuples) / distinct)
        return estimate, len(free)

    def _step(self, atom: Pattern, rule: Rule, bound: set[int]) -> _Step:
        predicate, terms = atom
        step = _Step(predicate)
        first: dict[int, int] = {}
        positions, key = [], []
        for position, term in enumerate(terms, 1):
            if not isinstance(term, int) or term in bound:
                positions.append(position)
                key.append(term)
            elif term in first:
                step.repeats.append((first[term], position))
            else:
                first[term] = position
                step.binds.append((position, term, rule.domains[term]))
        step.positions, step.key = tuple(positions), tuple(key)
        return step

    def run(self) -> None:
        """Evaluate to the fixpoint."""
        for rule, steps in self.once:
            self._join(rule, steps, 0, [""] * len(rule.domains))
        queue = self.queue
        while queue:
            self.tick()
            fact = queue.popleft()
            self.relation(fact[0]).add(fact)
            for rule, trigger, steps in self.triggers.get(fact[0], ()):
                environment = [""] * len(rule.domains)
                if all(fact[p] == term for p, term in zip(trigger.positions, trigger.key, strict=True)) and self._bind(
                    trigger, fact, environment
                ):
                    self._join(rule, steps, 0, environment)

    def _bind(self, step: _Step, fact: Fact, environment: list[str]) -> bool:
        for position, slot, allowed in step.binds:
            value = fact[position]
            if value not in allowed:
                return False
            environment[slot] = value
        for one, other in step.repeats:
            if fact[one] != fact[other]:
                return False
        return not step.filters or self._passes(step.filters, environment)

    def _passes(self, filters: list[tuple[Pattern, bool]], environment: list[str]) -> bool:
        for (predicate, terms), wanted in filters:
            values = [environment[term] if isinstance(term, int) else term for term in terms]
            holds = values[0] == values[1] if predicate == "=" else (predicate, *values) in self.reached
            if holds != wanted:
                return False
        return True

    def _join(self, rule: Rule, steps: list[_Step], depth: int, environment: list[str]) -> None:
        if depth == len(steps):
            self.tick()
            values = tuple(environment[: rule.arity])
            if values not in rule.seen:
                rule.seen.add(values)
                rule.emit(values)
            return
        step = steps[depth]
        if not step.predicate:
            self._enumerate(rule, steps, depth, environment)
            return
        relation = self.relation(step.predicate)
        candidates: Sequence[Fact] = relation.tuples
        if step.positions:
            key = tuple([environment[term] if isinstance(term, int) else term for term in step.key])
            candidates = relation.index(step.positions).get(key, ())
        for fact in candidates:
            if self._bind(step, fact, environment):
                self._join(rule, steps, depth + 1, environment)

    def _enumerate(self, rule: Rule, steps: list[_Step], depth: int, environment: list[str]) -> None:
        step = steps[depth]
        if step.objects is None:
            if self._passes(step.filters, environment):
                self._join(rule, steps, depth + 1, environment)
            return
        slot, objects = step.objects
        for value in objects:
            environment[slot] = value
            if not step.filters or self._passes(step.filters, environment):
                self._join(rule, steps, depth + 1, environment)


def _attach(step: _Step, pending: list[tuple[Pattern, bool]], bound: set[int]) -> None:
    """Move the filters whose variables are all bound by now to this step."""
    ready = [f for f in pending if all(not isinstance(term, int) or term in bound for term in f[0][1])]
    for f in ready:
        pending.remove(f)
    step.filters = ready
