"""Optional features (capabilities) of games and positions; a class offers a feature by inheriting its class.

    class Hanoi(Puzzle, Generating, Reversible): ...

    of games        HasHeuristics  Generating (in position.py)  Traced
    of positions    Reversible  Scored  Symmetric  Staged  Constrained  ModelFinding  Explaining  Pictured
                    Overwriting  SelfExploring  Translated
    of both         ForComponents

A `Puzzle`, which is a game and its positions in one class, inherits capabilities of both. Abstract members have to be
defined, the others have defaults; a class without one is refused when its file is read, or its first object is made.

    offered(position, Symmetric)                        the position, or None if its class is not Symmetric
    required(game, Generating, "makes no levels")       the game, or an error that says what it would have to inherit

and functions that work with and without a capability: `heuristics_of`, `options_of`, `symmetries_of`, ...
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from random import Random

from unpuzzle.base.errors import UsageError
from unpuzzle.base.run import Limits
from unpuzzle.base.text import suggestion
from unpuzzle.base.type_hints import TYPE_CHECKING, Any, Protocol, Self, TypeVar
from unpuzzle.drawing import Ground, Piece, terminal
from unpuzzle.model.heuristic import NULL, Heuristic, Subgoal
from unpuzzle.model.options import Option
from unpuzzle.model.position import Game, Position, by_text
from unpuzzle.model.position import Generating as Generating  # noqa: PLC0414

if TYPE_CHECKING:
    from unpuzzle.constraints import Constraints

Capability = TypeVar("Capability")


class HasHeuristics:
    """A game with named heuristics for searches that apply the rules; the default is the first except `null`."""

    __slots__ = ()

    heuristics: Mapping[str, Heuristic]


class ForComponents:
    """A game that gives levels and JSON-like data to third-party search components. All members have defaults."""

    __slots__ = ()

    @classmethod
    def component_levels(cls, rng: Random) -> Iterable[Position] | None:
        """Return levels to test components on, some with few reachable positions; None for the bundled levels."""
        return None

    def plain(self) -> object:
        """Return the position as lists, tuples, dicts, strings, numbers and None; by default the position's text."""
        return str(self)

    def respelled(self, plain: object) -> object:
        """Return plain data in the form that `plain()` writes; return meaningless data unchanged."""
        return plain

    def component_arguments(self) -> dict[str, object]:
        """Return the arguments that `successors` and `is_goal` take after the state, as plain data."""
        return {}

    def assumed_arguments(self) -> Iterable[str]:
        """Return the names of arguments that a function may omit in this position, because their values are usual."""
        return ()


class Traced(ABC):
    """A game that shows the state of a level after each input."""

    __slots__ = ()

    @abstractmethod
    def trace(
        self,
        level: str,
        inputs: str,
        *,
        engine: str = "",
        seed: str = "",
        through: bool = False,
        states: bool = False,
        rules: bool = False,
    ) -> Tracing:
        """Return a replay of inputs (moves and other keys of a player) that has not started yet.

        `level` is a name or a text; with `through`, a level that is won is followed by the next one; with `states` all
        facts are shown; with `rules` each rule that fires. Raises ParseError for an unknown input, UsageError for a
        setting that the game does not have.
        """

    def cover(
        self,
        levels: Mapping[str, str] | None = None,
        *,
        limits: Limits | None = None,
        max_states: int | None = None,
        progress: Callable[[str, int], None] | None = None,
    ) -> Covering | None:
        """Return an exploration, not yet started, that finds the rules that fire in levels; None without such rules.

        `levels` are texts by name, an empty one for a level of the game's; the limits are of each level; `progress`
        takes the name of a level and the number of its positions so far.
        """
        return None

    def debugger(self) -> Debugger | None:
        """Return a debugger that shows which rules fire; None for a game without such rules."""
        return None


class Reversible(Position):
    """A position that supports search from both ends: from the start, and backwards from the goal."""

    __slots__ = ()

    @abstractmethod
    def goal_position(self) -> Position | None:
        """Return the solved position that ends shortest solutions (`self` if solved); None if unknown or not unique."""

    @abstractmethod
    def predecessors(self) -> Iterable[tuple[str, Position]] | None:
        """Return pairs (move, previous position) with `previous.apply(move) == self`; None if they are unknown.

        They include all unsolved positions that a level with a `goal_position` leads to; others may be missing.
        """


class Scored(Position):
    """A position of a game that counts points."""

    __slots__ = ()

    @abstractmethod
    def level_score(self, moves: Iterable[str]) -> int | None:
        """Return the player's points after legal moves from this position; None if the game has no points."""


class Symmetric(Position):
    """A position with a list of its symmetric positions: by reflection, rotation or an exchange of names."""

    __slots__ = ()

    @abstractmethod
    def symmetries(self) -> Iterable[Position]:
        """Return this position and all symmetric positions (by turning or renaming), without duplicates."""

    def canonical(self) -> Position:
        return min(self.symmetries(), key=by_text)


