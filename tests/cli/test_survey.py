"""unpuzzle survey: its table, JSON and CSV, and the exit codes that a maker relies on."""

import csv
import io
import json
from pathlib import Path

import pytest

from support.command_line import run, run_json
from support.fixtures import Capsys, Monkeypatch
from support.script_texts import script
from unpuzzle import find
from unpuzzle.cli import answer as exits
from unpuzzle.spaces.difficulty import MEASURES
from unpuzzle.spaces.surveying import FIELDS

GOOD = "#####\n#p*o#\n#####"
TWO_WAYS = "#####\n#p..#\n#.*.#\n#..o#\n#####"
STUCK = "####\n#p*#\n#.o#\n####"


def game(folder: Path, *levels: str) -> str:
    file = folder / "game.txt"
    file.write_text(script(levels="\n\n".join(levels)))
    return str(file)


def test_the_table(capsys: Capsys) -> None:
    code, out, err = run(capsys, "survey", "boxup", "1", "3")
    lines = out.splitlines()
    assert (code, err) == (exits.YES, "")
    assert lines[0].split() == "level status cost states dead_ends optimal_plans optimal_lines unique seconds".split()
    assert lines[1].split()[:-1] == "1 solved_optimally 5 140 0 1 1 yes".split()
    assert lines[2].split()[:-1] == "3 solved_optimally 24 611 181 1 1 yes".split()
    assert lines[4:] == ["2 levels: 2 solvable"]
    assert "levels:" not in run(capsys, "survey", "boxup", "1", "--quiet")[1]


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


@pytest.mark.parametrize(
    ("levels", "words", "code", "told"),
    [
        ((GOOD,), (), exits.YES, ""),
        ((GOOD, STUCK), (), exits.NO, "level 1: unsolvable: "),
        ((GOOD, STUCK), ("--require", "nothing"), exits.YES, "level 1: unsolvable: "),
        ((GOOD, TWO_WAYS), (), exits.YES, ""),
        ((GOOD, TWO_WAYS), ("--require", "unique"), exits.NO, "level 1 is not as required: it has more than one"),
        ((GOOD, TWO_WAYS), ("--require", "solvable,no-dead-ends"), exits.NO, "level 1 is not as required: one can get"),
        ((GOOD, TWO_WAYS), ("--max-states", "20"), exits.YES, "level 1: gave_up: there are more than 20"),
        ((GOOD, TWO_WAYS), ("--max-states", "5"), exits.NO_ANSWER, "searched instead: the limit of expanded states"),
        ((GOOD, TWO_WAYS), ("--max-states", "20", "--require", "unique"), exits.NO_ANSWER, "level 1: gave_up: "),
        ((STUCK, TWO_WAYS), ("--max-states", "5"), exits.NO, "level 1: gave_up"),
    ],
)
def test_exit_codes(
    levels: tuple[str, ...], words: tuple[str, ...], code: int, told: str, tmp_path: Path, capsys: Capsys
) -> None:
    answer, _, err = run(capsys, "survey", game(tmp_path, *levels), *words)
    assert answer == code
    assert told in err
    assert bool(told) == bool(err)


def test_bounds_on_figures(tmp_path: Path, capsys: Capsys) -> None:
    puzzle = game(tmp_path, GOOD, TWO_WAYS)
    assert run(capsys, "survey", puzzle, "--require", "lines>=1", "pushes=1..9,lost<=1")[0] == exits.YES
    code, _, err = run(capsys, "survey", puzzle, "1", "--require", "lines=1")
    assert (code, err) == (
        exits.NO,
        "unpuzzle: level 1 is not as required: lines=1 is required, and optimal_lines is 2\n",
    )
    assert run(capsys, "survey", puzzle, "0", "--require", "traps>=2", "--max-states", "1")[0] == exits.NO_ANSWER
    code, out, _ = run(capsys, "survey", puzzle, "--difficulty", "--quiet")
    assert out.split("\n\n")[1].split()[: 2 + len(MEASURES)] == ["level", "cost", *MEASURES]
    for words, fault in [
        ("trps", "'trps', did you mean 'traps'?"),
        ("trps=3", "no figure 'trps', did you mean 'traps'?"),
        ("traps=5..3", "bounds are LEAST..MOST"),
        ("traps=..", "bounds are LEAST..MOST"),
        ("traps", "such as lines=1 or traps=3.."),
    ]:
        code, _, err = run(capsys, "survey", puzzle, "--require", words)
        assert (code, fault in err) == (exits.BAD_INPUT, True), err


def test_a_level_may_be_a_file(tmp_path: Path, capsys: Capsys) -> None:
    level, broken = tmp_path / "mine.txt", tmp_path / "broken.txt"
    level.write_text("p.*o\n")
    broken.write_text("p?*o\n")
    puzzle = game(tmp_path, GOOD)
    code, rows = run_json(capsys, "survey", puzzle, str(level), "0")
    assert (code, [row["cost"] for row in rows]) == (exits.YES, [2, 1])
    code, rows = run_json(capsys, "survey", puzzle, str(broken), "0")
    assert (code, [row["status"] for row in rows]) == (exits.BAD_INPUT, ["bad_input", "solved_optimally"])


def test_what_is_left_to_chance(tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "chance.txt"
    file.write_text(script(rules="[ stationary Crate ] -> [ randomdir Crate ]", levels="p*o"))
    code, _, err = run(capsys, "survey", str(file))
    assert (code, "left to chance" in err) == (exits.BROKEN, True)


def test_wrong_usage(tmp_path: Path, capsys: Capsys) -> None:
    code, _, err = run(capsys, "survey", "boxup", "--require", "solvabel")
    assert (code, "did you mean 'solvable'" in err) == (exits.BAD_INPUT, True)
    assert run(capsys, "survey", "boxup", "--max-states", "0")[0] == exits.BAD_INPUT
    assert run(capsys, "survey", "boxup", "99")[0] == exits.BAD_INPUT
    code, out, err = run(capsys, "survey", "boxup", "1", "--csv", str(tmp_path / "none" / "x.csv"))
    assert (code, out.startswith("level"), "No such file" in err) == (exits.BAD_INPUT, True, True)


def test_interrupted_it_shows_what_there_is(monkeypatch: Monkeypatch, capsys: Capsys) -> None:
    from unpuzzle.spaces import surveying

    explore, levels = surveying.explore, [find("boxup").levels["1"]]

    def once(*given: object, **named: object) -> object:
        if not levels:
            raise KeyboardInterrupt
        levels.pop()
        return explore(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(surveying, "explore", once)
    code, out, err = run(capsys, "survey", "boxup")
    assert (code, len(out.splitlines()), "interrupted" in err) == (exits.INTERRUPTED, 4, True)
