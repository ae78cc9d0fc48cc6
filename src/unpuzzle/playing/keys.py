"""Words from the keyboard: keys as they are pressed where moves are letters, else lines; from a pipe all that comes.

Where all moves are directions, letters are keys, as on pages: W A S D and the arrows move, Z or U undoes. In other
games whose moves are letters, they are moves, and the commands have keys that are none. What comes from a pipe is not
pressed: moves as `solve` prints them, and commands as words.
"""

from __future__ import annotations

import sys

from unpuzzle.errors import ParseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from unpuzzle.playing.session import Session

ESCAPED = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "restart", "1~": "restart", "7~": "restart"}
"""What arrow keys and Home send after `ESC [`, and what they say."""
WINDOWS = {"H": "up", "P": "down", "M": "right", "K": "left", "G": "restart"}
"""What they give there after a key that is none."""
COMMON = {"\x7f": "undo", "\b": "undo", "?": "hint", "\x04": "quit"}
DIRECTED = {
    **COMMON,
    **{"w": "up", "a": "left", "s": "down", "d": "right", "x": "act", "\n": "act", "\r": "act", "t": "wait"},
    **{"z": "undo", "u": "undo", "y": "redo", "r": "restart", "q": "quit"},
}


def pressed_keys(session: Session) -> Mapping[str, str] | None:
    """Return what keys say that are pressed one by one, None where words come in lines."""
    if not sys.stdin.isatty() or not session.position.game.one_letter_moves:
        return None
    return DIRECTED if session.directed else COMMON


def help_of(session: Session) -> str:
    """Return the keys, as a player is told them; empty where words come in lines."""
    keys = pressed_keys(session)
    if keys is None:
        return ""
    hint = ["? hint"] if session.hints else []
    if keys is COMMON:
        return ", ".join(["letters are moves", "Backspace undo", "Home restart", *hint, "Ctrl-D quit"])
    deeds = {"act": "X or Enter act", "wait": "T wait"}
    moving = ["arrows or W A S D move", *(deeds[word] for word in session.deeds)]
    return ", ".join([*moving, "Z or U undo", "Y redo", "R restart", *hint, "Q quit"])


def words_of(session: Session) -> Iterator[str]:
    """Moves and commands, as they come."""
    keys = pressed_keys(session)
    if keys is None:
        return _letters() if session.position.game.one_letter_moves else _lines()
    return _meant(_pressed(), keys, others=keys is COMMON)


def _meant(pressed: Iterator[str], keys: Mapping[str, str], others: bool) -> Iterator[str]:
    """What keys say; `others`, which are in no table, are moves or nothing."""
    for key in pressed:
        word = key if len(key) > 1 else keys.get(key.lower(), key if others and key.strip() else "")
        if word:
            yield word


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
    from unpuzzle.playing.session import COMMANDS, DEEDS
    from unpuzzle.puzzle.directions import SIDES

    for word in _lines():
        yield from [word] if word.lower() in {*COMMANDS, *SIDES, *DEEDS} else word


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
    """Characters and, of arrow keys and Home, what they say; other keys of several characters are left out."""
    while key := read():
        if key != "\x1b":
            yield key
            continue
        if read() in ("[", "O"):
            sent = read()
            while sent and not ("@" <= sent[-1] <= "~"):
                last = read()
                if not last:
                    return
                sent += last
            word = ESCAPED.get(sent) or ESCAPED.get(sent[-1:])
            if word:
                yield word


def _pressed_on_windows() -> Iterator[str]:
    from importlib import import_module

    console = import_module("msvcrt")
    while True:
        key = console.getwch()
        if key == "\x03":
            raise KeyboardInterrupt
        word = WINDOWS.get(console.getwch(), "") if key in "\x00\xe0" else key
        if word:
            yield word
