"""Measure experiments: the overhead of a run, whether limits hold, whether a killed experiment gives the same table.

    scripts/bench experiments [overhead] [limits] [killed] [--repeat N]

`overhead`: CPU milliseconds of a run beyond those of `unpuzzle plan` for our planner, and beyond those of the planner's
own process for a program; taken in turn, the least of each. A run includes everything: the process of the run with its
guardian and the planner, the server that starts it, and the process of the experiment itself. `limits`: processor time
and memory of runs that would take far more, as the kernel counts them. `killed`: 20 tasks by 5 planners, killed with
SIGKILL at five random numbers of runs, with one worker, with two, and on two Dask workers of which one is killed.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import unpuzzle
from unpuzzle import Limits
from unpuzzle.experiments import read_runs
from unpuzzle.experiments.experimenting import Job
from unpuzzle.experiments.subjects import subjects_of
from unpuzzle.processes.worker import Worker

UNPUZZLE = [sys.executable, "-m", "unpuzzle"]
DOMAIN = """(define (domain road) (:predicates (at ?x) (road ?x ?y))
 (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y)) :effect (and (at ?y) (not (at ?x)))))"""
WALKER = """import re, sys
last = max(int(n) for n in re.findall(r"\\bc(\\d+)\\b", open(sys.argv[2]).read()))
open(sys.argv[3], "w").write("".join(f"(go c{i} c{i + 1})\\n" for i in range(last)))
"""
SPIN = "import sys\nwhile True: pass\n"
EAT = "import sys\neaten = []\nwhile True: eaten.append(bytearray(1 << 18))\n"
ALLOWED_MS = 15
CPU_ALLOWED, MEMORY_ALLOWED = 0.2, 1.05
PARTS = ("overhead", "limits", "killed")


def main() -> int:
    """Run the requested parts; return the number of wrong figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help="overhead, limits, killed; default: all")
    parser.add_argument("--repeat", type=int, default=15)
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="bench-experiments-") as scratch:
        for part in options.parts or PARTS:
            folder = Path(scratch) / part
            folder.mkdir()
            wrong += {"overhead": overhead, "limits": limits, "killed": killed}[part](folder, options.repeat)
    return min(wrong, 1)


def problem(length: int) -> str:
    """Return a task: a road with a number of steps."""
    roads = " ".join(f"(road c{i} c{i + 1})" for i in range(length))
    names = " ".join(f"c{i}" for i in range(length + 1))
    return f"(define (problem p) (:domain road) (:objects {names}) (:init (at c0) {roads}) (:goal (at c{length})))"


def roads(folder: Path, number: int) -> Path:
    """Make a folder of tasks, and programs beside it."""
    tasks = folder / "roads"
    tasks.mkdir()
    (tasks / "domain.pddl").write_text(DOMAIN)
    for each in range(1, number + 1):
        (tasks / f"p{each:02}.pddl").write_text(problem(each))
    for name, text in {"walker": WALKER, "spin": SPIN, "eat": EAT}.items():
        (folder / f"{name}.py").write_text(text)
    return tasks


# ---- what a run costs


def overhead(folder: Path, repeat: int) -> int:
    """Print the CPU milliseconds of a run and of the planner alone."""
    tasks = roads(folder, 9)
    files = [str(tasks / "domain.pddl"), str(tasks / "p09.pddl")]
    walker = [sys.executable, str(folder / "walker.py"), *files, str(folder / "plan")]
    template = f"command:{sys.executable} {folder / 'walker.py'} {{domain}} {{problem}} {{plan}}"
    wrong = 0
    print(f"{'a run of':24} {'alone':>8} {'run':>8} {'more':>8}   CPU ms, then wall ms")
    for name, planner, alone in (
        ("native", "native", [*UNPUZZLE, "plan", *files, "--quiet"]),
        ("a program", template, walker),
        ("fast-downward:lama-first", "fast-downward:lama-first", _driver(files)),
    ):
        ours, theirs = _in_turn(planner, str(tasks / "p09.pddl"), alone, repeat)
        more = [run - other for run, other in zip(ours, theirs, strict=True)]
        late = more[0] > ALLOWED_MS
        wrong += late
        for kind, one, other, difference in zip(("CPU", "wall"), theirs, ours, more, strict=True):
            mark = " !" if late and kind == "CPU" else ""
            print(f"{name if kind == 'CPU' else '':24} {one:8.1f} {other:8.1f} {difference:8.1f}   {kind}{mark}")
    return wrong


def _driver(files: list[str]) -> list[str]:
    from unpuzzle.planners.external.fast_downward import _driver as driver

    # As a run calls it. Its plan comes into the working directory: the driver removes the file of the plan first, and
    # would remove even /dev/null.
    options = ["--plan-file", "plan", "--sas-file", "output.sas", "--alias=lama-first", "--overall-time-limit=61"]
    return [sys.executable, driver() or "", *options, *files]


