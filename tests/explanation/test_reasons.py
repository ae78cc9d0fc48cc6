"""explain(): the reason why there is no plan is true, and removing it makes a plan."""

import json
import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

import unpuzzle
from random_members import ground_fluents
from support.modules import ROOT
from support.random_tasks import random_task
from support.river import CROSSING, RIVER, ROADS, delivery
from support.thorough import THOROUGH
from unpuzzle.base.outcomes import BROKEN, UNSOLVABLE
from unpuzzle.cli import main
from unpuzzle.explanation.excuses import excuses
from unpuzzle.explanation.reasons import MUTEX, NO_ACHIEVER, Explanation, explain, explain_level, explain_unsolvable
from unpuzzle.pddl import Atom, Problem, Task, parse_task
from unpuzzle.pddl.nodes import And
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.planning import registry
from unpuzzle.planning.result import Result

DOCS = ROOT / "docs" / "howto" / "pddl" / "solve.md"
TWO_TOWNS = "(at t a) (lies k b) (road a b) (road b a) (road c d) (road d c)"


def of_delivery(init: str, goal: str) -> Explanation:
    return explain(parse_task(ROADS, delivery(init, goal)))


def mended(task: Task, explanation: Explanation) -> Task:
    """Return the task with the changes of the start that its first excuse names."""
    excuse = explanation.excuses[0]
    init = {str(atom): atom for atom in task.problem.init}
    for fact in excuse.delete:
        del init[fact]
    for fact in excuse.add:
        predicate, *arguments = fact.strip("()").split()
        init[fact] = Atom(predicate, tuple(arguments))
    problem = task.problem
    changed = Problem(
        problem.name,
        problem.domain_name,
        (),
        problem.objects,
        tuple(init.values()),
        problem.values,
        problem.goal,
        problem.metric,
    )
    return Task(task.domain, changed)


@pytest.mark.parametrize(
    ("init", "goal", "kind", "words"),
    [
        (f"{TWO_TOWNS} (gate b c)", "(lies k d)", NO_ACHIEVER, "(key t)"),
        (TWO_TOWNS, "(lies k d)", NO_ACHIEVER, "(at t …) can only be true for a and b"),
        ("(at t a)", "(road a b)", NO_ACHIEVER, "no action changes it"),
        (TWO_TOWNS, "(at t a) (at t b)", MUTEX, "at most one fact of the form (at t …)"),
        ("(at t a) (lies k b) (lies l c) (road a b) (road a c)", "(in k t) (in l t)", MUTEX, "pairs of facts, h^2"),
    ],
)  # fmt: skip
def test_reasons(init: str, goal: str, kind: str, words: str) -> None:
    explanation = of_delivery(init, goal)
    assert (explanation.solvable, explanation.kind) == (False, kind)
    assert words in str(explanation)


SHOP = """(define (domain shop) (:requirements :strips :typing) (:types coin thing)
  (:predicates (mine ?c - coin) (sold ?t - thing) (have ?t - thing))
  (:action buy :parameters (?t - thing ?c - coin)
    :precondition (and (mine ?c) (sold ?t)) :effect (and (not (mine ?c)) (not (sold ?t)) (have ?t)))
  (:action swap :parameters (?c ?other - coin)
    :precondition (mine ?c) :effect (and (not (mine ?c)) (mine ?other)))
  (:action earn :parameters (?c - coin) :precondition (mine ?c) :effect (mine ?c)))
"""
SHOPPING = """(define (problem three) (:domain shop) (:objects one two - coin apple bread milk - thing)
  (:init (mine one) (mine two) (sold apple) (sold bread) (sold milk))
  (:goal (and (have apple) (have bread) (have milk))))
"""


def test_what_is_scarce_is_named() -> None:
    """Coins that are spent; not coins that are changed for each other, and not what is wanted itself."""
    once = SHOP[: SHOP.index("  (:action swap")] + ")"
    reasons = explain(parse_task(once, SHOPPING)).reasons
    assert reasons[1].text.startswith("there is too little of (mine ?c): buy uses it up, and no action restores it")
    assert reasons[1].actions == ("buy",)
    assert len(explain(parse_task(SHOP, SHOPPING)).reasons) == 1
    enough = SHOPPING.replace("one two - coin", "one two - coin rare - thing").replace("have milk", "have rare")
    assert not [each for each in explain(parse_task(once, enough)).reasons if "too little" in each.text]


