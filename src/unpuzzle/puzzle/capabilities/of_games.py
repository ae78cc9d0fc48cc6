"""What a game may offer beyond its rules, and what games and positions may offer alike."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from random import Random

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
        """Return plain data as `plain()` would write it, where it can be written in several ways, such as towers.

        Data that means no position comes back as it is.
        """
        return plain

    def component_arguments(self) -> dict[str, object]:
        """Return what `successors(state, ...)` and `is_goal(state, ...)` may take besides, by name, as plain data."""
        return {}

    def assumed_arguments(self) -> Iterable[str]:
        """Return the names of arguments that a function may leave out here, since everybody expects their values."""
        return ()


class Interruptible:
    """Has moves that may take long: `interrupts`, if it is not None, is called meanwhile, and may raise to end them."""

    interrupts: Callable[[], None] | None
