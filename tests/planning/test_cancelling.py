"""`limits.cancel()`, from another thread, ends whatever works by these limits; processor time is a limit, too."""

from __future__ import annotations

import sys
import threading
from itertools import count
from pathlib import Path

import pytest

from support.limited import within
from support.pddl_texts import EXPLODING, MANY, task
from support.waiting import cancelling
from unpuzzle import Limits, count_solutions, find, improve, solve
from unpuzzle.base.errors import LimitReached, UsageError
from unpuzzle.base.outcomes import CANCELLED, TIMEOUT
from unpuzzle.base.run import Run, Usage, interrupt
from unpuzzle.planners.native.families import Family
from unpuzzle.planners.subgoals import solve_by_subgoals
from unpuzzle.planning.registry import missing
from unpuzzle.processes.program import call_as_program

TILES = find("sliding-tiles")
ENDLESS = TILES.parse("15 14 8 12\n10 11 9 13\n2 6 5 1\n3 7 4 0\n")  # 80 moves
NATIVE = pytest.mark.skipif(missing("native") is not None, reason="the core is not compiled")


class Asked:
    """True once deadlines were asked so often: then work is under way. The core asks twenty times a second."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, often: int) -> None:
        self.asked = threading.Event()
        counter, usual = count(1), Run.interrupt

        def ask(deadline: Run) -> None:
            if next(counter) > often:
                self.asked.set()
            usual(deadline)

        monkeypatch.setattr(Run, "interrupt", ask)

    def __call__(self) -> bool:
        return self.asked.is_set()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(monkeypatch, 8)


@NATIVE
@pytest.mark.parametrize("planner", ["native", "native:bfs", "native:idastar"])
def test_a_search_in_the_core_ends_and_tells_its_counts(planner: str, asked: Asked) -> None:
    limits = Limits(memory=2 << 30)
    with cancelling(limits, asked):
        result = solve(ENDLESS, planner, limits=limits)
    assert (result.status, result.plan, result.moves) == (CANCELLED, None, None)
    assert result.message == "the run was cancelled while searching"
    assert result.expanded > 0


@pytest.mark.parametrize("planner", ["reference", "rules:idastar", "subgoals"])
def test_a_search_in_python_ends(planner: str, asked: Asked) -> None:
    level, limits = ENDLESS, Limits()
    if planner == "subgoals":  # too quick for anything larger
        asked.asked.set()
    with cancelling(limits, asked):
        result = solve(level, planner, limits=limits)
    assert result.status == CANCELLED
    assert (result.plan, result.moves) == (None, None)


@NATIVE
def test_the_best_plan_so_far_is_kept() -> None:
    limits = Limits()
    results = []
    for result in improve(ENDLESS, limits=limits):
        results.append(result)
        limits.cancel()
    assert results[-1].status == "solved"
    assert results[-1].moves == results[-2].moves
    assert not results[-1].intermediate


@NATIVE
def test_grounding_ends(asked: Asked) -> None:
    limits = Limits(memory=8 << 30)
    with cancelling(limits, asked):
        result = solve(task(EXPLODING, MANY), limits=limits)
    assert (result.status, result.message) == (CANCELLED, "the run was cancelled while grounding")


@NATIVE
@pytest.mark.parametrize("threads", [1, 2])
def test_families_end(threads: int, asked: Asked) -> None:
    limits = Limits()
    family = Family(ENDLESS.task())
    with cancelling(limits, asked):
        assert [answer.status for answer in family.solve_many([ENDLESS] * 4, threads=threads, limits=limits)] == [
            CANCELLED
        ] * 4
    assert family.solve(ENDLESS, limits=limits).status == CANCELLED
    assert family.solve(ENDLESS, max_expanded=10).status == "gave_up"


@NATIVE
def test_stages_and_windows_end(asked: Asked) -> None:
    limits = Limits()
    with cancelling(limits, asked):
        result = solve_by_subgoals(ENDLESS.task(), planner="native:bfs", limits=limits)
    assert result.status == CANCELLED


def test_limits_that_were_cancelled_let_nothing_begin() -> None:
    limits = Limits(time=1000)
    limits.cancel()
    assert limits.cancelled
    left = [limits.lasting(5), limits.after(1), limits.replace(memory=7), Run(limits).limits]
    assert all(each.cancelled for each in left)
    for planner in ("native", "reference", "rules:bfs", "subgoals", "fast-downward", "up", "backtracking"):
        level = ENDLESS if planner != "backtracking" else find("lights-out").parse("1.\n..\n")
        assert solve(level, planner, limits=limits).status == CANCELLED
    assert count_solutions(find("lights-out").parse("1.\n..\n"), limits=limits).result.status == CANCELLED
    assert not Limits(time=1000).cancelled


# ---- other programs

WRITES_AND_SLEEPS = "import sys, time\nopen(sys.argv[1], 'w').write('here')\ntime.sleep(1000)\n"


def test_a_program_ends(tmp_path: Path) -> None:
    script, sign = tmp_path / "planner.py", tmp_path / "sign"
    script.write_text(WRITES_AND_SLEEPS)
    limits = Limits()
    with cancelling(limits, lambda: sign.exists()):
        planner = f"command:{sys.executable} {script} {sign} {{domain}} {{problem}} {{plan}}"
        result = solve(ENDLESS, planner, limits=limits)
    assert (result.status, result.message) == (CANCELLED, "the program was cancelled")


def test_a_call_in_another_process_ends(tmp_path: Path) -> None:
    limits = Limits()
    with cancelling(limits, lambda: True), pytest.raises(LimitReached) as caught:
        within(limits, call_as_program, "time", "sleep", (1000,), "sleeping")
    assert (caught.value.status, str(caught.value)) == (CANCELLED, "the run was cancelled while sleeping")


def test_a_program_may_take_so_much_processor_time(tmp_path: Path) -> None:
    script = tmp_path / "planner.py"
    script.write_text("while True: pass\n")
    result = solve(ENDLESS, f"command:{sys.executable} {script} {{domain}} {{problem}}", limits=Limits(cpu=0.3))
    assert (result.status, result.message) == (TIMEOUT, "the program reached its limit of processor time")


# ---- processor time


@pytest.mark.parametrize("planner", ["native:bfs", "reference", "rules:idastar"])
def test_a_run_may_take_so_much_processor_time(planner: str) -> None:
    if missing(planner) is not None:
        pytest.skip("the core is not compiled")
    result = solve(ENDLESS, planner, limits=Limits(cpu=0.5))
    assert result.status == TIMEOUT
    assert "the limit of processor time was reached while" in result.message


def test_processor_time_counts_from_the_beginning_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([100.0, 103.0, 104.0, 106.0])
    monkeypatch.setattr("unpuzzle.base.run.process_time", lambda: next(clock))
    deadline = Run(Limits(cpu=5))
    assert deadline.cpu_left() == 2.0
    later = Run(deadline.limits, "searching")
    with later:
        interrupt()
        with pytest.raises(LimitReached, match="processor time was reached while searching"):
            interrupt()


def test_limits_are_positive_numbers() -> None:
    for wrong in ({"time": 0}, {"memory": -1}, {"cpu": "1"}, {"time": float("nan")}):
        with pytest.raises(UsageError, match="must be a positive number of"):
            Limits(**wrong)  # type: ignore[arg-type]
    assert Usage(0).memory() > 0