def test_what_is_used_up_may_be_said_of_all_objects_and_under_a_condition() -> None:
    spent = "(forall (?each - coin) (when (= ?each ?c) (not (mine ?each))))"
    domain = (SHOP[: SHOP.index("  (:action swap")] + ")").replace(
        "(and (not (mine ?c))", f"(and (not (mine ?c)) {spent}"
    )
    reasons = explain(parse_task(domain.replace(":typing", ":adl"), SHOPPING)).reasons
    assert reasons[1].text.startswith("there is too little of (mine ?c): buy uses it up")


def test_of_several_objects_that_would_do_none_is_named() -> None:
    task = (
        delivery(TWO_TOWNS, "(lies k d)").replace("t - truck", "t u - truck").replace("(at t a)", "(at t a) (at u b)")
    )
    reasons = explain(parse_task(ROADS, task)).reasons
    assert reasons[1].text == "only unload makes (lies k d) true, and it needs (at ?t d) for some ?t"


DOORS = """(define (domain doors) (:requirements :typing) (:types room door)
  (:predicates (hole ?a ?b - room) (joins ?d - door ?a ?b - room) (at ?r - room) (open ?d - door) (shut ?d - door))
  (:action crawl :parameters (?a ?b - room) :precondition (and (at ?a) (hole ?a ?b))
    :effect (and (not (at ?a)) (at ?b)))
  (:action walk :parameters (?a ?b - room ?d - door) :precondition (and (at ?a) (joins ?d ?a ?b) (open ?d))
    :effect (and (not (at ?a)) (at ?b)))
  (:action shut :parameters (?d - door) :precondition (open ?d) :effect (and (not (open ?d)) (shut ?d))))"""


@pytest.mark.parametrize(("goal", "named"), [("b", {"(open d)"}), ("c", {"(hole a c)", "(hole b c)"})])
def test_the_fewest_changes_come_first(goal: str, named: set[str]) -> None:
    """Where one fact suffices it is that a door is open, which is shut, and no hole in a wall."""
    start = "(at a) (joins d a b) (joins e b c) (shut d) (shut e)"
    problem = (
        f"(define (problem p) (:domain doors) (:objects a b c - room d e - door) (:init {start}) (:goal (at {goal})))"
    )
    task = parse_task(DOORS, problem)
    excuse = excuses(task)[0]
    assert excuse.fewest
    assert (len(excuse.add), named.issuperset(excuse.add)) == (1, True)


def test_a_solvable_task_has_a_first_step() -> None:
    explanation = explain(parse_task(RIVER, CROSSING))
    assert (explanation.solvable, explanation.kind, explanation.reasons) == (True, "", ())
    assert explanation.step == "(row left right goat)"


def test_why_an_action_is_not_applicable() -> None:
    task = parse_task(ROADS, delivery(f"{TWO_TOWNS} (gate b c)", "(lies k b)"))
    later = explain(task, action="(load k t b)")
    assert later.solvable
    assert str(later).startswith("at the start (at t b) is false\nit becomes applicable: 1 action from here")
    never = explain(task, action="(load k t d)")
    assert never.solvable is False
    assert "(load k t d) is never applicable" in str(never)
    assert explain(task, action="(drive t a b)").step == "(drive t a b)"


def reachable_states(task: Task, most: int = 300) -> list[frozenset[Atom]]:
    """Return all states that the reference semantics reach; none if there are more than `most`."""
    semantics = Semantics(task)
    seen = {semantics.initial: None}
    queue = [semantics.initial]
    while queue and len(seen) <= most:
        state = queue.pop()
        after = [semantics.apply(state, action) for action in semantics.applicable(state)]
        new = [each for each in after if each not in seen]
        seen.update(dict.fromkeys(new))
        queue += new
    return [] if queue else list(seen)


def test_of_random_tasks_those_without_a_plan_have_a_reason_and_no_others() -> None:
    """One action is left, so that states are few; the goal is two facts, in half of them such as can be reached."""
    kinds = Counter[str]()
    for seed in range(1000 if THOROUGH else 60):
        rng, task = Random(seed), random_task(Random(seed))
        task = task.replace(domain=task.domain.replace(actions=(rng.choice(task.domain.actions),)))
        found = reachable_states(task)
        facts = sorted({fact for state in found for fact in state}, key=str) if seed % 2 else ground_fluents(task)
        if found and len(facts) > 1:
            wanted = rng.sample(facts, 2)
            task = task.replace(problem=task.problem.replace(goal=And(tuple(wanted))))
            explanation, solvable = explain(task), any(state.issuperset(wanted) for state in found)
            assert (explanation.solvable, bool(explanation.reasons)) == (solvable, not solvable), seed
            kinds[explanation.kind] += 1
            if explanation.excuses and not explanation.excuses[0].drop:
                assert unpuzzle.solve(mended(task, explanation)).solved, seed
    assert min(kinds[""], kinds.total() - kinds[""]) >= 10, kinds


