"""unpuzzle survey: its table, JSON and CSV, and the exit codes that a maker relies on."""

import csv
import io
import json
import re
from pathlib import Path

from support.command_line import run, run_json
from support.fixtures import Capsys, Monkeypatch
from support.script_texts import script
from unpuzzle import find
from unpuzzle.base import outcomes as exits
from unpuzzle.state_space.surveying import FIELDS

GOOD = "#####\n#p*o#\n#####"
STUCK = "####\n#p*#\n#.o#\n####"


def game(folder: Path, *levels: str) -> str:
    file = folder / "game.txt"
    file.write_text(script(levels="\n\n".join(levels)))
    return str(file)


def test_json_and_csv_say_the_same(tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "levels.csv"
    puzzle = game(tmp_path, GOOD, STUCK)
    code, rows = run_json(capsys, "survey", puzzle, "--csv", str(file))
    assert code == exits.NO
    assert [list(row) for row in rows] == [["schema", *FIELDS]] * 2
    assert [(row["level"], row["solvable"], row["cost"], row["optimal_plans"]) for row in rows] == [
        ("0", True, 1, 1),
        ("1", False, None, 0),
    ]
    written = list(csv.DictReader(io.StringIO(file.read_text())))
    for row, line in zip(rows, written, strict=True):
        assert row.pop("schema") == "unpuzzle/survey/1"
        for name, value in row.items():
            shown = json.dumps(value) if isinstance(value, bool) else "" if value is None else str(value)
            assert line[name] == shown
    code, out, _ = run(capsys, "survey", puzzle, "--csv", "-")
    assert run(capsys, "survey", puzzle, "--csv")[1].splitlines()[0] == out.splitlines()[0]
    assert out.splitlines()[0] == ",".join(FIELDS)
    assert len(out.splitlines()) == 3


def test_a_level_may_be_a_file(tmp_path: Path, capsys: Capsys) -> None:
    level, broken = tmp_path / "mine.txt", tmp_path / "broken.txt"
    level.write_text("p.*o\n")
    broken.write_text("p?*o\n")
    puzzle = game(tmp_path, GOOD)
    code, rows = run_json(capsys, "survey", puzzle, str(level), "0")
    assert (code, [row["cost"] for row in rows]) == (exits.YES, [2, 1])
    code, rows = run_json(capsys, "survey", puzzle, str(broken), "0")
    assert (code, [row["status"] for row in rows]) == (exits.BAD_INPUT, ["bad_input", "solved_optimally"])


def test_a_level_without_a_player_is_told_in_its_row(tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "pushed.txt"
    without = GOOD.replace("p", ".")
    file.write_text(script(rules="right [ Crate | no Wall ] -> [ | Crate ]", levels=f"{GOOD}\n\n{without}"))
    _, rows = run_json(capsys, "survey", str(file))
    assert "no player" not in rows[0]["message"]
    assert (rows[1]["status"], re.sub(r" \(line \d+\)", "", rows[1]["message"])) == (
        "solved_optimally",
        "this level has no player, though something can happen without one",
    )
    _, _, err = run(capsys, "survey", str(file))
    assert "unpuzzle: level 1: solved_optimally: this level (line " in err
    level = tmp_path / "sokoban.xsb"
    level.write_text("#####\n# $.#\n#####\n")
    code, rows = run_json(capsys, "survey", "sokoban", str(level))
    assert (code, rows[0]["status"], "no player" in rows[0]["message"]) == (exits.BAD_INPUT, "bad_input", True)


def test_interrupted_it_shows_what_there_is(monkeypatch: Monkeypatch, capsys: Capsys) -> None:
    from unpuzzle.state_space import surveying

    explore, levels = surveying.explore, [find("boxup").levels["1"]]

    def once(*given: object, **named: object) -> object:
        if not levels:
            raise KeyboardInterrupt
        levels.pop()
        return explore(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(surveying, "explore", once)
    code, out, err = run(capsys, "survey", "boxup")
    assert (code, len(out.splitlines()), "interrupted" in err) == (exits.INTERRUPTED, 4, True)


def test_the_row_of_a_sudoku_says_whether_it_has_one_solution(tmp_path: Path, capsys: Capsys) -> None:
    level = tmp_path / "open.txt"
    level.write_text("12..\n....\n....\n....\n")
    code, out, _ = run(capsys, "survey", "sudoku", str(level), "4x4")
    heads, *rows = [line.split() for line in out.splitlines()[:3]]
    assert (code, [row[heads.index("unique")] for row in rows]) == (exits.YES, ["no", "yes"])
    code, _, err = run(capsys, "survey", "sudoku", str(level), "--require", "unique")
    assert (code, "it has more than one solution" in err) == (exits.NO, True)
    assert "--count 2" in run(capsys, "solve", "--help")[1]
