"""Explanations name why a task has no plan, and every command accepts what lint only warns about."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.causes import CAUSES
from unpuzzle.checking.reasons import explain
from unpuzzle.cli import main
from unpuzzle.pddl import parse_task
from unpuzzle.planning import registry

pytestmark = pytest.mark.skipif(registry.missing("native") is not None, reason="the core is not compiled")


@pytest.mark.parametrize("cause", CAUSES)
def test_an_explanation_names_the_cause(cause: str) -> None:
    domain, problem, words = CAUSES[cause]
    explanation = explain(parse_task(domain, problem))
    assert explanation.solvable is False
    assert words in str(explanation)


WIDE = """(define (domain zoo) (:requirements :adl :derived-predicates)
  (:types animal place - object bird fish - animal)
  (:predicates (in ?a - animal ?p - place) (wings ?b - bird) (fed ?a - animal) (glad ?b - bird)
    (ring ?b - bird ?p - place))
  (:derived (glad ?b - bird) (fed ?b))
  (:action feed :parameters (?a - animal ?p - place) :precondition (and (in ?a ?p) (not (wings ?a)) (ring ?a ?p))
    :effect (and (fed ?a) (wings ?a)))
  (:action fly :parameters (?a - animal ?p ?q - place) :precondition (and (in ?a ?p) (wings ?a))
    :effect (and (in ?a ?q) (not (in ?a ?p)) (forall (?x - object) (when (wings ?x) (wings ?a))))))"""
DAY = """(define (problem day) (:domain zoo) (:objects eel - fish owl - bird pond tree - place)
  (:init (in eel pond) (in owl tree) (wings owl) (ring owl pond))
  (:goal (and (fed eel) (exists (?a - animal) (and (glad ?a) (not (wings ?a)))))))"""


@pytest.mark.parametrize(
    "words",
    ["explain", "explain --json", "explain --actions", "plan", "explore", "pddl", "draw", "validate plan", "lint"],
)
def test_variables_of_wider_types_are_borne_by_every_command(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lint warns of `(ring ?a ?p)` for an animal; the explanation died of `(ring eel pond)`, which nobody wrote."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("d.pddl", WIDE), ("p.pddl", DAY), ("plan", "")):
        Path(name).write_text(text)
    command, *rest = words.split()
    assert main([command, "d.pddl", "p.pddl", *rest]) < 2
    if command == "explain" and not rest:
        assert "only feed makes (fed eel) true, and it needs (ring eel ?p) for some ?p" in capsys.readouterr().out


def test_a_plan_that_fails_names_the_types_of_a_goal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the type, `(exists (?c) (fed ?c))` may be true of other objects."""
    domain, problem, _ = CAUSES["some object of a type without any"]
    names = [str(tmp_path / name) for name in ("d.pddl", "p.pddl", "plan")]
    for name, text in zip(names, (domain, problem, ""), strict=True):
        Path(name).write_text(text)
    for form in ([], ["--json"]):
        assert main(["validate", *names, *form]) == 1
        assert "(exists (?c - cat) (fed ?c))" in capsys.readouterr().out
