"""What a game may offer beyond its rules."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from random import Random
    from typing import Any, Protocol

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


class Tracing(Protocol):
    """Inputs that are played on a level, one after the other; it can be asked at any time."""

    @property
    def ended(self) -> bool:
        """Whether the play was over before all inputs were played."""

    def run(self) -> None:
        """Play the inputs. Raises ParseError for what is no level, and what ends the running work (`limits.tick`)."""

    def place(self) -> str:
        """Return what is being played, in words."""

    def lines(self) -> list[str]:
        """Return what there is to see so far, in lines for people."""

    def to_dict(self) -> dict[str, Any]:
        """Return the same as data for JSON."""


class Traced(Protocol):
    """Shows what becomes of a level after each input."""

    def trace(self, level: str, inputs: str, *, engine: str, seed: str, through: bool) -> Tracing:
        """Return a play of inputs that has not begun.

        Args:
            level: a level's name, or its text.
            inputs: moves, and what else a player may press.
            engine: what plays, by name.
            seed: of what is left to chance.
            through: whether a level that is won is followed by the next one.

        Raises ParseError for what is no input, UsageError for an unknown engine.
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
