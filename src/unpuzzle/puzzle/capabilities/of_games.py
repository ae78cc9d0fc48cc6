"""What a game may offer beyond its rules, and what games and positions may offer alike."""

from __future__ import annotations

from abc import abstractmethod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random

    from unpuzzle.puzzle.capabilities.answers import Tracing
    from unpuzzle.puzzle.heuristic import Heuristic
    from unpuzzle.puzzle.position import Position


class HasHeuristics:
    """Has estimates for searches on the rules, by name; searches that are not told which take the first but `null`."""

    __slots__ = ()

    heuristics: Mapping[str, Heuristic]


class ForComponents:
    """Has levels and plain data made for search components that somebody else writes. All members have defaults."""

    __slots__ = ()

    @classmethod
    def component_levels(cls, rng: Random) -> Iterable[Position] | None:
        """Return levels to try components on, some with few reachable positions; None for the bundled ones."""
        return None

    def plain(self) -> object:
        """Return the position as lists, tuples, dicts, strings, numbers and None; by default its text."""
        return str(self)

    def respelled(self, plain: object) -> object:
        """Return plain data as `plain()` would write it, if they can be written in several ways; those without meaning
        as they are.
        """
        return plain

    def component_arguments(self) -> dict[str, object]:
        """Return what `successors(state, ...)` and `is_goal(state, ...)` may take besides, by name, as plain data."""
        return {}

    def assumed_arguments(self) -> Iterable[str]:
        """Return the names of arguments that a function may leave out here, since everybody expects their values."""
        return ()


class Traced:
    """Shows what becomes of a level after each input."""

    __slots__ = ()

    @abstractmethod
    def trace(self, level: str, inputs: str, *, engine: str, seed: str, through: bool) -> Tracing:
        """Return a play of inputs (moves, and what else a player may press) that has not begun.

        `level` is a name or a text, `engine` the name of what plays, `seed` that of chance; with `through`, a level
        that is won is followed by the next one. Raises ParseError for what is no input, UsageError for an unknown
        engine.
        """
