"""Errors with their places in texts, and the decoding of text files."""

from __future__ import annotations

from os import PathLike

from unpuzzle.base.errors import ParseError, UnsupportedFeature, UsageError
from unpuzzle.base.files import read_bytes
from unpuzzle.base.text import cut
from unpuzzle.base.type_hints import Any
from unpuzzle.pddl.formulas import Span

Path = str | PathLike[str]


def place(span: Span | None) -> dict[str, Any]:
    """Return the keyword arguments for an error that describe a place in a text."""
    if span is None:
        return {}
    line, column = span.source.position(span.start)
    return {"file": span.file, "line": line, "column": column, "text": span.source.line(line)}


def parse_error(message: str, span: Span | None = None, code: str = "") -> ParseError:
    """Return the error for a place in a text; `judging.codes` explains the code."""
    return ParseError(message, code=code, **place(span))


def unsupported(message: str, feature: str, span: Span | None = None) -> UnsupportedFeature:
    return UnsupportedFeature(message, feature=feature, **place(span))


def expected(noun: str, value: object) -> UsageError:
    """Return the error for an argument of a wrong type."""
    return UsageError(f"{noun} is expected, not {cut(repr(value), 60)}")


def decoded(data: bytes, name: str | None) -> str:
    """Return the text of a file. Raises ParseError, with the position, for binary data and text that is not UTF-8.

    Comments may be in Latin-1.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    bad = data.find(b"\0")
    if bad >= 0:
        raise _bad_byte("this is a binary file, not text: it has a NUL byte", data, bad, name)
    try:
        return data.decode()
    except UnicodeDecodeError:
        data = with_comments_in_utf8(data)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        message = f"this is not UTF-8 text: it has the byte 0x{data[error.start]:02x}"
        raise _bad_byte(message, data, error.start, name) from None


def with_comments_in_utf8(data: bytes) -> bytes:
    """Return a text with all comments in UTF-8; comments in `data` may be in Latin-1."""
    lines = []
    for line in data.split(b"\n"):
        content, mark, comment = line.partition(b";")
        try:
            comment.decode()
        except UnicodeDecodeError:
            comment = comment.decode("latin-1").encode()
        lines.append(content + mark + comment)
    return b"\n".join(lines)


def _bad_byte(message: str, data: bytes, offset: int, name: str | None) -> ParseError:
    start = data.rfind(b"\n", 0, offset) + 1
    column = len(data[start:offset].decode(errors="replace")) + 1
    return ParseError(f"{message} here", file=name, line=data.count(b"\n", 0, offset) + 1, column=column)


def read_text(path: Path) -> tuple[str, str]:
    """Return the text of a file, and its name for messages. Raises OSError, ParseError, LimitReached."""
    return decoded(read_bytes(path), str(path)), str(path)
