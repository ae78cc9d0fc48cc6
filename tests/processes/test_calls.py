"""Calls in processes of their own, several at a time: what comes back, what it costs when one breaks, what is left."""

import os
import pickle
import signal
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

import unpuzzle
from support.experiments import Sleeping, roads, walker
from support.waiting import is_gone, wait_until
from unpuzzle import Limits
from unpuzzle.base.errors import LimitReached, UsageError, WorkersFailed
from unpuzzle.experiments.rehearsing import prepare
from unpuzzle.experiments.runs import ExperimentRun
from unpuzzle.processes.parallel import each, workers_at
from unpuzzle.processes.worker import Call, Worker
from unpuzzle.verification.domains import check_domain
from unpuzzle.verification.many_levels import check_levels

posix = pytest.mark.skipif(os.name != "posix", reason="sends signals")

MODULE = """
import os, signal, time
from unpuzzle.base.errors import UsageError

def double(report, number):
    report(f"doubling {number}")
    print("printed", number)
    return 2 * number

def refuse(report, number):
    raise UsageError(f"not {number}")

def die_of(report, number):
    report("not yet")
    os.kill(os.getpid(), number)

def close_all(report):
    os.closerange(3, 256)

def spin(report):
    report("on and on")
    while True:
        pass

def eat(report):
    eaten = []
    while True:
        eaten.append(bytearray(1 << 18))

def unpicklable(report):
    return lambda: None

prepared = []

def prepare():
    prepared.append(os.getpid())

def who_prepared(report):
    return prepared, os.getpid()

def odd(number):
    if number % 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return number
"""


@pytest.fixture(autouse=True)
def nothing_left() -> None:
    """Let be what a cluster, which all tests share, starts meanwhile: its machines keep a process for calls."""


