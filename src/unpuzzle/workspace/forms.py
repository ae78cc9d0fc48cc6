"""A text of PDDL as words and groups with their offsets, whatever brackets it lacks: what editors ask about.

Half-written text is the usual case here. A section that begins within another one ends it, and a bracket too many is
passed over, so that a fault in one action hides nothing of the next. (What is *wrong* with brackets is for `lint`.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from unpuzzle.pddl.reading.lexer import SECTIONS, TOKEN

DEEPEST = 300


@dataclass(slots=True)
class Word:
    """A word in lower case, between two offsets."""

    start: int
    end: int
    text: str


@dataclass(slots=True)
class Group:
    """What stands between two brackets; `closed` says that there is a second one."""

    start: int
    end: int = 0
    items: list[Word | Group] = field(default_factory=list)
    closed: bool = False

    @property
    def head(self) -> str:
        """Its first word; empty where it begins with a group."""
        return self.items[0].text if self.items and isinstance(self.items[0], Word) else ""

    def groups(self) -> Iterator[Group]:
        """Yield the groups in it."""
        return (item for item in self.items if isinstance(item, Group))

    def words(self) -> Iterator[Word]:
        """Yield its words, not those of the groups in it."""
        return (item for item in self.items if isinstance(item, Word))

    def covers(self, offset: int) -> bool:
        """Return whether an offset lies between the brackets."""
        return self.start < offset < self.end or (not self.closed and self.start < offset <= self.end)


@dataclass
class Tree:
    """A text, its groups of the top, and its comments as pairs of offsets."""

    text: str
    root: Group
    comments: list[tuple[int, int]]

    @property
    def definition(self) -> Group | None:
        """The first group that begins with `define`."""
        return next((group for group in self.root.groups() if group.head == "define"), None)

    def around(self, offset: int) -> list[Group]:
        """Return the groups that an offset lies in, the outermost first."""
        path, group = [], self.root
        while inner := next((each for each in group.groups() if each.covers(offset)), None):
            path.append(inner)
            group = inner
        return path

    def in_comment(self, offset: int) -> bool:
        """Return whether an offset lies in a comment."""
        return any(start < offset <= end for start, end in self.comments)


def parse(text: str) -> Tree:
    """Return the groups of a text."""
    root = Group(0, len(text))
    stack, comments = [root], []
    matches = list(re.finditer(TOKEN, text))
    for at, match in enumerate(matches):
        token, start = match[0], match.start()
        if token[0] == ";":
            comments.append(match.span())
        elif token == "(":
            after = matches[at + 1] if at + 1 < len(matches) else match
            if len(stack) > 1 and after[0].lower() in SECTIONS - {":domain"}:
                _end_section(stack, root, start)
            group = Group(start)
            stack[-1].items.append(group)
            if len(stack) < DEEPEST:
                stack.append(group)
        elif token == ")":
            if len(stack) > 1:
                stack[-1].end, stack[-1].closed = match.end(), True
                stack.pop()
        else:
            stack[-1].items.append(Word(*match.span(), token.lower()))
    for group in stack[1:]:
        group.end = len(text)
    _join(root)
    return Tree(text, root, comments)


def _end_section(stack: list[Group], root: Group, offset: int) -> None:
    """End all groups within the definition before a new section begins."""
    while len(stack) > 2:
        stack.pop().end = offset
    if stack[-1] is not root and stack[-1].head in SECTIONS:
        stack.pop().end = offset


def _join(root: Group) -> None:
    """Move sections that stand behind a definition, for it was closed too early, into it."""
    definition = next((group for group in root.groups() if group.head == "define"), None)
    if definition is None:
        return
    behind = [group for group in root.groups() if group.head in SECTIONS and group.start > definition.start]
    for group in behind:
        definition.items.append(group)
        definition.end = max(definition.end, group.end)
    moved = set(map(id, behind))
    root.items = [item for item in root.items if id(item) not in moved]
