"""The sentence on a difference: it names the action in which a fault was planted, and the literal."""

import json
from pathlib import Path
from random import Random

import pytest

from support.clocks import SecondsPerLook
from support.domain_faults import KINDS, planted
from support.fixtures import Capsys, Monkeypatch
from support.renaming import renamed
from support.river import ROADS, delivery
from support.thorough import some_of
from unpuzzle import find
from unpuzzle.base.errors import LimitReached
from unpuzzle.cli import main
from unpuzzle.pddl import Task, parse_plan, parse_task, validate
from unpuzzle.solving import GO_ON, INSERT, LEAVE_OUT, mend
from unpuzzle.verification import same
from unpuzzle.verification.grading import written_alike
from unpuzzle.verification.pointing import point

GAMES = ("blocksworld", "hanoi", "lights-out", "sokoban")
DOMAIN = """(define (domain d) (:requirements :typing :action-costs) (:types place)
  (:predicates (at ?p - place) (way ?p ?q - place) (wet) (warm)) (:functions (total-cost) - number)
  (:action go :parameters (?p ?q - place) :precondition (and (at ?p) (way ?p ?q) (not (wet)))
    :effect (and (at ?q) (not (at ?p)) (increase (total-cost) 2)))
  (:action swim :parameters (?p - place) :precondition (at ?p) :effect (and (wet) (increase (total-cost) 1)))
  (:action dry :parameters () :precondition (wet) :effect (and (not (wet)) (warm) (increase (total-cost) 1))))"""
PROBLEM = """(define (problem p) (:domain d) (:objects a b c - place)
  (:init (at a) (way a b) (way b c) (= (total-cost) 0))
  (:goal (and (at c) (warm))) (:metric minimize (total-cost)))"""
REFERENCE = parse_task(DOMAIN, PROBLEM)


def pointer(old, new, problem=PROBLEM, domain=DOMAIN):
    changed = domain.replace(old, new)
    assert changed != domain or problem != PROBLEM
    other = parse_task(changed, problem)
    report = same(REFERENCE, other)
    assert report.same is False
    return point(REFERENCE, other, report.difference)


@pytest.mark.parametrize("name", GAMES)
def test_it_names_the_action_with_the_fault(name):
    task = find(name).sample(Random(1)).task()
    looked = 0
    for kind in KINDS:
        for fault, domain in some_of(list(planted(kind, task, Random(0)))[:6], 3):
            other = Task(domain, task.problem)
            difference = same(task, other, max_states=2000).difference
            if difference is not None:
                looked += 1
                found = point(task, other, difference)
                assert found.action is not None, (fault, found)
                assert found.action.strip("()").split()[0] == fault.split(" of ")[1].split(":")[0], (fault, found)
    assert looked > 2


@pytest.mark.parametrize(
    ("old", "new", "action", "literal", "words"),
    [
        ("(not (wet)))\n", ")\n", "(go a b)", "(not (wet))", "this domain allows (go a b) and the reference does not"),
        ("(way ?p ?q) (not", "(way ?p ?q) (warm) (not", "(go a b)", "(warm)", "precondition needs (warm)"),
        ("(not (at ?p)) ", "", "(go a b)", "(not (at a))", "(at a) is false in the reference and true in this domain"),
        ("(warm) (inc", "(inc", "(dry)", "(warm)", "(warm) is true in the reference and false in this domain"),
        ("cost) 2", "cost) 3", "(go a b)", None, "costs 2 in the reference and 3 in this domain"),
    ],
)
def test_by_names(old, new, action, literal, words):
    found = pointer(old, new)
    assert (found.action, found.literal) == (action, literal)
    assert words in found.sentence


def test_an_action_is_missing():
    found = pointer(DOMAIN, DOMAIN[: DOMAIN.index("(:action dry")] + ")")
    assert (found.action, found.literal) == ("(dry)", None)
    words = "after (swim a), the reference allows (dry) and this domain does not, because it has no action dry"
    assert found.sentence == words


