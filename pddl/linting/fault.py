"""The data classes of faults and their corrections, and `Lint`, which collects the faults of a task.

fault.line, fault.column            the first character, counted from 1
fault.end_line, fault.end_column    the character after the last one
fault.code                          the kind of fault, such as `unknown-type`; `codes.txt` explains each
fault.fix                           an `Edit` that cannot change what the author meant, or None; `lint --fix` makes it
fault.suggestion                    an `Edit` that is a guess, for the author to judge; None beside a `fix`
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache

from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.pddl.declarations import Domain, Problem, folded_domain, folded_problem
from unpuzzle.pddl.formulas import Atom, Node, Source, Span, walk
from unpuzzle.pddl.linting.names import Arguments, Misfit
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.syntax import TokenSpan
from unpuzzle.table import notebook_html

ERROR, WARNING = "error", "warning"
KINDS = ("syntax", "error", "warning")


class Edit(Record):
    """The replacement of a range of text: lines and columns count from 1, and the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Fault(Record):
    """A fault in a text: its position, `severity` (`error` or `warning`), message and code, and perhaps a correction.

    A `fix` can be applied without asking, as nothing else can have been meant; a `suggestion` is a guess.

    An unknown part of the place is None: the fault then belongs to the whole file or to a whole line.
    """

    _repr_html_ = notebook_html

    file: str | None
    line: int | None
    column: int | None
    severity: str
    message: str
    end_line: int | None = None
    end_column: int | None = None
    code: str = ""
    fix: Edit | None = None
    places: int = 1
    suggestion: Edit | None = None

    def corrected(self, edit: Edit | None, sure: bool) -> Fault:
        """Return this fault with an edit added: as its `fix` if `sure` is true, else as its `suggestion`."""
        return self.replace(fix=edit, suggestion=None) if sure else self.replace(fix=None, suggestion=edit)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.severity}: {self.message}"

    def __repr__(self) -> str:
        return f"Fault({self}{f' [{self.code}]' if self.code else ''})"


