"""The bundled puzzles by what they have, for tests that are about that.

`WITH_PDDL` have a domain. `EVERY_KIND` are those, and one of the games in PuzzleScript, the one with the smallest
levels: they all share their code, and `laws` are applied to each.
"""

from __future__ import annotations

from unpuzzle import translators
from unpuzzle.errors import UnpuzzleError


def _has_domain(name: str) -> bool:
    try:
        translators.find(name).domain()
    except UnpuzzleError:
        return False
    return True


WITH_PDDL = tuple(name for name in translators.names() if _has_domain(name))
SCRIPT = "ice-walk"
EVERY_KIND = (*WITH_PDDL, SCRIPT)
