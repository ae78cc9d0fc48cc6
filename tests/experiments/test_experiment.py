"""Experiments: what is run, what stands in the file, and what is left when somebody ends it."""

import errno
import os
import pickle
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

import unpuzzle
from support.experiments import WALKER, Sleeping, problem, roads, walker
from support.runs import made
from support.waiting import cancelling, is_gone, wait_until
from unpuzzle import Limits
from unpuzzle.base.errors import UsageError
from unpuzzle.cli import main
from unpuzzle.experiments.experimenting import ExperimentProgress, row_of, version_of
from unpuzzle.experiments.reading import unique
from unpuzzle.experiments.runs import LAST_LAYER, ExperimentRun, RunsFile, read_runs
from unpuzzle.pddl import parse_task
from unpuzzle.processes.worker import CallOutcome

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks, and measures shared memory")
posix = pytest.mark.skipif(os.name != "posix", reason="sends signals")
PLANNERS = ("native", "blind=native:blind", "reference")


@pytest.mark.parametrize(
    ("error", "told"),
    [(MemoryError("too much"), ("memout", "too much")), (ValueError("no"), ("error", "ValueError: no"))],
)
def test_an_error_has_its_type_in_the_message(error: Exception, told: tuple[str, str]) -> None:
    row = made("a", versions={"planner": version_of("native")}, configuration="native")
    run, _ = row_of(row, CallOutcome(pickle.dumps((False, error))), datetime.now(UTC))
    assert (run.status, run.message) == told


def outcomes(runs: tuple[ExperimentRun, ...]) -> list[str]:
    return [str(run.outcome) for run in runs]


def test_each_planner_runs_on_each_task(tmp_path: Path) -> None:
    tasks, output = roads(tmp_path / "roads", 5), tmp_path / "runs.jsonl"
    planners = (*PLANNERS, walker(tasks), "rules:bfs")
    runs = unpuzzle.experiment(str(tasks), planners, limits=Limits(time=600), output=output, workers=2)
    assert [(run.domain, run.task) for run in runs[::5]] == [("roads", f"p0{number}") for number in range(1, 6)]
    table = {(run.task, run.planner): (run.status, run.cost) for run in runs}
    assert {table["p03", name] for name in ("native", "blind", "reference")} == {("solved_optimally", 3)}
    assert {table["p05", name] for name in ("native", "blind", "reference")} == {("unsolvable", None)}
    assert table["p03", "walker"] == ("solved", 3)
    assert table["p05", "walker"] == ("error", None)  # a plan that the task does not allow
    assert table["p01", "rules:bfs"] == ("unsupported", None)
    assert sorted(outcomes(runs)) == sorted(outcomes(read_runs(output)))
    assert all(run.wall and run.cpu and run.machine["name"] and run.versions["planner"] for run in runs)
    walked = next(run for run in runs if run.planner == "walker")
    assert "walking 1" in (tmp_path / "runs.logs" / str(walked.log)).read_text()


def test_what_is_there_is_not_run_again(tmp_path: Path) -> None:
    tasks, output, made = roads(tmp_path / "roads", 3), tmp_path / "runs.jsonl", list[str]()
    first = unpuzzle.experiment(tasks, ["native"], output=output)
    again = unpuzzle.experiment(
        tasks, ["ours=native", "native:bfs"], output=output, on_run=lambda run: made.append(run.planner)
    )
    assert made == ["native:bfs"] * 3
    assert [run.planner for run in again] == ["ours", "native:bfs"] * 3
    assert again[0].key == first[0].key


OLD = (
    '{"schema":"unpuzzle/run/1","key":"%s","domain":"roads","task":"p01","planner":"native","configuration":"native",'
    '"status":"solved_optimally","repetition":0,"seed":null,"limits":{"time":null,"cpu":null,"memory":null},"cost":1,'
    '"valid":true,"expanded":1,"evaluated":1,"generated":1,"objective":"moves","pushes":null,"message":"","seconds":'
    '{"search":0.1,"total":0.2},"wall":0.2,"cpu":0.2,"peak_memory":1024,"plan":["(go c0 c1)"],"plans":[],"log":null,'
    '"versions":{"unpuzzle":"0.9"},"machine":{"name":"here"},"started":"","condition":null,"refuted_by":null}'
)
"""A row as version 0.9 wrote it."""


