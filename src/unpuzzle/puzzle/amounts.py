"""Amounts as text in the words of a game: moves or the cost of moves, and pushes if the game has pushes."""

from __future__ import annotations

from unpuzzle.base.text import count
from unpuzzle.pddl.nodes import Domain, Task
from unpuzzle.puzzle.position import Game, Position

_PUSHES = ("push", "pushes")
_OTHERS = ("move besides walking", "moves besides walking")


def cost_in_words(position: Position, cost: int) -> str:
    """Return the cost of moves: `12 moves` if each move of the level costs 1, otherwise `cost 12`."""
    return count(cost, "move") if position.unit_cost() else f"cost {cost:,}"


def pushing(subject: Position | Task | Domain | Game) -> bool:
    """Return whether the moves of a game or domain other than walking steps are called pushes."""
    if isinstance(subject, Task | Domain):
        domain = subject.domain if isinstance(subject, Task) else subject
        return any("push" in action.name for action in domain.actions)
    game = subject.game if isinstance(subject, Position) else subject
    return any("push" in name.lower() for name in game.actions) if game.pushing is None else game.pushing


def noun_of_pushes(subject: Position | Task | Game) -> tuple[str, str]:
    """Return the noun for moves other than walking steps, in singular and plural."""
    return _PUSHES if pushing(subject) else _OTHERS
