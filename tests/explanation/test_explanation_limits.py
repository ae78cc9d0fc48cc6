"""What is known when a limit ends an explanation is told, and what the limit cut off."""

import json
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from support.causes import CAUSES
from support.command_line import run
from support.limited import within
from support.mutated_starts import BLOCKS, DOORS, FLAT, HOUSE, LIFT, TOWER, judged, mutants
from support.river import ROADS, delivery
from unpuzzle import find
from unpuzzle.base.errors import Interrupted, LimitReached
from unpuzzle.base.run import Limits
from unpuzzle.cli import main
from unpuzzle.explanation import excuses, reasons
from unpuzzle.explanation.excuses import Excuse
from unpuzzle.explanation.excuses import excuses as found_excuses
from unpuzzle.explanation.reasons import MENDING, MUTEX, SMALLER, WHETHER, explain, explain_actions
from unpuzzle.pddl import Task, parse_task
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.planning import registry
from unpuzzle.planning.result import Result

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
        "unpuzzle: timeout: which change would make it solvable was not determined in time; "
        "a larger --time-limit may help"
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
        excuses.first_scarce(parse_task(ROADS, delivery(START, "(in k t)")), ["road", "at"], 10)
    assert (reached.value.status, len(asked)) == (status, 1)


def test_a_contradiction_in_a_puzzle_of_constraints_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All ways to fill in a sudoku with two equal numbers were explored first: 6 seconds for a limit of one."""
    monkeypatch.setattr(reasons, "explore", lambda *_, **__: pytest.fail("its positions are explored"))
    monkeypatch.setattr(reasons, "explain", lambda *_, **__: pytest.fail("its PDDL is looked at"))
    level = find("sudoku").parse("5.5" + "." * 78)
    explanation = reasons.explain_level(level)
    assert (explanation.solvable, str(explanation)) == (False, "row 1 has 5 twice, at r1c1 and r1c3")


# ---- Excuses are natural: they make the task solvable, and leave everything in one place that was in one


def found(task: Task) -> tuple[Excuse, ...]:
    return within(Limits(time=60), found_excuses, task)


def test_a_fault_at_the_start_is_excused_and_nothing_is_in_two_places() -> None:
    """Of more tasks: `scripts/compare/check_excuses.py`."""
    tasks = [task for task, _ in islice(mutants(Random(46)), 20)]
    excuses_of = [found(task) for task in tasks]
    for task, excuses_ in zip(tasks, excuses_of, strict=True):
        assert [judged(task, excuse) for excuse in excuses_] == [[]] * len(excuses_)
    assert sum(any(not each.drop for each in excuses_) for excuses_ in excuses_of) >= 18


def lift(init: str, goal: str) -> Task:
    house = HOUSE[: HOUSE.index("(:init")]
    return parse_task(LIFT, f"{house}(:init {init} (over f1 f0) (over f2 f1) (over f3 f2)) (:goal {goal}))")


@pytest.mark.parametrize(
    ("init", "said"),
    [
        (
            "(lift f0) (empty) (on c f3) (shut f3) (shut f2) (shut f1)",
            [
                "if (lift f3) were true at the start and (lift f0) false",
                "if (on c f0) were true at the start and (on c f3) false",
            ],
        ),
        ("(lift f0) (empty) (on c f1) (shut f1)", ["if (shut f1) were false at the start"]),
        ("(empty) (on c f3) (shut f2)", ["if (lift f3) were true at the start"]),
        ("(lift f0) (on c f0)", ["if (empty) were true at the start"]),
    ],
)
def test_what_is_in_one_place_is_moved(init: str, said: list[str]) -> None:
    """The lift was assumed on a second floor, or nothing was found."""
    (excuse,) = found(lift(init, "(hand c)"))
    assert str(excuse) in said
    assert excuse.fewest


def test_a_precondition_that_keeps_a_thing_in_one_place_is_not_dropped() -> None:
    """Without `(empty)`, a hand would hold two blocks; without `(clear ?x)`, one on which another lies."""
    both = parse_task(BLOCKS, TOWER[: TOWER.index("(:goal")] + "(:goal (and (held q) (held s))))")
    assert found_excuses(both, of_the_start=False) == ()
    buried = parse_task(BLOCKS, TOWER.replace("(empty)", "").split("(:goal")[0] + "(:goal (held s)))")
    assert found_excuses(buried, of_the_start=False) == ()
    assert [str(each) for each in found_excuses(buried)] == ["if (empty) were true at the start"]


SIZES = """(define (domain sizes) (:requirements :strips :typing) (:types hole peg width)
  (:predicates (wide ?h - hole ?w - width) (thick ?p - peg ?w - width) (in ?p - peg ?h - hole) (free ?p - peg))
  (:action plug :parameters (?p - peg ?h - hole ?w - width) :precondition (and (free ?p) (wide ?h ?w) (thick ?p ?w))
    :effect (and (in ?p ?h) (not (free ?p)))))"""
PEGS = """(define (problem pegs) (:domain sizes) (:objects h g - hole p q - peg one two - width)
  (:init (wide h one) (wide g two) (thick p two) (thick q two) (free p) (free q)) (:goal (and (in p h) (in q g))))"""


def test_nothing_gets_a_second_size() -> None:
    (excuse,) = found(parse_task(SIZES, PEGS))
    assert str(excuse) in (
        "if (thick p one) were true at the start and (thick p two) false",
        "if (wide h two) were true at the start and (wide h one) false",
    )


# ---- `explain DOMAIN PROBLEM --actions` lists the actions that are never applicable, each with its reason


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
        "(lies brass attic) is false at the start, and no action makes any fact of lies true"
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


# ---- Explanations name why a task has no plan, and every command accepts what lint only warns about


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
