"""Game and Position, the two base classes that define a game's rules, and Puzzle, which combines both.

A game reads levels, makes samples and knows its PDDL domain. Games are values: they can be pickled for worker
processes; a game that `translators.find` found in a file is pickled as the way to find it again.

A position is immutable; a move makes a new one. Every position obeys these laws, which `unpuzzle.testing.laws` tests:

    game.parse(str(p)) == p                          text comes back, for every reachable position
    {m : m in p.moves()} == {p.decode(a) : a applicable in PDDL}    `check` compares both, state by state
    p.apply(m).atoms() == PDDL successor             fluents only: no static and no derived atoms
    p.solved() == PDDL goal

To write: `__str__`, `solved`, and the rules: either `following`, all legal moves with the positions after them, or
`moves` and `apply`, which is faster if a move can be made without computing the others. For PDDL either the parts
(`objects`, `statics`, `values`, `facts`, `goal_condition`, and on the game `actions`), as plain tuples, or `task`,
`atoms` and `decode` themselves. Further features of games and positions are in `capabilities`.
"""

from __future__ import annotations

import copyreg
from abc import ABC, ABCMeta, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from unpuzzle.base.errors import IllegalMove, ParseError, UnpuzzleError, UnsupportedFeature
from unpuzzle.base.run import within_limits
from unpuzzle.base.text import shorten
from unpuzzle.base.type_hints import TYPE_CHECKING, Any, ClassVar, Self
from unpuzzle.model.classes import require_sound
from unpuzzle.model.task import atoms_of, decoded, domain_of, listed, task_of
from unpuzzle.pddl.nodes import Atom, Condition, Domain, GroundAction, Task
from unpuzzle.table import notebook_bundle

if TYPE_CHECKING:
    from random import Random

    from unpuzzle.model.options import Option

Fact = tuple[str, ...] | Atom
"""A predicate with its arguments: `("at", "r1c1")` is `(at r1c1)`."""
Value = tuple[str | int, ...]
"""A function with its arguments, and a whole number, 0 or more."""


SMALL_LEVEL_TRIES = 100
SAMPLE_MOVES = 20


class Game:
    """A game; a subclass must define `name`, `parse`, and levels or `sample`; everything else has defaults."""

    name: str = ""
    """The game's name on the command line, e.g. `sliding-tiles`."""
    title: str = ""
    """One line for people that describes the game."""
    levels: Mapping[str, str] = {}
    """The bundled levels: text by name."""
    planner: str = ""
    """The planner that solves it best, if it is not the default of all games."""
    one_letter_moves: bool = True
    """Whether every move is one letter, so that moves may be written run together: `ULDRR`."""
    idle_moves: bool = False
    """Whether a move may lead to the same position, as in PDDL domains."""
    moves_are_actions: bool = False
    """Whether each move is an action of the domain, and the rules are its PDDL: a valid plan then needs no replay."""
    actions: Mapping[str, str | Callable[..., str]] = {}
    """By action of the domain, its move: a format of its arguments, such as `{0}{1}`, or a function of the position and
    the arguments. For positions that do not define `decode`."""
    pddl: str = ""
    """The text of the domain, for games that have no `.pddl` file."""
    wall: str = ""
    """The sign of a wall in levels, for games with levels in which unknown signs may count as walls."""
    formats: Mapping[str, Callable[[bytes, str], str]] = {}
    """Readers of other formats, by the end of a file's name, such as `.puz`: contents and name → text of a level."""
    writers: Mapping[str, Callable[[Any], bytes]] = {}
    """Writers of other formats, by the end of a file's name: a position → the contents of a file."""
    pushing: bool | None = None
    """Whether moves that do more than walk are pushes to players; None: if an action of the PDDL has this name."""
    level_ending: str = ".txt"
    """The end of the names of files with levels, as `generate` writes them."""
    compass: tuple[str, ...] = ()
    """For games with one walker on a grid: an even number of headings, clockwise, such as N, E, S, W."""
    author: str = ""
    homepage: str = ""
    siblings: tuple[str, ...] = ()
    """The names of games with similar levels: `translators.read_level` asks them, too."""
    home: tuple[Callable[[str], Game], tuple[str]] | None = None
    """For a game outside of installed packages: a function and its argument that find it again."""

    def parse(self, text: str, source: str | None = None) -> Position:
        """Return the position that a text describes. Raises ParseError with line, column and `source`, a file name."""
        raise UnpuzzleError(f"the game {self.name!r} does not define parse()")

    def reads(self, text: str) -> bool:
        """Return whether a text is a level of this game but of none of its `siblings` (games with similar levels)."""
        return False

    def read_moves(self, text: str) -> tuple[str, ...]:
        """Return the moves of a text: separated by blanks, or without blanks if all moves are single letters."""
        words = text.split()
        return tuple("".join(words)) if self.one_letter_moves else tuple(words)

    def no_level(self, name: str) -> str:
        """Return a special reason why the game has no level `name`; without such a reason, an empty text."""
        return ""

    def sample(self, rng: Random) -> Position:
        """Return a random small level (up to some thousands of states) for tests; the level may be unsolvable.

        By default it comes from `generate` with small options or, without `generate`, from random moves in a bundled
        level.
        """
        able: Any = self
        generates = issubclass(self, Generating) if isinstance(self, type) else isinstance(self, Generating)
        return _small_level(able, rng) if generates else _after_random_moves(self, rng)

    def domain(self) -> Domain:
        """Return the PDDL domain from `pddl` or a file next to the game. Raises ParseError if there is neither."""
        return domain_of(self)

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        require_sound(cls)

    def __reduce__(self) -> str | tuple[Any, ...]:
        return super().__reduce__() if self.home is None else self.home


