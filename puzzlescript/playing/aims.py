"""The win conditions, each as a whole or, where equivalent, divided by cells, with their truth values on a board.

`all Crate on Mark` is divided by the cells of crates or, if there are as many marks, by the cells of marks: every crate
is on a mark exactly if every mark has a crate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unpuzzle.puzzlescript.compiling.compiled import Compiled, WinCondition
from unpuzzle.puzzlescript.playing.sets import bits, has

WORDS = {-1: "no", 0: "some", 1: "all"}
FEW = 3
"""The largest number of objects listed in the name of a set."""


def aims(game: Compiled, cells: Sequence[int], height: int) -> tuple[Mapping[str, bool], ...]:
    """Return three divisions of the win conditions on a board: by cells of the second objects, by cells of the first
    objects, and without cells.

    Each is a dictionary from words to truth values; it is empty if it is impossible for this board.
    """
    by_first: dict[str, bool] = {}
    by_second: dict[str, bool] = {}
    whole: dict[str, bool] = {}
    divisible = True
    for win in game.wins:
        first = [place for place, cell in enumerate(cells) if has(cell, win.first, win.first_is_aggregate)]
        second = _second(win, cells)
        names = set_text(game, win.first, win.first_is_aggregate), set_text(game, win.second, win.second_is_aggregate)
        text = f"{WORDS[win.quantifier]} {names[0]}" + ("" if win.anything else f" on {names[1]}")
        whole[text] = _holds(win, first, second)
        if win.quantifier != 1 or win.anything:
            by_first[text] = by_second[text] = whole[text]
            continue
        by_first |= {f"{names[0]} in {place_text(place, height)} on {names[1]}": place in second for place in first}
        divisible = divisible and len(first) == len(second)
        by_second |= {f"{names[0]} on {names[1]} in {place_text(place, height)}": place in first for place in second}
    return by_second if divisible else {}, by_first, whole


def _second(win: WinCondition, cells: Sequence[int]) -> set[int]:
    """Return the cells that have the second objects of a win condition; all cells if it has no second objects."""
    if win.anything:
        return set(range(len(cells)))
    return {place for place, cell in enumerate(cells) if has(cell, win.second, win.second_is_aggregate)}


def _holds(win: WinCondition, first: Sequence[int], second: set[int]) -> bool:
    number = sum(place in second for place in first)
    return number == len(first) if win.quantifier > 0 else bool(number) == (win.quantifier == 0)


def set_text(game: Compiled, objects: int, whole: bool = False) -> str:
    """Return the names of some objects, joined by `or`, or by `and` if a cell has all of them (`whole`)."""
    names = [game.objects[number].lower() for number in bits(objects)]
    shown = names if len(names) <= FEW else [*names[:FEW], "others"]
    return (" and " if whole else " or ").join(shown)


def place_text(place: int, height: int) -> str:
    """Return a description of a cell: row and column, counted from 1."""
    return f"row {place % height + 1}, column {place // height + 1}"