def test_a_file_of_an_older_version_is_read_and_gone_on_from(tmp_path: Path) -> None:
    tasks, output, made = roads(tmp_path / "roads", 2), tmp_path / "runs.jsonl", list[str]()
    key = unpuzzle.experiment(tasks, ["native"], output=tmp_path / "other.jsonl")[0].key
    output.write_text(OLD % key + "\n")
    runs = unpuzzle.experiment(tasks, ["native"], output=output, on_run=lambda run: made.append(run.task))
    assert made == ["p02"]
    assert [(run.process, run.includes, dict(run.attributes)) for run in runs] == [(None, "", {}), ("fresh", "", {})]
    assert runs[0].wall == 0.2
    assert unpuzzle.report(runs).runs == 2


def test_a_run_is_a_fresh_process_unless_a_warm_one_is_asked_for(tmp_path: Path) -> None:
    tasks, output = roads(tmp_path / "roads", 1), tmp_path / "runs.jsonl"
    fresh = unpuzzle.experiment(tasks, ["native", walker(tasks)], output=output)
    warm = unpuzzle.experiment(tasks, ["native", walker(tasks)], output=output, warm=True)
    assert [run.process for run in (*fresh, *warm)] == ["fresh", "fresh", "warm", "warm"]
    assert not {run.key for run in fresh} & {run.key for run in warm}
    assert outcomes(tuple(run.replace(key="") for run in fresh)) == outcomes(tuple(run.replace(key="") for run in warm))
    for cold, copy in zip(fresh, warm, strict=True):
        assert cold.cpu is not None
        assert copy.cpu is not None
        assert cold.cpu > copy.cpu, "the start of Python counts, and is longer than a copy"
        assert cold.wall is not None
        assert 0 < cold.seconds["total"] <= cold.wall
    assert "walking 1" in (tmp_path / "runs.logs" / f"{fresh[1].key}.txt").read_text()


@pytest.mark.skipif(version_of("fast-downward") == "", reason="there is no Fast Downward")
def test_a_row_of_fast_downward_says_what_it_counts(tmp_path: Path) -> None:
    tasks = roads(tmp_path / "roads", 3)
    runs = unpuzzle.experiment(tasks, ["fast-downward:astar(blind())"], output=tmp_path / "runs.jsonl")
    assert [run.includes for run in runs] == ["the driver of Fast Downward"] * 3
    assert [run.attributes[LAST_LAYER] for run in runs] == [0, 1, 2]
    assert all(run.search_cpu is not None and run.cpu is not None and run.search_cpu < run.cpu for run in runs)


def test_a_program_may_be_declared_optimal(tmp_path: Path) -> None:
    tasks = roads(tmp_path / "roads", 5)
    declared, plain = f"{walker(tasks)} {{optimal}}".replace("walker=", "sure=", 1), walker(tasks)
    runs = unpuzzle.experiment(tasks, [declared, plain], output=tmp_path / "runs.jsonl")
    table = {(run.task, run.planner): (run.status, run.condition) for run in runs}
    name = os.path.basename(sys.executable)
    assert table["p02", "sure"] == ("solved_optimally", f"{name} is an optimal planner, as was declared")
    assert table["p02", "walker"] == ("solved", None)
    assert table["p05", "sure"] == ("error", None)
    scores = {row.name: row.scores["optimal"] for row in unpuzzle.report(runs).planners}
    assert scores == {"sure": 4, "walker": 0}


def test_an_error_is_made_again_and_errors_alone_are_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks, output = roads(tmp_path / "roads", 2), tmp_path / "runs.jsonl"
    healthy = tmp_path / "healthy"
    program = tasks / "now_and_then.py"
    program.write_text(f"import os\nif not os.path.exists({str(healthy)!r}): raise SystemExit(1)\n{WALKER}")
    planner = f"now=command:{sys.executable} {program} {{domain}} {{problem}} {{plan}}"
    words = ["experiment", str(tasks), "--output", str(output), "--planners"]
    assert main([*words, planner]) == 4
    assert main([*words, planner, "native"]) == 0
    healthy.touch()
    assert main([*words, planner]) == 0
    assert "2 of 2 runs" in capsys.readouterr().out
    assert [run.status for run in read_runs(output) if run.planner == "now"] == [*["error"] * 4, *["solved"] * 2]
    assert [run.status for run in unique(read_runs(output))[0] if run.planner == "now"] == ["solved"] * 2
    assert main([*words, planner]) == 0
    assert len(read_runs(output)) == 8, "what is well is not made again"


