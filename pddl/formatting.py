"""A formatter for PDDL texts, which changes only blanks and line breaks.

    formatted(text) -> text      the same tokens in the same order, so the same task

Sections, parts of actions and operands begin lines; what was on one line stays there if it fits. The author decides
whether a formula is on one line or has its operands below each other, and which facts of an initial state share a line:
pictures of grids in `:init` stay pictures. Single blank lines stay, several become one. Formatting twice changes
nothing more, so no decision in `_breaks` depends on a place that formatting changes.

Each comment belongs to the token beside it:

    (and (a ?x)   ; why          is behind the token `)`
         ; more                  is above the token `(`
         (b ?x))
"""

from __future__ import annotations

from bisect import bisect
from typing import NamedTuple

from unpuzzle.pddl.syntax import Form, Text, read_form

WIDTH = 100
"""Longer lines are broken, where they can be."""
_RULES = (":action", ":derived", ":durative-action")
_TYPED = (":types", ":constants", ":objects")
_DECLARED = (":predicates", ":functions")
_ON_FIRST = {"define": 2, ":action": 2, ":derived": 2, "exists": 2, "forall": 2, "not": 2, ":goal": 2, ":domain": 2}
"""The number of items on the first line of a form, by its head; 1 for others."""


def formatted(text: str, name: str | None = None) -> str:
    """Return a formatted PDDL text. Raises ParseError, which names the file `name`, if brackets do not match."""
    source = Text(text, name)
    form = read_form(source, "a definition")
    writer = _Writer(source)
    first, last = writer.gaps[0], writer.gaps[-1]
    writer.comments(first, 0)
    writer.begin(0, first.lines > 1 and bool(first.comments))
    writer.item(form, form.at, form.to, 0)
    writer.comments(last, 0)
    lines = "\n".join([*writer.aligned(), ""])
    return lines.replace("\n", "\r\n") if "\r\n" in text else lines


class _Gap(NamedTuple):
    """The comments and line breaks before a token; `behind` is the comment on the line of the token before it.

    Each comment has a flag: whether it is below a blank line.
    """

    behind: str
    comments: list[tuple[str, bool]]
    lines: int


def _gap(source: Text, token: int) -> _Gap:
    """Return the comments and line breaks before the token number `token`."""
    behind, *others = source.gap(token).split("\n") if token else ["", *source.gap(token).split("\n")]
    comments, lines = list[tuple[str, bool]](), 0 if token else -1
    for line in others:
        lines += 1
        if line.strip():
            comments.append((line.strip(), lines > 1))
            lines = 0
    return _Gap(behind.strip(), comments, lines)


