"""Candidates judged one by one, each text once: how levels are judged that no common grounding serves."""

from __future__ import annotations

from unpuzzle.levels.candidates import Level
from unpuzzle.limits import Deadline
from unpuzzle.planners.watch import Within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from unpuzzle.levels.candidates import Chunk, Verdict, Wish
    from unpuzzle.puzzle.position import Position


def judged_singly(chunk: Chunk, verdict_on: Callable[[Position, Wish, Deadline], Verdict]) -> list[tuple[str, Verdict]]:
    """For each candidate the text of its canonical position, and the verdict; up to the last one that is needed.

    Raises LimitReached when the time is up, or the memory.
    """
    watch = Deadline(chunk.limits, "judging levels")
    found: list[tuple[str, Verdict]] = []
    seen: dict[str, Verdict] = {}
    for position in chunk.positions():
        watch.look()
        with Within(chunk.game, watch):
            key = str(position.canonical())
        if key not in seen:
            seen[key] = verdict_on(position, chunk.wish, watch)
        found.append((key, seen[key]))
        if sum(isinstance(verdict, Level) for verdict in seen.values()) == chunk.enough:
            break
    return found
