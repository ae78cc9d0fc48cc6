"""Files of several levels on the command line: all of them, one of them, and written back."""

import io
import json
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from support.clocks import SecondsPerLook
from support.command_line import run, run_json
from support.modules import ROOT
from support.waiting import wait_until
from unpuzzle import find
from unpuzzle.base import outcomes as exits
from unpuzzle.base.run import current
from unpuzzle.cli import collections
from unpuzzle.cli.collections import LevelsRequest
from unpuzzle.cli.commands.plan import PlanRequest
from unpuzzle.generation.collections import read_collection
from unpuzzle.model.capabilities import completed

SMALL = str(ROOT / "docs" / "files" / "collections" / "small.sok")
GOOD, BROKEN, STUCK = "#####\n#@$.#\n#####\n", "#####\n#@x$#\n#####\n", "####\n#@$#\n#. #\n####\n"
AROUND = "#######\n#@ $ .#\n#######\n"
LONG = find("sokoban").generate(Random(5), completed(find("sokoban"), {"size": "18x18", "boxes": "12", "walls": "9"}))
"""No breadth-first search on the rules gets through it."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "levels.sok"


def test_all_levels_are_solved(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run_json(capsys, "solve", "sokoban", SMALL)
    assert code == exits.NO  # one is unsolvable
    assert list(answer) == ["schema", "levels"]
    assert answer["schema"] == "unpuzzle/solve/1"
    assert [(level["number"], level["name"], level["status"], level["cost"]) for level in answer["levels"]] == [
        (1, "Straight ahead", "solved_optimally", 3),
        (2, "Two ways in", "solved_optimally", 6),
        (3, "Runs", "solved_optimally", 5),
        (4, "The corner", "solved_optimally", 22),
        (5, "Stuck", "unsolvable", None),
    ]
    for level in answer["levels"]:  # each is what `solve` says of it alone
        _, alone = run_json(capsys, "solve", "sokoban", f"{SMALL}:{level['number']}")
        assert set(alone) | {"number", "name"} == set(level)
        assert [alone[name] for name in ("schema", "status", "moves", "plan", "expanded")] == [
            level[name] for name in ("schema", "status", "moves", "plan", "expanded")
        ]


def test_each_level_has_the_whole_time(
    file: Path, capsys: pytest.CaptureFixture[str], seconds_per_look: SecondsPerLook
) -> None:
    file.write_text("\n".join([GOOD] * 3))
    run_json(capsys, "solve", "sokoban", f"{file}:1", "--time-limit", "100000")
    limit = 2 * seconds_per_look.reads
    _, answer = run_json(capsys, "solve", "sokoban", str(file), "--time-limit", str(limit))
    assert seconds_per_look.reads > 1.5 * limit, "the three take longer together"
    assert [level["status"] for level in answer["levels"]] == ["solved_optimally"] * 3


def test_a_line_a_level(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "solve", "sokoban", SMALL)
    lines = out.splitlines()
    assert (code, len(lines)) == (exits.NO, 5)
    assert lines[0].startswith("1. Straight ahead: solved_optimally, cost 3, ")
    assert lines[0].endswith(" s: rRR")
    assert lines[4].startswith("5. Stuck: unsolvable, ")
    assert err.startswith("unpuzzle: level 5: unsolvable: the box at row 2, column 4 is on a dead square")
    _, out, _ = run(capsys, "solve", "sokoban", SMALL, "--quiet")
    assert out.split() == ["rRR", "uRRRdR", "RUruL", "drDuurrddDldlluRuuRurD", "unsolvable"]


@pytest.mark.parametrize("name", ["2", "Two ways in", "two ways in"])
def test_one_level_by_number_or_title(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "solve", "sokoban", f"{SMALL}:{name}", "--quiet")[:2] == (exits.YES, "uRRRdR\n")


@pytest.mark.parametrize(
    "words",
    [
        "check sokoban FILE:1",
        "explore sokoban FILE:1",
        "replay sokoban FILE:1 rRR",
        "draw sokoban FILE:1 rRR",
        "pddl sokoban FILE:1",
        "explain sokoban FILE:1",
        "compare sokoban FILE:1 --algorithms bfs",
        "survey sokoban FILE:1 1",
    ],
)
def test_a_level_is_named_wherever_one_is_taken(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *words.replace("FILE", SMALL).split())
    assert code == exits.YES
    assert out


@pytest.mark.parametrize("command", ["check", "explore", "replay", "pddl", "explain", "compare", "play"])
def test_a_file_of_several_is_no_level(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run_json(capsys, command, "sokoban", SMALL)
    assert code == exits.BAD_INPUT
    assert answer["message"] == f"{SMALL} contains 5 levels; name one of them, such as {SMALL}:1"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (f"{SMALL}:6", "there is no level '6': levels are numbered 1 to 5"),
        (f"{SMALL}:0", "there is no level '0': levels are numbered 1 to 5"),
        (f"{SMALL}:Two ways", "there is no level called 'Two ways', did you mean 'Two ways in'?"),
        ("nowhere.sok:1", "'nowhere.sok:1' is neither a file nor a bundled level of sokoban"),
    ],
)
def test_a_level_that_is_not_there(name: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "solve", "sokoban", name)
    assert code == exits.BAD_INPUT
    assert said in err


def test_a_name_with_a_colon(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a:b.sok"
    path.write_text(f"{GOOD}Title: x: y\n\n{AROUND}Title: z\n")
    assert run(capsys, "solve", "sokoban", f"{path}:x: y", "--quiet")[1] == "R\n"
    assert run(capsys, "solve", "sokoban", str(path), "--quiet")[1] == "R\nrRR\n"


def test_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    data = f"; 1\n\n{GOOD}\n; 2\n\n{AROUND}".encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert run(capsys, "solve", "sokoban", "-", "--quiet")[1] == "R\nrRR\n"


@pytest.mark.parametrize(
    ("data", "title"),
    [
        (f"; caf\xe9\n\n{GOOD}\n; 2\n\n{GOOD}".encode("latin-1"), "caf\xe9"),
        (f"; caf\xe9\r\n\r\n{GOOD}\r\n; 2\r\n\r\n{GOOD}".replace("\n", "\r\n").encode(), "caf\xe9"),
        (f"; caf\xe9\n\n{GOOD}\n; 2\n\n{GOOD}".encode("utf-8-sig"), "caf\xe9"),
        (f"; caf\xe9\n\n{GOOD}\n; 2\n\n{GOOD}".encode("utf-16"), "caf\xe9"),
    ],
)
def test_encodings(data: bytes, title: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(data)
    code, answer = run_json(capsys, "solve", "sokoban", str(file))
    assert code == exits.YES
    assert [level["name"] for level in answer["levels"]] == [title, "2"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the level is empty"),
        (b"\n\n; words\n", "the level is empty"),
        (b"\x89PNG\r\n\x1a\n\0\0", "this is a binary file, not text"),
        (b"no level in here\n", "bad symbol 'n'"),
    ],
)
def test_no_level_at_all(data: bytes, said: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(data)
    code, _, err = run(capsys, "solve", "sokoban", str(file))
    assert code == exits.BAD_INPUT
    assert said in err


def test_a_broken_level_among_good_ones(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(f"{GOOD}\n{BROKEN}\n{STUCK}\n{AROUND}")
    code, answer = run_json(capsys, "solve", "sokoban", str(file))
    assert code == exits.BAD_INPUT
    statuses = ["solved_optimally", "bad_input", "unsolvable", "solved_optimally"]
    assert [level["status"] for level in answer["levels"]] == statuses
    broken = answer["levels"][1]
    assert (broken["file"], broken["line"], broken["column"]) == (str(file), 6, 3)
    assert broken["message"].startswith("bad symbol 'x'")
    code, _, err = run(capsys, "solve", "sokoban", str(file))
    assert f"unpuzzle: level 2: {file}:6:3: bad symbol 'x'" in err
    assert "    #@x$#\n      ^\n" in err

    code, rows = run_json(capsys, "survey", "sokoban", str(file))
    assert (code, [row["status"] for row in rows]) == (exits.NO, statuses)
    assert [row["level"] for row in rows] == [f"{file}:{number}" for number in range(1, 5)]
    code, answer = run_json(capsys, "play", "sokoban", str(file), "-o", str(tmp_path / "page.html"))
    assert (code, [level["made"] for level in answer["levels"]]) == (exits.BAD_INPUT, [True, False, True, True])
    code, answer = run_json(capsys, "draw", "sokoban", str(file))
    assert (code, [level["number"] for level in answer["levels"]]) == (exits.BAD_INPUT, [1, 3, 4])


def test_each_level_has_limits_of_its_own(file: Path) -> None:
    file.write_text(f"{GOOD}\n{LONG}\n{AROUND}")
    words = ["solve", "sokoban", str(file), "--planner", "rules:bfs", "--time-limit", "2", "--json"]
    done = subprocess.run([sys.executable, "-m", "unpuzzle", *words], capture_output=True, text=True, check=False)
    assert done.returncode == exits.NO_ANSWER
    statuses = [level["status"] for level in json.loads(done.stdout)["levels"]]
    assert statuses == ["solved_optimally", "timeout", "solved_optimally"]


def test_an_interruption_keeps_what_was_done(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(f"{GOOD}\n{AROUND}\n{GOOD}")
    solve, output = LevelsRequest._solved, tmp_path / "out.sok"

    def interrupted(asked, level, outcome, show):
        if level.number == 3:
            signal.raise_signal(signal.SIGINT)
        return solve(asked, level, outcome, show)

    monkeypatch.setattr(LevelsRequest, "_solved", interrupted)
    code, answer = run_json(capsys, "solve", "sokoban", str(file), "-o", str(output))
    assert code == exits.INTERRUPTED
    assert [level["moves"] for level in answer["levels"]] == [["R"], ["r", "R", "R"]]
    assert answer["message"] == "interrupted: 2 of 3 levels in the answer"
    assert [len(level.solutions) for level in read_collection(output.read_text()).levels] == [1, 1, 0]


# ---- written back


def test_all_is_written_back_with_solutions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "solved.sok"
    code, answer = run_json(capsys, "solve", "sokoban", SMALL, "-o", str(output))
    assert (code, answer["file"]) == (exits.NO, str(output))
    before, after = read_collection(Path(SMALL).read_text()), read_collection(output.read_text())
    bare = [level.replace(solutions=()) for level in after.levels]
    assert after.replace(levels=tuple(bare)) == before.replace(
        levels=tuple([level.replace(solutions=()) for level in before.levels])
    )
    assert [[solution.moves for solution in level.solutions] for level in after.levels] == [
        ["rRR"],
        ["uRRRdR", "uduRRRdR"],  # ours is better than the one in the file, which stays
        ["RUruL"],
        ["drDuurrddDldlluRuuRurD"],
        [],
    ]
    assert "Solution (moves 22, pushes 5)\ndrDuurrddDldlluRuuRurD\n" in output.read_text()
    again = tmp_path / "again.sok"
    run(capsys, "solve", "sokoban", str(output), "-o", str(again))
    assert again.read_text() == output.read_text()  # the best known stays
    code, answer = run_json(capsys, "replay", "sokoban", str(again), "--solutions")
    assert code == exits.YES
    assert [part["cost"] for level in answer["levels"] for part in level["solutions"]] == [3, 6, 8, 5, 22]


@pytest.mark.parametrize("level", ["1", f"{SMALL}:1"])
def test_one_level_is_written(level: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "solved.xsb"
    code, answer = run_json(capsys, "solve", "sokoban", level, "-o", str(output))
    assert (code, answer["file"]) == (exits.YES, str(output))
    first = read_collection(output.read_text()).levels[0]
    assert first.solutions[0].moves == "".join(answer["moves"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["-o", "x.svg"],
            "several levels need a file whose name ends with .sok, .xsb, .txt or .slc",
        ),
        (["--draw"], "--draw shows only one level: name the level, such as"),
        (["--plan-file", "x"], "--plan-file is for only one level"),
        (["--planner", "nosuch"], "unknown planner 'nosuch'"),
        (["-o", "nowhere/x.sok"], "nowhere/x.sok: No such file or directory"),
    ],
)
def test_what_does_not_go_with_several_levels(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, "solve", "sokoban", SMALL, *words)
    assert code == exits.BAD_INPUT
    assert said in err


# ---- solutions of the file, pictures, pages


def test_solutions_of_a_file_are_judged(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(f"{AROUND}Title: A\n\nSolution\nr2R\n\nSolution\nRRR\n\nSolution\nrrr\n\n{GOOD}Title: B\n")
    code, answer = run_json(capsys, "replay", "sokoban", str(file), "--solutions")
    assert code == exits.NO
    (level,) = answer["levels"]
    assert (level["name"], level["number"]) == ("A", 1)
    figures = [(part["solved"], part["legal"], part["cost"], part["pushes"]) for part in level["solutions"]]
    assert figures == [(True, True, 3, 2), (False, False, 0, 0), (True, True, 3, 2)]
    code, out, _ = run(capsys, "replay", "sokoban", f"{file}:A", "--solutions")
    assert code == exits.NO
    assert out.startswith("1. A: solved: cost 3, pushes 2\n1. A: not solved: move 1 is illegal: ")
    code, _, err = run(capsys, "replay", "sokoban", f"{file}:B", "--solutions")
    assert (code, err) == (exits.BAD_INPUT, f"unpuzzle: {file}: no level in this file has a solution\n")
    code, _, err = run(capsys, "replay", "sokoban", str(file), "R", "--solutions")
    assert code == exits.BAD_INPUT
    assert "leave out MOVES" in err


def test_all_levels_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "draw", "sokoban", SMALL)
    assert code == exits.YES
    assert [line for line in out.splitlines() if line[:1].isdigit()] == [
        "1. Straight ahead",
        "2. Two ways in",
        "3. Runs",
        "4. The corner",
        "5. Stuck",
    ]
    sheet = tmp_path / "sheet.pdf"
    assert run(capsys, "draw", "sokoban", SMALL, "-o", str(sheet)) == (exits.YES, f"{sheet}\n", "")
    assert sheet.read_bytes()[:5] == b"%PDF-"
    code, _, err = run(capsys, "draw", "sokoban", SMALL, "-o", "x.svg")
    assert (code, "several levels can be drawn only on a sheet" in err) == (exits.BAD_INPUT, True)
    code, _, err = run(capsys, "draw", "sokoban", SMALL, "R")
    assert (code, "for one level" in err) == (exits.BAD_INPUT, True)


def test_a_page_lists_all_levels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    code, answer = run_json(capsys, "play", "sokoban", SMALL, "-o", str(page))
    assert code == exits.YES
    assert [(level["level"], level["solvable"]) for level in answer["levels"]] == [
        (f"{SMALL}:{number}", number < 5) for number in range(1, 6)
    ]
    text = page.read_text()
    assert all(title in text for title in ("1. Straight ahead", "2. Two ways in", "5. Stuck"))


def test_a_file_of_another_game_is_one_level(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    level = tmp_path / "level.txt"
    level.write_text(find("boxup").levels["1"])
    assert run(capsys, "solve", "boxup", str(level), "--quiet")[0] == exits.YES
    assert run(capsys, "solve", "boxup", f"{level}:1", "--quiet")[0] == exits.YES
    code, _, err = run(capsys, "solve", "boxup", f"{level}:2")
    assert (code, "there is no level '2': there is one only" in err) == (exits.BAD_INPUT, True)
    code, _, err = run(capsys, "replay", "boxup", str(level), "--solutions")
    assert (code, "no level in this file has a solution" in err) == (exits.BAD_INPUT, True)


def test_a_plan_that_was_found_in_time_is_shown_after_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`compare_with_file`, and the loading of its module, came when the time was over: the plan was lost."""
    searched, compare = PlanRequest.call, collections.compare_with_file

    def search(asked: PlanRequest, show: object = None, on_plan: object = None) -> object:
        outcome = searched(asked)
        wait_until(current().over, "the time is over")
        return outcome

    def compared(*arguments: Any, quiet: bool) -> list[str]:
        current().look()
        return compare(*arguments, quiet=quiet)

    monkeypatch.setattr(PlanRequest, "call", search)
    monkeypatch.setattr(collections, "compare_with_file", compared)
    code, out, _ = run(capsys, "solve", "sokoban", f"{SMALL}:1", "--time-limit", "2")
    assert (code, out.splitlines()[0]) == (0, "rRR")


def test_a_search_ends_early_enough_for_its_picture(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    searched, left = PlanRequest.call, []

    def search(asked: PlanRequest, show: object = None, on_plan: object = None) -> object:
        left.append(current().time_left())
        return searched(asked)

    monkeypatch.setattr(PlanRequest, "call", search)
    for words in ([], ["-o", str(tmp_path / "picture.svg")]):
        assert run(capsys, "solve", "sokoban", f"{SMALL}:1", "--time-limit", "1000", *words)[0] == 0
    assert left[0] - 100 < left[1] < left[0] - 0.9
