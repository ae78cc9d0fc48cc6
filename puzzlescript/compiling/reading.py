"""From the bytes of a file to the text of a game.

Games are UTF-8, or UTF-16 with a byte order mark, as some editors write them. Bytes that are neither are taken for
letters that nobody knows: old files with another encoding have them in titles and messages, where they do not matter.
"""

from __future__ import annotations

from unpuzzle.errors import ParseError
from unpuzzle.limits import Deadline, read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def read_text(path: str, tick: Callable[[], None] | None = None) -> str:
    """The text of a file, its lines ended in one way. Raises ParseError for what is none.

    Where `tick` is the deadline of a run, a file that is too large for it raises LimitReached.
    """
    try:
        data = read_bytes(path, tick if isinstance(tick, Deadline) else None, text=False)
    except FileNotFoundError:
        raise ParseError("there is no such file", file=path) from None
    return text_of(data, path)


def text_of(data: bytes, file: str | None = None) -> str:
    """The text that bytes are. Raises ParseError for what is none, such as a picture or a program."""
    text = data.decode("utf-16" if data.startswith(_UTF_16) else "utf-8-sig", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    place = text.find("\0")
    if place >= 0:
        line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
        raise ParseError(
            "this is not a text: it has a character with the number 0", file=file, line=line, column=column
        )
    return text
