"""Reading a picture block: from comments of a PDDL file to statements. docs/pddl_pictures.md has the language.

    ; picture: place ?a on ?b where (on ?a ?b)

A line is split into words, texts in quotes and conditions in brackets. The PDDL reader reads a condition in a text that
is blank everywhere else, so that its faults have their places in the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NoReturn

from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.base.text import suggestion
from unpuzzle.pddl.declarations import Domain
from unpuzzle.pddl.formulas import OBJECT, Atom, Condition, conjuncts, free_variables
from unpuzzle.pddl.judging.fault import WARNING, Fault
from unpuzzle.pddl.node import Source, Span
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.complaints import parse_error
from unpuzzle.pddl.reading.reader import parse_domain
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl_game.picturing.picture import LevelPicture
from unpuzzle.pddl_game.picturing.statements import (
    BESIDE,
    CODE,
    COLOURS,
    GRID,
    HELD,
    LINE,
    SHAPES,
    Appearance,
    Block,
    Place,
    Term,
    Thing,
    has_block,
    read_condition,
)

_WORD = re.compile(r'"[^"\n]*"?|\(|\)|[^\s()"]+')
_TERM = re.compile(r"(\d{1,6})|(\?[^\s.?]+)(?:\.([1-9]))?")
_VARIABLE = re.compile(r"\?[^\s.?:]+")
STATEMENTS = ("place", "look")
RELATIONS = (*HELD, *BESIDE)
ATTRIBUTES = ("glyph", "colour", "label", "shape", "width")
LONGEST_GLYPH, LONGEST_LABEL = 12, 80


def read_block(text: str, domain: Domain, name: str | None = None, objects: Collection[str] = ()) -> Block:
    """Return the block of a file; it may name `objects` besides constants. Raises ParseError at the first fault."""
    block, faults = read_tolerantly(text, domain, name, objects)
    for fault in faults:
        raise fault
    return block


def read_tolerantly(
    text: str, domain: Domain, name: str | None = None, objects: Collection[str] = ()
) -> tuple[Block, list[ParseError]]:
    """Return the readable lines of a block, and the faults of the others."""
    source = Source(text.replace("\r\n", "\n").replace("\r", "\n"), name)
    places: list[Place] = []
    looks: list[Appearance] = []
    faults: list[ParseError] = []
    for match in LINE.finditer(source.text):
        try:
            line = _Line(source, match.start(1), match.end(1), domain, frozenset(objects)).statement()
        except ParseError as error:
            faults.append(error)
            continue
        if isinstance(line, Place):
            places.append(line)
        else:
            looks.append(line)
    faults += _of_fixtures(places, looks)
    return Block(tuple(places), tuple(looks)), faults


def _of_fixtures(places: list[Place], looks: list[Appearance]) -> Iterator[ParseError]:
    """Yield the faults of names in quotes: each must be placed exactly once."""
    earlier: set[str] = set()
    for place in places:
        if place.thing.quoted and place.thing.name in earlier:
            yield _error(f'"{place.thing.name}" is placed a second time', place.thing.span)
        earlier |= {place.thing.name} if place.thing.quoted else set()
    targets = [place.target for place in places if place.target is not None]
    for thing in (*targets, *(look.thing for look in looks)):
        if thing.quoted and thing.name not in earlier:
            hint = suggestion(thing.name, earlier) or f': write place "{thing.name}" row 0 column 0'
            yield _error(f'"{thing.name}" is placed by no line{hint}', thing.span)


def _error(message: str, span: Span) -> ParseError:
    return parse_error(message, span, CODE)


class _Line:
    """A reader of one line of the block, word by word."""

    def __init__(self, source: Source, start: int, end: int, domain: Domain, objects: frozenset[str]) -> None:
        self.source = source
        self.domain = domain
        self.objects = objects | {constant.name for constant in domain.constants}
        self.span = Span(source, start + len(source.text[start:end]) - len(source.text[start:end].lstrip()), end)
        found = _WORD.finditer(source.text, start, end)
        self.words = [Span(source, match.start(), match.end()) for match in found]
        self.types: dict[str, tuple[str, ...]] = {}
        self.terms: list[Term] = []
        self.at = 0

    def fail(self, message: str, span: Span | None = None) -> NoReturn:
        raise _error(message, span or self.here())

    def here(self) -> Span:
        """Return the place of the next word, or the end of the line."""
        if self.at < len(self.words):
            return self.words[self.at]
        end = self.source.text[: self.span.end].rstrip()
        return Span(self.source, max(len(end), self.span.start), self.span.end)

    def word(self) -> str:
        """Return the next word; empty at the end."""
        return self.words[self.at].text if self.at < len(self.words) else ""

    def take(self, what: str, wanted: Callable[[str], object] = bool) -> Span:
        """Return the next word and advance, if it is as wanted."""
        span, word = self.here(), self.word()
        if not wanted(word):
            self.fail(f"expected {what}, found {repr(word) if word else 'the end of the line'}", span)
        self.at += 1
        return span

    def skipped(self, word: str) -> bool:
        """Advance past the next word if it is this one; return whether it was."""
        if self.word().lower() != word:
            return False
        self.at += 1
        return True

    def statement(self) -> Place | Appearance:
        first = self.word().lower()
        if first not in STATEMENTS:
            hint = suggestion(first, STATEMENTS) or ": it begins with 'place' or 'look'"
            self.fail(f"this is not a line of a picture{hint}" if first else "a line of a picture is empty")
        self.at = 1
        thing = self.thing("a variable such as ?x, an object or a name in quotes")
        return self.place(thing) if first == "place" else self.look(thing)

    def thing(self, what: str) -> Thing:
        """Read a variable with or without a type, an object, or a name in quotes."""
        span = self.take(what, lambda word: word[:1] not in ("", "?", "(", ")") or _VARIABLE.fullmatch(word))
        if span.text.startswith('"'):
            return Thing(self.quoted(span), span, quoted=True)
        name = span.text.lower()
        if not name.startswith("?"):
            if name not in self.objects:
                self.fail(f"unknown object '{name}'{suggestion(name, self.objects)}", span)
            return Thing(name, span)
        self.types.setdefault(name, ())
        if self.skipped("-"):
            self.types[name] = (self.type_name(),)
        return Thing(name, span)

    def type_name(self) -> str:
        known = {"object", *(item.name for item in self.domain.types)}
        span = self.take("a type after '-'")
        if span.text.lower() not in known:
            self.fail(f"unknown type '{span.text}'{suggestion(span.text.lower(), known)}", span)
        return span.text.lower()

    def quoted(self, span: Span, most: int = LONGEST_LABEL) -> str:
        text = span.text
        if len(text) < 2 or not text.endswith('"'):
            self.fail("these quotes are never closed", span)
        if not text[1:-1].strip() or len(text) - 2 > most or not text.isprintable():
            self.fail(f"a text in quotes has 1 to {most} printable characters", span)
        return text[1:-1]

    def place(self, thing: Thing) -> Place:
        relation = self.relation()
        row = column = target = None
        if relation == GRID:
            while self.word().lower() in ("row", "column"):
                which = self.words[self.at]
                self.at += 1
                if which.text.lower() == "row" and row is None:
                    row = self.term("a row")
                elif which.text.lower() == "column" and column is None:
                    column = self.term("a column")
                else:
                    self.fail(f"a second '{which.text.lower()}'", which)
        else:
            target = self.thing(f"what it is {relation}")
            if target == thing or (target.variable and target.name == thing.name):
                self.fail(f"'{thing.name}' would be {relation} itself", target.span)
        condition = self.where()
        bound = self.bound(condition, thing)
        if target is not None and target.variable and target.name not in bound:
            self.fail(f"nothing says which '{target.name}' is meant: add where (...) with '{target.name}'", target.span)
        common = {"thing": thing, "types": self.typed(condition), "condition": condition, "span": self.span}
        return Place(relation=relation, target=target, row=row, column=column, **common)  # type: ignore[arg-type]

    def relation(self) -> str:
        word = self.word().lower()
        if word in ("row", "column"):
            return GRID
        pair = next((name for name in BESIDE if name.startswith(f"{word} ")), "") if word else ""
        if pair:
            self.at += 1
            self.take(f"'of' after '{word}'", lambda after: after.lower() == "of")
            return pair
        if word not in RELATIONS:
            known = ("row", "column", *RELATIONS)
            found = f"'{self.word()}'" if word else "the end of the line"
            self.fail(f"expected one of {', '.join(known)}, found {found}{suggestion(word, known)}")
        self.at += 1
        return word

    def term(self, what: str) -> Term:
        span = self.take(f"{what}: a number, a variable, or a number in its name such as ?x.1", _TERM.fullmatch)
        match = _TERM.fullmatch(span.text.lower())
        assert match is not None
        number, variable, part = match.groups()
        if variable:
            self.types.setdefault(variable, ())
        term = Term(span, int(number) if number else None, variable or "", int(part or 0))
        self.terms.append(term)
        return term

    def look(self, thing: Thing) -> Appearance:
        found: dict[str, str] = {}
        width = None
        while (name := self.word().lower()) and name != "where":
            name = "colour" if name == "color" else name
            if name not in ATTRIBUTES:
                self.fail(f"expected one of {', '.join(ATTRIBUTES)} or where{suggestion(name, ATTRIBUTES)}")
            if name in found:
                self.fail(f"a second '{name}'")
            self.at += 1
            found[name] = ""
            if name == "width":
                width = self.term("a width")
            else:
                found[name] = self.attribute(name)
        if not found:
            self.fail(f"expected one of {', '.join(ATTRIBUTES)}")
        condition = self.where()
        self.bound(condition, thing)
        found.pop("width", None)
        types = self.typed(condition)
        return Appearance(thing=thing, types=types, condition=condition, span=self.span, width=width, **found)

    def attribute(self, name: str) -> str:
        span = self.take(f"a {name}", lambda word: word and word not in "()")
        quoted = span.text.startswith('"')
        most = LONGEST_GLYPH if name == "glyph" else LONGEST_LABEL
        text = self.quoted(span, most) if quoted else span.text
        known = {"colour": COLOURS, "shape": SHAPES}.get(name)
        if known is not None and text.lower() not in known:
            hint = suggestion(text.lower(), known)
            self.fail(f"there is no {name} '{text}'{hint}: there are {', '.join(known)}", span)
        if name == "glyph" and (len(text) > most or not text.isprintable()):
            self.fail(f"a glyph has 1 to {most} printable characters", span)
        return text.lower() if known is not None else text

    def where(self) -> Condition | None:
        """Read the condition and the end of the line."""
        if not self.word():
            return None
        self.take("'where' or the end of the line", lambda word: word.lower() == "where")
        if self.word() != "(":
            self.fail(f"expected a condition in brackets after 'where', found '{self.word() or 'the end of the line'}'")
        scope = {name: types or OBJECT for name, types in self.types.items()}
        return read_condition(self.brackets(), self.domain, scope, self.objects)

    def brackets(self) -> Span:
        """Return the place of the brackets that begin here and end the line."""
        first, depth = self.words[self.at], 0
        while self.at < len(self.words):
            depth += {"(": 1, ")": -1}.get(self.word(), 0)
            self.at += 1
            if not depth:
                break
        if depth:
            self.fail("this bracket is never closed: the line ends before its ')'", first)
        if self.word():
            self.fail(f"expected the end of the line after the condition, found '{self.word()}'")
        return Span(self.source, first.start, self.words[self.at - 1].end)

    def bound(self, condition: Condition | None, thing: Thing) -> set[str]:
        """Return the known variables, and refuse rows, columns and widths of others."""
        known = ({thing.name} if thing.variable else set()) | (free_variables(condition) if condition else set())
        for term in self.terms:
            if term.variable and term.variable not in known:
                hint = suggestion(term.variable, known)
                self.fail(f"nothing says which '{term.variable}' is meant{hint}: it stands in no condition", term.span)
        return known

    def typed(self, condition: Condition | None) -> Mapping[str, tuple[str, ...]]:
        """Return the types of all variables: as written, otherwise as declared by the predicates."""
        declared = {item.name: item.parameters for item in self.domain.predicates}
        free = free_variables(condition) if condition is not None else frozenset()
        types = dict(self.types)
        types |= {name: () for name in sorted(free) if name not in types}
        for part in conjuncts(condition) if condition is not None else ():
            if isinstance(part, Atom):
                for name, parameter in zip(part.arguments, declared.get(part.predicate, ()), strict=False):
                    if types.get(name) == () and parameter.types != OBJECT:
                        types[name] = parameter.types
        return {name: own or OBJECT for name, own in types.items()}


# Faults of picture lines for `lint`: warnings, since the game can still be played.


def picture_faults(text: str, name: str, tasks: Iterable[Task] = ()) -> list[Fault]:
    """Return the faults of a domain's picture lines.

    Some show only with a task; they are reported for the first task that has any.
    """
    if not has_block(text):
        return []
    try:
        domain = parse_domain(text, name)
    except (ParseError, UnsupportedFeature):
        return []  # a text with errors gets no further warnings
    return _faults(text, name, domain, (), tasks)


def problem_picture_faults(text: str, name: str, task: Task) -> list[Fault]:
    objects = [item.name for item in task.problem.objects]
    return _faults(text, name, task.domain, objects, [task]) if has_block(text) else []


def _faults(text: str, name: str, domain: Domain, objects: Iterable[str], tasks: Iterable[Task]) -> list[Fault]:
    block, errors = read_tolerantly(text, domain, name, tuple(objects))
    for task in () if errors else tasks:
        try:
            if not has_own_block(task) or objects:
                _ = LevelPicture(block, Semantics(task)).ground
        except ParseError as error:
            errors = [error]
            break
    return [_fault(error) for error in errors]


def has_own_block(task: Task) -> bool:
    """Return whether the problem of a task has picture lines, which replace the domain's."""
    span = task.problem.span
    return span is not None and has_block(span.source.text)


def _fault(error: ParseError) -> Fault:
    end = None if error.column is None else error.column + 1
    return Fault(error.file, error.line, error.column, WARNING, error.message, error.line, end, CODE)
