"""Answers about a place in an open text: what its name means, where it is used, and what can be written there.

    definition(documents, document, offset)
    references(documents, document, offset)
    renamed(documents, document, offset, "new-name")     the changes by path; UsageError if names would collide
    completions(documents, document, offset)             the words that are possible there, even if brackets are missing
    faults_at_once(documents, document)                  in the text that has just changed
    faults_in_full(documents, document)                  by path, in it and in open documents that share its names

Plans are not renamed: they belong to the task that they were made for. Completions are also names that are declared
elsewhere in the text, and in the domain of a problem.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from unpuzzle.base.errors import ParseError, UnpuzzleError, UsageError
from unpuzzle.base.run import Limits, Run, phase, within_limits
from unpuzzle.base.text import count, listed
from unpuzzle.base.values import Record
from unpuzzle.model.game_formats import Part
from unpuzzle.pddl.formulas import CONNECTIVES
from unpuzzle.pddl.linting.fault import Fault
from unpuzzle.pddl.linting.understanding import fault_of_error
from unpuzzle.pddl.matching import DOMAIN, PLAN, PROBLEM
from unpuzzle.pddl.reading.reader import ACTION_PARTS, IN_DOMAINS, parse_task
from unpuzzle.pddl.syntax import Form, Text, read_form
from unpuzzle.planners import native
from unpuzzle.planners.native.grounding import CoreGrounding
from unpuzzle.workspace import symbols as names
from unpuzzle.workspace.documents import Change, Document, Documents
from unpuzzle.workspace.kinds import GAME
from unpuzzle.workspace.linting import lint_files
from unpuzzle.workspace.symbols import Declaration, Occurrence, Symbols, Typed

_RESERVED = frozenset(("either", "object", "number", "total-cost", "=", "increase", "minimize", *CONNECTIVES))
_SECONDS_TO_RENAME = 20.0
COMMENT = "comment"
_IN_PROBLEM = ":domain :objects :init :goal :metric :requirements".split()
_CONDITION = ("and", "or", "not", "imply", "forall", "exists", "=")
_EFFECT = ("and", "not", "when", "forall", "increase")
_REQUIREMENTS = """:strips :typing :negative-preconditions :disjunctive-preconditions :equality
:existential-preconditions :universal-preconditions :quantified-preconditions :conditional-effects :adl
:derived-predicates :action-costs""".split()
_WORD = re.compile(r"[^\s();]*$")


class Location(NamedTuple):
    """A range of offsets in a document."""

    document: Document
    start: int
    end: int


def family(documents: Documents, document: Document, *, everywhere: bool = False) -> list[Document]:
    """Return a document, the document's domain and other documents (open or all) that use the same names."""
    problem = document if document.kind == PROBLEM else None
    if document.kind not in (DOMAIN, PROBLEM, GAME):
        problem = documents.problem_of(document)
    domain = document if document.kind == DOMAIN else problem and documents.domain_of(problem)
    others = [problem] if problem is not None and problem is not document else []
    if document.kind in (DOMAIN, PROBLEM) and domain is not None:
        others = documents.problems_of(domain, everywhere=everywhere)
    found = [*([] if domain is None else [domain]), *others, document]
    return list({each.name: each for each in found}.values())


def definition(documents: Documents, document: Document, offset: int) -> list[Location]:
    """Return the places that declare the name at an offset."""
    name = _name_at(document, offset)
    return [] if name is None else _uses(family(documents, document), document, name, declares=True)


def references(documents: Documents, document: Document, offset: int, *, declared: bool = True) -> list[Location]:
    """Return all uses of the name at an offset, with or without the name's declarations."""
    if (name := _name_at(document, offset)) is None:
        return []
    shared = family(documents, document, everywhere=True)
    return _uses(shared, document, name, declares=None if declared else False)


def highlights(document: Document, offset: int) -> list[Location]:
    """Return all uses, in one document, of the name at an offset."""
    name = _name_at(document, offset)
    return [] if name is None else _uses([document], document, name)


def renamable(document: Document, offset: int) -> Occurrence | None:
    """Return the name at an offset if that name can be renamed, else None."""
    name = _name_at(document, offset)
    return None if name is None or name.built_in else name


