"""Readers for texts that may have faults: the strict reader or, if it fails, the tolerant reader.

Before, what is not PDDL is removed: code fences, prose, commas, odd blanks. `cleaned` replaces such text by as many
blanks, so that places do not change, and notes each kind once. `decode_leniently` decodes files that are not UTF-8.
"""

from __future__ import annotations

import re
from functools import lru_cache

from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.base.values import Record
from unpuzzle.pddl.declarations import Domain, Problem
from unpuzzle.pddl.formulas import Atom, Source, Span
from unpuzzle.pddl.linting.fault import ERROR, WARNING, Fault, edit_of, fault_at
from unpuzzle.pddl.reading.brackets import Note, merged
from unpuzzle.pddl.reading.reader import domain_as_written, parse_domain, parse_problem, problem_as_written
from unpuzzle.pddl.reading.tolerant_definitions import tolerant_domain, tolerant_problem
from unpuzzle.pddl.syntax import without_comments

LARGEST = 100_000
"""The longest text, in letters, that is read tolerantly; of a longer one only the first fault is reported."""
ODD_BLANKS = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\u200b\ufeff"
QUOTES = "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u00b4"
DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212"
DEFINITION = re.compile(r"\(\s*define\s*\(\s*(domain|problem)\b", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(```|~~~).*$", re.MULTILINE)
_QUOTED = re.compile(rf"""(?<![\w?-])(["'`])[\w?.-]+(\1)(?![\w?-])|([{QUOTES}])""")
"""Plain quotation marks around a name (but not the one that belongs to `x'`), and all typographic ones."""
_ELLIPSIS = re.compile(r"(?<![^\s()])(\.\.+|\u2026)(?![^\s()])")
_CALL = re.compile(r"(?<=[\s)])[a-z][\w-]*\([^()]*\)", re.IGNORECASE)
_FOREIGN_COMMENT = re.compile(r"(?:(?<=\s)|^)(//|#|--(?=\s)|/\*)[^\n]*", re.MULTILINE)
_ODD = "this blank is the character U+{:04X}, not a plain one: other programs refuse it; type a blank"
_LETTERS = (
    ("odd-blank", ODD_BLANKS, " ", _ODD),
    ("dash", DASHES, "-", "this dash is the character U+{:04X}, not a minus sign: write '-'"),
    ("comma", ",", " ", "PDDL separates names by blanks, not by commas: remove this one"),
    ("other-brackets", "[{", "(", "PDDL has round brackets only, not '{:c}'"),
    ("other-brackets", "]}", ")", "PDDL has round brackets only, not '{:c}'"),
)
"""Characters that PDDL does not have, by the code of the fault, with the right character and the message."""


class Understood(Record):
    """The domain or the problem that was read from a text (perhaps neither), and the syntax faults of the text.

    `broken` means that the strict reader refuses the text, so that parts may be missing.
    """

    faults: tuple[Fault, ...]
    broken: bool
    domain: Domain | None = None
    problem: Problem | None = None
    denied: tuple[Atom, ...] = ()


def kind_of(text: str) -> str | None:
    """Return `domain` or `problem`, whichever a text defines first; None if it defines neither."""
    found = DEFINITION.search(without_comments(text))
    return found[1].lower() if found else None


def swapped(domain_text: str, problem_text: str) -> bool:
    return (kind_of(domain_text), kind_of(problem_text)) == ("problem", "domain")


def understood(text: str, kind: str, name: str | None, domain: Domain | None) -> Understood:
    """Read a text as a domain or problem and collect all its faults; the most recent domains are cached."""
    return _of_domain(text, name) if kind == "domain" else _understood(text, kind, name, domain)


@lru_cache(maxsize=2)
def _of_domain(text: str, name: str | None) -> Understood:
    return _understood(text, "domain", name, None)


def _understood(text: str, kind: str, name: str | None, domain: Domain | None) -> Understood:
    """Read a text by the strict reader and, if it fails, by the tolerant reader; return all faults found."""
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
            return Understood((*faults, fault_of_error(error)), True)
        refusal = fault_of_error(error)

    if kind == "domain":
        part, more = tolerant_domain(clean, name)
        whole = Understood((), True, domain=part)
    else:
        problem, denied, more = tolerant_problem(clean, domain, name)
        whole = Understood((), True, problem=problem, denied=denied)
    faults += [fault_of(note, source) for note in more] or [refusal]
    return whole.replace(faults=tuple(faults))


def _is_harmless(note: Note, text: str, kind: str, domain: Domain | None) -> bool:
    """Return whether the strict reader accepts a text that has the fault in `note`."""
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


def fault_of_error(error: ParseError | UnsupportedFeature) -> Fault:
    """Return the fault at which the strict reader stops."""
    code = error.code or ("unsupported" if isinstance(error, UnsupportedFeature) else "unexpected")
    column = None if error.column is None else error.column + 1
    return Fault(error.file, error.line, error.column, ERROR, error.message, error.line, column, code)


class Cleaning:
    """A text in which all that is not PDDL is being replaced by blanks; `notes` describe the replaced parts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.notes: list[Note] = []
        self._bared = self._bare = ""

    def blank(self, start: int, end: int) -> None:
        """Replace a range of the text by blanks, but keep the line ends."""
        hidden = re.sub(r"[^\n]", " ", self.text[start:end])
        self.text = self.text[:start] + hidden + self.text[end:]

    def note(
        self, code: str, message: str, start: int, end: int, fix: tuple[int, int, str] | None = None, sure: bool = True
    ) -> None:
        self.notes.append(Note(code, message, start, end, fix, sure=sure))

    @property
    def bare(self) -> str:
        """A copy of the text with blanks in place of its comments."""
        if self._bared is not self.text:
            self._bared, self._bare = self.text, without_comments(self.text)
        return self._bare

    def removed(self, code: str, pattern: re.Pattern[str], message: str, sure: bool = True) -> None:
        """Replace the groups of a pattern's matches by blanks, except in comments; add one note about all of them."""
        matches = pattern.finditer(self.bare)
        places = [match.span(group) for match in matches for group in range(1, pattern.groups + 1) if match[group]]
        if not places:
            return
        self.notes.append(merged(self.text, [Note(code, message, *place, (*place, ""), sure=sure) for place in places]))
        for place in places:
            self.blank(*place)

    def each(self, code: str, letters: str, by: str, message: str) -> None:
        """Replace the characters `letters` by `by`, except in comments; add one note, whose edit replaces all of them.

        Commas in calls belong to another fault: they are replaced without a note.
        """
        bare = self.bare
        calls = [match.span() for match in _CALL.finditer(bare)] if code == "comma" else []
        inner = {place for start, end in calls for place in range(start, end)}
        found = [match.start() for match in re.finditer(f"[{re.escape(letters)}]", bare)]
        raw, places = list(self.text), [place for place in found if place not in inner]
        for place in inner.intersection(found):
            raw[place] = by
        text = "".join(raw)
        for place in places:
            raw[place] = by
        self.text = "".join(raw)
        if not places:
            return
        first, last = places[0], places[-1]
        fixed = self.text[first : last + 1]
        if code == "comma":  # a blank where words would join, else nothing
            close = re.sub(r",(?=\s|\))", "", text[first : last + 2])[: -1 if last + 2 <= len(text) else None]
            fixed = close.replace(",", " ") if ";" not in close else fixed
        others = f", and {len(places) - 1} more like it" if len(places) > 1 else ""
        self.note(code, message.format(ord(bare[first])) + others, first, first + 1, (first, last + 1, fixed))


