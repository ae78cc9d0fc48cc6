"""`explain DOMAIN PROBLEM --actions` lists the actions that are never applicable, each with its reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.causes import CAUSES
from support.mutated_starts import DOORS, FLAT
from unpuzzle.checking.applicability import explain_actions
from unpuzzle.cli import main
from unpuzzle.limits import Limits
from unpuzzle.pddl import parse_task
from unpuzzle.planning import registry

pytestmark = pytest.mark.skipif(registry.missing("native") is not None, reason="the core is not compiled")


def listed(cause: str) -> list[str]:
    return [str(each) for each in explain_actions(parse_task(*CAUSES[cause][:2]))]


def test_each_action_has_its_reason() -> None:
    assert explain_actions(parse_task(DOORS, FLAT)) == ()
    assert listed("there is no truck") == [
        f"{name} is never applicable\nthat needs an object of type truck (there is none)"
        for name in ("drive", "load", "unload")
    ]
    assert listed("a condition on the wrong thing")[0] == (
        "grab is never applicable\n"
        "that needs (lies brass attic) or (lies steel roof)\n"
        "(lies brass attic) is false at the start, and no action makes it true"
    )


def test_conditions_of_an_action_that_exclude_each_other_are_named() -> None:
    """Nothing is said of other goals, since a precondition has none."""
    assert listed("conditions that exclude each other") == [
        "stack is never applicable\nits precondition asks for both (held ?x) and (empty), but at most one fact of the"
        " form (empty) or (held …) is true at a time"
    ]


def test_what_a_limit_leaves_open_is_not_called_never_applicable() -> None:
    found = explain_actions(parse_task(*CAUSES["there is no truck"][:2]), limits=Limits(1e-9))
    assert {(each.action, each.solvable, each.status) for each in found} == {
        (name, None, "timeout") for name in ("drive", "load", "unload")
    }


def test_the_command_lists_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(tmp_path / name) for name in ("d.pddl", "p.pddl")]
    for name, text in zip(names, CAUSES["there is no truck"][:2], strict=True):
        Path(name).write_text(text)
    assert main(["explain", *names, "--actions", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [(each["action"], each["solvable"]) for each in answer] == [
        (name, False) for name in ("drive", "load", "unload")
    ]
    assert main(["explain", *names, "--actions", "--action", "(load k t a)"]) == 2
    Path(names[0]).write_text(DOORS)
    Path(names[1]).write_text(FLAT)
    capsys.readouterr()
    assert main(["explain", *names, "--actions"]) == 0
    assert capsys.readouterr().out == "every action is applicable in some state that can be reached\n"


def test_no_action_leads_away_from_the_start() -> None:
    domain = """(define (domain d) (:requirements :negative-preconditions) (:types c)
      (:predicates (on ?a ?b - c) (under ?b - c))
      (:derived (under ?b - c) (exists (?a - c) (on ?a ?b)))
      (:action take :parameters (?a ?b - c)
        :precondition (and (not (under ?a)) (on ?a ?b)) :effect (not (on ?a ?b))))"""
    problem = "(define (problem p) (:domain d) (:objects a b - c) (:init (on a b) (on b a)) (:goal (not (on a b))))"
    (found,) = explain_actions(parse_task(domain, problem))
    assert str(found).splitlines()[1] == "no action leads away from the start, where its precondition does not hold"
