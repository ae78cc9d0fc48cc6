"""Plans that programs leave in numbered files: handed on as they come, and kept where a limit ends the program."""

from __future__ import annotations

import os
import sys
import time
from itertools import count
from typing import TYPE_CHECKING

import pytest

from support.clocks import HOURS, LeapingClock, SecondsPerLook
from support.limited import within
from unpuzzle import Limits, improve, solve
from unpuzzle.base.errors import PlannerFailed
from unpuzzle.base.outcomes import GAVE_UP, SOLVED, TIMEOUT
from unpuzzle.base.run import Run, current, driven, grace
from unpuzzle.pddl import syntax
from unpuzzle.pddl.plans import parse_plan
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.planners.external import answers
from unpuzzle.planners.external.answers import SETTLED, PlanFiles, PrintedPlan, as_they_come, judge_of
from unpuzzle.planners.external.command import _printed
from unpuzzle.planning import running
from unpuzzle.planning.planner import USUAL, Planner, SearchOptions
from unpuzzle.planning.registry import find
from unpuzzle.planning.result import Result
from unpuzzle.processes.private_directory import PrivateDirectory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from unpuzzle.pddl.nodes import Plan, Task
    from unpuzzle.planners.external.answers import Look

DETOUR = "(go a b)\n(go b c)\n; cost = 2 (unit cost)\n"
SHORT = "(go a c)\n; cost = 1 (unit cost)\n"
WRONG = "(go c a)\n; cost = 1 (unit cost)\n"
PATIENCE = 10_000
"""Looks at the clock after which time is up, whatever has happened."""
TASK = parse_task(
    """(define (domain roads) (:predicates (at ?x) (road ?x ?y))
      (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
        :effect (and (at ?y) (not (at ?x)))))""",
    """(define (problem p) (:domain roads) (:objects a b c)
      (:init (at a) (road a b) (road b c) (road a c)) (:goal (at c)))""",
)

IS_PLAN = judge_of(TASK)


@pytest.fixture
def folder() -> Path:  # type: ignore[misc]
    with PrivateDirectory({}, planner="p") as directory:
        yield directory


def write(folder: PrivateDirectory, name: str, text: str, age: float = 0.0) -> None:
    with open(folder.file(name), "w", encoding="utf-8") as file:
        file.write(text)
    os.utime(folder.file(name), (os.stat(folder.file(name)).st_mtime - age,) * 2)


def looked(folder: PrivateDirectory, files: PlanFiles | None = None) -> list[str]:
    """Return the first steps of the plans that one look hands on."""
    plans: list[Plan] = []
    files = files or PlanFiles("plan*", lambda plan, written: plans.append(plan), IS_PLAN)
    files.look(folder)
    return [str(plan.steps[0]) for plan in plans]


def test_plans_are_handed_on_in_the_order_of_their_time_and_once(folder: PrivateDirectory) -> None:
    plans: list[tuple[str, float]] = []
    files = PlanFiles("plan*", lambda plan, written: plans.append((str(plan.steps[0]), written)), IS_PLAN)
    write(folder, "plan.2", SHORT, age=10)
    write(folder, "plan.1", DETOUR, age=20)
    write(folder, "output", SHORT, age=20)
    files.look(folder)
    files.look(folder)
    assert [first for first, _ in plans] == ["(go a b)", "(go a c)"]
    assert plans[1][1] - plans[0][1] == pytest.approx(10, abs=1)


def test_a_plan_that_is_still_being_written_waits_and_so_do_later_ones(folder: PrivateDirectory) -> None:
    write(folder, "plan.1", "(go a b)\n(go b", age=-HOURS)  # as if it were written to all the time
    write(folder, "plan.2", SHORT, age=-HOURS - 1)
    assert looked(folder) == []
    write(folder, "plan.1", DETOUR, age=-HOURS)
    assert looked(folder) == ["(go a b)", "(go a c)"]


def test_a_file_without_an_end_counts_as_soon_as_its_steps_are_a_plan(folder: PrivateDirectory) -> None:
    plans: list[int] = []
    files = PlanFiles("plan*", lambda plan, written: plans.append(len(plan)), IS_PLAN)
    for age, steps in (
        (-HOURS, "(go a b)\n"),
        (-HOURS - 1, "(go a b)\n(go b c)\n"),
        (-HOURS - 2, "(go a b)\n(go b c)\n(go"),
    ):
        write(folder, "plan.1", steps, age)
        files.look(folder)
        files.look(folder)
    assert plans == [2], "not before its last step, and not again for half a step more"


