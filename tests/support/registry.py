"""The bundled puzzles by what they have, for tests that are about that.

`WITH_PDDL` have a domain. `WITH_MOVES` have moves: all but the one whose solutions are guessed. `EVERY_KIND` are those
with PDDL, and one of the games in PuzzleScript, the one with the smallest levels: they all share their code, and `laws`
are applied to each.
"""

from unpuzzle import translators
from unpuzzle.base.errors import UnpuzzleError


def _has_domain(name: str) -> bool:
    try:
        translators.find(name).domain()
    except UnpuzzleError:
        return False
    return True


WITH_PDDL = tuple(name for name in translators.names() if _has_domain(name))
WITH_MOVES = tuple(name for name in translators.names() if name != "crossword-clues")
SCRIPT = "ice-walk"
EVERY_KIND = (*WITH_PDDL, SCRIPT)
