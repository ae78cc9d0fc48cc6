"""Every command takes a PDDL domain and a problem."""

import json
from pathlib import Path

import pytest

from support.command_line import run_json as run
from support.fixtures import Capsys
from support.river import river_files
from unpuzzle.cli import main
from unpuzzle.pddl_game.game import PlanTracing
from unpuzzle.solving import solve
from unpuzzle.translators import find

PLAN = (
    "(row left right goat) (row right left farmer) (row left right wolf) (row right left goat) "
    "(row left right cabbage) (row right left farmer) (row left right goat)"
)


@pytest.fixture
def domain(tmp_path: Path) -> str:
    return river_files(tmp_path)


def test_levels_may_be_files_elsewhere(domain: str, tmp_path: Path, capsys: Capsys) -> None:
    elsewhere = tmp_path / "far" / "problem"
    elsewhere.parent.mkdir()
    elsewhere.write_text((tmp_path / "p1.pddl").read_text())
    assert run(capsys, "solve", domain, str(elsewhere))[1]["cost"] == 7


@pytest.mark.parametrize(("wish", "shown"), [({}, False), ({"states": False}, False), ({"states": True}, True)])
def test_states_are_shown_only_where_they_are_asked_for(wish: dict[str, bool], shown: bool, domain: str) -> None:
    tracing = PlanTracing(find(domain), "p1", PLAN, **wish)
    tracing.run()
    assert ["state" in step for step in tracing.to_dict()["steps"]] == [shown] * 7
    assert len([line for line in tracing.lines() if line.startswith("  state ")]) == 7 * shown


@pytest.mark.parametrize("as_file", [False, True])
def test_a_plan_is_replayed_and_traced(as_file: bool, domain: str, tmp_path: Path, capsys: Capsys) -> None:
    plan = PLAN
    if as_file:
        (tmp_path / "plan.txt").write_text(PLAN.replace(") ", ")\n"))
        plan = str(tmp_path / "plan.txt")
    code, answer = run(capsys, "replay", domain, "p1", plan)
    assert (code, answer["solved"], answer["cost"]) == (0, True, 7)
    code, answer = run(capsys, "trace", domain, "p1", plan)
    assert (code, answer["valid"], len(answer["steps"])) == (0, True, 7)
    assert answer["steps"][0] == {
        "action": "(row left right goat)",
        "added": ["(at farmer right)", "(at goat right)"],
        "deleted": ["(at farmer left)", "(at goat left)"],
        "fired": [{"condition": "(not (= goat farmer))", "adds": ["(at goat right)"], "deletes": ["(at goat left)"]}],
        "derived": [],
        "cost": 1,
        "missing": ["(at wolf right)", "(at cabbage right)"],
    }
    assert "state" in run(capsys, "trace", domain, "p1", plan, "--states")[1]["steps"][0]


def test_a_trace_ends_where_the_plan_does(domain: str, capsys: Capsys) -> None:
    code, answer = run(capsys, "trace", domain, "p1", "(row left right wolf) (row right left wolf)")
    assert (code, answer["valid"], answer["step"], len(answer["steps"])) == (1, False, 2, 1)
    assert answer["steps"][0]["derived"] == ["(eaten)"]
    assert answer["false"] == [
        {"condition": "(not (eaten))", "reason": "(eaten) is true, but must be false", "since": None}
    ]
    assert main(["trace", domain, "p1", "(row left right wolf) (row right left wolf)"]) == 1
    text = capsys.readouterr().out
    assert "derived (eaten)" in text
    assert "invalid: step 2, (row right left wolf), is not applicable" in text


def test_settings_of_other_games_are_refused(domain: str, capsys: Capsys) -> None:
    for option in (["--engine", "native"], ["--seed", "3"], ["--through"]):
        assert main(["trace", domain, "p1", PLAN, *option]) == 2
        assert "a PDDL domain has no such rules" in capsys.readouterr().err


@pytest.mark.parametrize("end", ["the", "an odd"])
def test_solving_two_files_says_what_solving_the_position_says(
    end: str, domain: str, tmp_path: Path, capsys: Capsys
) -> None:
    problem = tmp_path / "p1.pddl"
    text = problem.read_text()
    if end != "the":
        problem.write_text(text.replace("(:goal (and", "(:goal (and (not (= left left))", 1))
    code, fields = run(capsys, "solve", domain, str(problem))
    result = solve(find(domain).parse(problem.read_text())).to_dict()
    changing = {"schema", "seconds", "peak_memory_mb", "warnings"}
    assert {name: fields[name] for name in result if name not in changing} == {
        name: value for name, value in json.loads(json.dumps(result)).items() if name not in changing
    }
    assert code == (0 if result["status"] == "solved_optimally" else 1)


def test_picture_lines_of_a_problem_are_written(domain: str, tmp_path: Path, capsys: Capsys) -> None:
    problem = tmp_path / "p1.pddl"
    line = "; picture: look ?x (at ?x left)"
    problem.write_text(f"{line}\n{problem.read_text()}")
    assert main(["pddl", domain, str(problem), "--output", str(tmp_path / "written")]) == 0
    assert "; picture: look" in (tmp_path / "written" / "problem.pddl").read_text()