@posix
def test_with_ended_children_forgotten_runs_are_made(tmp_path: Path) -> None:
    """SIGCHLD is ignored by whoever started us, as by some window managers."""
    tasks, output = roads(tmp_path / "roads", 1), tmp_path / "runs.jsonl"
    words = [sys.executable, "-m", "unpuzzle", "experiment", str(tasks), "--output", str(output), "--planners"]
    start = "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", start, *words, "native", walker(tasks)], capture_output=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [run.status for run in read_runs(output)] == ["solved_optimally", "solved"]


def test_other_limits_are_other_runs(tmp_path: Path) -> None:
    tasks, output, told = roads(tmp_path / "roads", 2), tmp_path / "runs.jsonl", list["ExperimentProgress"]()
    unpuzzle.experiment(tasks, ["native"], output=output, limits=Limits(time=600))
    runs = unpuzzle.experiment(tasks, ["native"], output=output, limits=Limits(time=601), progress=told.append)
    assert [run.limits["time"] for run in runs] == [601, 601]
    assert told[0].others == 2
    assert len(read_runs(output)) == 4
    assert len({str((run.configuration, run.versions["planner"], run.limits)) for run in read_runs(output)}) == 2


def test_another_version_of_a_program_is_another_planner(tmp_path: Path) -> None:
    tasks, output = roads(tmp_path / "roads", 1), tmp_path / "runs.jsonl"
    unpuzzle.experiment(tasks, [walker(tasks)], output=output)
    unpuzzle.experiments.experimenting.version_of.cache_clear()
    with (tasks / "walker.py").open("a") as program:
        program.write("# newer\n")
    unpuzzle.experiment(tasks, [walker(tasks)], output=output)
    assert len(read_runs(output)) == 2
    assert len({str((run.configuration, run.versions["planner"], run.limits)) for run in read_runs(output)}) == 2


def test_repetitions_have_seeds_where_something_is_random(tmp_path: Path) -> None:
    pacman = unpuzzle.find("pacman")
    level = pacman.parse(pacman.levels["loops"])
    planners, output = ["rules:mouse", "native"], tmp_path / "runs.jsonl"
    runs = unpuzzle.experiment({"loops": level}, planners, repeat=3, seed=7, output=output)
    assert [run.seed for run in runs] == [7, None, 8, None, 9, None]
    assert [run.configuration for run in runs[::2]] == ["rules:mouse=7", "rules:mouse=8", "rules:mouse=9"]
    assert len({run.cost for run in runs[1::2]}) == 1
    other = unpuzzle.experiment({"loops": level}, planners, repeat=3, seed=7, output=tmp_path / "other.jsonl")
    assert outcomes(other) == outcomes(runs)


def test_a_random_order_gives_the_same_table(tmp_path: Path) -> None:
    tasks = roads(tmp_path / "roads", 4)
    given = unpuzzle.experiment(tasks, PLANNERS, output=tmp_path / "given.jsonl")
    mixed = unpuzzle.experiment(tasks, PLANNERS, output=tmp_path / "mixed.jsonl", order="random", seed=3, workers=2)
    assert outcomes(given) == outcomes(mixed)
    assert [run.key for run in read_runs(tmp_path / "mixed.jsonl")] != [run.key for run in given]


def test_limits_hold_for_what_looks_at_none(tmp_path: Path) -> None:
    (tmp_path / "stubborn.py").write_text(STUBBORN)
    game = unpuzzle.find(tmp_path / "stubborn.py")
    level = {"s": game.parse("1")}
    for name, limits in {"time": Limits(time=0.5), "cpu": Limits(cpu=0.5)}.items():
        (run,) = unpuzzle.experiment(level, ["rules:bfs"], limits=limits, output=tmp_path / f"{name}.jsonl")
        assert run.status == "timeout", run
    hungry = {"h": game.parse("2")}
    (run,) = unpuzzle.experiment(
        hungry, ["rules:bfs"], limits=Limits(memory=200 << 20), output=tmp_path / "memory.jsonl"
    )
    assert run.status == "memout", run
    dead = {"d": game.parse("3")}
    (run,) = unpuzzle.experiment(dead, ["rules:bfs"], output=tmp_path / "dead.jsonl")
    assert (run.status, "SIGKILL" in run.message) == ("error", True), run


