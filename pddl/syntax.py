"""The syntax tree of a PDDL text, which keeps comments and positions; used by parsers, lint and the formatter.

    "(at ?x A) ; here"   →   Form(["at", "?x", "a"]), whose brackets are the tokens 0 and 4

A `Form` contains words in lower case and forms. It has the *numbers* of its tokens, and its `Text` knows where each
token is. What is between two tokens is blanks and comments, so tree and text together have every letter.

    read_form(text)         the strict reader's: the one form of a text, or the first fault of brackets
    Tree(text)              the editors': even if brackets are missing or too many

A text may also be given the tokens that were meant: a missing bracket is a token without width, and a surplus one is no
token. So the tolerant reader (`brackets`) and editors repair it, and everybody else finds matching brackets.

    form.span(index)        the place of an item: faults, fixes (its `text` is as written), nodes of a task
    text.gap(number)        blanks and comments before a token: the formatter, comments about a name
    tree.around(offset)     the forms around a place: completion, names

Reading must be quick for files of a megabyte, and the place of an atom is rarely needed. So `read_form` cuts by
`str.split`, which forgets offsets; they are found when they are first asked for, in a second pass with a regular
expression. `re`, too, is imported only then. The text is taken in pieces, and an error ends the work at once: ten
megabytes of `(` are refused after the first few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, compress, islice
from os import PathLike

from unpuzzle.base.errors import ParseError, UnsupportedFeature, UsageError
from unpuzzle.base.files import read_bytes
from unpuzzle.base.run import within_limits
from unpuzzle.base.text import cut
from unpuzzle.base.type_hints import Any
from unpuzzle.pddl.formulas import Source, Span

DEEPEST = 200
"""Deeper nesting is refused, so that functions on tasks may be recursive."""
SECTIONS = frozenset(
    ":requirements :types :constants :predicates :functions :action :derived "
    ":domain :objects :init :goal :metric".split()
)
_PIECE = 1 << 16
_AT_ONCE = 512
"""The number of tokens that are located at a time."""
_TOKEN = r";[^\n]*|[()]|\?[^\s()?;]*|[^\s()?;]+"
"""The pattern of a token, or of a comment."""
Path = str | PathLike[str]


class Text(Source):
    """A source text, split into tokens on demand; `comments` has those before the last token found so far.

    `tokens` are the words and places of those that were meant, if others than the text has.
    """

    def __init__(
        self, text: str, name: str | None = None, tokens: Sequence[tuple[str, int, int]] | None = None
    ) -> None:
        # All line ends become \n; lines and columns do not change.
        super().__init__(text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text, name)
        self.words: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.comments: list[tuple[int, int]] = []
        self._scan: Iterator[Any] | None = None
        if tokens is not None:
            self.words = [token[0] for token in tokens]
            self.starts, self.ends = [token[1] for token in tokens], [token[2] for token in tokens]
            self._scan = iter(())

    def offsets(self, token: int) -> tuple[int, int]:
        """Return the start and end offsets of a token; after the last token, the offset of the text's end."""
        if token < len(self.words) or self._located(token):
            return self.starts[token], self.ends[token]
        end = len(self.text.rstrip())
        return end, end

    def locate_all(self) -> None:
        """Find all tokens and comments at once, which is faster than one search for each token."""
        if self._scan is None:
            import re

            self._scan = iter(())
            pieces = re.split(f"({_TOKEN})", self.text)
            ends = [*accumulate(map(len, pieces))]
            starts, ends, words = ends[:-1:2], ends[1::2], pieces[1::2]
            meant = [word[0] != ";" for word in words]
            self.comments = [(starts[at], ends[at]) for at, word in enumerate(meant) if not word]
            self.words = list(map(str.lower, compress(words, meant)))
            self.starts, self.ends = list(compress(starts, meant)), list(compress(ends, meant))
        while self._located(len(self.words)):
            pass

    def word(self, token: int) -> str:
        """Return a token in lower case; an empty string after the last token."""
        return self.words[token] if token < len(self.words) or self._located(token) else ""

    def _located(self, token: int) -> bool:
        """Find the tokens up to number `token`; return whether the text has that many tokens."""
        if self._scan is None:
            import re  # only for texts with faults: a program that reads tasks needs nothing else of it

            self._scan = re.finditer(_TOKEN, self.text)
        while len(self.words) <= token:
            matches = list(islice(self._scan, _AT_ONCE + len(self.words)))
            if not matches:
                return False
            for match in matches:
                word = match[0]
                if word[0] == ";":
                    self.comments.append(match.span())
                else:
                    self.words.append(word.lower())
                    self.starts.append(match.start())
                    self.ends.append(match.end())
        return True

    def gap(self, token: int) -> str:
        """Return the text between a token and the previous token: blanks and comments."""
        start = self.offsets(token - 1)[1] if token else 0
        return self.text[start : self.starts[token] if self._located(token) else len(self.text)]

    def closing(self, token: int) -> int:
        """Return the number of the token that closes the bracket `token`; for a word, return `token`."""
        depth = 0
        while True:
            word = self.word(token)
            depth += (word == "(") - (word == ")")
            if depth <= 0 or not word:
                return token
            token += 1

    def find(self, word: str, token: int) -> int:
        """Return the number of the first token equal to `word` from `token` on; `token` if there is none."""
        number = token
        while other := self.word(number):
            if other == word:
                return number
            number += 1
        return token


