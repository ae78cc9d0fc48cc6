"""A problem of tarski as a task, object by object, with the same names in small letters.

Parameters of predicates and functions have no names there, and get numbers. Refused features: functions with objects as
values, changing numbers other than total-cost, constraints, effects of kinds that PDDL lacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from unpuzzle.exchange.forms import FALSE, TOTAL, TRUE, mentioned
from unpuzzle.exchange.names import ExactNames, refused, title
from unpuzzle.exchange.tarski_from_task import require_tarski
from unpuzzle.pddl.declarations import Action, Axiom, Domain, Function, Predicate, Problem, Value
from unpuzzle.pddl.features import TOTAL_COST
from unpuzzle.pddl.formulas import And, Atom, Condition, Exists, Forall, Increase, Not, Or, When
from unpuzzle.pddl.nodes import FunctionTerm, Task, TypedName

Scope = Mapping[tuple[str, str], str]
"""The name of a variable, by its symbol and sort: tarski's variables cannot be keys."""


def from_tarski(problem: Any) -> Task:
    """Return a problem of tarski as a task.

    Raises UnsupportedFeature, which names the refused feature, and DependencyMissing without tarski.
    """
    require_tarski()
    try:
        return _Translation(problem).task()
    except RecursionError:
        raise refused("a condition is nested too deeply", "deep nesting") from None


