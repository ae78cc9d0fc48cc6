"""Whether a game or position has a capability, and what holds for those that lack it."""

from __future__ import annotations

from unpuzzle.errors import UsageError
from unpuzzle.puzzle.capabilities.of_games import HasHeuristics
from unpuzzle.puzzle.capabilities.of_positions import Scored, Staged, Symmetric
from unpuzzle.puzzle.heuristic import NULL
from unpuzzle.puzzle.position import Generating
from unpuzzle.words import suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from random import Random
    from typing import Any, TypeVar

    from unpuzzle.puzzle.heuristic import Heuristic, Subgoal
    from unpuzzle.puzzle.options import Option
    from unpuzzle.puzzle.position import Game, Position

    Capability = TypeVar("Capability")


def offered(subject: Any, capability: type[Capability]) -> Capability | None:
    """Return the game or position if it inherits a capability, else None."""
    has_it = issubclass(subject, capability) if isinstance(subject, type) else isinstance(subject, capability)
    return subject if has_it else None


def required(subject: Game | Position, capability: type[Capability], purpose: str) -> Capability:
    """Return the game or position. Raises UsageError without the capability: "NAME PURPOSE", as in `cannot be searched
    backwards`.
    """
    able = offered(subject, capability)
    if able is None:
        name = str(getattr(getattr(subject, "game", subject), "name", "this"))
        raise UsageError(f"{name} {purpose}: it does not inherit {capability.__name__}")
    return able


def heuristics_of(game: Game) -> Mapping[str, Heuristic]:
    """Return the heuristics of a game by name, `null` always among them."""
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


def heuristic_of(level: Position, name: str | None = None) -> Heuristic:
    """Return a game's heuristic by name, by default the first but `null`. Raises UsageError if there is none, or it is
    unfit.
    """
    known = heuristics_of(level.game)
    if name is None:
        name = next((other for other in known if other != NULL.name), NULL.name)
    heuristic = known.get(name)
    if heuristic is None:
        hint = suggestion(name, known) or f"; there are {', '.join(known)}"
        raise UsageError(f"{level.game.name} has no heuristic '{name}'{hint}")
    reason = heuristic.unfit(level)
    if reason is not None:
        raise UsageError(f"the heuristic '{name}' does not fit this level: {reason}")
    return heuristic


def completed(game: Game, given: Mapping[str, object]) -> dict[str, Any]:
    """Return a value, given or default, for each option of a game. Raises UsageError for unknown options and wrong
    values.
    """
    options = options_of(game)
    for name in given:
        if name not in options:
            known = f"it has {', '.join(options)}" if options else "it has none"
            hint = suggestion(name, options) or f"; {known}"
            raise UsageError(f"{game.name} has no option '{name}'{hint}")
    return {name: option.value(given[name]) if name in given else option.default for name, option in options.items()}
