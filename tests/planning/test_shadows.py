"""Walkers whose steps change, beside their place, what only says where nobody is."""

from __future__ import annotations

import pytest

from support.data import IPC, needs_ipc
from unpuzzle.pddl import parse_domain, parse_problem, read
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.walker_detection import shadows_of
from unpuzzle.planning.planner import OBJECTIVES, SearchOptions
from unpuzzle.planning.running import run
from unpuzzle.planning.walking import walker_of, weigh
from unpuzzle.translators import find

STONES = """(define (domain stones) (:requirements :typing) (:types thing place - object player stone - thing)
 (:predicates (clear ?c - place) (at ?t - thing ?c - place) (next ?a ?b - place)
  (line ?a ?b ?c - place))
 (:action step :parameters (?p - player ?a ?b - place)
  :precondition (and (at ?p ?a) (clear ?b) (next ?a ?b))
  :effect (and (not (at ?p ?a)) (at ?p ?b) (clear ?a) (not (clear ?b))))
 (:action push :parameters (?p - player ?s - stone ?a ?b ?c - place)
  :precondition (and (at ?p ?a) (at ?s ?b) (clear ?c) (line ?a ?b ?c))
  :effect (and (not (at ?p ?a)) (at ?p ?b) (clear ?a) (not (at ?s ?b)) (at ?s ?c) (not (clear ?c)))))"""
# a b c d e  in a row, and a way round the stone on c over f g h:
#   f g h   from b to d
NEXT = "ab bc cd de bf fg gh hd"
LINES = "abc bcd cde"


def stones(*, clear: str = "adefgh") -> Task:
    domain = parse_domain(STONES)
    pairs = [pair for edge in NEXT.split() for pair in (edge, edge[::-1])]
    lines = [line for row in LINES.split() for line in (row, row[::-1])]
    facts = [f"(next {a} {b})" for a, b in pairs] + [f"(line {a} {b} {c})" for a, b, c in lines]
    facts += [f"(clear {c})" for c in clear]
    text = f"""(define (problem p) (:domain stones) (:objects p - player s - stone {" ".join("abcdefgh")} - place)
      (:init (at p b) (at s c) {" ".join(facts)}) (:goal (and (at s a) (at p e))))"""
    return Task(domain, parse_problem(text, domain))


def test_walking_changes_what_is_clear() -> None:
    task = stones()
    assert shadows_of(task.domain, task.problem) == {("at", 1): "clear"}
    walker = walker_of(task)
    assert walker is not None
    assert walker.name == "(at p ?)"


@pytest.mark.parametrize("clear", ["acdefgh", "defgh"])
def test_what_is_clear_at_the_start_must_be_where_nobody_is(clear: str) -> None:
    """Else an action might find a place clear that is not, or none where nobody is: it is more than a shadow."""
    task = stones(clear=clear)
    if clear == "defgh":
        assert shadows_of(task.domain, task.problem) == {("at", 1): "clear"}
        return
    assert shadows_of(task.domain, task.problem) == {}
    assert walker_of(task) is None


def test_where_several_things_are_moved_by_one_schema_none_walks() -> None:
    """The smallest disc of Hanoi can be put down anywhere, but nobody would say that it walks."""
    game = find("hanoi")
    assert walker_of(game.parse(game.levels["3"])) is None


def test_one_blank_is_a_thing_and_no_shadow() -> None:
    assert walker_of(find("sliding-tiles").parse("1 0\n2 3\n").task()) is None


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_planner_and_its_twin(objective: str) -> None:
    options = SearchOptions(objective=objective)
    native, twin = (run(planner, stones(), options=options) for planner in ("native", "reference"))
    assert native.status == twin.status == "solved_optimally"
    assert native.pushes == 2
    assert weigh(objective, native.cost or 0, native.pushes or 0) == weigh(objective, twin.cost or 0, twin.pushes or 0)


RUN = """(:action run :parameters (?p - player ?a ?b - place)
  :precondition (and (at ?p ?a) (next ?b ?a)) :effect (and (not (at ?p ?a)) (at ?p ?b) (clear ?a) %s))"""