class TokenSpan(Span):
    """The position of a word or form, stored as the number of its first token; offsets are computed on request."""

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


class Form(list["str | Form"]):
    """A list of words and forms in brackets; `at` and `to` are the token numbers of the brackets."""

    __slots__ = ("_numbers", "at", "source", "to")
    at: int
    source: Text
    to: int
    _numbers: list[int]

    @property
    def numbers(self) -> list[int]:
        """The numbers of the tokens with which the items begin, and of the closing bracket."""
        try:
            return self._numbers
        except AttributeError:  # found once for all items: a form may be long, and have many faults
            self._numbers, number = [], self.at + 1
            for item in self:
                if not isinstance(item, str):
                    number = item.at
                self._numbers.append(number)
                number = number + 1 if isinstance(item, str) else item.to + 1
            self._numbers.append(number)
            return self._numbers

    def part(self, items: list[str | Form], before: int) -> Form:
        """Return consecutive items of this form as a form; `before` is the number of the token before them."""
        part = Form(items)
        part.source, part.at = self.source, before
        part.to = part.numbers[-1]
        return part

    def span(self, index: int | None = None) -> TokenSpan:
        """Return the span of this form, or of its item at `index`; of the closing bracket if there is no such item."""
        if index is None:
            return TokenSpan(self.source, self.at)
        return TokenSpan(self.source, self.numbers[min(index, len(self))])

    def place(self, first: int, last: int | None = None) -> tuple[int, int]:
        """Return the start and end offsets of the items from `first` to `last`, or of the item `first` alone."""
        item, number = self[first if last is None else last], self.numbers[first if last is None else last]
        start, end = self.source.offsets(number if isinstance(item, str) else item.to)
        return (start if last is None and isinstance(item, str) else self.source.offsets(self.numbers[first])[0]), end

    def written(self, first: int, last: int | None = None) -> str:
        """Return the source text of the items from `first` to `last`, or of the item `first` alone."""
        return self.source.text[slice(*self.place(first, last))]

    @property
    def start(self) -> int:
        return self.source.offsets(self.at)[0]

    @property
    def end(self) -> int:
        return self.source.offsets(self.to)[1]

    @property
    def head(self) -> str:
        """The first item if it is a word, in lower case; otherwise an empty string."""
        return self[0] if self and isinstance(self[0], str) else ""

    def forms(self) -> Iterator[Form]:
        """Yield the items that are forms."""
        return (item for item in self if not isinstance(item, str))

    def words(self) -> Iterator[str]:
        """Yield the items that are words."""
        return (item for item in self if isinstance(item, str))

    def covers(self, offset: int) -> bool:
        """Return whether an offset is inside the brackets of this form."""
        last, end = self.source.offsets(self.to)
        return self.start < offset < end or (last == end and self.start < offset <= end)


