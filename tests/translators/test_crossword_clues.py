"""Crosswords with clues and no candidates: their text, what is wrong with it, and what is refused."""

from __future__ import annotations

import json
import pickle
from random import Random

import pytest

from unpuzzle import check, solve, translators
from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.cli import main
from unpuzzle.model.replaying import replay
from unpuzzle.planning.result import Result
from unpuzzle.rendering import paper
from unpuzzle.rendering.scenes import picture_of

CLUES, CROSSWORD = translators.find("crossword-clues"), translators.find("crossword")
SMALL = {
    "grid": ["..#", "...", "#.."],
    "across": ["One", "Two", "Three"],
    "down": ["Four", "Fïve", "Six"],
    "letters": "ABCDEFG",
}


def parse(**changes):
    return CLUES.parse(json.dumps({key: value for key, value in (SMALL | changes).items() if value != "gone"}))


def test_text_comes_back():
    position = parse()
    assert CLUES.parse(str(position)) == position
    assert json.loads(str(position))["letters"] == "AB#CDE#FG"
    assert position.clued_slots()[1] == ("3A", (3, 4, 5), "Two")
    assert [name for name, _, _ in position.clued_slots()] == ["1A", "3A", "5A", "1D", "2D", "4D"]


def test_random_texts_come_back():
    rng = Random(7)
    for _ in range(30):
        rows, columns = rng.randint(2, 6), rng.randint(2, 6)
        grid = ["".join(rng.choice("...AZ") for _ in range(columns)) for _ in range(rows)]
        value = {"grid": grid, "across": ["x"] * rows, "down": ["y"] * columns}
        position = CLUES.parse(json.dumps(value))
        assert CLUES.parse(str(position)) == position
        assert position.rows() == grid


def test_five_by_five_is_the_default():
    position = CLUES.parse(json.dumps({"across": ["a"] * 5, "down": ["b"] * 5}))
    assert (position.columns, len(position.letters)) == (5, 25)


def test_clues_by_number():
    position = parse(across={"3": "Two", "1": "One", "5.": "Three"}, down={"1D": "Four", "2": "Fïve", "4": None})
    assert [clue for _, _, clue in position.clued_slots()] == ["One", "Two", "Three", "Four", "Fïve", ""]


@pytest.mark.parametrize(
    ("changes", "message", "line"),
    [
        ({"across": ["One", "Two"]}, "across has 2 clues, but the grid has 3 slots: 1A, 3A, 5A", 1),
        ({"down": ["a"] * 4}, "down has 4 clues, but the grid has 3 slots: 1D, 2D, 4D", 1),
        ({"down": "gone"}, 'clues are missing: there is no "down", a list of clues for 1D, 2D, 4D', 1),
        ({"across": "One"}, '"One"\' must be a list of clues', 1),
        ({"across": [1, 2, 3]}, "'1' must be a clue, a text", 1),
        ({"across": {"1": "a", "2": "b", "5": "c"}}, "across has a clue '2', but no word across has that number", 1),
        ({"across": {"1": "a", "5": "c"}}, "clues are missing for 3A", 1),
        ({"grid": ["..#", ".½.", "#.."]}, "'½' is not a cell", 1),
        ({"grid": ["..#", "..", "#.."]}, "row 2 has 2 cells, but row 1 has 3", 1),
        ({"letters": "ABC"}, "3 letters cannot fill the grid's 7 cells", 1),
        ({"letters": "ABCDEF%"}, "'%' in the letters is not a letter", 1),
        ({"letters": 3}, "'3' must be the letters of the grid", 1),
        ({"across": ["One", "\ud800", "x"]}, "half a character", 1),
    ],
)
def test_what_is_wrong_is_told_with_its_place(changes, message, line):
    with pytest.raises(ParseError) as told:
        parse(**changes)
    assert message in told.value.message
    assert told.value.line == line
    assert told.value.column is not None


@pytest.mark.parametrize("ask", [check, lambda p: p.task(), lambda p: p.moves(), lambda p: p.apply("1A=AT")])
def test_what_needs_moves_or_pddl_is_refused(ask):
    with pytest.raises(UnsupportedFeature, match="has clues and no candidates, so it has no moves and no PDDL"):
        ask(parse())


@pytest.mark.parametrize(
    "words",
    [
        ["check"],
        ["pddl"],
        ["explore"],
        ["replay", "1A=AB"],
        ["solve", "--planner", "rules:bfs"],
        ["solve", "--planner", "native"],
    ],
)
@pytest.mark.parametrize("game", ["crossword", "crossword-clues"])
def test_commands_refuse_it_in_words(words, game, tmp_path, capsys):
    path = tmp_path / "mini.json"
    path.write_text(json.dumps(SMALL))
    command, *rest = words
    code = main([command, game, str(path), *rest])
    assert code == 4
    assert "this crossword has clues and no candidates" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--planner", "cp-sat"], ["--count", "2"]])
def test_it_has_no_constraints(words, tmp_path, capsys):
    path = tmp_path / "mini.json"
    path.write_text(json.dumps(SMALL))
    assert main(["solve", "crossword", str(path), *words]) == 2
    assert "crossword-clues" in capsys.readouterr().err