class Generating(ABC):
    """A game that generates random levels, and that may list all levels for given options."""

    __slots__ = ()

    options: Mapping[str, Option] = {}
    """The options of levels, by name: size, boxes, walls."""
    parts: Mapping[str, str] = {}
    """The parts that solutions may have to use: by kind, how to name one: "a rule by its line, such as `rule 31`"."""

    @abstractmethod
    def generate(self, rng: Random, options: Mapping[str, Any]) -> Position:
        """Return a random level, which may be unsolvable; `options` has a value for each option of the game.

        A class method if the game is a class. Equal states of `rng`, the only source of chance, give equal levels in
        every process. Raises ParseError for values that do not go together, each time it gets them.
        """

    @classmethod
    def every(cls, options: Mapping[str, Any]) -> Iterable[Position] | None:
        """Return all levels that `generate` may give, up to symmetry, in a fixed order; None if there are too many."""
        return None

    @classmethod
    def variation(cls, position: Position, rng: Random, options: Mapping[str, Any]) -> Position | None:
        """Return a level with a small random change that respects the options; None if the game offers no such changes.

        A class method if the game is a class. `generate --best` climbs by such changes; without them, `generate` is
        called again with a few other random numbers. Raises ParseError for a level that cannot be changed.
        """
        return None

    def without(self, position: Position, kind: str, name: str) -> Position | str:
        """Return the level without one of its `parts`, or a text that says why the level is unsolvable without it.

        A class method if the game is a class. Raises UsageError for a part that no level of the game can have,
        ParseError if the rest is not a level.
        """
        return position

    @classmethod
    def fits(cls, position: Position, options: Mapping[str, Any]) -> bool:
        """Return whether a level has the properties that the options demand."""
        return True


def _small_level(game: Generating, rng: Random) -> Position:
    """Return a random level with small option values, or with the default values if small values are incompatible."""
    for _ in range(SMALL_LEVEL_TRIES):
        try:
            return game.generate(rng, {name: option.small(rng) for name, option in game.options.items()})
        except ParseError:
            continue  # these small values do not go together
    return game.generate(rng, {name: option.default for name, option in game.options.items()})


def _after_random_moves(game: Game, rng: Random) -> Position:
    """Return the position after random moves in a random bundled level."""
    if not game.levels:
        raise ParseError(f"{game.name} has no levels to take samples from; define levels, sample() or generate()")
    level = game.parse(rng.choice(list(game.levels.values())))
    *_, last = wander(level, rng, rng.randint(0, SAMPLE_MOVES))
    return last


def wander(position: Position, rng: Random, steps: int) -> Iterator[Position]:
    """Yield the positions on a random walk of at most `steps` moves, including the first position."""
    yield position
    for _ in range(steps):
        if not (moves := position.moves()):
            break
        position = position.apply(rng.choice(moves))
        yield position


