"""What a puzzle is: the base class of the translators. A leaf: imports only `errors` and `pddl`.

A `Puzzle` is an immutable *position*; a move makes a new one. One file in `translators/` is one puzzle; its file name
is the registry (`sliding_tiles.py` is puzzle `sliding-tiles`), and its domain is `pddl/domains/NAME.pddl`.

Laws that every puzzle obeys, and that the tests hold for each of them:

    parse(str(p)) == p                               text comes back, for every reachable position
    {m : m in p.moves()} == {decode(a) : a applicable in PDDL}      check() compares both, state by state
    p.apply(m).atoms() == PDDL successor             fluents only: no static and no derived atoms
    p.solved() == PDDL goal

Beyond that a puzzle may say more of itself, and more can be done with it; what it leaves out is refused in words:

    heuristics                        estimates for searches on the rules; see `Heuristic`
    goal_position(), predecessors()   for searches from both ends
    compass                           for walkers that know their left hand from their right
    options, generate(), every()      levels of a shape, random ones or all of them
    score()                           points, for tables that compare ways to play
    symmetries(), canonical()         so that levels are generated once only
    subgoals()                        so that it can be solved in stages; see `Subgoal`
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from unpuzzle.errors import IllegalMove, ParseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from random import Random
    from typing import Any, ClassVar, Self

    from unpuzzle.options import Option
    from unpuzzle.pddl.nodes import Atom, GroundAction, Task


class Heuristic:
    """A named estimate of the cost from a position to a goal, for searches on the rules.

    Attributes:
        name: on the command line, e.g. `manhattan`.
        about: one line for people.
        estimate: position → estimate; 0 at goals. `float("inf")` says that there is no way to a goal.
        admissible: whether no estimate, on any level it fits, is more than the least cost.
        consistent: whether no move, on any level it fits, lowers the estimate by more than it costs.
        between: (position, other position) → estimate of the cost from the one to the other, or None if the heuristic
            only knows the way to the goal. Searches from both ends need it to aim backwards.
        unfit: position → why the heuristic does not fit this level, or None if it does.
        ticking: whether `estimate` takes a second argument, a function to be called now and then where one estimate may
            take long, and which may raise: so the limits of a search hold.
    """

    __slots__ = ("about", "admissible", "between", "consistent", "estimate", "name", "ticking", "unfit")

    def __init__(
        self,
        name: str,
        about: str,
        estimate: Callable[..., float],
        *,
        admissible: bool,
        consistent: bool,
        between: Callable[[Any, Any], float] | None = None,
        unfit: Callable[[Any], str | None] = lambda position: None,
        ticking: bool = False,
    ) -> None:
        self.name = name
        self.about = about
        self.estimate = estimate
        self.admissible = admissible
        self.consistent = consistent
        self.between = between
        self.unfit = unfit
        self.ticking = ticking

    def watched(self, tick: Callable[[], None]) -> Callable[[Any], float]:
        """`estimate`, which calls `tick` where it takes long."""
        estimate = self.estimate
        return (lambda position: estimate(position, tick)) if self.ticking else estimate

    def __repr__(self) -> str:
        return f"Heuristic({self.name!r})"


NULL = Heuristic(
    "null",
    "always 0: A* becomes uniform-cost search",
    lambda position: 0,
    admissible=True,
    consistent=True,
    between=lambda position, other: 0,
)


class Subgoal:
    """One stage on the way to the goal: a search of its own, which looks at no more than what matters until then.

    A stage looks at *views* of positions: what it does not look at has no part in them, so positions that differ in
    nothing else are one. The moves of a view are those of all its positions, and lead to the views that they lead to.

    Attributes:
        name: what is achieved, such as `14 15`.
        view: position → its view, which is hashable.
        successors: view → (move, following view, cost of the move).
        achieved: view → whether this and all earlier subgoals are achieved.
        estimate: view → estimate of the cost until then.
        admissible: whether the estimate is never more than the least cost, and consistent.
        key: view → what compares views where the order of paths matters.
    """

    __slots__ = ("achieved", "admissible", "estimate", "key", "name", "successors", "view")

    def __init__(
        self,
        name: str,
        *,
        view: Callable[[Any], Any],
        successors: Callable[[Any], Iterable[tuple[str, Any, int]]],
        achieved: Callable[[Any], bool],
        estimate: Callable[[Any], float],
        admissible: bool,
        key: Callable[[Any], Any] = str,
    ) -> None:
        self.name = name
        self.view = view
        self.successors = successors
        self.achieved = achieved
        self.estimate = estimate
        self.admissible = admissible
        self.key = key

    def __repr__(self) -> str:
        return f"Subgoal({self.name!r})"


class Puzzle(ABC):
    """A position of a puzzle. Subclasses say what makes two positions equal in `_key()`."""

    __slots__ = ()

    name: ClassVar[str] = ""
    """The puzzle's name on the command line, e.g. `sliding-tiles`."""
    title: ClassVar[str] = ""
    """One line for people: what the puzzle is."""
    levels: ClassVar[Mapping[str, str]] = {}
    """The bundled levels: text by name."""
    one_letter_moves: ClassVar[bool] = True
    """Whether every move is one letter, so that moves may be written run together: `ULDRR`."""
    heuristics: ClassVar[Mapping[str, Heuristic]] = {NULL.name: NULL}
    """By name; the first but `null` is the default of the searches that want one."""
    options: ClassVar[Mapping[str, Option]] = {}
    """What generated levels may be asked to be, by name: size, boxes, walls."""
    compass: ClassVar[tuple[str, ...]] = ()
    """For puzzles in which one walker walks on a grid: the moves as headings, clockwise, such as N, E, S, W.

    Their number is even: what lies half a compass away is the way back.
    """

    @classmethod
    @abstractmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        """The position that a text describes; `source` is its file name, for errors.

        Raises ParseError with line and column where the text is not a position.
        """

    @abstractmethod
    def __str__(self) -> str:
        """The text of this position, as `parse` reads it, ending with a newline."""

    @abstractmethod
    def moves(self) -> tuple[str, ...]:
        """The legal moves, in the puzzle's fixed order; a solved position has them, too."""

    @abstractmethod
    def apply(self, move: str) -> Self:
        """The position after a move. Raises IllegalMove, saying why."""

    def cost(self, move: str) -> int:
        """The cost of a legal move: a whole number, 0 or more; 1 unless the puzzle says otherwise."""
        return 1

    @abstractmethod
    def solved(self) -> bool:
        """Whether this position is a goal."""

    @abstractmethod
    def task(self) -> Task:
        """This position as a PDDL task."""

    @abstractmethod
    def atoms(self) -> frozenset[Atom]:
        """This position as PDDL: the fluent atoms that are true, no static and no derived ones."""

    @abstractmethod
    def decode(self, action: GroundAction) -> str:
        """The one move that a ground action of `task()` stands for.

        Raises ParseError for an action that is none of this puzzle's.
        """

    @abstractmethod
    def draw(self) -> str:
        """A picture of the position, as text of one or more lines."""

    @classmethod
    @abstractmethod
    def sample(cls, rng: Random) -> Self:
        """A random small level (up to some thousands of states), for tests. May be unsolvable."""

    @classmethod
    def generate(cls, rng: Random, options: Mapping[str, Any]) -> Self:
        """A random level, which may be unsolvable; equal states of `rng` give equal levels, in every process.

        Args:
            rng: the only source of chance.
            options: a value for each of `cls.options`; see `unpuzzle.options.completed`.

        Raises ParseError where values do not go together, with these options always.
        """
        return cls.sample(rng)

    @classmethod
    def every(cls, options: Mapping[str, Any]) -> Iterable[Self] | None:
        """Every level that `generate` may give, one after the other in a fixed order; those that are symmetric to
        others may be left out. None if the puzzle does not say.
        """
        return None

    def impossible(self) -> str | None:
        """A reason, known without search, why the goal cannot be reached; None if no such reason is known."""
        return None

    def goal_position(self) -> Puzzle | None:
        """The one solved position in which the shortest solutions end; None if there are several or it is not known.

        Where it is known, that of a solved position is the position itself.
        """
        return None

    def predecessors(self) -> Iterable[tuple[str, Puzzle]] | None:
        """(move, previous position) with `previous.apply(move) == self`; None if the puzzle does not say.

        All previous positions that are not solved and that can be reached from a level with a `goal_position`; others
        may be left out.
        """
        return None

    def symmetries(self) -> Iterable[Puzzle]:
        """This position and those that are the same but for a reflection, a rotation or an exchange of names.

        Each of them once; those of any of them are the same set.
        """
        return (self,)

    def score(self, moves: Iterable[str]) -> int | None:
        """The points of a game that starts here, after legal moves; None if the puzzle gives no points."""
        return None

    def canonical(self) -> Puzzle:
        """One and the same position for all that are the same but for symmetry: the shortest and then least text.

        It may be of another shape (rows and columns exchanged), so it tells whether two levels are the same, and not
        which of them to show.
        """
        return min(self.symmetries(), key=by_text)

    def subgoals(self) -> Sequence[Subgoal] | None:
        """What to achieve one after the other, from this position on; None if the puzzle names no subgoals.

        Each keeps what those before it have achieved; a position in which all are achieved is solved.
        """
        return None

    @abstractmethod
    def _key(self) -> Hashable:
        """All that distinguishes this position from others of its class."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"


def heuristic_of(level: Puzzle, name: str | None = None) -> Heuristic:
    """A puzzle's heuristic by its name; without a name the default one, the first but `null`, if there is another.

    Raises ParseError if there is none of this name, or if it does not fit the level.
    """
    known = level.heuristics
    if name is None:
        name = next((other for other in known if other != NULL.name), NULL.name)
    heuristic = known.get(name, NULL if name == NULL.name else None)
    if heuristic is None:
        from unpuzzle.pddl.complaints import suggestion

        hint = suggestion(name, known) or f"; there are {', '.join(known)}"
        raise ParseError(f"{level.name} has no heuristic '{name}'{hint}")
    reason = heuristic.unfit(level)
    if reason is not None:
        raise ParseError(f"the heuristic '{name}' does not fit this level: {reason}")
    return heuristic


def by_text(position: Puzzle) -> tuple[int, str]:
    """A key that sorts positions: shorter texts first."""
    text = str(position)
    return len(text), text


class Replay:
    """What became of a sequence of moves.

    Attributes: `legal` (all moves are), `solved` (legal, and the last position is a goal), `cost` of the moves played,
    `step` (number, from 1, of the first illegal move, or None), `reason` (a sentence, empty if solved), `position` (the
    last one reached).
    """

    __slots__ = ("cost", "legal", "position", "reason", "solved", "step")

    def __init__(self, position: Puzzle, cost: int, step: int | None, reason: str) -> None:
        self.position = position
        self.cost = cost
        self.step = step
        self.legal = step is None
        self.solved = self.legal and position.solved()
        self.reason = reason or ("" if self.solved else "the goal is not reached after the last move")


def replay(puzzle: Puzzle, moves: Iterable[str]) -> Replay:
    """Play moves on the rules, up to the first illegal one."""
    position, cost = puzzle, 0
    for step, move in enumerate(moves, 1):
        try:
            following = position.apply(move)
        except IllegalMove as error:
            return Replay(position, cost, step, f"move {step} is illegal: {error}")
        cost += position.cost(move)
        position = following
    return Replay(position, cost, None, "")


def split_moves(puzzle: type[Puzzle] | Puzzle, text: str) -> tuple[str, ...]:
    """The moves of a text: separated by blanks or, where all moves are one letter, run together."""
    words = text.split()
    return tuple("".join(words)) if puzzle.one_letter_moves else tuple(words)
