"""Make small random tasks whose actions add what they delete: several adds and deletes of one predicate.

The parameters of an action may be the same object, and then an add wins over a delete. Fast Downward's translator
overlooks some of these cases. A third of the tasks has quantifiers, conditional effects and negations.
Its mistakes with the types of quantified deletes show in tasks of their own.
"""

from random import Random

from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.pddl.semantics import Semantics

TYPES = ("t", "object")
PREDICATES = {"f": ("object",), "g": ("object",), "h": ("object", "object"), "k": (), "s": ("object",)}
"""The types of their places; `s` is static. Some tasks have a derived predicate, too, `d`."""
FLUENTS = "fghk"
NARROW = ("t", "t", "t", "empty", "object")
"""The types of quantified deletes; nothing is `empty`."""
NARROW_DELETES = 3_000_000
"""The first seed of a task with quantified deletes."""


def shared_parameters_texts(seed: int) -> tuple[str, str]:
    """Return the texts of a domain and a problem; equal seeds give equal texts.

    From the seed NARROW_DELETES on, most deletes are quantified, by types that may lack what was true.
    """
    return _Maker(Random(seed), seed >= NARROW_DELETES).texts()


class _Maker:
    def __init__(self, rng: Random, narrow: bool) -> None:
        self.rng = rng
        self.adl = rng.random() < (0.1 if narrow else 0.3)
        self.derived = self.adl and rng.random() < 0.3
        self.narrow = narrow
        self.objects = [f"o{number}" for number in range(rng.randint(2, 4))]
        self.constants = self.objects[:1] if rng.random() < 0.3 else []
        self.used = "".join(rng.sample(FLUENTS, rng.choice((1, 1, 2, 3))))
        if narrow:
            self.used = "fgh"
        self.costs = rng.choice((None, (1,), (0, 1, 3), (0, 7, 9_999_999)))

    def texts(self) -> tuple[str, str]:
        declared = " ".join(
            f"({name}{''.join(f' ?a{place}' for place in range(len(types)))})" for name, types in PREDICATES.items()
        )
        declared += " (d ?a0)" if self.derived else ""
        schemas = [*self._axioms(), *map(self._action, range(1 if self.narrow else self.rng.choice((1, 1, 1, 2, 3))))]
        actions = "\n".join(schemas)
        constants = f"(:constants {' '.join(self.constants)} - t)" if self.constants else ""
        domain = (
            f"(define (domain shared) (:requirements :adl :action-costs) (:types t empty) {constants}\n"
            f"(:predicates {declared}) (:functions (total-cost) - number)\n{actions})\n"
        )
        others = [name for name in self.objects if name not in self.constants]
        typed = " ".join(f"{name} - {self.rng.choice(TYPES)}" for name in others)
        init = " ".join(atom for name in PREDICATES for atom in self._start(self._ground(name)))
        goal = self._goal(domain, f"(define (problem task) (:domain shared) (:objects {typed}) (:init {init})")
        goal += [f"(d {self.rng.choice(self.objects)})"] if self.derived and self.rng.random() < 0.5 else []
        metric = "(:metric minimize (total-cost))" if self.costs else ""
        problem = (
            f"(define (problem task) (:domain shared) (:objects {typed})\n(:init {init})\n"
            f"(:goal (and {' '.join(goal)})) {metric})\n"
        )
        return domain, problem

    def _start(self, atoms: list[str]) -> list[str]:
        """Return the atoms that are true at first, often one: most groups of the translator have one."""
        return self.rng.sample(atoms, 1) if self.rng.random() < 0.8 else [a for a in atoms if self.rng.random() < 0.4]

    def _goal(self, domain: str, problem: str) -> list[str]:
        """Return facts of the state of a random walk in which most is true, mostly, or any atoms."""
        if self.rng.random() < 0.2:
            return self.rng.sample(self._ground(FLUENTS), self.rng.randint(1, 3))
        semantics = Semantics(parse_task(domain, f"{problem} (:goal (and)))"))
        states = [semantics.initial]
        while len(states) < 12 and (actions := semantics.applicable(states[-1])):
            states.append(semantics.apply(states[-1], self.rng.choice(actions)))
        named = [[atom for atom in self._ground(self.used) if atom in map(str, state)] for state in states]
        true = max(named, key=len)
        missing = self.rng.sample(self._ground(self.used), 1) if self.rng.random() < 0.3 else []
        return [*self.rng.sample(true, min(len(true), self.rng.randint(2, 4))), *missing]

    def _ground(self, predicates: str) -> list[str]:
        return [
            f"({' '.join((name, *([first, second][: len(PREDICATES[name])])))})"
            for name in predicates
            for first in (self.objects if PREDICATES[name] else self.objects[:1])
            for second in (self.objects if len(PREDICATES[name]) > 1 else self.objects[:1])
        ]

    def _atom(self, predicates: str, terms: list[str]) -> str:
        name = self.rng.choice(predicates)
        return f"({' '.join((name, *self.rng.choices(terms, k=len(PREDICATES[name]))))})"

    def _action(self, number: int) -> str:
        rng = self.rng
        variables = [f"?x{place}" for place in range(rng.choice((1, 2, 2, 3, 3)))]
        terms = [*variables, *self.constants]
        used = self.used
        needed = [self._atom(used, terms) for _ in range(rng.randint(1, 3))]
        effects = [f"(not {atom})" for atom in needed if rng.random() < 0.6]
        effects += [self._atom(used, terms) for _ in range(rng.randint(1, 3))]
        if rng.random() < 0.3:
            effects.append(rng.choice(needed))
        if rng.random() < 0.7:  # one is deleted, one is added though it is true, and one is new
            variables, shape = ["?x0", "?x1", "?x2", "?x3"], rng.choice(("{}", "?x3 {}", "{} ?x3"))
            terms = [*variables, *self.constants]
            one, two, three = (
                f"({rng.choice(self.used[:1] * 3 + self.used)} {shape.format(variable)})" for variable in variables[:3]
            )
            fits = [atom for atom in (one, two, three) if atom.count(" ") == len(PREDICATES[atom[1]])]
            if len(fits) == 3:
                needed, effects = [one, two], [f"(not {one})", two, three]
        if self.narrow:
            variables = terms = ["?x0", "?x1", "?x2"]
            one, two = rng.choice((("(f ?x0)", "(f ?x1)"), ("(f ?x0)", "(g ?x1)"), ("(h ?x2 ?x0)", "(h ?x2 ?x1)")))
            needed = [one]
            effects = [two, self._quantified(one, needed)]
        if len(variables) > 1 and rng.random() < 0.25:
            pair = f"(= {' '.join(rng.sample(variables, 2))})"
            needed.append(pair if rng.random() < 0.3 else f"(not {pair})")
        if rng.random() < 0.2:
            needed.append(self._atom("s", terms))
        if self.adl:
            needed += [self._condition(used, terms)] if rng.random() < 0.3 else []
            effects = [self._changed(each, used, terms) for each in effects]
        if self.costs:
            effects.append(f"(increase (total-cost) {rng.choice(self.costs)})")
        typed = " ".join(f"{name} - {rng.choice((*TYPES, 'object'))}" for name in variables)
        parts = (
            f":precondition (and {' '.join(dict.fromkeys(needed))}) :effect (and {' '.join(dict.fromkeys(effects))})"
        )
        return f"(:action a{number} :parameters ({typed}) {parts})"

    def _quantified(self, true: str, needed: list[str]) -> str:
        """Return a delete of what is true if it is of a type, or if something else is; that may be needed, too."""
        kind, every, other = self.rng.choice(NARROW), true.replace("?x0", "?e"), self.rng.choice(("(k)", "(s ?x2)"))
        needed.append(other)
        return self.rng.choice(
            (f"(forall (?e - {kind}) (not {every}))", f"(forall (?e - {kind}) (when {every} (not {every})))",
             f"(forall (?e - {kind}) (not {true}))", f"(forall (?e - {kind}) (when {other} (not {every})))",
             f"(forall (?e - {kind}) (when {other.replace('?x2', '?e')} (not {true})))",
             f"(when (exists (?e - {kind}) {other.replace('?x2', '?e')}) (not {true}))")
        )  # fmt: skip

    def _axioms(self) -> list[str]:
        """Return two rules, the second of which needs its own head below a quantifier."""
        if not self.derived:
            return []
        one, two = self._atom(FLUENTS, ["?a0"]), self._atom(FLUENTS, ["?a0", "?b"])
        many = self.rng.choice(
            (f"(forall (?b - t) (or {two} (d ?b)))", f"(not (exists (?b - object) (and {two} (not (d ?b)))))",
             f"(forall (?a0 - t ?b) (imply (h ?b ?a0) (and (d ?b) {two})))", "(forall (?b - t) (and (d ?b) (d ?a0)))",
             "(or (k) (forall (?c) (exists (?b) (and (h ?c ?b) (forall (?e - t) (or (h ?e ?a0) (d ?b)))))))")
        )  # fmt: skip
        return [f"(:derived (d ?a0) {one})", f"(:derived (d ?a0) {many})"]

    def _condition(self, used: str, terms: list[str]) -> str:
        one, two = self._atom(used + "s", terms), self._atom(used, [*terms, "?q"])
        return self.rng.choice(
            (f"(or {one} (not {self._atom(used, terms)}))", f"(exists (?q - t) {two})", f"(not {one})",
             f"(forall (?q - object) (or {two} {one}))", one, f"(= {' '.join(self.rng.choices(terms, k=2))})")
        )  # fmt: skip

    def _changed(self, effect: str, used: str, terms: list[str]) -> str:
        kind = self.rng.choice(("plain", "plain", "when", "forall", "both", "nested"))
        if kind == "nested":
            name = self.rng.choice(("?e", terms[0]))
            inner = f"(and {self._atom(used, [*terms, name])} (not {self._atom(used, [*terms, name])}))"
            inner = f"(when {self._condition(used, terms)} {inner})" if self.rng.random() < 0.5 else inner
            inner = f"(forall ({name} - {self.rng.choice(TYPES)}) {inner})"
            return f"(when {self._condition(used, terms)} (and {effect} {inner}))"
        if kind in ("forall", "both"):
            inner, terms = [*terms, "?e", "?e"], [*terms, "?e"]
            effect = self._atom(used, inner) if effect[:4] != "(not" else f"(not {self._atom(used, inner)})"
        if kind in ("when", "both"):
            effect = f"(when {self._condition(used, terms)} {effect})"
        return f"(forall (?e - {self.rng.choice(TYPES)}) {effect})" if kind in ("forall", "both") else effect
