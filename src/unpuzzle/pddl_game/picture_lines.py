"""Reading of picture lines: comments in PDDL files that describe how objects are placed and drawn.

    ; picture: place ?a on ?b where (on ?a ?b)

A line is split into words, texts in quotes and conditions in brackets; docs/howto/show/pddl-pictures.md describes them.
The PDDL reader reads a condition in a text that is blank everywhere else, so that its faults have their places in the
file. `layout.py` places the things, `picture.py` has their looks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any, NoReturn

from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.base.text import suggestion
from unpuzzle.base.values import Record
from unpuzzle.pddl.declarations import Domain
from unpuzzle.pddl.formulas import OBJECT, And, Atom, Condition, Source, Span, TypedName, conjuncts, free_variables
from unpuzzle.pddl.linting.faults import FirstFault
from unpuzzle.pddl.linting.names import Arguments, Names
from unpuzzle.pddl.reading.expressions import Expressions
from unpuzzle.pddl.reading.reader import arities_of
from unpuzzle.pddl.syntax import Form, Text, parse_error, read_form
from unpuzzle.pddl_game.level import LINE

CODE = "picture"
GRID = ("row", "column")
BESIDE = {"above": (-1, 0), "below": (1, 0), "left of": (0, -1), "right of": (0, 1)}
"""The relations to neighbours, each with a thing's offset in rows down and columns to the right."""
HELD = ("at", "on", "in")
"""The relations of things to their holders."""
KEYWORDS = {"place": (*GRID, *HELD, *BESIDE), "look": ("glyph", "colour", "label", "shape", "width")}
AGAIN = (*GRID, *KEYWORDS["look"])
"""The keywords that others may follow or precede."""
CHOICES = {
    "colour": ("tile", "home", "hero", "box", "goal", "food", "mark", "wall", "ink", "grid"),
    "shape": ("tile", "disc", "circle", "peg", "frame", "cell", "none"),
}
"""The known words; the first three colours are filled, the others are outlines."""
LONGEST = {"glyph": 12, "label": 80}

_WORD = re.compile(r'"[^"\n]*"?|\(|\)|[^\s()"]+')
_TERM = re.compile(r"(\d{1,6})|(\?[^\s.?]+)(?:\.([1-9]))?")
_VARIABLE = re.compile(r"\?[^\s.?:]+")


class Thing(Record):
    """An item of a picture line: a variable such as `?x`, an object, or a quoted name of a place such as `"hand"`."""

    name: str
    span: Span

    @property
    def variable(self) -> bool:
        return self.name.startswith("?")

    @property
    def quoted(self) -> bool:
        return self.name.startswith('"')


class Term(Record):
    """A row, column or width in a picture line: a number, an object's rank in its type, or a number in its name."""

    span: Span
    number: int | None = None
    variable: str = ""
    part: int = 0


class Line(Record):
    """One picture line: its item, the types of its variables (the item's first), and its condition."""

    thing: Thing
    types: Mapping[str, tuple[str, ...]]
    condition: Condition
    span: Span


class Place(Line):
    """A line `place THING RELATION TARGET` or, without a relation, `place THING row TERM column TERM`."""

    relation: str = ""
    target: Thing | None = None
    row: Term | None = None
    column: Term | None = None


class Appearance(Line):
    """A line `look THING ...`, which describes the appearance of an item; omitted attributes are empty."""

    glyph: str = ""
    colour: str = ""
    label: str = ""
    shape: str = ""
    width: Term | None = None


class Block(Record):
    """All picture lines of one file, in order."""

    places: tuple[Place, ...]
    looks: tuple[Appearance, ...]


def read_block(
    text: str, domain: Domain, name: str | None, objects: Iterable[str] = ()
) -> tuple[Block, list[ParseError]]:
    """Return the valid picture lines of a file, and the faults of all other lines; lines may name `objects`."""
    source = Source(text.replace("\r\n", "\n").replace("\r", "\n"), name)
    known = frozenset((*objects, *(constant.name for constant in domain.constants)))
    lines: list[Line] = []
    faults: list[ParseError] = []
    for match in LINE.finditer(source.text):
        try:
            lines.append(_Line(source, *match.span(1), domain, known).statement())
        except ParseError as error:
            faults.append(error)
    places = tuple([line for line in lines if isinstance(line, Place)])
    looks = tuple([line for line in lines if isinstance(line, Appearance)])
    return Block(places, looks), [*faults, *_of_fixtures(places, looks)]