class Staged(Position):
    """A position that can be solved in stages: by one subgoal after another."""

    __slots__ = ()

    @abstractmethod
    def subgoals(self) -> Sequence[Subgoal] | None:
        """Return the subgoals to achieve in order, from this position on; None if there are none.

        Each keeps the earlier subgoals achieved; a position in which all are achieved is solved.
        """


class Constrained(Position):
    """A position that can be solved as a constraint problem with one solution for each way to solve the position."""

    __slots__ = ()

    @abstractmethod
    def constraints(self) -> Constraints:
        """Return the constraint problem: variables, their domains, and the relations between the variables."""

    @abstractmethod
    def moves_to(self, solution: Mapping[str, Hashable]) -> Iterable[str]:
        """Return moves from this position that produce a solution of the constraints, at the solution's stated cost."""


class ModelFinding(Position):
    """A position whose solutions are models of first-order formulas, in the language of the model finder Mace4."""

    __slots__ = ()

    @abstractmethod
    def mace4_input(self) -> str:
        """Return the formulas as input for Mace4, with all settings except the number of models."""

    @abstractmethod
    def from_mace4(self, text: str) -> list[dict[str, Hashable]]:
        """Return the models that Mace4 printed, as solutions of the constraints. Raises ParseError for other texts."""


class Explaining(Position):
    """A position that explains itself: the next step a person would take, or the use of each part of the level."""

    __slots__ = ()

    @abstractmethod
    def explain(self) -> tuple[str, dict[str, Any]]:
        """Return the explanation: lines for people, and the same content as plain data for programs."""

    def grade(self) -> tuple[int, str] | None:
        """Return the level's difficulty for people, as a number to sort by and in words; None if unknown."""
        return None


class Pictured(Position):
    """A position with a picture that the terminal, SVG, animations, paper and web pages use: see `unpuzzle.drawing`."""

    __slots__ = ()

    @abstractmethod
    def ground(self) -> Ground:
        """Return the part of the picture that no move changes; called once for all positions of a level."""

    @abstractmethod
    def pieces(self) -> Sequence[Piece]:
        """Return the parts of the picture that moves change: (look, row, column, kind); different for each position."""

    def draw(self) -> str:
        return terminal(self.ground(), self.pieces())

    def seen(self) -> Hashable:
        """Return a value that is equal for positions with equal pictures; by default the position itself."""
        return self

    def notes(self) -> Sequence[tuple[str, Sequence[str]]]:
        """Return the notes beside the picture on paper, as pairs (heading, lines)."""
        return ()

    def keyboard(self) -> Mapping[str, float]:
        """Return the differences between this game's keys on a web page and the usual keys; empty if there are none.

        `interval`: the seconds between moves `t` that happen by themselves; `noundo`, `norestart`: there are no such
        keys; `checkpoints`: a restart may lead to a checkpoint. With any of them, even 0, a won level is over.
        """
        return {}

    def checkpoint_after(self, move: str) -> Self | None:
        """Return the position to which a restart leads after a move; None if the move sets no checkpoint."""
        return None


class Overwriting(Position):
    """A position with the moves of published search algorithms, which may overwrite filled cells."""

    __slots__ = ()

    @abstractmethod
    def writings(self, consistent: bool) -> Iterable[tuple[str, Position]]:
        """Return pairs (writing, next position), legal or not; if `consistent`, only writings that fit filled cells."""

    @abstractmethod
    def moves_towards(self, end: Any) -> Iterable[str]:
        """Return legal moves from this position that lead to the contents of `end`, if there are such moves."""


class SelfExploring(Position):
    """A position that explores its own state space faster than the general search; each move must cost 1."""

    __slots__ = ()

    @abstractmethod
    def explore_states(
        self, max_states: int | None = None, progress: Callable[[int], None] | None = None
    ) -> tuple[tuple[str, ...], StateArrays]:
        """Return all moves, and the state space by their numbers; `progress` gets the number of expanded states."""


class Translated(Position):
    """A position with PDDL translated from rules, perhaps slowly; an action is the same move in all positions."""

    __slots__ = ()
    _translated = True

    @abstractmethod
    def translate(self, most_steps: int | None = None) -> None:
        """Translate now the parts of PDDL that `task`, `atoms` and `decode` use.

        Raises UnsupportedFeature for rules that cannot be translated, EffortSpent if that takes more than `most_steps`,
        which are counted and not timed, and LimitReached.
        """


def offered(subject: Any, capability: type[Capability]) -> Capability | None:
    """Return the game or position if it has a capability, else None."""
    has_it = issubclass(subject, capability) if isinstance(subject, type) else isinstance(subject, capability)
    return subject if has_it else None


