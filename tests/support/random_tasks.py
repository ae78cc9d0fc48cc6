"""Make small random tasks, well formed and with few enough states for an exhaustive search.

A task has objects of the types `a` and `b` (an `a`) and `c`, and predicates over them: `f0`, `f1`, ... are fluents,
`s0`, ... static, `d0`, ... derived. Terms fit their types, and axioms of `d1` may negate `d0`, never the other way
round. Recursion through `forall`, which Fast Downward refuses, is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from random import Random

from unpuzzle.pddl import nodes
from unpuzzle.pddl.semantics import Semantics

Amounts = Sequence[int] | None
Scope = Mapping[str, tuple[str, ...]]
Predicates = tuple[nodes.Predicate, ...]

_SUPERTYPES = {"a": {"a", "object"}, "b": {"a", "b", "object"}, "c": {"c", "object"}}
_TYPES = (nodes.TypedName("a"), nodes.TypedName("b", ("a",)), nodes.TypedName("c"))
_TOTAL_COST = nodes.FunctionTerm("total-cost")


def random_task(
    rng: Random,
    *,
    axioms: bool = True,
    conditional_effects: bool = True,
    quantifiers: bool = True,
    disjunctions: bool = True,
    either: bool = False,
    costs: Amounts = range(4),
) -> nodes.Task:
    """Return a random small task; equal random states give equal tasks.

    Args:
        axioms: derived predicates, including recursive and negated ones.
        conditional_effects: `when` in effects.
        quantifiers: `exists` and `forall` in conditions, `forall` in effects.
        disjunctions: `or` and `imply` in conditions.
        either: parameters of type `(either ...)`, which Fast Downward does not read.
        costs: possible costs of actions, as numbers and as values of a static function; None for no metric.
    """
    connectives = ["and", *["or", "imply"] * disjunctions, *["exists", "forall"] * quantifiers]
    effects = ["when"] * conditional_effects + ["forall"] * quantifiers
    return _TaskMaker(rng, connectives, effects, axioms, either, costs).task()


class _TaskMaker:
    """The vocabulary of one task. A scope maps each usable term to its type expression."""

    def __init__(
        self, rng: Random, connectives: list[str], effects: list[str], axioms: bool, either: bool, costs: Amounts
    ) -> None:
        self.rng, self.connectives, self.effects, self.either, self.costs = rng, connectives, effects, either, costs
        types = ["b", "c"] + [rng.choice("abc") for _ in range(rng.randint(1, 3))]
        self.objects = tuple(nodes.TypedName(f"o{number}", (name,)) for number, name in enumerate(types))
        """Three to five; the first is the domain's constant."""
        self.fluents = (
            nodes.Predicate("f0"),
            nodes.Predicate("f1", self._parameters(1, types=("a", "object"))),
            nodes.Predicate("f2", self._parameters(1)),
            nodes.Predicate("f3", self._parameters(2, types=("b", "c"))),
        )
        self.static = (nodes.Predicate("s0", self._parameters(1)), nodes.Predicate("s1", self._parameters(2)))
        self.derived = tuple(
            nodes.Predicate(f"d{number}", self._parameters(rng.randint(0, 2)))
            for number in range(rng.randint(1, 3) * axioms)
        )
        self.anything = (self.fluents + self.static + self.derived,) * 2

    def task(self) -> nodes.Task:
        domain = nodes.Domain(
            "random",
            types=_TYPES,
            constants=self.objects[:1],
            predicates=self.fluents + self.static + self.derived,
            functions=(nodes.Function("price", self._parameters(1, types=("object",))),),
            actions=tuple(self._action(number) for number in range(self.rng.randint(4, 7))),
            axioms=tuple(axiom for level in range(len(self.derived)) for axiom in self._axioms(level)),
        )
        init = tuple(atom for atom in self._ground_atoms() if self.rng.random() < 0.4)
        amounts = self.costs or [1]
        values = tuple(
            nodes.Value(nodes.FunctionTerm("price", (named.name,)), self.rng.choice(amounts)) for named in self.objects
        )
        metric = None if self.costs is None else _TOTAL_COST
        problem = nodes.Problem("task", "random", (), self.objects[1:], init, values, nodes.And(), metric)
        goal = self._goal(nodes.Task(domain, problem))
        return nodes.Task(domain, nodes.Problem("task", "random", (), self.objects[1:], init, values, goal, metric))

    def _parameters(self, count: int, types: Sequence[str] = ("a", "b", "c", "object")) -> tuple[nodes.TypedName, ...]:
        return tuple(nodes.TypedName(f"?p{number}", (self.rng.choice(types),)) for number in range(count))

    def _variables(self, most: int, prefix: str) -> tuple[nodes.TypedName, ...]:
        """Return up to `most` parameters, seldom two of one name."""
        names = [f"?{prefix}{number}" for number in range(min(most, self.rng.choice((0, 1, 1, 2, 2, 3))))]
        if len(names) > 1 and self.rng.random() < 0.05:
            names[1] = names[0]
        return tuple(nodes.TypedName(name, self._type_expression()) for name in names)

    def _type_expression(self) -> tuple[str, ...]:
        if self.either and self.rng.random() < 0.3:
            return tuple(self.rng.sample("abc", 2))
        return (self.rng.choice(("a", "b", "c", "object")),)

    def _ground_atoms(self) -> list[nodes.Atom]:
        """Return all atoms that the initial state may contain."""
        atoms = []
        for predicate in self.fluents + self.static:
            members = ([each.name for each in self.objects if _fits(each.types, p.types)] for p in predicate.parameters)
            atoms += [nodes.Atom(predicate.name, names) for names in product(*members)]
        return atoms

    def _action(self, number: int) -> nodes.Action:
        parameters = self._variables(3, "x")
        scope = self._scope(parameters)
        effects: list[nodes.Effect] = [self._effect(scope, 2) for _ in range(self.rng.randint(1, 3))]
        if self.costs is not None and self.rng.random() < 0.9:
            amount: nodes.FunctionTerm | int = self.rng.choice(self.costs)
            if self.rng.random() < 0.5:
                amount = nodes.FunctionTerm("price", (self.rng.choice(list(scope)),))
            effects.append(nodes.Increase(_TOTAL_COST, amount))
        # mostly literals, otherwise hardly any action would be applicable
        depths = [self.rng.choice((0, 0, 0, 2)) for _ in range(self.rng.randint(0, 2))]
        precondition = nodes.And(tuple(self._condition(scope, depth, *self.anything) for depth in depths))
        return nodes.Action(f"act{number}", parameters, precondition, nodes.And(tuple(effects)))

    def _axioms(self, level: int) -> list[nodes.Axiom]:
        """Return one or two rules, which may use their own head, and negate predicates below it."""
        head, below = self.derived[level], self.fluents + self.static + self.derived[:level]
        scope = self._scope(head.parameters)
        return [
            nodes.Axiom(head, self._condition(scope, 3, (*below, head), below)) for _ in range(self.rng.randint(1, 2))
        ]

    def _goal(self, task: nodes.Task) -> nodes.Condition:
        """Return some changes of a random walk, or a condition of any form, or both."""
        semantics = Semantics(task)
        state = semantics.initial
        for _ in range(self.rng.randint(0, 30)):
            actions = semantics.applicable(state)
            if not actions:
                break
            state = semantics.apply(state, self.rng.choice(actions))
        changed = [atom for atom in self._ground_atoms() if (atom in state) != (atom in semantics.initial)]
        chosen = self.rng.sample(changed, min(len(changed), self.rng.randint(1, 5)))
        parts: list[nodes.Condition] = [atom if atom in state else nodes.Not(atom) for atom in chosen]
        if not parts or self.rng.random() < 0.2:
            parts.append(self._condition(self._scope(()), 2, *self.anything))
        return nodes.And(tuple(parts))

    def _scope(self, parameters: Sequence[nodes.TypedName]) -> Scope:
        """Return constants and parameters with their types; a variable of two types has the last."""
        return {named.name: named.types for named in (*self.objects[:1], *parameters)}

    def _condition(self, scope: Scope, depth: int, positive: Predicates, negative: Predicates) -> nodes.Condition:
        """Return a condition of at most `depth` nested connectives; under negation and `forall` all is `negative`."""
        kind = self.rng.choice(["literal", "literal", *self.connectives]) if depth > 0 else "literal"
        if kind == "literal":
            if self.rng.random() < 0.3:
                return nodes.Not(self._atom(scope, negative))
            return self._atom(scope, positive, equality=True)
        if kind == "imply":
            premise = self._condition(scope, depth - 1, negative, negative)
            return nodes.Imply(premise, self._condition(scope, depth - 1, positive, negative))
        if kind in ("and", "or"):
            parts = tuple(self._condition(scope, depth - 1, positive, negative) for _ in range(self.rng.randint(1, 3)))
            return self._negated(nodes.And(parts) if kind == "and" else nodes.Or(parts), positive == negative)
        parameters = self._variables(2, f"y{depth}") or (nodes.TypedName("?z"),)
        inner = {**scope, **self._scope(parameters)}
        if kind == "forall":
            return nodes.Forall(parameters, self._condition(inner, depth - 1, negative, negative))
        body = self._condition(inner, depth - 1, positive, negative)
        return self._negated(nodes.Exists(parameters, body), positive == negative)

    def _negated(self, condition: nodes.Condition, allowed: bool) -> nodes.Condition:
        return nodes.Not(condition) if allowed and self.rng.random() < 0.2 else condition

    def _atom(self, scope: Scope, predicates: Predicates, equality: bool = False) -> nodes.Atom:
        if equality and self.rng.random() < 0.1:
            return nodes.Atom("=", (self.rng.choice(list(scope)), self.rng.choice(list(scope))))
        choices = [predicate for predicate in predicates if all(_fitting(scope, each) for each in predicate.parameters)]
        with_arguments = [predicate for predicate in choices if predicate.parameters]
        predicate = self.rng.choice(with_arguments if with_arguments and self.rng.random() < 0.9 else choices)
        return nodes.Atom(predicate.name, tuple(self._term(scope, parameter) for parameter in predicate.parameters))

    def _term(self, scope: Scope, parameter: nodes.TypedName) -> str:
        fitting = _fitting(scope, parameter)
        variables = [term for term in fitting if term.startswith("?")]
        return self.rng.choice(variables if variables and self.rng.random() < 0.9 else fitting)

    def _effect(self, scope: Scope, depth: int) -> nodes.Effect:
        kind = self.rng.choice(["literal", "literal", *(self.effects if depth else [])])
        if kind == "when":
            condition = self._condition(scope, 1, *self.anything)
            return nodes.When(
                condition, nodes.And(tuple(self._effect(scope, 0) for _ in range(self.rng.randint(1, 2))))
            )
        if kind == "forall":
            parameters = (nodes.TypedName(f"?e{depth}", self._type_expression()),)
            return nodes.Forall(parameters, self._effect({**scope, **self._scope(parameters)}, depth - 1))
        atom = self._atom(scope, self.fluents)
        return nodes.Not(atom) if self.rng.random() < 0.5 else atom


def _fits(own: Sequence[str], types: Sequence[str]) -> bool:
    """Return whether each of a term's types is a type of a parameter, or below one."""
    return all(not _SUPERTYPES.get(name, {"object"}).isdisjoint(types) for name in own)


def _fitting(scope: Scope, parameter: nodes.TypedName) -> list[str]:
    return [term for term, types in scope.items() if _fits(types, parameter.types)]
