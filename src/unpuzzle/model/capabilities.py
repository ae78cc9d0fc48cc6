"""Optional features (capabilities) of games and positions; a class offers one by inheriting from a class here.

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
    from random import Random

    from unpuzzle.constraints import Constraints

Capability = TypeVar("Capability")


class HasHeuristics:
    """A game with named heuristics for searches that apply the rules."""

    __slots__ = ()

    heuristics: Mapping[str, Heuristic]


class ForComponents:
    """A game whose positions can be passed as JSON-like data to search components that others wrote."""

    __slots__ = ()

    @classmethod
    def component_levels(cls, rng: Random) -> Iterable[Position] | None:
        """Return levels to test search components on; None to use the bundled levels."""
        return None

    def plain(self) -> object:
        """Return the position as JSON-like data (lists, dicts, strings, numbers); by default as text."""
        return str(self)

    def respelled(self, plain: object) -> object:
        """Return the JSON-like data of a position in the form that `plain()` writes; other data stay unchanged."""
        return plain

    def component_arguments(self) -> dict[str, object]:
        """Return the additional arguments of a component's `successors` and `is_goal`, by name, as JSON-like data."""
        return {}

    def assumed_arguments(self) -> Iterable[str]:
        """Return the additional arguments of `successors` and `is_goal`, by name, that a component may ignore here."""
        return ()


class Traced(ABC):
    """A game that can replay inputs on a level and show the state after each input."""

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
        """Return a replay of inputs on a level, ready to run; inputs are moves and other keys.

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
        """Return a search, ready to run, for the rules that fire in the levels; None for a game without such rules.

        `levels` are texts by name, an empty one for a level of the game's; the limits are of each level; `progress`
        takes the name of a level and the number of its positions so far.
        """
        return None

    def debugger(self) -> Debugger | None:
        """Return a debugger that shows which rules fire; None for a game without rules of this kind."""
        return None


class Reversible(Position):
    """A position that supports search from both ends: from the start, and backwards from the goal."""

    __slots__ = ()

    @abstractmethod
    def goal_position(self) -> Position | None:
        """Return the solved position in which all shortest solutions end; None if it is unknown or not unique."""

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
        """Return this position and all positions symmetric to it, without duplicates."""

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
    """A position that can be solved as a constraint problem; each solution of the problem solves the position."""

    __slots__ = ()

    @abstractmethod
    def constraints(self) -> Constraints:
        """Return the constraint problem: variables, their domains, and the relations between the variables."""

    @abstractmethod
    def moves_to(self, solution: Mapping[str, Hashable]) -> Iterable[str]:
        """Return the moves from this position that carry out a solution of the constraints, at the solution's cost."""


class ModelFinding(Position):
    """A position whose solutions the model finder Mace4 can find, as models of first-order formulas."""

    __slots__ = ()

    @abstractmethod
    def mace4_input(self) -> str:
        """Return the formulas as input for Mace4, with all settings except the number of models."""

    @abstractmethod
    def from_mace4(self, text: str) -> list[dict[str, Hashable]]:
        """Return the solutions in the output of Mace4. Raises ParseError if the text is not such output."""


class Explaining(Position):
    """A position that explains the next step that a person would take, or the use of each part of the level."""

    __slots__ = ()

    @abstractmethod
    def explain(self) -> tuple[str, dict[str, Any]]:
        """Return an explanation of the position as text, and the same content as data for JSON."""

    def grade(self) -> tuple[int, str] | None:
        """Return the level's difficulty for people as a number and as words; None if it is unknown."""
        return None


class Pictured(Position):
    """A position with a picture, for the terminal, SVG, animations, printed pages and web pages."""

    __slots__ = ()

    @abstractmethod
    def ground(self) -> Ground:
        """Return the part of the picture that no move changes; called once for all positions of a level."""

    @abstractmethod
    def pieces(self) -> Sequence[Piece]:
        """Return the movable parts of the picture as (look, row, column, kind); a look is an image's name."""

    def draw(self) -> str:
        return terminal(self.ground(), self.pieces())

    def seen(self) -> Hashable:
        """Return a value that is equal for positions with equal pictures; by default the position itself."""
        return self

    def notes(self) -> Sequence[tuple[str, Sequence[str]]]:
        """Return the notes beside the picture on paper, as pairs (heading, lines)."""
        return ()

    def keyboard(self) -> Mapping[str, float]:
        """Return settings for the keys of this game on a web page, where they differ from the usual keys.

        `interval`: the seconds between moves `t` that happen by themselves; `noundo`, `norestart`: there are no such
        keys; `checkpoints`: a restart may lead to a checkpoint. With any of them, even 0, a won level is over.
        """
        return {}

    def checkpoint_after(self, move: str) -> Self | None:
        """Return the position to which a restart leads after a move; None if the move sets no checkpoint."""
        return None


