"""What is known when a limit ends an explanation is told, and what the limit cut off."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.command_line import run
from support.river import ROADS, delivery
from unpuzzle import find
from unpuzzle.checking import excuses, explained_levels, reasons
from unpuzzle.checking.reasons import MENDING, MUTEX, SMALLER, WHETHER, explain
from unpuzzle.errors import Interrupted, LimitReached
from unpuzzle.limits import Deadline, Limits
from unpuzzle.pddl import Task, parse_task
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.planning import registry
from unpuzzle.result import Result

pytestmark = pytest.mark.skipif(registry.missing("native") is not None, reason="the core is not compiled")

START = "(at t a) (lies k b) (road a b) (road b a)"


def twice() -> Task:
    return parse_task(ROADS, delivery(START, "(at t a) (at t b)"))


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "domain.pddl").write_text(ROADS)
    (tmp_path / "p.pddl").write_text(delivery(START, "(at t a) (at t b)"))
    return [str(tmp_path / "domain.pddl"), str(tmp_path / "p.pddl")]


def ending(error: BaseException):
    def ends(*_: object, **__: object) -> None:
        raise error

    return ends


def test_without_time_nothing_is_known() -> None:
    explanation = explain(twice(), limits=Limits(1e-9))
    assert (explanation.solvable, explanation.status, explanation.unfinished) == (None, "timeout", WHETHER)
    assert explanation.reasons == ()


def test_a_cancelled_run_says_so() -> None:
    limits = Limits()
    limits.cancel()
    assert explain(twice(), limits=limits).status == "cancelled"


def test_the_reason_stays_where_time_ends_the_search_for_excuses(
    files: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reasons.Excusing, "fewest", ending(LimitReached("timeout", "the time limit was reached")))
    explanation = explain(twice())
    assert (explanation.solvable, explanation.kind) == (False, MUTEX)
    assert (explanation.status, explanation.unfinished, explanation.excuses) == ("timeout", MENDING, ())
    code, out, err = run(capsys, "explain", *files)
    assert (code, out.splitlines()[0]) == (0, explanation.reasons[0].text)
    assert "it would be solvable" not in out
    assert err.splitlines()[-1] == (
        "unpuzzle: timeout: what would mend it was not found out in the time; a larger --time-limit may do"
    )


def test_the_reason_stays_with_ctrl_c(
    files: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reasons.Excusing, "fewest", ending(KeyboardInterrupt()))
    with pytest.raises(Interrupted) as caught:
        explain(twice())
    assert (caught.value.report.kind, caught.value.report.unfinished) == (MUTEX, MENDING)
    code, out, _ = run(capsys, "explain", *files, "--json")
    answer = json.loads(out)
    assert (code, answer["status"], answer["unfinished"], answer["kind"]) == (130, "interrupted", MENDING, MUTEX)


def test_what_is_false_at_the_start_is_told_of_an_action_out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "solve", ending(LimitReached("memout", "the memory limit was reached")))
    explanation = explain(twice(), action="(unload k t b)")
    assert (explanation.solvable, explanation.status) == (None, "memout")
    assert str(explanation).splitlines()[0] == "at the start (at t b) is false"


LAMPS = """(define (domain lamps) (:requirements :adl) (:predicates (on ?x) (lamp ?x))
  (:action press :parameters (?x ?y) :precondition (and (lamp ?x) (lamp ?y) (not (= ?x ?y)))
    :effect (and (when (on ?x) (not (on ?x))) (when (not (on ?x)) (on ?x))
                 (when (on ?y) (not (on ?y))) (when (not (on ?y)) (on ?y)))))"""
FIVE = """(define (problem p) (:domain lamps) (:objects a b c d e)
  (:init (lamp a) (lamp b) (lamp c) (lamp d) (lamp e)) (:goal (and (on a) (on b) (on c) (on d) (on e))))"""


def test_no_smaller_set_of_goals_is_looked_for_after_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 2,000 goals was left out once more after the time was up: 9 seconds for a limit of 3."""
    asked: list[Task] = []
    solve = reasons.solve

    def answer(task: Task, *words: Any, **settings: Any) -> Result:
        if len(list(conjuncts(task.problem.goal))) == 5:
            return solve(task, *words, **settings)
        asked.append(task)
        return Result("timeout", "native")

    monkeypatch.setattr(reasons, "solve", answer)
    explanation = explain(parse_task(LAMPS, FIVE))
    assert (explanation.solvable, explanation.status, explanation.unfinished) == (False, "timeout", SMALLER)
    assert len(asked) == 1


@pytest.mark.parametrize("status", ["timeout", "memout", "cancelled"])
def test_nothing_scarce_is_looked_for_after_a_limit(status: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Task] = []
    monkeypatch.setattr(excuses, "solve", lambda task, *_, **__: asked.append(task) or Result(status, "native"))
    with pytest.raises(LimitReached) as reached:
        excuses.first_scarce(parse_task(ROADS, delivery(START, "(in k t)")), ["road", "at"], Deadline(None), 10)
    assert (reached.value.status, len(asked)) == (status, 1)


def test_a_contradiction_in_a_puzzle_of_constraints_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All ways to fill in a sudoku with two equal numbers were explored first: 6 seconds for a limit of one."""
    monkeypatch.setattr(explained_levels, "explore", lambda *_, **__: pytest.fail("its positions are explored"))
    monkeypatch.setattr(explained_levels, "explain", lambda *_, **__: pytest.fail("its PDDL is looked at"))
    level = find("sudoku").parse("5.5" + "." * 78)
    explanation = explained_levels.explain_level(level)
    assert (explanation.solvable, str(explanation)) == (False, "row 1 has 5 twice, at r1c1 and r1c3")
