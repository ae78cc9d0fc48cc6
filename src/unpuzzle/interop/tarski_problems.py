"""Translation of tasks and plans to objects of tarski, and back; names stay the same, in small letters.

Variables keep their question mark. An implication is a disjunction there; the axioms of one predicate become one; costs
are costs of actions if the metric uses them, otherwise they are dropped. Parameters of predicates and functions have no
names there, and get numbers.

Refused from a task, besides what `translation.py` refuses: an argument of a wider type than its predicate declares, and
a name for two things of different kinds. Refused to a task: functions with objects as values, changing numbers other
than total-cost, constraints, effects of kinds that PDDL does not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial, reduce
from operator import add
from typing import Any

from unpuzzle.base.availability import require
from unpuzzle.interop.translation import (
    FALSE,
    TOTAL,
    TRUE,
    Builder,
    ExactNames,
    Renamed,
    bound_steps,
    merged_axioms,
    refused,
    title,
)
from unpuzzle.pddl.declarations import Action, Axiom, Domain, Function, Predicate, Problem, Value
from unpuzzle.pddl.formulas import (
    TOTAL_COST,
    And,
    Atom,
    Condition,
    Exists,
    Forall,
    Imply,
    Increase,
    Not,
    Or,
    When,
    conjunction,
)
from unpuzzle.pddl.nodes import FunctionTerm, GroundAction, Plan, Task, TypedName
from unpuzzle.pddl.syntax import parse_error
from unpuzzle.pddl.world import amounts


def to_tarski(task: Task) -> Any:
    """Return a task as a problem of tarski.

    Raises UnsupportedFeature, which names the refused feature, and DependencyMissing without tarski.
    """
    require_tarski()
    from tarski.errors import TarskiError

    try:
        return _Problem(task).problem
    except TarskiError as error:
        raise refused(f"tarski refuses the task: {error}", "the task") from error


def require_tarski() -> None:
    """Raise DependencyMissing, with the command that installs it, if tarski is not installed."""
    require("exchange", "problems of tarski need")


class _Problem(Builder):
    """The translation of a task to a tarski problem, `problem`."""

    library = "tarski"

    def __init__(self, task: Task) -> None:
        from tarski import fstrips
        from tarski.syntax import formulas
        from tarski.syntax.builtins import BuiltinPredicateSymbol
        from tarski.theories import Theory, load_theory

        super().__init__(task)
        domain, problem = task.domain, task.problem
        self.connectives = {
            And: partial(formulas.land, flat=True), Or: partial(formulas.lor, flat=True),
            Not: formulas.neg, Imply: formulas.implies,
            Exists: lambda variables, body: formulas.exists(*variables, body),
            Forall: lambda variables, body: formulas.forall(*variables, body),
        }  # fmt: skip
        language = self._language = fstrips.language(domain.name, theories=[Theory.EQUALITY])
        if problem.metric is not None or domain.functions:
            load_theory(language, Theory.ARITHMETIC)
            real = language.Real
            language.interval("number", real, real.lower_bound, real.upper_bound)
        self.problem = fstrips.create_fstrips_problem(language, problem.name, domain.name)
        self.types["object"] = language.get_sort("object")
        self.add_types(language.sort)
        self.predicates = {each.name: language.predicate(each.name, *self._sorts(each)) for each in domain.predicates}
        self.predicates["="] = language.get_predicate(BuiltinPredicateSymbol.EQ)
        for each in domain.functions:
            self.functions[each.name] = language.function(each.name, *self._sorts(each), "number")
        for named in (*domain.constants, *problem.objects):
            self.objects[named.name] = language.constant(named.name, self.type_of(named))
        for action in domain.actions:
            self._add_action(action)
        for axiom in merged_axioms(domain.axioms):
            scope = {each.name: self.variable(each) for each in axiom.head.parameters}
            self.problem.derived(axiom.head.name, list(scope.values()), self.condition(axiom.body, scope))
        for atom in problem.init:
            self.problem.init.add(self.atom(atom, {}))
        for value in problem.values:
            self.problem.init.set(self.term(value.term, {}), value.number)
        self.problem.goal = self.condition(problem.goal, {})
        if problem.metric is not None:
            total = language.function(TOTAL_COST, "number")()
            self.problem.init.set(total, 0)
            self.problem.metric(total, fstrips.OptimizationType.MINIMIZE)

    def _sorts(self, declared: Any) -> list[Any]:
        return [self.type_of(each) for each in declared.parameters]

    def variable(self, named: TypedName) -> Any:
        return self._language.variable(named.name, self.type_of(named))

    def _add_action(self, action: Action) -> None:
        from tarski import fstrips
        from tarski.fstrips.action import AdditiveActionCost
        from tarski.syntax.formulas import VariableBinding

        parameters, scope = self.parameters(action, self.variable)
        precondition, effects, cost = self.condition(action.precondition, scope), [], None
        for variables, condition, atom, adds in self.effects(action, scope):
            effect = (fstrips.AddEffect if adds else fstrips.DelEffect)(atom, condition)
            effects.append(fstrips.UniversalEffect(variables, [effect]) if variables else effect)
        if self.task.problem.metric is not None:
            number = partial(self._language.constant, sort=self._language.Integer)
            parts = [number(each) if isinstance(each, int) else self.term(each, scope) for each in amounts(action)]
            cost = AdditiveActionCost(reduce(add, parts or [number(0)]))
        self.problem.action(action.name, VariableBinding(parameters), precondition, effects, cost)


def from_tarski(problem: Any) -> Task:
    """Return a problem of tarski as a task.

    Raises UnsupportedFeature, which names the refused feature, and DependencyMissing without tarski.
    """
    require_tarski()
    try:
        whole = _Reader(problem).read()
        return Renamed(*whole, ExactNames(), lambda key: key[0] if isinstance(key, tuple) else key).task
    except RecursionError:
        raise refused("a condition is nested too deeply", "deep nesting") from None


class _Reader:
    """A reader of a tarski problem; variables are identified by symbol and sort, as they cannot be keys."""

    def __init__(self, problem: Any) -> None:
        from tarski import fstrips, syntax

        self._fstrips, self._syntax = fstrips, syntax
        self._problem, language = problem, problem.language
        sorts = [each for each in language.sorts if not isinstance(each, syntax.Interval) and not each.builtin]
        self._sorts = {each.name: language.immediate_parent[each] for each in sorts if each.name != "object"}
        self._predicates = {each.symbol: each for each in language.predicates if not each.builtin}
        functions = [each for each in language.functions if not each.builtin and each.symbol != TOTAL_COST]
        self._functions = {each.symbol: each for each in functions}
        for each in functions:
            if not isinstance(each.codomain, syntax.Interval):
                raise refused(f"the values of the function '{each.symbol}' are objects", ":object-fluents")
        self._objects = {str(each.symbol): each for each in language.constants()}
        if problem.constraints:
            raise refused("the problem has constraints on its states", "constraints")

    def read(self) -> tuple[Domain, Problem]:
        """Return the domain and the problem, still with the names that tarski uses."""
        problem, problem_name = self._problem, title(self._problem.name, "problem")
        domain = Domain(
            title(problem.domain_name, problem_name),
            (),
            tuple(TypedName(name, self._type(parent)) for name, parent in self._sorts.items()),
            (),
            tuple(Predicate(name, self._numbered(each.sort)) for name, each in self._predicates.items()),
            tuple(Function(name, self._numbered(each.domain)) for name, each in self._functions.items()),
            tuple(map(self._action, problem.actions.values())),
            tuple(
                Axiom(Predicate(each.predicate.symbol, self._bound(each.parameters)), self._condition(each.formula))
                for each in problem.derived_predicates.values()
            ),
        )
        objects = tuple(TypedName(name, self._type(each.sort)) for name, each in self._objects.items())
        goal, metric = self._condition(problem.goal), self._metric()
        initial, values = tuple(self._initial()), tuple(self._values())
        return domain, Problem(problem_name, domain.name, (), objects, initial, values, goal, metric)

    def _type(self, sort: Any) -> tuple[str, ...]:
        if sort.name != "object" and sort.name not in self._sorts:
            raise refused(f"the type '{sort.name}' is not a type of objects", "numbers as objects")
        return (sort.name,)

    def _numbered(self, sorts: Iterable[Any]) -> tuple[TypedName, ...]:
        return tuple(TypedName(f"x{number}", self._type(sort)) for number, sort in enumerate(sorts, 1))

    def _bound(self, variables: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(TypedName(_key(each), self._type(each.sort)) for each in variables)

    def _metric(self) -> FunctionTerm | None:
        metric = self._problem.plan_metric
        if metric is None:
            return None
        symbol = getattr(getattr(metric.opt_expression, "symbol", None), "symbol", None)
        if metric.opt_type != self._fstrips.OptimizationType.MINIMIZE or symbol != TOTAL_COST:
            wanted = f"{metric.opt_type} {metric.opt_expression}"
            raise refused(f"only (total-cost) can be minimized, not: {wanted}", "metric")
        return TOTAL

    def _initial(self) -> Iterator[Atom]:
        extensions = self._problem.init.predicate_extensions
        for symbol, predicate in self._predicates.items():
            points = extensions.get(predicate.signature, ())
            facts = {tuple(str(each.expr.symbol) for each in point) for point in points}
            yield from (Atom(symbol, arguments) for arguments in sorted(facts))

    def _values(self) -> Iterator[Value]:
        for (symbol, *_), definition in self._problem.init.function_extensions.items():
            for point, value in definition.data.items():
                number = _whole(value)
                if symbol in self._functions:
                    yield Value(FunctionTerm(symbol, tuple(str(each.expr.symbol) for each in point)), number)
                elif number:
                    raise refused("(total-cost) must be 0 in the initial state", "initial total-cost")

    def _action(self, action: Any) -> Action:
        parameters = self._bound(action.parameters)
        effects = [self._effect(effect) for effect in action.effects]
        if action.cost is not None:
            effects += [Increase(TOTAL, part) for part in self._amounts(action.cost.addend) if part != 0]
        return Action(action.name, parameters, self._condition(action.precondition), And(tuple(effects)))

    def _effect(self, effect: Any) -> Any:
        kinds = self._fstrips
        result: Any
        if isinstance(effect, kinds.UniversalEffect):
            result = Forall(self._bound(effect.variables), conjunction([*map(self._effect, effect.effects)]))
        elif isinstance(effect, kinds.AddEffect):
            result = self._condition(effect.atom)
        elif isinstance(effect, kinds.DelEffect):
            result = Not(self._condition(effect.atom))
        elif isinstance(effect, kinds.LiteralEffect):
            result = self._condition(effect.lit)
        elif isinstance(effect, kinds.IncreaseEffect) and effect.lhs.symbol.symbol == TOTAL_COST:
            result = And(tuple(Increase(TOTAL, part) for part in self._amounts(effect.rhs)))
        else:
            raise refused(f"the effect {effect} cannot be translated", f"effects of the kind {type(effect).__name__}")
        condition = self._condition(effect.condition)
        return result if condition == TRUE else When(condition, result)

    def _amounts(self, term: Any) -> tuple[FunctionTerm | int, ...]:
        """Return the summands of a sum: numbers and terms."""
        if isinstance(term, self._syntax.Constant):
            return (_whole(term),)
        if isinstance(term, self._syntax.CompoundTerm):
            symbol = term.symbol.symbol
            if symbol == self._syntax.BuiltinFunctionSymbol.ADD:
                return tuple(part for each in term.subterms for part in self._amounts(each))
            if symbol in self._functions:
                return (FunctionTerm(symbol, tuple(map(self._term, term.subterms))),)
        raise refused(f"the cost {term} is not a sum of numbers and static functions", "computed costs")

    def _condition(self, formula: Any) -> Condition:
        kinds = self._syntax
        if isinstance(formula, kinds.Tautology | kinds.Contradiction):
            return TRUE if isinstance(formula, kinds.Tautology) else FALSE
        if isinstance(formula, kinds.Atom):
            return self._atom(formula)
        if isinstance(formula, kinds.QuantifiedFormula):
            quantify = Exists if formula.quantifier == kinds.Quantifier.Exists else Forall
            return quantify(self._bound(formula.variables), self._condition(formula.formula))
        if not isinstance(formula, kinds.CompoundFormula):
            raise refused(f"the condition {formula} cannot be translated", f"conditions of {type(formula).__name__}")
        parts = tuple(map(self._condition, formula.subformulas))
        if formula.connective == kinds.Connective.Not:
            return Not(*parts)
        return (And if formula.connective == kinds.Connective.And else Or)(parts)

    def _atom(self, atom: Any) -> Condition:
        symbol, symbols = atom.predicate.symbol, self._syntax.BuiltinPredicateSymbol
        arguments = tuple(map(self._term, atom.subterms))
        if symbol in (symbols.EQ, symbols.NE):
            equal = Atom("=", arguments)
            return equal if symbol == symbols.EQ else Not(equal)
        if symbol not in self._predicates:
            raise refused(f"the condition {atom} compares numbers", "numeric conditions")
        return Atom(symbol, arguments)

    def _term(self, term: Any) -> Any:
        if isinstance(term, self._syntax.Variable):
            return _key(term)
        if isinstance(term, self._syntax.Constant) and str(term.symbol) in self._objects:
            return str(term.symbol)
        raise refused(f"'{term}' is neither an object nor a variable", "nested functions")


def _key(variable: Any) -> Any:
    return variable.symbol, variable.sort.name


def _whole(constant: Any) -> int:
    number = constant.symbol
    if number != int(number):
        raise refused(f"costs in PDDL must be whole numbers, not {number}", "costs that are fractions")
    return int(number)


def plan_to_tarski(plan: Plan | Iterable[GroundAction], problem: Any) -> list[Any]:
    """Return a plan as ground operators of a tarski problem, for `tarski.search.operations.progress`.

    Raises ParseError for a step with an unknown action or object.
    """
    from tarski.syntax.transform.action_grounding import ground_schema_into_plain_operator_from_grounding as ground

    actions = {name.lower(): action for name, action in problem.actions.items()}
    objects = {str(each.symbol).lower(): each for each in problem.language.constants()}
    return [ground(action, arguments) for action, arguments in bound_steps(plan, actions, objects)]


def plan_from_tarski(operators: Iterable[Any]) -> Plan:
    """Return a plan from ground operators of tarski, or from their names such as `move(a, b)`."""
    return Plan(tuple(_operator(str(getattr(each, "name", each))) for each in operators))


def _operator(name: str) -> GroundAction:
    action, bracket, rest = name.lower().partition("(")
    if bracket and not rest.endswith(")"):
        raise parse_error(f"'{name}' is not a ground operator: expected 'ACTION(OBJECT, ...)'")
    inside = rest[:-1].strip()
    return GroundAction(action, tuple(part.strip() for part in inside.split(",")) if inside else ())
