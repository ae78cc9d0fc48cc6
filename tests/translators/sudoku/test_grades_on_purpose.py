"""Sudokus of a grade that was asked for: the grade is told once more of each board that comes out."""

from __future__ import annotations

from random import Random

import pytest

from support.command_line import run, run_json
from unpuzzle import find, generate
from unpuzzle.translators.sudoku import making
from unpuzzle.translators.sudoku.making import suffices
from unpuzzle.translators.sudoku.techniques import GRADES, grade, hardest_technique

SUDOKU = find("sudoku")
COMMON = ["naked single", "hidden single", "locked candidates", "search"]
RARE = ["naked pair", "hidden pair", "X-wing"]


@pytest.mark.parametrize(("name", "clues"), [("naked single", 32), ("locked candidates", 28)])
def test_a_grade_and_a_number_of_clues_go_together(name: str, clues: int) -> None:
    made = generate(SUDOKU, {"grade": name, "clues": clues}, count=2, seed=3)
    assert made.complete
    for level in made.levels:
        assert len(level.text.strip()) - level.text.count(".") == clues
        assert grade(level.text.strip()) == (GRADES.index(name), name)


@pytest.mark.parametrize("name", COMMON)
def test_boards_have_the_grade(name: str) -> None:
    made = generate(SUDOKU, {"grade": name}, count=3, seed=2)
    assert [level.grade for level in made.levels] == [name] * 3
    for level in made.levels:
        assert grade(level.text.strip()) == (GRADES.index(name), name)
        if name != "search":
            assert hardest_technique(level.text.strip(), GRADES.index(name) - 1) is None


@pytest.mark.parametrize("name", RARE)
def test_few_boards_are_tried_for_a_rare_grade(name: str) -> None:
    made = generate(SUDOKU, {"grade": name}, count=1, seed=2, candidates=4)
    assert [level.grade for level in made.levels] == [name]
    cells = made.levels[0].text.strip()
    assert hardest_technique(cells) == GRADES.index(name)
    for place in [place for place in range(81) if cells[place] != "."]:
        told = grade(making.without(cells, [place]))
        assert told is None or told[0] > GRADES.index(name), "no clue is superfluous"


def test_all_steps_of_a_technique_at_once_tell_the_same_grade() -> None:
    rng = Random("grades")
    solvable = set()
    for _ in range(20):
        full = making.full_board(rng, 9)
        cells = making.without(full, rng.sample(range(81), rng.randint(40, 54)))
        for most in range(2, len(GRADES) - 1):
            told = hardest_technique(cells, most) is not None
            assert suffices(cells, most) == told, (cells, most)
            solvable.add(told)
    assert solvable == {True, False}


def test_others_are_passed_over(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "STEPS_TO_A_GRADE", 1)
    words = ["generate", "sudoku", "--grade", "locked candidates", "--count", "2", "--workers", "1"]
    code, answer = run_json(capsys, *words)
    assert code == 0
    assert answer["rejected"]["not_required"] == answer["candidates"] - 2 > 0
    assert {level["grade"] for level in answer["levels"]} == {"locked candidates"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["sudoku", "--grade", "x-wing"], "did you mean 'X-wing'?"),
        (["sudoku", "--grade", "search", "--clues", "30", "--size", "5"], "size"),
        (["sudoku", "--grade", "naked single", "--clues", "16"], "from 17 to 81, not 16"),
        (["boxup", "--grade", "search"], "--grade"),
    ],
)
def test_wrong_values_are_refused_in_words(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "generate", *words, "--workers", "1")
    assert (code, out) == (2, "")
    assert sentence in err
