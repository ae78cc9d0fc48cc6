"""Files of sudokus in the manners of many programs: what is read, kept, written, compared and refused."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from unpuzzle.base.errors import ParseError, UnsupportedFeature, UsageError
from unpuzzle.cli import main
from unpuzzle.generation.collections import position_of, read_collection, replays, with_solution, write_collection
from unpuzzle.model.collection import CollectedLevel, CollectedSolution, Collection
from unpuzzle.translators.shared import text as level_text
from unpuzzle.translators.sudoku import Sudoku

FULL = "258934167473816925916527384134692578695783241827451693749165832562378419381249756"
GIVEN = "2...3...7..3..6.2..1..2..8...4...5....5783..1....5...37..1..8...623..4.938.24...."
OTHER = GIVEN[::-1]
ROWS = [GIVEN[start : start + 9] for start in range(0, 81, 9)]


def lines(*rows: str, end: str = "\n") -> str:
    return "".join([row + end for row in rows])


def boxes(row: str, between: str = "|", mark: str = "") -> str:
    return between.join([mark.join(row[start : start + 3]) for start in (0, 3, 6)])


def framed(mark: str = ".") -> str:
    """Return the sudoku in a frame, its cells side by side."""
    frame = "+---+---+---+"
    bands = [[f"|{boxes(row)}|" for row in ROWS[start : start + 3]] for start in (0, 3, 6)]
    return lines(frame, *[row for band in bands for row in [*band, frame]]).replace(".", mark)


def spaced(mark: str = ".", left: str = "| ", right: str = " |") -> str:
    """Return the sudoku with a blank between two cells."""
    rows = [f"{left}{boxes(row, ' | ', ' ')}{right}" for row in ROWS]
    return lines(*rows[:3], "------+-------+------", *rows[3:6], "------+-------+------", *rows[6:]).replace(".", mark)


SPELLINGS = {
    "one line": GIVEN,
    "zeros": GIVEN.replace(".", "0"),
    "stars in one line": GIVEN.replace(".", "*"),
    "dashes in one line": GIVEN.replace(".", "-"),
    "rows joined by plus signs": "+".join(ROWS).replace(".", "_"),
    "rows": lines(*ROWS),
    "rows of underlines": lines(*ROWS).replace(".", "_"),
    "rows of x": lines(*ROWS).replace(".", "x"),
    "rows of dashes": lines(*ROWS).replace(".", "-"),
    "carriage returns": "\ufeff" + lines(*ROWS, end="\r\n"),
    "blanks around": lines("", *[f"  {row}\t " for row in ROWS], "  "),
    "blank lines between": "\n\n".join(ROWS),
    "blanks between": lines(*[" ".join(row) for row in ROWS]),
    "commas": lines(*[",".join(row) for row in ROWS]),
    "commas with nothing between": lines(*[",".join(row.replace(".", " ")).replace(" ", "") for row in ROWS]),
    "semicolons of Excel": "sep=;\n" + lines(*[";".join(row).replace(".", "") for row in ROWS]),
    "a comma at the end": lines(*[",".join(row) + "," for row in ROWS]),
    "tabs with nothing between": lines(*["\t".join(row.replace(".", " ")).replace(" ", "") for row in ROWS]),
    "lists of lists": "[" + ",\n ".join([f"[{', '.join(row)}]" for row in ROWS]).replace(".", "0") + "]",
    "a frame": framed(),
    "a frame of zeros": framed("0"),
    "a frame of stars": framed("*"),
    "blanks in a frame": framed(" "),
    "blanks between in a frame": spaced(),
    "blanks for empty cells too": spaced(" "),
    "bars between boxes": lines(*map(boxes, ROWS)),
    "bars and blanks": spaced(left="", right=""),
    "a table": lines(*["| " + " | ".join(row) + " |" for row in ROWS]),
    "a table with blanks": lines(*["| " + " | ".join(row.replace(".", " ")) + " |" for row in ROWS]),
    "points and apostrophes": ".-----.\n" + lines(*[f"|{boxes(row)}|" for row in ROWS]) + "'-----'",
    "a picture": Sudoku(GIVEN).draw(),
    "sections": "[Puzzle]\n" + lines(*ROWS),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_one_sudoku_has_many_spellings(name: str) -> None:
    assert Sudoku.parse(SPELLINGS[name]) == Sudoku(GIVEN)
    collection = read_collection(SPELLINGS[name], "sudoku")
    assert [level.board for level in collection.levels] == [GIVEN + "\n"]
    assert collection.levels[0].replace(board="") == CollectedLevel()


TWO = {
    "lines": lines(GIVEN, OTHER),
    "lines without a break": GIVEN + "\n" + OTHER,
    "rows with an empty line": lines(*ROWS, "", *[OTHER[start : start + 9] for start in range(0, 81, 9)]),
    "a rule between": lines(*ROWS, "========") + lines(*[OTHER[start : start + 9] for start in range(0, 81, 9)]),
    "a table": lines("puzzle", GIVEN, OTHER),
    "the library of HoDoKu": lines(f":0000:x:{GIVEN}:::", f":0000:x:{OTHER}:::", end="\r\n"),
    "XML": f'<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n<game data="{GIVEN}" />\n<game data="{OTHER}"/>\n'
    "</opensudoku>\n",
    "a line that reads the bank of puzzles": lines(GIVEN.replace(".", "0"), OTHER.replace(".", "0")),
}


@pytest.mark.parametrize("name", TWO)
def test_several_in_a_file_are_levels(name: str) -> None:
    collection = read_collection(TWO[name], "sudoku")
    assert [level.board for level in collection.levels] == [f"{GIVEN}\n", f"{OTHER}\n"]
    with pytest.raises(ParseError, match="expected one sudoku, but there are 2"):
        Sudoku.parse(TWO[name])


# ---- notes


def only(text: str) -> CollectedLevel:
    (level,) = read_collection(text, "sudoku").levels
    assert level.board == GIVEN + "\n"
    return level


def test_the_header_of_an_sdk_file_is_kept() -> None:
    header = lines(
        "#AAnn", "#DA hard one", "#CFirst", "#C Second", "#B01-02-2003", "#SA paper", "#Lhard", "#Uhttp://x.y"
    )
    level = only(header + lines(*ROWS))
    assert (level.title, level.author, level.comments) == ("A hard one", "Ann", ("First", "Second"))
    assert level.properties == (("date", "01-02-2003"), ("source", "A paper"), ("level", "hard"), ("url", "http://x.y"))


def test_the_state_of_play_is_a_note() -> None:
    level = only(lines("[Puzzle]", *ROWS, "[State]", *ROWS[:8], FULL[72:], "[PencilMarks]", "12,,3", "", "4"))
    assert level.properties == (("state", GIVEN[:72] + FULL[72:]),)
    assert level.comments == ("[PencilMarks]", "12,,3", "4")


def test_a_line_above_is_a_title_and_a_file_names_its_levels_so() -> None:
    collection = read_collection(lines("Grid 01", *ROWS, "Grid 02", *ROWS, "The end"), "sudoku")
    assert [(level.title, level.comments) for level in collection.levels] == [
        ("Grid 01", ()),
        ("Grid 02", ("The end",)),
    ]


def test_words_beside_a_sudoku_are_kept() -> None:
    assert only(f"00ab12 {GIVEN}  7.2\n").title == "00ab12"
    assert only(f"00ab12 {GIVEN}  7.2\n").comments == ("7.2",)
    assert only(f"{GIVEN} # easy\n").comments == ("easy",)
    assert only(f"# {OTHER}\n; {OTHER}\n{GIVEN};easy\n").comments == (OTHER, OTHER, "easy")


def test_the_library_of_hodoku_has_placed_values_and_a_technique() -> None:
    level = only(f":0702:9:{GIVEN[:1]}+1{GIVEN[2:]}:911 925:r1c1<>9:a look:\n")
    assert level.properties == (
        ("state", f"{GIVEN[:1]}1{GIVEN[2:]}"),
        ("technique", "0702"),
        ("candidates", "9"),
        ("deleted", "911 925"),
        ("eliminations", "r1c1<>9"),
    )
    assert level.comments == ("a look",)


def test_later_versions_of_opensudoku_have_cells_with_fields() -> None:
    for notes in ("0|", "0|0|"):
        cells = [f"{value}|{notes}{int(given == '.')}|" for value, given in zip(FULL, GIVEN, strict=True)]
        data = f"version: {len(notes)}&#10;{''.join(cells)}"
        game = f'<game created="1" data="{data}" note="x" />'
        level = only(f'<opensudoku version="2"><folder name="Mine">{game}</folder></opensudoku>')
        assert level.board == GIVEN + "\n"
        assert (level.comments, level.properties) == (("x",), (("folder", "Mine"), ("state", FULL), ("created", "1")))
    games = [f"<game name='{name}' state='1' data='{GIVEN}'/>" for name in "abc"]
    text = f"<opensudoku><folder name='F'>{games[0]}</folder>{games[1]}<folder>{games[2]}</folder></opensudoku>"
    levels = read_collection(text, "sudoku").levels
    assert [(level.title, level.properties[-1]) for level in levels] == [(name, ("game state", "1")) for name in "abc"]
    text = f"<opensudoku><name>N</name><author>A</author><level>easy</level><game data='{GIVEN}'/></opensudoku>"
    collection = read_collection(text, "sudoku")
    assert (collection.title, collection.author, collection.properties) == ("N", "A", (("level", "easy"),))


@pytest.mark.parametrize(
    "text",
    [
        f"quizzes,solutions\n{GIVEN},{FULL}\n",
        f"\ufeffPuzzle,Solution\r\n{GIVEN.replace('.', '0')},{FULL}\r\n\r\n",
        f'# mine\n"puzzle";"solution"\n"{GIVEN}";"{FULL}"\n',
        f"puzzle\tsolution\n{GIVEN}\t{FULL}\n",
        f"{GIVEN},{FULL}\n",
        f"{GIVEN} {FULL}\n",
        lines(*ROWS, "Solution:", *[FULL[start : start + 9] for start in range(0, 81, 9)]),
        lines("[Puzzle]", *ROWS, "[Solution]", *[FULL[start : start + 9] for start in range(0, 81, 9)]),
    ],
)
def test_a_solution_may_stand_in_the_file(text: str) -> None:
    assert only(text).solutions == (CollectedSolution(FULL),)


SOLVED = FULL[::-1]


@pytest.mark.parametrize(
    ("text", "solutions"),
    [
        (lines(GIVEN, OTHER, "Solutions:", FULL, SOLVED), [FULL, SOLVED]),
        (lines("Puzzle 1", *ROWS, "Puzzle 2", OTHER, "Answer 1", FULL, "Answer 2", SOLVED), [FULL, SOLVED]),
        (lines(GIVEN, "Solution 1", FULL, OTHER, f"Solution 2: {SOLVED}"), [FULL, SOLVED]),
        (lines(GIVEN, OTHER, "Solution", SOLVED), ["", SOLVED]),
        (lines(GIVEN, OTHER, "Solutions", FULL), ["", ""]),
    ],
)
def test_solutions_stand_below_their_sudokus(text: str, solutions: list[str]) -> None:
    collection = read_collection(text, "sudoku")
    assert ["".join([each.moves for each in level.solutions]) for level in collection.levels] == solutions
    assert [each for _, each in collection.unread] == ([] if any(solutions) else [FULL])
    assert collection.unread == () or collection.levels[-1].comments == (FULL,)


@pytest.mark.parametrize("mark", ["#", "# "])
def test_comments_keep_their_letters(mark: str) -> None:
    level = only(lines(*[mark + text for text in ("Difficulty: easy", "Author: Bob", "Best one", "All")], GIVEN))
    assert (level.author, level.comments) == ("Bob", ("Best one", "All"))
    assert level.properties == (("difficulty", "easy"),)
    assert write_collection(Collection(levels=(level,)), "sudoku", ".sdk").startswith("#ABob\n#CBest one\n#CAll\n")
    bob = Collection(levels=(CollectedLevel(author="bob", board=GIVEN + "\n"),))
    assert read_collection(write_collection(bob, "sudoku", ".sdk"), "sudoku") == bob


def test_other_columns_of_a_table_are_notes() -> None:
    level = only(f"puzzle,Solution Count,solution_time,solution\n{GIVEN},1,3.5,none\n")
    assert (level.solutions, level.comments) == ((), ("none",))
    assert level.properties == (("Solution Count", "1"), ("solution_time", "3.5"))
    level = only(f'id,puzzle,solution,clues,comments\n17,{GIVEN},{FULL},40,"two\nlines"\n')
    assert level.properties == (("id", "17"), ("clues", "40"))
    assert level.comments == ("two", "lines")
    assert [each.properties for each in read_collection(f"n,puzzle\n1,{GIVEN}\n2,{GIVEN},x\n", "sudoku").levels] == [
        (("n", "1"),),
        (("n", "2"),),
    ]


# ---- what is refused


@pytest.mark.parametrize(
    ("text", "place", "sentence"),
    [
        (lines(GIVEN, GIVEN + "1", GIVEN), (2, 82), "82 cells in one line"),
        (lines(GIVEN, GIVEN[:-1], GIVEN), (2, 80), "80 cells in one line"),
        (lines(GIVEN, GIVEN[:10] + "q" + GIVEN[11:], GIVEN), (2, 11), "'q' is neither a value"),
        (lines("puzzle,solution", f"{GIVEN},{FULL}", f"{GIVEN}1,{FULL}", GIVEN), (3, 82), "82 cells in one line"),
        (lines("id,puzzle", f"1,{GIVEN}", f"22,{GIVEN[1:]}", f"3,{GIVEN}"), (3, 83), "80 cells in one line"),
        (lines("id,puzzle", f"1,{GIVEN}", "2", f"3,{GIVEN}"), (3, 1), "the level is empty"),
        (lines(f":0000:x:{GIVEN}:::", f":0000:x:{GIVEN}1:::", f":0000:x:{GIVEN}:::"), (2, 90), "82 cells in one line"),
        (lines(*ROWS, "", *ROWS[:8], "", "Next", *ROWS), (18, 1), "8 rows, the first of 9 cells"),
        (lines(*ROWS, "", *ROWS[:8], "", *ROWS), (18, 1), "8 rows, the first of 9 cells"),
        (lines(framed(), *framed().split("\n")[:8], "", framed()), (22, 2), "6 rows, the first of 9 cells"),
        (lines(*ROWS, "", "6.1..4q.5", *ROWS[1:], "", *ROWS), (11, 7), "'q' is neither a value"),
        (lines(*ROWS, "", *ROWS[:4], ROWS[4] + "1", *ROWS[5:], "", *ROWS), (15, 10), "row 5 has 10 cells"),
        (
            f'<opensudoku>\n<game data="{GIVEN}"/>\n<game data="{GIVEN}1"/>\n<game data="{GIVEN}"/></opensudoku>',
            (3, 94),
            "82 cells in one line",
        ),
    ],
)
def test_a_broken_level_leaves_the_others(text: str, place: tuple[int, int], sentence: str) -> None:
    first, broken, *others = read_collection(text, "sudoku").levels
    assert [level.board for level in (first, *others)] == [GIVEN + "\n"] * (1 + len(others))
    with pytest.raises(ParseError) as caught:
        position_of(broken, "sudoku", source="x.txt")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("x.txt", *place)
    assert sentence in caught.value.message


def test_rows_too_many_make_a_broken_level() -> None:
    (level,) = read_collection(lines(*ROWS, ROWS[0]), "sudoku").levels
    with pytest.raises(ParseError, match="10 rows, the first of 9 cells"):
        position_of(level, "sudoku")


def test_values_from_zero_are_refused_at_their_place_in_the_file() -> None:
    levels = read_collection(lines(*ROWS, "", "12.0", "3...", "....", "...."), "sudoku").levels
    with pytest.raises(UnsupportedFeature, match="0 to 3") as caught:
        position_of(levels[1], "sudoku", source="x.txt")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("x.txt", 11, 4)


def test_cells_have_their_own_columns_in_a_row_with_a_narrow_box() -> None:
    (level,) = read_collection(lines("1 . . | . . . |0 . .", *["." * 9] * 8), "sudoku").levels
    with pytest.raises(UnsupportedFeature, match="0 to 8") as caught:
        position_of(level, "sudoku", source="x.txt")
    assert (caught.value.line, caught.value.column) == (1, 16)


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("\n \n", 1, "the level is empty"),
        ("\nHello\n", 2, "the text has no sudoku"),
        ("puzzle,solution\n", 1, "the text has no sudoku"),
        (f'puzzle,solution\n{GIVEN},{FULL}\n"{GIVEN},{FULL}\n', 3, "this line of the table cannot be read"),
        ("<opensudoku>\n<game data=\n", 2, "this is not XML"),
        ("<SokobanLevels/>", 1, "the text has no sudoku"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><opensudoku/>', 1, "declares entities"),
        (f"{GIVEN}\nx\x07y\n", 2, "U+0007"),
        (lines("[State]", *ROWS), 2, "there is no puzzle above this state"),
        (lines("[Puzzle]", *ROWS, "[Puzzle]", "[State]", *ROWS), 13, "there is no puzzle above this state"),
    ],
)
def test_a_bad_file_is_refused_with_the_line(text: str, line: int, sentence: str) -> None:
    with pytest.raises(ParseError, match=sentence.replace("+", r"\+")) as caught:
        read_collection(text, "sudoku")
    assert caught.value.line == line


# ---- writing


NOTED = Collection(
    levels=(
        CollectedLevel("One", "Ann", ("a, b", '"c"'), GIVEN + "\n", (CollectedSolution(FULL),), (("id", "1"),)),
        CollectedLevel(board=OTHER + "\n", solutions=(CollectedSolution(FULL), CollectedSolution(OTHER))),
        CollectedLevel(board="1.3..4.2.1..4..1\n", properties=(("state", "1.3..4.2.1..4..1"), ("Rating", "3"))),
    )
)


def test_a_table_is_read_as_what_was_written() -> None:
    text = write_collection(NOTED, "sudoku", ".csv")
    assert text.startswith("puzzle,solution,solution 2,title,author,comments,id,state,Rating\n")
    assert read_collection(text, "sudoku") == NOTED
    assert write_collection(NOTED, "sudoku") == text


def test_sdm_has_a_sudoku_a_line_and_no_notes() -> None:
    text = write_collection(NOTED, "sudoku", ".sdm")
    assert text == lines(GIVEN.replace(".", "0"), OTHER.replace(".", "0"), "1030040201004001")
    assert [level.board for level in read_collection(text, "sudoku").levels] == [each.board for each in NOTED.levels]
    large = Sudoku.parse(Sudoku.levels["16x16"])
    text = write_collection(Collection(levels=(CollectedLevel(board=str(large)),)), "sudoku", ".sdm")
    assert text == str(large)


def test_sdk_has_one_sudoku_with_its_header() -> None:
    header = lines("#AAnn", "#DOne", "#CFirst", "#CSecond", "#Leasy")
    for text in (header + lines(*ROWS), header + lines("[Puzzle]", *ROWS, "[State]", *ROWS)):
        collection = read_collection(text, "sudoku")
        assert write_collection(collection, "sudoku", ".sdk") == text
    with pytest.raises(UsageError, match=r"an \.sdk file can contain only one sudoku, not 3"):
        write_collection(NOTED, "sudoku", ".sdk")


@pytest.mark.parametrize("name", [*SPELLINGS, *TWO])
def test_what_was_read_is_written_and_read_again(name: str) -> None:
    collection = read_collection({**SPELLINGS, **TWO}[name], "sudoku")
    for ending in (".csv", ".sdm", *[".sdk"][: 2 - len(collection.levels)]):
        assert read_collection(write_collection(collection, "sudoku", ending), "sudoku") == collection


def test_a_broken_level_is_written_as_it_is_or_refused() -> None:
    line = read_collection(lines(GIVEN, GIVEN + "1"), "sudoku")
    assert read_collection(write_collection(line, "sudoku", ".csv"), "sudoku") == line
    rows = read_collection(lines(*ROWS, "", *ROWS[:8]), "sudoku")
    for ending in (".csv", ".sdm"):
        with pytest.raises(UsageError, match="cannot be written to a file: level 2"):
            write_collection(rows, "sudoku", ending)


# ---- solutions


def outcomes(solution: str) -> list[tuple[bool, str]]:
    level = CollectedLevel(board=GIVEN + "\n", solutions=(CollectedSolution(solution),))
    return [(outcome.solved, outcome.reason) for _, outcome in replays(Sudoku(GIVEN), level)]


def test_a_solution_in_a_file_is_played() -> None:
    assert outcomes(FULL) == [(True, "")]
    assert outcomes("1" + FULL[1:])[0] == (False, "move 1 is illegal: r1c1=1 is not legal: r1c1 has 2")
    assert outcomes("." * 81) == [(False, "the goal is not reached after the last move")]
    assert outcomes("12")[0][1].startswith("move 1 is illegal: '12' is not a move")
    assert outcomes("1234341221434321")[0][1].startswith("move 1 is illegal")
    assert outcomes("r1c1=1")[0][1] == "move 1 is illegal: r1c1=1 is not legal: r1c1 has 2"


def test_a_better_solution_is_a_grid() -> None:
    position = Sudoku(GIVEN)
    collection = Collection(levels=(CollectedLevel(board=str(position), solutions=(CollectedSolution("0" * 81),)),))
    cells = zip(position.board.names, GIVEN, FULL, strict=True)
    moves = [f"{name}={value}" for name, given, value in cells if given == "."]
    solved = with_solution(collection, 1, position, moves)
    assert [each.moves for each in solved.levels[0].solutions] == [FULL, "0" * 81]
    assert with_solution(solved, 1, position, moves) is solved


# ---- on the command line


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main([*words, "--planner", "backtracking"] if words[0] == "solve" else [*words])
    out, err = capsys.readouterr()
    return code, out, err


def test_solve_compares_the_solutions_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, small = tmp_path / "x.csv", "1.3..4.2.1..4..1"
    file.write_text(f"puzzle,solution\n{GIVEN},{FULL}\n{GIVEN},{'1' * 81}\n{'.' * 16},1234341221434321\n")
    code, out, err = run(capsys, "solve", "sudoku", f"{file}:1")
    assert (code, "; the solution in the file is the same" in out, err) == (0, True, "")
    code, out, err = run(capsys, "solve", "sudoku", f"{file}:2")
    assert (code, "the solution in the file is wrong: move 1 is illegal" in err) == (0, True)
    code, out, _ = run(capsys, "solve", "sudoku", str(file), "--json")
    warnings = [row.get("warnings") for row in json.loads(out)["levels"]]
    assert (warnings[0], len(warnings[1])) == (None, 1)
    assert warnings[2] in (None, ["the solution in the file differs: the level has several solutions"])
    code, out, err = run(capsys, "solve", "sudoku", str(file), "--quiet")
    assert "unpuzzle: level 2: warning: the solution in the file is wrong" in err
    file.write_text(f"{small}\n")
    assert run(capsys, "solve", "sudoku", str(file))[2] == ""


def test_solve_writes_tables_with_solutions_and_the_other_kinds_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "x.ss", tmp_path / "y"
    file.write_text(framed(), encoding="utf-16")
    assert run(capsys, "solve", "sudoku", str(file), "-o", f"{out}.csv")[::2] == (0, "")
    assert Path(f"{out}.csv").read_text() == lines("puzzle,solution", f"{GIVEN},{FULL}")
    code, _, err = run(capsys, "solve", "sudoku", str(file), "-o", f"{out}.sdm")
    assert (code, err) == (0, f"{out}.sdm: warning: this file format cannot contain solutions\n")
    assert Path(f"{out}.sdm").read_text() == GIVEN.replace(".", "0") + "\n"
    code, _, err = run(capsys, "solve", "sudoku", str(file), "-o", f"{out}.sdk")
    assert (code, Path(f"{out}.sdk").read_text()) == (0, lines(*ROWS))
    file.write_text(f"Title\n{GIVEN}\n")
    code, _, err = run(capsys, "solve", "sudoku", str(file), "-o", f"{out}.sdm", "--quiet")
    assert (code, err) == (0, f"{out}.sdm: warning: this file format cannot contain notes and solutions\n")
    code, _, err = run(capsys, "solve", "sudoku", str(file), "-o", f"{out}.ss")
    assert (code, ".html, or for levels with .sdm, .sdk, .csv" in err) == (2, True)
    file.write_text(lines(GIVEN, OTHER))
    code, _, err = run(capsys, "solve", "sudoku", str(file), "-o", f"{out}.sdk", "--quiet")
    assert (code, "an .sdk file can contain only one sudoku, not 2" in err) == (2, True)


def test_a_broken_level_of_a_file_has_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.sdm"
    file.write_text(lines(GIVEN, GIVEN + "1"))
    code, out, err = run(capsys, "solve", "sudoku", str(file), "--quiet")
    assert (code, out.count("\n")) == (2, 2)
    assert f"unpuzzle: level 2: {file}:2:82: there are 82 cells in one line" in err
    file.write_text(f'puzzle\n{GIVEN}\n"{GIVEN}\n')
    code, _, err = run(capsys, "solve", "sudoku", str(file))
    assert (code, err.startswith(f"unpuzzle: {file}:3:1: this line of the table")) == (2, True)


# ---- work, and texts at random


def test_reading_is_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten times as many levels take ten times as many looks at lines."""
    looks = 0
    printable = level_text.Page.require_printable

    def counted(page: level_text.Page, text: str, line: int) -> None:
        nonlocal looks
        looks += 1
        printable(page, text, line)

    monkeypatch.setattr(level_text.Page, "require_printable", counted)
    for number in (10, 100):
        looks = 0
        assert len(read_collection((framed() + "\n") * number, "sudoku").levels) == number
        assert looks == number * 14 + 1


