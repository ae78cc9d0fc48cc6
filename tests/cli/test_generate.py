"""unpuzzle generate: text that can be split again, folders, JSON, exit codes; interruptions as a process."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from support.registry import EVERY_KIND, WITH_PDDL
from support.waiting import PATIENCE, is_gone, wait_until
from unpuzzle import translators
from unpuzzle.base import outcomes as exits
from unpuzzle.cli import main
from unpuzzle.cli.commands import generate as command
from unpuzzle.cli.files import level_file
from unpuzzle.cli.parser import Parser
from unpuzzle.generation import candidates
from unpuzzle.state_space.difficulty import MEASURES

FIELDS = ["schema", "status", "puzzle", "options", "seed", "levels", "candidates", "duplicates", "rejected", "repeats"]
LEVEL_FIELDS = ["level", "cost", "moves", "expanded", "optimal_plans", "dead_ends", "optimal_lines", *MEASURES]
SMALL = {
    "boxup": ["--size", "3x3", "--walls", "1"],
    "sliding-tiles": ["--size", "2x3"],
    "pacman": ["--size", "3x4", "--kind", "room"],
}
LINES = {"24", "sudoku"}
"""Their levels are one line each, and so is the output: see `test_sudokus_are_a_line_each`."""
ONE = ["--workers", "1"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["generate", *words])
    out, err = capsys.readouterr()
    return code, out, err


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code, out, err = run(capsys, *words, "--json")
    assert err == "", "with --json everything is in the object"
    return code, json.loads(out)


# ---- answers


@pytest.mark.parametrize("name", [name for name in WITH_PDDL if name not in LINES])
def test_blocks_can_be_split_again(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [name, *SMALL.get(name, []), "--count", "4", "--moves", "3..20", *ONE]
    code, out, err = run(capsys, *words)
    assert code == 0
    assert err.startswith("unpuzzle: 4 of 4 levels from ")
    _, answer = run_json(capsys, *words)
    assert list(answer) == FIELDS
    for number, (block, level) in enumerate(zip(out.split("\n\n"), answer["levels"], strict=True), 1):
        heading, _, text = block.partition("\n")
        assert list(level) == LEVEL_FIELDS
        assert heading == f"; {number}: optimal {level['cost']}, {level['expanded']:,} expanded"
        assert f"{text.rstrip(chr(10))}\n" == level["level"] == str(translators.find(name).parse(level["level"]))
        assert len(level["moves"]) == level["cost"]
    code, quiet, err = run(capsys, *words, "--quiet")
    assert (code, err) == (0, "")
    assert quiet.split("\n\n")[0] + "\n" == answer["levels"][0]["level"]
    assert ";" not in quiet


def test_sudokus_are_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sudoku", "--count", "3", *ONE]
    code, out, err = run(capsys, *words)
    assert code == 0
    assert [(len(line), 20 <= 81 - line.count(".") <= 30) for line in out.splitlines()] == [(81, True)] * 3
    _, answer = run_json(capsys, *words)
    assert [level["level"] for level in answer["levels"]] == out.splitlines(keepends=True)
    for level in answer["levels"]:
        assert level["grade"] == translators.find("sudoku").parse(level["level"]).grade()[1]
        assert level["grade"] in err


@pytest.mark.parametrize("name", EVERY_KIND)
def test_what_was_printed_is_a_file_of_levels(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """`generate > f; solve f` for every puzzle."""
    words = [name, *SMALL.get(name, []), "--count", "2", "--moves", "1..60", *ONE]
    code, out, _ = run(capsys, *words)
    texts = [level["level"] for level in run_json(capsys, *words)[1]["levels"]]
    file, game = tmp_path / "f", translators.find(name)
    for end in ("\r\n", "\n"):
        file.write_bytes(out.replace("\n", end).encode())
        levels = level_file(game, name, str(file)).levels
        assert [level.position(game) for level in levels] == [game.parse(text) for text in texts]
    assert (code, main(["solve", name, str(file), "--json"])) == (0, 0)
    rows = json.loads(capsys.readouterr().out)["levels"]
    assert [row["number"] for row in rows] == [1, 2]
    assert main(["solve", name, f"{file}:2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cost"] == rows[1]["cost"]


def test_levels_of_a_domain_are_a_file_of_problems(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    domain, file = tmp_path / "domain.pddl", tmp_path / "f"
    main(["pddl", "hanoi", next(iter(translators.find("hanoi").levels)), "--output", str(tmp_path)])
    capsys.readouterr()
    code, out, _ = run(capsys, str(domain), "--count", "2", *ONE)
    file.write_text(out)
    assert (code, main(["solve", str(domain), str(file), "--json"])) == (0, 0)
    assert len(json.loads(capsys.readouterr().out)["levels"]) == 2


def test_an_error_in_a_printed_level_has_its_line_in_the_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "f"
    file.write_text("; 1: optimal 1\n@ . W!\n\n; 2: optimal 2\n@ Q W!\n")
    assert main(["solve", "boxup", f"{file}:2"]) == exits.BAD_INPUT
    assert f"{file}:5:3: " in capsys.readouterr().err
    file.write_text("; 2: not a first level\n.  .  .\nn! @ W!\n.  .  .\n")
    assert len(level_file(translators.find("boxup"), "boxup", str(file)).levels) == 1


def test_a_level_is_solved_in_as_many_moves(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "new" / "levels"
    words = ["boxup", "--count", "3", "--unique", "--no-dead-ends", "--output", str(folder), *ONE]
    code, out, _ = run(capsys, *words)
    index = json.loads((folder / "index.json").read_text())
    names = [level["file"] for level in index["levels"]]
    assert (code, sorted(path.name for path in folder.iterdir())) == (0, [*names, "index.json"])
    assert list(index) == FIELDS
    for number, (line, level) in enumerate(zip(out.splitlines(), index["levels"], strict=True), 1):
        assert level["file"] == f"boxup-{number:03}-{level['cost']}.txt"
        assert (folder / level["file"]).read_text() == level["level"]
        assert (level["optimal_lines"], level["dead_ends"], level["lost"]) == (1, 0, 0)
        assert line.startswith(f"{folder / level['file']}: optimal {level['cost']}, ")
        several = f"{level['optimal_plans']} optimal solutions (1 line)"
        plans = "1 optimal solution" if level["optimal_plans"] == 1 else several
        assert line.endswith(f" expanded, {plans}, no dead ends")
        main(["solve", "boxup", str(folder / level["file"]), "--json"])
        assert json.loads(capsys.readouterr().out)["cost"] == level["cost"]


def test_all_names_the_hardest(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "sliding-tiles", "--all", "--size", "2x3", "--count", "1", "--quiet", *ONE)
    assert (code, out, err) == (0, "3 4 5\n0 1 2\n", "")
    code, _, err = run(capsys, "boxup", "--size", "2x2", "--all", *ONE)
    assert code == 0
    assert err.startswith("unpuzzle: ")
    assert " of " not in err
    code, out, err = run(capsys, "boxup", "--size", "2x2", "--all", "--moves", "100..", *ONE)
    assert (code, out) == (1, "")  # and that is certain


def test_a_budget_that_ends(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["boxup", "--size", "2x2", "--moves", "50..60", "--candidates", "90", *ONE]
    code, out, err = run(capsys, *words)
    assert (code, out) == (3, "")
    assert err.startswith("unpuzzle: gave_up: no more candidates are tried (see --candidates); 0 of 10 levels from 90 ")
    code, answer = run_json(capsys, *words)
    assert (code, answer["status"], answer["candidates"]) == (3, "gave_up", 90)
    assert list(answer["rejected"]) == list(candidates.REASONS)
    assert sum(answer["rejected"].values()) + answer["duplicates"] == 90
    assert run(capsys, *words, "--quiet")[2] == err


def test_a_time_limit(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run_json(capsys, "boxup", "--time-limit", "0.001", *ONE)
    assert (code, answer["status"], answer["levels"]) == (3, "timeout", [])


@pytest.mark.parametrize("moves", ["4", "..4", "3..", "3..4"])
def test_moves(moves: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run_json(capsys, "sliding-tiles", "--size", "2x2", "--all", "--moves", moves, *ONE)
    costs = {level["cost"] for level in answer["levels"]}
    assert (code, costs) == (0, {"4": {4}, "..4": {0, 1, 2, 3, 4}, "3..": {3, 4, 5, 6}, "3..4": {3, 4}}[moves])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "PUZZLE"),
        ("sliding-tiles --all --size 4x4", "more than 100,000 levels"),
        ("boxup --output {full}", "is not empty"),
        ("boxup --output {full}/file", "File exists"),
        ("boxup --output /dev/null/x", "/dev/null"),
    ],
)
def test_wrong_usage(words: str, said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, answer = run_json(capsys, *words.format(full=tmp_path).split())
    assert (code, answer["status"]) == (2, "bad_input")
    assert said in answer["message"]
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_scheduler_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "levels"
    code, answer = run_json(capsys, "boxup", "--scheduler", "nonsense", "--output", str(folder))
    assert (code, answer["status"]) == (exits.BROKEN, "error")
    assert not folder.exists()


def test_a_refused_run_leaves_no_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    for folder in ("new/one/levels", "new/one/levels/", "kept/levels"):
        assert run(capsys, "boxup", "--workers", "0", "--output", str(tmp_path / folder))[0] == exits.BAD_INPUT
    assert [path.name for path in tmp_path.rglob("*")] == ["kept"]


@pytest.mark.parametrize(
    "words", [["--count", "3", "mine"], ["mine", "--count", "3"], ["--count", "3", "mine", "hanoi"]]
)
def test_the_puzzle_is_found_among_values_of_options(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "installed", lambda: ["mine"])
    monkeypatch.setattr(command, "find", lambda name: translators.find("boxup"))
    command.own_arguments(Parser(), words)
    assert words[0] == ("hanoi" if "hanoi" in words else "mine")


def test_help_has_the_options_of_the_puzzle(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "pacman", "--help")
    assert code == 0
    assert all(f"--{name} " in out for name in translators.find("pacman").options)
    assert "--kind" not in run(capsys, "--help")[1]


@pytest.mark.parametrize("name", translators.names())
def test_options_of_a_puzzle_do_not_collide_with_the_others(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, name, "--help")[0] == 0


def test_a_folder_that_cannot_be_filled_loses_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unpuzzle.base.files import save_all

    def full(files: dict[str, str], *, new: bool = False) -> None:
        if not new:
            raise OSError(28, "No space left on device", next(iter(files)))
        save_all(files, new=new)  # the claim

    monkeypatch.setattr("unpuzzle.cli.commands.generate.save_all", full)
    words = ["boxup", "--count", "2", "--output", str(tmp_path / "levels"), *ONE]
    code, out, err = run(capsys, *words)
    assert code == exits.BAD_INPUT
    assert out.startswith("; 1: optimal ")
    assert err.endswith(": No space left on device\n")
    assert not (tmp_path / "levels").exists()


# ---- as a process


def test_two_runs_into_one_folder_and_equal_bytes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "unpuzzle", "generate", "boxup", "--count", "5", "--quiet", "--workers"]
    both = [subprocess.Popen([*command, "2", "--output", "levels"], cwd=tmp_path, stderr=subprocess.PIPE) for _ in "12"]
    errs = [process.communicate()[1] for process in both]
    assert sorted(process.returncode for process in both) == [0, 2]
    assert any(b"levels" in err for err in errs)
    assert len(list((tmp_path / "levels").iterdir())) == 6
    outputs = [subprocess.run([*command, n, "--json"], capture_output=True, check=True).stdout for n in "12"]
    assert outputs[0] == outputs[1]


@pytest.mark.skipif(os.name != "posix", reason="terminals and signals of POSIX")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["interrupt", "end"])
def test_an_interruption_keeps_what_was_found(number: int, code: int, tmp_path: Path) -> None:
    process, terminal = start_and_find_levels("--output", str(tmp_path / "levels"))
    family = psutil.Process(process.pid).children(recursive=True)
    assert len(family) >= 2
    os.killpg(process.pid, number)  # as a terminal does, to the workers, too
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    told = read_all(terminal)
    assert "unpuzzle: interrupted: " in told
    assert "Traceback" not in told
    index = json.loads((tmp_path / "levels" / "index.json").read_text())
    assert index["status"] == "interrupted"
    assert len(out.splitlines()) == len(index["levels"]) > 0
    costs = [level["cost"] for level in index["levels"]]
    assert costs == sorted(costs)
    wait_until(lambda: all(map(is_gone, family)), "the workers are gone")


@pytest.mark.skipif(os.name != "posix", reason="terminals and signals of POSIX")
def test_workers_do_not_outlive_a_run_that_is_killed() -> None:
    process, _ = start_and_find_levels()
    family = psutil.Process(process.pid).children(recursive=True)
    assert len(family) >= 2
    process.kill()
    process.communicate()
    wait_until(lambda: all(map(is_gone, family)), "the workers are gone")


def start_and_find_levels(*words: str) -> tuple[subprocess.Popen[str], int]:
    """A run without an end on a terminal, whose progress line tells of levels; and the terminal."""
    import pty

    terminal, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "unpuzzle", "generate", "boxup", "--count", "99999", "--workers", "2", *words],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        start_new_session=True,
    )
    os.close(theirs)
    told = ""
    while " levels, " not in told or "the hardest needs" not in told:
        told += os.read(terminal, 1000).decode()
    assert "\r\x1b[K[...................." in told
    return process, terminal


def read_all(terminal: int) -> str:
    told = b""
    try:
        while more := os.read(terminal, 1000):
            told += more
    except OSError:  # the other end is closed
        pass
    return told.decode()


def test_one_duplicate_is_one(capsys):
    main(["generate", "lights-out", "--size", "1x1", "--candidates", "3", "--seed", "1"])
    assert "from 3 candidates (1 duplicate, 1 too easy)" in capsys.readouterr().err


def test_levels_to_change_are_named_as_everywhere(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    level = "#####\n#@$.#\n#   #\n#####\n"
    (tmp_path / "levels.sok").write_text(f"{level}\nfirst\n\n{level}\nsecond\n")
    for name in ("levels.sok:2", "levels.sok"):
        assert main(["generate", "sokoban", "--from", str(tmp_path / name), "--count", "1", "--seed", "1"]) == 0
    (tmp_path / "bad.xsb").write_text(level.replace("$", "x"))
    assert main(["generate", "sokoban", "--from", str(tmp_path / "bad.xsb"), "--count", "1"]) == 2
    assert "bad.xsb:2:3: bad symbol 'x'" in capsys.readouterr().err
