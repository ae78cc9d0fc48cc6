"""What `planners/up.py` runs as a process of its own: one engine of unified-planning on one task.

    python -P _up_child.py NAME    plan with that engine; with unified-planning's own choice if NAME is empty
    python -P _up_child.py         list the engines

Reads `domain.pddl` and `problem.pddl`, and writes `answer.json`, in the working directory. Imports nothing of ours: it is a
script, and its folder is not on the path.
"""

from __future__ import annotations

import json
import os
import sys
from time import perf_counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def main(arguments: list[str]) -> None:
    """Write the answer to the question. Whatever goes wrong shows as a traceback."""
    answer = plan(arguments[0]) if arguments else {"engines": engines()}
    with open("answer.tmp", "w", encoding="utf-8") as file:
        json.dump(answer, file)
    os.replace("answer.tmp", "answer.json")
    if answer.get("status") == "INTERNAL_ERROR" or answer.get("complaint"):
        raise SystemExit(3)  # so that the parent looks into the log for a lack of memory


def engines() -> list[str]:
    """The names of all engines that can plan here."""
    factory = _factory()
    return [name for name in factory.engines if factory.engine(name).is_oneshot_planner()]


def plan(name: str) -> dict[str, Any]:
    """What an engine answers to the task."""
    from unified_planning.io import PDDLReader
    from unified_planning.shortcuts import MinimizeSequentialPlanLength, get_environment

    get_environment().credits_stream = None
    start = perf_counter()
    problem = PDDLReader().parse_problem("domain.pddl", "problem.pddl")
    if not problem.quality_metrics:
        problem.add_quality_metric(MinimizeSequentialPlanLength())
    read = perf_counter() - start
    engine, problem, answer = _engine(name, problem)
    if engine is None:
        return answer
    engine.skip_checks = True  # done
    start = perf_counter()
    answer |= _solved(engine, problem)
    answer["seconds"] = {"read": read, "search": perf_counter() - start}
    return answer


def _factory() -> Any:
    from unified_planning.shortcuts import get_environment

    return get_environment().factory


def _engine(name: str, problem: Any) -> tuple[Any, Any, dict[str, Any]]:
    """The engine (None if it cannot plan this), the problem as it can take it, and the beginning of the answer."""
    chosen = _class(name) if name else _choice(problem)
    if name and chosen is None:
        return None, problem, {"unknown": name}
    if chosen is not None and chosen.supports(problem.kind):
        return chosen(), problem, {}
    missing = sorted(problem.kind.features if chosen is None else _unsupported(chosen, problem.kind))
    problem.clear_quality_metrics()
    chosen = chosen or _choice(problem)
    if chosen is not None and chosen.supports(problem.kind):
        return chosen(), problem, {"metric_ignored": True}
    return None, problem, {"unsupported": missing}


def _class(name: str) -> Any:
    """The class of an engine, or None."""
    from importlib import import_module

    from unified_planning.engines.factory import DEFAULT_ENGINES

    if name in DEFAULT_ENGINES:  # without the factory, which imports all engines
        module, item = DEFAULT_ENGINES[name]
        found = getattr(import_module(module), item)
    else:
        factory = _factory()
        found = factory.engine(name) if name in factory.engines else None
    return found if found is not None and found.is_oneshot_planner() else None


def _choice(problem: Any) -> Any:
    """The class that unified-planning prefers for a problem, or None if none supports it."""
    from unified_planning.exceptions import UPNoSuitableEngineAvailableException

    try:
        return type(_factory().OneshotPlanner(problem_kind=problem.kind))
    except UPNoSuitableEngineAvailableException:
        return None


def _unsupported(engine: Any, kind: Any) -> list[str]:
    from unified_planning.model import ProblemKind

    return [feature for feature in kind.features if not engine.supports(ProblemKind({feature}, version=kind.version))]


def _solved(engine: Any, problem: Any) -> dict[str, Any]:
    from unified_planning.engines import PDDLPlanner

    # Told as it comes, a log survives the time limit; but only engines that are programs can tell it.
    streams = isinstance(engine, PDDLPlanner) and sys.platform != "win32"
    try:
        result = engine.solve(problem, output_stream=sys.stdout if streams else None)
    except FileNotFoundError as error:
        return {"engine": engine.name, "program": str(error.filename)}
    messages = result.log_messages or []
    if not streams:
        sys.stdout.write("".join(f"{message.message}\n" for message in messages))
    complaint = "".join(message.message for message in messages if message.level.name == "ERROR").strip()
    answer = {"status": result.status.name, "engine": engine.name, "plan": _steps(result.plan, problem)}
    # A program that broke has proved nothing, even if the engine says so.
    return answer | {"complaint": complaint if result.status.name == "UNSOLVABLE_PROVEN" else ""}


def _steps(found: Any, problem: Any) -> list[list[str]] | None:
    from unified_planning.plans import PlanKind

    if found is None:
        return None
    if found.kind != PlanKind.SEQUENTIAL_PLAN:
        found = found.convert_to(PlanKind.SEQUENTIAL_PLAN, problem)
    return [[step.action.name, *(str(each.object().name) for each in step.actual_parameters)] for step in found.actions]


if __name__ == "__main__":
    main(sys.argv[1:])
