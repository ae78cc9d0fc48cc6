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
from unpuzzle.interop.translation import Builder, ExactNames, Renamed, bound_steps
from unpuzzle.pddl import nodes
from unpuzzle.pddl.formulas import TOTAL_COST, Atom, Condition, FunctionTerm, TypedName, conjunction
from unpuzzle.pddl.nodes import GroundAction, Plan, Task
from unpuzzle.pddl.normal_form import TOTAL, TRUE, merged_axioms
from unpuzzle.pddl.plain_names import title
from unpuzzle.pddl.syntax import parse_error, unsupported
from unpuzzle.pddl.world import amounts

_NEEDING = "problems of tarski need"


def to_tarski(task: Task) -> Any:
    """Return a task as a problem of tarski.

    Raises UnsupportedFeature, which names the refused feature, and DependencyMissing without tarski.
    """
    require("exchange", _NEEDING)
    from tarski.errors import TarskiError

    try:
        return _Problem(task).problem
    except TarskiError as error:
        raise unsupported(f"tarski refuses the task: {error}", feature="the task") from error


class _Problem(Builder):
    """The translation of a task to `problem`, a problem of tarski."""

    library = "tarski"

    def __init__(self, task: Task) -> None:
        from tarski import fstrips
        from tarski.syntax import formulas
        from tarski.syntax.builtins import BuiltinPredicateSymbol
        from tarski.theories import Theory, load_theory

        super().__init__(task)
        domain, problem = task.domain, task.problem
        self.connectives = {
            nodes.And: partial(formulas.land, flat=True), nodes.Or: partial(formulas.lor, flat=True),
            nodes.Not: formulas.neg, nodes.Imply: formulas.implies,
            nodes.Exists: formulas.exists, nodes.Forall: formulas.forall,
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
            variables, scope = self.bound(axiom.head.parameters, {})
            self.problem.derived(axiom.head.name, variables, self.condition(axiom.body, scope))
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

    def _add_action(self, action: nodes.Action) -> None:
        from tarski import fstrips
        from tarski.fstrips.action import AdditiveActionCost
        from tarski.syntax.formulas import VariableBinding

        parameters, scope = self.bound(action.parameters, {})
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
    require("exchange", _NEEDING)
    try:
        whole = _Reader(problem).read()
        return Renamed(*whole, ExactNames(), lambda key: key[0] if isinstance(key, tuple) else key).task
    except RecursionError:
        raise unsupported("a condition of the task is nested too deeply", feature="deep nesting") from None


class _Reader:
    """A reader of a tarski problem; variables are found by symbol and sort, because they cannot be keys."""

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
                raise unsupported(
                    f"the values of the function '{each.symbol}' are objects, but only numbers are supported",
                    feature=":object-fluents",
                )
        self._objects = {str(each.symbol): each for each in language.constants()}
        if problem.constraints:
            raise unsupported(
                "the problem has constraints on its states, which are not supported", feature="constraints"
            )

    def read(self) -> tuple[nodes.Domain, nodes.Problem]:
        """Return the domain and the problem, still with the names that tarski uses."""
        problem, name = self._problem, title(self._problem.name, "problem")
        domain = nodes.Domain(
            title(problem.domain_name, name),
            (),
            tuple(TypedName(each, self._type(parent)) for each, parent in self._sorts.items()),
            (),
            tuple(nodes.Predicate(key, self._numbered(each.sort)) for key, each in self._predicates.items()),
            tuple(nodes.Function(key, self._numbered(each.domain)) for key, each in self._functions.items()),
            tuple(map(self._action, problem.actions.values())),
            tuple(map(self._axiom, problem.derived_predicates.values())),
        )
        objects = tuple(TypedName(key, self._type(each.sort)) for key, each in self._objects.items())
        init, values, goal = tuple(self._initial()), tuple(self._values()), self._condition(problem.goal)
        return domain, nodes.Problem(name, domain.name, (), objects, init, values, goal, self._metric())

    def _type(self, sort: Any) -> tuple[str, ...]:
        if sort.name != "object" and sort.name not in self._sorts:
            raise unsupported(
                f"the type '{sort.name}' is not a type of objects, and other types are not supported",
                feature="numbers as objects",
            )
        return (sort.name,)

    def _numbered(self, sorts: Iterable[Any]) -> tuple[TypedName, ...]:
        return tuple(TypedName(f"x{number}", self._type(sort)) for number, sort in enumerate(sorts, 1))

    def _bound(self, variables: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(TypedName(_key(each), self._type(each.sort)) for each in variables)

    def _axiom(self, derived: Any) -> nodes.Axiom:
        head = nodes.Predicate(derived.predicate.symbol, self._bound(derived.parameters))
        return nodes.Axiom(head, self._condition(derived.formula))

    def _metric(self) -> FunctionTerm | None:
        metric = self._problem.plan_metric
        if metric is None:
            return None
        symbol = getattr(getattr(metric.opt_expression, "symbol", None), "symbol", None)
        if metric.opt_type != self._fstrips.OptimizationType.MINIMIZE or symbol != TOTAL_COST:
            wanted = f"{metric.opt_type} {metric.opt_expression}"
            raise unsupported(f"only (total-cost) can be minimized, not: {wanted}", feature="metric")
        return TOTAL

    def _initial(self) -> Iterator[Atom]:
        extensions = self._problem.init.predicate_extensions
        for symbol, predicate in self._predicates.items():
            facts = {_symbols(point) for point in extensions.get(predicate.signature, ())}
            yield from (Atom(symbol, arguments) for arguments in sorted(facts))

    def _values(self) -> Iterator[nodes.Value]:
        for (symbol, *_), definition in self._problem.init.function_extensions.items():
            for point, value in definition.data.items():
                number = _whole(value)
                if symbol in self._functions:
                    yield nodes.Value(FunctionTerm(symbol, _symbols(point)), number)
                elif number:
                    raise unsupported("(total-cost) must be 0 in the initial state", feature="initial total-cost")

    def _action(self, action: Any) -> nodes.Action:
        effects = [self._effect(effect) for effect in action.effects]
        if action.cost is not None:
            effects += [nodes.Increase(TOTAL, part) for part in self._amounts(action.cost.addend) if part != 0]
        condition = self._condition(action.precondition)
        return nodes.Action(action.name, self._bound(action.parameters), condition, nodes.And(tuple(effects)))

    def _effect(self, effect: Any) -> Any:
        kinds = self._fstrips
        result: Any
        if isinstance(effect, kinds.UniversalEffect):
            result = nodes.Forall(self._bound(effect.variables), conjunction([*map(self._effect, effect.effects)]))
        elif isinstance(effect, kinds.AddEffect):
            result = self._condition(effect.atom)
        elif isinstance(effect, kinds.DelEffect):
            result = nodes.Not(self._condition(effect.atom))
        elif isinstance(effect, kinds.LiteralEffect):
            result = self._condition(effect.lit)
        elif isinstance(effect, kinds.IncreaseEffect) and effect.lhs.symbol.symbol == TOTAL_COST:
            result = nodes.And(tuple(nodes.Increase(TOTAL, part) for part in self._amounts(effect.rhs)))
        else:
            kind = type(effect).__name__
            raise unsupported(
                f"the effect {effect} cannot be translated to PDDL", feature=f"effects of the kind {kind}"
            )
        condition = self._condition(effect.condition)
        return result if condition == TRUE else nodes.When(condition, result)

    def _amounts(self, term: Any) -> tuple[FunctionTerm | int, ...]:
        """Return the summands of a cost in tarski as numbers and as terms of PDDL functions."""
        if isinstance(term, self._syntax.Constant):
            return (_whole(term),)
        if isinstance(term, self._syntax.CompoundTerm):
            symbol = term.symbol.symbol
            if symbol == self._syntax.BuiltinFunctionSymbol.ADD:
                return tuple(part for each in term.subterms for part in self._amounts(each))
            if symbol in self._functions:
                return (FunctionTerm(symbol, self._terms(term)),)
        raise unsupported(f"the cost {term} is not a sum of numbers and static functions", feature="computed costs")

    def _condition(self, formula: Any) -> Condition:
        kinds = self._syntax
        if isinstance(formula, kinds.Tautology | kinds.Contradiction):
            return nodes.And() if isinstance(formula, kinds.Tautology) else nodes.Or()
        if isinstance(formula, kinds.Atom):
            return self._atom(formula)
        if isinstance(formula, kinds.QuantifiedFormula):
            quantifier = nodes.Exists if formula.quantifier == kinds.Quantifier.Exists else nodes.Forall
            return quantifier(self._bound(formula.variables), self._condition(formula.formula))
        if not isinstance(formula, kinds.CompoundFormula):
            kind = type(formula).__name__
            raise unsupported(f"the condition {formula} cannot be translated to PDDL", feature=f"conditions of {kind}")
        parts = tuple(map(self._condition, formula.subformulas))
        if formula.connective == kinds.Connective.Not:
            return nodes.Not(*parts)
        return (nodes.And if formula.connective == kinds.Connective.And else nodes.Or)(parts)

    def _atom(self, atom: Any) -> Condition:
        symbol, symbols, arguments = atom.predicate.symbol, self._syntax.BuiltinPredicateSymbol, self._terms(atom)
        if symbol in (symbols.EQ, symbols.NE):
            equal = Atom("=", arguments)
            return equal if symbol == symbols.EQ else nodes.Not(equal)
        if symbol not in self._predicates:
            raise unsupported(
                f"the condition {atom} compares numbers, which is not supported", feature="numeric conditions"
            )
        return Atom(symbol, arguments)

    def _terms(self, node: Any) -> tuple[Any, ...]:
        return tuple(map(self._term, node.subterms))

    def _term(self, term: Any) -> Any:
        if isinstance(term, self._syntax.Variable):
            return _key(term)
        if isinstance(term, self._syntax.Constant) and str(term.symbol) in self._objects:
            return str(term.symbol)
        raise unsupported(
            f"'{term}' is neither an object nor a variable, and other arguments are not supported",
            feature="nested functions",
        )


def _key(variable: Any) -> Any:
    return variable.symbol, variable.sort.name


def _symbols(point: Iterable[Any]) -> tuple[str, ...]:
    return tuple(str(each.expr.symbol) for each in point)


def _whole(constant: Any) -> int:
    number = constant.symbol
    if number != int(number):
        raise unsupported(f"costs in PDDL must be whole numbers, not {number}", feature="costs that are fractions")
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
    steps = []
    for name in [str(getattr(each, "name", each)) for each in operators]:
        action, bracket, rest = name.lower().partition("(")
        if bracket and not rest.endswith(")"):
            raise parse_error(f"'{name}' is not a ground operator: expected 'ACTION(OBJECT, ...)'")
        inside = rest[:-1].strip()
        steps.append(GroundAction(action, tuple(part.strip() for part in inside.split(",")) if inside else ()))
    return Plan(tuple(steps))
