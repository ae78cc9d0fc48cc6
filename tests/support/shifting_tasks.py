"""Small random tasks whose actions shift atoms in treacherous ways, and a judge of what is claimed of them.

Each action begins as a move, `(not (at ?x ?a)) (at ?x ?b)`, and is then spoilt: atoms are added that were deleted,
terms are exchanged for others, effects get conditions or quantifiers, preconditions are left out. `shapes` says what is
treacherous in a domain. `false_claims` compares lint, invariants and exclusions with all states that can be reached,
and invariants of the domain with any states.
"""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

from unpuzzle.explanation.exclusions import Exclusions
from unpuzzle.pddl import lint, write
from unpuzzle.pddl.formulas import conjuncts, walk
from unpuzzle.pddl.invariants import Invariants, counted, invariants_of_task
from unpuzzle.pddl.nodes import (
    OBJECT,
    And,
    Atom,
    Axiom,
    Condition,
    Domain,
    Effect,
    Exists,
    Forall,
    GroundAction,
    Imply,
    Not,
    Or,
    Predicate,
    Problem,
    Task,
    TypedName,
    When,
)
from unpuzzle.pddl.normal_form import single_effects
from unpuzzle.pddl.semantics import Semantics

SHAPES = (
    "add and delete unify", "added again", "two adds", "conditional", "quantified", "constant", "types", "equality",
    "derived", "hidden variable", "condition that is no atom",
)  # fmt: skip
STATES, ANY = 300, 12
"""The most states that are reached, and the number of random ones besides."""


def shifting_task(seed: int) -> Task:
    """Return a task; equal seeds give equal tasks."""
    return _Maker(Random(seed)).task()


