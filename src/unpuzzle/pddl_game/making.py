"""New problems of a domain: given ones with another initial state, a random walk away from their goal or start.

    unpuzzle generate domain.pddl --from p01 --walk goal --steps 30 --moves 12..20 --count 5 --output problems

A walk from the goal begins at the end of a plan for the problem, so most of its problems can be solved; longer walks
give harder problems. If such a walk gets stuck too early, since little can happen after the plan, another one begins at
the start. The caller has to find out whether a problem can be solved, and how hard it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any

from unpuzzle.errors import LimitReached, ParseError
from unpuzzle.puzzle.options import Choice, Levels, Number, by_name
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.puzzle.replaying import replay
from unpuzzle.result import LIMITS
from unpuzzle.solving import solve

GOAL, START = "goal", "start"
OPTIONS = by_name(
    Levels("from", "the problems to begin elsewhere"),
    Number("steps", "the length of the walk, at most", 30, least=1, most=10_000),
    Choice("walk", "where it begins", GOAL, (GOAL, START)),
)
MOST_EXPANDED = 200_000


def make_problem(game: Game, rng: Random, options: Mapping[str, Any]) -> Position:
    """Return a problem that begins at the end of a random walk. Raises ParseError without a problem to start from."""
    texts = [game.levels.get(name, name) for name in options["from"]] or list(game.levels.values())
    if not texts:
        raise ParseError(f"{game.name} has no problems to start from: name some with --from")
    start = game.parse(rng.choice(texts))
    steps = rng.randint(1, options["steps"])
    if options["walk"] == GOAL:
        position, walked = _walk(_end(start), rng, steps)
        if walked == steps:
            return position
    return _walk(start, rng, steps)[0]


def _walk(position: Position, rng: Random, steps: int) -> tuple[Position, int]:
    """Return the end of a random walk without repeated positions, and the number of its steps."""
    seen = {position}
    for number in range(steps):
        following = [after for move in position.moves() if (after := position.apply(move)) not in seen]
        if not following:
            return position, number
        position = rng.choice(following)
        seen.add(position)
    return position, steps


@lru_cache(maxsize=16)
def _end(start: Position) -> Position:
    """Return the final state of a plan. Raises ParseError if none was found."""
    result = solve(start, "native:gbfs", max_expanded=MOST_EXPANDED)
    if result.moves is None and result.status in LIMITS:
        raise LimitReached(result.status, f"looking for a plan from which to walk: {result.message}")
    if result.moves is None:
        raise ParseError(f"a walk from the goal needs a plan, and none was found: {result.status}; try --walk start")
    return replay(start, result.moves).position
