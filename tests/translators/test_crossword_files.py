"""Crosswords in .puz and .ipuz files: what is written is read again, and what does not fit is told in a sentence."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.crossword_files import ipuz_text, puz_bytes
from support.hiding import hide
from support.thorough import at_most
from unpuzzle.cli import main
from unpuzzle.errors import DependencyMissing, ParseError, UnsupportedFeature
from unpuzzle.translators.crossword.files import PrintedCrossword, read_ipuz, read_puz
from unpuzzle.translators.crossword.making import random_shape

for name in ("ipuz", "puz"):
    pytest.importorskip(name, reason="the extra `words` is not installed")

SHEET = PrintedCrossword(
    ("CA.#", "....", "#..."),
    {
        "1A": "It purrs",
        "4A": "Not closed",
        "6A": "Owed",
        "1D": "Coal’s gas",
        "2D": "Before",
        "3D": "To care for",
        "5D": "x",
    },
    ("CAT#", "OPEN", "#ETC"),
    title="Small",
    author="Nobody",
)


def write_and_read(sheet):
    return read_puz(puz_bytes(sheet), "my.puz"), read_ipuz(ipuz_text(sheet).encode(), "my.ipuz")


def sheet_of(rng):
    """A random crossword of any shape, with letters, clues and solution that mean nothing."""
    rows, columns = rng.randint(2, 6), rng.randint(2, 6)
    try:
        shape = random_shape(rng, rows, columns, rng.choice((0, 0, 1, 2, 4)), 6)
    except ParseError:
        shape = "." * (rows * columns)
    letters = "".join("#" if cell == "#" else rng.choice("ABCXYZ") for cell in shape)
    written = "".join(letter if rng.random() < 0.3 else cell for cell, letter in zip(shape, letters, strict=True))

    def cut(cells):
        return tuple(cells[start : start + columns] for start in range(0, len(cells), columns))

    clues = {
        slot.name: rng.choice(["a", "ü", "“quoted”", "___ on a log"]) for slot in PrintedCrossword(cut(shape), {}).slots
    }
    solution = cut(letters) if rng.random() < 0.7 else None
    return PrintedCrossword(cut(written), clues if rng.random() < 0.8 else {}, solution, title=rng.choice(["", "Sun"]))


@settings(max_examples=at_most(80), derandomize=True, deadline=None)
@given(st.integers(0, 2**32))
def test_what_is_written_is_read_again(seed):
    sheet = sheet_of(Random(seed))
    assert write_and_read(sheet) == (sheet, sheet)


def test_the_libraries_see_what_was_meant():
    import ipuz
    import puz

    puzzle = puz.load(puz_bytes(SHEET))
    numbering = puzzle.clue_numbering()
    found = {f"{entry['num']}A": entry["clue"] for entry in numbering.across}
    assert found | {f"{entry['num']}D": entry["clue"] for entry in numbering.down} == SHEET.clues
    assert (puzzle.title, puzzle.author, puzzle.solution) == ("Small", "Nobody", "CAT.OPEN.ETC")
    found = ipuz.read(ipuz_text(SHEET))
    assert found["puzzle"] == [[1, 2, 3, "#"], [4, 0, 0, 5], ["#", 6, 0, 0]]
    assert found["clues"]["Down"][0] == [1, "Coal’s gas"]


def test_a_locked_solution_is_not_told():
    import puz

    puzzle = puz.load(puz_bytes(PrintedCrossword(SHEET.rows, {**SHEET.clues, "1D": "gas"}, SHEET.solution)))
    puzzle.lock_solution(1234)
    sheet = read_puz(puzzle.tobytes())
    assert sheet.solution is None
    assert sheet.rows == SHEET.rows


def ipuz_with(**changes):
    content = json.loads(ipuz_text(SHEET)) | changes
    return json.dumps({key: value for key, value in content.items() if value is not None}).encode()


def test_other_spellings_of_ipuz():
    cells = [[{"cell": 1, "style": {"shapebg": "circle"}}, "2", 3, None], ["4", 0, 0, 5], ["B", {"cell": 6}, 0, 0]]
    clues = {
        "Across:Waagerecht": [{"number": 1, "clue": "It purrs"}, ["4", "Not closed"], [6, "Owed"]],
        "Down": [[int(name[:-1]), clue] for name, clue in SHEET.clues.items() if name.endswith("D")],
    }
    solution = [["c", "A", {"value": "T"}, None], list("OPEN"), [None, "E", "T", "C"]]
    given = ipuz_with(puzzle=cells, clues=clues, solution=solution, block="B")
    assert read_ipuz(b"ipuz(" + given + b")") == SHEET


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "this is not a .ipuz file of a crossword"),
        (b"[" * 10**5, "this is not a .ipuz file of a crossword"),
        (b"\xff\xfe", "this is not a .ipuz file of a crossword"),
        (b"{}", "Mandatory field version is missing"),
        (ipuz_with(puzzle=[[1, 2, 3], [4, 0]]), "the rows of 'puzzle' should be of one length"),
        (ipuz_with(puzzle=[]), "the rows of 'puzzle' should be of one length"),
        (
            ipuz_with(puzzle=[[1, 2, 4, "#"], [3, 0, 0, 5], ["#", 6, 0, 0]]),
            "r1c3 is labelled '4', but should be numbered 3",
        ),
        (ipuz_with(puzzle=[[1, 2, 3, "#"], [4, 7, 0, 5], ["#", 6, 0, 0]]), "r2c2 is labelled '7', but begins no word"),
        (ipuz_with(solution=[["C", "A", "T", "#"]]), "the solution does not have the shape of the puzzle"),
        (ipuz_with(solution=[list("C1T#"), list("OPEN"), list("#ETC")]), "the solution has '1' in r1c2"),
        (ipuz_with(clues={"Across": [[1, "a"]], "Down": []}), "clues are missing: of 4A, 6A, 1D, 2D, 3D, 5D"),
        (ipuz_with(clues={"Across": [[2, "a"]]}), "there is a clue 2 across, but no word across of that number"),
        (ipuz_with(clues={"Diagonal": [[2, "a"]]}), "clues in the direction 'Diagonal' are not read"),
        (ipuz_with(clues={"Across": ["unnumbered"]}), "a clue across has no number: 'unnumbered'"),
    ],
)
def test_what_is_wrong_with_an_ipuz_file_is_told(data, sentence):
    with pytest.raises(ParseError) as caught:
        read_ipuz(data, "my.ipuz")
    assert sentence in str(caught.value)
    assert caught.value.file == "my.ipuz"


def test_what_is_wrong_with_a_puz_file_is_told():
    import puz

    sound = puz_bytes(SHEET)
    for data in (b"", b"PK\x03\x04", sound[:60], sound[:-9], sound.replace(b"CAT", b"DOG")):
        with pytest.raises(ParseError, match=r"this is not a \.puz file"):
            read_puz(data, "my.puz")
    puzzle = puz.load(sound)
    puzzle.clues.pop()
    with pytest.raises(ParseError, match="there are 6 clues for 7 words of the grid"):
        read_puz(puzzle.tobytes(), "my.puz")
    puzzle = puz.load(sound)
    puzzle.solution = "C4T.OPEN.ETC"
    with pytest.raises(ParseError, match="the solution has '4' in r1c2"):
        read_puz(puzzle.tobytes(), "my.puz")
    puzzle.rebus().add_rebus_squares(0, "HEART")
    with pytest.raises(ParseError, match="a rebus"):
        read_puz(puzzle.tobytes(), "my.puz")


@settings(max_examples=at_most(150), derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), max_size=4), st.booleans())
def test_damaged_files_are_read_or_refused(edits, binary):
    data = bytearray(puz_bytes(SHEET) if binary else ipuz_text(SHEET).encode())
    for place, byte in edits:
        data[place % len(data)] = byte
    try:
        sheet = (read_puz if binary else read_ipuz)(bytes(data), "my.file")
    except ParseError:
        return
    assert read_ipuz(ipuz_text(sheet).encode()) == sheet


def test_a_file_of_clues_becomes_a_level_without_candidates(tmp_path, capsys):
    (tmp_path / "mini.puz").write_bytes(puz_bytes(SHEET))
    (tmp_path / "mini.IPUZ").write_text(ipuz_text(SHEET))
    for name in ("mini.puz", "mini.IPUZ"):
        for game in ("crossword", "crossword-clues"):
            assert main(["solve", game, str(tmp_path / name), "--planner", "rules:bfs"]) == 4
            assert "clues and no candidates" in capsys.readouterr().err
    bare = PrintedCrossword(SHEET.rows, {}, SHEET.solution)
    (tmp_path / "bare.ipuz").write_text(ipuz_text(bare))
    assert main(["solve", "crossword", str(tmp_path / "bare.ipuz")]) == 2
    assert "candidates are missing" in capsys.readouterr().err
    (tmp_path / "mini.puz").write_bytes(b"?")
    assert main(["solve", "crossword", str(tmp_path / "mini.puz"), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["message"].startswith("this is not a .puz file")


def test_a_missing_library_is_told_with_the_command_that_installs_it(tmp_path, capsys, monkeypatch):
    hide(monkeypatch, "ipuz", "puz")
    with pytest.raises(DependencyMissing, match=r"these files need puzpy: pip install 'unpuzzle\[words\]'"):
        read_puz(b"")
    with pytest.raises(DependencyMissing, match="these files need ipuz"):
        read_ipuz(b"")
    (tmp_path / "mini.puz").write_bytes(b"")
    assert main(["solve", "crossword", str(tmp_path / "mini.puz")]) == 4
    assert "pip install 'unpuzzle[words]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "feature"),
    [
        (ipuz_with(kind=["http://ipuz.org/sudoku#1"]), "sudoku"),
        (ipuz_with(kind=["http://ipuz.org/crossword/diagramless#1"]), "crossword/diagramless"),
        (ipuz_with(puzzle=[[1, 2, {"cell": 3, "style": {"barred": "L"}}, "#"], [4, 0, 0, 5], ["#", 6, 0, 0]]), "bars"),
        (
            ipuz_with(puzzle=[[1, 2, {"cell": 3, "style": "b"}, "#"], [4, 0, 0, 5], ["#", 6, 0, 0]],
                      styles={"b": {"barred": "T"}}),
            "bars",
        ),
    ],
)  # fmt: skip
def test_what_ipuz_has_and_we_do_not_is_named(data, feature, tmp_path, capsys):
    with pytest.raises(UnsupportedFeature) as caught:
        read_ipuz(data, "my.ipuz")
    assert (caught.value.feature, caught.value.file) == (feature, "my.ipuz")
    file = tmp_path / "my.ipuz"
    file.write_bytes(data)
    assert main(["solve", "crossword-clues", str(file)]) == 4
    err = capsys.readouterr().err
    assert "support" in err
    assert feature in err


def test_a_cryptic_crossword_is_read():
    assert read_ipuz(ipuz_with(kind=["http://ipuz.org/crossword/crypticcrossword#1"])) == SHEET
    assert read_ipuz(ipuz_with(solution=[list("ÑAT#"), list("OPEN"), list("#ETC")])).solution[0] == "ÑAT#"