class _Translation:
    """A reader of a problem; `task()` returns its translation."""

    def __init__(self, problem: Any) -> None:
        from tarski.syntax.sorts import Interval

        self._problem, self._language, self._names = problem, problem.language, ExactNames()
        language = self._language
        sorts = [each for each in language.sorts if not isinstance(each, Interval) and each.name != "object"]
        self._sorts = {each.name: self._names.name(each.name, "t") for each in sorts if not each.builtin}
        predicates = [each for each in language.predicates if not each.builtin]
        self._predicates = {each.symbol: self._names.name(each.symbol, "p") for each in predicates}
        functions = [each for each in language.functions if not each.builtin and each.symbol != TOTAL_COST]
        for each in functions:
            if not isinstance(each.codomain, Interval):
                raise refused(f"the values of the function '{each.symbol}' are objects", ":object-fluents")
        self._functions = {each.symbol: self._names.name(each.symbol, "f") for each in functions}
        self._objects = {str(each.symbol): self._names.name(str(each.symbol), "o") for each in language.constants()}
        if problem.constraints:
            raise refused("the problem has constraints on its states", "constraints")

    def task(self) -> Task:
        problem, language = self._problem, self._language
        actions = tuple(self._action(action) for action in problem.actions.values())
        axioms = tuple(self._axiom(derived) for derived in problem.derived_predicates.values())
        named = mentioned(actions, axioms)
        objects = [TypedName(self._objects[str(each.symbol)], self._type(each.sort)) for each in language.constants()]
        problem_name = title(problem.name, "problem")
        parents = {each.name: language.immediate_parent[each] for each in language.sorts if each.name in self._sorts}
        domain = Domain(
            title(problem.domain_name, problem_name),
            (),
            tuple(TypedName(self._sorts[name], self._type(parent)) for name, parent in parents.items()),
            tuple(each for each in objects if each.name in named),
            tuple(
                Predicate(name, self._numbered(language.get_predicate(symbol).sort))
                for symbol, name in self._predicates.items()
            ),
            tuple(
                Function(name, self._numbered(language.get_function(symbol).domain))
                for symbol, name in self._functions.items()
            ),
            actions,
            axioms,
        )
        others = tuple(each for each in objects if each.name not in named)
        goal, metric = self._condition(problem.goal, {}), self._metric()
        initial, values = tuple(self._initial()), tuple(self._values())
        return Task(domain, Problem(problem_name, domain.name, (), others, initial, values, goal, metric))

    def _type(self, sort: Any) -> tuple[str, ...]:
        if sort.name != "object" and sort.name not in self._sorts:
            raise refused(f"the type '{sort.name}' is not a type of objects", "numbers as objects")
        return (self._sorts.get(sort.name, "object"),)

    def _numbered(self, sorts: Iterable[Any]) -> tuple[TypedName, ...]:
        return tuple(TypedName(f"?x{number}", self._type(sort)) for number, sort in enumerate(sorts, 1))

    def _metric(self) -> FunctionTerm | None:
        from tarski.fstrips import OptimizationType

        metric = self._problem.plan_metric
        if metric is None:
            return None
        symbol = getattr(getattr(metric.opt_expression, "symbol", None), "symbol", None)
        if metric.opt_type != OptimizationType.MINIMIZE or symbol != TOTAL_COST:
            raise refused(
                f"only (total-cost) can be minimized, not: {metric.opt_type} {metric.opt_expression}", "metric"
            )
        return TOTAL

    def _initial(self) -> Iterator[Atom]:
        extensions = self._problem.init.predicate_extensions
        for symbol, name in self._predicates.items():
            points = extensions.get(self._language.get_predicate(symbol).signature, ())
            facts = {tuple(self._objects[str(each.expr.symbol)] for each in point) for point in points}
            yield from (Atom(name, arguments) for arguments in sorted(facts))

    def _values(self) -> Iterator[Value]:
        for (symbol, *_), definition in self._problem.init.function_extensions.items():
            for point, value in definition.data.items():
                number = _whole(value)
                if symbol in self._functions:
                    arguments = tuple(self._objects[str(each.expr.symbol)] for each in point)
                    yield Value(FunctionTerm(self._functions[symbol], arguments), number)
                elif number:
                    raise refused("(total-cost) must be 0 in the initial state", "initial total-cost")

    def _action(self, action: Any) -> Action:
        parameters, scope = self._bound(action.parameters, {})
        effects = [self._effect(effect, scope) for effect in action.effects]
        if action.cost is not None:
            effects += [Increase(TOTAL, part) for part in self._amounts(action.cost.addend, scope) if part != 0]
        name = self._names.name(action.name, "a")
        return Action(name, parameters, self._condition(action.precondition, scope), And(tuple(effects)))

    def _axiom(self, derived: Any) -> Axiom:
        parameters, scope = self._bound(derived.parameters, {})
        return Axiom(
            Predicate(self._predicates[derived.predicate.symbol], parameters), self._condition(derived.formula, scope)
        )

    def _effect(self, effect: Any, scope: Scope) -> Any:
        from tarski import fstrips

        if isinstance(effect, fstrips.UniversalEffect):
            parameters, inner = self._bound(effect.variables, scope)
            parts = tuple(self._effect(each, inner) for each in effect.effects)
            result: Any = Forall(parameters, parts[0] if len(parts) == 1 else And(parts))
        elif isinstance(effect, fstrips.AddEffect):
            result = self._condition(effect.atom, scope)
        elif isinstance(effect, fstrips.DelEffect):
            result = Not(self._condition(effect.atom, scope))
        elif isinstance(effect, fstrips.LiteralEffect):
            result = self._condition(effect.lit, scope)
        elif isinstance(effect, fstrips.IncreaseEffect) and effect.lhs.symbol.symbol == TOTAL_COST:
            result = And(tuple(Increase(TOTAL, part) for part in self._amounts(effect.rhs, scope)))
        else:
            raise refused(f"the effect {effect} cannot be translated", f"effects of the kind {type(effect).__name__}")
        condition = self._condition(effect.condition, scope)
        return result if condition == TRUE else When(condition, result)

    def _amounts(self, term: Any, scope: Scope) -> tuple[FunctionTerm | int, ...]:
        """Return the parts of a sum: numbers and terms."""
        from tarski.syntax import CompoundTerm, Constant
        from tarski.syntax.builtins import BuiltinFunctionSymbol

        if isinstance(term, Constant):
            return (_whole(term),)
        if isinstance(term, CompoundTerm) and term.symbol.symbol == BuiltinFunctionSymbol.ADD:
            return tuple(part for each in term.subterms for part in self._amounts(each, scope))
        if isinstance(term, CompoundTerm) and term.symbol.symbol in self._functions:
            arguments = tuple(self._term(each, scope) for each in term.subterms)
            return (FunctionTerm(self._functions[term.symbol.symbol], arguments),)
        raise refused(f"the cost {term} is not a sum of numbers and static functions", "computed costs")

    def _condition(self, formula: Any, scope: Scope) -> Condition:
        from tarski.syntax import formulas

        if isinstance(formula, formulas.Tautology | formulas.Contradiction):
            return TRUE if isinstance(formula, formulas.Tautology) else FALSE
        if isinstance(formula, formulas.Atom):
            return self._atom(formula, scope)
        if isinstance(formula, formulas.QuantifiedFormula):
            parameters, inner = self._bound(formula.variables, scope)
            exists = formula.quantifier == formulas.Quantifier.Exists
            return (Exists if exists else Forall)(parameters, self._condition(formula.formula, inner))
        if not isinstance(formula, formulas.CompoundFormula):
            raise refused(f"the condition {formula} cannot be translated", f"conditions of {type(formula).__name__}")
        parts = tuple(self._condition(each, scope) for each in formula.subformulas)
        if formula.connective == formulas.Connective.Not:
            return Not(*parts)
        return (And if formula.connective == formulas.Connective.And else Or)(parts)

    def _atom(self, atom: Any, scope: Scope) -> Condition:
        from tarski.syntax.builtins import BuiltinPredicateSymbol

        symbol = atom.predicate.symbol
        arguments = tuple(self._term(each, scope) for each in atom.subterms)
        if symbol in (BuiltinPredicateSymbol.EQ, BuiltinPredicateSymbol.NE):
            equal = Atom("=", arguments)
            return equal if symbol == BuiltinPredicateSymbol.EQ else Not(equal)
        if symbol not in self._predicates:
            raise refused(f"the condition {atom} compares numbers", "numeric conditions")
        return Atom(self._predicates[symbol], arguments)

    def _term(self, term: Any, scope: Scope) -> str:
        from tarski.syntax import Constant, Variable

        if isinstance(term, Variable):
            return scope[term.symbol, term.sort.name]
        if isinstance(term, Constant) and str(term.symbol) in self._objects:
            return self._objects[str(term.symbol)]
        raise refused(f"'{term}' is neither an object nor a variable", "nested functions")

    def _bound(self, variables: Iterable[Any], scope: Scope) -> tuple[tuple[TypedName, ...], Scope]:
        names, inner, bound = self._names.variables(name[1:] for name in scope.values()), dict(scope), []
        for each in variables:
            name = f"?{names.name(each.symbol, 'v')}"
            inner[each.symbol, each.sort.name] = name
            bound.append(TypedName(name, self._type(each.sort)))
        return tuple(bound), inner


def _whole(constant: Any) -> int:
    number = constant.symbol
    if number != int(number):
        raise refused(f"costs in PDDL are whole numbers, not {number}", "costs that are fractions")
    return int(number)
