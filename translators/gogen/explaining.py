"""Explanations of a Gogen: the need for each word, and the reasons for each letter's cell.

A word is redundant if there are as many solutions without it. A letter's cell is forced by a minimal set of words and
given letters that leave it no other cell; there may be several such sets, and this is one of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from unpuzzle.base.text import count
from unpuzzle.constraints import Constraints, conflict, solutions
from unpuzzle.translators.gogen.grid import LETTERS, NAMES, NUMBERS, SIDE

Solutions = list[dict[str, str]]
"""For each solution, the name of each letter's cell."""

MOST = 1000
"""The largest number of solutions counted."""


def explanation(model: Constraints, words: Sequence[str], places: Mapping[str, int]) -> tuple[str, dict[str, Any]]:
    """Return an explanation as lines for people, and the same as plain data.

    The named relations of the model are the words and the given letters; `places` has the cells of the given letters.
    """
    answers = _solutions(model)
    some = 0 < len(answers) < MOST
    data: dict[str, Any] = {
        "solutions": len(answers),
        "unique": len(answers) == 1,
        "solution": _line(answers[0]) if answers else None,
        "conflict": list(conflict(model) or ()) if not answers else None,
        "words": [_without(model, word, len(answers)) for word in words if some],
        "letters": [_forced(model, letter, answers) for letter in LETTERS if some and letter not in places],
    }
    return "\n".join(_lines(data)) + "\n", data


def _solutions(model: Constraints) -> Solutions:
    return [{name: str(value) for name, value in each.items()} for each in islice(solutions(model), MOST)]


def _line(solution: Mapping[str, str]) -> str:
    letters = {NUMBERS[name]: letter for letter, name in solution.items()}
    rows = ["".join([letters[row * SIDE + column] for column in range(SIDE)]) for row in range(SIDE)]
    return "/".join(rows)


def _without(model: Constraints, word: str, with_it: int) -> dict[str, Any]:
    others = model.with_relations([relation for relation in model.relations if relation.name != word])
    number = len(_solutions(others))
    return {"word": word, "solutions_without": number, "redundant": number == with_it}


def _forced(model: Constraints, letter: str, answers: Solutions) -> dict[str, Any]:
    """Return the cells of a letter in the solutions, and the reasons if there is only one."""
    cells = sorted({each[letter] for each in answers})
    because: list[str] | None = None
    if len(cells) == 1:
        elsewhere = {**model.domains, letter: tuple(name for name in NAMES if name not in cells)}
        because = list(conflict(Constraints(elsewhere, model.relations)) or ())
    return {"letter": letter, "cells": cells, "because": because}


def _lines(data: Mapping[str, Any]) -> list[str]:
    number = data["solutions"]
    if not number:
        reason = "There is no solution. These contradict each other, and none of them could be left out:"
        return [reason, f"  {' '.join(data['conflict'])}"]
    if number == MOST:
        return [f"There are {MOST:,} solutions or more."]
    words, letters = map(_about_word, data["words"]), map(_about_letter, data["letters"])
    first = f"There is one solution: {data['solution']}" if number == 1 else f"There are {count(number, 'solution')}."
    return [first, "", "Solutions without a word:", *words, "", "What forces the letters:", *letters]


def _about_word(word: Mapping[str, Any]) -> str:
    number = word["solutions_without"]
    amount = f"{number:,}" if number < MOST else f"{MOST:,} or more"
    return f"  {word['word']}: {amount}{', so it is redundant' if word['redundant'] else ''}"


def _about_letter(letter: Mapping[str, Any]) -> str:
    if letter["because"] is None:
        return f"  {letter['letter']} is not forced: {' '.join(letter['cells'])}"
    because = " ".join(letter["because"]) or "it is the only cell left"
    return f"  {letter['letter']} in {letter['cells'][0]}: {because}"
