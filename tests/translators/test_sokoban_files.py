"""Collections of Sokoban in the manners of many programs: read right, and written back as they were.

Each file is made here, with levels of our own, in the manner in which a program or an author writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from support.command_line import run, run_json
from support.thorough import at_most
from unpuzzle import find
from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.generation.collections import (
    numbered,
    position_of,
    read_collection,
    replays,
    with_solution,
    write_collection,
)
from unpuzzle.model.collection import CollectedLevel, CollectedSolution, Collection
from unpuzzle.translators.sokoban import boards, collecting

SOKOBAN = find("sokoban")
BOARDS = (
    "#####\n#@$.#\n#####",
    "######\n#@ $.#\n#    #\n######",
    "  ####\n###  ####\n#@ $   .#\n#########",
)
MOVES = ("R", "rR", "rRRRR")
NAMES = ("Broom", "The coal hole", "Attic stairs")


def told(form: str, *, names: Sequence[str] = NAMES, between: str = "\n") -> str:
    """Return the levels in a form with `N` for the number, `NAME`, `BOARD` and `MOVES`."""
    parts = []
    for number, (board, moves, name) in enumerate(zip(BOARDS, MOVES, names, strict=True), 1):
        part = form.replace("NAME", name).replace("MOVES", moves).replace("BOARD", board)
        parts.append(part.replace("No", str(number)))
    return between.join(parts)


def in_runs(board: str, by: str) -> str:
    """Return a board with runs of its symbols, blanks as dashes, and rows parted by a text."""
    rows = []
    for row in board.replace(" ", "-").split("\n"):
        length = len(row) - len(row.lstrip(row[0]))
        rows.append((f"{length}{row[0]}" if length > 2 else row[:length]) + row[length:])
    return by.join(rows)


def runs(text: str, by: str) -> str:
    for board in BOARDS:
        text = text.replace(board, in_runs(board, by))
    return text


def in_maze(text: str, floor: str = " ") -> str:
    return text.translate(str.maketrans({"#": "X", "$": "*", " ": floor})) if text in BOARDS else text


def mazes(ruler: str, floor: str = " ") -> str:
    parts = [
        f"{ruler}\nMaze: {number}\nFile offset: 02F{number}, DS:0{number}FC\nSize X: 9\nLength: 45\n\n"
        f"{in_maze(board, floor)}\n\n"
        for number, board in enumerate(BOARDS, 1)
    ]
    return "".join(parts) + ruler + "\n"


def xml(form: str) -> str:
    levels = []
    for board, name in zip(BOARDS, NAMES, strict=True):
        rows = "".join(f"      <L>{row}</L>\n" for row in board.split("\n"))
        levels.append(form.replace("NAME", name).replace("ROWS\n", rows))
    return "".join(levels)


YASC = """::::::::::::::::::::::::::::::::::::::
::      A program for the keeper    ::
::::::::::::::::::::::::::::::::::::::
:: Wall......: #  # :..........Wall ::
:: Pusher....: p  @ :........Pusher ::
:: A title line is the last line before a board, a saved game, or a solution.
::::::::::::::::::::::::::::::::::::::
Date Created: 2026-11-01 10:00:00
Date of Last Change: 2026-11-29 21:00:00
::::::::::::::::::::::::::::::::::::::

Collection: House work
Author: A. Broom

