"""The answers of planning programs: plans as soon as they appear, the best plan, and claims to be confirmed.

A program that writes ever better plans to files `plan.1`, `plan.2` etc. runs in its own thread, which looks into the
folder regularly; the time of a plan is the time of its file. The caller gets each plan at most a tenth of a second
later, while the program continues. Nobody says where a plan ends without a cost: it counts as soon as its steps reach
the goal, else once nothing is added to it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from unpuzzle.base.errors import DependencyMissing, LimitReached, ParseError, UnsupportedFeature
from unpuzzle.base.outcomes import GAVE_UP, SOLVED, UNSOLVABLE
from unpuzzle.base.run import Limits, Run, current, grace, handed, phase
from unpuzzle.pddl.nodes import Plan, Task
from unpuzzle.pddl.plans import parse_plan
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.validation import validate
from unpuzzle.planning import registry
from unpuzzle.planning.planner import SearchOptions
from unpuzzle.planning.result import Result
from unpuzzle.processes.private_directory import PrivateDirectory
from unpuzzle.processes.program import Look, ProgramEnd

END = "; cost"
"""The beginning of the last line of a plan."""
MOST_STATES = 100_000
"""The most states that are expanded for a confirmation."""
THREAD = "unpuzzle-plans"
"""The name of the threads that run programs."""
ASKING = 0.05
"""Seconds between two checks whether the caller has cancelled."""
SETTLED = 0.2
"""Seconds without a change after which a file counts as complete."""

IsPlan = Callable[[Plan], bool]
"""A test whether steps are a plan. A text that may still grow counts if they are, or once it is unchanged for long."""


def result_of(end: ProgramEnd, status: str, planner: str, start: float, **values: Any) -> Result:
    """Return a planner's result with the time, memory and log of its program; `start` is from `monotonic()`."""
    seconds = {"search": end.seconds, **values.pop("seconds", {}), "total": time.monotonic() - start}
    return Result(status, planner, seconds=seconds, peak_memory=end.peak_memory or None, log=end.log, **values)


def best_plan(
    texts: Mapping[str, str], cost_of: Callable[[Plan], int | None] | None = None, *, cut: bool = False
) -> tuple[Plan | None, str]:
    """Return the cheapest readable plan (None without one), and the fault of the last unreadable plan.

    Several plans end in numbers (`plan.1`, `plan.2`, ...). The best is the last one of least cost, by `cost_of`, which
    returns None for an invalid plan; without it, or if none is valid, the last one. A program that is `cut` off while
    writing leaves half a plan, so those without a cost, which ends a plan, have to be valid. A blank file is no plan:
    many programs create it before they search. (The empty plan has at least a comment.) The
    best one until a limit counts. Raises LimitReached if there is none.
    """

    def number(name: str) -> int:
        digits = name.rpartition(".")[2]
        return int(digits) if digits.isdecimal() else -1

    names = [name for name in sorted(texts, key=number, reverse=True) if texts[name].strip()]
    best = last = least = None
    fault = ""
    try:
        for name in names:
            try:
                plan = parse_plan(texts[name], name)
                if last is None and (not cut or END in texts[name]):
                    last = plan
                    if cost_of is None or len(names) == 1:  # the caller judges it
                        break
                cost = cost_of(plan) if cost_of else None
                if cost is not None and (least is None or cost < least):
                    best, least = plan, cost
            except ParseError as error:
                fault = fault or str(error).partition("\n")[0]  # the first line only
            except UnsupportedFeature:
                continue  # as above
    except LimitReached:
        if best is None and last is None:
            raise
    return last if best is None else best, fault


def confirm_unsolvable(task: Task, said: str) -> tuple[str, str]:
    """Try to prove a program's claim `said` that a task has no plan; return a status and a sentence.

    The search is blind, within the limits of the current run.
    """
    found = "did not confirm it"
    try:
        # Its grounding proves it where even relaxed reachability does not come to the goal, and nothing is searched.
        result = registry.find("native:blind").solve(task, SearchOptions(max_expanded=MOST_STATES))
        if result.status == UNSOLVABLE:
            return UNSOLVABLE, f"{said}; our own search proved that there is none"
        # A plan of ours is no answer of the program: it is only mentioned.
        found = found if result.plan is None else "found one"
    except (DependencyMissing, UnsupportedFeature):
        found = "is not possible here"
    return GAVE_UP, f"{said}, which is not a proof; our own search {found}"


