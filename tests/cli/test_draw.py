"""unpuzzle draw, and pictures of solve and replay: in a terminal, in files, and what is refused."""

import re
import zlib
from base64 import a85decode
from pathlib import Path
from xml.etree import ElementTree

import pytest

from support.command_line import Terminal, run, run_json
from support.fixtures import Capsys, Monkeypatch
from unpuzzle import find
from unpuzzle.base import outcomes as exits
from unpuzzle.cli import main
from unpuzzle.drawing import Text
from unpuzzle.translators.gogen.rules import ground

BOXUP = find("boxup")
START = BOXUP.parse(BOXUP.levels["1"])


def test_in_the_terminal(capsys: Capsys) -> None:
    assert run(capsys, "draw", "boxup", "1") == (exits.YES, START.draw() + "\n", "")
    assert run(capsys, "draw", "boxup", "1", "UL")[1] == START.apply("U").apply("L").draw() + "\n"


@pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colours(variables: dict[str, str], coloured: bool, monkeypatch: Monkeypatch) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    assert main(["draw", "boxup", "1"]) == exits.YES
    assert ("\033[" in terminal.getvalue()) == coloured


def test_into_a_file(tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "level.svg"
    assert run(capsys, "draw", "boxup", "1", "-o", str(file)) == (exits.YES, f"{file}\n", "")
    ElementTree.parse(file)
    assert "animation" not in file.read_text()
    code, answer = run_json(capsys, "draw", "boxup", "1", "ULDRR", "-o", str(file))
    assert (code, answer["file"], answer["legal"], answer["step"]) == (exits.YES, str(file), True, None)
    assert answer["picture"].count("@") == 1
    assert answer["picture"] != START.draw()
    assert "animation" in file.read_text()


@pytest.mark.parametrize("command", ["draw", "replay"])
def test_illegal_moves_are_drawn_as_far_as_they_are_legal(command: str, tmp_path: Path, capsys: Capsys) -> None:
    file, legal = tmp_path / "moves.svg", tmp_path / "legal.svg"
    run(capsys, command, "boxup", "1", "UL", "-o", str(legal))
    code, out, err = run(capsys, command, "boxup", "1", "ULL", "-o", str(file))
    assert code == exits.NO
    assert "move 3 is illegal: L: row 1, column 1 is at the edge of the grid" in out + err
    assert str(file) not in out.split()  # the name of a file alone says that all went well
    assert file.read_text() == legal.read_text()
    code, answer = run_json(capsys, command, "boxup", "1", "ULL", "-o", str(file))
    assert (code, answer["step"], answer["legal"], answer["file"]) == (exits.NO, 3, False, str(file))


def test_a_solution(tmp_path: Path, capsys: Capsys) -> None:
    file, same = tmp_path / "solution.svg", tmp_path / "same.svg"
    code, answer = run_json(capsys, "solve", "boxup", "1", "-o", str(file))
    assert (code, answer["file"]) == (exits.YES, str(file))
    run(capsys, "replay", "boxup", "1", "".join(answer["moves"]), "--output", str(same))
    assert file.read_text() == same.read_text()


def test_what_is_not_solved_is_not_drawn(tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "x.svg"
    code, answer = run_json(capsys, "solve", "lights-out", "unsolvable", "-o", str(file))
    assert (code, answer["file"]) == (exits.NO, None)
    assert not file.exists()


REFUSED = [
    (["x.jpg"], "x.jpg: '.jpg' is not a kind of picture"),
    (["x.sgv"], "did you mean '.svg'?"),
    (["picture"], "its name has no end"),
    (["nowhere/x.svg"], "there is no folder 'nowhere'"),
    (["x.svg", "--theme", "drak"], "there is no theme 'drak', did you mean 'dark'?"),
    (["x.svg", "--pixels", "0"], "--pixels must be a number from 1 to 1,000, not 0"),
]


@pytest.mark.parametrize("command", ["draw boxup 1", "replay boxup 1 U", "solve boxup 1"])
@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_refused_before_any_work(
    command: str, words: list[str], said: str, capsys: Capsys, monkeypatch: Monkeypatch
) -> None:
    monkeypatch.setattr("unpuzzle.cli.files.read_level", lambda *_: pytest.fail("the level was read"))
    code, out, err = run(capsys, *command.split(), "-o", *words)
    assert (code, out) == (exits.BAD_INPUT, "")
    assert said in err


def test_a_file_that_cannot_be_written_does_not_lose_the_solution(tmp_path: Path, capsys: Capsys) -> None:
    folder = tmp_path / "x.svg"
    folder.mkdir()
    code, out, err = run(capsys, "solve", "boxup", "1", "--quiet", "-o", str(folder))
    assert (code, out) == (exits.BAD_INPUT, "ULDRR\n")
    assert str(folder) in err


# ---- explore --picture, generate --booklet


def test_a_state_space(tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "states.svg"
    code, out, _ = run(capsys, "explore", "boxup", "1", "--picture", str(file))
    assert code == exits.YES
    assert out == run(capsys, "explore", "boxup", "1")[1]
    assert "140 positions, 3 solved" in file.read_text()


def test_a_booklet(tmp_path: Path, capsys: Capsys) -> None:
    pytest.importorskip("reportlab")
    file = tmp_path / "booklet.pdf"
    words = ["generate", "sliding-tiles", "--size", "2x2", "--count", "3", "--workers", "1", "--booklet", str(file)]
    code, answer = run_json(capsys, *words, "--paper", "letter")
    assert (code, len(answer["levels"])) == (exits.YES, 3)
    assert file.read_bytes().startswith(b"%PDF-")
    assert b"612 792" in file.read_bytes()
    here = file.read_bytes()
    assert run_json(capsys, *words, "--paper", "letter", "--time-limit", "600")[0] == exits.YES
    assert file.read_bytes() == here  # drawn in a process of its own


def test_moves_that_are_not_shown(tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "end.svg"
    assert run(capsys, "draw", "boxup", "1", "ULDRR", "--still", "-o", str(file))[0] == exits.YES
    assert "animation" not in file.read_text()
    run(capsys, "draw", "boxup", "1", "ULDR", "--still", "-o", str(tmp_path / "other.svg"))
    assert file.read_text() != (tmp_path / "other.svg").read_text()


@pytest.mark.parametrize("kind", ["png", "gif", "apng", "webp"])
def test_a_picture_that_no_memory_holds_is_refused_before_it_is_drawn(kind, tmp_path, capsys, monkeypatch):
    resvg = pytest.importorskip("resvg_py")
    pytest.importorskip("PIL")
    monkeypatch.setattr(resvg, "svg_to_bytes", lambda **_: pytest.fail("it must not be drawn"))
    level = tmp_path / "large.xsb"
    level.write_text("#" * 300 + "\n" + ("#@$." + " " * 295 + "#\n") + ("#" + " " * 298 + "#\n") * 297 + "#" * 300)
    file = tmp_path / f"x.{kind}"
    code, _, err = run(capsys, "draw", "sokoban", str(level), "--pixels", "1000", "-o", str(file))
    assert code == 2
    assert err.startswith("unpuzzle: a picture of 300,400 x 300,400 pixels is too large: ")
    assert not file.exists()


def test_an_animation_that_no_memory_holds_is_refused(tmp_path, capsys, monkeypatch):
    pytest.importorskip("resvg_py")
    pytest.importorskip("PIL")
    monkeypatch.setattr("unpuzzle.rendering.saving.MOST_OF_ALL", 500_000)
    file = tmp_path / "x.gif"
    code, _, err = run(capsys, "draw", "boxup", "1", "ULDRR", "-o", str(file))
    assert code == 2
    assert "its 21 frames have at most 500,000 pixels together" in err
    assert not file.exists()


# ---- Sheets of one's own levels: what is on them, with and without solutions, and what is refused


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
    assert f"level 2 ({lost}) is printed, but without a solution" in err
    assert pages(sheet) == 2


def test_a_level_that_cannot_be_read_does_not_keep_the_others_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, several, sheet = tmp_path / "bad.xsb", tmp_path / "several.sok", tmp_path / "sheet.pdf"
    bad.write_text("######\n#@$.Q#\n######\n")
    several.write_text("; 1\n\n#####\n#@$.#\n#####\n\n; 2\n\n######\n# $ .#\n######\n")
    words = ["booklet", "sokoban", str(bad), "1", str(several), "2", "-o", str(sheet)]
    code, answer = run_json(capsys, *words)
    assert code == exits.BAD_INPUT
    rows = [(row["number"], row["status"]) for row in answer["levels"]]
    solved = "solved_optimally"
    assert rows == [(None, "bad_input"), (1, solved), (2, solved), (None, "bad_input"), (3, solved)]
    _, out, err = run(capsys, *words)
    assert out == f"{sheet}\n"
    assert f"unpuzzle: {bad} is not in the booklet: {bad}:2:5: bad symbol 'Q'" in err
    assert f"unpuzzle: {several}:2 is not in the booklet: " in err
    assert "no player" in err
    sheet.unlink()
    assert run(capsys, *words, "nosuch")[0] == exits.BAD_INPUT  # no level at all: nothing is made
    assert not sheet.exists()
    code, out, err = run(capsys, "booklet", "sokoban", str(bad), "-o", str(sheet))
    assert (code, out, sheet.exists()) == (exits.BAD_INPUT, "", False)
    assert "bad symbol 'Q'" in err


def test_characters_that_the_font_lacks_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["booklet", "boxup", "1", "--no-solutions", "-o", str(tmp_path / "x.pdf"), "--title"]
    assert run(capsys, *words, "Ünï “x” →") == (exits.YES, f"{tmp_path}/x.pdf\n", "")
    code, answer = run_json(capsys, *words, "🙂 של x")
    assert code == exits.YES
    assert answer["warnings"] == [
        f"{tmp_path}/x.pdf: warning: the font of booklets has no 🙂, ש and ל; boxes replace them"
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


def test_no_word_of_a_gogen_stands_alone() -> None:
    game = find("gogen")
    assert game.levels
    for number in range(2, 31):
        words = tuple(f"W{n:02}" for n in range(number))
        texts = [shape for shape in ground(words).shapes if isinstance(shape, Text)]
        columns = [sum(text.x == x for text in texts) for x in sorted({text.x for text in texts})]
        assert sum(columns) == number
        assert max(columns) - columns[-1] < len(columns)