# ---- two games, one shape of text


CANDIDATES = CROSSWORD.levels["3x3"]


def test_each_game_refuses_the_texts_of_the_other_and_names_it():
    with pytest.raises(ParseError, match="clues and no candidates: it is a level of the game crossword-clues\n"):
        CROSSWORD.parse(json.dumps(SMALL))
    with pytest.raises(ParseError, match="lists of candidates: it is a level of the game crossword\n"):
        CLUES.parse(CANDIDATES)


@pytest.mark.parametrize("name", ["crossword", "crossword-clues"])
def test_levels_are_read_by_the_game_that_they_are_of(name):
    with_clues = translators.read_level(name, json.dumps(SMALL))
    with_candidates = translators.read_level(name, CANDIDATES)
    assert (with_clues.game, with_candidates.game) == (CLUES, CROSSWORD)
    assert with_candidates.moves()
    with pytest.raises(ParseError, match=r"^my\.json:1:1: this is not JSON"):
        translators.read_level(name, "?", "my.json")


@pytest.mark.parametrize(
    ("text", "clues", "candidates"),
    [
        (json.dumps(SMALL), True, False),
        (CANDIDATES, False, True),
        (CROSSWORD.levels["4x4"], False, True),  # which has clues besides
        ('{"grid": ["..", ".."]}', False, False),
        ("[{}]", False, False),
        ("[" * 100_000, False, False),
        ("", False, False),
        ("9" * 5000, False, False),
    ],
)
def test_texts_are_told_apart(text, clues, candidates):
    assert (CLUES.reads(text), CROSSWORD.reads(text)) == (clues, candidates)


def test_games_that_share_no_texts_read_none():
    hanoi = translators.find("hanoi")
    assert not hanoi.reads(hanoi.levels["3"])
    assert translators.read_level("hanoi", hanoi.levels["3"]) == hanoi.parse(hanoi.levels["3"])


def test_a_position_keeps_its_kind_when_it_is_pickled():
    position = parse()
    assert pickle.loads(pickle.dumps(position)) == position
    assert pickle.loads(pickle.dumps(position)).game is CLUES


def test_the_grid_can_be_drawn(tmp_path, capsys):
    path = tmp_path / "mini.json"
    path.write_text(json.dumps(SMALL))
    assert main(["draw", "crossword", str(path)]) == 0
    assert capsys.readouterr().out.count("+---+---+---+") == 4
    assert parse().with_letters("AB#CDE#FG").rows() == ["AB#", "CDE", "#FG"]


def test_letters_beyond_a_to_z_are_read():
    position = parse(grid=["Ñ.#", ".1.", "#.2"], letters="ÑB#C1E#F2", rebus={"2": "HEART"})
    assert position.own_answer().rows() == ["ÑB#", "C1E", "#F2"]


def test_the_own_answer_is_known_to_commands(tmp_path, capsys, monkeypatch):
    """`solve` counts the cells that are the same, `booklet` prints it instead of guessing."""
    position = parse(grid=["A.#", "...", "#.."])
    other = position.with_letters("AX#CDE#FY")
    monkeypatch.setattr(
        "unpuzzle.planners.clues.planner.Clues.solve",
        lambda self, subject, options: Result("guessed", "clues", solution=other.line(), end=other),
    )
    path = tmp_path / "mini.json"
    path.write_text(str(position))
    assert main(["solve", "crossword-clues", str(path)]) == 3
    assert "; 4 of 6 open cells as in the level's own answer" in capsys.readouterr().out
    assert main(["solve", "crossword-clues", str(path), "--json"]) == 3
    own = json.loads(capsys.readouterr().out)["own_answer"]
    assert own == {"solution": "AB#/CDE/#FG", "cells": 6, "equal": 4}
    drawn = []
    with monkeypatch.context() as patch:
        patch.setattr(paper, "picture_of", lambda drawing: drawn.append(drawing) or picture_of(drawing))
        paper.booklet([paper.BookletEntry(position, "", ())], "Mine")
    assert drawn[-1] == position.with_letters("AB#CDE#FG")
    assert main(["booklet", "crossword-clues", str(path), "-o", str(tmp_path / "mini.pdf"), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["levels"]
    assert (row["status"], row["message"]) == (None, "")


@pytest.mark.parametrize("wrong", [False, True])
def test_an_own_answer_that_the_rules_refute_is_no_solution(wrong, tmp_path, capsys):
    position = CROSSWORD.parse(CANDIDATES)
    solved = replay(position, solve(position, "backtracking").moves).position
    rows = ["".join("Q" if cell != "#" else cell for cell in row) for row in solved.rows()] if wrong else solved.rows()
    path = tmp_path / "level.json"
    path.write_text(json.dumps({**json.loads(CANDIDATES), "solution": rows}))
    assert main(["booklet", "crossword", str(path), "-o", str(tmp_path / "b.pdf"), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["levels"]
    assert (row["status"] is None) != wrong
