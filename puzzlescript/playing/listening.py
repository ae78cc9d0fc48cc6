"""A listener, which the Python engine calls for the events of a turn; without a listener, this costs nothing.

    begins(why, direction, board)     a turn begins: `board` is the board before it
        pushed(board)                 players have got their movement from the input
        applied(rule, matches, board) a rule has changed something; `board` is the board now
        queued(rule)                  a rule has queued its commands
        moved(board)                  movements are done; late rules follow
        broken(groups, board)         bodies of rigid groups could not move: the turn begins again without them
    ends(how, board)                  the turn ends; `board` is the result

This includes turns of `again`, of the start and of restarts, but not turns that are only tried out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from unpuzzle.puzzlescript.compiling.compiled import Rule
from unpuzzle.puzzlescript.playing.board import Match, PlayBoard

START, INPUT, AGAIN, RESTART = "start", "input", "again", "restart"
"""The reasons for which a turn begins."""
CANCELLED, UNMOVED, RESTARTED, WON, TO_GO_ON, DONE = "cancel", "no player moved", "restart", "win", "again", ""
"""How a turn ends: taken back by the command `cancel` or since no player moved; left by `restart`; won; followed by a
turn of `again`; or none of these."""


class Listener:
    """The base of listeners, which receives the events of a turn and ignores them; see the module's docstring."""

    __slots__ = ()

    def begins(self, why: str, direction: int | None, board: PlayBoard) -> None:
        """Handle the event that a turn begins."""

    def pushed(self, board: PlayBoard) -> None:
        """Handle the event that the input has pushed the players, if there is an input."""

    def applied(self, rule: Rule, matches: Sequence[Match], board: PlayBoard) -> None:
        """Handle the event that a rule, whose rows match these cells, has changed the board."""

    def queued(self, rule: Rule) -> None:
        """Handle the event that a rule has queued commands."""

    def moved(self, board: PlayBoard) -> None:
        """Handle the event that movement has ended, before late rules."""

    def broken(self, groups: Collection[int], board: PlayBoard) -> None:
        """Handle the event that the turn is reset to this board because objects of rigid groups could not move."""

    def ends(self, how: str, board: PlayBoard) -> None:
        """Handle the event that a turn ends."""
