"""Picture lines, comments in PDDL files that describe how objects are placed and drawn: read, and applied to a task.

    ; picture: place ?a on ?b where (on ?a ?b)

A line is split into words, texts in quotes and conditions in brackets; docs/howto/show/pddl-pictures.md describes them.
The PDDL reader reads a condition in a text that is blank everywhere else, so that faults have their places in the file.

A `Script` combines a task and its lines. The first line that places a thing wins; of several lines about its looks, the
last. The objects that an argument of a predicate can have follow from types and preconditions, so domains without types
are treated as well as typed ones:

    (at ?ball ?room) is added by an action with the precondition (room ?room): only rooms are possible there

Only static facts are used: then all problems of a level, which differ in their first states, have the same picture. A
first state may contain more than actions ever add.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import accumulate
from typing import Any, NamedTuple, NoReturn

from unpuzzle.base.distances import distances
from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.base.text import suggestion
from unpuzzle.base.values import Record
from unpuzzle.pddl.declarations import Domain
from unpuzzle.pddl.formulas import (
    OBJECT,
    And,
    Atom,
    Condition,
    Source,
    Span,
    TypedName,
    conjuncts,
    free_variables,
    walk,
)
from unpuzzle.pddl.linting.faults import FirstFault
from unpuzzle.pddl.linting.names import Arguments, Names
from unpuzzle.pddl.normal_form import single_effects
from unpuzzle.pddl.query import Query
from unpuzzle.pddl.reading.expressions import Expressions
from unpuzzle.pddl.reading.reader import arities_of
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.syntax import Form, Text, parse_error, read_form
from unpuzzle.pddl.world import World, fact_tables
from unpuzzle.pddl_game.level import LINE

CODE = "picture"
GRID = ("row", "column")
BESIDE: Mapping[str, complex] = {"above": -1j, "below": 1j, "left of": -1, "right of": 1}
"""The relations to neighbours, each with a thing's offset: columns to the right, and rows down as imaginary part."""
KEYWORDS = {"place": (*GRID, "at", "on", "in", *BESIDE), "look": ("glyph", "colour", "label", "shape", "width")}
AGAIN = (*GRID, *KEYWORDS["look"])  # others may follow them
CHOICES = {
    "colour": ("tile", "home", "hero", "box", "goal", "food", "mark", "wall", "ink", "grid"),
    "shape": ("tile", "disc", "circle", "peg", "frame", "cell", "none"),
}
"""The known words; the first three colours are filled, the others are outlines."""
LONGEST = {"glyph": 12, "label": 80}
LONGEST_NAME = 14  # in a picture; longer ones are cut
MOST_VARIANTS = 5  # lines about the looks of one thing that may depend on the state
Binding = Mapping[str, str]
Slot = tuple[str, int | None, int | None]  # an item with row and column; None stands for one that the line omits

_WORD = re.compile(r'"[^"\n]*"?|\(|\)|[^\s()"]+')
_TERM = re.compile(r"(\d{1,6})|(\?[^\s.?]+)(?:\.([1-9]))?")
_VARIABLE = re.compile(r"\?[^\s.?:]+")


class Term(Record):
    """A row, column or width: a number or, of an object, which number in its name is meant, or 0 for its rank."""

    span: Span
    variable: str
    number: int


