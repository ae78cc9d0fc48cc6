"""A text as forms that keep their comments, and where their author began a line.

    (and (a ?x)   ; why
         ; more
         (b ?x))

Each comment belongs to what it stands beside: `; why` *trails* `(a ?x)`, for it stands on the line on which that ends,
and `; more` stands *above* `(b ?x)`. What stands above a closing bracket is kept by its form, as `last`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from unpuzzle.pddl.reading.lexer import Text, read_form

_PATTERN = re.compile(r";[^\n]*|[()]|\?[^\s()?;]*|[^\s()?;]+")


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
    for match in _PATTERN.finditer(source.text):
        word, gap = match[0], source.text[before : match.start()]
        before = match.end()
        lines = gap.count("\n")
        stack[-1].lines += lines
        if word[0] == ";":
            comment = word.rstrip()
            if lines or last is None:
                above.append(Comment(comment, lines > 1))
            elif last is stack[-1] and not last.items:
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
