"""Plans as programs and people write them: `validate`, `trace` and `plan --plan-file` take them as what they are."""

import json
import re
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.random_tasks import random_task
from unpuzzle.base.errors import ParseError
from unpuzzle.cli import main
from unpuzzle.pddl import parse_plan, parse_task, read_plan, validate, write_plan
from unpuzzle.pddl.linting.fault import edited
from unpuzzle.pddl.linting.plan_faults import lint_plan, read_with_notes
from unpuzzle.pddl.nodes import GroundAction, Plan, Task
from unpuzzle.pddl.plans import IN_ORDER, REORDERED
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.validation import require_any_order

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
    plan, _ = read_with_notes(text, "plan", TASK)
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
        read_with_notes(f"{PLAIN}{line}\n", "plan", TASK)
    assert caught.value.line == len(STEPS) + 1


@pytest.mark.parametrize(
    ("line", "words"), [("row west", "takes 2 arguments"), ("row west eest", "unknown object 'eest'")]
)
def test_an_action_without_brackets_is_judged(line: str, words: str) -> None:
    plan, _ = read_with_notes(f"{PLAIN}{line}\n", "plan", TASK)
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


# ---- Plan files: what is read, what is refused, what is written


words = st.text("ab1_-", min_size=1, max_size=5).map("x".__add__)
plans = st.builds(
    Plan,
    st.lists(st.builds(GroundAction, words, st.lists(words).map(tuple))).map(tuple),
    st.none() | st.integers(0, 10**9),
)


@given(plans, st.booleans())
def test_what_is_written_is_read_back(plan, unit):
    again = parse_plan(write_plan(plan, unit_cost=unit))
    assert again == plan
    assert again.cost == plan.cost


def test_writing():
    plan = Plan((GroundAction("move", ("a", "b")), GroundAction("noop")))
    assert write_plan(plan) == "(move a b)\n(noop)\n"
    assert write_plan(plan, 2) == "(move a b)\n(noop)\n; cost = 2 (unit cost)\n"
    assert write_plan(plan, 7, unit_cost=False) == "(move a b)\n(noop)\n; cost = 7 (general cost)\n"
    assert write_plan(Plan((), 0)) == "; cost = 0 (unit cost)\n"


def test_reading_is_lenient():
    text = "; a comment (not a step)\n\n(MOVE A  b) ; cost = 3\r\n 1: (noop )\n1.002: (x y) [1.5]\n(a)(b)\n"
    text += "; cost = 12 (unit cost)"
    plan = parse_plan(text)
    assert [str(step) for step in plan] == ["(move a b)", "(noop)", "(x y)", "(a)", "(b)"]
    assert plan.cost == 12
    assert len(parse_plan("")) == 0
    assert parse_plan("; cost = many\n").cost is None
    assert parse_plan("; makespan = 4\n; the cost = 3\n").cost is None


def test_spans():
    plan = parse_plan("; first\n(a)\n  (b c)\n", "my.plan")
    assert [(step.span.file, step.span.line, step.span.column, step.span.text) for step in plan] == [
        ("my.plan", 2, 1, "(a)"),
        ("my.plan", 3, 3, "(b c)"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "column", "sentence"),
    [
        ("(a)\nmove a b\n", 2, 1, "expected a step such as '(move a b)', found 'move'"),
        ("(a (b))", 1, 4, "expected a step such as '(move a b)', found '('"),
        ("(a))", 1, 4, "expected a step such as '(move a b)', found ')'"),
        ("(a)\n (b c", 2, 2, "never closed"),
        ("(a)\n()\n", 2, 2, "expected the name of an action"),
        ("(a \u00e9)", 1, 4, "cannot be part of a name"),
    ],
)
def test_what_is_refused(text, line, column, sentence):
    with pytest.raises(ParseError) as caught:
        parse_plan(text, "my.plan")
    assert sentence in caught.value.message
    assert (caught.value.file, caught.value.line, caught.value.column) == ("my.plan", line, column)


