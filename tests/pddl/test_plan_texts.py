"""Plans as programs and people write them: `validate`, `trace` and `plan --plan-file` take them as what they are."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from unpuzzle.cli import main
from unpuzzle.errors import ParseError
from unpuzzle.pddl import parse_plan, parse_task, validate
from unpuzzle.pddl.judging.fault import edited
from unpuzzle.pddl.judging.plan_faults import lint_plan, read_with_notes
from unpuzzle.pddl.nodes import GroundAction, Plan, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.simultaneous import require_any_order
from unpuzzle.testing.random_tasks import random_task

DOMAIN = """(define (domain ferry) (:requirements :strips :typing)
  (:types bank thing)
  (:predicates (boat ?b - bank) (on ?t - thing ?b - bank) (aboard ?t - thing) (across ?a ?b - bank))
  (:action row :parameters (?a ?b - bank) :precondition (and (boat ?a) (across ?a ?b))
    :effect (and (boat ?b) (not (boat ?a))))
  (:action load :parameters (?t - thing ?b - bank) :precondition (and (boat ?b) (on ?t ?b))
    :effect (and (aboard ?t) (not (on ?t ?b))))
  (:action unload :parameters (?t - thing ?b - bank) :precondition (and (boat ?b) (aboard ?t))
    :effect (and (on ?t ?b) (not (aboard ?t)))))
"""
PROBLEM = """(define (problem two) (:domain ferry) (:objects east west - bank goat cart - thing)
  (:init (boat east) (across east west) (across west east) (on goat east) (on cart east))
  (:goal (and (on goat west) (on cart west))))