class Line(Record):
    """One picture line: `place THING RELATION TARGET`, `place THING row TERM column TERM` or `look THING ...`.

    Things are variables such as `?x`, objects, and quoted names of places such as `"hand"`. `types` are those of all
    variables. `look` has what the line says besides a width. What a line omits is empty or None.
    """

    kind: str
    thing: str
    types: Mapping[str, tuple[str, ...]]
    condition: Condition
    span: Span
    look: Mapping[str, str]
    relation: str = ""
    target: str = ""
    row: Term | None = None
    column: Term | None = None
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
    placed: dict[str, Line] = {}
    again = [(line, line.thing) for line in places if placed.setdefault(line.thing, line) is not line]
    named = [*((line, line.target) for line in places), *((line, line.thing) for line in looks)]
    for line, name in (*again, *((line, name) for line, name in named if name not in placed)):
        if name.startswith('"'):
            near = suggestion(name, [name for name in placed if name.startswith('"')])
            hint = near or f": write place {name} row 0 column 0"
            start = line.span.source.text.index(name, line.span.start)
            message = f"{name} is placed {'a second time' if name in placed else f'by no line{hint}'}"
            yield parse_error(message, Span(line.span.source, start, start + len(name)), CODE)


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
        look = {name: said.pop(name) for name in KEYWORDS["look"] if name in said and name != "width"}
        return Line(kind, thing, self.typed(condition), condition, self.span, look, **said)

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
        types: dict[str, tuple[str, ...]] = dict.fromkeys([*self.types, *sorted(free_variables(condition))], OBJECT)
        for part in reversed([*conjuncts(condition)]):  # what is said first counts
            if isinstance(part, Atom):
                for name, parameter in zip(part.arguments, parameters.get(part.predicate, ()), strict=False):
                    types |= {name: parameter.types} if name in types and parameter.types != OBJECT else {}
        return types | {name: own for name, own in self.types.items() if own}


class Placed(NamedTuple):
    """The place that a picture line gives to an item: on a target, or by row, column or both."""

    line: int
    target: str = ""
    row: int | None = None
    column: int | None = None


class Style(Record):
    """The style that picture lines give to an item; `width` is a fraction of the largest width, from 0 to 1."""

    glyph: str = ""
    colour: str = ""
    label: str = ""
    shape: str = ""
    width: float = 1.0