def _name_at(document: Document, offset: int) -> Occurrence | None:
    name = document.symbols.at(offset)
    return None if name is None or name.kind in (names.KEYWORD, names.NUMBER) else name


def _uses(
    shared: list[Document], document: Document, name: Occurrence, *, declares: bool | None = None
) -> list[Location]:
    """Return the uses of a name in all documents; a variable, or a problem's name, has uses in one document only."""
    return [
        Location(each, use.start, use.end)
        for each in ([document] if name.kind in (names.VARIABLE, names.PROBLEM) else shared)
        for use in each.symbols.by_key.get(name.key, ())
        if declares in (None, use.declares)
    ]


def renamed(documents: Documents, document: Document, offset: int, new: str) -> dict[str, list[Change]]:
    """Return the changes, by path, that rename the name at an offset.

    Raises UsageError for invalid names, for words of PDDL, if something else has the new name, and if the game would
    change; LimitReached if the comparison of the games takes too long.
    """
    if (name := renamable(document, offset)) is None:
        raise UsageError("the cursor is not on a name that can be changed")
    shared = family(documents, document, everywhere=True)
    if document.game_format is not None:
        new = new.strip()
        with Run(Limits(time=_SECONDS_TO_RENAME), "comparing the games"):
            document.game_format.require_same(document.text, name.name, new)
    else:
        new = _spelled(new, name.kind)
        _require_free(shared, document, name, new)
    changes: dict[str, list[Change]] = {}
    for place in _uses(shared, document, name):
        changes.setdefault(place.document.name, []).append(Change(place.start, place.end, new))
    return changes


def _spelled(new: str, kind: str) -> str:
    """Return a new name as PDDL writes it: a variable begins with `?`. Raises UsageError for an invalid name."""
    new = bare = new.strip()
    if kind == names.VARIABLE:
        bare = new.removeprefix("?")
        new = f"?{bare}"
    plain = bare.isascii() and bare.isprintable() and not set(bare) & set(" ();?\"'`,")
    if not plain or not bare[:1].isalpha():
        raise UsageError(f"{new!r} is not a name: a name begins with a letter and has no blanks, brackets or commas")
    if bare.lower() in _RESERVED:
        raise UsageError(f"{new!r} is a reserved word of PDDL and cannot be a name")
    return new


def _require_free(shared: list[Document], document: Document, name: Occurrence, new: str) -> None:
    """Raise UsageError if another object, type or symbol of the same kind already has the new name."""
    lower = new.lower()
    if lower == name.name:
        return
    if name.kind == names.VARIABLE:
        forms = document.tree.around(name.start)
        outer = next((form for form in forms if form.start == name.scope), forms[-1] if forms else None)
        taken = [each for each in document.symbols.occurrences if (each.kind, each.name) == (name.kind, lower)]
        if any(each.scope == name.scope or (outer and outer.start <= each.start < outer.end) for each in taken):
            raise UsageError(f"the name {lower} is already used by another variable of this action or condition")
        return
    for each in [document] if name.kind == names.PROBLEM else shared:
        if (name.kind, lower, names.NO_SCOPE) in each.symbols.by_key:
            raise UsageError(f"the name {lower} is already used by a {name.kind} in {each.name}")


# The text shown for the name under the pointer: how it is used, its types, its comment, figures of the task.

MOST_SHOWN = 12
"""The largest number of facts that are listed for an object."""
MOST_OPERATORS = 50_000
"""The most ground actions that are counted; for larger tasks no figures are shown."""
_WORDS = {
    "when": "(when CONDITION EFFECT): the effect happens where the condition holds before the action",
    "forall": "(forall (VARIABLES) ...): for all objects of these types",
    "exists": "(exists (VARIABLES) CONDITION): for at least one choice of objects",
    "imply": "(imply A B): B holds, or A does not",
    "increase": "(increase (total-cost) N): what the action costs",
}


class Hover(NamedTuple):
    """A text in Markdown to show over a range of a document."""

    text: str
    start: int
    end: int


class Ground(Record):
    """Counts of a ground task: ground actions by action name, and atoms by predicate."""

    actions: Counter[str]
    atoms: Counter[str]


