"""Gogen: the published sample and its figures, refusals, explanations, and Gogens that are made."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.gogens import number_of_solutions, with_words, without
from support.thorough import at_most
from unpuzzle import check, solve
from unpuzzle.base.errors import IllegalMove, ParseError
from unpuzzle.base.outcomes import UNSOLVABLE
from unpuzzle.constraints import Search, conflict, solutions
from unpuzzle.model.replaying import replay
from unpuzzle.planning import running
from unpuzzle.translators.gogen import Gogen
from unpuzzle.translators.gogen.making import LETTERS

SAMPLE = Gogen.parse(Gogen.levels["sample"])
SOLUTION = "MNGKD/HAXEV/WCLRY/QUIPO/STJFB"
GRID = "M.G.D\n.....\nW.L.Y\n.....\nS.J.B\n"
seeds = st.integers(0, 2**32).map(Random)


def solved_line(position):
    solution = next(solutions(position.constraints()))
    return replay(position, position.moves_to(solution)).position.line()


def traced(line, word):
    """Whether a word can be traced, by rows and columns, without the table of the puzzle."""
    places = {letter: (r, c) for r, row in enumerate(line.split("/")) for c, letter in enumerate(row)}
    steps = [(places[a], places[b]) for a, b in zip(word, word[1:], strict=False)]
    return all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1 for a, b in steps)


# ---- the published sample


def test_the_sample_has_its_one_solution():
    assert number_of_solutions(SAMPLE) == 1
    assert solved_line(SAMPLE) == SOLUTION
    assert all(traced(SOLUTION, word) for word in SAMPLE.words)


def test_the_sample_is_proved_unique_in_few_nodes():
    """Most-constrained-first with forward checking takes 23; paths that are propagated leave nothing to try."""
    search = Search(SAMPLE.constraints())
    assert len(list(search.solutions())) == 1
    assert search.nodes <= 23


def test_the_sample_with_a_wrong_word_has_no_solution_and_a_reason():
    wrong = with_words(SAMPLE, ["FLIR" if word == "FIR" else word for word in SAMPLE.words])
    assert number_of_solutions(wrong) == 0
    reason = conflict(wrong.constraints())
    assert "FLIR" in reason
    assert set(reason) < {relation.name for relation in wrong.constraints().relations}
    text, data = wrong.explain()
    assert data["conflict"] == list(reason)
    assert "no solution" in text
    assert all(name in text for name in reason)


# ---- explanations


def test_the_explanation_of_the_sample():
    text, data = SAMPLE.explain()
    assert (data["solutions"], data["unique"], data["solution"]) == (1, True, SOLUTION)
    assert [each["word"] for each in data["words"] if each["redundant"]] == ["FIR", "JUST", "KEG", "MAN"]
    counts = {each["word"]: each["solutions_without"] for each in data["words"]}
    assert (counts["AXLE"], counts["ACQUIRE"], counts["DERV"], counts["FIR"]) == (9, 196, 2, 1)
    assert "ACQUIRE: 196\n" in text
    assert "FIR: 1, so it is redundant" in text
    assert {each["letter"] for each in data["letters"]} == set(LETTERS) - set(SAMPLE.places)


def test_what_forces_a_letter_does_and_none_of_it_can_go():
    model = SAMPLE.constraints()
    _, data = SAMPLE.explain()
    for each in data["letters"]:
        (cell,) = each["cells"]
        kept = [relation for relation in model.relations if not relation.name or relation.name in each["because"]]

        def elsewhere(relations, letter=each["letter"], cell=cell):
            search = Search(model.with_relations(relations))
            return next(search.solutions({letter: cell}), None) is not None

        assert not elsewhere(kept)
        assert all(elsewhere([other for other in kept if other is not one]) for one in kept if one.name)


def test_letters_that_nothing_forces_and_words_without_end():
    _, data = without(SAMPLE, "DERV").explain()
    assert data["solutions"] == 2
    assert {each["letter"] for each in data["letters"] if each["because"] is None} == {"K", "V"}
    assert all(len(each["cells"]) == 2 for each in data["letters"] if each["because"] is None)
    text, data = with_words(SAMPLE, ["MAN"]).explain()
    assert (data["solutions"], data["words"], data["letters"]) == (1000, [], [])
    assert text == "There are 1,000 solutions or more.\n"


# ---- rules


def test_a_letter_touches_those_it_is_joined_with():
    assert SAMPLE.apply("r2c2=A").line() == "M.G.D/.A.../W.L.Y/...../S.J.B"
    with pytest.raises(IllegalMove) as caught:
        SAMPLE.apply("r4c4=A")
    assert str(caught.value) == "r4c4=A: it does not touch M, which is next to A in MAN"
    assert "r4c4=A" not in SAMPLE.moves()


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("r1c1=A", "r1c1=A: M is there already"),
        ("r1c2=M", "r1c2=M: M is in row 1, column 1 already"),
        ("r1c2=Z", "'r1c2=Z' is not a move: a move looks like r2c2=Q"),
        ("r1c2=", "'r1c2=' is not a move"),
        ("r6c2=A", "'r6c2=A' is not a move"),
        ("r1c2=AX", "'r1c2=AX' is not a move"),
    ],
)
def test_illegal_moves(move, said):
    with pytest.raises(IllegalMove) as caught:
        SAMPLE.apply(move)
    assert str(caught.value).startswith(said)


def test_givens_that_contradict_a_word_are_never_solved():
    cells = SOLUTION.replace("/", "")
    wrong = Gogen(cells.translate(str.maketrans("MB", "BM")), ("MAN", "ROB"))
    assert wrong.impossible() == (
        "MAN cannot be traced: A is in row 2, column 2 and does not touch M in row 5, column 5"
    )
    assert not wrong.solved()
    assert running.run("native", wrong.task()).status == UNSOLVABLE
    assert number_of_solutions(wrong) == 0
    almost = Gogen("." + wrong.cells[1:], wrong.words)
    assert all(not almost.apply(move).solved() for move in almost.moves())
    assert check(almost).same


def test_a_letter_without_a_cell_is_a_reason():
    level = Gogen.parse(Gogen.levels["unsolvable"])
    tight = Gogen("A.CDEFGHIJKLMNOPQRSTU.WXY", ("AB", "BY"))
    assert tight.impossible() == "no empty cell is left for B, which must touch A and Y"
    assert solve(tight, "rules:bfs").status == solve(level, "native").status == UNSOLVABLE


@settings(max_examples=at_most(200), derandomize=True, deadline=None)
@given(seeds)
def test_constraints_and_rules_agree_on_small_gogens(rng):
    position = Gogen.sample(rng)
    found = sorted(
        replay(position, position.moves_to(each)).position.line() for each in solutions(position.constraints())
    )
    layer = {position}
    while any("." in each.cells for each in layer):
        layer = {each.apply(move) for each in layer for move in each.moves()}
    assert found == sorted(each.line() for each in layer if each.solved())
    assert all(traced(line, word) for line in found for word in position.words)
    if position.impossible():
        assert not found


def test_samples_are_of_all_kinds():
    samples = [Gogen.sample(Random(seed)) for seed in range(100)]
    counts = [number_of_solutions(position, 2) for position in samples]
    assert min(counts.count(0), counts.count(1), counts.count(2)) > 5
    assert any(position.impossible() is None and not count for position, count in zip(samples, counts, strict=True))


@pytest.mark.parametrize("level", ["six", "five", "four"])
def test_small_levels_are_checked_as_a_whole_and_solved(level):
    position = Gogen.parse(Gogen.levels[level])
    result = check(position)
    assert result.same
    assert result.exhaustive
    found = solve(position, "native")
    assert replay(position, found.moves).position.line() == solved_line(position)
    assert number_of_solutions(position) == 1


# ---- text


def test_lower_case_and_words_on_one_line_are_read():
    text = GRID.lower() + "WORDS\nacquire Axle\n\ncut ; a comment\n"
    position = Gogen.parse(text)
    assert str(position) == GRID + "words\nACQUIRE\nAXLE\nCUT\n"
    assert Gogen.parse("M . G . D\n" + text[6:]) == position


@pytest.mark.parametrize(
    "below",
    [
        "words AXLE CUT\n",
        "words: AXLE CUT\n",
        "WORDS\tAXLE\nCUT",
        "Words:\nAXLE CUT\n",
        "\nwords AXLE ; and\n\n  CUT\n",
        "words\nAXLE\nCUT\n",
    ],
)
def test_words_may_stand_on_the_line_words(below):
    position = Gogen.parse(GRID + below)
    assert position.words == ("AXLE", "CUT")
    assert Gogen.parse(str(position)) == position


@given(
    st.lists(st.sampled_from([*GRID.splitlines(), "words", "words AXLE", "words:", "AXLE", "wrods", ";"]), max_size=9)
)
@settings(max_examples=300, derandomize=True, deadline=None)
def test_no_error_asks_for_what_is_there(rows):
    """`words` never belongs in the place of `words`."""
    assert not re.search(r"'words', not '(?i:words:?)'", complaint("\n".join(rows)))


def complaint(text):
    """What is said against a text; nothing where it is read."""
    try:
        Gogen.parse(text)
    except ParseError as error:
        return error.message
    return ""


def test_words_is_a_word_and_a_row_as_well():
    text = "words\n.....\n.....\n.....\n.....\nwords\nwords\n"
    position = Gogen.parse(text)
    assert (position.cells[:5], position.words) == ("WORDS", ("WORDS",))
    assert Gogen.parse(str(position)) == position


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        (GRID + "words\nAXLE ERROR\n", (7, 6), "'ERROR' can never be traced: it has R twice"),
        (GRID + "words\nZOO\n", (7, 1), "'ZOO' has a Z"),
        (GRID + f"words\n{LETTERS}A\n", (7, 1), "has 26 letters, and the grid has 25 cells"),
        (GRID + "words\nDON'T\n", (7, 1), '"DON\'T" is not a word: words are made of letters alone'),
        (GRID + "words\nÄHRE\n", (7, 1), "'ÄHRE' is not a word"),
        (GRID + "words\nAXLE\naxle\n", (8, 1), "the word AXLE is twice in the list; first at 7:1"),
        (GRID + "words\n", (6, 1), "there are no words below 'words'"),
        (GRID + "words ZOO\n", (6, 7), "'ZOO' has a Z"),
        (GRID + "words AXLE axle\n", (6, 12), "the word AXLE is twice in the list; first at 6:7"),
        (GRID + "words AXLE\nwords CUT\n", (7, 1), "a second line 'words'"),
        (GRID + "wrods\nAXLE\n", (6, 1), "not 'wrods', did you mean 'words'?"),
        ("words AXLE\n" + GRID, (1, 1), "there is no grid of 5 rows above 'words'"),
        (GRID[6:] + "words AXLE\n", (4, 1), "the grid has 4 rows, but a Gogen has 5"),
        ("....." + "\n" + GRID + "words AXLE\n", (6, 1), "the grid has 6 rows, but a Gogen has 5"),
        (GRID + "AXLE\n", (6, 1), "the line below the grid must be 'words', not 'AXLE'"),
        (GRID, (5, 1), "there is no line 'words' below the grid"),
        (GRID[6:] + "words\nAXLE\n", (4, 1), "the grid has 4 rows, but a Gogen has 5"),
        ("....." + "\n" + GRID + "words\nAXLE\n", (6, 1), "the grid has 6 rows, but a Gogen has 5"),
        (GRID.replace("W.L.Y", "W.L.YA") + "words\nAXLE\n", (3, 6), "row 3 has 6 cells, but each row of a Gogen has 5"),
        (GRID.replace("W.L.Y", "W.L") + "words\nAXLE\n", (3, 3), "row 3 has 3 cells, but each row of a Gogen has 5"),
        (GRID.replace("W", "Z") + "words\nAXLE\n", (3, 1), "bad symbol 'Z': a cell must be a letter from A to Y"),
        (GRID.replace("W", "1") + "words\nAXLE\n", (3, 1), "bad symbol '1'"),
        (GRID.replace("W", "g") + "words\nAXLE\n", (3, 1), "the letter G is twice in the grid; first at 1:3"),
    ],
)
def test_bad_texts(text, place, said):
    with pytest.raises(ParseError) as caught:
        Gogen.parse(text, "my.gogen")
    assert said in caught.value.message
    assert (caught.value.line, caught.value.column) == place


def test_a_picture():
    solved = Gogen(SOLUTION.replace("/", ""), ("MAN", "KEG"))
    assert solved.draw() == "M N G K D   ✓ MAN\nH A X E V   ✓ KEG\nW C L R Y\nQ U I P O\nS T J F B"
    assert SAMPLE.draw().splitlines()[1] == "· · · · ·     AXLE        KEG      WHAM"