class Position(ABC):
    """A position of a game: a level during play."""

    __slots__ = ()
    _translated: ClassVar[bool] = False
    """Whether its PDDL is translated from its rules, which may take a while: see the capability `Translated`."""

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game to which this position belongs."""

    @abstractmethod
    def __str__(self) -> str:
        """Return the position as a text that the game's `parse` reads, ending with a newline."""

    def line(self) -> str | None:
        """Return the position as one line without blanks, such as 81 digits; None without such a notation."""
        return None

    def own_answer(self) -> Position | None:
        """Return the filled-in solution, right or wrong, that the level's text contains; None if it contains none."""
        return None

    def level_text(self) -> str:
        """Return this position in the notation that level editors use; by default `str(self)`."""
        return str(self)

    def remarks(self) -> Sequence[str]:
        """Return sentences about assumptions on the level, for example a goal that the text leaves open."""
        return ()

    def messages(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the game's messages before this level and, for the last level, the messages after the level."""
        return (), ()

    @abstractmethod
    def moves(self) -> tuple[str, ...]:
        """Return the legal moves in a fixed order, even in a solved position. A move must not contain blanks.

        Raises UnsupportedFeature, with the feature `moves`, for a game whose solutions are guessed.
        """

    @abstractmethod
    def apply(self, move: str) -> Self:
        """Return the position after a move. Raises IllegalMove, with the reason, if the move is illegal."""

    def following(self) -> Mapping[str, Self]:
        """Return the position after each legal move, by move, in a fixed order; it can replace `moves` and `apply`."""
        return {move: self.apply(move) for move in self.moves()}

    def cost(self, move: str) -> int:
        """Return the cost of a legal move: a whole number, 0 or more; 1 by default."""
        return 1

    def unit_cost(self) -> bool:
        """Return whether each move of this level is known to cost 1."""
        return type(self).cost is Position.cost

    @abstractmethod
    def solved(self) -> bool:
        """Return whether this position is a goal."""

    def impossible(self) -> str | None:
        """Return a reason why the goal cannot be reached, found without search; None if no such reason is known."""
        return None

    def overlooked(self) -> str | None:
        """Return in words an event that is no move, so that searches ignore it; None if only moves happen.

        It is asked after a search, which may have found such an event, and which then proves nothing unsolvable.
        """
        return None

    def task(self) -> Task:
        """Return this position as a PDDL task; by default built from `objects`, `facts`, `goal_condition` and more."""
        return task_of(self)

    def has_pddl(self) -> bool:
        """Return whether the class of this position has PDDL; a single level may still have none."""
        own = type(self)
        parts = (own.facts, Position.facts), (own.atoms, Position.atoms), (own.task, Position.task)
        return any(mine is not default for mine, default in parts)

    def atoms(self) -> frozenset[Atom]:
        """Return the true fluent atoms, without static and derived atoms; by default made from `facts`."""
        return atoms_of(self.facts())

    def _ordered_atoms(self) -> list[Atom]:
        """Return the atoms in the order of `facts`; in alphabetical order if a class defines `atoms` instead."""
        if type(self).atoms is Position.atoms:
            return list(dict.fromkeys(listed(within_limits(self.facts()))))
        return sorted(self.atoms(), key=str)

    def decode(self, action: GroundAction) -> str:
        """Return the move that corresponds to an applicable action here; by default found in the game's `actions`.

        It may use this position, in which the action is applied; but `generate --unique` and pages of large levels
        accept only a `decode` that depends on the action's name and arguments. Raises ParseError for other games'
        actions.
        """
        return decoded(self, action)

    def objects(self) -> Mapping[str, Iterable[str]]:
        """Return the names of the objects, grouped by type."""
        return {}

    def statics(self) -> Iterable[Fact]:
        """Return the static facts, which no move changes."""
        return ()

    def values(self) -> Iterable[Value]:
        """Return values of the domain's functions: `("dist", "r1c1", "r1c2", 7)` means `(= (dist r1c1 r1c2) 7)`."""
        return ()

    def facts(self) -> Iterable[Fact]:
        """Return the true facts that moves change, in readable order. Raises UnsupportedFeature without PDDL."""
        message = f"{self.game.name} has no PDDL: its positions define neither facts() nor atoms()"
        raise UnsupportedFeature(message, feature="PDDL")

    def goal_condition(self) -> Condition | Iterable[Fact]:
        """Return the goal: a condition, or facts that must all be true; `("not", "lit", "r1c1")` is `(not (lit r1c1))`.

        A condition, which may also be among the facts, is made of `unpuzzle.pddl`: `Or((atom("lit", "r1c1"), ...))`.
        """
        return ()

    def goal_parts(self) -> Sequence[Mapping[str, bool]]:
        """Return the parts of the goal and whether each is achieved, for each division of the goal, the finest first.

        A position is solved if all parts of a division hold. A division that is impossible here is empty. For games
        whose PDDL does not name the parts in words of players; by default none.
        """
        return ()

    def walker_and_rest(self) -> tuple[Hashable, Hashable] | None:
        """Return the walker's place, and everything else in the position; None for a game without a walker.

        For games whose PDDL does not show it: see `unpuzzle.planning.walking`.
        """
        return None

    def draw(self) -> str:
        """Return a drawing of the position as one or more lines of text; by default the position's text."""
        return str(self).rstrip("\n")

    def draw_after(self, before: Position, *, colours: bool = False) -> str:
        """Return a drawing of this position after a move from `before`, which may mark changes; by default as `draw`.

        `colours` allows escape sequences of terminals.
        """
        return self.draw()

    def canonical(self) -> Position:
        """Return one of the symmetric positions, the same for all of them; by default this position."""
        return self

    def _key(self) -> Hashable:
        """Return a value that is equal exactly for equal positions of a game; by default the text, which is slow.

        Equal positions must have equal facts, texts, moves, costs and goals (`model.faults` refuses others).
        """
        return str(self)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"{self.game!r}.parse({str(self)!r})"

    _repr_mimebundle_ = notebook_bundle

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if "following" in vars(cls):
            for name, made in (("moves", _moves_by_following), ("apply", _apply_by_following)):
                if getattr(getattr(cls, name), "__isabstractmethod__", False):
                    setattr(cls, name, made)
        require_sound(cls)


class _ByIdentity:
    """A wrapper that compares positions by identity, because a game's own equality may be wrong."""

    __slots__ = ("position",)

    def __init__(self, position: Any) -> None:
        self.position = position

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.position is self.position

    def __hash__(self) -> int:
        return id(self.position)


@lru_cache(maxsize=8)
def _following(itself: _ByIdentity) -> Mapping[str, Any]:
    """Return a position's `following`, cached for the last position, because searches ask for each move in turn."""
    following: Mapping[str, Any] = itself.position.following()
    return following


def _moves_by_following(position: Any) -> tuple[str, ...]:
    return tuple(_following(_ByIdentity(position)))


def _apply_by_following(position: Any, move: str) -> Any:
    """Return the position after a move, found in `following`. Raises IllegalMove, with the legal moves."""
    legal = _following(_ByIdentity(position))
    after = legal.get(move)
    if after is None:
        there_are = f"the moves are {', '.join(legal)}" if legal else "there are none"
        raise IllegalMove(f"{shorten(move)} is not a move in this position: {there_are}", move=move)
    return after


def by_text(position: Position) -> tuple[int, str]:
    """Return a sorting key that orders positions by the length of their texts, then by the texts."""
    text = str(position)
    return len(text), text


# `Puzzle` is a game and the game's positions in one class, for simple puzzles:
#
#     class Corridor(Puzzle):
#         name = "corridor"
#         title = "Corridor: walk to the right end"
#         levels = {"1": "@..\n"}
#
#         def __init__(self, place, length): ...
#
#         @classmethod
#         def parse(cls, text, source=None): ...
#         def __str__(self): ...
#         def moves(self): ...
#         def apply(self, move): ...
#         def solved(self): ...
#
# Instances are positions. The class is the game: its metaclass gives it the members of `Game`, so `Corridor.parse`,
# `Corridor.sample` and `Corridor.domain` work on the class, and `position.game` is the class. Further features of the
# game (`generate`, `every`, its own `sample`) are written as class methods.


class PuzzleType(ABCMeta, Game):
    """The metaclass of puzzles; because of it, each puzzle class is a game and also a class of positions."""


def _reduced(puzzle: PuzzleType) -> str | tuple[Any, ...]:
    """Return the pickled form of a class: its name or, for a class in a game file, a call that finds the class."""
    return vars(puzzle).get("home") or puzzle.__qualname__


copyreg.pickle(PuzzleType, _reduced)  # pickle does not ask a metaclass for `__reduce__`


class Puzzle(Position, metaclass=PuzzleType):
    """A position of a puzzle; the class of the positions is also the game."""

    __slots__ = ()

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    levels: ClassVar[Mapping[str, str]] = {}
    one_letter_moves: ClassVar[bool] = True
    actions: ClassVar[Mapping[str, str | Callable[..., str]]] = {}
    pddl: ClassVar[str] = ""

    @property
    def game(self) -> Game:
        return type(self)

    @classmethod
    @abstractmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        """Return the position that a text describes, as `Game.parse` does."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"
