"""Words from the keyboard: single keys where moves are letters, else lines; from a pipe everything that comes.

Where all moves are directions, letters are keys, as on pages: W A S D and the arrows move, Z or U undoes. In other
games whose moves are letters, letters are moves, and commands have other keys. A pipe brings no keys, but moves as
`solve` prints them, and commands as words.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping

from unpuzzle.errors import ParseError
from unpuzzle.playing.session import COMMANDS, DEEDS, Session
from unpuzzle.puzzle.directions import SIDES

ESCAPED = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "restart", "1~": "restart", "7~": "restart"}
"""By what arrow keys and Home send after `ESC [`, the words that they stand for."""
WINDOWS = {"H": "up", "P": "down", "M": "right", "K": "left", "G": "restart"}
"""The same on Windows, after a key of its own."""
COMMON = {"\x7f": "undo", "\b": "undo", "?": "hint", "\x04": "quit"}
DIRECTED = {
    **COMMON,
    **{"w": "up", "a": "left", "s": "down", "d": "right", "x": "act", "\n": "act", "\r": "act", "t": "wait"},
    **{"z": "undo", "u": "undo", "y": "redo", "r": "restart", "q": "quit"},
}


def pressed_keys(session: Session) -> Mapping[str, str] | None:
    """Return the words that single keys stand for, or None where words come in lines."""
    if not sys.stdin.isatty() or not session.position.game.one_letter_moves:
        return None
    return DIRECTED if session.directed else COMMON


def keys_help(session: Session) -> str:
    """Return a line that tells a player the keys; empty where words come in lines."""
    keys = pressed_keys(session)
    if keys is None:
        return ""
    deeds = [{"act": "X or Enter act", "wait": "T wait"}[word] for word in session.deeds]
    parts = ["arrows or W A S D move", *deeds, "Z or U undo", "Y redo", "R restart", "? hint", "Q quit"]
    if keys is COMMON:
        parts = ["letters are moves", "Backspace undo", "Home restart", "? hint", "Ctrl-D quit"]
    return ", ".join([part for part in parts if session.hints or part != "? hint"])


def words_for(session: Session) -> Iterator[str]:
    """Yield moves and commands, as they come."""
    keys = pressed_keys(session)
    if keys is None:
        for word in _words():
            letters = session.position.game.one_letter_moves and word.lower() not in {*COMMANDS, *SIDES, *DEEDS}
            yield from word if letters else [word]
        return
    for key in _pressed():
        other = key if keys is COMMON and key.strip() else ""  # a key in no table may be a move
        if word := key if len(key) > 1 else keys.get(key.lower(), other):
            yield word


def _words() -> Iterator[str]:
    try:
        for line in sys.stdin:
            yield from line.split()
    except UnicodeDecodeError as error:
        raise ParseError(f"byte 0x{error.object[error.start]:02x} is not UTF-8", file="<stdin>") from None
    except OSError as error:
        raise OSError(error.errno, "standard input is closed", "<stdin>") from None


def _pressed() -> Iterator[str]:
    """Yield keys without waiting for the end of a line."""
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
    """Yield characters, and words for arrow keys and Home; other keys of several characters are left out."""
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
    from importlib import import_module

    console = import_module("msvcrt")
    while True:
        key = console.getwch()
        if key == "\x03":
            raise KeyboardInterrupt
        if word := WINDOWS.get(console.getwch(), "") if key in "\x00\xe0" else key:
            yield word
