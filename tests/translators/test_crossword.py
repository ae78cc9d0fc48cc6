"""Crosswords with candidate lists: texts, rules, constraints, PDDL, and levels filled from lists of words."""

from __future__ import annotations

import json
import warnings
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.data import DATA, absence
from unpuzzle import replay, solve
from unpuzzle.base.errors import IllegalMove, ParseError
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.cli import main
from unpuzzle.constraints import Search, conflict
from unpuzzle.model.capabilities import completed
from unpuzzle.translators.crossword import Crossword
from unpuzzle.translators.crossword.grid_text import CANDIDATE_KEYS
from unpuzzle.translators.crossword.layout import slots_of
from unpuzzle.translators.crossword.making import OPTIONS, random_shape
from unpuzzle.translators.crossword.rules import UnfitCandidate
from unpuzzle.translators.crossword_clues import CrosswordClues
from unpuzzle.translators.shared.text import WordList, read_words
from unpuzzle.verification.side_by_side import check

pytestmark = pytest.mark.filterwarnings("ignore::unpuzzle.translators.crossword.rules.UnfitCandidate")
GAMES = DATA / "crosswords.json"
SMALL = {
    "grid": ["..#", "...", "#.."],
    "horizontal_answers": [["at", "it"], ["toe", "toad"], ["no", "on"]],
    "vertical_answers": [["at", "to"], ["ton"], ["eo", "en"]],
}
seeds = st.integers(0, 2**32).map(Random)


def level(**changes):
    content = {key: value for key, value in {**SMALL, **changes}.items() if value is not None}
    return Crossword.parse(json.dumps(content), "my.json")


# ---- text


def test_slots_are_numbered_as_in_print():
    names = {slot.name: list(slot.cells) for slot in slots_of("..#...#..", 3)}
    assert names == {"1A": [0, 1], "3A": [3, 4, 5], "5A": [7, 8], "1D": [0, 3], "2D": [1, 4, 7], "4D": [5, 8]}
    open_grid = [slot.name for slot in slots_of("." * 25, 5)]
    assert open_grid == ["1A", "6A", "7A", "8A", "9A", "1D", "2D", "3D", "4D", "5D"]
    assert [slot.name for slot in slots_of("#.#...#.#", 3)] == ["2A", "1D"]


def test_the_text_keeps_what_no_move_looks_at():
    clues = {"clues_across": ["é", "b", '"'], "clues_down": ["d", "e", "f"], "solution": ["AT#", "TOE", "#NO"]}
    position = level(
        **clues, horizontal_answers=[["at", "AT", "attic"], ["toe"], ["no"]], editor="passed over", author="A"
    )
    again = json.loads(str(position))
    assert again == {
        "grid": ["..#", "...", "#.."],
        **clues,
        "horizontal_answers": [["AT", "AT", "ATTIC"], ["TOE"], ["NO"]],
        "vertical_answers": [["AT", "TO"], ["TON"], ["EO", "EN"]],
        "author": "A",
    }
    assert Crossword.parse(str(position)) == position
    assert position != level()
    assert position.moves().count("1A=AT") == 1


def test_the_grid_may_be_left_out():
    lists = [["heart"]] * 5
    position = Crossword.parse(json.dumps({"horizontal_answers": lists, "vertical_answers": lists}))
    assert position.line() == "...../...../...../...../....."


def test_letters_come_back_and_are_shown():
    position = level(grid=["a.#", "...", "#.x"])
    assert position.line() == "A.#/.../#.X"
    assert position.plain() == [["A", None, "#"], [None, None, None], ["#", None, "X"]]
    assert Crossword.parse(str(position)) == position
    assert position.draw().splitlines()[:6] == [
        "+---+---+---+",
        "|1  |2  |███|",
        "| A |   |███|",
        "+---+---+---+",
        "|3  |   |4  |",
        "|   |   |   |",
    ]


