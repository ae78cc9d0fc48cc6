"""What a position may offer beyond the rules of its game."""

from __future__ import annotations

from abc import abstractmethod

from unpuzzle.puzzle.position import Position, by_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from typing import Any

    from unpuzzle.constraints import Constraints
    from unpuzzle.drawing import Ground, Piece
    from unpuzzle.limits import Deadline
    from unpuzzle.puzzle.capabilities.answers import StateArrays
    from unpuzzle.puzzle.heuristic import Subgoal


class Reversible(Position):
    """Can be searched from both ends."""

    __slots__ = ()

    @abstractmethod
    def goal_position(self) -> Position | None:
        """Return the solved position in which shortest solutions end, itself if solved; None if unknown or several."""

    @abstractmethod
    def predecessors(self) -> Iterable[tuple[str, Position]] | None:
        """Return pairs (move, previous position) with `previous.apply(move) == self`; None where it cannot say.

        All unsolved previous positions are among them that a level with a `goal_position` leads to; others need not be.
        """


class Scored(Position):
    """Gives points."""

    __slots__ = ()

    @abstractmethod
    def level_score(self, moves: Iterable[str]) -> int | None:
        """Return the points of a game that starts here, after legal moves; None if it has none."""


class Symmetric(Position):
    """Knows which positions are the same but for a reflection, a rotation or an exchange of names."""

    __slots__ = ()

    @abstractmethod
    def symmetries(self) -> Iterable[Position]:
        """Return this position and all that are the same, each once; each of them gives the same set."""

    def canonical(self) -> Position:
        return min(self.symmetries(), key=by_text)


class Staged(Position):
    """Can be solved in stages."""

    __slots__ = ()

    @abstractmethod
    def subgoals(self) -> Sequence[Subgoal] | None:
        """Return what to achieve one after the other, from this position on; None if it names no subgoals.

        Each keeps what those before it have achieved; a position in which all are achieved is solved.
        """


class Constrained(Position):
    """States its solutions as those of constraints: each of these is a way to solve it, and every way is one."""

    __slots__ = ()

    @abstractmethod
    def constraints(self) -> Constraints:
        """Return variables, their domains and the relations between them."""

    @abstractmethod
    def moves_to(self, solution: Mapping[str, Hashable]) -> Iterable[str]:
        """Return the moves from here that a solution of the constraints stands for, at the cost that it says."""


class ModelFinding(Position):
    """States its solutions as models of first-order formulas, in the language of the model finder Mace4."""

    __slots__ = ()

    @abstractmethod
    def mace4_input(self) -> str:
        """Return the formulas, with all settings that they need but the number of models."""

    @abstractmethod
    def from_mace4(self, text: str) -> list[dict[str, Hashable]]:
        """Return the models that Mace4 printed, as solutions of the constraints. Raises ParseError for other texts."""


class Explaining(Position):
    """Can say why: the next step of a person who solves it, or what each part of the level is needed for."""

    __slots__ = ()

    @abstractmethod
    def explain(self) -> tuple[str, dict[str, Any]]:
        """Return lines for people, and the same as plain data for programs."""

    def grade(self) -> tuple[int, str] | None:
        """Return how hard it is for people: a number that sorts, and words; None where that is not known."""
        return None


class Pictured(Position):
    """Describes its picture once, for the terminal, SVG, animations, paper and pages: see `unpuzzle.drawing`."""

    __slots__ = ()

    @abstractmethod
    def ground(self) -> Ground:
        """Return the part of the picture that no move changes; it is made once for all positions of a level."""

    @abstractmethod
    def pieces(self) -> Sequence[Piece]:
        """Return what moves change, as (look, row, column, kind); only equal positions of a level have equal pieces."""

    def draw(self) -> str:
        from unpuzzle.drawing import terminal

        return terminal(self.ground(), self.pieces())

    def seen(self) -> Hashable:
        """Return a value that is equal for positions of a level that look the same; by default the position itself.

        To define where more is in a position than can be seen, such as where something is about to move.
        """
        return self

    def notes(self) -> Sequence[tuple[str, Sequence[str]]]:
        """Return what paper shows beside the picture: headings, each with its lines."""
        return ()


class Overwriting(Position):
    """Can be searched as published work does, whose moves may write over what stands there."""

    __slots__ = ()

    @abstractmethod
    def writings(self, consistent: bool) -> Iterable[tuple[str, Position]]:
        """Return pairs (what is written, position after it), legal or not; if `consistent`, those that keep what stands
        there.
        """

    @abstractmethod
    def moves_towards(self, end: Any) -> Iterable[str]:
        """Return moves from here that lead to what stands in `end`, if legal moves do."""


class SelfExploring(Position):
    """Explores its own state space, faster than others could: each move costs 1."""

    __slots__ = ()

    @abstractmethod
    def explore_states(
        self, deadline: Deadline, max_states: int | None = None, progress: Callable[[int], None] | None = None
    ) -> tuple[tuple[str, ...], StateArrays]:
        """Return all moves that there may be, and the space, whose operators are their places.

        `progress` is called now and then with the number of states that are expanded.
        """


class Translated(Position):
    """Has PDDL that is translated from its rules, which may take a while; actions are decoded alike everywhere."""

    __slots__ = ()

    @abstractmethod
    def translate(self, tick: Callable[[], None], most_steps: int | None = None) -> None:
        """Translate now what `task`, `atoms` and `decode` need; `tick` is called often, and may raise to end the work.

        Raises UnsupportedFeature where the rules cannot be translated, EffortSpent where that takes more than
        `most_steps`. Steps are counted and not timed; they are the same whenever it is asked.
        """
