"""The planner `up`, which runs any installed engine of unified-planning in a child process.

    up         the engine that unified-planning itself prefers for the task
    up:NAME    the engine of that name; engines added by an `up.ini` have names, too

The child (`up_child.py`) turns the task into a problem (`unpuzzle.interop`), in a dialect with names that engines need
not change (`Dialect`); its table translates a plan back into the task's own names. A task without a metric is given
the plan's length as its metric, since most engines call nothing optimal without one. `solved_optimally` is the engine's
claim for the task's own metric; an engine that cannot minimize it plans without the metric, and its plan is `solved`.
That there is no plan is believed of some engines only: see `_is_proof`.
"""

from __future__ import annotations

import json
import pickle
import sys
import time
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Any

from unpuzzle.base.availability import ENGINE_PACKAGES
from unpuzzle.base.errors import DependencyMissing, UnsupportedFeature, UsageError
from unpuzzle.base.outcomes import ERROR, GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE, UNSUPPORTED
from unpuzzle.base.run import Limits, Run, phase
from unpuzzle.base.text import suggestion
from unpuzzle.interop.translation import Renamed
from unpuzzle.pddl.declarations import Action, Domain, Predicate
from unpuzzle.pddl.formulas import And, Atom, Increase, conjunction
from unpuzzle.pddl.nodes import OBJECT, GroundAction, Plan, Task, TypedName
from unpuzzle.pddl.normal_form import (
    TOTAL,
    SingleEffect,
    restricted,
    single_effects,
    substituted,
    typed_names,
    unused,
)
from unpuzzle.pddl.plain_names import PlainNames
from unpuzzle.pddl.syntax import unsupported
from unpuzzle.pddl.world import Types, amounts, increases
from unpuzzle.planners.external.answers import confirm_unsolvable, result_of
from unpuzzle.planners.external.fast_downward_dialect import costs_fit, require_small_costs
from unpuzzle.planners.external.fast_downward_mutexes import original_plan, without_false_mutexes
from unpuzzle.planning.planner import USUAL, Planner, PlannerKind, SearchOptions
from unpuzzle.planning.result import Result
from unpuzzle.processes.private_directory import PrivateDirectory
from unpuzzle.processes.program import START, ProgramEnd, run_program
from unpuzzle.processes.worker import python_code

STATUSES = {
    "SOLVED_OPTIMALLY": (SOLVED_OPTIMALLY, ""),
    "INTERMEDIATE": (SOLVED, ""),
    "SOLVED_SATISFICING": (SOLVED, ""),
    "UNSOLVABLE_PROVEN": (UNSOLVABLE, "proved that there is no plan"),
    "UNSOLVABLE_INCOMPLETELY": (GAVE_UP, "ended with neither a plan nor a proof that there is none"),
    "TIMEOUT": (TIMEOUT, "ran out of time"),
    "MEMOUT": (MEMOUT, "ran out of memory"),
    "UNSUPPORTED_PROBLEM": (UNSUPPORTED, "does not support the task"),
    "INTERNAL_ERROR": (ERROR, "broke"),
}
"""The status for each status of unified-planning, and the engine's behaviour in words."""

_OVERLOOKS = frozenset({"enhsp", "enhsp-any", "enhsp-opt", "OPT-enhsp", "Anytime-enhsp"})
"""Engines that overlook plans, by our names and their own names."""
_TRANSLATING = ("up-fast-downward", "up-symk")
"""The packages of engines with Fast Downward's translator."""
_COMPLETE = ("Fast Downward", "Pyperplan")
"""How the own names of engines begin that say `unsolvable` only after a complete search."""

_CHILD = "unpuzzle.planners.external.up_child"
_ANSWER = "answer.json"


def missing() -> str | None:
    """Return None if unified-planning is installed, otherwise a sentence that says how to install it."""
    if _is_installed("unified_planning"):
        return None
    return "unified-planning is not installed; get it with: pip install unified-planning"