@pytest.mark.parametrize(
    ("changes", "place", "sentence"),
    [
        ({"grid": ["..#", "....", "#.."]}, "....", "row 2 has 4 cells, but row 1 has 3"),
        ({"grid": ["..#", ".%.", "#.."]}, ".%.", "'%' is not a cell"),
        ({"grid": ["..#", ". .", "#.."]}, ". .", "a blank is not a cell"),
        ({"grid": ["..#", ".½.", "#.."]}, ".", "is not a cell"),
        ({"grid": []}, "[]", "a grid must have 1 to 40 rows"),
        ({"grid": ["." * 41]}, "[", "a grid must have 1 to 40 rows"),
        ({"grid": "..#"}, "..#", "must be a list of rows"),
        ({"grid": [".#.", "#.#"]}, "[", "the grid has no place for a word"),
        ({"grid": ["..#", "..#", "##."]}, "##.", "no word goes through the empty cell r3c3"),
        ({"horizontal_answers": [["at"], ["toe"]]}, '["toe"]', "2 lists, but the grid has 3 slots: 1A, 3A, 5A"),
        (
            {"vertical_answers": [["at"], ["to"], ["e"], ["x"]]},
            '["x"]',
            "4 lists, but the grid has 3 slots: 1D, 2D, 4D",
        ),
        ({"horizontal_answers": None}, "{", 'candidates are missing: there is no "horizontal_answers"'),
        ({"horizontal_answers": [["at"], [], ["no"]]}, "[]", "the list of candidates of 3A is empty"),
        (
            {"horizontal_answers": [["at"], ["toe", "\ud800"], ["no"]]},
            '"\\ud800"',
            "this candidate has half a character",
        ),
        ({"horizontal_answers": [["at"], ["toe", 7], ["no"]]}, "7", "'7' must be a word, for 3A"),
        ({"horizontal_answers": [["at"], "toe", ["no"]]}, '"toe"', "must be the list of candidates of 3A"),
        ({"clues_across": ["one"]}, '"one"', "clues_across has 1 clue, but the grid has 3 slots"),
        ({"clues_across": ["one", "two", None]}, "null", "'null' must be a clue"),
        ({"clues_across": ["one", "two", "\ud800"]}, '"\\ud800"', "half a character"),
        ({"solution": ["AT#", "TO#", "#NO"]}, '"TO#"', "row 2 of the solution does not have the shape of the grid"),
        ({"solution": ["AT#", "TOE"]}, "[", "the solution has 2 rows, but the grid has 3"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(changes, place, sentence):
    with pytest.raises(ParseError) as caught:
        level(**changes)
    error = caught.value
    assert sentence in error.message
    assert (error.file, error.line) == ("my.json", 1)
    assert error.text[error.column - 1 :].lstrip('"').startswith(place.lstrip('"'))


@pytest.mark.parametrize(
    ("text", "sentence", "place"),
    [
        ("", "this is not a crossword in a known format", (1, 1)),
        ('{\n "grid": [,]}', "this is not JSON: expecting value", (2, 11)),
        ("[" * 10**5, "the JSON of this level is nested too deeply", (1, 1)),
        ("1" * 5000, "this level contains a number with too many digits", (1, 1)),
        ("[{}, {}, {}]", "this is a list of 3 games; give one of them as a level", (1, 1)),
        ('"word"', "must be an object", (1, 1)),
        ('{"grid":\n [".."],\n "horizontal_answers":\n  [[55]]}', "'55' must be a word, for 1A", (4, 5)),
    ],
)
def test_what_is_no_crossword_is_refused_with_its_place(text, sentence, place):
    with pytest.raises(ParseError) as caught:
        Crossword.parse(text, "my.json")
    assert sentence in caught.value.message
    assert (caught.value.line, caught.value.column) == place


ODD = ["opt--", "t-e", "t?e", "STRAßE", "", "a b", "toad", "to", "ﬁve", "\u202eTO", "tOe"]


def test_candidates_that_fit_nowhere_are_told_and_never_written(tmp_path):
    """They stay in the text, and the game is solved."""
    with pytest.warns(UnfitCandidate) as caught:
        position = level(horizontal_answers=[["at"], [*ODD, "toe"], ["no"]], vertical_answers=[["at"], ["ton"], ["eo"]])
    (warning,) = caught
    said = str(warning.message)
    assert said.startswith("'OPT--', a candidate of 3A, is not a word of 3 letters and fits nowhere; nor do ")
    assert "'T-E' of 3A, 'T?E' of 3A, 'STRAẞE' of 3A, '' of 3A" in said
    assert "1 more" in said
    assert said.isprintable()
    assert position.layout.words["3A"] == ("TOE",)
    assert [move for move in position.moves() if move.startswith("3A")] == ["3A=TOE"]
    assert {move for move, _ in position.writings(consistent=False) if move.startswith("3A")} == {"3A=TOE"}
    assert "OPT--" in str(position)
    assert Crossword.parse(str(position)) == position
    assert solve(position).status == SOLVED_OPTIMALLY
    assert check(position).same


@pytest.mark.parametrize("indent", [1, None])
def test_the_warning_has_the_line_of_the_first(indent, tmp_path, capsys):
    """Published games stand on one line, which is too long to be shown."""
    text = json.dumps({**SMALL, "vertical_answers": [["at", "to"], ["ton", "to--n"], ["eo"]]}, indent=indent)
    path = tmp_path / "published.json"
    path.write_text(text.replace("toad", "tie") + " " * 300)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert main(["solve", "crossword", str(path)]) == 0
    said = "'TO--N', a candidate of 2D, is not a word of 3 letters and fits nowhere"
    line = path.read_text().splitlines().index('   "to--n"') + 1 if indent else 0
    place = f"{path}:{line}" if indent else str(path)
    assert f"{place}: warning: {said}{'' if indent else ' (line 1)'}" in capsys.readouterr().err.splitlines()


def test_a_level_whose_candidates_all_fit_is_read_without_a_word(recwarn):
    level(horizontal_answers=[["at", "it"], ["toe"], ["no", "on"]])
    assert not recwarn.list


def test_a_slot_for_which_nothing_fits_is_told():
    with pytest.warns(UnfitCandidate):
        position = level(horizontal_answers=[["at"], ["opt--", "t-e"], ["no"]])
    assert position.impossible() == "no candidate of 3A has 3 letters"
    assert solve(position).status == UNSOLVABLE


def test_levels_for_components_can_be_solved():
    for level in Crossword.component_levels(Random(1)):
        assert solve(level).status == SOLVED_OPTIMALLY


def test_bad_input_exits_with_2(tmp_path, capsys):
    path = tmp_path / "bad.json"
    path.write_text(json.dumps({**SMALL, "vertical_answers": [["at"]]}))
    assert main(["solve", "crossword", str(path)]) == 2
    assert "1 list, but the grid has 3 slots" in capsys.readouterr().err


# ---- rules


def test_a_word_is_written_where_it_agrees_and_fills_an_empty_cell():
    position = level()
    assert position.moves() == tuple("1A=AT 1A=IT 3A=TOE 5A=NO 5A=ON 1D=AT 1D=TO 2D=TON 4D=EO 4D=EN".split())
    position = position.apply("2D=TON")
    assert position.line() == ".T#/.O./#N."
    assert position.moves() == tuple("1A=AT 1A=IT 3A=TOE 5A=NO 1D=AT 1D=TO 4D=EO 4D=EN".split())
    for move in ("5A=NO", "3A=TOE", "1A=AT"):
        assert not position.solved()
        position = position.apply(move)
    assert position.solved()
    assert position.moves() == ()


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("2A=TON", "does not name a slot, as in '1A=AT'; the slots are 1A, 3A, 5A, 1D, 2D, 4D"),
        ("nonsense", "'nonsense' does not name a slot"),
        ("1A=AH", "'AH' is not a candidate of 1A; the candidates are: AT, IT"),
        ("3A=TOAD", "'TOAD' is not a candidate of 3A; the candidates are: TOE"),
        ("2D=TON", "the slot 2D is full: the word in this slot is TON"),
        ("5A=ON", r"the word ON does not agree with the word N. in the slot 5A"),
    ],
)
def test_other_moves_are_refused_with_the_reason(move, sentence):
    with pytest.raises(IllegalMove) as caught:
        level().apply("2D=TON").apply(move)
    assert sentence in str(caught.value)


def test_a_full_grid_is_solved_only_by_candidates():
    assert level(grid=["AT#", "TOE", "#NO"]).solved()
    wrong = level(grid=["AT#", "TOE", "#NT"])
    assert not wrong.solved()
    assert wrong.impossible() == "no candidate of 5A agrees with NT, which is there"
    assert level(horizontal_answers=[["a"], ["toe"], ["no"]]).impossible() == "no candidate of 1A has 2 letters"


# ---- constraints


def test_what_contradicts_is_named():
    given = conflict(level(grid=["A.#", "..X", "#.."]).constraints())
    assert given in (("r2c3=X", "3A"), ("r2c3=X", "4D")), "no word across and no word down has an X there"
    unsolvable = Crossword.parse(Crossword.levels["unsolvable"])
    assert unsolvable.impossible() is None
    assert set(conflict(unsolvable.constraints())) <= {"1A", "4A", "5A", "1D", "2D", "3D"}


@pytest.mark.skipif(not GAMES.exists(), reason=absence(GAMES))
@pytest.mark.parametrize("number", range(3))
def test_published_games_have_one_solution_every_word_right(number):
    game = json.loads(GAMES.read_text())[number]
    position = Crossword.parse(json.dumps(game))
    search = Search(position.constraints())
    (solution,) = search.solutions()
    end = replay(position, position.moves_to(solution)).position
    assert end.line().lower().split("/") == game["solution"]
    assert search.nodes <= 1000
    result = solve(position, "native")
    assert (result.status, result.cost) == (SOLVED_OPTIMALLY, 5)
    assert replay(position, result.moves).position == end


# ---- levels that are asked for


@pytest.mark.parametrize("wish", [{}, {"size": "3x3", "blocks": 0}, {"size": "5x4", "blocks": 4}, {"size": "5x5"}])
def test_generated_levels_have_one_solution_and_blocks_as_asked_for(wish):
    options = completed(Crossword, wish)
    for seed in range(3):
        position = Crossword.generate(Random(seed), options)
        assert position.line().count("#") == options["blocks"]
        assert position.line() == position.line()[::-1]
        assert len(list(Search(position.constraints()).solutions())) == 1
        for slot in position.layout.slots:
            assert len(position.layout.candidates[slot.name]) == options["choices"]
            assert set(position.layout.candidates[slot.name]) <= set(options["words"])
        assert position == Crossword.generate(Random(seed), options)


@settings(max_examples=30, derandomize=True, deadline=None)
@given(seeds, st.integers(2, 7), st.integers(2, 7), st.integers(0, 8))
def test_shapes_hang_together(rng, rows, columns, blocks):
    try:
        shape = random_shape(rng, rows, columns, blocks, 6)
    except ParseError:
        return
    slots = slots_of(shape, columns)
    assert shape == shape[::-1]
    assert shape.count("#") == blocks
    for way in (True, False):
        cells = [cell for slot in slots if slot.across is way for cell in slot.cells]
        assert sorted(cells) == [cell for cell, kind in enumerate(shape) if kind == "."]
    reached, waiting = set(), [slots[0]]
    while waiting:
        reached.update(waiting.pop().cells)
        waiting += [slot for slot in slots if reached & set(slot.cells) and not reached >= set(slot.cells)]
    assert len(reached) == shape.count(".")


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ({"size": "1x4"}, "a crossword of 1x4 cells has no words that cross"),
        ({"size": "4x4", "blocks": 1}, "1 block found no place in 4x4 cells"),
        ({"size": "3x3", "blocks": 9}, "9 blocks found no place in 3x3 cells"),
        ({"size": "3x3", "blocks": 0, "words": ("CAT", "DOG", "COD")}, r"no words of the list \(3 words\) were found"),
    ],
)
def test_wishes_that_do_not_go_together_are_refused(wish, sentence):
    with pytest.raises(ParseError, match=sentence):
        Crossword.generate(Random(0), completed(Crossword, wish))