def ground_facts(documents: Documents, problem: Document) -> Ground | None:
    """Return the counts of a ground problem; None if grounding fails, exceeds its limits, or the task is too large."""
    domain = documents.domain_of(problem)
    if domain is None or native.missing() is not None:
        return None
    try:
        with phase("grounding"):
            task = parse_task(domain.text, problem.text)
            grounding = CoreGrounding(task)
            if grounding.operators > MOST_OPERATORS:
                return None
            numbers = within_limits(range(grounding.operators), long=True)
            actions = Counter(grounding.action(each).name for each in numbers)
            facts = [fact for variable in grounding.fdr().variables for fact in variable.values if fact is not None]
            return Ground(actions, Counter(fact.predicate for fact in facts))
    except (UnpuzzleError, MemoryError):
        return None


def hover(documents: Documents, document: Document, offset: int, ground: Ground | None = None) -> Hover | None:
    """Return the text to show for the name at an offset; None if there is no name or no text."""
    if document.game_format is not None:
        lines = document.lines
        line = lines.position(offset).line
        told = document.game_format.told(document.text, line + 1, offset - lines.starts[line] + 1)
        if told is None:
            return None
        return Hover(told.text, *[lines.of_fault(told.line, column) for column in (told.column, told.end_column)])
    if (name := document.symbols.at(offset)) is None:
        return None
    if name.kind == names.KEYWORD:
        text = _WORDS.get(name.name, "")
    else:
        text = "\n\n".join(_told(documents, document, name, ground))
    return Hover(text, name.start, name.end) if text else None


def _told(documents: Documents, document: Document, name: Occurrence, ground: Ground | None) -> list[str]:
    """Return what is known about a name, for a hover text: its declaration, comment and facts."""
    if name.kind == names.VARIABLE:
        typed = [each for each in document.symbols.walk.variables.get(name.scope, ()) if each.name == name.name]
        return [_code(f"{name.name} - {' '.join(typed[0].types)}" if typed else name.name)]
    shared = family(documents, document)
    declared = [each.symbols.declarations.get((name.kind, name.name)) for each in shared]
    declaration = next((each for each in declared if each is not None), None)
    lines = [] if declaration is None else [_code(f"{name.kind} {declaration.signature}")]
    if declaration is not None and declaration.comment:
        lines.append(declaration.comment)
    return lines + _facts(shared, document, name, declaration, ground)


def _facts(
    shared: list[Document], document: Document, name: Occurrence, declaration: Declaration | None, ground: Ground | None
) -> list[str]:
    """Return sentences about what a name means in the task."""
    problem = document if document.kind == PROBLEM else None
    domain = next((each.symbols for each in shared if each.kind == DOMAIN), None)
    facts = []
    if name.kind == names.TYPE:
        things = [thing for each in shared for thing in each.symbols.declared(names.CONSTANT)]
        if domain is not None and problem is not None:
            typed = [(each.name, (each.types or ("object",))[0]) for each in things]
            below = {kind for kind in {kind for _, kind in typed} if name.name in domain.parents(kind)}
            own = [each for each, kind in typed if kind in below]
            facts.append(f"{count(len(own), 'object')}{': ' if own else ''}{listed(own, MOST_SHOWN, ' ')}")
    elif name.kind == names.PREDICATE and domain is not None and declaration is not None:
        how = "changed by actions" if name.name in domain.walk.changed else "no action changes it"
        facts.append("derived by axioms" if name.name in domain.walk.derived else how)
        if problem is not None:
            facts.append(f"{count(len(_initial(problem, name.name)), 'fact')} at the start")
        if ground is not None and ground.atoms[name.name]:
            facts.append(f"{count(ground.atoms[name.name], 'atom')} can become true or false")
    elif name.kind == names.ACTION and ground is not None:
        facts.append(f"{count(ground.actions[name.name], 'ground action')} in this task")
    elif name.kind == names.CONSTANT and problem is not None:
        about = _facts_about(problem, name)
        texts = [problem.text[fact.start : fact.end] for fact in about]
        facts.append(f"at the start: {listed(texts, MOST_SHOWN, ' ')}" if texts else "in no fact at the start")
    return [", ".join(facts)] if facts else []


