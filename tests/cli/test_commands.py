"""The command line as scripts see it: JSON fields, exit codes, refusals. In one process, for speed."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from unpuzzle import planners, translators
from unpuzzle.cli import COMMANDS, exits, main
from unpuzzle.result import Result

RESULT_FIELDS = set(
    "status planner cost moves plan valid expanded generated evaluated frontier seconds peak_memory_mb message".split()
)
TINY_DOMAIN = """(define (domain tiny) (:requirements :strips)
  (:predicates (here) (there) (nowhere))
  (:action go :parameters () :precondition (here) :effect (and (not (here)) (there))))"""
TINY_PROBLEM = "(define (problem p) (:domain tiny) (:init (here)) (:goal (there)))"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(words)
    out, err = capsys.readouterr()
    return code, out, err


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code, out, err = run(capsys, *words, "--json")
    assert err == "", "with --json everything is in the object"
    return code, json.loads(out)


@pytest.fixture
def tiny(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "domain.pddl").write_text(TINY_DOMAIN)
    (tmp_path / "problem.pddl").write_text(TINY_PROBLEM)
    return str(tmp_path / "domain.pddl"), str(tmp_path / "problem.pddl")


@pytest.mark.parametrize(("level", "cost"), [("1", 5), ("2", 14), ("3", 24)])
@pytest.mark.parametrize("planner", ["native", "native:blind", "reference", "rules:bfs", "fast-downward"])
def test_solve(level: str, cost: int, planner: str, capsys: pytest.CaptureFixture[str]) -> None:
    if planners.missing(planner) is not None:
        pytest.skip(planners.missing(planner) or "")
    code, answer = run_json(capsys, "solve", "boxup", level, "--planner", planner)
    assert code == 0
    assert set(answer) == RESULT_FIELDS
    assert (answer["status"], answer["cost"], answer["valid"]) == ("solved_optimally", cost, True)
    assert len(answer["moves"]) == cost
    assert {"search", "total", "read"} <= set(answer["seconds"])
    assert (answer["plan"] is None) == (planner == "rules:bfs")
    replayed, verdict = run_json(capsys, "replay", "boxup", level, "".join(answer["moves"]))
    assert (replayed, verdict["solved"], verdict["cost"]) == (0, True, cost)


def test_solve_prints_moves_that_replay_reads(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "solve", "boxup", "1", "--quiet")
    assert code == 0
    assert run(capsys, "replay", "boxup", "1", out.strip())[0] == 0


def test_solve_draws_every_position(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "solve", "boxup", "1", "--draw")
    assert code == 0
    assert out.startswith("start\n")
    assert "\n5. " in out


def test_solve_writes_a_plan_that_validates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "plan.txt"
    assert run(capsys, "solve", "boxup", "1", "--plan-file", str(plan))[0] == 0
    assert plan.read_text().endswith("; cost = 5 (unit cost)\n")
    assert run(capsys, "pddl", "boxup", "1", "--output", str(tmp_path / "new" / "folder"))[0] == 0
    files = [str(tmp_path / "new" / "folder" / name) for name in ("domain.pddl", "problem.pddl")]
    code, verdict = run_json(capsys, "validate", *files, str(plan))
    assert (code, verdict) == (0, {"valid": True, "cost": 5, "step": None, "reason": ""})
    lines = plan.read_text().splitlines()
    plan.write_text("\n".join(lines[1:]))
    code, verdict = run_json(capsys, "validate", *files, str(plan))
    assert code == 1
    assert verdict["valid"] is False
    assert verdict["step"] == 1
    assert verdict["reason"]


def test_an_unsolvable_task(tmp_path: Path, capsys: pytest.CaptureFixture[str], tiny: tuple[str, str]) -> None:
    problem = tmp_path / "never.pddl"
    problem.write_text(TINY_PROBLEM.replace("(:goal (there))", "(:goal (nowhere))"))
    code, answer = run_json(capsys, "plan", tiny[0], str(problem))
    assert (code, answer["status"], answer["valid"], answer["plan"]) == (1, "unsolvable", None, None)


def test_an_unsolvable_level(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    level = tmp_path / "level.txt"
    level.write_text("n! # W!\n.  # @\n")
    code, answer = run_json(capsys, "solve", "boxup", str(level))
    assert (code, answer["status"]) == (1, "unsolvable")


def test_a_level_that_is_solved_already(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    level = tmp_path / "level.txt"
    level.write_text("Wn!@ .\n".replace("Wn!", "W!n!"))
    code, answer = run_json(capsys, "solve", "boxup", str(level))
    assert (code, answer["status"], answer["cost"], answer["moves"]) == (0, "solved_optimally", 0, [])


def test_a_level_from_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = translators.find("boxup").levels["1"].encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    code, answer = run_json(capsys, "solve", "boxup", "-")
    assert (code, answer["cost"]) == (0, 5)


def test_plan(tiny: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run_json(capsys, "plan", *tiny)
    assert code == 0
    assert set(answer) == RESULT_FIELDS
    assert answer["plan"] == ["(go)"]
    assert answer["moves"] is None
    code, out, _ = run(capsys, "plan", *tiny, "--quiet")
    assert (code, out) == (0, "(go)\n")


def test_check(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run_json(capsys, "check", "boxup", "1")
    assert code == 0
    assert answer == {"same": True, "exhaustive": True, "states": 140, "transitions": 325, "difference": None}


def test_check_of_another_domain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "pddl", "pacman", "loops", "--output", str(tmp_path))
    domain = tmp_path / "domain.pddl"
    assert run(capsys, "check", "pacman", "loops", "--domain", str(domain))[0] == 0
    domain.write_text(domain.read_text().replace("(not (food ?to))", ""))
    code, answer = run_json(capsys, "check", "pacman", "loops", "--domain", str(domain))
    assert (code, answer["same"]) == (1, False)
    assert set(answer["difference"]) == {"moves", "rules", "pddl"}
    assert run_json(capsys, "check", "pacman", "loops", "--problem", str(domain))[0] == 2


def test_lint(tmp_path: Path, capsys: pytest.CaptureFixture[str], tiny: tuple[str, str]) -> None:
    assert run_json(capsys, "lint", *tiny)[0] == 0
    faulty = tmp_path / "faulty.pddl"
    faulty.write_text(TINY_DOMAIN.replace("(here) :effect", "(heer) :effect").replace("(there))))", "(ther)))) "))
    code, answer = run_json(capsys, "lint", str(faulty))
    assert code == 1
    errors = [fault for fault in answer["faults"] if fault["severity"] == "error"]
    assert len(errors) == 2
    assert {"file", "line", "column", "severity", "message"} == set(errors[0])
    faulty.write_text("(define (domain d)")
    code, answer = run_json(capsys, "lint", str(faulty))
    assert (code, answer["status"]) == (2, "bad_input")


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run_json(capsys, "list")
    assert code == 0
    assert set(answer) == {"puzzles", "planners", "levels"}
    assert set(answer["puzzles"]) == set(translators.names())
    assert set(answer["planners"]) == set(planners.KINDS)
    assert {"1", "2", "3"} <= set(answer["levels"]["boxup"])
    assert run(capsys, "list")[0] == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, command, "--help")
    assert code == 0
    assert f"  unpuzzle {command}" in out


def test_overview_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--help")
    assert code == 0
    assert all(command in out for command in COMMANDS)
    assert run(capsys)[0] == 2
    assert run(capsys, "--version")[0] == 0


BAD = [
    ("bad symbol", ["solve", "boxup", "{file}"], "@ x\nn! W!\n", 1, "x"),
    ("ragged rows", ["solve", "boxup", "{file}"], "@ . .\nn! W!\n", 2, "2"),
    ("two movers", ["solve", "boxup", "{file}"], "@ @\nn! W!\n", 1, "mover"),
    ("no goal pair", ["solve", "boxup", "{file}"], "@ .\nn W!\n", None, ""),
    ("empty file", ["solve", "boxup", "{file}"], "", None, "empty"),
    ("empty PDDL", ["plan", "{file}", "{file}"], "", None, "empty"),
    ("unbalanced", ["plan", "{file}", "{file}"], "(define (domain d)\n(:predicates (p)", None, ""),
]


@pytest.mark.parametrize(("words", "text", "line", "said"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_input(
    words: list[str], text: str, line: int | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "input"
    file.write_text(text)
    words = [word.format(file=file) for word in words]
    code, answer = run_json(capsys, *words)
    assert code == exits.BAD_INPUT
    assert {"status", "message", "file", "line", "column"} <= set(answer)
    assert answer["status"] == "bad_input"
    assert answer["file"] == str(file)
    assert said in answer["message"]
    if line is not None:
        assert answer["line"] == line
    code, out, err = run(capsys, *words)
    assert (code, out) == (exits.BAD_INPUT, "")
    assert err.startswith("unpuzzle: ")
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["solve boxup {file}", "plan {file} {file}", "lint {file}", "check pacman {file}"])
@pytest.mark.parametrize("content", [b"\x00\xff\xfe\x80", b"\x7fELF\x02\x01\x01\x00\x00", b"caf\xe9"])
def test_binary_files(command: str, content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "input"
    file.write_bytes(content)
    code, answer = run_json(capsys, *command.format(file=file).split())
    assert (code, answer["status"], answer["file"]) == (2, "bad_input", str(file))


@pytest.mark.parametrize("bracket", ["(", ")", "()"])
def test_ten_megabytes_of_brackets(bracket: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "input"
    file.write_text(bracket * (10_000_000 // len(bracket)))
    code, answer = run_json(capsys, "plan", str(file), str(file))
    assert (code, answer["status"]) == (2, "bad_input")
    assert answer["line"] == 1


@pytest.mark.parametrize(
    "words",
    [
        "solve boxup nosuch",
        "solve nosuch 1",
        "solve boxup 1 --planner nosuch",
        "solve boxup 1 --planner native:nosuch",
        "solve boxup 1 --planner rules:nosuch",
        "solve boxup 1 --time-limit 0",
        "solve boxup 1 --time-limit x",
        "solve boxup 1 --memory-limit 5X",
        "solve boxup",
        "solve boxup 1 --nosuch",
        "solve boxup 1 -- --nosuch",
        "solve boxup 1 --= --",
        "solve boxup 1 --planner rules:bfs --plan-file x",
        "nosuch",
        "check boxup 1 --max-states 0",
        "plan nosuch.pddl nosuch.pddl",
        "validate nosuch.pddl nosuch.pddl nosuch.txt",
        "plan /dev/null /dev/null",
    ],
)
def test_wrong_usage(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run_json(capsys, *words.split())
    assert (code, answer["status"]) == (2, "bad_input")
    assert answer["message"]


def test_near_misses_are_suggested(capsys: pytest.CaptureFixture[str]) -> None:
    for words, suggestion in (
        ("slove boxup 1", "solve"),
        ("solve boxpu 1", "boxup"),
        ("solve boxup 1 --planner nativ", "native"),
        ("solve boxup 1 --time-limt=3", "--time-limit"),
    ):
        assert f"did you mean '{suggestion}'" in run(capsys, *words.split())[2]


def test_an_unwritable_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    code, answer = run_json(capsys, "pddl", "boxup", "1", "--output", str(tmp_path / "file" / "folder"))
    assert (code, answer["status"]) == (2, "bad_input")


def test_an_unwritable_plan_file_loses_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "solve", "boxup", "1", "--plan-file", str(tmp_path / "no" / "plan"))
    assert code == 2
    assert "No such file" in err
    assert "ULDRR" in out


def test_a_missing_planner_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unpuzzle.planners.native.missing", lambda: "install it")
    code, answer = run_json(capsys, "solve", "boxup", "1", "--planner", "native")
    assert (code, answer["message"]) == (4, "install it")
    code, answer = run_json(capsys, "solve", "boxup", "1")
    assert (code, answer["planner"], answer["cost"]) == (0, "reference", 5)


def test_a_time_limit_that_is_too_short(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run_json(capsys, "solve", "boxup", "3", "--time-limit", "0.000001")
    assert (code, answer["status"], answer["plan"]) == (3, "timeout", None)


def test_a_memory_limit_that_is_too_small(capsys: pytest.CaptureFixture[str]) -> None:
    for planner in ("native", "reference"):
        code, answer = run_json(capsys, "solve", "boxup", "3", "--memory-limit", "1M", "--planner", planner)
        assert (code, answer["status"]) == (3, "memout")


def test_every_status_has_an_exit_code() -> None:
    from unpuzzle.result import STATUSES

    assert set(exits.OF_STATUS) == set(STATUSES)


@pytest.mark.parametrize(
    ("text", "moves"),
    [(["ULDRR"], 0), (["U L D R R"], 0), (["U", "L", "D", "RR"], 0), (["ULDR"], 1), (["ULDRX"], 1), ([], 1)],
)
def test_replay(text: list[str], moves: int, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run_json(capsys, "replay", "boxup", "1", *text)
    assert code == moves
    assert set(answer) == {"legal", "solved", "cost", "step", "reason"}
    assert answer["solved"] is (code == 0)
    assert bool(answer["reason"]) is (code == 1)


def test_lint_reports_what_is_not_supported_as_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    domain = tmp_path / "domain.pddl"
    domain.write_text("(define (domain d) (:requirements :durative-actions))")
    code, answer = run_json(capsys, "lint", str(domain))
    assert code == 1
    assert [(fault["line"], fault["column"], fault["severity"]) for fault in answer["faults"]] == [(1, 35, "error")]
    code, answer = run_json(capsys, "plan", str(domain), str(domain))
    assert (code, answer["status"], answer["column"]) == (4, "unsupported", 35)


def test_lint_tells_what_grounding_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "d.pddl").write_text(TINY_DOMAIN[:-1] + "\n(:action no :precondition (nowhere) :effect (here)))")
    (tmp_path / "p.pddl").write_text(TINY_PROBLEM.replace("(there)))", "(and (there) (nowhere))))"))
    code, answer = run_json(capsys, "lint", str(tmp_path / "d.pddl"), str(tmp_path / "p.pddl"))
    messages = [fault["message"] for fault in answer["faults"]]
    assert code == 0
    assert "the action 'no' can never be applied in this problem" in messages
    assert any("(nowhere)" in message and "goal" in message for message in messages)
    assert {fault["severity"] for fault in answer["faults"]} == {"warning"}


def test_anytime_interrupted_answers_with_the_best_plan(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*args: Any, on_plan: Any, **options: Any) -> None:
        for moves in ("RRRR", "RR"):
            on_plan(Result("solved", "native", moves=tuple(moves), cost=len(moves), seconds={"total": 1.0}))
        raise KeyboardInterrupt

    monkeypatch.setattr("unpuzzle.solving.solve", interrupted)
    code, out, err = run(capsys, "solve", "sliding-tiles", "8-hard", "--anytime")
    assert (code, out.splitlines()[0]) == (130, "RR")
    assert "interrupted: there may be a better plan" in err
    code, answer = run_json(capsys, "solve", "sliding-tiles", "8-hard", "--anytime")
    assert (code, answer["status"], answer["cost"]) == (130, "solved", 2)


def test_near_misses_of_configurations(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "solve", "boxup", "1", "--planner", "native:blid")
    assert (code, err) == (2, "unpuzzle: unknown configuration 'native:blid', did you mean 'blind'?\n")


def test_anytime_tells_of_better_plans_and_ends_with_a_proof(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    plan = tmp_path / "plan.txt"
    code, out, err = run(capsys, "solve", "sliding-tiles", "8-hard", "--anytime", "--plan-file", str(plan))
    assert code == 0
    costs = [int(line.split()[5]) for line in err.splitlines()]
    assert costs == sorted(set(costs), reverse=True)
    assert costs[-1] == 31
    assert "solved_optimally: cost 31" in out
    assert plan.read_text().endswith("; cost = 31 (unit cost)\n")
    assert run_json(capsys, "solve", "boxup", "1", "--anytime", "--planner", "reference")[0] == 2
