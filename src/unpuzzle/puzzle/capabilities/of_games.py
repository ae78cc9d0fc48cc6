"""What a game may offer beyond its rules."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from random import Random
    from typing import Any, Protocol

    from unpuzzle.pddl import Fault
    from unpuzzle.puzzle.heuristic import Heuristic
    from unpuzzle.puzzle.options import Option
    from unpuzzle.puzzle.position import Position
else:
    Protocol = object  # importing `typing` would cost more than planning a tiny task


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


class Interruptible(Protocol):
    """Has moves that may take long: `interrupts`, if it is not None, is called meanwhile, and may raise to end them."""

    interrupts: Callable[[], None] | None


class Cautioning(Protocol):
    """Knows what an author should hear about answers that were found by its rules."""

    def cautions(self) -> Sequence[Fault]:
        """Return what happened while the rules were used, each with its place in the game's text.

        An example: rules that went round without end, and were cut off.
        """


class Levelless(Protocol):
    """Knows of names that no level has, such as that of a message between levels."""

    def no_level(self, name: str) -> str:
        """Why there is no level of a name; empty where there is nothing to be said of it."""


class Credited(Protocol):
    """Says who made it: `author` and `homepage`, each empty where that is not known."""

    author: str
    homepage: str


class Importing(Protocol):
    """Reads files of other formats than its own text."""

    formats: Mapping[str, Callable[[bytes, str], str]]
    """By the end of a file's name, such as `.puz`: what makes the text of a level of its contents and its name."""


class ForComponents(Protocol):
    """Has levels of the sort for which others write search components, where these are not those that it bundles."""

    def component_levels(self, rng: Random) -> Iterable[Position]:
        """Levels to try components on, some of them with few reachable positions."""
