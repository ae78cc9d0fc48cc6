"""Compare the answers of planners to random tasks: native in six configurations, reference and Fast Downward.

    python scripts/compare/compare_planners.py [--tasks 20000] [--first 0] [--workers 2] [--without fast-downward] [--only NAME]

Tasks are those of `tests/support/random_tasks.py`, by their seeds, so that a difference can be reproduced; each
third has types `(either ...)`, each fourth has no costs. Seeds from 1,000,000 on are those of the looser tasks of
`tests/support/adl_texts.py` (`--first 1000000`), from 2,000,000 on those of `tests/support/shared_parameters.py`, in
which actions add what they delete; for these, also compare `--only native:blind --only fast-downward --only
up:symk-opt --only up:fast-downward`. Refusals (`unsupported`), timeouts and `gave_up` are counted and not compared, and
of a search that promises no optimal plans only the status is. Fast Downward's translator and unified-planning are
loaded once for each worker and then forked for each task; so the translator takes tens of milliseconds and not
hundreds. Exits with 1 if planners differ.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.adl_texts import adl_texts
from support.random_tasks import random_task
from support.shared_parameters import shared_parameters_texts
from unpuzzle import solve
from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.base.outcomes import GAVE_UP, SOLVED, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE, UNSUPPORTED
from unpuzzle.base.run import Limits
from unpuzzle.pddl.nodes import Plan, Task
from unpuzzle.pddl.plans import read_plan
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.pddl.validation import validate
from unpuzzle.pddl.writer import write
from unpuzzle.planners.external import fast_downward, up, up_child
from unpuzzle.planners.external.fast_downward_dialect import in_its_words
from unpuzzle.planners.external.fast_downward_mutexes import original_plan, without_false_mutexes
from unpuzzle.processes.program import ProgramEnd

CONFIGURATIONS = ("blind", "lmcut", "lmcut+stubborn", "bidirectional", "ff")
OURS = ("reference", "native", *(f"native:{name}" for name in CONFIGURATIONS))
CHUNK = 20
LIMITS = Limits(time=120)
UNSUPPORTED_BY_SEARCH = 34
"""Fast Downward's exit code where the search does not support a feature of the task."""
LOOSE, SHARED = 1_000_000, 2_000_000
"""The seeds of the first loose task, and of the first with shared parameters."""

Answer = tuple[str, int | None]


def task_of(seed: int) -> Task:
    """Return the random task of a seed."""
    if seed >= SHARED:
        return parse_task(*shared_parameters_texts(seed))
    if seed >= LOOSE:
        return parse_task(*adl_texts(seed))
    return random_task(Random(seed), either=seed % 3 == 0, costs=None if seed % 4 == 0 else range(4))


def translate(folder: str) -> int:
    """Translate the task in a folder by Fast Downward's own code, in a fork; return the exit code."""
    binaries = str(_binaries())
    if binaries not in sys.path:
        sys.path.insert(0, binaries)
    from fast_downward.translate import main, options  # type: ignore[import-not-found]

    child = os.fork()
    if child == 0:
        code = 30
        try:
            os.chdir(folder)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(os.open("errors", os.O_WRONLY | os.O_CREAT), 2)
            options.set_options(["domain.pddl", "problem.pddl", "--sas-file", "output.sas"])
            main.main()
            code = 0
        except SystemExit as error:
            code = int(error.code or 0)
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _binaries() -> Path:
    driver = fast_downward._driver()
    assert driver is not None, fast_downward.missing()
    return Path(driver).parent / "builds" / "release" / "bin"


def by_fast_downward(task: Task) -> Answer:
    """Return the answer of Fast Downward, as its adapter requests it."""
    try:
        translated, arities = without_false_mutexes(in_its_words(task))
        texts = write(translated)
    except UnsupportedFeature:
        return UNSUPPORTED, None
    with tempfile.TemporaryDirectory() as folder:
        for name, text in zip(("domain.pddl", "problem.pddl"), texts, strict=True):
            Path(folder, name).write_text(text)
        code = translate(folder)
        if code:
            return f"translator {code}: {Path(folder, 'errors').read_text()[-300:]}", None
        for search in fast_downward.SEARCHES:
            command = [str(_binaries() / "downward"), "--search", search, "--internal-plan-file", "plan"]
            with open(Path(folder, "output.sas")) as translated:
                run = subprocess.run(command, cwd=folder, stdin=translated, capture_output=True, check=False)
            if run.returncode != UNSUPPORTED_BY_SEARCH:
                break
        status = fast_downward.EXITS.get(run.returncode, (f"exit {run.returncode}", ""))[0]
        return (
            _judged(task, original_plan(read_plan(Path(folder, "plan")), arities))
            if status == SOLVED
            else (status, None)
        )