class _Maker:
    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.types = (TypedName("thing"), TypedName("part", ("thing",))) if rng.random() < 0.5 else ()
        names = [f"o{number}" for number in range(rng.choice((2, 3, 3, 3)))]
        self.objects = tuple(TypedName(name, self._types()) for name in names)
        self.constants = self.objects[: rng.choice((0, 0, 1))]
        sizes = {"f": rng.choice((1, 1, 2, 2)), "g": rng.choice((0, 1, 1)), "s": 1}
        self.predicates = {name: self._parameters("?p", size) for name, size in sizes.items()}

    def _types(self) -> tuple[str, ...]:
        return (self.rng.choice(("thing", "thing", "part")),) if self.types else OBJECT

    def _parameters(self, prefix: str, size: int) -> tuple[TypedName, ...]:
        return tuple(TypedName(f"{prefix}{number}") for number in range(size))

    def _atom(self, terms: list[str], predicates: str = "ffffg") -> Atom:
        name = self.rng.choice(predicates)
        return Atom(name, tuple(self.rng.choice(terms) for _ in self.predicates[name]))

    def _near(self, atom: Atom, terms: list[str]) -> Atom:
        """Return an atom with one other term, if there are others."""
        others = [term for term in terms if term not in atom.arguments] or terms
        if not atom.arguments:
            return atom
        place = self.rng.randrange(len(atom.arguments))
        return Atom(atom.predicate, (*atom.arguments[:place], self.rng.choice(others), *atom.arguments[place + 1 :]))

    def _condition(self, terms: list[str]) -> Condition:
        rng, one, two = self.rng, self._atom(terms, "ffgsd"), self._atom(terms, "ffgs")
        equal = Atom("=", (rng.choice(terms), rng.choice(terms)))
        inner = Exists((TypedName("?y", self._types()),), self._atom([*terms, "?y"], "fg"))
        return rng.choice([one, one, one, Not(two), Not(two), equal, Not(equal), Not(equal), Or((one, Not(two))),
                           Imply(two, one), inner, And((one, two))])  # fmt: skip

    def _effect(self, literal: Atom | Not, terms: list[str]) -> Effect:
        rng, effect = self.rng, literal
        if rng.random() < 0.15:
            atom = literal.operand if isinstance(literal, Not) else literal
            name = rng.choice(("?z", "?z", "?x0"))  # the second hides a parameter
            inner = self._near(atom, [name])
            effect = Not(inner) if isinstance(literal, Not) else inner
            if rng.random() < 0.6:
                effect = When(self._near(self._condition_atom(atom, inner), [*terms, name]), effect)
            return Forall((TypedName(name, self._types()),), effect)
        return When(self._condition(terms), effect) if rng.random() < 0.15 else effect

    def _condition_atom(self, one: Atom, two: Atom) -> Atom:
        return self.rng.choice((one, two))

    def _action(self, number: int) -> tuple[str, tuple[TypedName, ...], Condition, Effect]:
        rng = self.rng
        parameters = tuple(TypedName(f"?x{place}", self._types()) for place in range(rng.choice((2, 2, 3, 3))))
        terms = [each.name for each in parameters] + [each.name for each in self.constants]
        before = self._atom(terms)
        after = self._near(before, terms) if rng.random() < 0.7 else self._atom(terms)
        needs: list[Condition] = [before] if rng.random() < 0.9 else []
        needs += [self._condition(terms) for _ in range(rng.choice((0, 0, 0, 1, 2)))]
        if rng.random() < 0.35:  # then arguments are never equal
            names = [each.name for each in parameters]
            needs += [Not(Atom("=", pair)) for pair in combinations(names, 2)]
        literals: list[Atom | Not] = [Not(before), after] if rng.random() < 0.9 else [after]
        if rng.random() < 0.25:  # to two places at once
            rest = [term for term in terms if term not in (*before.arguments, *after.arguments)]
            literals.append(self._near(before, rest or terms))
        for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
            other = self._near(rng.choice((before, after)), terms) if rng.random() < 0.7 else self._atom(terms)
            literals.append(Not(other) if rng.random() < 0.4 else other)
        rng.shuffle(literals)
        effects = tuple(self._effect(each, terms) for each in literals)
        return f"a{number}", parameters, And(tuple(needs)), And(effects)

    def task(self) -> Task:
        from unpuzzle.pddl.nodes import Action

        derived = self.rng.random() < 0.5
        self.predicates["d"] = self._parameters("?p", 1 if derived else 0)
        axioms = ()
        if derived:
            axioms = (Axiom(Predicate("d", self.predicates["d"]), self._atom(["?p0"], "fgs")),)
        else:
            self.predicates["d"] = ()
        actions = tuple(Action(*self._action(number)) for number in range(self.rng.choice((1, 1, 1, 2))))
        declared = tuple(Predicate(name, parameters) for name, parameters in self.predicates.items())
        domain = Domain("shifting", (), self.types, self.constants, declared, (), actions, axioms)
        atoms = [atom for atom in self.atoms() if atom.predicate != "d"]
        fluents = [atom for atom in atoms if atom.predicate != "s"]
        init = {*self.rng.sample(fluents, self.rng.choice((1, 1, 2, 3))), *self.rng.sample(atoms, 1)}
        goal = self.rng.choice([atom for atom in fluents if atom.predicate == "f"])
        others = [self._near(goal, [each.name for each in self.objects]), self.rng.choice(fluents)]
        wanted = And(tuple(dict.fromkeys((goal, *others[: self.rng.choice((1, 1, 2))]))))
        start = tuple(sorted(init, key=str))
        objects = self.objects[len(self.constants) :]
        return Task(domain, Problem("p", "shifting", (), objects, start, (), wanted))

    def atoms(self) -> list[Atom]:
        names = [each.name for each in self.objects]
        return [
            Atom(name, arguments)
            for name, parameters in self.predicates.items()
            for arguments in product(names, repeat=len(parameters))
        ]


def shapes(task: Task) -> set[str]:
    """Return the treacherous shapes in a domain, of SHAPES."""
    domain, found = task.domain, set()
    for action in domain.actions:
        effects = list(single_effects(action))
        adds, deletes = ([each for each in effects if each.adds is sign] for sign in (True, False))
        predicates = [each.atom.predicate for each in adds]
        found |= {"add and delete unify" for each in deletes if each.atom.predicate in predicates}
        found |= {"added again" for each in deletes if each.atom in [add.atom for add in adds]}
        found |= {"two adds"} if len(set(predicates)) < len(predicates) else set()
        found |= {"conditional" for each in effects if each.conditions}
        found |= {"quantified" for each in effects if each.parameters}
        found |= {"hidden variable" for each in effects for named in each.parameters if "-" in named.name}
        conditions = [part for each in effects for need in each.conditions for part in conjuncts(need)]
        found |= {"condition that is no atom" for part in conditions if not isinstance(part, Atom)}
        parts = [part for each in (action.precondition, *conditions) for part in walk(each)]
        atoms = [part for part in parts if isinstance(part, Atom)]
        found |= {"equality" for atom in atoms if atom.predicate == "="}
        found |= {"derived" for atom in atoms if domain.axioms and atom.predicate == "d"}
        terms = {term for each in effects for term in each.atom.arguments}
        found |= {"constant" for each in domain.constants if each.name in terms}
        found |= {"types" for each in action.parameters if each.types == ("part",)}
    return found


