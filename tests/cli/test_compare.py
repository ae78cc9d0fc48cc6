"""unpuzzle compare as scripts see it: rows, files, exit codes, refusals, Ctrl-C."""

import csv
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.command_line import run
from support.data import MAZES, needs_mazes
from support.waiting import PATIENCE, wait_until_busy
from unpuzzle.base import outcomes as exits
from unpuzzle.base.errors import WorkersFailed
from unpuzzle.cli import main
from unpuzzle.experiments.comparing import ComparisonRow
from unpuzzle.experiments.comparing import compare as compare_all
from unpuzzle.model.position import Position
from unpuzzle.planning import registry

pytestmark = pytest.mark.usefixtures("settled")
FIELDS = "algorithm status cost pushes steps expanded generated frontier seconds score".split()


def compared(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["compare", *words])
    out, err = capsys.readouterr()
    return code, out, err


def compare_json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code, out, err = compared(capsys, *words, "--json")
    assert err == "", "with --json everything is in the list"
    return code, json.loads(out)


@needs_mazes
def test_a_classroom_maze(capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(MAZES / "bigMaze.lay"), "--algorithms", "bfs,astar", "greedy", "wall-left", "--heuristic", "manhattan"]
    code, rows = compare_json(capsys, "pacman", *words)
    assert code == 0
    assert [(row["algorithm"], row["cost"], row["steps"], row["score"]) for row in rows] == [
        ("bfs", 210, 210, 300),
        ("astar", 210, 210, 300),
        ("greedy", 210, 210, 300),
        ("wall-left", 598, 598, -88),
    ]
    assert [row["expanded"] for row in rows[:3]] == [620, 549, 466]
    for row in rows:
        assert list(row)[: len(FIELDS) + 1] == ["schema", *FIELDS]
        assert isinstance(row["seconds"], float)
    code, out, err = compared(capsys, "pacman", *words, "--quiet")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == ["algorithm", "bfs", "astar", "greedy", "wall-left"]


@needs_mazes
def test_a_loop_alone_is_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    maze = str(MAZES / "mediumMaze.lay")
    code, rows = compare_json(capsys, "pacman", maze, "--algorithms", "wall-left")
    assert (code, rows[0]["status"], rows[0]["cost"], rows[0]["score"]) == (3, "gave_up", None, None)
    code, out, err = compared(capsys, "pacman", maze, "--algorithms", "wall-left,bfs")
    assert code == 0, "one has an answer"
    assert "unpuzzle: wall-left: gave_up: " in err
    assert "loop" in err
    assert "wall-left" in out


