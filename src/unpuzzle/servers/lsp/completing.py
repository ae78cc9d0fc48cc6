"""Completions at a position in a text: sections, parts of actions, connectives, predicates, variables and objects.

The forms around the place decide, even if brackets are missing after it. Declarations elsewhere in the text, and in the
domain of a problem, are offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from unpuzzle.pddl.matching import DOMAIN, PROBLEM
from unpuzzle.pddl.reading.reader import ACTION_PARTS, IN_DOMAINS
from unpuzzle.pddl.syntax import Form
from unpuzzle.servers.lsp.navigation import family
from unpuzzle.workspace import symbols as names
from unpuzzle.workspace.documents import Document, Documents
from unpuzzle.workspace.symbols import Declaration, Symbols, Typed

_IN_PROBLEM = ":domain :objects :init :goal :metric :requirements".split()
_CONDITION = ("and", "or", "not", "imply", "forall", "exists", "=")
_EFFECT = ("and", "not", "when", "forall", "increase")
_REQUIREMENTS = """:strips :typing :negative-preconditions :disjunctive-preconditions :equality
:existential-preconditions :universal-preconditions :quantified-preconditions :conditional-effects :adl
:derived-predicates :action-costs""".split()
_WORD = re.compile(r"[^\s();]*$")


class Completion(NamedTuple):
    """A possible completion: its name, its kind, the details shown beside it, and a comment."""

    label: str
    kind: str
    detail: str = ""
    comment: str = ""


class Completions(NamedTuple):
    """The offset of the word that is completed, and the possible completions."""

    start: int
    items: list[Completion]


def completions(documents: Documents, document: Document, offset: int) -> Completions:
    """Return the possible completions at an offset of a document."""
    word = _WORD.search(document.text, 0, offset)
    start = word.start() if word else offset
    if document.tree.in_comment(offset):
        return Completions(offset, [])
    context = _Context(documents, document, start, offset)
    return Completions(start, list(dict.fromkeys(context.items())))


class _Context:
    """The PDDL forms around a place in a text, and the names that are known there."""

    def __init__(self, documents: Documents, document: Document, start: int, end: int) -> None:
        self.document = document
        self.start = start
        self.path = [form for form in document.tree.around(end) if form.start < start]
        self.documents = documents
        shared = family(documents, document)
        self.known: list[Symbols] = [each.symbols for each in shared if each.kind == DOMAIN or each is document]
        if document.kind not in (DOMAIN, PROBLEM):
            self.known = [each.symbols for each in shared]

    def items(self) -> Iterator[Completion]:
        """Yield the completions at this place."""
        path = self.path
        if not path:
            return
        form, at = path[-1], self.index(path[-1])
        whole = path if at else path[:-1]  # the first word of a form is what is being written
        section = next((each for each in reversed(whole) if each.head.startswith(":")), None)
        if section is None:
            yield from self.top(form, at)
        elif section.head == ":requirements":
            yield from _keywords(_REQUIREMENTS)
        elif section.head == ":domain":
            for each in self.documents.all():
                if each.kind == DOMAIN and each.own_name:
                    yield Completion(each.own_name, names.DOMAIN, each.path)
        elif section.head == ":types" or self.after_dash(form, at):
            yield Completion("object", names.TYPE)
            yield from self.declared(names.TYPE)
        elif form is section and section.head in (":action", ":durative-action"):
            yield from _keywords(part for part in ACTION_PARTS if part not in {*form.words()})
        elif section.head not in (":constants", ":objects", ":predicates", ":functions"):
            yield from self.in_formula(section, form, at)

    def index(self, form: Form) -> int:
        """Return the number of a form's items that come before the place of the completion."""
        return sum(form.source.offsets(number)[0] < self.start for number in form.numbers[:-1])

    def after_dash(self, form: Form, at: int) -> bool:
        return at > 0 and (form.head == "either" or form[at - 1] == "-")

    def top(self, form: Form, at: int) -> Iterator[Completion]:
        """Yield the completions at the top of a definition, or at the start of a line of a plan."""
        in_problem = self.document.kind == PROBLEM
        if form.head == "define" or (len(self.path) > 1 and self.path[-2].head == "define" and at == 0):
            yield from _keywords(_IN_PROBLEM if in_problem else IN_DOMAINS)
        elif self.document.kind not in (DOMAIN, PROBLEM):
            yield from self.declared(names.ACTION) if at == 0 else self.arguments(names.ACTION, form, at)
        elif at == 0:
            yield Completion("define", names.KEYWORD)

    def in_formula(self, section: Form, form: Form, at: int) -> Iterator[Completion]:
        """Yield completions in a formula: heads of formulas, or possible arguments."""
        if form is section:  # a formula begins with a bracket
            return
        if at == 0:
            if section.head == ":metric":
                yield from self.declared(names.FUNCTION)
                return
            in_effect = self.part(section) == ":effect"
            yield from _keywords(() if section.head == ":init" else _EFFECT if in_effect else _CONDITION)
            yield from self.declared(names.PREDICATE)
            if section.head == ":init" or self.path[-2].head in ("increase", "="):
                yield from _keywords(("=",))
                yield from self.declared(names.FUNCTION)
        else:
            yield from self.arguments(names.PREDICATE, form, at)

    def part(self, section: Form) -> str:
        """Return the keyword of the action's part, such as `:effect`, that contains the place."""
        before = section[: self.index(section)]
        return next((item for item in reversed(before) if isinstance(item, str) and item[0] == ":"), "")

    def arguments(self, kind: str, form: Form, at: int) -> Iterator[Completion]:
        """Yield the variables, then the constants, that fit a parameter of the head; all if it is unknown."""
        wanted = self.parameter(form.head, at, kind)
        variables = [typed for each in self.path for typed in self.document.symbols.variables.get(each.start, ())]
        for typed in variables:
            if wanted is None or self.fits(typed.types, wanted.types):
                yield Completion(typed.name, names.VARIABLE, str(typed))
        for constant in self.declarations(names.CONSTANT):
            types = constant.types or ("object",)
            if wanted is None or self.fits(types, wanted.types):
                yield Completion(constant.name, names.CONSTANT, constant.signature, constant.comment)

    def parameter(self, head: str, at: int, kind: str) -> Typed | None:
        """Return the declared parameter for an argument of a head; None if the declaration is unknown."""
        for known in self.known:
            for each in (kind, names.FUNCTION):
                declaration = known.declarations.get((each, head))
                if declaration is not None and at - 1 < len(declaration.parameters):
                    return declaration.parameters[at - 1]
        return None

    def fits(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Return whether one of the types fits one of the expected types, according to the declared types."""
        above = {parent for each in types for known in self.known for parent in known.parents(each)}
        return "object" in wanted or bool(above.intersection(wanted))

    def declarations(self, kind: str) -> Iterator[Declaration]:
        return (each for known in self.known for each in known.declared(kind))

    def declared(self, kind: str) -> Iterator[Completion]:
        return (Completion(each.name, kind, each.signature, each.comment) for each in self.declarations(kind))


def _keywords(words: object) -> Iterator[Completion]:
    return (Completion(word, names.KEYWORD) for word in words)  # type: ignore[attr-defined]
