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


class Term(Record):
    """A row, column or width in a picture line: a number, an object's rank in its type, or a number in its name.

    With a variable, `number` says which number in the object's name is meant; 0 stands for the rank.
    """

    span: Span
    variable: str
    number: int


class Line(Record):
    """One picture line: `place THING RELATION TARGET`, `place THING row TERM column TERM` or `look THING ...`.

    Things are variables such as `?x`, objects, and quoted names of places such as `"hand"`. `types` are those of all
    variables. What a line omits is empty or None.
    """

    kind: str
    thing: str
    types: Mapping[str, tuple[str, ...]]
    condition: Condition
    span: Span
    relation: str = ""
    target: str = ""
    row: Term | None = None
    column: Term | None = None
    glyph: str = ""
    colour: str = ""
    label: str = ""
    shape: str = ""
    width: Term | None = None


class Block(Record):
    """All picture lines of one file, in order: those that place things, and those about their looks."""

    places: tuple[Line, ...]
    looks: tuple[Line, ...]


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
    places, looks = (tuple([line for line in lines if line.kind == kind]) for kind in KEYWORDS)
    return Block(places, looks), [*faults, *_of_fixtures(places, looks)]


def _of_fixtures(places: Iterable[Line], looks: Iterable[Line]) -> Iterator[ParseError]:
    """Yield a fault for each quoted name that is not placed exactly once."""

    def fault(line: Line, name: str, message: str) -> ParseError:
        start = line.span.source.text.index(name, line.span.start)
        return parse_error(f"{name} is placed {message}", Span(line.span.source, start, start + len(name)), CODE)

    earlier: set[str] = set()
    for line in places:
        if line.thing in earlier:
            yield fault(line, line.thing, "a second time")
        earlier.update([line.thing] if line.thing.startswith('"') else ())
    for line, name in (*((line, line.target) for line in places), *((line, line.thing) for line in looks)):
        if name.startswith('"') and name not in earlier:
            hint = suggestion(name, earlier) or f": write place {name} row 0 column 0"
            yield fault(line, name, f"by no line{hint}")


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
        said, span = dict[str, Any](), self.span
        while not said or ("target" not in said and self.word().lower() in AGAIN):
            span, name = self.words[self.at], self.keyword(KEYWORDS[kind])
            if name in said:
                self.fail(f"a second '{name}'", span)
            span = self.words[self.at]
            own = self.argument(name)
            said |= {name: own} if name in AGAIN else {"relation": name, "target": own}
        target: str = said.get("target", "")
        if target == thing:
            self.fail(f"'{thing}' would be {said['relation']} itself", span)
        rest = [] if target else [name for name in KEYWORDS[kind] if name in AGAIN and name not in said]
        condition = self.where([*rest, "where"])
        bound = free_variables(condition) | {thing}
        if target.startswith("?") and target not in bound:
            self.fail(f"nothing says which '{target}' is meant: add where (...) with '{target}'", span)
        for term in said.values():
            if isinstance(term, Term) and term.variable and term.variable not in bound:
                hint = f"{suggestion(term.variable, bound)}: it is in no condition"
                self.fail(f"nothing says which '{term.variable}' is meant{hint}", term.span)
        return Line(kind, thing, self.typed(condition), condition, self.span, **said)

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

    def thing(self, what: str) -> str:
        """Read an item: a variable with or without a type, an object, or a name in quotes."""
        span = self.take(what, lambda word: word[:1] not in ("", "?", "(", ")") or _VARIABLE.fullmatch(word))
        if span.text.startswith('"'):
            return f'"{self.quoted(span, 80)}"'
        name = span.text.lower()
        if not name.startswith("?"):
            if name not in self.objects:
                self.fail(f"unknown object '{name}'{suggestion(name, self.objects)}", span)
            return name
        self.types.setdefault(name, ())
        if self.word() == "-":
            self.at += 1
            known = {"object", *(item.name for item in self.domain.types)}
            kind = self.take("a type after '-'")
            if kind.text.lower() not in known:
                self.fail(f"unknown type '{kind.text}'{suggestion(kind.text.lower(), known)}", kind)
            self.types[name] = (kind.text.lower(),)
        return name

    def quoted(self, span: Span, most: int) -> str:
        text = span.text[1:-1]
        if len(span.text) < 2 or not span.text.endswith('"'):
            self.fail("these quotes are never closed", span)
        if not text.strip() or len(text) > most or not text.isprintable():
            self.fail(f"a text in quotes has 1 to {most} printable characters", span)
        return text

    def term(self, what: str) -> Term:
        span = self.take(f"{what}: a number, a variable, or a number in its name such as ?x.1", _TERM.fullmatch)
        number, variable, part = _TERM.findall(span.text.lower())[0]
        if variable:
            self.types.setdefault(variable, ())
        return Term(span, variable, int(number or part or 0))

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
            at = span.source.offset(error.line or line, error.column or column)
            raise parse_error(error.message, Span(span.source, at, at), CODE) from None
        return condition

    def typed(self, condition: Condition) -> Mapping[str, tuple[str, ...]]:
        """Return the types of all variables, as written in the line or else as declared by the predicates."""
        parameters = {item.name: item.parameters for item in self.domain.predicates}
        types = dict.fromkeys([*self.types, *sorted(free_variables(condition))], OBJECT)
        for part in reversed([*conjuncts(condition)]):  # what is said first counts
            if isinstance(part, Atom):
                for name, parameter in zip(part.arguments, parameters.get(part.predicate, ()), strict=False):
                    types |= {name: parameter.types} if name in types and parameter.types != OBJECT else {}
        return types | {name: own for name, own in self.types.items() if own}