def test_goals():
    found = pointer("", "", PROBLEM.replace("(and (at c) (warm))", "(at c)"))
    assert (found.action, found.literal) == (None, "(warm)")
    assert found.sentence.endswith("this domain is at a goal and the reference is not, because its goal needs (warm)")


FIRST = "(:action first :precondition (and (at b) (not (half))) :effect (and (half) (increase (total-cost) 1)))"
THIRD = "(:action third :precondition (third) :effect (and (warm) (not (third)) (increase (total-cost) 1)))"
JUMP = "(:action jump :precondition (at b) :effect (and (warm) (increase (total-cost) 3)))"


def second(effect: str, cost: int) -> str:
    return f"(:action second :precondition (half) :effect (and {effect} (not (half)) (increase (total-cost) {cost})))"


@pytest.mark.parametrize(
    ("parts", "names"),
    [
        (FIRST + second("(warm)", 2), "`first`, then `second`"),
        (FIRST + second("(third)", 1) + THIRD, "`first`, then `second`, then `third`"),
        (FIRST + second("(warm)", 1), "`first`, then `second`, then `first`"),  # the only way that costs as much
        (JUMP.replace("jump", "leap") + second("(warm)", 1), None),  # the same under another name is no difference
        (FIRST + second("(warm)", 1).replace("(warm)", "(warm) (at a)"), ""),  # this leads elsewhere
        (FIRST + second("(warm)", 3), ""),  # and this costs more
        (FIRST + second("(third)", 0) + THIRD.replace("third)", "fourth)") + JUMP.replace("b)", "a)"), ""),
    ],
)
def test_an_action_in_parts(parts: str, names: str | None) -> None:
    """One action of a task alone, and those of the other alone that do the same, in few steps and at the same cost."""
    texts = [
        f"""(define (domain d) (:constants a b)
          (:predicates (at ?p) (way ?p ?q) (warm) {more}) (:functions (total-cost))
          (:action go :parameters (?p ?q) :precondition (and (at ?p) (way ?p ?q))
            :effect (and (at ?q) (not (at ?p)) (increase (total-cost) 2)))
          {actions})"""
        for more, actions in (("", JUMP), ("(half) (third) (fourth)", parts))
    ]
    problem = """(define (problem p) (:domain d) (:init (at a) (way a b) (= (total-cost) 0))
      (:goal (and (at b) (warm))) (:metric minimize (total-cost)))"""
    whole, split = (parse_task(text, problem) for text in texts)
    difference = same(whole, split).difference
    if names is None:
        assert difference is None
        return
    began, lacks = "after (go a b), ", "allows (jump) and {} does not, because it has no action jump: "
    for one, other, sentence in (
        (whole, split, f"the reference {lacks.format('this domain')}your {names}, does what `jump` does"),
        (split, whole, f"this domain {lacks.format('the reference')}{names}, does what your `jump` does"),
    ):
        found = point(one, other, same(one, other).difference).sentence
        assert found == began + sentence if names else "does what" not in found


def test_up_to_names():
    """Other names for actions: the action that answered such steps before, and what keeps it back."""
    theirs = DOMAIN.replace("go", "walk").replace("swim", "bathe").replace("action dry", "action towel")
    found = pointer("(way ?p ?q) (not", "(way ?p ?q) (warm) (not", domain=theirs)
    assert (found.action, found.literal) == ("(walk a b)", "(warm)")
    assert "the reference allows (go a b), and this domain has no such step of that cost" in found.sentence
    found = pointer("(not (wet)))\n", ")\n", domain=theirs)
    assert found.literal == "(not (wet))"
    assert found.action.startswith("(walk ")


def test_everything_renamed():
    other = renamed(Random(3), parse_task(DOMAIN.replace("(warm) (inc", "(inc"), PROBLEM))
    found = point(REFERENCE, other, same(REFERENCE, other).difference)
    assert found.literal is not None
    assert found.to_dict() == {"action": found.action, "literal": found.literal, "sentence": found.sentence}