@pytest.mark.parametrize("name", ["lines", "a table", "the library of HoDoKu", "XML"])
def test_ten_thousand_levels_are_read(name: str) -> None:
    head, line, end = TWO[name].partition(next(line for line in TWO[name].splitlines(keepends=True) if GIVEN in line))
    assert len(read_collection(head + line * 9_999 + end, "sudoku").levels) == 10_000


SIGNS = " \t\n.0_*-xX?123456789ABCG|+=#;:,\"'[]<>&()zé│─\x00\ufeff"


def mutated(text: str, rng: Random) -> str:
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.randint(0, 12))
        kind = rng.randrange(5)
        if kind == 0:
            text = text[:start] + rng.choice(SIGNS) + text[start:]
        elif kind == 1:
            text = text[:start] + text[end:]
        elif kind == 2:
            text = text[:start] + rng.choice(SIGNS) + text[start + 1 :]
        elif kind == 3:
            text = text[:start] + text[start:end] * 2 + text[end:]
        else:
            rows = text.split("\n")
            rng.shuffle(rows)
            text = "\n".join(rows)
    return text


@pytest.mark.parametrize("seed", range(300))
def test_a_mutated_text_is_read_or_refused_with_its_place(seed: int) -> None:
    rng = Random(seed)
    text = mutated(rng.choice([*SPELLINGS.values(), *TWO.values()]), rng)
    readable = Collection()
    with suppress(ParseError, UnsupportedFeature):
        readable = read_collection(text, "sudoku")
    for level in readable.levels:
        place = 1
        try:
            assert str(position_of(level, "sudoku")) == level.board
        except (ParseError, UnsupportedFeature) as error:
            place = error.line or 0
        assert 1 <= place <= text.count("\n") + text.count("\r") + 1
    with suppress(UsageError):
        assert not readable.levels or read_collection(write_collection(readable, "sudoku"), "sudoku") == readable
