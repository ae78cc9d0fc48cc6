"""The planner `fast-downward` (Helmert 2006), which runs the driver of the package up-fast-downward.

    fast-downward            A* with lmcut; with blind if the driver reports that lmcut does not support the task
    fast-downward:ALIAS      one of the driver's own configurations: lama-first, seq-opt-bjolp, ...
    fast-downward:SEARCH     a search in the driver's language: astar(ipdb()), eager_greedy([ff()]), ...

The driver's package is located, but never imported: importing takes longer than solving a small task. `process`
enforces the limits on time and memory; an alias is also given its time, because portfolios divide it among their parts.
Tasks that Fast Downward gets wrong are rewritten or refused: see `fast_downward_dialect`, `fast_downward_mutexes`.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from math import ceil

from unpuzzle.base.errors import DependencyMissing, UsageError
from unpuzzle.base.outcomes import ERROR, GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE, UNSUPPORTED
from unpuzzle.base.run import Run, current, driven, phase
from unpuzzle.base.text import suggestion
from unpuzzle.pddl.nodes import Plan, Task
from unpuzzle.pddl.world import plan_cost
from unpuzzle.pddl.writer import write
from unpuzzle.planners.external.answers import as_they_come, best_plan, confirm_unsolvable, reading_after
from unpuzzle.planners.external.fast_downward_dialect import MOST_SUM, costs_fit, in_its_words
from unpuzzle.planners.external.fast_downward_mutexes import original_plan, without_false_mutexes
from unpuzzle.planning.planner import USUAL, Planner, PlannerKind, SearchOptions
from unpuzzle.planning.result import Result
from unpuzzle.processes.private_directory import PrivateDirectory
from unpuzzle.processes.program import Look, ProgramEnd, run_program
from unpuzzle.processes.worker import signal_name

EXITS: dict[int, tuple[str, str]] = {
    0: (SOLVED, ""),
    1: (SOLVED, "a plan was found, then memory ran out"),
    2: (SOLVED, "a plan was found, then time ran out"),
    3: (SOLVED, "a plan was found, then memory and time ran out"),
    10: (UNSOLVABLE, "the translator proved that there is no plan"),
    11: (UNSOLVABLE, "the search proved that there is no plan"),
    12: (GAVE_UP, "the search ended with neither a plan nor a proof that there is none"),
    13: (GAVE_UP, "there is no plan within the bound that the search was given"),
    20: (MEMOUT, "the translator ran out of memory"),
    21: (TIMEOUT, "the translator ran out of time"),
    22: (MEMOUT, "the search ran out of memory"),
    23: (TIMEOUT, "the search ran out of time"),
    24: (MEMOUT, "the search ran out of memory and time"),
    30: (ERROR, "the translator broke"),
    31: (ERROR, "the translator cannot read the task"),
    32: (ERROR, "the search broke"),
    33: (ERROR, "the search does not accept its options or its input"),
    34: (UNSUPPORTED, "the search does not support a feature of the task"),
    35: (ERROR, "the driver broke"),
    36: (ERROR, "the driver does not accept its options"),
    37: (ERROR, "the driver does not work on this system"),
}
"""The status and the sentence for each exit code of the driver."""

SEARCHES = ("astar(lmcut())", "astar(blind())")
"""The searches tried in turn without a configuration."""

_TASK = ["domain.pddl", "problem.pddl"]
_TRANSLATED = "output.sas"

# With a changed cost function the plan is optimal for other costs than the task's.
_OPTIMAL_SEARCH = re.compile(
    r"\s*astar\(\s*(blind|hmax|lmcut|ipdb|merge_and_shrink|cegar)\s*\((?!.*(cost_type|transform))", re.S
)
_ANYTIME = re.compile(r"lama$|seq-sat-|\s*iterated\(")
"""Configurations that search for better plans after the first."""
_AXIOMS = re.compile(r"^Translator axioms: [1-9]", re.M)
_COMPLAINTS = (
    re.compile(r"^(This configuration does not support .+?)!?$", re.M),
    re.compile(r"^(.+)\nUsage error occurred\.", re.M),
    re.compile(r"^fast-downward\.py: error: (.+)$", re.M),
    re.compile(r"^(Portfolios need a time limit)", re.M),
    re.compile(r"^b'(Setting (?:time|memory) limit failed: .+?)(?:\\n)?'$", re.M),
)

_COUNTS = {word: re.compile(rf"{word.title()} (\d+) state") for word in ("expanded", "evaluated", "generated")}
_SECONDS = {
    "translate": re.compile(r"^Done! \[[\d.]+s CPU, ([\d.]+)s wall-clock\]", re.M),
    "search": re.compile(r" Search time: ([\d.e-]+)s"),
}

INSTALL, PLATFORMS = "pip install 'up-fast-downward>=1'", "Linux on x86-64, macOS, Windows"


def missing() -> str | None:
    """Return None if Fast Downward is installed, otherwise a sentence that says how to install it."""
    if _driver() is not None:
        return None
    return f"Fast Downward is not installed; get it with: {INSTALL} ({PLATFORMS})"


class FastDownward(Planner):
    """The planner `fast-downward`, which runs the driver of Fast Downward as a child process."""

    def __init__(self, config: str | None = None) -> None:
        self.config: str | None = config or None
        self.name: str = f"fast-downward:{config}" if config else "fast-downward"
        self.improves: bool = bool(_ANYTIME.match(config or ""))
        self.goes_on: bool = self.improves

    def solve(self, subject: Task, options: SearchOptions = USUAL) -> Result:
        """Solve a task with Fast Downward; the plan in the result is not validated.

        Raises DependencyMissing if Fast Downward is not installed, and UsageError for an unknown alias or search.
        """
        with phase("planning"):
            return self._solve(subject)

    def improving(self, subject: Task, options: SearchOptions = USUAL) -> Iterator[Result]:
        """Yield plans as they are found, if the configuration continues after the first plan, as `lama` does."""
        if not self.improves:
            raise UsageError(f"planner '{self.name}' gives one plan only: choose fast-downward:lama or native")

        task, arities = without_false_mutexes(in_its_words(subject))  # they change nothing more

        def solve(look: Look) -> Result:
            return self._solve(task, look)

        results = driven(Run(phase="looking for plans"), as_they_come(self.name, "plan*", task, solve))
        return (result.replace(plan=original_plan(result.plan, arities)) for result in results)

    def _solve(self, subject: Task, look: Look = lambda _: None) -> Result:
        start, memory = time.monotonic(), current().limits.memory
        driver = _driver()
        if driver is None:
            raise DependencyMissing(missing() or "", dependency=self.name)
        task, arities = without_false_mutexes(in_its_words(subject))
        files = dict(zip(_TASK, write(task), strict=True))
        with PrivateDirectory(files, planner=self.name) as directory:
            runs = self._run(driver, directory, look)
            self._refuse_bad_config(driver, directory, runs[-1])
            plan, fault = None, ""
            with phase("reading the plan of Fast Downward"), reading_after(runs[-1]):
                texts = {name: text for name, text in directory.read("plan*").items() if "; cost" in text}
                plan, fault = best_plan(texts)
        result = self._result(runs, original_plan(plan, arities), fault, time.monotonic() - start)
        tiny = memory is not None and memory < 64 << 20  # Python itself may fail to start, in many ways
        if result.status == ERROR and tiny and "INFO" not in result.log:
            message = f"the memory limit is too low for the Python that runs Fast Downward: {result.message}"
            return result.replace(status=MEMOUT, message=message)
        proved = runs[-1].exit_code == 10 or costs_fit(result.log, task, small_sums=self._sums_are_small())
        if result.status == UNSOLVABLE and not proved:
            said = "Fast Downward reports that there is no plan, but it cannot count costs above 2^31-1"
            status, message = confirm_unsolvable(subject, said)
            return result.replace(status=status, message=message)
        return _within_its_numbers(result, subject)

    def _run(self, driver: str, directory: PrivateDirectory, look: Look) -> list[ProgramEnd]:
        """Run the driver of Fast Downward, and again if the first search does not support the task; return all runs."""
        program = [sys.executable, driver, "--plan-file", "plan", "--sas-file", _TRANSLATED]
        if self.config is not None and "(" in self.config:
            return [run_program([*program, *_TASK, "--search", self.config], directory, look=look)]
        if self.config is not None:
            options = [f"--alias={self.config}"]
            if (seconds := _processor_seconds()) is not None:
                options.append(f"--overall-time-limit={seconds}")
            return [run_program([*program, *options, *_TASK], directory, look=look)]
        first, second = (["--search", search] for search in SEARCHES)
        run = run_program([*program, *_TASK, *first], directory)
        if run.exit_code != 34:
            return [run]
        again = run_program([*program, _TRANSLATED, *second], directory)
        return [run, again]

    def _refuse_bad_config(self, driver: str, directory: PrivateDirectory, run: ProgramEnd) -> None:
        """Raise UsageError if the driver does not know the configuration's alias or search."""
        if run.exit_code == 36 and "unknown alias" in run.log:
            known = run_program([sys.executable, driver, "--show-aliases"], directory).log.split()
            near = suggestion(self.config or "", known).removeprefix(", ")
            hint = near or f"the aliases are {', '.join(known)}; a search needs parentheses"
            raise UsageError(f"Fast Downward has no alias {self.config!r}; {hint}")
        if run.exit_code == 33 and "Usage error occurred" in run.log and self.config is not None:
            raise UsageError(f"Fast Downward does not accept the search {self.config!r}: {_complaint(run.log)}")

    def _result(self, runs: list[ProgramEnd], plan: Plan | None, fault: str, total: float) -> Result:
        """Return the planner's result for runs of the driver; `fault` says why the plan cannot be read, if so."""
        run, log = runs[-1], "\n".join(run.log for run in runs)
        status, message = _verdict(run)
        if plan is None and status == SOLVED:  # an interpreter that breaks also ends with 1
            status, message = run.limit or ERROR, f"{_how(run)} and wrote no plan. {fault}".strip()
        elif plan is not None and status == SOLVED:
            status = SOLVED_OPTIMALLY if self._is_optimal(log) else SOLVED
        elif plan is not None:
            status, message = SOLVED, f"a plan was found; then: {message}"
        memory = max(run.peak_memory for run in runs) or None
        shared = Result(status, self.name, plan=plan, message=message, log=log, peak_memory=memory)
        return shared.replace(seconds={"search": total, **_seconds(log), "total": total}, **_counts(log))

    def _sums_are_small(self) -> bool:
        """Return whether the search is blind or uses LM-cut, so that its estimates are sums that stay small."""
        match = _OPTIMAL_SEARCH.match(self.config or SEARCHES[0])
        return match is not None and match[1] in ("blind", "lmcut")

    def _is_optimal(self, log: str) -> bool:
        """Return whether a plan of this configuration is optimal if the driver's search is complete."""
        search = self.config or SEARCHES[0]
        if "(" not in search:
            return search.startswith("seq-opt-")
        match = _OPTIMAL_SEARCH.match(search)
        # hmax overestimates with axioms; the other searches refuse axioms if they do not support them.
        return match is not None and not (match[1] == "hmax" and _AXIOMS.search(log))


