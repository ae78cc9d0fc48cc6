"""A listener, which the Python engine tells what happens in a turn; without one an engine spends nothing on it.

    begins(why, direction, board)     a turn: `board` is as it was before
        pushed(board)                 players have got the movement that the input gives them
        applied(rule, matches, board) a rule has changed something; `board` is as it is now
        queued(rule)                  a rule has queued its commands
        moved(board)                  what could move has moved; the rules that follow are late ones
        broken(groups, board)         bodies of rigid groups could not move: the turn begins anew without them
    ends(how, board)                  the turn; `board` is what it leads to

Each turn is told of, those of `again` and of the start and restarts, too; not those that are only tried out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unpuzzle.puzzlescript.compiling.compiled import Rule
    from unpuzzle.puzzlescript.playing.board import Match, PlayBoard

START, INPUT, AGAIN, RESTART = "start", "input", "again", "restart"
"""Why a turn begins."""
CANCELLED, UNMOVED, RESTARTED, WON, TO_GO_ON, DONE = "cancel", "no player moved", "restart", "win", "again", ""
"""How a turn ends: taken back by the command `cancel` or since no player moved; left by `restart`; won; followed by a
turn of `again`; or just so."""


class Listener:
    """Is told what happens in a turn, and does nothing with it; see the module's docstring."""

    __slots__ = ()

    def begins(self, why: str, direction: int | None, board: PlayBoard) -> None:
        """Take note that a turn begins."""

    def pushed(self, board: PlayBoard) -> None:
        """Take note that the input has pushed the players, if there is one."""

    def applied(self, rule: Rule, matches: Sequence[Match], board: PlayBoard) -> None:
        """Take note that a rule has changed something where its rows match these cells."""

    def queued(self, rule: Rule) -> None:
        """Take note that a rule has queued its commands, as far as they were not yet queued."""

    def moved(self, board: PlayBoard) -> None:
        """Take note that movement is done, and late rules follow."""

    def broken(self, groups: Collection[int], board: PlayBoard) -> None:
        """Take note that all is taken back to this board, since bodies of groups of rules could not move."""

    def ends(self, how: str, board: PlayBoard) -> None:
        """Take note that a turn ends."""