def test_words_come_from_a_file(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("# mine\ncat ode  wet\ncow ade tet # six\ncat\n", encoding="utf-8-sig")
    options = completed(Crossword, {"size": "3x3", "blocks": "0", "words": str(path), "choices": 2})
    assert options["words"] == ("CAT", "ODE", "WET", "COW", "ADE", "TET")
    path.write_text("CAT Ode\nWET", encoding="utf-8")
    assert completed(Crossword, {"words": str(path)})["words"] == ("CAT", "ODE", "WET")
    position = Crossword.generate(Random(1), options)
    (solution,) = Search(position.constraints()).solutions()
    assert "".join(solution.values()) in ("CATODEWET", "COWADETET")


@pytest.mark.parametrize(
    ("text", "place", "sentence"),
    [
        ("", (1, 1), "the list of words is empty"),
        ("# nothing\n", (1, 1), "the list of words is empty"),
        ("cat\nthe do,g\n", (2, 5), "'do,g' is not a word of letters from A to Z"),
        ("dog's\nöl", (1, 1), '"dog\'s" is not a word'),
        (b"\xff", (None, None), "this is not a list of words"),
        (None, (None, None), "the list of words cannot be read"),
    ],
)
def test_a_bad_list_of_words_is_refused_with_its_place(text, place, sentence, tmp_path):
    path = tmp_path / "words.txt"
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ParseError) as caught:
        completed(Crossword, {"words": str(path)})
    assert sentence in caught.value.message
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(path), *place)


