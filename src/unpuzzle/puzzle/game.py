"""Game: what all positions of a puzzle have in common. It reads levels, makes samples, knows its PDDL domain.

A simple puzzle is one class, whose positions are its instances and which is itself the game: see `Puzzle`. A game that
is made at run time, such as one read from a file of rules, is an object of a subclass of `Game`; its positions are of a
subclass of `Position` and know it as `position.game`.

Games are values: they can be pickled, so that worker processes have them, too. One that the registry found
(`translators.find`) in a file is pickled as the way to find it again, which is its `home`.
"""

from __future__ import annotations

from unpuzzle.errors import UnpuzzleError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random
    from typing import Any

    from unpuzzle.pddl.nodes import Domain
    from unpuzzle.puzzle.position import Position


class Game:
    """A game. Required: `name`, `parse`, and levels or a `sample` of its own."""

    name: str = ""
    """The game's name on the command line, e.g. `sliding-tiles`."""
    title: str = ""
    """One line for people: what the game is."""
    levels: Mapping[str, str] = {}
    """The bundled levels: text by name."""
    planner: str = ""
    """The planner that solves it best, where that is not the default of all games."""
    one_letter_moves: bool = True
    """Whether every move is one letter, so that moves may be written run together: `ULDRR`."""
    actions: Mapping[str, str | Callable[..., str]] = {}
    """By action of the domain, the move that it stands for: a format of its arguments, such as `{0}{1}`, or a function
    of the position and the arguments. For positions that do not define `decode`, which says what it may look at."""
    pddl: str = ""
    """The text of the domain, for games that have no `.pddl` file."""
    siblings: tuple[str, ...] = ()
    """The names of the games whose levels look like this game's: `translators.read_level` asks them, too, what they
    read."""
    home: tuple[Callable[[str], Game], tuple[str]] | None = None
    """For a game that is not part of an installed package: a function and its argument that find it again."""

    def parse(self, text: str, source: str | None = None) -> Position:
        """The position that a text describes; `source` is its file name, for errors.

        Raises ParseError with line and column where the text is not a position.
        """
        raise UnpuzzleError(f"the game {self.name!r} does not define parse()")

    def reads(self, text: str) -> bool:
        """Return whether a text is a level of this game and of none of its `siblings`; False for games without any."""
        return False

    def sample(self, rng: Random) -> Position:
        """A random small level (up to some thousands of states), for tests. May be unsolvable.

        By default one that `generate` makes with small options, or, without that, random moves on from a bundled level.
        """
        from unpuzzle.puzzle.capabilities import small_level

        return small_level(self, rng)

    def domain(self) -> Domain:
        """The PDDL domain; by default that of the text `pddl`, or of the file beside the one that defines the game.

        Raises ParseError where it is not PDDL, or where there is none.
        """
        from unpuzzle.puzzle.task import domain_of

        return domain_of(self)

    def __reduce__(self) -> str | tuple[Any, ...]:
        return super().__reduce__() if self.home is None else self.home
