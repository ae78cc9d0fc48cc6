"""Atoms ↔ bits: each ground atom gets the next bit when it first occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unpuzzle.pddl.nodes import Atom

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    MakeAtom = Callable[..., Atom]


class Numbering:
    """The bits of a task's fluent and derived atoms.

    `make` makes the atom of a predicate and its arguments; one that returns the same node for the same words makes
    comparing sets of atoms faster.
    """

    __slots__ = ("_atoms", "_bits", "_make", "masks")

    def __init__(self, make: MakeAtom | None = None) -> None:
        self._make = make or _atom
        self._bits: dict[tuple[str, tuple[str, ...]], int] = {}
        self._atoms: list[Atom] = []
        self.masks: dict[str, int] = {}
        """The bits of all atoms of a predicate."""

    def bit(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Return an int in which only the atom's bit is set."""
        key = predicate, arguments
        bit = self._bits.get(key)
        if bit is None:
            bit = self._bits[key] = 1 << len(self._atoms)
            self._atoms.append(self._make(predicate, *arguments))
            self.masks[predicate] = self.masks.get(predicate, 0) | bit
        return bit

    def state(self, atoms: Iterable[Atom]) -> int:
        """Return the int in which the bits of some atoms are set."""
        state = 0
        for atom in atoms:
            state |= self.bit(atom.predicate, atom.arguments)
        return state

    def atoms(self, state: int) -> frozenset[Atom]:
        """Return the atoms whose bits are set."""
        return frozenset([self._atoms[bit.bit_length() - 1] for bit in bits(state)])

    def mask(self, predicates: Iterable[str]) -> int:
        """Return the bits that all atoms of some predicates have so far."""
        mask = 0
        for predicate in predicates:
            mask |= self.masks.get(predicate, 0)
        return mask


def bits(state: int) -> list[int]:
    """Return the bits that are set, each as an int, the lowest first."""
    single = []
    while state:
        low = state & -state
        single.append(low)
        state ^= low
    return single


def _atom(predicate: str, *arguments: str) -> Atom:
    return Atom(predicate, arguments)