def ask_in_a_fork(tasks: dict[str, Task], words: list[str], planner: str) -> tuple[ProgramEnd, dict[str, Any]]:
    """Do the same as `up._ask`, with the libraries of this process."""
    up_child._factory()
    with tempfile.TemporaryDirectory() as folder:
        for name, task in tasks.items():
            Path(folder, name).write_bytes(pickle.dumps(task))
        process = os.fork()
        if process == 0:
            try:
                os.chdir(folder)
                os.dup2(os.open("log", os.O_WRONLY | os.O_CREAT), 1)
                Path("answer.json").write_text(json.dumps(up_child.plan(words[0])))
            finally:
                os._exit(0)
        os.waitpid(process, 0)
        answer = Path(folder, "answer.json")
        run = ProgramEnd(0, None, "", False, 0, 0.0, 0.0, "", Path(folder, "log").read_text())
        return run, json.loads(answer.read_text()) if answer.exists() else {}


def _judged(task: Task, plan: Plan | None) -> Answer:
    assert plan is not None
    verdict = validate(task, plan)
    return (SOLVED_OPTIMALLY, verdict.cost) if verdict.valid else (f"invalid plan: {verdict.reason}", None)


def answers(seed: int, names: Sequence[str]) -> dict[str, Answer]:
    """Return the answer of each planner for the task of a seed."""
    task = task_of(seed)
    found: dict[str, Answer] = {}
    for name in names:
        if name == "fast-downward":
            found[name] = by_fast_downward(task)
        else:
            result = solve(task, name, limits=LIMITS)
            found[name] = result.status, result.cost
    return found


def agree(found: dict[str, Answer]) -> bool:
    """Return whether all planners with an answer agree."""
    proved = {answer for answer in found.values() if answer[0] not in (UNSUPPORTED, SOLVED, TIMEOUT, GAVE_UP)}
    solved = any(answer[0] == SOLVED for answer in found.values())
    return len(proved) == 1 and not (solved and next(iter(proved))[0] != SOLVED_OPTIMALLY)


def chunk(first: int, count: int, names: Sequence[str]) -> tuple[Counter[tuple[str, str]], list[str]]:
    """Return counts of statuses by planner, and differences, for some seeds."""
    counts: Counter[tuple[str, str]] = Counter()
    differences = []
    for seed in range(first, first + count):
        found = answers(seed, names)
        task = task_of(seed)
        counts["rewritten for Fast Downward", "tasks"] += without_false_mutexes(task)[0] is not task
        counts.update((name, status) for name, (status, _) in found.items())
        if not agree(found):
            differences.append(f"seed {seed}: {found}")
    return counts, differences


def keep_libraries() -> None:
    """Let engines of unified-planning answer in forks of this process, which may be used for nothing else."""
    up._ask = ask_in_a_fork


def main() -> int:
    """Compare, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--without", action="append", default=[], help="a planner to leave out; may be repeated")
    parser.add_argument("--only", action="append", default=[], help="a planner to compare; may be repeated")
    options = parser.parse_args()
    names = [name for name in options.only or (*OURS, "fast-downward") if name not in options.without]
    start, done, total, wrong = perf_counter(), 0, Counter[tuple[str, str]](), 0
    firsts = range(options.first, options.first + options.tasks, CHUNK)
    sizes = [min(CHUNK, options.first + options.tasks - first) for first in firsts]
    with ProcessPoolExecutor(options.workers, initializer=keep_libraries) as pool:
        every = pool.map(chunk, firsts, sizes, [names] * len(sizes))
        for size, (counts, differences) in zip(sizes, every, strict=True):
            done, total, wrong = done + size, total + counts, wrong + len(differences)
            print("".join(f"{line}\n" for line in differences), end="", flush=True)
            if done % 500 < CHUNK:
                print(f"{done:,} tasks, {wrong} differences, {perf_counter() - start:.0f} s", flush=True)
    for name in (*names, "rewritten for Fast Downward"):
        row = {status: number for (planner, status), number in sorted(total.items()) if planner == name}
        print(f"{name}: {', '.join(f'{number:,} {status}' for status, number in row.items())}")
    print(f"{done:,} tasks, {wrong} differences")
    return 1 if wrong or not total[names[0], UNSOLVABLE] else 0


if __name__ == "__main__":
    sys.exit(main())
