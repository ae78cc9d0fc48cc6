"""Atoms ↔ bits: each ground atom gets the next bit when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unpuzzle.pddl.nodes import Atom

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    MakeAtom = Callable[..., Atom]


class Numbering:
    """The bits of a task's fluent and derived atoms.

    `make` makes the atom of a predicate and its arguments; one that always gives the same node for the same words saves
    those who compare sets of atoms from looking into them.
    """

    __slots__ = ("_atoms", "_bits", "_make", "masks")

    def __init__(self, make: MakeAtom | None = None) -> None:
        self._make = make or _atom
        self._bits: dict[tuple[str, tuple[str, ...]], int] = {}
        self._atoms: list[Atom] = []
        self.masks: dict[str, int] = {}
        """The bits of all atoms of a predicate."""

    def bit(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """An int in which the atom's bit alone is set."""
        key = predicate, arguments
        bit = self._bits.get(key)
        if bit is None:
            bit = self._bits[key] = 1 << len(self._atoms)
            self._atoms.append(self._make(predicate, *arguments))
            self.masks[predicate] = self.masks.get(predicate, 0) | bit
        return bit

    def state(self, atoms: Iterable[Atom]) -> int:
        """The int in which the bits of these atoms are set."""
        state = 0
        for atom in atoms:
            state |= self.bit(atom.predicate, atom.arguments)
        return state

    def atoms(self, state: int) -> frozenset[Atom]:
        """The atoms whose bits are set."""
        return frozenset([self._atoms[bit.bit_length() - 1] for bit in bits(state)])

    def mask(self, predicates: Iterable[str]) -> int:
        """The bits of all atoms of some predicates that were asked for so far."""
        mask = 0
        for predicate in predicates:
            mask |= self.masks.get(predicate, 0)
        return mask


def bits(state: int) -> list[int]:
    """The bits that are set, each as an int, the lowest first."""
    found = []
    while state:
        low = state & -state
        found.append(low)
        state ^= low
    return found


def _atom(predicate: str, *arguments: str) -> Atom:
    return Atom(predicate, arguments)
