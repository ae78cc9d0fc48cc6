"""Lights out (Tiger Electronics, 1995): pressing a cell switches its light and the adjacent ones; all must go off.

`1` is lit, `.` is not; a first line `torus` joins the edges, so that each cell has four neighbours. Moves: `r1c2`.

Every press switches the same lights wherever it is made, so presses commute, two of one cell cancel, and a solution is
a set of cells: a solution of linear equations over the integers modulo 2, one for each light. So `impossible` decides
it for every board, with edges joined or not: there are no other conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Self

from unpuzzle.base.run import within_limits
from unpuzzle.constraints import Constraints, Relation, parity_solution
from unpuzzle.model.capabilities import Constrained, Generating, HasHeuristics, Reversible
from unpuzzle.model.heuristic import NULL, Heuristic
from unpuzzle.model.options import Choice, Option, Size, by_name
from unpuzzle.translators.shared.grid import GridPuzzle

FIFTHS = Heuristic("fifths", "of the lights", lambda p: -(-p.cells.count("1") // 5), admissible=True, consistent=True)
EDGES = Choice("edges", "closed, or joined as on a torus", "closed", ("closed", "torus"))


class LightsOut(GridPuzzle, Generating, HasHeuristics, Constrained, Reversible):
    """A position of Lights out: the cells whose lights are on."""

    name = "lights-out"
    title = "Lights out: a press switches a light and those next to it; turn all of them off"
    levels: ClassVar[Mapping[str, str]] = {
        "3x3": "1.1\n.1.\n1.1\n",
        "4x3": "11.\n.1.\n1..\n111\n",
        "torus": "torus\n....\n.1.1\n....\n",
        "unsolvable": "1...\n....\n....\n....\n",
    }
    one_letter_moves = False
    symbols: ClassVar[Mapping[str, str]] = {"1": "lit", ".": "not lit"}
    looks: ClassVar[Mapping[str, str]] = {"1": "●", ".": "○"}
    known_keywords: ClassVar[Sequence[str]] = ("torus",)
    predicates: ClassVar[Mapping[str, Sequence[str]]] = {"1": ("lit",)}
    actions: ClassVar[Mapping[str, str | Callable[..., str]]] = {"press": "{0}"}
    options: Mapping[str, Option] = by_name(Size("size", "rows and columns", (3, 3), most=20), EDGES)
    heuristics: Mapping[str, Heuristic] = by_name(FIFTHS, NULL)

    def switched(self, cell: int) -> list[int]:
        return sorted({cell, *self.around[cell].values()})

    def following(self) -> dict[str, Self]:
        other = ["1" if symbol == "." else "." for symbol in self.cells]
        cells = within_limits(range(len(other)))
        return {self.names[i]: self.changed({j: other[j] for j in self.switched(i)}) for i in cells}

    def solved(self) -> bool:
        return "1" not in self.cells

    def impossible(self) -> str | None:
        return None if parity_solution(self.constraints()) else "no set of presses switches just these lights off"

    def constraints(self) -> Constraints:
        """Return the constraint model: which cells to press, as parities (Anderson and Feil, 1998)."""
        near = ([self.names[j] for j in self.switched(i)] for i in range(len(self.cells)))
        lights = [Relation("parity", cells, light == "1") for cells, light in zip(near, self.cells, strict=True)]
        return Constraints(dict.fromkeys(self.names, (0, 1)), lights, {name: {1: 1} for name in self.names})

    def moves_to(self, solution: Mapping[str, Any]) -> list[str]:
        return [name for name in self.names if solution[name]]

    def goal_position(self) -> Self:
        return self.changed(dict.fromkeys(self.where("1"), "."))

    def predecessors(self) -> list[tuple[str, Self]]:
        return [*self.following().items()]

    def statics(self) -> list[tuple[str, ...]]:
        return [("switches", self.names[i], self.names[j]) for i in range(len(self.cells)) for j in self.switched(i)]

    def goal_condition(self) -> list[tuple[str, ...]]:
        return [("not", "lit", name) for name in self.names]

    @classmethod
    def generate(cls, rng: Random, options: Mapping[str, Any]) -> Self:
        rows, columns = options["size"]
        return cls("".join(rng.choices(".1", k=rows * columns)), columns, frozenset({"torus"} & {options["edges"]}))
