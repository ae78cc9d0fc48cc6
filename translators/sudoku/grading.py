"""Difficulty of sudokus for people, and the next step with its reason.

A person tries the techniques from the easiest on, and begins again after each step. The grade is the hardest technique
needed; if all fail, it is `search`: trying values until all others lead to a contradiction.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import Any

from unpuzzle.translators.sudoku.board import EMPTY, SYMBOLS
from unpuzzle.translators.sudoku.candidates import solutions
from unpuzzle.translators.sudoku.techniques import LADDER, Deduction, Notes, values_of
from unpuzzle.words import listing

SEARCH = "search"
GRADES = ("nothing to do", *LADDER, SEARCH)


@lru_cache(maxsize=64)
def grade(cells: str) -> tuple[int, str] | None:
    """Return the place in `GRADES` of the hardest technique needed, and its name; None without exactly one solution."""
    if len(list(islice(solutions(cells), 2))) != 1:
        return None
    hardest = hardest_technique(cells)
    return (len(GRADES) - 1, SEARCH) if hardest is None else (hardest, GRADES[hardest])


def hardest_technique(cells: str, most: int = len(LADDER)) -> int | None:
    """Return the place in `GRADES` of the hardest technique needed; None if techniques up to `most` are not enough.

    The board must have a solution; a board solved by techniques has only one.
    """
    notes, hardest = Notes(cells), 0
    while any(notes.left):
        step = next_step(notes, most)
        if step is None:
            return None
        notes.take(step)
        hardest = max(hardest, GRADES.index(step.technique))
    return hardest


def next_step(notes: Notes, most: int = len(LADDER)) -> Deduction | None:
    """Return the first step among the `most` easiest techniques, easiest first; None if none helps."""
    steps = (step for technique in islice(LADDER.values(), most) for step in technique(notes))
    return next(steps, None)


def explain(cells: str, impossible: str | None) -> tuple[str, dict[str, Any]]:
    """Return the next value with the reason, as lines for people and as plain data; `impossible` tells why there is no
    solution.

    The data describe the first step, with `steps`: all steps needed up to the first placed value; `technique` is None
    without a step, and `reason` tells why.
    """
    answers = list(islice(solutions(cells), 2))
    names = Notes(cells).board.names
    if not answers or EMPTY not in cells:
        reason = "all cells are filled" if answers else impossible or _contradiction(cells, names)
        return reason, _no_step(reason)
    steps = steps_to_a_value(cells)
    if not steps and len(answers) == 2:
        cell = next(cell for cell, symbols in enumerate(zip(*answers, strict=True)) if len(set(symbols)) == 2)
        values = listing(sorted(solution[cell] for solution in answers), "or")
        reason = f"there are several solutions, and no technique helps: {names[cell]} may be {values}"
        return reason, _no_step(reason)
    steps = steps or [_by_search(cells, answers[0])]
    (cell, value), *_ = steps[-1].placed.items()
    lines = [*(f"{step.technique}: {step.reason}" for step in steps), f"so {names[cell]}={SYMBOLS[value - 1]}"]
    return "\n".join(lines), {**steps[0].plain(names), "steps": [step.plain(names) for step in steps]}


def steps_to_a_value(cells: str) -> list[Deduction]:
    """Return the steps of an easiest path to the next value, all of them needed; none if the techniques fail."""
    notes, steps = Notes(cells), list[Deduction]()
    while not steps or not steps[-1].placed:
        step = next_step(notes)
        if step is None:
            return []
        notes.take(step)
        steps.append(step)
    for step in steps[-2::-1]:
        steps = _replayed(cells, [other for other in steps if other.reason != step.reason]) or steps
    return steps


def _replayed(cells: str, steps: list[Deduction]) -> list[Deduction] | None:
    """Return the same steps if they can be done one after the other without further steps; else None."""
    notes, again = Notes(cells), []
    for step in steps:
        same = next((each for each in LADDER[step.technique](notes) if each.reason == step.reason), None)
        if same is None:
            return None
        notes.take(same)
        again.append(same)
    return again


def _by_search(cells: str, solution: str) -> Deduction:
    """Return a step that fills the cell with the fewest remaining values, when no technique helps."""
    notes = Notes(cells)
    cell = min((cell for cell, bits in enumerate(notes.left) if bits), key=lambda cell: notes.left[cell].bit_count())
    value = notes.board.symbols.index(solution[cell]) + 1
    others = notes.left[cell] & ~(1 << value - 1)
    reason = (
        f"no technique helps; of the values left for {notes.board.names[cell]}, {notes.symbols(others)} "
        f"would lead to a contradiction"
    )
    return Deduction(SEARCH, [cell], [value, *values_of(others)], reason, placed={cell: value})


def _contradiction(cells: str, names: tuple[str, ...]) -> str:
    """Return a sentence with values that contradict each other, all of them needed for that."""
    needed = cells
    for cell in range(len(cells)):
        fewer = needed[:cell] + EMPTY + needed[cell + 1 :]
        if next(solutions(fewer), None) is None:
            needed = fewer
    values = [f"{name}={symbol}" for name, symbol in zip(names, needed, strict=True) if symbol != EMPTY]
    return f"there is no solution: {', '.join(values)} contradict each other"


def _no_step(reason: str) -> dict[str, Any]:
    nothing: dict[str, Any] = {"cells": [], "values": [], "placed": {}, "removed": {}, "steps": []}
    return {"technique": None, "reason": reason, **nothing}