"""
STEPS = ("load goat east", "load cart east", "row east west", "unload goat west", "unload cart west")
PLAIN = "".join(f"({step})\n" for step in STEPS)
TIMED = "0: (load goat east) [1]\n0: (load cart east) [1]\n1: (row east west) [2]\n"
TIMED += "3: (unload goat west) [1]\n3: (unload cart west) [1]\n"
TASK = parse_task(DOMAIN, PROBLEM)


def judged(text: str) -> bool:
    plan, _ = read_with_notes(text, "plan", None, TASK)
    return validate(TASK, plan).valid


READ = {
    "times at once": TIMED,
    "times, last step first": "".join(reversed(TIMED.splitlines(keepends=True))),
    "Fast Downward's log": "[t=0.01s, 9 KB] Solution found!\n"
    + "".join(f"{step} (1)\n" for step in STEPS)
    + "[t=0.01s, 9 KB] Plan length: 5 step(s).\n[t=0.01s, 9 KB] Plan cost: 5\n",
    "FF's": "ff: found legal plan as follows\n\nstep    0: LOAD GOAT EAST\n        1: LOAD CART EAST\n"
    "        2: ROW EAST WEST\n        3: UNLOAD GOAT WEST\n        4: UNLOAD CART WEST\n\ntime spent:  0.00 seconds\n",
    "unified-planning's": "SequentialPlan:\n" + "".join(
        f"    {step.split()[0]}({', '.join(step.split()[1:])})\n" for step in STEPS
    ),
    "a list of texts": json.dumps([f"({step})" for step in STEPS]),
    "a list of lists": json.dumps([step.split() for step in STEPS]),
    "an answer in JSON": json.dumps({"status": "solved", "plan": [f"({step})" for step in STEPS]}),
    "objects in JSON": json.dumps([{"action": step.split()[0], "args": step.split()[1:]} for step in STEPS]),
    "prose around": f"Here is what I would do.\n{PLAIN}That brings both things over!\n",
    "a cost in words": PLAIN + "plan (cost: 5.0)\n",
    "an end of DOS": PLAIN + "\x1a",
    "zeros": PLAIN.replace("(row", "\x00\x00(row"),
    "a word at the end": PLAIN + "Done\n",
    "a number at the end": PLAIN + "makespan 5\n",
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_plans_in_other_notations_are_valid(name: str) -> None:
    assert judged(READ[name])


@pytest.mark.parametrize("line", ["lode goat west", "fly goat", "then row west east", "1. row(west)x", "UNLOD"])
def test_a_line_that_may_be_a_step_is_refused_at_its_place(line: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_with_notes(f"{PLAIN}{line}\n", "plan", None, TASK)
    assert caught.value.line == len(STEPS) + 1


@pytest.mark.parametrize(
    ("line", "words"), [("row west", "takes 2 arguments"), ("row west eest", "unknown object 'eest'")]
)
def test_an_action_without_brackets_is_judged(line: str, words: str) -> None:
    plan, _ = read_with_notes(f"{PLAIN}{line}\n", "plan", None, TASK)
    assert words in validate(TASK, plan).reason


def test_times_decide_the_order() -> None:
    early = TIMED.replace("3: (unload goat west) [1]", "0.5: (unload goat west) [0.1]")
    with pytest.raises(ParseError, match=r"begins at 0\.5, before"):
        judged(early)
    assert not judged("2: (load goat east)\n1: (row east west)\n")


def test_steps_at_one_time_whose_order_matters_are_refused() -> None:
    with pytest.raises(ParseError, match=r"\(load goat east\) and \(row east west\) begin at the same time"):
        judged(TIMED.replace("0: (load goat", "1: (load goat").replace("[1]", "").replace("[2]", ""))
    plan = parse_plan("0: (unload goat east)\n0: (unload cart east)\n")  # no order of them can be carried out
    assert not validate(TASK, plan).valid


def test_independent_steps_need_not_be_tried_in_all_orders() -> None:
    things = " ".join(f"t{i}" for i in range(30))
    problem = f"(define (problem many) (:domain ferry) (:objects e - bank {things} - thing) (:init (boat e)"
    problem += "".join(f" (on t{i} e)" for i in range(30)) + ") (:goal (aboard t0)))"
    plan = parse_plan("".join(f"0: (load t{i} e)\n" for i in range(30)))
    assert validate(parse_task(DOMAIN, problem), plan).valid
    assert len(plan.together) == 1


@pytest.mark.parametrize("seed", range(40))
def test_any_order_means_any_order(seed: int) -> None:
    rng = Random(seed)
    task = random_task(rng)
    semantics = Semantics(task)
    state = semantics.initial
    possible = semantics.applicable(state)
    for _ in range(20):
        if not possible:
            return
        actions = [rng.choice(possible) for _ in range(rng.randint(2, 3))]
        ends = {_end(semantics, state, order) for order in permutations(actions)}
        try:
            require_any_order(semantics, state, actions)
            assert len(ends) == 1
        except ParseError:
            assert len(ends) > 1


def _end(semantics: Semantics, state: frozenset, actions: tuple[GroundAction, ...]) -> frozenset | None:
    for action in actions:
        if semantics.why_not(state, action) is not None:
            return None
        state = semantics.apply(state, action)
    return state


SURE = {
    "numbers": "".join(f"{number}. ({step})\n" for number, step in enumerate(STEPS, 1)),
    "calls, and a fence": "```\n" + READ["unified-planning's"].partition("\n")[2] + "```\n",
    "JSON": READ["a list of lists"],
    "one in another notation": PLAIN.replace("(row east west)", "row east west"),
}
UNSURE = {
    "numbers in another order": SURE["numbers"].replace("4.", "6."),
    "numbers that say what is at once": SURE["numbers"].replace("2.", "1."),
    "times in another order": "step 2: (row east west)\nstep 1: (load goat east)\n",
    "times at once": "step 1: (load goat east)\nstep 1: (load cart east)\n",
    "a sentence": PLAIN.replace("(row", "Then I row across.\n(row"),
    "a word": "row east west\nDone\n",
    "prose before a fence": f"Here is the plan\n```\n{PLAIN}```\n",
    "a step with a slip": PLAIN.replace("(row east west)", "rwo east west"),
}  # fmt: skip


def fixed(text: str, task: Task | None) -> str:
    """The text after corrections, round by round, as `lint --fix` makes them."""
    fixes = [fault.fix for fault in lint_plan(text, "plan", task) if fault.fix is not None]
    return fixed(edited(text, fixes), task) if fixes else text


@pytest.mark.parametrize("name", SURE)
def test_a_notation_is_corrected_where_the_plan_stays_the_same(name: str) -> None:
    assert parse_plan(fixed(SURE[name], TASK)).steps == parse_plan(PLAIN).steps


@pytest.mark.parametrize("name", UNSURE)
@pytest.mark.parametrize("task", [TASK, None], ids=["with the task", "alone"])
def test_what_may_change_the_plan_is_a_suggestion(name: str, task: Task | None) -> None:
    text = UNSURE[name]
    assert fixed(text, task) == text
    assert any(fault.suggestion for fault in lint_plan(text, "plan", task))


@pytest.mark.parametrize("text", ["(row east west)\nDone\n", "row east west\nDone\n", "(row a b)\nrow b a\n"])
def test_without_a_task_no_sentence_becomes_a_step(text: str) -> None:
    assert fixed(text, None) == text
    assert fixed("row a b\nrow b a\n", None) == "(row a b)\n(row b a)\n"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "d.pddl").write_text(DOMAIN)
    (tmp_path / "p.pddl").write_text(PROBLEM)
    return [str(tmp_path / "d.pddl"), str(tmp_path / "p.pddl")]


@pytest.mark.parametrize("command", ["validate", "trace"])
def test_commands_take_times(
    command: str, files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "timed.plan").write_text(READ["times, last step first"])
    assert main([command, *files, str(tmp_path / "timed.plan")]) == 0
    assert "the steps are taken in the order of their times" in "".join(capsys.readouterr())
    (tmp_path / "steps.xml").write_text("<plan><step>load goat east</step></plan>")
    assert main([command, *files, str(tmp_path / "steps.xml")]) == 2
    assert "this is XML" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["plan", "solve"])
def test_an_old_plan_does_not_survive_a_run_without_a_plan(command: str, files: list[str], tmp_path: Path) -> None:
    old = tmp_path / "old.plan"
    (tmp_path / "p.pddl").write_text(PROBLEM.replace("(across east west)", ""))
    old.write_text("(row east west)\n")
    assert main([command, *files, "--plan-file", str(old), "--quiet"]) == 1
    assert not old.exists()
    before = Path(files[1]).read_text()
    assert main([command, *files, "--plan-file", files[1], "--quiet"]) == 2
    assert Path(files[1]).read_text() == before


def test_a_plan_knows_its_times() -> None:
    plan = Plan((GroundAction("a"),))
    assert (plan.together, plan.timing) == ((), "")
