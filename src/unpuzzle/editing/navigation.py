"""From a name to where it is declared and used, in a domain and all its problems, or in a game; and to another name.

    definition(documents, document, offset)
    references(documents, document, offset)
    renamed(documents, document, offset, "new-name")     the changes by path; UsageError where names would meet

Plans are left alone: they belong to the task that they were made for.
"""

from __future__ import annotations

from typing import NamedTuple

from unpuzzle.checking.linted_files import DOMAIN, PROBLEM
from unpuzzle.editing import symbols as names
from unpuzzle.editing.documents import Document, Documents
from unpuzzle.editing.places import Change
from unpuzzle.editing.symbols import Occurrence
from unpuzzle.errors import UsageError
from unpuzzle.limits import Limits
from unpuzzle.pddl.features import CONNECTIVES
from unpuzzle.run import Run

_RESERVED = frozenset(("either", "object", "number", "total-cost", "=", "increase", "minimize", *CONNECTIVES))
_SECONDS_TO_RENAME = 20.0
_FIXED = (names.KEYWORD, names.NUMBER)


class Location(NamedTuple):
    """A range of offsets in a document."""

    document: Document
    start: int
    end: int


def family(documents: Documents, document: Document, *, everywhere: bool = False) -> list[Document]:
    """Return a document, its domain first, and the other documents that share its names; open ones, or all."""
    if document.game_format is not None:
        return [document]
    domain = document if document.kind == DOMAIN else documents.domain_of(document)
    if document.kind not in (DOMAIN, PROBLEM):
        problem = documents.problem_of(document)
        domain = None if problem is None else documents.domain_of(problem)
        return [each for each in (domain, problem, document) if each is not None]
    if domain is None:
        return [document]
    others = documents.problems_of(domain, everywhere=everywhere)
    return [domain, *others, *([document] if document.path not in {domain.path, *(o.path for o in others)} else [])]


def definition(documents: Documents, document: Document, offset: int) -> list[Location]:
    """Return where the name at an offset is declared."""
    if (name := document.symbols.at(offset)) is None:
        return []
    places = _places(family(documents, document), document, name)
    own = [place for place in places if place.document is document]
    found = [place for place in places if _declares(place)]
    return [place for place in found if place in own] if name.kind == names.VARIABLE else found


def _declares(place: Location) -> bool:
    occurrence = place.document.symbols.at(place.start + 1) or place.document.symbols.at(place.start)
    return occurrence is not None and occurrence.declares


def references(documents: Documents, document: Document, offset: int, *, declared: bool = True) -> list[Location]:
    """Return all places where the thing at an offset is named, with or without those that declare it."""
    name = document.symbols.at(offset)
    if name is None or name.kind in _FIXED:
        return []
    places = _places(family(documents, document, everywhere=True), document, name)
    return [place for place in places if declared or not _declares(place)]


def highlights(document: Document, offset: int) -> list[Location]:
    """Return the places in one document that name the thing at an offset."""
    name = document.symbols.at(offset)
    return [] if name is None or name.kind in _FIXED else _places([document], document, name)


def _places(documents: list[Document], document: Document, name: Occurrence) -> list[Location]:
    """Return where a thing is named; a variable, and the name of a problem, belong to one document."""
    if name.kind in (names.VARIABLE, names.PROBLEM):
        documents = [document]
    return [
        Location(each, place.start, place.end) for each in documents for place in each.symbols.by_key.get(name.key, ())
    ]


def renamable(document: Document, offset: int) -> Occurrence | None:
    """Return the name at an offset, if it can be renamed."""
    name = document.symbols.at(offset)
    return None if name is None or name.kind in _FIXED or name.built_in else name


def renamed(documents: Documents, document: Document, offset: int, new: str) -> dict[str, list[Change]]:
    """Return the changes that give the thing at an offset another name, by path.

    Raises UsageError for invalid names, for names of the language, if something else has the new name, and if a game
    would not stay the same; LimitReached if the comparison of the games takes too long.
    """
    if (name := renamable(document, offset)) is None:
        raise UsageError("there is no name here that can be changed")
    shared = family(documents, document, everywhere=True)
    if document.game_format is not None:
        new = new.strip()
        with Run(Limits(time=_SECONDS_TO_RENAME), "comparing the games"):
            document.game_format.require_same(document.text, name.name, new)
    else:
        new = _spelled(new, name.kind)
        _require_free(shared, document, name, new)
    changes: dict[str, list[Change]] = {}
    for place in _places(shared, document, name):
        changes.setdefault(place.document.path, []).append(Change(place.start, place.end, new))
    return changes


def _spelled(new: str, kind: str) -> str:
    """Return a new name as it is written. Raises UsageError for what cannot be one."""
    new = new.strip()
    if kind == names.VARIABLE:
        new = "?" + new.removeprefix("?")
    bare = new.removeprefix("?") if kind == names.VARIABLE else new
    plain = bare.isascii() and bare.isprintable() and not set(bare) & set(" ();?\"'`,")
    if not plain or not bare[:1].isalpha():
        raise UsageError(f"{new!r} is not a name: a name begins with a letter and has no blanks, brackets or commas")
    if bare.lower() in _RESERVED:
        raise UsageError(f"{new!r} is a word of PDDL")
    return new


def _require_free(shared: list[Document], document: Document, name: Occurrence, new: str) -> None:
    """Raise UsageError where something else of the same kind already has a name."""
    lower = new.lower()
    if lower == name.name:
        return
    if name.kind == names.VARIABLE:
        groups = document.tree.around(name.start)
        outer = next((group for group in groups if group.start == name.scope), groups[-1] if groups else None)
        taken = [
            each
            for each in document.symbols.occurrences
            if each.kind == name.kind and each.name == lower and outer and outer.start <= each.start < outer.end
        ]
        if taken or any(each.scope == name.scope and each.name == lower for each in document.symbols.occurrences):
            raise UsageError(f"there is a variable {lower} here")
        return
    for each in [document] if name.kind == names.PROBLEM else shared:
        if (name.kind, lower, names.NO_SCOPE) in each.symbols.by_key:
            raise UsageError(f"there is a {name.kind} {lower} in {each.path}")
