"""The program that the planner `up` runs as a child process: one engine of unified-planning on one task.

Its argument is the name of the engine, empty for unified-planning's own choice. Without one it lists the engines.

In the working directory, it reads `task.pickle` (for an engine that cannot minimize costs, `plain-task.pickle` without
costs, if it exists), and writes `answer.json`. A child that fails checks whether memory is left, and notes in its log
if there is none. So nothing large is imported before `main` runs.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter
from types import ModuleType
from typing import Any

from unpuzzle.processes.worker import memory_is_left


class ConfigSpaceLater(ModuleType):
    """A substitute for the package ConfigSpace, which is imported only if more than the name of a class is needed.

    unified-planning needs this name for one annotation; the package and scipy's statistics, which it loads, would take
    longer than the rest of the start.
    """

    def __init__(self) -> None:
        super().__init__("ConfigSpace")
        spec = find_spec("ConfigSpace")
        self.__path__: list[str] = (spec and spec.submodule_search_locations) or []

    def __getattr__(self, name: str) -> Any:
        if name == "ConfigurationSpace":
            return lambda *arguments, **options: self._loaded().ConfigurationSpace(*arguments, **options)
        if name.startswith("__"):  # used by imports and `inspect` for every module
            raise AttributeError(name)
        return getattr(self._loaded(), name)

    def _loaded(self) -> ModuleType:
        """Import the package in place of this stand-in, and return the package."""
        if sys.modules.get("ConfigSpace") is self:
            del sys.modules["ConfigSpace"]
        return import_module("ConfigSpace")


def main() -> None:
    """Read the request of the parent process, and write the answer; an error is printed as a traceback."""
    arguments = sys.argv[1:]
    # Engines do not multiply matrices, but numpy's library reserves memory for every possible thread.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.modules.setdefault("ConfigSpace", ConfigSpaceLater())
    try:
        answer = plan(arguments[0]) if arguments else {"engines": engines()}
    except BaseException:
        if not memory_is_left():
            sys.stderr.write("out of memory\n")
        raise
    with open("answer.tmp", "w", encoding="utf-8") as file:
        json.dump(answer, file)
    os.replace("answer.tmp", "answer.json")
    if answer.get("status") == "INTERNAL_ERROR" or answer.get("complaint"):
        raise SystemExit(3)  # so that the parent searches the log for an end of memory


def engines() -> list[str]:
    """Return the names of all installed engines that can plan, except compound ones such as `replanner[NAME]`."""
    factory = _factory()
    return [name for name in factory.engines if "[" not in name and factory.engine(name).is_oneshot_planner()]


def plan(name: str) -> dict[str, Any]:
    """Run an engine on the task of a request, and return the engine's answer."""
    start = perf_counter()
    try:
        problem = _problem("")
    except (ImportError, OSError, MemoryError):  # not caused by the task
        raise
    except Exception as error:
        if not memory_is_left():
            raise
        return {"refused": f"{type(error).__name__}: {error}"}
    kind = _class(name, problem)
    if name and kind is None:
        return {"unknown": name}
    answer: dict[str, Any] = {}
    if kind is None or not kind.supports(problem.kind):
        plain = _problem("plain-" if os.path.exists("plain-task.pickle") else "")
        plain.clear_quality_metrics()
        easier = _class(name, plain)
        if easier is not None and easier.supports(plain.kind):
            kind, problem, answer = easier, plain, {"metric_ignored": True}
    if kind is None or not kind.supports(problem.kind):
        return {"unsupported": _unsupported(kind, problem.kind)}
    engine = kind()
    engine.skip_checks = True  # they were made above
    answer["seconds"] = {"read": perf_counter() - start}
    start = perf_counter()
    answer |= _solved(engine, problem)
    answer["seconds"]["search"] = perf_counter() - start
    return answer


def _problem(prefix: str) -> Any:
    """Return the problem in the file `{prefix}task.pickle`; a problem without a metric minimizes the steps."""
    from unified_planning.shortcuts import Int, MinimizeSequentialPlanLength, get_environment

    from unpuzzle.interop.up_problems import to_unified_planning

    get_environment().credits_stream = None
    with open(f"{prefix}task.pickle", "rb") as file:
        problem = to_unified_planning(pickle.load(file))  # noqa: S301  # of the process that started this one
    for fluent in problem.fluents:
        if fluent.type.is_int_type():  # a function without a value is not the cost of any possible action
            problem.fluents_defaults.setdefault(fluent, Int(0))
    costs = [metric.get_action_cost(action) for metric in problem.quality_metrics for action in problem.actions]
    if all(cost.is_int_constant() and cost.constant_value() == 1 for cost in costs):  # more engines minimize length
        problem.clear_quality_metrics()
        problem.add_quality_metric(MinimizeSequentialPlanLength())
    return problem


def _factory() -> Any:
    from unified_planning.shortcuts import get_environment

    return get_environment().factory


def _class(name: str, problem: Any) -> Any:
    """Return the class of an engine, given its name or the problem; None if there is no such engine."""
    from unified_planning.engines.factory import DEFAULT_ENGINES
    from unified_planning.exceptions import UPNoSuitableEngineAvailableException

    if name in DEFAULT_ENGINES:  # without the factory, which imports all engines
        module, item = DEFAULT_ENGINES[name]
        engine = getattr(import_module(module), item)
        return engine if engine.is_oneshot_planner() else None
    if name:
        return _factory().engine(name) if name in engines() else None
    try:
        return type(_factory().OneshotPlanner(problem_kind=problem.kind))
    except UPNoSuitableEngineAvailableException:
        return None


def _unsupported(engine: Any, kind: Any) -> list[str]:
    """Return the features of a problem that an engine does not support; all features if the engine is None."""
    from unified_planning.model import ProblemKind

    if engine is None:
        return sorted(kind.features)
    features = {feature: ProblemKind({feature}, version=kind.version) for feature in sorted(kind.features)}
    return [feature for feature, alone in features.items() if not engine.supports(alone)]


def _solved(engine: Any, problem: Any) -> dict[str, Any]:
    """Run an engine on a problem, and return the status, the plan and the messages as plain data."""
    from unified_planning.engines import PDDLPlanner
    from unified_planning.plans import PlanKind

    # Written at once, a log survives the time limit; but only engines that are programs can write one.
    streams = isinstance(engine, PDDLPlanner) and sys.platform != "win32"
    try:
        result = engine.solve(problem, output_stream=sys.stdout if streams else None)
    except FileNotFoundError as error:
        return {"engine": engine.name, "program": str(error.filename)}
    messages = result.log_messages or []
    if not streams:
        sys.stdout.write("".join(f"{message.message}\n" for message in messages))
    complaint = "".join(message.message for message in messages if message.level.name == "ERROR").strip()
    # A program that broke has proved nothing, even if the engine says so.
    complaint = complaint if result.status.name == "UNSOLVABLE_PROVEN" else ""
    answer = {"status": result.status.name, "engine": engine.name, "plan": None, "complaint": complaint}
    if (plan := result.plan) is not None:
        if plan.kind != PlanKind.SEQUENTIAL_PLAN:
            plan = plan.convert_to(PlanKind.SEQUENTIAL_PLAN, problem)
        objects = [[str(each.object().name) for each in step.actual_parameters] for step in plan.actions]
        answer["plan"] = [[step.action.name, *names] for step, names in zip(plan.actions, objects, strict=True)]
    return answer