class UnifiedPlanning(Planner):
    """The planner `up`, which runs an engine of unified-planning in a child process."""

    def __init__(self, engine: str | None = None) -> None:
        """Choose an engine by its name. Raises UsageError for a name that unified-planning does not know."""
        if engine is not None and engine not in ENGINE_PACKAGES:
            known = sorted(ENGINE_PACKAGES)
            if not missing():
                with Run(Limits(60), "looking for engines"):
                    known = sorted({*known, *_ask({}, [], "up")[1].get("engines", [])})
            if engine not in known:
                hint = suggestion(engine, known).removeprefix(", ") or f"it knows {', '.join(known)}"
                raise UsageError(f"unified-planning has no planning engine '{engine}'; {hint}")
        self.engine: str | None = engine
        self.name: str = f"up:{engine}" if engine is not None else "up"

    def solve(self, subject: Task, options: SearchOptions = USUAL) -> Result:
        """Solve a task with an engine; the plan in the result is not validated.

        Raises DependencyMissing if the engine is not installed, UnsupportedFeature for an unsupported task.
        """
        with phase("planning"):
            start = time.monotonic()
            self._require()
            package = ENGINE_PACKAGES.get(self.engine or "")
            if package == "up-fast-downward":
                require_small_costs(subject)
            changed, arities = without_false_mutexes(subject) if package in (*_TRANSLATING, None) else (subject, {})
            run, answer, dialect = self._asked(changed)
            doubtful = "unsupported" in answer and changed is not subject
            if doubtful:
                run, answer, dialect = self._asked(subject)
            self._refuse(answer)
            status, plan, message = self._judge(run, answer, dialect, doubtful)
            proof = not doubtful and _is_proof(run, answer.get("engine", ""), changed)
            if status == GAVE_UP or (status == UNSOLVABLE and not proof):
                says = "ended without a plan" if status == GAVE_UP else "says that there is no plan"
                status, message = confirm_unsolvable(subject, f"{self._called(answer)} {says}")
            seconds, plan = answer.get("seconds", {}), original_plan(plan, arities)
            return result_of(run, status, self.name, start, plan=plan, message=message, seconds=seconds)

    def _asked(self, task: Task) -> tuple[ProgramEnd, dict[str, Any], Dialect]:
        """Solve a task in a child process; return how the process ended, its answer, and the dialect of the task."""
        dialect = Dialect(task)
        tasks = {"task.pickle": dialect.task}
        if task.problem.metric is not None:
            tasks["plain-task.pickle"] = Dialect(task, costs=False).task
        return *_ask(tasks, [self.engine or ""], self.name), dialect

    def _require(self) -> None:
        """Raise DependencyMissing if a required package is known to be missing before the child process starts."""
        if reason := missing():
            raise DependencyMissing(reason, dependency=self.name)
        package = ENGINE_PACKAGES.get(self.engine or "")
        if package is not None and not _is_installed(package.replace("-", "_")):
            sentence = f"the engine '{self.engine}' is not installed; get it with: pip install {package}"
            raise DependencyMissing(sentence, dependency=self.name)

    def _refuse(self, answer: dict[str, Any]) -> None:
        """Raise an error for an answer that says that the engine is missing or does not support the task."""
        if "unknown" in answer or "program" in answer:
            sentence = f"the installed unified-planning has no planning engine '{self.engine}'"
            if "program" in answer:
                sentence = f"{self._called(answer)} needs the program '{answer['program']}', which is not installed"
            raise DependencyMissing(sentence, dependency=self.name)
        if "refused" in answer:
            raise UnsupportedFeature(f"unified-planning cannot read the task: {answer['refused']}", feature="the task")
        if "unsupported" in answer:
            features = ", ".join(feature.lower().replace("_", " ") for feature in answer["unsupported"])
            together = f"no installed engine supports all of these features together: {features}"
            message = together if self.engine is None else f"{self.name} does not support {features}"
            raise UnsupportedFeature(message, feature=features)

    def _verdict(self, run: ProgramEnd, answer: dict[str, Any]) -> tuple[str, str]:
        """Return a status and a message, given the answer of the child process and how the process ended."""
        if run.limit not in ("", MEMOUT):
            return run.limit, f"{self.name} {run.ending()}"
        if "status" not in answer:
            return run.limit or ERROR, f"{self.name} {run.ending()}{_last_words(run.log)}"
        status, did = STATUSES[answer["status"]]
        called, complaint = self._called(answer), answer.get("complaint", "")
        if complaint:  # `unsolvable`, with a complaint
            status, did = ERROR, f"says that there is no plan, but also{_last_words(complaint)}"
        if status == ERROR and run.limit == MEMOUT:
            return MEMOUT, f"{called} ran out of memory"
        return status, f"{called} {did}" if did else ""

    def _judge(
        self, run: ProgramEnd, answer: dict[str, Any], dialect: Dialect, doubtful: bool
    ) -> tuple[str, Plan | None, str]:
        """Return the status, the plan in the names of the task, and a message; unproved claims are dropped."""
        (status, message), plan = self._verdict(run, answer), None
        if (steps := answer.get("plan")) is not None:
            try:
                plan = Plan(tuple(dialect.back(name, arguments) for name, *arguments in steps))
                message = message and f"a plan was found; then: {message}"
            except KeyError as error:
                message = f"the plan names {error}, which the task does not have"
        called, solved = self._called(answer), status in (SOLVED, SOLVED_OPTIMALLY)
        if plan is not None and not solved:
            status = SOLVED
        elif plan is None and solved:
            status, message = ERROR, message or f"{called} says that it solved the task, but gives no plan"
        overlooks = doubtful or not _OVERLOOKS.isdisjoint((self.engine, answer.get("engine")))
        if overlooks and status == SOLVED_OPTIMALLY:
            status, message = SOLVED, f"{called} may have overlooked a cheaper plan"
        if answer.get("metric_ignored"):
            status = SOLVED if status == SOLVED_OPTIMALLY else status
            message = "; ".join(filter(None, (message, f"{called} did not minimize the plan's cost")))
        return status, plan, message

    def _called(self, answer: dict[str, Any]) -> str:
        engine = answer.get("engine")
        return f"{self.name} ({engine})" if engine and self.engine is None else self.name