class Tree(Text):
    """The syntax tree of a text that may be incomplete, as in an editor; `root` has the outermost forms.

    A section that begins within another one ends it, and a bracket too many is passed over, so that a fault in one
    action hides nothing of the next. (What is *wrong* with brackets is for `lint`; here, `matches` says only whether
    something is.) Line ends stay as they are.
    """

    def __init__(self, text: str) -> None:
        super().__init__("")
        self.text = text
        self.locate_all()
        self._changes: list[tuple[int, int, list[int]]] = []
        self.root = form = Form()
        form.source, form.at = self, -1
        self._stack = stack = [form]
        words, last, shift = self.words, 0, 0  # tokens that were put in, less those left out
        for number in [number for number, word in enumerate(words) if word in "()"]:
            if last < number:
                form += words[last:number]
            last = number + 1
            if words[number] == "(":
                after = words[last] if last < len(words) else ""
                if after in SECTIONS and len(stack) > 1 and after != ":domain":
                    shift += self._end_section(number, shift)
                if len(stack) <= DEEPEST:
                    form = Form()
                    form.source = self
                    form.at = number + shift
                    stack[-1].append(form)
                    stack.append(form)
                    continue
            elif len(stack) > 1:
                stack.pop().to = number + shift
                form = stack[-1]
                continue
            self._changes.append((number, 1, []))
            shift -= 1
        form += words[last:]
        self._close(len(self.words), shift, len(stack) - 1, len(text))
        self.matches = len(self._changes) == 1 and not self._changes[0][2]
        for number, surplus, missing in reversed(self._changes):
            self.words[number : number + surplus] = [")"] * len(missing)
            self.starts[number : number + surplus] = self.ends[number : number + surplus] = missing
        self.root.to = len(self.words)
        self._join()

    def _close(self, number: int, shift: int, depth: int, offset: int) -> int:
        """End the `depth` innermost open forms before a token, as if their closing brackets were there."""
        for at in range(depth):
            self._stack.pop().to = number + shift + at
        self._changes.append((number, 0, [offset] * depth))
        return depth

    def _end_section(self, number: int, shift: int) -> int:
        """End the forms that are open before a new section of the definition; return how many forms were open."""
        depth = max(0, len(self._stack) - 2)
        depth += self._stack[min(1, len(self._stack) - 1)].head in SECTIONS
        return self._close(number, shift, depth, self.starts[number]) if depth else 0

    def _join(self) -> None:
        """Move sections that follow a definition into it, because its closing bracket comes too early."""
        definition = self.definition
        if definition is None:
            return
        behind = [form for form in self.root.forms() if form.head in SECTIONS and form.at > definition.at]
        moved = {form.at for form in behind}
        if behind:
            self.root[:] = [item for item in self.root if isinstance(item, str) or item.at not in moved]
            definition += behind
            definition.to = max(definition.to, behind[-1].to)

    @property
    def definition(self) -> Form | None:
        """The first form that begins with `define`."""
        return next((form for form in self.root.forms() if form.head == "define"), None)

    def around(self, offset: int) -> list[Form]:
        """Return the forms that contain an offset, the outermost first."""
        path, form = [], self.root
        while (inner := next((each for each in form.forms() if each.covers(offset)), None)) is not None:
            path.append(inner)
            form = inner
        return path

    def in_comment(self, offset: int) -> bool:
        """Return whether an offset lies in a comment."""
        return any(start < offset <= end for start, end in self.comments)


