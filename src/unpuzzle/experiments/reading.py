"""Read the runs of experiments: lines of JSON (see `experiments.runs`), or a `properties` file of Downward Lab."""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import Any

from unpuzzle.base import outcomes as status
from unpuzzle.base.errors import ParseError
from unpuzzle.experiments import runs as files
from unpuzzle.experiments.measures import is_solved
from unpuzzle.experiments.runs import LAST_LAYER, BetterPlan, ExperimentRun, content, is_amount, runs_in

# Reading and writing `properties` files of Downward Lab: one JSON object, with an object for the identity of each run.
#
#     {"native-gripper-p01": {"id": ["native", "gripper", "p01"], "algorithm": "native", "domain": "gripper",
#                             "problem": "p01", "coverage": 1, "cost": 11, "error": "success", ...}}
#
# Attributes have the names of Lab 8 (Seipp et al., Downward Lab, 2017): `planner_time`, `total_time` and `search_time`
# are processor time in seconds, of everything, of the same, and of the search; `planner_wall_clock_time` is wall clock,
# `planner_memory` and `planner_memory_limit` are KiB and MiB, `evaluations` and `expansions` counts. `error` has the
# names of Fast Downward's exit codes. A search that found a plan and then reached a limit has found one: `coverage`
# decides. Lab does not say whether a plan is proved optimal, so such runs are `solved`. In files that this module
# writes, `unpuzzle_status` says it.

KIB, XZ = 1024, b"\xfd7zXZ"
ERROR_OF = {
    status.SOLVED_OPTIMALLY: "success",
    status.SOLVED: "success",
    status.UNSOLVABLE: "search-unsolvable",
    status.GAVE_UP: "search-unsolved-incomplete",
    status.TIMEOUT: "search-out-of-time",
    status.MEMOUT: "search-out-of-memory",
    status.CANCELLED: "sigkill",
    status.GUESSED: "search-unsolved-incomplete",
    status.UNSUPPORTED: "search-unsupported",
    status.ERROR: "search-critical-error",
}
"""The errors of Lab, by our status."""
ATTRIBUTES = {LAST_LAYER: "expansions_until_last_jump"}
"""The attributes of Lab for attributes of ours."""
COUNTS = {"cost": "cost", "expansions": "expanded", "evaluations": "evaluated", "generated": "generated"}
FIELDS = {
    **COUNTS,
    **{"domain": "domain", "problem": "task", "component_options": "configuration"},
    **{"planner_time": "cpu", "total_time": "cpu", "search_time": "search_cpu", "planner_wall_clock_time": "wall"},
    **{f"unpuzzle_{name}": name for name in ("status", "valid", "key", "repetition", "process")},
}
"""Our fields, by the attributes of Lab with the same meaning."""
ENDINGS = {
    **dict.fromkeys(("unsolved-incomplete", "incomplete-search-found-no-plan"), status.GAVE_UP),
    **dict.fromkeys(("out-of-time", "timeout", "out-of-memory-and-time", "timeout-and-out-of-memory"), status.TIMEOUT),
    **dict.fromkeys(("unsupported", "unsupported-feature-requested"), status.UNSUPPORTED),
    **{"unsolvable": status.UNSOLVABLE, "out-of-memory": status.MEMOUT},
}
"""The status for the endings of Lab's error names."""


def properties_of(runs: Iterable[ExperimentRun], names: Mapping[str, str]) -> str:
    """Return the text of a `properties` file; `names` maps the key of a run to the name of its algorithm."""
    rows: dict[str, dict[str, Any]] = {}
    for run in runs:
        algorithm, solved, limit = names.get(run.key, run.planner), is_solved(run), run.limits.get("memory")
        identity = [algorithm, run.domain, run.task, *([str(run.repetition)] if run.repetition else [])]
        data = {
            **{ATTRIBUTES.get(name, name): value for name, value in run.attributes.items()},
            **{name: getattr(run, field) for name, field in FIELDS.items()},
            "coverage": int(solved),
            "unsolvable": int(run.status == status.UNSOLVABLE),
            "error": "search-critical-error" if run.valid is False else ERROR_OF[run.status],
            "cost": run.cost if solved else None,
            "plan_length": len(run.plan) if solved and run.plan is not None else None,
            "cost:all": [plan.cost for plan in run.plans] or None,
            "planner_memory": None if run.peak_memory is None else run.peak_memory // KIB,
            "planner_time_limit": run.limits.get("cpu") or run.limits.get("time"),
            "planner_memory_limit": None if limit is None else limit / KIB**2,
            "node": run.machine.get("name"),
        }
        known = {name: value for name, value in data.items() if value is not None}
        rows["-".join(identity)] = {"id": identity, "algorithm": algorithm, **known}
    return json.dumps(rows, indent=2, sort_keys=True) + "\n"


