"""The rules that fire with each move, for the positions of a page; `debug.js` shows them beside the board.

Moves that change nothing are included: rules may have fired and been undone. In a large level only the positions
nearest to the start have rules on the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unpuzzle.errors import UsageError
from unpuzzle.puzzle.capabilities import Traced, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.protocols import Debugger
from unpuzzle.run import checkpoint

MOST = 2_000
"""Positions of a level with rules on the page: about 1 MB."""


def debugger_of(position: Position) -> Debugger | None:
    traced = offered(position.game, Traced)
    return None if traced is None else traced.debugger()


def require_rules(position: Position) -> Debugger:
    """Return the debugger of a position's game. Raises UsageError for a game without rules in lines."""
    debugger = debugger_of(position)
    if debugger is None:
        raise UsageError(f"--debug: {position.game.name} has no rules in lines of a text")
    return debugger


def rules_beside(position: Position, positions: Sequence[Position]) -> dict[str, Any]:
    """Return the script's data on the rules that fire in positions, in the order of their numbers.

    Raises UsageError for a game without rules in lines, LimitReached.
    """
    debugger = require_rules(position)
    states = []
    for each in positions[:MOST]:
        checkpoint()
        states.append(debugger.turns(each))
    return {**debugger.head(), "states": states}