class Script:
    """The picture lines of a task, with the items that they place: objects of the task and quoted names."""

    def __init__(self, block: Block, semantics: Semantics) -> None:
        self.block = block
        self.semantics = semantics
        self.start: World = semantics.world(semantics.initial)
        self._possible = possible_arguments(semantics)
        facts, self._queries = fact_tables(semantics.task.problem.init), dict[int, Query]()
        for line in (*block.places, *block.looks):
            parameters = [TypedName(name, types) for name, types in line.types.items()]
            self._queries[id(line)] = Query(parameters, line.condition, semantics.types, facts)
        names = [*semantics.types.order, *(place.thing for place in block.places if place.thing.startswith('"'))]
        self.things: Mapping[str, int] = {name: number for number, name in enumerate(names)}
        self.placeable = [self.values(place, place.thing) for place in block.places]
        self.static_lines: set[int] = set()  # they hold in every state or in none: what they place never moves
        changing: set[str] = set()  # things that an earlier line places that depends on the state
        for number, place in enumerate(block.places):
            if not self.is_static(place):
                changing.update(self.placeable[number])
            elif changing.isdisjoint(self.placeable[number]):
                self.static_lines.add(number)
        self._changing_looks = [line for line in block.looks if not self.is_static(line)]
        # Of each thing the lines about it, each with the bit of the variants in which it holds (0: all), and its width.
        self._looks: dict[str, list[tuple[Line, int, float | None]]] = defaultdict(list)
        for line in block.looks:
            self._add_look(line)
        self.style = cache(self._style)

    def _add_look(self, line: Line) -> None:
        """Store what a line says about the looks of each thing. Raises ParseError if it can never be drawn."""
        changing, widths = not self.is_static(line), dict[str, int]()
        what = f"the shape {line.look['shape']}" if "shape" in line.look else "the width" if line.width else ""
        if changing and what:
            message = f"{what} of a thing can never change, but actions can change this condition"
            raise parse_error(message, line.span, CODE)
        if line.width is not None:
            for binding in self.answers(line, self.start):
                widths.setdefault(binding.get(line.thing, line.thing), self.value(line.width, line, binding))
        least, most = min(widths.values(), default=0), max(widths.values(), default=0)
        for name in self.values(line, line.thing):
            if changing and self.variants(name) == 1 << MOST_VARIANTS:
                message = f"at most {MOST_VARIANTS} lines about the looks of '{name}' may depend on the state"
                raise parse_error(message, line.span, CODE)
            width = (widths[name] - least + 1) / (most - least + 1) if name in widths else None
            self._looks[name].append((line, self.variants(name) if changing else 0, width))

    def variants(self, name: str) -> int:
        """Return how many appearances an item has; number 0 is used if no line that depends on the state applies."""
        return 2 * max([bit for _, bit, _ in self._looks[name]], default=0) or 1

    def variants_now(self, world: World) -> dict[str, int]:
        """Return the number of the appearance of each item in a state; items with the number 0 may be left out."""
        found = defaultdict[str, int](int)
        for line in self._changing_looks:
            for name in {binding.get(line.thing, line.thing) for binding in self.answers(line, world)}:
                found[name] |= sum(bit for own, bit, _ in self._looks[name] if own is line)
        return found

    def _style(self, name: str, variant: int = 0) -> Style:
        """Return the style of an item in one of its appearances, merged from all lines that apply."""
        said: dict[str, Any] = {}
        for line, bit, width in self._looks[name]:
            if not bit or bit & variant:
                said |= {**line.look, **({"width": width} if width else {})}
        return Style(**said)

    def words(self, name: str, variant: int = 0) -> str:
        """Return the text on an item: its glyph, or else its name without quotes, shortened if it is too long."""
        shown, most = name.strip('"'), LONGEST_NAME
        return self.style(name, variant).glyph or (shown if len(shown) <= most else shown[: most - 1] + "…")

    def is_static(self, line: Line) -> bool:
        static = self.semantics.static_predicates | {"="}
        return all(part.predicate in static for part in walk(line.condition) if isinstance(part, Atom))

    def values(self, line: Line, thing: str) -> tuple[str, ...]:
        """Return the items for which `thing` can stand in a line: the values of a variable, or the item itself."""
        if not thing.startswith("?"):
            return (thing,)
        if self.is_static(line):
            allowed = [{binding[thing] for binding in self.answers(line, self.start)}]
        else:
            atoms = [part for part in conjuncts(line.condition) if isinstance(part, Atom) and part.predicate != "="]
            places = [(atom.predicate, at) for atom in atoms for at, name in enumerate(atom.arguments) if name == thing]
            allowed = [self._possible.get(place, set()) for place in places]
        members = self.semantics.types.members(line.types[thing])
        return tuple([name for name in members if all(name in own for own in allowed)])

    def answers(self, line: Line, world: World) -> list[Binding]:
        """Return the bindings of a line's variables that make the condition true, in the order of the objects."""
        rows = sorted(self._queries[id(line)].answers(world), key=lambda row: [self.things[name] for name in row])
        return [dict(zip(line.types, row, strict=True)) for row in rows]

    def placed(self, world: World) -> dict[str, Placed]:
        """Return the placement of each item, except for placements next to a neighbour."""
        found: dict[str, Placed] = {}
        for number, place in enumerate(self.block.places):
            for binding in self.answers(place, world) if place.relation not in BESIDE else ():
                target, (thing, row, column) = binding.get(place.target, place.target), self.slot(place, binding)
                if thing not in found and target != thing:
                    found[thing] = Placed(number, target, row, column)
        return found

    def slot(self, place: Line, binding: Binding) -> Slot:
        """Return an item with the row and the column that a line gives."""
        row, column = (None if term is None else self.value(term, place, binding) for term in (place.row, place.column))
        return binding.get(place.thing, place.thing), row, column

    def value(self, term: Term, line: Line, binding: Binding) -> int:
        """Return the number of a term. Raises ParseError if a name does not contain the required number."""
        if not term.variable:
            return term.number
        name = binding[term.variable]
        if not term.number:
            ranks = self._ranks(line, term.variable)
            return ranks.index(name) if name in ranks else len(ranks)
        numbers = _numbers(name)
        if len(numbers) < term.number:
            word = f"only {len(numbers)} of them" if numbers else "no number"
            which = f"{term.variable}.{term.number} is number {term.number} in an object's name"
            raise parse_error(f"{which}, but '{name}' has {word}", term.span, CODE)
        return numbers[term.number - 1]

    def _ranks(self, line: Line, variable: str) -> list[str]:
        """Return the objects of a variable's types, sorted by the numbers in their names or else in declared order."""
        types = line.types[variable]
        members = self.values(line, variable) if types == OBJECT else self.semantics.types.members(types)
        return sorted(members, key=_numbers) if all(map(_numbers, members)) else [*members]


