"""What the command line refuses: bad files, wrong usage, folders and planners that are missing, limits too small."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import run, run_json
from support.fixtures import Capsys, Monkeypatch
from unpuzzle.cli import answer as exits

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
def test_bad_input(words: list[str], text: str, line: int | None, said: str, tmp_path: Path, capsys: Capsys) -> None:
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
def test_binary_files(command: str, content: bytes, tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "input"
    file.write_bytes(content)
    code, answer = run_json(capsys, *command.format(file=file).split())
    assert (code, answer["status"], answer["file"]) == (2, "bad_input", str(file))


@pytest.mark.parametrize("bracket", ["(", ")", "()"])
def test_ten_megabytes_of_brackets(bracket: str, tmp_path: Path, capsys: Capsys) -> None:
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
def test_wrong_usage(words: str, capsys: Capsys) -> None:
    code, answer = run_json(capsys, *words.split())
    assert (code, answer["status"]) == (2, "bad_input")
    assert answer["message"]


def test_near_misses_are_suggested(capsys: Capsys) -> None:
    for words, suggestion in (
        ("slove boxup 1", "solve"),
        ("solve boxpu 1", "boxup"),
        ("solve boxup 1 --planner nativ", "native"),
        ("solve boxup 1 --time-limt=3", "--time-limit"),
    ):
        assert f"did you mean '{suggestion}'" in run(capsys, *words.split())[2]


def test_an_unwritable_folder(tmp_path: Path, capsys: Capsys) -> None:
    (tmp_path / "file").write_text("")
    code, answer = run_json(capsys, "pddl", "boxup", "1", "--output", str(tmp_path / "file" / "folder"))
    assert (code, answer["status"]) == (2, "bad_input")


def test_an_unwritable_plan_file_loses_nothing(tmp_path: Path, capsys: Capsys) -> None:
    code, out, err = run(capsys, "solve", "boxup", "1", "--plan-file", str(tmp_path / "no" / "plan"))
    assert code == 2
    assert "No such file" in err
    assert "ULDRR" in out


def test_a_missing_planner_says_how_to_get_it(capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    for module in ("native", "native.planner"):
        monkeypatch.setattr(f"unpuzzle.planners.{module}.missing", lambda: "install it")
    code, answer = run_json(capsys, "solve", "boxup", "1", "--planner", "native")
    assert (code, answer["message"]) == (4, "install it")
    code, answer = run_json(capsys, "solve", "boxup", "1")
    assert (code, answer["planner"], answer["cost"]) == (0, "reference", 5)


def test_a_time_limit_that_is_too_short(capsys: Capsys) -> None:
    code, answer = run_json(capsys, "solve", "boxup", "3", "--time-limit", "0.000001")
    assert (code, answer["status"], answer["plan"]) == (3, "timeout", None)


def test_a_memory_limit_that_is_too_small(capsys: Capsys) -> None:
    for planner in ("native", "reference"):
        code, answer = run_json(capsys, "solve", "boxup", "3", "--memory-limit", "1M", "--planner", planner)
        assert (code, answer["status"]) == (3, "memout")


def test_near_misses_of_configurations(capsys: Capsys) -> None:
    code, _, err = run(capsys, "solve", "boxup", "1", "--planner", "native:blid")
    assert (code, err.splitlines()[0]) == (2, "unpuzzle: unknown configuration 'native:blid', did you mean 'blind'?")
