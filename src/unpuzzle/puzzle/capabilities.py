"""Capabilities: what a game or a position may offer beyond its rules. Each is a small protocol.

    of games        HasHeuristics  HasOptions  Generating  Listing  Walkable  Importing  ForComponents
    of positions    Reversible  Scored  Symmetric  Staged  Constrained  ModelFinding  Lined  Graded
<<<<<<< HEAD
                    Explaining  Plain  Overwriting  Scripted
=======
                    Explaining  Plain  Respelled  Parameterized  Assuming  Overwriting
                    Pictured  PartlyUnseen  Annotated
>>>>>>> script

A class has a capability if it has the protocol's attributes; nothing is registered. Only this file looks for them:

    offered(position, Symmetric)      the position, or None if it has no `symmetries`
    required(game, Walkable)          the game, or a ParseError that says what it lacks

and the functions below, which say what holds for those that lack one (`heuristics_of`, `options_of`, ...).
"""

from __future__ import annotations

from functools import cache

from unpuzzle.errors import ParseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from random import Random
    from typing import Any, Protocol, TypeVar

    from unpuzzle.constraints import Constraints
    from unpuzzle.picture import Ground, Piece
    from unpuzzle.puzzle.game import Game
    from unpuzzle.puzzle.heuristic import Heuristic, Subgoal
    from unpuzzle.puzzle.options import Option
    from unpuzzle.puzzle.position import Position

    Capability = TypeVar("Capability")
else:
    Protocol = object  # importing `typing` would cost more than planning a tiny task

SMALL_LEVEL_TRIES = 100
SAMPLE_MOVES = 20


# ---- of games


class HasHeuristics(Protocol):
    """Estimates for searches on the rules, by name; the first but `null` is the default of those that want one."""

    heuristics: Mapping[str, Heuristic]


class HasOptions(Protocol):
    """What generated levels may be asked to be, by name: size, boxes, walls."""

    options: Mapping[str, Option]


class Generating(Protocol):
    """Makes random levels."""

    def generate(self, rng: Random, options: Mapping[str, Any]) -> Position:
        """A random level, which may be unsolvable; equal states of `rng` give equal levels, in every process.

        Args:
            rng: the only source of chance.
            options: a value for each of the game's `options`; see `unpuzzle.puzzle.options.completed`.

        Raises ParseError where values do not go together, with these options always.
        """


class Listing(Protocol):
    """Lists all levels of a shape."""

    def every(self, options: Mapping[str, Any]) -> Iterable[Position] | None:
        """Every level that `generate` may give, one after the other in a fixed order; those that are symmetric to
        others may be left out. None where it does not list those of such options.
        """


class Walkable(Protocol):
    """One walker walks on a grid: `compass` has the moves as headings, clockwise, such as N, E, S, W.

    Their number is even: what lies half a compass away is the way back.
    """

    compass: tuple[str, ...]


class Importing(Protocol):
    """Reads files of other formats than its own text."""

    formats: Mapping[str, Callable[[bytes, str], str]]
    """By the end of a file's name, such as `.puz`: what makes the text of a level of its contents and its name."""


class ForComponents(Protocol):
    """Has levels of the sort for which others write search components, where these are not those that it bundles."""

    def component_levels(self, rng: Random) -> Iterable[Position]:
        """Levels to try components on, some of them with few reachable positions."""


# ---- of positions


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
    """Describes its picture once, for the terminal, SVG, animations, paper and pages: see `unpuzzle.picture`."""

    def ground(self) -> Ground:
        """What no move changes: equal for all positions of a level, and made once for all of them."""

    def pieces(self) -> Sequence[Piece]:
        """What moves change, as (look, row, column, kind), in any order; equal for equal positions of a level only."""


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


class Scripted(Protocol):
    """Is played by rules that are plain data, as PuzzleScript's are, which the native core runs."""

    def script(self) -> tuple[Any, Any]:
        """The game, with its rules as data, and the state, which is data, too."""


# ---- asking for them


def offered(subject: Any, capability: type[Capability]) -> Capability | None:
    """The game or position, if it has a capability; else None."""
    found: Capability | None = subject if not _missing(subject, capability) else None
    return found


def required(subject: Game | Position, capability: type[Capability], purpose: str) -> Capability:
    """The game or position. Raises ParseError where it lacks a capability, naming the `purpose` it was wanted for."""
    found = offered(subject, capability)
    if found is None:
        name = str(getattr(getattr(subject, "game", subject), "name", "this"))
        raise ParseError(f"{name} {purpose}: it does not define {' and '.join(_missing(subject, capability))}")
    return found