def _numbers(name: str) -> list[int]:
    return [int(part[:9]) for part in re.findall(r"\d+", name)]


def neighbours(script: Script, base: int) -> dict[str, Placed]:
    """Return the slots of items from lines such as `left of`: each connected group right of the last, from `base` on.

    Raises ParseError if they do not form a grid.
    """
    near: dict[str, list[tuple[str, complex, Line]]] = defaultdict(list)
    for place in script.block.places:
        if place.relation in BESIDE:
            if not script.is_static(place):
                message = f"actions change this condition, but things that are {place.relation} others never move"
                raise parse_error(message, place.span, CODE)
            for binding in script.answers(place, script.start):
                thing, target = (binding.get(name, name) for name in (place.thing, place.target))
                near[target].append((thing, BESIDE[place.relation], place))
                near[thing].append((target, -BESIDE[place.relation], place))
    found: dict[str, Placed] = {}
    for first in sorted(near, key=script.things.__getitem__):
        at = {} if first in found else {first: 0j}
        for name in distances(at, lambda name: [other for other, *_ in near[name]]):
            for other, offset, line in near[name]:
                if at.setdefault(other, at[name] + offset) != at[name] + offset:
                    message = f"this is not a grid: '{other}' would be in two places, one of them beside '{name}'"
                    raise parse_error(message, line.span, CODE)
        left, top = (min([getattr(spot, axis) for spot in at.values()], default=0) for axis in ("real", "imag"))
        slots = {name: (int(spot.imag - top), int(base + spot.real - left)) for name, spot in at.items()}
        found |= {name: Placed(-1, "", *slot) for name, slot in slots.items()}
        base = max([base, *(column + 1 for _, column in slots.values())])
    return found


def possible_arguments(semantics: Semantics) -> Mapping[tuple[str, int], set[str]]:
    """Return, for each argument position of each predicate, the objects that may occur there."""
    domain, types, static = semantics.task.domain, semantics.types, semantics.static_predicates
    found: dict[tuple[str, int], set[str]] = defaultdict(set)
    added = [(action, [each for each in single_effects(action) if each.adds]) for action in domain.actions]
    set_by_actions = {each.atom.predicate for _, effects in added for each in effects}
    for atom in semantics.task.problem.init:
        for place, name in enumerate(atom.arguments if atom.predicate in static else ()):
            found[atom.predicate, place].add(name)
    for predicate in domain.predicates:  # derived predicates, and those that are only deleted, are not analysed
        if predicate.name not in set_by_actions | static:
            for place, parameter in enumerate(predicate.parameters):
                found[predicate.name, place].update(types.members(parameter.types))
    known = dict(found)
    for action, effects in added:
        values = {name: set(members) for name, members in types.domains(action.parameters).items()}
        for atom in conjuncts(action.precondition):
            for place, term in enumerate(atom.arguments if isinstance(atom, Atom) else ()):
                if term in values and (atom.predicate, place) in known:
                    values[term] &= known[atom.predicate, place]
        for each in effects:
            own = values | {item.name: set(types.members(item.types)) for item in each.parameters}
            for place, term in enumerate(each.atom.arguments):
                found[each.atom.predicate, place] |= own.get(term, {term})
    return found
