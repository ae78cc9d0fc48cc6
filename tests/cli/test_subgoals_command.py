"""`solve --planner subgoals --ties NAME` as scripts see it."""

from typing import Any

import pytest

from support.clocks import SecondsPerLook
from support.command_line import run_json as answer
from unpuzzle.cli import main


def test_the_stages_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("solve", "sliding-tiles", "15-notebook", "--planner", "subgoals", "--ties", "path-lexicographic")
    code, fields = answer(capsys, *words)
    assert (code, fields["status"], fields["cost"], fields["valid"]) == (0, "solved", 104, True)
    assert fields["stages"][:2] == [
        {"group": "14 15", "expanded": 597, "length": 18},
        {"group": "12 13", "expanded": 23326, "length": 28},
    ]
    assert [stage["length"] for stage in fields["stages"]] == [18, 28, 17, 19, 12, 4, 6]
    assert (fields["shortened"], fields["loop_free"]) == (100, 100)
    assert main(words) == 0
    assert "\n; 0 1 4 5: length 6, 9 expanded\n; solved: cost 104, " in capsys.readouterr().out


def test_quiet_ones_are_the_moves_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "sliding-tiles", "15-easy", "--planner", "subgoals", "--quiet"]) == 0
    assert set(capsys.readouterr().out.strip()) <= set("UDLR")


def test_ties_also_of_other_searches_on_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    expanded = set()
    for ties in ("fifo", "lifo"):
        code, fields = answer(capsys, "solve", "sliding-tiles", "8-medium", "--planner", "rules:astar", "--ties", ties)
        assert (code, fields["cost"]) == (0, 20)
        assert fields["frontier"] > 1
        expanded.add(fields["expanded"])
    assert len(expanded) == 2


def test_a_pddl_task_has_no_subgoals_of_its_own(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pddl", "sliding-tiles", "3x2", "--output", str(tmp_path), "--quiet"]) == 0
    files = [str(tmp_path / name) for name in ("domain.pddl", "problem.pddl")]
    code, fields = answer(capsys, "plan", *files, "--planner", "subgoals")
    said = "planner 'subgoals' reads the rules of a puzzle, not a PDDL task: choose a planner that reads PDDL"
    assert (code, fields["message"]) == (2, said)


def test_what_is_impossible_is_refused_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    code, fields = answer(capsys, "solve", "sliding-tiles", "8-unsolvable", "--planner", "subgoals:windows")
    assert (code, fields["status"]) == (1, "unsolvable")
    assert fields["message"].startswith("parity: ")


def test_the_time_limit(capsys: pytest.CaptureFixture[str], seconds_per_look: SecondsPerLook) -> None:
    code, fields = answer(
        capsys, "solve", "sliding-tiles", "15-notebook", "--planner", "subgoals", "--time-limit", "20"
    )
    assert (code, fields["status"], fields["moves"]) == (3, "timeout", None)
    assert len(fields.get("stages", [])) < 7
    assert seconds_per_look.reads <= 25