def test_files(tmp_path):
    path = tmp_path / "sas_plan"
    path.write_text("(a b)\n; cost = 1 (unit cost)\n")
    assert read_plan(path) == Plan((GroundAction("a", ("b",)),))
    path.write_bytes(b"\x00\x01")
    with pytest.raises(ParseError, match="binary"):
        read_plan(path)
    with pytest.raises(FileNotFoundError):
        read_plan(tmp_path / "none")


@pytest.mark.parametrize("claim", ["²", "٣", "9" * 5000, "1_000", "-1", ""])
def test_a_comment_that_claims_no_cost_claims_none(claim):
    plan = parse_plan(f"(move a b)\n; cost = {claim} (unit cost)\n")
    assert ([str(step) for step in plan], plan.cost) == (["(move a b)"], None)


def test_steps_are_taken_in_the_order_of_their_times():
    plan = parse_plan("0.003: (c)\n0.002: (b) [0.001]\n0.001: (a)\n")
    assert [str(step) for step in plan] == ["(a)", "(b)", "(c)"]
    assert plan.timing == REORDERED
    assert parse_plan("0.0: (a) [1]\n1.0: (b) [1]").timing == IN_ORDER
    assert parse_plan("0: (a)\n1: (b)").timing == ""
    assert parse_plan("0: (a) [1]\n1: (b) [1.000]").timing == ""  # as VAL writes a sequence


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0: (a) [1.5]\n1: (b)\n", "(b) begins at 1, before (a) ends"),
        ("0: (a) [9]\n1: (b) [0.5]\n3: (c)\n", "(b) begins at 1, before (a) ends"),
        ("2: (a)\n(x)\n1: (b)\n", "(x) has no time"),
        ("0: 1: (a)\n", "found '1:'"),
        ("(a)\n1:\n", "found '1:'"),
    ],
)
def test_times_that_say_no_order_are_refused(text, words):
    with pytest.raises(ParseError, match=re.escape(words)):
        parse_plan(text)


def test_steps_at_the_same_time_are_known():
    plan = parse_plan("0: (a)\n0: (b)\n1: (c)\n2: (d)\n2.0: (e)\n2: (f)\n")
    assert plan.together == ((0, 2), (3, 6))


# ---- What programs print around a plan, and other notations: nothing is dropped in silence, or taken for a step


LIFT = """(define (domain lift) (:requirements :strips :typing) (:types floor box)
  (:predicates (at ?f - floor) (lies ?b - box ?f - floor) (inside ?b - box) (ready))
  (:action ride :parameters (?a ?b - floor) :precondition (at ?a) :effect (and (at ?b) (not (at ?a))))
  (:action fill :parameters (?b - box ?f - floor) :precondition (and (at ?f) (lies ?b ?f))
    :effect (and (inside ?b) (not (lies ?b ?f))))
  (:action wait :parameters () :precondition (ready) :effect (ready)))
"""
LIFT_PROBLEM = """(define (problem up) (:domain lift) (:objects low top - floor b - box)
  (:init (at low) (lies b low) (ready)) (:goal (and (inside b) (at top))))
"""
LIFT_TASK = parse_task(LIFT, LIFT_PROBLEM)
PLAIN_PLAN = "(fill b low)\n(ride low top)\n"
CALLED = [{"action": "fill", "args": ["b", "low"]}, {"action": "ride", "args": ["low", "top"]}]
FF = """ff: found legal plan as follows

step    0: FILL B LOW
        1: RIDE LOW TOP

time spent:    0.00 seconds instantiating 4 easy, 0 hard action templates
               0.00 seconds total time
"""
LPG = """   Time: (ACTION) [action Duration; action Cost]
 0.0000: (FILL B LOW) [D:1.0000; C:0.1000]
 1.0000: (RIDE LOW TOP) [D:1.0000; C:0.1000]
Solution number: 1
"""
OPTIC = """0.000: (fill b low)  [0.001]
0.001: (ride low top)  [0.001]

 * All goal deadlines now no later than 0.002
"""
READ_LIFT = {
    "FF's figures behind the plan": FF,
    "LPG's durations and costs": LPG,
    "OPTIC's remark": OPTIC,
    "Madagascar's figures": "STEP 0: fill(b,low)\nSTEP 1: ride(low,top)\n2 actions in the plan.\n",
    "Madagascar's plan": "1 : (ride low top)\n0 : (fill b low)\n",
    "Fast Downward's log with times": "[t=0.01s, 9 KB] fill b low (1)\n[t=0.01s, 9 KB] ride low top (1)\n",
    "remarks in a list": "1. (fill b low)\n   - the box is inside now\n2. (ride low top)\n",
    "marks of Markdown": "- `(fill b low)`\n- **ride low top**\n",
    "JSON in Markdown": f"Here it is:\n```json\n{json.dumps(CALLED)}\n```\n",
    "times in JSON": json.dumps([{"time": 1} | CALLED[1], {"time": 0} | CALLED[0]]),
    "times in texts of JSON": '["1: (ride low top)", "0: (fill b low)"]',
    "steps in JSON": json.dumps([{"step": 2, "action": "ride low top"}, {"step": 1, "action": "(fill b low)"}]),
    "quotes and commas": "('fill', 'b', 'low')\n(ride low, top)\n",
    "a step on two lines": "(fill b low)\n(ride low ; up\n  top)\nDone\n",
    "one number for all": "1. fill b low\n1. ride low top\n",
}