def test_what_system_lists_have_besides_words_is_left_out_and_counted(tmp_path):
    path = tmp_path / "words"
    path.write_text("Anna\nAnna's\nADAC\ncat\ncat's\ncafé\no’clock\node\n10-pin\n4th\nwet\n", encoding="utf-8")
    with pytest.warns(UserWarning, match="left out") as caught:
        assert read_words(str(path)) == ("CAT", "ODE", "WET")
    (warning,) = caught
    sentence = "8 words left out: 2 with capitals, 3 with apostrophes, 1 with accents and 2 with digits and other signs"
    assert (str(warning.message), warning.filename) == (sentence, str(path))


def test_a_list_in_capitals_is_a_list_of_words(tmp_path):
    path = tmp_path / "words"
    path.write_text("CAT\nCAT's\nODE\nWET\n")
    with pytest.warns(UserWarning, match="1 word left out: 1 with apostrophes"):
        assert read_words(str(path)) == ("CAT", "ODE", "WET")


def test_the_bundled_words_are_enough_for_small_open_grids():
    words = OPTIONS["words"]
    assert isinstance(words, WordList)
    assert words.show(words.default) == "own"
    for size in ("3x3", "4x4"):
        for seed in range(5):
            Crossword.generate(Random(seed), completed(Crossword, {"size": size, "blocks": 0, "choices": 1}))