"""
BEST = "Best Solution/Moves (MOVES)\nMOVES\nSolver: Yes Another 2.1\nTime: 0:00:12\n"
TITLES_BELOW = "BOARD\nTitle: NAME\nAuthor: A. Broom\n"
SOLVED = [[moves] for moves in MOVES]
NONE: list[list[str]] = [[], [], []]
NUMBERS = ("1", "2", "3")

FILES: dict[str, tuple[str, Sequence[str], Sequence[Sequence[str]]]] = {
    "Sokoban YASC: titles above, solutions by the kind of best": (
        YASC + told("NAME\n\nBOARD\n\nAuthor: A. Broom\n\nSolution/Moves\nMOVES\n\nSolver: Mine\n"),
        NAMES,
        SOLVED,
    ),
    "Sokoban YASC: saved games, also in reverse mode": (
        YASC + told("NAME\n\nBOARD\n\nAuthor: A. Broom\n\nSnapshot\nrl*r\n\nReverse Mode Snapshot\n[r]LL[]u\n"),
        NAMES,
        NONE,
    ),
    "JSoko: properties and comments below, several solutions": (
        told(
            f"{TITLES_BELOW}Comment:\n  indented,  and wide\n\n; no title\nComment-End:\nDifficulty: 3\n"
            "Solution (moves/pushes: 9/3)\nMOVES\nSolution/Pushes: MOVES\n"
        ),
        NAMES,
        [[moves, moves] for moves in MOVES],
    ),
    "JSoko: counts after a slash, and a saved game": (
        told(f"{TITLES_BELOW}\nSolution/9/3\nMOVES\n\nSavegame\nrl\n"),
        NAMES,
        SOLVED,
    ),
    "Sokoban++: titles in comments above": (told("; NAME\n\nBOARD\n"), NAMES, NONE),
    "Sokoban++: a head, and comments that touch the boards": (
        ";; House work\n;; by A. Broom\n\n" + told("; NAME\nBOARD\n"),
        NAMES,
        NONE,
    ),
    "Skinner: a number and, for some, a name in quotation marks": (
        told("; No\nNAME\n\nBOARD\n").replace("Broom\n", "").replace("The coal hole", "'The coal hole'"),
        ("1", "The coal hole", "Attic stairs"),
        NONE,
    ),
    "Skinner: names that touch the board": (told("; No\n'NAME'\nBOARD\n"), NAMES, NONE),
    "Sever: numbers and names, the author of all above": (
        "House work\nA. Broom, broom@example.org\n\n" + told('Level No\n"NAME"\n\nBOARD\n'),
        NAMES,
        NONE,
    ),
    "xsokoban: numbers of screens in comments": (told(";LEVEL No\nBOARD\n"), ("LEVEL 1", "LEVEL 2", "LEVEL 3"), NONE),
    "macosx: numbers in comments below": (told("BOARD\n; No\n"), NUMBERS, NONE),
    "numbers and quoted names below": (told("BOARD\n; No\n'NAME'\n"), NAMES, NONE),
    "names below, set apart": (told("BOARD\n\nNAME\n"), NAMES, NONE),
    "names below, set apart, with numbers": (told("BOARD\n\n; No\n; NAME\n"), NAMES, NONE),
    "names and authors above": (told("; NAME\n; by A. Broom\n\nBOARD\n"), NAMES, NONE),
    "numbers with a colon": (told("Level No:\n\nBOARD\n"), ("Level 1:", "Level 2:", "Level 3:"), NONE),
    "numbers with the name": (
        told("Level No: NAME\n\nBOARD\n"),
        [f"Level {n + 1}: {NAMES[n]}" for n in range(3)],
        NONE,
    ),
    "titles above, authors, too": (told("Title: NAME\nAuthor: A. Broom\n\nBOARD\n"), NAMES, NONE),
    "titles above, solvers below, no blank behind the colon": (
        told("Title:NAME\nAuthor:A. Broom\n\nBOARD\n\nMoves: 9\nLURD: MOVES\nSolver: Mine\n"),
        NAMES,
        SOLVED,
    ),
    "names as a property": (told("BOARD\nName: NAME\nAuthor: A. Broom\n"), NAMES, NONE),
    "a list of mazes between stars": (mazes("*" * 37), NUMBERS, NONE),
    "a list of mazes with dashes above and below their numbers": (
        mazes("-" * 19).replace("File offset", "-------------------\nFile offset"),
        NUMBERS,
        NONE,
    ),
    "a list of mazes between dashes, with dashes as floor": (mazes("-" * 37, "-"), NUMBERS, NONE),
    "moves alone": (told("BOARD\n\nMOVES\n"), ("", "", ""), SOLVED),
    "moves alone below a comment": (told(f"{TITLES_BELOW}Comment: The solution is easy\nMOVES\n"), NAMES, SOLVED),
    "mazes without that word": (told("; NAME\n\nBOARD\n").translate(str.maketrans("#$", "X*")), NAMES, NONE),
    "rows in one line of runs": (runs(told(TITLES_BELOW), "|"), NAMES, NONE),
    "rows of runs, which end with a bar": (runs(told(f"{TITLES_BELOW}\nSolution\nMOVES\n"), "|\n"), NAMES, SOLVED),
    "symbols as letters": (told(TITLES_BELOW).replace("@", "p").replace("$", "b"), NAMES, NONE),
    "solvers' notes above and below the moves": (
        told(f"{TITLES_BELOW}\nSolution\nSolver: Mine\nTime: 12\n\nMOVES\n\n{BEST}"),
        NAMES,
        [[moves, moves] for moves in MOVES],
    ),
    "solutions with equals signs, spaces and runs": (
        told(f"{TITLES_BELOW}\nSolution = MOVES\n").replace("rRRRR", "r 2R 2(R)"),
        NAMES,
        SOLVED,
    ),
    "moves under a name of their own": (
        told(f"{TITLES_BELOW}\nLURD: rlrlrlrlMOVES\n"),
        NAMES,
        [[f"rlrlrlrl{moves}"] for moves in MOVES],
    ),
    "a file of DOS": (told(TITLES_BELOW).replace("\n", "  \r\n") + "\x1a", NAMES, NONE),
    "a file of an old Mac, with a mark": ("\ufeff" + told(f"{TITLES_BELOW}\n\n").replace("\n", "\r"), NAMES, NONE),
    "SokobanP": (
        '<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE SokobanLevels SYSTEM "SokobanLev.dtd">\n'
        "<SokobanLevels>\n  <Title>House &amp; yard</Title>\n  <Description>\nto be swept\n  </Description>\n"
        '  <LevelCollection Copyright="A. Broom" MaxWidth="9" MaxHeight="4">\n'
        + xml('    <Level Id="NAME" Width="9" Height="4">\nROWS\n    </Level>\n')
        + "  </LevelCollection>\n</SokobanLevels>\n",
        NAMES,
        NONE,
    ),
    "a relative of SokobanP: Windows' lines, notes in comments": (
        (
            "\ufeff\n<SokobanLevels><LevelCollection>\n<!-- swept by\nA. Broom -->\n"
            + xml('<Level Id="NAME">\nROWS\n<!-- Date: 2026 -->\n</Level>\n')
            + "</LevelCollection></SokobanLevels>"
        ).replace("\n", "\r\n"),
        NAMES,
        NONE,
    ),
}


def lines_of(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def is_within(parts: Sequence[str], whole: Sequence[str]) -> bool:
    """Return whether some lines stand in this order among others."""
    rest = iter(whole)
    return all(part in rest for part in parts)


@pytest.mark.parametrize("manner", FILES)
def test_titles_boards_and_solutions_are_those_of_the_file(manner: str) -> None:
    text, titles, solutions = FILES[manner]
    collection = read_collection(text)
    assert [position_of(level) for level in collection.levels] == list(map(SOKOBAN.parse, BOARDS))
    assert [level.title for level in collection.levels] == list(titles)
    assert [[solution.moves for solution in level.solutions] for level in collection.levels] == list(solutions)
    assert collection.unread == ()
    if "A. Broom" in text and "Author" in text and "YASC" not in manner:
        assert {collection.author, *[level.author for level in collection.levels]} - {""} == {"A. Broom"}


@pytest.mark.parametrize("manner", FILES)
def test_a_file_is_written_back_as_it_was(manner: str) -> None:
    text, _, _ = FILES[manner]
    collection = read_collection(text)
    assert write_collection(collection) == text
    for ending in (".sok", ".slc"):  # and into another form without loss
        written = write_collection(collection, ending=ending)
        assert read_collection(written) == collection
        assert write_collection(read_collection(written), ending=ending) == written


@pytest.mark.parametrize("manner", FILES)
def test_new_solutions_are_put_into_the_file_and_nothing_else_changes(manner: str) -> None:
    text, titles, solutions = FILES[manner]
    collection = read_collection(text)
    for number, level in enumerate(collection.levels, 1):
        collection = with_solution(collection, number, position_of(level), tuple(MOVES[number - 1]))
    written = write_collection(collection)
    again = read_collection(written)
    assert again == collection
    assert [level.title for level in again.levels] == list(titles)
    # `RR`, which is no solution, and longer ones stay below ours.
    news = zip(MOVES, solutions, strict=True)
    expected = [[*old] if moves in old else [moves, *old] for moves, old in news]
    assert [[solution.moves for solution in level.solutions] for level in again.levels] == expected
    assert all(any(outcome.solved for _, outcome in replays(position_of(level), level)) for level in again.levels)
    assert is_within([line for line in lines_of(text) if line.strip()], lines_of(written))
    assert written.count("\r") in (0, written.count("\n"), len(lines_of(written)) - 1)  # its line ends
    assert write_collection(again) == written


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_new_solutions_have_the_same_place_whatever_ends_the_lines(end: str) -> None:
    text = told(f"{TITLES_BELOW}Comment:\nMOVES\nComment-End:\n") + "\nSolution\nrRR\n"
    written = []
    for each in (text, text.replace("\n", end)):
        collection = read_collection(each)
        for number, moves in enumerate(MOVES, 1):
            collection = with_solution(collection, number, position_of(collection.levels[number - 1]), tuple(moves))
        written.append(write_collection(collection))
    assert written[1] == written[0].replace("\n", end) != text


# ---- what belongs to which level


def test_notes_above_a_board_are_its_own() -> None:
    text = f"; 7\n\n{BOARDS[0]}\n\n; 8\n; by A. Broom\n; swept twice\n\n{BOARDS[1]}\n\n; 9\n'Attic'\n\n{BOARDS[2]}\n"
    levels = read_collection(text).levels
    assert [(level.title, level.comments) for level in levels] == [
        ("7", ()),
        ("8", ("by A. Broom", "swept twice")),
        ("Attic", ("9",)),
    ]


def test_notes_between_a_board_and_the_next_title_belong_to_the_board() -> None:
    text = f"One\n\n{BOARDS[0]}\n\nThis one is easy.\n\nTwo\n\n{BOARDS[1]}\n"
    levels = read_collection(text).levels
    assert [(level.title, level.comments) for level in levels] == [("One", ("This one is easy.",)), ("Two", ())]


def test_a_title_that_touches_the_board_above_is_that_board_s() -> None:
    text = f"Title: All\n\n{BOARDS[0]}\nTitle: One\n\n{BOARDS[1]}\n"
    collection = read_collection(text)
    assert (collection.title, [level.title for level in collection.levels]) == ("All", ["One", ""])


def test_comments_beside_rows_are_kept() -> None:
    (level,) = read_collection("#####\n#@$.# ; the keeper\n##### ;; end").levels
    assert level.comments == ("the keeper", "end")
    written = write_collection(Collection(levels=(level,)))
    assert read_collection(written).levels[0].comments == level.comments


def test_a_comment_may_begin_on_its_first_line() -> None:
    first, second = read_collection(f"{BOARDS[0]}\nComment: a\n b\nComment_End\n\n{BOARDS[1]}\nComment: c\n").levels
    assert (first.comments, second.comments) == (("a", " b"), ("c",))


def test_xml_has_a_solution_element_and_inherits_its_author() -> None:
    rows = "".join(f"<L>{row}</L>" for row in BOARDS[0].split("\n"))
    text = (
        f'<SokobanLevels><LevelCollection Copyright="A"><Level Id="x">{rows}<Solution>R</Solution></Level>'
        f'<Level Copyright="B" Stars="3">{rows}</Level></LevelCollection></SokobanLevels>'
    )
    collection = read_collection(text)
    first, second = collection.levels
    assert (first.title, first.author, first.solutions) == ("x", "A", (CollectedSolution("R"),))
    assert (second.title, second.author, second.properties) == ("", "B", (("Stars", "3"),))
    assert collection.unread == ((1, '<Level Stars="3">'),)


def test_rows_and_levels_in_odd_places_of_xml_are_reported_or_kept() -> None:
    rows = "".join(f"<L>{row}</L>" for row in BOARDS[0].split("\n"))
    text = f"<SokobanLevels>\n{rows}\n<Level>{rows}\n<Level>{rows}</Level></Level>stray</SokobanLevels>"
    collection = read_collection(text)
    assert [level.board for level in collection.levels] == [BOARDS[0] + "\n"] * 2
    assert collection.unread == ((2, "<L>"), (2, "<L>"), (2, "<L>"), (4, "stray"))


def test_a_fault_in_xml_has_its_place() -> None:
    collection = read_collection(
        f"<SokobanLevels>\n<Level>\n <L>{BOARDS[0].replace('$', '?')}</L></Level></SokobanLevels>"
    )
    with pytest.raises(ParseError, match="bad symbol '\\?'") as raised:
        position_of(collection.levels[0])
    assert (raised.value.line, raised.value.column) == (4, 3)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_solutions_are_put_between_the_elements_of_a_line_of_xml(end: str) -> None:
    levels = ["".join(f"<L>{row}</L>" for row in board.split("\n")) for board in BOARDS]
    text = (
        "<?xml version='1.0' encoding=\"utf-8\"?>\n<!DOCTYPE SokobanLevels SYSTEM 'SokobanLev.dtd'>\n"
        "<SokobanLevels><Level>"
        + "</Level><Level>".join(levels).replace("</L><L>", "</L>\n<L>", 1)
        + "</Level></SokobanLevels>"
    ).replace("\n", end)
    collection = read_collection(text)
    for number, moves in enumerate(MOVES, 1):
        collection = with_solution(collection, number, position_of(collection.levels[number - 1]), tuple(moves))
    written = write_collection(collection)
    assert read_collection(written) == collection
    parts = written.split("<!--")
    assert parts[0] + "".join(part.partition(f"-->{end}")[2] for part in parts[1:]) == text


@pytest.mark.parametrize(
    "text",
    [
        "5#|#@$.#|5#",
        "5#|#@$.#|5#|\n",
        "\n5#\n#@$.#\n5#\n",
        "#####\n#@$.#\n\n#####\n",
        "#####\n\n#@$.#\r\n\r\n#   #\r\n#####\n",
    ],
)
def test_a_file_that_is_one_board_in_runs_or_with_empty_lines_between_its_rows_is_a_level(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "r.sok"
    file.write_text(text)
    assert run(capsys, "solve", "sokoban", str(file), "--quiet")[:2] == (0, "R\n")


def test_a_line_of_small_letters_is_a_solution_only_if_it_solves_the_board_above() -> None:
    first, second = read_collection(f"{BOARDS[0]}\n\nr\n\n{BOARDS[1]}\n\nrul\n").levels
    assert [level.solutions for level in (first, second)] == [(CollectedSolution("r"),), ()]


def test_an_empty_line_parts_boards_unless_only_the_rows_below_it_close_the_walls() -> None:
    opened, closed = "#####\n#@$.#\n", f"{BOARDS[0]}\n"
    levels = read_collection(f"{opened}\n#   #\n\n#####\n\n{opened}\n{closed}\n{closed}").levels
    assert [level.board for level in levels] == [f"{opened}#   #\n#####\n", opened, closed, closed]


# ---- what is not understood


@pytest.mark.parametrize(
    ("line", "unread"),
    [
        ("Solution/Optimizer\nnothing was found", "Solution/Optimizer"),
        ("Solution: unknown", "Solution: unknown"),
        ("rRR", "rRR"),
        ("#    #\n#    #", "#    #"),
        ("%&$§!", "%&$§!"),
        ("Comment:\nwithout end", "Comment:"),
        ("Comment-End:", "Comment-End:"),
        (f"Comment:\n{BOARDS[2]}\nComment-End:", "Comment:"),
    ],
)
def test_a_line_that_is_not_understood_is_reported_with_its_number(
    line: str, unread: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"{BOARDS[0]}\nTitle: One\n\n{line}\n\n{BOARDS[1]}\nTitle: Two\n"
    collection = read_collection(text)
    assert collection.unread[0] == (6, unread)
    assert len(collection.levels) == 2
    assert write_collection(collection) == text
    file = tmp_path / "f.sok"
    file.write_text(text)
    _, _, err = run(capsys, "draw", "sokoban", f"{file}:1")
    assert f"{file}:6: warning: this line is not understood and is kept unchanged: " in err


@pytest.mark.parametrize(
    "line",
    ["A note.", "; %&$", "#12", "==========", "12.", "É", "X", "?!", "dull", "A solution is known.", "Züge: 5"],
)
def test_text_is_no_line_that_is_not_understood(line: str) -> None:
    assert read_collection(f"{BOARDS[0]}\nTitle: One\n\n{line}\n\n{BOARDS[1]}\nTitle: Two\n").unread == ()


def test_many_lines_that_are_not_understood_have_one_warning_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "f.sok"
    file.write_text(f"{BOARDS[0]}\nTitle: One\n" + "rRR\n;\n" * 12 + f"\n{BOARDS[1]}\n")
    _, answer = run_json(capsys, "draw", "sokoban", str(file))
    assert len(answer["warnings"]) == 10
    assert answer["warnings"][-1].endswith("3 more lines not understood: 23, 25, 27")
    file.write_text(f"{BOARDS[0]}\nTitle: One\n" + "rRR\n;\n" * 30 + f"\n{BOARDS[1]}\n")
    _, answer = run_json(capsys, "draw", "sokoban", str(file))
    assert answer["warnings"][-1].endswith("21 more lines not understood: 23, 25, 27, 29, 31, 33, 35, 37, 39, ...")
    rows = "".join(f"<L>{row}</L>" for row in BOARDS[0].split("\n"))
    file.write_text(f"<SokobanLevels>{'<L></L>' * 30}<Level>{rows}</Level></SokobanLevels>")
    _, answer = run_json(capsys, "draw", "sokoban", str(file))
    assert answer["warnings"][-1].endswith("1 more line not understood: 1")


# ---- names, and the command line


def test_a_number_is_a_title_where_there_are_not_so_many_levels() -> None:
    collection = read_collection(f"; 100\n\n{BOARDS[0]}\n\n; 1\n\n{BOARDS[1]}\n")
    assert [numbered(collection, name) for name in ("1", "2", "100")] == [1, 2, 1]
    with pytest.raises(UsageError, match="there is no level '101'"):
        numbered(collection, "101")


@pytest.mark.parametrize("command", ["draw", "survey", "play", "booklet"])
def test_every_command_that_takes_levels_takes_them_in_xml(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "f.slc"
    file.write_text(FILES["SokobanP"][0])
    output = {"play": ["-o", str(tmp_path / "f.html")], "booklet": ["-o", str(tmp_path / "f.pdf")]}
    assert run(capsys, command, "sokoban", str(file), *output.get(command, []))[0] == 0
    assert run(capsys, "check", "sokoban", f"{file}:Broom")[0] == 0


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16-le", "utf-16-be", "latin-1"])
def test_a_file_with_its_best_solutions_keeps_all_its_bytes(
    encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mark = "\ufeff" if encoding.startswith("utf-16") else ""
    odd = "\x81" if encoding == "latin-1" else "„ß“" if encoding != "cp1252" else "ß"
    text = mark + told(f"{TITLES_BELOW}Comment:\n{odd}\nComment-End:\n\nSolution\nMOVES\n").replace("\n", "\r\n")
    file, output = tmp_path / "f.sok", tmp_path / "g.sok"
    file.write_bytes(data := text.encode(encoding))
    code, answer = run_json(capsys, "solve", "sokoban", str(file), "-o", str(output))
    assert (code, [level["name"] for level in answer["levels"]]) == (0, list(NAMES))
    assert output.read_bytes() == data


def test_xml_in_its_own_encoding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, other = tmp_path / "f.slc", tmp_path / "f.sok"
    text, _, _ = FILES["SokobanP"]
    text = text.replace("ISO-8859-1", "windows-1251").replace("to be swept", "Щётка")
    file.write_bytes(data := text.encode("cp1251"))
    assert run(capsys, "solve", "sokoban", str(file), "-o", str(other))[0] == 0
    assert "Щётка\n" in other.read_text(encoding="utf-8")
    solved = tmp_path / "g.slc"
    assert run(capsys, "solve", "sokoban", str(file), "-o", str(solved))[0] == 0
    assert read_collection(solved.read_text(encoding="cp1251")) == read_collection(other.read_text(encoding="utf-8"))
    assert is_within(data.decode("cp1251").split("\n"), solved.read_bytes().decode("cp1251").split("\n"))
    assert run(capsys, "replay", "sokoban", str(solved), "--solutions")[0] == 0


@pytest.mark.parametrize("ending", [".slc", ".sok", ".xsb"])
def test_one_level_is_solved_into_a_file_of_any_kind(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = str(tmp_path / f"out{ending}")
    assert run(capsys, "solve", "sokoban", "1", "-o", output)[0] == 0
    assert run(capsys, "replay", "sokoban", output, "--solutions")[0] == 0
    assert run(capsys, "solve", "sokoban", output, "--quiet")[0] == 0


def test_broken_xml_is_refused_with_file_and_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "f.slc"
    file.write_text("<SokobanLevels>\n<Level>\n")
    code, _, err = run(capsys, "solve", "sokoban", str(file))
    assert (code, err) == (2, f"unpuzzle: {file}:3:1: this is not XML: no element found\n")


def test_generated_levels_are_a_file_that_is_solved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "generate", "sokoban", "--count", "2", "--seed", "3", "--size", "6x6")
    file = tmp_path / "f.sok"
    file.write_text(out)
    code, answer = run_json(capsys, "solve", "sokoban", str(file))
    assert (code, len(answer["levels"])) == (0, 2)


def test_a_title_that_xml_cannot_have_is_refused() -> None:
    collection = Collection(levels=(CollectedLevel("a\x01b", board=BOARDS[0] + "\n"),))
    with pytest.raises(UsageError, match="its file could not be read"):
        write_collection(collection, ending=".slc")


# ---- how much work reading is, and mutated files


def test_reading_looks_at_each_line_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted for files that once took a time that grew with the square of their lines."""
    counts = dict.fromkeys(("likeness", "_moves_at", "_note"), 0)

    def counted(name: str, function):
        def call(*arguments):
            counts[name] += 1
            return function(*arguments)

        return call

    for name in counts:
        module = boards if name == "likeness" else collecting
        monkeypatch.setattr(module, name, counted(name, getattr(module, name)))
    monkeypatch.setattr(collecting, "likeness", boards.likeness)
    parts = [
        told(f"{TITLES_BELOW}\nSolution\nMOVES\n"),
        "XXXX\n",
        "dull\n",
        "Solution\n",
        "# a\n;\n",
        "Comment:\n",
        "A: b\n",
    ]
    for part in parts:
        lines = 0
        for times in (300, 600):
            counts.update(dict.fromkeys(counts, 0))
            lines = part.count("\n") * times
            read_collection(part * times)
            assert max(counts.values()) <= 6 * lines, (part, counts)