@pytest.fixture(scope="module")
def helper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a module with functions to call, which other processes find, too."""
    folder = tmp_path_factory.mktemp("helper")
    (folder / "called_apart.py").write_text(MODULE)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield "called_apart"


def call(module: str, name: str, *arguments: Any, **limits: Any) -> Call:
    return Call(module, name, pickle.dumps(arguments), **limits)


def test_calls_come_back_and_what_breaks_costs_its_call_alone(helper: str) -> None:
    with Worker() as worker:
        outcome = worker.call(call(helper, "double", 3))
        assert (outcome.value(), outcome.printed, outcome.parts) == (6, "printed 3\n", ("doubling 3",))
        with pytest.raises(UsageError, match="not 4"):
            worker.call(call(helper, "refuse", 4)).value()
        with pytest.raises(AttributeError, match="no_such"):
            worker.call(call(helper, "no_such")).value()
        with pytest.raises(ModuleNotFoundError):
            worker.call(call("no_such_module", "f")).value()
        with pytest.raises(RuntimeError, match="its value"):
            worker.call(call(helper, "unpicklable")).value()
        assert worker.call(call(helper, "double", 5)).value() == 10
    with pytest.raises(WorkersFailed, match="stopped"):
        worker.call(call(helper, "double", 3))


@posix
def test_a_fresh_call_has_a_new_python_whose_start_counts(helper: str) -> None:
    with Worker() as worker:
        copied = worker.call(call(helper, "who_prepared"))
        fresh = worker.call(call(helper, "who_prepared").replace(fresh=True))
        again = worker.call(call(helper, "double", 4).replace(fresh=True, folder=tempfile.gettempdir()))
    assert len(copied.value()[0]) == 1
    assert fresh.value()[0] == [], "nothing was prepared, since nothing was loaded"
    assert fresh.cpu > copied.cpu
    assert (again.value(), again.parts, again.printed) == (8, ("doubling 4",), "printed 4\n")


@posix
def test_a_fresh_call_is_ended_like_any_other(helper: str) -> None:
    with Worker() as worker:
        spun = worker.call(call(helper, "spin").replace(fresh=True, time=0.5))
        eaten = worker.call(call(helper, "eat").replace(fresh=True, memory=120 << 20))
        died = worker.call(call(helper, "die_of", signal.SIGKILL).replace(fresh=True))
        with pytest.raises(UsageError, match="not 3"):
            worker.call(call(helper, "refuse", 3).replace(fresh=True)).value()
    assert (spun.limit, spun.parts) == ("timeout", ("on and on",))
    assert eaten.limit == "memout"
    assert (died.exit_code, died.parts) == (-signal.SIGKILL, ("not yet",))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere calls are no copies")
def test_what_every_call_would_do_first_is_done_once_before_all(helper: str) -> None:
    with Worker() as worker:
        told = [worker.call(call(helper, "who_prepared")).value() for _ in range(2)]
    (prepared, first), (again, second) = told
    assert len(prepared) == 1
    assert prepared == again
    assert len({*prepared, first, second}) == 3


@posix
def test_a_call_that_closes_every_file_is_known_to_have_ended(helper: str) -> None:
    with Worker() as worker:
        with pytest.raises(WorkersFailed, match="before it had answered"):
            worker.call(call(helper, "close_all")).value()
        assert worker.call(call(helper, "double", 3)).value() == 6


def test_a_rehearsed_run_leaves_no_thread_and_no_file() -> None:
    threads, files = threading.active_count(), set(os.listdir(tempfile.gettempdir()))
    prepare()
    assert threading.active_count() == threads
    own = {name for name in set(os.listdir(tempfile.gettempdir())) - files if f"unpuzzle-{os.getpid()}." in name}
    assert not own


def test_how_a_process_ended_is_told(helper: str) -> None:
    with Worker() as worker:
        outcome = worker.call(call(helper, "die_of", int(signal.SIGSEGV)))
        assert (outcome.exit_code, outcome.parts) == (-signal.SIGSEGV, ("not yet",))
        with pytest.raises(WorkersFailed, match="by SIGSEGV"):
            outcome.value()


@posix
@pytest.mark.parametrize(
    ("name", "limits", "status"),
    [("spin", {"time": 0.3}, "timeout"), ("spin", {"cpu": 0.3}, "timeout"), ("eat", {"memory": 150 << 20}, "memout")],
)
def test_limits_end_what_looks_at_none(helper: str, name: str, limits: dict[str, Any], status: str) -> None:
    with Worker() as worker:
        outcome = worker.call(call(helper, name, **limits))
        assert (outcome.limit, outcome.answer) == (status, None)
        with pytest.raises(LimitReached):
            outcome.value()


def test_results_come_in_order_and_a_death_costs_one(helper: str) -> None:
    import called_apart  # type: ignore[import-not-found]

    ends = list(each(called_apart.odd, [(number,) for number in range(8)], Limits(), workers=3))
    assert [end.answer is None for end in ends] == [False, True] * 4
    assert [end.value() for end in ends[::2]] == [0, 2, 4, 6]


def test_leaving_the_block_ends_what_runs(helper: str) -> None:
    before = set(psutil.Process().children(recursive=True))
    calls = iter([(1, call(helper, "double", 1)), *[(number, call(helper, "spin")) for number in range(2, 5)]])
    with workers_at(2) as team:
        next(team.results(calls))
        wait_until(lambda: set(psutil.Process().children(recursive=True)) - before, "they have begun")
    assert not [each for each in set(psutil.Process().children(recursive=True)) - before if not is_gone(each)]


# ---- on a cluster


@pytest.fixture(scope="module")
def cluster(helper: str) -> Iterator[Any]:  # whose machines find what the helper brings
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as made:
        yield made


def outcomes(runs: tuple[ExperimentRun, ...]) -> list[str]:
    return [str(run.outcome) for run in runs]


@posix
def test_a_cluster_of_which_a_machine_is_killed_gives_the_same_table(tmp_path: Path, cluster: Any) -> None:
    tasks = roads(tmp_path / "roads", 6)
    planners, made = ["native", "blind=native:blind", walker(tasks)], list[object]()
    victim = next(iter(cluster.workers.values())).pid

    def strike(run: ExperimentRun) -> None:
        made.append(run)
        if len(made) == 5:
            os.kill(victim, signal.SIGKILL)

    limits, there = Limits(time=600), tmp_path / "there.jsonl"
    runs = unpuzzle.experiment(
        tasks, planners, limits=limits, output=there, scheduler=cluster.scheduler_address, on_run=strike
    )
    here = unpuzzle.experiment(tasks, planners, limits=limits, output=tmp_path / "here.jsonl")
    assert outcomes(runs) == outcomes(here)
    assert set(Counter(run.key for run in unpuzzle.experiments.runs.read_runs(there)).values()) == {1}


@posix
@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_programs_on_a_cluster_end_with_the_experiment(tmp_path: Path, cluster: Any, name: str) -> None:
    experiment = Sleeping(tmp_path, "--scheduler", cluster.scheduler_address)
    folder = experiment.program.cwd()
    experiment.end(getattr(signal, name))
    wait_until(lambda: is_gone(experiment.program), "the program ends")
    wait_until(lambda: not os.path.exists(folder), "its folder is removed")


def test_a_machine_that_starves_costs_its_run_alone(tmp_path: Path, cluster: Any, helper: str) -> None:
    calls = [(0, call(helper, "double", 1)), (1, call(helper, "eat", memory=150 << 20)), (2, call(helper, "double", 2))]
    with workers_at(scheduler=cluster.scheduler_address) as team:
        done = dict(team.results(calls))
    assert done[1].limit == "memout"
    assert [done[number].value() for number in (0, 2)] == [2, 4]


def _survey(**where: Any) -> object:
    return [row.replace(seconds=0.0) for row in unpuzzle.survey(unpuzzle.find("boxup"), ["1", "2", "3"], **where)]


def _compare(**where: Any) -> object:
    boxup = unpuzzle.find("boxup")
    rows = unpuzzle.compare(boxup.parse(boxup.levels["2"]), ["bfs", "astar"], planners=["native"], **where)
    return [{**row.to_dict(), "seconds": 0} for row in rows]


def _check(**where: Any) -> object:
    boxup = unpuzzle.find("boxup")
    return check_levels({name: boxup.parse(boxup.levels[name]) for name in ("1", "2")}, **where)


def _test_domain(**where: Any) -> object:
    boxup = unpuzzle.find("boxup")
    wrong = boxup.parse(boxup.levels["1"]).task().domain
    report = check_domain(wrong, boxup, levels=["1", "2"], samples=2, **where)
    return report.to_dict()


@pytest.mark.parametrize("work", [_survey, _compare, _check, _test_domain])
def test_others_make_the_same_of_it_wherever_it_is_done(work: Callable[..., object], cluster: Any) -> None:
    alone = work(workers=1)
    assert work(workers=2) == alone
    assert work(scheduler=cluster.scheduler_address) == alone


@posix
def test_a_level_that_breaks_its_process_costs_its_row(tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text(DEADLY)
    game = unpuzzle.find(tmp_path / "deadly.py")
    rows = unpuzzle.survey(game, ["a", "b", "c"], workers=2)
    assert [row.status for row in rows] == ["solved_optimally", "error", "solved_optimally"]
    assert "SIGKILL" in rows[1].message


DEADLY = """
import os, signal
from unpuzzle import Puzzle

class Deadly(Puzzle):
    name = "deadly"
    title = "Deadly"
    levels = {"a": "1", "b": "13", "c": "2"}
    def __init__(self, left): self.left = left
    @classmethod
    def parse(cls, text, source=None): return cls(int(text))
    def __str__(self): return str(self.left)
    def __eq__(self, other): return self.left == other.left
    def __hash__(self): return self.left
    def solved(self): return self.left == 0
    def moves(self):
        if self.left == 13:
            os.kill(os.getpid(), signal.SIGKILL)
        return ["d"] if self.left else []
    def apply(self, move): return Deadly(self.left - 1)
"""
