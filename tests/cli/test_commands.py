"""The command line as scripts see it: JSON fields and exit codes. In one process, for speed."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from support.command_line import TINY_DOMAIN, TINY_PROBLEM, run, run_json
from support.fixtures import Capsys, Monkeypatch
from unpuzzle import check, explore, find, translators
from unpuzzle.base import outcomes as exits
from unpuzzle.base.errors import LimitReached
from unpuzzle.cli import COMMANDS, main
from unpuzzle.planning import registry
from unpuzzle.planning.result import Result

RESULT_FIELDS = set(
    "schema status planner cost objective pushes moves plan valid expanded generated evaluated frontier".split()
    + "seconds peak_memory_mb message".split()
)


@pytest.fixture
def tiny(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "domain.pddl").write_text(TINY_DOMAIN)
    (tmp_path / "problem.pddl").write_text(TINY_PROBLEM)
    return str(tmp_path / "domain.pddl"), str(tmp_path / "problem.pddl")


@pytest.mark.parametrize(("level", "cost"), [("1", 5), ("2", 14), ("3", 24)])
@pytest.mark.parametrize("planner", ["native", "native:blind", "reference", "rules:bfs", "fast-downward"])
def test_solve(level: str, cost: int, planner: str, capsys: Capsys) -> None:
    if registry.missing(planner) is not None:
        pytest.skip(registry.missing(planner) or "")
    code, answer = run_json(capsys, "solve", "boxup", level, "--planner", planner)
    assert code == 0
    assert set(answer) == RESULT_FIELDS | ({"parts"} if planner == "native" else set())
    assert (answer["status"], answer["cost"], answer["valid"]) == ("solved_optimally", cost, True)
    assert len(answer["moves"]) == cost
    assert {"search", "total", "read"} <= set(answer["seconds"])
    assert (answer["plan"] is None) == (planner == "rules:bfs")
    replayed, verdict = run_json(capsys, "replay", "boxup", level, "".join(answer["moves"]))
    assert (replayed, verdict["solved"], verdict["cost"]) == (0, True, cost)


def test_solve_writes_a_plan_that_validates(tmp_path: Path, capsys: Capsys) -> None:
    plan = tmp_path / "plan.txt"
    assert run(capsys, "solve", "boxup", "1", "--plan-file", str(plan))[0] == 0
    assert plan.read_text().endswith("; cost = 5 (unit cost)\n")
    assert run(capsys, "pddl", "boxup", "1", "--output", str(tmp_path / "new" / "folder"))[0] == 0
    files = [str(tmp_path / "new" / "folder" / name) for name in ("domain.pddl", "problem.pddl")]
    code, verdict = run_json(capsys, "validate", *files, str(plan))
    assert (code, verdict.pop("schema"), verdict) == (
        0,
        "unpuzzle/validate/1",
        {"valid": True, "cost": 5, "step": None, "reason": "", "false": [], "missing": [], "mending": None},
    )
    lines = plan.read_text().splitlines()
    plan.write_text("\n".join(lines[1:]))
    code, verdict = run_json(capsys, "validate", *files, str(plan))
    assert code == 1
    assert verdict["valid"] is False
    assert verdict["step"] == 1
    assert verdict["reason"]


def test_two_conditions_that_are_one_after_substitution_are_reported_once(tmp_path: Path, capsys: Capsys) -> None:
    domain, problem, plan = (tmp_path / name for name in ("domain.pddl", "problem.pddl", "plan.txt"))
    domain.write_text(
        "(define (domain d) (:predicates (p ?x) (q ?x)) (:action a :parameters (?x ?y) "
        ":precondition (and (p ?x) (p ?y) (q ?x)) :effect (q ?y)))"
    )
    problem.write_text("(define (problem p) (:domain d) (:objects o) (:init) (:goal (q o)))")
    plan.write_text("(a o o)\n")
    code, out, _ = run(capsys, "validate", *map(str, (domain, problem, plan)))
    assert code == 1
    second = "  (q o) is false; it was so at the start, and no step before changed it"
    assert out.splitlines()[1:3] == ["  (p o) is false (static: no action changes it)", second]


def test_a_level_that_is_solved_already(tmp_path: Path, capsys: Capsys) -> None:
    level = tmp_path / "level.txt"
    level.write_text("Wn!@ .\n".replace("Wn!", "W!n!"))
    code, answer = run_json(capsys, "solve", "boxup", str(level))
    assert (code, answer["status"], answer["cost"], answer["moves"]) == (0, "solved_optimally", 0, [])


def test_a_level_from_standard_input(capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    text = translators.find("boxup").levels["1"].encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    code, answer = run_json(capsys, "solve", "boxup", "-")
    assert (code, answer["cost"]) == (0, 5)


def test_plan(tiny: tuple[str, str], capsys: Capsys) -> None:
    code, answer = run_json(capsys, "plan", *tiny)
    assert code == 0
    assert set(answer) == RESULT_FIELDS | {"parts"}
    assert answer["plan"] == ["(go)"]
    assert answer["moves"] is None
    code, out, _ = run(capsys, "plan", *tiny, "--quiet")
    assert (code, out) == (0, "(go)\n")


def test_check_of_another_domain(tmp_path: Path, capsys: Capsys) -> None:
    run(capsys, "pddl", "pacman", "loops", "--output", str(tmp_path))
    domain = tmp_path / "domain.pddl"
    assert run(capsys, "check", "pacman", "loops", "--domain", str(domain))[0] == 0
    domain.write_text(domain.read_text().replace("(not (food ?to))", ""))
    code, answer = run_json(capsys, "check", "pacman", "loops", "--domain", str(domain))
    assert (code, answer["same"]) == (1, False)
    assert set(answer["difference"]) == {"moves", "other_moves", "rules", "pddl", "constraints"}
    assert run_json(capsys, "check", "pacman", "loops", "--problem", str(domain))[0] == 2


def test_list(capsys: Capsys) -> None:
    code, answer = run_json(capsys, "list")
    assert code == 0
    assert set(answer) == {"schema", "puzzles", "planners", "levels"}
    assert set(answer["puzzles"]) == set(translators.names())
    assert set(answer["planners"]) == set(registry.KINDS)
    assert {"1", "2", "3"} <= set(answer["levels"]["boxup"])
    assert run(capsys, "list")[0] == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command: str, capsys: Capsys) -> None:
    code, out, _ = run(capsys, command, "--help")
    assert code == 0
    assert f"  unpuzzle {command}" in out


def test_overview_and_version(capsys: Capsys) -> None:
    code, out, _ = run(capsys, "--help")
    assert code == 0
    assert all(command in out for command in COMMANDS)
    assert run(capsys)[0] == 2
    assert run(capsys, "--version")[0] == 0


def test_every_status_has_an_exit_code() -> None:
    from unpuzzle.base.outcomes import STATUSES

    assert set(exits.OF_STATUS) == set(STATUSES)


@pytest.mark.parametrize(
    ("text", "moves"),
    [(["ULDRR"], 0), (["U L D R R"], 0), (["U", "L", "D", "RR"], 0), (["ULDR"], 1), (["ULDRX"], 1), ([], 1)],
)
def test_replay(text: list[str], moves: int, capsys: Capsys) -> None:
    code, answer = run_json(capsys, "replay", "boxup", "1", *text)
    assert code == moves
    assert set(answer) == {"schema", "legal", "solved", "cost", "step", "reason"}
    assert answer["solved"] is (code == 0)
    assert bool(answer["reason"]) is (code == 1)


def test_lint_reports_what_is_not_supported_as_a_fault(tmp_path: Path, capsys: Capsys) -> None:
    domain = tmp_path / "domain.pddl"
    domain.write_text("(define (domain d) (:requirements :true-negation))")
    code, answer = run_json(capsys, "lint", str(domain))
    assert code == 1
    assert [(fault["line"], fault["column"], fault["severity"]) for fault in answer["faults"]] == [(1, 35, "error")]
    code, answer = run_json(capsys, "plan", str(domain), str(domain))
    assert (code, answer["status"], answer["column"]) == (4, "unsupported", 35)


@pytest.mark.parametrize(
    ("words", "found"),
    [(["--anytime"], ("RRRR", "RR")), (["--planner", "command:any {domain} {problem}"], ("RR",))],
    ids=["anytime", "a program that goes on after its plan"],
)
def test_who_is_interrupted_answers_with_the_best_plan(
    words: list[str], found: tuple[str, ...], monkeypatch: Monkeypatch, capsys: Capsys
) -> None:
    def interrupted(*args: Any, on_plan: Any, **options: Any) -> None:
        for moves in found:
            on_plan(Result("solved", "native", moves=tuple(moves), cost=len(moves), seconds={"total": 1.0}))
        raise KeyboardInterrupt

    monkeypatch.setattr("unpuzzle.workspace.planning.solve", interrupted)
    code, out, err = run(capsys, "solve", "sliding-tiles", "8-hard", *words)
    assert (code, out.splitlines()[0]) == (130, "RR")
    assert err.endswith("unpuzzle: solved: interrupted: there may be a better plan\n")
    code, answer = run_json(capsys, "solve", "sliding-tiles", "8-hard", *words)
    assert (code, answer["status"], answer["cost"]) == (130, "solved", 2)


def test_a_proof_stands_where_a_limit_ends_the_look_for_oddities(
    monkeypatch: Monkeypatch, tmp_path: Path, capsys: Capsys
) -> None:
    def late(*_: object, **__: object) -> None:
        raise LimitReached("timeout", "late")

    monkeypatch.setattr("unpuzzle.pddl.linting.checks.suspicions", late)
    (tmp_path / "d.pddl").write_text(TINY_DOMAIN)
    (tmp_path / "p.pddl").write_text(TINY_PROBLEM.replace("(there)))", "(and (there) (nowhere))))"))
    code, answer = run_json(capsys, "plan", str(tmp_path / "d.pddl"), str(tmp_path / "p.pddl"))
    assert (code, answer["status"]) == (1, "unsolvable")


def test_anytime_tells_of_better_plans_and_ends_with_a_proof(capsys: Capsys, tmp_path: Path) -> None:
    plan = tmp_path / "plan.txt"
    code, out, err = run(capsys, "solve", "sliding-tiles", "8-medium", "--anytime", "--plan-file", str(plan))
    assert code == 0
    costs = [int(line.split()[5]) for line in err.splitlines()]
    assert costs == sorted(set(costs), reverse=True)
    assert costs[-1] == 20
    assert "solved_optimally: cost 20" in out
    assert plan.read_text().endswith("; cost = 20 (unit cost)\n")
    assert run_json(capsys, "solve", "boxup", "1", "--anytime", "--planner", "reference")[0] == 2


def test_answers_name_a_goal_that_the_text_leaves_open(capsys: Capsys, tmp_path: Path) -> None:
    level, remark = tmp_path / "near.txt", "the goal is the tiles in order, then the blank"
    level.write_text("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15\n")
    for words in (["solve"], ["explain"], ["draw"], ["replay", "R"]):
        assert f"; {remark}\n" in run(capsys, words[0], "sliding-tiles", str(level), *words[1:])[1]
        code, fields = run_json(capsys, words[0], "sliding-tiles", str(level), *words[1:])
        assert (code, fields["remarks"]) == (0, [remark])
    picture = tmp_path / "near.svg"
    assert run(capsys, "draw", "sliding-tiles", str(level), "-o", str(picture))[0] == 0
    assert f'; {remark}"' in picture.read_text()
    level.write_text(level.read_text() + "goal\n1 2 3 4\n5 6 7 8\n9 10 11 12\n0 13 14 15\n")
    assert "remarks" not in run_json(capsys, "solve", "sliding-tiles", str(level))[1]


# ---- Each JSON object of the command line says what shape it has; reports are what `to_dict()` gives


OBJECTS = [
    (["solve", "boxup", "1"], "result"),
    (["check", "boxup", "1"], "check"),
    (["check", "sliding-tiles", "2x3", "--heuristic", "manhattan"], "check-heuristic"),
    (["explore", "boxup", "1"], "explore"),
    (["generate", "boxup", "--count", "1", "--workers", "1"], "generate"),
    (["list"], "list"),
    (["doctor"], "doctor"),
    (["pddl", "boxup", "1"], "pddl"),
    (["replay", "boxup", "1", "U"], "replay"),
    (["explain", "sudoku", "4x4"], "explain"),
    (["draw", "boxup", "1"], "draw"),
    (["solve", "boxup", "nosuch"], "error"),
    (["check", "boxup"], "error"),
    (["--version"], "version"),
    (["check", "--help"], "help"),
]


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    main([*words, "--json"])
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("words", "schema"), OBJECTS, ids=lambda value: " ".join(value) if isinstance(value, list) else value
)
def test_an_object_names_its_schema_first(words: list[str], schema: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert next(iter(answer(capsys, *words).items())) == ("schema", f"unpuzzle/{schema}/1")


def test_rows_name_theirs(capsys: pytest.CaptureFixture[str]) -> None:
    assert {row["schema"] for row in answer(capsys, "survey", "boxup", "1", "2")} == {"unpuzzle/survey/1"}
    rows = answer(capsys, "compare", "boxup", "1", "--algorithms", "bfs", "dfs")
    assert {row["schema"] for row in rows} == {"unpuzzle/compare/1"}


def test_json_is_the_text_of_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    boxup = find("boxup")
    level = boxup.parse(boxup.levels["1"])
    assert answer(capsys, "check", "boxup", "1") == check(level).to_dict()
    explored = answer(capsys, "explore", "boxup", "1")
    assert explored.pop("seconds")["total"] > 0
    assert explored == explore(level).to_dict()


@pytest.mark.parametrize(
    ("words", "file", "told"),
    [
        ("validate p.plan problem.pddl domain.pddl", "p.plan", "a plan, and a domain is expected here; domain.pddl"),
        ("validate domain.pddl p.plan problem.pddl", "p.plan", "a plan, and a problem is expected here; problem.pddl"),
        ("validate domain.pddl problem.pddl domain.pddl", "domain.pddl", "a domain, and a plan is expected here"),
        ("validate domain.pddl problem.pddl problem.pddl", "problem.pddl", "a problem, and a plan is expected here"),
        ("validate domain.pddl problem.pddl -", "<stdin>", "a problem, and a plan is expected here"),
        ("plan p.plan problem.pddl", "p.plan", "a plan, and a domain is expected here"),
        ("explain domain.pddl p.plan", "p.plan", "a plan, and a problem is expected here"),
        ("trace domain.pddl problem.pddl domain.pddl", "domain.pddl", "a domain, and a plan or moves is expected here"),
        ("replay domain.pddl problem.pddl problem.pddl", "problem.pddl", "a problem, and a plan or moves"),
    ],
)
def test_a_file_in_the_place_of_another_is_told_by_what_it_looks_like(
    words: str, file: str, told: str, tmp_path: Path, monkeypatch: Monkeypatch, capsys: Capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "pddl", "boxup", "1", "--output", ".")[0] == 0
    assert run(capsys, "plan", "domain.pddl", "problem.pddl", "--plan-file", "p.plan")[0] == 0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path("problem.pddl").read_bytes())))
    code, error = run_json(capsys, *words.split())
    assert (code, error["status"], error["file"], error["line"]) == (2, "bad_input", file, 1)
    assert error["message"].startswith(f"this looks like {told}")
    if words.startswith("validate") and "p.plan" in words:
        assert error["message"].endswith("; give them in this order: domain.pddl problem.pddl p.plan")
