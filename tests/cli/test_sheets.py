"""Sheets of one's own levels: what is on them, with and without solutions, and what is refused."""

from __future__ import annotations

import re
import zlib
from base64 import a85decode
from pathlib import Path

import pytest

from support.command_line import run, run_json
from unpuzzle import find
from unpuzzle.cli import answer as exits
from unpuzzle.drawing import Text
from unpuzzle.translators.gogen.picture import ground

pytest.importorskip("reportlab")

RULES = "Push every box.\n\nBoxes cannot be pulled.\n"
LOST = "#####\n#$@.#\n#####\n"


def pages(file: Path) -> int:
    return len(re.findall(rb"/Type /Page\b", file.read_bytes()))


def drawn(file: Path) -> list[bytes]:
    """What is drawn on each page, as PDF says it."""
    streams = re.findall(rb"ASCII85Decode /FlateDecode \].*?stream\n(.*?)endstream", file.read_bytes(), re.DOTALL)
    return [zlib.decompress(a85decode(b"<~" + stream.strip(), adobe=True)) for stream in streams]


def test_levels_of_several_kinds_are_on_a_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, rules, sheet = tmp_path / "own.sok", tmp_path / "rules.txt", tmp_path / "sheet.pdf"
    own.write_text("; 1\n\n#####\n#@$.#\n#####\nTitle: One\nSolution: R\n\n######\n#@$ .#\n######\nTitle: Two\n")
    rules.write_text(RULES)
    words = ["booklet", "sokoban", "1", "2", str(own), "-o", str(sheet), "--title", "Mine", "--author", "Me"]
    code, answer = run_json(capsys, *words, "--rules-text", str(rules))
    assert code == exits.YES
    assert [row["name"] for row in answer["levels"]] == ["1", "2", "One", "Two"]
    assert {row["status"] for row in answer["levels"]} == {"solved", "solved_optimally"}
    assert pages(sheet) == 3
    assert b"/Title (Mine)" in sheet.read_bytes()
    code, out, _ = run(capsys, *words, "--no-solutions")
    assert (code, out) == (exits.YES, f"{sheet}\n")
    assert pages(sheet) == 1
    assert run(capsys, *words, "--no-solutions", "--cover")[0] == exits.YES
    assert pages(sheet) == 2


def test_limits_make_the_same_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "sheet.pdf"
    words = ["booklet", "boxup", "1", "-o", str(sheet), "--cover", "--author", "Me"]
    assert run(capsys, *words)[0] == exits.YES
    here = sheet.read_bytes()
    assert run(capsys, *words, "--time-limit", "600")[0] == exits.YES
    assert sheet.read_bytes() == here


def test_a_level_without_a_solution_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lost, sheet = tmp_path / "lost.txt", tmp_path / "sheet.pdf"
    lost.write_text(LOST)
    code, out, err = run(capsys, "booklet", "sokoban", "1", str(lost), "-o", str(sheet))
    assert (code, out) == (exits.NO, f"{sheet}\n")
    assert "level 2 is without a solution" in err
    assert pages(sheet) == 2


def test_characters_that_the_font_lacks_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["booklet", "boxup", "1", "--no-solutions", "-o", str(tmp_path / "x.pdf"), "--title"]
    assert run(capsys, *words, "Ünï “x” →") == (exits.YES, f"{tmp_path}/x.pdf\n", "")
    code, answer = run_json(capsys, *words, "🙂 של x")
    assert code == exits.YES
    assert answer["warnings"] == [
        f"{tmp_path}/x.pdf: warning: the font of booklets has no 🙂, ש and ל; boxes stand in their places"
    ]


def test_generated_levels_have_a_cover_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet, rules = tmp_path / "sheet.pdf", tmp_path / "rules.txt"
    rules.write_text("word " * 3_000)
    words = ["generate", "sliding-tiles", "--size", "2x2", "--count", "2", "--workers", "1", "--booklet", str(sheet)]
    assert run(capsys, *words, "--no-solutions", "--title", "x" * 300, "--author", "y" * 20)[0] == exits.YES
    assert pages(sheet) == 1
    assert run(capsys, *words, "--rules-text", str(rules))[0] == exits.YES
    assert pages(sheet) >= 4  # long rules go on on a second page
    assert drawn(sheet)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["generate", "boxup", "--title", "x"], "--title is for a booklet: name its file with --booklet x.pdf"),
        (["generate", "boxup", "--no-solutions"], "--no-solutions is for a booklet"),
        (["booklet", "boxup", "1", "-o", "x.svg"], "a booklet is a file that ends in .pdf, not 'x.svg'"),
        (["booklet", "boxup", "1", "-o", "x.pdf", "--paper", "a5"], "there is no paper 'a5'"),
        (["draw", "boxup", "1", "--sheet", "x.pdf", "-o", "y.svg"], "unrecognized arguments: --sheet x.pdf"),
        (["booklet", "boxup", "1", "UU", "-o", "x.pdf"], "'UU' is neither a file nor a bundled level of boxup"),
        (["booklet", "boxup", "1", "-o", "x.pdf", "--rules-text", "/nowhere/rules.txt"], "/nowhere/rules.txt"),
    ],
)
def test_what_does_not_go_is_refused(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (exits.BAD_INPUT, "")
    assert sentence in err


def test_no_word_of_a_gogen_stands_alone() -> None:
    game = find("gogen")
    assert game.levels
    for number in range(2, 31):
        words = tuple(f"W{n:02}" for n in range(number))
        texts = [shape for shape in ground(words).shapes if isinstance(shape, Text)]
        columns = [sum(text.x == x for text in texts) for x in sorted({text.x for text in texts})]
        assert sum(columns) == number
        assert max(columns) - columns[-1] < len(columns)