@pytest.mark.parametrize("planner", ["native", "reference"])
@pytest.mark.parametrize("clear", ["(not (clear ?b))", "(when (clear ?b) (not (clear ?b)))", ""])
def test_where_a_second_action_breaks_what_is_clear_nobody_knows_who_walks(planner: str, clear: str) -> None:
    """It does not ask that the place is clear. Steps that change what is clear would count as pushes."""
    task = stones()
    domain = parse_domain(STONES[:-1] + RUN % clear + ")")
    assert shadows_of(domain, task.problem) == {}
    broken = Task(domain, task.problem)
    assert walker_of(broken) is None
    result = run(planner, broken, options=SearchOptions(objective="pushes"))
    assert result.status == "unsupported"
    assert "proved" in result.message


GATES = """(define (domain gates) (:requirements :adl) (:predicates (at ?a) (road ?a ?b) (open ?a) (got))
 (:action go :parameters (?a ?b) :precondition (and (at ?a) (road ?a ?b)) :effect %s)
 (:action shut :parameters (?a) :precondition (and (at ?a) (open ?a)) :effect (and (not (open ?a)) (got))))"""
GO = {
    "back sometimes": "(and (not (at ?a)) (at ?b) (when (not (open ?a)) (got)))",
    "under a condition": "(when (open ?b) (and (not (at ?a)) (at ?b)))",
}


@pytest.mark.parametrize("kind", GO)
@pytest.mark.parametrize("objective", OBJECTIVES[1:])
def test_what_walks_in_some_states_only_is_counted_step_by_step(kind: str, objective: str) -> None:
    walk = (
        "(:action go2 :parameters (?a ?b) :precondition (and (at ?a) (road ?b ?a)) :effect (and (not (at ?a)) (at ?b)))"
    )
    domain = parse_domain((GATES % GO[kind]).replace("(:action shut", f"{walk} (:action shut"))
    text = """(define (problem p) (:domain gates) (:objects a b c)
      (:init (at a) (open b) (open c) (road a b) (road b c) (road b a)) (:goal (and (got) (at c))))"""
    task = Task(domain, parse_problem(text, domain))
    options = SearchOptions(objective=objective)
    native, twin = (run(planner, task, options=options) for planner in ("native", "reference"))
    assert native.status == twin.status == "solved_optimally"
    assert native.planner == "native"
    assert (native.cost, native.pushes) == (twin.cost, twin.pushes)
    counts = run("native", task, options=SearchOptions(1, objective=objective))
    assert counts.status in ("unsupported", "gave_up")


@needs_ipc
def test_pushes_of_the_ipc() -> None:
    folder = IPC / "sokoban-opt11-strips" / "p01"
    result = run(
        "native", read(folder / "domain.pddl", folder / "problem.pddl"), options=SearchOptions(objective="pushes")
    )
    assert result.status == "solved_optimally"
    assert result.pushes == result.cost  # of a walk it is 0


@needs_ipc
@pytest.mark.parametrize("level", ["p01", "p05"])
def test_the_default_folds_walks_that_cost_nothing(level: str) -> None:
    folder = IPC / "sokoban-opt11-strips" / level
    task = read(folder / "domain.pddl", folder / "problem.pddl")
    folded, plain = run("native", task), run("native:blind", task)
    assert (folded.status, folded.cost) == (plain.status, plain.cost)
    assert (folded.expanded or 0) * 5 < (plain.expanded or 0)


SHOVES = """(define (domain shoves) (:types cell)
 (:predicates (shove ?a ?b ?c - cell) (at ?a - cell) (box ?a - cell) (clear ?a - cell))
 (:action push :parameters (?a {0} {1} - cell)
  :precondition (and (at ?a) (shove ?a {0} {1}) (box {0}) (clear {1}))
  :effect (and (not (at ?a)) (at {0}) (not (box {0})) (clear {0}) (box {1}) (not (clear {1})))))"""


@pytest.mark.parametrize("names", [("?b", "?c"), ("?c", "?b"), ("?x", "?y"), ("?y", "?x")])
def test_names_of_variables_mean_nothing(names: tuple[str, str]) -> None:
    """The place that a box leaves may be taken by two things, the place that it reaches only by one."""
    assert shadows_of(parse_domain(SHOVES.format(*names))) == {("box", 0): "clear", ("clear", 0): "box"}
