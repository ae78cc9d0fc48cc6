"""A game played in a terminal: the player types moves and commands, and the program answers with text.

    undo redo restart quit
    hint     shows a best move; the second time makes it
    up left down right act wait      moves of games whose moves are directions

A word that is a legal move is played, even if it is a command, too. Moves that are actions with arguments are listed
with numbers, and may be abbreviated: see `chosen`.

Words come from single keys if moves are letters, otherwise from lines; a pipe may contain moves as `solve` prints them,
and commands as words. If all moves are directions, letters are keys, as on pages: W A S D and the arrows move, Z or U
undoes. In other games with letters as moves, letters are moves, and commands have other keys. Directions are `uldr` or
the compass, in either case, with `x`, which acts, and `t`, which lets time pass.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module

from unpuzzle.base.distances import distances
from unpuzzle.base.errors import IllegalMove, ParseError, UnpuzzleError
from unpuzzle.base.outcomes import UNSOLVABLE
from unpuzzle.base.run import Limits
from unpuzzle.base.text import listing, shorten
from unpuzzle.base.values import Record, field
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import cost_in_words
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.pddl_game.game import PddlPosition
from unpuzzle.pddl_game.spelling import action_of, move_of
from unpuzzle.solving import solve
from unpuzzle.state_space.exploration import Exploration, explore

SIDES = ("up", "left", "down", "right")
COMPASSES = ("uldr", "nwse")
"""Letters of moves up, left, down and right."""
ACT, WAIT = "x", "t"


def letters_of(moves: Iterable[str]) -> str:
    """Return the letters for up, left, down and right, in this order; empty if no move is a direction.

    >>> letters_of(["U", "R", "x"]), letters_of("NESW"), letters_of(["AB"])
    ('uldr', 'nwse', '')
    """
    letters = {move.lower() for move in moves}
    if any(len(letter) > 1 for letter in letters):
        return ""
    best = max(COMPASSES, key=lambda compass: len(letters.intersection(compass)))
    return best if letters.intersection(best) else ""


def are_directions(moves: Iterable[str]) -> bool:
    """Return whether some move is a direction, and every other move is a direction, `x` or `t`."""
    moves = list(moves)
    letters = letters_of(moves)
    return bool(letters) and {move.lower() for move in moves} <= {*letters, ACT, WAIT}


COMMANDS = {**{word: word for word in ("undo", "redo", "restart", "hint", "quit")}, "?": "hint"}
LETTERS = {"z": "undo", "y": "redo", "q": "quit"}
"""More commands, in games whose moves are all directions."""
DEEDS = {"act": ACT, "wait": WAIT}
NEAR = 200
"""The number of positions that are searched for moves if a level is too large to explore."""
LISTED = 30
"""The most moves that a message names."""
PATIENCE = 5.0
"""Seconds for a hint in a level that is too large to be explored."""

ESCAPED = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "restart", "1~": "restart", "7~": "restart"}
"""The words for arrow keys and Home, by the characters sent after `ESC [`."""
WINDOWS = {"H": "up", "P": "down", "M": "right", "K": "left", "G": "restart"}
"""The same on Windows, after a separate key."""
COMMON = {"\x7f": "undo", "\b": "undo", "?": "hint", "\x04": "quit"}
DIRECTED = {
    **COMMON,
    **{"w": "up", "a": "left", "s": "down", "d": "right", "x": "act", "\n": "act", "\r": "act", "t": "wait"},
    **{"z": "undo", "u": "undo", "y": "redo", "r": "restart", "q": "quit"},
}


class Guide(Record):
    """The best moves of a level: computed for all positions or, in a large level, searched on request."""

    level: Position
    exploration: Exploration | None = None
    states: Mapping[Position, int] = field(default_factory=dict)

    @classmethod
    def of(cls, level: Position, *, max_states: int) -> Guide:
        """Return the guide of a level, based on the state space if `max_states` and the run's limits allow that."""
        exploration = explore(level, max_states=max_states)
        if not exploration.complete:
            return cls(level)
        return cls(level, exploration, {position: state for state, position in enumerate(exploration.positions())})

    def moves(self) -> set[str]:
        """Return all moves of the level; for a large level, only the moves of positions near the start."""
        if self.exploration:
            return set(self.exploration.moves)
        near = distances([self.level], lambda position: map(position.apply, position.moves()), NEAR)
        return {move for position in near for move in position.moves()}

    def left(self, position: Position) -> int | None:
        """Return the least cost from a position to a goal; -1 in a dead end, None if unknown."""
        state = self.states.get(position)
        return None if self.exploration is None or state is None else int(self.exploration.space.goal_distance[state])

    def hint(self, position: Position) -> tuple[str | None, str]:
        """Return a best move and a text about it; if no best move is known, None and a sentence with the reason."""
        state = self.states.get(position)
        if self.exploration is not None and state is not None:
            plan = self.exploration.space.plan(state)
            if not plan:
                return None, "no move helps"
            return self.exploration.moves[self.exploration.space.actions.index(plan[0])], ""
        try:
            result = solve(position, limits=Limits(time=PATIENCE))
        except UnpuzzleError as error:
            return None, f"no hint: {error}"
        if result.moves:
            return result.moves[0], ""
        unsolvable = result.status == UNSOLVABLE
        return None, "from here the goal cannot be reached" if unsolvable else "no hint was found in time"


