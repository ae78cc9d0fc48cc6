"""Candidates judged one by one, each text once: how levels are judged that no common grounding serves."""

from __future__ import annotations

from unpuzzle.errors import LimitReached
from unpuzzle.levels.candidates import Judged, Level
from unpuzzle.limits import ticking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from unpuzzle.levels.candidates import Chunk, Verdict, Wish
    from unpuzzle.limits import Deadline
    from unpuzzle.puzzle.position import Position


def judged_singly(chunk: Chunk, verdict_on: Callable[[Position, Wish, Deadline], Verdict]) -> Judged:
    """Judge the candidates of a chunk one after the other, as far as the limits allow."""
    found = Judged()
    try:
        _judge(chunk, verdict_on, chunk.begun(), found.verdicts)
    except LimitReached as reached:
        found.status = reached.status
    return found


def _judge(
    chunk: Chunk,
    verdict_on: Callable[[Position, Wish, Deadline], Verdict],
    watch: Deadline,
    found: list[tuple[str, Verdict]],
) -> None:
    seen: dict[str, Verdict] = {}
    for position in chunk.positions(watch):
        watch.look()
        with ticking(watch):
            key = str(position.canonical())
        if key not in seen:
            seen[key] = verdict_on(position, chunk.wish, watch)
        found.append((key, seen[key]))
        if sum(isinstance(verdict, Level) for verdict in seen.values()) == chunk.enough:
            break