def test_lists_are_separated_by_commas_and_blanks(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--algorithms", "bfs, dfs", "astar(manhattan),wastar=3", ",", "--planners", "reference,rules:ucs"]
    code, rows = compare_json(capsys, "boxup", "1", *[word.replace("manhattan", "steps") for word in words])
    assert code == 0
    names = ["bfs", "dfs", "astar(steps)", "wastar=3", "reference", "rules:ucs"]
    assert [row["algorithm"] for row in rows] == names
    assert {row["cost"] for row in rows if row["status"] == "solved_optimally"} == {5}


def test_planners_with_arguments_stay_whole(capsys: pytest.CaptureFixture[str]) -> None:
    if registry.missing("fast-downward") is not None:
        pytest.skip(registry.missing("fast-downward") or "")
    search = "fast-downward:lazy_greedy([ff()], preferred=[ff()])"
    code, rows = compare_json(capsys, "boxup", "1", "--planners", f"{search},reference")
    assert code == 0
    assert [row["algorithm"] for row in rows] == [search, "reference"]


def test_by_default_all_run_that_fit(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = compared(capsys, "sliding-tiles", "3x2")
    assert code == 0
    assert {"bfs", "astar", "bidirectional-bfs"} <= {line.split()[0] for line in out.splitlines()}
    assert "mouse" not in out
    assert "unpuzzle: left out: mouse, wall-left, wall-right: " in err
    assert compared(capsys, "sliding-tiles", "3x2", "--quiet")[2] == ""
    assert compare_json(capsys, "sliding-tiles", "3x2")[0] == 0


def test_random_ones_have_three_rows(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["pacman", "room", "--algorithms", "mouse", "--seeds", "7"]
    code, rows = compare_json(capsys, *words)
    assert code == 0
    assert [row["which"] for row in rows] == ["least", "median", "most"]
    assert all(row["seeds"] == 7 and row["seed"] in range(7) for row in rows)
    assert rows[0]["steps"] <= rows[1]["steps"] <= rows[2]["steps"]
    again = compare_json(capsys, *words)[1]
    assert [(row["seed"], row["steps"]) for row in again] == [(row["seed"], row["steps"]) for row in rows]


def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib: the extra 'plots'")
    table, picture = tmp_path / "table.csv", tmp_path / "picture.png"
    words = ["--algorithms", "bfs", "dfs", "--csv", str(table), "--plot", str(picture)]
    code, rows = compare_json(capsys, "pacman", "room", *words)
    assert code == 0
    with table.open(newline="") as file:
        lines = list(csv.DictReader(file))
    wanted = [
        {name: "" if value is None else str(value) for name, value in row.items() if name != "schema"} for row in rows
    ]
    assert lines == wanted
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["picture.png", "table.csv"]


def test_names_that_are_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    level, table = tmp_path / "a\udcff$.lay", tmp_path / "b\udcff.csv"
    level.write_text("P .\n")
    words = [str(level), "--algorithms", "bfs", "--planners", "command:no\udcff {domain} {problem} {plan}"]
    code, rows = compare_json(capsys, "pacman", *words, "--csv", str(table), "--plot", str(tmp_path / "c\udcff.svg"))
    assert (code, [row["status"] for row in rows]) == (0, ["solved_optimally", "error"])
    assert b"no\xff" in table.read_bytes()


def test_a_file_that_cannot_be_written_loses_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = compared(capsys, "boxup", "1", "--algorithms", "bfs", "--csv", str(tmp_path / "no" / "table.csv"))
    assert code == 2
    assert "No such file" in err
    assert "bfs" in out


def test_limits_are_for_each_run(capsys: pytest.CaptureFixture[str]) -> None:
    code, rows = compare_json(
        capsys, "sliding-tiles", "15-hard", "--algorithms", "bfs", "ucs", "--time-limit", "0.5", "--memory-limit", "8G"
    )
    assert code == 3
    assert [row["status"] for row in rows] == ["timeout", "timeout"]
    assert sum(row["seconds"] for row in rows) >= 0.6  # starting a run is part of its time, and not of what it reports
    code, rows = compare_json(capsys, "sliding-tiles", "8-hard", "--algorithms", "bfs", "--memory-limit", "1M")
    assert (code, rows[0]["status"]) == (3, "memout")


def test_unsolvable_is_certain(capsys: pytest.CaptureFixture[str]) -> None:
    code, rows = compare_json(capsys, "sliding-tiles", "8-unsolvable", "--algorithms", "bfs", "astar")
    assert (code, {row["status"] for row in rows}) == (1, {"unsolvable"})


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["interrupt", "terminate"]
)
def test_interrupted_it_shows_what_there_is(number: int, code: int, tmp_path: Path, seconds_to_start: float) -> None:
    """The second one would take very long; the first row is not lost."""
    table = tmp_path / "table.csv"
    words = ["15-notebook", "--algorithms", "greedy", "bfs", "--csv", str(table), "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "unpuzzle", "compare", "sliding-tiles", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until_busy(process, 1 + 4 * seconds_to_start)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == code, err
    assert [row["algorithm"] for row in json.loads(out)] == ["greedy"]
    assert table.read_text().count("\n") == 2
    assert "Traceback" not in err


def test_one_file_cannot_be_table_and_picture(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib: the extra 'plots'")
    code, out, err = compared(capsys, "boxup", "1", "--csv", "x.png", "--plot", "x.png")
    assert (code, out, err) == (
        2,
        "",
        "unpuzzle: --csv and --plot are the same file, 'x.png': name two files\n"
        "`unpuzzle compare --help` shows its arguments\n",
    )


@pytest.mark.parametrize(
    ("error", "said"), [(KeyboardInterrupt(), "interrupted"), (WorkersFailed("they are gone"), "they are gone")]
)
def test_what_has_run_is_in_the_table(
    error: BaseException, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def compare(position: Position, *_: object, on_row: Callable[[ComparisonRow], None], **__: object) -> None:
        compare_all(position, ["bfs"], on_row=on_row)
        raise error

    monkeypatch.setattr("unpuzzle.experiments.comparing.compare", compare)
    code, out, err = compared(capsys, "boxup", "1")
    assert code not in (exits.YES, exits.NO)
    assert "bfs" in out
    assert f"unpuzzle: {said}: runs that were not made are not in the table" in err


# ---- --objective on the commands that solve: figures, JSON, refusals


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code, out, _ = run(capsys, *words, "--json")
    return code, json.loads(out)


def test_solve_tells_cost_and_pushes(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "solve", "sokoban", "2", "--objective", "pushes,moves")
    assert code == 0
    assert "; solved_optimally: cost 14, 4 pushes, " in out
    code, answer = run_json(capsys, "solve", "sokoban", "2", "--objective", "pushes")
    assert (code, answer["objective"], answer["pushes"]) == (0, "pushes", 4)
    code, answer = run_json(capsys, "solve", "hanoi", "3")
    assert (code, answer["objective"], answer["pushes"]) == (0, "moves", None)


def test_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "pddl", "sokoban", "2", "--output", str(tmp_path))[0] == 0
    files = [str(tmp_path / "domain.pddl"), str(tmp_path / "problem.pddl")]
    code, answer = run_json(capsys, "plan", *files, "--objective", "moves,pushes")
    assert (code, answer["cost"], answer["pushes"]) == (0, 14, 4)
    code, out, _ = run(capsys, "solve", *files, "--objective", "pushes,moves")
    assert (code, "cost 14, 4 pushes" in out) == (0, True)


def test_tables(capsys: pytest.CaptureFixture[str]) -> None:
    code, rows = run_json(capsys, "compare", "sokoban", "2", "--objective", "pushes,moves")
    assert (code, [(row["algorithm"], row["pushes"], row["cost"]) for row in rows]) == (0, [("ucs", 4, 14)])
    assert {row["objective"] for row in rows} == {"pushes,moves"}
    words = ["compare", "sokoban", "2", "--algorithms", "bfs", "ucs", "--objective", "pushes"]
    code, rows = run_json(capsys, *words)
    assert (code, [row["status"] for row in rows]) == (0, ["unsupported", "solved_optimally"])
    code, rows = run_json(capsys, "survey", "sokoban", "1", "2", "--objective", "pushes")
    assert (code, [row["pushes"] for row in rows]) == (0, [2, 4])
    code, answer = run_json(capsys, "explore", "sokoban", "2", "--objective", "pushes")
    assert (code, answer["objective"], answer["pushes"], answer["cost"]) == (0, "pushes", 4, 14)
    words = ["generate", "sokoban", "--count", "2", "--moves", "2..5", "--objective", "pushes", "--workers", "1"]
    code, answer = run_json(capsys, *words)
    assert code == 0
    assert all(2 <= level["pushes"] <= 5 for level in answer["levels"])


@pytest.mark.parametrize("command", ["solve", "plan", "compare", "generate", "survey", "explore"])
def test_help_says_what_objectives_are(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, command, "--help")
    assert (code, "--objective NAME" in out) == (0, True)