class Session:
    """A game in progress: positions, moves, and the undone moves that can be redone.

    `show` makes the picture of a position. `directed` says whether all moves are directions (see
    `unpuzzle.play.session`).
    """

    def __init__(
        self, level: Position, guide: Guide, show: Callable[[Position], str], *, hints: bool = True, count: bool = True
    ) -> None:
        self._show = show
        self.guide = guide
        self.hints = hints
        self.count = count
        self.positions: list[Position] = [level]
        self.moves: list[str] = []
        self.at: int = 0
        self.hint: str | None = None
        moves = guide.moves()
        self.directed: bool = are_directions(moves)
        self.letters: str = letters_of(moves)
        self.actions: bool = are_actions(level, tuple(moves))
        self.deeds: list[str] = [word for word, letter in DEEDS.items() if letter in {move.lower() for move in moves}]

    @property
    def position(self) -> Position:
        """The position after the moves so far."""
        return self.positions[self.at]

    @property
    def history(self) -> tuple[str, ...]:
        """The moves so far, without undone moves."""
        return tuple(self.moves[: self.at])

    def run(self, words: Iterable[str], keys: str = "") -> Iterator[str]:
        """Yield an opening text, then an answer to each word, until the words end or a word is `quit`.

        `keys` lists the keys below each picture; without it the first text explains what to write.
        """
        commands = [word for word in COMMANDS if word != "?" and (self.hints or word != "hint")]
        what = "a move, its number or its beginning" if self.actions else "moves"
        usage = "" if keys else f"write {what}, or {listing(commands, 'or')}\n"
        below = f"{keys}\n" if keys else ""
        yield f"{self.position.game.title or self.position.game.name}\n{usage}\n{self.picture()}{below}"
        for word in words:
            news = self.obey(word)
            if news is None:
                return
            yield f"{self.picture(news)}{below}"

    def obey(self, word: str) -> str | None:
        """Execute a word, which is a move or a command; return a message, or None to quit."""
        move = self._move(word)
        if move is not None:
            return self._play(move)
        command = COMMANDS.get(word.lower()) or (LETTERS.get(word.lower()) if self.directed else None)
        if command == "quit":
            return None
        if command == "hint":
            return self._give_hint()
        if self.directed and word.lower() in (*SIDES, *DEEDS):
            return ""  # a key that does nothing here
        if command is None:
            moves = self.position.moves()
            if self.actions:
                fitting = chosen(word, moves)
                return ambiguous(word, fitting) if fitting else why_not(word, self.position)
            there_are = f"the moves are {', '.join(moves[:LISTED])}{', ...' if len(moves) > LISTED else ''}"
            return f"{shorten(word)} is not a move in this position: {there_are if moves else 'there are none'}"
        self.hint = None
        to = {"undo": self.at - 1, "redo": self.at + 1, "restart": 0}[command]
        self.at = max(0, min(to, len(self.moves)))
        return ""

    def _move(self, word: str) -> str | None:
        """Return the legal move that a word means, such as `U` for `u` or `up`; None if not exactly one move fits."""
        moves = self.position.moves()
        small = word.lower()
        side = self.letters[SIDES.index(small)] if self.letters and small in SIDES else ""
        same = [move for move in moves if move.lower() in (small, side, DEEDS.get(small))]
        if word in moves or len(same) == 1:
            return word if word in moves else same[0]
        fitting = chosen(word, moves) if self.actions and small not in COMMANDS else []
        return fitting[0] if len(fitting) == 1 else None

    def _play(self, move: str) -> str:
        self.hint = None
        if self.moves[self.at : self.at + 1] != [move]:
            self.positions[self.at + 1 :] = [self.position.apply(move)]
            self.moves[self.at :] = [move]
        self.at += 1
        return ""

    def _give_hint(self) -> str:
        """Show a hint; if a hint is already shown, play it."""
        if self.position.solved() or not self.hints:
            return "it is solved" if self.hints else "there are no hints"
        move, why = (self.hint, "") if self.hint else self.guide.hint(self.position)
        if move is None:
            return why
        if self.hint:
            return self._play(move)
        self.hint = move
        return f"hint: {words_of(move) if self.actions else move}"

    def spent(self) -> str:
        """Return, in words, the cost of the moves so far."""
        cost = sum(before.cost(move) for before, move in zip(self.positions, self.history, strict=False))
        return cost_in_words(self.position, cost)

    def picture(self, news: str = "") -> str:
        """Return the picture of the position, with the cost so far, the least remaining cost, and a message."""
        parts = [self.spent()]
        left = self.guide.left(self.position) if self.count else None
        if self.position.solved():
            parts.append("solved")
        elif left is not None:
            parts.append(f"{left} left at best" if left >= 0 else "a dead end: from here the goal cannot be reached")
        choices = f"{listed(self.position.moves())}\n" if self.actions else ""
        return f"{self._show(self.position)}\n{', '.join(parts)}{f'; {news}' if news else ''}\n{choices}"


