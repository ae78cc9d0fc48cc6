"""Every name in a text of PDDL: what kind of thing it names, where it is declared, and where it is used.

    symbols = symbols_of(parse(text))
    symbols.occurrences           in the order of the text
    symbols.at(offset)            the occurrence at a place
    symbols.declarations          by kind and name: parameters, types, and the comment above

A name is the same thing in a domain and in its problems if kind and name are equal; a variable also belongs to a scope,
the group that declares it. Nothing here judges: a name that nobody declares is an occurrence like the others.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from unpuzzle.base.values import Record
from unpuzzle.pddl.features import CONNECTIVES
from unpuzzle.workspace.forms import Group, Tree, Word

ACTION, CONSTANT, DOMAIN, FUNCTION = "action", "constant", "domain", "function"
PREDICATE, PROBLEM, TYPE, VARIABLE = "predicate", "problem", "type", "variable"
KEYWORD, NUMBER = "keyword", "number"
NAME = "name"
"""Anything that a game in a language of its own names."""
NO_SCOPE = -1
_BEHIND = re.compile(r"[) \t]*;([^\n]*)")
_NUMBER = re.compile(r"-?[\d.]+")
_BUILT_IN = {TYPE: {"object", "number"}, FUNCTION: {"total-cost"}, PREDICATE: {"="}}


class Occurrence(Record):
    """A name at a place; `scope` is where the group begins that declares a variable."""

    kind: str
    name: str
    start: int
    end: int
    declares: bool = False
    scope: int = NO_SCOPE

    @property
    def key(self) -> tuple[str, str, int]:
        """What makes it the same thing as another."""
        return self.kind, self.name, self.scope

    @property
    def built_in(self) -> bool:
        """Whether the language declares it."""
        return self.name in _BUILT_IN.get(self.kind, ())


class Typed(Record):
    """A name with its types."""

    name: str
    types: tuple[str, ...] = ("object",)

    def __str__(self) -> str:
        types = self.types[0] if len(self.types) == 1 else f"(either {' '.join(self.types)})"
        return self.name if self.types == ("object",) else f"{self.name} - {types}"


class Declaration(Record):
    """What declares a name: the range of its group and of the name, its parameters or types, the comment about it."""

    kind: str
    name: str
    start: int
    end: int
    place: tuple[int, int]
    parameters: tuple[Typed, ...] = ()
    types: tuple[str, ...] = ()
    comment: str = ""

    @property
    def signature(self) -> str:
        """How it is used, with types: `(on ?x - block ?y - block)`."""
        if self.kind in (PREDICATE, FUNCTION, ACTION):
            return f"({' '.join([self.name, *map(str, self.parameters)])})"
        return str(Typed(self.name, self.types or ("object",)))


@dataclass
class Symbols:
    """The names of a text; `variables` are the types of variables by scope, `sections` the groups of the definition."""

    occurrences: list[Occurrence] = field(default_factory=list)
    declarations: dict[tuple[str, str], Declaration] = field(default_factory=dict)
    variables: dict[int, list[Typed]] = field(default_factory=dict)
    sections: list[Group] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)
    """Predicates that effects change."""
    derived: set[str] = field(default_factory=set)

    @cached_property
    def by_key(self) -> Mapping[tuple[str, str, int], list[Occurrence]]:
        """The occurrences of each thing."""
        table: dict[tuple[str, str, int], list[Occurrence]] = {}
        for each in self.occurrences:
            table.setdefault(each.key, []).append(each)
        return table

    def at(self, offset: int) -> Occurrence | None:
        """Return the occurrence at an offset, or that ends there."""
        starts, ordered = self._by_start
        last = bisect_right(starts, offset) - 1
        near = ordered[bisect_left(starts, starts[last])] if last >= 0 else None
        return near if near is not None and offset <= near.end else None

    @cached_property
    def _by_start(self) -> tuple[list[int], list[Occurrence]]:
        """The occurrences in the order of the text, which do not overlap, and where they begin."""
        ordered = sorted(self.occurrences, key=lambda each: each.start)
        return [each.start for each in ordered], ordered

    def declared(self, kind: str) -> list[Declaration]:
        """Return the declarations of a kind, in the order of the text."""
        return [each for each in self.declarations.values() if each.kind == kind]

    def parents(self, name: str) -> list[str]:
        """Return a type and those above it."""
        found, queue = {name: None}, [name]
        while queue:
            declaration = self.declarations.get((TYPE, queue.pop()))
            for parent in declaration.types if declaration else ():
                if parent not in found:
                    found[parent] = None
                    queue.append(parent)
        return [*found, *(() if "object" in found else ("object",))]


def symbols_of(tree: Tree) -> Symbols:
    """Return the names of a text."""
    return _Walker(tree).symbols


class _Walker:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.symbols = Symbols()
        self.arities: dict[str, set[int]] = {}
        definition = tree.definition
        sections = list(definition.groups()) if definition else [each for each in tree.root.groups() if each.head]
        self.symbols.sections = sections
        for section in sections:
            if section.head == ":predicates":
                for group in section.groups():
                    count = sum(word.text[0] == "?" for word in group.words())
                    self.arities.setdefault(group.head, set()).add(count)
        for section in sections:
            self.section(section)
        if definition is None:
            self.plan()

    def add(self, kind: str, word: Word, *, declares: bool = False, scope: int = NO_SCOPE) -> None:
        self.symbols.occurrences.append(Occurrence(kind, word.text, word.start, word.end, declares, scope))

    def keyword(self, item: Word | Group | None) -> None:
        if isinstance(item, Word):
            self.add(KEYWORD, item)

    def declare(
        self, kind: str, word: Word, group: Group, parameters: Sequence[Typed] = (), types: tuple[str, ...] = ()
    ) -> None:
        """Note a declaration; of several of one name the first counts."""
        self.add(kind, word, declares=True)
        comment = self.comment_at(group if group.items and group.items[0] is word else word, group)
        declaration = Declaration(
            kind, word.text, group.start, group.end, (word.start, word.end), tuple(parameters), types, comment
        )
        self.symbols.declarations.setdefault((kind, word.text), declaration)

    def comment_at(self, item: Word | Group, group: Group) -> str:
        """Return the comment behind something on its last line, or else the one above it."""
        text = self.tree.text
        is_rule = group.head in (":action", ":derived")
        behind = _BEHIND.match(text, item.end)  # which looks at no more of a long line than it needs
        if behind is not None and not is_rule:
            return behind[1].lstrip("; ").rstrip()
        start, lines = group.start if is_rule else item.start, list[str]()
        while start and text[start - 1] in "( \t":
            start -= 1
        if text[start - 1 : start] not in ("", "\n"):
            return ""
        end = start - 1
        while end >= 0:
            begin = text.rfind("\n", 0, end) + 1
            line = text[begin:end].strip()
            if not line.startswith(";"):
                break
            lines.append(line.lstrip("; ").rstrip())
            end = begin - 1 if begin else -1
        return "\n".join(lines[::-1])

    # ---- sections

    def section(self, group: Group) -> None:
        head = group.items[0] if group.items else None
        self.keyword(head)
        name = group.items[1] if len(group.items) > 1 else None
        if group.head in ("domain", "problem") and isinstance(name, Word):
            self.declare(DOMAIN if group.head == "domain" else PROBLEM, name, group)
        elif group.head == ":domain" and isinstance(name, Word):
            self.add(DOMAIN, name)
        elif group.head == ":requirements":
            for word in list(group.words())[1:]:
                self.keyword(word)
        elif group.head in (":types", ":constants", ":objects"):
            self.names(group, TYPE if group.head == ":types" else CONSTANT)
        elif group.head in (":predicates", ":functions"):
            self.heads(group, PREDICATE if group.head == ":predicates" else FUNCTION)
        elif group.head in (":action", ":durative-action"):
            self.action(group)
        elif group.head == ":derived":
            self.axiom(group)
        elif group.head == ":init":
            for fact in group.groups():
                self.formula(fact, {})
        elif group.head == ":goal":
            for goal in group.groups():
                self.formula(goal, {})
        elif group.head == ":metric":
            self.keyword(name)
            for term in group.groups():
                self.atom(term, {}, FUNCTION)

    def names(self, group: Group, kind: str) -> None:
        """Walk over `a b - t c - (either t u)`, which declares names."""
        for entry, types, places in _entries(group.items[1:]):
            for word in entry:
                self.declare(kind, word, group, types=types)
            for place in places:
                self.add(TYPE, place)

    def variables(self, group: Group, items: Sequence[Word | Group], scope: int) -> list[Typed]:
        """Walk over variables with their types, and note them as those of a scope."""
        typed = []
        for entry, types, places in _entries(items):
            for word in entry:
                self.add(VARIABLE, word, declares=True, scope=scope)
                typed.append(Typed(word.text, types or ("object",)))
            for place in places:
                self.add(TYPE, place)
        self.symbols.variables.setdefault(scope, []).extend(typed)
        return typed

    def heads(self, group: Group, kind: str) -> None:
        """Walk over the declarations of predicates or functions."""
        for head in group.groups():
            if head.items and isinstance(head.items[0], Word):
                at = len(self.symbols.occurrences)
                parameters = self.variables(head, head.items[1:], head.start)
                later, self.symbols.occurrences[at:] = self.symbols.occurrences[at:], []
                self.declare(kind, head.items[0], head, parameters)
                self.symbols.occurrences += later
        for word in list(group.words())[1:]:
            if word.text != "-":
                self.add(TYPE, word)

    def action(self, group: Group) -> None:
        items, scope = group.items, group.start
        name = items[1] if len(items) > 1 and isinstance(items[1], Word) and items[1].text[0] != ":" else None
        at = len(self.symbols.occurrences)
        scopes: dict[str, int] = {}
        parameters: list[Typed] = []
        part = ""
        for item in items[1:]:
            if isinstance(item, Word):
                if item is not name:
                    part = item.text
                    self.keyword(item)
            elif part == ":parameters" or (item.items and not part):
                parameters = self.variables(item, item.items, scope)
                scopes = {each.name: scope for each in parameters}
            else:
                self.formula(item, scopes, scope, effect=part.startswith(":effect"))
        if name is not None:
            later, self.symbols.occurrences[at:] = self.symbols.occurrences[at:], []
            self.declare(ACTION, name, group, parameters)
            self.symbols.occurrences += later

    def axiom(self, group: Group) -> None:
        groups = list(group.groups())
        head, body = (groups[0], groups[1:]) if groups else (group, [])
        scopes: dict[str, int] = {}
        if head is not group and head.items and isinstance(head.items[0], Word):
            self.add(PREDICATE, head.items[0])
            self.symbols.derived.add(head.head)
            typed = self.variables(head, head.items[1:], group.start)
            scopes = {each.name: group.start for each in typed}
        for each in body:
            self.formula(each, scopes, group.start)

    # ---- formulas

    def formula(self, group: Group, scopes: Mapping[str, int], outer: int = NO_SCOPE, effect: bool = False) -> None:
        """Walk over a condition, an effect or a fact; `outer` is the scope of variables that nothing declares."""
        head = group.head
        if not group.items:
            return
        if not head:
            for inner in group.groups():
                self.formula(inner, scopes, outer, effect)
        elif self.is_atom(group):
            self.atom(group, scopes, PREDICATE, outer)
            if effect:
                self.symbols.changed.add(head)
        elif head in ("exists", "forall"):
            self.keyword(group.items[0])
            rest = list(group.groups())
            inner_scopes = dict(scopes)
            if rest and group.items[1] is rest[0] and (not rest[0].head or rest[0].head[0] == "?"):
                declared = self.variables(rest[0], rest[0].items, group.start)
                inner_scopes |= {each.name: group.start for each in declared}
                rest = rest[1:]
            for inner in rest:
                self.formula(inner, inner_scopes, outer, effect)
        elif head in ("=", "increase", "decrease", "assign", "<", ">", "<=", ">="):
            self.keyword(group.items[0])
            self.terms(group, scopes, outer)
        else:
            self.keyword(group.items[0])
            for at, inner in enumerate(group.groups()):
                self.formula(inner, scopes, outer, effect and not (head == "when" and at == 0))
            self.terms(group, scopes, outer, words_only=True)

    def is_atom(self, group: Group) -> bool:
        """Return whether a group is an atom, for connectives may be names of predicates."""
        head = group.head
        if head not in CONNECTIVES and head not in ("=", "increase", "decrease", "assign"):
            return True
        bare = all(isinstance(item, Word) for item in group.items)
        return bare and (len(group.items) > 1 or 0 in self.arities.get(head, ()))

    def atom(self, group: Group, scopes: Mapping[str, int], kind: str, outer: int = NO_SCOPE) -> None:
        if group.items and isinstance(group.items[0], Word):
            self.add(kind, group.items[0])
        self.terms(group, scopes, outer)

    def terms(self, group: Group, scopes: Mapping[str, int], outer: int, words_only: bool = False) -> None:
        """Walk over the arguments of an atom: variables, constants, numbers, terms of functions."""
        for item in group.items[1:]:
            if isinstance(item, Group):
                if not words_only:
                    self.atom(item, scopes, FUNCTION, outer)
            elif item.text[0] == "?":
                self.add(VARIABLE, item, scope=scopes.get(item.text, outer))
            elif _NUMBER.fullmatch(item.text):
                self.add(NUMBER, item)
            else:
                self.add(CONSTANT, item)

    def plan(self) -> None:
        """Walk over the steps of a plan."""
        for step in self.tree.root.groups():
            if step.head and step.head[0] != ":":
                self.atom(step, {}, ACTION)


def _entries(items: Sequence[Word | Group]) -> Iterator[tuple[list[Word], tuple[str, ...], list[Word]]]:
    """Yield the entries of a typed list: names, the types that they have, and where these stand."""
    names: list[Word] = []
    at = 0
    while at < len(items):
        item = items[at]
        if isinstance(item, Word) and item.text == "-":
            kind = items[at + 1] if at + 1 < len(items) else None
            places = list(kind.words())[1:] if isinstance(kind, Group) else [kind] if kind is not None else []
            yield names, tuple([place.text for place in places]), places
            names = []
            at += 1
        elif isinstance(item, Word):
            names.append(item)
        at += 1
    if names:
        yield names, (), []
