"""Lay out a text: sections, parts of actions and operands begin lines; what fits on one line and stood there stays.

The author decides whether a formula is on one line or has its operands below each other, and which facts of an initial
state share a line: pictures of grids in `:init` stay pictures. Single blank lines stay, several become one. What is
written is what is written again, which `trees` and `_breaks` have to keep in mind: no decision hangs on a place that
the layout changes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from unpuzzle.pddl.reading.lexer import TOKEN, Text, read_form

WIDTH = 100
"""Longer lines are broken, where they can be."""
_RULES = (":action", ":derived", ":durative-action")
_TYPED = (":types", ":constants", ":objects")
_DECLARED = (":predicates", ":functions")
_ON_FIRST = {"define": 2, ":action": 2, ":derived": 2, "exists": 2, "forall": 2, "not": 2, ":goal": 2, ":domain": 2}
"""By head the number of items that share the first line with the bracket; 1 for others."""


def formatted(text: str, name: str | None = None) -> str:
    """Return a text of PDDL laid out anew. Raises ParseError where its brackets do not match; `name` is for that."""
    root = tree_of(text, name)
    writer = _Writer()
    for item in root.items:
        writer.comments(item.above, 0)
        writer.begin(0, item.spaced and bool(item.above))
        writer.item(item, 0)
    writer.comments(root.last, 0)
    lines = "\n".join([*writer.aligned(), ""])
    return lines.replace("\n", "\r\n") if "\r\n" in text else lines


class _Writer:
    """Lines so far; `stale` says that nothing more may stand on the last one.

    `trailing` are the columns of comments behind something, by line.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.trailing: dict[int, int] = {}
        self.stale = True
        self.indent = 0

    def begin(self, indent: int, spaced: bool = False) -> None:
        """Begin a line, below a blank one if it is spaced."""
        if spaced and self.lines:
            self.lines.append("")
        self.lines.append(" " * indent)
        self.stale = False
        self.indent = indent

    def add(self, text: str) -> None:
        self.lines[-1] += text

    def room(self, length: int) -> bool:
        """Return whether something fits on the last line."""
        return len(self.lines[-1]) + length <= WIDTH

    def comments(self, comments: list[Comment], indent: int, apart: bool = False) -> None:
        """Write comments on lines of their own, the first one below a blank line if they stand apart."""
        for at, comment in enumerate(comments):
            self.begin(indent, comment.spaced or (apart and at == 0))
            self.add(comment.text)
            self.stale = True

    def trail(self, comment: str) -> None:
        """Write a comment behind what stands on the last line."""
        if comment:
            self.trailing[len(self.lines) - 1] = len(self.lines[-1])
            self.add(f" {comment}")
            self.stale = True

    def aligned(self) -> list[str]:
        """Return the lines; comments behind neighbouring lines stand below each other."""
        lines, widths = list(self.lines), dict[int, int]()
        for numbers in (range(len(lines)), reversed(range(len(lines)))):  # the widest above, then the widest of all
            widest = 0
            for at in numbers:
                widest = max(widest, widths.get(at, self.trailing[at])) if at in self.trailing else 0
                widths[at] = widest
        for at, column in self.trailing.items():
            lines[at] = lines[at][:column].ljust(widths[at]) + lines[at][column:]
        return lines

    def item(self, item: Item, indent: int) -> None:
        """Write an item; `indent` is where its line begins."""
        if isinstance(item, Branch) and not self._fits(item):
            self.branch(item, indent)
        else:
            self.add(item.flat())
        self.trail(item.trailing)

    def _fits(self, form: Branch) -> bool:
        """Return whether a form goes on one line: it stood on one, or has only words."""
        if not form.bare or form.head == "define" or (form.head in _RULES and len(form.items) > 2):
            return False
        several = form.head in _TYPED and any(item.word == "-" for item in form.items[:-2])
        return ((form.plain and not several) or not form.lines) and self.room(len(form.flat()))

    def branch(self, form: Branch, indent: int) -> None:
        self.add("(")
        self.trail(form.first)
        deeper = indent + 2
        on_first, broken = _ON_FIRST.get(form.head, 1), False
        for at, item in enumerate(form.items):
            apart = form.head == "define" and at > 1 and isinstance(item, Branch) and item.head in _RULES
            self.comments(item.above, deeper, apart)
            begins = (
                self.stale or _breaks(form, at, on_first) or (at >= on_first and self._stands_alone(form, at, broken))
            )
            hanging = not begins and at >= on_first and not self.room(_length(form, at))
            if begins or hanging:
                spaced = item.spaced and (at > 1 or form.head == "define")
                spaced = spaced or (apart and not item.above)
                further = hanging and (form.plain or form.head in (*_TYPED, *_DECLARED))
                self.begin(deeper + 2 * further, begins and spaced)
            elif at:
                self.add(" ")
            before = len(self.lines)
            self.item(item, self.indent)
            broken = len(self.lines) > before and not (isinstance(item, Branch) and item.plain)
        self.comments(form.last, deeper)
        if self.stale:
            self.begin(indent)
        self.add(")")

    def _stands_alone(self, form: Branch, at: int, broken: bool) -> bool:
        """Return whether an operand takes several lines, or the one before it, which may be `broken` only now."""
        if form.head in _RULES:
            return False
        beside = [item for item in form.items[at - 1 : at + 1] if isinstance(item, Branch)]
        return not form.plain and (broken or any(not each.bare or (each.lines and not each.plain) for each in beside))