def test_the_command_and_the_lines_below_unsolvable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "domain.pddl").write_text(ROADS)
    (tmp_path / "p.pddl").write_text(delivery(f"{TWO_TOWNS} (gate b c)", "(lies k d)"))
    files = [str(tmp_path / "domain.pddl"), str(tmp_path / "p.pddl")]
    assert main(["explain", *files, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["schema"], answer["kind"]) == ("unpuzzle/explanation/1", NO_ACHIEVER)
    assert answer["excuses"] == [{"add": ["(key t)"], "delete": [], "drop": [], "fewest": True}]
    assert main(["plan", *files]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[-2:] == [
        "unpuzzle: nothing can ever make (lies k d) true, which the goal needs",
        "unpuzzle: it would be solvable if (key t) were true at the start",
    ]


def test_the_docs_show_what_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command, *lines = re.findall(r"```console\n\$ (unpuzzle explain roads.pddl .*?)```", DOCS.read_text(), re.S)[
        0
    ].split("\n")
    (tmp_path / "roads.pddl").write_text(ROADS)
    closed = "(at t a) (lies k b) (road a b) (road b a) (gate b c)"
    (tmp_path / "closed.pddl").write_text(delivery(closed, "(lies k c)"))
    assert main([str(tmp_path / word) if "." in word else word for word in command.split()[1:]]) == 0
    assert capsys.readouterr().out.split("\n") == lines


FORALL = """(define (domain lamps) (:requirements :adl) (:types lamp colour)
  (:predicates (lit ?l - lamp) (wired ?l - lamp) (spare ?l - lamp) (red ?c - colour))
  (:action light :parameters (?l - lamp)
    :precondition (or (wired ?l) (exists (?m - lamp) (and (spare ?m) (lit ?m)))) :effect (lit ?l))
  (:action paint :parameters (?l - lamp ?c - colour) :precondition (red ?c) :effect (spare ?l)))"""


def test_a_goal_of_all_objects_and_alternatives_are_followed() -> None:
    problem = "(define (problem p) (:domain lamps) (:objects a b - lamp) (:init) (:goal (forall (?l - lamp) (lit ?l))))"
    *lines, excuse = str(explain(parse_task(FORALL, problem))).split("\n")
    assert lines == [
        "nothing can ever make (forall (?l - lamp) (lit ?l)) true, which the goal needs",
        "that needs (lit a)",
        "only light makes (lit a) true, and it needs (wired a) (no alternative can become true)",
        "(wired a) is false at the start, and no action changes it",
    ]
    assert excuse in [
        f"it would be solvable if (spare {lamp}) and (wired {lamp}) were true at the start" for lamp in "ab"
    ]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("sudoku", "55" + "." * 79, "row 1 has 5 twice, at r1c1 and r1c2"),
        ("sliding-tiles", "0 2 1\n3 4 5\n", "parity: "),
    ],
)
def test_what_the_game_knows_at_once_is_told_first(name: str, text: str, said: str) -> None:
    """A pair of facts far away was named instead, although the game says in a few words what is wrong."""
    explanation = explain_level(unpuzzle.find(name).parse(text))
    assert explanation.solvable is False
    assert explanation.reasons[0].text.startswith(said)


