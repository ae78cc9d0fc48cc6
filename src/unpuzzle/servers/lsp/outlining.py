"""The structure of a document: the outline, the foldable ranges, and the kind of each word, for colours."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from unpuzzle.base.text import count
from unpuzzle.pddl.syntax import Form
from unpuzzle.workspace import symbols as names
from unpuzzle.workspace.documents import Document

COMMENT = "comment"
KINDS = (
    *(names.ACTION, names.CONSTANT, names.DOMAIN, names.FUNCTION, names.PREDICATE, names.PROBLEM, names.TYPE),
    *(names.VARIABLE, names.KEYWORD, names.NUMBER, COMMENT),
)
"""The kinds of coloured words, in the order in which the protocol numbers them."""


@dataclass
class Entry:
    """An outline entry: name, kind and details, the ranges of the entry and of the name, and inner entries."""

    name: str
    kind: str
    detail: str
    start: int
    end: int
    place: tuple[int, int]
    inside: list[Entry] = field(default_factory=list)


def outline(document: Document) -> list[Entry]:
    """Return the outline of a domain or a problem: sections and their declarations."""
    definition = document.tree.definition
    if definition is None:
        return []
    sections = document.symbols.sections
    starts = [form.start for form in sections]
    inside: list[list[names.Declaration]] = [[] for _ in sections]
    for declaration in document.symbols.declarations.values():
        inside[bisect(starts, declaration.place[0]) - 1].append(declaration)
    entries = [_section(document, *each) for each in zip(sections, inside, strict=True)]
    head = next((entry for entry in entries if entry.kind in (names.DOMAIN, names.PROBLEM)), None)
    rest = [entry for entry in entries if entry is not head]
    if head is None:
        return rest
    return [Entry(head.name, head.kind, "", definition.start, definition.end, head.place, rest)]


def _section(document: Document, form: Form, declared: list[names.Declaration]) -> Entry:
    inside = [Entry(each.name, each.kind, each.signature, *_extent(each), each.place) for each in declared]
    place = form.place(0) if form.head else (form.start, form.start + 1)
    if inside and form.head in ("domain", "problem", ":action", ":durative-action"):
        return Entry(inside[0].name, inside[0].kind, inside[0].detail, form.start, form.end, inside[0].place)
    detail = ""
    if form.head == ":derived":
        head = next(form.forms(), None)
        detail = document.text[head.start : head.end] if head is not None else ""
    elif form.head == ":init":
        detail = count(sum(1 for _ in form.forms()), "fact")
    return Entry(form.head or "?", names.KEYWORD, detail, form.start, form.end, place, inside)


def _extent(declaration: names.Declaration) -> tuple[int, int]:
    """Return the range of a declaration; for a name in a list, the range of the name."""
    if declaration.kind in (names.TYPE, names.CONSTANT):
        return declaration.place
    return declaration.start, declaration.end


def folds(document: Document) -> list[tuple[int, int, str]]:
    """Return the first line, last line (both from 0) and kind of each form or comment that has several lines."""
    lines = document.lines
    found = [(lines.position(each.start).line, lines.position(each.end - 1).line, "") for each in _all(document)]
    comments = sorted({lines.position(start).line for start, _ in document.tree.comments if _alone(document, start)})
    first = 0
    for at, (line, after) in enumerate(pairwise([*comments, -1])):
        if after != line + 1:
            found.append((comments[first], line, COMMENT))
            first = at + 1
    return sorted({each for each in found if each[1] > each[0]})


def _alone(document: Document, start: int) -> bool:
    return not document.text[document.text.rfind("\n", 0, start) + 1 : start].strip()


def _all(document: Document) -> Iterator[Form]:
    queue = list(document.tree.root.forms())
    while queue:
        form = queue.pop()
        yield form
        queue += form.forms()


def coloured(document: Document) -> list[tuple[int, int, str, bool]]:
    """Return the coloured words of a document, each with start, end, kind, and whether the word is a declaration."""
    words = [(each.start, each.end, each.kind, each.declares) for each in document.symbols.occurrences]
    words += [(start, end, COMMENT, False) for start, end in document.tree.comments]
    return sorted(words)
