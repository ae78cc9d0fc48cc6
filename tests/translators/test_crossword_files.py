"""Crosswords in files of other programs: what is written is read again, and what does not fit is told in a sentence."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.crossword_files import ipuz_text, puz_bytes, random_sheet, sheet
from support.hiding import hide
from support.mutated_texts import mutated
from support.thorough import at_most
from unpuzzle.base.errors import DependencyMissing, ParseError, UnpuzzleError, UnsupportedFeature
from unpuzzle.cli import main
from unpuzzle.cli.files import read_level
from unpuzzle.translators.crossword import files
from unpuzzle.translators.crossword.files import as_level, read_ipuz, read_puz, write_file
from unpuzzle.translators.crossword.grid_text import PartLeftOut, level_text, read_across_lite, read_xd
from unpuzzle.translators.crossword_clues import read_clues

pytest.importorskip("puz", reason="the extra `words` is not installed")

CLUES = {
    "1A": "It purrs",
    "4A": "Not closed",
    "6A": "Owed",
    "1D": "Coal’s gas",
    "2D": "Before",
    "3D": "To care for",
    "5D": "x",
}
SMALL = sheet(("CA.#", "....", "#..."), CLUES, ("CAT#", "OPEN", "#ETC"), title="Small", author="Nobody")
PLAIN = sheet(("...#", "....", "#..."), CLUES, ("CAT#", "OPEN", "#ETC"), title="Small", author="Nobody")
RICH = sheet(
    (["."] * 3, ["."] * 3), {"1A": "a", "4A": "b", "1D": "c", "2D": "d", "3D": "e"},
    (["HEART", "Ñ", "7"], ["A", "♥", "HEART"]), bars="..|...", circles="o....o", notes="two\nlines", copyright="©",
)  # fmt: skip

XD = """Title: Small
Author: Nobody


CAT#
OPEN
#ETC


A1. It purrs ~ CAT
A4. Not closed ~ OPEN
A6. Owed ~ ETC

D1. Coal’s gas ~ CO
D2. Before ~ APE
D3. To care for ~ TET
D5. x ~ NC
"""
ACROSS = """<ACROSS PUZZLE>
<TITLE>
\tSmall
<AUTHOR>
\tNobody
<COPYRIGHT>

