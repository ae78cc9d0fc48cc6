"""The answer of a command, with an exit code of `base/outcomes.py`, and its output to stdout and stderr.

Titles, messages, names in errors and planners' logs come from files and from other programs. A terminal would obey the
control characters in them: move the cursor, set the window's title, show words in another order. So every text for
stdout or stderr passes through `visible` once, when it is written; no other code needs to care. Our own colours pass
because they are marked: `mark_colours` puts a random word after their escape character, which is new in each run, so no
file can know it.

An output without some characters, such as a pipe of Windows in cp1252, gets plain ones. Only parts of lines share
plain forms. Any other character has one that the text does not use, so that a picture still distinguishes things.
"""

from __future__ import annotations

from collections.abc import Iterable

from unpuzzle.base.type_hints import TYPE_CHECKING, Any
from unpuzzle.base.values import Record, schema_name

if TYPE_CHECKING:
    from unpuzzle.model.position import Position
import os
import sys
from collections.abc import Callable

from unpuzzle.base.outcomes import BAD_INPUT
from unpuzzle.base.text import count, listing

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
LINES: dict[str, str] = {
    **dict.fromkeys("─╴╶━–—‐▀▄", "-"),
    **dict.fromkeys("│╵╷┃▉▊▋▌▍▎▏", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯", "+"),
    **dict.fromkeys("╔╗╚╝╠╣╦╩╬", "%"),
    **{"═": "=", "║": "H", "“": '"', "”": '"', "‘": "'", "’": "'", "≤": "<=", "≥": ">=", "≈": "~", "…": "."},
}
"""Parts of lines, bars and sentences, with their plain forms, which may be equal."""
THINGS = dict(zip("█▓▒░▪●○■□·×✓✗↑↓←→", "#&:;#Oo*$.xvX^v<>", strict=True))
"""The plain characters to prefer for characters with their own meaning."""
OTHERS = "%&~!;:=_^@$*+<>"
"""The plain characters for all others, and for those whose preferred character is already used."""
NAMED = 6
"""The most characters that a note names."""
_MARK = f"\x1b{os.urandom(8).hex()}"
OPPOSITE = {"stdin": (0, "r", os.O_WRONLY), "stdout": (1, "w", os.O_RDONLY), "stderr": (2, "w", os.O_RDONLY)}
"""By name: the number of its file, how Python opens it, and how the system does."""


class View(Record):
    """The form of an answer: short, or JSON instead of text."""

    quiet: bool = False
    json: bool = False

    @property
    def bare(self) -> bool:
        """Whether progress messages are hidden, because the answer is short or JSON."""
        return self.quiet or self.json


class Answer:
    """An exit code, the data for --json, the text for stdout, and a message for stderr (not with --json).

    `fields` are an object for JSON, a value with `to_dict()`, or a list of such rows. `warnings` are sentences that are
    shown first on stderr, and in a list of the JSON object; `end` is the position to draw instead of moves, if there is
    one, and `document` the text for the file of `-o` instead of JSON.
    """

    __slots__ = ("code", "complaint", "document", "end", "fields", "text", "warnings")

    def __init__(self, code: int, fields: Any, text: str = "", complaint: str = "") -> None:
        self.code: int = code
        self.fields: Any = fields.to_dict() if hasattr(fields, "to_dict") else fields
        if isinstance(fields, list):
            self.fields = [row.to_dict() if hasattr(row, "to_dict") else row for row in fields]
        self.text: str = text if not text or text.endswith("\n") else text + "\n"
        self.complaint: str = complaint
        self.warnings: list[str] = []
        self.end: Position | None = None
        self.document: str | None = None

    def warn(self, sentences: Iterable[str]) -> None:
        """Add warnings, but no warning twice."""
        self.warnings += [each for each in dict.fromkeys(sentences) if each not in self.warnings]
        if self.warnings and isinstance(self.fields, dict):
            self.fields["warnings"] = self.warnings

    def remark(self, position: Position, view: View) -> None:
        """Add the remarks on a level to the end of the text, and to the object for JSON."""
        if remarks := position.remarks():
            self.fields["remarks"] = [*remarks]
            self.text += "" if view.quiet else "".join(f"; {remark}\n" for remark in remarks)

    def complain(self, sentence: str) -> None:
        self.complaint = f"{self.complaint}\n{sentence}".strip("\n")

    def name_schema(self, command: str) -> None:
        """Put the schema name first in each JSON object; an object without a schema gets the schema of the command."""
        schema = {"schema": schema_name(command)}
        if isinstance(self.fields, list):
            self.fields = [schema | row for row in self.fields]
        elif isinstance(self.fields, dict):
            self.fields = schema | self.fields


def replace_closed() -> None:
    """Open the null device for each standard stream that was closed when this process started."""
    for name, (number, mode, opposite) in OPPOSITE.items():
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:  # the number is free
            opened = os.open(os.devnull, opposite)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - open as long as we run
        setattr(sys, name, stream)


class StdoutToStderr:
    """A context manager that sends the output of puzzles to stderr while a command works; stdout is for results."""

    def __enter__(self) -> None:
        self._stdout, sys.stdout = sys.stdout, self

    def __exit__(self, *_: object) -> None:
        sys.stdout = self._stdout

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stdout, name)


