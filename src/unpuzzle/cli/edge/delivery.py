"""Output of answers: to stdout and stderr, safe for a terminal, even if the reader has gone away.

Titles, messages, names in errors and planners' logs come from files and from other programs. A terminal would obey the
control characters in them: move the cursor, set the window's title, show words in another order. So every text for
stdout or stderr passes through `visible` once, when it is written; no other code needs to care.

Our own colours pass because they are marked: `mark_colours` puts a random word after their escape character, which is
new in each run, so no file can know it.
"""

from __future__ import annotations

import os
import sys

from unpuzzle.cli.answer import BAD_INPUT
from unpuzzle.cli.edge.plain import note, plain
from unpuzzle.cli.edge.streams import silence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.cli.answer import Answer

MOST_WARNINGS = 10
"""The most warnings that are shown above an answer."""
CONTROLS = (
    *(code for code in range(0x20) if chr(code) not in "\t\n"),
    *range(0x7F, 0xA0),
    *(0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)),
)
"""The control characters C0 without tabs and line ends, C1, and characters that reverse text or end lines."""
WRITTEN_OUT = {code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" for code in CONTROLS}
COLOURS = "\x1b\\[[0-9;]*m"
"""The pattern of the escape sequences that colour pictures."""
_MARK = f"\x1b{os.urandom(8).hex()}"


def deliver(answer: Answer, as_json: bool, quiet: bool = False) -> int:
    """Write an answer and return its exit code, which stays the same if a reader (`| head`) has gone away."""
    if not quiet and not (as_json and isinstance(answer.fields, dict)):
        for warning in answer.warnings[:MOST_WARNINGS]:
            complain(warning)
        if len(answer.warnings) > MOST_WARNINGS:
            complain(f"... and {len(answer.warnings) - MOST_WARNINGS:,} more: see unpuzzle lint")
    forms: dict[str, str] = {}
    try:
        _write(answer, as_json, forms)
    except OSError as error:
        from errno import EBADF

        silence("stdout")
        if isinstance(error, BrokenPipeError):
            complain("unpuzzle: the output was closed before all of it was written")
            return answer.code
        why = "standard output is closed" if error.errno == EBADF else error.strerror
        complain(f"unpuzzle: the output could not be written: {why}")
        return BAD_INPUT
    if not quiet:
        tell_forms(forms)
    if answer.complaint and not as_json:
        complain(answer.complaint)
    return answer.code


def tell_forms(forms: dict[str, str]) -> None:
    """Say which plain characters stand for those that standard output lacks, if there are any."""
    if forms:
        complain(f"unpuzzle: {note(forms, sys.stdout.encoding)}")


def _write(answer: Answer, as_json: bool, forms: dict[str, str]) -> None:
    if as_json:
        from json import dumps

        sys.stdout.write(dumps(answer.fields) + "\n")
    else:
        sys.stdout.write(printable(answer.text, sys.stdout.encoding, forms))
    sys.stdout.flush()


def complain(sentence: str) -> None:
    """Write a sentence to stderr, as a line; errors of the stream are ignored."""
    try:
        sys.stderr.write(printable(sentence + "\n", sys.stderr.encoding))
        sys.stderr.flush()
    except OSError:
        silence("stderr")


def printable(text: str, encoding: str | None, forms: dict[str, str] | None = None) -> str:
    """Return a text for a stream: control characters are written out, unsupported ones have plain `forms`, kept there.

    A picture keeps the forms of the one before, if both are written with the same `forms`.
    """
    try:
        text.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        text = plain(text, encoding or "utf-8", {} if forms is None else forms)
    return visible(text)


def visible(text: str) -> str:
    """Return a text with its control characters written out; marked colours stay colours."""
    parts = text.replace("\r\n", "\n").split(_MARK)
    return "\x1b".join([part.translate(WRITTEN_OUT) for part in parts])


def mark_colours(picture: str) -> str:
    """Return a picture with its colours marked as ours, so that `visible` keeps them."""
    import re

    return re.sub(COLOURS, lambda match: _MARK + match[0][1:], picture)
