"""Compare the default with its best part, on the frozen list of `schedule_tasks.py`, by states and processor time.

    scripts/bench schedule [--limit 20] [--every N] [--only TEXT] [--output runs.jsonl] [--program UNPUZZLE]
    scripts/bench schedule --soon [--limit 10] ...      the first plan of --anytime against greedy search and LAMA's

Each run is a separate process with a limit on processor time: three times as long for the default, and for a part not
much longer than the quickest earlier part needed. Runs in the file of runs are not made again. `--every 10` takes each
tenth task, `--program` the default of another version. A ratio is the seconds of the default over those of the quickest
part, each with 0.02 more, since the clock of a process has steps. With `--soon` seconds are wall clock, and a first
plan is soon if it takes at most twice as long as the faster rival's, plus 0.3 s.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from math import ceil, exp, log
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import DATA, korf_tasks
from peers import UNPUZZLE
from schedule_tasks import made

from unpuzzle.base.outcomes import SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.pddl import write

PARTS = ("native:blind", "native:orbits", "native:lmcut", "native:pdb", "native:bidirectional", "native:lmcut+stubborn")
RIVALS = ("native:gbfs", "fast-downward:lama-first")
GRACE = 0.3
"""The seconds that a first plan may take beyond twice the time of the faster rival."""
ENDS = (SOLVED_OPTIMALLY, UNSOLVABLE)
LONG = 20
"""CPU seconds within which the best part ends a task that counts as hard from one second on."""
STEP = 0.02
"""Seconds that make short runs comparable."""


def all_tasks(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the 300 tasks: the name, and the folder with the files, which is made if need be."""
    for problem in sorted(DATA.glob("ipc/*/*/problem.pddl")):
        yield problem.parent.relative_to(DATA / "ipc").as_posix(), problem.parent
    texts = {f"korf-{number}": (lambda task=task: write(task)) for number, _, task in korf_tasks()}
    for name, make in [*texts.items(), *made()]:
        (folder / name).mkdir()
        for file, text in zip(("domain.pddl", "problem.pddl"), make(), strict=True):
            (folder / name / file).write_text(text)
        yield name, folder / name


