"""What would mend a plan: each answer was validated, and each kind is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.clocks import SecondsPerLook
from support.fixtures import Capsys, Monkeypatch
from support.river import ROADS, delivery
from unpuzzle.checking.mending import GO_ON, INSERT, LEAVE_OUT, mend
from unpuzzle.cli import main
from unpuzzle.errors import LimitReached
from unpuzzle.pddl import parse_plan, parse_task, validate

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
        ("unpuzzle.cli.oddities.suspicions", LimitReached("timeout", "late"), 1),
        ("unpuzzle.cli.commands.validate.mend", KeyboardInterrupt(), 130),
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
    assert "to mend it: put (load k t b) (drive t b a) (unload k t a) before step 2" in text