def test_a_false_proof_is_refuted_by_the_states_that_are_searched(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each part of the goal can be reached, too, so that no smaller set of them is the reason."""
    texts = ROADS, delivery(TWO_TOWNS, "(at t b) (in k t)")
    task = parse_task(*texts)
    explanation = explain_unsolvable(task)
    assert explanation.solvable
    assert "the proof that there is no plan is wrong" in str(explanation)
    assert "cannot" not in str(explanation)
    planner = registry.find("native:blind")
    monkeypatch.setattr(type(planner), "solve", lambda *_, **__: Result(UNSOLVABLE, "native:blind"))
    monkeypatch.setattr("unpuzzle.explanation.reasons.solve", lambda *_, **__: pytest.fail("no planner is asked"))
    files = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    assert main(["solve", *map(str, files), "--planner", "native:blind"]) == BROKEN
    assert "holds in a state that can be reached" in capsys.readouterr().err


COLOURS = """(define (domain colours) (:requirements :typing :negative-preconditions :disjunctive-preconditions)
  (:types tube colour - object primary - colour)
  (:predicates (has ?t - tube ?c - colour) (gives ?a ?b ?c - colour) (shut ?t - tube)
    (link ?a ?b - tube) (done ?b - tube))
  (:action pour :parameters (?a ?b - tube ?c - colour) :precondition (has ?a ?c)
    :effect (and (not (has ?a ?c)) (has ?b ?c)))
  (:action mix :parameters (?a - tube ?x ?y - primary ?z - colour)
    :precondition (and (has ?a ?x) (gives ?x ?y ?z)) :effect (has ?a ?z))
  (:action end :parameters (?a ?b - tube) :precondition (and (or (link ?a ?b) (link ?b ?a)) (not (shut ?b)))
    :effect (done ?b)))"""


def of_colours(init: str, goal: str) -> str:
    objects = "t1 t2 - tube red blue - primary green brown - colour"
    problem = f"(define (problem p) (:domain colours) (:objects {objects}) (:init {init}) (:goal {goal}))"
    return str(explain(parse_task(COLOURS, problem)))


def test_a_chain_names_all_actions_and_the_types_for_which_a_fact_is_false() -> None:
    lines = of_colours("(has t1 red) (gives green red brown)", "(has t2 brown)").splitlines()
    assert (
        lines[1]
        == "only pour and mix make (has t2 brown) true; mix never can, and pour needs (has ?a brown) for some ?a"
    )
    assert "(gives ?x ?y brown) is false at the start for every ?x ?y - primary, and no action changes it" in lines


def test_a_chain_into_a_fact_that_needs_itself_says_so() -> None:
    texts = [reason.text for reason in of_delivery("(lies k b) (road a b) (road b a)", "(at t b)").reasons]
    assert texts[-1].startswith("so one such fact must be true first, and none is true at the start")


def test_a_condition_that_all_ways_lack_is_named_alone() -> None:
    lines = of_colours("(shut t2) (link t1 t2)", "(done t2)").splitlines()
    assert lines[1] == "only end makes (done t2) true, and it needs (not (shut t2))"


TRUCK = """(define (domain trucks) (:requirements :strips :typing) (:types truck package city)
  (:predicates (truck-at ?t - truck ?c - city) (pkg-at ?p - package ?c - city) (in ?p - package ?t - truck))
  (:action drive :parameters (?t - truck ?from ?to - city) :precondition (truck-at ?t ?from)
    :effect (and (truck-at ?t ?to) (not (truck-at ?t ?from))))
  (:action load :parameters (?p - package ?t - truck ?c - city) :precondition (and (pkg-at ?p ?c) (truck-at ?t ?c))
    :effect (and (in ?p ?t) (not (pkg-at ?p ?c))))
  (:action unload :parameters (?p - package ?t - truck ?c - city) :precondition (and (in ?p ?t) (truck-at ?t ?c))
    :effect (and (pkg-at ?p ?c) (not (in ?p ?t)))))"""


def explained_truck(tmp_path: Path, capsys: pytest.CaptureFixture[str], domain: str, goal: str) -> str:
    problem = f"""(define (problem two) (:domain trucks)
  (:objects t - truck p q - package a b c - city)
  (:init (truck-at t a) (pkg-at p a) (pkg-at q b))
  (:goal (and {goal})))"""
    for name, content in (("domain.pddl", domain), ("two.pddl", problem)):
        (tmp_path / name).write_text(content)
    main(["explain", str(tmp_path / "domain.pddl"), str(tmp_path / "two.pddl")])
    return capsys.readouterr().out


BOTH = "(pkg-at p c) (pkg-at q a)"


def test_dropping_one_precondition_comes_before_a_truck_in_several_cities(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = TRUCK.replace(":precondition (truck-at ?t ?from)", ":precondition (truck-at ?t ?to)")
    said = explained_truck(tmp_path, capsys, broken, BOTH).splitlines()
    assert "so (truck-at t c) needs itself first, and is not true at the start" in said
    excuses_said = [line for line in said if "it would" in line]
    assert excuses_said[0] == "it would be solvable if drive did not need (truck-at ?t ?to)"
    assert len(excuses_said) == 2
    assert excuses_said[1].count("(truck-at t ") == 2


def test_an_explanation_without_an_excuse_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = explained_truck(tmp_path, capsys, TRUCK, "(in p t) (pkg-at p c)")
    assert "no change of the start or of preconditions was found that makes it solvable" in said
    assert "it would be solvable" not in said


def test_a_predicate_that_no_action_adds_is_named_and_the_nearest_miss_is_a_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    never = TRUCK.replace("(and (pkg-at ?p ?c) (not (in ?p ?t)))", "(not (in ?p ?t))")
    said = explained_truck(tmp_path, capsys, never, "(pkg-at p c) (truck-at t b)")
    assert "(pkg-at p c) is false at the start, and no action makes any fact of pkg-at true" in said
    assert "nearest miss, after 1 action, (drive t a b): 1 of 2 parts is missing: (pkg-at p c)" in said
    assert "positions" not in said
