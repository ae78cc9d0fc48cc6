"""The watch over limits looks at the clock after every step, whatever it takes."""

from __future__ import annotations

import pytest

from support.clocks import SecondsPerLook
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import Limits, Run


def steps(run: Run, number: int) -> None:
    for _ in range(number):
        run.check()


@pytest.mark.parametrize("seconds", [10, 20_000])
def test_a_slow_step_is_the_last_one_beyond_the_limit(seconds: int, seconds_per_look: SecondsPerLook) -> None:
    watch = Run(Limits(time=seconds), "testing")
    with pytest.raises(LimitReached, match="the time limit was reached while testing"):
        steps(watch, 600 * seconds)
    assert watch.ticks <= seconds + 1


def test_without_a_limit_nobody_looks_at_the_clock(seconds_per_look: SecondsPerLook) -> None:
    steps(Run(Limits(), "testing"), 5_000)
    assert seconds_per_look.reads == 0