class FastDownwardKind(PlannerKind):
    """The planner kind `fast-downward`, whose planners are configurations of Fast Downward."""

    name: str = "fast-downward"
    configurations: str = "[:ALIAS|:SEARCH]"
    planner = FastDownward

    def missing(self) -> str | None:
        return missing()


def _processor_seconds() -> int | None:
    """Return the limit of processor time for the driver, in whole seconds; None without a limit.

    The driver rounds down the remaining time and would end too early, so one second is added. It fails if its limit
    exceeds the kernel's.
    """
    if os.name != "posix":
        return None
    import resource

    kernel = resource.getrlimit(resource.RLIMIT_CPU)[1]
    told = [current().time_left(), current().cpu_left()]
    seconds = [ceil(each) for each in told if each is not None]
    if seconds and kernel != resource.RLIM_INFINITY:
        seconds.append(kernel)
    return min(seconds) + 1 if seconds else None


def _within_its_numbers(result: Result, task: Task) -> Result:
    """Return the result; if its cost is too large for Fast Downward's numbers, without the claim of optimality."""
    if result.status != SOLVED_OPTIMALLY or result.plan is None or plan_cost(task, result.plan) <= MOST_SUM:
        return result
    message = "the plan costs more than 2^31-1, which Fast Downward cannot count: a cheaper plan may exist"
    return result.replace(status=SOLVED, message=message)


