"""Reading levels and writing answers: where the command line touches files."""

from __future__ import annotations

import os
import sys
from argparse import Namespace

from unpuzzle.cli.answer import BAD_INPUT, OF_STATUS
from unpuzzle.cli.parser import deadline_of, within_limits
from unpuzzle.errors import LimitReached, ParseError
from unpuzzle.limits import read_bytes, read_stream
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.translators import find, reader_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unpuzzle.cli.answer import Answer


def read_text(path: str, options: Namespace | None = None) -> tuple[str, str]:
    """Read the text of a file (`-` is standard input); return it with its name for messages.

    Raises ParseError with its place for what is not UTF-8, OSError for what cannot be read, LimitReached for what is
    too large for the limits in the options.
    """
    name = "<stdin>" if path == "-" else path
    deadline = None if options is None else deadline_of(options, f"reading {name}")
    try:
        data = read_stream(sys.stdin.buffer, deadline) if path == "-" else read_bytes(path, deadline)
    except OSError as error:
        if path != "-":
            raise
        raise OSError(error.errno, "standard input is closed", "<stdin>") from None
    try:
        data = data.removeprefix(b"\xef\xbb\xbf")
        return data.decode(), name
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1
        message = f"this is not a text: byte 0x{data[error.start]:02x} is not UTF-8"
        raise ParseError(message, file=name, line=line, column=column) from None


def read_game(puzzle: str, options: Namespace | None = None) -> Game:
    """Find the game of a name or a file. Raises LimitReached where to read it takes more than the options allow."""
    return find(puzzle, None if options is None else deadline_of(options, f"reading the game {puzzle}"))


def read_level(puzzle: str, level: str, options: Namespace | None = None) -> Position:
    """Read a position of the puzzle from a bundled level's name, a file, or `-`. Raises LimitReached."""
    game = read_game(puzzle, options)
    text, name = level_text(game, puzzle, level, options)
    if options is not None:
        options.level_read = text, name  # for what may be said of it later; standard input is read once only
    game = reader_of(game, text)
    with within_limits(options, "reading the level"):
        position = game.parse(text, name)
    if not isinstance(position, Position):  # else `solve` would take it for a task
        raise TypeError(f"parse() of {game.name} gave a {type(position).__name__} for {name}")
    return position


def level_text(game: Game, puzzle: str, level: str, options: Namespace | None = None) -> tuple[str, str]:
    """Return the text of a level, and its name for messages: of a bundled level, a file, or `-`."""
    if not any(mark in level for mark in "/.") and level in game.levels:
        return game.levels[level], f"{puzzle} {level}"
    if level != "-" and not os.path.exists(level):
        reason = game.no_level(level)
        if reason:
            raise ParseError(reason)
        kind, its = ("level", "its levels are") if os.path.exists(puzzle) else ("bundled level", "bundled are")
        bundled = f"{its} {', '.join(game.levels)}" if game.levels else "it has none"
        raise ParseError(f"'{level}' is neither a file nor a {kind} of {puzzle}; {bundled}")
    reader = game.formats.get(os.path.splitext(level)[1].lower())
    if reader is None:
        return read_text(level, options)
    deadline = None if options is None else deadline_of(options, f"reading {level}")
    return reader(read_bytes(level, deadline, text=False), level), level


def moves_text(words: Sequence[str], options: Namespace) -> str:
    """Return the text of moves: the words themselves or, where one word is `-` or names a file, what stands there."""
    (word, *others) = words or [""]
    named = word == "-" or (any(mark in word for mark in "/.") and os.path.isfile(word))
    return read_text(word, options)[0] if named and not others else " ".join(words)


def unplayable(position: Position) -> str:
    """Return the complaint about a level in which nothing can ever happen; empty for others."""
    reason = position.impossible()
    return "" if reason is None or position.moves() else f"unpuzzle: {reason}"


def save(path: str, content: str | bytes) -> None:
    """Write a file whole or not at all: an old one stays until the new one is complete. Raises OSError."""
    from unpuzzle.files import save_file

    save_file(path, content)


def save_beside(answer: Answer, path: str, make: Callable[[], str | bytes]) -> None:
    """Write a file that belongs to an answer; where that fails, the answer stays, and says why with its exit code."""
    try:
        save(path, make())
    except OSError as error:  # whatever was found is not lost: it goes to stdout
        answer.code = BAD_INPUT
        answer.complain(f"unpuzzle: {path}: {error.strerror}")
    except LimitReached as reached:
        answer.code = OF_STATUS[reached.status]
        answer.complain(f"unpuzzle: {path} is not written: {reached}")
