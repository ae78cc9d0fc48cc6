"""What is known when a limit ends an explanation is told, and what the limit cut off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import run
from support.river import ROADS, delivery
from unpuzzle.checking import reasons
from unpuzzle.checking.reasons import MENDING, MUTEX, WHETHER, explain
from unpuzzle.errors import Interrupted, LimitReached
from unpuzzle.limits import Limits
from unpuzzle.pddl import Task, parse_task
from unpuzzle.planning import registry

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
    monkeypatch.setattr(reasons, "excuses", ending(LimitReached("timeout", "the time limit was reached")))
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
    monkeypatch.setattr(reasons, "excuses", ending(KeyboardInterrupt()))
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