def _driver() -> str | None:
    """Return the path of the driver, or None if the driver is not installed."""
    spec = find_spec("up_fast_downward")
    folders = (spec and spec.submodule_search_locations) or ()
    paths = [os.path.join(folder, "downward", "fast-downward.py") for folder in folders]
    return next(filter(os.path.isfile, paths), None)


def _verdict(run: ProgramEnd) -> tuple[str, str]:
    """Return the status that the exit code of the driver means, and a sentence about how the driver ended."""
    if run.limit not in ("", MEMOUT):
        return run.limit, _how(run)
    if "Unhandled exit codes: set()" in run.log:
        return TIMEOUT, "the time limit is too short for this portfolio of Fast Downward: each part needs at least 1 s"
    if run.exit_code not in EXITS:
        return run.limit or ERROR, _how(run)
    status, sentence = EXITS[run.exit_code]
    # Too little memory may show as any error, even as one of the interpreter of the driver.
    if status == ERROR and run.limit == MEMOUT:
        return MEMOUT, _how(run)
    complaint = _complaint(run.log) if status in (ERROR, UNSUPPORTED) else ""
    return status, ": ".join(filter(None, ("Fast Downward" if sentence else "", sentence, complaint)))


def _how(run: ProgramEnd) -> str:
    code = run.exit_code
    if code is not None and 128 < code < 256 and run.limit != MEMOUT:  # the driver's code for a signal
        return f"Fast Downward was ended by {signal_name(256 - code)}"
    return f"Fast Downward {run.ending()}"


def _complaint(log: str) -> str:
    """Return the message of the driver that says why it refused the search."""
    return next((match[1] for pattern in _COMPLAINTS if (match := pattern.search(log))), "")


def _counts(log: str) -> dict[str, int | None]:
    texts = {word: _last(pattern, log) for word, pattern in _COUNTS.items()}
    return {word: None if text is None else int(text) for word, text in texts.items()}


def _seconds(log: str) -> dict[str, float]:
    return {phase: float(text) for phase, pattern in _SECONDS.items() if (text := _last(pattern, log)) is not None}


def _last(pattern: re.Pattern[str], log: str) -> str | None:
    # A search of several rounds ends with the sums over all of them.
    return next(reversed(pattern.findall(log)), None)
