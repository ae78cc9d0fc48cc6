"""Boards of Sokoban in the dialects of its files: each is a level, or an error, and never a comment."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from support.command_line import run, run_json
from support.thorough import at_most
from unpuzzle import find
from unpuzzle.base.errors import ParseError
from unpuzzle.generation.collections import position_of, read_collection
from unpuzzle.model import replay
from unpuzzle.translators.sokoban.collecting import COMMENT, PROPERTY, RULER, SAVED, SOLUTION, TEXT, notes_in

SOKOBAN = find("sokoban")
DIALECTS = {
    "xsb": "#@+$*.",
    "sok": "#pPbB.",
    "mixed": "#@P$B.",
    "X": "X@+$*.",
    "letters": "#SQOV.",
    "%": "%MmHhx",
    "▓": "▓@+$*.",
}
"""What stands for `#@+$*.`; the last four are dialects that nobody reads here."""
TITLES = ("Title: {}", "; {}", "Level {}", "{}")


def boards(rng: Random) -> str:
    """Rows of XSB: a walled room of any shape with a player, boxes and goals."""
    rows, columns = rng.randint(1, 4), rng.randint(3, 7)
    cells = [rng.choice("@+"), *rng.choices("$*. -", k=rows * columns - 1)]
    rng.shuffle(cells)
    inside = ["".join(cells[i : i + columns]) for i in range(0, len(cells), columns)]
    wall = "#" * (columns + 2)
    return "\n".join([wall, *[f"#{row}#" for row in inside], wall])


def spelled(board: str, dialect: str) -> str:
    return board.translate(dict(zip(map(ord, "#@+$*."), DIALECTS[dialect], strict=True)))


def test_each_board_of_a_file_is_a_level_or_an_error() -> None:
    """Random files of boards in mixed dialects, with titles and indents; counted, so that every dialect is met."""
    rng, seen = Random(44), dict.fromkeys(DIALECTS, 0)
    for _ in range(at_most(400)):
        meant = [(boards(rng), rng.choice(list(DIALECTS))) for _ in range(rng.randint(1, 4))]
        title, indent = rng.choice(TITLES), rng.choice(["", "", "\t"])
        parts = []
        for number, (board, dialect) in enumerate(meant, 1):
            rows = spelled(board, dialect).split("\n")
            parts.append("\n".join([title.format(number), "", *[f"{indent}{row}" for row in rows], ""]))
        if not set("#$") & set("".join(parts)):
            continue  # walls X are read here: it is a list of mazes
        levels = read_collection("\n".join(parts)).levels
        assert len(levels) == len(meant), "\n".join(parts)
        for level, (board, dialect) in zip(levels, meant, strict=True):
            seen[dialect] += 1
            if dialect in ("xsb", "sok", "mixed"):
                assert position_of(level) == SOKOBAN.parse(board)
            else:
                with pytest.raises(ParseError, match="bad symbol"):
                    position_of(level)
    assert min(seen.values()) > 10


@pytest.mark.parametrize(
    "text",
    [
        "# My set #",
        "##########\n# My set #\n##########",
        "XXXX\nX Mine X\nXXXX",
        "oooo\no   o\noooo",
        ";;;;;\n; 7 ;\n;;;;;",
    ],
)
def test_a_frame_around_words_or_of_comments_is_no_board(text: str) -> None:
    collection = read_collection(f"{text}\n\n#####\n#@$.#\n#####\n")
    assert [level.board for level in collection.levels] == ["#####\n#@$.#\n#####\n"]


SECOND = "######\n#@ $.#\n######\n"


@pytest.mark.parametrize(
    ("board", "meant"),
    [
        ("#####\n#@$.# ; the keeper starts here\n##### ; end", "#####\n#@$.#\n#####"),
        ("#####\n#   #\n; between rows\n#@$.#\n#####", "#####\n#   #\n#@$.#\n#####"),
        ("5# ; in runs\n#@-$.#", "#####\n#@ $.#"),
        ("@$.", "@$."),
        ("  $. \n @   ", "  $. \n @   "),
    ],
)
def test_comments_beside_rows_and_boards_without_walls(board: str, meant: str) -> None:
    levels = read_collection(f"{board}\n\n{SECOND}").levels
    assert [position_of(level) for level in levels] == [SOKOBAN.parse(meant), SOKOBAN.parse(SECOND)]


@pytest.mark.parametrize(
    ("board", "symbol"),
    [
        ("#####\n#@$.# <- start\n#####", "<"),
        ("#####\n#   # a shelf\n#@$.#\n#####", "a"),
        ("> #####\n> #@$.#\n> #####", ">"),
        ("#####\n#@$0.#\n#####", "0"),
        ("1 #####\n2 #@$.#\n3 #####", "1"),
    ],
)
def test_a_strange_symbol_is_an_error_and_neither_left_out_nor_a_run(board: str, symbol: str) -> None:
    """`0.` is no goal not there, and numbers of lines are no blanks: such boards were other puzzles."""
    first, second = read_collection(f"{board}\n\n{SECOND}").levels
    assert position_of(second) == SOKOBAN.parse(SECOND)
    with pytest.raises(ParseError, match=f"bad symbol '{symbol}'"):
        position_of(first)


def test_a_comment_that_touches_two_boards_joins_none() -> None:
    levels = read_collection(f"#####\n#@$.#\n#####\n; 2\n{SECOND}; 3\n{SECOND}").levels
    assert [position_of(level) for level in levels[1:]] == [SOKOBAN.parse(SECOND)] * 2
    assert [level.title for level in levels] == ["", "2", "3"]


XML = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE SokobanLevels SYSTEM "SokobanLev.dtd">
<SokobanLevels>
  <Title>Small</Title>
  <Description>
for a test
</Description>
  <LevelCollection Copyright="Somebody">
    <Level Id="a"><L>#####</L><L>#@$.#</L><L>#####</L></Level>
    <Level Id="b"><L>######</L><L>#@ $&#46;#</L><L>######</L></Level>
  </LevelCollection>
</SokobanLevels>
"""
MAZES = """*****************
Maze: 1
Size X: 6

XXXXXX
X@*.&X
XXXXXX

*****************
Maze: 2

XXXXXX
X@ *.X
XXXXXX
"""