def read_form(source: Text, expected: str) -> Form:
    """Return the only form of a text; in the error for an empty text, `expected` says what is missing."""
    root, start = Form(), 0
    stack: list[Form] = []
    form = root
    for piece in within_limits(_pieces(source), long=True):
        for number, word in enumerate(piece, start):
            if word == "(":
                if not stack and root:
                    raise _after_the_end(source, number)
                if len(stack) == DEEPEST:
                    raise _too_deep(source, number)
                child = Form()
                child.source = source
                child.at = number
                form.append(child)
                stack.append(form)
                form = child
            elif word == ")":
                if not stack:
                    raise parse_error("this ')' has no matching '('", TokenSpan(source, number), "extra-bracket")
                form.to = number
                form = stack.pop()
            elif stack:
                form.append(word)
            else:
                if root:
                    raise _after_the_end(source, number)
                raise parse_error(f"expected {expected}, found '{word}'", TokenSpan(source, 0), "no-definition")
        start += len(piece)
    if stack:
        raise _unclosed(source, [*stack[1:], form])  # stack[0] is the root, which has no bracket
    if not root:
        raise parse_error(f"the text is empty: expected {expected}", TokenSpan(source, 0), "no-definition")
    return root[0]  # type: ignore[return-value]


def without_comments(text: str) -> str:
    """Return a text with blanks in place of its comments."""
    if ";" not in text:
        return text
    lines = text.split("\n")
    return "\n".join([line if ";" not in line else line.partition(";")[0].ljust(len(line)) for line in lines])


def tokens(source: Text) -> Iterator[str]:
    """Yield the tokens of a text."""
    for piece in within_limits(_pieces(source), long=True):
        yield from piece


def _pieces(source: Text) -> Iterator[list[str]]:
    """Split a text of printable ASCII characters into pieces, and yield a list of the tokens of each piece."""
    text = without_comments(source.text)
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
    message = f"unexpected text: the definition ends in line {line}; is there a ')' too many before?"
    return parse_error(message, TokenSpan(source, number), "extra-bracket")


def _unclosed(source: Text, open_forms: list[Form]) -> ParseError:
    """Return the error for unclosed brackets, placed at the bracket that is most probably the cause."""
    for form, child in _descendants(open_forms[0]):
        if form is not open_forms[0] and child.head in SECTIONS:
            line = source.position(child.start)[0]
            message = f"this bracket is never closed: '({child.head}' in line {line} begins inside it"
            return parse_error(message, form.span(), "unclosed-bracket")
    message = "this bracket is never closed: the text ends before its ')'"
    return parse_error(message, open_forms[-1].span(), "unclosed-bracket")


def _descendants(form: Form) -> Iterator[tuple[Form, Form]]:
    for child in form.forms():
        yield form, child
        yield from _descendants(child)


# Errors with their places in texts, and the decoding of text files.


def place(span: Span | None) -> dict[str, Any]:
    """Return the keyword arguments for ParseError that describe a position: file, line, column and line text."""
    if span is None:
        return {}
    line, column = span.source.position(span.start)
    return {"file": span.file, "line": line, "column": column, "text": span.source.line(line)}


def parse_error(message: str, span: Span | None = None, code: str = "") -> ParseError:
    """Return a ParseError at the position `span`; `code` is a fault code of lint."""
    return ParseError(message, code=code, **place(span))


def unsupported(message: str, *, feature: str, span: Span | None = None) -> UnsupportedFeature:
    return UnsupportedFeature(message, feature=feature, **place(span))


def expected(sentence: str, value: object) -> UsageError:
    """Return the UsageError for a wrong argument; `sentence` says what is right, such as `a task is expected`."""
    return UsageError(f"{sentence}, not {cut(repr(value), 60)}")


def decoded(data: bytes, name: str | None) -> str:
    """Decode the bytes of a file as UTF-8. Raises ParseError, with the position, if they are not UTF-8 text.

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
    """Return the text of a file in UTF-8, except that its comments may be in Latin-1."""
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
    """Return the text of a file and the file's name. Raises OSError, ParseError, LimitReached."""
    return decoded(read_bytes(path), str(path)), str(path)