EATER = """
import os, sys, time
with open(sys.argv[1], "a") as told:
    for _ in range(4):
        if os.fork() == 0:
            told.write(f"{os.getpid()}\\n")
            told.flush()
            eaten = b"x" * (60 << 20)
            time.sleep(100_000)
time.sleep(100_000)
"""
"""A planner whose processes each stay below their limit, and together do not."""


@linux
def test_a_run_that_takes_too_much_memory_costs_itself_and_no_more(tmp_path: Path) -> None:
    tasks, said = roads(tmp_path / "roads", 2), tmp_path / "said"
    (tmp_path / "eater.py").write_text(EATER)
    eater = f"eater=command:{sys.executable} {tmp_path / 'eater.py'} {said} {{domain}} {{problem}} {{plan}}"
    runs = unpuzzle.experiment(
        str(tasks), ["native", eater, walker(tasks)], limits=Limits(memory=200 << 20), output=tmp_path / "runs.jsonl"
    )
    ended = {run.planner: run.status for run in runs}
    assert ended == {"native": "solved_optimally", "eater": "memout", "walker": "solved"}, runs
    assert len(runs) == 6
    assert all(is_gone(int(pid)) for pid in said.read_text().split())


STUBBORN = """
import os, signal
from unpuzzle import Puzzle

class Stubborn(Puzzle):
    name = "stubborn"
    title = "Stubborn"
    levels = {"1": "1"}
    def __init__(self, kind): self.kind = kind
    @classmethod
    def parse(cls, text, source=None): return cls(int(text))
    def __str__(self): return str(self.kind)
    def _same(self): return self.kind
    def __eq__(self, other): return self.kind == other.kind
    def __hash__(self): return self.kind
    def solved(self): return False
    def moves(self):
        rows = []
        while self.kind < 3:
            if self.kind == 2:
                rows.append(bytearray(1 << 18))
        os.kill(os.getpid(), signal.SIGKILL)
    def apply(self, move): return self
"""


def test_cancelling_keeps_what_is_done(tmp_path: Path) -> None:
    tasks, limits, made = roads(tmp_path / "roads", 5), Limits(time=600), list[object]()
    with cancelling(limits, lambda: len(made) >= 3):
        runs = unpuzzle.experiment(
            tasks, PLANNERS, limits=limits, repeat=50, output=tmp_path / "runs.jsonl", on_run=made.append
        )
    assert 3 <= len(runs) < 750
    assert sorted(outcomes(runs)) == sorted(outcomes(read_runs(tmp_path / "runs.jsonl")))


def test_wrong_arguments_are_told_before_anything_runs(tmp_path: Path) -> None:
    output = tmp_path / "runs.jsonl"
    for subjects, planners, said in (
        ("nothing-here", ["native"], "neither a folder, a file nor a puzzle"),
        ([], ["native"], "at least one task"),
        ("boxup", [], "at least one planner"),
        ("boxup", ["nativ"], "unknown planner 'nativ'"),
        ("boxup", ["a=native", "a=native:bfs"], "two planners have the label 'a': give them different labels"),
        ("boxup", ["native", "other=native"], "named twice"),
        (3, ["native"], "not a int"),
    ):
        with pytest.raises(unpuzzle.UnpuzzleError, match=said):
            unpuzzle.experiment(subjects, planners, output=output)
    with pytest.raises(unpuzzle.UnpuzzleError, match="order of the runs"):
        unpuzzle.experiment("boxup", ["native"], output=output, order="sideways")
    with pytest.raises(unpuzzle.UnpuzzleError, match="workers must be"):
        unpuzzle.experiment("boxup", ["native"], output=output, workers=0)
    assert not output.exists()


def test_two_different_tasks_of_one_name_are_refused(tmp_path: Path) -> None:
    tasks = [parse_task(roads_domain(), problem(length)) for length in (1, 2)]
    with pytest.raises(unpuzzle.UnpuzzleError, match="two different tasks are called road p"):
        unpuzzle.experiment(tasks, ["native"], output=tmp_path / "runs.jsonl")
    named = dict(zip("ab", tasks, strict=True))
    assert [run.task for run in unpuzzle.experiment(named, ["native"], output=tmp_path / "runs.jsonl")] == ["a", "b"]


