"""Where players get lost, on the command line: explore --traps, explain of unsolvable levels, compare-moves."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from support.command_line import run, run_json
from support.script_texts import script

TWO_ROOMS = "######\n#. $.#\n#@$# #\n#    #\n######\n"


@pytest.fixture
def lost(tmp_path: Path) -> str:
    file = tmp_path / "lost.xsb"
    file.write_text(TWO_ROOMS)
    return str(file)


def test_traps_are_told_and_drawn_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "explore", "sokoban", "1", "--traps")
    assert (code, err) == (0, "")
    assert "moves that make it unsolvable, one move off an optimal way: 3" in out
    assert "3. D after Lruul: frozen: the box in row 4, column 3 can never move again" in out
    assert "3. D\n" in out
    code, quiet, _ = run(capsys, "explore", "sokoban", "1", "--traps", "--quiet")
    assert code == 0
    assert "█" not in quiet


def test_traps_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run_json(capsys, "explore", "sokoban", "1", "--traps")
    traps = answer["lost_moves"]
    assert (code, traps["origin"], traps["total"], traps["walks"]) == (0, "optimal_ways", 3, True)
    assert traps["traps"][0] == {
        "moves": ["L"],
        "move": "U",
        "kind": "confined",
        "stuck": [{"thing": "a box", "place": [2, 3]}],
        "area": [[2, 2], [2, 3], [2, 4]],
        "goes_on": 1,
        "states": 27,
        "before": traps["traps"][0]["before"],
        "after": traps["traps"][0]["after"],
    }


def test_traps_in_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "traps.svg"
    code, answer = run_json(capsys, "explore", "sokoban", "1", "--traps", "--picture", str(sheet))
    assert (code, answer["files"]) == (0, [str(sheet)])
    ElementTree.fromstring(sheet.read_text())
    code, answer = run_json(capsys, "explore", "sokoban", "1", "--traps", "--picture", str(tmp_path))
    assert [Path(name).name for name in answer["files"]] == ["trap-01.svg", "trap-02.svg", "trap-03.svg"]
    for name in answer["files"]:
        assert "mark-moved" not in ElementTree.fromstring(Path(name).read_text()).get("aria-label", "")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--picture", "nowhere/"), "nowhere/: there is no such folder"),
        (("--picture", "x.html"), "not a page to play on"),
        (("--picture", "x.svgg"), "is not a kind of picture"),
        (("--picture", "x.svg", "--labels"), "without --traps"),
    ],
)
def test_wrong_pictures_are_refused(words: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "explore", "sokoban", "1", "--traps", *words)
    assert (code, out) == (2, "")
    assert complaint in err


def test_levels_without_traps(lost: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no move makes it unsolvable" in run(capsys, "explore", "sliding-tiles", "2x3", "--traps")[1]
    assert "it is lost at the start; `explain` says why" in run(capsys, "explore", "sokoban", lost, "--traps")[1]


def test_too_large_a_level_has_no_traps(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "explore", "sokoban", "3", "--traps", "--max-states", "100")
    assert code == 3
    assert "there are more than 100 states" in err
    assert "unsolvable" not in out


def test_explaining_an_unsolvable_level(lost: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "miss.svg"
    code, out, err = run(capsys, "explain", "sokoban", lost, "--picture", str(picture))
    assert (code, err) == (0, "")
    assert "nearest miss, after 3 moves (u r R): it lacks 1 of 2 parts: (box r2c2)" in out
    assert out.count("(box r2c2) and (box r2c5)") == 1
    assert "██·   @ ■ ██" in out
    words = [each.text for each in ElementTree.fromstring(picture.read_text()).iter() if each.tag.endswith("text")]
    assert "nearest miss: it" in " ".join(filter(None, words))
    code, answer = run_json(capsys, "explain", "sokoban", lost)
    assert (code, answer["solvable"]) == (0, False)
    assert answer["shortfall"]["nearest"]["missing"] == ["(box r2c2)"]
    assert answer["shortfall"]["apart"] == [["(box r2c2)", "(box r2c5)"]]


def test_explaining_win_conditions_one_by_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Win conditions of a game that has several, each told alone and in pairs."""
    game = tmp_path / "game.txt"
    game.write_text(script(levels="p*.o", wins="all target on crate\nno crate on target"))
    code, out, _ = run(capsys, "explain", str(game), "0")
    assert code == 0
    assert out.split("\n")[:5] == [
        "all 6 positions that can be reached were searched, and none is solved",
        "never both: target in row 1, column 4 on crate; no crate on target",
        "can be had alone: target in row 1, column 4 on crate; no crate on target",
        "nearest miss, the start: it lacks 1 of 2 parts: target in row 1, column 4 on crate",
        "",
    ]


def test_a_solvable_level_has_no_nearest_miss(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "miss.svg"
    code, out, err = run(capsys, "explain", "sokoban", "1", "--picture", str(picture))
    assert (code, picture.exists()) == (0, False)
    assert "there is a plan" in out
    assert "there is no nearest miss to be drawn" in err
    assert run(capsys, "explain", "sokoban", "1", "--picture", "x.html")[0] == 2


def test_compare_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "replay", "boxup", "1", "ULDRR", "--against", "best")
    assert (code, err) == (0, "")
    assert "both lead through the same positions" in out
    picture = tmp_path / "apart.svg"
    code, answer = run_json(capsys, "replay", "boxup", "1", "UDULDRR", "--against", "ULDRR", "-o", str(picture))
    assert (code, answer["as_good"], answer["step"], answer["next"]) == (1, False, 2, ["D", "L"])
    assert answer["file"] == str(picture)
    assert len([each for each in ElementTree.fromstring(picture.read_text()).iter() if each.tag.endswith("text")]) >= 3
    assert run(capsys, "replay", "boxup", "1", "ULDRR", "--against", "UDULDRR")[0] == 0


def test_illegal_moves_are_told_as_replay_does(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "replay", "boxup", "1", "UU", "--against", "best", "--quiet")
    assert code == 1
    assert run(capsys, "replay", "boxup", "1", "UU", "--quiet")[1].removeprefix("not solved: ") in out + "\n"


def test_no_solution_to_compare_with(lost: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "replay", "sokoban", lost, "u", "--against", "best")
    assert code == 1
    assert "no moves solve this level" in out


def test_moves_may_come_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "moves.txt"
    file.write_text("ULDRR\n")
    assert run(capsys, "replay", "boxup", "1", str(file), "--against", "best")[0] == 0
    assert run(capsys, "replay", "boxup", "1", "ULDRR", "--against", "best", "-o", "x.html")[0] == 2