def test_half_a_plan_of_a_program_that_was_cut_off_keeps_no_other_waiting(folder: PrivateDirectory) -> None:
    write(folder, "plan.1", "(go a b)\n", age=-HOURS)
    write(folder, "plan.2", "(go a c)\n", age=-HOURS - 1)
    assert looked(folder) == []
    folder.ended = False
    assert looked(folder) == ["(go a c)"]


def test_what_a_program_wrote_last_is_left_to_its_result(folder: PrivateDirectory) -> None:
    folder.ended = True
    write(folder, "plan.1", "(go a c)\n", age=-HOURS)
    assert looked(folder) == [], "else it would be judged twice"


def test_what_is_printed_counts_as_soon_as_its_steps_are_a_plan(folder: PrivateDirectory) -> None:
    plans: list[int] = []
    printed = PrintedPlan(_printed, lambda plan, written: plans.append(len(plan)), IS_PLAN)
    for text in ("(go a b)", "(go a b)\n(go b c)", "(go a b)\n(go b c)"):
        folder.printed = lambda text=text: text
        printed.look(folder)
    assert plans == [2]


def test_several_plans_are_printed(folder: PrivateDirectory) -> None:
    plans: list[str] = []
    printed = PrintedPlan(_printed, lambda plan, written: plans.append(str(plan.steps[0])), IS_PLAN)
    for text in ("", DETOUR, DETOUR + "Plan 2:\n(go a", DETOUR + SHORT, DETOUR + SHORT + WRONG + "(go a c)"):
        folder.printed = lambda text=text: text
        printed.look(folder)
    assert plans == ["(go a b)", "(go a c)", "(go c a)", "(go a c)"]


def test_a_plan_without_an_end_in_the_last_look_before_a_limit_is_kept(folder: PrivateDirectory) -> None:
    class Hasty(Planner):
        name, improves, goes_on = "hasty", True, True

        def improving(self, subject: Task, options: SearchOptions = USUAL) -> Iterator[Result]:
            def program(look: Look) -> Result:
                write(folder, "plan.1", "(go a c)\n", age=-HOURS)
                look(folder)
                return Result(TIMEOUT, self.name, message="it was ended")

            return as_they_come(self.name, "plan*", TASK, program)

    result = solve(TASK, Hasty())
    assert (result.status, result.cost, result.message) == (SOLVED, 1, "the best plan so far; then it was ended")


class Late(Planner):
    """Imitates a planner that finds a plan after some seconds, and reports it when the time is up."""

    name, improves, goes_on = "late", True, True

    def __init__(self, seconds: float) -> None:
        self.seconds, self.plan = seconds, parse_plan(SHORT)

    def improving(self, subject: Task, options: SearchOptions = USUAL) -> Iterator[Result]:
        while not current().over():
            time.sleep(0.001)
        yield Result(SOLVED, self.name, plan=self.plan, seconds={"found": self.seconds}, intermediate=True)
        yield Result(TIMEOUT, self.name, message="it was ended")