def roads_domain() -> str:
    from support.experiments import DOMAIN

    return DOMAIN


@posix
@pytest.mark.parametrize("workers", [1, 2])
def test_killed_again_and_again_it_gives_the_same_table(tmp_path: Path, workers: int) -> None:
    tasks, output = roads(tmp_path / "roads", 8), tmp_path / "runs.jsonl"
    planners = [*PLANNERS, walker(tasks)]
    words = [str(tasks), "--planners", *planners, "--output", str(output), "--workers", str(workers), "--quiet"]
    words += ["--time-limit", "600", "--memory-limit", "2G", "--json"]
    command = [sys.executable, "-m", "unpuzzle", "experiment", *words]
    ended = list[str]()
    for number in sorted(Random(workers).sample(range(1, 30), 5)):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as popen:
            wait_until(lambda number=number: output.exists() and output.read_bytes().count(b"\n") >= number, "rows")
            popen.kill()
        keys = [run.key for run in read_runs(output)]
        assert keys[: len(ended)] == ended  # what had ended stands as it stood
        ended = keys
    assert subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0
    keys = [run.key for run in read_runs(output)]
    assert len(keys) == len(set(keys)) == 32
    straight = unpuzzle.experiment(
        str(tasks), planners, limits=Limits(600, 2 << 30), output=tmp_path / "straight.jsonl"
    )
    assert sorted(outcomes(straight)) == sorted(outcomes(read_runs(output)))


@posix
@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 143), ("SIGINT", 130), ("SIGKILL", -9)])
def test_nothing_is_left_however_it_ends(tmp_path: Path, name: str, code: int) -> None:
    experiment = Sleeping(tmp_path)
    assert experiment.end(getattr(signal, name)) == code
    experiment.nothing_is_left()
    assert experiment.output.read_bytes() == b""


@posix
def test_a_run_whose_server_is_killed_is_made_once_more(tmp_path: Path) -> None:
    experiment = Sleeping(tmp_path)
    server = next(process for process in experiment.all if process.ppid() == experiment.popen.pid)
    server.kill()
    again = experiment.started(2)
    wait_until(lambda: is_gone(experiment.program), "the first program ends")
    assert not is_gone(again)
    assert experiment.end(signal.SIGINT) == 130
    experiment.nothing_is_left()
    wait_until(lambda: is_gone(again), "the second program ends")


def test_two_experiments_do_not_share_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:

    output = str(tmp_path / "runs.jsonl")
    with RunsFile(output):
        assert main(["experiment", "boxup", "--planners", "native", "--output", output]) == 2
    assert "another experiment is writing to" in capsys.readouterr().err


@linux
def test_a_device_is_no_file_to_go_on_from() -> None:
    with pytest.raises(UsageError, match="/dev/full is not a regular file"):
        unpuzzle.experiment("boxup", ["native"], output="/dev/full")


def test_a_full_disk_is_told_with_the_file_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks, output = str(roads(tmp_path / "roads", 3)), tmp_path / "runs.jsonl"
    write, calls = os.write, []

    def full(file: int, data: bytes) -> int:
        if b"unpuzzle/run/1" not in bytes(data):
            return write(file, data)
        calls.append(file)
        if len(calls) > 2:
            write(file, bytes(data)[:20])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(file, data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space left on device") as raised:
            unpuzzle.experiment(tasks, ["native"], output=output)
    assert raised.value.filename == str(output)
    assert len(read_runs(output)) == output.read_bytes().count(b"\n") == 2
    assert len(unpuzzle.experiment(tasks, ["native"], output=output)) == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_refused_since_files_are_read_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.pddl")
    assert main(["experiment", str(tmp_path / "pipe.pddl"), "--planners", "native"]) == 2
    assert "pipe.pddl: an experiment reads its files several times" in capsys.readouterr().err


def test_why_runs_failed_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = str(tmp_path / "runs.jsonl")
    words = [
        "experiment",
        "boxup",
        "--levels",
        "1",
        "2",
        "--planners",
        "native",
        "lmcutt=fast-downward:astar(lmcutt())",
    ]
    assert main([*words, "--output", output, "--quiet"]) == 0
    assert "unpuzzle: lmcutt: error in 2 runs: " in capsys.readouterr().err