def test_a_list_of_words_that_is_not_there_exits_with_2(capsys, tmp_path):
    missing = str(tmp_path / "words.txt")
    assert main(["generate", "crossword", "--words", missing, "--workers", "1"]) == 2
    assert f"{missing}: the list of words cannot be read" in capsys.readouterr().err


def test_a_key_that_is_there_is_no_suggestion_for_the_other_one():
    level = {"grid": ["..", ".."], "horizontal_answers": [["AB"], ["EF"]]}
    with pytest.raises(ParseError) as caught:
        Crossword.parse(json.dumps(level))
    assert caught.value.message.endswith('there is no "vertical_answers", a list of words for each slot')
    with pytest.raises(ParseError, match="did you mean 'vertical_answer'"):
        Crossword.parse(json.dumps({**level, "vertical_answer": []}))


def test_letters_of_any_alphabet():
    """They are letters in every form: text, moves, PDDL, constraints, pictures, clues."""
    lists = {
        "horizontal_answers": [["año", "ano"], ["ode"], ["wet"]],
        "vertical_answers": [["aow"], ["n\u0303de"], ["oet"]],
    }
    position = Crossword.parse(json.dumps({"grid": ["...", "...", "..."], **lists}))
    assert position.layout.words["2D"] == ("ÑDE",)
    assert Crossword.parse(str(position)) == position
    for planner in ("cp-sat", "backtracking", "native"):
        result = solve(position, planner)
        assert (result.status, result.moves[0]) == (SOLVED_OPTIMALLY, "1A=AÑO"), planner
    assert check(position).same
    assert "Ñ" in position.apply("1A=AÑO").draw()
    greek = level(horizontal_answers=[["αβ"], ["γδε"], ["ζη"]], vertical_answers=[["αγ"], ["βδζ"], ["εη"]])
    assert solve(greek, "native").moves == ("1A=ΑΒ", "3A=ΓΔΕ", "5A=ΖΗ")
    assert check(greek).same
    given = json.dumps({"grid": ["Ñ.", ".."], "across": ["a", "b"], "down": ["c", "d"]})
    assert CrosswordClues.parse(given).rows() == ["Ñ.", ".."]