class UnifiedPlanningKind(PlannerKind):
    """The planner kind `up`, whose planners are engines of unified-planning."""

    name: str = "up"
    configurations: str = "[:NAME]"
    planner = UnifiedPlanning

    def missing(self) -> str | None:
        return missing()


# Claims of engines. That there is no plan is believed of `_COMPLETE` engines, of Fast Downward if its numbers fit
# (`costs_fit`); of others it counts if our own search confirms it (`confirm_unsolvable`): some take every end without a
# plan for a proof, and SymK hardly any. A program that reported an error has proved nothing. Fast Downward and SymK get
# tasks in which their translator finds no false mutex groups (`fast_downward_mutexes`), and so do engines that are
# unknown; if one does not support such a task, it gets the original, and its claims are not believed. And enhsp (seen
# with up-enhsp 0.1.1) deletes atoms that an action both adds and deletes, where PDDL keeps them, so it overlooks plans:
# its optimal plans are `solved`.


def _ask(tasks: dict[str, Task], words: list[str], planner: str) -> tuple[ProgramEnd, dict[str, Any]]:
    """Run the child process; return how it ended, and its answer (empty if it wrote none)."""
    files = {name: pickle.dumps(task) for name, task in tasks.items()}
    with PrivateDirectory({START: python_code(_CHILD, "main"), **files}, planner=planner) as directory:
        run = run_program([sys.executable, "-P", START, *words], directory)
        return run, dict(json.loads(directory.read(_ANSWER).get(_ANSWER) or "{}"))


def _is_proof(run: ProgramEnd, engine: str, task: Task) -> bool:
    """Return whether the status `unsolvable` of an engine is a proof: its search is complete and costs are small."""
    fits = not engine.startswith("Fast Downward") or costs_fit(run.log, task, small_sums=False)
    return fits and engine.startswith(_COMPLETE)


def _is_installed(module: str) -> bool:
    return find_spec(module) is not None


def _last_words(log: str) -> str:
    lines = log.strip().splitlines()
    return f": {lines[-1].strip()[:200]}" if lines else ""


