"""Measure wall time and peak memory of commands with limits, on inputs that are far too large for them.

    scripts/bench limits [--time 2] [--memory 300] [--only WORD ...] [--keep DIR] [--random [SEED]]

Each command runs in a separate process with `--time-limit` and `--memory-limit`. It may take the time and half a
second, and the memory and a tenth; the table marks excesses with `!`. The peak is that of the process and of its
largest child; the wall time begins before Python starts. The inputs are made in a folder; with `--keep` it is not
removed.

`--random` plans the tasks of random_tasks.py in every configuration of the native planner instead, each three times:
with a time limit, with a memory limit, and with Ctrl-C instead of the time limit. Half a second and a twentieth of the
memory are tolerated then. The table also shows the CPU time, which says more on a busy machine.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import random_tasks

from unpuzzle.planners.native.planner import INFORMED, TAKING_TWO, configurations, heuristics, prunings

SLACK, SHARE, RANDOM_SHARE = 0.5, 1.1, 1.05
"""Seconds beyond the time limit, and times the memory limit."""
RANDOM_MEMORY = 50
RANDOM_LIMITS: dict[str, tuple[list[str], int]] = {
    "time": (["--time-limit", "1"], 1),
    "memory": (["--memory-limit", f"{RANDOM_MEMORY}M", "--time-limit", "3"], 3),
    "Ctrl-C": ([], 1),
}
"""By name, the options, and the seconds after which the command must have ended."""
ROOM = 300
OBJECTS = 400_000
MIB = 1 << 20
KEYS_AND_SWITCHES = 400
PATIENCE = 30
MOST = 3 << 30
"""Seconds and bytes at which a command is killed."""

SPACES = """import argparse, os, sys, time
import unpuzzle
from unpuzzle import pddl
from unpuzzle.base.run import Limits
from unpuzzle.base.platform_facts import resident_memory

parser = argparse.ArgumentParser()
parser.add_argument("what", choices=["explore", "reachable", "compare"])
parser.add_argument("files", nargs=2)
parser.add_argument("--time-limit", type=float)
parser.add_argument("--memory-limit", type=lambda text: int(text.rstrip("M")) << 20)
asked = parser.parse_args()
if asked.time_limit:
    asked.time_limit = max(0, asked.time_limit - (time.time() - float(os.environ["BEGAN"])))
if asked.memory_limit:  # of what is held before a run, its limit does not count anything
    asked.memory_limit -= resident_memory()
limits = Limits(asked.time_limit, asked.memory_limit)
try:
    getattr(unpuzzle, asked.what)(pddl.read(*asked.files, limits=limits), limits=limits)
except unpuzzle.LimitReached:
    sys.exit(3)
except KeyboardInterrupt:
    sys.exit(130)
"""
"""A program that explores a PDDL task, or compares planners on it: its time begins before Python starts, too."""

OF_EACH = ("compare", "survey")
"""Commands whose limits are for each of their runs."""

SOKOBAN = Path(__file__).parents[2] / "translators" / "sokoban" / "domain.pddl"

DEAR = """(define (domain dear) (:predicates (edge ?a ?b) (far ?a ?b) (done))
(:action finish :parameters ()
 :precondition (not (exists (?a ?b ?c ?d) (and (edge ?a ?b) (edge ?b ?c) (edge ?c ?d) (far ?a ?d))))
 :effect (done)))"""

WIDE = """(define (domain wide) (:predicates (p ?x) (q ?x) (r ?x ?y) (done))
(:action many :parameters (?a ?b ?c ?d ?e ?f ?g)
 :precondition (and (or (not (q ?a)) (q ?b) (p ?c)) (exists (?z) (and (r ?c ?z) (or (r ?z ?d) (p ?e))))
   (forall (?y) (or (not (r ?d ?y)) (exists (?z) (and (r ?y ?z) (or (p ?f) (not (q ?g))))))) (not (= ?f ?g)))
 :effect (and (q ?a) (not (q ?b)) (r ?f ?g) (done))))"""

KEYS = """(define (domain keys) (:types key switch place)
(:predicates (have ?k - key) (on ?s - switch) (free ?p - place) (at ?p - place))
(:action take :parameters (?k - key) :precondition (not (have ?k)) :effect (have ?k))
(:action go :parameters (?p ?q - place) :precondition (and (at ?p) (free ?q)) :effect (and (not (at ?p)) (at ?q)))
(:action turn :parameters (?s - switch ?p - place)
 :precondition (and (at ?p) (not (on ?s)) (forall (?k - key) (have ?k))) :effect (on ?s)))"""
"""Many landmarks with many achievers each, which ask for much."""

WRITER = """import sys
plan = sys.argv[1]
line = "(move r1c1 r1c2)\\n" * 65536
with open(plan, "w") as file:
    for _ in range({pieces}):
        file.write(line)
