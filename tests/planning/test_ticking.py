"""The tick of the running work: whoever works calls it, without having been given it."""

from __future__ import annotations

from threading import Thread

import pytest

from unpuzzle.errors import LimitReached
from unpuzzle.limits import Limits, Run, tick, ticker, ticking


def test_without_running_work_a_tick_does_nothing() -> None:
    idle = ticker()
    tick()
    with ticking(None):
        tick()
        assert ticker() is idle
    assert ticker() is idle


def test_the_innermost_work_is_called() -> None:
    calls: list[str] = []
    with ticking(lambda: calls.append("outer")):
        tick()
        with ticking(lambda: calls.append("inner")):
            tick()
            with ticking(None):
                ticker()()
        tick()
    tick()
    assert calls == ["outer", "inner", "inner", "outer"]


def test_what_it_raises_ends_the_work_and_is_forgotten() -> None:
    with pytest.raises(LimitReached, match="while testing"), ticking(Run(Limits(time=1e-9), "testing")):
        tick()
    tick()


def test_threads_have_their_own() -> None:
    calls: list[str] = []
    with ticking(lambda: calls.append("here")):
        thread = Thread(target=tick)
        thread.start()
        thread.join()
        tick()
    assert calls == ["here"]
