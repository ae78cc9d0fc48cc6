"""Plans as they come, from programs that write ever better plans to numbered files, such as LAMA's `plan.1`, `plan.2`.

The program runs in its own thread, which looks into the folder regularly; the time of a plan is the time of its file.
The caller gets each plan at most a tenth of a second later, while the program continues. A plan that is printed counts
once nothing is added to it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from fnmatch import fnmatchcase
from queue import Empty, SimpleQueue
from threading import Thread

from unpuzzle.errors import LimitReached, ParseError
from unpuzzle.limits import Limits
from unpuzzle.pddl.nodes import Plan
from unpuzzle.pddl.plans import parse_plan
from unpuzzle.planners.external.leftovers import PrivateDirectory
from unpuzzle.planners.external.process import Run
from unpuzzle.result import SOLVED, Result

THREAD = "unpuzzle-plans"
"""The name of the threads."""
ASKING = 0.05
"""Seconds between two checks whether the caller has cancelled."""
SETTLED = 0.2
"""Seconds without a change after which a file counts as complete."""
END = "; cost"
"""The beginning of the last line of a plan."""

Look = Callable[[PrivateDirectory], None]


class PlanFiles:
    """Looks into a program's folder for new plans, and passes them on with their times."""

    def __init__(self, pattern: str, found: Callable[[Plan, float], None]) -> None:
        self._pattern, self._found = pattern, found
        self._seen: set[tuple[float, str]] = set()

    def look(self, directory: PrivateDirectory) -> None:
        """Pass on the new complete plans, oldest first; a file that is written again holds another one."""
        now, files = time.time(), []
        for entry in os.scandir(directory.path):
            if fnmatchcase(entry.name, self._pattern):
                with suppress(OSError):
                    files.append((entry.stat(follow_symlinks=False).st_mtime, entry.name))
        for written, name in sorted(set(files) - self._seen):
            text = directory.read(name).get(name, "")
            if END not in text and now - written < SETTLED:
                return  # later plans wait, too
            self._seen.add((written, name))
            if text.strip():
                with suppress(ParseError):
                    self._found(parse_plan(text, name), written)


class PrintedPlan:
    """Looks at a program's output for a plan, and passes it on with its time; `lines` are those of a plan in it."""

    def __init__(self, lines: Callable[[str], str], found: Callable[[Plan, float], None]) -> None:
        self._lines, self._found = lines, found
        self._text, self._since = "", 0.0

    def look(self, directory: PrivateDirectory) -> None:
        """Pass on a plan that is new and complete."""
        text, now = self._lines(directory.printed()), time.time()
        if text != self._text:
            self._text, self._since = text, now
        elif not self._since:  # passed on before
            return
        if text.strip() and (END in text or now - self._since >= SETTLED):
            written, self._since = self._since, 0.0
            with suppress(ParseError):
                self._found(parse_plan(text, "standard output"), written)


def reading_after(run: Run) -> AbstractContextManager[None]:
    """Return a context for reading what a program left: the limit that ended the program may cut it off in silence."""
    return suppress(LimitReached) if run.limit else nullcontext()


def as_they_come(
    name: str,
    pattern: str,
    solve: Callable[[Limits, Look], Result],
    limits: Limits,
    lines: Callable[[str], str] | None = None,
) -> Iterator[Result]:
    """Yield the plans of a program as they come, `intermediate`, each with its time `found` in seconds; then the
    result.

    They come in files; with `lines`, which returns the lines of a plan in a text, on standard output. `solve` runs the
    program within limits, and regularly calls its second argument with the folder. Leaving the iteration ends the
    program.
    """
    answers: SimpleQueue[Result | BaseException] = SimpleQueue()
    began = time.time()
    own = Limits(limits.time, limits.memory, limits.cpu, held=limits.held, usage=limits.usage)

    def found(plan: Plan, written: float) -> None:
        seconds = {"found": max(written - began, 0.0)}
        answers.put(Result(SOLVED, name, plan=plan, seconds=seconds, intermediate=True))

    def run() -> None:
        try:
            plans = PlanFiles(pattern, found) if lines is None else PrintedPlan(lines, found)
            answers.put(solve(own, plans.look))
        except BaseException as error:
            answers.put(error)

    thread = Thread(target=run, name=THREAD, daemon=True)
    thread.start()
    try:
        while True:
            try:
                answer = answers.get(timeout=ASKING)
            except Empty:
                if limits.cancelled:
                    own.cancel()
                continue
            if isinstance(answer, BaseException):
                raise answer
            yield answer
            if not answer.intermediate:
                return
    finally:
        own.cancel()
        thread.join()