"""

MIRROR = """title Large
author Nobody

OBJECTS
Background
black

Wall
brown

Player
white

Crate
orange

Goal
blue

LEGEND
. = Background
# = Wall
P = Player
* = Crate
O = Goal

SOUNDS

COLLISIONLAYERS
Background
Goal
Player, Wall, Crate

RULES
[ > Player | Crate ] -> [ > Player | > Crate ]

WINCONDITIONS
All Crate on Goal

LEVELS

"""


def main() -> int:
    """Return the number of commands that exceeded their limits."""
    options = _options()
    if options.random is not None:
        return random_limits(options)
    with tempfile.TemporaryDirectory(prefix="bench-limits-") as made:
        folder = Path(options.keep or made)
        folder.mkdir(exist_ok=True)
        make_inputs(folder)
        print(f"asked: {options.time:g} s and {options.memory} MiB; load {os.getloadavg()[0]:.2f}")
        print(f"{'case':34} {'exit':>4} {'seconds':>8} {'MiB':>6}")
        late = 0
        for name, words in cases(folder):
            if options.only and not any(word in name for word in options.only):
                continue
            late += _measured(name, words, folder, options)
    print(f"{late} beyond the limits; load {os.getloadavg()[0]:.2f}")
    return min(late, 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--time", type=float, default=2, help="the time limit in seconds (default: 2)")
    parser.add_argument("--memory", type=int, default=300, help="the memory limit in MiB (default: 300)")
    parser.add_argument("--only", nargs="*", metavar="WORD", help="cases whose names contain a word")
    parser.add_argument("--keep", metavar="DIR", help="make the inputs there, and leave them")
    parser.add_argument("--random", nargs="?", type=int, const=1, metavar="SEED", help="random tasks, every search")
    parser.add_argument("--verbose", action="store_true", help="show the last line of each command's output")
    return parser.parse_args()


def _measured(name: str, words: list[str], folder: Path, options: argparse.Namespace) -> bool:
    """Run one command and print its row; return whether it exceeded its limits."""
    limits = ["--time-limit", str(options.time), "--memory-limit", f"{options.memory}M"]
    with open(folder / "said.txt", "wb") as said:
        start = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, "-m", "unpuzzle", *words, *limits],
            stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, cwd=folder, start_new_session=True,
        )  # fmt: skip
        code, peak, _ = _ended(child, start + PATIENCE)
        seconds = time.perf_counter() - start
    runs = 2 if words[0] in OF_EACH else 1  # reading the level, and a run; drawing, too
    late = seconds > runs * options.time + SLACK or peak > options.memory * MIB * SHARE
    lines = (folder / "said.txt").read_text(errors="replace").splitlines()
    # 3: no answer in time. 0 and 1: an answer in time, or as far as it went. 4: a game that has no PDDL, told in time.
    wrong = code not in (0, 1, 2, 3) and not any("no PDDL" in line for line in lines)
    mark = " !" if late else " ?" if wrong else ""
    print(f"{name:34} {code:>4} {seconds:8.2f} {peak / MIB:6.0f}{mark}", flush=True)
    if options.verbose or wrong:
        print("      " + (lines[-1][:150] if lines else "(nothing)"))
    return late or wrong


def _ended(child: subprocess.Popen[bytes], deadline: float, stop: float | None = None) -> tuple[int, int, float]:
    """Return the exit code, the peak in bytes and the CPU seconds of a command, which is ended at the deadline.

    It is sent Ctrl-C at the time `stop`.
    """
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return child.returncode, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime
        if stop is not None and time.perf_counter() > stop:
            os.kill(child.pid, signal.SIGINT)
            stop = None
        if time.perf_counter() > deadline or _resident(child.pid) > MOST:
            os.killpg(child.pid, 9)
        time.sleep(0.005)


def _resident(process: int) -> int:
    """Return the resident bytes of a process; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


