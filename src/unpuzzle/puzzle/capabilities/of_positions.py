"""What a position may offer beyond the rules of its game."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from typing import Any, Protocol

    from unpuzzle.constraints import Constraints
    from unpuzzle.drawing import Ground, Piece
    from unpuzzle.limits import Deadline
    from unpuzzle.puzzle.heuristic import Subgoal
    from unpuzzle.puzzle.position import Position
else:
    Protocol = object  # importing `typing` would cost more than planning a tiny task


class Reversible(Protocol):
    """Can be searched from both ends."""

    def goal_position(self) -> Position | None:
        """The one solved position in which the shortest solutions end; None if there are several or it is not known.

        Where it is known, that of a solved position is the position itself.
        """

    def predecessors(self) -> Iterable[tuple[str, Position]] | None:
        """(move, previous position) with `previous.apply(move) == self`; None if it does not say.

        All previous positions that are not solved and that can be reached from a level with a `goal_position`; others
        may be left out.
        """


class Scored(Protocol):
    """Gives points."""

    def score(self, moves: Iterable[str]) -> int | None:
        """The points of a game that starts here, after legal moves; None if there are none."""


class Symmetric(Protocol):
    """Knows which positions are the same but for a reflection, a rotation or an exchange of names."""

    def symmetries(self) -> Iterable[Position]:
        """This position and those that are the same; each of them once; those of any of them are the same set."""


class Staged(Protocol):
    """Can be solved in stages."""

    def subgoals(self) -> Sequence[Subgoal] | None:
        """What to achieve one after the other, from this position on; None if it names no subgoals.

        Each keeps what those before it have achieved; a position in which all are achieved is solved.
        """


class Constrained(Protocol):
    """States its solutions as those of constraints: each of these is a way to solve it, and every way is one."""

    def constraints(self) -> Constraints:
        """Variables, their domains and the relations between them."""

    def moves_to(self, solution: Mapping[str, Hashable]) -> Iterable[str]:
        """Moves from here, whose cost is what the constraints say, that do what a solution of the constraints says."""


class ModelFinding(Protocol):
    """States its solutions as models of first-order formulas, in the language of the model finder Mace4."""

    def mace4_input(self) -> str:
        """The formulas, with all settings that they need, but none of how many models are wanted."""

    def from_mace4(self, text: str) -> list[dict[str, Hashable]]:
        """The models that are whole in what Mace4 printed, in order, as solutions of the position's constraints.

        Raises ParseError for what is no model of the formulas.
        """


class Lined(Protocol):
    """Can be written in one line, for tables and programs."""

    def line(self) -> str:
        """The position in one line without blanks, such as 81 digits, or rows joined by `/`."""


class Graded(Protocol):
    """Knows how hard it is for people."""

    def grade(self) -> tuple[int, str] | None:
        """How hard: a number that sorts, and words; None where that is not known, as of positions without solution."""


class Explaining(Protocol):
    """Can say why: the next step of a person who solves it, or what each part of the level is needed for."""

    def explain(self) -> tuple[str, dict[str, Any]]:
        """Lines for people, and the same as plain data for programs."""


class Plain(Protocol):
    """Shows itself as plain data, for programs that do not know its class."""

    def plain(self) -> object:
        """Lists, tuples, dicts, strings, numbers and None."""


class Pictured(Protocol):
    """Describes its picture once, for the terminal, SVG, animations, paper and pages: see `unpuzzle.drawing`."""

    def ground(self) -> Ground:
        """What no move changes: equal for all positions of a level, and made once for all of them."""

    def pieces(self) -> Sequence[Piece]:
        """What moves change, as (look, row, column, kind), in any order; equal for equal positions of a level only."""


class Narrated(Protocol):
    """Belongs to a level of a game that tells something between its levels."""

    def messages(self) -> tuple[Sequence[str], Sequence[str]]:
        """The messages that come before its level, and those after it where no other level follows."""


class Annotated(Protocol):
    """Has more to say on paper than its picture does, such as clues."""

    def notes(self) -> Sequence[tuple[str, Sequence[str]]]:
        """Headings, each with its lines; none if there is nothing to say."""


class PartlyUnseen(Protocol):
    """Has more in a position than can be seen, such as in which direction something is about to move."""

    def seen(self) -> Hashable:
        """What is seen: equal for two positions of a level that look the same."""


class Respelled(Protocol):
    """Has plain data that can be written in several ways, such as towers, whose order says nothing."""

    def respelled(self, plain: object) -> object:
        """The way in which `plain()` writes what such data means; data that means nothing comes back as it is."""


class Parameterized(Protocol):
    """Has search components that need to know more than a state, such as the words that a crossword may hold."""

    def component_arguments(self) -> dict[str, object]:
        """What `successors(state, ...)` and `is_goal(state, ...)` may take besides, by name, as plain data."""


class Assuming(Protocol):
    """Is the usual case in some of its `component_arguments`."""

    def assumed_arguments(self) -> Iterable[str]:
        """The names of those that a function may leave out here, since they are what everybody expects."""


class Overwriting(Protocol):
    """Can be searched as published work does, whose moves may write over what stands there."""

    def writings(self, consistent: bool) -> Iterable[tuple[str, Position]]:
        """(what is written, position after it), legal or not, also where nothing changes; all legal moves among them.

        `consistent`: only what keeps that which stands there.
        """

    def moves_towards(self, end: Position) -> Iterable[str]:
        """Moves from here that lead to what stands in `end`, if legal ones do."""


class StateArrays(Protocol):
    """A state space in arrays, each as bytes; `spaces/space.py` says what they hold.

    `status` is `complete`, or the limit that was reached after so many states were `expanded`.
    """

    @property
    def status(self) -> str: ...
    @property
    def expanded(self) -> int: ...
    def depth(self) -> bytes: ...
    def offsets(self) -> bytes: ...
    def targets(self) -> bytes: ...
    def operators(self) -> bytes: ...
    def goals(self) -> bytes: ...
    def distance(self) -> bytes: ...
    def goal_distance(self) -> bytes: ...
    def plans(self) -> bytes: ...


class SelfExploring(Protocol):
    """Explores its own state space, faster than others could: each move costs 1."""

    def explore_states(
        self, deadline: Deadline, max_states: int | None = None, progress: Callable[[int], None] | None = None
    ) -> tuple[tuple[str, ...], StateArrays]:
        """Return all moves that there may be, and the space; its operators are their places.

        Args:
            deadline: of the work.
            max_states: the most states that there may be.
            progress: called now and then with the number of states that are expanded.
        """


class Translated(Protocol):
    """Has PDDL that is found by translating its rules, which may take a while.

    It is that of the level: its actions are decoded alike in all positions that the level leads to.
    """

    def translate(self, tick: Callable[[], None], most_steps: int | None = None) -> None:
        """Translates now what `task`, `atoms` and `decode` need; `tick` is called often, and raises to end the work.

        Raises UnsupportedFeature where the rules cannot be translated, EffortSpent where that takes more than
        `most_steps`. Steps are counted and not timed; they are the same whenever it is asked.
        """


class Written(Protocol):
    """Has a text that makers of levels write, besides the one in which all that makes the position is told."""

    def as_level(self) -> str:
        """What `parse` reads as this position, as levels are written; its usual text where it cannot be."""
