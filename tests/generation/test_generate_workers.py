"""generate(): the same levels for all numbers of workers, and what was found when time is up or a worker breaks."""

from __future__ import annotations

import pickle
import signal
import time
from contextlib import closing
from itertools import pairwise

import psutil
import pytest

from support.hiding import hide
from support.waiting import PATIENCE
from unpuzzle import generate, translators
from unpuzzle.base import errors
from unpuzzle.base.errors import DependencyMissing, UsageError, WorkersFailed
from unpuzzle.base.run import Limits, Run
from unpuzzle.generation import generating
from unpuzzle.generation.candidates import GeneratedLevel
from unpuzzle.processes.parallel import in_turn
from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.pacman import Pacman
from unpuzzle.translators.sliding_tiles import SlidingTiles


def facts(made):
    """All that must not depend on who does the work."""
    return made.status, made.levels, made.candidates, made.duplicates, made.rejected


@pytest.mark.parametrize(
    ("puzzle", "options"), [(Boxup, {"size": "2x4"}), (SlidingTiles, {"scramble": 20}), (Pacman, {"dots": 3})]
)
def test_the_number_of_workers_changes_nothing(puzzle, options):
    before = {*psutil.Process().children(recursive=True)}
    made = [generate(puzzle, options, seed=8, count=25, moves=(6, 20), workers=workers) for workers in (1, 3)]
    assert facts(made[0]) == facts(made[1])
    assert not {*psutil.Process().children(recursive=True)} - before


def test_a_dask_cluster_gives_the_same_levels():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        there = generate(Boxup, {"walls": 1}, seed=4, count=20, scheduler=cluster.scheduler_address)
        with pytest.raises(TypeError, match="bad operand"):  # what goes wrong there is told here
            list(in_turn(abs, ["x"], lambda: PATIENCE, scheduler=cluster.scheduler_address))
    assert facts(there) == facts(generate(Boxup, {"walls": 1}, seed=4, count=20))


def test_a_cluster_that_cannot_be_had(monkeypatch):
    pytest.importorskip("distributed")
    for address, said, seconds in (
        ("nonsense", "missing port", PATIENCE),
        ("http://localhost:1", "unknown address scheme", PATIENCE),
        ("tcp://127.0.0.1:9", "Timed out", 1),
    ):
        monkeypatch.setattr("unpuzzle.processes.parallel.CONNECTING_SECONDS", seconds)
        with pytest.raises(WorkersFailed, match=f"no Dask scheduler answers at '{address}': .*{said}"):
            generate(Boxup, count=1, scheduler=address)


def test_without_dask_it_says_how_to_get_it(monkeypatch):
    hide(monkeypatch, "distributed")
    with pytest.raises(DependencyMissing, match="pip install 'unpuzzle\\[distributed\\]'"):
        generate(Boxup, count=1, scheduler="tcp://127.0.0.1:9")


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_endless_jobs(workers):
    jobs = iter(range(0, -100_000_000, -1))
    with closing(in_turn(abs, jobs, lambda: PATIENCE, workers=workers)) as results:
        assert [next(results) for _ in range(20)] == list(range(20))


def test_leaving_ends_what_still_runs():
    day = 86_400
    before = {*psutil.Process().children(recursive=True)}
    with closing(in_turn(time.sleep, [0, day, day, day, day, day], lambda: PATIENCE, workers=2)) as results:
        assert next(results) is None
        with pytest.raises(TimeoutError):
            list(in_turn(time.sleep, [day], lambda: 0.2, workers=2))
    assert not {*psutil.Process().children(recursive=True)} - before


def test_a_worker_that_breaks():
    with pytest.raises(WorkersFailed, match="was ended by SIGKILL before it had answered"):
        list(in_turn(signal.raise_signal, [signal.SIGKILL], lambda: PATIENCE, workers=2))


def test_what_a_worker_raises_is_raised():
    with pytest.raises(UsageError, match="unknown puzzle 'boxap'"):
        list(in_turn(translators.find, ["boxap"], lambda: PATIENCE, workers=2))


@pytest.mark.parametrize(
    "error",
    [
        errors.ParseError("bad", file="f", line=1, column=2, text="x"),
        errors.UnsupportedFeature("no", feature=":fluents"),
        errors.IllegalMove("no", move="U"),
        errors.DependencyMissing("no", dependency="p"),
        errors.PlannerFailed("no", planner="p", log="l"),
        errors.WorkersFailed("no"),
    ],
)
def test_errors_come_back_from_other_processes(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.args, vars(again), str(again)) == (type(error), error.args, vars(error), str(error))


# ---- an early end


@pytest.mark.parametrize("workers", [1, 2])
def test_the_time_limit_keeps_what_was_found(workers, monkeypatch):
    watches = []

    class Kept(Run):
        __slots__ = ()

        def __init__(self, limits, phase):
            super().__init__(limits, phase)
            watches.append(self)

    def told(made):
        if made.levels:  # there are some: now the time is up
            watches[0].end = 0.0

    monkeypatch.setattr(generating, "Run", Kept)
    before = {*psutil.Process().children(recursive=True)}
    limits = Limits(time=PATIENCE)
    made = generate(Boxup, count=1000, limits=limits, workers=workers, candidates=10**6, progress=told)
    assert made.status == "timeout"
    assert 0 < len(made.levels) < 1000
    assert list(made.levels) == sorted(made.levels, key=lambda level: (level.cost, level.expanded, level.text))
    assert not {*psutil.Process().children(recursive=True)} - before


def test_an_interruption_leaves_what_was_found_in_order():
    kept = []

    def told(made):
        kept[:] = [made]
        if made.levels:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate(Boxup, count=1000, progress=told)
    assert kept[0].status == "running"
    assert all(isinstance(level, GeneratedLevel) for level in kept[0].levels)
    assert all(one.cost <= other.cost for one, other in pairwise(kept[0].levels))
