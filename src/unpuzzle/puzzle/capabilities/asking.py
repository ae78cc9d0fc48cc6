"""Whether a game or position has a capability, and what holds for those that lack it."""

from __future__ import annotations

from unpuzzle.errors import ParseError
from unpuzzle.puzzle.capabilities.of_games import Generating, HasHeuristics
from unpuzzle.puzzle.capabilities.of_positions import Scored, Staged, Symmetric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from random import Random
    from typing import Any, TypeVar

    from unpuzzle.puzzle.game import Game
    from unpuzzle.puzzle.heuristic import Heuristic, Subgoal
    from unpuzzle.puzzle.options import Option
    from unpuzzle.puzzle.position import Position

    Capability = TypeVar("Capability")

SMALL_LEVEL_TRIES = 100
SAMPLE_MOVES = 20


def offered(subject: Any, capability: type[Capability]) -> Capability | None:
    """Return the game or position if it inherits a capability, else None."""
    has_it = issubclass(subject, capability) if isinstance(subject, type) else isinstance(subject, capability)
    return subject if has_it else None


def required(subject: Game | Position, capability: type[Capability], purpose: str) -> Capability:
    """Return the game or position. Raises ParseError where it does not inherit a capability.

    `purpose` says what it was wanted for, after the name of the game: `cannot be searched backwards`.
    """
    able = offered(subject, capability)
    if able is None:
        name = str(getattr(getattr(subject, "game", subject), "name", "this"))
        raise ParseError(f"{name} {purpose}: it does not inherit {capability.__name__}")
    return able


def heuristics_of(game: Game) -> Mapping[str, Heuristic]:
    """Return the heuristics of a game by name, `null` always among them."""
    from unpuzzle.puzzle.heuristic import NULL

    able = offered(game, HasHeuristics)
    return {**(able.heuristics if able else {}), NULL.name: NULL}


def options_of(game: Game) -> Mapping[str, Option]:
    """Return what levels of a game may be asked to be."""
    able = offered(game, Generating)
    return able.options if able else {}


def generated(game: Game, rng: Random, options: Mapping[str, Any]) -> Position:
    """Return a random level; a sample of a game that does not generate levels."""
    able = offered(game, Generating)
    return able.generate(rng, options) if able else game.sample(rng)


def small_level(game: Game, rng: Random) -> Position:
    """Return a random small level of a game that has no samples of its own."""
    able = offered(game, Generating)
    if able is None:
        return _wandered(game, rng)
    for _ in range(SMALL_LEVEL_TRIES):
        try:
            return able.generate(rng, {name: option.small(rng) for name, option in able.options.items()})
        except ParseError:
            continue  # these small values do not go together
    return able.generate(rng, {name: option.default for name, option in able.options.items()})


def _wandered(game: Game, rng: Random) -> Position:
    """Return a position some random moves on from a bundled level."""
    if not game.levels:
        raise ParseError(f"{game.name} has no levels to take samples from; define levels, sample() or generate()")
    position = game.parse(rng.choice(list(game.levels.values())))
    for _ in range(rng.randint(0, SAMPLE_MOVES)):
        moves = position.moves()
        if not moves:
            break
        position = position.apply(rng.choice(moves))
    return position


def symmetries_of(position: Position) -> Iterable[Position]:
    """Return the positions that are the same but for symmetry, the position itself among them."""
    able = offered(position, Symmetric)
    return able.symmetries() if able else (position,)


def subgoals_of(position: Position) -> Sequence[Subgoal] | None:
    """Return what to achieve one after the other; None if the position names no subgoals."""
    able = offered(position, Staged)
    return able.subgoals() if able else None


def score_of(position: Position, moves: Iterable[str]) -> int | None:
    """Return the points of legal moves from here; None for games without points."""
    able = offered(position, Scored)
    return able.level_score(moves) if able else None
