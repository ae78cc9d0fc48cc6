"""From text to nested forms: brackets, comments, case, places.

    "(at ?x A) ; here"   →   Form(["at", "?x", "a"]), standing at token 0

A `Form` is a list of words (lower-case strings) and forms. Reading must be quick for files of a megabyte, and the place
of an atom is rarely needed. So the text is cut by `str.split`, which forgets offsets, and a form remembers only the
*number* of its opening bracket among all tokens. Offsets are computed when they are first needed, in a second pass with
a regular expression (`Text.offsets`); `re`, too, is imported only then.

The text is taken in pieces, and an error ends the work at once: ten megabytes of `(` are refused after the first few.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from unpuzzle.base.errors import ParseError
from unpuzzle.base.run import within_limits
from unpuzzle.base.type_hints import Any
from unpuzzle.pddl.node import Source, Span
from unpuzzle.pddl.reading.complaints import parse_error

DEEPEST = 200
"""Deeper nesting is refused, so that functions on tasks may be recursive."""

_PIECE = 1 << 16
_AT_ONCE = 512
"""The number of tokens that are located at a time."""
TOKEN = r";[^\n]*|[()]|\?[^\s()?;]*|[^\s()?;]+"
"""The pattern of a token, or of a comment."""


class Form(list["str | Form"]):
    """The items between two brackets; `at` is the number of the opening bracket among the tokens of the text."""

    __slots__ = ("at",)
    at: int


class Text(Source):
    """A source that can tell the places of its tokens."""

    def __init__(self, text: str, name: str | None = None) -> None:
        # All line ends become \n; lines and columns do not change.
        super().__init__(text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text, name)
        self._offsets: list[tuple[int, int]] = []
        self._scan: Iterator[Any] | None = None

    def offsets(self, token: int) -> tuple[int, int]:
        """Return the start and end of a token, by its number; after the last token, the end of the text."""
        if self._scan is None:
            import re  # only for texts with faults: a program that reads tasks needs nothing else of it

            self._scan = re.finditer(TOKEN, self.text)
        offsets = self._offsets
        while len(offsets) <= token:
            matches = list(islice(self._scan, _AT_ONCE))
            if not matches:
                end = len(self.text.rstrip())
                return end, end
            offsets += [match.span() for match in matches if match[0][0] != ";"]
        return offsets[token]

    def word(self, token: int) -> str:
        """Return a token in lower case; empty after the end."""
        start, end = self.offsets(token)
        return self.text[start:end].lower()

    def closing(self, token: int) -> int:
        """Return the number of the bracket that closes a bracket; a word is its own end."""
        depth = 0
        while True:
            word = self.word(token)
            depth += (word == "(") - (word == ")")
            if depth <= 0 or not word:
                return token
            token += 1

    def find(self, word: str, token: int) -> int:
        """Return the number of the first token equal to a word, from a token on; that token if there is none."""
        number = token
        while other := self.word(number):
            if other == word:
                return number
            number += 1
        return token


class TokenSpan(Span):
    """A span that stores the number of its first token, and computes its offsets when asked."""

    __slots__ = ("token",)
    source: Text

    def __init__(self, source: Text, token: int) -> None:
        self.source = source
        self.token: int = token

    @property
    def start(self) -> int:  # type: ignore[override]
        return self.source.offsets(self.token)[0]

    @property
    def end(self) -> int:  # type: ignore[override]
        return self.source.offsets(self.source.closing(self.token))[1]

    def find(self, word: str) -> TokenSpan:
        return TokenSpan(self.source, self.source.find(word, self.token))


def read_form(source: Text, expected: str) -> Form:
    """Return the one form of a text; `expected` describes it in the message for an empty text."""
    root, number = Form(), 0
    stack: list[Form] = []
    form = root
    for piece in within_limits(_pieces(source), long=True):
        for word in piece:
            if word == "(":
                if not stack and root:
                    raise _after_the_end(source, number)
                if len(stack) == DEEPEST:
                    raise _too_deep(source, number)
                child = Form()
                child.at = number
                form.append(child)
                stack.append(form)
                form = child
            elif word == ")":
                if not stack:
                    raise parse_error("this ')' closes nothing", TokenSpan(source, number), "extra-bracket")
                form = stack.pop()
            elif stack:
                form.append(word)
            else:
                if root:
                    raise _after_the_end(source, number)
                raise parse_error(f"expected {expected}, found '{word}'", TokenSpan(source, 0), "no-definition")
            number += 1
    if stack:
        raise _unclosed(source, [*stack[1:], form])
    if not root:
        raise parse_error(f"the text is empty: expected {expected}", TokenSpan(source, 0), "no-definition")
    return root[0]  # type: ignore[return-value]


def tokens(source: Text) -> Iterator[str]:
    """Yield the tokens of a text."""
    for piece in within_limits(_pieces(source), long=True):
        yield from piece


def _pieces(source: Text) -> Iterator[list[str]]:
    """Yield the tokens in pieces, checked to be printable ASCII."""
    text = source.text
    if ";" in text:
        text = "\n".join([line[: line.index(";")] if ";" in line else line for line in text.split("\n")])
    start = number = 0
    while start < len(text):
        stop = start + _PIECE
        while stop < len(text) and text[stop] not in " ()\n\t":
            stop += 1
        piece = text[start:stop].lower().replace("(", " ( ").replace(")", " ) ").replace("?", " ?").split()
        letters = "".join(piece)
        if not (letters.isascii() and letters.isprintable()):
            raise _bad_letter(source, number, piece)
        yield piece
        number += len(piece)
        start = stop


def _bad_letter(source: Text, number: int, piece: list[str]) -> ParseError:
    number += next(index for index, word in enumerate(piece) if not (word.isascii() and word.isprintable()))
    start, end = source.offsets(number)
    while start < end - 1 and source.text[start].isascii() and source.text[start].isprintable():
        start += 1
    message = f"the character {source.text[start]!a} cannot be part of a name: outside comments, only ASCII is allowed"
    return parse_error(message, Span(source, start, end), "not-ascii")


def _too_deep(source: Text, number: int) -> ParseError:
    message = f"brackets are nested more than {DEEPEST} deep here"
    return parse_error(message, TokenSpan(source, number), "too-deep")


def _after_the_end(source: Text, number: int) -> ParseError:
    line = source.position(source.offsets(number - 1)[0])[0]
    message = f"expected nothing more, for the definition ends in line {line}; is there a ')' too many before?"
    return parse_error(message, TokenSpan(source, number), "extra-bracket")


def _unclosed(source: Text, open_forms: list[Form]) -> ParseError:
    """Return the error for a missing bracket, at a section inside another one if there is such a section."""
    for form, child in _descendants(open_forms[0]):
        if form is not open_forms[0] and child and isinstance(child[0], str) and child[0] in SECTIONS:
            line = source.position(source.offsets(child.at)[0])[0]
            message = f"this bracket is never closed: '({child[0]}' in line {line} begins inside it"
            return parse_error(message, TokenSpan(source, form.at), "unclosed-bracket")
    message = "this bracket is never closed: the text ends before its ')'"
    return parse_error(message, TokenSpan(source, open_forms[-1].at), "unclosed-bracket")


def _descendants(form: Form) -> Iterator[tuple[Form, Form]]:
    for child in form:
        if not isinstance(child, str):
            yield form, child
            yield from _descendants(child)


SECTIONS = frozenset(
    ":requirements :types :constants :predicates :functions :action :derived "
    ":domain :objects :init :goal :metric".split()
)
