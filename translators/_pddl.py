"""The former place of what puzzles need to make PDDL, for those that import it from here."""

from __future__ import annotations

from unpuzzle.puzzle.task import atom, foreign, objects
from unpuzzle.translators.shared.cells import STEPS, cell_name, place, step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.pddl.nodes import Domain

__all__ = ["STEPS", "atom", "cell_name", "domain", "foreign", "objects", "place", "step"]


def domain(name: str) -> Domain:
    """The domain of a bundled puzzle."""
    from unpuzzle.translators import find

    return find(name).domain()