def _facts_about(problem: Document, name: Occurrence) -> list[Form]:
    """Return the facts of the initial state with a given object as an argument."""
    facts = _initial(problem)
    starts = [fact.start for fact in facts]
    named = [each.start for each in problem.symbols.occurrences if each.name == name.name]
    places = {bisect(starts, start) - 1 for start in named}
    near = [facts[place] for place in sorted(places) if place >= 0]
    return [fact for fact in near if name.name in fact]


def _initial(problem: Document, predicate: str = "") -> list[Form]:
    """Return the facts of the initial state; if a predicate is given, only its facts."""
    sections = (section for section in problem.symbols.sections if section.head == ":init")
    return [fact for section in sections for fact in section.forms() if predicate in ("", fact.head)]


def _code(text: str) -> str:
    return f"```pddl\n{text}\n```"


class Entry(Record):
    """An outline entry: name, kind and details, the ranges of the entry and of the name, and inner entries."""

    name: str
    kind: str
    detail: str
    start: int
    end: int
    place: tuple[int, int]
    inside: tuple[Entry, ...] = ()


def outline(document: Document) -> list[Entry]:
    """Return the outline of a domain, a problem or a game: sections and their declarations."""
    if document.game_format is not None:
        return [_part(document, part) for part in document.game_format.outline(document.text)]
    definition = document.tree.definition
    if definition is None:
        return []
    sections = document.symbols.sections
    starts = [form.start for form in sections]
    inside: list[list[Declaration]] = [[] for _ in sections]
    for declaration in document.symbols.declarations.values():
        inside[bisect(starts, declaration.place[0]) - 1].append(declaration)
    entries = [_section(document, *each) for each in zip(sections, inside, strict=True)]
    head = next((entry for entry in entries if entry.kind in (names.DOMAIN, names.PROBLEM)), None)
    rest = [entry for entry in entries if entry is not head]
    if head is None:
        return rest
    return [head.replace(detail="", start=definition.start, end=definition.end, inside=tuple(rest))]


def _section(document: Document, form: Form, declared: list[Declaration]) -> Entry:
    """Return the outline entry of a section, with the entries of its declarations."""
    text = document.text
    inside = [_declaration(text, each) for each in declared]
    if inside and form.head in ("domain", "problem", ":action", ":durative-action"):
        return inside[0].replace(start=form.start, end=form.end)
    detail = ""
    if form.head == ":derived":
        head = next(form.forms(), None)
        detail = text[head.start : head.end] if head is not None else ""
    elif form.head == ":init":
        detail = count(sum(1 for _ in form.forms()), "fact")
    place = form.place(0) if form.head else (form.start, form.start + 1)
    name = text[slice(*place)] if form.head else "?"
    return Entry(name, names.KEYWORD, detail, form.start, form.end, place, tuple(inside))


def _declaration(text: str, each: Declaration) -> Entry:
    """Return the outline entry of a declaration; in a list of names, its range is just the name."""
    extent = each.place if each.kind in (names.TYPE, names.CONSTANT) else (each.start, each.end)
    return Entry(text[slice(*each.place)], each.kind, each.signature, *extent, each.place)


def _part(document: Document, part: Part) -> Entry:
    """Return the outline entry of a part of a game."""
    lines = document.lines
    start, end = lines.starts[part.line - 1], lines.whole(min(part.end_line, len(lines.starts)) - 1)[1]
    head = start, lines.whole(part.line - 1)[1]
    inside = tuple([_part(document, each) for each in part.inside])
    return Entry(part.name[:120] or "?", part.kind, part.detail, start, end, head, inside)