def _in_turn(planner: str, task: str, alone: list[str], repeat: int) -> tuple[list[float], list[float]]:
    """Return the least CPU and wall milliseconds of a run, and of a command; the server has been started before."""
    (subject,) = subjects_of(task)
    how = {"limits": {"time": 60.0, "cpu": None, "memory": 4 << 30}, "process": "warm"}
    job = Job.of(subject.loaded(), "", "p", planner, 0, 0, False, how)
    ours, theirs = [], []
    with Worker() as worker:
        worker.call(job.call())
        for _ in range(repeat):
            start, own, server = time.perf_counter(), time.process_time(), _on_processor(worker)
            outcome = worker.call(job.call())
            wall, own = time.perf_counter() - start, time.process_time() - own
            ours.append((outcome.cpu + own + _on_processor(worker) - server, wall))
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            with tempfile.TemporaryDirectory() as own:
                subprocess.run(alone, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, cwd=own)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            theirs.append((cpu, time.perf_counter() - start))
    return ([1000 * min(column) for column in zip(*each, strict=True)] for each in (ours, theirs))  # type: ignore[return-value]


def _on_processor(worker: Worker) -> float:
    """Return the processor seconds of the process that starts the runs, without the runs themselves."""
    assert worker._server is not None
    return int(Path(f"/proc/{worker._server.pid}/schedstat").read_text().split()[0]) / 1e9


# ---- whether limits hold


def limits(folder: Path, repeat: int) -> int:
    """Print the processor time and the memory of runs that would take more."""
    roads(folder, 1)
    tiles = unpuzzle.find("sliding-tiles")
    hard = {"15": tiles.parse(tiles.levels["15-notebook"])}
    program = f"command:{sys.executable} {folder / '{}.py'} {{domain}} {{problem}}"
    wrong = 0
    cpu_limit, memory_limit = 3.0, 300 << 20
    planners = ["native:blind", "native:bfs", "reference", "fast-downward:astar(blind())"]
    print(f"{'limit of ' + str(cpu_limit) + ' CPU s':40} {'status':10} {'CPU s':>7}")
    for planner in (*planners, program.replace("{}", "spin")):
        (run,) = _one(hard, planner, Limits(cpu=cpu_limit), folder)
        late = run.status == "timeout" and (run.cpu or 0) > 1.05 * cpu_limit + CPU_ALLOWED
        wrong += late
        print(f"{planner[:40]:40} {run.status:10} {run.cpu:7.2f}{' !' if late else ''}")
    print(f"{'limit of ' + str(memory_limit >> 20) + ' MiB':40} {'status':10} {'MiB':>7}")
    for planner in (*planners, program.replace("{}", "eat")):
        (run,) = _one(hard, planner, Limits(time=60, memory=memory_limit), folder)
        large = (run.peak_memory or 0) > MEMORY_ALLOWED * memory_limit
        wrong += large
        print(f"{planner[:40]:40} {run.status:10} {(run.peak_memory or 0) / 2**20:7.1f}{' !' if large else ''}")
    return wrong


def _one(task: object, planner: str, asked: Limits, folder: Path) -> tuple[unpuzzle.experiments.ExperimentRun, ...]:
    output = folder / f"{abs(hash((planner, asked)))}.jsonl"
    return unpuzzle.experiment(task, [f"it={planner}"], limits=asked, output=output)


# ---- whether a killed experiment comes to the same table


def killed(folder: Path, repeat: int) -> int:
    """Print for each way of working whether the table is the same, and the number of repeated runs."""
    tasks = roads(folder, 20)
    walker = f"walker=command:{sys.executable} {folder / 'walker.py'} {{domain}} {{problem}} {{plan}}"
    planners = ["native", "blind=native:blind", "gbfs=native:gbfs", "reference", walker]
    asked = Limits(60.0, 2 << 30)
    straight = unpuzzle.experiment(str(tasks), planners, limits=asked, output=folder / "straight.jsonl", workers=2)
    wrong = 0
    with _cluster() as cluster:
        ways = {"one worker": ["--workers", "1"], "two workers": ["--workers", "2"]}
        ways |= {"two Dask workers, one killed": ["--scheduler", cluster.scheduler_address]}
        for name, words in ways.items():
            output = folder / f"{name[:8]}.jsonl"
            command = [*UNPUZZLE, "experiment", str(tasks), "--planners", *planners, "--output", str(output), *words]
            command += ["--time-limit", "60", "--memory-limit", "2G", "--quiet"]
            moments = sorted(Random(name).sample(range(1, 95), 5))
            for moment in moments:
                with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as popen:
                    while (output.read_bytes().count(b"\n") if output.exists() else 0) < moment:
                        time.sleep(0.002)
                    popen.send_signal(signal.SIGKILL)
                if "Dask" in name and moment == moments[2]:
                    os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            runs = read_runs(output)
            table = sorted(str(run.outcome) for run in runs)
            same = table == sorted(str(run.outcome) for run in straight)
            twice = len(runs) - len({run.key for run in runs})
            wrong += not same or twice > 0
            print(f"{name:30} killed at {moments}: {len(runs)} runs, same table: {same}, made twice: {twice}")
    return wrong


def _cluster() -> object:
    from distributed import LocalCluster

    return LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1")


if __name__ == "__main__":
    sys.exit(main())