class Dialect:
    """A task rewritten for unified-planning, `task`; the method `back` restores the original names in its plans.

    unified-planning allows fewer names than PDDL: it refuses or renames `1-1`, `when`, and one name for things of two
    kinds. So every type, predicate, function, object and action is renamed here to a unique plain name, and plans are
    translated back by the same table. Everything else keeps its meaning:

    - a variable that hides another one gets another name;
    - a parameter that occurs twice becomes two parameters and, in an action, a condition that they are equal (in a
      quantifier, the second hides the first);
    - `(either a b)` becomes `object` and a condition; so do all types then, for the reader insists that they fit;
    - nested effects become a list of single ones, each with its own quantifier and condition; one without any is
      dropped;
    - several costs of an action become their sum; without a metric, or if `costs` is False, costs are dropped.

    Raises UnsupportedFeature for what cannot be expressed: derived predicates, and sums of costs that are not plain
    numbers.
    """

    def __init__(self, task: Task, costs: bool = True) -> None:
        domain, problem = task.domain, task.problem
        if domain.axioms:
            message = "unified-planning does not read derived predicates"
            raise unsupported(message, feature=":derived-predicates", span=domain.axioms[0].span)
        self._costs = costs and problem.metric is not None
        several = any(len(each.types) > 1 for each in (*domain.types, *typed_names(task)))
        parameters = [[each.name for each in action.parameters] for action in domain.actions]
        self._untyped = several or any(len(set(names)) < len(names) for names in parameters)
        self._members: dict[Any, None] = {}  # the types that a predicate represents
        actions = tuple(self._action(each) for each in domain.actions if next(single_effects(each), None))
        goal, types = restricted(substituted(problem.goal, {}), self._guards), Types(task)
        changed: Domain = domain.replace(
            name="d",
            types=() if self._untyped else domain.types,
            predicates=(*domain.predicates, *(Predicate(member, (TypedName("?x"),)) for member in self._members)),
            functions=domain.functions if self._costs else (),
            actions=actions,
        )
        facts = [Atom(member, (name,)) for member in self._members for name in types.members(member)]
        values, metric = (problem.values, problem.metric) if self._costs else ((), None)
        changed_problem = problem.replace(
            name="p", init=(*problem.init, *facts), values=values, goal=goal, metric=metric
        )
        self._renamed = Renamed(changed, changed_problem, PlainNames(), _text)
        self.task: Task = self._renamed.task

    def back(self, name: str, arguments: Iterable[str]) -> GroundAction:
        """Return a step of a plan with the original names of the task. Raises KeyError for unknown names."""
        return GroundAction(*self._renamed.back(GroundAction(name, tuple(arguments))))

    def _guards(self, parameters: Sequence[TypedName]) -> tuple[Atom, ...]:
        """Return the conditions that replace the types of variables."""
        typed = [each for each in parameters if each.types != OBJECT] if self._untyped else []
        self._members |= dict.fromkeys(each.types for each in typed)
        return tuple(Atom(each.types, (each.name,)) for each in typed)  # type: ignore[arg-type]

    def _action(self, action: Action) -> Action:
        """Return an action without types: preconditions that test predicates replace the types of its parameters."""
        scope, single = {each.name: each.name for each in action.parameters}, dict[str, TypedName]()
        for each in action.parameters:
            single[unused(each.name, {*scope, *single}) if each.name in single else each.name] = each
        equal = [Atom("=", (each.name, name)) for name, each in single.items() if name != each.name]
        parameters = tuple(each.replace(name=name) for name, each in single.items())
        precondition = restricted(substituted(action.precondition, scope), self._guards)
        condition = conjunction((*self._guards(parameters), *equal, precondition))
        effects = map(self._effect, single_effects(action))
        return Action(action.name, parameters, condition, And((*effects, *self._cost(action))))

    def _cost(self, action: Action) -> list[Increase]:
        parts, costs = amounts(action), increases(action)
        if self._costs and len(parts) > 1:
            message = f"unified-planning reads only one cost per action; '{action.name}' has {len(costs)}"
            raise unsupported(message, feature="several costs of an action", span=costs[1].span)
        return [Increase(TOTAL, part) for part in parts if self._costs]

    def _effect(self, effect: SingleEffect) -> Any:
        conditions = [restricted(each, self._guards) for each in effect.conditions]
        return effect.replace(conditions=(*conditions, *self._guards(effect.parameters))).formula


def _text(key: Any) -> str:
    """Return a name as it is; for a tuple of types, the name of the predicate that is true of their objects."""
    return key if isinstance(key, str) else "is_" + "_or_".join(key)