def _of_fixtures(places: Iterable[Place], looks: Iterable[Appearance]) -> Iterator[ParseError]:
    """Yield a fault for each quoted name that is not placed exactly once."""
    earlier: set[str] = set()
    for own in [place.thing for place in places if place.thing.quoted]:
        if own.name in earlier:
            yield parse_error(f"{own.name} is placed a second time", own.span, CODE)
        earlier.add(own.name)
    for thing in (*(place.target for place in places), *(look.thing for look in looks)):
        if thing is not None and thing.quoted and thing.name not in earlier:
            hint = suggestion(thing.name, earlier) or f": write place {thing.name} row 0 column 0"
            yield parse_error(f"{thing.name} is placed by no line{hint}", thing.span, CODE)


class _Line:
    """A reader of one picture line, word by word."""

    def __init__(self, source: Source, start: int, end: int, domain: Domain, objects: frozenset[str]) -> None:
        self.domain, self.objects = domain, objects
        text = source.text[start:end]
        self.span = Span(source, end - len(text.lstrip()), end)
        # The last word is empty: the end of the line.
        self.words = [Span(source, *match.span()) for match in _WORD.finditer(source.text, start, end)]
        self.words.append(Span(source, max(start + len(text.rstrip()), self.span.start), end))
        self.types: dict[str, tuple[str, ...]] = {}
        self.at = 0

    def fail(self, message: str, span: Span | None = None) -> NoReturn:
        raise parse_error(message, span or self.words[self.at], CODE)

    def word(self) -> str:
        return self.words[self.at].text.strip()

    def take(self, what: str, wanted: Callable[[str], object] = bool, hint: str = "") -> Span:
        """Return the position of the next word, and advance. Raises ParseError for an unwanted word."""
        if not wanted(self.word()):
            found = f"'{self.word()}'" if self.word() else "the end of the line"
            self.fail(f"expected {what}, found {found}{hint}")
        self.at += 1
        return self.words[self.at - 1]

    def statement(self) -> Line:
        """Read the whole line. Raises ParseError for the first fault."""
        kind = self.word().lower()
        if kind not in KEYWORDS:
            hint = suggestion(kind, KEYWORDS) or ": it begins with 'place' or 'look'"
            self.fail(f"this is not a line of a picture{hint}" if kind else "a line of a picture is empty")
        self.at = 1
        thing = self.thing("a variable such as ?x, an object or a name in quotes")
        said, target = dict[str, Any](), None
        while not said or (target is None and self.word().lower() in AGAIN):
            span, name = self.words[self.at], self.keyword(KEYWORDS[kind])
            if name in said:
                self.fail(f"a second '{name}'", span)
            said[name] = self.argument(name)
            if isinstance(said[name], Thing):
                target = said[name]
                said = {"relation": name, "target": target}
        if target and target.name == thing.name:
            self.fail(f"'{thing.name}' would be {said['relation']} itself", target.span)
        rest = [] if target else [name for name in KEYWORDS[kind] if name in AGAIN and name not in said]
        condition = self.where([*rest, "where"])
        bound = free_variables(condition).union([thing.name] if thing.variable else ())
        if target and target.variable and target.name not in bound:
            self.fail(f"nothing says which '{target.name}' is meant: add where (...) with '{target.name}'", target.span)
        for term in said.values():
            if isinstance(term, Term) and term.variable and term.variable not in bound:
                hint = f"{suggestion(term.variable, bound)}: it is in no condition"
                self.fail(f"nothing says which '{term.variable}' is meant{hint}", term.span)
        make: Callable[..., Line] = Place if kind == "place" else Appearance
        return make(thing, self.typed(condition), condition, self.span, **said)

    def keyword(self, known: Iterable[str]) -> str:
        """Read one of the given keywords; a keyword may have two words, such as `left of`."""
        word = self.word().lower()
        name = next((name for name in known if word and name.split()[0] == word), "")
        self.take(f"one of {', '.join(known)}", lambda _: name, suggestion(word, known))
        if name.endswith(" of"):
            self.take(f"'of' after '{word}'", lambda after: after.lower() == "of")
        return name

    def argument(self, name: str) -> Any:
        """Read the argument that follows a keyword, such as a term, an item or a word."""
        if name in (*GRID, "width"):
            return self.term(f"a {name}")
        if name in KEYWORDS["place"]:
            return self.thing(f"what it is {name}")
        span = self.take(f"a {name}", lambda word: word and word not in "()")
        most, choices = LONGEST.get(name, 80), CHOICES.get(name)
        text = self.quoted(span, most) if span.text.startswith('"') else span.text
        if choices and text.lower() not in choices:
            hint = suggestion(text.lower(), choices)
            self.fail(f"there is no {name} '{text}'{hint}: there are {', '.join(choices)}", span)
        if name == "glyph" and (len(text) > most or not text.isprintable()):
            self.fail(f"a glyph has 1 to {most} printable characters", span)
        return text.lower() if choices else text

    def thing(self, what: str) -> Thing:
        """Read an item: a variable with or without a type, an object, or a name in quotes."""
        span = self.take(what, lambda word: word[:1] not in ("", "?", "(", ")") or _VARIABLE.fullmatch(word))
        if span.text.startswith('"'):
            return Thing(f'"{self.quoted(span, 80)}"', span)
        name = span.text.lower()
        if not name.startswith("?"):
            if name not in self.objects:
                self.fail(f"unknown object '{name}'{suggestion(name, self.objects)}", span)
            return Thing(name, span)
        self.types.setdefault(name, ())
        if self.word() == "-":
            self.at += 1
            known = {"object", *(item.name for item in self.domain.types)}
            kind = self.take("a type after '-'")
            if kind.text.lower() not in known:
                self.fail(f"unknown type '{kind.text}'{suggestion(kind.text.lower(), known)}", kind)
            self.types[name] = (kind.text.lower(),)
        return Thing(name, span)

    def quoted(self, span: Span, most: int) -> str:
        text = span.text[1:-1]
        if len(span.text) < 2 or not span.text.endswith('"'):
            self.fail("these quotes are never closed", span)
        if not text.strip() or len(text) > most or not text.isprintable():
            self.fail(f"a text in quotes has 1 to {most} printable characters", span)
        return text

    def term(self, what: str) -> Term:
        span = self.take(f"{what}: a number, a variable, or a number in its name such as ?x.1", _TERM.fullmatch)
        match = _TERM.fullmatch(span.text.lower())
        assert match is not None
        number, variable, part = match.groups()
        if variable:
            self.types.setdefault(variable, ())
        return Term(span, int(number) if number else None, variable or "", int(part or 0))

    def where(self, known: Iterable[str]) -> Condition:
        """Read the optional condition, and the end of the line."""
        if not self.word():
            return And()
        hint = suggestion(self.word().lower(), known)
        self.take(f"{', '.join(known)} or the end of the line", lambda word: word.lower() == "where", hint)
        first = self.take("a condition in brackets after 'where'", "(".__eq__)
        depths = [*accumulate({"(": 1, ")": -1}.get(word.text, 0) for word in self.words[self.at :])]
        if -1 not in depths:
            self.fail("this bracket is never closed: the line ends before its ')'", first)
        self.at += depths.index(-1) + 1
        last = self.words[self.at - 1].end
        self.take("the end of the line after the condition", lambda word: not word)
        return self.condition(Span(first.source, first.start, last))

    def condition(self, span: Span) -> Condition:
        """Return the PDDL condition that stands at a position in the file."""
        line, column = span.source.position(span.start)
        text = Text("\n" * (line - 1) + " " * (column - 1) + span.text, span.file)
        types = {name: [TypedName(name, own or OBJECT)] for name, own in self.types.items()}
        try:
            outer = Form([read_form(text, "a condition")])
            outer.at = -1
            condition = Expressions(text, arities_of(self.domain.predicates)).condition(outer, 0)
            report = FirstFault(self.domain, None)
            Names(self.domain, report.error).formula(condition, self.objects | {*types} | free_variables(condition))
            arguments = Arguments(report)
            arguments.walk(condition, arguments.constants | types)
        except (ParseError, UnsupportedFeature) as error:
            place = {name: getattr(error, name) for name in ("file", "line", "column")}
            shown = span.source.line(error.line) if error.line else None
            raise ParseError(error.message, **place, text=shown, code=CODE) from None
        return condition

    def typed(self, condition: Condition) -> Mapping[str, tuple[str, ...]]:
        """Return the types of all variables, as written in the line or else as declared by the predicates."""
        declared = {item.name: item.parameters for item in self.domain.predicates}
        types = dict.fromkeys([*self.types, *sorted(free_variables(condition))], ()) | self.types
        for part in conjuncts(condition):
            if isinstance(part, Atom):
                for name, parameter in zip(part.arguments, declared.get(part.predicate, ()), strict=False):
                    if types.get(name) == () and parameter.types != OBJECT:
                        types[name] = parameter.types
        return {name: own or OBJECT for name, own in types.items()}
