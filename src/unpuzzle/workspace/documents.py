r"""The texts that an editor has open, places in them, the files beside them, and the domain of each problem.

    documents = Documents()
    documents.open("/w/p01.pddl", text)        the text of a buffer counts instead of the file's
    documents.domain_of(document)              by name: open, in its folder, or near it in the workspace
    documents.problems_of(document)            the problems that this domain is found for
    Lines("(p 𝛼)\n(q)").position(4)            Position(line=0, column=5): editors count in UTF-16, so 𝛼 counts as two

Documents are immutable: a change makes a new one. The files of the workspace are searched, at most `MOST_FILES` of
them, when buffers and their folders are not enough. Lines and columns are counted from 0; lines end at \n, \r\n or \r.
Faults count code points from 1; `of_fault` turns them.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from itertools import groupby, islice, takewhile
from typing import NamedTuple

from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.files import found_files, is_of_people
from unpuzzle.model.game_formats import GameFormat
from unpuzzle.pddl.formatting import formatted
from unpuzzle.pddl.formulas import Source
from unpuzzle.pddl.linting.understanding import decode_leniently, kind_of
from unpuzzle.pddl.matching import PLAN, PROBLEM, PddlText, domain_for, kind_of_file, problem_for
from unpuzzle.pddl.syntax import Tree
from unpuzzle.translators import FILES, format_of
from unpuzzle.workspace.kinds import GAME
from unpuzzle.workspace.symbols import NAME, Occurrence, Symbols

PDDL = ".pddl"
ENDINGS = (PDDL, ".plan", ".soln")
MOST_FILES, LARGEST = 5_000, 2_000_000
"""The most files of a workspace that are read, and the most bytes of one."""
_PROSE = re.compile(r"^\s*[^\s(;]", re.MULTILINE)
"""A line that does not occur in plans, for files whose name says nothing."""
_BUILT = ("build", "dist")


class Position(NamedTuple):
    """A line, and a column in UTF-16 code units, both from 0."""

    line: int
    column: int


class Lines:
    """The lines of a text, to convert between offsets and positions."""

    def __init__(self, text: str) -> None:
        self.text, self.source = text, Source(text)
        self.starts: list[int] = self.source.lines
        self.narrow: bool = text.isascii()

    def position(self, offset: int) -> Position:
        """Return the line and column of an offset."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        column = offset - self.starts[line]
        if not self.narrow:
            column += sum(letter > "\uffff" for letter in self.text[self.starts[line] : offset])
        return Position(line, column)

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column; a column beyond the line counts as its end, as LSP demands."""
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        start, end = self.starts[line], self._end(line)
        if self.narrow:
            return min(start + column, end)
        for offset in range(start, end):
            if column <= 0:
                return offset
            column -= 1 + (self.text[offset] > "\uffff")
        return end

    def of_fault(self, line: int, column: int) -> int:
        """Return the offset of a line and a column; both count from 1, the column in code points."""
        if line > len(self.starts):
            return len(self.text)
        return min(self.starts[line - 1] + max(column, 1) - 1, self._end(line - 1))

    def whole(self, line: int) -> tuple[int, int]:
        """Return the range of a line, counted from 0, without the blanks at the line's start and end."""
        start, end = self.starts[line], self._end(line)
        words = self.text[start:end].lstrip()
        return end - len(words), end - len(words) + len(words.rstrip())

    def _end(self, line: int) -> int:
        """Return the offset at which a line's text ends, before the line break."""
        return self.starts[line] + len(self.source.line(line + 1))


class Change(NamedTuple):
    """The replacement of a range of a text; start and end are offsets."""

    start: int
    end: int
    text: str


def difference(old: str, new: str) -> Change | None:
    """Return the single change of whole lines that turns one text into the other; None if the texts are equal."""
    if old == new:
        return None
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    first = _shared(before, after)
    last = _shared(before[first:][::-1], after[first:][::-1])
    start, end = len("".join(before[:first])), len(old) - len("".join(before[len(before) - last :]))
    return Change(start, end, "".join(after[first : len(after) - last]))


def _shared(first: list[str], second: list[str]) -> int:
    """Return the number of equal texts at the beginning of two lists."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


class Document(PddlText, eq=False):
    """A text with the path of its file; `version` counts the changes of the editor's buffer.

    Its kind is a domain, a problem, a plan or a `game`; empty for other texts.
    """

    version: int | None = None

    def __init__(self, name: str, text: str, version: int | None = None) -> None:
        self._fill((name, text, _kind(name, text), (), version))

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text)

    @cached_property
    def game_format(self) -> GameFormat | None:
        """The format of a game's file; None for PDDL."""
        return format_of(self.name) if self.kind == GAME else None

    @cached_property
    def tree(self) -> Tree:
        return Tree(self.text)

    @cached_property
    def symbols(self) -> Symbols:
        symbols = Symbols(self.tree if self.game_format is None else Tree(""))
        if self.game_format is not None:
            symbols.occurrences = [Occurrence(NAME, *place) for place in self.game_format.mentions(self.text)]
        return symbols