@pytest.mark.parametrize(("found", "status"), [(0.0, SOLVED), (HOURS, TIMEOUT)])
def test_a_plan_counts_that_came_before_the_limit_however_late_it_is_reported(
    found: float, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unpuzzle.base.run.PARTING", HOURS)
    assert solve(TASK, Late(found), limits=Limits(time=0.05)).status == status


def test_what_was_printed_before_a_limit_is_a_plan_and_what_follows_is_not_read(
    folder: PrivateDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unpuzzle.base.run.PARTING", HOURS)
    plans: list[tuple[int, float]] = []
    printed = PrintedPlan(_printed, lambda plan, written: plans.append((len(plan), written)), judge_of(TASK))
    folder.cut_off("(go a c)\n")
    folder.ended = False
    with Run(Limits(time=1e-9)), grace():
        printed.look(folder)
    assert plans == [(1, folder.cut)]


@pytest.mark.parametrize("printed", [True, False])
def test_looking_for_plans_ends_at_the_limit(
    printed: bool, folder: PrivateDirectory, seconds_per_look: SecondsPerLook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syntax, "_PIECE", 100)

    def program(look: Look) -> Result:
        if printed:
            folder.printed = lambda: SHORT * 1000
        write(folder, "plan.1", SHORT * 1000)
        look(folder)
        return Result(TIMEOUT, "p")

    lines = _printed if printed else None
    answers = within(Limits(time=7), list, as_they_come("p", "plan*", TASK, program, lines))
    assert [answer.status for answer in answers] == [TIMEOUT]
    assert seconds_per_look.reads < 100


def test_half_a_plan_at_a_limit_does_not_take_away_the_one_before(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        f"import sys\nopen(sys.argv[3] + '.1', 'w').write({DETOUR!r})\n"
        "open(sys.argv[3] + '.2', 'w').write('(go a b)\\n')\nwhile True: pass"
    )
    name = f"command:{sys.executable} {program} {{domain}} {{problem}} {{plan}}"
    result = solve(TASK, name, limits=Limits(cpu=1))
    assert (result.status, result.cost) == (SOLVED, 2)


def test_a_file_without_an_end_that_has_settled_counts(folder: PrivateDirectory) -> None:
    write(folder, "plan.1", "(go a c)\n", age=2 * SETTLED)
    assert looked(folder) == ["(go a c)"]


def test_blank_files_and_nonsense_are_no_plans(folder: PrivateDirectory) -> None:
    write(folder, "plan.1", "\n", age=30)
    write(folder, "plan.2", "(go a\n; cost = 1", age=20)
    write(folder, "plan.3", SHORT, age=10)
    assert looked(folder) == ["(go a c)"]


def test_a_file_that_is_written_again_holds_another_plan(folder: PrivateDirectory) -> None:
    plans: list[int] = []
    files = PlanFiles("plan*", lambda plan, written: plans.append(len(plan)), IS_PLAN)
    write(folder, "plan", DETOUR, age=20)
    files.look(folder)
    write(folder, "plan", SHORT, age=10)
    files.look(folder)
    assert plans == [2, 1]


def test_a_printed_plan_counts_once_when_nothing_is_added_to_it(
    folder: PrivateDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans: list[tuple[int, float]] = []
    printed = PrintedPlan(_printed, lambda plan, written: plans.append((len(plan), written)), lambda plan: False)
    both = "(go a b)\n(go b c)"
    for now, text in ((1.0, ""), (2.0, "(go a b)"), (2.1, both), (2.4, both), (9.0, both)):
        monkeypatch.setattr(answers.time, "time", lambda now=now: now)
        folder.printed = lambda text=text: text
        printed.look(folder)
    assert plans == [(2, 2.1)]
    folder.printed = lambda: SHORT
    printed.look(folder)
    printed.look(folder)
    assert plans == [(2, 2.1), (1, 9.0)], "its cost ends it"


def test_plans_come_before_the_end_and_the_end_last(folder: PrivateDirectory) -> None:
    def program(look: Look) -> Result:
        write(folder, "plan.1", DETOUR)
        look(folder)
        write(folder, "plan.2", SHORT)
        look(folder)
        return Result(GAVE_UP, "p")

    *plans, last = as_they_come("p", "plan*", TASK, program)
    assert [(result.status, result.intermediate, len(result.plan or ())) for result in plans] == [
        (SOLVED, True, 2),
        (SOLVED, True, 1),
    ]
    assert all(result.seconds["found"] >= 0 for result in plans)
    assert (last.status, last.intermediate) == (GAVE_UP, False)


def test_what_the_program_raises_is_raised() -> None:
    def program(look: Look) -> Result:
        raise PlannerFailed("it broke", planner="p")

    with pytest.raises(PlannerFailed, match="it broke"):
        list(as_they_come("p", "plan*", TASK, program))


@pytest.mark.parametrize("way", ["leave", "cancel"])
def test_leaving_or_cancelling_ends_the_program(folder: PrivateDirectory, way: str) -> None:
    ended = []

    def program(look: Look) -> Result:
        write(folder, "plan.1", SHORT)
        look(folder)
        while not current().cancellation.requested:
            time.sleep(0.001)
        ended.append(True)
        return Result(TIMEOUT, "p")

    limits = Limits()
    plans = driven(Run(limits), as_they_come("p", "plan*", TASK, program))
    assert next(plans).status == SOLVED
    if way == "cancel":
        limits.cancel()
        assert next(plans).status == TIMEOUT
    plans.close()  # type: ignore[attr-defined]
    assert ended == [True]


# --- a real program that never ends


def hanging(tmp_path: Path, *plans: str) -> str:
    """Return the planner of a program that leaves plans, and then hangs."""
    program = tmp_path / "hanging.py"
    writes = "".join(f"open(sys.argv[3] + '.{n}', 'w').write({text!r})\n" for n, text in enumerate(plans, 1))
    program.write_text(f"import sys, time\n{writes}\nwhile True: time.sleep(1)")
    return f"command:{sys.executable} {program} {{domain}} {{problem}} {{plan}}"


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[Result]:
    """The results that have been judged so far."""
    results: list[Result] = []
    accept = running.accept

    def accepted(*args: object, **options: object) -> Result:
        results.append(accept(*args, **options))  # type: ignore[arg-type]
        return results[-1]

    monkeypatch.setattr(running, "accept", accepted)
    return results


@pytest.fixture
def limit_after(
    judged: list[Result], time_is_up_when: Callable[[Callable[[], bool]], float], monkeypatch: pytest.MonkeyPatch
) -> Callable[[int], float]:
    """Return a function whose result is a time limit that is reached once so many plans have been judged."""

    def limit(plans: int) -> float:
        looks = count()

        def are_judged() -> bool:
            return len(judged) >= plans or next(looks) > PATIENCE

        monkeypatch.setattr("unpuzzle.base.run.perf_counter", LeapingClock(are_judged).monotonic)
        return time_is_up_when(are_judged)

    return limit


@pytest.mark.parametrize("plans", [(DETOUR, SHORT), (DETOUR, SHORT, WRONG), (SHORT, DETOUR)])
def test_a_limit_does_not_take_away_the_best_plan(
    plans: tuple[str, ...],
    tmp_path: Path,
    limit_after: Callable[[int], float],
) -> None:
    limit = limit_after(len(plans))
    result = solve(TASK, hanging(tmp_path, *plans), limits=Limits(limit))
    assert (result.status, result.valid, result.intermediate) == (SOLVED, True, False)
    assert [str(step) for step in result.plan or ()] == ["(go a c)"]
    assert result.message == "the best plan so far; then the program reached its time limit"


@pytest.mark.parametrize(
    ("leaving", "words"),
    [
        (f"print({SHORT!r}, flush=True)", ""),
        ("print('(go a c)', flush=True)", ""),
        (f"open(sys.argv[3], 'w').write({SHORT!r})", " {plan}"),
    ],
)
def test_a_program_that_hangs_after_its_only_plan_does_not_lose_it(
    leaving: str,
    words: str,
    tmp_path: Path,
    limit_after: Callable[[int], float],
) -> None:
    limit = limit_after(1)
    program = tmp_path / "hanging.py"
    program.write_text(f"import sys, time\n{leaving}\nwhile True: time.sleep(1)")
    result = solve(TASK, f"command:{sys.executable} {program} {{domain}} {{problem}}{words}", limits=Limits(limit))
    assert (result.status, result.cost, result.valid) == (SOLVED, 1, True)
    assert result.message == "the best plan so far; then the program reached its time limit"


def test_a_plan_that_was_judged_when_it_came_is_not_judged_again(tmp_path: Path, judged: list[Result]) -> None:
    program = tmp_path / "program.py"
    program.write_text(f"print({SHORT!r}, flush=True)")
    result = solve(TASK, f"command:{sys.executable} {program} {{domain}} {{problem}}")
    assert (result.status, result.cost, result.valid, result.message) == (SOLVED, 1, True, "")
    assert len(judged) == 1


@pytest.mark.parametrize("prints", [True, False])
@pytest.mark.parametrize("plans", [(SHORT, DETOUR), (SHORT, WRONG), (DETOUR, SHORT, DETOUR, WRONG)])
def test_the_best_valid_plan_is_the_answer_and_not_the_last(
    plans: tuple[str, ...], prints: bool, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    leave = "print(text)" if prints else "open(f'{sys.argv[3]}.{n}', 'w').write(text)"
    program.write_text(f"import sys\nfor n, text in enumerate({plans!r}, 1): {leave}")
    name = f"command:{sys.executable} {program} {{domain}} {{problem}}" + ("" if prints else " {plan}")
    assert [str(step) for step in find(name).solve(TASK).plan or ()] == ["(go a c)"]
    result = solve(TASK, name)
    assert (result.status, result.cost) == (SOLVED, 1)


def test_a_plan_file_that_is_written_again_with_a_worse_plan_loses_nothing() -> None:
    class Worsening(Planner):
        name, improves, goes_on = "worsening", True, True

        def improving(self, subject: Task, options: SearchOptions = USUAL) -> Iterator[Result]:
            yield Result(SOLVED, self.name, plan=parse_plan(SHORT), intermediate=True)
            yield Result(SOLVED, self.name, plan=parse_plan(DETOUR))

    result = solve(TASK, Worsening())
    assert (result.status, result.cost, [str(step) for step in result.plan or ()]) == (SOLVED, 1, ["(go a c)"])


def test_cancelling_does_not_take_away_the_best_plan(tmp_path: Path) -> None:
    limits = Limits()
    results = improve(TASK, hanging(tmp_path, DETOUR), limits=limits)
    first = next(results)
    limits.cancel()
    *_, last = results
    assert (first.cost, last.status, last.cost) == (2, SOLVED, 2)