def pressed_keys(session: Session) -> Mapping[str, str] | None:
    """Return the word that each key stands for; None if the player must type whole lines."""
    if not sys.stdin.isatty() or not session.position.game.one_letter_moves:
        return None
    return DIRECTED if session.directed else COMMON


def keys_help(session: Session) -> str:
    """Return a line that explains the keys to the player; empty if the player must type whole lines."""
    keys = pressed_keys(session)
    if keys is None:
        return ""
    deeds = [{"act": "X or Enter act", "wait": "T wait"}[word] for word in session.deeds]
    parts = ["arrows or W A S D move", *deeds, "Z or U undo", "Y redo", "R restart", "? hint", "Q quit"]
    if keys is COMMON:
        parts = ["letters are moves", "Backspace undo", "Home restart", "? hint", "Ctrl-D quit"]
    return ", ".join([part for part in parts if session.hints or part != "? hint"])


def words_for(session: Session) -> Iterator[str]:
    """Yield the moves and commands that the player types, one by one."""
    keys = pressed_keys(session)
    if keys is None:
        for word in _words(session):
            letters = session.position.game.one_letter_moves and word.lower() not in {*COMMANDS, *SIDES, *DEEDS}
            yield from word if letters else [word]
        return
    for key in _pressed():
        other = key if keys is COMMON and key.strip() else ""  # a key in no table may be a move
        if word := key if len(key) > 1 else keys.get(key.lower(), other):
            yield word


def _words(session: Session) -> Iterator[str]:
    """Yield the words of each line of standard input."""
    try:
        for line in sys.stdin:
            yield from words_in(line, session.position, tuple(COMMANDS)) if session.actions else line.split()
    except UnicodeDecodeError as error:
        raise ParseError(f"the input's byte 0x{error.object[error.start]:02x} is not UTF-8", file="<stdin>") from None
    except OSError as error:
        raise OSError(error.errno, "standard input is closed", "<stdin>") from None


def _pressed() -> Iterator[str]:
    """Yield each key when it is pressed, without waiting for the end of a line."""
    try:
        import termios
        import tty
    except ImportError:
        yield from _pressed_on_windows()
        return
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield from _keys(lambda: sys.stdin.read(1))
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def _keys(read: Callable[[], str]) -> Iterator[str]:
    """Yield characters, and words for the arrow keys and Home; all other special keys are ignored."""
    while key := read():
        if key != "\x1b":
            yield key
            continue
        if read() in ("[", "O"):
            code = last = read()
            while last and not ("@" <= last <= "~"):
                code += (last := read())
            if last and (word := ESCAPED.get(code) or ESCAPED.get(last)):
                yield word