def cleaned(text: str, kind: str) -> tuple[str, list[Note]]:
    """Replace everything that is not PDDL by blanks; return the text with notes about the replaced parts."""
    cleaning = Cleaning(text)
    _fences(cleaning)
    _comments(cleaning)
    message = "names have no quotation marks in PDDL: remove this one"
    if any(mark in text for mark in f"\"'`{QUOTES}"):  # a quick test before the slow search
        cleaning.removed("quotes", _QUOTED, message)
    _other_definitions(cleaning, kind)
    _prose(cleaning)
    message = "the dots leave something out, which PDDL does not allow: write it out, or remove them"
    if ".." in text or "\u2026" in text:
        cleaning.removed("ellipsis", _ELLIPSIS, message, sure=False)
    for code, letters, by, message in _LETTERS:
        if any(letter in cleaning.text for letter in letters):  # hardly ever; the closer look takes longer
            cleaning.each(code, letters, by, message)
    return cleaning.text, cleaning.notes


def _fences(cleaning: Cleaning) -> None:
    """Replace Markdown code fences by blanks."""
    marked = "```" in cleaning.text or "~~~" in cleaning.text
    fences = [match.span() for match in _FENCE.finditer(cleaning.text)] if marked else []
    if fences:
        (start, end), last = fences[0], fences[-1]
        message = "this is Markdown around the PDDL, not PDDL: remove the lines with ```"
        inner = _FENCE.sub("", cleaning.text[start : last[1]])
        cleaning.note("markdown", message, start, end, (start, last[1], inner))
        for fence in fences:
            cleaning.blank(*fence)


