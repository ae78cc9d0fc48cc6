"""A run and its parts: whose limit ends what, in blocks, generators and threads."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Thread

import pytest

from support.clocks import SecondsPerLook
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import (
    ROOT,
    Limits,
    Run,
    checkpoint,
    current,
    detached,
    driven,
    grace,
    handed,
    part,
    phase,
    within_limits,
)

SOON = Limits(time=10)
"""Over after ten looks at a clock that goes on by a second with each."""


def work(times: int = 50) -> None:
    for _ in range(times):
        checkpoint()


def test_a_checkpoint_ends_the_run_that_is_over_and_names_its_work(seconds_per_look: SecondsPerLook) -> None:
    work()
    run = Run(SOON)
    with (
        pytest.raises(LimitReached, match="the time limit was reached while searching") as reached,
        run,
        phase("searching"),
    ):
        work()
    assert (reached.value.status, reached.value.run) == ("timeout", run)


def test_a_phase_ends_with_its_block(seconds_per_look: SecondsPerLook) -> None:
    with Run(SOON, "reading"):
        with phase("searching"):
            checkpoint()
        with pytest.raises(LimitReached, match="while reading"):
            work()


def test_each_of_many_things_is_a_checkpoint(seconds_per_look: SecondsPerLook) -> None:
    assert list(within_limits("abc")) == ["a", "b", "c"]
    with pytest.raises(LimitReached), Run(SOON):
        list(within_limits(range(100)))
    with pytest.raises(LimitReached, match="memory"), Run(Limits(memory=1, held=0)):
        list(within_limits("a", long=True))


@pytest.mark.parametrize(("outer", "inner"), [(10, 1000), (10, None), (1000, 10)])
def test_the_sooner_end_counts_and_is_the_outermost_runs(
    outer: int, inner: int | None, seconds_per_look: SecondsPerLook
) -> None:
    with Run(Limits(outer)) as whole, Run(None if inner is None else Limits(inner)) as own:
        with pytest.raises(LimitReached) as reached:
            work(100)
        assert reached.value.run is (own if inner == 10 else whole)


def test_limits_of_memory_and_processor_time_hold_for_what_is_nested() -> None:
    with Run(Limits(memory=7, cpu=1e-9)), Run(Limits(memory=1 << 50)) as inner:
        assert (inner.memory_left() or 8) <= 7
        with pytest.raises(LimitReached, match="processor time"):
            inner.look()


def test_a_part_swallows_its_own_end_alone(seconds_per_look: SecondsPerLook) -> None:
    with Run(Limits(1000)) as run:
        with part(seconds=5) as short:
            work()
        assert short.reached
        with part(share=0.5) as half:
            checkpoint()
        assert not half.reached
        assert (run.time_left() or 0) > 900
    with pytest.raises(LimitReached), Run(SOON), part(seconds=1000) as long:
        work()
    assert not long.reached


def test_without_limits_a_share_is_no_limit() -> None:
    with part(share=0.5) as whole:
        assert whole.time_left() is None
    with part(seconds=5) as short:
        assert short.time_left() is not None


def test_a_moment_is_left_to_judge_what_came_in_time(
    seconds_per_look: SecondsPerLook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unpuzzle.base.run.PARTING", 20)
    with Run(SOON) as run:
        while not run.over():
            pass
        with grace():
            work(5)
        with detached():
            work()
            assert Run().time_left() is None
        with pytest.raises(LimitReached):
            checkpoint()


def test_a_cancel_reaches_all_runs_that_threads_begin_at_once() -> None:
    limits = Limits()
    with ThreadPoolExecutor(8) as pool:
        runs = list(pool.map(lambda _: Run(limits), range(2_000)))
    limits.cancel()
    assert all(run.cancellation.requested for run in runs)


def test_cancelling_ends_what_is_nested_and_nothing_around(seconds_per_look: SecondsPerLook) -> None:
    whole, own = Limits(), Limits()
    with Run(whole), Run(own) as run:
        checkpoint()
        Thread(target=whole.cancel).start()
        with pytest.raises(LimitReached, match="the run was cancelled"):
            work(10**9)
        assert not own.cancelled
        assert run.cancellation.requested
    with Run(Limits()) as around:
        own.cancel()
        with pytest.raises(LimitReached), Run(own):
            checkpoint()
        work(3)
        assert not around.cancellation.requested


def test_a_generator_holds_its_run_only_while_it_works(seconds_per_look: SecondsPerLook) -> None:
    def numbers() -> Iterator[int]:
        try:
            for number in range(100):
                assert current() is run
                checkpoint()
                yield number
        finally:
            seen.append(current())

    run, seen = Run(SOON), list[Run]()
    one, other = driven(run, numbers()), driven(run, numbers())
    assert [next(one), next(other), next(one)] == [0, 0, 1]
    assert current() is ROOT
    one.close()  # type: ignore[attr-defined]
    assert seen == [run]
    with pytest.raises(LimitReached):
        list(other)


def test_threads_begin_without_a_run_unless_it_is_handed_over() -> None:
    with Run(Limits(1000), "working apart") as run, ThreadPoolExecutor(1) as pool:
        assert pool.submit(current).result() is ROOT
        assert pool.submit(handed(current)).result() is run
        assert pool.submit(handed(lambda: Run().phase)).result() == "working apart"


def test_the_run_of_a_limit_stays_in_its_process() -> None:
    error = LimitReached("timeout", "the time limit was reached", run=Run())
    again = pickle.loads(pickle.dumps(error))
    assert (again.status, str(again), again.run) == ("timeout", str(error), None)