def _pressed_on_windows() -> Iterator[str]:
    console = import_module("msvcrt")
    while True:
        key = console.getwch()
        if key == "\x03":
            raise KeyboardInterrupt
        if word := WINDOWS.get(console.getwch(), "") if key in "\x00\xe0" else key:
            yield word


# Choosing among moves that are actions with arguments, such as `unstack:a:b`, in a terminal.
#
# They are listed by action, with numbers. A player writes a number, a move, its words (`unstack a b`), or unique
# beginnings of some of them (`u a`).

SHOWN, WIDTH = 60, 96
"""The most moves that are listed, and the length of a line."""
NAMED = 12
"""The most moves that a message names."""


def are_actions(position: Position, moves: Sequence[str]) -> bool:
    """Return whether the moves of a position are actions: in a PDDL game, or if they have arguments."""
    return isinstance(position, PddlPosition) or any(":" in move for move in moves)


def listed(moves: Sequence[str]) -> str:
    """Return the moves with their numbers, as text; each action begins a new line."""
    if not moves:
        return "no action is applicable here"
    rows: dict[str, list[str]] = {}
    for number, move in enumerate(moves[:SHOWN], 1):
        action = action_of(move)
        rows.setdefault(action.name, []).append(" ".join((f"[{number}]", *action.arguments)))
    width = max(map(len, rows))
    lines = [line for name, cells in rows.items() for line in _broken(name, width, cells)]
    more = len(moves) - SHOWN
    return "\n".join(
        [*lines, *([f"and {more:,} more: write the words of one, or their beginnings"] if more > 0 else [])]
    )


def _broken(name: str, width: int, cells: Sequence[str]) -> Iterator[str]:
    """Yield the lines that list the moves of one action; the first line begins with the name of the action."""
    line = name.ljust(width)
    for cell in cells:
        if len(line) + len(cell) + 2 > WIDTH and line.strip():
            yield line
            line = " " * width
        line += f"  {cell}"
    yield line


def chosen(word: str, moves: Sequence[str]) -> list[str]:
    """Return the moves that a word can mean: by number, or by the beginnings of the action and its arguments."""
    if word.isdecimal() and word.isascii():
        number = int(word)
        return [moves[number - 1]] if 0 < number <= min(len(moves), SHOWN) else []
    parts = word.lower().split(":")
    fitting = [move for move in moves if _begins(parts, move.lower().split(":"))]
    exact = [move for move in fitting if move.lower().split(":")[: len(parts)] == parts]
    return exact if len(exact) == 1 else fitting


def _begins(parts: Sequence[str], words: Sequence[str]) -> bool:
    return len(parts) <= len(words) and all(word.startswith(part) for part, word in zip(parts, words, strict=False))


def ambiguous(word: str, moves: Sequence[str]) -> str:
    """Return a sentence which says that a word can mean several moves."""
    more = ", ..." if len(moves) > NAMED else ""
    return f"{shorten(word)} may be {', '.join(map(words_of, moves[:NAMED]))}{more}: write more of it"


def why_not(word: str, position: Position) -> str:
    """Return the reason why a word is not a move in a position."""
    action = action_of(word.lower())
    named = isinstance(position, PddlPosition) and any(
        schema.name == action.name and len(schema.parameters) == len(action.arguments)
        for schema in position.game.domain().actions
    )
    if named:
        try:
            position.apply(word.lower())
        except IllegalMove as error:
            return str(error)
    return f"no move here is, or begins with, {shorten(words_of(word))}"


def words_of(move: str) -> str:
    """Return a move as it is shown in the list of moves, such as `unstack a b`."""
    action = action_of(move)
    return " ".join((action.name, *action.arguments))


def words_in(line: str, position: Position, commands: Sequence[str]) -> list[str]:
    """Return the moves and commands in a line: `(unstack a b)`, `unstack a b`, or several like `unstack:a:b`."""
    if "(" in line:
        try:
            return list(position.game.read_moves(line))
        except ParseError:
            return [line.strip()]
    words = line.split()
    plain = len(words) > 1 and not any(":" in word or word.isdecimal() or word.lower() in commands for word in words)
    return [move_of(GroundAction(words[0], tuple(words[1:])))] if plain else words
