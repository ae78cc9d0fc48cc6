"""Recognition of domains, problems and plans, and the search for the domain file of a problem.

    text = read_text_of("p01.pddl")            a PddlText: name, text, and kind: a domain, a problem or a plan
    domain_beside("p01.pddl")                  the file of its domain, in its folder or the one above
    domain_for(problem, [near, far])           the same among texts, the nearest group first
    problem_for("p01.plan", problems)          the problem that a plan is for

The command line, `lint`, editors, watching, the studio and tests all use this module, so they agree. A problem belongs
to the domain that it names. If several files of the nearest group define it, the one with a usual name counts; without
such a name none does, because it is unclear which is meant.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.files import found_files, read_bytes
from unpuzzle.base.run import phase
from unpuzzle.base.text import listed
from unpuzzle.base.values import Record
from unpuzzle.pddl.formulas import Source
from unpuzzle.pddl.linting.fault import Fault
from unpuzzle.pddl.linting.understanding import decode_leniently, fault_of, kind_of
from unpuzzle.pddl.reading.brackets import Note
from unpuzzle.pddl.syntax import without_comments

DOMAIN, PROBLEM, PLAN = "domain", "problem", "plan"
STDIN = "<stdin>"
MOST_NAMED = 5
"""The most files that a message names."""
BEGINNING = 1_000_000
"""Characters of a text that are read to find out its kind."""
DOMAINS = "domains"
"""The folder of domains beside the one of problems."""
_WORDS = re.compile(r"domain|problem|instance|prob|inst|task|pfile", re.IGNORECASE)
_MARKS = " -_."
_NAME = re.compile(r"\(\s*define\s*\(\s*domain\s+([^\s()]+)", re.IGNORECASE)
_OF = re.compile(r"\(\s*:domain\s+([^\s()]+)", re.IGNORECASE)
_STEP = re.compile(
    r"\s*(?:(?:step\s*)?[\d.]*\s*[.):-]?\s*)?\(?[\w-]+[\s(),\w.-]*\)?\s*(?:\[[\d.]+\])?\s*", re.IGNORECASE
)


class PddlText(Record):
    """The text of a PDDL file, with its file name, its kind (domain, problem or plan) and notes about faults."""

    name: str
    text: str
    kind: str = ""
    notes: tuple[Note, ...] = ()

    @cached_property
    def defines(self) -> str | None:
        """The name of the domain that the text defines; None if the text defines no domain."""
        return _first_name(_NAME, self.text)

    @cached_property
    def wants(self) -> str | None:
        """The name of the domain that a problem needs; None if the text is not a problem."""
        return wanted_domain(self.text)

    def faults(self) -> list[Fault]:
        """Return the faults in the encoding of the file."""
        source = Source(self.text, self.name)
        return [fault_of(note, source) for note in self.notes]


def wanted_domain(text: str) -> str | None:
    """Return the name of the domain that the text of a problem refers to; None if the text is not a problem."""
    return _first_name(_OF, text)


def _first_name(pattern: re.Pattern[str], text: str) -> str | None:
    """Return the first group of a pattern's first match outside comments, in lower case; None if there is no match."""
    match = pattern.search(without_comments(text))
    return match[1].lower() if match else None


def kind_of_file(name: str, text: str) -> str:
    """Return the kind of a PDDL text: domain, problem or plan; `domain` if the text gives no hint.

    Steps without brackets look like levels of puzzles, so they are a plan only if the file's name says so, or on
    standard input.
    """
    text = text[:BEGINNING]
    if (kind := kind_of(text)) is not None:
        return kind
    lines = [line.partition(";")[0].strip() for line in text.split("\n")]
    lines = [line for line in lines if line and not line.startswith("```")]
    steps = [line for line in lines if _STEP.fullmatch(line) and not line.startswith("(:")]
    named = os.path.splitext(name)[1] in (".plan", ".soln") or "plan" in os.path.basename(name).lower()
    alone = len(steps) == len(lines) and (name == STDIN or any("(" in line for line in lines))
    if "define" not in text and ((steps and (named or alone)) or (named and text.lstrip()[:1] in ("[", "{", "<"))):
        return PLAN
    return PROBLEM if re.search(r"\(\s*(problem\s|:init|:goal)", text) else DOMAIN


def pddl_text(name: str, data: bytes) -> PddlText:
    """Decode the bytes of a PDDL file and recognize its kind. Raises ParseError for a binary file."""
    try:
        text, notes = decode_leniently(data)
    except ValueError:
        raise ParseError("this is a binary file, not text", file=name, line=1, column=1) from None
    return PddlText(name, text, kind_of_file(name, text), tuple(notes))


def read_text_of(path: str) -> PddlText:
    """Read a PDDL file and recognize its kind. Raises ParseError for a binary file, OSError, LimitReached."""
    return pddl_text(path, read_bytes(path))