@pytest.mark.parametrize("name", READ_LIFT)
def test_plans_are_read_as_what_they_are(name: str) -> None:
    plan, _ = read_with_notes(READ_LIFT[name], "plan", LIFT_TASK)
    assert [str(step) for step in plan] == PLAIN_PLAN.splitlines()


REFUSED = {
    "durations in JSON": (json.dumps([{"start": 0, "duration": 5} | CALLED[0], {"start": 1} | CALLED[1]]), "before"),
    "arguments by name": ('[{"action": "fill", "args": {"f": "low", "b": "b"}}]', "not a list of steps"),
    "arguments beside the action": ('[{"action": "fill", "box": "b", "floor": "low"}]', "not a list of steps"),
    "numbers in brackets": ("(ride low top) (1)\n(fill b low) (0)\n", "expected a step"),
    "prose in JSON": ('["fill b low", "then we ride", "ride low top"]', "not a list of steps"),
    "numbers in another order": ("2. ride low top\n1. fill b low\n", "numbered 2, 1"),
    "a partial order": (f"PartialOrderPlan:\n{PLAIN_PLAN}  constraints:\n    0 < 1\n", "partial order"),
    "two plans with times": (
        "0: (ride low top)\n1: (ride top low)\n0: (fill b low)\n1: (ride low top)\n",
        "start again",
    ),
    "two plans with costs": (
        f"{PLAIN_PLAN}; cost = 2 (unit cost)\n{PLAIN_PLAN}; cost = 2 (unit cost)\n",
        "more than one plan",
    ),
    "steps on the line of one time": ("0: (fill b low) (ride low top)\n", "begin at the same time"),
    "prose that begins with an action": (f"{PLAIN_PLAN}Wait here for the others\n", "not a step"),
    "several steps on a line": ("fill b low, ride low top\n", "not a step"),
    "a step in marks": ("1. **fill b low** - the box\n(ride low top)\n", "not a step|expected a step"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_says_another_plan_is_refused(name: str) -> None:
    text, message = REFUSED[name]
    with pytest.raises(ParseError, match=message):
        validate(LIFT_TASK, read_with_notes(text, "plan", LIFT_TASK)[0])


@pytest.mark.parametrize(
    "text", ["No plan found.\n", "a) fill b low\n", "wait-here\n", "1. Fill b low\n2. Ride low top\n"]
)
def test_trace_reads_plans_as_validate_does(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, content in (("d.pddl", LIFT), ("p.pddl", LIFT_PROBLEM), ("a.plan", text)):
        (tmp_path / name).write_text(content)
    words = [str(tmp_path / name) for name in ("d.pddl", "p.pddl", "a.plan")]
    codes = [main([command, *words]) for command in ("validate", "trace")]
    capsys.readouterr()
    assert codes[0] == codes[1] != 1