def test_files_of_xml_and_lists_of_mazes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    collection = read_collection(XML)
    assert (collection.title, collection.comments) == ("Small", ("for a test",))
    assert [(level.title, level.author) for level in collection.levels] == [("a", "Somebody"), ("b", "Somebody")]
    assert [position_of(level) for level in collection.levels] == [
        SOKOBAN.parse("#####\n#@$.#\n#####"), SOKOBAN.parse("######\n#@ $.#\n######"),
    ]  # fmt: skip
    assert [position_of(level) for level in read_collection(MAZES).levels] == [
        SOKOBAN.parse("######\n#@$.*#\n######"), SOKOBAN.parse("######\n#@ $.#\n######"),
    ]  # fmt: skip
    apart = XML.replace('<LevelCollection Copyright="Somebody">', "").replace("</LevelCollection>", "")
    assert [level.board for level in read_collection(apart).levels] == [level.board for level in collection.levels]
    file = tmp_path / "one.slc"
    file.write_text(XML[: XML.index('    <Level Id="b"')] + "</LevelCollection></SokobanLevels>")
    assert run_json(capsys, "solve", "sokoban", str(file))[1]["moves"] == ["R"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<SokobanLevels>\n<L>", "this is not XML: no element found"),
        ("<SokobanLevels><Title>None</Title></SokobanLevels>", "contains no level: the element <Level> is missing"),
        ("<puzzles/>", "its first element is <puzzles>, not <SokobanLevels>"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "this XML declares entities"),
    ],
)
def test_other_xml_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ParseError, match=sentence):
        read_collection(text)


@pytest.mark.parametrize("moves", ["rrr", "rRR", "r2R", "2(r)r", "r r r", "r 2R"])
def test_moves_in_small_letters_and_runs_are_read_everywhere(
    moves: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    level = tmp_path / "p.xsb"
    level.write_text("\t#######\n\t#@ $ .#\n\t#######\n")
    assert replay(SOKOBAN.parse(level.read_text()), moves).solved
    code, out, _ = run(capsys, "replay", "sokoban", str(level), moves)
    assert (code, out.splitlines()[-1]) == (0, "solved: cost 3")
    assert run(capsys, "draw", "sokoban", str(level), moves)[0] == 0
    assert run_json(capsys, "replay", "sokoban", str(level), moves, "--against", "best")[0] == 0


def test_a_capital_that_pushes_nothing_is_illegal() -> None:
    assert replay(SOKOBAN.parse("#######\n#@ $ .#\n#######"), "RRR").step == 1


def test_an_illegal_move_is_named_as_it_was_written() -> None:
    assert replay(SOKOBAN.parse("#######\n#@ $ .#\n#######"), "rl l").reason.startswith("move 3 is illegal: 'l' is")


@pytest.mark.parametrize(
    ("lines", "notes"),
    [
        (["Solution", "rR", "lL"], [(SOLUTION, "", ("rRlL",))]),
        (["My solution:", "", "rR"], [(SOLUTION, "My solution", ("rR",))]),
        (["Solution: rR", "lL", "; end"], [(SOLUTION, "", ("rRlL",)), (TEXT, "", ("end",))]),
        (["Solution", "that is hard"], [(RULER, "", ("Solution",)), (TEXT, "", ("that is hard",))]),
        (["Author: A", "Comment: b"], [(PROPERTY, "Author", ("A",)), (COMMENT, "", ("b",))]),
        (["Snapshot", "rRlLrRlL"], [(SAVED, "", ("Snapshot",)), (SAVED, "", ("rRlLrRlL",))]),
        (["rRlLrRl"], [(RULER, "", ("rRlLrRl",))]),
        (["rRlLrRlL"], [(SOLUTION, "", ("rRlLrRlL",))]),
    ],
)
def test_lines_between_boards_are_notes(lines: list[str], notes: list[tuple[Any, ...]]) -> None:
    found = notes_in(lines, range(len(lines)), {})
    assert [(note.kind, note.name, note.lines) for note in found] == notes
