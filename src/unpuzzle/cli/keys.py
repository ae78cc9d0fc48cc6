"""Words from the keyboard: keys as they are pressed where moves are letters, else lines; from a pipe all that comes."""

from __future__ import annotations

import sys

from unpuzzle.errors import ParseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unpuzzle.puzzle.game import Game

ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
"""What an arrow key sends after `ESC [`."""
WINDOWS = {"H": "up", "P": "down", "M": "right", "K": "left"}
"""What it gives there after a key that is none."""


def words_of(game: Game) -> Iterator[str]:
    """Moves and commands, as they come."""
    if game.one_letter_moves:
        return _pressed() if sys.stdin.isatty() else _letters()
    return _lines()


def _lines() -> Iterator[str]:
    try:
        for line in sys.stdin:
            yield from line.split()
    except UnicodeDecodeError as error:
        raise ParseError(f"byte 0x{error.object[error.start]:02x} is not UTF-8", file="<stdin>") from None
    except OSError as error:
        raise OSError(error.errno, "standard input is closed", "<stdin>") from None


def _letters() -> Iterator[str]:
    """A word of several letters is so many moves, unless it is a command."""
    from unpuzzle.cli.playing import COMMANDS, SIDES

    for word in _lines():
        yield from [word] if word.lower() in COMMANDS or word.lower() in SIDES else word


def _pressed() -> Iterator[str]:
    """Keys, without waiting for the end of a line."""
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
    """Characters and, of arrow keys, what they say; other keys of several characters are left out."""
    while key := read():
        if key != "\x1b":
            if key.strip() or key == "\b":
                yield key
            continue
        if read() in ("[", "O"):
            last = read()
            while last and not ("@" <= last <= "~"):
                last = read()
            if last in ARROWS:
                yield ARROWS[last]


def _pressed_on_windows() -> Iterator[str]:
    from importlib import import_module

    console = import_module("msvcrt")
    while True:
        key = console.getwch()
        if key == "\x03":
            raise KeyboardInterrupt
        word = WINDOWS.get(console.getwch(), "") if key in "\x00\xe0" else key.strip() or key
        if word:
            yield word
