"""Win conditions as PDDL: with quantifiers over cells unrolled and static objects decided at once.

`all Crate on Target` means that no crate is elsewhere, which is a long goal and a poor guide. If there are always as
many crates as targets, this is equivalent to a crate on each target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from unpuzzle.pddl.nodes import And, Atom, Condition, Not, Or
from unpuzzle.puzzlescript.compiling.compiled import Compiled, WinCondition
from unpuzzle.puzzlescript.forking.paths import Players
from unpuzzle.puzzlescript.forking.unknown import Number
from unpuzzle.puzzlescript.playing.sets import bits, has

Truth = Condition | bool
"""A condition, or its certain truth value."""


class Goals(NamedTuple):
    """The goal of a level; by cell, `static` has the certain objects, `unknown` the possible ones.

    `numbers` has the least and the largest number of each object.
    """

    game: Compiled
    static: Sequence[int]
    unknown: Sequence[int]
    numbers: Sequence[Number]
    at: Callable[[int, int], Atom]

    def condition(self) -> Truth:
        """Return all win conditions as one; True or False if certain, so False without any."""
        if not self.game.wins:
            return False
        return all_of(self._win(win) for win in self.game.wins)

    def fails(self, players: Players) -> bool:
        """Return whether the win conditions certainly fail in the players' cells.

        Other possible objects there are assumed to be as needed.
        """
        return any(self._fails(win, cell, objects) for cell, objects in players for win in self.game.wins)

    def _fails(self, win: WinCondition, cell: int, objects: int) -> bool:
        sure, may = self.static[cell] | objects, self.static[cell] | objects | self.unknown[cell]
        if not win.quantifier or not has(sure, win.first, win.first_is_aggregate):
            return False
        if win.quantifier < 0:
            return win.anything or has(sure, win.second, win.second_is_aggregate)
        return not (win.anything or has(may, win.second, win.second_is_aggregate))

    def _win(self, win: WinCondition) -> Truth:
        cells = range(len(self.static))
        if win.quantifier > 0:
            filled = self._filled(win)
            if filled is not None:
                return filled
            return all_of(any_of((negation(self._first(win, cell)), self._second(win, cell))) for cell in cells)
        both = (all_of((self._first(win, cell), self._second(win, cell))) for cell in cells)
        if win.quantifier < 0:
            return all_of(map(negation, both))
        return any_of(both)

    def _filled(self, win: WinCondition) -> Truth | None:
        """Return the condition that each target cell has one of the first objects, if it is equivalent; else None.

        It is equivalent if the target cells are certain and as many as the objects, and no two objects share a cell.
        """
        seconds = [self._second(win, cell) for cell in range(len(self.static))]
        if not all(isinstance(second, bool) for second in seconds) or not self._are(win, seconds.count(True)):
            return None
        filled = [self._first(win, cell) for cell, second in enumerate(seconds) if second]
        return None if any(isinstance(part, Or) for part in filled) else all_of(filled)

    def _are(self, win: WinCondition, cells: int) -> bool:
        """Return whether the first objects of a condition always fill a number of cells, wherever they are."""
        layers = sum(1 for layer in self.game.layers if layer & win.first)
        numbers = [self.numbers[number] for number in bits(win.first)]
        certain = all(least == most for least, most in numbers)
        apart = layers == 1 and (not win.first_is_aggregate or len(numbers) == 1)
        return apart and certain and sum(least for least, _ in numbers) == cells

    def _first(self, win: WinCondition, cell: int) -> Truth:
        return self._has(cell, win.first, win.first_is_aggregate)

    def _second(self, win: WinCondition, cell: int) -> Truth:
        return win.anything or self._has(cell, win.second, win.second_is_aggregate)

    def _has(self, cell: int, objects: int, whole: bool) -> Truth:
        unknown, static = self.unknown[cell], self.static[cell]
        each = [self.at(n, cell) if unknown >> n & 1 else bool(static >> n & 1) for n in bits(objects)]
        return all_of(each) if whole else any_of(each)


def all_of(parts: Iterable[Truth]) -> Truth:
    """Return the conjunction of some parts; certain ones are left out."""
    return _join(And, parts, neutral=True)


def any_of(parts: Iterable[Truth]) -> Truth:
    """Return the disjunction of some parts; certain ones are left out."""
    return _join(Or, parts, neutral=False)


def _join(kind: type[And] | type[Or], parts: Iterable[Truth], *, neutral: bool) -> Truth:
    """Return parts joined: a neutral part changes nothing, its opposite decides the whole."""
    operands: dict[Condition, None] = {}
    for part in parts:
        if part is (not neutral):
            return not neutral
        if part is not neutral:
            operands.update(dict.fromkeys(part.operands if isinstance(part, kind) else (part,)))
    return next(iter(operands)) if len(operands) == 1 else kind(tuple(operands)) if operands else neutral


def negation(part: Truth) -> Truth:
    """Return the opposite, with negations before atoms only."""
    match part:
        case bool():
            return not part
        case Not():
            return part.operand
        case And() | Or():
            return (any_of if isinstance(part, And) else all_of)(map(negation, part.operands))
    return Not(part)