class Faults(list[Fault]):
    """A list of faults, which notebooks show as a table."""

    _repr_html_ = notebook_html

    __slots__ = ()


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with all edits applied; of two overlapping edits, only the first in the text is applied."""
    source, parts, done = Source(text), list[str](), 0
    for edit in sorted(dict.fromkeys(edits), key=lambda edit: (edit.line, edit.column)):
        start, end = source.offset(edit.line, edit.column), source.offset(edit.end_line, edit.end_column)
        if start >= done:
            parts += [text[done:start], edit.text]
            done = end
    return "".join([*parts, text[done:]])


def together(text: str, edits: list[Edit]) -> Edit:
    """Combine several edits of a text, no two of which overlap, into one edit."""
    first = min(edits, key=lambda edit: (edit.line, edit.column))
    last = max(edits, key=lambda edit: (edit.end_line, edit.end_column))
    source, after = Source(text), edited(text, edits)
    start, end = source.offset(first.line, first.column), source.offset(last.end_line, last.end_column)
    changed = after[start : len(after) - (len(text) - end)]
    return Edit(first.line, first.column, last.end_line, last.end_column, changed)


# The codes of faults, each with its meaning and an example, read from a text file (one for each language).
#
# unknown-type error                a code, and the severity of its faults; `syntax` is an error that stops the reader
# A type is used that ...           some sentences
# wrong: (:objects a - blok)        an example
# right: (:objects a - block)


class Code(Record):
    """The documentation of a fault code: its severity, an explanation, and an example of wrong and right text."""

    code: str
    kind: str
    about: str
    wrong: str
    right: str

    def __str__(self) -> str:
        wrong, right = (text.replace("\n", "\n    ") for text in (self.wrong, self.right))
        return f"{self.code} ({self.kind})\n\n{self.about}\n\nwrong:\n    {wrong}\nright:\n    {right}"


def read_codes(path: str) -> dict[str, Code]:
    with open(path, encoding="utf-8") as file:
        entries = [entry.split("\n") for entry in file.read().strip().split("\n\n")]
    return {code.code: code for code in map(_code, entries)}


def _code(lines: list[str]) -> Code:
    """Parse the lines that document one fault code."""
    name, kind = lines[0].split()
    parts: dict[str, list[str]] = {"about": [], "wrong": [], "right": []}
    current = "about"
    for line in lines[1:]:
        label, colon, rest = line.partition(":")
        begins = bool(colon) and label in ("wrong", "right")
        current = label if begins else current
        parts[current].append(rest[1:] if begins else line.removeprefix("       "))
    about = " ".join(parts["about"])
    return Code(name, kind, about, "\n".join(parts["wrong"]), "\n".join(parts["right"]))


@lru_cache(maxsize=1)
def codes() -> dict[str, Code]:
    """Return the documentation of all fault codes of PDDL and of plans, by code."""
    return read_codes(os.path.join(os.path.dirname(__file__), "codes.txt"))


class Lint:
    """A collector of the faults of a domain and, if `problem` is not None, of a problem.

    `denied` are the atoms that the problem's `:init` negates.
    """

    def __init__(self, domain: Domain, problem: Problem | None, denied: tuple[Atom, ...] = ()) -> None:
        self.domain = domain
        self.problem = problem
        self.denied = denied
        self.faults: list[Fault] = []
        self.arguments: Arguments | None = None
        self.misfits: list[tuple[Fault, Misfit]] = []
        self._semantics: Semantics | None = None

    def semantics(self, problem: Problem) -> Semantics:
        """Return the reference semantics of the domain and a problem; both must be without errors."""
        if self._semantics is None:
            domain = folded_domain(self.domain).trusted()
            folded = folded_problem(problem, domain).trusted(domain)
            self._semantics = Semantics(Task(domain, folded))
        return self._semantics

    def nodes(self) -> Iterator[Any]:
        """Yield all parts of all conditions and effects in the domain and the problem."""
        for action in self.domain.actions:
            yield from walk(action.precondition)
            yield from walk(action.effect)
        for axiom in self.domain.axioms:
            yield from walk(axiom.body)
        if self.problem:
            yield from walk(self.problem.goal)

    def error(
        self, code: str, message: str, node: Node, word: str | None = None, better: str | None = None, sure: bool = True
    ) -> None:
        """Report an error; the replacement `better` for `word` is a fix if `sure` is true, otherwise a suggestion."""
        self.warning(code, message, node, word, better, sure=sure, severity=ERROR)

    def warning(
        self,
        code: str,
        message: str,
        where: Node | Span | None,
        word: str | None = None,
        better: str | None = None,
        fix: Edit | None = None,
        *,
        sure: bool = True,
        severity: str = WARNING,
    ) -> None:
        """Report a warning with a correction: the replacement `better` for the wrong `word`, or the edit `fix`."""
        span = where.span if isinstance(where, Node) else where
        if word is not None and isinstance(span, TokenSpan):
            span = span.find(word)
        if span is None:
            self.faults.append(Fault(None, None, None, severity, message, code=code))
            return
        edit = replaced(span, better) if better is not None else fix
        if isinstance(where, Domain | Problem) and span is where.span:
            span = Span(span.source, span.start, span.start + 1)  # point at one character instead of the whole file
        self.faults.append(fault_at(span, severity, code, message).corrected(edit, sure))


def fault_at(span: Span, severity: str, code: str, message: str) -> Fault:
    (line, column), (end_line, end_column) = (span.source.position(offset) for offset in (span.start, span.end))
    return Fault(span.file, line, column, severity, message, end_line, end_column, code)


def replaced(span: Span, text: str) -> Edit:
    return edit_of(span.source, span.start, span.end, text)


def edit_of(source: Source, start: int, end: int, text: str) -> Edit:
    return Edit(*source.position(start), *source.position(end), text)


def removal(node: Node) -> Edit | None:
    """Return the edit that removes a node from its text, including the blanks before the node."""
    span = node.span
    if span is None:
        return None
    start = span.start
    while start and span.source.text[start - 1] in " \t":
        start -= 1
    return edit_of(span.source, start, span.end, "")
