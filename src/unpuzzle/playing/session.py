"""Playing in a terminal: words in (moves and commands), text out. Where the words come from is `keys.py`.

    undo redo restart quit
    hint     says a best move; once more: makes it
    up left down right act wait      moves of games whose moves are directions

A word that is a move here is that move, also where it is a command.
"""

from __future__ import annotations

from itertools import islice

from unpuzzle.errors import UnpuzzleError
from unpuzzle.limits import Limits
from unpuzzle.puzzle.directions import ACT, SIDES, WAIT, are_directions, letters_of
from unpuzzle.words import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from unpuzzle.puzzle.position import Position

COMMANDS = {**{word: word for word in ("undo", "redo", "restart", "hint", "quit")}, "?": "hint"}
LETTERS = {"z": "undo", "y": "redo", "q": "quit"}
"""What else is a command where all moves are directions."""
DEEDS = {"act": ACT, "wait": WAIT}
KNOWN = 200
"""How many positions are looked at for what moves there are, in a level that is too large to be explored."""
LISTED = 30
"""Moves that are named at most."""
PATIENCE = 5.0
"""Seconds for a hint in a level that is too large to be explored."""


class Guide:
    """What is best, known of all positions or, in a large level, found when it is asked for."""

    def __init__(self, level: Position, max_states: int, limits: Limits) -> None:
        from unpuzzle.spaces.exploration import explore

        self.level = level
        self.found = explore(level, limits=limits, max_states=max_states)
        positions = self.found.positions() if self.found.complete else ()
        self.states = {position: state for state, position in enumerate(positions)}

    def moves(self) -> set[str]:
        """Return the moves that there are, as far as they are known."""
        return set(self.found.moves) if self.states else known_moves(self.level)

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


def known_moves(level: Position, most: int = KNOWN) -> set[str]:
    """Return the moves of the positions that are next to a level."""
    positions, moves = {level: None}, set()
    for position in islice(_growing(positions), most):
        for move in position.moves():
            moves.add(move)
            if len(positions) < most:
                positions.setdefault(position.apply(move))
    return moves


def _growing(positions: dict[Position, None]) -> Iterator[Position]:
    """The keys of a dict that grows meanwhile."""
    number = 0
    while number < len(positions):
        yield from (new := list(islice(positions, number, None)))
        number += len(new)


class Session:
    """A game that is being played: the positions and moves so far, and those ahead that redo goes to.

    `show` makes the picture of a position; `directed` says whether all moves are directions, see
    `unpuzzle.puzzle.directions`.
    """

    def __init__(
        self, level: Position, guide: Guide, show: Callable[[Position], str], *, hints: bool = True, count: bool = True
    ) -> None:
        self._show = show
        self.guide = guide
        self.hints = hints
        self.count = count
        self.line = [level]
        self.moves: list[str] = []
        self.at = 0
        self.hinted: str | None = None
        moves = guide.moves()
        self.directed = are_directions(moves)
        self.letters = letters_of(moves)
        self.deeds = [word for word, letter in DEEDS.items() if letter in {move.lower() for move in moves}]

    @property
    def position(self) -> Position:
        """Where it stands."""
        return self.line[self.at]

    @property
    def made(self) -> tuple[str, ...]:
        """The moves that led there."""
        return tuple(self.moves[: self.at])

    def run(self, words: Iterable[str], keys: str = "") -> Iterator[str]:
        """What is to be shown at first and after each word, until the words end or one of them is `quit`.

        `keys` says what to press, below each picture; without it the start says what to write.
        """
        help = "" if keys else f"{self._help()}\n"
        below = f"{keys}\n" if keys else ""
        yield f"{self.position.game.title or self.position.game.name}\n{help}\n{self.picture()}{below}"
        for word in words:
            news = self.obey(word)
            if news is None:
                return
            yield f"{self.picture(news)}{below}"

    def _help(self) -> str:
        words = [word for word in COMMANDS if word != "?" and (self.hints or word != "hint")]
        return f"write moves, or {', '.join(words[:-1])} or {words[-1]}"

    def obey(self, word: str) -> str | None:
        """Do what a word says; what is to be told about it, None to quit."""
        move = self._meant(word)
        if move is not None:
            return self._play(move)
        command = COMMANDS.get(word.lower()) or (LETTERS.get(word.lower()) if self.directed else None)
        if command == "quit":
            return None
        if command == "hint":
            return self._hint() if self.hints else "there are no hints"
        if self.directed and word.lower() in (*SIDES, *DEEDS):
            return ""  # a key that does nothing here
        if command is None:
            moves = self.position.moves()
            there_are = f"the moves are {', '.join(moves[:LISTED])}{', ...' if len(moves) > LISTED else ''}"
            return f"{shorten(word)} is no move here: {there_are if moves else 'there are none'}"
        self.hinted = None
        to = {"undo": self.at - 1, "redo": self.at + 1, "restart": 0}[command]
        self.at = max(0, min(to, len(self.moves)))
        return ""

    def _meant(self, word: str) -> str | None:
        """The legal move that a word is; in other letters (`u` or `up` for `U`), if it can be one only."""
        moves = self.position.moves()
        small = word.lower()
        side = self.letters[SIDES.index(small)] if self.letters and small in SIDES else ""
        same = [move for move in moves if move.lower() in (small, side, DEEDS.get(small))]
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
        left = self.guide.left(self.position) if self.count else None
        if self.position.solved():
            parts.append("solved")
        elif left is not None:
            parts.append(f"{left} left at best" if left >= 0 else "a dead end: from here the goal cannot be reached")
        return f"{self._show(self.position)}\n{', '.join(parts)}{f'; {news}' if news else ''}\n"
