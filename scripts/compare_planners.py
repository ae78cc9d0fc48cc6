"""Compare the answers of planners to random tasks: native in six configurations, reference and Fast Downward.

    python scripts/compare_planners.py [--tasks 20000] [--first 0] [--workers 2] [--without fast-downward]

Tasks are those of `unpuzzle.testing.random_tasks`, by their seeds, so that a difference can be looked at again; each
third has types `(either ...)`, each fourth has no costs. Seeds from 1,000,000 on are those of the looser tasks of
`tests/support/adl_texts.py` (`--first 1000000`). Refusals (`unsupported`) and timeouts are counted and not
compared, and of a search that promises no optimal plans only the status is. Fast Downward's translator is loaded once
for each worker and then forked for each task; so it takes tens of milliseconds and not hundreds. Exit 1 where planners
differ.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.adl_texts import adl_texts
from unpuzzle import solve
from unpuzzle.errors import UnsupportedFeature
from unpuzzle.limits import Limits
from unpuzzle.pddl.nodes import Plan, Task
from unpuzzle.pddl.plans import read_plan
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.pddl.validation import validate
from unpuzzle.pddl.writer import write
from unpuzzle.planners.external import fast_downward
from unpuzzle.planners.external.fast_downward_dialect import in_its_words
from unpuzzle.result import SOLVED, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE, UNSUPPORTED
from unpuzzle.testing.random_tasks import random_task

CONFIGURATIONS = ("blind", "lmcut", "lmcut+stubborn", "bidirectional", "ff")
OURS = ("reference", "native", *(f"native:{name}" for name in CONFIGURATIONS))
CHUNK = 20
LIMITS = Limits(time=120)
UNSUPPORTED_BY_SEARCH = 34
"""Fast Downward's exit code where the search does not support a feature of the task."""
LOOSE = 1_000_000
"""The seed of the first loose task."""

Answer = tuple[str, int | None]


def task_of(seed: int) -> Task:
    """Return the random task of a seed."""
    if seed >= LOOSE:
        return parse_task(*adl_texts(seed))
    return random_task(Random(seed), either=seed % 3 == 0, costs=None if seed % 4 == 0 else range(4))


def translate(folder: str) -> int:
    """Translate the task in a folder by Fast Downward's own code, in a fork; returns the exit code."""
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
    """The answer of Fast Downward, as its adapter asks for it."""
    try:
        texts = write(in_its_words(task))
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
        return _judged(task, read_plan(Path(folder, "plan"))) if status == SOLVED else (status, None)


def _judged(task: Task, plan: Plan) -> Answer:
    verdict = validate(task, plan)
    return (SOLVED_OPTIMALLY, verdict.cost) if verdict.valid else (f"invalid plan: {verdict.reason}", None)


def answers(seed: int, without: tuple[str, ...]) -> dict[str, Answer]:
    """Return the answer of each planner for the task of a seed."""
    task = task_of(seed)
    found: dict[str, Answer] = {}
    for name in OURS:
        if name not in without:
            result = solve(task, name, limits=LIMITS)
            found[name] = result.status, result.cost
    if "fast-downward" not in without:
        found["fast-downward"] = by_fast_downward(task)
    return found


def agree(found: dict[str, Answer]) -> bool:
    """Return whether all planners with an answer agree."""
    proved = {answer for answer in found.values() if answer[0] not in (UNSUPPORTED, SOLVED, TIMEOUT)}
    solved = any(answer[0] == SOLVED for answer in found.values())
    return len(proved) == 1 and not (solved and next(iter(proved))[0] != SOLVED_OPTIMALLY)


def chunk(first: int, count: int, without: tuple[str, ...]) -> tuple[Counter[tuple[str, str]], list[str]]:
    """Return counts of statuses by planner, and differences, for some seeds."""
    counts: Counter[tuple[str, str]] = Counter()
    differences = []
    for seed in range(first, first + count):
        found = answers(seed, without)
        counts.update((name, status) for name, (status, _) in found.items())
        if not agree(found):
            differences.append(f"seed {seed}: {found}")
    return counts, differences


def main() -> int:
    """Compare, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--without", action="append", default=[], help="a planner to leave out; may be repeated")
    options = parser.parse_args()
    start, done, total, wrong = perf_counter(), 0, Counter[tuple[str, str]](), 0
    firsts = range(options.first, options.first + options.tasks, CHUNK)
    sizes = [min(CHUNK, options.first + options.tasks - first) for first in firsts]
    with ProcessPoolExecutor(options.workers) as pool:
        without = [tuple(options.without)] * len(sizes)
        for size, (counts, differences) in zip(sizes, pool.map(chunk, firsts, sizes, without), strict=True):
            done, total, wrong = done + size, total + counts, wrong + len(differences)
            print("".join(f"{line}\n" for line in differences), end="", flush=True)
            if done % 500 < CHUNK:
                print(f"{done:,} tasks, {wrong} differences, {perf_counter() - start:.0f} s", flush=True)
    for name in (*OURS, "fast-downward"):
        row = {status: number for (planner, status), number in sorted(total.items()) if planner == name}
        print(f"{name}: {', '.join(f'{number:,} {status}' for status, number in row.items())}")
    print(f"{done:,} tasks, {wrong} differences")
    return 1 if wrong or not total[("reference", UNSOLVABLE)] else 0


if __name__ == "__main__":
    sys.exit(main())