def _missing(subject: object, capability: type) -> list[str]:
    """The names of the protocol's attributes that a game or position does not have."""
    return [name for name in _attributes(capability) if not hasattr(subject, name)]


@cache
def _attributes(capability: type) -> tuple[str, ...]:
    """The names of a protocol's attributes."""
    names = {**vars(capability).get("__annotations__", {}), **vars(capability)}
    return tuple(name for name in names if not name.startswith("_"))


# ---- what holds for those that lack one


def heuristics_of(game: Game) -> Mapping[str, Heuristic]:
    """The heuristics of a game by name, `null` always among them."""
    from unpuzzle.puzzle.heuristic import NULL

    found = offered(game, HasHeuristics)
    return {**found.heuristics, NULL.name: NULL} if found else {NULL.name: NULL}


def options_of(game: Game) -> Mapping[str, Option]:
    """What levels of a game may be asked to be; nothing, if it does not say."""
    found = offered(game, HasOptions)
    return found.options if found else {}


def compass_of(game: Game) -> tuple[str, ...]:
    """The headings of a walker, clockwise; none, if no walker walks."""
    found = offered(game, Walkable)
    return found.compass if found else ()


def formats_of(game: Game) -> Mapping[str, Callable[[bytes, str], str]]:
    """Readers of other formats, by the end of a file's name."""
    found = offered(game, Importing)
    return found.formats if found else {}


def generated(game: Game, rng: Random, options: Mapping[str, Any]) -> Position:
    """A random level; a sample, of games that do not generate levels."""
    found = offered(game, Generating)
    return found.generate(rng, options) if found else game.sample(rng)


def every_level(game: Game, options: Mapping[str, Any]) -> Iterable[Position] | None:
    """Every level of a shape, or None if the game does not list them."""
    found = offered(game, Listing)
    return found.every(options) if found else None


def small_level(game: Game, rng: Random) -> Position:
    """A random small level, for games that have no samples of their own."""
    found = offered(game, Generating)
    if found is None:
        return _wandered(game, rng)
    options = options_of(game)
    for _ in range(SMALL_LEVEL_TRIES):
        try:
            return found.generate(rng, {name: option.small(rng) for name, option in options.items()})
        except ParseError:
            continue  # these small values do not go together
    return found.generate(rng, {name: option.default for name, option in options.items()})


def _wandered(game: Game, rng: Random) -> Position:
    """A position some random moves on from a bundled level."""
    if not game.levels:
        raise ParseError(f"{game.name} has no levels to take samples from; define levels, sample() or generate()")
    position = game.parse(rng.choice(list(game.levels.values())))
    for _ in range(rng.randint(0, SAMPLE_MOVES)):
        moves = position.moves()
        if not moves:
            break
        position = position.apply(rng.choice(moves))
    return position


def symmetries_of(position: Position) -> Iterable[Position]:
    """The positions that are the same but for symmetry; the position alone, if it does not say."""
    found = offered(position, Symmetric)
    return found.symmetries() if found else (position,)


def subgoals_of(position: Position) -> Sequence[Subgoal] | None:
    """What to achieve one after the other; None if the position names no subgoals."""
    found = offered(position, Staged)
    return found.subgoals() if found else None


def score_of(position: Position, moves: Iterable[str]) -> int | None:
    """The points of legal moves from here; None of games without points."""
    found = offered(position, Scored)
    return found.score(moves) if found else None


def plain_of(position: Position) -> object:
    """The position as plain data; its text, if it has no other."""
    found = offered(position, Plain)
    return found.plain() if found else str(position)


def respelled(position: Position, plain: object) -> object:
    """Plain data of a position of the same level, in the way in which its `plain()` writes it."""
    found = offered(position, Respelled)
    return found.respelled(plain) if found else plain


def component_arguments_of(position: Position) -> dict[str, object]:
    """What search components may take besides a state; nothing, if the position does not say."""
    found = offered(position, Parameterized)
    return found.component_arguments() if found else {}


def assumed_arguments_of(position: Position) -> frozenset[str]:
    """The arguments of search components that may be left out; none, if the position does not say."""
    found = offered(position, Assuming)
    return frozenset(found.assumed_arguments()) if found else frozenset()