def _length(form: Branch, at: int) -> int:
    """Return how much room an item needs on a line with a blank before it, its type included; 0 for what may stay."""
    words = [item.word for item in form.items[at - 1 : at + 2]]
    if form.head in _RULES or form.head == "define" or "-" in words[:2]:
        return 0
    return 1 + sum(len(item.flat()) + 1 for item in form.items[at : at + (3 if words[2:] == ["-"] else 1)]) - 1


def _breaks(form: Branch, at: int, on_first: int) -> bool:
    """Return whether an item begins a line, whatever room there is."""
    if at < on_first:
        return False
    item, head = form.items[at], form.head
    if head in _TYPED:  # an entry ends with its type
        return at == 1 or form.items[at - 2].word == "-"
    if head in _DECLARED:
        return isinstance(item, Branch) and form.items[at - 1].word != "-"
    if head in _RULES and head != ":derived":
        return item.word[:1] == ":"
    if head in ("define", ":derived"):
        return True
    return not form.plain and (at == on_first or item.begins_line)


# A text as forms that keep their comments, and where their author began a line.
#
#     (and (a ?x)   ; why
#          ; more
#          (b ?x))
#
# Each comment belongs to what it stands beside: `; why` *trails* `(a ?x)`, for it stands on the line on which that
# ends, and `; more` stands *above* `(b ?x)`. What stands above a closing bracket is kept by its form, as `last`.


@dataclass
class Comment:
    """A comment on a line of its own; `spaced` says that a blank line stands above it."""

    text: str
    spaced: bool


@dataclass
class Item:
    """A word or a form, with its comments; `begins_line` and `spaced` tell what stands before it."""

    above: list[Comment]
    begins_line: bool
    spaced: bool
    word: str = ""
    trailing: str = ""

    @property
    def bare(self) -> bool:
        return True

    def flat(self) -> str:
        """Return it on one line."""
        return self.word


@dataclass
class Branch(Item):
    """A form: its items; `first` trails its opening bracket, `last` stands above its closing one."""

    items: list[Item] = field(default_factory=list)
    first: str = ""
    last: list[Comment] = field(default_factory=list)
    lines: int = 0
    """So many times its author began a line between its brackets."""

    @cached_property
    def bare(self) -> bool:
        inside = any(item.above or item.trailing or not item.bare for item in self.items)
        return not (inside or self.first or self.last)

    @property
    def head(self) -> str:
        """Its first word in lower case; empty where it begins with a form."""
        return self.items[0].word.lower() if self.items else ""

    @cached_property
    def plain(self) -> bool:
        """Whether all its items are words; to be asked for when it has all of them."""
        return all(item.word for item in self.items)

    def flat(self) -> str:
        return f"({' '.join([item.flat() for item in self.items])})"


def tree_of(text: str, name: str | None = None) -> Branch:
    """Return the forms of a text under a root. Raises ParseError where brackets do not match, as the reader does."""
    source = Text(text, name)
    read_form(source, "a definition")
    root = Branch([], True, False)
    stack, above, before = [root], list[Comment](), 0
    last: Item | None = None
    for match in re.finditer(TOKEN, source.text):
        word, gap = match[0], source.text[before : match.start()]
        before = match.end()
        lines = gap.count("\n")
        stack[-1].lines += lines
        if word[0] == ";":
            comment = word.rstrip()
            if lines or last is None:
                above.append(Comment(comment, lines > 1))
            elif last is stack[-1]:
                last.first = comment
            else:
                last.trailing = comment
        elif word == ")":
            last = stack.pop()
            last.last, above = above, []
            stack[-1].lines += last.lines
        else:
            kind = Branch if word == "(" else Item
            last = kind(above, lines > 0, lines > 1, "" if word == "(" else word)
            above = []
            stack[-1].items.append(last)
            if isinstance(last, Branch):
                stack.append(last)
    root.last = above
    return root