def _run(key: str, row: Mapping[str, Any], path: str) -> ExperimentRun:
    """Return a run that Downward Lab wrote. Raises ParseError if the run has no algorithm, domain or problem."""
    for name in ("algorithm", "domain", "problem"):
        if not isinstance(row.get(name), str):
            raise ParseError(f"the run '{key}' has no '{name}', which runs of Downward Lab have", file=path)
    numbers = {name: value for name, value in row.items() if is_amount(value)}
    memory = numbers.get("planner_memory", numbers.get("memory", numbers.get("raw_memory")))
    limit, process, valid = numbers.get("planner_memory_limit"), row.get("unpuzzle_process"), row.get("unpuzzle_valid")
    names, error = {"search": "search_time", "total": "total_time"}, str(row.get("error", ""))
    unexplained = row.get("unexplained_errors") or []
    texts = [*map(str, unexplained if isinstance(unexplained, list) else [unexplained])]
    counts: dict[str, Any] = {field: int(numbers[name]) for name, field in COUNTS.items() if name in numbers}
    return ExperimentRun(
        key=str(row.get("unpuzzle_key", key)),
        domain=row["domain"],
        task=row["problem"],
        planner=row["algorithm"],
        configuration=str(row.get("component_options") or row["algorithm"]),
        status=_status(row),
        repetition=int(numbers.get("unpuzzle_repetition", 0)),
        limits={"time": None, "cpu": numbers.get("planner_time_limit"), "memory": limit and limit * KIB**2},
        valid=valid if isinstance(valid, bool) else None,
        message="; ".join([*([] if error == "success" else [error]), *texts]) if error or texts else "",
        seconds={phase: numbers[name] for phase, name in names.items() if name in numbers},
        wall=numbers.get("planner_wall_clock_time"),
        cpu=numbers.get("planner_time", numbers.get("total_time")),
        peak_memory=None if memory is None else int(memory * KIB),
        plans=_plans(row.get("cost:all"), row.get("search_time:all") or row.get("total_time:all")),
        versions={"planner": str(row["global_revision"])} if row.get("global_revision") else {},
        machine={"name": str(row["node"])} if row.get("node") else {},
        process=str(process) if process else None,
        search_cpu=numbers.get("search_time"),
        attributes={name: numbers[told] for name, told in ATTRIBUTES.items() if told in numbers},
        **counts,
    )


def _status(row: Mapping[str, Any]) -> str:
    """Return the status that unpuzzle wrote; for runs of other programs, derive it from coverage and error."""
    if row.get("unpuzzle_status") in status.STATUSES:
        return str(row["unpuzzle_status"])
    if row.get("coverage") or row.get("unsolvable"):
        return status.SOLVED if row.get("coverage") else status.UNSOLVABLE
    # The beginning is the part of Fast Downward that ended the run.
    return ENDINGS.get(re.sub("^(translate-)?(search-)?(driver-)?", "", str(row.get("error", ""))), status.ERROR)


def _plans(costs: object, seconds: object) -> tuple[BetterPlan, ...]:
    """Return the plans of an anytime planner, if Downward Lab recorded both costs and times."""
    if not (isinstance(costs, list) and isinstance(seconds, list) and len(costs) == len(seconds)):
        return ()
    pairs = [pair for pair in zip(costs, seconds, strict=True) if all(map(is_amount, pair))]
    return tuple(BetterPlan(float(time), int(cost)) for cost, time in pairs)


def read_experiment(path: str) -> tuple[ExperimentRun, ...]:
    """Return the runs in a file of unpuzzle or Downward Lab. Raises ParseError with the line, OSError."""
    data = content(path, XZ)
    if data.startswith(XZ):
        why, most = "", files.MOST
        try:
            with lzma.open(BytesIO(data)) as file:
                data = file.read(most + 1)
        except (EOFError, lzma.LZMAError) as error:
            why = "it is cut off" if isinstance(error, EOFError) else str(error)
        if why or len(data) > most:
            why = why or f"it has more than {most >> 20} MiB"
            raise ParseError(f"this compressed file is damaged: {why}", file=path)
    if (properties := _properties(data)) is not None:
        return tuple([_run(key, row, path) for key, row in properties.items()])
    if not (runs := runs_in(data, path)):
        raise ParseError("there are no runs in this file", file=path)
    return runs


def _properties(data: bytes) -> Mapping[str, Any] | None:
    """Return the JSON object in a `properties` file of Downward Lab; None for any other file."""
    if b'"unpuzzle/run/' in data[:200_000].partition(b"\n")[0]:
        return None
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    is_one = isinstance(found, dict) and found and all(isinstance(value, dict) for value in found.values())
    return found if is_one and "schema" not in found else None


def unique(runs: Iterable[ExperimentRun]) -> tuple[tuple[ExperimentRun, ...], int]:
    """Return the runs, each key once, and how many were repeated; a later run replaces an earlier one that broke."""
    runs, first = tuple(runs), dict[str, ExperimentRun]()
    for run in runs:
        if run.key not in first or first[run.key].broke:
            first[run.key] = run
    return tuple(first.values()), len(runs) - len(first)
