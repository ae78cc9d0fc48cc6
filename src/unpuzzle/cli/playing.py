"""Playing in a terminal: words in (moves and commands), text out. Where the words come from is `keys.py`.

    z y      undo, redo                              0    back to the start
    ?        a hint; once more: makes that move      q    quit

A move of the game comes before a command of the same letter; commands have whole words, too.
"""

from __future__ import annotations

from unpuzzle.cli.drawing import shown
from unpuzzle.errors import LimitReached, UnpuzzleError
from unpuzzle.limits import Limits
from unpuzzle.words import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unpuzzle.puzzle.position import Position

COMMANDS = {
    **dict.fromkeys(("z", "undo", "\x7f", "\b", "<"), "undo"),
    **dict.fromkeys(("y", "redo", ">"), "redo"),
    **dict.fromkeys(("0", "restart"), "restart"),
    **dict.fromkeys(("?", "hint"), "hint"),
    **dict.fromkeys(("q", "quit", "\x04"), "quit"),
}
SIDES = {"up": "un", "left": "lw", "down": "ds", "right": "re"}
"""Arrow keys, and the letters of moves that they stand for."""
HELP = "undo z, redo y, hint ?, restart 0, quit q"
LISTED = 30
"""Moves that are named at most."""
PATIENCE = 5.0
"""Seconds for a hint in a level that is too large to be explored."""


class Guide:
    """What is best, known of all positions or, in a large level, found when it is asked for."""

    def __init__(self, level: Position, max_states: int, limits: Limits) -> None:
        from unpuzzle.exploring.exploration import explore

        self.level = level
        try:
            self.found = explore(level, limits, max_states=max_states)
            self.states = {position: state for state, position in enumerate(self.found.positions())}
        except LimitReached:
            self.states = {}

    def left(self, position: Position) -> int | None:
        """The least cost to a goal; -1 in a dead end, None where that is not known."""
        state = self.states.get(position)
        return None if state is None else int(self.found.space.goal_distance[state])

    def hint(self, position: Position) -> tuple[str | None, str]:
        """A best move, or why there is none to be told."""
        state = self.states.get(position)
        if state is not None:
            plan = self.found.space.plan(state)
            move = self.found.moves[self.found.space.actions.index(plan[0])] if plan else None
            return move, "" if move else "no move helps"
        return _searched(position)


def _searched(position: Position) -> tuple[str | None, str]:
    """The first move of what the game's planner finds soon."""
    from unpuzzle.solving import solve

    try:
        result = solve(position, limits=Limits(time=PATIENCE))
    except UnpuzzleError as error:
        return None, f"no hint: {error}"
    if result.moves:
        return result.moves[0], ""
    return (
        None,
        "from here the goal cannot be reached" if result.status == "unsolvable" else "no hint was found in time",
    )


class Session:
    """A game that is being played: the positions and moves so far, and those ahead that redo goes to."""

    def __init__(self, level: Position, guide: Guide) -> None:
        self.guide = guide
        self.line = [level]
        self.moves: list[str] = []
        self.at = 0
        self.hinted: str | None = None

    @property
    def position(self) -> Position:
        """Where it stands."""
        return self.line[self.at]

    @property
    def made(self) -> tuple[str, ...]:
        """The moves that led there."""
        return tuple(self.moves[: self.at])

    def run(self, words: Iterable[str]) -> Iterator[str]:
        """What is to be shown at first and after each word, until the words end or one of them is `quit`."""
        yield f"{self.position.game.title or self.position.game.name}\n{self._help()}\n\n{self.picture()}"
        for word in words:
            news = self.obey(word)
            if news is None:
                return
            yield self.picture(news)

    def _help(self) -> str:
        return f"{'arrow keys or letters' if self.position.game.one_letter_moves else 'type moves'}; {HELP}"

    def obey(self, word: str) -> str | None:
        """Do what a word says; what is to be told about it, None to quit."""
        move = self._meant(word)
        if move is not None:
            return self._play(move)
        command = COMMANDS.get(word.lower())
        if command == "quit":
            return None
        if command == "hint":
            return self._hint()
        if command is None:
            moves = self.position.moves()
            there_are = f"the moves are {', '.join(moves[:LISTED])}{', ...' if len(moves) > LISTED else ''}"
            return f"{shorten(word)} is no move here: {there_are if moves else 'there are none'}"
        self.hinted = None
        to = {"undo": self.at - 1, "redo": self.at + 1, "restart": 0}[command]
        self.at = max(0, min(to, len(self.moves)))
        return ""

    def _meant(self, word: str) -> str | None:
        """The legal move that a word is; in other letters (`u` or an arrow for `U`), if it can be one only."""
        moves = self.position.moves()
        meant = SIDES.get(word.lower(), "") if self.position.game.one_letter_moves else ""
        same = [move for move in moves if move.lower() in (word.lower(), *meant)]
        return word if word in moves else same[0] if len(same) == 1 else None

    def _play(self, move: str) -> str:
        self.hinted = None
        if self.moves[self.at : self.at + 1] != [move]:
            self.line[self.at + 1 :] = [self.position.apply(move)]
            self.moves[self.at :] = [move]
        self.at += 1
        return ""

    def _hint(self) -> str:
        if self.position.solved():
            return "it is solved"
        move, why = (self.hinted, "") if self.hinted else self.guide.hint(self.position)
        if move is None:
            return why
        if self.hinted:
            return self._play(move)
        self.hinted = move
        return f"hint: {move}"

    def picture(self, news: str = "") -> str:
        """The position and how it stands."""
        cost = sum(before.cost(move) for before, move in zip(self.line, self.made, strict=False))
        parts = [f"cost {cost}" if cost != self.at else f"{self.at} move{'s' * (self.at != 1)}"]
        left = self.guide.left(self.position)
        if self.position.solved():
            parts.append("solved")
        elif left is not None:
            parts.append(f"{left} left at best" if left >= 0 else "a dead end: from here the goal cannot be reached")
        return f"{shown(self.position)}\n{', '.join(parts)}{f'; {news}' if news else ''}\n"
