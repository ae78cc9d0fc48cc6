"""What programs print around a plan, and other notations: nothing is dropped in silence, or taken for a step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unpuzzle.cli import main
from unpuzzle.errors import ParseError
from unpuzzle.pddl import parse_task, validate
from unpuzzle.pddl.judging.plan_faults import read_with_notes

DOMAIN = """(define (domain lift) (:requirements :strips :typing) (:types floor box)
  (:predicates (at ?f - floor) (lies ?b - box ?f - floor) (inside ?b - box) (ready))
  (:action ride :parameters (?a ?b - floor) :precondition (at ?a) :effect (and (at ?b) (not (at ?a))))
  (:action fill :parameters (?b - box ?f - floor) :precondition (and (at ?f) (lies ?b ?f))
    :effect (and (inside ?b) (not (lies ?b ?f))))
  (:action wait :parameters () :precondition (ready) :effect (ready)))
"""
PROBLEM = """(define (problem up) (:domain lift) (:objects low top - floor b - box)
  (:init (at low) (lies b low) (ready)) (:goal (and (inside b) (at top))))
"""
TASK = parse_task(DOMAIN, PROBLEM)
PLAIN = "(fill b low)\n(ride low top)\n"
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
READ = {
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


@pytest.mark.parametrize("name", READ)
def test_plans_are_read_as_what_they_are(name: str) -> None:
    plan, _ = read_with_notes(READ[name], "plan", None, TASK)
    assert [str(step) for step in plan] == PLAIN.splitlines()


REFUSED = {
    "durations in JSON": (json.dumps([{"start": 0, "duration": 5} | CALLED[0], {"start": 1} | CALLED[1]]), "before"),
    "arguments by name": ('[{"action": "fill", "args": {"f": "low", "b": "b"}}]', "no list of steps"),
    "arguments beside the action": ('[{"action": "fill", "box": "b", "floor": "low"}]', "no list of steps"),
    "numbers in brackets": ("(ride low top) (1)\n(fill b low) (0)\n", "expected a step"),
    "prose in JSON": ('["fill b low", "then we ride", "ride low top"]', "no list of steps"),
    "numbers in another order": ("2. ride low top\n1. fill b low\n", "numbered 2, 1"),
    "a partial order": (f"PartialOrderPlan:\n{PLAIN}  constraints:\n    0 < 1\n", "partial order"),
    "two plans with times": ("0: (ride low top)\n1: (ride top low)\n0: (fill b low)\n1: (ride low top)\n", "anew"),
    "two plans with costs": (f"{PLAIN}; cost = 2 (unit cost)\n{PLAIN}; cost = 2 (unit cost)\n", "more than one plan"),
    "steps on the line of one time": ("0: (fill b low) (ride low top)\n", "begin at the same time"),
    "prose that begins with an action": (f"{PLAIN}Wait here for the others\n", "not a step"),
    "several steps on a line": ("fill b low, ride low top\n", "not a step"),
    "a step in marks": ("1. **fill b low** - the box\n(ride low top)\n", "not a step|expected a step"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_says_another_plan_is_refused(name: str) -> None:
    text, message = REFUSED[name]
    with pytest.raises(ParseError, match=message):
        validate(TASK, read_with_notes(text, "plan", None, TASK)[0])


@pytest.mark.parametrize(
    "text", ["No plan found.\n", "a) fill b low\n", "wait-here\n", "1. Fill b low\n2. Ride low top\n"]
)
def test_trace_reads_plans_as_validate_does(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, content in (("d.pddl", DOMAIN), ("p.pddl", PROBLEM), ("a.plan", text)):
        (tmp_path / name).write_text(content)
    words = [str(tmp_path / name) for name in ("d.pddl", "p.pddl", "a.plan")]
    codes = [main([command, *words]) for command in ("validate", "trace")]
    capsys.readouterr()
    assert codes[0] == codes[1] != 1