class Documents:
    """The editor's open buffers and the files around them; `roots` are the folders of the workspace."""

    def __init__(self, roots: tuple[str, ...] = ()) -> None:
        self.roots = roots
        self.buffers: dict[str, Document] = {}
        self._read: dict[str, tuple[tuple[int, int], Document | None]] = {}

    def open(self, path: str, text: str, version: int | None = None) -> Document:
        """Add the text of an open buffer, and return its document."""
        self.buffers[path] = Document(path, text, version)
        return self.buffers[path]

    def close(self, path: str) -> None:
        self.buffers.pop(path, None)

    def get(self, path: str) -> Document | None:
        """Return the document of a buffer, or else of a file; None if neither exists, or the file is not text."""
        return self.buffers.get(path) or self._file(path)

    def domain_of(self, problem: Document) -> Document | None:
        """Return the domain that a problem names; None without such a domain, or if several domains are possible."""
        try:
            return self.required_domain(problem)
        except UsageError:
            return None

    def required_domain(self, problem: Document) -> Document:
        """Return the domain that a problem names: in the problem's folder or the folder above, else the nearest domain.

        Raises UsageError if there is none, or if several are possible.
        """
        found = domain_for(problem, self._nearest_first(problem))
        assert isinstance(found, Document)
        return found

    def _nearest_first(self, problem: Document) -> Iterator[Iterable[Document]]:
        """Yield the documents around a problem in groups, beginning with the nearest."""

        def distance(other: Document) -> int:
            return -_shared(other.name.split(os.sep), problem.name.split(os.sep))

        home = os.path.dirname(problem.name)
        yield from map(self._in_folder, dict.fromkeys((home, os.path.dirname(home))))
        for source in (self.buffers.values(), self._in_workspace()):
            yield from (list(group) for _, group in groupby(sorted(source, key=distance), distance))

    def beside(self, path: str) -> Iterator[Document]:
        """Yield the other documents in a file's folder, then those in the folder above."""
        home = os.path.dirname(path)
        folders = (home, os.path.dirname(home))
        return (each for folder in folders for each in self._in_folder(folder) if each.name != path)

    def problems_of(self, domain: Document, *, everywhere: bool = False) -> list[Document]:
        """Return the open problems of a domain or, if `everywhere`, also problems in files, ordered by path."""
        files = (*self._in_workspace(), *self._in_folder(os.path.dirname(domain.name))) if everywhere else ()
        candidates = {each.name: each for each in files} | self.buffers
        named = [each for each in candidates.values() if each.kind == PROBLEM and each.wants == domain.defines]
        own = [each for each in named if (home := self.domain_of(each)) is not None and home.name == domain.name]
        return sorted(own, key=lambda each: each.name)

    def problem_of(self, plan: Document) -> Document | None:
        """Return the problem of a plan in the same folder: the only problem, or the only problem of a similar name."""
        near = [each for each in self._in_folder(os.path.dirname(plan.name)) if each.kind == PROBLEM]
        found = problem_for(plan.name, near)
        return None if found is None else self.get(found.name)

    def all(self) -> Iterator[Document]:
        """Yield all open buffers, and all other documents of the workspace."""
        yield from self.buffers.values()
        yield from (each for each in self._in_workspace() if each.name not in self.buffers)

    def _in_folder(self, folder: str) -> Iterator[Document]:
        """Return the documents of a folder, each when it is needed; an open buffer replaces the file on disk."""
        within = os.path.join(folder, "")
        root = next((each for each in self.roots if within.startswith(os.path.join(each, ""))), folder)
        paths = list(found_files(folder, ENDINGS, root=root, quiet=True)) if os.path.isdir(folder) else []
        paths += [path for path in self.buffers if os.path.dirname(path) == folder and path not in paths]
        return (document for path in paths if (document := self.get(path)) is not None)

    def _in_workspace(self) -> list[Document]:
        """Return the documents of the workspace."""
        paths: list[str] = []
        for root in self.roots:
            with suppress(OSError):
                paths += islice(found_files(root, (*ENDINGS, *FILES), enters=_is_entered, quiet=True), MOST_FILES)
        return [document for path in paths[:MOST_FILES] if (document := self.get(path)) is not None]

    def _file(self, path: str) -> Document | None:
        """Return the document of a file; read the file again only if the file has changed."""
        try:
            status = os.stat(path)
            stamp = (status.st_mtime_ns, status.st_size)
            if path in self._read and self._read[path][0] == stamp:
                return self._read[path][1]
            document = None
            if os.path.isfile(path) and status.st_size <= LARGEST:
                with open(path, "rb") as file:
                    document = Document(path, decode_leniently(file.read())[0])
        except (OSError, ValueError, ParseError):
            return None
        self._read[path] = (stamp, document)
        return document


def _is_entered(folder: str) -> bool:
    return is_of_people(folder) and folder not in _BUILT


def _kind(path: str, text: str) -> str:
    """Return the kind of a document: a domain, a problem, a plan or a game; empty for other texts."""
    if (found := format_of(path)) is not None and found.is_game_text(text):
        return GAME
    ending = os.path.splitext(path)[1]
    kind = kind_of_file(path, text) if not ending or path.endswith((*ENDINGS, *FILES)) else ""
    named = path.endswith(ENDINGS) or not ending
    return kind if named or kind_of(text) is not None or (kind == PLAN and not _PROSE.search(text)) else ""


def formatted_text(document: Document) -> str:
    """Return the formatted text of a document; a byte order mark at the beginning stays.

    Raises ParseError if brackets do not match, UsageError for a text that is neither PDDL nor a game.
    """
    if document.game_format is not None:
        return document.game_format.formatted(document.text, document.name)
    if not document.kind:
        raise UsageError(f"{document.name}: this is neither PDDL nor a game, so nothing is changed")
    if document.kind == PLAN:
        return document.text
    text = document.text.removeprefix("\ufeff")
    return document.text[: len(document.text) - len(text)] + formatted(text, document.name)
