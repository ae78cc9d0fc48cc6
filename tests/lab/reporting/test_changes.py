"""An experiment against an older one."""

from __future__ import annotations

from support.runs import made, noisy
from unpuzzle.lab.reporting import report
from unpuzzle.lab.reporting.changes import Changes
from unpuzzle.lab.runs import Run


def compared(old: list[Run], new: list[Run]) -> Changes:
    changes = report(new, compare=old).changes
    assert changes is not None
    return changes


def kinds(changes: Changes) -> list[tuple[str, str]]:
    return [(change.kind, change.task) for change in changes.tasks]


def test_equal_runs_have_no_changes() -> None:
    runs = noisy({"a": 1.0})
    changes = compared(runs, noisy({"a": 1.0}))
    assert not changes.tasks
    assert not changes.is_worse
    assert changes.paces[0].ratio == 1


def test_what_is_lost_and_dearer_comes_first() -> None:
    old = [made(task="p1"), made(task="p2", status="timeout"), made(task="p3", cost=5), made(task="p4", cost=9)]
    new = [made(task="p1", status="timeout"), made(task="p2"), made(task="p3", cost=6), made(task="p4", cost=8)]
    changes = compared(old, new)
    assert kinds(changes) == [("lost", "p1"), ("dearer", "p3"), ("gained", "p2"), ("cheaper", "p4")]
    assert changes.is_worse
    assert not compared([*new[1:2], new[3]], [*new[1:2], new[3]]).is_worse


def test_a_part_of_the_runs_may_be_chance() -> None:
    old = [made(repetition=number) for number in range(3)]
    new = [made(repetition=0), made(repetition=1), made(status="timeout", repetition=2)]
    changes = compared(old, new)
    assert kinds(changes) == [("rarer", "p1")]
    assert not changes.is_worse


def test_slower_by_more_than_noise() -> None:
    changes = compared(noisy({"a": 1, "b": 1}), noisy({"a": 2, "b": 1.0}, seed=5))
    paces = {pace.planner: pace for pace in changes.paces}
    assert paces["a"].noise is False
    assert 1.8 < (paces["a"].ratio or 0) < 2.2
    assert paces["b"].noise is True
    assert ("slower", "p3") in [(change.kind, change.task) for change in changes.tasks if change.planner == "a"]
    assert changes.is_worse
    assert not compared(noisy({"a": 2}), noisy({"a": 1}, seed=5)).is_worse


def test_nothing_is_said_of_noise_without_repetitions() -> None:
    changes = compared(noisy({"a": 1}, repeat=1), noisy({"a": 5}, repeat=1))
    assert [pace.noise for pace in changes.paces] == [None]
    assert not changes.tasks
    assert not changes.is_worse


def test_planners_are_matched_by_their_labels() -> None:
    old = [made(versions={"unpuzzle": "1"}), made("gone")]
    new = [made(versions={"unpuzzle": "2"}, limits={"time": 5.0}), made("new")]
    changes = compared(old, new)
    assert [pace.planner for pace in changes.paces] == ["a"]
    assert changes.notes == (
        "a had other limits in the older experiment",
        "new is not in the older experiment",
        "gone is in the older experiment only",
    )


def test_answers_that_contradict_older_ones_are_faults() -> None:
    old = [made(status="solved_optimally", cost=5), made("b", "p2", "error")]
    made_report = report([made(status="solved_optimally", cost=6)], compare=old)
    assert [fault.kind for fault in made_report.faults] == ["contradiction"]
    assert "5 (a (older)), 6 (a)" in made_report.faults[0].text