class Reached:
    """The states that a task reaches, if they are few, and each step between them."""

    def __init__(self, task: Task, most: int = STATES) -> None:
        self.semantics = Semantics(task)
        self.states = [self.semantics.initial]
        self.steps: list[tuple[frozenset[Atom], GroundAction, frozenset[Atom]]] = []
        seen = set(self.states)
        for state in self.states:
            if len(seen) > most:
                break
            for action, after in self._after(state):
                if after not in seen:
                    seen.add(after)
                    self.states.append(after)
                self.steps.append((state, action, after))
        self.complete = len(seen) <= most

    def _after(self, state: frozenset[Atom]) -> Iterator[tuple[GroundAction, frozenset[Atom]]]:
        for action in self.semantics.applicable(state):
            yield action, self.semantics.apply(state, action)

    def from_any(self, rng: Random, number: int = ANY) -> None:
        """Add steps from random states, too."""
        static = [atom for atom in self.semantics.initial if atom.predicate in self.semantics.static_predicates]
        fluents = [atom for atom in _Ground(self.semantics.task).atoms if atom.predicate in "fg"]
        for _ in range(number):
            state = frozenset([*static, *rng.sample(fluents, rng.randint(0, len(fluents)))])
            self.steps += [(state, action, after) for action, after in self._after(state)]

    def some(self, condition: Condition) -> bool:
        return any(self.semantics.holds(state, condition) for state in self.states)


class _Ground:
    def __init__(self, task: Task) -> None:
        names = [each.name for each in (*task.domain.constants, *task.problem.objects)]
        self.atoms = [
            Atom(each.name, arguments)
            for each in task.domain.predicates
            for arguments in product(names, repeat=len(each.parameters))
        ]


def false_claims(task: Task, seed: int = 0) -> tuple[list[str], dict[str, int]]:
    """Return what is wrongly claimed of a task, and the number of all claims by kind."""
    reached = Reached(task)
    solvable = reached.some(task.problem.goal)
    of_domain = Invariants(task.domain)
    proved = invariants_of_task(reached.semantics, of_domain)
    faults = lint(*write(task))
    codes = [fault.code for fault in faults]
    claims = {"invariant": len(proved), **{code: codes.count(code) for code in CERTAIN}}
    wrong = [f"it can hold: {fault}" for fault in faults if fault.code == "goal-impossible" and solvable]
    pair = Exclusions(task).pair(list(conjuncts(task.problem.goal)))
    claims["exclusion"] = int(pair is not None)
    if pair is not None and reached.some(And(pair[:2])):
        wrong.append(f"excluded, and both can hold: {pair}")
    steps = [*reached.steps]
    reached.from_any(Random(seed))
    for invariant in proved:
        for state, action, after in reached.steps if invariant in of_domain.proved else steps:
            numbers = counted(invariant, state)
            if any(len(atoms) > len(numbers.get(key, ())) for key, atoms in counted(invariant, after).items()):
                wrong.append(f"{action} increases {sorted(invariant)} in {sorted(map(str, state))}")
                break
    for fault in faults:
        name = fault.message.partition("'")[2].partition("'")[0]
        own = [(state, after) for state, action, after in reached.steps if action.name == name]
        if (fault.code == "never-enabled" and own) or (fault.code == "no-effect" and any(s != a for s, a in own)):
            wrong.append(str(fault))
        if fault.code == "added-and-deleted" and "?" not in fault.message and own:
            atom = fault.message.partition("deletes ")[2].partition(":")[0]
            wrong += [str(fault) for _, after in own if atom not in map(str, after)][:1]
    return wrong, claims


CERTAIN = ("goal-impossible", "two-places", "never-enabled", "no-effect", "added-and-deleted")