class PlanFiles:
    """A watcher of a program's folder, which calls `found` with each new plan and the time when it was written."""

    def __init__(self, pattern: str, found: Callable[[Plan, float], None], is_plan: IsPlan) -> None:
        self._pattern, self._found, self._is_plan = pattern, found, is_plan
        self._seen: set[tuple[float, str]] = set()

    def look(self, directory: PrivateDirectory) -> None:
        """Report the new plans in complete files, the oldest first; a file that is written again is a new plan."""
        now, files = time.time(), []
        for entry in directory.entries(self._pattern):
            with suppress(OSError):
                files.append((entry.stat(follow_symlinks=False).st_mtime, entry.name))
        for written, name in sorted(set(files) - self._seen):
            text = directory.read(name).get(name, "")
            settled = END in text or now - written >= SETTLED
            if not settled and directory.ended:
                return  # the result has the last one
            plan = read_plan(text, name, None if settled else self._is_plan)
            if plan is None and not settled:
                if directory.ended is False:
                    continue
                return  # later plans wait, too
            self._seen.add((written, name))
            if plan is not None:
                self._found(plan, written)


class PrintedPlan:
    """A watcher of a program's output, which reports each new plan; the function `lines` extracts the plans' texts."""

    def __init__(
        self, lines: Callable[[str], list[str]], found: Callable[[Plan, float], None], is_plan: IsPlan
    ) -> None:
        self._lines, self._found, self._is_plan = lines, found, is_plan
        self._text, self._since = "", 0.0
        self._told: set[str] = set()

    def look(self, directory: PrivateDirectory) -> None:
        """Report the new plans that are complete in the program's output."""
        now = directory.cut or time.time()
        *earlier, text = self._lines(directory.printed()) or [""]
        for each in [each for each in earlier if each not in self._told]:
            self._told.add(each)
            if (plan := read_plan(each, "standard output", None if END in each else self._is_plan)) is not None:
                self._found(plan, self._since if each == self._text and self._since else now)
        is_new = text != self._text
        if is_new:
            self._text, self._since = text, now
        elif not self._since:  # passed on before
            return
        if directory.ended and END not in text:
            return  # the result has it
        settled = END in text or now - self._since >= SETTLED
        plan = (
            read_plan(text, "standard output", None if settled else self._is_plan)
            if settled or is_new or directory.cut
            else None
        )
        if plan is not None:
            self._told.add(text)
            self._found(plan, self._since)
        if plan is not None or settled:
            self._since = 0.0


def read_plan(text: str, name: str, is_plan: IsPlan | None) -> Plan | None:
    """Return the plan in a text; None if the text is blank or not a plan."""
    if text.strip():
        with suppress(ParseError, LimitReached):
            plan = parse_plan(text, name)
            return plan if is_plan is None or is_plan(plan) else None
    return None


def judge_of(task: Task) -> IsPlan:
    """Return a function that tests whether actions are a plan of a task, for use even just after a limit is reached.

    It raises LimitReached.
    """
    cost = cost_of(task)
    return lambda plan: cost(plan) is not None


def cost_of(task: Task) -> Callable[[Plan], int | None]:
    """Return a function that maps actions to their cost, or to None if they are not a plan of the task."""
    semantics: list[Semantics] = []

    def cost(plan: Plan) -> int | None:
        with grace(), phase("judging a plan"):
            if not semantics:
                semantics.append(Semantics(task))
            validation = validate(semantics[0], plan)
            return validation.cost if validation.valid else None

    return cost


def reading_after(run: ProgramEnd) -> AbstractContextManager[None]:
    """Return a context manager for reading a program's output, which ignores limits if a limit ended the program."""
    return suppress(LimitReached) if run.limit else nullcontext()


def as_they_come(
    name: str,
    pattern: str,
    task: Task,
    solve: Callable[[Look], Result],
    lines: Callable[[str], list[str]] | None = None,
) -> Iterator[Result]:
    """Yield an `intermediate` result for each plan of a program as soon as it appears, then the final result.

    The detail `found` is the time of a plan in seconds. The plans come in files; with `lines`, which returns the plans
    in a text, on standard output. `solve` runs the program, and regularly calls its argument with the folder. Leaving
    the iteration ends the program.
    """
    answers: SimpleQueue[Result | BaseException] = SimpleQueue()
    began, left = time.time(), current().time_left()
    own = Limits(usage=current().usage)  # to end the thread by

    def found(plan: Plan, written: float) -> None:
        seconds = {"found": max(written - began, 0.0)}
        if lines is not None and left is not None:  # output after the limit is ignored
            seconds["found"] = min(seconds["found"], left)
        answers.put(Result(SOLVED, name, plan=plan, seconds=seconds, intermediate=True))

    def run() -> None:
        is_plan = judge_of(task)
        plans = PlanFiles(pattern, found, is_plan) if lines is None else PrintedPlan(lines, found, is_plan)

        def look(directory: PrivateDirectory) -> None:
            with suppress(LimitReached), grace():
                plans.look(directory)

        try:
            with Run(own):
                answers.put(solve(look))
        except BaseException as error:
            answers.put(error)

    thread = Thread(target=handed(run), name=THREAD, daemon=True)
    thread.start()
    try:
        while True:
            try:
                answer = answers.get(timeout=ASKING)
            except Empty:  # so that Ctrl-C works everywhere
                continue
            if isinstance(answer, BaseException):
                raise answer
            yield answer
            if not answer.intermediate:
                return
    finally:
        own.cancel()
        thread.join()