def folds(document: Document) -> list[tuple[int, int, str]]:
    """Return the first line, last line (both from 0) and kind of each form or comment that has several lines."""
    if document.game_format is not None:
        parts = [each for part in document.game_format.outline(document.text) for each in (part, *part.inside)]
        return [(part.line - 1, part.end_line - 1, "") for part in parts if part.end_line > part.line]
    text, lines = document.text, document.lines
    found = []
    queue = list(document.tree.root.forms())
    while queue:
        form = queue.pop()
        found.append((lines.position(form.start).line, lines.position(form.end - 1).line, ""))
        queue += form.forms()
    alone = [at for at, _ in document.tree.comments if not text[text.rfind("\n", 0, at) + 1 : at].strip()]
    comments = sorted({lines.position(at).line for at in alone})
    first = 0
    for at, (line, after) in enumerate(pairwise([*comments, -1])):
        if after != line + 1:
            found.append((comments[first], line, COMMENT))
            first = at + 1
    return sorted({each for each in found if each[1] > each[0]})


def coloured(document: Document) -> list[tuple[int, int, str, bool]]:
    """Return the coloured words of a document, each with start, end, kind, and whether the word is a declaration."""
    words = [(each.start, each.end, each.kind, each.declares) for each in document.symbols.occurrences]
    words += [(start, end, COMMENT, False) for start, end in document.tree.comments]
    return sorted(words)


class Completion(NamedTuple):
    """A possible completion: its name, its kind, the details shown beside it, and a comment."""

    label: str
    kind: str
    detail: str = ""
    comment: str = ""


class Completions(NamedTuple):
    """The possible completions of a word, and the offset at which this word begins."""

    start: int
    items: list[Completion]


def completions(documents: Documents, document: Document, offset: int) -> Completions:
    """Return the possible completions at an offset of a document."""
    if document.tree.in_comment(offset):
        return Completions(offset, [])
    word = _WORD.search(document.text, 0, offset)
    start = word.start() if word else offset
    context = _Context(documents, document, start, offset)
    return Completions(start, list(dict.fromkeys(context.items())))