def silence(name: str) -> None:
    """Discard everything that is still written to a standard stream."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, getattr(sys, name).fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass  # it is no file (a test's buffer): there is nothing to silence


def deliver(answer: Answer, as_json: bool, quiet: bool = False) -> int:
    """Write an answer and return its exit code, even if the reader (such as `| head`) closes the pipe."""
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
        report_replacements(forms)
    if answer.complaint and not as_json:
        complain(answer.complaint)
    return answer.code


def report_replacements(forms: dict[str, str]) -> None:
    """Report on stderr which characters standard output cannot show, and which plain characters replace them."""
    if forms:
        complain(f"unpuzzle: {note(forms, sys.stdout.encoding)}")


def _write(answer: Answer, as_json: bool, forms: dict[str, str]) -> None:
    """Write an answer to standard output, as JSON or as text."""
    if as_json:
        from json import dumps

        sys.stdout.write(dumps(answer.fields) + "\n")
    else:
        sys.stdout.write(printable(answer.text, sys.stdout.encoding, forms))
    sys.stdout.flush()


def complain(sentence: str) -> None:
    """Write a sentence as one line to stderr; errors of the stream are ignored."""
    try:
        sys.stderr.write(printable(sentence + "\n", sys.stderr.encoding))
        sys.stderr.flush()
    except OSError:
        silence("stderr")


def printable(text: str, encoding: str | None, forms: dict[str, str] | None = None) -> str:
    """Return a text that is safe for a stream: control characters escaped, characters that it cannot encode replaced.

    A picture keeps the forms of the one before, if both are written with the same `forms`.
    """
    try:
        text.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        text = plain(text, encoding or "utf-8", {} if forms is None else forms)
    return visible(text)


def visible(text: str) -> str:
    """Return a text with escaped control characters, except for the colours of `mark_colours`."""
    parts = text.replace("\r\n", "\n").split(_MARK)
    return "\x1b".join([part.translate(WRITTEN_OUT) for part in parts])


def mark_colours(picture: str) -> str:
    """Return a picture with its colour codes marked, so that `visible` does not escape these codes."""
    import re

    return re.sub(COLOURS, lambda match: _MARK + match[0][1:], picture)


def plain(text: str, encoding: str, known: dict[str, str]) -> str:
    """Return a text with plain characters instead of those that an encoding lacks; `known` stores the replacements."""
    from unicodedata import normalize  # a large table, and most outputs need nothing

    used = dict.fromkeys(text)
    lacking = [char for char in used if not char.encode(encoding, "ignore")]
    for char in lacking:
        if char not in known:
            forms = (THINGS.get(char, ""), normalize("NFKD", char)[0], *OTHERS)
            free = (form for form in forms if form and form.isascii() and form not in (*used, *known.values()))
            known[char] = LINES.get(char) or next(free, "?")
    return text.translate({ord(char): known[char] for char in lacking})


def note(known: dict[str, str], encoding: str) -> str:
    """Return a sentence, in plain characters, that says which characters were replaced by which."""
    from unicodedata import name

    parts = [f"{name(char, 'another').lower()} is {form}" for char, form in known.items() if char not in LINES]
    parts[NAMED:] = [count(len(parts) - NAMED, "other")] if len(parts) > NAMED else []
    if lines := sorted({form for char, form in known.items() if char in LINES}):
        parts.append(f"lines and marks are {' '.join(lines)}")
    return f"the output encoding, {encoding}, lacks some characters, which are replaced: {listing(parts)}"


class ProgressLine:
    """A context manager for a progress line on stderr; it gives a function that shows new figures on this line.

    Entering gives None if stderr is no terminal. The line is removed afterwards.
    """

    def __init__(self, view: View, sentence: str = "{}") -> None:
        self.visible: bool = sys.stderr.isatty() and not view.bare
        self.sentence = sentence
        self.shown: bool = False

    def __enter__(self) -> Callable[..., None] | None:
        return self._show if self.visible else None

    def _show(self, *figures: object) -> None:
        # One line of plain text: our own escape sequence is added after control characters are written out.
        self.shown, sentence = True, " ".join(self.sentence.format(*figures).split())
        sys.stderr.write("\r\x1b[K" + printable(sentence, sys.stderr.encoding))
        sys.stderr.flush()

    def __exit__(self, *raised: object) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
