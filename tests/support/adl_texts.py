"""Make small random tasks as texts of PDDL, with what `unpuzzle.testing.random_task` leaves out.

These are axioms for a subtype of their predicate's, derived predicates that need each other, a type without objects,
variables that hide others of their name, types `(either ...)` in predicates, too, types declared before their
supertypes, conditions without parts, and a predicate named like a type. Terms fit their types.
"""

from collections.abc import Iterable, Mapping
from itertools import product
from random import Random

Types = tuple[str, ...]
Scope = Mapping[str, Types]

ABOVE = {
    "a": "a object",
    "b": "a b object",
    "c": "c object",
    "e": "a b e object",
    "u": "c u object",
    "object": "object",
}
"""The type itself and those above it; `u` has no objects."""
DECLARED = "(:types e - b b - a c - object u - c)"
MOST_PARTS = 3


def adl_texts(seed: int) -> tuple[str, str]:
    """Return the texts of a domain and a problem; equal seeds give equal texts."""
    return _Maker(Random(seed)).texts()


def _below(types: Iterable[str]) -> set[str]:
    return {name for name, above in ABOVE.items() if not set(types).isdisjoint(above.split())}


class _Maker:
    """The vocabulary of one task. A scope maps each usable term to its types."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.typed, self.variables = rng, rng.random() < 0.9, 0
        self.names = ["a", "b", "e", "c", "object", *["u"] * (rng.random() < 0.3)]
        types = [rng.choice("abecc") if self.typed else "object" for _ in range(rng.randint(2, 5))]
        self.objects = {f"o{number}": (name,) for number, name in enumerate(types)}
        self.constants = dict(list(self.objects.items())[: rng.randint(0, 2)])
        self.fluents = {"f0": (), "f1": self._types(1), "f2": self._types(1), "f3": self._types(2)}
        if rng.random() < 0.3:
            self.fluents["a"] = self._types(1)
        self.static = {"s0": self._types(1), "s1": self._types(2)}
        self.derived = {f"d{number}": self._types(rng.randint(0, 2)) for number in range(rng.randint(0, 3))}
        self.all = {**self.fluents, **self.static, **self.derived}
        self.priced = rng.choice((None, "by numbers", "by objects"))

    def texts(self) -> tuple[str, str]:
        predicates = " ".join(
            f"({name}{''.join(f' ?p{place}{self._of(types)}' for place, types in enumerate(parameters))})"
            for name, parameters in self.all.items()
        )
        mutual = self.rng.random() < 0.4
        axioms = [axiom for level in range(len(self.derived)) for axiom in self._axioms(level, mutual)]
        actions = [self._action(number) for number in range(self.rng.randint(3, 6))]
        parts = [
            "(define (domain loose) (:requirements :adl :derived-predicates :action-costs)",
            *([DECLARED] if self.typed else []),
            *([f"(:constants {self._declared(self.constants)[1:-1]})"] if self.constants else []),
            f"(:predicates {predicates})",
            f"(:functions (total-cost) - number (price ?x{self._of(('object',))}) - number)",
        ]
        return "\n".join([*parts, *axioms, *actions, ")\n"]), self._problem()

    def _problem(self) -> str:
        init = [
            f"({' '.join((name, *names))})"
            for name, parameters in {**self.fluents, **self.static}.items()
            for names in product(*([each for each in self.objects if self._fits(each, types)] for types in parameters))
            if self.rng.random() < 0.4
        ]
        init += [f"(= (price {name}) {self.rng.choice((0, 1, 2, 5))})" for name in self.objects]
        goals = [self._condition(self.objects, self.rng.choice((0, 0, 0, 2, 3))) for _ in range(self.rng.randint(0, 3))]
        others = {name: types for name, types in self.objects.items() if name not in self.constants}
        metric = "(:metric minimize (total-cost))" if self.priced else ""
        return (
            f"(define (problem task) (:domain loose) (:objects {self._declared(others)[1:-1]})\n"
            f"(:init {' '.join(init)})\n(:goal (and {' '.join(goals)}))\n{metric})\n"
        )

    # ---- types and terms

    def _types(self, count: int) -> tuple[Types, ...]:
        return tuple(self._type() for _ in range(count))

    def _type(self) -> Types:
        if not self.typed:
            return ("object",)
        return tuple(self.rng.sample("abce", 2)) if self.rng.random() < 0.15 else (self.rng.choice(self.names),)

    def _of(self, types: Types) -> str:
        if not self.typed:
            return ""
        return f" - {types[0]}" if len(types) == 1 else f" - (either {' '.join(types)})"

    def _declared(self, terms: Scope) -> str:
        return f"({' '.join(f'{name}{self._of(types)}' for name, types in terms.items())})"

    def _fits(self, name: str, types: Types) -> bool:
        return _below(self.objects[name]) <= _below(types)

    def _new(self, count: int) -> dict[str, Types]:
        self.variables += count
        return {f"?v{self.variables - number}": self._type() for number in range(count)}

    def _atom(self, scope: Scope, predicates: Iterable[str]) -> str | None:
        """Return an atom with terms of the right types, mostly variables; None if there are none."""
        fitting = {
            name: [[term for term, types in scope.items() if _below(types) <= _below(each)] for each in self.all[name]]
            for name in predicates
        }
        able = [name for name, places in fitting.items() if all(places)]
        if not able:
            return None
        name = self.rng.choice([each for each in able if fitting[each] and self.rng.random() < 0.85] or able)
        places = (
            [term for term in place if term[0] == "?" and self.rng.random() < 0.9] or place for place in fitting[name]
        )
        return f"({' '.join((name, *map(self.rng.choice, places)))})"

    # ---- conditions

    def _condition(
        self, scope: Scope, depth: int, positive: Iterable[str] | None = None, negative: Iterable[str] | None = None
    ) -> str:
        """Return a condition; under a negation and `forall` all predicates are `negative` ones."""
        positive = list(self.all) if positive is None else positive
        negative = list(self.all) if negative is None else negative
        kind = self.rng.choice("literal literal and or imply exists forall not =".split()) if depth else "literal"
        if kind == "literal":
            return self._literal(scope, positive, negative)
        if kind == "=":
            pair = f"(= {' '.join(self.rng.choices(list(scope), k=2))})" if scope else "(and)"
            return pair if self.rng.random() < 0.5 else f"(not {pair})"
        if kind in ("and", "or"):
            number = self.rng.randint(0, MOST_PARTS)
            return f"({kind} {' '.join(self._condition(scope, depth - 1, positive, negative) for _ in range(number))})"
        if kind == "not":
            return f"(not {self._condition(scope, depth - 1, negative, negative)})"
        if kind == "imply":
            premise = self._condition(scope, depth - 1, negative, negative)
            return f"(imply {premise} {self._condition(scope, depth - 1, positive, negative)})"
        return self._quantified(kind, scope, depth, negative if kind == "forall" else positive, negative)

    def _literal(self, scope: Scope, positive: Iterable[str], negative: Iterable[str]) -> str:
        if self.rng.random() < 0.3:
            atom = self._atom(scope, negative)
            return "(and)" if atom is None else f"(not {atom})"
        return self._atom(scope, positive) or "(or)"

    def _quantified(self, kind: str, scope: Scope, depth: int, positive: Iterable[str], negative: Iterable[str]) -> str:
        variables, outer = self._new(self.rng.randint(1, 2)), [term for term in scope if term[0] == "?"]
        if outer and self.rng.random() < 0.2:
            variables[self.rng.choice(outer)] = self._type()
        body = self._condition({**scope, **variables}, depth - 1, positive, negative)
        return f"({kind} {self._declared(variables)} {body})"

    # ---- actions and axioms

    def _effect(self, scope: Scope, depth: int) -> str:
        kind = self.rng.choice("literal literal when forall and".split()) if depth else "literal"
        if kind == "and":
            return f"(and {' '.join(self._effect(scope, depth - 1) for _ in range(self.rng.randint(0, MOST_PARTS)))})"
        if kind == "when":
            return f"(when {self._condition(scope, 2)} (and {self._effect(scope, 0)} {self._effect(scope, 0)}))"
        if kind == "forall":
            variables = self._new(self.rng.randint(1, 2))
            return f"(forall {self._declared(variables)} {self._effect({**scope, **variables}, depth - 1)})"
        atom = self._atom(scope, self.fluents) or "(and)"
        return f"(not {atom})" if atom != "(and)" and self.rng.random() < 0.5 else atom

    def _action(self, number: int) -> str:
        variables = {f"?x{place}": self._type() for place in range(self.rng.choice((0, 1, 1, 2, 2, 3)))}
        scope = {**self.constants, **variables}
        conditions = [self._condition(scope, self.rng.choice((0, 0, 0, 2))) for _ in range(self.rng.randint(0, 2))]
        effects = [self._effect(scope, 3) for _ in range(self.rng.randint(1, 3))]
        if self.priced and self.rng.random() < 0.9:
            fixed = self.priced == "by numbers" or not scope
            amount = self.rng.choice((0, 0, 1, 2, 5)) if fixed else f"(price {self.rng.choice(list(scope))})"
            effects.append(f"(increase (total-cost) {amount})")
        return (
            f"(:action act{number} :parameters {self._declared(variables)}\n"
            f" :precondition (and {' '.join(conditions)})\n :effect (and {' '.join(effects)}))"
        )

    def _axioms(self, level: int, mutual: bool) -> list[str]:
        """Return one or two rules, which may need their own head and those before it, and mutual ones all of them."""
        names = list(self.derived)
        below = [*self.fluents, *self.static, *([] if mutual else names[:level])]
        positive = [*below, *(names if mutual else [names[level]])]
        return [self._axiom(names[level], positive, below) for _ in range(self.rng.randint(1, 2))]

    def _axiom(self, name: str, positive: list[str], negative: list[str]) -> str:
        head = {f"?h{place}": types for place, types in enumerate(self.derived[name])}
        for term, types in head.items():
            narrower = [each for each in "abce" if _below((each,)) < _below(types)]
            if self.typed and narrower and self.rng.random() < 0.4:
                head[term] = (self.rng.choice(narrower),)
        body = self._condition({**self.constants, **head}, 3, positive, negative)
        return f"(:derived ({' '.join((name, self._declared(head)[1:-1]))}) {body})"
