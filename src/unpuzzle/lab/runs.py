"""Runs of an experiment: one planner on one task, once; a line of JSON each, in the order in which they ended.

    runs.jsonl        {"schema": "unpuzzle/run/1", "key": "...", "task": "p01", "planner": "native", ...}
    runs.logs/KEY     what the planner printed, where it printed anything

The file is the seam between those who make runs (`experiment`) and those who read them (`report`): they share nothing
else. A line is written at once and whole, so whoever is killed leaves at most one torn line, the last, which is left
out when the file is read, and cut off before anything is added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from unpuzzle.record import Plain


@dataclass(frozen=True, slots=True)
class BetterPlan(Plain):
    """A plan that an anytime planner found on its way.

    Attributes:
        seconds: of wall clock, from the start of the run.
        cost: its validated cost.
        plan: its steps, `(a b c)` or moves of the puzzle.
    """

    seconds: float
    cost: int
    plan: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run(Plain):
    """One run of one planner on one task. What is not known is None.

    Attributes:
        key: a digest of the task's text, the planner with its configuration and version, the limits, and the number of
            the repetition: two runs of one key would be the same run.
        domain: the group that the task belongs to: the name of its folder, or of the puzzle.
        task: the task's name within its domain.
        planner: the label of the planner, short, for tables.
        configuration: the planner's full name, as `solve` takes it.
        repetition: 0 for the first run of a task and planner, and so on.
        seed: the seed of this run, or None where nothing is random.
        limits: `{"time", "cpu", "memory"}`: seconds, seconds, bytes; None where there is none.
        status, cost, valid, expanded, evaluated, generated, message, pushes, objective: as in `Result`.
        seconds: of wall clock, by phase, always with `total`.
        wall, cpu: seconds of the whole process with all that it started, as the system counts them.
        peak_memory: bytes, of the run's largest process.
        plan: the last plan, `(a b c)` or moves of the puzzle; None without one.
        plans: all plans of an anytime planner, in their order.
        log: the name of the log's file in the folder beside the runs, or None.
        versions: of unpuzzle, Python and the planner, by name.
        machine: `{"name", "system", "processor", "cores"}`.
        started: when it began, in UTC, as ISO 8601.
    """

    key: str
    domain: str
    task: str
    planner: str
    configuration: str
    status: str
    repetition: int = 0
    seed: int | None = None
    limits: Mapping[str, float | None] = field(default_factory=dict)
    cost: int | None = None
    valid: bool | None = None
    expanded: int | None = None
    evaluated: int | None = None
    generated: int | None = None
    objective: str = "moves"
    pushes: int | None = None
    message: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    wall: float | None = None
    cpu: float | None = None
    peak_memory: int | None = None
    plan: tuple[str, ...] | None = None
    plans: tuple[BetterPlan, ...] = ()
    log: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    machine: Mapping[str, Any] = field(default_factory=dict)
    started: str = ""

    schema = "run"