def test_written_alike():
    effects = "(at ?q) (not (at ?p))", "(not (at ?p)) (at ?q)"
    conditions = "(and (at ?p) (way ?p ?q)", "(and (way ?p ?q) (at ?p)"
    alike = DOMAIN.replace("go", "walk").replace(*effects).replace(*conditions).replace("?p", "?from")
    assert written_alike(REFERENCE, parse_task(alike, PROBLEM))
    for old, new in (("cost) 2", "cost) 3"), ("(warm) (inc", "(inc"), ("(way ?p ?q) (not", "(way ?q ?p) (not")):
        assert not written_alike(REFERENCE, parse_task(DOMAIN.replace(old, new), PROBLEM))
    assert not written_alike(REFERENCE, parse_task(DOMAIN, PROBLEM.replace("(way b c)", "(way a c)")))


# ---- What would mend a plan: each answer was validated, and each kind is found


TASK = parse_task(ROADS, delivery("(at t a) (lies k b) (road a b) (road b a) (road b c)", "(lies k c)"))
GOOD = ["(drive t a b)", "(load k t b)", "(drive t b c)", "(unload k t c)"]


@pytest.mark.parametrize(
    ("steps", "kind", "step", "actions"),
    [
        ([*GOOD[:1], "(load l t b)", *GOOD[1:]], LEAVE_OUT, 2, []),
        ([GOOD[0], GOOD[2], GOOD[3]], GO_ON, 3, None),
        (GOOD[1:], INSERT, 1, GOOD[:1]),
        (GOOD[:2], GO_ON, 3, GOOD[2:]),
    ],
)
def test_kinds(steps: list[str], kind: str, step: int, actions: list[str] | None) -> None:
    plan = parse_plan("\n".join(steps)).steps
    mending = mend(TASK, plan, validate(TASK, plan))
    if actions is None:  # from c there is no way back
        assert mending is None
        return
    assert mending is not None
    assert (mending.kind, mending.step, [str(action) for action in mending.actions]) == (kind, step, actions)


def test_what_stands_behind_the_goal_is_left_out() -> None:
    plan = parse_plan("\n".join([*GOOD, "(load k t a)", "(load k t b)"])).steps
    assert str(mend(TASK, plan, validate(TASK, plan))) == "leave out step 5 and all after it"


def test_a_valid_plan_needs_none() -> None:
    plan = parse_plan("\n".join(GOOD)).steps
    assert mend(TASK, plan, validate(TASK, plan)) is None


def test_without_limits_it_is_looked_for_a_few_seconds(seconds_per_look: SecondsPerLook) -> None:
    plan = parse_plan("\n".join(GOOD[1:])).steps
    assert mend(TASK, plan, validate(TASK, plan)) is None
    assert seconds_per_look.reads < 50


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """The command line that validates a plan which goes wrong."""
    files = {"domain.pddl": ROADS, "plan": "(drive t a b)\n(load k t a)\n"}
    files["p.pddl"] = delivery("(at t a) (lies k b) (road a b) (road b a)", "(in k t) (at t a)")
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return ["validate", *[str(tmp_path / name) for name in ("domain.pddl", "p.pddl", "plan")]]


@pytest.mark.parametrize(
    ("function", "error", "code"),
    [
        ("unpuzzle.cli.lint_warnings.suspicions", LimitReached("timeout", "late"), 1),
        ("unpuzzle.workspace.planning.mend", KeyboardInterrupt(), 130),
    ],
)
def test_a_known_verdict_stands_whatever_ends_the_work_on_what_is_told_besides(
    function: str, error: BaseException, code: int, words: list[str], monkeypatch: Monkeypatch, capsys: Capsys
) -> None:
    def ended(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(function, ended)
    assert main(words) == code
    assert "invalid: step 2" in capsys.readouterr().out


def test_the_command_names_all_that_is_false(words: list[str], capsys: Capsys) -> None:
    assert main([*words, "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert [(part["condition"], part["since"]) for part in answer["false"]] == [("(at t a)", 1), ("(lies k a)", None)]
    assert answer["mending"]["kind"] == INSERT
    assert main(words) == 1
    text = capsys.readouterr().out
    assert "(at t a) is false; step 1 made it so" in text
    assert "to repair it: put (load k t b) (drive t b a) (unload k t a) before step 2" in text