def misplaced_plan(files: Mapping[str, str | None]) -> ParseError | None:
    """Return an error if a plan is given where a domain or problem is expected, or the reverse; else None.

    `files` are the files by the kind that was asked for; None is no file, or one that cannot be read twice. The error
    names the kinds of all misplaced files and, if another order fits, that order.
    """
    named = {asked: name for asked, name in files.items() if name is not None}
    kinds = {asked: _sure_kind(name) for asked, name in named.items()}
    wrong = [asked for asked, kind in kinds.items() if kind not in (None, asked)]
    if not wrong or PLAN not in [*wrong, *[kinds[asked] for asked in wrong]]:
        return None
    first, *others = wrong
    message = f"this looks like a {kinds[first]}, and a {first} is expected here"
    message += "".join([f"; {named[asked]} looks like a {kinds[asked]}, not like a {asked}" for asked in others])
    order = {kind: named[asked] for asked, kind in kinds.items()}
    if others and order.keys() == files.keys():
        message += f"; give them in this order: {' '.join([str(order[asked]) for asked in files])}"
    return ParseError(message, file=named[first], line=1, column=1)


def no_plan(text: str, name: str, what: str = "a plan") -> ParseError | None:
    """Return an error if a text is a domain or problem, because a plan or moves are expected; else None."""
    kind = kind_of(text)
    message = f"this looks like a {kind}, and {what} is expected here"
    return None if kind is None else ParseError(message, file=name, line=1, column=1)


def _sure_kind(path: str) -> str | None:
    """Return the kind of a file (domain, problem or plan); None if its text gives no hint."""
    if path.endswith(".py"):  # a puzzle, whatever its brackets look like
        return None
    try:
        text = read_text_of(path)
    except (ParseError, OSError):
        return None
    return PLAN if kind_of_file("", text.text) == PLAN else kind_of(text.text)


def domain_for(problem: PddlText, groups: Iterable[Iterable[PddlText]]) -> PddlText:
    """Return the domain that a problem names, from the first group of texts that contains a domain with this name.

    Raises UsageError if there is none, or if several of a group define it and not exactly one of these is called
    `domain.pddl` or named for the problem, such as `domain_p01.pddl` or `p01-domain.pddl` for `p01-airport1.pddl`.
    """
    wanted = problem.wants
    if wanted is None:
        raise UsageError("the problem does not name its domain: write (:domain NAME)")
    for group in groups:
        found = [text for text in group if text.kind == DOMAIN and text.defines == wanted]
        named = [text for text in found if is_named_for(text.name, problem.name)]
        chosen = named if len(found) > 1 else found
        if len(chosen) == 1:
            return chosen[0]
        if found:
            names = listed([os.path.basename(text.name) for text in found], MOST_NAMED)
            raise UsageError(f"several files define the domain '{wanted}': {names}; name one of these files")
    raise UsageError(f"no file in the folder of the problem, or in the folder above, defines the domain '{wanted}'")


def task_part(path: str) -> str:
    """Return the part of a file name that identifies a task: `1` for `domain-01` and `p01`; empty for `domain`."""
    rest = _WORDS.sub("", os.path.splitext(os.path.basename(path))[0]).strip(_MARKS).lower()
    number = re.fullmatch(r"p?0*(\d+)", rest)
    return number[1] if number else rest


def is_named_for(domain: str, problem: str) -> bool:
    """Return whether the name of a domain file fits the name of a problem file; `domain.pddl` fits all."""
    own, stem = task_part(domain), os.path.splitext(os.path.basename(problem))[0]
    beginnings = {stem[:at] for at, sign in enumerate(stem) if sign in _MARKS} | {stem}
    return own in ("", *map(task_part, beginnings))


def domain_beside(path: str, problem: PddlText | None = None) -> str:
    """Return the domain file of a problem, searched in the problem's folder, its parent, and `domains` in the parent.

    Raises UsageError as `domain_for` does, and ParseError for a binary file.
    """
    with phase("looking for the domain"):
        home = os.path.dirname(path)
        above = os.path.join(home, os.pardir)
        groups = (
            _readable(folder)
            for folder in (home, above, os.path.join(above, DOMAINS))
            if os.path.isdir(folder or os.curdir)
        )
        return os.path.normpath(domain_for(problem or read_text_of(path), groups).name)


def domains_in(folder: str, name: str) -> Iterable[PddlText]:
    """Yield the texts in a folder that define the domain `name`."""
    return (text for text in _readable(folder) if text.kind == DOMAIN and text.defines == name)


def _readable(folder: str) -> Iterable[PddlText]:
    for path in found_files(folder, ".pddl"):
        try:
            yield read_text_of(path)
        except (ParseError, OSError):
            continue


def problem_for(plan: str, problems: Sequence[PddlText]) -> PddlText | None:
    """Return the problem of a plan file: the only problem, or the only one whose file has the same name; else None."""
    if len(problems) > 1:
        stem = os.path.basename(plan).split(".")[0]
        problems = [problem for problem in problems if os.path.basename(problem.name).split(".")[0] == stem]
    return problems[0] if len(problems) == 1 else None