<SIZE>
\t4x3
<GRID>
\tCAT.
\tOPEN
\t.ETC
<ACROSS>
\tIt purrs
\tNot closed
\tOwed
<DOWN>
\tCoal’s gas
\tBefore
\tTo care for
\tx
"""


# ---- laws


@pytest.mark.parametrize("ending", files.FORMATS)
@settings(max_examples=at_most(60), derandomize=True, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_what_is_written_is_read_again(ending, seed):
    rng = Random(seed)
    layout, letters = random_sheet(rng, bars=ending != ".puz" and rng.random() < 0.4, given=ending != ".xd")
    data = write_file(ending, layout, letters)
    again = files.FORMATS[ending][0](data if ending == ".puz" else data.decode())
    assert again == (layout, letters)
    assert write_file(ending, *again) == data
    text = level_text(layout, letters)
    assert read_clues(text) == (layout, letters)
    assert ending == ".puz" or as_level(data.decode()) == text


def test_every_format_has_the_same_level():
    """Only what the format cannot have is left out; `.xd` and the text of Across Lite have no letters written in."""
    texts = {as_level(XD), as_level(ACROSS), as_level(ipuz_text(PLAIN)), level_text(*read_puz(puz_bytes(PLAIN)))}
    assert texts == {level_text(*PLAIN)}


@pytest.mark.parametrize(("ending", "clue", "what"), [(".xd", "a ~ b", "clues"), (".xd", "{/a/}", "clues")])
def test_what_a_file_cannot_hold_is_refused(ending, clue, what):
    made = sheet(("..", ".."), {"1A": clue, "3A": "b", "1D": "c", "2D": "d"})
    with pytest.raises(UnsupportedFeature, match=f"cannot contain .* its {what} would be"):
        write_file(ending, *made)
    with pytest.raises(UnsupportedFeature, match="its letters that are written in would be read differently"):
        write_file(".xd", *SMALL)


def test_a_rich_crossword_keeps_everything():
    assert read_ipuz(write_file(".ipuz", *RICH).decode()) == RICH
    assert read_xd(write_file(".xd", *RICH).decode()) == RICH
    layout, letters = RICH
    assert dict(layout.rebus) == {"1": "HEART", "2": "♥"}
    assert (layout.solution, letters) == ("1Ñ7A21", "......")
    with pytest.raises(UnsupportedFeature, match="cannot contain bars"):
        write_file(".puz", *RICH)
    plain = sheet(
        ("..", ".."), {"1A": "a", "3A": "b", "1D": "c", "2D": "d"}, (["HEART", "Ñ"], ["♥", "7"]), circles="o..o"
    )
    assert read_puz(puz_bytes(plain)) == plain


@settings(max_examples=at_most(300), derandomize=True, deadline=None)
@given(st.integers(0, 2**32))
def test_damaged_files_are_read_or_refused(seed):
    """No other error than ours, and what is read can be written and read again."""
    rng = Random(seed)
    texts = [XD, ACROSS, ipuz_text(SMALL), ipuz_text(RICH), write_file(".xd", *RICH).decode()]
    data = [*(text.encode() for text in texts), puz_bytes(SMALL)]
    broken = mutated(rng, rng.choice(data), data)
    readers = [lambda data: level_text(*read_puz(data)), *(lambda data, read=read: level_text(*read(data.decode(
        errors="replace"))) for read in (read_xd, read_ipuz, read_across_lite))]  # fmt: skip
    for read in readers:
        try:
            text = read(broken)
            layout, letters = read_clues(text)
        except UnpuzzleError:
            continue
        assert read_clues(level_text(layout, letters)) == (layout, letters)


def lines_run(work) -> int:
    """The number of lines that Python runs, of ours and of its own modules."""
    ran = 0

    def count(frame, event, value):
        nonlocal ran
        ran += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(before)
    return ran


def tried(text):
    with suppress(ParseError):
        as_level(text)


@pytest.mark.parametrize("part", ["<!--\n", "{/{*{-", "A1 ^Refs: x\n", "A, B, C, ", "x,", "A { x }\n", "\n\n\n"])
def test_the_work_of_reading_a_text_grows_with_its_length(part):
    for form in (f"{XD}{{}}", f"{{}}{XD}", f"{XD}## Design\n{{}}", f"{ACROSS}{{}}"):
        short, long = (lines_run(partial(tried, form.replace("{}", part * n))) for n in (300, 3000))
        assert long < 11 * short + 1000
        tried(form.replace("{}", part * 100_000))  # what is no line of Python, such as a search, would take minutes


# ---- the texts of programs


def test_the_library_sees_what_was_meant():
    import puz

    puzzle = puz.load(puz_bytes(SMALL))
    numbering = puzzle.clue_numbering()
    found = {f"{entry['num']}A": entry["clue"] for entry in numbering.across}
    assert found | {f"{entry['num']}D": entry["clue"] for entry in numbering.down} == CLUES
    assert (puzzle.title, puzzle.author, puzzle.solution) == ("Small", "Nobody", "CAT.OPEN.ETC")
    found = json.loads(ipuz_text(SMALL))
    assert found["puzzle"] == [[1, 2, 3, "#"], [4, 0, 0, 5], ["#", 6, 0, 0]]
    assert found["clues"]["Down"][0] == [1, "Coal’s gas"]
    rebus = sheet(("..", ".."), {}, (["HEART", "B"], ["C", "D"]))
    puzzle = puz.load(puz_bytes(rebus))
    assert (puzzle.solution, puzzle.rebus().get_rebus_solution(0)) == ("HBCD", "HEART")


def test_a_locked_solution_is_not_told():
    import puz

    puzzle = puz.load(puz_bytes(sheet(("CA.#", "....", "#..."), CLUES | {"1D": "gas"}, ("CAT#", "OPEN", "#ETC"))))
    puzzle.lock_solution(1234)
    with pytest.warns(PartLeftOut, match="locked"):
        layout, letters = read_puz(puzzle.tobytes(), "my.puz")
    assert layout.solution == ""
    assert puz.load(puz_bytes((layout, letters))).solution_state == puz.SolutionState.NotProvided
    assert letters == "CA.#....#..."


def test_texts_of_the_first_version_are_those_of_windows():
    import puz

    clues = {"1A": "a", "3A": "b", "1D": "c", "2D": "d"}
    puzzle = puz.load(puz_bytes(sheet(("..", ".."), clues, (["HEART", "B"], ["C", "D"]))))
    puzzle.clues[0], puzzle.title = "\x93tet\x94", "\x85"
    puzzle.rebus().set_rebus_solution(0, "\x85")
    layout, letters = read_puz(puzzle.tobytes())
    texts = layout.clue_of["1A"], dict(layout.about)["title"], dict(layout.rebus)["1"]
    assert texts == ("“tet”", "…", "…")
    assert read_puz(puz_bytes((layout, letters))) == (layout, letters)


def test_a_diagramless_crossword_is_refused_by_name():
    import puz

    puzzle = puz.load(puz_bytes(SMALL))
    puzzle.puzzletype = puz.PuzzleType.Diagramless
    with pytest.raises(UnsupportedFeature, match="diagramless crosswords are not supported"):
        read_puz(puzzle.tobytes())


def ipuz_with(**changes):
    content = json.loads(ipuz_text(SMALL)) | changes
    return json.dumps({key: value for key, value in content.items() if value is not None})


def test_other_spellings_of_ipuz():
    cells = [[{"cell": 1, "style": {"color": "red"}}, "2", 3, None], ["4", 0, {}, 5], ["B", {"cell": 6}, 0, 0]]
    clues = {
        "Across:Waagerecht": [{"number": 1, "clue": "It <i>purrs</i>"}, ["4", "Not closed"], [6, "Owed"]],
        "Down": [[int(name[:-1]), clue] for name, clue in CLUES.items() if name.endswith("D")],
    }
    solution = [["c", "A", {"value": "T"}, None], list("OPEN"), [None, "E", "T", "C"]]
    given = ipuz_with(puzzle=cells, clues=clues, solution=solution, block="B", title="Sm<b>all</b>")
    assert read_ipuz(f"\ufeffipuz({given});\r\n") == SMALL
    escaped = given.replace("/", "\\/").replace("Down", "down")  # as PHP writes it
    assert as_level(escaped) == level_text(*SMALL)
    assert read_ipuz(ipuz_with(kind=["http://ipuz.org/crossword/crypticcrossword#1"])) == SMALL
    assert as_level(ipuz_with(kind=["https://libipuz.org/barred#1", "http://ipuz.org/crossword#1"])) == level_text(
        *SMALL
    )


def test_clues_of_cryptic_crosswords():
    """One clue for several words, and the lengths of the words of an answer, which stand beside it."""
    clues = {
        "Across": [{"number": "1,4", "clue": "A &amp; B", "enumeration": "3,4"}, [6, "x"]],
        "Down": [{"numbers": [1, 2], "clue": "y (2)"}, {"number": 3}, [5, "z"]],
    }
    layout, _ = read_ipuz(ipuz_with(clues=clues))
    assert layout.clues == ("A & B (3,4)", "See 1", "x", "y (2)", "See 1", "", "z")


@pytest.mark.parametrize(
    ("style", "styles", "bars"),
    [
        ({"barred": "L"}, None, "..|..."),
        ({"barred": "BL"}, None, "..|..-"),
        ({"barred": "TR"}, None, ""),  # only at the edge
        ("b", {"b": {"barred": "l"}}, "..|..."),
    ],
)
def test_bars_of_ipuz(style, styles, bars):
    below = bars.endswith("-")  # then no word goes down from the third cell
    puzzle = [[1, 2, {"cell": 0 if below else 3, "style": style}], [3 if below else 4, 0, 0]]
    content = {"kind": ["http://ipuz.org/crossword#1"], "puzzle": puzzle, "styles": styles}
    layout, _ = read_ipuz(json.dumps(content))
    assert layout.bars == bars
    across = {"": 3}.get(bars, 2)
    assert [len(slot.cells) for slot in layout.slots] == [across, 3, 2, 2, *([] if below else [2])]


def test_the_parts_of_xd():
    named = "<!-- a\nremark -->\n" + XD.replace("Title", "## Metadata\n\nDate: 2020-02-02\nTitle", 1)
    for row, heading in (("CAT#", "Grid"), ("A1.", "Clues")):
        named = named.replace(f"\n\n{row}", f"\n## {heading}\n{row}", 1)
    assert read_xd(named) == PLAIN
    assert read_xd(f"\ufeff{XD}".replace("\n", "\r\n")) == PLAIN
    marked = XD.replace("It purrs ~ CAT", "It {/purrs/} ~ CAT\nA1 ^Refs: D1").replace("CAT#", "  CAT#  ")
    assert read_xd(f"{marked}\n\nA note.\nAnother.\n")[0].about[-1] == ("notes", "A note.\nAnother.")
    assert read_xd(marked) == PLAIN
    rebus = XD.replace("Author", "Rebus: 1=HEART 2=É\nSpecial: circle\nAuthor").replace("CAT#", "1a2_")
    layout, _ = read_xd(rebus)
    assert (layout.solution, dict(layout.rebus), layout.circles) == (
        "1AÉ#OPEN#ETC",
        {"1": "HEART"},
        "." + "o" + "." * 10,
    )
    bars = "\n## Design\nA { bar-left: true }\n\n....\n..A.\n....\n"  # which say nothing about circles
    layout, _ = read_xd(
        XD.replace("Author", "Special: circle\nAuthor").replace("CAT#", "CaT#").partition("\n\nA1")[0] + bars
    )
    assert (layout.bars, layout.circles) == ("......|.....", ".o..........")
    empty = XD.replace("CAT#", "C.T#").replace("OPEN", "....")
    assert (read_xd(empty)[0].solution, read_xd(empty)[1]) == (PLAIN[0].solution, "C.T#....#ETC")
    assert read_xd(XD.replace("purrs ~", "~ purrs ~"))[0].clue_of["1A"] == "It ~ purrs"


@pytest.mark.parametrize(
    ("read", "data", "sentence"),
    [
        (read_xd, XD.replace("~ CAT", "~ DOG"), "'DOG', the answer of 1A, contradicts the grid"),
        (read_xd, XD.replace("CAT#", "...#").replace("~ APE", "").replace("~ CAT", ""), "they do not fill the grid"),
        (read_xd, "Editor: x\n" + XD, "not read: editor"),
        (read_xd, XD + "## Extra\nx\n", "not read: ## extra"),
        *[(read_ipuz, [cell], "solution is left out: it has no text for r2c1") for cell in ("", 0, None, ["A"])],
    ],
)  # fmt: skip
def test_what_is_not_read_has_a_warning(read, data, sentence):
    if read is read_ipuz:
        data = ipuz_with(solution=[list("CAT#"), [data[0], *"PEN"], list("#ETC")])
    with pytest.warns(PartLeftOut, match=sentence):
        read(data, "my file")


@pytest.mark.parametrize("sign", "X?")
def test_placeholders_are_no_answer(sign):
    assert read_ipuz(ipuz_with(solution=[[sign] * 3 + ["#"], [sign] * 4, ["#"] + [sign] * 3])) == (
        SMALL[0].replace(solution=""), SMALL[1])  # fmt: skip


def test_rows_that_begin_with_two_blocks_are_no_headings():
    layout, letters = sheet(("##..", "....", "...."), {}, ("##AB", "CDEF", "GHIJ"))
    assert read_xd(write_file(".xd", layout, letters).decode()) == (layout, letters)
    assert read_xd("##AB\nCDEF\nGHIJ\n")[0] == layout


def test_the_parts_of_a_text_for_across_lite():
    assert read_across_lite(ACROSS.replace("\n", "\r\n").replace("<TITLE>", "<title>")) == PLAIN
    rich = (
        ACROSS.replace("PUZZLE>", "PUZZLE V2>")
        .replace("<ACROSS>", "<REBUS>\nMARK;\n1:HEART:H\n<ACROSS>")
        .replace("CAT.", "1at.")
    )
    layout, letters = read_across_lite(f"{rich}<NOTEPAD>\nfor\n\nyou\n")
    assert (layout.solution, dict(layout.rebus)) == ("1AT#OPEN#ETC", {"1": "HEART"})
    assert (layout.circles, letters) == (".oo.........", "...#....#...")
    assert dict(layout.about)["notes"] == "for\nyou"


# ---- what is refused


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("", "this is not JSON"),
        ("[" * 10**5, "the JSON of this level is nested too deeply"),
        ("[]", "'[]' must be an object, as an .ipuz file is"),
        ("{}", "'null' must be a list of kinds"),
        (ipuz_with(puzzle=[[1, 2, 3], [4, 0]]), "the rows of 'puzzle' must be equally long"),
        (ipuz_with(puzzle=[]), "the rows of 'puzzle' must be equally long"),
        (ipuz_with(puzzle=None), 'the key "puzzle" is missing'),
        (
            ipuz_with(puzzle=[[1, 2, 4, "#"], [3, 0, 0, 5], ["#", 6, 0, 0]]),
            "r1c3 is labelled '4', but should be numbered 3",
        ),
        (ipuz_with(puzzle=[[1, 2, 3, "#"], [4, 7, 0, 5], ["#", 6, 0, 0]]), "r2c2 is labelled '7', but begins no word"),
        (ipuz_with(solution=[["C", "A", "T", "#"]]), "the solution must have as many rows"),
        (ipuz_with(solution=[list("C\x07T#"), list("OPEN"), list("#ETC")]), "the solution has '\\x07' in r1c2"),
        (ipuz_with(clues={"Across": [[1, "a"]], "Down": []}), "clues are missing for 4A, 6A, 1D, 2D, 3D, 5D"),
        (ipuz_with(clues={"Across": [[2, "a"]]}), "there is a clue 2 across, but no word across of that number"),
        (ipuz_with(clues={"Diagonal": [[2, "a"]]}), "clues in the direction 'Diagonal' are not supported"),
        (ipuz_with(clues={"Across": ["unnumbered"]}), "a clue across has no number: 'unnumbered'"),
    ],
)
def test_what_is_wrong_with_an_ipuz_file_is_told(data, sentence):
    with pytest.raises(ParseError) as caught:
        read_ipuz(data, "my.ipuz")
    assert sentence in str(caught.value)
    assert caught.value.file == "my.ipuz"


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (XD.replace("OPEN\n", "OPENS\n"), 6, "row 2 of the grid has 5 cells, but row 1 has 4"),
        (XD.replace("A4.", "A3."), 11, "there is a clue, and no word, of A3"),
        (XD.replace("A4.", "A1."), 11, "there is a second clue of A1"),
        (XD.replace("A4. Not", "Not"), 11, "this is not a clue across or down"),
        (XD.replace("A4.", "Z4."), 11, "this is not a clue across or down"),
        (XD.replace("A4.", "4."), 11, "this is not a clue across or down"),
        (f"{XD}## Design\nA {{ bar-left: true }}\n..A.\n", 20, "the design must have as many rows"),
        ("Title: x\n", 1, "the crossword has no grid"),
        (XD.replace("D5. x ~ NC\n", ""), None, "clues are missing for 5D"),
        (XD.replace("CAT#", "C\x07T#"), None, "the solution has '\\x07' in r1c2, which is not a text"),
        (ACROSS.replace("4x3", "3x4"), 9, "the grid has the size 4x3, but this line says '3x4'"),
        (ACROSS.replace("OPEN", "OPE"), 12, "row 2 of the grid has 3 cells, but row 1 has 4"),
        (ACROSS.replace("\tOwed\n", ""), 16, "there are 2 clues for 3 words across"),
        (f"{ACROSS}more", 23, "there are 5 clues for 4 words down"),
        (ACROSS.replace("<GRID>", "<GIRD>"), 1, "the crossword has no grid"),
    ],
)
def test_what_is_wrong_with_a_text_is_told_with_its_line(text, line, sentence):
    with pytest.raises(ParseError) as caught:
        as_level(text, "my.txt")
    assert sentence in caught.value.message
    assert (caught.value.file, caught.value.line) == ("my.txt", line)


def test_what_is_wrong_with_a_puz_file_is_told():
    import puz

    sound = puz_bytes(SMALL)
    for data in (b"", b"PK\x03\x04"):
        with pytest.raises(ParseError, match=r"this is not a \.puz file: crosswords are read from \.puz, \.ipuz"):
            read_puz(data, "my.puz")
    for data, why in (
        (sound[:40], "it ends"),
        (sound[:-9], "a "),
        (sound.replace(b"CAT", b"DOG"), "a checksum does not"),
    ):
        with pytest.raises(ParseError, match=rf"this \.puz file is cut off or damaged: {why}"):
            read_puz(data, "my.puz")
    for text in ("", "<?xml?><puzzle/>"):
        with pytest.raises(
            ParseError, match=r"not a crossword in a known format: crosswords are read from \.puz, \.ipuz"
        ):
            read_clues(as_level(text), "my.jpz")
    puzzle = puz.load(sound)
    puzzle.clues.pop()
    with pytest.raises(ParseError, match="there are 6 clues, but 7 words in the grid"):
        read_puz(puzzle.tobytes(), "my.puz")


@pytest.mark.parametrize("kind", ["sudoku", "crossword/diagramless", "block"])
def test_what_ipuz_has_and_we_do_not_is_named(kind, tmp_path, capsys):
    data = ipuz_with(kind=[f"http://ipuz.org/{kind}#1"])
    with pytest.raises(UnsupportedFeature) as caught:
        read_ipuz(data, "my.ipuz")
    assert (caught.value.feature, caught.value.file) == (kind, "my.ipuz")
    file = tmp_path / "my.ipuz"
    file.write_text(data)
    assert main(["solve", "crossword-clues", str(file)]) == 4
    err = capsys.readouterr().err
    assert "support" in err
    assert kind in err


def test_too_many_texts_of_cells_are_refused():
    cells = [[f"X{row}Y{column}" for column in range(12)] for row in range(12)]
    with pytest.raises(UnsupportedFeature, match="this crossword has 144 rebuses: up to 96 are supported"):
        sheet([["."] * 12] * 12, {}, cells)


def test_a_missing_library_is_told_with_the_command_that_installs_it(tmp_path, capsys, monkeypatch):
    hide(monkeypatch, "puz")
    for work in (lambda: read_puz(b""), lambda: puz_bytes(SMALL)):
        with pytest.raises(DependencyMissing, match=r"these files need puzpy: pip install 'unpuzzle\[words\]'"):
            work()
    (tmp_path / "mini.puz").write_bytes(b"")
    assert main(["solve", "crossword", str(tmp_path / "mini.puz")]) == 4
    assert "pip install 'unpuzzle[words]'" in capsys.readouterr().err
    assert read_ipuz(ipuz_text(SMALL)) == SMALL


# ---- commands


def test_a_file_of_clues_becomes_a_level_without_candidates(tmp_path, capsys):
    (tmp_path / "mini.puz").write_bytes(puz_bytes(SMALL))
    (tmp_path / "mini.IPUZ").write_text(ipuz_text(SMALL))
    for name in ("mini.puz", "mini.IPUZ"):
        for game in ("crossword", "crossword-clues"):
            assert main(["solve", game, str(tmp_path / name), "--planner", "rules:bfs"]) == 4
            assert "clues and no candidates" in capsys.readouterr().err
    bare = sheet(("CA.#", "....", "#..."), {}, ("CAT#", "OPEN", "#ETC"))
    (tmp_path / "bare.ipuz").write_text(ipuz_text(bare))
    assert read_level("crossword", str(tmp_path / "bare.ipuz")).position.layout == bare[0]
    (tmp_path / "mini.puz").write_bytes(b"?")
    assert main(["solve", "crossword", str(tmp_path / "mini.puz"), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["message"].startswith("this is not a .puz file")


@pytest.mark.parametrize("name", ["m.xd", "m.txt", "m.ipuz", "m.puz", "m.json"])
def test_every_file_is_read_by_the_commands_and_written_as_another(name, tmp_path, capsys):
    texts = {"m.xd": XD, "m.txt": ACROSS, "m.ipuz": ipuz_text(PLAIN), "m.json": level_text(*PLAIN)}
    file = tmp_path / name
    file.write_bytes(puz_bytes(PLAIN) if name == "m.puz" else texts[name].replace("’", "\x92").encode("latin-1")
                     if name == "m.txt" else texts[name].encode("utf-16" if name == "m.xd" else "utf-8"))  # fmt: skip
    for game in ("crossword", "crossword-clues"):
        position = read_level(game, str(file)).position
        assert (position.layout, position.letters) == PLAIN
    for ending in files.FORMATS:
        out = tmp_path / f"out{ending}"
        assert main(["draw", "crossword", str(file), "-o", str(out)]) == 0
        assert read_level("crossword", str(out)).position == position
    assert main(["draw", "crossword", str(file), "-o", str(tmp_path / "out.doc")]) == 2
    assert main(["draw", "crossword", str(file), "-o", str(tmp_path / "none" / "out.xd")]) == 2
    assert "out.xd" in capsys.readouterr().err


def test_a_crossword_with_candidates_is_written_solved(tmp_path, capsys):
    out = tmp_path / "solved.ipuz"
    assert main(["solve", "crossword", "3x3", "--planner", "backtracking", "-o", str(out)]) == 0
    layout, letters = read_ipuz(out.read_text())
    assert "." not in letters
    assert layout.solution in ("", letters)
    assert main(["draw", "crossword", "3x3", "-o", str(tmp_path / "c.ipuz")]) == 4
    assert "cannot contain lists of candidates" in capsys.readouterr().err
    assert main(["solve", "crossword", "3x3", "--planner", "backtracking", "-o", str(tmp_path / "s.xd")]) == 0
    assert read_xd((tmp_path / "s.xd").read_text())[0].solution == letters


def test_a_puz_file_of_another_name_is_read_by_its_content(tmp_path):
    (tmp_path / "download").write_bytes(puz_bytes(PLAIN))
    position = read_level("crossword-clues", str(tmp_path / "download")).position
    assert (position.layout, position.letters) == PLAIN


def test_notes_of_any_lines_become_xd():
    layout, letters = PLAIN
    made = write_file(".xd", layout.replace(about=(("title", " a\r\nb "), ("notes", " one\r\n\r\n two "))), letters)
    assert read_xd(made.decode())[0].about == (("title", "a b"), ("notes", "one\ntwo"))