class _Writer:
    """A writer of formatted lines of PDDL; if its attribute `stale` is true, the next token begins a new line.

    `gaps` are the texts before each token and after the last; `trailing` has the columns of comments behind code, by
    line.
    """

    def __init__(self, source: Text) -> None:
        source.locate_all()
        self.source = source
        self.gaps = [_gap(source, token) for token in range(len(source.words) + 1)]
        self.commented = [token for token, gap in enumerate(self.gaps) if gap.behind or gap.comments]
        self.lines: list[str] = []
        self.trailing: dict[int, int] = {}
        self.stale = True
        self.indent = 0

    def begin(self, indent: int, spaced: bool = False) -> None:
        """Begin a new line; if `spaced` is true, write a blank line first."""
        if spaced and self.lines:
            self.lines.append("")
        self.lines.append(" " * indent)
        self.stale = False
        self.indent = indent

    def add(self, text: str) -> None:
        self.lines[-1] += text

    def room(self, length: int) -> bool:
        """Return whether `length` more characters fit on the last line."""
        return len(self.lines[-1]) + length <= WIDTH

    def comments(self, gap: _Gap, indent: int, apart: bool = False) -> None:
        """Write the comments in `gap` on separate lines, and keep the blank lines above each comment."""
        for at, (comment, spaced) in enumerate(gap.comments):
            self.begin(indent, spaced or (apart and at == 0))
            self.add(comment)
            self.stale = True

    def trail(self, token: int) -> None:
        """Append the comment that follows the token number `token` on its line of the source, if there is one."""
        if comment := self.gaps[token + 1].behind:
            self.trailing[len(self.lines) - 1] = len(self.lines[-1])
            self.add(f" {comment}")
            self.stale = True

    def aligned(self) -> list[str]:
        """Return the written lines; in adjacent lines, the comments at the ends begin in the same column."""
        lines, widths = list(self.lines), dict[int, int]()
        for numbers in (range(len(lines)), reversed(range(len(lines)))):  # the widest above, then the widest of all
            widest = 0
            for at in numbers:
                widest = max(widest, widths.get(at, self.trailing[at])) if at in self.trailing else 0
                widths[at] = widest
        for at, column in self.trailing.items():
            lines[at] = lines[at][:column].ljust(widths[at]) + lines[at][column:]
        return lines

    def flat(self, first: int, last: int) -> str:
        """Return the tokens from `first` to `last` as one line of text."""
        words = [slice(*self.source.offsets(token)) for token in range(first, last + 1)]
        return " ".join([self.source.text[word] for word in words]).replace("( ", "(").replace(" )", ")")

    def item(self, item: str | Form, first: int, last: int, indent: int) -> None:
        """Write an item that consists of the tokens from `first` to `last`; `indent` is the indentation of the line."""
        if isinstance(item, str) or self._fits(item):
            self.add(self.flat(first, last))
        else:
            self.branch(item, indent)
        self.trail(last)

    def _bare(self, form: Form) -> bool:
        """Return whether a form contains no comment."""
        return bisect(self.commented, form.at) == bisect(self.commented, form.to)

    def _on_one_line(self, form: Form) -> bool:
        return self.source.text.find("\n", form.start, form.end) < 0

    def _fits(self, form: Form) -> bool:
        """Return whether to write a form on one line: it was on one line in the source, or contains no nested form."""
        if not self._bare(form) or form.head == "define" or (form.head in _RULES and len(form) > 2):
            return False
        several = form.head in _TYPED and "-" in form[:-2]
        together = (_is_plain(form) and not several) or self._on_one_line(form)
        return together and self.room(len(self.flat(form.at, form.to)))

    def branch(self, form: Form, indent: int) -> None:
        """Write a form that does not fit on one line."""
        self.add("(")
        self.trail(form.at)
        deeper, plain, numbers = indent + 2, _is_plain(form), form.numbers
        on_first, broken = _ON_FIRST.get(form.head, 1), False
        for at, item in enumerate(form):
            gap = self.gaps[numbers[at]]
            apart = form.head == "define" and at > 1 and isinstance(item, Form) and item.head in _RULES
            self.comments(gap, deeper, apart)
            begins = self.stale or (
                at >= on_first
                and (_breaks(form, at, plain, on_first, gap) or (not plain and self._needs_own_line(form, at, broken)))
            )
            # The item continues a line that is full, so the next line is indented further.
            hanging = not begins and at >= on_first and not self.room(self._length(form, at))
            if begins or hanging:
                spaced = gap.lines > 1 and (at > 1 or form.head == "define")
                spaced = spaced or (apart and not gap.comments)
                further = hanging and (plain or form.head in (*_TYPED, *_DECLARED))
                self.begin(deeper + 2 * further, begins and spaced)
            elif at:
                self.add(" ")
            before = len(self.lines)
            self.item(item, numbers[at], numbers[at + 1] - 1, self.indent)
            broken = len(self.lines) > before and not (isinstance(item, Form) and _is_plain(item))
        self.comments(self.gaps[form.to], deeper)
        if self.stale:
            self.begin(indent)
        self.add(")")

    def _needs_own_line(self, form: Form, at: int, broken: bool) -> bool:
        """Return whether the operand at index `at` needs its own line, as it or the one before takes several lines."""
        if form.head in _RULES:
            return False
        beside = [item for item in form[at - 1 : at + 1] if isinstance(item, Form)]
        return broken or any(
            not self._bare(each) or not (self._on_one_line(each) or _is_plain(each)) for each in beside
        )

    def _length(self, form: Form, at: int) -> int:
        """Return the width of the item at index `at` with its type; 0 if no line break is allowed before the item."""
        if form.head in _RULES or form.head == "define" or "-" in form[at - 1 : at + 1]:
            return 0
        last = at + 2 if form[at + 1 : at + 2] == ["-"] else at
        return 1 + len(self.flat(form.numbers[at], form.numbers[min(last + 1, len(form))] - 1))


def _is_plain(form: Form) -> bool:
    """Return whether a form contains no nested form."""
    return all(isinstance(item, str) for item in form)


def _breaks(form: Form, at: int, plain: bool, on_first: int, gap: _Gap) -> bool:
    """Return whether the item at index `at` of a form must begin a new line."""
    item, head = form[at], form.head
    if head in _TYPED:  # an entry ends with its type
        return at == 1 or form[at - 2] == "-"
    if head in _DECLARED:
        return isinstance(item, Form) and form[at - 1] != "-"
    if head in _RULES and head != ":derived":
        return item[:1] == ":"
    if head in ("define", ":derived"):
        return True
    return not plain and (at == on_first or gap.lines > 0)
