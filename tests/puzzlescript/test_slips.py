"""Slips in PuzzleScript: each is told once, at its place, and `lint --fix` mends those that can be nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unpuzzle import puzzlescript
from unpuzzle.cli import main
from unpuzzle.puzzlescript.files import ScriptFormat

TEXT = (Path(puzzlescript.__file__).parent / "games" / "storeroom.txt").read_text()
SLIPS = {
    "a name in a rule": ("Crate ] -> [ > Player", "Crat ] -> [ > Player", 74, "did you mean 'crate'?"),
    "a name in the legend": ("# = Wall", "# = Wal", 52, "did you mean 'wall'?"),
    "a name in a layer": ("Player, Wall, Crate", "Player, Wal, Crate", 68, "did you mean 'wall'?"),
    "a colour": ("brown darkbrown", "brwon darkbrown", 24, "did you mean 'brown'?"),
    "an option": ("title Storeroom", "titel Storeroom", 1, "did you mean 'title'?"),
    "a quantifier": ("all Crate", "al Crate", 80, "did you mean 'all'?"),
    "a section": ("\nLEGEND\n", "\nLEGENDS\n", 48, "did you mean LEGEND?"),
    "a section of two words": ("\nCOLLISIONLAYERS\n", "\nCollision Layers\n", 63, "did you mean COLLISIONLAYERS?"),
    "a section in the singular": ("\nWINCONDITIONS\n", "\nWINCONDITION\n", 77, "did you mean WINCONDITIONS?"),
    "a section that may be missing": ("\nSOUNDS\n", "\nSOUND\n", 59, "did you mean SOUNDS?"),
    "an arrow": ("] -> [", "] => [", 74, "did you mean ->?"),
    "a line of the legend": ("# = Wall\n", "", 87, "write # = Wall in LEGEND"),
}


def test_the_game_has_no_faults() -> None:
    assert ScriptFormat().lint_text(TEXT, "g.txt") == ([], {"error": 0, "warning": 0})


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_once_and_mended(slip: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new, line, words = SLIPS[slip]
    assert old in TEXT
    file = tmp_path / "game.txt"
    file.write_text(TEXT.replace(old, new, 1))
    assert main(["lint", str(file), "--json"]) == 1
    (fault,) = json.loads(capsys.readouterr().out)["faults"]
    assert (fault["line"], fault["severity"]) == (line, "error")
    assert words in fault["message"]
    assert main(["lint", "--fix", str(file), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["faults"], answer["fixed"]) == ([], {str(file): 1})
    assert sorted(file.read_text().lower().split()) == sorted(TEXT.lower().split())


def test_several_slips_are_mended_together_and_ends_of_lines_stay(tmp_path: Path) -> None:
    text = TEXT
    for slip in ("a name in a rule", "a colour", "a section", "an arrow"):
        text = text.replace(*SLIPS[slip][:2], 1)
    file = tmp_path / "game.txt"
    file.write_bytes(text.replace("\n", "\r\n").encode())
    assert main(["lint", "--fix", str(file)]) == 0
    assert file.read_bytes().lower() == TEXT.replace("\n", "\r\n").encode().lower()


def test_what_is_not_certain_is_left_to_the_author(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = TEXT.replace("# = Wall\n", "").replace("O = Mark\n", "")  # which character is which object?
    file = tmp_path / "game.txt"
    file.write_text(text)
    assert main(["lint", "--fix", str(file)]) == 1
    assert file.read_text() == text
    output = capsys.readouterr().out
    assert "the character # is not in the legend (also in 15 more rows)" in output
    assert "2 errors, 0 warnings" in output


def test_bytes_that_are_no_text_are_not_lost(tmp_path: Path) -> None:
    data = TEXT.replace("title Storeroom", "titel Lagerh\0").encode("latin-1").replace(b"\0", b"\xe4user")
    file = tmp_path / "game.txt"
    file.write_bytes(data)
    assert main(["lint", "--fix", str(file)]) == 1
    assert file.read_bytes() == data


def test_lines_that_only_look_like_slips_are_none() -> None:
    text = TEXT.replace("title Storeroom", "title From here => there")
    assert ScriptFormat().lint_text(text, "g.txt")[0] == []
    text = TEXT.replace("message Three crates", "message LEGENDS\n\n========\n")
    assert not any("no section" in fault.message for fault in ScriptFormat().lint_text(text, "g.txt")[0])