@pytest.mark.parametrize(
    ("key", "meant"), [("Grid", "grid"), ("girds", None), ("gird", "grid"), ("SOLUTION", "solution")]
)
def test_a_key_that_may_be_left_out_is_not_ignored_where_it_is_misspelt(key, meant):
    """Without its grid a crossword is one of five by five: the letters given there would be dropped."""
    level = {key: ["A....", ".....", ".....", ".....", "....."], **{name: [["ABCDE"]] * 5 for name in CANDIDATE_KEYS}}
    if meant is None:
        assert Crossword.parse(json.dumps(level)).letters == "." * 25
        return
    with pytest.raises(ParseError, match=f"there is no key '{key}' here, did you mean '{meant}'?"):
        Crossword.parse(json.dumps(level))


BARRED = {
    "grid": ["...", "...", "..."],
    "bars": ["..|", "-..", "..."],
    "circles": ["o..", "...", "..."],
    "rebus": {"1": "HEART"},
    "title": "Barred",
    "horizontal_answers": [["1T", "AT"], ["TON"], ["EWE"]],
    "vertical_answers": [["TE"], ["TOW", "TO"], ["XNE"]],
}


def test_words_end_at_bars():
    """Bars, digits and rebus signs are the same to moves, PDDL and constraints, and are seen in pictures."""
    position = Crossword.parse(json.dumps(BARRED))
    assert [slot.name for slot in position.layout.slots] == ["1A", "4A", "5A", "2D", "3D", "4D"]
    assert [len(slot.cells) for slot in position.layout.slots] == [2, 3, 3, 3, 3, 2]
    position = Crossword.parse(json.dumps({**BARRED, "vertical_answers": [["TOW", "TO"], ["XNE"], ["TE"]]}))
    assert Crossword.parse(str(position)) == position
    assert check(position).same
    result = solve(position, "native")
    assert (result.status, "1A=1T" in result.moves or "1A=AT" in result.moves) == (SOLVED_OPTIMALLY, True)
    solved = position.apply("1A=1T").draw().split("\n")
    assert solved[1:4] == ["|1  |2  ‖3  |", "|HEA| T ‖   |", "+===+---+---+"]
    assert position.draw().split("\n")[2] == "|( )|   ‖   |"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"bars": [[0, 1]]}, "'[0, 1]' must be a row of bars"),
        ({"bars": ["..|", "..."]}, "bars has 2 rows, but the grid has 3"),
        ({"bars": ["..|", "...", "..x"]}, "a row of bars must have one of | - + or `.` for each cell"),
        ({"circles": ["..|", "...", "..."]}, "a row of circles must have one of o or `.` for each cell"),
        ({"bars": ["++.", "++.", "..."]}, "no word goes through the empty cell r1c1"),
        ({"rebus": {"#": "HEART"}}, "'#' is not a sign for a rebus"),
        ({"rebus": {"1": " "}}, "the rebus '1' has no text"),
        ({"rebus": {"1": 1}}, "'1' must be the text of a cell"),
    ],
)
@pytest.mark.parametrize("kind", [Crossword, CrosswordClues])
def test_wrong_marks_are_refused(kind, changes, sentence):
    clues = {"across": [""] * 3, "down": [""] * 3} if kind is CrosswordClues else {}
    level = {key: value for key, value in BARRED.items() if key not in CANDIDATE_KEYS or kind is Crossword}
    with pytest.raises(ParseError) as caught:
        kind.parse(json.dumps({**level, **clues, **changes}))
    assert sentence in caught.value.message
    assert caught.value.line == 1


@pytest.mark.parametrize("word", ["\u0939\u093f", "E\u0323\u0301A"])
def test_a_letter_of_several_characters_is_refused_and_makes_no_crossword_unsolvable(word, tmp_path, capsys):
    file = tmp_path / "level.json"
    level = {"grid": ["..", ".."], "horizontal_answers": [[word], ["AB"]], "vertical_answers": [["XA"], ["XB"]]}
    file.write_text(json.dumps(level))
    assert main(["solve", "crossword", str(file)]) == 4
    assert "letters made of several characters, which is not supported" in capsys.readouterr().err
    level["horizontal_answers"] = [["N\u0303A"], ["AB"]]
    assert solve(Crossword.parse(json.dumps({**level, "vertical_answers": [["\u00d1A"], ["AB"]]}))).solved
