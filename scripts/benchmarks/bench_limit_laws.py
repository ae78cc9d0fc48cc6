"""Measure how long after a limit each public function returns, and by how much it exceeds a memory limit.

    scripts/bench limits --functions [--only WORD ...] [--case time|cpu|cancel|memory ...]

The long calls are listed in tests/support/limit_cases.py; each runs in a separate process, where its inputs are made
first. A function may take half a second beyond a limit of time, and after a cancel; half a second of processor time
beyond a limit of that; and a tenth beyond a limit of memory, which counts from the memory that the process had before.
`!` marks an excess, and a status of another limit. If memory does not grow so far in some seconds, a time limit ends
the call, unless it ends by itself. Processor time is not measured if other processes do the work, each of which has a
limit. The exit code is 1 if anything exceeds its limit.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from threading import Timer
from time import perf_counter, process_time

from unpuzzle.base.platform_facts import forget_peak_memory, peak_memory, resident_memory
from unpuzzle.base.run import Limits

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.limit_cases import OTHER_WAYS, ROWS, Row, ended

LIMIT, CANCEL, PATIENCE = 0.5, 0.3, 5.0
"""Seconds: of a limit, until a cancel, and in which memory has to grow."""
MEMORY = 100 << 20
SECONDS, SHARE = 0.5, 0.1
"""The tolerated excess of a limit: in seconds, and as a share of the memory."""
OF_EACH = {
    ("compare", "time"): 2,
    ("compare", "cpu"): 2,
    ("solve_many", "memory"): 2,
    ("Family.solve_many", "memory"): 2,
}
"""How often a limit may be used up that is one of each row, or of each of the searches at a time."""
MOST = 120
"""Seconds after which a call counts as endless."""
CASES = {"time": "timeout", "cpu": "timeout", "cancel": "cancelled", "memory": "memout"}


def main() -> int:
    """Measure the requested rows and print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD", help="functions whose names contain a word")
    parser.add_argument("--case", nargs="*", default=list(CASES), choices=CASES, help="only these limits")
    parser.add_argument("--one", nargs=2, metavar=("NAME", "CASE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured((ROWS | OTHER_WAYS)[options.one[0]], options.one[1])))
        return 0
    print(f"load {os.getloadavg()[0]:.2f}\n{'function':26} {'limit':7} {'status':24} {'beyond':>9}")
    names = [name for name in (*ROWS, *OTHER_WAYS) if not options.only or any(word in name for word in options.only)]
    apart = {name for name, row in (ROWS | OTHER_WAYS).items() if row.apart}
    cases = [(name, case) for name in names for case in options.case if not (name in apart and case == "cpu")]
    beyond = sum([shown(name, case) for name, case in cases])
    print(f"{beyond} beyond their limits; load {os.getloadavg()[0]:.2f}")
    return min(beyond, 1)


def shown(name: str, case: str) -> bool:
    """Measure a function in a separate process, and print a row; return whether it exceeded the limit."""
    words = [sys.executable, __file__, "--one", name, case]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=MOST, check=False)
        status, over = json.loads(done.stdout) if done.returncode == 0 else (done.stderr.splitlines()[-1][:60], 0.0)
    except subprocess.TimeoutExpired:
        status, over = "endless", float(MOST)
    wanted = (ROWS | OTHER_WAYS)[name].says.get(CASES[case], CASES[case])
    grows_slowly = case == "memory" and over < 0
    over -= (OF_EACH.get((name, case), 1) - 1) * (1 if case == "memory" else LIMIT)
    wrong = over > (SHARE if case == "memory" else SECONDS) or (status != wanted and not grows_slowly)
    figure = f"{over:+9.0%}" if case == "memory" else f"{over:+7.2f} s"
    print(f"{name:26} {case:7} {status:24} {figure}{' !' if wrong else ''}", flush=True)
    return wrong


def measured(row: Row, case: str) -> tuple[str, float]:
    """Return how a call ended, and by how many seconds, or which share of the memory, it exceeded its limit."""
    cancelled = Limits()
    cancelled.cancel()
    ended(row, limits=cancelled)  # makes the inputs
    if case == "cancel":
        limits, moment = Limits(), list[float]()

        def cancel() -> None:
            moment.append(perf_counter())
            limits.cancel()

        timer = Timer(CANCEL, cancel)
        timer.start()
        status, _ = ended(row, limits=limits)
        end = perf_counter()
        timer.cancel()
        return status, end - moment[0] if moment else 0.0
    if case == "memory":
        forget_peak_memory()
        held = resident_memory()
        status, _ = ended(row, limits=Limits(time=PATIENCE, memory=MEMORY))
        peak = (peak_memory() or resident_memory()) - held
        if row.apart:  # such a process counts all that it holds
            peak = max(peak, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
        return status, peak / MEMORY - 1
    clock = process_time if case == "cpu" else perf_counter
    begin = clock()
    status, _ = ended(row, limits=Limits(cpu=LIMIT) if case == "cpu" else Limits(time=LIMIT))
    return status, clock() - begin - LIMIT


if __name__ == "__main__":
    sys.exit(main())