class Overwriting(Position):
    """A position with additional moves that may overwrite filled cells, for search algorithms from papers."""

    __slots__ = ()

    @abstractmethod
    def writings(self, consistent: bool) -> Iterable[tuple[str, Position]]:
        """Return pairs (written value, next position), legal or not; if `consistent`, filled cells never change."""

    @abstractmethod
    def moves_towards(self, end: Any) -> Iterable[str]:
        """Return legal moves that, as far as possible, fill cells with the values of the position `end`."""


class SelfExploring(Position):
    """A position with its own, faster exploration of its state space; each move must cost 1."""

    __slots__ = ()

    @abstractmethod
    def explore_states(
        self, max_states: int | None = None, progress: Callable[[int], None] | None = None
    ) -> tuple[tuple[str, ...], StateArrays]:
        """Return the names of all moves, and the state space; `progress` gets the number of expanded states."""


class Translated(Position):
    """A position whose PDDL is translated from the game's rules; each action means the same move in all positions."""

    __slots__ = ()
    _translated = True

    @abstractmethod
    def translate(self, most_steps: int | None = None) -> None:
        """Make the translation to PDDL that the methods `task`, `atoms` and `decode` use.

        Raises UnsupportedFeature for rules that cannot be translated, EffortSpent if that takes more than `most_steps`,
        which are counted and not timed, and LimitReached.
        """


def offered(subject: Any, capability: type[Capability]) -> Capability | None:
    """Return the game or position `subject` if it has a capability, else None."""
    has_it = issubclass(subject, capability) if isinstance(subject, type) else isinstance(subject, capability)
    return subject if has_it else None


def required(subject: Game | Position, capability: type[Capability], purpose: str) -> Capability:
    """Return the game or position `subject` if it has a capability. Raises UsageError, with the purpose, otherwise."""
    able = offered(subject, capability)
    if able is None:
        name = str(getattr(getattr(subject, "game", subject), "name", "this"))
        raise UsageError(f"{name} {purpose}: {name} does not inherit {capability.__name__}")
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
    """Return a random level: from `generate` if the game has that method, otherwise from `sample`."""
    able = offered(game, Generating)
    return able.generate(rng, options) if able else game.sample(rng)


def symmetries_of(position: Position) -> Iterable[Position]:
    """Return a position and all positions symmetric to it."""
    able = offered(position, Symmetric)
    return able.symmetries() if able else (position,)


def subgoals_of(position: Position) -> Sequence[Subgoal] | None:
    """Return the subgoals of a position in the order to achieve them; None if the position has none."""
    able = offered(position, Staged)
    return able.subgoals() if able else None


def score_of(position: Position, moves: Iterable[str]) -> int | None:
    """Return the points after legal moves from a position; None for games without points."""
    able = offered(position, Scored)
    return able.level_score(moves) if able else None


def heuristic_of(level: Position, name: str | None = None) -> Heuristic:
    """Return a game's heuristic with the given name; by default the first that is not `null`.

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
    """Return values for all options of a game: those in `values`, else the defaults. Raises UsageError."""
    options = options_of(game)
    for name in values:
        if name not in options:
            hint = suggestion(name, options) or f"; it has {', '.join(options) or 'none'}"
            raise UsageError(f"{game.name} has no option '{name}'{hint}")
    return {name: option.value(values[name]) if name in values else option.default for name, option in options.items()}


# What some capabilities return, for type checkers only.


class StateArrays(Protocol):
    """A state space as byte arrays; after a limit, only the limit and the number of expanded states."""

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
    """A replay of inputs on levels; its results so far can be read at any time."""

    @property
    def ended(self) -> bool:
        """Whether the replay ended before all inputs were played."""

    @property
    def valid(self) -> bool | None:
        """Whether the inputs are legal and solve the level; None for a replay that only shows states."""

    def run(self) -> None:
        """Play the inputs. Raises ParseError for an invalid level, and LimitReached at a limit."""

    def picture(self) -> Ground | None:
        """Return a picture of the replay so far; None for games without pictures."""

    def place(self) -> str:
        """Return a phrase that says which part of the inputs is playing now, for messages."""

    def lines(self) -> list[str]:
        """Return the replay so far as lines of text."""

    def to_dict(self) -> dict[str, Any]:
        """Return the replay so far as data for JSON."""


class Debugger(Protocol):
    """A debugger that finds the rules that fire with each move, for display on a web page."""

    def turns(self, position: Position) -> dict[str, list[Any]]:
        """Return data on the turns of the game that each move causes; moves that change nothing are included."""

    def boards(self, position: Position, move: str, turn: int, step: int) -> tuple[Ground, Ground]:
        """Return pictures of the board before and after a step of a turn; turns and steps count from 0.

        Raises IndexError if there is no such step.
        """

    def head(self) -> dict[str, Any]:
        """Return the data that all turns share; the data of each turn refers to it."""


class Covering(Protocol):
    """A search for the rules that fire in levels; its results so far can be read at any time."""

    def run(self) -> None:
        """Explore the levels. Raises ParseError for an invalid level."""

    def lines(self) -> list[str]:
        """Return the results so far as lines of text."""

    def to_dict(self) -> dict[str, Any]:
        """Return the results so far as data for JSON."""
