"""The script that compares planners on random tasks, on a few of them."""

from __future__ import annotations

import runpy

import pytest

from support.adl_texts import adl_texts
from support.modules import ROOT
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.planners.external import fast_downward
from unpuzzle.planners.external.fast_downward_mutexes import without_false_mutexes
from unpuzzle.result import SOLVED_OPTIMALLY, UNSOLVABLE

SCRIPT = runpy.run_path(str(ROOT / "scripts" / "compare_planners.py"))


def test_some_tasks_of_the_thousands_that_the_script_takes() -> None:
    for first in (0, SCRIPT["LOOSE"], SCRIPT["SHARED"]):
        counts, differences = SCRIPT["chunk"](first, 20, SCRIPT["OURS"])
        assert not differences
        assert {name for name, _ in counts} == {*SCRIPT["OURS"], "rewritten for Fast Downward"}


def test_fast_downward_errs_in_tasks_with_shared_parameters_that_are_not_rewritten() -> None:
    if fast_downward.missing() is not None:
        pytest.skip("Fast Downward is not installed")
    by_fast_downward, task_of = SCRIPT["by_fast_downward"], SCRIPT["task_of"]
    subjects = [task_of(SCRIPT["SHARED"] + number) for number in (4, 10, 27, 32)]
    assert all(by_fast_downward(subject)[0] == SOLVED_OPTIMALLY for subject in subjects)
    by_fast_downward.__globals__["without_false_mutexes"] = lambda subject: (subject, {})
    try:
        assert all(by_fast_downward(subject)[0] == UNSOLVABLE for subject in subjects)
    finally:
        by_fast_downward.__globals__["without_false_mutexes"] = without_false_mutexes


def test_loose_tasks_have_what_others_lack() -> None:
    texts = [adl_texts(seed) for seed in range(60)]
    assert texts == [adl_texts(seed) for seed in range(60)]
    domains = "".join(domain for domain, _ in texts)
    for part in ("(either ", "- u)", "e - b b - a", "(a ?", "(or )"):
        assert part in domains, part
    tasks = [parse_task(*each) for each in texts]
    declared = [{predicate.name: predicate.parameters for predicate in task.domain.predicates} for task in tasks]
    assert any(
        axiom.head.parameters
        and [p.types for p in axiom.head.parameters] != [p.types for p in parameters[axiom.head.name]]
        for task, parameters in zip(tasks, declared, strict=True)
        for axiom in task.domain.axioms
    )


def test_fast_downward_answers_tasks_with_and_without_axioms() -> None:
    if fast_downward.missing() is not None:
        pytest.skip("Fast Downward is not installed")
    statuses = {SCRIPT["by_fast_downward"](SCRIPT["task_of"](seed))[0] for seed in range(1, 5)}
    assert statuses <= {SOLVED_OPTIMALLY, UNSOLVABLE}


def test_a_difference_is_seen() -> None:
    agree = SCRIPT["agree"]
    assert agree(
        {"a": ("solved_optimally", 3), "b": ("solved_optimally", 3), "c": ("solved", 5), "d": ("unsupported", None)}
    )
    assert agree({"a": ("timeout", None), "b": ("unsolvable", None)})
    assert not agree({"a": ("solved_optimally", 3), "b": ("solved_optimally", 4)})
    assert not agree({"a": ("unsolvable", None), "b": ("solved", 4)})
