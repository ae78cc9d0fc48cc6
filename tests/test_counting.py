"""count_solutions() and `solve --count`: one, several and where they differ, none and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import run
from unpuzzle import count_solutions, find
from unpuzzle.errors import DependencyMissing, ModelMismatch, UsageError
from unpuzzle.limits import Limits
from unpuzzle.result import SOLVED, TIMEOUT, UNSOLVABLE

OUTSIDE = str(Path(__file__).parent / "translators" / "outside" / "lights_out.py")


def level(name: str):
    game = find("lights-out")
    return game.parse(game.levels[name])


@pytest.mark.parametrize("planner", [None, "cp-sat", "backtracking"])
def test_one_several_none(planner: str | None) -> None:
    one, several, none = (count_solutions(level(name), 20, planner=planner) for name in ("3x3", "torus", "unsolvable"))
    assert (one.unique, len(one.solutions), one.result.status, one.result.valid) == (True, 1, SOLVED, True)
    assert one.differences() == {}
    assert (several.unique, len(several.solutions)) == (False, 16)
    assert all(position.solved() for position in several.positions)
    first, second = several.solutions[:2]
    assert several.differences() == {name: (first[name], second[name]) for name in first if first[name] != second[name]}
    assert (none.unique, none.solutions, none.result.status) == (False, [], UNSOLVABLE)


def test_one_is_not_unique_unless_a_second_was_looked_for() -> None:
    assert count_solutions(level("3x3"), 1).unique is None
    assert count_solutions(level("torus"), 1).unique is None
    assert count_solutions(level("torus"), 2).unique is False


def test_what_cannot_be_asked() -> None:
    boxup = find("boxup")
    with pytest.raises(UsageError, match="boxup cannot have its solutions counted"):
        count_solutions(boxup.parse(boxup.levels["1"]))
    with pytest.raises(UsageError, match="must be at least 1, not 0"):
        count_solutions(level("3x3"), 0)
    with pytest.raises(UsageError, match="'native' finds one solution only; these count solutions: cp-sat"):
        count_solutions(level("3x3"), 2, planner="native")


def test_the_time_limit_leaves_what_was_found(monkeypatch: pytest.MonkeyPatch, seconds_per_look) -> None:
    found = count_solutions(level("torus"), 20, planner="backtracking", limits=Limits(time=4))
    assert found.result.status == TIMEOUT
    assert len(found.solutions) < 16
    assert found.unique in (None, False)


def test_without_or_tools_another_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.planners.constraint.cp_sat.missing", lambda: "OR-tools is not here")
    assert count_solutions(level("3x3")).result.planner == "backtracking"
    with pytest.raises(DependencyMissing, match="OR-tools is not here"):
        count_solutions(level("3x3"), planner="cp-sat")


def test_constraints_that_are_not_the_game() -> None:
    game = find(OUTSIDE)

    class Wrong(game):
        def moves_to(self, solution):
            return ["r1c1"]

    with pytest.raises(ModelMismatch, match="the constraints are not the game: the goal is not reached"):
        count_solutions(Wrong.parse(game.levels["3x3"]))


# ---- the command line


@pytest.mark.parametrize("game", ["lights-out", OUTSIDE])
def test_json(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "solve", game, "3x3", "--count", "2", "--json")
    fields = json.loads(out)
    assert (code, fields["solutions"], fields["unique"], fields["solution"]) == (0, 1, True, None)
    assert (fields["status"], fields["cost"], fields["valid"]) == ("solved", 9, True)
    assert (fields["differences"], fields["conflict"]) == ({}, None)


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "solve", "lights-out", "3x3", "--count", "2", "--planner", "backtracking")
    assert (code, err) == (0, "")
    assert "; one solution only, 9 moves" in out
    code, out, _ = run(capsys, "solve", "lights-out", "torus", "--count", "2", "--planner", "backtracking")
    assert code == 0
    assert "; two of at least 2 solutions: " in out
    code, out, _ = run(capsys, "solve", "lights-out", "torus", "--count", "99", "--planner", "backtracking")
    assert "; two of 16 solutions: " in out
    code, out, err = run(capsys, "solve", "lights-out", "unsolvable", "--count", "2")
    assert (code, out) == (1, "")
    assert err.startswith("unpuzzle: unsolvable: no set of presses")


@pytest.mark.parametrize("option", [["--draw"], ["--anytime"], ["--plan-file", "x.plan"], ["--ties", "fifo"]])
def test_options_that_do_not_fit(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "solve", "lights-out", "3x3", "--count", "2", *option)
    assert code == 2
    assert f"--count does not go together with {option[0]}" in err


def test_of_a_game_without_explanations_it_is_told_that_there_is_a_plan(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "explain", "boxup", "1")
    assert (code, out) == (0, "there is a plan; it begins with (walk r2c2 north r1c2 south west east)\n")