def mutated(text: str, rng: Random) -> str:
    """Return a text with some lines or letters removed, doubled, exchanged or replaced."""
    for _ in range(rng.randint(1, 4)):
        lines = text.split("\n")
        kind, at = rng.randrange(6), rng.randrange(len(text) + 1)
        if kind == 0:
            del lines[rng.randrange(len(lines))]
        elif kind == 1:
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
        elif kind == 2:
            lines.insert(
                rng.randrange(len(lines) + 1), rng.choice(["", "Comment:", "Comment-End:", "Solution", "99#", "<L>"])
            )
        text = "\n".join(lines)
        if kind == 3:
            text = text[:at] + text[at + 1 :]
        elif kind == 4:
            text = text[:at] + rng.choice("#@$.*+ -_:;<>|9(\"'\t\x00\ufeffé") + text[at + 1 :]
        elif kind == 5:
            text = text[:at] + text[at:][: rng.randint(0, 40)]
    return text


def fuzzed(seed: int, most: int) -> Iterator[str]:
    rng = Random(seed)
    texts = [text for text, _, _ in FILES.values()]
    for _ in range(most):
        yield mutated(rng.choice(texts), rng)


def refusal(call, *arguments) -> ParseError | None:
    try:
        call(*arguments)
    except ParseError as error:
        return error
    return None


def test_a_mutated_file_is_read_or_refused_with_a_place_and_loses_no_level() -> None:
    """Each row with a player is in a board, or in a comment, or is reported."""
    for text in fuzzed(57, at_most(400)):
        if refused := refusal(read_collection, text):
            assert refused.line, text
            continue
        collection = read_collection(text)
        assert write_collection(collection) == text, text
        for level in collection.levels:
            refused = refusal(position_of, level)
            assert not refused or refused.line or not level.board, text
        comments = chain(collection.comments, *[level.comments for level in collection.levels])
        reported = [line for _, line in collection.unread]
        whole = "\n".join([*[level.board for level in collection.levels], *reported, *comments, str(collection)])
        for row in ("#@$.#", "#@ $.#", "#@ $   .#"):
            assert text.count(row) <= whole.count(row), text