class _Context:
    """The PDDL forms around a place in a text, and the names that are declared there."""

    def __init__(self, documents: Documents, document: Document, start: int, end: int) -> None:
        self.document = document
        self.start = start
        self.path = [form for form in document.tree.around(end) if form.start < start]
        self.documents = documents
        shared = family(documents, document)
        whole = document.kind not in (DOMAIN, PROBLEM)
        own = [each for each in shared if whole or each.kind == DOMAIN or each is document]
        self.known: list[Symbols] = [each.symbols for each in own]

    def items(self) -> Iterator[Completion]:
        """Yield all completions at the place in the text."""
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
                if each.kind == DOMAIN and each.defines:
                    yield Completion(each.defines, names.DOMAIN, each.name)
        elif section.head == ":types" or (at > 0 and (form.head == "either" or form[at - 1] == "-")):
            yield Completion("object", names.TYPE)
            yield from self.declared(names.TYPE)
        elif form is section and section.head in (":action", ":durative-action"):
            yield from _keywords(part for part in ACTION_PARTS if part not in {*form.words()})
        elif section.head not in (":constants", ":objects", ":predicates", ":functions"):
            yield from self.in_formula(section, form, at)

    def index(self, form: Form) -> int:
        """Return how many items of the innermost brackets are before the cursor."""
        return sum(form.source.offsets(number)[0] < self.start for number in form.numbers[:-1])

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
        """Yield completions inside a formula: words that can begin a formula, or possible arguments."""
        if form is section:  # a formula begins with a bracket
            return
        if at > 0:
            yield from self.arguments(names.PREDICATE, form, at)
        elif section.head == ":metric":
            yield from self.declared(names.FUNCTION)
        else:
            in_effect = self.part(section) == ":effect"
            yield from _keywords(() if section.head == ":init" else _EFFECT if in_effect else _CONDITION)
            yield from self.declared(names.PREDICATE)
            if section.head == ":init" or self.path[-2].head in ("increase", "="):
                yield from _keywords(("=",))
                yield from self.declared(names.FUNCTION)

    def part(self, section: Form) -> str:
        """Return the keyword of the action's part, such as `:effect`, that contains the place."""
        before = section[: self.index(section)]
        return next((item for item in reversed(before) if isinstance(item, str) and item[0] == ":"), "")

    def arguments(self, kind: str, form: Form, at: int) -> Iterator[Completion]:
        """Yield the variables and constants that fit a parameter of the predicate `head`; all if `head` is unknown."""
        wanted = self.parameter(form.head, at, kind)
        variables = [typed for each in self.path for typed in self.document.symbols.walk.variables.get(each.start, ())]
        found = [(each.types, Completion(each.name, names.VARIABLE, str(each))) for each in variables]
        for each in self.declarations(names.CONSTANT):
            completion = Completion(each.name, names.CONSTANT, each.signature, each.comment)
            found.append((each.types or ("object",), completion))
        return (each for types, each in found if wanted is None or self.fits(types, wanted.types))

    def parameter(self, head: str, at: int, kind: str) -> Typed | None:
        """Return the declared parameter for an argument of the form's head; None if no declaration is known."""
        for known in self.known:
            for each in (kind, names.FUNCTION):
                declaration = known.declarations.get((each, head))
                if declaration is not None and at - 1 < len(declaration.parameters):
                    return declaration.parameters[at - 1]
        return None

    def fits(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Return whether one of the types is or belongs to one of the expected types, as declared."""
        above = {parent for each in types for known in self.known for parent in known.parents(each)}
        return "object" in wanted or bool(above.intersection(wanted))

    def declarations(self, kind: str) -> Iterator[Declaration]:
        return (each for known in self.known for each in known.declared(kind))

    def declared(self, kind: str) -> Iterator[Completion]:
        return (Completion(each.name, kind, each.signature, each.comment) for each in self.declarations(kind))


def _keywords(words: Iterable[str]) -> Iterator[Completion]:
    return (Completion(word, names.KEYWORD) for word in words)


# Faults of open documents: at once the faults of the text, after a pause also the faults that grounding finds.
#
# In the end an editor shows what `unpuzzle lint` reports for the same texts: a domain with its open problems, a problem
# with its domain, a plan with its task.

SECONDS_AT_ONCE = 2.0
"""The longest time in seconds that an editor waits for the faults of a text that is hard to read."""
LONG = 10_000
"""In texts with more letters only the first unmatched bracket is reported at once: finding the missing ones takes
longer, the longer the text is."""
SUSPECTED = 30_000
"""Letters of the longest text whose suspicions are reported at once; they take longer than all other faults."""


def faults_at_once(documents: Documents, document: Document) -> list[Fault]:
    """Return the faults of a text that can be found without grounding the task. Raises LimitReached."""
    with Run(Limits(time=SECONDS_AT_ONCE), "looking for faults"):
        if document.game_format is not None:
            return document.game_format.lint_text(document.text, document.name)[0]
        if document.kind not in (DOMAIN, PROBLEM):
            shared = family(documents, document) if document.kind == PLAN else [document]
            return _linted(documents, shared, texts_only=True)[document.name]
        domain = documents.domain_of(document)
        first = _first_of_syntax(document) if len(document.text) > LONG else None
        if first is not None:
            return [first]
        files = [document, *([] if domain is None else [domain])]
        found = lint_files(files, texts_only=True, suspicions=len(document.text) <= SUSPECTED)
        return [fault for fault in found if fault.file == document.name]


def _first_of_syntax(document: Document) -> Fault | None:
    """Return the first unmatched bracket, where the strict reader stops; None if all brackets match."""
    if document.tree.matches and len(document.tree.root) == 1 and document.text.isascii():
        return None
    try:
        read_form(Text(document.text, document.name), "a definition")
    except ParseError as error:
        return fault_of_error(error)
    return None


def faults_in_full(documents: Documents, document: Document) -> dict[str, list[Fault]]:
    """Return, by path, the faults of a document and of related open documents. Raises LimitReached."""
    with phase("looking for faults"):
        if document.game_format is not None:
            return {document.name: document.game_format.lint_text(document.text, document.name)[0]}
        return _linted(documents, family(documents, document))


def _linted(documents: Documents, files: list[Document], *, texts_only: bool = False) -> dict[str, list[Fault]]:
    found: dict[str, list[Fault]] = {each.name: [] for each in files if each.name in documents.buffers}
    known = [each for each in files if each.kind in (DOMAIN, PROBLEM, PLAN)]
    for fault in lint_files(known, texts_only=texts_only):
        if fault.file in documents.buffers:
            found.setdefault(fault.file, []).append(fault)
    return found