def run(program: str, planner: str, folder: Path, limit: int) -> dict[str, object]:
    """Return status, cost, states and seconds of search of one run."""
    words = [program, "plan", str(folder / "domain.pddl"), str(folder / "problem.pddl"), "--json"]
    limited = ["prlimit", f"--cpu={limit}", *words, "--planner", planner]
    done = subprocess.run(limited, capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    seconds = answer.get("seconds") or {}
    row = {name: answer.get(name) for name in ("status", "cost", "expanded")}
    return row | {"cpu": seconds.get("search_cpu", float(limit)), "parts": answer.get("parts")}


def in_turn(rows: dict[str, dict[str, object]], limit: int) -> Iterator[tuple[str, int]]:
    """Yield each part with its limit, first the parts that ended the search of the default."""
    ended = {f"native:{part['part']}" for part in rows["native"]["parts"] or () if part["state"] == "ended"}  # type: ignore[attr-defined]
    for part in sorted(PARTS, key=lambda part: part not in ended):
        solved = [float(str(rows[known]["cpu"])) for known in PARTS if known in rows and rows[known]["status"] in ENDS]
        yield part, min([limit, *(ceil(seconds) + 1 for seconds in solved)])


def show(rows: dict[str, dict[str, dict[str, object]]], default: str) -> Iterator[str]:
    """Yield a line of the table for each task that a part or the default solved, and the figures of all."""
    yield "| task | default, states | CPU s | best part | states | CPU s | ratio |\n|---|---|---|---|---|---|---|"
    ratios, lost, hard = [], [], 0
    for name, runs in rows.items():
        ended = {planner: row for planner, row in runs.items() if row["status"] in ENDS}
        parts = {planner: row for planner, row in ended.items() if planner != default}
        costs = {row["cost"] for row in ended.values()}
        if len(costs) > 1:
            yield f"| {name} | **costs differ: {costs}** |"
        if not parts:
            continue
        best = min(parts, key=lambda planner: float(str(parts[planner]["cpu"])))
        seconds, least = (float(str(runs[planner]["cpu"])) for planner in (default, best))
        hard += 1 <= least <= LONG
        ratio = (seconds + STEP) / (least + STEP) if default in ended else None
        (lost if ratio is None else ratios).append(ratio or 0)
        shown = "unsolved" if ratio is None else f"{ratio:.2f}"
        yield f"| {name} | {runs[default]['expanded']} | {seconds:.3f} | {best} | {parts[best]['expanded']} | {least:.3f} | {shown} |"  # noqa: E501
    if ratios:
        mean, above = exp(sum(map(log, ratios)) / len(ratios)), sum(ratio > 4 for ratio in ratios)
        yield f"| geometric mean of {len(ratios)} | | | | | | {mean:.2f}, <= 1.3 wanted |"
        yield f"| least of 1 to 20 s | | | | | | {hard}, >= 150 wanted |"
        yield f"| above 4 | | | | | | {above}, <= {len(ratios) // 20} wanted |"
    yield f"| solved by a part, not by the default | | | | | | {len(lost)}, 0 wanted |"


def run_soon(program: str, planner: str, folder: Path, limit: int) -> dict[str, object]:
    """Return the seconds until the first plan, and the cost of the last plan within `limit` seconds."""
    words = [program, "plan", str(folder / "domain.pddl"), str(folder / "problem.pddl"), "--json"]
    words += ["--anytime"] if planner == "native" else ["--planner", planner]
    done = subprocess.run([*words, "--time-limit", str(limit)], capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    last = {"seconds": (answer.get("seconds") or {}).get("total"), "cost": answer.get("cost")}
    first = (answer.get("plans") or [last])[0]
    found = last["cost"] is not None
    return {"status": answer.get("status"), "first": first["seconds"] if found else None, "cost": last["cost"]}


def show_soon(rows: dict[str, dict[str, dict[str, object]]], default: str) -> Iterator[str]:
    """Yield a line of the table for each task with a plan, and the figures of all."""
    yield f"| task | {' | '.join((default, *RIVALS))} | soon |\n|---|---|---|---|---|"
    soon, dearer, shown = 0, 0, 0
    for name, runs in rows.items():
        firsts = {planner: float(str(row["first"])) for planner, row in runs.items() if row["first"] is not None}
        if not firsts:
            continue
        least = min((firsts[rival] for rival in RIVALS if rival in firsts), default=float("inf"))
        quick = firsts.get(default, float("inf")) <= 2 * least + GRACE
        costs = [row["cost"] for planner, row in runs.items() if planner != default and row["cost"] is not None]
        mine = runs[default]["cost"]
        dearer += mine is None or any(float(str(cost)) < float(str(mine)) for cost in costs)
        soon, shown = soon + quick, shown + 1
        cells = [
            f"{firsts[each]:.2f} s, {runs[each]['cost']}" if each in firsts else "-" for each in (default, *RIVALS)
        ]
        yield f"| {name} | {' | '.join(cells)} | {'yes' if quick else 'no'} |"
    yield f"| {soon} of {shown} soon, {shown * 9 // 10} wanted; {dearer} dearer at the end | | | | |"


def main() -> int:
    """Make the runs that are not in the file of runs, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=20, help="CPU seconds of a run, or seconds with --soon")
    parser.add_argument("--soon", action="store_true", help="compare first plans")
    parser.add_argument("--every", type=int, default=1, help="take every N-th task")
    parser.add_argument("--only", default="", help="tasks whose names contain this text")
    parser.add_argument("--output", type=Path, help="record the runs there, and continue with those")
    parser.add_argument("--program", default=UNPUZZLE, help="the program whose default is run")
    options = parser.parse_args()
    rows: dict[str, dict[str, dict[str, object]]] = defaultdict(dict)
    if options.output and options.output.exists():
        for line in options.output.read_text().splitlines():
            known = json.loads(line)
            rows[known["task"]][known["planner"]] = known
    with TemporaryDirectory() as scratch:
        for name, folder in list(all_tasks(Path(scratch)))[:: options.every]:
            if options.only not in name:
                continue
            known = rows[name]
            if options.soon:
                turns = iter([(planner, options.limit) for planner in ("native", *RIVALS)])
            else:
                turns = chain([("native", 3 * options.limit)], in_turn(known, options.limit))
            for planner, limit in turns:
                if planner in known:
                    continue
                program = options.program if planner == "native" else UNPUZZLE
                known[planner] = (run_soon if options.soon else run)(program, planner, folder, limit)
                if options.output:
                    with options.output.open("a") as file:
                        file.write(json.dumps({"task": name, "planner": planner, **known[planner]}) + "\n")
    print("\n".join((show_soon if options.soon else show)(rows, "native")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