def required(subject: Game | Position, capability: type[Capability], purpose: str) -> Capability:
    """Return the game or position if it has the capability. Raises UsageError, with the purpose, otherwise."""
    able = offered(subject, capability)
    if able is None:
        name = str(getattr(getattr(subject, "game", subject), "name", "this"))
        raise UsageError(f"{name} {purpose}: it does not inherit {capability.__name__}")
    return able


def heuristics_of(game: Game) -> Mapping[str, Heuristic]:
    """Return a game's heuristics by name, always including `null`."""
    able = offered(game, HasHeuristics)

    return {**(able.heuristics if able else {}), NULL.name: NULL}


def options_of(game: Game) -> Mapping[str, Option]:
    """Return the options of a game's levels."""
    able = offered(game, Generating)
    return able.options if able else {}


def generated(game: Game, rng: Random, options: Mapping[str, Any]) -> Position:
    """Return a random level: generated or, if the game does not generate levels, a sample."""
    able = offered(game, Generating)
    return able.generate(rng, options) if able else game.sample(rng)


def symmetries_of(position: Position) -> Iterable[Position]:
    """Return the positions that equal a position up to symmetry, including the position."""
    able = offered(position, Symmetric)
    return able.symmetries() if able else (position,)


def subgoals_of(position: Position) -> Sequence[Subgoal] | None:
    """Return the subgoals of a position in their order; None if the position has none."""
    able = offered(position, Staged)
    return able.subgoals() if able else None


def score_of(position: Position, moves: Iterable[str]) -> int | None:
    """Return the points after legal moves from a position; None for games without points."""
    able = offered(position, Scored)
    return able.level_score(moves) if able else None


def heuristic_of(level: Position, name: str | None = None) -> Heuristic:
    """Return a game's heuristic by name, by default the first heuristic other than `null`.

    Raises UsageError for an unknown one, or one that does not fit the level.
    """
    heuristics = heuristics_of(level.game)
    if name is None:
        name = next((other for other in heuristics if other != NULL.name), NULL.name)
    heuristic = heuristics.get(name)
    if heuristic is None:
        hint = suggestion(name, heuristics) or f"; the heuristics are {', '.join(heuristics)}"
        raise UsageError(f"{level.game.name} has no heuristic '{name}'{hint}")
    if (reason := heuristic.unfit(level)) is not None:
        raise UsageError(f"the heuristic '{name}' does not fit this level: {reason}")
    return heuristic


def completed(game: Game, values: Mapping[str, object]) -> dict[str, Any]:
    """Return a value for each option of a game: the given value or the default. Raises UsageError for wrong values."""
    options = options_of(game)
    for name in values:
        if name not in options:
            hint = suggestion(name, options) or f"; it has {', '.join(options) or 'none'}"
            raise UsageError(f"{game.name} has no option '{name}'{hint}")
    return {name: option.value(values[name]) if name in values else option.default for name, option in options.items()}


# What some capabilities return, for type checkers only.


class StateArrays(Protocol):
    """A state space as byte arrays (see `state_space.space`), or only the limit (`status`) after `expanded` states."""

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


class Tracing(Protocol):
    """A replay of inputs on levels, one input after the other; the replay can be read at any time."""

    @property
    def ended(self) -> bool:
        """Whether the replay ended before all inputs were played."""

    @property
    def valid(self) -> bool | None:
        """Whether the inputs are legal and solve the level; None for a replay that only shows boards."""

    def run(self) -> None:
        """Play the inputs. Raises ParseError for an invalid level, and LimitReached at a limit."""

    def picture(self) -> Ground | None:
        """Return a picture of the replay so far; None for games without pictures."""

    def place(self) -> str:
        """Return in words which part is being played."""

    def lines(self) -> list[str]:
        """Return the replay so far as lines for people."""

    def to_dict(self) -> dict[str, Any]:
        """Return the replay so far as data for JSON."""


class Debugger(Protocol):
    """A debugger that finds, for display on a page, the rules that fire with each move in a position."""

    def turns(self, position: Position) -> dict[str, list[Any]]:
        """Return, for each move, the turns that the move causes, including moves that change nothing."""

    def boards(self, position: Position, move: str, turn: int, step: int) -> tuple[Ground, Ground]:
        """Return pictures of the board before and after a step of a turn, both counted from 0.

        Raises IndexError if there is no such step.
        """

    def head(self) -> dict[str, Any]:
        """Return the shared data that all turns so far refer to."""


class Covering(Protocol):
    """A search of levels for the rules that fire; the results so far can be read at any time."""

    def run(self) -> None:
        """Explore the levels. Raises ParseError for an invalid level."""

    def lines(self) -> list[str]:
        """Return the results so far as lines for people."""

    def to_dict(self) -> dict[str, Any]:
        """Return the results so far as data for JSON."""
