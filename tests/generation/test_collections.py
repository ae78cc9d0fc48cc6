"""Files of several levels: every way in which their authors write them, and that what is written is read back."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.modules import ROOT
from support.thorough import at_most
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
from unpuzzle.translators.sokoban.boards import written_out

SMALL = ROOT / "docs" / "files" / "collections" / "small.sok"
RIGHT, LEFT = "#####\n#@$.#\n#####\n", "#####\n#.$@#\n#####\n"


def levels_of(text: str) -> list[tuple[str, str, str]]:
    """Return title, author and board of each level."""
    return [(level.title, level.author, level.board) for level in read_collection(text).levels]


# ---- where a title stands


@pytest.mark.parametrize(
    ("text", "titles", "header"),
    [
        (f"; 1\n\n{RIGHT}\n; 2\n\n{LEFT}", ["1", "2"], ()),
        (f"; 1\n{RIGHT}\n; 2\n{LEFT}", ["1", "2"], ()),
        (f"{RIGHT}; 1\n\n{LEFT}; 2\n", ["1", "2"], ()),
        (f"My set\nby me\n\n{RIGHT}; 1\n\n{LEFT}; 2\n", ["1", "2"], ("My set", "by me")),
        (f"; My set\n; by me\n\n; 1\n\n{RIGHT}\n; 2\n\n{LEFT}", ["1", "2"], ("My set", "by me")),
        (f"My set\n\n{RIGHT}\n{LEFT}", ["", ""], ("My set",)),
        (f"Level one\n\n{RIGHT}\nLevel two\n\n{LEFT}", ["Level one", "Level two"], ()),
        (f"Title: A\n{RIGHT}\nTitle: B\n{LEFT}", ["A", "B"], ()),
        (f"{RIGHT}Title: A\n\n{LEFT}Title: B\n", ["A", "B"], ()),
        (f"{RIGHT}\n{LEFT}Title: B\n", ["", "B"], ()),
        (f"::::\n:: a header ::\n\n#1\n\n{RIGHT}\n#2\n\n{LEFT}", ["#1", "#2"], ("", "a header ::")),
        (f"{RIGHT}\n1\n{LEFT}\n", ["", "1"], ()),
    ],
)
def test_titles_stand_above_or_below(text: str, titles: list[str], header: tuple[str, ...]) -> None:
    collection = read_collection(text)
    assert [(level.title, level.board) for level in collection.levels] == list(zip(titles, (RIGHT, LEFT), strict=True))
    assert collection.comments == header
    assert [level.comments for level in collection.levels] == [(), ()]


def test_the_header_is_the_collection_s() -> None:
    text = f"Collection: Tiny\nAuthor: A\nDate: 2026\nComment:\n one\n\ntwo\nComment-End:\n\n{RIGHT}Author: B\n"
    collection = read_collection(text)
    assert (collection.title, collection.author, collection.properties) == ("Tiny", "A", (("Date", "2026"),))
    assert collection.comments == (" one", "", "two")
    assert [level.author for level in collection.levels] == ["B"]


def test_all_that_is_said_of_a_level() -> None:
    text = (
        f"Set: S\n\nFirst\n{RIGHT}Author: A\nTitle: T\nDifficulty: 3\nComment: one line\nComment:\n two\nComment-End:\n"
        f"a note\n\nSolution\nR\n\nBest solution by B\n2(lr)\nR\n\nSecond\n{LEFT}"
    )
    first, second = read_collection(text).levels
    assert (first.title, first.author, first.properties) == ("T", "A", (("Difficulty", "3"),))
    assert first.comments == ("First", "one line", " two", "a note")
    assert first.solutions == (CollectedSolution("R"), CollectedSolution("lrlrR", "Best solution by B"))
    assert (second.title, second.board) == ("Second", LEFT)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("Solution: rrR", ["rrR"]),
        ("Solution:\nrr\nR\n", ["rrR"]),
        ("SOLUTION (12/3)\n\nrr R\n", ["rrR"]),
        ("rrrrrrlllR\n", ["rrrrrrlllR"]),  # so many moves are nothing else
        ("dull\n", []),  # a word
        ("Saved game\nrrrrrrlllR\n", []),
        ("Solution: unknown\n", []),
    ],
)
def test_solutions(text: str, moves: list[str]) -> None:
    (level,) = read_collection(f"{RIGHT}\n{text}").levels
    assert [solution.moves for solution in level.solutions] == moves
    assert bool(level.comments or level.properties) == (not moves)  # what is no solution is kept


# ---- boards


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("3#|#@$.#", "###|#@$.#"),
        ("2(rU)3l", "rUrUlll"),
        ("2(a2(bc))", "abcbcabcbc"),
        ("2|", "||"),
        ("", ""),
        ("3", "3"),
        ("a3", "a3"),
        ("(a", "(a"),
        ("a)", "a)"),
        ("3)", "3)"),
        ("2ab9999999a", "aab9999999a"),
        ("2a2(b3(c)", "aa2(b3(c)"),
        ("2a2(b3)", "aa2(b3)"),
        ("99999999999a", "99999999999a"),
    ],
)
def test_runs(text: str, symbols: str) -> None:
    """What is no run-length text stays as it is, for somebody to complain about."""
    shown, places = written_out(text)
    assert shown == symbols
    assert "".join(text[place] for place in places) == symbols


@given(st.text("#@$.| ", min_size=1))
def test_runs_are_written_out(text: str) -> None:
    assert written_out("1-" + "".join(f"1{symbol}" for symbol in text))[0] == "-" + text


@pytest.mark.parametrize(
    ("text", "boards"),
    [
        ("5#|#@$.#|5#", [RIGHT]),
        ("5#|#@$.#|\n5#", [RIGHT]),  # mixed
        ("#####\n#@$.#\n5#\n", [RIGHT]),
        ("5#|#@$.#|5#\n5#|#.$@#|5#\n", [RIGHT, LEFT]),  # each on a line of its own
        ("----------\n\n#####\n#@$.#\n#####\n\n*****\n", [RIGHT]),
        ("##########\n\n#####\n#@$.#\n#####\n", [RIGHT]),  # a ruler has no player
        ("\t#####\n\t#@$.#\n\t#####\t\n", [RIGHT]),
        ("#####\r\n#@$.#\r\n#####\r\n\r\n#####\r\n#.$@#\r\n#####\r\n", [RIGHT, LEFT]),
        (f"\ufeff{RIGHT}", [RIGHT]),
        ("3#|3-||#@$.#|4#", ["###\n---\n-\n#@$.#\n####\n"]),  # an empty row
        (" ###\n @$.\n ###\n", [" ###\n @$.\n ###\n"]),
        ("", []),
        ("; nothing\n\nbut words\n", []),
    ],
)
def test_boards(text: str, boards: list[str]) -> None:
    assert [level.board for level in read_collection(text).levels] == boards


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("\n#####\n#@x$.#\n#####\n", (3, 3), "bad symbol 'x'"),
        ("#####\n#@$.#\n#5&##\n", (3, 2), "bad symbol '5'"),
        ("3#|#@$.#|2#9", (1, 12), "bad symbol '9'"),
        ("; runs\n3#|#@$@.#|6#", (2, 7), "two players"),
        ("###\n#$#\n###\n", (1, 1), "no player"),
        ("\t####\n####\n#@$.#\n####\n", (1, 1), "bad symbol '\\t'"),
    ],
)
def test_faults_have_their_place_in_the_file(text: str, place: tuple[int, int], message: str) -> None:
    collection = read_collection(f"{text}\n\n; fine\n\n{RIGHT}")
    with pytest.raises(ParseError, match=r"^f\.sok") as raised:
        position_of(collection.levels[0], source="f.sok")
    assert (raised.value.line, raised.value.column) == place
    assert message in raised.value.message
    assert position_of(collection.levels[1]).moves() == ("R",)


def test_ten_thousand_levels() -> None:
    text = "".join(f"; {number}\n\n{RIGHT}\n" for number in range(10_000))
    collection = read_collection(text)
    assert [level.title for level in collection.levels] == [str(number) for number in range(10_000)]
    assert collection.levels[-1].line == 10_000 * 6 - 3


# ---- written and read

LINE = st.text(st.characters(blacklist_categories=("Cc", "Cs", "Zl", "Zp")), max_size=20).map(str.strip)
NAME = st.sampled_from(["Date", "Difficulty", "Copyright", "My own one"])
BOARD = st.lists(st.text("#@$.*+ -_", min_size=1, max_size=8), max_size=6).map(
    lambda rows: "\n".join(["#@#", *[f"#{row}#" for row in rows], "###"]) + "\n"
)
SOLUTION = st.builds(
    CollectedSolution,
    st.text("lurdLURD", min_size=1, max_size=200),
    st.sampled_from(["", "Solution by B", "Best solution"]),
)
NOTES = {
    "title": LINE,
    "author": LINE,
    "comments": st.lists(LINE, max_size=4).map(tuple),
    "properties": st.lists(st.tuples(NAME, LINE), max_size=3).map(tuple),
}
LEVEL = st.builds(CollectedLevel, board=BOARD, solutions=st.lists(SOLUTION, max_size=2).map(tuple), **NOTES)
COLLECTION = st.builds(Collection, levels=st.lists(LEVEL, max_size=4).map(tuple), **NOTES)


@settings(max_examples=at_most(300), deadline=None)
@given(COLLECTION)
def test_what_is_written_is_read_back(collection: Collection) -> None:
    if not collection.levels:  # then nothing tells its header from comments
        collection = collection.replace(levels=(CollectedLevel(board=RIGHT),))
    text = write_collection(collection)
    assert read_collection(text) == collection
    assert write_collection(read_collection(text)) == text
    assert pickle.loads(pickle.dumps(collection)) == collection


PARTS = """
; text|some text|Title: T|Author: A|Comment: c|Comment:|Comment-End:|Solution|rrR|5#|-----|\t|Snapshot|#@x$#|
:: note ::|lurdlurdR|Solution: R|Set: S||
""".strip().split("|")


@settings(max_examples=at_most(300), deadline=None)
@given(st.lists(st.sampled_from([RIGHT, LEFT, *[f"{part.strip()}\n" for part in PARTS]])).map("".join))
def test_any_file_is_read_and_written_back(text: str) -> None:
    collection = read_collection(text)
    if collection.levels:
        assert read_collection(write_collection(collection)) == collection
    words = [word for word in ("some", "text", "note") if word in text]
    kept = [*collection.comments, collection.title, collection.author, str(collection.properties)]
    for level in collection.levels:
        kept += [*level.comments, level.title, level.author, level.board, str(level.properties)]
    assert all(word in "\n".join(kept) for word in words)  # nothing is lost


@pytest.mark.parametrize(
    "level",
    [
        CollectedLevel("two\nlines", board=RIGHT),
        CollectedLevel(comments=("Comment-End:",), board=RIGHT),
        CollectedLevel(board="no board\n"),
        CollectedLevel(board=RIGHT + "\n" + LEFT),
        CollectedLevel(board=RIGHT, properties=(("Title", "a title"),)),
    ],
)
def test_what_cannot_be_read_back_is_not_written(level: CollectedLevel) -> None:
    with pytest.raises(UsageError, match="cannot be written to a file"):
        write_collection(Collection(levels=(level,)))


# ---- names and solutions


def test_a_level_has_a_number_and_a_title() -> None:
    collection = read_collection(
        f"; One\n\n{RIGHT}\n; two\n\n{LEFT}\n; one\n\n{LEFT}\n; Two\n\n{LEFT}\n; TWO\n\n{LEFT}"
    )
    assert [numbered(collection, name) for name in ("1", "One", "one", "4", "Two")] == [1, 1, 3, 4, 4]
    for name, said in (
        ("0", "numbered 1 to 5"),
        ("6", "numbered 1 to 5"),
        ("three", "no level called 'three'"),
        ("tWo", "3 levels are called 'tWo': 2, 4, 5"),
        ("ONE", "2 levels are called 'ONE': 1, 3"),
    ):
        with pytest.raises(UsageError, match=said):
            numbered(collection, name)
    with pytest.raises(UsageError, match="did you mean 'Straight ahead'"):
        numbered(read_collection(SMALL.read_text()), "Straigt ahead")


def test_solutions_in_a_file_are_played_before_they_count() -> None:
    text = "#######\n#@ $ .#\n#######\nSolution: {}\n"
    for moves, solved in (("rRR", True), ("rrr", True), ("3R", False), ("rR", False), ("rRRR", False)):
        (level,) = (collection := read_collection(text.format(moves))).levels
        position = position_of(level)
        ((_, outcome),) = replays(position, level)
        assert outcome.solved == solved
        again = with_solution(collection, 1, position, ("r", "R", "R"))
        assert (again == collection) == solved
        assert again.levels[0].solutions[0].moves in (moves, "rRR")
        assert len(again.levels[0].solutions) == 2 - solved  # the wrong one stays, too


def test_a_better_solution_comes_first() -> None:
    collection = read_collection("#######\n#@ $ .#\n#######\nSolution: rlrRR\n")
    position = position_of(collection.levels[0])
    better = with_solution(collection, 1, position, ("r", "R", "R"))
    assert [solution.moves for solution in better.levels[0].solutions] == ["rRR", "rlrRR"]
    assert with_solution(better, 1, position, ("r", "R", "R")) == better
    # as few pushes, and more moves
    assert with_solution(better, 1, position, ("r", "l", "r", "R", "R"), pushes_first=True) == better


def test_a_game_without_such_files_says_so() -> None:
    with pytest.raises(UsageError, match="boxup has no files of several levels"):
        read_collection("", "boxup")


def test_our_own_example(tmp_path: Path) -> None:
    collection = read_collection(SMALL.read_text())
    assert collection.author == "unpuzzle developers"
    assert [level.title for level in collection.levels] == [
        "Straight ahead",
        "Two ways in",
        "Runs",
        "The corner",
        "Stuck",
    ]
    assert collection.levels[2].board.count("#") == 18
    played = replays(position_of(collection.levels[1]), collection.levels[1])
    assert [outcome.cost for _, outcome in played if outcome.solved] == [8]