# ---- random tasks in every configuration


def random_limits(options: argparse.Namespace) -> int:
    """Print a row for each task, command and limit; return whether one was exceeded."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # children inherit that it is ignored in the background
    with tempfile.TemporaryDirectory(prefix="bench-limits-") as made:
        folder = Path(options.keep or made)
        random_tasks.write(folder, options.random)
        _write(folder, "spaces.py", SPACES)
        print(f"seed {options.random}; 1 s, 50 MiB for at most 3 s, Ctrl-C after 1 s; load {os.getloadavg()[0]:.2f}")
        print(f"{'case':44} {'limit':>7} {'exit':>4} {'seconds':>8} {'CPU':>6} {'MiB':>6}")
        late = 0
        for name, words in random_cases():
            if not options.only or any(word in name for word in options.only):
                late += sum(_struck(name, words, limit, folder) for limit in RANDOM_LIMITS)
    print(f"{late} beyond the limits; load {os.getloadavg()[0]:.2f}")
    return min(late, 1)


def random_cases() -> list[tuple[str, list[str]]]:
    """Return the name and the words of each command on each task."""
    names = [*configurations()[1:], *prunings()]
    names += [f"{name}({heuristic})" for name in INFORMED for heuristic in heuristics()]
    names += [f"{name}({pair})" for name in TAKING_TWO for pair in ("hadd,lmcut", "hmax,pdb")]
    planners = ["native", *(f"native:{name}" for name in names)]
    planners += [f"native{name} --objective {what}" for name in ("", ":boxes") for what in ("pushes", "moves,pushes")]
    made = []
    for make in random_tasks.TASKS:
        files = [f"{make.__name__}-{part}.pddl" for part in ("domain", "problem")]
        plan = ["-m", "unpuzzle", "plan", *files, "--planner"]
        made += [(f"{make.__name__} {planner}", [*plan, *planner.split()]) for planner in planners]
        made.append((f"{make.__name__} same", ["-m", "unpuzzle", "same", *files, *files]))
        made += [
            (f"{make.__name__} {word}", ["spaces.py", word, *files]) for word in ("explore", "compare", "reachable")
        ]
    return made


def _struck(name: str, words: list[str], limit: str, folder: Path) -> bool:
    """Run a command under a limit, at most three times, and print its best row; return whether it exceeded limits."""
    asked, time_asked = RANDOM_LIMITS[limit]
    runs = []
    while len(runs) < 3 and (not runs or runs[-1][0]):
        with open(folder / "said.txt", "wb") as said:
            start = time.perf_counter()
            child = subprocess.Popen(
                [sys.executable, *words, *asked],
                stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, cwd=folder, start_new_session=True,
                env={**os.environ, "BEGAN": str(time.time())},
            )  # fmt: skip
            code, peak, cpu = _ended(child, start + PATIENCE, start + time_asked if limit == "Ctrl-C" else None)
            seconds = time.perf_counter() - start
        text = (folder / "said.txt").read_text(errors="replace")
        late = seconds > time_asked + SLACK or ("--memory-limit" in asked and peak > RANDOM_MEMORY * MIB * RANDOM_SHARE)
        mark = " !" if late else " ?" if code not in (0, 1, 3, 130) and "support" not in text else ""
        runs.append((mark, f"{code:>4} {seconds:8.2f} {cpu:6.2f} {peak / MIB:6.0f}{mark}"))
    best = min(runs)
    print(f"{name:44} {limit:>7} {best[1]}", flush=True)
    return best[0] != ""


# ---- the inputs


def make_inputs(folder: Path) -> None:
    """Write all inputs."""
    names = " ".join(f"o{i}" for i in range(OBJECTS))
    facts = " ".join(f"(p o{i})" for i in range(OBJECTS))
    _write(folder, "objects-domain.pddl", "(define (domain d) (:predicates (p ?x) (q))"
           " (:action a :parameters (?x) :precondition (p ?x) :effect (q)))")  # fmt: skip
    _write(folder, "objects.pddl", _problem("d", names, facts, "(q)"))
    _write(folder, "objects-plan.txt", "(a o5)\n")
    with open(folder / "huge.pddl", "w") as file:
        for _ in range(120):
            file.write("(define (problem x) " * (MIB // 20))
    if not (folder / "endless.txt").is_symlink():
        (folder / "endless.txt").symlink_to("/dev/urandom")
    hundred = [f"n{i}" for i in range(110)]
    edges = " ".join(f"(edge {a} {b})" for a, b in pairwise(hundred))
    _write(folder, "dear-domain.pddl", DEAR)
    _write(folder, "dear.pddl", _problem("dear", " ".join(hundred), f"{edges} (far n50 n5)", "(done)"))
    _write(folder, "dear-plan.txt", "(finish)\n")
    few = [f"n{i}" for i in range(14)]
    facts = " ".join([f"(p {a}) (r {a} {b})" for a, b in zip(few, few[3:] + few[:3], strict=True)])
    _write(folder, "wide-domain.pddl", WIDE)
    _write(folder, "wide.pddl", _problem("wide", " ".join(few), facts, "(and (done) (forall (?x) (q ?x)))"))
    names = " ".join(f"k{i}" for i in range(KEYS_AND_SWITCHES)) + " - key "
    names += " ".join(f"s{i}" for i in range(KEYS_AND_SWITCHES)) + " - switch p0 p1 p2 p3 p4 p5 p6 p7 - place"
    facts = "(at p0) " + " ".join(f"(free p{i})" for i in range(8))
    switches = " ".join(f"(on s{i})" for i in range(KEYS_AND_SWITCHES))
    _write(folder, "keys-domain.pddl", KEYS)
    _write(folder, "keys.pddl", _problem("keys", names, facts, f"(and {switches})"))
    _write(folder, "writer.py", WRITER.replace("{pieces}", "2048"))
    _write(folder, "room.xsb", room("#", " ", "@", "$", "."))
    level = room("#", ".", "P", "*", "O")
    _write(folder, "large.txt", MIRROR + level)
    _write(folder, "small.txt", MIRROR + "#####\n#P*O#\n#####\n")
    _write(folder, "solution.txt", "r" * 296)
    _write(folder, "components.py", "def successors(state, *others):\n    return []\n\n\n"
           "def is_goal(state, *others):\n    while True:\n        pass\n")  # fmt: skip
    _write(folder, "many-moves.txt", "RL" * 3_000_000)


def room(wall: str, floor: str, player: str, box: str, goal: str) -> str:
    """A square room with six boxes and as many goals, written in these letters."""
    cells = [[wall if 0 in (r, c) or ROOM - 1 in (r, c) else floor for c in range(ROOM)] for r in range(ROOM)]
    cells[1][1] = player
    for number in range(6):
        cells[10 + 30 * number][60 + 3 * number] = box
        cells[20 + 20 * number][200 + 3 * number] = goal
    return "\n".join(map("".join, cells)) + "\n"


def _problem(domain: str, objects: str, init: str, goal: str) -> str:
    return f"(define (problem x) (:domain {domain}) (:objects {objects}) (:init {init}) (:goal {goal}))\n"


def _write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)


# ---- the cases


def cases(folder: Path) -> list[tuple[str, list[str]]]:
    """Return the name and the words of each command."""
    sokoban = ["sokoban", "room.xsb"]
    writer = f"command:{sys.executable} {folder / 'writer.py'} {{plan}} {{domain}} {{problem}}"
    return [
        ("plan /dev/zero", ["plan", "/dev/zero", "/dev/zero"]),
        ("plan a huge text", ["plan", "objects-domain.pddl", "huge.pddl"]),
        ("solve LEVEL /dev/zero", ["solve", "sokoban", "/dev/zero"]),
        ("solve GAME /dev/urandom", ["solve", "endless.txt", "0"]),
        ("replay MOVES many", ["replay", *sokoban, "rl" * 60_000]),
        ("lint /dev/zero", ["lint", "/dev/zero"]),
        ("validate PLAN /dev/zero", ["validate", "dear-domain.pddl", "dear.pddl", "/dev/zero"]),
        ("plan 400,000 objects", ["plan", "objects-domain.pddl", "objects.pddl"]),
        ("lint 400,000 objects", ["lint", "objects-domain.pddl", "objects.pddl"]),
        ("validate 400,000 objects", ["validate", "objects-domain.pddl", "objects.pddl", "objects-plan.txt"]),
        ("plan reference 400,000 objects", ["plan", "objects-domain.pddl", "objects.pddl", "--planner", "reference"]),
        ("plan dear validation", ["plan", "dear-domain.pddl", "dear.pddl"]),
        ("validate dear plan", ["validate", "dear-domain.pddl", "dear.pddl", "dear-plan.txt"]),
        ("plan wide", ["plan", "wide-domain.pddl", "wide.pddl"]),
        ("plan reference wide", ["plan", "wide-domain.pddl", "wide.pddl", "--planner", "reference"]),
        ("plan gbfs, landmarks", ["plan", "keys-domain.pddl", "keys.pddl", "--planner", "native:gbfs"]),
        ("same wide", ["same", "wide-domain.pddl", "wide.pddl", "wide-domain.pddl", "wide.pddl"]),
        ("plan command, gigabytes of plan", ["plan", "dear-domain.pddl", "dear.pddl", "--planner", writer]),
        ("validate gigabytes of plan", ["validate", "dear-domain.pddl", "dear.pddl", "many-moves.txt"]),
        ("play page", ["play", *sokoban, "-o", "x.html"]),
        ("play page, PuzzleScript", ["play", "large.txt", "0", "-o", "x.html"]),
        ("explore", ["explore", *sokoban]),
        ("explore PuzzleScript", ["explore", "large.txt", "0"]),
        ("explore graph", ["explore", "sliding-tiles", "8-hard", "--graph", "x.graphml", "--max-states", "200000"]),
        ("explore picture", ["explore", "sliding-tiles", "8-hard", "--picture", "x.svg"]),
        ("check", ["check", *sokoban]),
        ("check heuristic", ["check", *sokoban, "--heuristic", "matching"]),
        ("solve", ["solve", *sokoban]),
        ("solve pushes", ["solve", *sokoban, "--objective", "pushes"]),
        ("solve native:boxes", ["solve", *sokoban, "--planner", "native:boxes", "--objective", "pushes,moves"]),
        ("solve rules:bfs", ["solve", *sokoban, "--planner", "rules:bfs"]),
        ("solve reference", ["solve", *sokoban, "--planner", "reference"]),
        ("solve fast-downward", ["solve", *sokoban, "--planner", "fast-downward"]),
        ("solve PuzzleScript", ["solve", "large.txt", "0"]),
        ("solve cp-sat", ["solve", "sudoku", "25-clues", "--planner", "cp-sat"]),
        ("solve -o x.gif", ["solve", "sliding-tiles", "8-hard", "-o", "x.gif"]),
        ("draw -o x.svg", ["draw", *sokoban, "-o", "x.svg"]),
        ("draw -o x.png", ["draw", *sokoban, "-o", "x.png"]),
        ("draw -o x.pdf", ["draw", *sokoban, "-o", "x.pdf"]),
        ("draw in the terminal", ["draw", *sokoban]),
        ("pddl", ["pddl", *sokoban, "--output", "written"]),
        ("pddl PuzzleScript", ["pddl", "large.txt", "0", "--output", "written-2"]),
        ("generate GAME.txt", ["generate", "large.txt", "--from", "0"]),
        ("generate sokoban", ["generate", "sokoban", "--size", "9x9", "--count", "100000", "--workers", "1"]),
        ("generate sudoku sheet", ["generate", "sudoku", "--count", "100000", "--booklet", "x.pdf", "--workers", "1"]),
        ("survey GAME.txt", ["survey", "large.txt"]),
        ("survey sokoban", ["survey", "sokoban"]),
        ("compare", ["compare", *sokoban, "--algorithms", "astar"]),
        ("compare plot", ["compare", "pacman", "loops", "--plot", "x.png"]),
        ("explain", ["explain", "gogen", "six"]),
        ("lint GAME.txt", ["lint", "large.txt"]),
        ("check --game", ["check", str(SOKOBAN), "--game", "sokoban"]),
        ("trace", ["trace", "large.txt", "0", "r" * 20_000]),
    ]


if __name__ == "__main__":
    sys.exit(main())
