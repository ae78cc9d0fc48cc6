"""The comparison with peers: side by side, in turn, CPU time, ratios within one run.

Wall time on a shared machine can be off by a factor of two, so it is not used here, and compared programs run in turn:
ours, theirs, ours, theirs. Of several repetitions the least CPU time counts. A *ratio* is ours over theirs: of rates
more is better, of seconds and bytes less.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from math import exp, inf, log
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import TYPE_CHECKING

import bench_lama
import bench_report
import grounding_tasks
from check_rates import by_reference, checked, checking_seconds
from peers import GROUND, PATIENCE, PYMIMIR, UNPUZZLE, Finished, driver, fast_downward, run, versions

from unpuzzle import Limits, experiment, translators
from unpuzzle.base.files import save_file
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY
from unpuzzle.cli.commands import COMMANDS
from unpuzzle.pddl import parse_task, read, write
from unpuzzle.pddl.nodes import And, Problem, Task
from unpuzzle.pddl.semantics import Semantics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from unpuzzle.experiments import ExperimentRun


MOST_SECONDS = 20
"""CPU seconds for each task of the job `coverage`."""
WHOLE = Limits(cpu=60, memory=4 << 30)
"""Limits of the runs of an experiment."""
DATA = Path(os.environ.get("UNPUZZLE_DATA", "../shared/data"))
SOKOBAN = tuple(DATA.glob("ipc/sokoban*/*/problem.pddl"))


@dataclass
class Row:
    """One comparison; `ratio` is None if there is nothing to compare with."""

    job: str
    what: str
    ours: float
    theirs: float | None
    unit: str
    ratio: float | None
    target: str


class Bench:
    """The jobs; each yields rows."""

    def __init__(self, repeat: int, output: str, against: str | None = None) -> None:
        self.repeat, self.output, self.against = repeat, output, against

    def runs(self, planner: str, tasks: dict[str, Task]) -> dict[str, ExperimentRun]:
        """Return the runs of a planner by task, each once; runs that are in the file of runs are not made again."""
        runs = experiment(tasks, [planner], limits=WHOLE, output=self.output)
        return {run.task: run for run in runs}

    def in_turn(self, commands: list[list[str]], task: Task) -> list[Finished]:
        """Return the best of several runs of each command, in turn; against another version, the median."""
        with TemporaryDirectory() as folder:
            for name, text in zip(("domain.pddl", "problem.pddl"), write(task), strict=True):
                save_file(str(Path(folder, name)), text)
            runs = [[run(command, folder) for command in commands] for _ in range(self.repeat)]
        place = self.repeat // 2 if self.against else 0
        return [sorted(column, key=lambda finished: finished.cpu)[place] for column in zip(*runs, strict=True)]

    def _ours(self, config: str, program: str = UNPUZZLE) -> list[str]:
        return [program, "plan", "domain.pddl", "problem.pddl", "--planner", config, "--json"]

    def _other_version(self, program: str) -> str:
        """Return the path of a program in the environment with which this one is compared."""
        return str(Path(self.against or "", ".venv", "bin", program))

    def _theirs(self, search: str) -> list[str]:
        return [sys.executable, fast_downward(), "domain.pddl", "problem.pddl", "--search", search]

    def rates(
        self, job: str, config: str, search: str, tasks: dict[str, Task], count: str, target: str
    ) -> Iterator[Row]:
        """States a second of search, ours against Fast Downward's, and the geometric mean of the ratios."""
        ratios = []
        other_command = self._theirs(search)
        if self.against:
            other_command, target = self._ours(config, self._other_version("unpuzzle")), ">= 0.97"
        for name, task in tasks.items():
            ours, theirs = self.in_turn([self._ours(config), other_command], task)
            mine = _rate(ours, count)
            other = _rate(theirs, count) if self.against else _rate_of_fast_downward(theirs, count)
            if not mine or not other:
                continue
            ratios.append(mine / other)
            yield Row(job, name, mine, other, f"{count}/s", mine / other, target)
        if ratios:
            mean = exp(sum(map(log, ratios)) / len(ratios))
            yield Row(job, "geometric mean", mean, None, "x", mean, target)

    def blind(self) -> Iterator[Row]:
        """Blind A*: expanded states a second."""
        tasks = {"8-puzzle": level("sliding-tiles", "8-hard")} | ipc(
            "sokoban-opt11-strips/p05", "pegsol-opt11-strips/p02", "pegsol-opt11-strips/p17", "termes-opt18-strips/p01",
            "snake-opt18-strips/p01",
        )  # fmt: skip
        yield from self.rates("blind", "native:blind", "astar(blind())", tasks, "expanded", "worst >= 10, mean >= 14")

    def memory(self) -> Iterator[Row]:
        """Peak memory at over a million states."""
        for name, task in {"15-puzzle, 22 moves": RANDOM_15.task()}.items():
            ours, theirs = self.in_turn([self._ours("native:blind"), self._theirs("astar(blind())")], task)
            mine = json.loads(ours.output)
            stored = re.findall(r"Number of registered states: (\d+)", theirs.output)
            peak = re.findall(r"^Peak memory: (\d+) KB", theirs.output, re.M)
            if not stored or not peak:
                continue
            per_state = ours.peak / mine["evaluated"]
            other = int(peak[-1]) * 1024 / int(stored[-1])
            yield Row("memory", name, per_state, other, "bytes/state", per_state / other, "<= 0.33")

    def lmcut(self) -> Iterator[Row]:
        """A* with LM-cut: evaluated states a second."""
        tasks = ipc("logistics00/probLOGISTICS-6-0", "sokoban-opt11-strips/p05", "blocks/probBLOCKS-8-0")
        yield from self.rates("lmcut", "native:lmcut", "astar(lmcut())", tasks, "evaluated", ">= 4")

    def boards(self) -> Iterator[Row]:
        """The search for boards on 200 generated levels of Sokoban: CPU seconds, answers, positions."""
        yield from self._levels_of_sokoban("boards", "native:boxes")

    def sokoban(self) -> Iterator[Row]:
        """The default on the same levels and on the collection's tasks of Sokoban, to the proved optimum."""
        yield from self._levels_of_sokoban("sokoban", "native")
        names = sorted(path.parent.relative_to(DATA / "ipc").as_posix() for path in SOKOBAN)
        yield from self._coverage("sokoban", ipc(*names))

    def _levels_of_sokoban(self, job: str, planner: str) -> Iterator[Row]:
        """Solve the generated levels of `bench_boards.py` here and by the other version, in turn; medians."""
        pythons = [sys.executable, *([self._other_version("python")] if self.against else [])]
        script = str(Path(__file__).with_name("bench_boards.py").resolve())
        runs = [
            [json.loads(run([python, script, planner], "/").output) for python in pythons] for _ in range(self.repeat)
        ]
        seconds = [sorted(each["cpu"] for each in column)[self.repeat // 2] for column in zip(*runs, strict=True)]
        last = runs[-1]
        yield _pair(Row(job, "200 levels", seconds[0], None, "CPU s", None, "<= 1.03"), seconds)
        for what in ("solved", "solved_optimally", "unsolvable"):
            counts = [sum(status == what for status, _ in each["answers"]) for each in last]
            if any(counts):
                yield _pair(Row(job, f"200 levels, {what}", counts[0], None, "levels", None, "no fewer"), counts)
        if len(last) == 2:
            differing = sum(one != other for one, other in zip(*(each["answers"] for each in last), strict=True))
            yield Row(job, "200 levels, other answers", differing, None, "levels", None, "each explained")

    def coverage(self) -> Iterator[Row]:
        """The tasks of the collection, in 20 CPU seconds by the default: how many are solved optimally."""
        names = sorted(path.parent.relative_to(DATA / "ipc").as_posix() for path in DATA.glob("ipc/*/*/problem.pddl"))
        yield from self._coverage("coverage", ipc(*names) | {f"korf {name}": task for name, _, task in korf_tasks()})

    def _coverage(self, job: str, tasks: dict[str, Task]) -> Iterator[Row]:
        known = json.loads((DATA / "ipc" / "optimal-costs.json").read_text())
        known |= {f"korf {name}": cost for name, cost, _ in korf_tasks()}
        programs = [UNPUZZLE, *([self._other_version("unpuzzle")] if self.against else [])]
        commands = [["prlimit", f"--cpu={MOST_SECONDS}", *self._ours("native", program)] for program in programs]
        solved, seconds, wrong = [0] * len(programs), [0.0] * len(programs), 0
        repeat, self.repeat = self.repeat, 1
        for name, task in tasks.items():
            for i, finished in enumerate(self.in_turn(commands, task)):
                answer = json.loads(finished.output) if finished.output.startswith("{") else {"status": "timeout"}
                seconds[i] += finished.cpu
                solved[i] += answer["status"] == SOLVED_OPTIMALLY
                refuted = answer["status"] == SOLVED_OPTIMALLY and answer["cost"] != known.get(name, answer["cost"])
                wrong += refuted and i == 0
        self.repeat = repeat
        yield _pair(Row(job, f"solved of {len(tasks)} in {MOST_SECONDS} s", solved[0], None, "", None, ">= 1"), solved)
        yield _pair(Row(job, "CPU seconds of all", seconds[0], None, "CPU s", None, ""), seconds)
        yield Row(job, "wrong costs", wrong, None, "", None, "0")

    def tiny(self) -> Iterator[Row]:
        """The whole process on a tiny task."""
        peers = {"Fast Downward, lmcut": (self._theirs("astar(lmcut())"), "ours/theirs <= 0.38")}
        if find_spec("pyperplan"):
            program = str(Path(sys.executable).with_name("pyperplan"))
            peers["pyperplan, blind A*"] = (
                [program, "-s", "astar", "-H", "blind", "domain.pddl", "problem.pddl"],
                "ours/theirs <= 1",
            )
        if find_spec("pymimir"):
            peers["pymimir, blind A*"] = ([sys.executable, "-c", PYMIMIR], "ours/theirs <= 1")
        commands = [[UNPUZZLE, "plan", "domain.pddl", "problem.pddl"], *[command for command, _ in peers.values()]]
        repeat, self.repeat = self.repeat, max(10, self.repeat)
        ours, *theirs = self.in_turn(commands, ipc("blocks/probBLOCKS-4-0")["blocks/probBLOCKS-4-0"])
        self.repeat = repeat
        for (name, (_, target)), other in zip(peers.items(), theirs, strict=True):
            yield Row("tiny", name, ours.cpu, other.cpu, "CPU s", ours.cpu / other.cpu, target)
        yield Row("tiny", "alone", 1000 * ours.cpu, None, "CPU ms", None, "<= 36")

    def starts(self) -> Iterator[Row]:
        """The costs of every call: importing, a small level, the help of each command."""

        def least(*words: str) -> float:
            """Return the least milliseconds of several processes."""
            return 1000 * min(run(list(words), "/").cpu for _ in range(max(10, self.repeat)))

        python = least(sys.executable, "-c", "pass")
        beyond = least(sys.executable, "-c", "import unpuzzle") - python
        yield Row("starts", "import unpuzzle, beyond Python", beyond, None, "CPU ms", None, "<= 5")
        yield Row("starts", "solve boxup 1", least(UNPUZZLE, "solve", "boxup", "1"), None, "CPU ms", None, "<= 60")
        helps = {name: least(UNPUZZLE, name, "--help") for name in COMMANDS}
        slowest = max(helps, key=lambda name: helps[name])
        yield Row("starts", f"the slowest help: {slowest}", helps[slowest], None, "CPU ms", None, "<= 150")

    def pddl_game(self) -> Iterator[Row]:
        """`solve` of a PDDL domain as a game, against `plan` of the same files: whole processes, compiled bytecode."""
        repeat, self.repeat = self.repeat, max(10, self.repeat)
        commands = [[UNPUZZLE, command, "domain.pddl", "problem.pddl"] for command in ("solve", "plan")]
        ratios = []
        for name, task in ipc(*GAMES).items():
            game, plan = self.in_turn(commands, task)
            ratios.append(game.cpu / plan.cpu)
            yield Row("pddl-game", name, game.cpu, plan.cpu, "CPU s", ratios[-1], "<= 1.1")
        self.repeat = repeat
        mean = exp(sum(map(log, ratios)) / len(ratios))
        yield Row("pddl-game", "geometric mean", mean, None, "x", mean, "<= 1.1")

    def whole(self) -> Iterator[Row]:
        """From PDDL text to the proved optimum: our default against the optimal configurations of others."""
        others = {name: self._theirs(name) for name in ("astar(lmcut())", "astar(ipdb())")}
        if find_spec("up_symk"):
            script = driver("up_symk", "symk")
            others["symk sym_bd()"] = [sys.executable, script, "domain.pddl", "problem.pddl", "--search", "sym_bd()"]
        tasks = {"boxup 6": level("boxup", "6"), "15-puzzle, 36 moves": level("sliding-tiles", "15-medium")} | ipc(
            "sokoban-opt11-strips/p05", "pegsol-opt11-strips/p02", "blocks/probBLOCKS-8-0", "rubiks-cube-opt23-adl/p05"
        )  # fmt: skip
        repeat, self.repeat = self.repeat, 1
        for name, task in tasks.items():
            limited = [["prlimit", f"--cpu={PATIENCE}", *command] for command in others.values()]
            ours, *theirs = self.in_turn([self._ours("native"), *limited], task)
            for other, finished in zip(others, theirs, strict=True):
                ended = "" if "Solution found" in finished.output else ": no plan"
                ratio = ours.cpu / finished.cpu
                yield Row("whole", f"{name}, {other}{ended}", ours.cpu, finished.cpu, "CPU s", ratio, "< 1")
        self.repeat = repeat

    def grounding(self) -> Iterator[Row]:
        """From PDDL text to the ground task, against Fast Downward's translator; whole processes."""
        for name, make in grounding_tasks.TASKS.items():
            task = parse_task(*make())
            theirs = [sys.executable, fast_downward(), "--translate", "domain.pddl", "problem.pddl"]
            ours, other = self.in_turn([[sys.executable, "-c", GROUND], theirs], task)
            yield Row("grounding", name, ours.cpu, other.cpu, "CPU s", ours.cpu / other.cpu, "<= 0.1")

    def rubik(self) -> Iterator[Row]:
        """Rubik's cube (IPC 2023's encoding), scrambled by random turns: CPU seconds to the proved optimum."""
        solved = ipc("rubiks-cube-opt23-adl/p01")["rubiks-cube-opt23-adl/p01"]
        goal = solved.problem.goal
        assert isinstance(goal, And)
        tasks = {}
        for turns in (10, 14, 18):
            semantics, rng = Semantics(solved), Random(turns)
            state = frozenset(goal.operands)
            for _ in range(turns):
                state = semantics.apply(state, rng.choice(semantics.applicable(state)))
            init = tuple(sorted(state, key=str))
            problem = Problem("scrambled", solved.domain.name, (), solved.problem.objects, init, (), goal)
            tasks[f"{turns} random turns"] = Task(solved.domain, problem)
        for name, made in self.runs("native", tasks).items():
            yield Row("rubik", f"{name}: {made.status}, cost {made.cost}", made.cpu or 0, None, "CPU s", None, "<= 60")

    def korf(self) -> Iterator[Row]:
        """Random 15-puzzles (Korf 1985), from PDDL to the proved optimum."""
        costs = {number: cost for number, cost, _ in korf_tasks()}
        tasks = {number: task for number, _, task in korf_tasks()}
        runs = self.runs("native", tasks)
        right = [
            runs[number].status == SOLVED_OPTIMALLY and runs[number].cost == cost for number, cost in costs.items()
        ]
        taken = [run.cpu or 0 if well else inf for run, well in zip(runs.values(), right, strict=True)]
        other = self.runs("fast-downward:astar(ipdb())", {"12": tasks["12"]})["12"].cpu or 0
        ours = runs["12"].cpu or 0
        yield Row("korf", "12, against astar(ipdb())", ours, other, "CPU s", ours / other, "<= 2")
        yield Row("korf", "median of 30", sorted(taken)[len(taken) // 2], None, "CPU s", None, "<= 0.15")
        yield Row("korf", "worst of 30", max(taken), None, "CPU s", None, "<= 3")
        yield Row("korf", "solved of 30 within 10 s", sum(t <= 10 for t in taken), None, "", None, "30")

    def levels(self) -> Iterator[Row]:
        """Random levels judged, solvable or not and in how many moves: the whole process and its workers."""
        shape = ["--size", "4x4", "--walls", "3", "--count", "1000", "--candidates", "1000"]
        runs = [run([UNPUZZLE, "generate", "boxup", *shape, "--quiet", "--json"], ".") for _ in range(self.repeat)]
        yield Row("levels", "1,000 random Boxup levels", min(r.cpu for r in runs), None, "CPU s", None, "<= 10")
        for puzzle, name in (("boxup", "6"), ("sliding-tiles", "15-medium"), ("pacman", "room")):
            task = level(puzzle, name)
            what = f"check of the task of {puzzle} {name}, {len(task.problem.init)} atoms"
            yield Row("levels", what, 1e6 * checking_seconds(task), None, "CPU us", None, "tens")

    def check(self) -> Iterator[Row]:
        """States compared a second by `check`, against the uncompiled reference semantics; in one process."""
        for puzzle, name in (("sliding-tiles", "8-hard"), ("boxup", "6"), ("pacman", "dots")):
            kind = translators.find(puzzle)
            position = kind.parse(kind.levels[name])
            best = [0.0, 0.0]
            for _ in range(self.repeat):
                for number, explore in enumerate((checked, by_reference)):
                    start = process_time()
                    states = explore(position, 20_000)
                    best[number] = max(best[number], states / (process_time() - start))
            yield Row("check", f"{puzzle} {name}", *best, "states/s", best[0] / best[1], ">= 5")

    def lama(self) -> Iterator[Row]:
        """Anytime planning against LAMA, on the collection's puzzle tasks and some made here."""
        known = json.loads((DATA / "ipc" / "optimal-costs.json").read_text())
        for row in bench_lama.compare(bench_lama.puzzle_tasks((DATA / "ipc").resolve()), known, self.output):
            yield Row("lama", *row)

    def report(self) -> Iterator[Row]:
        """The report of an experiment of 10,000 runs."""
        for what, seconds, size in bench_report.measured():
            yield Row("report", what, seconds, None, "CPU s", None, "<= 5")
            yield Row("report", what, size, None, "MB", None, "<= 5")


GAMES = (
    "blocks/probBLOCKS-4-0", "caldera-opt18-adl/p01", "elevators-opt08-strips/p02", "gripper/prob01",
    "logistics00/probLOGISTICS-6-0", "miconic-fulladl/f3-2", "miconic-simpleadl/s3-1", "openstacks-opt08-adl/p01",
    "optical-telegraphs/p01-opt2", "pegsol-opt11-strips/p02", "philosophers/p01-phil2",
    "psr-middle/p01-s17-n2-l2-f30", "scanalyzer-08-strips/p01", "sokoban-opt11-strips/p01", "storage/p05",
    "termes-opt18-strips/p01", "tidybot-opt11-strips/p01", "trucks/p01", "visitall-opt14-strips/p-05-5",
    "woodworking-opt08-strips/p01",
)  # fmt: skip
"""Tasks of twenty domains, which are solved in some seconds at most."""
RANDOM_15 = translators.find("sliding-tiles").parse("0 4 1 2\n8 12 7 3\n13 5 6 10\n14 9 15 11")


def ipc(*names: str) -> dict[str, Task]:
    """Tasks of the collection, by name."""
    return {name: read(DATA / "ipc" / name / "domain.pddl", DATA / "ipc" / name / "problem.pddl") for name in names}


def korf_tasks() -> Iterator[tuple[str, int, Task]]:
    """Yield the random 15-puzzles of Korf (1985) from the collection: number, least cost, task."""
    kind = translators.find("sliding-tiles")
    for line in (DATA / "korf-1-30.txt").read_text().splitlines():
        if line[:1].isdigit():
            number, optimal, _, _, *tiles = line.split()
            yield (
                number,
                int(optimal),
                kind.parse("\n".join(" ".join(tiles[i : i + 4]) for i in range(0, 16, 4))).task(),
            )


def _rate(finished: Finished, count: str) -> float:
    """Return the states per second of one of our searches."""
    answer = json.loads(finished.output)
    return answer[count] / max(answer["seconds"]["search_cpu"], 1e-6)


def _rate_of_fast_downward(finished: Finished, count: str) -> float | None:
    """Return the states per second of its search; None if that is too short to be measured."""
    number = re.findall(rf"{count.capitalize()} (\d+) state", finished.output)
    seconds = re.findall(r"Search time: ([\d.e-]+)s", finished.output)
    return int(number[-1]) / float(seconds[-1]) if number and seconds and float(seconds[-1]) >= 0.005 else None


def _pair(row: Row, values: Sequence[float]) -> Row:
    """Return a row with the value of the other version, if there is one, and the ratio."""
    return row if len(values) == 1 else replace(row, theirs=values[1], ratio=values[0] / (values[1] or 1))


def level(puzzle: str, name: str) -> Task:
    """A bundled level as a task."""
    kind = translators.find(puzzle)
    return kind.parse(kind.levels[name]).task()


def show(row: Row) -> str:
    """A line of the table."""
    theirs = "" if row.theirs is None else f"{row.theirs:,.4g}"
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    return f"| {row.job} | {row.what} | {row.ours:,.4g} | {theirs} | {row.unit} | {ratio} | {row.target} |"


JOBS: dict[str, Callable[[Bench], Iterator[Row]]] = {
    "tiny": Bench.tiny,
    "starts": Bench.starts,
    "blind": Bench.blind,
    "memory": Bench.memory,
    "lmcut": Bench.lmcut,
    "boards": Bench.boards,
    "sokoban": Bench.sokoban,
    "coverage": Bench.coverage,
    "korf": Bench.korf,
    "rubik": Bench.rubik,
    "whole": Bench.whole,
    "grounding": Bench.grounding,
    "levels": Bench.levels,
    "check": Bench.check,
    "lama": Bench.lama,
    "pddl-game": Bench.pddl_game,
    "report": Bench.report,
}


def main() -> int:
    """Run the jobs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", default=",".join(JOBS), help=f"of {', '.join(JOBS)}")
    parser.add_argument("--json", metavar="FILE", help="write the results there, too")
    parser.add_argument(
        "--output", metavar="FILE", help="record the runs of rubik, korf and lama, and continue with them"
    )
    parser.add_argument("--repeat", type=int, default=3)
    help_ = "another clone, built by its own scripts/test: blind, lmcut, boards, sokoban and coverage compare with it"
    parser.add_argument("--against", metavar="FOLDER", help=help_)
    options = parser.parse_args()
    with TemporaryDirectory() as scratch:
        bench = Bench(options.repeat, options.output or str(Path(scratch, "runs.jsonl")), options.against)
        rows = [*_printed(bench, options.jobs.split(","))]
    if options.json:
        report = {"versions": versions(), "rows": [asdict(row) for row in rows]}
        save_file(options.json, json.dumps(report, indent=1) + "\n")
    return 0


def _printed(bench: Bench, jobs: list[str]) -> Iterator[Row]:
    """Yield the rows of jobs, and print each at once."""
    print("| job | on | ours | theirs | unit | ratio | wanted |\n|---|---|---|---|---|---|---|", flush=True)
    for name in jobs:
        for row in JOBS[name](bench):
            print(show(row), flush=True)
            yield row


if __name__ == "__main__":
    sys.exit(main())
