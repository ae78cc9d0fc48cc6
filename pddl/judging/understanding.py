"""Readers for texts that may have faults: the strict reader or, if it fails, the tolerant reader."""

from __future__ import annotations

from functools import lru_cache

from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.base.values import Record
from unpuzzle.pddl.declarations import Domain, Problem
from unpuzzle.pddl.formulas import Atom
from unpuzzle.pddl.judging.fault import ERROR, WARNING, Fault
from unpuzzle.pddl.judging.lint_report import edit_of, fault_at
from unpuzzle.pddl.node import Source, Span
from unpuzzle.pddl.reading.brackets import Note
from unpuzzle.pddl.reading.reader import parse_domain, parse_problem
from unpuzzle.pddl.reading.sections import domain_as_written, problem_as_written
from unpuzzle.pddl.reading.texts import DEFINITION, cleaned
from unpuzzle.pddl.reading.tolerant_definitions import tolerant_domain, tolerant_problem
from unpuzzle.pddl.syntax import without_comments

LARGEST = 100_000
"""The longest text, in letters, that is read tolerantly; of a longer one only the first fault is reported."""


class Understood(Record):
    """The parts of a text that could be understood: a domain, a problem or neither, and the faults of the syntax.

    `broken` means that the strict reader refuses the text, so that parts may be missing.
    """

    faults: tuple[Fault, ...]
    broken: bool
    domain: Domain | None = None
    problem: Problem | None = None
    denied: tuple[Atom, ...] = ()


def kind_of(text: str) -> str | None:
    """Return `domain` or `problem`, by the first definition in a text; None if there is no definition."""
    found = DEFINITION.search(without_comments(text))
    return found[1].lower() if found else None


def swapped(domain_text: str, problem_text: str) -> bool:
    return (kind_of(domain_text), kind_of(problem_text)) == ("problem", "domain")


def understood(text: str, kind: str, name: str | None, domain: Domain | None) -> Understood:
    """Read a text as a domain or problem, with all faults; the most recently read domains are cached."""
    return _of_domain(text, name) if kind == "domain" else _understood(text, kind, name, domain)


@lru_cache(maxsize=2)
def _of_domain(text: str, name: str | None) -> Understood:
    return _understood(text, "domain", name, None)


def _understood(text: str, kind: str, name: str | None, domain: Domain | None) -> Understood:
    source = Source(text.replace("\r\n", "\n").replace("\r", "\n"), name)
    large = len(text) > LARGEST
    clean, notes = (source.text, []) if large else cleaned(source.text, kind)
    faults = [
        fault_of(note, source, WARNING if _is_harmless(note, source.text, kind, domain) else ERROR) for note in notes
    ]
    if faults and all(fault.severity == WARNING for fault in faults):
        clean = source.text  # all readers accept it as it is
    try:
        if kind == "domain":
            return Understood(tuple(faults), False, domain=domain_as_written(clean, name))
        problem, denied = problem_as_written(clean, domain, name)
        return Understood(tuple(faults), False, problem=problem, denied=denied)
    except (ParseError, UnsupportedFeature) as error:
        if large or error.code in ("too-deep", "other-kind") or kind_of(clean) not in (kind, None):
            return Understood((*faults, _of_error(error)), True)
        refusal = _of_error(error)

    if kind == "domain":
        part, more = tolerant_domain(clean, name)
        whole = Understood((), True, domain=part)
    else:
        problem, denied, more = tolerant_problem(clean, domain, name)
        whole = Understood((), True, problem=problem, denied=denied)
    faults += [fault_of(note, source) for note in more] or [refusal]
    return whole.replace(faults=tuple(faults))


def _is_harmless(note: Note, text: str, kind: str, domain: Domain | None) -> bool:
    """Return whether the strict reader accepts a text despite a note; an odd blank does no harm to names."""
    try:
        if kind == "domain":
            domain_as_written(text) if note.code == "odd-blank" else parse_domain(text)
        elif note.code == "odd-blank" or domain is None:
            problem_as_written(text, domain)
        else:
            parse_problem(text, domain)
    except (ParseError, UnsupportedFeature):
        return False
    return True


def fault_of(note: Note, source: Source, severity: str | None = None) -> Fault:
    span = Span(source, note.start, max(note.start, note.end))
    edit = None if note.fix is None else edit_of(source, *note.fix)
    return fault_at(span, severity or note.severity, note.code, note.message).corrected(edit, note.sure)


def _of_error(error: ParseError | UnsupportedFeature) -> Fault:
    code = error.code or ("unsupported" if isinstance(error, UnsupportedFeature) else "unexpected")
    column = None if error.column is None else error.column + 1
    return Fault(error.file, error.line, error.column, ERROR, error.message, error.line, column, code)