def _comments(cleaning: Cleaning) -> None:
    """Replace comments in the syntax of other languages by blanks."""
    if not any(mark in cleaning.text for mark in ("//", "#", "--", "/*")):
        return
    for match in _FOREIGN_COMMENT.finditer(cleaning.bare):
        if "(" in cleaning.bare[: match.start()] or match[1] != "#":
            mark = match[1]
            message = f"a comment begins with ';' in PDDL, not with '{mark}'"
            start, (rest, closed, after) = match.start(), match[0][len(mark) :].partition("*/")
            first = not cleaning.text[cleaning.text.rfind("\n", 0, start) + 1 : start].strip()
            whole = first if mark == "--" else bool(closed) and not after.strip() if mark == "/*" else True
            sure = whole and not set("()").intersection(rest)  # else the line's rest may be meant
            cleaning.note("comment", message, start, start + len(mark), (start, start + len(mark), ";"), sure)
            cleaning.blank(*match.span())


def _other_definitions(cleaning: Cleaning, kind: str) -> None:
    """Replace all definitions by blanks, except the first definition of the kind `kind`."""
    starts = [(match.start(), match[1].lower()) for match in DEFINITION.finditer(cleaning.bare)]
    wanted = [start for start, other in starts if other == kind]
    if len(starts) < 2 or not wanted:
        return
    bounds = [*(start for start, _ in starts), len(cleaning.text)]
    for number, (start, other) in enumerate(starts):
        if start == wanted[0]:
            continue
        if number or start < wanted[0]:
            message = f"two definitions in one file: this {other} belongs in a separate file"
            cleaning.note("two-definitions", message, start, start + len("(define"))
        cleaning.blank(start, bounds[number + 1])


def _prose(cleaning: Cleaning) -> None:
    """Replace the prose before and after the definition by blanks, but keep comments."""
    bare = cleaning.bare
    first = DEFINITION.search(bare)
    if first is None:
        return
    before = bare[: first.start()]
    if before.strip() and set(before.split()) != {"("}:
        _noted_prose(cleaning, len(before) - len(before.lstrip()), len(before.rstrip()), "before")
    end = _end_of(bare, first.start())
    after = bare[end:]
    lead = after.lstrip()[:1]
    if lead and lead not in "():?":
        _noted_prose(cleaning, end + len(after) - len(after.lstrip()), end + len(after.rstrip()), "after")


def _noted_prose(cleaning: Cleaning, start: int, end: int, where: str) -> None:
    message = f"this is not PDDL: remove the text {where} the definition, or begin its lines with ';'"
    text = cleaning.text[start:end]
    if not text.strip():
        return
    cleaning.note("prose", message, start, end, (start, end, "; " + text.replace("\n", "\n; ")))
    cleaning.blank(start, end)


def _end_of(text: str, start: int) -> int:
    """Return the offset after the bracket that closes the bracket at `start`; the end of the text if none does."""
    depth = 0
    for match in re.finditer(r"[()]", text[start:]):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return start + match.end()
    return len(text)


def decode_leniently(data: bytes) -> tuple[str, list[Note]]:
    """Decode a file as UTF-8, UTF-16 or Latin-1; return the text, and a note if the encoding is UTF-16.

    Latin-1 is not reported: it may be in comments, and a name with such a letter is a fault at its place.

    Raises ValueError for data that is not text in any of them.
    """
    for mark, name in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return _noted(data.decode(name), "UTF-16")
    if b"\0" in data:
        even, odd = data[::2].count(0), data[1::2].count(0)
        name = "utf-16-le" if odd > even else "utf-16-be"
        if max(even, odd) * 3 < len(data):
            raise ValueError("the text has a NUL byte, but is not UTF-16")
        return _noted(data.decode(name), "UTF-16")
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        text = data.decode("latin-1")
        if sum(not (char.isprintable() or char.isspace()) for char in text) * 20 > len(text):
            raise ValueError("the bytes are neither UTF-8 nor other text") from None
        return text, []


def _noted(text: str, name: str) -> tuple[str, list[Note]]:
    return text, [Note("encoding", f"this file is {name}: save it as UTF-8", 0, min(1, len(text)))]
